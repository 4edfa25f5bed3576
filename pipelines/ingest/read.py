"""The archive's front door: which files, which reader, and their turns and rejects in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from lakehouse.errors import InputError, MemlakeError, UnknownFormat
from lakehouse.records import Reject, Turn
from pipelines.ingest import irc, native
from pipelines.ingest.captions import Captions, MeetingChat
from pipelines.ingest.columns import Csv, JsonLines, Parquet
from pipelines.ingest.datasets import Locomo, LongMemEval
from pipelines.ingest.drafts import Draft, Refusal, finish, reject
from pipelines.ingest.source import ReadOptions, Source


class Reader(Protocol):
    """One archive format."""

    @property
    def NAME(self) -> str:
        """What `--format` calls it."""

    def claims(self, source: Source) -> bool:
        """Whether the file's first 64 KiB look like this format."""

    def read(self, source: Source) -> Iterator[Draft | Refusal]:
        """Drafts and refusals in the file's order; bad input is refused, never raised."""


@dataclass(frozen=True, slots=True)
class _Module:
    NAME: str
    claims: Callable[[Source], bool]
    read: Callable[[Source], Iterator[Draft | Refusal]]


READERS: tuple[Reader, ...] = (
    Parquet,
    _Module(native.NAME, native.claims, native.read),
    Locomo,
    LongMemEval,
    JsonLines,
    Captions,
    MeetingChat,
    Csv,
    _Module(irc.NAME, irc.claims, irc.read),
)
"""In the order in which they are asked: the first that claims a file reads it."""

FORMATS: tuple[str, ...] = tuple(reader.NAME for reader in READERS)


def reader_of(source: Source) -> Reader:
    """The reader for a file: the one that the user said, else the first that claims it.

    Raises UnknownFormat for a file that none claims.
    """
    if source.options.format:
        for reader in READERS:
            if source.options.format == reader.NAME:
                return reader
        raise InputError(
            f"no such format: {source.options.format}", place=source.uri, hint=f"one of {', '.join(FORMATS)}"
        )
    for reader in READERS:
        if reader.claims(source):
            return reader
    raise UnknownFormat("no reader knows this file", place=source.uri, hint=f"say --format: {', '.join(FORMATS)}")


def files_of(paths: Sequence[str | Path], options: ReadOptions) -> list[Source]:
    """The files under the paths, sorted, hidden ones left out; their uri starts at the path that was given.

    Raises InputError for a path that does not exist or holds no file.
    """
    out: list[Source] = []
    for given in paths:
        path = Path(given).expanduser()
        if not path.exists():
            raise InputError("no such file or folder", place=str(given), hint="check the path")
        root = path.resolve()
        found = [root] if root.is_file() else sorted(p for p in root.rglob("*") if p.is_file())
        kept = [p for p in found if not any(part.startswith(".") for part in p.relative_to(root.parent).parts)]
        if not kept:
            raise InputError("no file in it", place=str(given), hint="give a file or a folder with files")
        for file in kept:
            uri = file.relative_to(root.parent).as_posix()
            out.append(Source(uri, PurePosixPath(file), _opener(file), options))
    return sorted(out, key=lambda source: source.uri)


def _opener(file: Path) -> Callable[[], IO[bytes]]:
    return lambda: file.open("rb")


def read_file(source: Source, tenant: str, notes: Counter[str]) -> Iterator[Turn | Reject]:
    """A file's turns and rejects. A file that can't be read at all is one reject with its reason."""
    try:
        if not source.head:
            yield reject(tenant, source.uri, Refusal(0, "empty_file"))
            return
        reader = reader_of(source)
        notes[f"read_as_{reader.NAME}"] += 1
        yield from finish(reader.read(source), source, tenant, notes)
    except UnknownFormat:
        yield reject(tenant, source.uri, Refusal(0, "unknown_format", "no reader knows this file"))
    except OSError as error:
        yield reject(tenant, source.uri, Refusal(0, "unreadable_file", error.strerror or type(error).__name__))
    except MemlakeError as error:
        if source.options.format:
            raise
        yield reject(tenant, source.uri, Refusal(0, "unreadable_file", str(error)))
