"""Change cues: what the words say about the change (correction, revert, retract, end, add, remove, update ...)."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from pipelines.needed import folded, may_match, needed

ORDER = ("retract", "correction", "restate", "revert", "end", "remove", "add", "list", "update")


@lru_cache(maxsize=1)
def table() -> dict[str, tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]]:
    """cues.tsv: language -> each cue with what a text must hold and one pattern."""
    rows: dict[tuple[str, str], list[str]] = {}
    for line in (files(__package__) / "cues.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            cue, language, pattern, _example = line.split("\t")
            rows.setdefault((language, cue), []).append(pattern)
    found: dict[str, tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]] = {}
    for cue in ORDER:
        for language in ("en", "ko"):
            if patterns := rows.get((language, cue)):
                whole = re.compile("|".join(f"(?:{p})" for p in patterns), re.I)
                found[language] = (*found.get(language, ()), (cue, needed(whole), whole))
    return found


def cues_in(text: str, language: str) -> dict[str, tuple[int, int]]:
    """Every cue that the words carry, with the place of its first word.

    >>> sorted(cues_in("Oops, the ticket is 12 pounds, not 10.", "en"))
    ['correction']
    >>> sorted(cues_in("오늘부터 결제 모듈을 3.4로 롤백했습니다", "ko"))
    ['revert', 'update']
    """
    found = {}
    shown = folded(text)
    for cue, letters, pattern in table()[language]:
        match = pattern.search(text) if may_match(letters, shown) else None
        if match:
            found[cue] = match.span()
    return found
