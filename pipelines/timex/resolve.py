"""`find` and `resolve`: the two entries to time expressions."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from lakehouse.records import TimeSpan
from lakehouse.vocabulary import Language
from pipelines.timex import english, korean
from pipelines.timex.grammar import Hit, read
from pipelines.timex.parts import Context, Tense

LONGEST = 20_000
"""Characters read: beyond it a text is data, not speech."""
MANY = {"en": english.LEXICON, "ko": korean.LEXICON}


def lower(text: str) -> str:
    """Lower case without a change of length, so that offsets hold.

    >>> len(lower("İstanbul")) == len("İstanbul")
    True
    """
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _hits(text: str, said_at: datetime, language: Language, tense: Tense, whole: bool) -> list[Hit]:
    if language not in MANY:
        return []
    return list(dated(text, said_at.replace(tzinfo=None), language, tense, whole))


@lru_cache(maxsize=4096)
def dated(text: str, said_at: datetime, language: Language, tense: Tense, whole: bool) -> tuple[Hit, ...]:
    """What a text says of time: attribution and framing ask for the same clauses."""
    context = Context(said_at, tense)
    return tuple(read(lower(text[:LONGEST]).replace("’", "'"), MANY[language], context, whole))


def find(text: str, said_at: datetime, language: Language, tense: Tense = "none") -> list[tuple[int, int, TimeSpan]]:
    """Every time expression of `text` with its character span, left to right.

    `tense` is the caller's knowledge of past or future; "none" reads it from the words nearby. Times
    without a day ("at 8:00") and repeated ones ("every Friday") have no date and are left out.

    >>> find("I moved two weeks ago.", datetime(2025, 6, 18, 10, 30), "en")
    [(8, 21, TimeSpan(start='2025-06-02', end='2025-06-08', grain='week'))]
    """
    return [(hit.start, hit.end, hit.span.as_time()) for hit in _hits(text, said_at, language, tense, False)]


def resolve(expression: str, said_at: datetime, language: Language, text: str | None = None) -> TimeSpan | None:
    """What one expression means, None when it has no date; `text`, its sentence, tells past from future.

    >>> resolve("3월에", datetime(2025, 2, 1), "ko", "3월에 결혼해요.").start
    '2025-03-01'
    """
    whole = text if text and expression in text else expression
    start = whole.find(expression)
    end = start + len(expression)
    lexicon = MANY.get(language)
    if lexicon is None:
        return None
    tense = lexicon.tense(lower(whole)[:LONGEST], start, min(end, LONGEST)) if whole is not expression else "none"
    hits = _hits(expression, said_at, language, tense, True) or _hits(
        f"in {expression}", said_at, language, tense, True
    )
    best = max(hits, key=lambda hit: hit.end - hit.start, default=None)
    return best.span.as_time() if best else None
