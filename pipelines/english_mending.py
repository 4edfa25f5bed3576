"""English parses put right: a name that opens a sentence, and a past tense taken for a participle.

A parser takes a name that it does not know for a common noun or a verb, and where it opens the sentence its capital
letter says nothing. So the word list of the parser's own lemmatiser is asked: a sentence that opens with a word that
no English word has as its lemma is parsed again with a name that every parser knows in its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

STAND_IN = "Maria"
MISREAD = frozenset({"NOUN", "ADJ", "VERB", "X"})
"""What unknown names are taken for."""
AFTER = frozenset({"NOUN", "VERB", "AUX", "PROPN", "PART", "CCONJ", "ADP", "ADV"})
"""What may follow a name that is its sentence's subject; "Nope, it fell" goes on otherwise."""
FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
STANDS = frozenset({"nsubj", "nsubjpass", "poss", "compound", "nmod"})
"""Places of a name that somebody says something of: "Congrats to her" has none."""


def mended(docs: Iterable[Any], pipeline: Any) -> list[Any]:
    """The parses, those made anew that an unknown name opens or that have lost their verb."""
    named = (_again(doc, pipeline) if _opens_with_name(doc, pipeline) else doc for doc in docs)
    return [_told(doc) for doc in named]


def _told(doc: Any) -> Any:
    """ "My brother enlisted in May": a past tense right after its subject, read as a participle of it."""
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    verb = doc[root.i + 1] if root is not None and root.pos_ == "NOUN" and root.i + 1 < len(doc) else None
    if root is None or verb is None or verb.dep_ != "acl" or verb.tag_ != "VBN" or verb.head.i != root.i:
        return doc
    owned = any(c.dep_ == "poss" for c in root.children)
    if not owned or any(t.tag_ in FINITE for t in doc) or any(c.dep_ == "agent" for c in verb.children):
        return doc
    heads = [verb.i if t.i in (root.i, verb.i) or (t.head.i == root.i and t.i > verb.i) else t.head.i for t in doc]
    deps = {root.i: "nsubj", verb.i: "ROOT"}
    return _doc(
        doc, [t.text for t in doc], ["VBD" if t.i == verb.i else t.tag_ for t in doc], [t.lemma_ for t in doc], heads,
        [deps.get(t.i, t.dep_) for t in doc],
    )  # fmt: skip


def _opens_with_name(doc: Any, pipeline: Any) -> bool:
    if len(doc) < 3 or doc[0].pos_ not in MISREAD or doc[1].pos_ not in AFTER:
        return False
    word = doc[0].text
    several = doc[0].tag_ == "NNS" and doc[1].tag_ in ("VBP", "VBD", "MD")  # "Admins need a badge"
    named = word.istitle() and word.isalpha() and len(word) > 2 and not several
    return named and not {word.lower(), doc[0].lemma_.lower()} & _known(pipeline)


def _again(doc: Any, pipeline: Any) -> Any:
    """The same words with the parse that they have when a familiar name opens them."""
    first = doc[0]
    told = pipeline(STAND_IN + first.whitespace_ + doc[1:].text)
    words = [t.text for t in doc]
    stands = told[0].pos_ == "PROPN" and told[0].dep_ in STANDS
    if not stands or [t.text for t in told[1:]] != words[1:]:
        return doc
    return _doc(told, words, [t.tag_ for t in told], [first.text, *(t.lemma_ for t in told[1:])],
                [t.head.i for t in told], [t.dep_ for t in told])  # fmt: skip


def _doc(parse: Any, words: list[str], tags: list[str], lemmas: list[str], heads: list[int], deps: list[str]) -> Any:
    """A parse with these words and this analysis, otherwise as the one given."""
    from spacy.tokens import Doc

    return Doc(
        parse.vocab, words=words, spaces=[bool(t.whitespace_) for t in parse], tags=tags, pos=[t.pos_ for t in parse],
        morphs=[str(t.morph) for t in parse], lemmas=lemmas, heads=heads, deps=deps,
    )  # fmt: skip


@cache
def _known(pipeline: Any) -> frozenset[str]:
    """Every lemma and irregular form of the lemmatiser."""
    lookups = pipeline.get_pipe("lemmatizer").lookups
    listed = (forms for name in ("lemma_index", "lemma_exc") for forms in lookups.get_table(name).values())
    return frozenset(word for forms in listed for word in forms)
