"""Make stored rows equal new rows with the smallest commit: nothing, an append, or one MERGE.

A row that is equal but for its record time stays as it is, so a second run commits nothing. A commit is atomic;
doing it again finds nothing to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
from deltalake import write_deltalake

from jobs.run import Run
from lakehouse.delta import frame
from lakehouse.schema import RECORDED, TABLES, arrow_schema, from_arrow, to_arrow

VIEW = "view"
"""The column of staged rows that says which table's they are."""
ACTION = "action"
"""The column of a difference that says what becomes of the row: "add", "change" or "remove"."""
MERGED_HERE = 5_000_000
"""Rows up to which a table is merged by delta-rs: it needs no JVM and is several times faster, but has one machine."""


@dataclass(frozen=True, slots=True)
class Change:
    """Rows that a sync added, changed and removed."""

    added: int = 0
    changed: int = 0
    removed: int = 0

    @property
    def written(self) -> int:
        """Rows that are new in the table."""
        return self.added + self.changed

    def as_dict(self) -> dict[str, int]:
        """For the run ledger."""
        return {"added": self.added, "changed": self.changed, "removed": self.removed}


@dataclass(frozen=True, slots=True)
class Staged:
    """Rows of a table in a folder of the run's staging; `view` names which of them, where it holds several tables'."""

    folder: str
    view: str

    def frame(self, run: Run, table: str) -> Any:
        """As a Spark DataFrame."""
        columns = frame(run.spark, run.lake, table).schema
        found = run.spark.read.schema(columns.add(VIEW, "string")).parquet(run.staging.uri(self.folder))
        return found.where(f"{VIEW} = '{self.view}'").drop(VIEW)

    def batches(self, run: Run, table: str) -> pa.RecordBatchReader:
        """As Arrow batches, read as they are asked for."""
        own = ds.field(VIEW) == self.view
        return run.staging.dataset(self.folder).scanner(columns=arrow_schema(table).names, filter=own).to_reader()


def sync(run: Run, table: str, staged: Staged, stored: Any) -> Change:
    """Replace `stored`, a DataFrame of the table's rows in the touched scope, by the staged rows."""
    session, key = run.spark, list(TABLES[table].key)
    if run.lake.count(table) == 0:  # nothing to compare with
        if run.settings.one_machine:
            append(run, table, staged.batches(run, table))
        else:
            staged.frame(run, table).write.format("delta").mode("append").save(run.lake.path(table))
        return Change(added=run.lake.count(table))
    rows = staged.frame(run, table)
    columns = ", ".join(arrow_schema(table).names)
    rows.createOrReplaceTempView("sync_new")
    stored.createOrReplaceTempView("sync_old")
    match = " AND ".join(f"n.{name} <=> o.{name}" for name in key)
    same = " AND ".join(f"n.{name} <=> o.{name}" for name in arrow_schema(table).names if name != RECORDED)
    both = ", ".join(f"IF(n.there, n.{name}, o.{name}) AS {name}" for name in arrow_schema(table).names)
    session.sql(
        f"""
        WITH n AS (SELECT {columns}, TRUE AS there FROM sync_new),
             o AS (SELECT {columns}, TRUE AS there FROM sync_old)
        SELECT {both},
               CASE WHEN o.there IS NULL THEN 'add' WHEN n.there IS NULL THEN 'remove' ELSE 'change' END AS {ACTION}
        FROM n FULL OUTER JOIN o ON {match}
        WHERE n.there IS NULL OR o.there IS NULL OR NOT ({same})
        """
    ).write.mode("overwrite").parquet(run.staging.uri(f"sync/{table}"))
    difference = session.read.parquet(run.staging.uri(f"sync/{table}"))
    change = _change({row[ACTION]: int(row["count"]) for row in difference.groupBy(ACTION).count().collect()})
    if not change.changed and not change.removed:
        if change.added:
            added = difference.select(*arrow_schema(table).names)
            added.write.format("delta").mode("append").save(run.lake.path(table))
    elif run.lake.count(table) <= MERGED_HERE:
        _merge_here(run, table, run.staging.read(f"sync/{table}"))
    else:
        _merge(run, table, difference)
    return change


def sync_here(run: Run, table: str, rows: Iterable[Any], stored: pa.Table) -> Change:
    """The same for a few records, in this process; `stored` holds the table's rows in the touched scope."""
    key = TABLES[table].key
    old = dict(
        zip(zip(*(stored[name].to_pylist() for name in key), strict=True), from_arrow(table, stored), strict=True)
    )
    new = {tuple(getattr(row, name) for name in key): row for row in rows}
    made = [row for name, row in new.items() if old.get(name) != row]
    gone = [row for name, row in old.items() if name not in new]
    actions = ["change" if tuple(getattr(row, name) for name in key) in old else "add" for row in made]
    actions += ["remove"] * len(gone)
    change = _change(Counter(actions))
    if not actions:
        return change
    data = to_arrow(table, [*made, *gone], run.sequence)
    if change.changed or change.removed:
        _merge_here(run, table, data.append_column(ACTION, pa.array(actions, pa.string())))
    else:
        append(run, table, data)
    return change


def append(run: Run, table: str, rows: pa.Table | pa.RecordBatchReader) -> None:
    """Append by delta-rs, batch by batch; no rows make no commit."""
    batches = iter(rows.to_batches() if isinstance(rows, pa.Table) else rows)
    first = next((batch for batch in batches if batch.num_rows), None)
    if first is None:
        return
    told = pa.RecordBatchReader.from_batches(first.schema, chain([first], batches))
    write_deltalake(run.lake.path(table), told, mode="append", storage_options=run.lake.storage_options)


def _change(counted: dict[str, int]) -> Change:
    return Change(counted.get("add", 0), counted.get("change", 0), counted.get("remove", 0))


def _merge(run: Run, table: str, difference: Any) -> None:
    """One MERGE by Spark."""
    session, columns = run.spark, ", ".join(arrow_schema(table).names)
    difference.createOrReplaceTempView("sync_difference")
    frame(session, run.lake, table)  # the table must be there: a MERGE creates none
    updates = ", ".join(f"t.{name} = s.{name}" for name in arrow_schema(table).names)
    session.sql(
        f"""
        MERGE INTO delta.`{run.lake.path(table)}` t USING sync_difference s
        ON {" AND ".join(f"t.{name} = s.{name}" for name in TABLES[table].key)}
        WHEN MATCHED AND s.{ACTION} = 'remove' THEN DELETE
        WHEN MATCHED THEN UPDATE SET {updates}
        WHEN NOT MATCHED AND s.{ACTION} <> 'remove' THEN INSERT ({columns})
            VALUES ({", ".join(f"s.{name}" for name in arrow_schema(table).names)})
        """
    )


def _merge_here(run: Run, table: str, difference: pa.Table) -> None:
    """One MERGE by delta-rs."""
    stored = run.lake.open(table)
    assert stored is not None, table
    columns = {name: f"s.{name}" for name in arrow_schema(table).names}
    match = " AND ".join(f"t.{name} = s.{name}" for name in TABLES[table].key)
    (
        stored.merge(difference, match, source_alias="s", target_alias="t")
        .when_matched_delete(f"s.{ACTION} = 'remove'")
        .when_matched_update(columns)
        .when_not_matched_insert(columns, f"s.{ACTION} <> 'remove'")
        .execute()
    )
