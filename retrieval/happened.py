"""What happened to somebody or something: records answer, newest first, and opinions never do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from lakehouse.ids import normal_text
from lakehouse.records import Atom, Question
from pipelines.instants import said
from pipelines.korean_given import normal_name

ASKED_EN = re.compile(
    r"\bwhat(?:'s|’s| is| has| have| had)? (?:just |ever |all )?"
    r"(?:happen(?:ed|ing|s)?|been going on|going on|went on)\b"
    r"|\bwhat (?:has |have |had )?(?:became|become) of\b|\bwhat(?:'s|’s| is) (?:new|up) with\b",
    re.I,
)
ASKED_KO = re.compile(
    r"무슨 ?일이? ?(?:있|생기|생겼|일어|벌어|났|난|이야|이에요|인가)"
    r"|어떻게 (?:됐|되었|된|지냈|지내)|어찌 ?(?:됐|되었|된)"
)
MOST = 3
"""Records that an answer tells."""
LIGHT = frozenset("happen become go new up what 일 있다 되다 생기다 일어나다 지내다".split())


def asks_what_happened(question: Question) -> bool:
    """Whether the question asks for events and names no value.

    >>> [bool(asked) for asked in (ASKED_EN.search("What happened to the boiler?"), ASKED_KO.search("무슨 일 있었어?"))]
    [True, True]
    """
    return bool((ASKED_KO if question.language == "ko" else ASKED_EN).search(question.text))


def opines(atom: Atom) -> bool:
    """A judgement, or what its speaker merely holds: no record. What somebody passes on is one, at second hand."""
    return atom.kind == "claim" and (atom.polarity in ("positive", "negative") or not atom.relay)


def records(question: Question, atoms: Sequence[Atom], as_of: datetime | None) -> list[Atom]:
    """The records of what the question names, best first: about it before naming it, events first, the newest first."""
    names = {normal_name(name) for name in (*question.names, *question.anchors)} - LIGHT
    found = [
        (_about(atom, names), atom.kind == "event", not atom.relay, said(atom), atom.atom_id, atom)
        for atom in atoms
        if not opines(atom) and atom.modality == "asserted" and (as_of is None or said(atom) < as_of)
    ]
    best = max((row[0] for row in found), default=0)
    told = [row for row in found if row[0] == best > 0]
    return [row[-1] for row in sorted(told, key=lambda row: row[:-1], reverse=True)][:MOST]


def _about(atom: Atom, names: set[str]) -> int:
    """2 when the record's subject has one of the names, 1 when its sentence has, else 0."""
    subject, content = normal_text(atom.subject), normal_text(atom.content)
    if any(name in subject for name in names):
        return 2
    return int(any(name in content for name in names))
