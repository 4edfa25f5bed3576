"""Predictions for the gold suites: one case in, one line out, as the scorer reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from lakehouse.records import TimeSpan, Turn
from lakehouse.vocabulary import Grain
from pipelines.extract import statements
from pipelines.language import detect
from pipelines.statement import Statement
from pipelines.timex import resolve


def turns_of(case: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], tenant: str = "eval") -> list[Turn]:
    """The turns of a gold case, as ingest would make them."""
    return [
        Turn(
            tenant=tenant,
            conversation=str(case["id"]),
            session=str(case["id"]),
            document=str(case["id"]),
            turn_id=str(row["turn_id"]),
            position=position,
            speaker=str(row["speaker"]),
            role="",
            text=str(row["text"]),
            language=detect(str(row["text"])),
            said_at=str(row["said_at"]),
            said_ts=datetime.fromisoformat(str(row["said_at"])),
            said_precision="minute",
            reply_to=None,
            uri="",
            content_hash="",
        )
        for position, row in enumerate(rows)
    ]


COARSER: dict[str, Grain] = {"part_of_day": "day", "minute": "hour"}
"""Grains that the extract suite's format does not have."""


def _time(span: TimeSpan | None) -> dict[str, str] | None:
    return {"start": span.start, "end": span.end, "granularity": span.grain} if span else None


def _event_time(span: TimeSpan | None) -> dict[str, str] | None:
    return _time(replace(span, grain=COARSER.get(span.grain, span.grain)) if span else None)


def atom_row(statement: Statement) -> dict[str, Any]:
    """A statement as the scorer reads it."""
    first_hand = statement.kind != "claim" and not statement.relay
    return {
        "kind": statement.kind,
        "subject": statement.subject,
        "source": None if first_hand else statement.holder,
        "relay": list(statement.relay),
        "target": statement.target,
        "polarity": statement.polarity,
        "modality": statement.modality,
        "time": _event_time(statement.event_time),
        "memory_types": list(statement.memory_types),
        "evidence": [evidence.turn_id for evidence in statement.evidence],
    }


def predict_extract(case: Mapping[str, Any]) -> dict[str, Any]:
    """What extraction makes of one short exchange; a first-hand record has no source."""
    found = statements(turns_of(case, case["turns"]))
    return {"id": case["id"], "atoms": [atom_row(statement) for statement in found]}


def predict_time(case: Mapping[str, Any]) -> dict[str, Any]:
    """What one time expression resolves to."""
    span = resolve(case["expression"], datetime.fromisoformat(case["said_at"]), case["lang"], case["text"])
    return {"id": case["id"], "resolved": _time(span)}
