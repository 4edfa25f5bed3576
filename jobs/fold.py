"""Steps 3 to 5 in Spark: keys are resolved, touched keys are folded, repeated events become habits.

Touched are the keys of the documents that were extracted since the last fold, of their atoms before and
after, and the keys whose mapping changed. Everything else is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from jobs import ledger
from jobs.faults import reach
from jobs.query import literal, query
from jobs.run import Run
from jobs.sync import sync
from lakehouse.delta import frame
from lakehouse.records import Atom, Validity
from lakehouse.schema import arrow_schema, from_arrow, to_arrow
from pipelines.claims import claims_of_key
from pipelines.consolidate import consolidate
from pipelines.entities import entities
from pipelines.fold import FoldRules, fold_key
from pipelines.resolve import resolve_keys

RULES = FoldRules(buckets=64)
Group = Callable[[str, list[Atom]], list[Any]]


def resolve(run: Run) -> None:
    """Which raw keys are one key, and who is who."""
    with run.step("resolve") as (count, _):
        touched = _touched_views(run)
        count.detail = {"documents": touched}
        count.tables = ("keys", "entities")
        if not touched:
            return
        session = run.spark
        cards = session.sql(
            f"""
            SELECT {_atom_columns()} FROM (
                SELECT live.*, row_number() OVER (PARTITION BY raw_key ORDER BY atom_id) AS place FROM live)
            WHERE place = 1
            """
        )
        atoms: list[Atom] = from_arrow("atoms", cards.toArrow())
        pins = from_arrow("keys", run.lake.read("keys")) if run.lake.count("keys") else []
        decisions = resolve_keys(atoms, pins=[row for row in pins if row.tenant == run.tenant and row.who != "rules"])
        run.staging.write("fold/keys.parquet", to_arrow("keys", decisions, run.sequence))
        stored = frame(session, run.lake, "keys").where(f"tenant = {literal(run.tenant)}")
        changed = sync(run, "keys", session.read.parquet(run.staging.uri("fold/keys.parquet")), stored)
        named_by = session.sql(
            f"""
            SELECT {_atom_columns()} FROM (
                SELECT live.*, row_number() OVER (PARTITION BY holder, subject, target ORDER BY atom_id) AS place
                FROM live)
            WHERE place = 1
            """
        )
        people = entities(from_arrow("atoms", named_by.toArrow()))
        run.staging.write("fold/entities.parquet", to_arrow("entities", people, run.sequence))
        stored = frame(session, run.lake, "entities").where(f"tenant = {literal(run.tenant)}")
        named = sync(run, "entities", session.read.parquet(run.staging.uri("fold/entities.parquet")), stored)
        count.rows_in, count.rows_out = len(decisions), changed.written + named.written
        count.detail |= {"keys": len({d.key for d in decisions}), "raw_keys": len(decisions), "entities": len(people)}
        reach("resolve.committed")


def fold(run: Run) -> None:
    """The ledger and the claim view of the touched keys."""
    with run.step("fold") as (count, _):
        count.tables = ("validity", "claims")
        if not _touched_views(run):
            return
        session = run.spark
        frame(session, run.lake, "keys").createOrReplaceTempView("keys")
        touched = query(
            session,
            """
            SELECT DISTINCT coalesce(keys.key, atoms.raw_key) AS key FROM touched_atoms atoms
            LEFT JOIN keys ON keys.tenant = atoms.tenant AND keys.raw_key = atoms.raw_key
            UNION SELECT key FROM keys WHERE tenant = :tenant AND recorded > :since
            """,
            tenant=run.tenant,
            since=_folded(run),
        )
        touched.write.mode("overwrite").parquet(run.staging.uri("fold/touched"))
        session.read.parquet(run.staging.uri("fold/touched")).createOrReplaceTempView("touched_keys")
        grouped = session.sql(
            f"""
            SELECT coalesce(keys.key, live.raw_key) AS fold_key, {_atom_columns("live")} FROM live
            LEFT JOIN keys ON keys.tenant = live.tenant AND keys.raw_key = live.raw_key
            WHERE coalesce(keys.key, live.raw_key) IN (SELECT key FROM touched_keys)
            """
        )
        rows = _map_groups(run, grouped, "fold_key", _both_folds, "validity")
        rows.write.mode("overwrite").parquet(run.staging.uri("fold/rows"))
        folded = session.read.parquet(run.staging.uri("fold/rows"))
        columns = arrow_schema("validity").names
        for table, view in (("validity", "ledger"), ("claims", "claims")):
            stored = frame(session, run.lake, table).where(f"tenant = {literal(run.tenant)}")
            old = stored.join(session.table("touched_keys"), on="key", how="left_semi")
            done = sync(run, table, folded.where(f"view = '{view}'").select(*columns), old.select(*columns))
            count.detail |= {table: done.as_dict()}
            count.rows_out += done.written
            reach(f"{table}.committed")
        count.rows_in = session.table("touched_keys").count()


def consolidate_events(run: Run) -> None:
    """Habits of the people whose documents were touched."""
    with run.step("consolidate") as (count, _):
        count.tables = ("habits",)
        if not _touched_views(run):
            return
        session = run.spark
        session.sql("SELECT DISTINCT subject FROM touched_atoms WHERE kind = 'event'").createOrReplaceTempView(
            "touched_people"
        )
        events = session.sql(
            f"""
            SELECT subject AS fold_key, {_atom_columns("live")} FROM live
            WHERE kind = 'event' AND subject IN (SELECT subject FROM touched_people)
            """
        )
        rows = _map_groups(run, events, "fold_key", _habits, "habits").drop("view")
        stored = frame(session, run.lake, "habits").where(f"tenant = {literal(run.tenant)}")
        old = stored.join(session.table("touched_people"), on="subject", how="left_semi")
        done = sync(run, "habits", rows, old.select(*arrow_schema("habits").names))
        count.rows_out = done.written
        count.detail = done.as_dict()
        reach("habits.committed")


def _folded(run: Run) -> int:
    """The number of the last run of this tenant whose consolidation ended: what came later is not folded yet."""
    rows = [
        row
        for row in ledger.steps(run.lake)
        if row["step"] == f"folded:{run.tenant}" and row["status"] == "done" and row["sequence"] < run.sequence
    ]
    return max((int(row["sequence"]) for row in rows), default=0)


def mark_folded(run: Run) -> None:
    """Say in the run ledger that the tenant's tables are folded up to this run."""
    ledger.record(run.lake, run.run_id, run.sequence, f"folded:{run.tenant}", "done", started_at=run.started_at)


def _touched_views(run: Run) -> int:
    """Make the views `live` and `touched_atoms`, once a run; the number of documents extracted since the last fold."""
    if run.touched is not None:
        return run.touched
    session, since = run.spark, _folded(run)
    frame(session, run.lake, "extractions").createOrReplaceTempView("extractions")
    frame(session, run.lake, "atoms").createOrReplaceTempView("all_atoms")
    arguments: dict[str, str | int] = {"tenant": run.tenant, "since": since}
    query(
        session, "SELECT DISTINCT document FROM extractions WHERE tenant = :tenant AND recorded > :since", **arguments
    ).createOrReplaceTempView("touched_documents")
    query(
        session,
        """
        SELECT explode(max_by(atom_ids, recorded)) AS atom_id FROM extractions
        WHERE tenant = :tenant GROUP BY document
        """,
        **arguments,
    ).createOrReplaceTempView("live_ids")
    query(
        session,
        "SELECT all_atoms.* FROM all_atoms JOIN live_ids USING (atom_id) WHERE all_atoms.tenant = :tenant",
        **arguments,
    ).createOrReplaceTempView("live")
    query(
        session,
        """
        SELECT all_atoms.* FROM all_atoms JOIN touched_documents USING (document) WHERE all_atoms.tenant = :tenant
        """,
        **arguments,
    ).createOrReplaceTempView("touched_atoms")
    run.touched = int(session.sql("SELECT count(*) AS n FROM touched_documents").first()["n"])
    return run.touched


def _atom_columns(table: str = "") -> str:
    prefix = f"{table}." if table else ""
    return ", ".join(f"{prefix}{name}" for name in arrow_schema("atoms").names)


def _both_folds(key: str, atoms: list[Atom]) -> list[tuple[str, Validity]]:
    ledger_rows = [("ledger", row) for row in fold_key(atoms, key, RULES)]
    return ledger_rows + [("claims", row) for row in claims_of_key(atoms, key, RULES)]


def _habits(_: str, atoms: list[Atom]) -> list[tuple[str, Any]]:
    return [("habits", row) for row in consolidate(atoms)]


def _map_groups(run: Run, rows: Any, key: str, fold_group: Group, table: str) -> Any:
    """Rows brought together by key, sorted within partitions, and folded a group at a time over Arrow batches."""
    from pyspark.sql.types import StringType, StructField, StructType

    target = frame(run.spark, run.lake, table).schema
    sequence = run.sequence
    out = StructType([*target.fields, StructField("view", StringType())])

    def run_groups(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for name, group in groups(batches, key):
            made = fold_group(name, from_arrow("atoms", group))
            if made:
                data = to_arrow(table, [row for _, row in made], sequence)
                data = data.append_column("view", pa.array([view for view, _ in made], pa.string()))
                yield from data.to_batches()

    return rows.repartition(key).sortWithinPartitions(key, "atom_id").mapInArrow(run_groups, out)


def groups(batches: Iterator[pa.RecordBatch], key: str) -> Iterator[tuple[str, pa.Table]]:
    """(key, rows) of sorted batches; a group that spans batches is held until it ends.

    >>> batch = pa.record_batch({"k": ["a", "a", "b"], "n": [1, 2, 3]})
    >>> [(name, rows.num_rows) for name, rows in groups(iter([batch, batch.slice(2)]), "k")]
    [('a', 2), ('b', 2)]
    """
    held: list[pa.Table] = []
    name = ""
    for batch in batches:
        table = pa.Table.from_batches([batch])
        keys = table[key].to_pylist()
        start = 0
        for at in range(1, len(keys) + 1):
            if at < len(keys) and keys[at] == keys[start]:
                continue
            if held and keys[start] != name:
                yield name, pa.concat_tables(held)
                held = []
            name = keys[start]
            held.append(table.slice(start, at - start))
            start = at
    if held:
        yield name, pa.concat_tables(held)
