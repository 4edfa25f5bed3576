"""Change cues: what the words say about the change (correction, revert, retract, end, add, remove, update ...)."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

ORDER = ("retract", "correction", "restate", "revert", "end", "remove", "add", "list", "update")


@lru_cache(maxsize=1)
def table() -> dict[tuple[str, str], re.Pattern[str]]:
    """cues.tsv: (language, cue) -> one pattern."""
    rows: dict[tuple[str, str], list[str]] = {}
    for line in (files(__package__) / "cues.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            cue, language, pattern, _example = line.split("\t")
            rows.setdefault((language, cue), []).append(pattern)
    return {key: re.compile("|".join(f"(?:{p})" for p in patterns), re.I) for key, patterns in rows.items()}


def cues_in(text: str, language: str) -> dict[str, tuple[int, int]]:
    """Every cue that the words carry, with the place of its first word.

    >>> sorted(cues_in("Oops, the ticket is 12 pounds, not 10.", "en"))
    ['correction']
    >>> sorted(cues_in("오늘부터 결제 모듈을 3.4로 롤백했습니다", "ko"))
    ['revert', 'update']
    """
    found = {}
    for cue in ORDER:
        pattern = table().get((language, cue))
        match = pattern.search(text) if pattern else None
        if match:
            found[cue] = match.span()
    return found
