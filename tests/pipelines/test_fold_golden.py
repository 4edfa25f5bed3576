"""Golden cases of the fold: atoms in short form, the rows that they must give, under every tried permutation."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from ledger_atoms import atom

from pipelines.fold import fold_key

CASES = [json.loads(line) for line in (Path(__file__).parent / "golden" / "fold.jsonl").read_text("utf-8").splitlines()]


def instant(text: str | None) -> datetime | None:
    if text is None:
        return None
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def same(given: datetime | None, wanted: str | None) -> bool:
    """A golden day fits any instant of it."""
    if given is None or wanted is None:
        return given is None and wanted is None
    return given == instant(wanted) if len(wanted) > 10 else given.date().isoformat() == wanted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_rows(case: dict[str, Any]) -> None:
    shared = {"many": case.get("many", False), "static": case.get("static", False)}
    atoms = [atom(said, holder, *values, **shared, **{k: tuple(v) if isinstance(v, list) else v for k, v in
                  (rest[0] if rest else {}).items()}) for said, holder, values, *rest in case["atoms"]]  # fmt: skip
    for order in permutations(atoms):
        rows = fold_key(order, "0" * 32)
        given = sorted((r.value.norm, str(r.valid_from), str(r.valid_to)) for r in rows)
        assert len(rows) == len(case["rows"]), given
        for value, start, end in case["rows"]:
            assert any(r.value.norm == value and same(r.valid_from, start) and same(r.valid_to, end) for r in rows), (
                given
            )
        assert any(r.status == "contested" for r in rows) == case.get("contested", False), given
