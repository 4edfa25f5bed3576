"""Opinions about a thing: judging claims, with their wording and polarity."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lakehouse.records import Atom, Question, Value
from lakehouse.vocabulary import Cue
from pipelines.fold import judges
from retrieval.relevance import relevance, units_of
from retrieval.want import Want


def opinion(question: Question, want: Want, atoms: Sequence[Atom]) -> list[Atom]:
    """The judging claims about the thing that the question asks of, as atoms whose value is the wording."""
    views = []
    judging = [a for a in atoms if judges(a)]
    asked = asked_holder(question)
    if asked is not None:
        judging = [a for a in judging if goes_by(asked, a.holder)]
    about = {w: weight for w, weight in want.words.items() if asked is None or w not in asked.casefold()}
    thing = replace(want, words=about)
    for unit in units_of(judging):
        score, _ = relevance(unit, question, thing)
        if score >= 0.45:
            views += [view(atom) for atom in unit.atoms]
    return views


def view(atom: Atom) -> Atom:
    """A judging claim with its wording as the value, equal to another of the same polarity."""
    value = Value("text", f"{atom.polarity}", atom.values[0].text if atom.values else atom.content)
    cue: Cue = atom.cue if atom.cue in ("retract", "correction", "update") else "none"
    return replace(atom, values=(value,), value_type="text", many=False, corrects=(), cue=cue)


HOLDER_EN = re.compile(

        r"\b(?:does|do|did|has|is|are|was) (?:the )?([A-Z][\w.'-]*(?: [A-Z][\w.'-]*)*|[a-z]+ ?(?:boss|manager|lead|"
        r"doctor)?)\s+"
    r"(?:\w+ )?(?:think|make|find|feel|say|like|reckon|view|see|rate|consider|believe|regard|describe)\b|"

        r"\b([A-Z][\w.-]*(?: [A-Z][\w.-]*)*)['’]s "
    r"(?:\w+ )?(?:opinion|view|take|thoughts?|verdict|impression)\b")  # fmt: skip
HOLDER_KO = re.compile(r"(?:^|\s|에\s?)([가-힣A-Za-z]+?)(?:이)?(?:님)?(?:은|는|께서는|의)\s")
ANYONE = frozenset(
    "people everyone everybody anyone you they we team users customers 사람들 다들 모두 팀 팀원들 고객들".split()
)


def asked_holder(question: Question) -> str | None:
    """Whose opinion is asked for, None when anybody's is."""
    text = re.sub(r"^\d{4}년 ?(?:\d+월 ?)?(?:\d+일 ?)?(?:초|말|중순)?에? ?", "", question.text)
    found = (HOLDER_KO if question.language == "ko" else HOLDER_EN).search(text)
    name = next((g for g in found.groups() if g), None) if found else None
    return None if name is None or name.casefold().strip() in ANYONE else name.strip()


def goes_by(asked: str, holder: str) -> bool:
    """Whether a holder goes by the name that a question uses.

    >>> goes_by("Vale", "Dr. Ida Vale"), goes_by("소담", "소담이"), goes_by("Ola", "Piet")
    (True, True, False)
    """
    a, b = asked.casefold(), holder.casefold()
    if re.search("[가-힣]", asked):
        a, b = (re.sub(r"(?:이|님|씨)$", "", x) if len(x) > 2 else x for x in (a, b))
        return a in b or b in a
    words = set(re.findall(r"[\w'-]+", b))
    return bool(set(re.findall(r"[\w'-]+", a)) - {"mr", "mrs", "ms", "dr", "the"} & words) and bool(
        words & set(re.findall(r"[\w'-]+", a))
    )
