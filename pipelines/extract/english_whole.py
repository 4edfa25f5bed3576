"""Whether an English sentence is a whole statement: speech that breaks off, hesitates or only points says nothing.

Captions cut speech by time and not by sentence, and people start sentences that they never end. What is left of one is
no statement, and a reader who met it alone would be misled.
"""

from __future__ import annotations

import re
from typing import Any

from pipelines.extract.text import Sentence
from pipelines.language import english_docs

OPEN_TAGS = frozenset({"DT", "IN", "CC", "TO", "PRP$", "WDT", "WP", "WP$", "WRB", "PDT"})
"""Tags of words after which more must come."""
SHORT = 8
"""Words: parsers lose the verb of longer sentences, which are whole nevertheless."""
BROKEN = ("…", "...", ",", "-", "–", "—")
STRANDS = frozenset("in on at with for to from of about by up out off over down around through into after".split())
"""Prepositions that may end a sentence ("what I look at"), unless it breaks off there."""
PRONOUNS = frozenset("i you he she it we they there".split())
ASKING = frozenset("why how where when who what".split())
STANDING = frozenset("that this those these both all any some each another either".split())
"""Determiners that may stand for their noun."""
HANGING = frozenset("if when whenever while unless until whether which as once although though whereas".split())
HESITATION = re.compile(
    r"(?:\b(?:uh+|um+|er+m*|hmm+)\b[,.…]*\s*)|(?<=,) (?:like|you know|i mean|sort of|kind of|i guess), ", re.I
)
REPEATED = re.compile(r"\b(\w+(?:['’]\w+)?(?: \w+)?)(?:…|\.\.\.|,|-)?\s+(?=\1\b)", re.I)
DOUBLED = frozenset("that had very really so no bye ha far many much long more".split())
"""Words that are said twice on purpose."""


def fluent(text: str) -> str:
    """A sentence without hesitation and words said again.

    >>> fluent("So we, um, we need the… the valve")
    'So we need the valve'
    """
    text = HESITATION.sub(" ", re.sub(r"(?<=\w)\s*--+\s*(?=\w)", " – ", text))
    text = REPEATED.sub(lambda found: found[0] if found[1].lower() in DOUBLED else "", text)
    return re.sub(r"\s+", " ", re.sub(r"\s+,", ",", text)).strip()


def breaks_off(sentence: Sentence, doc: Any) -> bool:
    """Whether a sentence stops before it says what it began to say."""
    words = [token for token in doc if not token.is_punct and not token.is_space]
    if not words:
        return True
    root = next(iter(doc.sents)).root
    bare = not any(c.dep_ in ("nsubj", "nsubjpass", "aux") for c in root.children)
    if root.pos_ in ("ADP", "SCONJ", "CCONJ", "DET") and bare and len(words) < SHORT and doc[-1].sent.root is root:
        return True
    if root.pos_ in ("NOUN", "PROPN") and any(c.dep_ == "relcl" for c in root.children) and not any(
        c.dep_ in ("nsubj", "cop", "appos") or c.pos_ == "AUX" for c in root.children
    ):  # fmt: skip
        return len(words) > 3 and not any(t.tag_ in ("VBZ", "VBP", "VBD") and t.dep_ != "relcl" for t in doc)
    if words[0].pos_ == "AUX" and words[0].lower_ in ("is", "are") and subjectless(root):
        return True  # "is what I had found"
    last = words[-1]
    trails = sentence.text.rstrip("\"'”’) ").endswith(BROKEN)
    if last.tag_ in OPEN_TAGS and last.lower_ not in STRANDS and not _object_of_saying(last):
        return len(words) > 1
    if trails and (last.tag_ == "IN" or last.pos_ == "AUX" or last.lower_ in PRONOUNS or last.lower_ in STRANDS):
        return True
    return trails and last.tag_ in ("VBZ", "VBP", "VBD", "MD") and last.lemma_ in ("be", "have", "do", "say", "seem")


def subjectless(root: Any) -> bool:
    """Whether a sentence's verb has no subject of any kind."""
    return not any(c.dep_ in ("nsubj", "nsubjpass", "csubj", "expl", "attr") and c.i < root.i for c in root.children)


def _object_of_saying(last: Any) -> bool:
    """ "I know that.", "she told me why": a pronoun that ends a sentence."""
    return last.lower_ in ASKING or (last.lower_ in STANDING and last.dep_ not in ("det", "mark"))


def hangs(doc: Any) -> bool:
    """Whether the whole is a clause that only leads to another ("if we had the logs", "which is why")."""
    root = next(iter(doc.sents)).root
    marks = [c for c in root.children if c.dep_ in ("mark", "advmod") and c.i < root.i]
    first = next((t for t in doc if not t.is_punct), None)
    if first is None:
        return True
    if first.lower_ == "which" and root.pos_ in ("VERB", "AUX"):
        return True
    return any(c.lower_ in HANGING and c.i <= first.i + 1 for c in marks)


def wordless(doc: Any) -> bool:
    """Whether a clause is only a pronoun with its auxiliary ("sadly we don't"): what it means was said by another."""
    core = [t for t in doc if not (t.is_punct or t.is_space or t.pos_ in ("INTJ", "CCONJ", "PART", "ADV"))]
    return len(core) == 2 and core[0].lower_ in PRONOUNS and core[1].lemma_ in ("do", "have", "be", "can", "will")


def unfinished(text: str) -> bool:
    """Whether a text that no statement covers breaks off, hangs or only speaks to somebody."""
    doc = english_docs([text])[0]
    if not len(doc):
        return True
    root = next(iter(doc.sents)).root
    subject = next((c for c in root.children if c.dep_ in ("nsubj", "nsubjpass")), None)
    told = root.tag_ in ("VB", "VBP") and subject is None
    return told or breaks_off(Sentence(0, 0, len(text), text, text), doc) or hangs(doc)


def goes_on(before: str, text: str) -> bool:
    """Whether a speaker's turn takes up a sentence that his turn before left open.

    >>> goes_on("So the plan, I think,", "is to wait."), goes_on("It works.", "thanks")
    (True, False)
    """
    return text[:1].islower() and bool(re.search(
        r"(?:[,…–—-]|\b(?:the|a|an|to|of|and|or|that|is|are|we|i|with|for|in|on|at|by|my|our|this|these|some|not|be))\s*$",
        before, re.I))  # fmt: skip
