"""Topic segmentation: the best cut of a document's turns into runs that each keep to one direction.

Every turn is a sentence embedding, centred on its document and weighted by its length, so that a nod does
not weigh like a paragraph. A run's cohesion is the length of the sum of its vectors; a penalty for each run
sets how many there are, and dynamic programming finds the best cut (as Utiyama and Isahara, 2001, do with
word probabilities). A long silence always cuts. TextTiling over the same vectors was tried first and did
worse: `memlake bench segment` prints both scores on QMSum.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lakehouse.ids import content_id
from lakehouse.records import Segment, Turn

PENALTY = 0.65
"""Cost of a run, in units of a document's total vector length over the root of its number of turns."""
SHORTEST = 6
"""Turns on either side of a boundary at least, unless a silence cuts there."""
LONGEST = 600
"""Turns of a segment at most."""
WINDOW = 1200
"""Turns that are cut at once: the work grows with the window, not with the square of the document."""
LONGEST_TEXT = 400
"""Characters of a turn that count for its weight."""
SILENCE = timedelta(hours=4)
SUMMARY_CHARS = 160

Matrix = NDArray[np.float32]


def segment(turns: Sequence[Turn], vectors: Matrix, dropped: dict[str, str] | None = None) -> list[Segment]:
    """Segments of one document's turns, in order and without gaps.

    `vectors` holds a unit row a turn, shape (len(turns), dim). `dropped` maps the turn ids that the filter
    leaves out to their reasons; they stay in their segment's record.
    """
    if not turns:
        return []
    lengths = [len(turn.text) for turn in turns]
    ends = [*boundaries(vectors, lengths, silences(turns)), len(turns)]
    out, start = [], 0
    for end in ends:
        out.append(_segment(turns[start:end], vectors[start:end], start, dropped or {}))
        start = end
    return out


def silences(turns: Sequence[Turn]) -> set[int]:
    """The gaps (index of the turn after) where the clock leaves a long silence."""
    out = set()
    for i in range(1, len(turns)):
        before, after = turns[i - 1].said_ts, turns[i].said_ts
        if before is not None and after is not None and after - before > SILENCE:
            out.add(i)
    return out


def boundaries(vectors: Matrix, lengths: Sequence[int], forced: set[int] | None = None) -> list[int]:
    """Indices at which a new segment starts, 0 left out: shape (n, dim) and n text lengths in."""
    count = len(vectors)
    edges = sorted({0, count, *(forced or ())})
    out: list[int] = []
    for left, right in pairwise(edges):
        for start in range(left, right, WINDOW):
            end = min(start + WINDOW, right)
            out += [start, *(start + cut for cut in _cut(vectors[start:end], lengths[start:end]))]
    return [start for start in out if start > 0]


def _cut(vectors: Matrix, lengths: Sequence[int]) -> list[int]:
    """The best cut of one window by dynamic programming over its prefix sums."""
    count = len(vectors)
    if count < 2 * SHORTEST:
        return []
    weights = np.minimum(np.asarray(lengths, np.float64), LONGEST_TEXT)
    weights /= max(float(weights.mean()), 1e-9)
    centre = (vectors * weights[:, None]).sum(axis=0) / max(float(weights.sum()), 1e-9)
    told = (vectors - centre) * weights[:, None]
    cost = PENALTY * float(np.linalg.norm(told, axis=1).sum()) / np.sqrt(count)
    sums = np.vstack([np.zeros((1, told.shape[1])), np.cumsum(told, axis=0)])
    best = np.full(count + 1, -np.inf)
    best[0] = 0.0
    back = np.zeros(count + 1, np.int64)
    for end in range(SHORTEST, count + 1):
        first, last = max(0, end - LONGEST), end - SHORTEST + 1
        gains = best[first:last] + np.linalg.norm(sums[end] - sums[first:last], axis=1) - cost
        choice = int(np.argmax(gains))
        best[end], back[end] = gains[choice], first + choice
    cuts, at = [], count
    while at > 0:
        at = int(back[at])
        cuts.append(at)
    return sorted(cut for cut in cuts if cut > 0)


def _segment(turns: Sequence[Turn], vectors: Matrix, first: int, dropped: dict[str, str]) -> Segment:
    times = [turn.said_ts for turn in turns if turn.said_ts is not None]
    return Segment(
        tenant=turns[0].tenant,
        document=turns[0].document,
        segment_id=content_id("segment", turns[0].document, turns[0].turn_id, turns[-1].turn_id),
        first=first,
        last=first + len(turns) - 1,
        summary=summary(turns, vectors),
        said_from=min(times, default=None),
        said_to=max(times, default=None),
        dropped=tuple(f"{turn.turn_id}:{dropped[turn.turn_id]}" for turn in turns if turn.turn_id in dropped),
    )


def summary(turns: Sequence[Turn], vectors: Matrix) -> str:
    """The most central of the longer turns, with its speaker: an extract, so nothing is made up."""
    lengths = np.array([len(turn.text) for turn in turns])
    centre = vectors.mean(axis=0)
    scores = vectors @ centre - np.where(lengths < np.median(lengths), 1.0, 0.0)
    best = turns[int(np.argmax(scores))]
    text = " ".join(best.text.split())
    return f"{best.speaker}: {text[:SUMMARY_CHARS]}{'…' if len(text) > SUMMARY_CHARS else ''}"
