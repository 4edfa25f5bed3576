"""When quoted words were first said: a quotation takes its original's date where it gives one (R4)."""

from __future__ import annotations

import re
from datetime import date, datetime, time

from pipelines.timex import find

QUOTED = re.compile(r"[\"“„«「『]([^\"“”„«»「」『』]{4,})[\"”»」』]")
DAYS = ("day", "part_of_day", "hour", "minute")


def first_said(quote: str, clause: str, said: datetime, language: str) -> datetime | None:
    """The day on which the quoted words that hold `clause` were said, at its beginning in the document's zone.

    None where the clause is not quoted, or no day stands beside the quotation. A day without a year is the last one
    before the quotation was passed on.

    >>> first_said('On 3 May Ada wrote: "The gate is shut."', "The gate is shut", datetime(2025, 6, 2, 9), "en")
    datetime.datetime(2025, 5, 3, 0, 0)
    """
    inside = next((m for m in QUOTED.finditer(quote) if clause.strip(" .!") in m[1]), None)
    if inside is None:
        return None
    beside = f"{quote[: inside.start()]}{' ' * len(inside[0])}{quote[inside.end() :]}"
    days = [span for _, _, span in find(beside, said, "ko" if language == "ko" else "en", "past") if span.grain in DAYS]
    if len(days) != 1:
        return None
    day = date.fromisoformat(days[0].start[:10])
    return datetime.combine(day, time(), said.tzinfo) if day < said.date() else None
