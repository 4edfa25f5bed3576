"""From turns to statements: who asserts what about whom."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lakehouse.records import Evidence, Turn
from pipelines.language import detect
from pipelines.statement import Statement


def statements(turns: Sequence[Turn], names: Sequence[str] = ()) -> list[Statement]:
    """The statements of a run of turns, in order; `names` are people and things known besides the speakers."""
    found = []
    for turn in turns:
        language = detect(turn.text)
        if language == "other":
            continue
        for match in re.finditer(r"[^.!?\n]+[.!?]?", turn.text):
            quote = match.group()
            if not quote.strip() or quote.endswith("?"):
                continue
            found.append(
                Statement(
                    kind="fact",
                    memory_types=("GM",),
                    subject=turn.speaker,
                    clause=quote.strip(),
                    content=quote.strip(),
                    speaker=turn.speaker,
                    holder=turn.speaker,
                    relay=(),
                    target=None,
                    polarity=None,
                    modality="asserted",
                    event_time=None,
                    evidence=(Evidence(turn.turn_id, match.start(), match.end(), quote),),
                    confidence=0.5,
                    language=language,
                    said_at=turn.said_at,
                    said_ts=turn.said_ts,
                    said_precision=turn.said_precision,
                )
            )
    return found
