"""`memlake bench extract`: the rules' rate on turns of each language, against the local model that they wait for.

The ratio sets turns a second of the whole extractor against the language's parser alone, as its package gives it
(spaCy without its recogniser of names, or Kiwi), on the same turns in the same process; both are warm, neither has
seen the turns.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from lakehouse.records import Turn
from pipelines.atoms import read_atoms
from pipelines.extract.route import worth
from pipelines.frame.arguments import read_clause
from pipelines.frame.constructions import rewritten
from pipelines.ingest.read import files_of, read_file
from pipelines.ingest.source import ReadOptions
from pipelines.language import analysed, korean, packaged_english, parsed
from pipelines.timex.resolve import dated

CHUNK = 400
"""Turns that are read at once, as the extract stage does."""


def extract_figures(paths: Sequence[str], turns: int) -> dict[str, Any]:
    """{"en_turns_per_s", "en_ratio", "ko_turns_per_s", "ko_ratio"} on up to `turns` turns of a language.

    An archive with fewer turns is read again; what was kept of a round is forgotten before the next.
    """
    worthy = [turn for turn in _turns(paths) if worth(turn)[0]]
    out: dict[str, Any] = {}
    for language in ("en", "ko"):
        own = [turn for turn in worthy if turn.language == language]
        if not own:
            continue
        chosen = [replace(own[n % len(own)], document=f"bench{n // len(own)}") for n in range(turns)]
        read_atoms(own[:50], ())
        model = _seconds_of_model(language, [turn.text for turn in chosen])
        spent, atoms = 0.0, 0
        for _, rows in groupby(chosen, key=lambda turn: turn.document):
            forget()
            told, started = list(rows), time.perf_counter()
            for first in range(0, len(told), CHUNK):
                part = told[first : first + CHUNK]
                atoms += len(read_atoms(part, tuple(sorted({turn.speaker for turn in part}))))
            spent += time.perf_counter() - started
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


def forget() -> None:
    """Let go of all texts that were read."""
    for kept in (parsed, analysed):
        kept.clear()
    for reading in (read_clause, rewritten, dated):
        reading.cache_clear()


def _seconds_of_model(language: str, texts: Sequence[str]) -> float:
    if language == "en":
        alone = packaged_english()
        list(alone.pipe(texts[:50]))
        started = time.perf_counter()
        for _ in alone.pipe(texts, batch_size=64):
            pass
    else:
        started = time.perf_counter()
        list(korean().tokenize(list(texts)))
    return time.perf_counter() - started
