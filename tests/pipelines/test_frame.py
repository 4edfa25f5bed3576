"""Frames: golden readings of single sentences, and what holds of any text."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lakehouse.records import Evidence
from pipelines.frame import frame
from pipelines.statement import Statement

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "golden" / "frames.jsonl").read_text("utf-8").splitlines()
]
SAID = "2025-03-01T10:00"


def statement(text: str, language: str) -> Statement:
    return Statement(
        kind="fact", memory_types=("GM",), subject="Ola", clause=text, content=text, speaker="Ola", holder="Ola", relay=(),
        target=None, polarity=None, modality="asserted", event_time=None, evidence=(Evidence("t", 0, len(text), text),),
        confidence=1.0, language=language, said_at=SAID, said_ts=datetime.fromisoformat(SAID).replace(tzinfo=UTC),
        said_precision="minute",
    )  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
def test_reading(case: dict[str, Any]) -> None:
    found = frame(statement(case["text"], case["lang"]))
    if "values" in case:
        assert [v.norm for f in found for v in f.values][: len(case["values"])] == case["values"], found
    if "scopes" in case:
        assert [list(f.scope) for f in found][: len(case["scopes"])] == case["scopes"], found
    for name in ("relation", "cue", "many", "static"):
        if name in case:
            assert getattr(found[0], name) == case[name], found
    for name in ("stated_start", "stated_end"):
        if name in case:
            span = getattr(found[0], name)
            assert span is not None and span.start == case[name], found


@pytest.mark.parametrize(
    "text",
    [
        "We worked on the dam for hours.",
        "Bo played a trick on the baker.",
        "The children ran around the well.",
        "Ada shared her notes with the class.",
        "Ada enjoyed the speech by the mayor.",
        "They joined forces against the storm.",
        "Bo bought a ladder.",
        "Ada took the long road for a drive.",
        "We are moving to a new ledger.",
        "Bo lost his umbrella.",
        "Ada works with clay.",
    ],
)
def test_a_passing_word_names_no_relation(text: str) -> None:
    assert all(item.relation.startswith("open:") for item in frame(statement(text, "en")))


def test_the_sentence_before_carries_its_cue() -> None:
    said = statement("The train leaves from platform 9.", "en")
    assert frame(said, before="Typo above. ")[0].cue == "correction"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.sampled_from(["en", "ko"]))
@example("0gB", "ko")
def test_any_text_has_a_frame_and_always_the_same(text: str, language: str) -> None:
    found = frame(statement(text, language))
    assert found and found == frame(statement(text, language))
    assert all(f.anchors == tuple(sorted(set(f.anchors))) for f in found)
