"""Research archives in one JSON array: LoCoMo and LongMemEval, streamed an item at a time.

LoCoMo (Maharana et al., 2024): `session_N` lists with one `session_N_date_time` each, sessions ordered by
number. LongMemEval (Wu et al., 2025): parallel lists of haystack dates, session ids and sessions; the
evidence-only form has a question a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import ijson

from pipelines.ingest.drafts import Draft, Refusal
from pipelines.ingest.source import Source
from pipelines.ingest.when import Said, said

SESSION = re.compile(r"session_(\d+)")


def _items(source: Source) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """(number from 1, item); None at the place where the JSON breaks off, after all whole items."""
    lines = not source.head_text.lstrip().startswith("[")
    number = 0
    with source.open() as stream:
        if source.encoding == "utf-8-sig":
            stream.read(3)
        try:
            for item in ijson.items(stream, "" if lines else "item", multiple_values=lines, use_float=True):
                number += 1
                if isinstance(item, dict):
                    yield number, item
        except (ijson.JSONError, UnicodeDecodeError):
            yield number + 1, None


def _session_time(raw: object, source: Source) -> Said:
    found = said(raw, zone_name=source.options.zone, latest=source.options.latest)
    return found if found.precision == "unknown" else replace(found, precision="session")


class Locomo:
    """LoCoMo's conversations; an image's caption follows the text in brackets, as it is machine-made."""

    NAME = "locomo"

    @staticmethod
    def claims(source: Source) -> bool:
        head = source.head_text
        return head.lstrip()[:1] in ("[", "{") and (
            '"dia_id"' in head or '"speaker_a"' in head or '"sample_id"' in head
        )

    @staticmethod
    def read(source: Source) -> Iterator[Draft | Refusal]:
        for number, item in _items(source):
            talk = item.get("conversation") if item else None
            if item is None or not isinstance(talk, dict):
                yield Refusal(number, "broken_json", "a sample with a conversation is expected")
                continue
            name = str(item.get("sample_id") or f"sample-{number}")
            sessions = sorted(int(m[1]) for key in talk if (m := SESSION.fullmatch(key)))
            for session in sessions:
                when = _session_time(talk.get(f"session_{session}_date_time"), source)
                for turn in talk[f"session_{session}"] or []:
                    if not isinstance(turn, dict) or not isinstance(turn.get("text"), str):
                        yield Refusal(number, "broken_turn", f"session_{session}")
                        continue
                    caption = turn.get("blip_caption")
                    text = turn["text"] + (f" [image: {caption}]" if caption else "")
                    yield Draft(
                        conversation=name,
                        session=f"{name}/session_{session}",
                        turn_id=str(turn.get("dia_id") or ""),
                        speaker=str(turn.get("speaker") or ""),
                        text=text,
                        said=when,
                        line=number,
                    )


class LongMemEval:
    """LongMemEval's haystacks; a session id that comes twice is told apart by its place."""

    NAME = "longmemeval"

    @staticmethod
    def claims(source: Source) -> bool:
        return '"question_id"' in source.head_text and (
            '"haystack_sessions"' in source.head_text or '"evidence_sessions"' in source.head_text
        )

    @staticmethod
    def read(source: Source) -> Iterator[Draft | Refusal]:
        for number, item in _items(source):
            if item is None:
                yield Refusal(number, "broken_json", "the array breaks off here")
                continue
            name = str(item.get("question_id") or f"question-{number}")
            for index, (session, raw_time, turns) in enumerate(_sessions(item)):
                when = _session_time(raw_time, source)
                for place, turn in enumerate(turns):
                    text = turn.get("content") if isinstance(turn, dict) else None
                    if not isinstance(text, str):
                        yield Refusal(number, "broken_turn", f"session {session}")
                        continue
                    role = str(turn.get("role") or "")
                    yield Draft(
                        conversation=name,
                        session=f"{name}/{session}@{index}",
                        turn_id=f"{session}@{index}/{place}",
                        speaker=role,
                        text=text,
                        said=when,
                        line=number,
                        role=role,
                    )


def _sessions(item: dict[str, Any]) -> Iterator[tuple[str, object, list[Any]]]:
    if evidence := item.get("evidence_sessions"):
        for index, session in enumerate(evidence):
            yield f"session_{index}", session.get("date"), session.get("turns") or []
        return
    dates, ids = item.get("haystack_dates") or [], item.get("haystack_session_ids") or []
    for index, turns in enumerate(item.get("haystack_sessions") or []):
        yield (
            str(ids[index]) if index < len(ids) else f"session_{index}",
            dates[index] if index < len(dates) else None,
            turns or [],
        )
