"""Recordings: WebVTT and SRT captions, and a meeting's timed chat.

A cue's time counts from the recording's start. The day comes from the path or from an option; the start
itself is known only where the file name holds it (`GMT20240307-060012`). Otherwise cues are ordered by
their offset and only the day is claimed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pipelines.ingest.drafts import Draft, Refusal
from pipelines.ingest.source import Source
from pipelines.ingest.when import Said, day_in, offset_on

CUE = re.compile(r"^(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{3})\s*-->")
CHAT = re.compile(r"^(\d{2}):(\d{2}):(\d{2})\t\s*(?:From\s+)?(.+?)(?:\s+to\s+.+?)?:\t\s*(.*)$")
VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>(.*?)(?=<v[\s.]|</v>|$)", re.DOTALL)
TAG = re.compile(r"</?[a-z][^>]*>|<\d\d:[^>]*>")
NAMED = re.compile(r"^([^\W\d_][^:\n]{0,48}?):\s+(\S.*)$", re.DOTALL)
STARTED = re.compile(r"GMT(\d{8})-(\d{6})")
GENERIC = re.compile(r"^(transcript|captions?|subtitles?|chat|recording|audio|meeting|closed)", re.IGNORECASE)
LONGEST_CUE = 200
"""Lines: a longer cue is a file of another kind."""


def place_of(source: Source) -> tuple[str, str]:
    """(conversation, session) of a recording by the last parts of its path, so they don't hang on where it lies.

    A file with a generic name (`transcript.vtt`, `chat.txt`) belongs to its folder's meeting, whose series
    is the folder above.
    """
    parts = source.path.parts
    if GENERIC.match(source.path.stem) and len(parts) >= 2:
        return (parts[-3] if len(parts) >= 3 else parts[-2]), parts[-2]
    return source.path.stem, source.path.stem


def _when(source: Source, offset: timedelta) -> Said:
    if match := STARTED.search(source.path.name):
        start = datetime.strptime(match[1] + match[2], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        return Said((start + offset).isoformat(timespec="seconds"), start + offset, "second")
    day = source.options.day or day_in(str(source.path))
    return offset_on(day, offset, zone_name=source.options.zone)


class Captions:
    """WebVTT and SRT: a cue is a turn; one with two voices is two."""

    NAME = "captions"

    @staticmethod
    def claims(source: Source) -> bool:
        head = source.head_text.lstrip()
        if head.startswith("WEBVTT"):
            return True
        return source.path.suffix.lower() in (".vtt", ".srt") and any(
            CUE.match(line) for line in head.splitlines()[:40]
        )

    @staticmethod
    def read(source: Source) -> Iterator[Draft | Refusal]:
        conversation, session = place_of(source)
        block: list[tuple[int, str]] = []
        cue, speaker = 0, ""
        for number, line in [*source.lines(), (0, "")] if source.head else []:
            if line is None:
                yield Refusal(number, "line_too_long")
                continue
            if line.strip() and len(block) < LONGEST_CUE:
                block.append((number, line))
                continue
            if block:
                for draft in _cue(block, source, conversation, session, cue + 1, speaker):
                    if isinstance(draft, Draft):
                        cue += 1
                        speaker = draft.speaker
                        draft = replace(draft, turn_id=f"{source.path.stem}#{cue}")
                    yield draft
            block = []


def _cue(
    block: list[tuple[int, str]], source: Source, conversation: str, session: str, number: int, before: str
) -> Iterator[Draft | Refusal]:
    at = next((i for i, (_, line) in enumerate(block) if "-->" in line), None)
    if at is None:
        if block[0][1].startswith(("WEBVTT", "NOTE", "STYLE", "REGION")):
            return
        yield Refusal(block[0][0], "broken_cue", "no time line", block[0][1])
        return
    line, text = block[at][0], "\n".join(t for _, t in block[at + 1 :])
    match = CUE.match(block[at][1].strip())
    if match is None:
        yield Refusal(line, "broken_cue", "unreadable time", block[at][1])
        return
    offset = timedelta(
        hours=int(match[1] or 0), minutes=int(match[2]), seconds=int(match[3]), milliseconds=int(match[4])
    )
    when = _when(source, offset)
    voices = [(name.strip(), spoken) for name, spoken in VOICE.findall(text)]
    if not voices:
        plain = TAG.sub("", text).strip()
        named = NAMED.match(plain)
        voices = [(named[1].strip(), named[2])] if named and _is_name(named[1]) else [(before, plain)]
    for name, spoken in voices:
        yield Draft(conversation, session, "", html.unescape(name), _plain(spoken), when, line)


def _is_name(text: str) -> bool:
    """At most five words, none of them a sentence's: a speaker's name, not the beginning of a remark."""
    words = text.split()
    return len(words) <= 6 and not text.endswith((".", "?", "!")) and not text.startswith(("NOTE", "http"))


def _plain(text: str) -> str:
    return html.unescape(TAG.sub("", text)).replace("\xa0", " ").strip()


class MeetingChat:
    """A meeting's saved chat: `HH:MM:SS<TAB>Name:<TAB>text`, times from the recording's start, lines may follow."""

    NAME = "meeting_chat"

    @staticmethod
    def claims(source: Source) -> bool:
        lines = source.head_text.splitlines()[:20]
        return bool(lines) and CHAT.match(lines[0]) is not None

    @staticmethod
    def read(source: Source) -> Iterator[Draft | Refusal]:
        conversation, session = place_of(source)
        last: Draft | None = None
        count = 0
        for number, line in source.lines():
            if line is None:
                yield Refusal(number, "line_too_long")
                continue
            match = CHAT.match(line)
            if match is None:
                if last is not None:
                    last = replace(last, text=f"{last.text}\n{line}")
                elif line.strip():
                    yield Refusal(number, "broken_line", "no time and name", line)
                continue
            if last is not None:
                yield last
            count += 1
            offset = timedelta(hours=int(match[1]), minutes=int(match[2]), seconds=int(match[3]))
            name = f"{source.path.stem}#{count}"
            last = Draft(conversation, session, name, match[4], match[5], _when(source, offset), number)
        if last is not None:
            yield last
