"""Whether English words judge, which way, and what they judge."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pipelines.wordlist import table

NEGATORS = frozenset("not n't never no hardly barely scarcely neither nor without nothing nobody none nowhere".split())
SOFT_TOO = frozenset("also either".split())
SHIFTERS = frozenset("less fewer".split())
TRAVELS = frozenset({"move"})
"""Verbs whose participle judges only when nothing says where or when."""
TOO_MUCH = frozenset("too overly".split())
FEELING = frozenset(
    "happy glad pleased delighted thrilled satisfied impressed grateful proud fond"
    " keen excited unhappy dissatisfied displeased"
    " disappointed annoyed irritated frustrated angry furious upset fed bored disgusted"
    " appalled horrified unimpressed underwhelmed"
    " skeptical sceptical doubtful worried concerned uneasy opposed ashamed embarrassed"
    " sick tired sad lonely stressed nervous"
    " exhausted jealous sorry afraid scared cool okay fine sure".split()
)
"""Adjectives of how a person feels: with a person as subject they judge only what follows "with", "about", "of"."""
POSITIVE_FEELING = frozenset(
    "happy glad pleased delighted thrilled satisfied impressed grateful proud fond keen excited cool okay fine".split()
)
AGAINST = {"against": -1, "for": 0}


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Judging words by class, and phrases longest first."""

    adjectives: dict[str, int]
    nouns: dict[str, int]
    likenesses: dict[str, int]
    """Things that something is compared to: they judge as predicates only ("the office is a zoo")."""
    verbs: dict[str, int]
    effects: dict[str, int]
    phrases: tuple[tuple[re.Pattern[str], int], ...]
    any_phrase: re.Pattern[str]
    """Whether a text has one of the phrases at all."""


@cache
def lexicon() -> Lexicon:
    """The packaged English opinion words."""
    groups: dict[str, dict[str, int]] = {"adj": {}, "noun": {}, "like": {}, "verb": {}, "phrase": {}, "effect": {}}
    for kind, sign, words, _ in table("pipelines.extract", "opinion_en.tsv"):
        for word in words.split():
            value = 1 if sign == "+" else -1
            if "_" in word or kind == "phrase":
                groups["phrase"][word.replace("_", " ")] = value
            else:
                groups[kind].setdefault(word, value)
    phrases = sorted(groups["phrase"].items(), key=lambda item: -len(item[0]))
    compiled = tuple((re.compile(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])"), sign) for phrase, sign in phrases)
    every = re.compile(r"(?<![\w-])(?:" + "|".join(re.escape(phrase) for phrase, _ in phrases) + r")(?![\w-])")
    return Lexicon(groups["adj"], groups["noun"], groups["like"], groups["verb"], groups["effect"], compiled, every)


@cache
def attitudes() -> dict[str, tuple[int, str]]:
    """Attitude verbs: the sign and how they take their target."""
    return {row[0]: (1 if row[1] == "+" else -1, row[2]) for row in table("pipelines.extract", "attitude_en.tsv")}


IRREGULAR = {
    "overheard": "overhear",
    "felt": "feel",
    "thought": "think",
    "heard": "hear",
    "swore": "swear",
    "wrote": "write",
    "told": "tell",
    "said": "say",
    "found": "find",
    "learnt": "learn",
    "knew": "know",
    "understood": "understand",
    "forbade": "forbid",
    "foretold": "tell",
}


def lemma_of(token: Any, known: Container[str]) -> str:
    """The lemma of a verb; where the lemmatiser errs ("hated" to "hat"), the form that the table knows."""
    lemma, word = str(token.lemma_).lower(), str(token.lower_)
    if lemma in known or token.pos_ not in ("VERB", "AUX"):
        return lemma
    if IRREGULAR.get(word, "") in known:
        return IRREGULAR[word]
    cuts = (
        (word[:-1], word[:-2], word[:-3], word[:-3] + "y")
        if word.endswith("ed")
        else (word[:-1], word[:-2])
        if word.endswith("s")
        else ()
    )
    return next((form for form in cuts if form in known), lemma)


def negated(token: Any) -> bool:
    """Whether a word is denied: by its own or its verb's "not", or by a negator just before it."""
    if any(child.dep_ == "neg" or child.lower_ in ("no", "hardly", "barely", "never") for child in token.children):
        return True
    head = token.head
    if token.dep_ in (
        "acomp",
        "attr",
        "oprd",
        "ccomp",
        "xcomp",
        "advmod",
        "prep",
        "pobj",
        "amod",
        "dobj",
        "pcomp",
        "conj",
        "ROOT",
    ):
        steps = 0
        while steps < 4:
            if any(child.dep_ == "neg" and child.i < token.i for child in head.children):
                return True
            if head.dep_ == "ROOT" or head.pos_ in ("VERB", "AUX") or head.head is head:
                break
            head = head.head
            steps += 1
    window = [t.lower_ for t in token.doc[max(0, token.i - 3) : token.i]]
    return any(word in NEGATORS for word in window) and not any(t in (",", ";", "but") for t in window)


SPOTLESS = frozenset(
    (
        "spotless flawless seamless effortless timeless priceless fearless tireless limitless"
        " cordless wireless stainless boundless ageless"
    ).split()
)
NEUTRAL = frozenset(
    "overall overnight overseas overhead overtime overdue under underground underwater"
    " underlying unless until unit united universal uncle unlimited unusual"
    " unreachable unavailable unread unconfirmed unopened unsigned undecided untitled"
    " unsubscribed uninstalled uneven regardless wireless nonetheless nevertheless"
    " homeless unknown unable unemployed unpaid over overly".split()
)


def shaped_sign(word: str) -> int:
    """The sign that a word's form gives: "overcrowded", "unreadable", "soulless", "flawless".

    >>> shaped_sign("overcrowded"), shaped_sign("unreadable"), shaped_sign("flawless"), shaped_sign("overall")
    (-1, -1, 1, 0)
    """
    known = lexicon().adjectives
    if word in NEUTRAL or len(word) < 6:
        return 0
    if word in SPOTLESS:
        return 1 if word not in ("cordless", "wireless") else 0
    if word.startswith(("over", "under")) and word.endswith(("ed", "ing")):
        return -1
    for prefix in ("un", "in", "im", "ir", "dis"):
        if word.startswith(prefix) and known.get(word[len(prefix) :]):
            return -known[word[len(prefix) :]]
    if word.startswith("un") and word.endswith("able"):
        return -1
    return -1 if word.endswith("less") else 0


def word_sign(token: Any) -> int:
    """The sign of one word in its place, "too" and negation counted; 0 when it does not judge."""
    lex = lexicon()
    word, lemma = token.lower_, token.lemma_.lower()
    sign = 0
    if token.pos_ in ("ADJ", "ADV", "VERB", "INTJ", "NOUN", "PROPN"):
        sign = lex.adjectives.get(word, 0)
        if not sign and (token.pos_ == "ADJ" or token.tag_ == "VBN"):
            sign = shaped_sign(word)
        if not sign and token.tag_ in ("JJR", "JJS"):
            sign = lex.adjectives.get(lemma, 0)
        if not sign and word.endswith("ly") and token.pos_ == "ADV":
            sign = lex.adjectives.get(word[:-2], 0) if token.dep_ == "advmod" and token.head.pos_ == "VERB" else 0
    if token.pos_ in ("NOUN", "PROPN") and token.dep_ not in ("compound",):
        sign = (
            lex.nouns.get(word, 0)
            or lex.nouns.get(lemma, 0)
            or (lex.likenesses.get(lemma, 0) if token.dep_ in ("attr", "ROOT", "oprd", "ccomp") else 0)
            or (sign if token.dep_ in ("attr", "ROOT", "acomp") else 0)
        )
    if not sign and token.pos_ in ("VERB", "AUX") and token.dep_ in ("ROOT", "ccomp", "conj", "relcl", "xcomp"):
        sign = lex.verbs.get(word, 0) or lex.verbs.get(lemma, 0)
    if not sign and token.pos_ not in ("ADJ", "ADV", "VERB"):
        return 0
    if token.lemma_ in TRAVELS and any(c.dep_ in ("prep", "prt", "advmod", "npadvmod", "dobj") for c in token.children):
        return 0  # "is moving to the coast" goes there, "is moving" touches
    before = [t.lower_ for t in token.doc[max(0, token.i - 3) : token.i]]
    too = any(child.lower_ in TOO_MUCH and child.i < token.i for child in token.children) or (
        before and before[-1] in TOO_MUCH
    )
    if too and token.pos_ in ("ADJ", "ADV", "VERB"):
        sign = -1
        return 1 if "not" in before or "n't" in before or negated(token) else -1
    if sign and before and before[-1] in SHIFTERS:
        sign = -sign
    return -sign if sign and negated(token) else sign


def phrase_sign(text: str) -> int:
    """The sign of the first judging phrase of a text, its own negation counted."""
    low = text.lower()
    if not lexicon().any_phrase.search(low):
        return 0
    for pattern, sign in lexicon().phrases:
        match = pattern.search(low)
        if match:
            before = low[: match.start()].split()[-4:]
            denied = any(word in NEGATORS or word.endswith("n't") for word in before)
            return -sign if denied else sign
    return 0


def effect_sign(tokens: Sequence[Any]) -> int:
    """The sign of what a thing does to people or to itself ("makes people happier", "scratches easily")."""
    total = 0
    for token in tokens:
        sign = lexicon().effects.get(token.lower_, 0) or lexicon().effects.get(token.lemma_.lower(), 0)
        if sign:
            total += -sign if negated(token) else sign
    return (total > 0) - (total < 0)


def predicate_words(head: Any) -> list[Any]:
    """The words of a clause that say what its subject is or does: complements, their conjuncts, the verb."""
    found = []
    stack = [head]
    while stack:
        token = stack.pop()
        found.append(token)
        for child in token.children:
            if child.dep_ in (
                "acomp",
                "attr",
                "oprd",
                "conj",
                "xcomp",
                "dep",
                "amod",
                "ccomp",
                "prep",
                "pobj",
                "advmod",
                "npadvmod",
                "dobj",
                "pcomp",
                "agent",
            ) and (child.dep_ not in ("ccomp",) or child.pos_ in ("ADJ", "VERB", "NOUN")):
                if (
                    child.dep_ == "conj"
                    and child.pos_ in ("VERB", "AUX")
                    and any(c.dep_ in ("nsubj", "nsubjpass") for c in child.children)
                ):
                    continue
                if child.dep_ == "amod" and token.dep_ not in ("attr", "ROOT", "dep", "conj", "npadvmod", "oprd"):
                    continue
                if child.dep_ in ("pobj", "dobj") and child.pos_ not in ("NOUN", "ADJ"):
                    continue
                stack.append(child)
    return sorted(found, key=lambda t: t.i)


def judgement(head: Any, text: str) -> int:
    """The sign of a clause: its predicate's words and the phrases of its text; 0 when it judges nothing."""
    said = phrase_sign(text)
    if said:
        return said
    total = 0
    for token in predicate_words(head):
        sign = word_sign(token)
        if not sign:
            continue
        if token.dep_ in ("pobj", "dobj") and token.lower_ not in lexicon().nouns:
            continue
        if token.lower_ in FEELING and token.lower_ not in lexicon().adjectives:
            continue
        near = token.dep_ in ("acomp", "attr", "oprd", "ccomp", "ROOT", "conj", "dep") or token is head
        total += sign * (2 if near else 1)
    return (total > 0) - (total < 0)


def judgement_anywhere(doc: Any, text: str) -> int:
    """The sign of a fragment, whichever of its words judges."""
    total = sum(word_sign(token) for token in doc)
    return (total > 0) - (total < 0) or phrase_sign(text)
