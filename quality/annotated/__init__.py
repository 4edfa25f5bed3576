"""Annotated sentences for the small heads: frames written by hand, multiplied by what fills their slots.

`statements_*.tsv` and `questions_*.tsv` hold a frame a line with its labels, `slots.tsv` the fillers. A frame with
slots gives `LINES` sentences, drawn by the seed and the frame's own words, so a frame that is added moves no other.
In Korean "은/는" and its like are written both ways and chosen by the sound before them.

The unseen tenth is cut by frame, and whole domains lie in it: no template is on both sides. Fillers are shared.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Literal

from lakehouse.vocabulary import AtomKind, MemoryType, Modality, Polarity
from pipelines.wordlist import table

SEED = 7
LINES = 4
"""Sentences of a frame that has slots."""
UNSEEN_DOMAINS = frozenset({"garden", "music"})
UNSEEN_SHARE = 15
"""Of the other domains every so manieth frame is unseen, by its hash."""
SLOT = re.compile(r"\{([a-z]+)(\d?)\}")
OTHER = {"q": "p"}
"""Slots that take another filler of a slot."""
PARTICLES = re.compile(
    r"(?<=(\S))(이에요/예요|이었으면/였으면|이라는/라는|이랑/랑|으로/로|은/는|이/가|을/를|과/와|아/야)"
)
SOUNDED = {**dict.fromkeys("013678", True), **dict.fromkeys("lmnLMN", True)}
"""Digits and letters whose Korean reading ends in a consonant."""

Own = Literal["en", "ko"]
LANGUAGES: tuple[Own, ...] = ("en", "ko")


@dataclass(frozen=True, slots=True)
class Labels:
    """What is known of a sentence; None where a frame does not say."""

    types: frozenset[MemoryType] | None = None
    worth: bool | None = None
    kind: AtomKind | None = None
    polarity: Polarity | None = None
    modality: Modality | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a frame with its labels; `unseen` sentences are never trained on."""

    text: str
    language: Own
    domain: str
    frame: str
    labels: Labels
    unseen: bool


def statements() -> list[Sentence]:
    """The annotated statements, and the lines that hold nothing to remember, in the order of their frames."""
    return [
        sentence
        for language in LANGUAGES
        for domain, types, kind, polarity, modality, frame in table(__name__, f"statements_{language}.tsv")
        for sentence in _sentences(language, domain, frame, _labels(types, kind, polarity, modality))
    ]


def questions() -> list[Sentence]:
    """The annotated questions, in the order of their frames."""
    return [
        sentence
        for language in LANGUAGES
        for domain, types, frame in table(__name__, f"questions_{language}.tsv")
        for sentence in _sentences(language, domain, frame, Labels(types=_types(types)))
    ]


def _labels(types: str, kind: str, polarity: str, modality: str) -> Labels:
    if types == "-":
        return Labels(worth=False)
    return Labels(
        types=_types(types) if types != "." else None,
        worth=True if types != "." else None,
        kind=kind if kind != "." else None,  # type: ignore[arg-type]
        polarity=polarity if polarity != "." else None,  # type: ignore[arg-type]
        modality=modality if modality != "." else None,  # type: ignore[arg-type]
    )


def _types(written: str) -> frozenset[MemoryType]:
    return frozenset(written.split("+"))  # type: ignore[arg-type]


def _sentences(language: Own, domain: str, frame: str, labels: Labels) -> Iterator[Sentence]:
    unseen = domain in UNSEEN_DOMAINS or _number(f"{language}|{frame}") % UNSEEN_SHARE == 0
    lines = LINES if SLOT.search(frame) else 1
    for text in dict.fromkeys(filled(frame, language, line) for line in range(lines)):
        yield Sentence(text, language, domain, frame, labels, unseen)


def _number(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def filled(frame: str, language: Own, line: int) -> str:
    """A frame with its slots filled, the same for the same line; a slot's number takes another filler.

    >>> filled("{p}은/는 {city}으로/로 갔어.", "ko", 0) == filled("{p}은/는 {city}으로/로 갔어.", "ko", 0)
    True
    """
    draw = random.Random(_number(f"{SEED}|{language}|{line}|{frame}"))
    left = {slot: list(fillers) for slot, fillers in slots(language).items()}

    def fill(found: re.Match[str]) -> str:
        fillers = left[OTHER.get(found[1], found[1])]
        return fillers.pop(draw.randrange(len(fillers)))

    text = SLOT.sub(fill, frame)
    return (
        PARTICLES.sub(_particle, text) if language == "ko" else text[0].upper() + text[1:] if frame[0] == "{" else text
    )


@cache
def slots(language: Own) -> dict[str, tuple[str, ...]]:
    """The fillers of each slot."""
    return {name: tuple(fillers.split("|")) for own, name, fillers in table(__name__, "slots.tsv") if own == language}


def _particle(found: re.Match[str]) -> str:
    """The form that fits the sound before it: after a consonant the first, 으로 not after ㄹ."""
    closed, open_ = found[2].split("/")
    before = found[1]
    coda = (ord(before) - 0xAC00) % 28 if "가" <= before <= "힣" else 4 * SOUNDED.get(before, False)
    liquid = closed == "으로" and (coda == 8 or before in "178lL")
    return closed if coda and not liquid else open_
