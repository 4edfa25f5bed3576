"""What an English question leaves open, so that a fragment can answer it."""

from __future__ import annotations

import re
from typing import Any

from pipelines.extract.discourse import Asked, Talk
from pipelines.extract.english_names import is_person, noun_phrase, owner_of
from pipelines.extract.english_peel import child, preposition, subject_of
from pipelines.extract.text import Sentence

ASKING = frozenset(
    (
        "a an the or your my our would could should shall do does you we i rather prefer"
        " like want have get go with for some to in of and any"
    ).split()
)
"""Words of a choice that name none of its options."""
VIEWS = frozenset("take view opinion verdict thought thoughts feeling feelings impression stance".split())
OPINION = re.compile(
    r"\b(?:what do you (?:make|think) of|what(?:'s| is) your (?:take|view"
    "|opinion)|thoughts on|any thoughts|how do you (?:like|find|feel)|how(?:'s"
    r"| is| was| are| were)\b|what(?:'s| is| was)\b.*\blike\b"
    "|do you (?:like|rate|recommend)|did you (?:like|enjoy)|is it (?:any )?good"
    "|worth|should (?:we|i)|have you (?:tried|seen|read|used)|opinions? (?:on"
    "|about)|what about|how about|any good)",
    re.I,
)
MEASURE = re.compile(
    r"\bhow (?:long|much|many|often|far|heavy|big|large|tall|deep|wide|fast|old|soon)\b(?:.*?\b(?P<you>you)\b)?"
)
"""Asks for a quantity."""
SERVICE = re.compile(
    r"\b(?:would you (?:prefer|like)|do you want|shall i|should i|can i offer|which would you|would you rather)\b", re.I
)


def asked(sentence: Sentence, doc: Any, talk: Talk) -> Asked:
    """Read a question: its kind, the thing and the person that it is about."""
    text = sentence.plain
    speaker = talk.speaker(sentence.turn)
    head = next(iter(doc.sents)).root if len(doc) else None
    topic = _topic(doc, head) if head is not None else None
    asks_of = re.match(
        (
            r"(?:\w+, )?(?:is|are|was|were) (?:the|this|that|these|those|your|our"
            r"|my) ((?:[\w-]+ ){0,2}?[\w-]+) (?:an?|any|worth|really|too|as|good|ok"
            r"|okay|nice|great|still|actually)\b"
        ),
        text,
        re.I,
    )
    if asks_of:
        topic = asks_of[1]
    if topic is None and (last := re.search(r"\b(?:the|this|that|your|our) ([\w-]+(?: [\w-]+)?)\?$", text)):
        topic = last[1]
    person = _person(doc, talk, sentence)
    whose = re.search(r"\b(?:where|how|what|when|who)(?:'s| is| has| did| does| will| was) ([A-Z][\w-]+)\b", text, re.I)
    if person is None and whose and whose[1][:1].isupper() and whose[1] not in ("I", "The", "This", "That"):
        person = whose[1]
        talk.mention_person(person, sentence)
    options: tuple[str, ...] = ()
    choice = re.search(r"\b([\w' -]{2,40}?) or (?:an? |the )?([\w' -]{2,40})\?", text)
    if choice:
        named = re.findall(r"[A-Za-z][\w'-]*", f"{choice[1]} {choice[2]}")
        options = tuple(word for word in named if word.lower() not in ASKING)
    kind = "other"
    low = text.lower()
    if OPINION.search(text):
        kind = "opinion"
    elif re.search(r"\bhow long (?:have|has|did|do|were|was)\b|\bsince when\b", low):
        kind = "how long"
    elif re.search(
        r"\bwhen\b|\b(?:what|which) (?:day|date|time|week|month|year|morning|evening)\b|\bhow long ago\b",
        low,
    ):
        kind = "when"
    elif options:
        kind = "choice"
    elif re.search(r"\bwhich\b", low):
        kind = "which"
    elif re.match(r"(?:\w+,? )?who\b", low):
        kind = "who"
    elif re.search(r"\bwhere\b", low):
        kind = "where"
    elif re.match(
        r"(?:do you have |have you got |got |is there )?any(?:thing)?\b"
        r"|(?:do you have|have you got|are you) (?:any |allergic)|(?:are|do|have|is|did)\b[^?]*\bany\b",
        low,
    ):
        kind = "need"
    if kind == "other" and (measured := MEASURE.search(low)):
        kind = "measure"
        thing = subject_of(head) if head is not None else None
        if thing is not None and thing.pos_ in ("NOUN", "PROPN"):
            topic = noun_phrase(thing)
        elif measured["you"]:
            person = person or None
    return Asked(sentence, speaker, topic, person, kind, options, bool(SERVICE.search(text)))


def _topic(doc: Any, head: Any) -> str | None:
    """The noun phrase that a question is about: after "of" or "about", else its object, else its subject.

    "Is X any good?" is about X.
    """
    asked_of = subject_of(head)
    if (
        head.lemma_ == "be"
        and asked_of is not None
        and asked_of.pos_ in ("NOUN", "PROPN")
        and not any(t.lower_ in ("of", "about") for t in doc)
        and asked_of.lower_ not in VIEWS
    ):
        return noun_phrase(asked_of)
    for words in (("of", "about", "on"), ("for", "with", "in", "to", "at")):
        for token in doc:
            inside = preposition(token, *words)
            if (
                inside is not None
                and inside.pos_ in ("NOUN", "PROPN")
                and token.pos_ in ("VERB", "AUX", "NOUN")
                and inside.lower_ not in ("days", "week", "month", "year")
            ):
                return noun_phrase(inside)
        obj = child(head, "dobj", "attr")
        if obj is not None and obj.pos_ in ("NOUN", "PROPN"):
            return noun_phrase(obj)
    subject = subject_of(head)
    if subject is not None and subject.pos_ in ("NOUN", "PROPN"):
        return noun_phrase(subject)
    nouns = [t for t in doc if t.pos_ in ("NOUN", "PROPN") and t.dep_ not in ("compound", "npadvmod")]
    return noun_phrase(nouns[-1]) if nouns else None


def _person(doc: Any, talk: Talk, sentence: Sentence) -> str | None:
    for token in doc:
        if token.pos_ in ("PROPN", "NOUN") and token.dep_ in ("nsubj", "nsubjpass", "dobj", "pobj", "poss"):
            plain = noun_phrase(token)
            if is_person(token, plain, talk) or (token.pos_ == "PROPN" and token.dep_.startswith("nsubj")):
                return owner_of(token, talk, sentence)
    return None
