"""`memlake keys`: which statements are about one thing, as the rules and people decided, and people's own decisions.

A person's decision is a row of the keys table. It wins over the rules in every later run, and what it touches is
folded again at once. Earlier decisions stay in the table's versions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pyarrow.compute as pc
from rich.console import Console
from rich.table import Table

from jobs.fold import last_folded
from jobs.run import Run
from jobs.settings import Settings
from jobs.sync import sync_here
from lakehouse.errors import InputError
from lakehouse.lake import Lake
from lakehouse.records import KeyDecision
from lakehouse.schema import RECORDED, from_arrow
from pipelines.resolve import GONE, RULES

HOW = ("merge", "split", "pin", "release")
SHORTEST = 6
"""Characters of a key's id that name it at least."""


def decisions(settings: Settings) -> list[tuple[KeyDecision, int]]:
    """The tenant's decisions, each with the run that recorded it."""
    lake = Lake(settings.lake)
    lake.require()
    rows = lake.read("keys", where=pc.field("tenant") == settings.tenant)
    stored: list[KeyDecision] = from_arrow("keys", rows)
    found = zip(stored, rows[RECORDED].to_pylist(), strict=True)
    return [(row, at) for row, at in found if row.how != GONE]


def listed(settings: Settings, words: Sequence[str], by_people: bool) -> list[dict[str, Any]]:
    """Keys with their raw keys, those of most raw keys first; only those that hold all `words`, or a person's."""
    keys: dict[str, list[KeyDecision]] = {}
    for row, _ in decisions(settings):
        keys.setdefault(row.key, []).append(row)
    asked = [word.casefold() for word in words]
    out = []
    for key, rows in keys.items():
        about = sorted({word for row in rows for word in (*row.anchors, *row.scope, row.relation) if word})
        if (by_people and all(row.who == RULES for row in rows)) or not (
            key in asked or all(any(word in known for known in about) for word in asked)
        ):
            continue
        raw = [
            {"raw_key": row.raw_key, "anchors": row.anchors, "who": row.who, "how": row.how, "why": row.why}
            for row in sorted(rows, key=lambda row: row.raw_key)
        ]
        out.append({"key": key, "about": about, "raw_keys": raw})
    return sorted(out, key=lambda row: (-len(row["raw_keys"]), row["key"]))


def show(rows: Sequence[dict[str, Any]], limit: int) -> None:
    """Keys as a table, one line a raw key."""
    table = Table(box=None, header_style="bold")
    for name in ("key", "raw key", "about", "who", "why"):
        table.add_column(name, no_wrap=name.endswith("key"))
    for row in rows[:limit]:
        for place, raw in enumerate(row["raw_keys"]):
            table.add_row(
                row["key"] if place == 0 else "", raw["raw_key"], " ".join(raw["anchors"]), raw["who"], raw["why"]
            )
    Console(soft_wrap=True).print(table)
    if len(rows) > limit:
        Console().print(f"{len(rows) - limit:,} more; words, --limit or --json show them")


def made(settings: Settings, how: str, names: Sequence[str], who: str, why: str) -> list[KeyDecision]:
    """A person's decisions on keys that are named by id or its beginning. Raises InputError for a name that fits none.

    "merge A B …" makes B and the rest one with A. "split A …" sets every raw key of A on its own, or the raw keys
    named after it. "pin RAW KEY" moves one raw key to a key. "release A …" gives keys back to the rules.
    """
    stored = {row.raw_key: row for row, _ in decisions(settings)}
    ids = [_known(name, {*stored, *(row.key for row in stored.values())}) for name in names]
    if how in ("merge", "pin") and len(ids) < 2:
        raise InputError("two keys are needed", place=how, hint="`memlake keys list WORD` shows them")
    if how == "merge":
        chosen = dict.fromkeys(ids[1:], (ids[0],))
    elif how == "pin":
        chosen = {ids[0]: (ids[1],)}
    elif how == "split" and len(ids) > 1:
        chosen = {raw: (raw,) for raw in ids[1:]}
    else:
        chosen = {raw: (raw,) for raw, row in stored.items() if row.key in ids or raw in ids}
    if missing := [raw for raw in chosen if raw not in stored]:
        raise InputError("no such raw key", place=missing[0], hint="`memlake keys list` shows them")
    decided = RULES if how == "release" else who
    return [
        replace(stored[raw], who=decided, how=RULES if how == "release" else how, why=why or f"{how} by hand",
                evidence=evidence)
        for raw, evidence in sorted(chosen.items())
    ]  # fmt: skip


def _known(name: str, ids: set[str]) -> str:
    fits = sorted(known for known in ids if known.startswith(name)) if len(name) >= SHORTEST else []
    if name in fits:
        return name
    if len(fits) != 1:
        told = f"{len(fits)} keys begin so" if fits else "no key has this id"
        raise InputError(told, place=name, hint=f"`memlake keys list` shows them; give at least {SHORTEST} characters")
    return fits[0]


def decide(rows: Sequence[KeyDecision]) -> Callable[[Run], None]:
    """The opening step of a run that writes a person's decisions; `resolve` then takes them up."""

    def step(run: Run) -> None:
        with run.step("decide") as (count, _):
            since = last_folded(run)
            stored = {row.raw_key: (row, at) for row, at in decisions(run.settings)}
            written = []
            for row in rows:
                old, at = stored.get(row.raw_key, (row, 0))
                written.append(replace(row, key=old.key, before=old.before if at > since else old.key))
            count.tables = ("keys",)
            count.rows_in = len(rows)
            old_rows = run.lake.pick("keys", "raw_key", [row.raw_key for row in written])
            count.rows_out = sync_here(run, "keys", written, old_rows).written

    return step
