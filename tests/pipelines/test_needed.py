"""Looks that save matches must never lose one, and a remembered ruler gives what the ruler gives."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.frame import constructions, cues, values
from pipelines.language import english, packaged_english
from pipelines.needed import any_of, folded, may_match, needed
from pipelines.timex import english as dates_en
from pipelines.timex import korean as dates_ko

PATTERNS = [
    *(pattern for rows in constructions.table().values() for _, pattern, _ in rows),
    *(pattern for rows in cues.table().values() for _, _, pattern in rows),
    *(pattern for _, pattern, _ in [*values.EN_RULES, *values.KO_RULES]),
    *(pattern for pattern, _ in [*dates_en.RULES, *dates_ko.RULES]),
]


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.pattern[:40])
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_text_that_matches_holds_what_is_needed(pattern: re.Pattern[str], data: st.DataObject) -> None:
    """Texts are made from the pattern itself."""
    text = data.draw(st.from_regex(pattern))
    assert may_match(needed(pattern), folded(text))


def test_one_of_several_patterns_needs_nothing() -> None:
    assert any_of([re.compile("noon"), re.compile(r"\w")]) == ()


TEXTS = (
    "Ana's got two flats; she doesn't rent them, though.",
    "There's been no reply, so let's go, y'all!",
    "I ain't gonna say that it's him who did it.",
    "  The  crew (all of them)\nhave left at 7.30 pm, haven't they?",
)


@pytest.mark.parametrize("again", [False, True], ids=["first", "remembered"])
def test_the_remembered_ruler_gives_what_the_ruler_gives(again: bool) -> None:
    """Twice, for what is new goes to the ruler itself."""
    for ours, theirs in zip(english().pipe(TEXTS), packaged_english().pipe(TEXTS), strict=True):
        for own, other in zip(ours, theirs, strict=True):
            assert (own.tag_, own.pos_, own.dep_, own.lemma_, str(own.morph)) == (
                other.tag_,
                other.pos_,
                other.dep_,
                other.lemma_,
                str(other.morph),
            )
