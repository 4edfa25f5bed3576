"""Laws of the fold, for any set of atoms: a few hundred cases each by default, thousands with `-m slow`."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_atoms import FIRST_DAY, atom, atoms

from lakehouse.ids import content_id
from lakehouse.records import Atom, Evidence, Question, Validity, Value
from lakehouse.schema import from_arrow, to_arrow
from pipelines.claims import claims, claims_of_key, views_of_key
from pipelines.consolidate import consolidate
from pipelines.fold import UNREAD, FoldRules, by_key, fold, fold_key, judges, overlap, row_order, voids_left
from pipelines.instants import said
from pipelines.resolve import mapping, raw_key, resolve_keys
from retrieval.memory import AtomMemory

KEY = "0" * 32
FEW = settings(max_examples=int(os.environ.get("MEMLAKE_LAWS", "250")), deadline=None)
MANY = settings(max_examples=2000, deadline=None)
LAWS: list[tuple[Callable[..., None], tuple[Any, ...]]] = []


def law(*strategies: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A test of a few hundred drawn cases, kept for the long run."""

    def keep(test: Callable[..., None]) -> Callable[..., None]:
        LAWS.append((test, strategies))
        return FEW(given(*strategies)(test))

    return keep


def folded(found: Iterable[Atom], voids: Collection[str] = ()) -> list[Validity]:
    found = list(found)
    return fold(found, mapping(resolve_keys(found)), voids=voids)


@law(atoms(keys=2), st.randoms(use_true_random=False))
def test_any_permutation_gives_the_same_rows(found: list[Atom], random: Random) -> None:
    shuffled = random.sample(found, len(found))
    assert folded(found) == folded(shuffled)
    assert claims(found, {}) == claims(shuffled, {})


@law(atoms(keys=3), st.lists(st.integers(0, 3), min_size=9, max_size=9))
def test_any_batching_gives_the_rows_of_one_load(found: list[Atom], batch: list[int]) -> None:
    """Nights one after the other, each folding only the keys that its atoms or its decisions touch."""
    stored: dict[str, list[Validity]] = {}
    known: list[Atom] = []
    before: dict[str, str] = {}
    for night in range(4):
        new = [atom for atom, when in zip(found, batch, strict=False) if when == night]
        known += new
        keys = mapping(resolve_keys(known))
        moved = {raw for raw, key in keys.items() if before.get(raw) != key}
        touched = {keys[raw] for raw in moved} | {before[raw] for raw in moved if raw in before}
        touched |= set(by_key(new, keys))
        groups = by_key(known, keys)
        for key in touched:
            stored[key] = fold_key(groups.get(key, []), key)
        before = keys
    assert sorted((row for rows in stored.values() for row in rows), key=row_order) == folded(found)


@law(atoms(keys=2))
def test_what_no_fold_reads_changes_nothing(found: list[Atom]) -> None:
    rows = to_arrow("atoms", [replace(a, raw_key=raw_key(a)) for a in found], 1)
    bare: list[Atom] = from_arrow("atoms", rows.drop_columns(list(UNREAD)))
    assert folded(bare) == folded(found) and claims(bare, {}) == claims(found, {})
    assert consolidate(bare) == consolidate(found)


@law(atoms(keys=3), st.sampled_from([1, 7, 4096]))
def test_any_bucket_count_gives_the_same_rows(found: list[Atom], buckets: int) -> None:
    keys = mapping(resolve_keys(found))
    other = fold(found, keys, FoldRules(buckets=buckets))
    assert all(0 <= row.bucket < buckets for row in other)
    assert [replace(row, bucket=0) for row in other] == [replace(row, bucket=0) for row in fold(found, keys)]


@law(atoms(keys=2), st.randoms(use_true_random=False))
def test_a_second_load_changes_nothing(found: list[Atom], random: Random) -> None:
    again = random.sample(found, random.randint(1, len(found)))
    assert folded(found + again) == folded(again + found) == folded(found)
    assert claims(found + again, {}) == claims(found, {})


@law(atoms())
def test_intervals_are_half_open_and_never_empty(found: list[Atom]) -> None:
    for row in fold_key(found, KEY) + claims_of_key(found, KEY):
        assert row.valid_from is None or row.valid_to is None or row.valid_from < row.valid_to
        assert row.opened_because and (row.valid_to is None) == (not row.closed_because)
        assert row.atoms and row.opened_by and row.holders
        assert (row.valid_to is None) == (not row.closed_by)


@law(atoms())
def test_both_views_at_once_are_each_view_by_itself(found: list[Atom]) -> None:
    assert views_of_key(found, KEY) == (fold_key(found, KEY), claims_of_key(found, KEY))


@law(atoms())
def test_one_holder_has_one_value_at_a_time(found: list[Atom]) -> None:
    groups: dict[tuple[str, str], list[Validity]] = defaultdict(list)
    for row in claims_of_key(found, KEY):
        groups[row.holder, row.value.norm.removeprefix("not ") if row.many else ""].append(row)
    for rows in groups.values():
        for i, row in enumerate(rows):
            assert not any(overlap(row, other) for other in rows[i + 1 :])


@law(atoms())
def test_no_holder_has_two_current_values(found: list[Atom]) -> None:
    current: dict[tuple[str, str, str], list[Validity]] = defaultdict(list)
    for row in fold_key(found, KEY):
        if row.valid_to is None:
            for holder in row.holders:
                member = row.value.norm.removeprefix("not ") if row.many else ""
                current[row.holder, holder, member].append(row)
    assert all(len(rows) == 1 for rows in current.values())


@law(atoms())
def test_rows_of_one_value_never_overlap(found: list[Atom]) -> None:
    rows = fold_key(found, KEY)
    for i, row in enumerate(rows):
        same = [r for r in rows[i + 1 :] if (r.holder, r.value.norm) == (row.holder, row.value.norm)]
        assert not any(overlap(row, other) for other in same)


def by_id(found: list[Atom]) -> dict[str, Atom]:
    return {atom.atom_id: atom for atom in found}


@law(atoms())
def test_a_claim_never_changes_holder(found: list[Atom]) -> None:
    own = by_id(found)
    judged = [row for row in fold_key(found, KEY) if row.holder]
    for row in claims_of_key(found, KEY) + judged:
        assert {own[a].holder for a in row.atoms} == {row.holder} == set(row.holders)
    assert all(row.holder for row in fold_key(found, KEY) if any(judges(own[a]) for a in row.atoms))


@law(atoms(keys=2), st.integers(0, 45))
def test_as_told_by_a_day_nothing_later_counts(found: list[Atom], days: int) -> None:
    day = FIRST_DAY + timedelta(days=days)
    told = [atom for atom in found if said(atom) < day]
    assert all(said(by_id(found)[a]) < day for row in folded(told) for a in row.atoms)


@law(
    atoms(), st.lists(st.tuples(st.integers(51, 90), st.sampled_from("AB"), st.integers(0, 1)), min_size=1, max_size=4)
)
def test_what_is_only_said_later_rewrites_nothing_before(found: list[Atom], plain: list[tuple[int, str, int]]) -> None:
    """Without a stated start, a correction or a retraction a statement changes nothing before it (R1, R3).

    What it shows of the key is told backwards too: who was not on a full list, and that an end is a no; so a no and the
    none after it are one.
    """
    day, like = FIRST_DAY + timedelta(days=50), found[0]
    words = ("yes", "no") if like.value_type == "yesno" else ("a", "b")
    later = [atom(FIRST_DAY + timedelta(days=at), holder, words[i], kind=like.kind, polarity=like.polarity,
                  value_type=like.value_type, many=like.many) for at, holder, i in plain]  # fmt: skip

    def before(rows: list[Validity]) -> list[tuple[Any, ...]]:
        told: list[tuple[Any, ...]] = []
        for r in rows:
            if (r.valid_from is None or r.valid_from < day) and not r.value.norm.startswith("not "):
                own = (r.holder, r.value.norm.replace("none", "no"))
                joins = next((i for i, (*of, _, end) in enumerate(told) if (*of, end) == (*own, r.valid_from)), None)
                start = r.valid_from if joins is None else told.pop(joins)[2]
                told.append((*own, start, min(r.valid_to or day, day)))
        return sorted(told, key=str)

    assert before(fold_key([*found, *later], KEY)) == before(fold_key(found, KEY))


@law(atoms(keys=2), st.lists(st.integers(0, 3), min_size=9, max_size=9), st.integers(0, 3))
def test_as_known_at_a_run_is_the_fold_of_what_was_recorded_by_then(
    found: list[Atom], runs: list[int], run: int
) -> None:
    recorded = {atom.atom_id: at for atom, at in zip(found, runs, strict=False)}
    memory = AtomMemory(found, recorded=lambda atom: str(recorded[atom.atom_id]))
    question = Question("", "en", (), "lookup", None, "", "", (), (), "text", False, None)
    known = [atom for atom in found if recorded[atom.atom_id] <= run]
    assert folded(memory.near(question, str(run))) == folded(known)


@law(atoms(), st.data())
def test_erasing_and_adding_again_is_as_never_erased(found: list[Atom], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(found))
    left = voids_left(found, {gone.atom_id})
    without = [atom for atom in found if atom.atom_id != gone.atom_id]
    assert fold_key([*without, gone], KEY, voids=left) == fold_key(found, KEY)
    assert all(gone.atom_id not in row.atoms for row in fold_key(without, KEY, voids=left))


@law(atoms(), st.data())
def test_an_erased_update_never_came_and_what_an_erased_correction_killed_stays_dead(
    found: list[Atom], data: st.DataObject
) -> None:
    gone = data.draw(st.sampled_from(found))
    left = voids_left(found, {gone.atom_id})
    without = [atom for atom in found if atom.atom_id != gone.atom_id]
    if gone.cue not in ("correction", "retract"):
        assert not left
    dead = {atom.atom_id for atom in without if content_id("void", atom.atom_id, _norm(atom)) in left}
    assert all(dead.isdisjoint(row.atoms) for row in fold_key(without, KEY, voids=left) if not row.many)
    assert not any(
        value.norm in void for void in left for atom in found for value in atom.values if len(value.norm) > 1
    )


def _norm(atom: Atom) -> str:
    return atom.values[0].norm if atom.values else ""


@law(atoms(), st.lists(st.booleans(), min_size=9, max_size=9))
def test_two_extractors_of_the_same_turns_give_the_same_rows(found: list[Atom], model: list[bool]) -> None:
    """Documents read by rules or by a model: other ids, words and split of subject and scope, the same statement."""
    documents = sorted({atom.document for atom in found})
    read = {document for document, other in zip(documents, model, strict=False) if other}
    mixed = [by_model(atom) if atom.document in read else atom for atom in found]
    rules = facts(fold_key(found, KEY))
    assert facts(fold_key(mixed, KEY)) == rules == facts(fold_key(map(by_model, found), KEY))


def by_model(atom: Atom) -> Atom:
    """The same statement as another extractor reads it."""
    first = atom.evidence[0]
    return replace(
        atom, atom_id=content_id("model", atom.atom_id), extractor="model", extractor_version="9", confidence=0.5,
        subject=atom.subject + " as such", scope=("split otherwise",), content="in other words: " + atom.content,
        values=tuple(Value(v.type, v.norm, v.text.upper()) for v in atom.values),
        evidence=(Evidence(first.turn_id, first.start, first.end + 3, first.quote + "..."),),
    )  # fmt: skip


def facts(rows: Sequence[Validity]) -> list[tuple[Any, ...]]:
    """What a row says, without the words and ids of its atoms."""
    return [(r.key, r.row_id, r.holder, r.holders, r.value.norm, r.polarity, r.valid_from, r.valid_to, r.from_grain,
             r.to_grain, r.status) for r in rows]  # fmt: skip


@law(atoms())
def test_a_row_is_carried_only_by_atoms_that_say_so(found: list[Atom]) -> None:
    own = by_id(found)
    for row in fold_key(found, KEY):
        assert all(own[a].modality != "hypothetical" for a in row.atoms)
        assert set(row.holders) <= {own[a].holder for a in row.atoms}


@pytest.mark.slow
@pytest.mark.parametrize(("test", "strategies"), LAWS, ids=[test.__name__ for test, _ in LAWS])
def test_thousands_of_cases(test: Callable[..., None], strategies: tuple[Any, ...]) -> None:
    MANY(given(*strategies)(test))()
