"""Does the syntax of an English clause bear out that its words name the relation of a value?

A typed value (money, a clock time) picks its relation by its type. A name or a noun phrase fits any, and words such as
"work", "play" or "run" are in most sentences: there a verb must have the value in the place that roles.tsv gives it,
and a noun must be the value's subject, predicate or modifier. Otherwise the relation stays open and keeps the verb.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from pipelines.frame.registry import Relation
from pipelines.frame.words import parse_english, phrase_lemmas

ADJECTIVAL = frozenset(
    {"diet", "allergy", "nationality", "religion", "colour", "size", "language", "default", "favourite", "remote work"}
)
"""Relations that an adjective may be the value of ("vegetarian", "Brazilian", "dark blue")."""
COPULAS = frozenset("be become remain stay".split())
SETTING = frozenset(
    "change switch move set update swap replace upgrade have get use choose pick make call name appoint elect promote"
    " hire select".split()
)
"""Verbs that give a thing its value: "changed my phone to a Reno", "named Ida chair", "has a dog called Pip"."""
HELD_BY = frozenset("at with to from by for of".split())
"""Prepositions between a relation's noun and its value ("a job at the mill", "an account with Corvo")."""
PLACES = frozenset(
    {"residence", "address", "birthplace", "location", "registered seat", "parking", "meeting room", "stored in"}
)
"""Relations whose noun may stand in or on its value ("a flat in Tarn")."""
DWELLINGS = frozenset(
    "city town village suburb countryside country island coast district neighbourhood neighborhood street house flat"
    " apartment studio bungalow cottage dorm dormitory houseboat caravan loft farm farmhouse home aunt uncle parent"
    " grandmother grandfather brother sister mother father friend cousin sea north south east west abroad".split()
)
BODIES = frozenset(
    "academy school college university institute bank press group ltd inc labs hospital clinic united rovers"
    " wanderers football fc club ministry agency partners bros sons corporation company".split()
)
"""Last words of names that one moves to for work and not to live there."""
MOVING = frozenset("move relocate settle".split())
PREDICATES = frozenset({"attr", "acomp", "oprd"})
PERSONS = frozenset("i he she you they who".split())
SUBJECTS = frozenset({"nsubj", "nsubjpass"})
INSIDE = frozenset({"compound", "amod", "nmod", "appos", "poss"})


@lru_cache(maxsize=1)
def roles() -> dict[str, dict[str, frozenset[str]]]:
    """roles.tsv: relation -> verb -> where the value may stand."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for line in (files(__package__) / "roles.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            relation, verbs, places, _example = line.split("\t")
            for verb in verbs.split():
                own = found.setdefault(relation, {})
                own[verb] = own.get(verb, frozenset()) | frozenset(places.replace("-", "").split())
    return found


def supported(text: str, start: int, end: int, relation: Relation) -> bool:
    """Whether a word of the relation governs the phrase at [start, end), or is what is said of it."""
    doc = parse_english(text)
    inside = [token for token in doc if start <= token.idx < end]
    if not inside:
        return True
    head = next((token for token in inside if token.head not in inside), inside[-1])
    if head.pos_ == "ADJ" and relation.name not in ADJECTIVAL:
        return False
    words = [token for token in doc if token.lemma_.lower() in relation.english or token.lower_ in relation.english]
    name = head.pos_ == "PROPN" or text[start : start + 1].isupper()
    if any(token.lemma_ in MOVING for token in doc):  # one moves to new tools as well
        if relation.name == "residence":
            return head.lower_ not in BODIES if name else head.lemma_.lower() in DWELLINGS
        if relation.name == "housemate":
            return bool(head.head.lower_ == "with")
    if phrase_lemmas(text, "en") & relation.english or not words:
        return True  # named by a phrase, not by a word
    if kind_refuses(relation.name, head):
        return False
    verbs = roles().get(relation.name, {})
    for word in words:
        if word.pos_ in ("VERB", "AUX") and word.dep_ != "amod":
            if word.dep_ in ("csubj", "pcomp"):
                continue
            if relation.name == "supports" and any(c.dep_ in SUBJECTS and _person(c) for c in word.children):
                continue  # "she works with": a colleague, not a feature
            allowed = verbs.get(word.lemma_.lower(), frozenset())
            for place in _places(head, word):
                if place in allowed or (name and f"{place}!" in allowed):
                    return True
                if f"{place}~" in allowed and _general(head) and word.tag_ in ("VBP", "VBZ", "VBG"):
                    return True
        elif word.lemma_.lower() not in verbs and (
            _holds(word, head) if word in inside else _said_of(word, head, relation.name in PLACES)
        ):
            return True
    return False


def _person(subject: Any) -> bool:
    return subject.lower_ in PERSONS or (subject.pos_ == "PROPN" and subject.head.lemma_ in ("work", "come"))


def kind_refuses(relation: str, value: Any) -> bool:
    """Whether what is played is of another kind than the relation's: games, songs and roles are played too."""
    known = kinds().get(relation)
    if known is None or value.pos_ == "PROPN":
        return known is not None
    words = {value.lemma_.lower(), value.lower_} | {c.lower_ + " " + value.lower_ for c in value.children}
    played = value.head.lemma_.lower() == "play" and any(c.lower_ == "the" for c in value.children)
    return not (words & known) and not (relation == "instrument" and played and value.tag_ == "NN")


@lru_cache(maxsize=1)
def kinds() -> dict[str, frozenset[str]]:
    """kinds.tsv: relation -> the nouns that may be its value, where a kind is closed enough to be listed."""
    found: dict[str, frozenset[str]] = {}
    for line in (files(__package__) / "kinds.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            relation, nouns = line.split("\t")
            found[relation] = frozenset(noun.replace("_", " ") for noun in nouns.split())
    return found


def _general(value: Any) -> bool:
    """A kind of thing, not one thing: no article, no owner."""
    return not any(c.dep_ in ("det", "poss") for c in value.children)


def _holds(word: Any, value: Any) -> bool:
    """A value that names its own relation ("has a sales job", "is a Corvo resident")."""
    verb, place = _argument(value)
    return (
        word.i == value.i and verb is not None and verb.lemma_ in COPULAS | SETTING and place in ("attr", "dobj", "as")
    )


def _top(token: Any) -> Any:
    """The first of coordinated phrases: what holds of it holds of all."""
    while token.dep_ == "conj" and token.head.pos_ not in ("VERB", "AUX") and token.head.i != token.i:
        token = token.head
    return token


def _places(value: Any, verb: Any) -> list[str]:
    """The places of a value under a verb: its own, and the preposition's of a phrase within another of its phrases."""
    value = _top(value)
    while value.dep_ in ("compound", "amod", "nmod", "poss", "appos") and value.head.i != value.i:
        value = _top(value.head)
    if value.dep_ in SUBJECTS and value.head.i == verb.i:
        passive = any(c.dep_ == "auxpass" for c in verb.children) or value.dep_ == "nsubjpass"
        return ["object" if passive else "subject"]
    if value.dep_ in SUBJECTS and verb.dep_ in ("conj", "xcomp") and verb.head.i == value.head.i:
        return ["subject"]
    if value.dep_ in ("dobj", "obj", "dative", "xcomp") and value.head.i == verb.i:
        return ["object"]
    if value.dep_ in PREDICATES and value.head.i == verb.i:
        return ["attribute", "object"]
    if value.dep_ in ("pobj", "pcomp"):
        word = value.head
        place = "agent" if word.dep_ == "agent" else word.lower_
        above = word.head
        while above.dep_ in ("pobj", "prep", "pcomp", "attr", "dobj", "advmod", "prt") and above.i != verb.i:
            above = above.head
        if above.i == verb.i:
            return [place]
    return []


def _said_of(noun: Any, value: Any, placed: bool) -> bool:
    """Whether a noun or adjective and a value are subject and predicate, one phrase, or joined by a verb of setting."""
    noun, value = _top(noun), _top(value)
    if noun.head.i == value.i and noun.dep_ in INSIDE:
        return True
    if value.dep_ in INSIDE and value.head.i == noun.i:
        return True
    if value.dep_ in ("pobj", "pcomp") and value.head.head.i == noun.i:
        return value.head.lower_ in HELD_BY or (placed and value.head.lower_ in ("in", "on", "near"))
    if value.dep_ == "oprd" and value.head.dep_ in ("acl", "relcl") and value.head.head.i == noun.i:
        return True
    verb, place = _argument(noun)
    other, where = _argument(value)
    if verb is None or other is None or verb.i != other.i:
        return False
    if verb.lemma_ in COPULAS:
        return (place in SUBJECTS) != (where in SUBJECTS)
    if place in PREDICATES or where in PREDICATES or place == "as":
        return True
    return verb.lemma_ in SETTING and place != where


def _argument(token: Any) -> tuple[Any, str]:
    """The verb that a phrase is an argument of, and its place there: its dependency, or its preposition."""
    place = token.dep_
    above = token.head
    if place in ("pobj", "pcomp"):
        place, above = above.lower_, above.head
        while above.dep_ == "prep":
            above = above.head
    if above.pos_ not in ("VERB", "AUX"):
        while above.dep_ in ("pobj", "prep") and above.head.i != above.i:
            above = above.head
        above = above.head if above.pos_ not in ("VERB", "AUX") and above.head.i != above.i else above
    return (above, place) if above.pos_ in ("VERB", "AUX") and above.i != token.i else (None, "")
