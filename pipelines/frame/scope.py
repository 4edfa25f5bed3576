"""Scopes: what narrows a statement (environment, country, branch, customer group, weekday, role)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def table() -> dict[str, tuple[str, str]]:
    """scopes.tsv: spelling -> (canonical word, kind)."""
    found = {}
    for line in (files(__package__) / "scopes.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, canonical, spellings = line.split("\t")
            for spelling in [canonical, *spellings.split("|")]:
                if spelling:
                    found[spelling] = (canonical, kind)
    return found


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    english = [s for s in table() if not re.search("[가-힣]", s)]
    korean = [s for s in table() if re.search("[가-힣]", s)]
    longest = sorted(english, key=len, reverse=True)
    return re.compile(
        r"\b(?:" + "|".join(map(re.escape, longest)) + r")\b|(?:"
        + "|".join(map(re.escape, sorted(korean, key=len, reverse=True))) + ")",
        re.I,
    )  # fmt: skip


def scopes_in(text: str) -> list[tuple[int, int, str, str]]:
    """Scope words of a text: start, end, canonical word, kind.

    >>> [(s[2], s[3]) for s in scopes_in("the staging timeout for Spanish customers on weekdays")]
    [('staging', 'environment'), ('spain', 'country'), ('weekday', 'days')]
    """
    return [(m.start(), m.end(), *table()[m.group().lower()]) for m in _pattern().finditer(text)]


def scope_words(anchors: Iterable[str]) -> frozenset[str]:
    """The scope words among anchors, canonical."""
    return frozenset(table()[a][0] for a in anchors if a in table())


def kind_of(word: str) -> str:
    """The kind of a scope word, "" when it is none."""
    return table().get(word, ("", ""))[1]
