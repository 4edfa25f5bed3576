"""English turns to drafts of statements."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from lakehouse.vocabulary import AtomKind, MemoryType, Modality, Polarity
from pipelines.extract.discourse import Asked, Draft, Talk
from pipelines.extract.english_answers import answer
from pipelines.extract.english_frames import Frame, frame_of
from pipelines.extract.english_names import FIRST, Subject, is_vague, note_mentions, noun_phrase, owner_text, subject_name, surface
from pipelines.extract.english_opinion import FEELING, attitudes, effect_sign, judgement, judgement_anywhere, lemma_of, lexicon, word_sign
from pipelines.extract.english_peel import Peeled, child, clause_text, peel, preposition, subject_of
from pipelines.extract.english_question import asked
from pipelines.extract.route import HYPOTHETICAL_EN, REACTION_EN, is_question
from pipelines.extract.text import Sentence
from pipelines.language import english
from pipelines.timex import find
from pipelines.timex.tense import IRREGULAR_PAST
from pipelines.wordlist import table


@dataclass(frozen=True, slots=True)
class Parsed:
    """A sentence with its frames cut off and the rest parsed."""

    sentence: Sentence
    frame: Frame
    doc: Any


@cache
def chat() -> dict[str, str]:
    """Chat spellings and what they stand for."""
    return {row[0]: row[1] if len(row) > 1 else "" for row in table("pipelines.extract", "chat_en.tsv")}


@cache
def life_changes() -> dict[str, frozenset[str]]:
    """Verbs of a change that lasts in a life, with the words that they need beside them."""
    rows = table("pipelines.extract", "life_en.tsv")
    return {row[0]: frozenset(row[1].split()) for row in rows}


def parse(sentences: list[Sentence]) -> list[Parsed]:
    """All sentences through the parser in one batch."""
    frames = [frame_of(sentence.plain) for sentence in sentences]
    docs = english().pipe([frame.clause for frame in frames], batch_size=64)
    return [Parsed(sentence, frame, doc) for sentence, frame, doc in zip(sentences, frames, docs, strict=True)]


def read(parsed: Parsed, talk: Talk) -> list[Draft]:
    """The drafts of one sentence; the talk's memory is brought up to date."""
    sentence, doc = parsed.sentence, parsed.doc
    text = sentence.plain
    if is_question(text, "en") and not re.search(r", (?:isn't|aren't|wasn't|doesn't|don't|right|no|eh|huh)\b[^,]*\?$", text):
        talk.asked = asked(sentence, doc, talk)
        note_mentions(doc, talk, sentence)
        return []
    if HYPOTHETICAL_EN.search(text):
        note_mentions(doc, talk, sentence)
        return []
    answered = answer(parsed.sentence, doc, talk)
    if answered is not None:
        note_mentions(doc, talk, sentence)
        return answered
    drafts = _statements(parsed, talk)
    note_mentions(doc, talk, sentence)
    for draft in drafts:
        if draft.target and draft.kind == "claim":
            talk.mention_thing(draft.target, draft.target.split()[-1], sentence)
    return drafts


def heads(doc: Any) -> list[Any]:
    """The verbs that may each assert something: the root, and clauses joined to it with their own subject."""
    roots = [sent.root for sent in doc.sents]
    main = next((r for r in roots if r.pos_ in ("VERB", "AUX")), roots[0])
    found = [main]
    stack = [main]
    while stack:
        token = stack.pop()
        for c in token.children:
            own = child(c, "nsubj", "nsubjpass") is not None
            contrast = c.dep_ == "advcl" and any(m.dep_ == "mark" and m.lower_ in ("while", "whereas", "although", "though") for m in c.children)
            if c.pos_ in ("VERB", "AUX") and own and (c.dep_ in ("conj", "parataxis") or contrast or (c.dep_ == "ccomp" and c.i < token.i and any(t.text in (";", ",") for t in doc[c.i : token.i]) and token.lemma_ not in ("say", "think"))):
                found.append(c)
                stack.append(c)
    if main.pos_ not in ("VERB", "AUX") and len(found) > 1:
        found = found[1:]
    found.extend(r for r in roots if r is not main and r.pos_ in ("VERB", "AUX") and subject_of(r) is not None)
    return found[:4]


def _statements(parsed: Parsed, talk: Talk) -> list[Draft]:
    sentence, frame, doc = parsed.sentence, parsed.frame, parsed.doc
    if not len(doc):
        return []
    slang = SLANG.match(frame.clause)
    if slang and not frame.who and not any(t.tag_ in ("VBZ", "VBP", "VBD", "MD") for t in doc[:-2]):
        sign = -1 if slang["verb"].lower() in ("sucks", "suck", "blows", "stinks", "stink") else 1
        return [_claim(parsed, slang["what"], talk.speaker(sentence.turn), (), sign, [sentence])]
    misread = any(t.dep_ == "ROOT" and t.lower_ in IRREGULAR_PAST and child(t, "nsubj") is not None for t in doc)
    if not any(t.pos_ in ("VERB", "AUX") for t in doc) and not frame.who and not misread or (SUPERLATIVE.match(frame.clause) and not frame.who):
        return _verbless(parsed, talk)
    quoting = frame.quoted
    chain: tuple[str, ...] = ()
    for who in frame.who:
        chain = (*chain, owner_text(who, talk, sentence, chain[-1] if chain else None))
    if frame.unknown and not chain:
        chain = ("unknown",)
    me = chain[-1] if quoting and chain else None
    drafts: list[Draft] = []
    parts = heads(doc)
    for index, head in enumerate(parts):
        state = peel(head, talk, sentence, chain if index == 0 else (), me)
        if index and chain and not state.chain and not state.own:
            state = peel(head, talk, sentence, chain, me)
        if "unknown" in state.chain[:-1]:
            state = replace(state, chain=tuple(n for n in state.chain[:-1] if n != "unknown") + state.chain[-1:])
        if state.nothing:
            if index == 0:
                return []
            continue
        built = _build(parsed, state, talk, me, parts)
        if built is not None:
            drafts.append(built)
    return _joined(drafts, parsed)


SLANG = re.compile(r"^(?:(?:the|this|that|my|our|these|those) )?(?P<what>(?!i\b|it\b|that\b|this\b)[\w' -]{2,50}?) (?:really |totally |absolutely |just )?(?P<verb>slaps?|slays?|bangs|rocks?|rules|sucks?|blows|stinks?)[.! ]*$", re.I)
SUPERLATIVE = re.compile(
    r"^(?:the |what a |such an? |an? |simply |by far |easily |truly |literally |absolutely )*(?:best|worst|greatest|finest|nicest|ugliest|dumbest|smartest|coolest"
    r"|most \w+|least \w+|absolute|total|complete|utter) (?!of\b)(?:\w+ ){0,3}?(?:\w+)(?: (?:ever|i've|i have|we've|we have|that|in the|on the|of the|so far)|[.!,]|$)",
    re.I,
)
TOLD_ON = re.compile(r"^(?:(?:and|then|so) )*(?P<who>he|she|they|[A-Z][\w-]+) (?:told|texted|messaged|emailed|called|informed|let) (?:me|us)\b", re.I)


def _quoted_thing(doc: Any) -> str | None:
    """The noun that a quoted fragment praises or blames ("best support I've ever had", "a waste of an evening")."""
    noun = next((t for t in doc if t.pos_ in ("NOUN", "PROPN") and any(c.dep_ == "amod" for c in t.children)), None)
    if noun is not None and noun.lower_ in lexicon().nouns:
        inside = preposition(noun, "of")
        return noun_phrase(inside) if inside is not None and inside.lower_ not in ("money", "time") else None
    return noun.text if noun is not None else None


def _joined(drafts: list[Draft], parsed: Parsed) -> list[Draft]:
    """One statement a sentence, unless its clauses have different holders or judge differently."""
    if len(drafts) < 2:
        return drafts
    kept = [drafts[0]]
    for draft in drafts[1:]:
        first = kept[-1]
        judges = "claim" in (draft.kind, first.kind)
        told = TOLD_ON.match(draft.clause)
        if told and first.relay and draft.kind != "claim":
            who = told["who"]
            if who[0].isupper() and who.lower() not in ("he", "she", "they") and who not in (*first.relay, first.holder):
                first.relay = (*first.relay[:-1], who, first.relay[-1])
            continue
        differs = draft.holder != first.holder or (draft.polarity, draft.target) != (first.polarity, first.target)
        if judges and differs:
            kept.append(draft)
        elif draft.time and not first.time and first.kind != "fact":
            first.time = draft.time
    if len(kept) == 1 and parsed.frame.clause:
        kept[0].clause = parsed.frame.clause if not kept[0].relay else kept[0].clause
    return kept


def _verbless(parsed: Parsed, talk: Talk) -> list[Draft]:
    """A fragment without a verb: a judgement, a setting ("cache_ttl = 300"), or a piece of the sentence before."""
    sentence, doc, frame = parsed.sentence, parsed.doc, parsed.frame
    root = next(iter(doc.sents)).root
    sign = judgement_anywhere(doc, frame.clause) * (-1 if frame.negated else 1)
    if not sign and (superlative := re.match(r"(?:the )?(best|finest|greatest|nicest|coolest|smartest|worst|ugliest|dumbest)\b", frame.clause, re.I)):
        sign = -1 if superlative[1].lower() in ("worst", "ugliest", "dumbest") else 1
    me = talk.speaker(sentence.turn)
    previous = talk.drafts[-1] if talk.drafts and talk.drafts[-1].turn == sentence.turn else None
    if sign:
        thing = None if previous and previous.kind == "claim" else talk.last_thing(sentence.turn)
        if previous and previous.kind == "claim" and previous.holder == me:
            return _absorb(previous, sentence)
        subject = child(root, "nsubj")
        if subject is not None:
            found = subject_name(subject, talk, sentence)
            return [_claim(parsed, found.name, me, (), sign, [found.source, sentence])]
        if thing is None or (thing.sentence.turn == sentence.turn and not frame.own and len(doc) < 3):
            return []
        if talk.asked is None and not frame.own and thing.sentence.turn != sentence.turn:
            return []
        return [_claim(parsed, thing.phrase, me, (), sign, [thing.sentence, sentence])]
    if REACTION_EN.match(frame.clause):
        return []
    informative = any(t.pos_ == "PROPN" or t.tag_ == "CD" for t in doc) and len(doc) >= 3
    if previous and not re.search(r"\d", frame.clause):
        return _absorb(previous, sentence)
    if not informative:
        return []
    equals = re.match(r"^(?P<name>[\w./ -]{2,60}?)\s*(?:=|:=|:|->|→)\s*\S", frame.clause)
    subject_text = equals["name"].strip() if equals else talk.speaker(sentence.turn)
    time = _time(frame.clause, talk, sentence)
    return [
        Draft(
            turn=sentence.turn, speaker=me, kind="event" if time else "fact", subject=subject_text, clause=frame.clause, language="en",
            holder=me, spans=[sentence], types=("EM",) if time else (("GM",) if equals else ("PM",)), time=time, confidence=0.5,
        )
    ]  # fmt: skip


def _absorb(draft: Draft, sentence: Sentence) -> list[Draft]:
    """Let a fragment belong to the statement before it."""
    if sentence not in draft.spans:
        draft.spans.append(sentence)
    return []


def _time(text: str, talk: Talk, sentence: Sentence) -> Any:
    said = talk.said(sentence.turn)
    if said is None:
        return None
    found = find(text, said, "en")
    return found[0][2] if found else None


def _claim(parsed: Parsed, target: str, holder: str, relay: tuple[str, ...], sign: int, spans: list[Sentence | None], subject: str | None = None) -> Draft:
    polarity: Polarity = "positive" if sign > 0 else "negative" if sign < 0 else "neutral"
    own = [span for span in spans if span is not None]
    return Draft(
        turn=parsed.sentence.turn, speaker="", kind="claim", subject=subject or target, clause=parsed.frame.clause, language="en",
        holder=holder, relay=relay, target=target, polarity=polarity, types=("PM",), spans=list(dict.fromkeys(own)),
    )  # fmt: skip


def _build(parsed: Parsed, state: Peeled, talk: Talk, me: str | None, parts: list[Any]) -> Draft | None:
    """One draft from a peeled clause."""
    sentence, frame = parsed.sentence, parsed.frame
    speaker = talk.speaker(sentence.turn)
    head = state.head
    whole = frame.clause
    inner = whole if len(parts) == 1 and head.dep_ == "ROOT" else clause_text(head, parts if len(parts) > 1 else ())
    if state.small is not None:
        inner = whole if not state.chain else f"{state.thing or noun_phrase(state.small)} is {surface(list(head.subtree)) if head is not state.small else head.text}"
    holder = state.chain[-1] if state.chain else speaker
    relay = (*reversed(state.chain[:-1]), speaker) if state.chain else ()
    within = state.chain[-1] if state.chain and state.chain[-1] != "unknown" else None
    flip = -1 if state.negated != frame.negated else 1
    own = state.own or frame.own
    subject = state.small if state.small is not None else subject_of(head)
    extra: list[Sentence | None] = []
    if state.sign:
        return _attitude_draft(parsed, state, talk, me, holder, relay, within)
    sign = judgement(head, inner) if state.small is None else (word_sign(head) or lexicon().adjectives.get(head.lower_, 0) or judgement(head, inner))
    if frame.quoted and not sign:
        sign = judgement_anywhere(parsed.doc, inner)
    feeling = subject is not None and subject.lower_ in FIRST and any(t.lower_ in FEELING for t in head.children)
    named = subject_name(subject, talk, sentence, within, me) if subject is not None else None
    if state.thing:
        named = Subject(state.thing, False)
    anyone = subject is not None and subject.lower_ in ("nobody", "everyone", "everybody", "anyone", "anybody", "none", "no-one")
    if anyone and lemma_of(head, attitudes()) in attitudes():
        return None
    if named is None and not state.chain:
        named = _lost_subject(head)
    elif named is None and head.pos_ in ("NOUN", "PROPN") and head.dep_ == "ROOT":
        named = Subject(noun_phrase(head), False)
    judged_subject = (named is not None and not feeling) or child(head, "expl") is not None
    evaluates = bool(sign) and _predicate_judges(head, state, inner)
    if named is not None and named.source is not None:
        extra.append(named.source)
    reaction = not state.chain and not own and REACTION_EN.match(whole) and (subject is None or subject.lower_ in ("that", "you", "it"))
    if head.lemma_ in ("thank", "congratulate", "apologise", "apologize") and not state.chain:
        return None
    if head.lemma_ in ("agree", "disagree") and not state.chain and sum(not t.is_punct for t in head.subtree) <= 3:
        return None
    to_you = subject is not None and subject.lower_ in ("you", "u") and not state.chain
    if reaction or (to_you and (sign or (head.lemma_ == "be" and child(head, "acomp") is not None and not re.search(r"\d", inner)))):
        return None
    if named is None and parsed.doc[0].tag_ == "MD":
        return None
    if not (sign or own or state.chain) and sum(t.is_alpha for t in parsed.doc) < 2:
        return None
    if (own or frame.judged or state.small is not None) and not feeling or (evaluates and not state.chain and judged_subject and not _about_me(named, subject, speaker)):
        quoted = _quoted_thing(parsed.doc) if frame.quoted and SUPERLATIVE.match(whole) else None
        target = frame.topic or quoted or _target(named, head, state, talk, sentence, within, me)
        if isinstance(target, str) and target.lower() in ("it", "this", "that", "they") and not own and not state.chain:
            return _record(parsed, state, talk, inner, named, extra, subject)
        if target is not None:
            source = None
            if isinstance(target, tuple):
                target, source = target
            draft = _claim(parsed, target, holder, relay, sign * flip, [*extra, source, sentence])
            draft.clause, draft.speaker = inner, speaker
            if named is not None and named.person and not evaluates:
                draft.subject = named.name
            return draft
    if state.chain:
        return _reported(parsed, state, talk, me, holder, relay, inner, sign * flip if evaluates else 0, named, extra, flip)
    return _record(parsed, state, talk, inner, named, extra, subject)


def _lost_subject(head: Any) -> Subject | None:
    """The subject that the parser missed: a noun phrase where a dropped subject would leave none."""
    chunks = [chunk for chunk in head.doc.noun_chunks if chunk.root.i < head.i or chunk.root is head]
    free = [chunk for chunk in chunks if chunk.root.dep_ not in ("pobj", "npadvmod") and chunk.root.pos_ in ("NOUN", "PROPN")]
    if head.i == 0 or not free or head.doc[0].pos_ in ("VERB", "AUX", "ADV", "PART", "INTJ"):
        return None
    words = [t for t in free[-1] if t.i < head.i]
    while words and words[0].lower_ in ("the", "a", "an", "this", "that", "our", "my"):
        words = words[1:]
    return Subject(surface(words), False) if words else None


def _about_me(named: Any, subject: Any, speaker: str) -> bool:
    return named is not None and subject is not None and named.person and named.name == speaker and subject.lower_ in ("i", "we")


def _predicate_judges(head: Any, state: Peeled, inner: str) -> bool:
    """Whether the sign comes from what is said of the subject in the present or of an experience, not from a passing word."""
    if state.small is not None:
        return True
    return judgement(head, "") != 0 or judgement(head, inner) != 0


def _target(named: Any, head: Any, state: Peeled, talk: Talk, sentence: Sentence, within: str | None, me: str | None) -> Any:
    """What a judgement is about: its subject, or what "there is no point in" or "a fan of" names, or the topic."""
    if head.lemma_ == "be" and child(head, "expl") is not None:
        noun = child(head, "attr")
        inside = preposition(noun, "in", "with", "about", "to") if noun is not None else None
        if inside is not None:
            return noun_phrase(inside)
    if named is not None and not (named.person and named.name in (talk.speaker(sentence.turn),)):
        return named.name
    obj = child(head, "dobj")
    if obj is not None and not (obj.pos_ == "PRON" or is_vague(obj) and obj.lower_ in ("one", "thing")):
        return subject_name(obj, talk, sentence, within, me).name
    thing = talk.last_thing(sentence.turn)
    if thing is not None:
        return thing.phrase, thing.sentence
    words = noun_phrase(head) if head.pos_ in ("NOUN", "PROPN") else None
    return words or (named.name if named is not None else None)


def _attitude_draft(parsed: Parsed, state: Peeled, talk: Talk, me: str | None, holder: str, relay: tuple[str, ...], within: str | None) -> Draft | None:
    """ "can't stand the mascot": a claim about a particular thing, a lasting taste about a general one."""
    sentence, head = parsed.sentence, state.head
    speaker = talk.speaker(sentence.turn)
    sign = state.sign * (-1 if parsed.frame.negated else 1)
    target = state.target
    inner = parsed.frame.clause if head.dep_ == "ROOT" else clause_text(head)
    if target is None:
        thing = talk.last_thing(sentence.turn)
        if thing is None:
            return None
        draft = _claim(parsed, thing.phrase, holder, relay, sign, [thing.sentence, sentence])
        draft.clause, draft.speaker = inner, speaker
        return draft
    found = subject_name(target, talk, sentence, within, me)
    if target.pos_ in ("VERB", "AUX"):
        name = clause_text(target)
        general = target.tag_ in ("VB", "VBG")
        inside = child(target, "dobj", "npadvmod")
        if inside is not None and (head.lemma_ == "regret" or any(c.lower_ in ("this", "that", "these", "those") for c in inside.children)):
            name, general = subject_name(inside, talk, sentence, within, me).name, False
    else:
        name = found.name
        general = _general(target)
    desire = any(c.lower_ in ("would", "'d") for c in head.children if c.dep_ == "aux")
    if desire and head.lemma_ in ("love", "like", "prefer"):
        return _plan(parsed, talk, speaker, inner) if not relay else None
    if general and head.lemma_ not in ("complain", "recommend"):
        if relay and not state.chain[:-1] and not parsed.frame.who:
            return Draft(turn=sentence.turn, speaker=speaker, kind="fact", subject=holder, clause=inner, language="en", holder=speaker,
                         spans=[sentence], types=("PM",), person=True)  # fmt: skip
        if not relay:
            negative = any(c.dep_ == "neg" for c in head.children)
            return Draft(turn=sentence.turn, speaker=speaker, kind="fact", subject=speaker, clause=inner, language="en", holder=speaker,
                         spans=[sentence], types=("PM",), modality="negated" if negative else "asserted", person=True)  # fmt: skip
    draft = _claim(parsed, name, holder, relay, sign, [found.source, sentence])
    draft.clause, draft.speaker = inner, speaker
    return draft


def _general(target: Any) -> bool:
    """A bare plural or mass noun: a kind of thing, not a particular one."""
    if target.pos_ == "PROPN" or target.pos_ == "PRON":
        return False
    definite = any(c.dep_ in ("det", "poss", "nummod") and c.lower_ not in ("any", "some", "a", "an", "all", "no", "most") for c in target.children)
    named = any(c.pos_ == "PROPN" for c in target.children)
    return not definite and not named


def _plan(parsed: Parsed, talk: Talk, speaker: str, inner: str) -> Draft:
    time = _time(inner, talk, parsed.sentence)
    kind: AtomKind = "event" if time else "fact"
    return Draft(turn=parsed.sentence.turn, speaker=speaker, kind=kind, subject=speaker, clause=inner, language="en", holder=speaker,
                 spans=[parsed.sentence], modality="planned", types=("EM",) if time else ("PM",), time=time, person=True)  # fmt: skip


def _reported(
    parsed: Parsed, state: Peeled, talk: Talk, me: str | None, holder: str, relay: tuple[str, ...], inner: str, sign: int,
    named: Any, extra: list[Sentence | None], flip: int,
) -> Draft:  # fmt: skip
    """What somebody else asserts: a claim of theirs, neutral unless it judges."""
    sentence, head = parsed.sentence, state.head
    modality = _modality(head, inner, state, None)
    generic = head.tag_ in ("VBZ", "VBP") and modality == "asserted" and not any(c.lower_ in ("will", "going") for c in head.children)
    verb = head.lemma_ not in ("be", "have", "fail", "pass")
    subject_token = subject_of(head)
    if subject_token is not None and subject_token.tag_ == "NNS" and subject_token.lower_ in (*lexicon().effects, *lexicon().verbs) and head.tag_ in ("VBP", "VB", "NN") and child(subject_token, "compound") is not None:
        compound = [t for t in subject_token.children if t.dep_ == "compound"]
        named = Subject(surface(compound), False)  # "morning training boosts focus" read as "the boosts focus"
        sign = (lexicon().effects.get(subject_token.lower_) or lexicon().verbs.get(subject_token.lower_, 0)) * flip
    effect = effect_sign(list(head.subtree)) * flip if generic and verb and not sign else 0
    time = None if sign or effect else _time(inner, talk, sentence)
    if time and time.start > str(talk.said(sentence.turn))[:10] and modality == "asserted":
        modality = "planned"
    subject = named.name if named is not None else (holder if holder != "unknown" else inner)
    if frame_topic := parsed.frame.topic:
        subject = frame_topic
    if named is None:
        obj = child(head, "dobj")
        subject = subject_name(obj, talk, sentence, None, me).name if obj is not None and state.planned else subject
    target = subject
    event = bool(time) or modality in ("planned", "negated") or head.tag_ in ("VBD", "VBN") or _past(head)
    types: tuple[MemoryType, ...] = ("PM",) if sign else (("EM",) if event else (("PM",) if named is not None and named.person else ("GM",)))
    if event and not sign and named is not None and named.person and modality == "asserted" and _life(head):
        types = ("EM", "PM")
    if state.told is not None:
        return _commanded(parsed, state, talk, me, holder, relay, inner, time)
    if event and not sign and not effect:
        target = inner
    draft = _claim(parsed, target, holder, relay, sign or effect, [*extra, sentence], subject)
    draft.clause, draft.speaker = inner, talk.speaker(sentence.turn)
    draft.modality, draft.time, draft.types = modality, time, types
    draft.person = named is not None and named.person
    if flip < 0 and not sign:
        draft.modality = "negated"
    return draft


AVOID = frozenset("stop quit cut avoid reduce skip give stay limit drop leave refrain lay ditch".split())


def _commanded(parsed: Parsed, state: Peeled, talk: Talk, me: str | None, holder: str, relay: tuple[str, ...], inner: str, time: Any) -> Draft:
    """ "told me to cut down on salt": what the holder wants done; giving a thing up speaks against it."""
    head = state.head
    against = head.lemma_.lower() in AVOID or any(c.dep_ == "neg" for c in head.children)
    things = [t for t in head.subtree if t.dep_ in ("dobj", "pobj") and t.pos_ in ("NOUN", "PROPN")]
    target = noun_phrase(things[0]) if things else inner
    draft = _claim(parsed, target, holder, relay, -1 if against else 0, [parsed.sentence])
    draft.subject = subject_name(state.told, talk, parsed.sentence, None, me).name
    draft.clause, draft.speaker, draft.time, draft.person = inner, talk.speaker(parsed.sentence.turn), time, True
    draft.modality, draft.types = ("asserted", ("PM",)) if against else ("planned", ("EM",))
    return draft


def time_words(text: str) -> bool:
    """Whether a fragment carries a number, a date or a name of its own."""
    return bool(re.search(r"\d|\b(?:to|at|in|from) [A-Z]|\b(?:yesterday|today|tomorrow|last|next|ago|morning|night|week|month|year)\b", text))


def _shared(talk: Talk, sentence: Sentence) -> Draft | None:
    """The speaker's statement that an earlier sentence of the same turn belongs to."""
    me = talk.speaker(sentence.turn)
    for draft in reversed(talk.drafts):
        if draft.speaker == me and draft.kind == "event" and any(s.turn == sentence.turn and s != sentence for s in draft.spans):
            return draft
    return None


def _past(head: Any) -> bool:
    aux = [c.lower_ for c in head.children if c.dep_ in ("aux", "auxpass")]
    return head.tag_ == "VBD" or (head.pos_ == "ADJ" and head.lower_ in IRREGULAR_PAST and child(head, "nsubj") is not None) or any(a in ("was", "were", "had", "did", "has", "have", "'ve", "got") for a in aux) and head.tag_ in ("VBN", "VB", "VBG", "VBD")


def _life(head: Any) -> bool:
    need = life_changes().get(head.lemma_.lower())
    if need is None:
        return False
    return not need or any(t.lower_ in need for t in head.subtree)


SCHEDULE = frozenset("start end expire begin open close launch arrive leave land depart finish run fly move go come return".split())
SAME_PAST = frozenset("quit cut hit put set shut split read hurt cost bet cast burst upset let spread".split())
EFFECTIVE = re.compile(r"\b(?:as of|from|since|effective|starting|beginning|with effect from) (?:today|now|tomorrow|this|next|immediately|\d|\w+day)", re.I)
PLANS = re.compile(r"\b(?:going to|planning to|plan to|plans to|intend to|intends to|want to|wants to|hope to|hoping to|would (?:love|like) to|'d (?:love|like) to|aim to|dream of|thinking of|thinking about)\b", re.I)


def _modality(head: Any, text: str, state: Peeled | None, time: Any) -> Modality:
    aux = [c.lower_ for c in head.children if c.dep_ in ("aux", "auxpass")]
    if any(c.dep_ == "neg" or (c.lower_ in ("never", "no") and c.dep_ in ("advmod", "neg", "det")) for c in head.children):
        return "negated"
    if state is not None and state.planned or any(a in ("will", "'ll", "shall", "wo", "would", "'d") for a in aux):
        return "planned"
    if PLANS.search(text):
        return "planned"
    return "asserted"


def _record(parsed: Parsed, state: Peeled, talk: Talk, inner: str, named: Any, extra: list[Sentence | None], subject: Any) -> Draft | None:
    """What a speaker tells first-hand: an event or a fact."""
    sentence, head, frame = parsed.sentence, state.head, parsed.frame
    speaker = talk.speaker(sentence.turn)
    doc = parsed.doc
    text = frame.clause
    if named is None and head.tag_ in ("VB", "VBP") and child(head, "aux") is None and head.i <= 2:
        return _command(parsed, talk, head)
    if named is None and not time_words(inner) and len(doc) <= 7 and (shared := _shared(talk, sentence)) is not None:
        _absorb(shared, sentence)
        return None
    if named is None and head.tag_ == "VB" and (not head.i or any(c.lemma_ == "do" for c in head.children if c.dep_ == "aux")):
        return None
    if subject is not None and subject.lower_ in ("you", "u") and head.tag_ in ("VBP", "VBZ") and len(doc) < 6 and "'re" not in text and " are " not in text:
        return None
    time = _time(inner, talk, sentence)
    modality = _modality(head, inner, state, time)
    said = str(talk.said(sentence.turn) or "")[:10]
    progressive = head.tag_ == "VBG" and any(c.lower_ in ("am", "'m", "is", "'s", "are", "'re") for c in head.children if c.dep_ == "aux")
    conditional = any(c.dep_ == "advcl" and any(m.dep_ == "mark" and m.lower_ in ("if", "unless", "when") for m in c.children) for c in head.children)
    first_person = named is not None and named.name == speaker and named.person
    if named is None:
        named_name, person = speaker, True
    else:
        named_name, person = named.name, named.person
    if conditional and any(m.lower_ in ("if", "unless") for m in doc):
        if first_person or modality == "planned" and person:
            return None
        clause = next(c for c in head.children if c.dep_ == "advcl")
        inside = subject_of(clause)
        if inside is not None and inside.pos_ in ("NOUN", "PROPN"):
            named_name, person = noun_phrase(inside), False
        return Draft(turn=sentence.turn, speaker=speaker, kind="fact", subject=named_name, clause=text, language="en", holder=speaker,
                     spans=[sentence], types=("GM",), confidence=0.6)  # fmt: skip
    past = _past(head) or (head.tag_ in ("VBN", "VBD") and named is None)
    past = past or bool(time and time.end < said and any(c.lower_ == "could" for c in head.children if c.dep_ == "aux"))
    past = past or bool(time and time.end < said and head.tag_ in ("VBP", "VB") and head.lower_ in SAME_PAST)
    scheduled = not (head.tag_ in ("VBZ", "VBP") and re.search(r"\bin (?:\d+|\w+) (?:days?|weeks?|months?|hours?)\b", inner) and head.lemma_ not in SCHEDULE)
    dated = head.lemma_ == "be" and not person
    if modality == "asserted" and not past and time and scheduled and not dated and (time.start > said or progressive and time.end > said):
        modality = "planned"
    wish = bool(PLANS.search(inner)) and not time
    habit = bool(re.search(r"\b(?:every|each|always|usually|often|never|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|twice a|once a|per (?:day|week|month))\b", text, re.I)) and head.tag_ in ("VBP", "VBZ")
    state_perfect = head.lemma_ in ("be", "have", "live", "know") and any(c.lower_ in ("have", "'ve", "has") for c in head.children)
    copula_past = head.lemma_ == "be" and past and not time
    kind: AtomKind = "event"
    if habit or state_perfect or copula_past or wish or (not past and modality in ("asserted", "negated") and not (time and progressive)):
        kind = "fact"
    if modality == "negated" and past and not state_perfect:
        kind = "event"
    if head.lemma_ == "go" and "with" in text and "decision" in sentence.plain.lower():
        kind = "event"
    if re.match(r"(?:decision|decided|agreed|resolved)\b", sentence.plain, re.I):
        kind, modality = "event", "asserted"
    request = talk.asked
    if kind == "fact" and subject is not None and subject.lower_ == "you" and time and EFFECTIVE.search(text):
        kind, modality = "event", "asserted"
        if request is not None and request.speaker == named_name:
            extra = [request.sentence, *extra]
    types: tuple[MemoryType, ...] = ("EM",)
    if kind == "fact":
        types = ("PM",) if person else ("GM",)
        time = None
    elif person and modality == "asserted" and (_life(head) or EFFECTIVE.search(text)):
        types = ("EM", "PM")
    return Draft(
        turn=sentence.turn, speaker=speaker, kind=kind, subject=named_name, clause=text if child(head, "nsubj", "nsubjpass") is None or head.dep_ == "ROOT" else inner,
        language="en", holder=speaker, spans=list(dict.fromkeys([*(e for e in extra if e is not None), sentence])), modality=modality,
        types=types, time=time, person=person,
    )  # fmt: skip


REQUESTS = frozenset(
    "cancel refund change switch upgrade downgrade return replace exchange close book renew remove delete unsubscribe send ship put move"
    " transfer update reset stop pause extend correct waive deactivate activate register enrol order deliver reschedule resend".split()
)


def _command(parsed: Parsed, talk: Talk, head: Any) -> Draft | None:
    """A customer's request ("Please cancel my subscription") is an event; other imperatives assert nothing."""
    text = parsed.sentence.plain
    mine = any(t.lower_ in ("my", "me", "our", "us") for t in head.subtree)
    if head.lemma_.lower() in REQUESTS and mine and (re.search(r"\bplease\b", text, re.I) or head.lemma_.lower() in ("cancel", "refund", "unsubscribe")):
        speaker = talk.speaker(parsed.sentence.turn)
        return Draft(turn=parsed.sentence.turn, speaker=speaker, kind="event", subject=speaker, clause=text, language="en", holder=speaker,
                     spans=[parsed.sentence], types=("EM",), person=True)  # fmt: skip
    return None


FAILURE = re.compile(r"\b(?:crash\w*|broke\w*|fail\w*|froze|died|lost|again|down|stuck|late|cancelled|canceled|delayed|deleted|leak\w*|ruined|wrong)\b", re.I)
MOCKING = re.compile(r"^(?:oh,? )?(?:great|wonderful|fantastic|brilliant|lovely|perfect|awesome|marvellous|nice)[,.!] |\b(?:slow clap|bravo|truly|just great|just what i needed|thanks for nothing|thanks a lot|how lovely|well played|big surprise|shocker|genius move|/s|round of applause|standing ovation|10/10|love that for (?:me|us))\b|/s\b", re.I)
HYPERBOLE = re.compile(r"\b(?:best|greatest|finest|most \w+|love|brilliant|wonderful|fantastic|genius|masterpiece)\b", re.I)


def finish(turn: int, talk: Talk) -> None:
    """Join a turn's statements: one claim for one view, mockery read as what it means."""
    mine = [draft for draft in talk.drafts if draft.turn == turn]
    text = talk.turns[turn].text
    _sarcasm(mine, text)
    for earlier, later in zip(mine, mine[1:], strict=False):
        if earlier.answers and later.kind == "event" and later.subject == earlier.subject:
            later.spans = [*earlier.spans, *later.spans]
            later.clause = f"{earlier.clause.rstrip('.')}. {later.clause}"
            talk.drafts.remove(earlier)
            mine = [draft for draft in mine if draft is not earlier]
            break
        if _elaborates(earlier, later):
            earlier.spans.extend(later.spans)
            talk.drafts.remove(later)
            mine = [draft for draft in mine if draft is not later]
            break
    for earlier, later in zip(mine, mine[1:], strict=False):
        if earlier.kind == later.kind == "claim" and (earlier.holder, earlier.target, earlier.polarity) == (later.holder, later.target, later.polarity):
            earlier.spans.extend(later.spans)
            earlier.clause = f"{earlier.clause} {later.clause}"
            talk.drafts.remove(later)
            break


def _elaborates(earlier: Draft, later: Draft) -> bool:
    """A short plain sentence without a name, number or date only colours the statement before it."""
    words = later.clause.split()
    if earlier.answers and later.kind == "fact" and later.person:
        return True
    if earlier.kind == "claim" or later.kind != "fact" or later.time or len(words) > 6 or re.search(r"\d|=", later.clause):
        return False
    if any(word[:1].isupper() and word.lower() not in FIRST and not word.startswith("I'") for word in words[1:]):
        return False
    return (later.subject == earlier.subject and later.person) or len(words) <= 4


def _sarcasm(drafts: list[Draft], text: str) -> None:
    """Hyperbole with a mocking word beside a failure told in the same turn is blame, never praise."""
    if not (MOCKING.search(text) and HYPERBOLE.search(text) and FAILURE.search(text)):
        return
    failed = next((draft for draft in drafts if draft.kind == "event"), None)
    for draft in drafts:
        if draft.kind == "claim" and draft.polarity == "positive":
            draft.polarity = "negative"
            if failed is not None:
                draft.target = draft.subject = failed.subject


__all__ = ["Asked", "Parsed", "chat", "heads", "parse", "read"]
