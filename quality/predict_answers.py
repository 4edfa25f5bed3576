"""Predictions for the ledger and route suites, from text end to end; one dict in, one dict out."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from lakehouse.ids import atom_id, content_id
from lakehouse.records import Atom, Turn
from pipelines.extract import extract
from pipelines.frame import frame
from pipelines.frame.plain import in_context, plain
from pipelines.language import detect
from pipelines.statement import Frame, Statement
from retrieval.answer import answer
from retrieval.memory import AtomMemory
from retrieval.question import frame_question
from retrieval.router import route

ATOM_FIELDS = {f.name for f in fields(Atom)}


def predict_route(case: dict[str, Any]) -> dict[str, Any]:
    """{"id", "types", "intent"} of one question."""
    found = route(case["question"], "ko" if detect(case["question"]) == "ko" else "en")
    return {"id": case["id"], "types": sorted(found.types), "intent": found.intent}


def turn_of(arrival: dict[str, Any]) -> Turn:
    """One arrival as a turn of its own document: the same document again is the same turn."""
    said_at = datetime.fromisoformat(arrival["said_at"])
    said_at = said_at if said_at.tzinfo else said_at.replace(tzinfo=UTC)
    return Turn(
        tenant="gold", conversation=arrival["doc"], session=arrival["doc"], document=arrival["doc"],
        turn_id=f"{arrival['doc']}:1", position=0, speaker=arrival["speaker"], role="", text=arrival["text"],
        language=detect(arrival["text"]), said_at=arrival["said_at"], said_ts=said_at, said_precision="minute",
        reply_to=None, uri="", content_hash=content_id("turn", arrival["text"]),
    )  # fmt: skip


def atoms_of(arrivals: list[dict[str, Any]]) -> list[Atom]:
    """The atoms of the documents that arrived, each read on its own; a re-read document is the same document."""
    atoms: dict[str, Atom] = {}
    for arrival in arrivals:
        turn = turn_of(arrival)
        for atom in read_turn(turn):
            atoms.setdefault(atom.atom_id, atom)
    return list(atoms.values())


def read_turn(turn: Turn) -> list[Atom]:
    """The atoms of one turn: what extraction finds, and a plain statement for each sentence that it left alone."""
    found = extract([turn])
    covered = [(e.start, e.end) for atom in found for e in atom.evidence]
    for statement in plain(turn, covered):
        before = turn.text[: statement.evidence[0].start]
        found += [atom_from(statement, item, turn) for item in frame(statement, before)]
    return in_context(found, [turn])


def atom_from(statement: Statement, item: Frame, turn: Turn) -> Atom:
    """An atom of a statement and one of its frames."""
    first = statement.evidence[0]
    words = "|".join((item.relation, ";".join(v.norm for v in item.values), item.cue, statement.clause))
    frame_fields = {f.name: getattr(item, f.name) for f in fields(Frame)}
    shared = {f.name: getattr(statement, f.name) for f in fields(Statement) if f.name in ATOM_FIELDS}
    return Atom(**{
        **shared, **frame_fields, "tenant": turn.tenant, "document": turn.document, "segment_id": "",
        "atom_id": atom_id(turn.tenant, turn.document, first.turn_id, first.start, first.end, words),
        "extractor": "plain", "extractor_version": "1",
    })  # fmt: skip


def end_of_day(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day) + timedelta(days=1), time(), UTC)


def predict_ledger(case: dict[str, Any]) -> dict[str, Any]:
    """{"id", "answers": [one per ask]}: each ask over what had arrived by then."""
    answers = []
    for ask in case["asks"]:
        known = [a for a in case["arrivals"] if ask.get("as_known") is None or a["n"] <= ask["as_known"]]
        memory = AtomMemory(atoms_of(known))
        now = max(datetime.fromisoformat(a["said_at"]) for a in known)
        as_of = end_of_day(ask["as_of"]) if ask.get("as_of") else None
        answers.append(answer(frame_question(ask["question"], now), memory, as_of).answer())
    return {"id": case["id"], "answers": answers}
