"""A document's own time: as written, as an instant, and how exactly it is known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from lakehouse.errors import SettingsError
from lakehouse.vocabulary import Precision

ISO = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})"
    r"(?:[T ,]*(?:\([A-Za-z]{3}\)\s*)?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?"
    r"\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?"
)
SPOKEN = re.compile(r"(\d{1,2}):(\d{2})\s*(am|pm)\s+on\s+(\d{1,2})\s+([A-Za-z]+),?\s+(\d{4})", re.IGNORECASE)
MONTHS = {name: i for i, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
PATH_DAY = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)")
EPOCH_MILLIS = 10**11
"""A number of this size or more counts milliseconds: as seconds it would lie after the year 5138."""


@dataclass(frozen=True, slots=True)
class Said:
    """`at` as the document has it (ISO), `ts` in UTC, `precision` as known; `note` names what was odd."""

    at: str | None
    ts: datetime | None
    precision: Precision
    note: str = ""


UNKNOWN = Said(None, None, "unknown")


@cache
def zone(name: str) -> ZoneInfo:
    """The zone of a name. Raises SettingsError for one that isn't known."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SettingsError("no such time zone", place=name, hint="give a name such as Asia/Seoul or UTC") from error


def said(raw: object, *, zone_name: str = "UTC", latest: datetime | None = None, pattern: str = "") -> Said:
    """What a time field says. Unreadable, absent and future ones come back unknown, with a note.

    >>> said("2025-01-08T10:00+09:00").ts
    datetime.datetime(2025, 1, 8, 1, 0, tzinfo=datetime.timezone.utc)
    >>> said("2025-01-08").precision, said("tomorrow").note
    ('day', 'unreadable_time')
    """
    if raw is None or raw == "" or (isinstance(raw, str) and not raw.strip()):
        return Said(None, None, "unknown", "no_time")
    try:
        found = _read(raw, zone_name, pattern)
    except (ValueError, OverflowError, OSError):
        found = None
    if found is None:
        return Said(None, None, "unknown", "unreadable_time")
    if latest is not None and found.ts is not None and found.ts > latest:
        return Said(found.at, None, "unknown", "future_time")
    return found


def _read(raw: object, zone_name: str, pattern: str) -> Said | None:
    if isinstance(raw, datetime):
        return _from_parts(raw, "second" if raw.second or not raw.microsecond else "millisecond", zone_name)
    if isinstance(raw, date):
        return _from_parts(datetime(raw.year, raw.month, raw.day), "day", zone_name)
    if isinstance(raw, bool):
        return None
    if isinstance(raw, (int, float)):
        return _from_epoch(float(raw))
    text = str(raw).strip()
    if pattern == "epoch_ms":
        return _from_epoch(float(text))
    if pattern:
        return _from_parts(datetime.strptime(text, pattern), "second" if "%S" in pattern else "minute", zone_name)
    if re.fullmatch(r"\d{9,13}(?:\.\d+)?", text):
        return _from_epoch(float(text))
    if match := ISO.fullmatch(text):
        return _from_iso(match, zone_name)
    if match := SPOKEN.fullmatch(text):
        hour = int(match[1]) % 12 + (12 if match[3].lower() == "pm" else 0)
        month = MONTHS.get(match[5][:3].lower())
        if month is None:
            return None
        return _from_parts(datetime(int(match[6]), month, int(match[4]), hour, int(match[2])), "minute", zone_name)
    return None


def _from_epoch(number: float) -> Said:
    millis = number >= EPOCH_MILLIS
    instant = datetime.fromtimestamp(number / 1000 if millis else number, UTC)
    return Said(instant.isoformat(), instant, "millisecond" if millis else "second")


def _from_iso(match: re.Match[str], zone_name: str) -> Said:
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    if match[4] is None:
        return _from_parts(datetime(year, month, day), "day", zone_name)
    micros = int((match[7] or "0").ljust(6, "0")[:6])
    moment = datetime(year, month, day, int(match[4]), int(match[5]), int(match[6] or 0), micros)
    precision: Precision = "millisecond" if match[7] else "second" if match[6] else "minute"
    if match[8]:
        offset = match[8] if match[8][0] in "+-" else "+00:00"
        moment = datetime.fromisoformat(
            moment.isoformat() + (offset if ":" in offset else f"{offset[:3]}:{offset[3:]}")
        )
    return _from_parts(moment, precision, zone_name)


def _from_parts(moment: datetime, precision: Precision, zone_name: str) -> Said:
    timespec = {"day": "hours", "minute": "minutes", "millisecond": "milliseconds"}.get(precision, "seconds")
    at = moment.date().isoformat() if precision == "day" else moment.isoformat(timespec=timespec)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=zone(zone_name))
    return Said(at, aware.astimezone(UTC), precision)


def day_in(path: str) -> date | None:
    """The last date in a path, None where there is none.

    >>> day_in("calls/2026-04-09_234/chat.txt")
    datetime.date(2026, 4, 9)
    """
    for match in reversed(list(PATH_DAY.finditer(path))):
        try:
            found = date(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            continue
        if 1970 <= found.year <= 2100:
            return found
    return None


def offset_on(day: date | None, offset: timedelta, *, zone_name: str) -> Said:
    """The time of a cue in a recording of which the day is known: it orders cues, and only the day is sure."""
    if day is None:
        return Said(None, None, "unknown", "no_time")
    moment = datetime(day.year, day.month, day.day) + offset
    aware = moment.replace(tzinfo=zone(zone_name)).astimezone(UTC)
    return Said(moment.isoformat(timespec="seconds"), aware, "day")
