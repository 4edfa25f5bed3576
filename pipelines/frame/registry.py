"""The relation registry: relations.tsv, read once. A relation names its words, value types and how it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Relation:
    """One line of the registry. `types` are value dimensions (`values.dimension`), "*" for any."""

    name: str
    types: frozenset[str]
    many: bool
    static: bool
    english: frozenset[str]
    korean: frozenset[str]
    rank: int

    def words(self, language: str) -> frozenset[str]:
        return self.korean if language == "ko" else self.english


@lru_cache(maxsize=1)
def relations() -> tuple[Relation, ...]:
    """All relations in the order of the file: the more particular stand first."""
    rows: list[Relation] = []
    for line in (files(__package__) / "relations.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, types, many, static, english, korean, _example = line.split("\t")
            rows.append(Relation(name, frozenset(types.split()), many == "1", static == "1",
                                 frozenset(english.split()), frozenset(korean.split()), len(rows)))  # fmt: skip
    return tuple(rows)


@lru_cache(maxsize=256)
def named(name: str) -> Relation | None:
    return next((r for r in relations() if r.name == name), None)


def matches(lemmas: Collection[str], dimension: str, language: str) -> list[Relation]:
    """The relations that the lemmas name for a value of this dimension: most words first, then file order."""
    hits: Counter[Relation] = Counter()
    for lemma in set(lemmas):
        for relation in _named_by("ko" if language == "ko" else "en").get(lemma, ()):
            if "*" in relation.types or dimension == "*" or dimension in relation.types:
                hits[relation] += 1
    return sorted(hits, key=lambda relation: (-hits[relation], relation.rank))


@lru_cache(maxsize=2)
def _named_by(language: str) -> dict[str, tuple[Relation, ...]]:
    """Word -> the relations that it names."""
    found: dict[str, tuple[Relation, ...]] = {}
    for relation in relations():
        for word in relation.words(language):
            found[word] = (*found.get(word, ()), relation)
    return found


def match(lemmas: Collection[str], dimension: str, language: str) -> Relation | None:
    """The first relation that the lemmas name."""
    return next(iter(matches(lemmas, dimension, language)), None)


@lru_cache(maxsize=1)
def compounds() -> frozenset[str]:
    """The registry's Korean words of three syllables and more: what the analyser may cut in two."""
    return frozenset(word for relation in relations() for word in relation.korean if len(word) >= 3)


@lru_cache(maxsize=2)
def _relations_of(language: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for relation in relations():
        for word in relation.words(language):
            found.setdefault(word, set()).add(f"={relation.name}")
    return {word: frozenset(names) for word, names in found.items()}


def concepts(lemma: str, language: str) -> frozenset[str]:
    """The relations that a lemma belongs to, as "=name": two words that share one may mean the same thing.

    >>> sorted(concepts("reside", "en"))
    ['=residence']
    """
    return _relations_of(language).get(lemma, frozenset())


@lru_cache(maxsize=1)
def _synonyms() -> dict[tuple[str, str], str]:
    found = {}
    for line in (files(__package__) / "synonyms.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            language, canonical, words = line.split("\t")
            found.update({(language, word): canonical for word in words.split()})
    return found


def canonical(lemma: str, language: str) -> str:
    """The word that stands for all that mean the same.

    >>> canonical("firm", "en"), canonical("company", "en")
    ('company', 'company')
    """
    return _synonyms().get(("ko" if language == "ko" else "en", lemma), lemma)


RELATION_NOUNS = frozenset(
    "home house place side member membership name job position number day time part habit fluency".split()
)


def names_relation(lemma: str, language: str) -> bool:
    """Whether a noun only names a relation, so that it is seldom its value ("has a place with her aunt")."""
    return language == "en" and lemma in RELATION_NOUNS
