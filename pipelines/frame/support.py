"""Does the syntax of an English clause bear out that its words name the relation of a value?

A typed value (money, a clock time) picks its relation by its type. A name or a noun phrase fits any: there the
relation's word must govern it, be its subject or predicate noun, or name it, in the same predicate.
"""

from __future__ import annotations

from typing import Any

from pipelines.frame.registry import Relation
from pipelines.frame.words import parse_english

ADJECTIVAL = frozenset(
    {"diet", "allergy", "nationality", "religion", "colour", "size", "language", "default", "favourite", "remote work"}
)
"""Relations that an adjective may be the value of ("vegetarian", "Brazilian", "dark blue")."""
STEPS = frozenset(
    "prep pobj agent dobj obj attr oprd appos acomp xcomp nsubj nsubjpass dative poss compound amod conj".split()
)
"""Edges of the tree that tie a phrase to what is said of it."""
FARTHEST = 4


def supported(text: str, start: int, end: int, relation: Relation) -> bool:
    """Whether a word of the relation is tied to the phrase at [start, end) by at most `FARTHEST` plain edges."""
    doc = parse_english(text)
    inside = [token for token in doc if start <= token.idx < end]
    if not inside:
        return True
    head = next((token for token in inside if token.head not in inside), inside[-1])
    if head.pos_ == "ADJ" and head.dep_ in ("acomp", "attr", "ROOT", "conj") and relation.name not in ADJECTIVAL:
        return False
    words = [token for token in doc if token.lemma_.lower() in relation.english or token.lower_ in relation.english]
    if not words:
        return True  # it was named by a phrase, not by a word
    return any(token in inside or _tied(token, head) for token in words)


def _tied(word: Any, head: Any) -> bool:
    """Whether the path between two tokens is short and has no clause's border in it."""
    above = _way_up(head)
    steps = {token.i: place for place, token in enumerate(above)}
    for place, token in enumerate(_way_up(word)):
        if token.i in steps:
            return place + steps[token.i] <= FARTHEST
    return False


def _way_up(token: Any) -> list[Any]:
    """The token and what is above it, as far as plain edges lead."""
    found = [token]
    while token.dep_ in STEPS and token.head.i != token.i and len(found) <= FARTHEST:
        token = token.head
        found.append(token)
    return found
