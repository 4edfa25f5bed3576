"""Habits: three events of one person with one concept inside 30 days become a fact with a time envelope."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

from lakehouse.ids import content_id, normal_text
from lakehouse.records import Atom, Habit

WINDOW = timedelta(days=30)
ENOUGH = 3


def event_day(atom: Atom) -> date | None:
    """The day of an event: its own time, else the day it was told."""
    if atom.event_time is not None:
        return date.fromisoformat(atom.event_time.start[:10])
    return atom.said_ts.date() if atom.said_ts is not None else None


def concept_of(atom: Atom) -> str:
    """What the event is an instance of: its relation and values, without who and when."""
    words = set(atom.anchors) - set(normal_text(atom.subject).split())
    return " ".join(sorted(words | {v.norm for v in atom.values if v.type in ("text", "entity")})) or atom.relation


def consolidate(atoms: Iterable[Atom], window: timedelta = WINDOW, enough: int = ENOUGH) -> list[Habit]:
    """Habit rows, sorted. One event told three times (same person, concept and day) counts once; events stay."""
    groups: dict[tuple[str, str, str], dict[date, list[Atom]]] = defaultdict(lambda: defaultdict(list))
    for atom in atoms:
        day = event_day(atom)
        if atom.kind == "event" and atom.modality == "asserted" and day is not None:
            groups[atom.tenant, atom.subject, concept_of(atom)][day].append(atom)
    habits = []
    for (tenant, subject, concept), days in sorted(groups.items()):
        for run in _runs(sorted(days), window, enough):
            told = [atom for day in run for atom in days[day]]
            first, last = run[0], run[-1]
            habits.append(Habit(
                tenant=tenant,
                habit_id=content_id("habit", tenant, normal_text(subject), concept, first, last),
                subject=subject,
                concept=concept,
                content=f"{subject}: {concept} ({len(run)} times from {first} to {last})",
                count=len(run),
                valid_from=datetime.combine(first, time(), UTC),
                valid_to=datetime.combine(last + timedelta(days=1), time(), UTC),
                atoms=tuple(sorted({atom.atom_id for atom in told})),
            ))  # fmt: skip
    return habits


def _runs(days: list[date], window: timedelta, enough: int) -> list[list[date]]:
    """Maximal runs of days in which every `enough` neighbours lie inside one window."""
    hot = [False] * len(days)
    for i in range(len(days) - enough + 1):
        if days[i + enough - 1] - days[i] < window:
            hot[i : i + enough] = [True] * enough
    runs: list[list[date]] = []
    for i, day in enumerate(days):
        if not hot[i]:
            continue
        if runs and i and hot[i - 1] and day - runs[-1][-1] < window:
            runs[-1].append(day)
        else:
            runs.append([day])
    return [run for run in runs if len(run) >= enough]
