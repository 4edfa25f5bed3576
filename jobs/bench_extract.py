"""`memlake bench extract`: the rules' rate on turns of each language, against the local model that they wait for.

The ratio sets turns a second of the whole extractor against the language's parser alone (spaCy or Kiwi) on the same
turns in the same process; both are warm, neither has seen the turns.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from lakehouse.records import Turn
from pipelines.atoms import read_atoms
from pipelines.extract.route import worth
from pipelines.ingest.read import files_of, read_file
from pipelines.ingest.source import ReadOptions
from pipelines.language import english, korean

CHUNK = 400
"""Turns that are read at once, as the extract stage does."""
DIGITS = "0123456789"


def extract_figures(paths: Sequence[str], turns: int) -> dict[str, Any]:
    """{"en_turns_per_s", "en_ratio", "ko_turns_per_s", "ko_ratio"} on up to `turns` turns of a language.

    An archive with fewer turns is read again with other digits, so that nothing is served from a cache.
    """
    told = [turn for turn in _turns(paths) if worth(turn)[0]]
    out: dict[str, Any] = {}
    for language in ("en", "ko"):
        own = [turn for turn in told if turn.language == language]
        if not own:
            continue
        chosen = _enough(own, turns)
        read_atoms(_enough(own, len(own))[:50], ())
        model = _seconds_of_model(language, [turn.text for turn in chosen])
        started = time.perf_counter()
        atoms = 0
        for first in range(0, len(chosen), CHUNK):
            part = chosen[first : first + CHUNK]
            atoms += len(read_atoms(part, tuple(sorted({turn.speaker for turn in part}))))
        spent = time.perf_counter() - started
        out |= {
            f"{language}_turns": len(chosen),
            f"{language}_atoms": atoms,
            f"{language}_turns_per_s": round(len(chosen) / spent, 1),
            f"{language}_model_turns_per_s": round(len(chosen) / model, 1),
            f"{language}_ratio": round(model / spent, 3),
        }
    return out


def _turns(paths: Sequence[str]) -> Iterator[Turn]:
    for source in files_of(paths, ReadOptions()):
        for row in read_file(source, "bench", Counter()):
            if isinstance(row, Turn):
                yield row


def _enough(turns: Sequence[Turn], count: int) -> list[Turn]:
    """`count` turns, from the second round on with their digits moved on by one a round."""
    out = []
    for number in range(count):
        turn, rounds = turns[number % len(turns)], number // len(turns)
        text = turn.text.translate(str.maketrans(DIGITS, DIGITS[rounds % 10 :] + DIGITS[: rounds % 10]))
        out.append(replace(turn, text=f"{text} {rounds}." if rounds else text, document=f"{turn.document}{rounds}"))
    return out


def _seconds_of_model(language: str, texts: Sequence[str]) -> float:
    started = time.perf_counter()
    if language == "en":
        for _ in english().pipe(texts, batch_size=64):
            pass
    else:
        list(korean().tokenize(list(texts)))
    return time.perf_counter() - started
