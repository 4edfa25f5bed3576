"""Questions to a lake: one on the command line, or many from a file, a line each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from jobs.publish import milvus_uri
from jobs.settings import Settings
from lakehouse.errors import InputError, SettingsError
from lakehouse.lake import Lake
from pipelines.ingest.when import zone
from retrieval.answer import Answer, answer
from retrieval.embedder import make_embedder
from retrieval.index import Index
from retrieval.lake_memory import LakeMemory
from retrieval.question import frame_question


@contextmanager
def open_memory(settings: Settings) -> Iterator[LakeMemory]:
    """The tenant's memory, with the index let go at the end."""
    lake = Lake(settings.lake)
    lake.require()
    index = Index(milvus_uri(lake.root, settings.milvus_uri), settings.milvus_token)
    try:
        embedder = make_embedder(settings.embedder, cache=settings.cache / "models")
        yield LakeMemory(lake, index, embedder, settings.tenant)
    finally:
        index.close()


def moment(text: str | None, zone_name: str, option: str) -> datetime | None:
    """A day or an instant as the end of what it names, exclusive. Raises SettingsError for another text.

    >>> moment("2025-03-01", "UTC", "--as-of").isoformat()
    '2025-03-02T00:00:00+00:00'
    """
    if not text:
        return None
    try:
        if len(text) == 10:
            day = date.fromisoformat(text) + timedelta(days=1)
            return datetime(day.year, day.month, day.day, tzinfo=zone(zone_name)).astimezone(UTC)
        found = datetime.fromisoformat(text)
    except ValueError:
        raise SettingsError(f"not a date: {text}", place=option, hint="write it as 2025-03-01") from None
    return (found if found.tzinfo else found.replace(tzinfo=zone(zone_name))).astimezone(UTC)


def ask(
    memory: LakeMemory,
    question: str,
    settings: Settings,
    *,
    as_of: str | None = None,
    as_told: str | None = None,
    as_known: str | None = None,
    now: datetime | None = None,
) -> Answer:
    """One answer. Dates in the question count from `now`, by default the time of the newest document."""
    framed = frame_question(question, now or memory.newest(), memory.chances(question))
    return answer(
        framed,
        memory,
        as_of=moment(as_of, settings.zone, "--as-of"),
        as_told=moment(as_told, settings.zone, "--as-told"),
        as_known=as_known,
    )


def ask_file(memory: LakeMemory, path: Path, settings: Settings) -> Iterator[dict[str, Any]]:
    """Answers to a file's questions: {"id", "question", "as_of"?, "as_told"?, "as_known"?} a line.

    A line that is no question comes back with its error; the others are answered.
    """
    if not path.exists():
        raise InputError("no such file", place=str(path), hint="check the path")
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                item = json.loads(line)
                text = item["question"]
            except (ValueError, KeyError, TypeError):
                yield {"id": None, "line": number, "error": "an object with a question is expected"}
                continue
            told = {name: item.get(name) for name in ("as_of", "as_told", "as_known")}
            if told["as_known"] is not None:
                told["as_known"] = str(told["as_known"])
            yield {"id": item.get("id"), **ask(memory, text, settings, **told).as_json()}
