"""`memlake snapshot`: the whole ledger as it was told by a day, or as a run knew it, as a Delta table for analysis.

The lake itself keeps only what is known now: what was told or known then is folded again from the atoms. Questions do
that for the keys that they ask; a snapshot does it for all of them.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from jobs.fold import atom_columns, both_folds, map_groups
from jobs.ledger import steps
from jobs.query import literal, query
from jobs.run import Run
from jobs.settings import Settings
from lakehouse.delta import frame
from lakehouse.errors import InputError
from lakehouse.lake import Lake

FOLDER = "_snapshots"


def snapshot(settings: Settings, as_told: datetime | None, as_known: str | None, name: str) -> dict[str, Any]:
    """Write a snapshot and say where: {"path", "ledger", "claims"} with the rows of each view.

    `as_told` leaves out what was said at or after that instant; undated statements stay. `as_known` is a run's id or
    number: only what it and those before it had recorded counts, in the documents as it had last read them.
    Raises InputError for a run that is not in the run ledger.
    """
    if not re.fullmatch(r"[\w.+:-]+", name) or name.startswith("."):
        raise InputError("not a name for a folder", place=name, hint="letters, digits, dots and dashes")
    lake = Lake(settings.lake)
    lake.require()
    last = _sequence(lake, as_known)
    run = Run(lake, settings, "snapshot", last, False)
    session = run.spark
    own = f"tenant = {literal(run.tenant)} AND recorded <= {last}"
    frame(session, lake, "extractions").where(own).createOrReplaceTempView("known_extractions")
    atoms = frame(session, lake, "atoms").where(own)
    if as_told is not None:
        atoms = atoms.where(f"said_ts IS NULL OR said_ts < TIMESTAMP '{as_told.isoformat()}'")
    atoms.createOrReplaceTempView("told_atoms")
    frame(session, lake, "keys").createOrReplaceTempView("keys")
    grouped = query(
        session,
        f"""
        WITH latest AS (SELECT explode(max_by(atom_ids, recorded)) AS atom_id FROM known_extractions GROUP BY document)
        SELECT coalesce(keys.key, told_atoms.raw_key) AS fold_key, {atom_columns("told_atoms")}
        FROM told_atoms LEFT SEMI JOIN latest USING (atom_id)
        LEFT JOIN keys ON keys.tenant = :tenant AND keys.raw_key = told_atoms.raw_key
        """,
        tenant=run.tenant,
    )
    path = lake.path(f"{FOLDER}/{name}")
    map_groups(run, grouped, "fold_key", both_folds, "validity", "rows")
    session.read.parquet(run.staging.uri("rows")).write.format("delta").mode("overwrite").save(path)
    run.staging.clear()
    written = session.read.format("delta").load(path).groupBy("view").count().collect()
    return {"path": path, "ledger": 0, "claims": 0} | {row["view"]: int(row["count"]) for row in written}


def _sequence(lake: Lake, run: str | None) -> int:
    """The number of a run that is named by its id or number; the newest without a name."""
    rows = steps(lake)
    if run is None:
        return max((int(row["sequence"]) for row in rows), default=0)
    for row in rows:
        if run in (row["run_id"], str(row["sequence"])):
            return int(row["sequence"])
    raise InputError("no such run", place=run, hint="`memlake runs` lists them")
