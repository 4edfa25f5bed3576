"""Step 7: what changed since the last publication goes to Milvus, then the pointer moves.

New rows carry this publication as `pub_from`, retired ones as `pub_to`; readers filter by the number that
the pointer names, so they see the old publication whole until the pointer row is committed, and then the
new one. The whole step can be done again: every write is an upsert by primary key.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from jobs import ledger
from jobs.faults import reach
from jobs.reembed import embed_missing
from jobs.run import Run
from lakehouse.errors import EngineError
from lakehouse.lake import newest_publication
from lakehouse.records import Publication
from retrieval.index import FOREVER, Index, collection_name, primary_key, tenant_key, turn_item

VERSIONED = ("turns", "segments", "atoms", "extractions", "entities", "keys", "validity", "claims", "habits", "edges")
FILTER_COLUMNS = ("atom_id", "memory_types", "kind", "polarity", "said_ts", "document")
WRITE_ROWS = 2_000


def milvus_uri(run_lake_root: str, setting: str) -> str:
    """Where Milvus is: the setting, else a Milvus Lite file in a local lake."""
    if setting:
        return setting
    if "://" in run_lake_root:
        raise EngineError(
            "a lake on an object store needs a Milvus server", place=run_lake_root, hint="set MEMLAKE_MILVUS_URI"
        )
    return f"{run_lake_root}/milvus.db"


def publish(run: Run) -> None:
    """Publish the tenant's changes and move the pointer."""
    from retrieval.embedder import make_embedder

    with run.step("publish", unit="rows") as (count, advance):
        encoder = make_embedder(run.settings.embedder, cache=run.settings.cache / "models")
        collection = collection_name(encoder.name)
        before = newest_publication(run.lake)
        count.models = {"embedder": encoder.name}
        count.tables = ("publications",)
        if before and before["run_id"] == run.run_id and before["collection"] == collection:
            _mark(run, collection)  # the pointer was moved before this run was killed
            return
        index = Index(milvus_uri(run.lake.root, run.settings.milvus_uri), run.settings.milvus_token)
        try:
            since = _published(run, collection) if index.has(collection) else 0
            if since == 0:
                count.detail["embedded"] = embed_missing(run, encoder.name)
            rows, retired = _changes(run, since, encoder.name)
            if before and before["collection"] == collection and since and not rows.num_rows and not retired:
                count.detail = {"publication": before["publication"], "unchanged": 1}
                _mark(run, collection)
                return
            advance(0, total=rows.num_rows + len(retired))
            index.ensure(collection, len(rows["vector"][0]) if rows.num_rows else encoder.dim)
            for batch in _rows(run, rows):
                index.upsert(collection, batch)
                advance(len(batch))
            reach("publish.upserted")
            for batch in _retired(run, index, collection, retired, encoder.name):
                index.upsert(collection, batch)
                advance(len(batch))
            reach("publish.retired")
            shown = index.count(collection, publication=run.sequence, tenant=run.tenant)
        finally:
            index.close()
        pointer = Publication(
            publication=run.sequence,
            collection=collection,
            model=encoder.name,
            run_id=run.run_id,
            published_at=datetime.now(UTC),
            versions=json.dumps({table: run.lake.version(table) for table in VERSIONED}),
            counts=json.dumps({"shown": shown, "new": rows.num_rows, "retired": len(retired), "tenant": run.tenant}),
        )
        ledger.append(run.lake, "publications", pointer, run.sequence, f"{run.run_id}:publication:{collection}")
        reach("publish.pointed")
        _mark(run, collection)
        count.rows_in, count.rows_out = rows.num_rows + len(retired), rows.num_rows
        count.detail |= {"publication": run.sequence, "retired": len(retired), "shown": shown}


def _mark(run: Run, collection: str) -> None:
    ledger.record(
        run.lake, run.run_id, run.sequence, f"published:{run.tenant}:{collection}", "done", started_at=run.started_at
    )


def _published(run: Run, collection: str) -> int:
    """The last run up to which the tenant's rows are in the collection."""
    name = f"published:{run.tenant}:{collection}"
    return max(
        (
            int(row["sequence"])
            for row in ledger.steps(run.lake)
            if row["step"] == name and row["status"] == "done" and row["sequence"] < run.sequence
        ),
        default=0,
    )


def _changes(run: Run, since: int, model: str) -> tuple[pa.Table, list[str]]:
    """(vectors to publish, atoms to retire): what was recorded after `since`, live atoms and turns only."""
    own = (pc.field("tenant") == run.tenant) & (pc.field("recorded") > since)
    touched = run.lake.read("extractions", columns=["document"], where=own)["document"].unique()
    new = run.lake.read("vectors", where=own & (pc.field("model") == model))
    if not len(touched):
        return new, []
    lists = run.lake.read(
        "extractions",
        columns=["document", "atom_ids", "recorded"],
        where=(pc.field("tenant") == run.tenant) & pc.field("document").isin(touched),
    ).to_pylist()
    newest: dict[str, dict[str, Any]] = {}
    for row in lists:
        if row["recorded"] >= newest.get(row["document"], row)["recorded"]:
            newest[row["document"]] = row
    live = {atom for row in newest.values() for atom in row["atom_ids"]}
    ever = {atom for row in lists if row["recorded"] <= since for atom in row["atom_ids"]}
    dead = {atom for row in lists for atom in row["atom_ids"]} - live
    if dead:
        keep = pc.invert(pc.is_in(new["item"], pa.array(sorted(dead), pa.string())))
        new = new.filter(keep)
    back = live & ever - set(new["item"].to_pylist())
    return _with_returned(run, new, back, model), sorted(ever - live)


def _with_returned(run: Run, new: pa.Table, back: set[str], model: str) -> pa.Table:
    """Atoms that an earlier extraction had and the newest has again must be shown again: their vectors are there."""
    if not back:
        return new
    where = (pc.field("tenant") == run.tenant) & (pc.field("model") == model) & pc.field("item").isin(sorted(back))
    return pa.concat_tables([new, run.lake.read("vectors", where=where)])


def _rows(run: Run, vectors: pa.Table) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, vectors.num_rows, WRITE_ROWS):
        part = vectors.slice(start, WRITE_ROWS).to_pylist()
        yield _fill(run, part, pub_from=run.sequence, pub_to=FOREVER)


def _fill(run: Run, part: list[dict[str, Any]], *, pub_from: int, pub_to: int) -> list[dict[str, Any]]:
    """Milvus rows of vectors, with the filter fields of their atoms and turns."""
    atoms = [row["item"] for row in part if row["kind"] == "atom"]
    facts: dict[str, dict[str, Any]] = {}
    if atoms:
        where = (pc.field("tenant") == run.tenant) & pc.field("atom_id").isin(atoms)
        facts = {row["atom_id"]: row for row in run.lake.read("atoms", columns=FILTER_COLUMNS, where=where).to_pylist()}
    documents = sorted({row["item"].split("/", 1)[0] for row in part if row["kind"] == "turn"})
    if documents:
        where = (pc.field("tenant") == run.tenant) & pc.field("document").isin(documents)
        for row in run.lake.read("turns", columns=["document", "turn_id", "said_ts"], where=where).to_pylist():
            facts[turn_item(row["document"], row["turn_id"])] = row
    out = []
    for row in part:
        fact = facts.get(row["item"], {})
        types = fact.get("memory_types") or []
        said = fact.get("said_ts")
        out.append(
            {
                "pk": primary_key(run.tenant, row["kind"], row["item"]),
                "tenant": tenant_key(run.tenant),
                "kind": row["kind"],
                "item": row["item"],
                "pub_from": pub_from,
                "pub_to": pub_to,
                "said": int(said.timestamp()) if said else 0,
                "judges": fact.get("kind") == "claim" and fact.get("polarity") in ("positive", "negative"),
                "em": "EM" in types,
                "pm": "PM" in types,
                "gm": "GM" in types,
                "dense": row["vector"],
                "sparse": dict(zip(row["terms"], row["weights"], strict=True)) or {0: 1e-6},
            }
        )
    return out


def _retired(run: Run, index: Index, collection: str, atoms: list[str], model: str) -> Iterator[list[dict[str, Any]]]:
    """Rows of atoms that no longer count, closed at this publication; their `pub_from` stays."""
    for start in range(0, len(atoms), WRITE_ROWS):
        part = atoms[start : start + WRITE_ROWS]
        keys = [primary_key(run.tenant, "atom", atom) for atom in part]
        shown = {row["pk"]: row for row in index.rows(collection, keys) if row["pub_to"] == FOREVER}
        where = (pc.field("tenant") == run.tenant) & (pc.field("model") == model) & pc.field("item").isin(part)
        rows = _fill(run, run.lake.read("vectors", where=where).to_pylist(), pub_from=0, pub_to=run.sequence)
        yield [{**row, "pub_from": shown[row["pk"]]["pub_from"]} for row in rows if row["pk"] in shown]
