"""What a clause offers as values: its typed values and noun phrases, each with its role and whether it is in or out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from lakehouse.records import Value
from pipelines.frame.ellipsis import completed
from pipelines.frame.values import find_values


@dataclass(frozen=True, slots=True)
class Argument:
    """One phrase of a clause that may be a value. Offsets are into the clause.

    `role` is its place: subject, object, attribute, agent, owner, list, topic, bare, other, or "prep:in" (the
    English preposition, the Korean particle). `out`: it is gone, denied or replaced. `old`: what was there
    before ("from 3 to 5"). `label`: the noun that a number counts or names.
    """

    start: int
    end: int
    text: str
    value: Value
    role: str
    name: bool
    segment: int
    out: bool = False
    old: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """One predicate with its words: offsets, its lemmas, whether it denies and whether it says that something went.

    `main`: it is the sentence's own predicate or one joined to it, not that of a clause inside.
    """

    start: int
    end: int
    verbs: tuple[str, ...]
    lemmas: frozenset[str]
    negated: bool
    gone: bool
    main: bool = True


@dataclass(frozen=True, slots=True)
class Clause:
    """A parsed clause: its segments and arguments from left to right."""

    text: str
    language: str
    segments: tuple[Segment, ...]
    arguments: tuple[Argument, ...]


@lru_cache(maxsize=8192)
def read_clause(text: str, language: str) -> Clause:
    """Parse a text of one or a few sentences."""
    from pipelines.frame import english, korean

    typed = completed(text, language, find_values(text, language))
    return korean.clause(text, typed) if language == "ko" else english.clause(text, typed)
