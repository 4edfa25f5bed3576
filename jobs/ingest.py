"""Step 1: an archive's files become turns and rejects, in one commit each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from jobs.faults import reach
from jobs.query import query
from jobs.run import Run
from lakehouse.delta import append_new, frame, inserted
from lakehouse.errors import InputError
from lakehouse.records import Reject, Turn
from lakehouse.schema import to_arrow
from pipelines.ingest.read import read_file
from pipelines.ingest.source import Source

PART_ROWS = 20_000
PART_CHARACTERS = 32 * 2**20
"""Text of a staged part at most, so that huge messages don't pile up in memory."""


def ingest(run: Run, sources: Sequence[Source]) -> None:
    """Read the files, stage their rows, append those that are new.

    Raises InputError when the files hold not one turn.
    """
    with run.step("ingest", total=len(sources), unit="files") as (count, advance):
        counts = run.staging.read_json("ingest/done.json") or _stage(run, sources, advance)
        count.rows_in = counts["turns"] + counts["rejects"]
        count.rejected = counts["rejects"]
        count.tables = ("turns", "rejects")
        new, changed = _commit(run) if counts["turns"] else (0, 0)
        _commit_rejects(run, counts["rejects"] + changed)
        known = counts["turns"] - new - changed
        count.rows_out = new
        count.rejected += changed
        count.detail = {
            "known": known,
            "changed": changed,
            "reasons": dict(sorted(counts["reasons"].items())),
            "notes": dict(sorted(counts["notes"].items())),
        }
    if not counts["turns"]:
        reasons = ", ".join(f"{name} {n}" for name, n in sorted(counts["reasons"].items())) or "no records"
        raise InputError(
            f"not one turn in {len(sources)} file(s): {reasons}",
            place=sources[0].uri,
            hint="`memlake runs --rejects` lists each reject; --format and --column say what a file is",
        )


def _stage(run: Run, sources: Sequence[Source], advance: Any) -> dict[str, Any]:
    """Parse every file into Parquet parts; the last thing written is the marker with the counts."""
    run.staging.clear("ingest")
    notes: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    counts = {"turns": 0, "rejects": 0}
    rejects: list[Reject] = []

    def turns() -> Iterator[Turn]:
        for source in sources:
            for row in read_file(source, run.tenant, notes):
                if isinstance(row, Reject):
                    reasons[row.reason] += 1
                    rejects.append(row)
                    if len(rejects) >= PART_ROWS:
                        flush()
                else:
                    counts["turns"] += 1
                    yield row
            advance()

    def flush() -> None:
        if rejects:
            name = f"ingest/rejects/part-{counts['rejects']:09d}.parquet"
            run.staging.write(name, to_arrow("rejects", rejects, run.sequence))
            counts["rejects"] += len(rejects)
            rejects.clear()

    for number, part in enumerate(_parts(turns())):
        run.staging.write(f"ingest/turns/part-{number:06d}.parquet", to_arrow("turns", part, run.sequence))
    flush()
    done = {**counts, "reasons": dict(reasons), "notes": dict(notes)}
    run.staging.write_json("ingest/done.json", done)
    reach("ingest.staged")
    return done


def _parts(turns: Iterator[Turn]) -> Iterator[list[Turn]]:
    part: list[Turn] = []
    characters = 0
    for turn in turns:
        part.append(turn)
        characters += len(turn.text)
        if len(part) >= PART_ROWS or characters >= PART_CHARACTERS:
            yield part
            part, characters = [], 0
    if part:
        yield part


def _commit(run: Run) -> tuple[int, int]:
    """(turns that were new, turns refused because another text stands under their id)."""
    session, lake = run.spark, run.lake
    staged = session.read.parquet(run.staging.uri("ingest/turns"))
    staged.createOrReplaceTempView("staged_turns")
    frame(session, lake, "turns").createOrReplaceTempView("stored_turns")
    key = "tenant, document, turn_id"
    chosen = session.sql(
        f"""
        SELECT * EXCEPT (place) FROM (
            SELECT *, row_number() OVER (PARTITION BY {key} ORDER BY content_hash, uri, position) AS place
            FROM staged_turns)
        WHERE place = 1
        """
    )
    changed_rows = query(
        session,
        f"""
        WITH told AS (
            SELECT {key}, content_hash FROM stored_turns
            WHERE tenant = :tenant AND document IN (SELECT DISTINCT document FROM staged_turns)
            UNION ALL
            SELECT {key}, min(content_hash) FROM staged_turns s
            WHERE NOT EXISTS (SELECT 1 FROM stored_turns t
                              WHERE t.tenant = s.tenant AND t.document = s.document AND t.turn_id = s.turn_id)
            GROUP BY {key})
        SELECT s.tenant, s.uri, s.turn_id, s.content_hash
        FROM staged_turns s JOIN told USING (tenant, document, turn_id)
        WHERE s.content_hash <> told.content_hash
        """,
        tenant=run.tenant,
    )
    application = run.application("turns")
    if run.lake.committed("turns", application) < 1:
        changed = changed_rows.toArrow()
        rejects = [
            _changed(run.tenant, row) for row in sorted(changed.to_pylist(), key=lambda r: (r["uri"], r["turn_id"]))
        ]
        run.staging.write_json("ingest/changed.json", {"count": len(rejects)})
        if rejects:
            run.staging.write("ingest/rejects/changed.parquet", to_arrow("rejects", rejects, run.sequence))
        append_new(lake, "turns", chosen, frame(session, lake, "turns"), application)
    reach("turns.committed")
    return inserted(lake, "turns", application), int(run.staging.read_json("ingest/changed.json")["count"])


def _changed(tenant: str, row: dict[str, Any]) -> Reject:
    from pipelines.ingest.drafts import Refusal, reject

    refusal = Refusal(0, "changed_turn", f"another text under turn id {row['turn_id']}", row["content_hash"])
    return reject(tenant, row["uri"], refusal)


def _commit_rejects(run: Run, count: int) -> None:
    if not count:
        return
    session, lake = run.spark, run.lake
    rows = session.read.parquet(run.staging.uri("ingest/rejects"))
    append_new(lake, "rejects", rows, frame(session, lake, "rejects"), run.application("rejects"))
    reach("rejects.committed")
