"""Router: which memory types a question opens, and which operator it needs. Never a closed door."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from lakehouse.vocabulary import Intent, MemoryType


@dataclass(frozen=True, slots=True)
class Route:
    """The types to open, the first the likeliest, and the intent."""

    types: tuple[MemoryType, ...]
    intent: Intent


@lru_cache(maxsize=1)
def _table() -> list[tuple[str, str, str, float, re.Pattern[str]]]:
    rows = []
    for line in (files(__package__) / "routes.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            field, label, language, weight, pattern, _example = line.split("\t")
            rows.append((field, label, language, float(weight), re.compile(pattern, re.I)))
    return rows


def scores(text: str, language: str) -> dict[str, dict[str, float]]:
    """Summed weights of the cues in routes.tsv: field (intent, type) -> label -> score."""
    found: dict[str, dict[str, float]] = {"intent": {}, "type": {}}
    for field, label, own, weight, pattern in _table():
        if own == language and pattern.search(text):
            found[field][label] = found[field].get(label, 0.0) + weight
    return found


def route(text: str, language: str) -> Route:
    """Types and intent of a question.

    >>> route("When did the lease start?", "en").intent
    'when'
    """
    found = scores(text, language)
    intents, types = found["intent"], found["type"]
    intent = max(sorted(intents), key=lambda k: intents[k], default="lookup")
    ranked = sorted(types, key=lambda k: (-types[k], k))
    best = types[ranked[0]] if ranked else 0.0
    opened = [k for k in ranked if types[k] >= best - 1.0] or ["PM", "GM", "EM"]
    return Route(tuple(opened), intent)  # type: ignore[arg-type]
