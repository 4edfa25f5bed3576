"""Predictions for the ledger and route suites, from text end to end; one dict in, one dict out."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from lakehouse.ids import content_id
from lakehouse.records import Atom, Turn
from pipelines.atoms import read_atoms
from pipelines.language import detect
from retrieval.answer import answer
from retrieval.embedder import Embedder, PackagedEmbedder
from retrieval.heads import type_chances
from retrieval.memory import AtomMemory
from retrieval.question import frame_question
from retrieval.router import route


@cache
def _asker() -> Embedder:
    """The packaged encoder for single questions, as the service has it: its engine needs no folder of its own."""
    return PackagedEmbedder(Path(gettempdir()))


def predict_route(case: dict[str, Any]) -> dict[str, Any]:
    """{"id", "types", "intent"} of one question, by the router with its head."""
    (vector,) = _asker().queries([case["question"]])
    language = "ko" if detect(case["question"]) == "ko" else "en"
    found = route(case["question"], language, type_chances(vector, _asker().name))
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
        for atom in read_atoms([turn_of(arrival)]):
            atoms.setdefault(atom.atom_id, atom)
    return list(atoms.values())


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
