"""One run: its lake, settings, number, staging folder, Spark session and progress."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from jobs import interrupts, ledger, spark
from jobs.faults import reach
from jobs.settings import Settings
from jobs.staging import Staging
from lakehouse.lake import Lake

log = logging.getLogger("memlake")


@dataclass
class Count:
    """What a step did. `detail` holds its own numbers; `quiet` steps with nothing to do say so in one word."""

    rows_in: int = 0
    rows_out: int = 0
    rejected: int = 0
    detail: dict[str, Any] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    tables: tuple[str, ...] = ()


@dataclass
class Run:
    """The state that the steps of one command share."""

    lake: Lake
    settings: Settings
    run_id: str
    sequence: int
    resumed: bool
    quiet: bool = False
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    counts: dict[str, Count] = field(default_factory=dict)
    touched: int | None = None
    """Documents extracted and keys decided since the last fold; None until `jobs.fold` has looked in Spark."""
    touched_documents: int = 0
    news: Any = None
    """The same where it is little (`jobs.few.News`), once `jobs.fold` has looked; False where it is too much."""

    @cached_property
    def console(self) -> Console:
        """Where people look: stderr, so that stdout stays a program's."""
        return Console(stderr=True, quiet=self.quiet, soft_wrap=True, highlight=False)

    @cached_property
    def spark(self) -> Any:
        """The Spark session, started at first use."""
        return spark.session(self.settings)

    @cached_property
    def staging(self) -> Staging:
        """The run's folder for work in progress."""
        return Staging(self.lake.staging(self.run_id))

    @property
    def tenant(self) -> str:
        """Whose data this run touches."""
        return self.settings.tenant

    def application(self, table: str) -> str:
        """The transaction name of this run's write to a table."""
        return f"{self.tenant}:{self.run_id}:{table}"

    @contextmanager
    def step(self, name: str, *, total: int | None = None, unit: str = "") -> Iterator[tuple[Count, Any]]:
        """Time a step, show its progress, and write its row to the run ledger when it ends.

        Yields the step's count, to be filled, and a function that moves the bar by a number of items.
        """
        interrupts.check()
        started, clock = datetime.now(UTC), time.monotonic()
        count = Count()
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description:<12}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn(unit),
            TimeElapsedColumn(),
        )
        shown = self.console.is_terminal and not self.quiet
        with Progress(*columns, console=self.console, transient=True, disable=not shown) as bar:
            task = bar.add_task(name, total=total)

            def advance(by: int = 1, *, total: int | None = None) -> None:
                interrupts.check()
                if total is not None:
                    bar.update(task, total=total)
                bar.update(task, advance=by)

            yield count, advance
        interrupts.check()
        seconds = time.monotonic() - clock
        self.counts[name] = count
        ledger.record(
            self.lake,
            self.run_id,
            self.sequence,
            name,
            "done",
            started_at=started,
            rows_in=count.rows_in,
            rows_out=count.rows_out,
            rejected=count.rejected,
            detail=count.detail,
            versions={table: self.lake.version(table) for table in count.tables},
            models=count.models,
        )
        reach(f"{name}.recorded")
        self.console.print(f"[green]✓[/] {name:<12} {seconds:7.1f} s  {describe(count)}")
        log.info("step done", extra={"step": name, "seconds": round(seconds, 2), "run": self.run_id})


def describe(count: Count) -> str:
    """A step's numbers in one line.

    >>> describe(Count(rows_in=3, rows_out=2, rejected=1, detail={"kept": {"a": 1}}))
    '3 in, 2 out, 1 rejected; kept: a 1'
    """
    text = f"{count.rows_in:,} in, {count.rows_out:,} out"
    if count.rejected:
        text += f", {count.rejected:,} rejected"
    extra = []
    for name, value in count.detail.items():
        if isinstance(value, dict):
            if value:
                extra.append(
                    f"{name}: "
                    + ", ".join(f"{k} {v:,}" if isinstance(v, int) else f"{k} {v}" for k, v in value.items())
                )
        elif value not in (0, "", None):
            extra.append(f"{name} {value:,}" if isinstance(value, int) else f"{name} {value}")
    return text + ("; " + "; ".join(extra) if extra else "")
