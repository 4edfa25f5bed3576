"""From atoms to answers: hand-made atoms are folded and asked, in every tried order of arrival.

`golden/ledger_atoms.jsonl` holds what a perfect extractor would read; names are letters and values are numbered.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ledger_cases import BUCKETS, answer_of, atoms_of, cases, folded, history_of, known, orders, plain

CASES = cases(Path(__file__).parent / "golden" / "ledger_atoms.jsonl")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_ask_is_answered_right_in_any_order(case: dict[str, Any]) -> None:
    atoms = atoms_of(case)
    for ask in case["asks"]:
        for turn, order in enumerate(orders(known(case, ask))):
            arrived = [atom for document in order for atom in atoms[document][:: 1 - turn % 2 * 2]]
            given = answer_of(case, ask, arrived, BUCKETS[turn % len(BUCKETS)]).answer()
            assert plain(given) == plain(ask["expect"]), (ask, order)


@pytest.mark.parametrize("case", [c for c in CASES if "history" in c], ids=lambda case: case["id"])
def test_the_rows_are_the_history_in_any_order(case: dict[str, Any]) -> None:
    atoms = atoms_of(case)
    rows = folded([atom for own in atoms.values() for atom in own])
    for name, history in case["history"].items():
        assert history_of(rows, name) == history
    for turn, order in enumerate(orders([document for document, _, _ in case["arrivals"]])):
        arrived = [atom for document in order for atom in atoms[document][:: 1 - turn % 2 * 2]]
        assert folded(arrived, BUCKETS[turn % len(BUCKETS)]) == rows
