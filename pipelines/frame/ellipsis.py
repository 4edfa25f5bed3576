"""Numbers whose unit was said before: "from 8 francs to 9", "not 310 but 301 tonnes"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lakehouse.records import Value
from pipelines.frame.values import Found

UNITS = frozenset({"money", "quantity"})
BEFORE = re.compile(
    r"\b(?:to|from|than|not|is|are|was|were|be|been|pays?|paid|costs?|now|only|still|just|instead of|but)\s+"
    r"(?:just |only |now |still )?$",
    re.I,
)
AFTER = re.compile(
    r"\s*(?:$|[.,;!?)—–]|(?:now|today|tomorrow|instead|again|each|apiece|from|as of|since|starting|until|till|per|and"
    r"|an?\s+\w+"
    r"|but|rather|after|before|this|next|last|in the end)\b)",
    re.I,
)
COST = re.compile(r"\b(?:pay|pays|paid|paying|cost|costs|charge|charges|charged|fee|fare|rent|price)\b", re.I)


def completed(text: str, language: str, found: Sequence[Found]) -> list[Found]:
    """The values with the unit that a bare number shares with the only other amount of its sentence.

    >>> from pipelines.frame.values import find_values
    >>> text = "The toll went from 8 euros to 9."
    >>> [f.value.norm for f in completed(text, "en", find_values(text, "en"))]
    ['8 eur', '9 eur']
    """
    if language != "en":
        return list(found)
    whole = _one([f.value for f in found if f.value.type in UNITS])
    if whole is None:
        return list(found)
    degrees = whole.norm.endswith(("°c", "%"))
    return [replace(f, value=_alike(f.value, whole)) if _bare(text, f, degrees) else f for f in found]


def in_currency(value: Value, text: str, earlier: Sequence[Value]) -> Value | None:
    """A bare amount of a sentence about money in the currency that its turn named before ("Children pay 4.")."""
    if value.type != "number" or not (COST.search(text) or BEFORE.search(text[: text.rfind(value.text)])):
        return None
    whole = _one([v for v in earlier if v.type == "money"])
    at = text.rfind(value.text)
    return None if whole is None or at < 0 or not AFTER.match(text[at + len(value.text) :]) else _alike(value, whole)


def _one(values: Sequence[Value]) -> Value | None:
    """An amount with the one unit that all of them have."""
    units = {(v.type, v.norm.split(" ", 1)[1]) for v in values if " " in v.norm}
    return next(v for v in values if " " in v.norm) if len(units) == 1 else None


def _alike(value: Value, whole: Value) -> Value:
    """A number with another amount's unit, in its words too."""
    unit = re.sub(r"\d[\d.,]*|(?<=^)\w+(?=\s)", "{}", whole.text, count=1)
    shown = unit.format(value.text) if unit.count("{}") == 1 else value.text
    return Value(whole.type, f"{value.norm} {whole.norm.split(' ', 1)[1]}", shown)


def _bare(text: str, found: Found, degrees: bool) -> bool:
    """Whether a number stands where an amount would; at a temperature or a rate, "at" leads to one too."""
    return (
        found.value.type == "number"
        and (bool(BEFORE.search(text[: found.start])) or (degrees and bool(re.search(r"\bat $", text[: found.start]))))
        and bool(AFTER.match(text[found.end :]))
    )
