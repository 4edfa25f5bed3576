"""One English clause: is it a judgement, somebody else's words, or a record?"""

from __future__ import annotations

import re
from typing import Any

from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.english_claims import attitude_draft, judged_target, make_claim, reported_claim, unjudged
from pipelines.extract.english_names import (
    FIRST,
    Subject,
    noun_phrase,
    subject_name,
    surface,
)
from pipelines.extract.english_opinion import (
    FEELING,
    attitudes,
    judgement,
    judgement_anywhere,
    lemma_of,
    lexicon,
    word_sign,
)
from pipelines.extract.english_parse import Parsed
from pipelines.extract.english_peel import Peeled, child, clause_text, preposition, subject_of
from pipelines.extract.english_records import record_draft
from pipelines.extract.route import REACTION_EN
from pipelines.extract.text import Sentence

SUPERLATIVE = re.compile(
    "^(?:the |what a |such an? |an? |simply |by far |easily |truly |literally "
    "|absolutely )*(?:best|worst|greatest|finest|nicest|ugliest|dumbest|smartest"
    r"|coolest|(?!(?:hon|mod|inter|requ|prot|for|gu|harv|sugg|inv|earn|arr|cont|dig|manif)est\b)\w{3,}est"
    r"|most \w+|least \w+|absolute|total|complete|utter) (?!of\b)(?:\w+ ){0,3}?(?:\w+"
    ")(?: (?:ever|i've|i have|we've|we have|that|in the|on the|of the|so far)"
    "|[.!,]|$)",
    re.I,
)


def quoted_thing(doc: Any) -> str | None:
    """The noun that a quoted fragment praises or blames ("worst breakfast in years", "a waste of an evening")."""
    noun = next((t for t in doc if t.pos_ in ("NOUN", "PROPN") and any(c.dep_ == "amod" for c in t.children)), None)
    if noun is not None and noun.lower_ in lexicon().nouns:
        inside = preposition(noun, "of")
        return noun_phrase(inside) if inside is not None and inside.lower_ not in ("money", "time") else None
    return noun.text if noun is not None else None


TO_YOU = re.compile(
    "^i(?:'m| am) (?:so |really |very )?(?:proud|glad|happy|excited|thrilled"
    r"|grateful) (?:of you|for you|to have you|to see you|you)\b"
    r"|^(?:check (?:this|it|that|out)|look at)\b",
    re.I,
)
"""Kind words and pointers to the other person: no proposition."""


def clause_draft(parsed: Parsed, state: Peeled, talk: Talk, me: str | None, parts: list[Any]) -> Draft | None:
    """One draft from a peeled clause."""
    sentence, frame = parsed.sentence, parsed.frame
    speaker = talk.speaker(sentence.turn)
    head = state.head
    whole = frame.clause
    inner = whole if len(parts) == 1 and head.dep_ == "ROOT" else clause_text(head, parts if len(parts) > 1 else ())
    if state.small is not None:
        inner = (
            whole
            if not state.chain
            else (
                f"{state.thing or noun_phrase(state.small)} is "
                f"{surface(list(head.subtree)) if head is not state.small else head.text}"
            )
        )
    holder = state.chain[-1] if state.chain else speaker
    relay = (*reversed(state.chain[:-1]), speaker) if state.chain else ()
    within = state.chain[-1] if state.chain and state.chain[-1] != "unknown" else None
    flip = -1 if state.negated != frame.negated else 1
    own = state.own or frame.own
    subject = state.small if state.small is not None else subject_of(head)
    extra: list[Sentence | None] = []
    if not state.chain and TO_YOU.match(whole):
        return None
    if state.sign and frame.own and state.chain and not frame.who and subject is not None:
        about = subject_name(subject, talk, sentence, None, me)
        seen = make_claim(parsed, about.name, speaker, (), 0, [about.source, sentence])
        seen.clause, seen.speaker, seen.person = inner, speaker, about.person
        return seen  # "Bert loves autumn, I'd say": the speaker's view of Carlos
    if state.sign:
        return attitude_draft(parsed, state, talk, me, holder, relay, within)
    sign = (
        judgement(head, inner)
        if state.small is None
        else (word_sign(head) or lexicon().adjectives.get(head.lower_, 0) or judgement(head, inner))
    )
    if frame.quoted and not sign:
        sign = judgement_anywhere(parsed.doc, inner)
    if frame.doubted and not sign:
        sign = 1
    feeling = subject is not None and subject.lower_ in FIRST and any(t.lower_ in FEELING for t in head.children)
    named = subject_name(subject, talk, sentence, within, me) if subject is not None else None
    if state.thing:
        named = Subject(state.thing, False)
    if subject is not None and named is not None and named.name.lower() == "they" and not state.chain:
        named = _done_to(head, talk, sentence, speaker) or named
    there = child(head, "attr") if named is None and child(head, "expl") is not None else None
    if there is not None and there.pos_ == "NOUN" and not state.chain:
        named = Subject(noun_phrase(there), False)
    anyone = subject is not None and subject.lower_ in (
        "nobody",
        "everyone",
        "everybody",
        "anyone",
        "anybody",
        "none",
        "no-one",
    )
    if anyone and lemma_of(head, attitudes()) in attitudes():
        return None
    if named is None and not state.chain:
        named = _lost_subject(head)
    elif named is None and head.pos_ in ("NOUN", "PROPN") and head.dep_ == "ROOT":
        named = Subject(unjudged(head), False)
    judged_subject = (named is not None and not feeling) or child(head, "expl") is not None
    evaluates = bool(sign) and _predicate_judges(head, state, inner)
    if named is not None and named.source is not None:
        extra.append(named.source)
    reaction = (
        not state.chain
        and not own
        and REACTION_EN.match(whole)
        and (subject is None or subject.lower_ in ("that", "you", "it"))
    )
    mine = subject is None or subject.lower_ in FIRST
    if head.lemma_ in ("thank", "congratulate", "apologise", "apologize") and not state.chain and mine:
        return None
    if head.lemma_ in ("agree", "disagree") and not state.chain and sum(not t.is_punct for t in head.subtree) <= 3:
        return None
    to_you = subject is not None and subject.lower_ in ("you", "u") and not state.chain
    if reaction or (
        to_you and (sign or (head.lemma_ == "be" and child(head, "acomp") is not None and not re.search(r"\d", inner)))
    ):
        return None
    if named is None and parsed.doc[0].tag_ == "MD" and not any(c.dep_ == "neg" for c in head.children):
        return None
    if not (sign or own or state.chain) and sum(t.is_alpha for t in parsed.doc) < 2:
        return None
    plain = own and not sign and _about_me(named, subject, speaker) and not frame.judged and state.small is None
    advised = any(c.dep_ == "aux" and c.lower_ in ("should", "ought", "must", "could") for c in head.children)
    if plain and not advised and not state.chain:
        return record_draft(parsed, state, talk, inner, named, extra, subject)  # "I think I'll walk" is no view
    if ((own or frame.judged or state.small is not None) and not feeling) or (
        evaluates and not state.chain and judged_subject and not _about_me(named, subject, speaker)
    ):
        quoted = quoted_thing(parsed.doc) if frame.quoted and SUPERLATIVE.match(whole) else None
        target = frame.topic or quoted or judged_target(named, head, state, talk, sentence, within, me)
        if isinstance(target, str) and target.lower() in ("it", "this", "that", "they") and not own and not state.chain:
            return record_draft(parsed, state, talk, inner, named, extra, subject)
        if target is not None:
            source = None
            if isinstance(target, tuple):
                target, source = target
            draft = make_claim(parsed, target, holder, relay, sign * flip, [*extra, source, sentence])
            draft.clause, draft.speaker = inner, speaker
            if named is not None and named.person and not evaluates:
                draft.subject = named.name
            return draft
    if state.chain:
        return reported_claim(
            parsed, state, talk, me, holder, relay, inner, sign * flip if evaluates else 0, named, extra, flip
        )
    return record_draft(parsed, state, talk, inner, named, extra, subject)


def _done_to(head: Any, talk: Talk, sentence: Sentence, speaker: str) -> Subject | None:
    """Whom or what somebody unnamed does it to: "they moved me upstairs", "they raised the rent"."""
    done = child(head, "dobj")
    if done is None:
        return None
    if done.lower_ in FIRST:
        return Subject(speaker, True)
    definite = any(c.dep_ == "poss" or c.lower_ == "the" for c in done.children)
    return subject_name(done, talk, sentence) if definite and done.pos_ in ("NOUN", "PROPN") else None


def _lost_subject(head: Any) -> Subject | None:
    """The subject that the parser missed: a noun phrase where a dropped subject would leave none."""
    chunks = [chunk for chunk in head.doc.noun_chunks if chunk.root.i < head.i or chunk.root is head]
    free = [
        chunk
        for chunk in chunks
        if chunk.root.dep_ not in ("pobj", "npadvmod") and chunk.root.pos_ in ("NOUN", "PROPN")
    ]
    if head.i == 0 or not free or head.doc[0].pos_ in ("VERB", "AUX", "ADV", "PART", "INTJ"):
        return None
    words = [t for t in free[-1] if t.i < head.i]
    while words and words[0].lower_ in ("the", "a", "an", "this", "that", "our", "my"):
        words = words[1:]
    return Subject(surface(words), False) if words else None


def _about_me(named: Any, subject: Any, speaker: str) -> bool:
    return (
        named is not None
        and subject is not None
        and named.person
        and named.name == speaker
        and subject.lower_ in ("i", "we")
    )


def _predicate_judges(head: Any, state: Peeled, inner: str) -> bool:
    """Whether the sign comes from what is said of the subject, not from a passing word."""
    if state.small is not None:
        return True
    return judgement(head, "") != 0 or judgement(head, inner) != 0
