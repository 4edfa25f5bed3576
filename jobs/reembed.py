"""Vectors for a model that has not seen the tenant's texts: a new embedding model builds beside the old one."""

from __future__ import annotations

from typing import Any

from jobs.faults import reach
from jobs.query import query
from jobs.run import Run
from lakehouse.delta import append_new, frame
from lakehouse.errors import EngineError


def embed_missing(run: Run, model: str) -> int:
    """Embed the turns and atoms that have no vector of this model; how many there were."""
    session, lake = run.spark, run.lake
    for table in ("turns", "atoms", "vectors"):
        frame(session, lake, table).createOrReplaceTempView(f"all_{table}")
    missing = query(
        session,
        """
        WITH items AS (
            SELECT concat(document, '/', turn_id) AS item, 'turn' AS kind, text, content_hash AS text_hash
            FROM all_turns WHERE tenant = :tenant
            UNION ALL
            SELECT atom_id AS item, 'atom' AS kind, content AS text, atom_id AS text_hash
            FROM all_atoms WHERE tenant = :tenant)
        SELECT * FROM items
        WHERE item NOT IN (SELECT item FROM all_vectors WHERE tenant = :tenant AND model = :model)
        """,
        tenant=run.tenant,
        model=model,
    )
    if not run.staging.exists("reembed/pending/_SUCCESS"):
        count = int(missing.count())
        if not count:
            return 0
        parts = max(1, count // run.settings.partition_turns)
        missing.repartition(parts, "item").write.mode("overwrite").parquet(run.staging.uri("reembed/pending"))
    names = [f"reembed/pending/{name}" for name in run.staging.names("reembed/pending")]
    embedded = sum(_embed(run, names))
    rows = session.read.parquet(run.staging.uri("reembed/vectors"))
    append_new(lake, "vectors", rows, frame(session, lake, "vectors"), f"{run.application('vectors')}:{model}")
    reach("reembed.committed")
    return embedded


def _embed(run: Run, parts: list[str]) -> list[int]:
    from jobs.ray_extract import TextEmbedder, run_stages

    counts: list[int] = []
    failed: list[dict[str, Any]] = []
    for result in run_stages((TextEmbedder,), parts, run.staging, run.settings, run.tenant, run.sequence):
        if result.get("failed"):
            failed.append(result)
        else:
            counts.append(int(result["embedded"]))
    if failed:
        raise EngineError(
            f"{len(failed)} of {len(parts)} partitions failed, the first with: {failed[0]['failed']}",
            place=failed[0]["part"],
            hint="run the same command again to retry them",
        )
    return counts
