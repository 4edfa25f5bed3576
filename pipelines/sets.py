"""Sets: one in/out timeline per member, so that adding and removing touch one member each (R7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from lakehouse.records import Atom, TimeSpan, Value
from pipelines.instants import said, start_of

OUT = "not "
"""Prefix of the normal form of a row that says a member is out (stopped, removed, denied, left off a full list)."""
YES = Value("yesno", "yes", "yes")
NO = Value("yesno", "no", "no")


def holds_set(atoms: Sequence[Atom]) -> bool:
    """A key holds a set when any of its atoms says so, by relation, by listing or by adding."""
    return any(atom.many or atom.cue in ("add", "remove", "list") or len(atom.values) > 1 for atom in atoms)


def yes_or_no(atoms: Sequence[Atom]) -> Sequence[Atom]:
    """Under a yes/no key an ending says "no" from there (R11), whatever it names."""
    if not any(atom.values and atom.value_type == "yesno" for atom in atoms):
        return atoms
    return [replace(atom, values=(NO,), value_type="yesno", corrects=(), cue="update") if atom.cue == "end" else atom
            for atom in atoms]  # fmt: skip


def members(atoms: Sequence[Atom]) -> dict[str, Value]:
    """Every member that any atom names, by normal form; the shortest spelling stands for it."""
    found: dict[str, Value] = {}
    for atom in atoms:
        for value in (*atom.values, *atom.corrects):
            known = found.get(value.norm)
            if known is None or (len(value.text), value.text) < (len(known.text), known.text):
                found[value.norm] = value
    return found


def by_member(atoms: Sequence[Atom]) -> dict[Value, list[Atom]]:
    """The set's atoms rewritten member by member, as yes/no statements of being in.

    A member is asked only of the atoms that name it and of those that speak of all members, so that long lists
    of many statements cost their sum and not their product.
    """
    naming: dict[str, list[int]] = defaultdict(list)
    for place, atom in enumerate(atoms):
        for norm in {value.norm for value in (*atom.values, *atom.corrects)}:
            naming[norm].append(place)
    of_all = [place for place, atom in enumerate(atoms) if _speaks_of_all(atom)]
    out: dict[Value, list[Atom]] = {}
    for norm, member in sorted(members(atoms).items()):
        told = (_about(atoms[place], norm, atoms) for place in sorted({*naming[norm], *of_all}))
        if micro := [part for part in told if part is not None]:
            out[member] = micro
    return out


def _speaks_of_all(atom: Atom) -> bool:
    """Whether an atom says something of members that it does not name: a full list, or an end or retraction of all."""
    bare = not (atom.values or atom.corrects)
    denies = atom.cue in ("remove", "end") or atom.modality == "negated"
    return (atom.exhaustive and bool(atom.values)) or (bare and (denies or atom.cue == "retract"))


def _since(atom: Atom, atoms: Sequence[Atom]) -> TimeSpan | None:
    """A member that takes a wrong one's place is in since the wrong one was said to be."""
    if atom.stated_start is not None:
        return atom.stated_start
    wrong = {value.norm for value in atom.corrects}
    told = [
        other for other in atoms
        if other.holder == atom.holder and said(other) < said(atom) and wrong & {value.norm for value in other.values}
    ]  # fmt: skip
    if not told:
        return None
    latest = max(told, key=lambda other: (said(other), other.atom_id))
    start = (start_of(latest) or said(latest)).isoformat()
    return TimeSpan(start, start, "minute")


def _about(atom: Atom, member: str, atoms: Sequence[Atom]) -> Atom | None:
    """What an atom says of one member, None when it says nothing of it."""
    named = any(value.norm == member for value in atom.values)
    gone = any(value.norm == member for value in atom.corrects)
    denies = atom.cue in ("remove", "end") or atom.modality == "negated"
    if atom.cue == "retract":
        return replace(atom, values=(), corrects=()) if named or gone or not (atom.values or atom.corrects) else None
    if gone:
        return replace(atom, values=(NO,) if atom.cue != "correction" else (), corrects=(),
                       cue="update" if atom.cue != "correction" else "retract", modality="asserted")  # fmt: skip
    if named and denies:
        return replace(atom, values=(NO,), corrects=(), cue="update", modality="asserted")
    if named:
        if atom.cue == "correction":
            return replace(atom, values=(YES,), corrects=(), cue="add", stated_start=_since(atom, atoms))
        cue = atom.cue if atom.cue != "list" else "none"
        return replace(atom, values=(YES,), corrects=(), cue=cue)
    if denies and not atom.values and not atom.corrects:
        return replace(atom, values=(NO,), cue="update", modality="asserted")
    if atom.exhaustive and atom.values:
        return replace(atom, values=(NO,), corrects=(), cue="update" if atom.cue == "update" else "none")
    return None
