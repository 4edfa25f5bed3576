"""Every line of a language table is held by its own example."""

from __future__ import annotations

import re

import pytest

from pipelines.extract import statements
from pipelines.extract.korean_hearsay import levels
from pipelines.extract.korean_morph import repaired
from pipelines.extract.route import REACTION_EN, REACTION_KO, idle
from pipelines.language import korean_tokens
from pipelines.wordlist import table
from tests.pipelines.extract_cases import turns_of

PACKAGE = "pipelines.extract"


def said(text: str, speaker: str = "Zoe") -> list[tuple[str | None, str]]:
    """The polarity and holder of each statement of one sentence."""
    turns = turns_of([{"turn_id": "t", "speaker": speaker, "said_at": "2025-06-18T10:00", "text": text}])
    return [(found.polarity, found.holder) for found in statements(turns)]


@pytest.mark.parametrize("row", table(PACKAGE, "hearsay_ko.tsv"), ids=lambda row: row[0])
def test_hearsay_ending(row: tuple[str, ...]) -> None:
    ending, kind, example = row
    found, void = levels(repaired(korean_tokens([example])[0]), example)
    if kind == "ask":
        assert void
    else:
        assert found and found[-1].kind == kind and not void, ending


@pytest.mark.parametrize("row", table(PACKAGE, "reporting_ko.tsv"), ids=lambda row: row[2])
def test_korean_reporting_verb(row: tuple[str, ...]) -> None:
    _, kind, example = row
    found, void = levels(repaired(korean_tokens([example])[0]), example)
    assert void if kind == "ask" else (found and found[0].cls in (kind, "say", "hear"))


@pytest.mark.parametrize("row", table(PACKAGE, "reporting_en.tsv"), ids=lambda row: row[2])
def test_english_reporting_verb(row: tuple[str, ...]) -> None:
    _, kind, example = row
    found = said(example)
    if kind == "ask":
        assert found == []
    else:
        assert (found and found[0][1] != "Zoe") or example.startswith(("I ", "The coach", "She begged", "He enc"))


@pytest.mark.parametrize("row", table(PACKAGE, "attitude_en.tsv"), ids=lambda row: row[3])
def test_english_attitude(row: tuple[str, ...]) -> None:
    _, sign, how, example = row
    if not re.search(r"\b(?:the|it)\b", example):
        return
    expected = "positive" if sign == "+" else "negative"
    if how == "negated":
        expected = "positive" if "mind" in example else "negative"
    assert [polarity for polarity, _ in said(example)] == [expected]


@pytest.mark.parametrize("row", table(PACKAGE, "opinion_en.tsv"), ids=lambda row: row[3])
def test_english_opinion(row: tuple[str, ...]) -> None:
    kind, sign, _, example = row
    text = f"Ana says that {example[0].lower()}{example[1:]}" if kind == "effect" else example
    assert [polarity for polarity, _ in said(text)] == ["positive" if sign == "+" else "negative"]


@pytest.mark.parametrize("row", table(PACKAGE, "opinion_ko.tsv"), ids=lambda row: row[3])
def test_korean_opinion(row: tuple[str, ...]) -> None:
    kind, sign, _, example = row
    text = example.rstrip(".")[:-1] + "다더라." if kind == "effect" else example
    assert [polarity for polarity, _ in said(text, "하나")] == ["positive" if sign == "+" else "negative"]


@pytest.mark.parametrize("row", table(PACKAGE, "idle.tsv"), ids=lambda row: row[3])
def test_idle_talk(row: tuple[str, ...]) -> None:
    language, kind, _, example = row
    if kind == "reaction":
        assert (REACTION_EN if language == "en" else REACTION_KO).search(example)
    else:
        assert idle(example, "ko" if language == "ko" else "en")
