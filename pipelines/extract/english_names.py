"""Who and what English noun phrases name: possessors restored, pronouns traced, articles cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pipelines.extract.discourse import Talk, several
from pipelines.extract.english_opinion import lexicon
from pipelines.extract.text import Sentence
from pipelines.language import text_of
from pipelines.wordlist import table

FIRST = frozenset("i me my mine myself we us our ours".split())
SECOND = frozenset("you your yours yourself".split())
THIRD = frozenset("he she him her his hers himself herself they them their".split())
NEUTER = frozenset("it this that these those they them its one".split())
ANYONE = frozenset(
    (
        "they people everyone everybody someone somebody one folks many others some most"
        " nobody rumour rumours rumor word"
    ).split()
)
REACH = 1
"""Turns back that "it" and "they" reach."""
HOLDING = frozenset(
    "think find consider believe call say tell hate love like enjoy want know feel hope dislike prefer see hear regret"
    " recommend admire despise adore deem reckon describe rate claim insist argue complain".split()
)
"""Verbs that only people do: their subject is not what "it" means."""
PROMINENT = frozenset("nsubj nsubjpass dobj attr conj ROOT appos".split())
"""Places of what a sentence is about."""
ARTICLES = frozenset("the a an this that these those our my your his her their its some any".split())
KIN = {row[0]: frozenset(row[1].split()) for row in table("pipelines.extract", "kin_en.tsv")}
BARE_KIN = KIN["kin"]
RELATED = KIN["kin"] | KIN["kin_my"] | KIN["role_my"]


def phrase_tokens(head: Any, clauses: bool = False) -> list[Any]:
    """The tokens of a noun phrase, without relative clauses, appositions and other conjuncts."""
    skip: set[int] = set()
    for token in head.subtree:
        if (
            token.i != head.i
            and (
                token.dep_ in ("relcl", "advcl", "appos", "punct", "parataxis", "cc", "preconj", "ccomp", "mark")
                or (token.dep_ in ("acl",) and not clauses)
                or (token.dep_ == "conj" and token.head.i == head.i)
            )
            and not (token.dep_ == "punct" and token.tag_ in ("HYPH", "POS"))
        ):
            skip.update(child.i for child in token.subtree)
    kept = [token for token in head.subtree if token.i not in skip]
    run = [head]
    for token in reversed([t for t in kept if t.i < head.i]):
        if token.i >= run[0].i - 1 or all(t.is_punct or t.i in skip for t in head.doc[token.i + 1 : run[0].i]):
            run.insert(0, token)
    for token in [t for t in kept if t.i > head.i]:
        if token.i == run[-1].i + 1:
            run.append(token)
    return run


def surface(tokens: list[Any]) -> str:
    """The text that tokens cover."""
    if not tokens:
        return ""
    text = text_of(tokens[0].doc)
    return text[tokens[0].idx : tokens[-1].idx + len(tokens[-1].text)].strip(" ,;:\"'")


def hyphened(tokens: list[Any]) -> list[Any]:
    """The tokens with those that hyphens tie to the last ("payments-api", "father-in-law")."""
    doc = tokens[-1].doc
    while (
        tokens[-1].i + 1 < len(doc)
        and not tokens[-1].whitespace_
        and (doc[tokens[-1].i + 1].is_alpha or doc[tokens[-1].i + 1].text == "-")
    ):
        tokens = [*tokens, doc[tokens[-1].i + 1]]
    return tokens


def noun_phrase(head: Any) -> str:
    """A noun phrase without its leading article or possessive pronoun.

    "the rusty gate" gives "rusty gate"; a named possessor stays ("Ana's desk").
    """
    tokens = hyphened(phrase_tokens(head))
    while len(tokens) > 1 and (
        (tokens[0].lower_ in ARTICLES and tokens[0].dep_ in ("det", "poss")) or tokens[0].is_punct
    ):
        tokens = tokens[1:]
    return surface(tokens)


def owner_text(text: str, talk: Talk, sentence: Sentence, within: str | None = None, me: str | None = None) -> str:
    """The name of a holder as written: "my boss" is the speaker's, "her boss" that of the person just named.

    `within` is the holder whose words are read, to whom "he" and "she" inside them refer; `me` is whom "I"
    means in a quotation.
    """
    speaker = me or talk.speaker(sentence.turn)
    words = text.strip(" ,;:\"'").split()
    if not words:
        return "unknown"
    first, rest = words[0].lower(), words[1:]
    if len(words) == 1:
        if first in ("mine", "ours"):
            role = next((d.holder.split("'s ", 1)[1] for d in reversed(talk.drafts) if "'s " in d.holder), "")
            return f"{speaker}'s {role}" if role else speaker
        if first in FIRST:
            return speaker
        if first in SECOND:
            return talk.addressee(sentence.turn) or speaker
        if first in ANYONE and first not in ("they", "one"):
            return "unknown"
        if first in THIRD:
            found = talk.last_person(sentence.turn, (talk.speaker(sentence.turn),))
            return within or (found.phrase if found else "unknown")
        if first in BARE_KIN:
            return f"{speaker}'s {first}"
    if rest and first in ("my", "our", "your", "his", "her", "their", "the", "a", "an", "this", "that", "one", "some"):
        named = [word for word in rest if word[:1].isupper() or "-" in word]
        before = rest[: len(rest) - len(named)]
        if named and rest[len(before) :] == named and before and before[-1].lower() in RELATED:
            return " ".join(named)
        if len(words) <= 3 and rest[0].lower() in ("people", "folks", "users", "guys") and first in ("some", "the"):
            return "unknown"
        plain = " ".join(rest)
        kin = rest[-1].lower() in KIN["kin_my"] | BARE_KIN
        if first in ("the", "a", "an", "this", "that", "one", "some") or (first == "our" and not kin):
            return plain
        return f"{owner_text(first, talk, sentence, within, me)}'s {plain}"
    return " ".join(words)


def owner_of(head: Any, talk: Talk, sentence: Sentence, within: str | None = None, me: str | None = None) -> str:
    """The name of the holder that a noun phrase means; "your neighbour Bram" is Bram."""
    named = next(
        (child for child in head.children if child.dep_ == "appos" and child.pos_ == "PROPN" and child.i == head.i + 1),
        None,
    )
    if named is not None and head.lower_ in RELATED:
        return surface(phrase_tokens(named))
    joined = [token for token in head.conjuncts if token.i > head.i and token.pos_ == "PROPN"]
    if joined and head.pos_ == "PROPN":
        return " and ".join([surface(phrase_tokens(head)), *(surface(phrase_tokens(token)) for token in joined)])
    return owner_text(surface(hyphened(phrase_tokens(head))), talk, sentence, within, me)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a subject means: its name, whether it is a person, and the earlier sentence that names it."""

    name: str
    person: bool
    source: Sentence | None = None


def subject_name(
    head: Any, talk: Talk, sentence: Sentence, within: str | None = None, me: str | None = None
) -> Subject:
    """The subject or target that a noun phrase means."""
    low = head.lower_
    speaker = me or talk.speaker(sentence.turn)
    if any(token.lower_ in ("i", "we") for token in (head, *head.conjuncts)):
        return Subject(speaker, True)
    if low in SECOND:
        return Subject(talk.addressee(sentence.turn) or "listener", True)
    if low in ("he", "she", "him", "her", "they", "them"):
        if low in ("he", "she") and (near := _named_before(head)) is not None and not within:
            return Subject(near, True)
        if within and low not in ("they", "them"):
            return Subject(within, True)
        found = talk.last_person(sentence.turn, (talk.speaker(sentence.turn),))
        if found and not (low in ("they", "them") and talk.last_thing(sentence.turn)):
            return Subject(found.phrase, True, found.sentence)
        asked = talk.asked
        if asked and asked.topic and asked.speaker != talk.speaker(sentence.turn) and low not in ("they", "them"):
            return Subject(asked.topic, False, asked.sentence)  # "the new cook? she is superb"
    if (low in NEUTER and head.pos_ in ("PRON", "DET")) or (low in ("thing", "one") and is_vague(head)):
        question = talk.asked
        many = low in ("they", "them", "these", "those")
        if (
            question is not None
            and question.topic
            and question.speaker != talk.speaker(sentence.turn)
            and not talk.spoke(sentence.turn)
            and (low not in ("it", "they", "them") or many == several(question.topic, question.topic.split()[-1]))
        ):
            return Subject(question.topic, False, question.sentence)
        if low in ("this", "these") and head.pos_ == "PRON" and head.dep_ == "nsubj":
            return Subject(head.text, False)  # it points at what is shown
        before = _thing_before(head, talk)
        if before is not None:
            return Subject(before, False)
        thing = talk.last_thing(sentence.turn, REACH, many)
        return Subject(thing.phrase, False, thing.sentence) if thing else Subject(head.text, False)
    possessor = next((child for child in head.children if child.dep_ == "poss"), None)
    plain = noun_phrase(head) if head.dep_ != "csubj" else surface(list(head.subtree))
    if low in RELATED or low in ("mine", "ours"):
        return Subject(owner_of(head, talk, sentence, within, me), True)
    if possessor is not None and possessor.lower_ == "my":
        return Subject(f"{speaker}'s {plain}", False)
    if possessor is not None and possessor.lower_ == "your" and talk.addressee(sentence.turn) is None:
        return Subject(plain, False)
    if possessor is not None and possessor.lower_ in ("his", "her", "their", "your"):
        return Subject(f"{owner_of(possessor, talk, sentence, within, me)}'s {plain}", False)
    if any(child.dep_ == "det" and child.lower_ in ("that", "this", "those", "these") for child in head.children):
        earlier = next((m for m in reversed(talk.things) if m.head == low and m.sentence.turn != sentence.turn), None)
        if earlier:
            return Subject(earlier.phrase, False, earlier.sentence)
    return Subject(plain, is_person(head, plain, talk))


def _thing_before(head: Any, talk: Talk) -> str | None:
    """The thing that "it" in a second clause takes up from the first ("I have got used to the kiln, it's superb")."""
    if head.lower_ not in ("it", "they") or head.dep_ not in ("nsubj", "nsubjpass"):
        return None
    earlier = [t for t in head.doc[: head.i] if t.pos_ in ("NOUN", "PROPN") and t.head.i != head.head.i]
    for roles in (("dobj",), ("nsubj", "nsubjpass"), ("pobj",)):
        for token in earlier:
            plain = noun_phrase(token)
            if several(plain, token.lower_) != (head.lower_ == "they"):
                continue
            holds = token.dep_ == "nsubj" and token.pos_ == "PROPN" and token.head.lemma_ in HOLDING
            if (
                token.dep_ in roles
                and not holds
                and not is_person(token, plain, talk)
                and token.ent_type_ not in ("DATE", "TIME")
            ):
                return plain
    return None


def _named_before(head: Any) -> str | None:
    """The person named earlier in the same sentence ("left to Ms. Roe, so she owns it")."""
    for token in reversed(head.doc[: head.i]):
        if (
            token.pos_ == "PROPN"
            and token.dep_ in ("nsubj", "nsubjpass", "pobj", "dobj", "appos", "conj", "attr")
            and _bare_name(token)
        ):
            return surface(phrase_tokens(token))
    return None


def is_vague(head: Any) -> bool:
    """ "this thing", "one": a noun that stands for something said before."""
    return not any(child.dep_ in ("amod", "relcl", "prep", "compound") for child in head.children)


def is_person(head: Any, plain: str, talk: Talk) -> bool:
    """Whether a phrase names a person: a known name, a title, or a relation's word."""
    if any(plain.lower() == name.lower() or plain.lower() in name.lower().split() for name in talk.names):
        return True
    if re.match(r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Madam)\b", plain):
        return True
    return head.lower_ in RELATED


def note_mentions(doc: Any, talk: Talk, sentence: Sentence) -> None:
    """Remember the people and things of a sentence, its subject last so that a pronoun finds it first."""
    people: list[tuple[int, str]] = []
    things: list[tuple[int, str, str]] = []
    spoken_of = any(token.dep_ in PROMINENT and token.pos_ in ("NOUN", "PROPN") for token in doc)
    for token in doc:
        if token.pos_ not in ("NOUN", "PROPN") or token.dep_ in ("compound", "npadvmod", "amod", "nmod", "quantmod"):
            continue
        plain = noun_phrase(token)
        if not plain or not any(c.isalpha() for c in plain) or token.lower_ in lexicon().adjectives:
            continue
        rank = 2 if token.dep_ in ("nsubj", "nsubjpass") else 1 if token.dep_ in PROMINENT or not spoken_of else 0
        if (
            is_person(token, plain, talk)
            or (token.pos_ == "PROPN" and token.dep_ != "pobj" and rank == 2 and _bare_name(token))
            or token.lower_ in RELATED
        ):
            people.append((rank, owner_of(token, talk, sentence)))
        elif not re.fullmatch(
            r"(?:thing|one|way|time|day|week|month|year|lot|bit|idea|today|tomorrow|yesterday|\d+)s?", token.lower_
        ):
            possessor = next((c for c in token.children if c.dep_ == "poss" and c.lower_ == "my"), None)
            things.append((rank, f"{talk.speaker(sentence.turn)}'s {plain}" if possessor else plain, token.lower_))
    for rank, phrase, head in sorted(things, key=lambda item: item[0]):
        talk.mention_thing(phrase, head, sentence, rank > 0)
    for _, name in sorted(people, key=lambda item: item[0]):
        talk.mention_person(name, sentence)


def _bare_name(token: Any) -> bool:
    return (
        not any(child.dep_ in ("det", "nummod") for child in token.children)
        and token.text[:1].isupper()
        and token.text.isalpha()
        and not token.text.isupper()
    )
