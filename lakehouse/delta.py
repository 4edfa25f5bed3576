"""Writing Delta tables through a Spark session (local or Spark Connect; only the DataFrame API is used).

Each write carries a transaction (application, number), so data and run marker are one commit: a commit
that is already there is skipped, by us before it starts and by Delta at the latest.
"""

from __future__ import annotations

from typing import Any

from lakehouse.lake import Lake
from lakehouse.schema import TABLES

APPEND_ONLY_NUMBER = 1


def frame(spark: Any, lake: Lake, table: str) -> Any:
    """A table as a Spark DataFrame."""
    return spark.read.format("delta").load(lake.path(table))


def append_new(lake: Lake, table: str, rows: Any, stored: Any, application: str) -> bool:
    """Append the rows whose key is not stored yet; False when this application's commit is there already.

    The source is deduplicated by key first: a MERGE would insert an unmatched duplicate twice, and an
    anti-join would keep both.
    """
    if lake.committed(table, application) >= APPEND_ONLY_NUMBER:
        return False
    key = list(TABLES[table].key)
    fresh = rows.dropDuplicates(key).join(stored.select(*key), on=key, how="left_anti")
    columns = [field.name for field in rows.schema.fields]
    _write(fresh.select(*columns), lake, table, application, mode="append")
    return True


def replace_where(lake: Lake, table: str, rows: Any, predicate: str, application: str) -> bool:
    """Replace the rows that the predicate names by `rows`, in one commit."""
    if lake.committed(table, application) >= APPEND_ONLY_NUMBER:
        return False
    _write(rows, lake, table, application, mode="overwrite", options={"replaceWhere": predicate})
    return True


def _write(
    rows: Any, lake: Lake, table: str, application: str, *, mode: str, options: dict[str, str] | None = None
) -> None:
    writer = rows.write.format("delta").mode(mode)
    for name, value in (options or {}).items():
        writer = writer.option(name, value)
    writer = writer.option("userMetadata", application)
    writer.option("txnAppId", application).option("txnVersion", APPEND_ONLY_NUMBER).save(lake.path(table))


def inserted(lake: Lake, table: str, application: str) -> int:
    """The rows that an application's commit added; 0 when it made none."""
    found = lake.open(table)
    if found is None:
        return 0
    for commit in found.history():
        if commit.get("txnId") == application or application in str(commit.get("userMetadata", "")):
            return int(commit.get("operationMetrics", {}).get("numOutputRows", 0))
    return 0
