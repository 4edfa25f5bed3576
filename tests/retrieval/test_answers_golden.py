"""Golden cases of answering, text to answer: other domains than any benchmark's, English and Korean.

`answers.jsonl` was tuned on; `answers_heldout.jsonl` was not looked at while tuning, but for its `ward-6` cases: they
were right in 18 of 22 questions when first seen, and causes were mended after. A share of each must be right, and
nearly nothing stale. The `twin` files are rounds written without looking at what the rules could do: 0.72, 0.85 and 0.80 right
at first sight; so are the English fifth to seventh: 0.85, 0.84 and 0.87.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quality.predict_answers import predict_ledger, predict_route

GOLDEN = Path(__file__).parent / "golden"


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]


def plain(text: object) -> str:
    return " ".join(str(text).casefold().replace(",", "").split())


def gives(answer: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Status, set, polarity or value as asked; a value may stand inside a short phrase."""
    if "status" in expected:
        return answer.get("status") == expected["status"]
    given = [plain(v) for v in ([answer["value"]] if answer.get("value") is not None else answer.get("values", []))]
    if "values" in expected:
        wanted = [plain(v) for v in expected["values"]]
        return len(given) == len(wanted) and all(any(w in g for g in given) for w in wanted)
    if expected.get("polarity") and answer.get("polarity"):
        return bool(answer["polarity"] == expected["polarity"])
    return len(given) == 1 and plain(expected["value"]) in given[0]


def share(name: str) -> tuple[float, list[str]]:
    right, wrong, total = 0, [], 0
    for case in read(name):
        for ask, answer in zip(case["asks"], predict_ledger(case)["answers"], strict=True):
            total += 1
            if gives(answer, ask["expect"]):
                right += 1
            else:
                wrong.append(f"{case['id']}: {ask['question']} -> {answer}")
    return right / total, wrong


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("answers.jsonl", 0.85),
        ("answers_heldout.jsonl", 0.70),
        ("answers_often.jsonl", 0.85),
        ("ledger_asked.jsonl", 1.0),
        ("ledger_third.jsonl", 0.9),
        ("ledger_twin_ko.jsonl", 0.95),
        ("ledger_twin2_ko.jsonl", 0.95),
        ("ledger_twin3_ko.jsonl", 0.95),
        ("ledger_twin4_ko.jsonl", 0.95),
        ("ledger_fifth_ko.jsonl", 0.97),
        ("ledger_sixth_ko.jsonl", 0.97),
        ("ledger_seventh_ko.jsonl", 0.97),
        ("ledger_eighth_ko.jsonl", 0.95),
        ("ledger_ninth_ko.jsonl", 0.97),
        ("ledger_twin_en.jsonl", 0.95),
        ("ledger_twin_en2.jsonl", 0.95),
        ("ledger_twin_en3.jsonl", 0.95),
        ("ledger_fifth_en.jsonl", 0.92),
        ("ledger_sixth_en.jsonl", 0.98),
        ("ledger_seventh_en.jsonl", 0.94),
    ],
)
def test_share_right(name: str, least: float) -> None:
    found, wrong = share(name)
    assert found >= least, "\n".join(wrong)


@pytest.mark.parametrize(
    ("name", "opened", "intent"),
    [
        ("routes.jsonl", 0.97, 0.92),
        ("routes_heldout.jsonl", 0.9, 0.9),
        ("routes_twin_en.jsonl", 0.97, 0.97),
        ("routes_twin_ko.jsonl", 0.95, 0.95),
    ],
)
def test_routes(name: str, opened: float, intent: float) -> None:
    cases = read(name)
    given = [predict_route(case) for case in cases]
    assert sum(set(c["types"]) <= set(g["types"]) for c, g in zip(cases, given, strict=True)) >= opened * len(cases)
    assert sum(c["intent"] == g["intent"] for c, g in zip(cases, given, strict=True)) >= intent * len(cases)
