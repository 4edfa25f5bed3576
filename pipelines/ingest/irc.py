"""Chat logs of IRC clients: irssi, WeeChat, ZNC, and bracketed lines with or without channel and date.

Times without a date take it from the last day mark, else from the file's name, and turn over at midnight.
Joins, parts and other system lines are refused as such, so that the audit adds up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from pipelines.ingest.drafts import Draft, Refusal
from pipelines.ingest.source import Source
from pipelines.ingest.when import UNKNOWN, Said, day_in, said

NAME = "irc"

CONTROL = re.compile(r"\x03(?:\d{1,2}(?:,\d{1,2})?)?|[\x02\x0f\x11\x16\x1d\x1e\x1f]")
CLOCK = r"(?P<clock>\d{1,2}:\d{2}(?::\d{2})?)"
DAY = r"(?P<day>\d{4}-\d{2}-\d{2})"
SPOKEN = r"<[@+%&~ ]?(?P<nick>[^>\s]+)>\s?(?P<text>.*)"
SHAPES = tuple(
    re.compile(shape)
    for shape in (
        rf"^(?P<channel>[^\s\[<]+) {DAY} \[{CLOCK}\]\s*(?:{SPOKEN}|(?P<system>.*))$",
        rf"^\[{DAY} {CLOCK}\]\s*(?:{SPOKEN}|(?P<system>.*))$",
        rf"^{DAY} {CLOCK}\t(?P<prefix>[^\t]*)\t(?P<body>.*)$",
        rf"^\[{CLOCK}\]\s*(?:{SPOKEN}|(?P<system>.*))$",
        rf"^{CLOCK}\s+(?:{SPOKEN}|(?P<system>.*))$",
    )
)
DAY_MARK = re.compile(r"^--- (?:Log opened|Day changed) \w{3} (\w{3}) (\d{1,2}) (?:[\d:]+ )?(\d{4})")
OTHER_MARK = re.compile(r"^(---|===|\*\*\*)")
ACTION = re.compile(r"^\*\s+([^\s*]+)\s+(\S.*)$")
SYSTEM_PREFIXES = frozenset({"-->", "<--", "--", "=!=", ""})
HALF_DAY = timedelta(hours=12)


def claims(source: Source) -> bool:
    """Most of the first lines have a log line's shape, and one is spoken."""
    lines = [CONTROL.sub("", line) for line in source.head_text.splitlines()[:60] if line.strip()]
    shaped = [line for line in lines if OTHER_MARK.match(line) or _match(line)]
    spoken = [
        line for line in lines if (m := _match(line)) and (m.groupdict().get("nick") or m.groupdict().get("prefix"))
    ]
    return len(lines) > 0 and len(shaped) * 10 >= len(lines) * 7 and bool(spoken)


def read(source: Source) -> Iterator[Draft | Refusal]:
    """Drafts of the spoken lines; a conversation is a channel, a session one of its days."""
    log = source.path.stem
    channel = _channel(source)
    day = source.options.day or day_in(source.path.name)
    before: datetime | None = None
    for number, raw in source.lines():
        if raw is None:
            yield Refusal(number, "line_too_long")
            continue
        line = CONTROL.sub("", raw).rstrip()
        if not line.strip():
            continue
        if mark := DAY_MARK.match(line):
            day = datetime.strptime(f"{mark[1]} {mark[2]} {mark[3]}", "%b %d %Y").date()
            before = None
        if OTHER_MARK.match(line):
            yield Refusal(number, "system_line")
            continue
        match = _match(line)
        if match is None:
            yield Refusal(number, "broken_line", "no log line's shape", line)
            continue
        parts = match.groupdict()
        nick, text = _spoken(parts)
        if parts.get("day"):
            day = date.fromisoformat(parts["day"])
            before = None
        when, before, day = _when(day, parts["clock"], before, source)
        if not nick:
            yield Refusal(number, "system_line")
            continue
        name = parts.get("channel") or channel
        session = f"{name}/{day.isoformat()}" if day else f"{name}/{log}"
        yield Draft(name, session, f"{log}#{number}", nick, text, when, number)


def _match(line: str) -> re.Match[str] | None:
    return next((m for shape in SHAPES if (m := shape.match(line))), None)


def _spoken(parts: dict[str, str | None]) -> tuple[str, str]:
    """(nick, text), nick empty for a system line; an action ("* ada waves") is its nick's."""
    if parts.get("nick"):
        return str(parts["nick"]), parts.get("text") or ""
    if parts.get("prefix") is not None:
        prefix, body = str(parts["prefix"]).strip(), parts.get("body") or ""
        if prefix == "*":
            nick, _, rest = body.partition(" ")
            return nick, rest
        return ("" if prefix in SYSTEM_PREFIXES else prefix.lstrip("@+%&~")), body
    if action := ACTION.match((parts.get("system") or "").strip()):
        return action[1], action[2]
    return "", ""


def _when(
    day: date | None, clock: str, before: datetime | None, source: Source
) -> tuple[Said, datetime | None, date | None]:
    """The line's time; half a day back in the clock means that midnight has passed."""
    if day is None:
        return UNKNOWN, None, None
    hours, minutes, *rest = (int(part) for part in clock.split(":"))
    if hours > 23 or minutes > 59:
        return Said(None, None, "unknown", "unreadable_time"), before, day
    moment = datetime(day.year, day.month, day.day, hours, minutes, rest[0] if rest else 0)
    if before is not None and before - moment > HALF_DAY:
        day += timedelta(days=1)
        moment += timedelta(days=1)
    text = moment.isoformat(timespec="seconds" if rest else "minutes")
    return said(text, zone_name=source.options.zone, latest=source.options.latest), moment, day


def _channel(source: Source) -> str:
    """The channel that a file name names: `irssi_#bay4`, `dev_2004-11-15_03`, `irc.net.#bay4`."""
    stem = source.path.name.split(".log")[0].split(".weechatlog")[0]
    if "#" in stem:
        return "#" + stem.split("#", 1)[1].split(".")[0]
    words = re.sub(r"\d{4}[-_.]?\d{2}[-_.]?\d{2}.*", "", stem).strip("_-. ")
    return words or source.path.parent.name or stem
