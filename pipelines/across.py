"""Across holders: their standing assertions laid over each other into intervals (R10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

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


@dataclass(slots=True)
class _Voice:
    """What one holder says at the moment: his value, and when he last said it."""

    say: Say
    last: datetime


def lay(says: Sequence[Say], static: bool, contest: timedelta) -> list[Interval]:
    """The intervals of one single-valued thing, of all holders together; empty intervals are dropped."""
    heard = [say for say in says if not _outspoken(say, says)]
    heard.sort(key=lambda say: (say.start, say.only is None, say.order))
    voices: dict[str, _Voice] = {}
    running: dict[str, Interval] = {}
    done: list[Interval] = []
    for say in heard:
        if say.only is not None and voices and say.only not in {voice.say.value.norm for voice in voices.values()}:
            continue  # it ends a value that nobody holds then
        _hear(say, voices, static, contest)
        _turn(say, voices, running, done)
    done += running.values()
    return [interval for interval in done if interval.end is None or interval.start < interval.end]


def _outspoken(say: Say, says: Sequence[Say]) -> bool:
    """Another holder said later, with a cue or a stated start, what held at the moment that this one speaks of."""
    return any(
        other.loud and other.holder != say.holder and other.only is None and other.value.norm != say.value.norm
        and say.said < other.said and other.start <= say.start <= other.said and not say.loud
        and other.atom.stated_start is not None
        for other in says
    )  # fmt: skip


def _hear(say: Say, voices: dict[str, _Voice], static: bool, contest: timedelta) -> None:
    """Update who says what after one more assertion."""
    if say.only is not None:
        for holder in [h for h, voice in voices.items() if voice.say.value.norm == say.only]:
            del voices[holder]
        if not voices:
            voices[say.holder] = _Voice(say, max(say.said, say.start))
        return
    for holder, voice in list(voices.items()):
        if holder == say.holder or voice.say.value.norm == say.value.norm:
            continue
        near = say.start - voice.last <= contest
        stays = not say.loud and (static or near) and voice.say.value.norm != NONE
        if not stays:
            del voices[holder]
    known = voices.get(say.holder)
    last = max(say.said if say.said <= say.start else say.start, say.start)
    if known is not None and known.say.value.norm == say.value.norm:
        known.last = max(known.last, last)
        known.say = say
    else:
        voices[say.holder] = _Voice(say, last)


def _turn(say: Say, voices: dict[str, _Voice], running: dict[str, Interval], done: list[Interval]) -> None:
    """Open and close intervals so that they show the voices."""
    spoken = {voice.say.value.norm for voice in voices.values()}
    for norm in [n for n in running if n not in spoken]:
        interval = running.pop(norm)
        interval.end, interval.end_grain = say.start, say.start_grain
        interval.closed_by.add(say.atom.atom_id)
        interval.closed_because = _why_closed(say)
        done.append(interval)
    for voice in voices.values():
        value = voice.say.value
        interval_or_none = running.get(value.norm)
        if interval_or_none is None:
            running[value.norm] = Interval(value, voice.say.start if voice.say is say else say.start, [voice.say],
                                           voice.say.why)  # fmt: skip
        elif voice.say is say:
            interval_or_none.says.append(say)


def _why_closed(say: Say) -> str:
    if say.value.norm == NONE:
        return f"it ended: {say.why}"
    return f"{say.value.text} took its place: {say.why}"
