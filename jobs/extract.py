"""Step 2: pending documents become segments, atoms, edges and vectors; Spark plans and commits, Ray does the text.

A document is pending when it was never extracted, or has turns that its extraction has not seen. Pending
documents are cut into partitions of whole documents; each stage writes a partition's rows whole or not at
all, so a killed run goes on with the partitions that are left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jobs.faults import reach
from jobs.query import query
from jobs.run import Run
from lakehouse.delta import append_new, frame, inserted
from lakehouse.errors import EngineError

OUTPUTS = ("segments", "atoms", "edges", "vectors", "rejects", "extractions")
"""The tables that a partition's rows go to, in the order of their commits: a document counts once the last is in."""


def extract(run: Run, *, again: bool = False) -> None:
    """Extract what is pending; `again` takes every document (after a change of rules or models)."""
    from jobs.ray_extract import extractor_of

    with run.step("extract", unit="partitions") as (count, advance):
        parts = _plan(run, again)
        count.tables = OUTPUTS
        count.detail = {"partitions": len(parts)}
        if not parts:
            return
        totals: dict[str, int] = {}
        failed, stops, waiting = [], [], []
        advance(0, total=len(parts))
        for result in _work(run, parts):
            if result.get("failed"):
                failed.append((result["part"], result["failed"]))
                continue
            if told := result.get("stopped"):
                stops.append(told)
                continue
            if result.get("waiting"):
                waiting.append(int(result["number"]))
                continue
            for name, value in result.items():
                if isinstance(value, int) and name != "number":
                    totals[name] = totals.get(name, 0) + value
            reach("extract.partition")
            advance()
        if failed:
            raise EngineError(
                f"{len(failed)} of {len(parts)} partitions failed, the first with: {failed[0][1]}",
                place=failed[0][0],
                hint="nothing is lost; run the same command again to retry them",
            )
        if stops or waiting:
            from jobs.llm_extract import stopped, wait_for_batch

            raise stopped(stops[0]) if stops else wait_for_batch(run, waiting)
        _commit(run)
        count.rows_in = totals.get("turns", 0)
        count.rows_out = inserted(run.lake, "atoms", run.application("atoms"))
        count.rejected = totals.get("failed_turns", 0)
        dropped = {name[8:]: value for name, value in sorted(totals.items()) if name.startswith("dropped:")}
        count.detail |= {
            "documents": totals.get("documents", 0),
            "segments": totals.get("segments", 0),
            "kinds": {name: totals.get(name, 0) for name in ("event", "fact", "claim")},
            "dropped": dropped,
            "tails_not_read": totals.get("tails_not_read", 0),
        }
        if run.settings.extractor != "rules":
            from jobs.llm_extract import conclude

            count.detail |= conclude(run, totals)
        count.models = {"embedder": run.settings.embedder, "extractor": " ".join(extractor_of(run.settings))}


def _plan(run: Run, again: bool) -> list[str]:
    """The names of the partitions; made once a run, so a resumed one finds the same."""
    if not run.staging.exists("extract/pending/_SUCCESS"):
        run.staging.clear("extract")
        session = run.spark
        frame(session, run.lake, "turns").createOrReplaceTempView("turns")
        frame(session, run.lake, "extractions").createOrReplaceTempView("extractions")
        pending = query(
            session,
            """
            WITH told AS (
                SELECT document, count(*) AS turns, max(recorded) AS recorded FROM turns
                WHERE tenant = :tenant GROUP BY document),
            latest AS (
                SELECT document, max_by(turns, recorded) AS turns, max(recorded) AS recorded FROM extractions
                WHERE tenant = :tenant GROUP BY document)
            SELECT told.document, told.turns FROM told LEFT JOIN latest USING (document)
            WHERE :again OR latest.document IS NULL OR latest.turns <> told.turns OR told.recorded > latest.recorded
            """,
            tenant=run.tenant,
            again=again,
        )
        pending.createOrReplaceTempView("pending")
        chosen = query(
            session,
            f"""
            WITH parts AS (
                SELECT document, CAST((sum(turns) OVER (ORDER BY document) - turns)
                                      / {int(run.settings.partition_turns)} AS INT) AS part FROM pending)
            SELECT turns.*, parts.part FROM turns JOIN parts USING (document) WHERE tenant = :tenant
            """,
            tenant=run.tenant,
        )
        chosen.repartition("part").write.mode("overwrite").partitionBy("part").parquet(
            run.staging.uri("extract/pending")
        )
        reach("extract.planned")
    return [f"extract/pending/{name}" for name in run.staging.names("extract/pending")]


def _work(run: Run, parts: list[str]) -> Iterator[dict[str, Any]]:
    from jobs.ray_extract import run_partitions, start

    shared = None
    if run.settings.extractor != "rules":
        from jobs.llm_extract import access

        start(run.settings)
        shared = access(run)
    yield from run_partitions(parts, run.staging, run.settings, tenant=run.tenant, sequence=run.sequence, shared=shared)


def _commit(run: Run) -> None:
    session, lake = run.spark, run.lake
    for table in OUTPUTS:
        folder = f"extract/{table}"
        if not run.staging.exists(folder):
            continue
        rows = session.read.parquet(run.staging.uri(folder))
        append_new(lake, table, rows, frame(session, lake, table), run.application(table))
        reach(f"{table}.committed")
