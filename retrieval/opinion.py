"""Opinions about a thing: judging claims, with their wording and polarity."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lakehouse.records import Atom, Question, Value
from pipelines.fold import judges
from retrieval.relevance import relevance, units_of
from retrieval.want import Want


def opinion(question: Question, want: Want, atoms: Sequence[Atom]) -> list[Atom]:
    """The judging claims about the thing that the question asks of, as atoms whose value is the wording."""
    views = []
    judging = [a for a in atoms if judges(a)]
    holders = [a for a in judging if _asked(question, a)]
    for unit in units_of(holders or judging):
        score, _ = relevance(unit, question, want)
        if score >= 0.3:
            for atom in unit.atoms:
                text = atom.values[0].text if atom.values else atom.content
                value = Value("text", f"{atom.polarity}", text)
                views.append(replace(atom, values=(value,), value_type="text", many=False, corrects=()))
    return views


def _asked(question: Question, atom: Atom) -> bool:
    holder = atom.holder.casefold()
    return any(holder in (name, re.sub("이$", "", name)) or holder in question.text.casefold() for name in (*question.names, question.text.casefold()))
