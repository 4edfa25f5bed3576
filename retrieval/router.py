"""Router: which memory types a question opens, and which operator it needs. Never a closed door.

`routes.json` holds one cue a line with its weight and an example. The intent is that of the strongest cue; types
add their cues up, and every type that comes near the best is opened, for what stays shut is not found. Where the
question's vector is at hand, a trained head (`retrieval.heads`) shuts what it finds unlikely and opens what it is
sure of; without it the cues decide alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from lakehouse.vocabulary import Intent, MemoryType

NEAR = 3.6
"""A type within this much of the best is opened too."""
BY_INTENT: dict[str, tuple[tuple[MemoryType, float], ...]] = {
    "belief": (("PM", 3.0),),
    "when": (("EM", 2.5),),
    "why": (("EM", 0.5),),
}
"""What an intent alone says of the types: what somebody believes is personal, what has a date is an event."""
SURE = 2.0
"""Below this no type is shut."""
UNLIKELY, LIKELY = 0.05, 0.6
"""The head's chances below which an open type is shut and from which a shut one is opened. Shutting costs more than
opening, so only what is less than one in twenty is shut: more questions then find their types open than by the cues
alone (docs/model-card.md), and none of the gold loses one."""
Field = Literal["intents", "types"]
Chances = Mapping[MemoryType, float]
"""How likely each type is, by the head: each on its own, so they need not add up."""


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


def route(text: str, language: str, chances: Chances | None = None) -> Route:
    """Types and intent of a question; `chances` are what the head makes of its vector.

    >>> route("When did the lease start?", "en").intent
    'when'
    >>> "PM" in route("Where does Ola live?", "en").types
    True
    >>> route("Where does Ola live?", "en", {"EM": 0.02, "PM": 0.99, "GM": 0.01}).types
    ('PM',)
    """
    intent = max(cues(text, language, "intents"), key=lambda cue: cue[1], default=("lookup", 0.0))[0]
    opened = by_cues(text, language, intent)
    return Route(opened if chances is None else weighed(opened, chances), intent)  # type: ignore[arg-type]


def weighed(opened: tuple[MemoryType, ...], chances: Chances) -> tuple[MemoryType, ...]:
    """The types that stay open or are opened by the head's chances, the likeliest first; never none.

    >>> weighed(("EM", "PM"), {"EM": 0.01, "PM": 0.4, "GM": 0.8})
    ('GM', 'PM')
    """
    kept = [label for label in chances if chances[label] >= (UNLIKELY if label in opened else LIKELY)]
    return tuple(sorted(kept, key=lambda label: (-chances[label], label))) or opened


def by_cues(text: str, language: str, intent: str) -> tuple[MemoryType, ...]:
    """The types that the cues open, the strongest first."""
    scores: dict[MemoryType, float] = {"EM": 0.0, "PM": 0.0, "GM": 0.0}
    for label, weight in cues(text, language, "types"):
        scores[label] += weight  # type: ignore[index]
    for owned, weight in BY_INTENT.get(intent, ()):
        scores[owned] += weight
    ranked = sorted(scores, key=lambda label: (-scores[label], label))
    best = scores[ranked[0]]
    if best < SURE:
        return tuple(ranked)
    return tuple(label for label in ranked if scores[label] >= best - NEAR and scores[label] > 0)
