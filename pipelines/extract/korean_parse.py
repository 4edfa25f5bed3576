"""Korean sentences through the analyser, chat spelling mended and fixed frames cut off first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.extract.korean_frames import Frame, frame_of
from pipelines.extract.korean_morph import repaired
from pipelines.extract.text import Sentence
from pipelines.language import korean_tokens


@dataclass(frozen=True, slots=True)
class Parsed:
    """A sentence with its frames cut off and the rest analysed; `inner` are the tokens of a quotation."""

    sentence: Sentence
    frame: Frame
    tokens: Sequence[Any]
    inner: Sequence[Any]


def parse(sentences: list[Sentence], names: Sequence[str]) -> list[Parsed]:
    """All sentences through the analyser in one batch."""
    frames = [frame_of(_spelled(sentence.plain)) for sentence in sentences]
    texts = [frame.clause for frame in frames] + [frame.quoted or "." for frame in frames]
    tokens = korean_tokens(texts, names) if texts else []
    half = len(frames)
    return [
        Parsed(s, f, repaired(tokens[i]), tokens[half + i] if f.quoted else ())
        for i, (s, f) in enumerate(zip(sentences, frames, strict=True))
    ]


SPELLING = (
    (re.compile(r"햇(?=[어다습는네지고던])"), "했"),
    (re.compile(r"됬"), "됐"),
    (re.compile(r"갓(?=[어다습])"), "갔"),
    (re.compile(r"왓(?=[어다습])"), "왔"),
    (re.compile(r"엇(?=[어다습])"), "었"),
    (re.compile(r"앗(?=[어다습])"), "았"),
    (re.compile(r"(?<=[가-힣])[ㅋㅎㅠㅜ]{1,}"), " "),
    (re.compile(r"[ㅋㅎㅠㅜㄷㅇㄹ]{2,}"), " "),
    (re.compile(r"안되(?=[요지네는])"), "안 되"),
    (re.compile(r"담달"), "다음 달"),
    (re.compile(r"담주"), "다음 주"),
    (re.compile(r"저번주"), "지난주"),
    (re.compile(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F]+"), " "),
)


def _spelled(text: str) -> str:
    for pattern, written in SPELLING:
        text = pattern.sub(written, text)
    return re.sub(r"\s+", " ", text).strip()
