"""Constructions: other ways of saying a thing, rewritten to the one way that frames are read from.

A light verb with its noun ("has a sprain in"), a converse ("is in charge of"), a nominalisation (기상 시간은) or an
agent noun ("is a cello player") says what a plain verb says. The table is read from top to bottom, each line once.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from pipelines.korean_given import closed_with, is_closed
from pipelines.needed import folded, may_match, needed

JOSA = re.compile(r"(.)\{(은|이|을|로|과|이다)\}")
PAIRS = {
    "은": ("은", "는"),
    "이": ("이", "가"),
    "을": ("을", "를"),
    "로": ("으로", "로"),
    "과": ("과", "와"),
    "이다": ("이다", "다"),
}
"""A particle after a consonant and after a vowel."""
FINITE = re.compile(r"(\S+)\{한다\}")
"""A verb before its noun, to be said of it: 자란{한다}, 여는{한다}."""
COUNTED = re.compile(r"(\S+)\{하나\}")
NUMERALS = {"한": "하나", "두": "둘", "세": "셋", "네": "넷"}
"""A number before its counter and standing alone."""


@lru_cache(maxsize=1)
def table() -> dict[str, tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...]]:
    """constructions.tsv: language -> what a clause must hold, the pattern, what it becomes, in order."""
    words = {"ADN": rf"\S*[{closed_with(4)}]"}
    found: dict[str, list[tuple[tuple[str, ...], re.Pattern[str], str]]] = {"en": [], "ko": []}
    for line in (files(__package__) / "constructions.tsv").read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        language, pattern, becomes, _example = line.split("\t")
        for name, own in words.items():
            pattern = pattern.replace(f"<{name}>", f"(?:{own})")
        if language == "def":
            words[pattern] = becomes
        else:
            compiled = re.compile(pattern)
            found[language].append((needed(compiled), compiled, becomes))
    return {language: tuple(rows) for language, rows in found.items()}


@lru_cache(maxsize=8192)
def rewritten(text: str, language: str) -> str:
    """The clause in the words that frames are read from.

    >>> rewritten("Ana has a sprain in her left wrist.", "en"), rewritten("다솜은 샘병원 의사다.", "ko")
    ('Ana sprained her left wrist.', '다솜의 직업은 의사다. 다솜은 샘병원에서 일한다.')
    """
    shown = folded(text)
    for letters, pattern, becomes in table()[language]:
        if not may_match(letters, shown):
            continue
        changed, times = pattern.subn(becomes, text)
        if times:
            text = COUNTED.sub(lambda found: NUMERALS.get(found[1], found[1]), FINITE.sub(_finite, changed))
            text = JOSA.sub(_particle, text)
            shown = folded(text)
    return text


def _finite(match: re.Match[str]) -> str:
    """ "여는" as "연다", "자란" as "자란다", "읽은" as "읽었다": what is said, not what tells which one it is."""
    stem, last = match[1][:-1], match[1][-1]
    if last == "은" and is_closed(stem[-1:] or "가"):
        return f"{stem}었다"
    if last == "는" and stem and not is_closed(stem[-1]):
        return f"{stem[:-1]}{chr(ord(stem[-1]) + 4)}다"
    return f"{match[1]}다"


def _particle(match: re.Match[str]) -> str:
    before, kind = match[1], match[2]
    last = (ord(before) - 0xAC00) % 28 if "가" <= before <= "힣" else 0
    closed = last != 0 and not (kind == "로" and last == 8)
    return before + PAIRS[kind][0 if closed else 1]
