"""Word lists and tables: read once, never changed."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def words(text: str) -> frozenset[str]:
    """The words of a line, as a set.

    >>> sorted(words("b a"))
    ['a', 'b']
    """
    return frozenset(text.split())


@cache
def table(package: str, name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a packaged tab-separated table, without its comment lines (#) and blank lines."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return tuple(
        tuple(cell.strip() for cell in line.split("\t"))
        for line in text.splitlines()
        if line.strip() and not line.startswith("#")
    )
