"""Router: which memory types a question opens, and which operator it needs. Never a closed door.

`routes.json` holds one cue a line with its weight and an example. The intent is that of the strongest cue; types
add their cues up, and every type that comes near the best is opened, for what stays shut is not found.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from lakehouse.vocabulary import Intent, MemoryType

NEAR = 3.6
"""A type within this much of the best is opened too."""
BY_INTENT: dict[str, tuple[tuple[str, float], ...]] = {
    "belief": (("PM", 3.0),),
    "when": (("EM", 2.5),),
    "why": (("EM", 0.5),),
}
"""What an intent alone says of the types: what somebody believes is personal, what has a date is an event."""
SURE = 2.0
"""Below this no type is shut."""
Field = Literal["intents", "types"]


@dataclass(frozen=True, slots=True)
class Route:
    """The types to open, the first the likeliest, and the intent."""

    types: tuple[MemoryType, ...]
    intent: Intent


@lru_cache(maxsize=1)
def _table() -> dict[str, list[tuple[str, str, float, re.Pattern[str]]]]:
    raw = json.loads((files(__package__) / "routes.json").read_text("utf-8"))
    return {
        field: [
            (
                row["label"],
                row["language"],
                float(row["weight"]),
                re.compile(row["pattern"], re.I if field == "intents" else 0),
            )
            for row in raw[field]
        ]
        for field in ("intents", "types")
    }


def cues(text: str, language: str, field: Field) -> list[tuple[str, float]]:
    """The labels of the cues that a question carries, with their weights."""
    own = "ko" if language == "ko" else "en"
    return [(label, weight) for label, lang, weight, pattern in _table()[field] if lang == own and pattern.search(text)]


def route(text: str, language: str) -> Route:
    """Types and intent of a question.

    >>> route("When did the lease start?", "en").intent
    'when'
    >>> "PM" in route("Where does Ola live?", "en").types
    True
    """
    intent = max(cues(text, language, "intents"), key=lambda cue: cue[1], default=("lookup", 0.0))[0]
    scores: dict[str, float] = {"EM": 0.0, "PM": 0.0, "GM": 0.0}
    for label, weight in cues(text, language, "types"):
        scores[label] += weight
    for label, weight in BY_INTENT.get(intent, ()):
        scores[label] += weight
    ranked = sorted(scores, key=lambda label: (-scores[label], label))
    best = scores[ranked[0]]
    if best < SURE:
        return Route(tuple(ranked), intent)  # type: ignore[arg-type]
    opened = [label for label in ranked if scores[label] >= best - NEAR and scores[label] > 0]
    return Route(tuple(opened), intent)  # type: ignore[arg-type]
