"""Segments cover a document without gaps, cut where the direction changes and where the clock is silent."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lakehouse.records import Turn
from pipelines.graph import edges
from pipelines.segment import LONGEST, WINDOW, boundaries, segment

START = datetime(2024, 1, 1, tzinfo=UTC)


def turns(count: int, *, gap_before: int = -1) -> list[Turn]:
    base = Turn(
        "t", "c", "s", "d", "", 0, "Ada", "", "some words here", "en", "2024-01-01", START, "minute", None, "f", "h"
    )
    out = []
    for i in range(count):
        late = timedelta(days=1) if 0 <= gap_before <= i else timedelta()
        out.append(replace(base, turn_id=f"t{i}", position=i, said_ts=START + timedelta(minutes=i) + late))
    return out


def two_topics(left: int, right: int) -> np.ndarray:
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=(2, 64))
    rows = np.vstack([a + rng.normal(scale=0.3, size=(left, 64)), b + rng.normal(scale=0.3, size=(right, 64))])
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_a_change_of_topic_is_found() -> None:
    assert boundaries(two_topics(30, 25), [40] * 55) == [30]


def test_a_silence_always_cuts() -> None:
    found = segment(turns(8, gap_before=3), np.ones((8, 4), np.float32) / 2)
    assert [(s.first, s.last) for s in found] == [(0, 2), (3, 7)]


def test_dropped_turns_keep_their_reason() -> None:
    (only,) = segment(turns(3), np.ones((3, 4), np.float32) / 2, {"t1": "greeting"})
    assert only.dropped == ("t1:greeting",) and only.summary.startswith("Ada: ")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 90), st.integers(0, 2**32 - 1))
def test_segments_cover_the_document_once(count: int, seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(count, 8)).astype(np.float32)
    found = segment(turns(count), vectors)
    assert [i for s in found for i in range(s.first, s.last + 1)] == list(range(count))
    assert len({s.segment_id for s in found}) == len(found)


def test_a_long_document_is_cut_in_windows() -> None:
    count = 2 * WINDOW + 10
    starts = boundaries(np.ones((count, 4), np.float32) / 2, [10] * count)
    assert all(b - a <= LONGEST for a, b in zip([0, *starts], [*starts, count], strict=True))


def test_edges_carry_their_turns() -> None:
    told = turns(2)
    found = edges(told, segment(told, np.ones((2, 4), np.float32) / 2), [])
    assert {edge.kind for edge in found} == {"IN_SEGMENT", "PARTICIPATED_IN"}
    (took_part,) = (edge for edge in found if edge.kind == "PARTICIPATED_IN")
    assert took_part.turns == ("t0", "t1")
