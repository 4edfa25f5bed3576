"""The run ledger: which run did what, from which counts to which, with which versions and models.

Its rows are written by delta-rs, one small commit each: they are control data, and a JVM for them would
cost more than the step that they describe.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from deltalake import CommitProperties, Transaction, write_deltalake

from lakehouse.ids import content_id
from lakehouse.lake import Lake
from lakehouse.records import RunStep
from lakehouse.schema import to_arrow

RUN = "run"
"""The step name of a whole run's own rows."""


def fingerprint(command: str, tenant: str, inputs: Sequence[tuple[str, int, int]], options: Sequence[str]) -> str:
    """What makes two commands the same: the command, its tenant, files (uri, size, mtime) and options."""
    files = content_id(*(part for item in sorted(inputs) for part in item))
    return f"{command}-{content_id(command, tenant, files, *sorted(options))[:10]}"


def steps(lake: Lake) -> list[dict[str, Any]]:
    """All rows of the run ledger, oldest first."""
    rows: list[dict[str, Any]] = lake.read("runs").to_pylist()
    return sorted(rows, key=lambda row: (row["sequence"], row["started_at"]))


def claim(lake: Lake, name: str) -> tuple[str, int, bool]:
    """(run id, sequence, whether it resumes): the unfinished run of this name, else a new one.

    A run that did not end is resumed under its own number when no other run came after it; otherwise its
    work is done again under a new number, which the tables' state makes harmless.
    """
    rows = steps(lake)
    last = max((row["sequence"] for row in rows), default=0)
    mine = [row for row in rows if row["run_id"] == name or row["run_id"].startswith(f"{name}.")]
    ended = {row["run_id"] for row in mine if row["step"] == RUN and row["status"] == "done"}
    open_runs = [row for row in mine if row["run_id"] not in ended and row["sequence"] == last]
    if open_runs:
        return open_runs[-1]["run_id"], int(last), True
    count = len({row["run_id"] for row in mine})
    return (name if count == 0 else f"{name}.{count + 1}"), int(last) + 1, False


def done(lake: Lake, run_id: str) -> dict[str, dict[str, Any]]:
    """The finished steps of a run."""
    return {row["step"]: row for row in steps(lake) if row["run_id"] == run_id and row["status"] == "done"}


def record(
    lake: Lake,
    run_id: str,
    sequence: int,
    step: str,
    status: str,
    *,
    started_at: datetime,
    rows_in: int = 0,
    rows_out: int = 0,
    rejected: int = 0,
    detail: dict[str, Any] | None = None,
    versions: dict[str, int] | None = None,
    models: dict[str, str] | None = None,
) -> None:
    """Append one row; the same row of a run that is done again is written once."""
    row = RunStep(
        run_id=run_id,
        sequence=sequence,
        step=step,
        status=status,
        started_at=started_at,
        seconds=round((datetime.now(UTC) - started_at).total_seconds(), 3),
        rows_in=rows_in,
        rows_out=rows_out,
        rejected=rejected,
        detail=json.dumps(detail or {}, ensure_ascii=False, sort_keys=True),
        versions=json.dumps(versions or {}, sort_keys=True),
        models=json.dumps(models or {}, sort_keys=True),
    )
    append(lake, "runs", row, sequence, f"{run_id}:{step}:{status}")


def append(lake: Lake, table: str, row: Any, sequence: int, application: str) -> None:
    """One control row with its transaction, unless it is there already."""
    if lake.committed(table, application) >= 1:
        return
    write_deltalake(
        lake.path(table),
        to_arrow(table, [row], sequence),
        mode="append",
        storage_options=lake.storage_options,
        commit_properties=CommitProperties(app_transactions=[Transaction(application, 1)]),
    )
