"""The text stages without an engine: chunks of whole segments, one bad turn alone refused, vectors by column."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs import ray_extract
from jobs.ray_extract import CHUNK, chunks, document_atoms, order, vector_rows
from lakehouse.records import Segment, Turn
from lakehouse.schema import from_arrow

BASE = Turn(
    "acme", "c", "s", "d", "t", 0, "Ada", "agent", "The gate opens at 6:00.", "en", "2024-01-01T09:00",
    datetime(2024, 1, 1, 9, tzinfo=UTC), "minute", None, "file", "hash",
)  # fmt: skip


def segments(lengths: list[int]) -> list[Segment]:
    out, first = [], 0
    for number, length in enumerate(lengths):
        out.append(Segment("acme", "d", f"s{number}", first, first + length - 1, "", None, None))
        first += length
    return out


@given(st.lists(st.integers(1, CHUNK), max_size=12))
def test_chunks_cover_whole_segments_once(lengths: list[int]) -> None:
    found = list(chunks(segments(lengths)))
    assert [i for first, last in found for i in range(first, last + 1)] == list(range(sum(lengths)))
    starts = {segment.first for segment in segments(lengths)}
    assert all(first in starts and last - first < CHUNK for first, last in found)


def test_a_turn_that_breaks_extraction_is_refused_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import pipelines.atoms

    real = pipelines.atoms.read_atoms

    def breaks(turns: list[Turn], names: tuple[str, ...]) -> object:
        if any("boom" in turn.text for turn in turns):
            raise RecursionError
        return real(turns, names)

    monkeypatch.setattr(pipelines.atoms, "read_atoms", breaks)
    told = [replace(BASE, turn_id="t1"), replace(BASE, turn_id="t2", position=1, text="boom")]
    atoms, failures = document_atoms(told, segments([2]))
    assert {atom.evidence[0].turn_id for atom in atoms} == {"t1"}
    (refused,) = failures
    assert refused.reason == "extraction_failed" and "turn t2" in refused.detail and "boom" not in refused.detail


@pytest.mark.parametrize(
    "text",
    ["word " * 2_000_000, "The port is 7410. " * 2_000, "a" * 200_000, "가" * 50_000, "😀" * 9_000, "\n" * 9_000],
)
def test_huge_and_odd_texts_end(text: str) -> None:
    atoms, failures = document_atoms([replace(BASE, text=text), replace(BASE, turn_id="t2", position=1)], segments([2]))
    assert any(atom.evidence[0].turn_id == "t2" for atom in atoms) and len(failures) <= 1


@pytest.mark.parametrize("speaker", ["\\9", "\\Ada", "(", "[x", "a+b", "$1", "Ann|Bob", "^", ""])
def test_any_name_speaks(speaker: str) -> None:
    said = ["I have moved the gate to pier nine.", "I think it sucks.", "We run 16.10 here, and I like it."]
    turns = [replace(BASE, text=text, speaker=speaker, turn_id=f"t{n}", position=n) for n, text in enumerate(said)]
    atoms, failures = document_atoms(turns, segments([len(turns)]))
    assert atoms and not failures


@pytest.mark.parametrize(
    "text", ["Hope this helps.", "Phew, hope that's rare.", "it's a SATA cable, and pcprobe shows it as eth0"]
)
def test_clipped_sentences_end(text: str) -> None:
    assert not document_atoms([replace(BASE, text=text)], segments([1]))[1]


@pytest.mark.parametrize(
    "mark", ["[image: a photo of two cats in a box]", "<Media omitted>", "[사진]", "(file: plan.pdf)"]
)
def test_attachments_say_nothing(mark: str) -> None:
    atoms, _ = document_atoms([replace(BASE, text=f"{mark} I moved to Bern. {mark}")], segments([1]))
    assert atoms and all(mark[1:6] not in atom.content for atom in atoms)
    assert all(e.quote == f"{mark} I moved to Bern. {mark}"[e.start : e.end] for a in atoms for e in a.evidence)


def test_turns_in_order_of_time_then_file() -> None:
    later = replace(BASE, turn_id="b", position=0, said_ts=datetime(2024, 1, 2, tzinfo=UTC))
    undated = replace(BASE, turn_id="c", position=9, said_ts=None)
    assert [turn.turn_id for turn in sorted([later, BASE, undated], key=order)] == ["c", "t", "b"]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_vectors_by_column(count: int) -> None:
    items = [(f"i{n}", "h") for n in range(count)]
    rows = vector_rows("acme", "turn", "m", items, np.ones((count, 4), np.float32), [{5: 0.5}] * count, 1)
    found = from_arrow("vectors", rows)
    assert [row.item for row in found] == [item for item, _ in items]
    assert all(row.vector == (1.0,) * 4 and row.terms == (5,) and row.weights == (0.5,) for row in found)
    assert ray_extract.STAGES
