"""`memlake train` and `memlake eval trimem`: the encoder and a progress bar around what quality computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from jobs.settings import Settings
from quality.model_card import card
from quality.train import DROPPED, SHIPPED, dropped_file, on_gold, train
from quality.trimem import messages, sampled, trimem
from retrieval import heads
from retrieval.embedder import PackagedEmbedder

BATCH = 64


def train_heads(
    settings: Settings, folder: Path | None = None, gold: Path | None = None, card_file: Path | None = None
) -> dict[str, Any]:
    """Train on the packaged encoder and write the weights: the shipped heads' and, apart, those that were dropped.

    Into the packages themselves, or both into `folder`. Gives the report, with what the heads would do to the
    extraction gold of the folder `gold`; the model card goes to `card_file`.
    """
    encoder = PackagedEmbedder(settings.cache / "models")
    with _bar() as bar:
        found, report = train(_shown(bar, "statements", encoder.passages), _shown(bar, "questions", encoder.queries))
        if gold:
            report["gold"] = on_gold(found, gold, _shown(bar, "gold atoms", encoder.passages))
    for names, place in ((SHIPPED, heads.file()), (DROPPED, dropped_file())):
        target = place if folder is None else folder / place.name
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as out:
            heads.write({name: found[name] for name in names}, out)
    if card_file:
        card_file.write_text(card(report), encoding="utf-8")
    return report


def trimem_figures(settings: Settings, path: Path, size: int | None) -> dict[str, Any]:
    """TriMEM's table, of a seeded sample of so many rows, or of all."""
    rows = messages(path)
    chosen = rows if size is None else sampled(rows, size)
    with dropped_file().open("rb") as packed:
        trained = {**heads.read(packed), **heads.load(PackagedEmbedder.name)}
    with _bar() as bar:
        task = bar.add_task("messages", total=len(chosen))
        return trimem(
            chosen, trained, PackagedEmbedder(settings.cache / "models").passages, lambda n: bar.advance(task, n)
        )


def _bar() -> Progress:
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def _shown(bar: Progress, what: str, encode: Callable[[Sequence[str]], Any]) -> Callable[[Sequence[str]], Any]:
    """The same encoder, with a bar that moves by batches."""

    def encoded(texts: Sequence[str]) -> Any:
        task = bar.add_task(f"encoding {what}", total=len(texts))
        parts = []
        for first in range(0, len(texts), BATCH):
            parts.append(encode(texts[first : first + BATCH]))
            bar.advance(task, len(parts[-1]))
        return np.concatenate(parts)

    return encoded
