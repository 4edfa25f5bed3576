"""THE schema: every table once, as a record with its key and layout; Arrow and Delta forms are derived.

`TABLES` is the whole list. A table's columns are its record's fields plus the columns of its `Table`
(`recorded`, the sequence number of the run that wrote the row: record time). A lake carries the number that it was
written with; `migrate.py` brings an older one here.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from itertools import accumulate, pairwise
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pyarrow as pa
import pyarrow.compute as pc

from lakehouse import records

SCHEMA_VERSION = 2

SCALARS: dict[type, pa.DataType] = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    datetime: pa.timestamp("us", tz="UTC"),
    date: pa.date32(),
}


@dataclass(frozen=True, slots=True)
class Table:
    """A Delta table: `key` makes a row unique within it, `cluster` orders its files.

    `text` names the columns that may hold words of a transcript: they get no file statistics, because
    erased words would survive in the log's.
    """

    name: str
    record: type
    key: tuple[str, ...]
    cluster: tuple[str, ...]
    text: tuple[str, ...]
    about: str


TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        Table("turns", records.Turn, ("tenant", "document", "turn_id"), ("tenant", "document", "position"),
              ("speaker", "text"), "What was written, as its document has it."),
        Table("rejects", records.Reject, ("tenant", "reject_id"), ("tenant",),
              ("detail",), "Input that was not kept, with file, line and reason."),
        Table("segments", records.Segment, ("tenant", "segment_id"), ("tenant", "document"),
              ("summary", "dropped"), "Runs of turns about one topic."),
        Table("atoms", records.Atom, ("tenant", "atom_id"), ("tenant", "document"),
              ("subject", "content", "holder", "relay", "target", "evidence", "values", "corrects", "anchors", "scope",
               "relation"),
              "Typed statements with holder, relay, time and evidence; appended, never changed."),
        Table("extractions", records.Extraction, ("tenant", "document", "fingerprint"), ("tenant", "document"),
              ("atom_ids",), "The atoms of each complete extraction of a document; the newest one counts."),
        Table("entities", records.Entity, ("tenant", "entity_id"), ("tenant",),
              ("name", "aliases"), "People and things with the names that they go by."),
        Table("keys", records.KeyDecision, ("tenant", "raw_key"), ("tenant", "key"),
              ("why", "evidence", "relation", "anchors", "scope", "kind"),
              "Which raw keys are one key, decided by whom and why."),
        Table("validity", records.Validity, ("tenant", "row_id"), ("tenant", "bucket", "key"),
              ("subject", "relation", "scope", "value", "holders", "relay", "target", "opened_because",
               "closed_because", "anchors", "holder"),
              "The ledger: one interval of one value under one key."),
        Table("claims", records.Validity, ("tenant", "row_id"), ("tenant", "bucket", "key"),
              ("subject", "relation", "scope", "value", "holders", "relay", "target", "opened_because",
               "closed_because", "anchors", "holder"),
              "The claim view: what each holder holds of each target, and since when."),
        Table("habits", records.Habit, ("tenant", "habit_id"), ("tenant",),
              ("subject", "concept", "content"), "Events that repeat, as facts with a time envelope."),
        Table("edges", records.Edge, ("tenant", "edge_id"), ("tenant", "source"),
              ("source", "target"), "Typed edges with their source turns: a projection of the tables."),
        Table("vectors", records.Vector, ("tenant", "item", "model"), ("tenant", "item"),
              (), "Embeddings of turns and atoms, computed once."),
        Table("publications", records.Publication, ("publication",), ("publication",),
              (), "What readers see; the newest row is the pointer."),
        Table("runs", records.RunStep, ("run_id", "step", "status"), ("sequence",),
              ("detail",), "The run ledger: each step's counts, seconds and versions."),
    )
}  # fmt: skip

RECORDED = "recorded"
"""Record time: the sequence number of the run that wrote the row."""


def arrow_type(annotation: Any) -> tuple[pa.DataType, bool]:
    """(Arrow type, nullable) of a field's annotation.

    >>> arrow_type(tuple[str, ...])
    (ListType(list<element: string>), False)
    """
    origin = get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        (inner,) = (a for a in get_args(annotation) if a is not type(None))
        return arrow_type(inner)[0], True
    if origin is Annotated:
        return pa.float32(), False
    if origin is Literal:
        return pa.string(), False
    if origin is tuple:
        return pa.list_(pa.field("element", arrow_type(get_args(annotation)[0])[0])), False
    if dataclasses.is_dataclass(annotation):
        return pa.struct(_fields(typing.cast(type, annotation))), False
    return SCALARS[annotation], False


def _fields(record: type) -> list[Any]:
    hints = get_type_hints(record, include_extras=True)
    out = []
    for field in dataclasses.fields(record):
        kind, _ = arrow_type(hints[field.name])
        out.append(pa.field(field.name, kind, nullable=True))
    return out


@cache
def arrow_schema(table: str) -> pa.Schema:
    """The Arrow schema of a table's rows, with the `recorded` column. Delta columns are nullable, so these are."""
    return pa.schema([*_fields(TABLES[table].record), pa.field(RECORDED, pa.int64())])


def required(record: type) -> tuple[str, ...]:
    """The fields of a record that may never be null."""
    hints = get_type_hints(record)
    return tuple(f.name for f in dataclasses.fields(record) if not arrow_type(hints[f.name])[1])


def to_arrow(table: str, rows: typing.Iterable[Any], recorded: int) -> pa.Table:
    """Records to an Arrow table of the table's schema, built column by column."""
    schema, held = arrow_schema(table), list(rows)
    hints = get_type_hints(TABLES[table].record, include_extras=True)
    columns = [
        _array(hints[name], [getattr(row, name) for row in held], schema.field(name).type) for name in schema.names[:-1]
    ]
    return pa.table([*columns, pa.array([recorded] * len(held), pa.int64())], schema=schema)


def _array(annotation: Any, values: list[Any], kind: pa.DataType) -> pa.Array:
    """Values of one field, nested records included, as an Arrow array."""
    inner, _ = _unwrapped(annotation)
    if get_origin(inner) is tuple:
        offsets = [0, *accumulate(len(value) for value in values)]
        flat = _array(get_args(inner)[0], [item for value in values for item in value], kind.value_type)
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), flat, type=kind)
    if dataclasses.is_dataclass(inner):
        hints = get_type_hints(inner, include_extras=True)
        children = [
            _array(hints[child.name], [getattr(value, child.name, None) for value in values], child.type)
            for child in kind.fields
        ]
        missing = pa.array([value is None for value in values], pa.bool_())
        return pa.StructArray.from_arrays(children, fields=list(kind.fields), mask=missing)
    return pa.array(values, kind)


def from_arrow(table: str, data: pa.Table) -> list[Any]:
    """Rows of a table back as its records (`recorded` is dropped), read column by column; a missing one is null."""
    record = TABLES[table].record
    hints = get_type_hints(record, include_extras=True)
    there = set(data.column_names)
    columns = [
        _values(
            hints[f.name],
            data.column(f.name).combine_chunks()
            if f.name in there
            else pa.nulls(data.num_rows, arrow_schema(table).field(f.name).type),
        )
        for f in dataclasses.fields(record)
    ]
    return [record(*row) for row in zip(*columns, strict=True)]


def _values(annotation: Any, array: pa.Array) -> list[Any]:
    """An Arrow array as values of one field: tuples for lists (none for null), records for structs."""
    inner, nullable = _unwrapped(annotation)
    if get_origin(inner) is tuple:
        flat = _values(get_args(inner)[0], array.flatten())
        ends = [0, *accumulate(length or 0 for length in pc.list_value_length(array).to_pylist())]
        return [tuple(flat[start:end]) for start, end in pairwise(ends)]
    if dataclasses.is_dataclass(inner):
        build = typing.cast(type, inner)
        hints = get_type_hints(build, include_extras=True)
        children = dict(zip((child.name for child in array.type), array.flatten(), strict=True))
        columns = [_values(hints[f.name], children[f.name]) for f in dataclasses.fields(build)]
        if not nullable or not array.null_count:
            return [build(*row) for row in zip(*columns, strict=True)]
        present = array.is_valid().to_pylist()
        return [build(*row) if there else None for there, *row in zip(present, *columns, strict=True)]
    return typing.cast(list[Any], array.to_pylist())


@cache
def _unwrapped(annotation: Any) -> tuple[Any, bool]:
    """(annotation without its None, whether it had one)."""
    if get_origin(annotation) in (typing.Union, types.UnionType):
        (inner,) = (a for a in get_args(annotation) if a is not type(None))
        return inner, True
    return annotation, False
