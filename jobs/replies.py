"""Replies of a language model that were paid for, one small file each, and a batch's request files.

Both hold words of transcripts, so they lie in the lake, a folder for each tenant, and never in a log. A key names
tenant, turns, prompt, model and schema; a reply is kept whether it was of use or not, so that it is never paid twice.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from jobs.staging import Staging
from lakehouse.errors import InputError
from lakehouse.ids import content_id
from pipelines.llm.batch import MOST_BYTES, MOST_LINES, is_response, response_line
from pipelines.llm.reply import Reply

REPLIES = "_replies"
REQUESTS = "_requests"


class Replies:
    """A tenant's replies by key; pickles, so workers can carry it."""

    def __init__(self, lake: str, tenant: str) -> None:
        self.files = Staging(f"{lake}/{REPLIES}/{content_id('tenant', tenant)}")

    def get(self, key: str) -> Reply | None:
        """The reply to a request, None when it was never answered."""
        found = self.files.read_json(_name(key))
        return None if found is None else Reply(**found)

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply; whole or not at all."""
        self.files.write_json(_name(key), asdict(reply))


def _name(key: str) -> str:
    return f"{key[:2]}/{key}.json"


class RequestFiles:
    """A tenant's request files, a folder for each run that waits."""

    def __init__(self, lake: str, tenant: str) -> None:
        self.files = Staging(f"{lake}/{REQUESTS}/{content_id('tenant', tenant)}")

    def runs(self) -> list[str]:
        """The runs that wait."""
        return self.files.names("")

    def write(self, run_id: str, lines: Iterable[tuple[str, str]]) -> tuple[str, list[str]]:
        """(folder, file names) of what a run still asks, each key once; what the run asked before is replaced."""
        self.files.clear(run_id)
        names = []
        for part in _parts(lines):
            name = f"requests-{content_id(*(key for key, _ in part))[:12]}.jsonl"
            self.files.write_text(f"{run_id}/{name}", "".join(f"{line}\n" for _, line in part))
            names.append(name)
        return self.files.uri(run_id), names

    def keys(self) -> set[str]:
        """All keys that some run of the tenant asks."""
        return {
            str(json.loads(line)["custom_id"])
            for run in self.runs()
            for name in self.files.names(run)
            for line in self.files.read_text(f"{run}/{name}").split("\n")
            if line
        }

    def clear(self) -> None:
        """The tenant's pending documents are extracted: nobody waits any more."""
        self.files.clear()


def _parts(lines: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Lines in files of bounded size."""
    part: list[tuple[str, str]] = []
    size, seen = 0, set()
    for key, line in lines:
        if key in seen:
            continue
        seen.add(key)
        length = len(line.encode()) + 1
        if part and (len(part) >= MOST_LINES or size + length > MOST_BYTES):
            yield part
            part, size = [], 0
        part.append((key, line))
        size += length
    if part:
        yield part


def response_files(paths: Sequence[str]) -> list[Path]:
    """Files of responses; a folder stands for the .jsonl files in it. Raises InputError for what is none."""
    found: list[Path] = []
    for path in map(Path, paths):
        inside = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        if not inside or not all(file.is_file() for file in inside):
            raise InputError("no such response file", place=str(path), hint="give the files that the provider returned")
        found += inside
    return found


def holds_responses(path: str) -> bool:
    """Whether a file's first line is a batch response: a shell's pattern after --responses gives many files."""
    file = Path(path)
    if not file.is_file():
        return False
    with file.open(encoding="utf-8-sig", errors="replace") as lines:
        return is_response(lines.readline())


def take_in(paths: Iterable[Path], replies: Replies, asked: set[str]) -> Counter[str]:
    """Keep what response files answer; counts of taken, known, failed, unknown and unreadable lines, and of tokens."""
    counts: Counter[str] = Counter()
    for path in paths:
        with path.open(encoding="utf-8-sig", errors="replace") as lines:
            for line in lines:
                if not line.strip():
                    continue
                key, reply = response_line(line)
                if not key:
                    counts["unreadable"] += 1
                elif reply is None:
                    counts["failed"] += 1
                elif key not in asked:
                    counts["unknown"] += 1
                elif replies.get(key) is not None:
                    counts["known"] += 1
                else:
                    replies.put(key, reply)
                    counts["taken"] += 1
                    counts["input_tokens"] += reply.input_tokens
                    counts["output_tokens"] += reply.output_tokens
    return counts
