"""Time expressions against their golden spans, and what `find` leaves out."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from pipelines.timex import find, resolve
from tests.pipelines.extract_cases import cases

SAID = datetime(2025, 9, 17, 10, 0)
UNDATED = [
    ("every Friday we meet", "en"),
    ("on Fridays", "en"),
    ("it opens at 8:00", "en"),
    ("24/7 support", "en"),
    ("the second floor", "en"),
    ("it sat there", "en"),
    ("a spring in my step", "en"),
    ("over 2000 people came", "en"),
    ("room 2011 is free", "en"),
    ("inside of 14 days", "en"),
    ("for three weeks", "en"),
    ("someday", "en"),
    ("매주 수요일에 가요", "ko"),
    ("토요일마다 쉬어요", "ko"),
    ("평일 오전 8시", "ko"),
    ("주 5일 근무", "ko"),
    ("영업일 5일까지", "ko"),
    ("6개월마다", "ko"),
    ("2박 3일", "ko"),
    ("설마", "ko"),
    ("이해가 안 가", "ko"),
    ("언젠가", "ko"),
    ("탑승 5분 전에", "ko"),
]


@pytest.mark.parametrize("case", cases("time"), ids=lambda case: case["id"])
def test_golden(case: dict[str, Any]) -> None:
    said = datetime.fromisoformat(case["said_at"])
    span = resolve(case["expression"], said, case["lang"], case["text"])
    given = span and {"start": span.start, "end": span.end, "granularity": span.grain}
    assert given == case["expected"]


@pytest.mark.parametrize("case", [case for case in cases("time") if case["expected"]], ids=lambda case: case["id"])
def test_found_in_its_sentence(case: dict[str, Any]) -> None:
    said = datetime.fromisoformat(case["said_at"])
    spans = [(span.start, span.end, span.grain) for _, _, span in find(case["text"], said, case["lang"])]
    expected = case["expected"]
    assert (expected["start"], expected["end"], expected["granularity"]) in spans


@pytest.mark.parametrize(("text", "language"), UNDATED)
def test_no_date_is_invented(text: str, language: str) -> None:
    assert find(text, SAID, "ko" if language == "ko" else "en") == []


def test_other_languages_have_no_times() -> None:
    assert find("am Freitag", SAID, "other") == [] and resolve("am Freitag", SAID, "other") is None
