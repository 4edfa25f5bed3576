"""`memlake bench ledger`: the pure fold, and the Spark jobs over lakes that are filled by a formula.

The atoms are settings of things, told by three holders, with updates and corrections, in no order. Rates are of the
`fold` step alone, in Spark; `spark_ratio` sets it against the same step with a fold that does nothing, in the same
session. The nightly run is as the settings have it: what it touches is folded in this process, if it is little. It adds
a share of new atoms about the same share of keys; its ratio counts resolve, fold and consolidate.
"""

from __future__ import annotations

import math
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from deltalake import write_deltalake

from jobs.fold import consolidate_events, fold, mark_folded, resolve
from jobs.noise import engines_to
from jobs.run import Run
from jobs.settings import Settings
from jobs.spark import engine_log
from lakehouse.ids import content_id
from lakehouse.lake import Lake
from lakehouse.records import Atom, Evidence, Extraction, Value
from lakehouse.schema import to_arrow
from lakehouse.vocabulary import Cue
from pipelines.fold import fold_key
from pipelines.resolve import raw_key

PER_KEY = 10
PER_DOCUMENT = 50
BATCH = 50_000
WARM = 5_000
"""Atoms of the lake that the session is warmed on."""
FIRST = datetime(2022, 1, 1, tzinfo=UTC)
MINUTES = 1000 * 24 * 60
HOLDERS = ("Ann", "Bert", "Cleo")
CUES: tuple[Cue, ...] = ("none",) * 7 + ("update",) * 2 + ("correction",)


def ledger_figures(settings: Settings, sizes: Sequence[int], hot: int, new: float) -> dict[str, Any]:
    """Figures for lakes of `sizes` atoms, smallest first, a key of `hot` atoms, and a nightly run of a share `new`."""
    pure, hot_key = _pure(sizes[0], sizes[0] // PER_KEY), _pure(hot, 1)
    spent: dict[int, dict[str, float]] = {}
    with engines_to(engine_log(settings)):
        _lake_figures(settings, WARM, new)
        for size in sizes:
            spent[size] = _lake_figures(settings, size, new)
    least, most = spent[sizes[0]], spent[sizes[-1]]
    steps = math.log(sizes[-1] / sizes[0])
    return {
        "fold_atoms_per_s": round(sizes[0] / pure),
        "spark_atoms_per_s": round(sizes[-1] / most["fold"]),
        "spark_ratio": round(most["idle"] / most["fold"], 3),
        "growth": round(math.log(most["fold"] / least["fold"]) / steps, 3) if steps else None,
        "hot_key_s": round(hot_key, 1),
        "nightly_ratio": round(most["nightly"] / most["full"], 3),
        "atoms": list(sizes),
        "hot_key_atoms": hot,
        "new": new,
        "seconds": {size: {name: round(value, 1) for name, value in told.items()} for size, told in spent.items()},
    }


def _pure(count: int, keys: int) -> float:
    """Seconds of the fold alone, atoms in memory."""
    groups: dict[str, list[Atom]] = {}
    for atom in _atoms(0, count, keys):
        groups.setdefault(atom.raw_key, []).append(atom)
    return _seconds(lambda: [fold_key(group, key) for key, group in groups.items()])


def _lake_figures(settings: Settings, size: int, new: float) -> dict[str, float]:
    """Seconds of the jobs over one lake of `size` atoms."""
    keys = max(1, size // PER_KEY)
    with tempfile.TemporaryDirectory(prefix="memlake-bench-") as folder:
        lake = Lake(f"{folder}/lake")
        lake.create()
        _fill(lake, _atoms(0, size, keys), 1)
        shutil.copytree(f"{folder}/lake", f"{folder}/idle")
        engine = settings.model_copy(update={"spark_from": 0})
        idle = Run(Lake(f"{folder}/idle"), engine, "bench-idle", 1, False, quiet=True)
        resolve(idle)
        nothing = _seconds(lambda: fold(idle, lambda _key, _atoms: []))
        full = Run(lake, engine, "bench-full", 1, False, quiet=True)
        told = {"idle": nothing, "resolve": _seconds(partial(resolve, full)), "fold": _seconds(partial(fold, full))}
        told["full"] = told["resolve"] + told["fold"] + _seconds(partial(consolidate_events, full))
        mark_folded(full)
        _fill(lake, _atoms(size, round(size * new), max(1, round(keys * new))), 2)
        night = Run(lake, settings, "bench-night", 2, False, quiet=True)
        for step in (resolve, fold, consolidate_events):
            told[f"nightly {step.__name__}"] = _seconds(partial(step, night))
        told["nightly"] = sum(value for name, value in told.items() if name.startswith("nightly "))
    return told


def _seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _fill(lake: Lake, atoms: Iterator[Atom], sequence: int) -> None:
    """Append atoms and their documents' extractions, a batch at a time."""
    held: list[Atom] = []
    for atom in atoms:
        held.append(atom)
        if len(held) == BATCH:
            _append(lake, held, sequence)
            held = []
    if held:
        _append(lake, held, sequence)


def _append(lake: Lake, atoms: list[Atom], sequence: int) -> None:
    ids: dict[str, list[str]] = {}
    for atom in atoms:
        ids.setdefault(atom.document, []).append(atom.atom_id)
    read = [Extraction("default", name, name, len(own), tuple(own), "formula", "1") for name, own in ids.items()]
    write_deltalake(lake.path("atoms"), to_arrow("atoms", atoms, sequence), mode="append")
    write_deltalake(lake.path("extractions"), to_arrow("extractions", read, sequence), mode="append")


def _atoms(first: int, count: int, keys: int) -> Iterator[Atom]:
    """`count` atoms about `keys` things, numbered from `first` on; the same arguments give the same atoms."""
    chance = random.Random(first)
    known: dict[int, str] = {}
    for number in range(first, first + count):
        thing = chance.randrange(keys)
        said = FIRST + timedelta(minutes=chance.randrange(MINUTES))
        value, wrong = (f"{digit}" for digit in chance.sample(range(1, 9), 2))
        cue = chance.choice(CUES)
        document = content_id("bench", number // PER_DOCUMENT)
        atom = Atom(
            tenant="default", atom_id=content_id("bench", "atom", number), document=document, segment_id=document,
            kind="fact", memory_types=("GM",), subject=f"unit {thing}", relation="open:limit", scope=(),
            values=(Value("quantity", value, value),), value_type="quantity", many=False, static=False,
            anchors=("limit", "unit", f"u{thing}"), content=f"The limit of unit {thing} is {value}.",
            holder=chance.choice(HOLDERS), relay=(), target=None, polarity=None, modality="asserted", cue=cue,
            corrects=(Value("quantity", wrong, wrong),) if cue == "correction" else (), exhaustive=False,
            stated_start=None, stated_end=None, event_time=None,
            evidence=(Evidence(f"{number % PER_DOCUMENT}", 0, 24, f"The limit of unit {thing} is {value}."),),
            confidence=1.0, language="en", said_at=said.isoformat(), said_ts=said, said_precision="minute",
            extractor="formula", extractor_version="1",
        )  # fmt: skip
        if thing not in known:
            known[thing] = raw_key(atom)
        yield replace(atom, raw_key=known[thing])
