"""Stated starts and ends: "as of today", "since 1 April", "until the end of June", 오늘부로, 7월 1일부터."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from lakehouse.records import TimeSpan
from pipelines.statement import Statement
from pipelines.timex import find

EN_START = re.compile(
    r"(?:\b(?:as of|as from|starting|effective|beginning|from|since|on and after|after)\s+(?:on\s+)?(?:the\s+)?"
    r"|\b(?:first|opening) day\b[^.;,]{0,40}\b(?:is|was|will be)\s+(?:on\s+)?"

        r"|\b(?:starts?|begins?|takes? effect|comes? into force|kicks? in|in force)\b[^.;,]{0,25}?\s(?:on\s+|"
        r"from\s+)?)$", re.I)  # fmt: skip
EN_END = re.compile(
    r"(?:\b(?:until|till|through|up to)\s+(?:the end of\s+|on\s+)?(?:the\s+)?"
    r"|\b(?:last|final) day\b[^.;,]{0,40}\b(?:is|was|will be)\s+(?:on\s+)?"
    r"|\b(?:ends?|ending|expires?|finish(?:es)?)\s+(?:on\s+)?(?:the\s+)?)$", re.I)  # fmt: skip
EN_ON = re.compile(r"(?:\b(?:on|in)\s+(?:the\s+)?)$", re.I)
EN_INSIDE = re.compile(r"^(?:since|from|as of|starting|effective)\b", re.I)
EN_INSIDE_END = re.compile(r"^(?:until|till|through)\b", re.I)
KO_START = re.compile(r"^\s?(?:부터|부로|자로|을?\s?기점으로|이후로?|이래)")
KO_END = re.compile(r"^\s?(?:까지만?|말까지|을?\s?끝으로|을?\s?마지막으로)")
KO_FIRST = re.compile(r"(?:첫\s?(?:출근|날|근무일?|등교)|시작일|개시일|시행일)[은는이가]?\s*$")
KO_LAST = re.compile(r"(?:마지막\s?(?:출근|날|근무일?|등교)|종료일|만료일)[은는이가]?\s*$")
PAST_DAYS = re.compile(r"^(?:yesterday|last\b|this (?:morning|week|month)|on\b|어제|그제|그저께|지난|이번)", re.I)
ATTRIBUTIVE = re.compile(
    r"^\s+[a-z]+ing\b(?!\s)|^\s+(?:setting|version|plan|figure|price|rate|message|note|meeting|release|update)\b"
)

PER = re.compile(r"(?<=\w)\s(?:a|per|each|every)\s(?:day|week|month|year|hour|night)\b", re.I)
"""A rate ("9 francs a night"), which is no time expression."""

MarkKind = Literal["start", "end", "on", "other"]


@dataclass(frozen=True, slots=True)
class Mark:
    """One time expression with its preposition or particle: what it says of the state, and where it stands."""

    kind: MarkKind
    left: int
    right: int
    span: TimeSpan


@dataclass(frozen=True, slots=True)
class Times:
    """The time expressions of a clause."""

    marks: tuple[Mark, ...]

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        return tuple((m.left, m.right) for m in self.marks)

    def first(self, kind: MarkKind, left: int = 0, right: int = 1 << 30) -> TimeSpan | None:
        """The first mark of a kind that lies inside [left, right)."""
        return next((m.span for m in self.marks if m.kind == kind and left <= m.left < right), None)

    @property
    def start(self) -> TimeSpan | None:
        return self.first("start")

    @property
    def end(self) -> TimeSpan | None:
        return self.first("end")


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
    """The time expressions of a clause and what each says of the state."""
    if said_at is None:
        return Times(())
    ko = language == "ko"
    marks = []
    plain = PER.sub(lambda m: " " * len(m.group()), text)
    for left, right, span in find(plain, said_at, "ko" if ko else "en"):
        kind, whole = _korean(text, left, right) if ko else _english(text, left, right)
        if kind == "start" and not ko and re.search(r"\bafter\s+(?:the\s+)?$", text[:left], re.I):
            day = (date.fromisoformat(span.end[:10]) + timedelta(days=1)).isoformat()
            span = TimeSpan(day, day, "day")
        marks.append(Mark(kind, *whole, span))
    return Times(tuple(marks))


def _english(text: str, left: int, right: int) -> tuple[MarkKind, tuple[int, int]]:
    before, after, own = text[:left], text[right:], text[left:right]
    for kind, pattern, inside in (("end", EN_END, EN_INSIDE_END), ("start", EN_START, EN_INSIDE)):
        head = pattern.search(before)
        if head or inside.search(own):
            begins = head.start() if head and head.end() - head.start() < 22 else left
            return kind, (begins, right)  # type: ignore[return-value]
    head = EN_ON.search(before)
    if ATTRIBUTIVE.search(after):
        return "other", (left, right)
    if head or PAST_DAYS.search(own) or own.lower().startswith("today"):
        return "on", (head.start() if head else left, right)
    return "other", (left, right)


def _korean(text: str, left: int, right: int) -> tuple[MarkKind, tuple[int, int]]:
    before, after, own = text[:left], text[right:], text[left:right]
    opens, closes = KO_START.match(after), KO_END.match(after)
    if opens or re.search(r"(?:부터|부로|자로|이후로?)$", own) or KO_FIRST.search(before):
        return "start", (left, right + (opens.end() if opens else 0))
    if closes or own.endswith("까지") or KO_LAST.search(before):
        return "end", (left, right + (closes.end() if closes else 0))
    if own.endswith("요일") and re.match(r"\s(?:[가-힣]+\s)?[가-힣]+(?:은|는|이|가|의)\s", after):
        return "other", (left, right)  # "토요일 모임은": which one, not when
    if re.match(r"\s?(?:에|,|$|\s)", after) and not re.match(r"\s?에\s?(?:알려|말한|올린|보낸|말씀|공지|안내)", after):
        return "on", (left, right)
    return "other", (left, right)
