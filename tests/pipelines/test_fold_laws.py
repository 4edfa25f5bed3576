"""Laws of the fold, for any set of atoms (issue: the ledger)."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_atoms import FIRST_DAY, atoms

from lakehouse.records import Atom, Validity
from pipelines.claims import claims, claims_of_key
from pipelines.fold import FoldRules, by_key, fold, fold_key, overlap, row_order
from pipelines.resolve import mapping, resolve_keys

LAW = settings(max_examples=int(os.environ.get("MEMLAKE_LAWS", "250")), deadline=None)


def folded(found: list[Atom]) -> list[Validity]:
    return fold(found, mapping(resolve_keys(found)))


@LAW
@given(atoms(keys=2), st.randoms(use_true_random=False))
def test_any_permutation_gives_the_same_rows(found: list[Atom], random: Random) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    assert folded(found) == folded(shuffled)
    assert claims(found, {}) == claims(shuffled, {})


@LAW
@given(atoms(keys=3), st.sampled_from([1, 7, 4096]))
def test_any_batching_by_key_and_any_bucket_count_gives_the_same_rows(found: list[Atom], buckets: int) -> None:
    keys = mapping(resolve_keys(found))
    whole = fold(found, keys)
    parts = [row for key, group in by_key(found, keys).items() for row in fold_key(group, key)]
    assert whole == sorted(parts, key=row_order)
    other = fold(found, keys, FoldRules(buckets=buckets))
    assert [replace(row, bucket=0) for row in other] == [replace(row, bucket=0) for row in whole]


@LAW
@given(atoms())
def test_a_second_load_changes_nothing(found: list[Atom]) -> None:
    assert folded(found + found) == folded(found)


@LAW
@given(atoms())
def test_intervals_are_half_open_and_never_empty(found: list[Atom]) -> None:
    for row in fold_key(found, "0" * 32) + claims_of_key(found, "0" * 32):
        assert row.valid_from is None or row.valid_to is None or row.valid_from < row.valid_to
        assert row.opened_because and (row.valid_to is None) == (not row.closed_because)
        assert row.atoms and row.opened_by


@LAW
@given(atoms())
def test_one_holder_has_one_value_at_a_time(found: list[Atom]) -> None:
    groups: dict[tuple[str, str], list[Validity]] = defaultdict(list)
    for row in claims_of_key(found, "0" * 32):
        groups[row.holder, row.value.norm.removeprefix("not ") if row.many else ""].append(row)
    for rows in groups.values():
        for i, row in enumerate(rows):
            assert not any(overlap(row, other) for other in rows[i + 1 :])


@LAW
@given(atoms())
def test_a_claim_never_changes_holder(found: list[Atom]) -> None:
    by_id = {atom.atom_id: atom for atom in found}
    for row in claims_of_key(found, "0" * 32):
        assert {by_id[a].holder for a in row.atoms} == {row.holder} == set(row.holders)


@LAW
@given(atoms(), st.integers(0, 45))
def test_as_told_by_a_day_is_the_fold_of_what_was_said_by_then(found: list[Atom], days: int) -> None:
    day: datetime = FIRST_DAY + timedelta(days=days)
    told = [atom for atom in found if atom.said_ts is not None and atom.said_ts <= day]
    later = [atom for atom in found if atom not in told]
    assert folded(told) == folded([*told])
    assert folded([a for a in [*later, *told] if a.said_ts is not None and a.said_ts <= day]) == folded(told)


@LAW
@given(atoms(), st.data())
def test_erasing_and_adding_again_is_as_never_erased_and_an_erased_update_never_came(
    found: list[Atom], data: st.DataObject
) -> None:
    gone = data.draw(st.sampled_from(found))
    without = [atom for atom in found if atom.atom_id != gone.atom_id]
    assert folded([*without, gone]) == folded(found)
    assert all(gone.atom_id not in row.atoms for row in folded(without))


@LAW
@given(atoms())
def test_a_row_is_carried_only_by_atoms_that_say_so(found: list[Atom]) -> None:
    by_id = {atom.atom_id: atom for atom in found}
    for row in fold_key(found, "0" * 32):
        assert all(by_id[a].modality != "hypothetical" for a in row.atoms)
        assert set(row.holders) == {by_id[a].holder for a in row.atoms}
