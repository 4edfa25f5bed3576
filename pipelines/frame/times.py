"""Stated starts and ends: "as of today", "since 1 April", "until the end of June", 오늘부로, 7월 1일부터, 10월 31일까지."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from lakehouse.records import TimeSpan
from pipelines.statement import Statement
from pipelines.timex import find

EN_START = re.compile(r"(?:\b(?:as of|as from|starting|effective|beginning|from|since|on and after)\s+(?:the\s+)?)$", re.I)
EN_END = re.compile(r"(?:\b(?:until|till|through|up to|last day[^.;,]{0,40} is|ends?|ending|expires?)\s+(?:the end of\s+|on\s+)?(?:the\s+)?)$", re.I)
KO_START = re.compile(r"^\s?(?:부터|부로|자로|을?\s?기점으로|이후로?|이래)")
KO_END = re.compile(r"^\s?(?:까지만?|말까지|을?\s?끝으로|을?\s?마지막으로)")


@dataclass(frozen=True, slots=True)
class Times:
    """Stated start and end, the other times, and the spans of all time expressions with their prepositions."""

    start: TimeSpan | None
    end: TimeSpan | None
    others: tuple[TimeSpan, ...]
    spans: tuple[tuple[int, int], ...]


def moment(statement: Statement) -> datetime | None:
    """When the statement was said, in the document's own zone."""
    return moment_of(statement.said_at, statement.said_ts)


def moment_of(said_at: str | None, said_ts: datetime | None) -> datetime | None:
    """The document's own time, its zone kept where it has one."""
    if said_at:
        try:
            return datetime.fromisoformat(said_at)
        except ValueError:
            pass
    return said_ts


def read_times(text: str, said_at: datetime | None, language: str) -> Times:
    """The stated start and end of the state that a clause gives."""
    if said_at is None:
        return Times(None, None, (), ())
    start = end = None
    others, spans = [], []
    for left, right, span in find(text, said_at, "ko" if language == "ko" else "en"):
        before, after = text[:left], text[right:]
        expression = text[left:right]
        if language == "ko":
            opens = KO_START.match(after) or re.search(r"(?:부터|부로|이후로?)$", expression)
            closes = KO_END.match(after) or re.search(r"까지$", expression)
            tail = KO_START.match(after) or KO_END.match(after)
            whole = (left, right + (tail.end() if tail else 0))
        else:
            head = EN_START.search(before) or EN_END.search(before)
            opens = EN_START.search(before) or re.match(r"(?:since|from|as of|starting|effective)\b", expression, re.I)
            closes = EN_END.search(before) or re.match(r"(?:until|till|through)\b", expression, re.I)
            whole = (head.start() if head else left, right)
        if opens and start is None:
            start = span
        elif closes and end is None:
            end = span
        else:
            others.append(span)
        spans.append(whole)
    return Times(start, end, tuple(others), tuple(spans))
