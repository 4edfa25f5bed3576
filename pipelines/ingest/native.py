"""The native archive: JSON Lines, a conversation a line, with its turns inside."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from pipelines.ingest.drafts import Draft, Refusal
from pipelines.ingest.source import Source
from pipelines.ingest.when import said

NAME = "native"
OPENING = re.compile(r'\s*\{(?:[^{}\[\]"]|"(?:[^"\\]|\\.)*")*?"turns"\s*:\s*\[')
"""An object's opening up to its own `turns`, before any nested object or list."""


def claims(source: Source) -> bool:
    """A first line that is an object with `turns`."""
    first = next((line for line in source.head_text.splitlines() if line.strip()), "")
    return OPENING.match(first) is not None


def read(source: Source) -> Iterator[Draft | Refusal]:
    """Drafts of every conversation; a broken line is refused and the next one read."""
    for number, line in source.lines():
        if line is None:
            yield Refusal(number, "line_too_long")
            continue
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError):
            yield Refusal(number, "broken_json", "not one whole JSON object", line[:1000])
            continue
        if not isinstance(item, dict) or not isinstance(item.get("turns"), list):
            yield Refusal(number, "no_turns", "an object with a list of turns is expected", line[:1000])
            continue
        yield from _conversation(item, number, source)


def _conversation(item: dict[str, Any], number: int, source: Source) -> Iterator[Draft | Refusal]:
    options = source.options
    conversation = str(item.get("conversation_id") or item.get("session_id") or "")
    for turn in item["turns"]:
        if not isinstance(turn, dict) or not isinstance(turn.get("text"), str):
            yield Refusal(number, "broken_turn", "a turn with a text is expected", json.dumps(turn)[:1000])
            continue
        yield Draft(
            conversation=conversation,
            session=str(turn.get("session_id") or item.get("session_id") or conversation),
            turn_id=str(turn.get("turn_id") or ""),
            speaker=str(turn.get("speaker") or ""),
            text=turn["text"],
            said=said(turn.get("said_at") or turn.get("timestamp"), zone_name=options.zone, latest=options.latest),
            line=number,
            role=str(turn.get("role") or ""),
            reply_to=str(turn.get("reply_to") or ""),
        )
