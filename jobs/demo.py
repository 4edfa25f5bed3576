"""`memlake demo`: the whole flow on the packaged archive, ending with ten questions answered.

The archive is the support desk and team chat of an invented company, English and Korean, two and a half
years long: prices, contacts and opinions change, arrive late, are corrected and passed on by hearsay.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console

from jobs.ask import ask, open_memory
from jobs.flow import execute
from jobs.noise import engines_to
from jobs.settings import Settings
from jobs.show import show_answer
from jobs.spark import engine_log
from lakehouse.lake import Lake
from pipelines.ingest.read import files_of
from pipelines.ingest.source import ReadOptions


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the tour, and what it shows."""

    question: str
    shows: str
    as_of: str | None = None
    as_told: str | None = None


TOUR: tuple[Asked, ...] = (
    Asked("What does the City plan cost per month?", "the newest of four prices"),
    Asked("What did the City plan cost per month?", "the same, as it was then", as_of="2023-12-01"),
    Asked("Who runs the Harbour depot?", "a role that changed hands"),
    Asked("Who ran the Harbour depot?", "a note that arrived years late takes its place", as_of="2023-06-01"),
    Asked("What is the range of the Cobble One?", "a correction reaches back", as_of="2023-08-01"),
    Asked(
        "What is the range of the Cobble One?",
        "the same day, as told by then",
        as_of="2023-08-01",
        as_told="2023-08-01",
    ),
    Asked("What does Mr. Ekdal think of the City plan?", "an opinion that changed, with its holder"),
    Asked("What does Noemi Castel think of the new dashboard?", "two people, two opinions: each keeps its own"),
    Asked("성수 차고 담당자는 누구예요?", "Korean, a role that changed hands"),
    Asked("시티 요금제는 한 달에 얼마예요?", "Korean, a price that changed"),
)


def run_demo(settings: Settings, *, keep: bool) -> None:
    """Backfill the packaged archive into the settings' lake and ask the tour's questions."""
    clock = time.monotonic()
    lake = Lake(settings.lake)
    if not keep and lake.local and lake.exists():
        shutil.rmtree(lake.root)
    with as_file(files("jobs") / "demo_archive.jsonl") as archive:
        execute(settings, "demo", files_of([Path(archive)], ReadOptions(zone=settings.zone)))
    console = Console(highlight=False, soft_wrap=True)
    with engines_to(engine_log(settings)), open_memory(settings) as memory:
        for number, asked in enumerate(TOUR, 1):
            options = [f"as of {asked.as_of}"] if asked.as_of else []
            options += [f"as told by {asked.as_told}"] if asked.as_told else []
            console.print(f"\n[cyan]{number}.[/] [dim]{asked.shows}{'; ' + ', '.join(options) if options else ''}[/]")
            found = ask(memory, asked.question, settings, as_of=asked.as_of, as_told=asked.as_told)
            show_answer(asked.question, found, settings.zone)
    console.print(
        f'\nDone in {time.monotonic() - clock:.0f} s. Go on with: memlake ask "Who runs the Mill depot?"'
        f" --lake {settings.lake} --tenant {settings.tenant}"
    )
