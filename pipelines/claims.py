"""The claim view: the within-holder half of the fold, one row for each (holder, key, value) and its interval.

A row's status is `current`, `superseded` or `contested`: the first two within the holder, the last when another
holder's open row under the same key and target says otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from lakehouse.records import Atom, Validity
from pipelines.fold import RULES, FoldRules, both_views, by_key, claim_rows_of_key, row_order


def claims_of_key(
    atoms: Iterable[Atom], key: str, rules: FoldRules = RULES, voids: Collection[str] = frozenset()
) -> list[Validity]:
    """The claim view's rows of one key."""
    return _conflicts(claim_rows_of_key(atoms, key, rules, voids))


def views_of_key(
    atoms: Iterable[Atom], key: str, rules: FoldRules = RULES, voids: Collection[str] = frozenset()
) -> tuple[list[Validity], list[Validity]]:
    """One key's rows of the ledger and of the claim view."""
    ledger, own = both_views(atoms, key, rules, voids)
    return ledger, _conflicts(own)


def claims(
    atoms: Iterable[Atom], mapping: Mapping[str, str], rules: FoldRules = RULES, voids: Collection[str] = frozenset()
) -> list[Validity]:
    """The claim view of every key, sorted; judging claims of one target are compared across their holders' keys."""
    rows: list[Validity] = []
    for key, group in by_key(atoms, mapping).items():
        rows += claim_rows_of_key(group, key, rules, voids)
    return sorted(_conflicts(rows), key=row_order)


def _conflicts(rows: list[Validity]) -> list[Validity]:
    """Mark open rows that another holder's open row denies: other value, or for opinions the other polarity."""
    groups: dict[tuple[str, str], list[Validity]] = defaultdict(list)
    for row in rows:
        if row.valid_to is None:
            groups[(row.tenant, f"opinion:{row.target}" if row.polarity and row.target else row.key)].append(row)
    clashing = set()
    for group in groups.values():
        holders: dict[str, set[str]] = defaultdict(set)
        for row in group:
            holders[_stance(row)].add(row.holder)
        for row in group:
            others = (holders[stance] for stance in holders if stance != _stance(row))
            if not row.many and any(len(held) > 1 or row.holder not in held for held in others):
                clashing.add((row.key, row.row_id))
    return [replace(row, status="contested") if (row.key, row.row_id) in clashing else row for row in rows]


def _stance(row: Validity) -> str:
    return row.polarity if row.polarity in ("positive", "negative") else row.value.norm
