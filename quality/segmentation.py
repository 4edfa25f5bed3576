"""Scoring topic segmentation on QMSum: Pk (Beeferman et al., 1999) and WindowDiff (Pevzner and Hearst, 2002).

Two baselines stand beside it: even splits with the gold's number of segments, and one segment a session.
Lower is better.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipelines.segment import boundaries

Vectors = Any


def pk(gold: Sequence[int], given: Sequence[int], length: int, window: int) -> float:
    """Share of the turn pairs at a distance of `window` that one segmentation joins and the other parts."""
    a, b = _labels(gold, length), _labels(given, length)
    pairs = range(length - window)
    return sum((a[i] == a[i + window]) != (b[i] == b[i + window]) for i in pairs) / max(1, len(pairs))


def window_diff(gold: Sequence[int], given: Sequence[int], length: int, window: int) -> float:
    """Share of the windows in which the number of boundaries differs."""
    a, b = _labels(gold, length), _labels(given, length)
    pairs = range(length - window)
    return sum((a[i + window] - a[i]) != (b[i + window] - b[i]) for i in pairs) / max(1, len(pairs))


def _labels(starts: Sequence[int], length: int) -> list[int]:
    marks = set(starts)
    out, label = [], 0
    for i in range(length):
        label += i in marks
        out.append(label)
    return out


def score_qmsum(paths: Sequence[Path], encode: Callable[[Sequence[str]], Vectors]) -> dict[str, Any]:
    """Mean Pk and WindowDiff over the meetings of QMSum files, for memlake and the two baselines."""
    totals: dict[str, list[tuple[float, float]]] = {"memlake": [], "even": [], "one_segment": []}
    meetings = 0
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            meeting = json.loads(line)
            texts = [f"{turn['speaker']}: {turn['content']}" for turn in meeting["meeting_transcripts"]]
            gold = _gold(meeting, len(texts))
            if not gold:
                continue
            meetings += 1
            window = max(2, round(len(texts) / (len(gold) + 1) / 2))
            count = len(gold) + 1
            guesses = {
                "memlake": boundaries(np.asarray(encode(texts), np.float32), [len(text) for text in texts]),
                "even": [round(len(texts) * i / count) for i in range(1, count)],
                "one_segment": [],
            }
            for name, guess in guesses.items():
                totals[name].append((pk(gold, guess, len(texts), window), window_diff(gold, guess, len(texts), window)))
    return {
        "meetings": meetings,
        **{
            name: {
                "pk": round(float(np.mean([p for p, _ in rows])), 4),
                "window_diff": round(float(np.mean([w for _, w in rows])), 4),
            }
            for name, rows in totals.items()
            if rows
        },
    }


def _gold(meeting: dict[str, Any], length: int) -> list[int]:
    starts = {
        int(span[0])
        for topic in meeting.get("topic_list", [])
        for span in topic.get("relevant_text_span", [])
        if 0 < int(span[0]) < length
    }
    return sorted(starts)
