"""English sentences through the parser, their fixed frames cut off first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from pipelines.extract.english_frames import Frame, frame_of
from pipelines.extract.english_whole import fluent
from pipelines.extract.text import Sentence
from pipelines.language import english_docs
from pipelines.wordlist import table


@dataclass(frozen=True, slots=True)
class Parsed:
    """A sentence with its frames cut off and the rest parsed."""

    sentence: Sentence
    frame: Frame
    doc: Any


@cache
def chat() -> dict[str, str]:
    """Chat spellings and what they stand for."""
    return {row[0]: row[1] if len(row) > 1 else "" for row in table("pipelines.extract", "chat_en.tsv")}


def parse(sentences: list[Sentence]) -> list[Parsed]:
    """All sentences through the parser in one batch."""
    frames = [frame_of(fluent(sentence.plain)) for sentence in sentences]
    docs = english_docs([frame.clause for frame in frames])
    return [Parsed(sentence, frame, doc) for sentence, frame, doc in zip(sentences, frames, docs, strict=True)]
