"""The printed pages: the gold part of docs/quality.md from tiny sets and a scorer of their form, and TriMEM's table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lakehouse.errors import InputError
from quality.page import of_extract, of_ledger, of_route, of_time, page

SCORER = """
import json, sys
gold = [json.loads(line) for line in open(sys.argv[2])]
pred = {row["id"]: row for row in map(json.loads, open(sys.argv[3]))}
wrong = [{**g, "given": pred[g["id"]]["resolved"]} for g in gold if pred[g["id"]]["resolved"] != g["expected"]]
for case in wrong[: int(sys.argv[5])]:
    print(json.dumps(case), file=sys.stderr)
print(json.dumps({"cases": len(gold), "exact": 1 - len(wrong) / len(gold), "en": 0.5, "ko": None}))
"""


def case(name: str, expression: str, day: str) -> dict[str, object]:
    expected = {"start": day, "end": day, "granularity": "day"}
    return {"id": name, "lang": "en", "said_at": "2023-05-17T10:00", "text": f"It broke {expression}.",
            "expression": expression, "expected": expected}  # fmt: skip


def test_a_page_has_scores_and_causes(tmp_path: Path) -> None:
    rows = [case("a", "yesterday", "2023-05-16"), case("b", "yesterday", "2023-05-01")]
    (tmp_path / "score.py").write_text(SCORER, encoding="utf-8")
    (tmp_path / "time.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert page(tmp_path).splitlines() == [
        "## Gold sets",
        "",
        "    uv run memlake eval report ../shared/gold",
        "",
        "    time        2 cases   exact 0.5   en 0.5   ko None",
        "",
        "What the scorer calls wrong, by cause:",
        "",
        "| set | cause | cases |",
        "|---|---|---|",
        "| time | other days | 1 |",
    ]


def test_no_gold_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no gold sets"):
        page(tmp_path)


def test_causes() -> None:
    atom = {"kind": "claim", "evidence": ["t1"]}
    assert list(of_extract({"missed": [atom, {**atom, "evidence": ["t2"]}], "extra": [{"evidence": ["t1"]}]})) == [
        "claim misread", "claim not found or of another holder",
    ]  # fmt: skip
    assert list(of_extract({"missed": [], "extra": [{"evidence": ["t3"]}]})) == ["an atom too many"]
    day = {"start": "2023-05-01", "end": "2023-05-01"}
    assert list(of_time({"expected": day, "given": {**day, "granularity": "week"}})) == [
        "right days, another granularity"
    ]
    assert list(of_time({"expected": None, "given": day})) == ["a date where there is none"]
    assert list(of_ledger({"given": {"values": ["a"]}, "ask": {"expect": {"status": "unknown"}}})) == [
        "a set for unknown"
    ]
    wrong = {"types": ["EM", "PM"], "intent": "when", "given": {"types": ["PM"], "intent": "why"}}
    assert list(of_route(wrong)) == ["EM not opened", "intent why for when"]
