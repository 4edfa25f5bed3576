"""Names that open an English sentence: a parser takes one that it does not know for a common noun or a verb.

There the capital letter says nothing, so the word list of the parser's own lemmatiser is asked. A sentence that opens
with a word that no English word has as its lemma is parsed again with a name that every parser knows in its place.
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
STANDS = frozenset({"nsubj", "nsubjpass", "poss", "compound", "nmod"})
"""Places of a name that somebody says something of: "Congrats to her" has none."""


def with_names(docs: Iterable[Any], pipeline: Any) -> list[Any]:
    """The parses, those of sentences that an unknown name opens made anew."""
    return [_again(doc, pipeline) if _opens_with_name(doc, pipeline) else doc for doc in docs]


def _opens_with_name(doc: Any, pipeline: Any) -> bool:
    if len(doc) < 3 or doc[0].pos_ not in MISREAD or doc[1].pos_ not in AFTER:
        return False
    word = doc[0].text
    several = doc[0].tag_ == "NNS" and doc[1].tag_ in ("VBP", "VBD", "MD")  # "Admins need a badge"
    named = word.istitle() and word.isalpha() and len(word) > 2 and not several
    return named and not {word.lower(), doc[0].lemma_.lower()} & _known(pipeline)


def _again(doc: Any, pipeline: Any) -> Any:
    """The same words with the parse that they have when a familiar name opens them."""
    from spacy.tokens import Doc

    first = doc[0]
    told = pipeline(STAND_IN + first.whitespace_ + doc[1:].text)
    words, spaces = [t.text for t in doc], [bool(t.whitespace_) for t in doc]
    stands = told[0].pos_ == "PROPN" and told[0].dep_ in STANDS
    if not stands or [t.text for t in told[1:]] != words[1:]:
        return doc
    return Doc(
        doc.vocab, words=words, spaces=spaces, tags=[t.tag_ for t in told], pos=[t.pos_ for t in told],
        morphs=[str(t.morph) for t in told], lemmas=[first.text, *(t.lemma_ for t in told[1:])],
        heads=[t.head.i for t in told], deps=[t.dep_ for t in told],
    )  # fmt: skip


@cache
def _known(pipeline: Any) -> frozenset[str]:
    """Every lemma and irregular form of the lemmatiser."""
    lookups = pipeline.get_pipe("lemmatizer").lookups
    listed = (forms for name in ("lemma_index", "lemma_exc") for forms in lookups.get_table(name).values())
    return frozenset(word for forms in listed for word in forms)
