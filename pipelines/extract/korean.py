"""Korean turns to drafts of statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.text import Sentence


def parse(sentences: list[Sentence], names: Sequence[str]) -> list[Any]:
    """All sentences through the analyser in one batch."""
    return list(sentences)


def read(parsed: Any, talk: Talk) -> list[Draft]:
    """The drafts of one sentence."""
    return []


def finish(turn: int, talk: Talk) -> None:
    """What a turn's statements become when all its sentences are read."""
