"""English claims: what somebody thinks of a thing, or asserts and another passes on."""

from __future__ import annotations

from typing import Any

from lakehouse.vocabulary import AtomKind, MemoryType, Polarity
from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.english_names import (
    Subject,
    is_vague,
    noun_phrase,
    phrase_tokens,
    subject_name,
    surface,
)
from pipelines.extract.english_opinion import (
    effect_sign,
    lexicon,
    word_sign,
)
from pipelines.extract.english_parse import Parsed
from pipelines.extract.english_peel import Peeled, child, clause_text, preposition, subject_of
from pipelines.extract.english_records import is_life_change, is_past, modality_of, time_of
from pipelines.extract.text import Sentence


def make_claim(
    parsed: Parsed,
    target: str,
    holder: str,
    relay: tuple[str, ...],
    sign: int,
    spans: list[Sentence | None],
    subject: str | None = None,
) -> Draft:
    polarity: Polarity = "positive" if sign > 0 else "negative" if sign < 0 else "neutral"
    own = [span for span in spans if span is not None]
    return Draft(
        turn=parsed.sentence.turn,
        speaker="",
        kind="claim",
        subject=subject or target,
        clause=parsed.frame.clause,
        language="en",
        holder=holder,
        relay=relay,
        target=target,
        polarity=polarity,
        types=("PM",),
        spans=list(dict.fromkeys(own)),
    )


def judged_target(
    named: Any, head: Any, state: Peeled, talk: Talk, sentence: Sentence, within: str | None, me: str | None
) -> Any:
    """What a judgement is about: its subject, or what "there is no point in" or "a fan of" names, or the topic."""
    if head.lemma_ == "be" and child(head, "expl") is not None:
        noun = child(head, "attr")
        inside = preposition(noun, "in", "with", "about", "to") if noun is not None else None
        if inside is not None:
            return noun_phrase(inside)
    if named is not None and not (named.person and named.name in (talk.speaker(sentence.turn),)):
        return named.name
    obj = child(head, "dobj")
    if obj is not None and not (obj.pos_ == "PRON" or (is_vague(obj) and obj.lower_ in ("one", "thing"))):
        return subject_name(obj, talk, sentence, within, me).name
    thing = talk.last_thing(sentence.turn)
    if thing is not None:
        return thing.phrase, thing.sentence
    words = unjudged(head) if head.pos_ in ("NOUN", "PROPN") else None
    return words or (named.name if named is not None else None)


def unjudged(head: Any) -> str:
    """A noun phrase without the words before it that judge ("truly superb acoustics": acoustics)."""
    kept = [t for t in phrase_tokens(head) if t.i >= head.i or not (t.pos_ == "ADV" or t.head.pos_ == "ADV")]
    while len(kept) > 1 and kept[0].i < head.i and (kept[0].dep_ == "det" or word_sign(kept[0])):
        kept = kept[1:]
    return surface(kept)


def attitude_draft(
    parsed: Parsed, state: Peeled, talk: Talk, me: str | None, holder: str, relay: tuple[str, ...], within: str | None
) -> Draft | None:
    """ "can't stand the ringtone": a claim about a particular thing, a lasting taste about a general one."""
    sentence, head = parsed.sentence, state.head
    speaker = talk.speaker(sentence.turn)
    sign = state.sign * (-1 if parsed.frame.negated else 1)
    target = state.target
    inner = parsed.frame.clause if head.dep_ == "ROOT" else clause_text(head)
    if target is None:
        thing = talk.last_thing(sentence.turn)
        if thing is None:
            return None
        draft = make_claim(parsed, thing.phrase, holder, relay, sign, [thing.sentence, sentence])
        draft.clause, draft.speaker = inner, speaker
        return draft
    question = talk.asked
    if (
        question is not None
        and question.topic
        and target.lower_ in BITS
        and any(c.lower_ in ("every", "each") for c in target.children)
    ):
        draft = make_claim(parsed, question.topic, holder, relay, sign, [question.sentence, sentence])
        draft.clause, draft.speaker = inner, speaker
        return draft
    found = subject_name(target, talk, sentence, within, me)
    if target.pos_ in ("VERB", "AUX"):
        name = clause_text(target)
        general = target.tag_ in ("VB", "VBG")
        inside = child(target, "dobj", "npadvmod")
        if inside is not None and (
            head.lemma_ == "regret" or any(c.lower_ in ("this", "that", "these", "those") for c in inside.children)
        ):
            name, general = subject_name(inside, talk, sentence, within, me).name, False
    else:
        name = found.name
        general = is_general(target)
    desire = any(c.lower_ in ("would", "'d") for c in head.children if c.dep_ == "aux")
    if desire and head.lemma_ in ("love", "like", "prefer"):
        return plan_draft(parsed, talk, speaker, inner) if not relay else None
    if general and head.lemma_ not in ("complain", "recommend"):
        if relay and not state.chain[:-1] and not parsed.frame.who:
            return Draft(
                turn=sentence.turn,
                speaker=speaker,
                kind="fact",
                subject=holder,
                clause=inner,
                language="en",
                holder=speaker,
                spans=[sentence],
                types=("PM",),
                person=True,
            )
        if not relay:
            negative = any(c.dep_ == "neg" for c in head.children)
            return Draft(
                turn=sentence.turn,
                speaker=speaker,
                kind="fact",
                subject=speaker,
                clause=inner,
                language="en",
                holder=speaker,
                spans=[sentence],
                types=("PM",),
                modality="negated" if negative else "asserted",
                person=True,
            )
    draft = make_claim(parsed, name, holder, relay, sign, [found.source, sentence])
    draft.clause, draft.speaker = inner, speaker
    return draft


def is_general(target: Any) -> bool:
    """A bare plural or mass noun: a kind of thing, not a particular one."""
    if target.pos_ == "PROPN" or target.pos_ == "PRON":
        return False
    definite = any(
        c.dep_ in ("det", "poss", "nummod") and c.lower_ not in ("any", "some", "a", "an", "all", "no", "most")
        for c in target.children
    )
    named = any(c.pos_ == "PROPN" for c in target.children)
    return not definite and not named


def plan_draft(parsed: Parsed, talk: Talk, speaker: str, inner: str) -> Draft:
    time = time_of(inner, talk, parsed.sentence)
    kind: AtomKind = "event" if time else "fact"
    return Draft(
        turn=parsed.sentence.turn,
        speaker=speaker,
        kind=kind,
        subject=speaker,
        clause=inner,
        language="en",
        holder=speaker,
        spans=[parsed.sentence],
        modality="planned",
        types=("EM",) if time else ("PM",),
        time=time,
        person=True,
    )


def reported_claim(
    parsed: Parsed,
    state: Peeled,
    talk: Talk,
    me: str | None,
    holder: str,
    relay: tuple[str, ...],
    inner: str,
    sign: int,
    named: Any,
    extra: list[Sentence | None],
    flip: int,
) -> Draft:
    """What somebody else asserts: a claim of theirs, neutral unless it judges."""
    sentence, head = parsed.sentence, state.head
    modality = modality_of(head, inner, state, None)
    misread = head.pos_ == "NOUN" and child(head, "nsubj") is not None and child(head, "dobj") is not None
    generic = (
        (head.tag_ in ("VBZ", "VBP") or misread)
        and modality == "asserted"
        and not any(c.lower_ in ("will", "going") for c in head.children)
    )
    verb = head.lemma_ not in ("be", "have", "fail", "pass")
    subject_token = subject_of(head)
    if (
        subject_token is not None
        and subject_token.tag_ == "NNS"
        and subject_token.lower_ in (*lexicon().effects, *lexicon().verbs)
        and head.tag_ in ("VBP", "VB", "NN")
        and child(subject_token, "compound") is not None
    ):
        compound = [t for t in subject_token.children if t.dep_ == "compound"]
        named = Subject(surface(compound), False)  # "morning training boosts focus" read as "the boosts focus"
        sign = (lexicon().effects.get(subject_token.lower_) or lexicon().verbs.get(subject_token.lower_, 0)) * flip
    if generic and not sign:
        sign = (
            next(
                (
                    lexicon().verbs[t.lower_]
                    for t in head.subtree
                    if t.i > 0 and t.lower_ in lexicon().verbs and t.pos_ in ("VERB", "NOUN")
                ),
                0,
            )
            * flip
        )
    effect = effect_sign(list(head.subtree)) * flip if generic and verb and not sign else 0
    time = None if sign or effect else time_of(inner, talk, sentence)
    if time and time.start > str(talk.said(sentence.turn))[:10] and modality == "asserted":
        modality = "planned"
    subject = named.name if named is not None else (holder if holder != "unknown" else inner)
    if frame_topic := parsed.frame.topic:
        subject = frame_topic
    if named is None:
        obj = child(head, "dobj")
        subject = subject_name(obj, talk, sentence, None, me).name if obj is not None and state.planned else subject
    target = subject
    event = bool(time) or modality in ("planned", "negated") or head.tag_ in ("VBD", "VBN") or is_past(head)
    types: tuple[MemoryType, ...] = (
        ("PM",) if sign else (("EM",) if event else (("PM",) if named is not None and named.person else ("GM",)))
    )
    if event and not sign and named is not None and named.person and modality == "asserted" and is_life_change(head):
        types = ("EM", "PM")
    if state.told is not None:
        return commanded_claim(parsed, state, talk, me, holder, relay, inner, time)
    if event and not sign and not effect:
        target = inner
    draft = make_claim(parsed, target, holder, relay, sign or effect, [*extra, sentence], subject)
    draft.clause, draft.speaker = inner, talk.speaker(sentence.turn)
    draft.modality, draft.time, draft.types = modality, time, types
    draft.person = named is not None and named.person
    if flip < 0 and not sign:
        draft.modality = "negated"
    return draft


BITS = frozenset("minute second moment bit part aspect hour day word page bite detail".split())
"""Parts of a thing: "loved every minute" is about the thing."""
AVOID = frozenset("stop quit cut avoid reduce skip give stay limit drop leave refrain lay ditch".split())


def commanded_claim(
    parsed: Parsed,
    state: Peeled,
    talk: Talk,
    me: str | None,
    holder: str,
    relay: tuple[str, ...],
    inner: str,
    time: Any,
) -> Draft:
    """ "told me to cut down on salt": what the holder wants done; giving a thing up speaks against it."""
    head = state.head
    against = head.lemma_.lower() in AVOID or state.negated or any(c.dep_ == "neg" for c in head.children)
    things = [t for t in head.subtree if t.dep_ in ("dobj", "pobj") and t.pos_ in ("NOUN", "PROPN")]
    target = noun_phrase(things[0]) if things else inner
    draft = make_claim(parsed, target, holder, relay, -1 if against else 0, [parsed.sentence])
    draft.subject = subject_name(state.told, talk, parsed.sentence, None, me).name
    draft.clause, draft.speaker, draft.time, draft.person = inner, talk.speaker(parsed.sentence.turn), time, True
    draft.modality, draft.types = ("asserted", ("PM",)) if against else ("planned", ("EM",))
    return draft
