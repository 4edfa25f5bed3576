"""What people see: answers, reasons, runs and rejects, as text or as JSON."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pyarrow.compute as pc
from rich.console import Console
from rich.table import Table

from jobs import ledger
from jobs.settings import Settings
from lakehouse.errors import LakeError
from lakehouse.lake import Lake
from pipelines.ingest.when import zone
from retrieval.answer import Answer


def show_answer(question: str, found: Answer, zone_name: str = "UTC") -> None:
    """An answer with its holder, validity (in the tenant's civil days) and evidence."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]{_plain(question)}[/]")
    console.print(f"  {_plain(found.text)}")
    if found.holders:
        console.print(f"  [dim]held by[/] {_plain(', '.join(found.holders))}")
    if found.valid:
        console.print(f"  [dim]valid[/]   {validity(found.valid, zone_name)}")
    for turn, quote in found.evidence[:3]:
        console.print(f"  [dim]said[/]    “{_plain(quote)}” [dim]({_plain(turn)})[/]")


def validity(span: tuple[str | None, str | None], zone_name: str = "UTC") -> str:
    """An interval in words, by the civil days of a zone.

    >>> validity(("2025-01-07T15:00:00+00:00", None), "Asia/Seoul")
    'since 2025-01-08'
    """
    start, end = (
        datetime.fromisoformat(moment).astimezone(zone(zone_name)).date().isoformat() if moment else ""
        for moment in span
    )
    if start and end:
        return f"from {start} until {end}"
    return f"since {start}" if start else f"until {end}" if end else "at any time"


def _plain(text: str) -> str:
    """Text with its brackets escaped, so that no transcript styles the terminal, and without control characters."""
    from rich.markup import escape

    return escape("".join(c if c.isprintable() else " " for c in text))


def why_rows(settings: Settings, key: str) -> list[dict[str, Any]]:
    """The ledger's rows of a key, given by id, by its beginning, or by words of its subject and relation."""
    lake = Lake(settings.lake)
    lake.require()
    own = pc.field("tenant") == settings.tenant
    named = lake.read("validity", columns=["key", "subject", "relation"], where=own)
    words = key.casefold().split()
    keys = {
        row["key"]
        for row in named.to_pylist()
        if row["key"].startswith(key) or all(word in f"{row['subject']} {row['relation']}".casefold() for word in words)
    }
    if not keys:
        raise LakeError(f"no key matches {key!r}", place=settings.lake, hint="try a word of its subject")
    chosen: list[dict[str, Any]] = lake.pick("validity", "key", keys).to_pylist()
    ids = {atom for row in chosen for atom in (*row["opened_by"], *row["closed_by"])}
    atoms = {
        a["atom_id"]: a for a in lake.pick("atoms", "atom_id", ids, ["atom_id", "evidence", "said_at"]).to_pylist()
    }
    for row in chosen:
        row["turns"] = [
            {"turn_id": evidence["turn_id"], "said_at": atoms[atom]["said_at"], "quote": evidence["quote"]}
            for atom in (*row["opened_by"], *row["closed_by"])
            if atom in atoms
            for evidence in atoms[atom]["evidence"]
        ]
    return sorted(chosen, key=lambda row: (row["key"], str(row["valid_from"]), row["row_id"]))


def show_why(rows: list[dict[str, Any]], zone_name: str) -> None:
    """Rows of keys with the sentences that say why they opened and closed."""
    console = Console(highlight=False, soft_wrap=True)
    last = ""
    for row in rows:
        if row["key"] != last:
            scope = f" [{', '.join(row['scope'])}]" if row["scope"] else ""
            console.print(
                f"[bold]{_plain(row['subject'])} · {_plain(row['relation'])}{_plain(scope)}[/] [dim]{row['key']}[/]"
            )
            last = row["key"]
        start, end = (moment.isoformat() if moment else None for moment in (row["valid_from"], row["valid_to"]))
        span = validity((start, end), zone_name)
        console.print(
            f"  {_plain(row['value']['text'])}  [dim]{span}, {row['status']}, {_plain(', '.join(row['holders']))}[/]"
        )
        console.print(f"    opened: {_plain(row['opened_because'])}")
        if row["closed_because"]:
            console.print(f"    closed: {_plain(row['closed_because'])}")
        for turn in row["turns"][:4]:
            console.print(f"    [dim]{turn['said_at']} {_plain(turn['turn_id'])}[/] “{_plain(turn['quote'])}”")


def show_runs(settings: Settings, limit: int, as_json: bool) -> None:
    """The newest runs with their steps."""
    lake = Lake(settings.lake)
    lake.require()
    rows = ledger.steps(lake)
    chosen = sorted({row["sequence"] for row in rows})[-limit:]
    rows = [row for row in rows if row["sequence"] in chosen]
    if as_json:
        for row in rows:
            decoded = {name: json.loads(row[name]) for name in ("detail", "versions", "models")}
            print(json.dumps({**row, **decoded}, ensure_ascii=False, default=str))
        return
    ended = {(row["run_id"], row["status"]) for row in rows if row["step"] == ledger.RUN}
    table = Table(box=None, header_style="bold")
    for name in ("run", "step", "status", "started", "seconds", "in", "out", "rejected"):
        right = name in ("seconds", "in", "out", "rejected")
        table.add_column(name, justify="right" if right else "left", no_wrap=True)
    for row in rows:
        if ":" in row["step"] or (
            row["step"] == ledger.RUN and (row["run_id"], "done") in ended and row["status"] != "done"
        ):
            continue
        table.add_row(
            f"{row['sequence']} {row['run_id']}",
            row["step"],
            row["status"],
            f"{row['started_at']:%Y-%m-%d %H:%M}",
            f"{row['seconds']:.1f}",
            *(f"{row[name]:,}" for name in ("rows_in", "rows_out", "rejected")),
        )
    Console(soft_wrap=True).print(table)


def show_rejects(settings: Settings, limit: int, as_json: bool) -> None:
    """Rejected input by place and reason."""
    lake = Lake(settings.lake)
    lake.require()
    rows = lake.read("rejects", where=pc.field("tenant") == settings.tenant).to_pylist()
    rows.sort(key=lambda row: (row["uri"], row["line"], row["reason"]))
    if as_json:
        for row in rows:
            print(json.dumps(row, ensure_ascii=False, default=str))
        return
    table = Table(box=None, header_style="bold")
    for name in ("file", "line", "reason", "detail"):
        table.add_column(name)
    for row in rows[:limit]:
        table.add_row(_plain(row["uri"]), str(row["line"] or ""), row["reason"], _plain(row["detail"]))
    Console(soft_wrap=True).print(table)
    if len(rows) > limit:
        Console().print(f"{len(rows) - limit:,} more; --limit or --json shows them")
