"""Answers: only values valid at the asked time, with holders, evidence and a trace; stale values never."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lakehouse.records import Atom, Question, Validity
from pipelines.fold import fold_key
from pipelines.holders import NONE
from pipelines.instants import said
from retrieval.memory import Memory


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered, in one of the forms of the contract, with one sentence and its evidence."""

    value: str | None
    polarity: str | None
    values: tuple[str, ...]
    status: str | None
    text: str
    holders: tuple[str, ...]
    valid: tuple[str | None, str | None] | None
    evidence: tuple[tuple[str, str], ...]
    trace: tuple[str, ...]

    def answer(self) -> dict[str, Any]:
        """{"value", "polarity"?} | {"values"} | {"status", "values"?}"""
        if self.status is not None:
            return {"status": self.status, **({"values": list(self.values)} if self.values else {})}
        if self.value is None:
            return {"values": list(self.values)}
        return {"value": self.value, **({"polarity": self.polarity} if self.polarity else {})}

    def as_json(self) -> dict[str, Any]:
        """The JSON form of the command line's contract."""
        return {
            "answer": self.answer(),
            "text": self.text,
            "holders": list(self.holders),
            "valid": list(self.valid) if self.valid else None,
            "evidence": [{"turn_id": turn, "quote": quote} for turn, quote in self.evidence],
            "trace": list(self.trace),
        }


def answer(
    question: Question, memory: Memory, as_of: datetime | None = None, as_told: datetime | None = None,
    as_known: str | None = None,
) -> Answer:  # fmt: skip
    """Answer one question.

    `as_of` is an instant of valid time (the end of a civil day, exclusive; None: after the newest document),
    `as_told` leaves out what was said later, `as_known` is a run and is the memory's to apply.
    """
    atoms = [a for a in memory.near(question, as_known) if as_told is None or said(a) < as_told]
    wanted = set(question.anchors)
    scored = sorted(((len(wanted & set(a.anchors)), a) for a in atoms), key=lambda p: (-p[0], p[1].atom_id))
    if not scored or not scored[0][0]:
        return unknown("no key shares a word with the question")
    key = memory.key(scored[0][1])
    rows = fold_key([a for a in atoms if memory.key(a) == key], key)
    valid = [r for r in rows if holds(r, as_of) and r.value.norm != NONE]
    if not valid:
        return unknown("nothing held then")
    row = valid[-1]
    if len(valid) > 1 and not row.many:
        return Answer(None, None, tuple(r.value.text for r in valid), "contested", "contested", row.holders, None,
                      evidence_of(atoms, row), ("key",))  # fmt: skip
    return Answer(row.value.text, row.polarity, (), None, row.value.text, row.holders, _valid(row),
                  evidence_of(atoms, row), ("key",))  # fmt: skip


def holds(row: Validity, moment: datetime | None) -> bool:
    """Whether the row holds just before `moment`; None asks for what holds after everything known."""
    if moment is None:
        return row.valid_to is None
    return (row.valid_from is None or row.valid_from < moment) and (row.valid_to is None or row.valid_to >= moment)


def unknown(why: str) -> Answer:
    return Answer(None, None, (), "unknown", "Not known.", (), None, (), (why,))


def evidence_of(atoms: list[Atom], row: Validity) -> tuple[tuple[str, str], ...]:
    wanted = set(row.atoms)
    return tuple((e.turn_id, e.quote) for a in atoms if a.atom_id in wanted for e in a.evidence)


def _valid(row: Validity) -> tuple[str | None, str | None]:
    return (row.valid_from.isoformat() if row.valid_from else None, row.valid_to.isoformat() if row.valid_to else None)
