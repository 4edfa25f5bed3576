"""What a text must hold for a pattern to match it: a look that costs far less than the match that it saves.

Most rules of a table match few texts. `Needed` reads a compiled pattern once and keeps letters of which one must stand
in every text that it matches; a text is folded once and asked for all of a table's patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from re import _parser  # type: ignore[attr-defined]
from typing import Any

MOST = 128
"""Alternatives that are looked for: a pattern that needs one of more is tried at once."""
DIGIT = re.compile(r"\d")
NOTHING: frozenset[str] = frozenset()
REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


def folded(text: str) -> str:
    """The text as `Needed` reads it: without case, every digit a zero.

    >>> folded("Bay 47")
    'bay 00'
    """
    return DIGIT.sub("0", text.casefold())


def needed(pattern: re.Pattern[str]) -> tuple[str, ...]:
    r"""Folded letters of which every text that matches holds at least one; none when there are no such letters.

    >>> needed(re.compile(r"\b(?:costs?|priced at) [a-z]+")), needed(re.compile(r"\w+"))
    (('cost', 'priced at'), ())
    """
    return tuple(sorted(_best(_parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE | re.UNICODE))))


def may_match(letters: Sequence[str], text: str) -> bool:
    """Whether a folded text holds one of the letters, or none is needed."""
    return not letters or any(piece in text for piece in letters)


def any_of(patterns: Iterable[re.Pattern[str]]) -> tuple[str, ...]:
    """What a text must hold for one of the patterns to match; none when one of them needs nothing.

    >>> any_of([re.compile("todays?"), re.compile("day"), re.compile("noon")])
    ('day', 'noon')
    """
    each = [needed(pattern) for pattern in patterns]
    if not all(each):
        return ()
    pieces = {piece for letters in each for piece in letters}
    return tuple(sorted(piece for piece in pieces if not any(other != piece and other in piece for other in pieces)))


def _best(nodes: Iterable[Any]) -> frozenset[str]:
    """The requirement of a sequence that few texts meet: the longest letters, then the fewest alternatives."""
    met = [one for one in _requirements(nodes) if len(one) <= MOST]
    return max(met, key=lambda one: (min(map(_rare, one)), -len(one)), default=NOTHING)


def _rare(piece: str) -> int:
    """How few texts hold some letters, roughly: a digit is as rare as four letters."""
    return 4 if piece.isdigit() else len(piece.strip())


def _requirements(nodes: Iterable[Any]) -> Iterator[frozenset[str]]:
    """Each part of a sequence that must be there, as alternatives."""
    run = ""
    for kind, value in nodes:
        name = str(kind)
        if name == "LITERAL":
            run += chr(value)
            continue
        if name == "AT":
            continue
        if run:
            yield frozenset({folded(run)})
            run = ""
        if name == "SUBPATTERN":
            yield from _requirements(value[-1])
        elif name == "ATOMIC_GROUP":
            yield from _requirements(value)
        elif name in REPEATS and value[0] > 0:
            yield from _requirements(value[2])
        elif name == "ASSERT":
            yield from _requirements(value[1])
        elif name == "BRANCH":
            ways = [_best(way) for way in value[1]]
            if all(ways):
                yield frozenset().union(*ways)
        elif name == "IN":
            ways = [_one_of(item) for item in value]
            if all(ways):
                yield frozenset().union(*ways)
    if run:
        yield frozenset({folded(run)})


def _one_of(item: Any) -> frozenset[str]:
    """A member of a class of characters, when it can be told by a letter."""
    kind, value = str(item[0]), item[1]
    if kind == "LITERAL":
        return frozenset({folded(chr(value))})
    digits = (kind == "CATEGORY" and str(value) == "CATEGORY_DIGIT") or (
        kind == "RANGE" and ord("0") <= value[0] <= value[1] <= ord("9")
    )
    return frozenset("0") if digits else NOTHING
