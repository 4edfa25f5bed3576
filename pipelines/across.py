"""Across holders: their standing assertions laid over each other into intervals (R10)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import heappop, heappush
from itertools import accumulate

from lakehouse.records import Value
from lakehouse.vocabulary import Grain
from pipelines.holders import NONE, Say


@dataclass(slots=True)
class Interval:
    """One value from `start` to `end` (None: open), with the assertions that carry it."""

    value: Value
    start: datetime
    says: list[Say]
    opened_because: str
    end: datetime | None = None
    end_grain: Grain = "unknown"
    closed_because: str = ""
    closed_by: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    """Holders who went over to another value while this one was still held by others."""

    @property
    def holders(self) -> set[str]:
        """Who holds it to its end."""
        return {say.holder for say in self.says} - self.left


class _Voices:
    """Who says what at the moment: holders by value, each with the time until which he is evidence for it."""

    def __init__(self) -> None:
        self.last: dict[str, dict[str, datetime]] = {}
        self.home: dict[str, str] = {}
        self.oldest: dict[str, list[tuple[datetime, str]]] = {}

    def drop(self, norm: str) -> None:
        for holder in self.last.pop(norm):
            del self.home[holder]
        del self.oldest[norm]

    def leave(self, holder: str) -> None:
        norm = self.home.pop(holder)
        del self.last[norm][holder]
        if not self.last[norm]:
            del self.last[norm], self.oldest[norm]

    def join(self, say: Say) -> None:
        norm = say.value.norm
        if self.home.get(say.holder, norm) != norm:
            self.leave(say.holder)
        group = self.last.setdefault(norm, {})
        last = max(say.start, say.evident, group.get(say.holder, say.start))
        group[say.holder] = last
        self.home[say.holder] = norm
        heappush(self.oldest.setdefault(norm, []), (last, say.holder))

    def forget(self, norm: str, before: datetime) -> None:
        """Drop the voices of a value that were last heard before a moment."""
        heap = self.oldest[norm]
        while norm in self.last and heap and heap[0][0] < before:
            last, holder = heappop(heap)
            if self.last[norm].get(holder) == last:
                self.leave(holder)


def lay(says: Sequence[Say], static: bool, contest: timedelta) -> list[Interval]:
    """The intervals of one single-valued thing, of all holders together; empty intervals are dropped."""
    heard = _not_outspoken(says)
    heard.sort(key=lambda say: (say.start, say.only is None, say.order))
    voices = _Voices()
    running: dict[str, Interval] = {}
    said_last: dict[str, str] = {}
    done: list[Interval] = []
    for say in heard:
        if say.only is not None and voices.last and say.only not in voices.last:
            continue  # it ends a value that nobody holds then
        _hear(say, voices, static, contest)
        for norm in [n for n in running if n not in voices.last]:
            interval = running.pop(norm)
            interval.end, interval.end_grain, interval.closed_because = say.start, say.start_grain, _why_closed(say)
            interval.closed_by.add(say.atom.atom_id)
            done.append(interval)
        norm = say.value.norm
        if norm in voices.last and say.holder in voices.last[norm]:
            before = said_last.get(say.holder)
            if before != norm and before in running:
                running[before].left.add(say.holder)
            said_last[say.holder] = norm
            if norm in running:
                running[norm].says.append(say)
                running[norm].left.discard(say.holder)
            else:
                running[norm] = Interval(say.value, say.start, [say], say.why)
    done += running.values()
    return [interval for interval in done if interval.end is None or interval.start < interval.end]


def _not_outspoken(says: Sequence[Say]) -> list[Say]:
    """All but the plain statements of a moment for which another holder later stated a start before it."""
    wide = sorted(
        (s for s in says if s.loud and s.only is None and s.atom.stated_start is not None and s.start <= s.said),
        key=lambda s: (s.start, s.order),
    )
    starts = [s.start for s in wide]
    reach = list(accumulate((s.said for s in wide), max))

    def outspoken(say: Say) -> bool:
        for i in range(bisect_right(starts, say.start) - 1, -1, -1):
            if reach[i] < say.start or reach[i] <= say.said:
                return False
            other = wide[i]
            differs = other.holder != say.holder and other.value.norm != say.value.norm
            if differs and say.said < other.said and say.start <= other.said:
                return True
        return False

    return [say for say in says if say.loud or not wide or not outspoken(say)]


def _hear(say: Say, voices: _Voices, static: bool, contest: timedelta) -> None:
    """Update who says what: a cue or a stated start supersedes, a plain statement contests within the window."""
    if say.only is not None:
        if say.only in voices.last:
            voices.drop(say.only)
        if not voices.last:
            voices.join(say)
        return
    for norm in [n for n in voices.last if n != say.value.norm]:
        if say.loud or norm == NONE:
            voices.drop(norm)
        elif not static:
            voices.forget(norm, _earlier(say.start, contest))
    voices.join(say)


def _earlier(moment: datetime, span: timedelta) -> datetime:
    """A moment less a span, at the beginning of time where there is no earlier one."""
    floor = datetime.min.replace(tzinfo=moment.tzinfo)
    return floor if moment - floor < span else moment - span


def _why_closed(say: Say) -> str:
    if say.value.norm == NONE:
        return f"it ended: {say.why}"
    return f"{say.value.text} took its place: {say.why}"
