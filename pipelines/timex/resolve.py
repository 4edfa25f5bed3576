"""`find` and `resolve`: the two entries to time expressions."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from lakehouse.records import TimeSpan
from lakehouse.vocabulary import Language


def find(text: str, said_at: datetime, language: Language) -> list[tuple[int, int, TimeSpan]]:
    """Every time expression of `text`, left to right, with its character span."""
    found = []
    days = {"today": 0, "yesterday": -1, "tomorrow": 1, "오늘": 0, "어제": -1, "내일": 1}
    for match in re.finditer("|".join(days), text):
        day = (said_at + timedelta(days=days[match.group()])).date().isoformat()
        found.append((match.start(), match.end(), TimeSpan(day, day, "day")))
    return found


def resolve(expression: str, said_at: datetime, language: Language, text: str | None = None) -> TimeSpan | None:
    """What one expression means; `text`, its sentence, tells past from future."""
    found = find(expression, said_at, language)
    return found[0][2] if found else None
