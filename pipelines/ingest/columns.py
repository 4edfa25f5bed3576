"""Flat tables, a turn a row: CSV, Parquet and JSON Lines, with their columns named by the user or found.

`ReadOptions.columns` maps our names to theirs; a dotted name reaches into nested JSON. Without it the
common names of `COMMON` are looked for.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lakehouse.errors import InputError
from pipelines.ingest.drafts import Draft, Refusal
from pipelines.ingest.source import LONGEST_LINE, Source
from pipelines.ingest.when import Said, said

COMMON: dict[str, tuple[str, ...]] = {
    "conversation": (
        "conversation_id",
        "conversation",
        "dialog_id",
        "dialogue_id",
        "ticket_id",
        "channel",
        "thread_id",
    ),
    "session": ("session_id", "session"),
    "turn": ("turn_id", "message_id", "id", "utterance_id", "idx"),
    "speaker": ("speaker", "author", "sender", "user", "from", "name", "nick"),
    "role": ("role",),
    "time": ("said_at", "timestamp", "created_at", "sent_at", "date", "time", "datetime"),
    "text": ("text", "message", "body", "content", "utterance"),
    "reply_to": ("reply_to", "parent_id", "in_reply_to"),
}
NEEDED = ("text",)
csv.field_size_limit(LONGEST_LINE)


def columns_of(names: Iterable[str], said_by_user: Mapping[str, str], place: str) -> dict[str, str]:
    """Our names to theirs. Raises InputError when the text's column is not to be found."""
    there = {name.strip().lower(): name for name in names}
    found = {ours: there[alias] for ours, aliases in COMMON.items() for alias in reversed(aliases) if alias in there}
    found.update(said_by_user)
    if missing := [ours for ours in NEEDED if ours not in found]:
        raise InputError(
            f"no column for {', '.join(missing)} among {', '.join(sorted(there))[:200]}",
            place=place,
            hint="name it, as in --column text=BODY --column speaker=AUTHOR",
        )
    return found


def _draft(row: Mapping[str, Any], columns: Mapping[str, str], source: Source, number: int) -> Draft | Refusal:
    options = source.options
    cell = {ours: _reach(row, theirs) for ours, theirs in columns.items()}
    if not isinstance(cell.get("text"), str):
        return Refusal(number, "no_text")
    conversation = str(cell.get("conversation") or cell.get("session") or "")
    if "conversation" not in columns and "session" not in columns:
        conversation = source.path.stem
    when: Said = said(cell.get("time"), zone_name=options.zone, latest=options.latest, pattern=options.time_format)
    return Draft(
        conversation=conversation,
        session=str(cell.get("session") or conversation),
        turn_id=str(cell["turn"]) if cell.get("turn") not in (None, "") else "",
        speaker=str(cell.get("speaker") or ""),
        text=cell["text"],
        said=when,
        line=number,
        role=str(cell.get("role") or "") if columns.get("role") != columns.get("speaker") else "",
        reply_to=str(cell.get("reply_to") or ""),
    )


def _reach(row: Mapping[str, Any], name: str) -> Any:
    if name in row:
        return row[name]
    value: Any = row
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


class Csv:
    """Comma, semicolon or tab separated, with a header line; quoted cells may hold line ends."""

    NAME = "csv"

    @staticmethod
    def claims(source: Source) -> bool:
        if source.path.suffix.lower() not in (".csv", ".tsv"):
            return False
        return len(_header(source)) > 1

    @staticmethod
    def read(source: Source) -> Iterator[Draft | Refusal]:
        columns = columns_of(_header(source), source.options.columns, source.uri)
        with source.open() as raw:
            text = io.TextIOWrapper(raw, source.encoding, errors="replace", newline="")
            rows = csv.DictReader(text, delimiter=_delimiter(source), strict=False)
            try:
                for row in rows:
                    if None in row or None in row.values():
                        yield Refusal(rows.line_num, "broken_row", "another number of cells than the header's")
                        continue
                    yield _draft(row, columns, source, rows.line_num)
            except csv.Error as error:
                yield Refusal(rows.line_num, "broken_row", str(error))


def _delimiter(source: Source) -> str:
    if source.options.delimiter:
        return source.options.delimiter
    return max(",;\t|", key=_first_line(source).count)


def _first_line(source: Source) -> str:
    return (source.head_text.splitlines() or [""])[0]


def _header(source: Source) -> list[str]:
    try:
        return next(csv.reader([_first_line(source)], delimiter=_delimiter(source)), [])
    except csv.Error:
        return []


class JsonLines:
    """JSON Lines with a turn a line."""

    NAME = "jsonl"

    @staticmethod
    def claims(source: Source) -> bool:
        first = next((line for line in source.head_text.splitlines() if line.strip()), "")
        try:
            item = json.loads(first)
        except (ValueError, RecursionError):
            return False
        if not isinstance(item, dict) or "turns" in item:
            return False
        names = {name.lower() for name in item}
        return bool(source.options.columns) or bool(names & set(COMMON["text"]) and names & set(COMMON["speaker"]))

    @staticmethod
    def read(source: Source) -> Iterator[Draft | Refusal]:
        columns: dict[str, str] | None = None
        for number, line in source.lines():
            if line is None:
                yield Refusal(number, "line_too_long")
                continue
            if not line.strip():
                continue
            try:
                item = json.loads(line)
            except (ValueError, RecursionError):
                item = None
            if not isinstance(item, dict):
                yield Refusal(number, "broken_json", "not one whole JSON object", line[:1000])
                continue
            if columns is None:
                columns = columns_of(item, source.options.columns, source.uri)
            yield _draft(item, columns, source, number)


class Parquet:
    """Parquet, a row group at a time."""

    NAME = "parquet"

    @staticmethod
    def claims(source: Source) -> bool:
        return source.head[:4] == b"PAR1"

    @staticmethod
    def read(source: Source) -> Iterator[Draft | Refusal]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        with source.open() as stream:
            try:
                table = pq.ParquetFile(stream)
            except pa.ArrowInvalid:
                yield Refusal(0, "broken_parquet", "no readable footer: the file was cut or is not whole")
                return
            columns = columns_of(table.schema_arrow.names, source.options.columns, source.uri)
            number = 0
            for batch in table.iter_batches(batch_size=2048, columns=sorted(set(columns.values()))):
                for row in batch.to_pylist():
                    number += 1
                    yield _draft(row, columns, source, number)
