"""The flow: the steps of a backfill and of a nightly run, in one tuple that a newcomer reads first."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from jobs import ledger
from jobs.extract import extract
from jobs.fold import consolidate_events, fold, mark_folded, resolve
from jobs.ingest import ingest
from jobs.interrupts import interruptible
from jobs.noise import engines_to
from jobs.publish import publish
from jobs.run import Run
from jobs.settings import Settings
from jobs.spark import engine_log
from jobs.staging import Staging
from jobs.verify import verify
from lakehouse.errors import EngineError, LakeError, MemlakeError
from lakehouse.lake import STAGING, Lake
from pipelines.ingest.source import Source

STEPS: tuple[Callable[[Run], None], ...] = (extract, resolve, fold, consolidate_events, mark_folded, verify, publish)
"""After the archive's files are ingested. Each reads only what the run ledger and the tables say is new."""


def execute(
    settings: Settings,
    command: str,
    sources: Sequence[Source],
    *,
    options: Sequence[str] = (),
    run_id: str = "",
    wait: bool = False,
    quiet: bool = False,
    again: bool = False,
    responses: Sequence[str] = (),
    opening: Callable[[Run], None] | None = None,
) -> Run:
    """One whole run over an archive's files (none: only what is pending), under the writer's lease.

    The same command resumes: an unfinished run of the same files goes on under its number. `responses` are files
    of a batch that came back; without an archive, the run that waits for them goes on. `opening` is a step of the
    command's own before the others.
    """
    if settings.extractor != "rules":
        from jobs.llm_extract import check

        check(settings)
    lake = Lake(settings.lake)
    lake.create()
    with lake.writer(wait=wait), interruptible(), engines_to(engine_log(settings)):
        files = [(source.uri, *_stamp(source)) for source in sources]
        waits = _waiting(lake, settings.tenant) if responses and not sources else ""
        name = run_id or waits or ledger.fingerprint(command, settings.tenant, files, options)
        identity, sequence, resumed = ledger.claim(lake, name)
        run = Run(lake, settings, identity, sequence, resumed, quiet)
        _announce(run, command, len(sources))
        if not resumed:
            Staging(f"{lake.root}/{STAGING}").clear()
            ledger.record(lake, identity, sequence, ledger.RUN, "started", started_at=run.started_at)
        try:
            if sources:
                ingest(run, sources)
            if opening:
                opening(run)
            if responses:
                from jobs.llm_extract import take_responses

                take_responses(run, responses)
            for step in STEPS:
                if step is extract and again:
                    extract(run, again=True)
                else:
                    step(run)
        except MemlakeError:
            raise
        except Exception as error:
            raise explained(error, settings) from error
        finally:
            from jobs.ray_extract import stop

            stop()
        ledger.record(
            lake,
            identity,
            sequence,
            ledger.RUN,
            "done",
            started_at=run.started_at,
            rows_in=sum(c.rows_in for n, c in run.counts.items() if n == "ingest"),
            rows_out=sum(c.rows_out for n, c in run.counts.items() if n == "ingest"),
            detail={name: {"in": c.rows_in, "out": c.rows_out} for name, c in run.counts.items()},
        )
        run.staging.clear()
    _summary(run)
    return run


def _waiting(lake: Lake, tenant: str) -> str:
    """The newest run of the tenant that waits for a batch, "" for none."""
    from jobs.replies import RequestFiles

    runs = RequestFiles(lake.root, tenant).runs()
    order = {row["run_id"]: row["sequence"] for row in ledger.steps(lake)}
    return max(runs, key=lambda name: order.get(name, 0), default="")


def explained(error: Exception, settings: Settings) -> MemlakeError:
    """What an engine's or the system's error means for the user: one line; the whole of it goes to the engines' log."""
    log = engine_log(settings)
    told = "".join(traceback.format_exception(error))
    with suppress(OSError), log.open("a", encoding="utf-8", errors="replace") as out:
        out.write(told)
    if "No space left on device" in told or "Disk quota exceeded" in told:
        return LakeError("the disk is full", place=settings.lake, hint="make room; the same command resumes")
    first = (str(error).strip().splitlines() or [""])[0][:200]
    return EngineError(
        f"{type(error).__name__}: {first}", place=settings.lake, hint=f"the same command resumes; details are in {log}"
    )


def report(run: Run) -> dict[str, Any]:
    """The run's counts for a program, with the audit: rows in = kept + already known + rejected."""
    ingested = run.counts.get("ingest")
    out: dict[str, Any] = {
        "run_id": run.run_id,
        "sequence": run.sequence,
        "seconds": round((datetime.now(UTC) - run.started_at).total_seconds(), 1),
        "steps": {
            name: {"in": c.rows_in, "out": c.rows_out, "rejected": c.rejected, **c.detail}
            for name, c in run.counts.items()
        },
    }
    if ingested is not None:
        known = int(ingested.detail["known"])
        out["audit"] = {
            "in": ingested.rows_in,
            "kept": ingested.rows_out,
            "known": known,
            "rejected": ingested.rejected,
            "balanced": ingested.rows_in == ingested.rows_out + known + ingested.rejected,
        }
        out["turns_per_s"] = round(ingested.rows_out / max(out["seconds"], 0.001), 1)
    return out


def _announce(run: Run, command: str, files: int) -> None:
    resumed = " (resumed)" if run.resumed else ""
    run.console.print(
        f"memlake {command}: run {run.run_id}{resumed}, lake {run.lake.root}, tenant {run.tenant}"
        + (f", {files} file(s)" if files else "")
    )


def _summary(run: Run) -> None:
    told = report(run)
    if audit := told.get("audit"):
        sign = "=" if audit["balanced"] else "≠"
        run.console.print(
            f"audit: {audit['in']:,} rows in {sign} {audit['kept']:,} kept + {audit['known']:,} already known"
            f" + {audit['rejected']:,} rejected"
        )
    speed = f", {told['turns_per_s']:,} turns/s" if told.get("turns_per_s") else ""
    run.console.print(f"done in {told['seconds']:,} s{speed}")


def _stamp(source: Source) -> tuple[int, int]:
    from pathlib import Path

    stat = Path(source.path).stat()
    return stat.st_size, stat.st_mtime_ns


__all__ = ["STEPS", "execute", "report"]
