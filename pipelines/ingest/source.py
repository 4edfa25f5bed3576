"""A file of an archive: its bytes, its encoding, its lines."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from pathlib import PurePosixPath
from typing import IO

HEAD_BYTES = 65_536
LONGEST_LINE = 64 * 2**20
"""Bytes: a longer line is refused, for a reader must hold it whole."""

BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
FALLBACKS = ("cp949", "cp1252")
"""Tried in order for bytes that are not UTF-8: Korean Windows, then Western Windows."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the user says of an archive that its files don't.

    `columns` maps our names (conversation, session, turn, speaker, role, time, text, reply_to) to theirs;
    `zone` fills a missing offset for ordering (the written time is kept as it is); `day` dates files whose
    path has no date; a time after `latest` can't be a document's, and is kept as unknown.
    """

    format: str = ""
    zone: str = "UTC"
    day: date | None = None
    latest: datetime | None = None
    columns: dict[str, str] = field(default_factory=dict)
    time_format: str = ""
    delimiter: str = ""
    encoding: str = ""


@dataclass(frozen=True)
class Source:
    """One file: `uri` names it in records, `path` is its place (its names carry dates and channels)."""

    uri: str
    path: PurePosixPath
    open: Callable[[], IO[bytes]]
    options: ReadOptions = field(default_factory=ReadOptions)

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB."""
        with self.open() as stream:
            return stream.read(HEAD_BYTES)

    @cached_property
    def encoding(self) -> str:
        """Said by the user, by a byte-order mark, or found in the first 64 KiB."""
        return self.options.encoding or sniff_encoding(self.head)

    @cached_property
    def head_text(self) -> str:
        """The first 64 KiB as text, undecodable bytes replaced."""
        return self.head.decode(self.encoding, errors="replace").lstrip("\ufeff")

    def lines(self) -> Iterator[tuple[int, str | None]]:
        """(line number from 1, text without its end); text is None for a line that is too long to hold.

        A line that is not in the file's encoding is read in a fallback one, so a few Latin-1 lines in a
        UTF-8 log lose nothing.
        """
        if self.encoding.startswith("utf-16") or self.encoding.startswith("utf-32"):
            with self.open() as raw, codecs.getreader(self.encoding)(raw, "replace") as text:
                for number, line in enumerate(text, 1):
                    yield number, line.rstrip("\r\n")
            return
        with self.open() as stream:
            number = 0
            while chunk := stream.readline(LONGEST_LINE):
                number += 1
                whole = chunk.endswith(b"\n") or len(chunk) < LONGEST_LINE
                if not whole:
                    while chunk and not chunk.endswith(b"\n"):
                        chunk = stream.readline(LONGEST_LINE)
                    yield number, None
                    continue
                yield number, decode_line(chunk.rstrip(b"\r\n"), self.encoding)


def sniff_encoding(head: bytes) -> str:
    """The encoding of a file by its first bytes.

    >>> sniff_encoding("\\ufeff안녕".encode("utf-8")), sniff_encoding("안녕하세요".encode("cp949"))
    ('utf-8-sig', 'cp949')
    """
    for mark, name in BOMS:
        if head.startswith(mark):
            return name
    if head[:200].count(0) > len(head[:200]) // 4:
        return "utf-16-le" if head[1:2] == b"\0" else "utf-16-be"
    whole = head[: head.rfind(b"\n") + 1] or head[:-4] or head
    if _decodes(whole, "utf-8"):
        return "utf-8"
    bad = sum(not _decodes(line, "utf-8") for line in whole.splitlines())
    if bad * 4 < len(whole.splitlines()):
        return "utf-8"  # a UTF-8 log with some lines of another encoding
    return next((name for name in FALLBACKS if _decodes(whole, name)), "latin-1")


def decode_line(line: bytes, encoding: str) -> str:
    """A line's text in the file's encoding, else in the first fallback that reads it."""
    for name in (encoding, "utf-8", *FALLBACKS):
        try:
            return line.decode(name).lstrip("\ufeff")
        except UnicodeDecodeError:
            continue
    return line.decode("latin-1")


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
