"""Steps 3 to 5 in Spark: keys are resolved, touched keys are folded, repeated events become habits.

Touched are the keys of the documents that were extracted since the last fold, of their atoms before and
after, and the keys whose mapping changed. Everything else is left alone; where little was touched, no engine is
asked (`jobs.few`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from jobs import few, ledger
from jobs.faults import reach
from jobs.query import literal, query
from jobs.run import Run
from jobs.sync import VIEW, Staged, sync, sync_here
from lakehouse.delta import frame
from lakehouse.ids import content_id
from lakehouse.records import Atom, Validity
from lakehouse.schema import RECORDED, arrow_schema, from_arrow, to_arrow
from pipelines.claims import views_of_key
from pipelines.consolidate import consolidate
from pipelines.entities import entities
from pipelines.fold import UNREAD, FoldRules
from pipelines.resolve import CARD, RULES, card, cards_of, decide, forgotten, is_there, revised, stored_card

FOLD_RULES = FoldRules(buckets=64)
Group = Callable[[str, list[Atom]], list[Any]]
BATCH = 20_000
"""Rows that a worker writes at once."""


def resolve(run: Run) -> None:
    """Which raw keys are one key, and who is who."""
    with run.step("resolve") as (count, _):
        count.tables = ("keys", "entities")
        new = _news(run)
        count.detail = {"documents": len(new.documents) if new else 0}
        if new and few.resolve(run, new, count):
            reach("resolve.committed")
            return
        if not _touched_views(run):
            return
        count.detail = {"documents": run.touched_documents}
        session = run.spark
        kept = run.lake.read("keys", where=pc.field("tenant") == run.tenant)
        stored = few.stored_keys(kept)
        known = [stored_card(row) for row, _ in stored.values() if is_there(row)]
        whole = not known or _replaced(run) or any(row.kind is None for row, _ in stored.values())
        source = "live" if whole else "touched_atoms"
        leading = session.sql(
            f"SELECT inline(array(least)) FROM (SELECT min_by(struct({', '.join(CARD)}), atom_id) AS least"
            f" FROM {source} GROUP BY raw_key)"
        ).toArrow()
        told: list[Atom] = from_arrow("atoms", leading)
        pins = [row for row, _ in stored.values() if row.who != RULES]
        decisions = decide(cards_of([*([] if whole else known), *map(card, told)]), pins)
        gone = stored.keys() - {decision.raw_key for decision in decisions}
        made = [*revised(decisions, stored, last_folded(run)), *forgotten(gone, stored)]
        own = pc.is_in(kept["raw_key"], pa.array([row.raw_key for row in made], pa.string()))
        changed = sync_here(run, "keys", made, kept.filter(own)).written
        names = session.sql(
            """
            SELECT tenant, name, max(person) AS person FROM live LATERAL VIEW
            stack(3, holder, true, subject, false, target, false) AS name, person
            WHERE name <> '' GROUP BY tenant, name
            """
        ).toArrow()
        people = entities(zip(*(names[column].to_pylist() for column in ("tenant", "name", "person")), strict=True))
        renamed = sync_here(run, "entities", people, run.lake.read("entities", where=pc.field("tenant") == run.tenant))
        count.rows_in, count.rows_out = len(decisions), changed + renamed.written
        count.detail |= {"keys": len({d.key for d in decisions}), "raw_keys": len(decisions), "entities": len(people)}
        reach("resolve.committed")


def _replaced(run: Run) -> bool:
    """Whether a touched document had been extracted before: raw keys may be gone, so all are resolved anew."""
    return bool(
        run.spark.sql(
            f"""
            SELECT 1 FROM extractions JOIN touched_documents USING (document)
            WHERE tenant = {literal(run.tenant)} AND recorded <= {last_folded(run)} LIMIT 1
            """
        ).first()
    )


def fold(run: Run, folding: Group | None = None) -> None:
    """The ledger and the claim view of the touched keys; `folding` takes the fold's place where jobs are compared."""
    with run.step("fold") as (count, _):
        count.tables = ("validity", "claims")
        new = _news(run)
        if new and not folding and few.fold(run, new, count, FOLD_RULES):
            return
        if not _touched_views(run):
            return
        session = run.spark
        frame(session, run.lake, "keys").createOrReplaceTempView("keys")
        touched = query(
            session,
            """
            SELECT DISTINCT keys.key FROM keys JOIN (SELECT DISTINCT raw_key FROM touched_atoms) USING (raw_key)
            WHERE tenant = :tenant
            UNION SELECT key FROM keys WHERE tenant = :tenant AND recorded > :since
            UNION SELECT before FROM keys WHERE tenant = :tenant AND recorded > :since AND before <> ''
            """,
            tenant=run.tenant,
            since=last_folded(run),
        )
        touched.write.mode("overwrite").parquet(run.staging.uri("fold/touched"))
        session.read.parquet(run.staging.uri("fold/touched")).createOrReplaceTempView("touched_keys")
        grouped = query(
            session,
            f"""
            SELECT meant.key AS fold_key, {atom_columns("live")} FROM live JOIN (
                SELECT raw_key, key FROM keys JOIN touched_keys USING (key) WHERE tenant = :tenant) meant
            USING (raw_key)
            """,
            tenant=run.tenant,
        )
        map_groups(run, grouped, "fold_key", folding or both_folds, "validity", "fold/rows")
        columns = arrow_schema("validity").names
        for table, view in (("validity", "ledger"), ("claims", "claims")):
            stored = frame(session, run.lake, table).where(f"tenant = {literal(run.tenant)}")
            old = stored.join(session.table("touched_keys"), on="key", how="left_semi")
            done = sync(run, table, Staged("fold/rows", view), old.select(*columns))
            count.detail |= {table: done.as_dict()}
            count.rows_out += done.written
            reach(f"{table}.committed")
        count.rows_in = session.table("touched_keys").count()


def consolidate_events(run: Run) -> None:
    """Habits of the people whose documents were touched."""
    with run.step("consolidate") as (count, _):
        count.tables = ("habits",)
        new = _news(run)
        if new and few.consolidate_events(run, new, count):
            reach("habits.committed")
            return
        if not _touched_views(run):
            return
        session = run.spark
        session.sql("SELECT DISTINCT subject FROM touched_atoms WHERE kind = 'event'").createOrReplaceTempView(
            "touched_people"
        )
        events = session.sql(
            f"""
            SELECT subject AS fold_key, {atom_columns("live")} FROM live
            WHERE kind = 'event' AND subject IN (SELECT subject FROM touched_people)
            """
        )
        map_groups(run, events, "fold_key", _habits, "habits", "fold/habits")
        stored = frame(session, run.lake, "habits").where(f"tenant = {literal(run.tenant)}")
        old = stored.join(session.table("touched_people"), on="subject", how="left_semi")
        done = sync(run, "habits", Staged("fold/habits", "habits"), old.select(*arrow_schema("habits").names))
        count.rows_out = done.written
        count.detail = done.as_dict()
        reach("habits.committed")


def last_folded(run: Run) -> int:
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


def _news(run: Run) -> few.News | None:
    """What came since the last fold where this process can fold it, looked up once a run."""
    if run.news is None:
        run.news = few.news(run, last_folded(run)) or False
    return run.news or None


def _touched_views(run: Run) -> int:
    """Make the views `live` and `touched_atoms`, once a run; how many documents and decisions came since the last fold.

    All atoms of a document are live but where it was extracted twice: only there the newest extraction's list is read.
    """
    if run.touched is not None:
        return run.touched
    session, since = run.spark, last_folded(run)
    frame(session, run.lake, "extractions").createOrReplaceTempView("extractions")
    frame(session, run.lake, "atoms").where(f"tenant = {literal(run.tenant)}").createOrReplaceTempView("all_atoms")
    query(
        session,
        "SELECT DISTINCT document FROM extractions WHERE tenant = :tenant AND recorded > :since",
        tenant=run.tenant,
        since=since,
    ).createOrReplaceTempView("touched_documents")
    dead = query(
        session,
        """
        WITH latest AS (
            SELECT document, max_by(atom_ids, recorded) AS ids FROM extractions
            WHERE tenant = :tenant GROUP BY document),
        odd AS (
            SELECT latest.* FROM latest JOIN (SELECT document, count(*) AS n FROM all_atoms GROUP BY document) stored
            USING (document) WHERE n <> size(ids))
        SELECT atom_id FROM all_atoms LEFT SEMI JOIN odd USING (document)
        WHERE atom_id NOT IN (SELECT explode(ids) FROM odd)
        """,
        tenant=run.tenant,
    )
    dead.write.mode("overwrite").parquet(run.staging.uri("fold/dead"))
    session.read.parquet(run.staging.uri("fold/dead")).createOrReplaceTempView("dead")
    session.sql("SELECT * FROM all_atoms LEFT ANTI JOIN dead USING (atom_id)").createOrReplaceTempView("live")
    session.sql(
        "SELECT all_atoms.* FROM all_atoms LEFT SEMI JOIN touched_documents USING (document)"
    ).createOrReplaceTempView("touched_atoms")
    run.touched_documents = int(session.sql("SELECT count(*) AS n FROM touched_documents").first()["n"])
    own = (pc.field("tenant") == run.tenant) & (pc.field(RECORDED) > since)
    run.touched = run.touched_documents + run.lake.read("keys", columns=["raw_key"], where=own).num_rows
    return run.touched


def atom_columns(table: str = "") -> str:
    """The columns of an atom that a fold reads, for a SELECT, of a table where it is named."""
    prefix = f"{table}." if table else ""
    return ", ".join(f"{prefix}{name}" for name in arrow_schema("atoms").names if name not in UNREAD)


def both_folds(key: str, atoms: list[Atom]) -> list[tuple[str, Validity]]:
    """A key's rows of both views: ("ledger" or "claims", row)."""
    ledger_rows, claims = views_of_key(atoms, key, FOLD_RULES)
    return [("ledger", row) for row in ledger_rows] + [("claims", row) for row in claims]


def _habits(_: str, atoms: list[Atom]) -> list[tuple[str, Any]]:
    return [("habits", row) for row in consolidate(atoms)]


def map_groups(run: Run, rows: Any, key: str, fold_group: Group, table: str, folder: str) -> None:
    """Rows brought together by key and sorted, and folded a group at a time; workers write what they made to staging.

    They write it as Arrow: no row of it passes through the JVM. A task that is tried again writes the same parts.
    """
    staging, sequence = run.staging, run.sequence
    staging.clear(folder)

    def staged(made: list[tuple[str, Any]]) -> pa.Table:
        data = to_arrow(table, [row for _, row in made], sequence)
        return data.append_column(VIEW, pa.array([view for view, _ in made], pa.string()))

    staging.write(f"{folder}/none.parquet", staged([]))  # no task runs where there are no rows

    def run_groups(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        made: list[tuple[str, Any]] = []
        first = ""
        parts = 0
        for name, atoms in groups(batches, key):
            first = first if made else name  # a key is in one part alone, so it can name it
            made += fold_group(name, atoms)
            if len(made) >= BATCH:
                staging.write(f"{folder}/{content_id(first)}.parquet", staged(made))
                made, parts = [], parts + 1
        if made:
            staging.write(f"{folder}/{content_id(first)}.parquet", staged(made))
        yield pa.record_batch({"parts": pa.array([parts + bool(made)], pa.int64())})

    count = int(run.spark.conf.get("spark.sql.shuffle.partitions"))  # named, or Spark joins small ones and cores idle
    rows.repartition(count, key).sortWithinPartitions(key, "atom_id").mapInArrow(run_groups, "parts long").collect()


def groups(batches: Iterator[pa.RecordBatch], key: str) -> Iterator[tuple[str, list[Atom]]]:
    """(key, atoms) of batches that are sorted by key: read a batch at a time, a group that spans batches is held."""
    held: list[Atom] = []
    name = ""
    for batch in batches:
        table = pa.Table.from_batches([batch])
        told = zip(table[key].to_pylist(), from_arrow("atoms", table), strict=True)
        for own, group in groupby(told, key=itemgetter(0)):
            if held and own != name:
                yield name, held
                held = []
            name = own
            held += [atom for _, atom in group]
    if held:
        yield name, held
