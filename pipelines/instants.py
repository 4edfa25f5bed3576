"""Instants of the fold: when a statement was said, and when the state that it states begins and ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from lakehouse.records import Atom, TimeSpan

UNDATED = datetime.min.replace(tzinfo=UTC)
"""Stands for "before any date that we know" while folding; a row shows it as None."""


def opened(instant: datetime) -> datetime | None:
    """The instant as a row has it: None when no document dates it."""
    return None if instant == UNDATED else instant


def zone_of(atom: Atom) -> tzinfo:
    """The document's own offset, else UTC: a stated date is a civil day there."""
    if atom.said_at:
        try:
            own = datetime.fromisoformat(atom.said_at)
        except ValueError:
            return UTC
        if own.tzinfo is not None:
            return own.tzinfo
    return UTC


def _instant(text: str, zone: tzinfo) -> datetime:
    """An ISO date (its midnight) or date-time as an instant in UTC.

    >>> _instant("2025-03-01", UTC).isoformat()
    '2025-03-01T00:00:00+00:00'
    """
    if len(text) > 10:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    else:
        moment = datetime.combine(date.fromisoformat(text), time(), zone)
    return moment.astimezone(UTC)


def said(atom: Atom) -> datetime:
    """When it was said, in UTC; before everything when its document has no date."""
    if atom.said_ts is None:
        return UNDATED
    return atom.said_ts if atom.said_ts.tzinfo else atom.said_ts.replace(tzinfo=UTC)


def start_of(atom: Atom) -> datetime | None:
    """The stated start, None when none is stated.

    A start "today" is the moment of saying: what was said that morning held until then.
    """
    span = atom.stated_start
    if span is None:
        return None
    start = _instant(span.start, zone_of(atom))
    if atom.said_ts is not None and len(span.start) <= 10 and start <= said(atom) < start + timedelta(days=1):
        return said(atom)
    return start


def end_of(atom: Atom) -> datetime | None:
    """The stated end, exclusive: the instant after the last day that the words include."""
    span: TimeSpan | None = atom.stated_end
    if span is None:
        return None
    if len(span.end) > 10:
        return _instant(span.end, zone_of(atom))
    return _instant(span.end, zone_of(atom)) + timedelta(days=1)


def ended(atom: Atom) -> Atom:
    """An ending told by the last day of what ends ("the 31st is my last day") begins after that day."""
    end = end_of(atom) if atom.cue == "end" and atom.stated_start is None else None
    if end is None or atom.stated_end is None:
        return atom
    return replace(
        atom, stated_start=TimeSpan(end.isoformat(), end.isoformat(), atom.stated_end.grain), stated_end=None
    )
