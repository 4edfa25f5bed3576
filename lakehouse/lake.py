"""The lake's layout, and reading it without a JVM (delta-rs).

A lake is a folder or an object store address: one Delta table a name of `schema.TABLES`, `_staging` for
work in progress. Writing goes through Spark (`delta.py`); here tables are created empty, read and leased.
"""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from deltalake import DeltaTable, QueryBuilder
from deltalake.exceptions import DeltaError, TableNotFoundError

from lakehouse.errors import LakeBusy, LakeError, SchemaTooNew
from lakehouse.migrate import DESCRIPTION, migrate, written_with
from lakehouse.schema import SCHEMA_VERSION, TABLES, arrow_schema

STAGING = "_staging"
LOCK = "_writer.lock"


def properties(table: str) -> dict[str, str]:
    """A table's Delta properties: no change feed and no statistics on text, for erased words would live on there."""
    entry = TABLES[table]
    plain = [
        field.name
        for field in arrow_schema(table)
        if field.name not in entry.text and not (pa.types.is_nested(field.type) or pa.types.is_boolean(field.type))
    ]
    return {
        "delta.enableChangeDataFeed": "false",
        "delta.dataSkippingStatsColumns": ",".join(plain),
        "delta.checkpointInterval": "50",
    }


class Lake:
    """The tables under one root. `root` is a local folder or an address such as `s3://bucket/lake`."""

    def __init__(self, root: str, storage_options: dict[str, str] | None = None) -> None:
        self.local = "://" not in root
        self.root = str(Path(root).expanduser().resolve()) if self.local else root.rstrip("/")
        self.storage_options = storage_options or {}

    def path(self, table: str) -> str:
        """Where a table lives."""
        return f"{self.root}/{table}"

    def staging(self, run_id: str) -> str:
        """The folder for a run's work in progress; gone once the run is done."""
        return f"{self.root}/{STAGING}/{run_id}"

    def create(self) -> None:
        """Create what is missing; refuse a lake that a later memlake wrote."""
        if self.local:
            try:
                Path(self.root).mkdir(parents=True, exist_ok=True)
                probe = Path(self.root) / f".probe-{os.getpid()}"
                probe.touch()
                probe.unlink()
            except OSError as error:
                raise LakeError(
                    f"the lake folder can't be written ({error.strerror})",
                    place=self.root,
                    hint="choose another with --lake, or fix its permissions",
                ) from error
        for name in TABLES:
            found = self.open(name)
            if found is None:
                DeltaTable.create(
                    self.path(name),
                    schema=arrow_schema(name),
                    mode="ignore",
                    configuration=properties(name),
                    description=f"{DESCRIPTION}{SCHEMA_VERSION}",
                    storage_options=self.storage_options,
                )
            elif written_with(found) > SCHEMA_VERSION:
                raise SchemaTooNew(
                    f"the lake has schema {written_with(found)}, this memlake knows {SCHEMA_VERSION}",
                    place=self.root,
                    hint="upgrade memlake",
                )
            elif written_with(found) < SCHEMA_VERSION:
                migrate(found, name)

    def exists(self) -> bool:
        """Whether the lake has been created."""
        return self.open("turns") is not None

    def require(self) -> None:
        """Raise LakeError unless the lake exists."""
        if not self.exists():
            raise LakeError(
                "no lake here", place=self.root, hint="run `memlake backfill PATH --lake HERE` first, or give --lake"
            )

    def open(self, table: str, version: int | None = None) -> DeltaTable | None:
        """The Delta table, at a version or the newest; None where there is none."""
        try:
            return DeltaTable(self.path(table), version=version, storage_options=self.storage_options)
        except TableNotFoundError:
            return None
        except (DeltaError, OSError) as error:
            if self.local and not (Path(self.path(table)) / "_delta_log").exists():
                return None
            raise LakeError(
                f"the table {table} can't be opened ({type(error).__name__})",
                place=self.path(table),
                hint="`memlake doctor` looks closer",
            ) from error

    def version(self, table: str) -> int:
        """The newest version of a table, -1 where there is none."""
        found = self.open(table)
        return -1 if found is None else int(found.version())

    def committed(self, table: str, application: str) -> int:
        """The last transaction that an application committed to a table, -1 for none."""
        found = self.open(table)
        number = None if found is None else found.transaction_version(application)
        return -1 if number is None else int(number)

    def read(
        self,
        table: str,
        *,
        columns: Sequence[str] | None = None,
        where: pc.Expression | None = None,
        version: int | None = None,
    ) -> pa.Table:
        """Rows of a table as Arrow; an empty table where there is none."""
        schema = arrow_schema(table)
        names = list(columns) if columns is not None else schema.names
        found = self.open(table, version)
        if found is None:
            return pa.schema([schema.field(name) for name in names]).empty_table()
        rows: pa.Table = found.to_pyarrow_dataset().to_table(columns=names, filter=where)
        return rows

    def pick(self, table: str, column: str, values: Iterable[str], columns: Sequence[str] | None = None) -> pa.Table:
        """Rows whose `column` is one of `values`, a few of many: the other columns are decoded only where it fits."""
        schema = arrow_schema(table)
        names = list(columns) if columns is not None else schema.names
        wanted = pa.schema([schema.field(name) for name in names])
        found, listed = self.open(table), ", ".join(literal(value) for value in sorted(values))
        if found is None or not listed:
            return wanted.empty_table()
        return pa.table(found.scan(columns=names, predicate=f"{column} IN ({listed})")).cast(wanted)

    def query(self, table: str, sql: str) -> pa.Table:
        """What an SQL query over one table, named as the table is, gives; values are ours, never a user's."""
        found = self.open(table)
        if found is None:
            raise LakeError(f"the table {table} is not there", place=self.root, hint="run `memlake backfill` first")
        return pa.table(QueryBuilder().register(table, found).execute(sql))

    def count(self, table: str) -> int:
        """Rows of a table."""
        found = self.open(table)
        return 0 if found is None else int(found.to_pyarrow_dataset().count_rows())

    @contextmanager
    def writer(self, *, wait: bool = False) -> Iterator[None]:
        """The writer's lease: one process at a time writes a lake.

        On a local folder it is an advisory lock, which the system frees when its holder dies. On an object
        store the scheduler gives the lease (Airflow's `max_active_runs=1`); the tables' optimistic commits
        still refuse two writers of one version.
        """
        if not self.local:
            yield
            return
        path = Path(self.root) / LOCK
        try:
            handle = path.open("a+")
        except OSError as error:
            raise LakeError(
                f"the lake folder can't be written ({error.strerror})",
                place=self.root,
                hint="choose another with --lake",
            ) from error
        with handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                handle.seek(0)
                raise LakeBusy(
                    f"another memlake writes this lake ({handle.read().strip() or 'unknown process'})",
                    place=self.root,
                    hint="wait for it to end, or give --wait",
                ) from None
            handle.seek(0)
            handle.truncate()
            handle.write(f"process {os.getpid()} on {socket.gethostname()}")
            handle.flush()
            try:
                yield
            finally:
                handle.seek(0)
                handle.truncate()


def literal(value: str) -> str:
    """A text as a literal of DataFusion's SQL, where a backslash is a character (Spark's are `jobs.query.literal`).

    >>> print(literal("it's"))
    'it''s'
    """
    return "'" + value.replace("'", "''") + "'"


def live_atoms(extractions: pa.Table) -> pa.Array:
    """The atom ids of each document's newest extraction."""
    newest: dict[str, tuple[int, list[str]]] = {}
    columns = (extractions[name].to_pylist() for name in ("document", "recorded", "atom_ids"))
    for document, recorded, ids in zip(*columns, strict=True):
        if recorded >= newest.get(document, (-1, []))[0]:
            newest[document] = (recorded, ids)
    return pa.array([atom for _, ids in newest.values() for atom in ids], pa.string())


def newest_publication(lake: Lake, *, at_most: int | None = None) -> dict[str, Any] | None:
    """The publication that readers see: the row with the highest number."""
    rows = lake.read("publications").to_pylist()
    if at_most is not None:
        rows = [row for row in rows if row["publication"] <= at_most]
    return max(rows, key=lambda row: int(row["publication"]), default=None)
