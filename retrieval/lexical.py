"""Sparse lexical vectors from our own tokens: the same search on Milvus Lite and on a server.

A document's weight of a token is BM25's term saturation (Robertson et al., 1995); a question's is 1. Tokens
are hashed to 31 bits, so no vocabulary has to be kept, versioned or erased.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence

from pipelines.language import detect, korean_tokens

K1, B, AVERAGE = 1.2, 0.75, 20.0
LONGEST = 4000
WORD = re.compile(r"[^\W_]+(?:[._'-][^\W_]+)*")
HAN_KANA = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
KOREAN_TAGS = ("NN", "NR", "NP", "VV", "VA", "XR", "SL", "SN", "SH", "MAG", "W_")
STOP = frozenset(
    "a an the of to in on at for and or is are was were be been it its this that i you he she we they my your our"
    " do did does has have had what which who whom when where why how with as by from".split()
)
Sparse = dict[int, float]


def tokens(texts: Sequence[str]) -> list[list[str]]:
    """Tokens of each text: Korean by morphology, Han and kana by character pairs, the rest by words.

    >>> tokens(["The Port is 7410"])
    [['port', '7410']]
    """
    cut = [text[:LONGEST] for text in texts]
    languages = [detect(text) for text in cut]
    korean = iter(korean_tokens([text for text, lang in zip(cut, languages, strict=True) if lang == "ko"]))
    out = []
    for text, language in zip(cut, languages, strict=True):
        if language == "ko":
            out.append([_form(token) for token in next(korean) if token.tag.startswith(KOREAN_TAGS)])
        else:
            out.append(_words(text))
    return out


def _form(token: object) -> str:
    return str(token.form).casefold()  # type: ignore[attr-defined]


def _words(text: str) -> list[str]:
    words = []
    for match in WORD.finditer(text):
        word = match.group().casefold()
        if runs := HAN_KANA.findall(word):
            for run in runs:
                words += [run[i : i + 2] for i in range(max(1, len(run) - 1))]
        elif word not in STOP:
            words.append(stem(word))
    return words


def stem(word: str) -> str:
    """The word without a plural or possessive ending: enough for recall, and nothing to go wrong.

    >>> stem("ports"), stem("glass"), stem("mira's")
    ('port', 'glass', 'mira')
    """
    word = word.removesuffix("'s")
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def term(token: str) -> int:
    """A token's number, below 2^31."""
    return zlib.crc32(token.encode()) & 0x7FFFFFFF


def passages(texts: Sequence[str]) -> list[Sparse]:
    """Sparse vectors of what is stored."""
    out = []
    for words in tokens(texts):
        length = K1 * (1 - B + B * len(words) / AVERAGE)
        out.append({term(w): n * (K1 + 1) / (n + length) for w, n in Counter(words).items()})
    return out


def query(text: str) -> Sparse:
    """The sparse vector of what is asked."""
    return {term(word): 1.0 for word in tokens([text])[0]}
