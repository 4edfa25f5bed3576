"""Step 6: the quality gate. A failed expectation stops the run before publication."""

from __future__ import annotations

import os
from typing import Any

from jobs import ledger
from jobs.query import literal
from jobs.run import Run
from jobs.settings import Settings
from lakehouse.delta import frame
from lakehouse.errors import GateFailed
from lakehouse.lake import Lake
from lakehouse.schema import RECORDED, TABLES

GATED = (
    "turns",
    "segments",
    "atoms",
    "extractions",
    "validity",
    "claims",
    "keys",
    "entities",
    "habits",
    "edges",
    "vectors",
)
NOTHING: dict[str, Any] = {"rows": 0, "expectations": 0, "failed": 0, "failures": []}


def verify(run: Run) -> None:
    """Check what was written since the tenant's last publication, and that its keys are unique in the whole table.

    Not only this run's rows: those of a run that a gate stopped are checked until they pass. Raises GateFailed.
    """
    since = _published(run)
    with run.step("verify", total=len(GATED), unit="tables") as (count, advance):
        results = {}
        for table in GATED:
            rows = frame(run.spark, run.lake, table)
            new = rows.where(f"{RECORDED} > {since} AND tenant = {literal(run.tenant)}")
            key = list(TABLES[table].key)
            touched = rows.join(new.select(*key).distinct(), on=key, how="left_semi")
            found = _check(table, touched) if run.lake.version(table) > 0 else dict(NOTHING)
            results[table] = found
            count.rows_in += found["rows"]
            count.rejected += found["failed"]
            advance()
        count.rows_out = count.rows_in
        count.detail = {"expectations": sum(r["expectations"] for r in results.values())}
    _stop_if_failed(results)


def _published(run: Run) -> int:
    """The last run whose rows of this tenant were published."""
    prefix = f"published:{run.tenant}:"
    done = [row for row in ledger.steps(run.lake) if row["step"].startswith(prefix) and row["sequence"] < run.sequence]
    return max((int(row["sequence"]) for row in done), default=0)


def verify_lake(settings: Settings) -> dict[str, Any]:
    """Every row of every table against its suite."""
    from jobs.noise import engines_to
    from jobs.spark import engine_log, session

    lake = Lake(settings.lake)
    lake.require()
    with engines_to(engine_log(settings)):
        spark = session(settings)
        tables = {table: _check(table, frame(spark, lake, table)) for table in TABLES}
    return {"success": all(found["failed"] == 0 for found in tables.values()), "tables": tables}


def _check(table: str, rows: Any) -> dict[str, Any]:
    rows = rows.cache()
    try:
        total = int(rows.count())
        if not total:
            return dict(NOTHING)
        return {"rows": total, **_validate(table, rows)}
    finally:
        rows.unpersist()


def _validate(table: str, rows: Any) -> dict[str, Any]:
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    from quality.expectations import validate

    return validate(table, rows)


def _stop_if_failed(results: dict[str, dict[str, Any]]) -> None:
    failed = {table: found["failures"] for table, found in results.items() if found["failed"]}
    if failed:
        table, lines = next(iter(failed.items()))
        raise GateFailed(
            f"{sum(map(len, failed.values()))} expectation(s) failed, the first: {lines[0][:300]}",
            place=table,
            hint="nothing was published; `memlake verify` lists all, and the same command tries again once mended",
        )
