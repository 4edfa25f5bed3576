"""Make stored rows equal new rows with the smallest commit: nothing, an append, or one MERGE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jobs.run import Run
from lakehouse.delta import frame
from lakehouse.schema import RECORDED, TABLES, arrow_schema


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


def sync(run: Run, table: str, rows: Any, stored: Any) -> Change:
    """Replace `stored`, the table's rows in the touched scope, by `rows`, which must be cheap to read twice.

    A row that is equal but for its record time stays as it is, so a second run commits nothing. The commit
    is atomic; doing it again finds nothing to do.
    """
    session, key = run.spark, list(TABLES[table].key)
    if run.lake.count(table) == 0:  # nothing to compare with
        if rows.isEmpty():
            return Change()
        rows.select(*arrow_schema(table).names).write.format("delta").mode("append").save(run.lake.path(table))
        return Change(added=run.lake.count(table))
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
               CASE WHEN o.there IS NULL THEN 'add' WHEN n.there IS NULL THEN 'remove' ELSE 'change' END AS action
        FROM n FULL OUTER JOIN o ON {match}
        WHERE n.there IS NULL OR o.there IS NULL OR NOT ({same})
        """
    ).write.mode("overwrite").parquet(run.staging.uri(f"sync/{table}"))
    difference = session.read.parquet(run.staging.uri(f"sync/{table}"))
    counted = {row["action"]: int(row["count"]) for row in difference.groupBy("action").count().collect()}
    change = Change(counted.get("add", 0), counted.get("change", 0), counted.get("remove", 0))
    if not counted:
        return change
    if set(counted) == {"add"}:
        added = difference.select(*arrow_schema(table).names)
        added.write.format("delta").mode("append").save(run.lake.path(table))
        return change
    difference.createOrReplaceTempView("sync_difference")
    frame(session, run.lake, table)  # the table must be there: a MERGE creates none
    updates = ", ".join(f"t.{name} = s.{name}" for name in arrow_schema(table).names)
    session.sql(
        f"""
        MERGE INTO delta.`{run.lake.path(table)}` t USING sync_difference s
        ON {" AND ".join(f"t.{name} = s.{name}" for name in key)}
        WHEN MATCHED AND s.action = 'remove' THEN DELETE
        WHEN MATCHED THEN UPDATE SET {updates}
        WHEN NOT MATCHED AND s.action <> 'remove' THEN INSERT ({columns})
            VALUES ({", ".join(f"s.{name}" for name in arrow_schema(table).names)})
        """
    )
    return change
