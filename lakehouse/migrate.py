"""Numbered schema migrations: a lake that an earlier memlake wrote is brought to this one's schema, table by table.

`STEPS` is the whole history in order. A step may be done again: it looks before it changes. New columns need no
code of their own: `add_missing_columns` derives them from the schema.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deltalake import DeltaTable
from deltalake.schema import Field, Schema

from lakehouse.schema import SCHEMA_VERSION, arrow_schema

DESCRIPTION = "memlake schema "
"""A table's description carries the number of the schema that it was written with."""

Migration = Callable[[DeltaTable, str], None]


def add_missing_columns(table: DeltaTable, name: str) -> None:
    """Add the columns that the schema has and the table lacks; old rows read null in them."""
    there = {field.name for field in table.schema().fields}
    wanted: list[Field] = [field for field in Schema.from_arrow(arrow_schema(name)).fields if field.name not in there]
    if wanted:
        table.alter.add_columns(wanted)


STEPS: tuple[tuple[int, str, Migration], ...] = (
    (1, "the first tables", add_missing_columns),
    (2, "decisions carry the card that they were made by", add_missing_columns),
)
"""(number, what it changes, how)."""


def written_with(table: Any) -> int:
    """The number of the schema that a table was written with."""
    return int((table.metadata().description or "").removeprefix(DESCRIPTION) or 0)


def migrate(table: DeltaTable, name: str) -> None:
    """Bring one table to this schema; its number is written last, so a killed migration is done again."""
    before = written_with(table)
    for number, _, change in STEPS:
        if number > before:
            change(table, name)
            table.update_incremental()
    table.alter.set_table_description(f"{DESCRIPTION}{SCHEMA_VERSION}")
