"""Short English answers: a fragment says only what its question left open."""

from __future__ import annotations

import re
from typing import Any

from pipelines.extract.discourse import Asked, Draft, Talk
from pipelines.extract.english_names import noun_phrase
from pipelines.extract.english_opinion import judgement
from pipelines.extract.text import Sentence
from pipelines.timex import find
from pipelines.timex.tense import english_tense

LEAD = re.compile(
    r"^(?:(?:oh|well|um|uh|yes|yeah|yep|no|nope|hmm|honestly|probably|maybe|i think|that was|it was|on)\b[,. ]*)+", re.I
)


def answer(sentence: Sentence, doc: Any, talk: Talk) -> list[Draft] | None:
    """The drafts that a fragment gives as an answer; None when it is no fragment or answers nothing."""
    asked = talk.asked
    speaker = talk.speaker(sentence.turn)
    if asked is None or asked.speaker == speaker or sentence.turn - asked.sentence.turn > 3:
        return None
    finite = any(t.tag_ in ("VBD", "VBZ", "VBP", "MD") for t in doc)
    if asked.kind == "when" and not finite:
        return _when(sentence, talk, speaker)
    if finite or not len(doc):
        return None
    if asked.kind == "how long" and re.search(
        r"\d|\b(?:years?|months?|weeks?|days?|since|for|ages|always)\b", sentence.plain, re.I
    ):
        return _lasting(sentence, speaker, asked)
    if asked.kind == "measure" and any(t.like_num for t in doc):
        return _measured(sentence, speaker, asked)
    if asked.kind == "which":
        return _which(sentence, talk, speaker, asked)
    if asked.kind == "choice":
        return _choice(sentence, talk, speaker, asked)
    if asked.kind == "who":
        return _who(sentence, doc, talk, speaker, asked)
    if asked.kind == "need":
        return _need(sentence, doc, talk, speaker, asked)
    if asked.kind == "where" and asked.person:
        return _where(sentence, doc, talk, speaker, asked)
    root = next(iter(doc.sents)).root
    sign = judgement(root, sentence.plain) if asked.kind in ("opinion", "other") and asked.topic else 0
    bare = root.pos_ in ("NOUN", "ADJ", "ADV", "PROPN") and not any(t.dep_ == "nsubj" for t in doc)
    if sign and bare and asked.topic:
        return [
            Draft(
                turn=sentence.turn,
                speaker=speaker,
                kind="claim",
                subject=asked.topic,
                clause=f"{asked.topic}: {sentence.plain}",
                language="en",
                holder=speaker,
                target=asked.topic,
                polarity="positive" if sign > 0 else "negative",
                types=("PM",),
                spans=[asked.sentence, sentence],
            )
        ]
    return None


def _when(sentence: Sentence, talk: Talk, speaker: str) -> list[Draft] | None:
    """A date alone dates the speaker's last event."""
    said = talk.said(sentence.turn)
    if said is None:
        return None
    found = find(LEAD.sub("", sentence.plain), said, "en", "past")
    if not found:
        return None
    for draft in reversed(talk.drafts):
        if draft.kind != "claim" and draft.speaker == speaker and draft.time is None:
            end = len(draft.clause)
            planned = draft.modality == "planned" or english_tense(draft.clause, end, end) == "future"
            later = find(LEAD.sub("", sentence.plain), said, "en", "future" if planned else "past")
            draft.time, draft.kind = later[0][2], "event"
            if draft.modality == "asserted" and draft.time.start > str(said)[:10]:
                draft.modality = "planned"
            if draft.types == ("PM",) and draft.modality == "planned":
                draft.types = ()
            draft.clause = f"{draft.clause.rstrip('.!')} ({sentence.plain.rstrip('.!')})"
            draft.spans.append(sentence)
            if "EM" not in draft.types:
                draft.types = ("EM", *draft.types)
            return []
    question = talk.asked
    if question is None or not question.topic:
        return None
    return [
        Draft(
            turn=sentence.turn,
            speaker=speaker,
            kind="fact",
            subject=question.topic,
            clause=f"{question.topic}: {sentence.plain}",
            language="en",
            holder=speaker,
            types=("GM",),
            spans=[question.sentence, sentence],
        )
    ]


def _which(sentence: Sentence, talk: Talk, speaker: str, asked: Asked) -> list[Draft] | None:
    """ "orba x3", asked which camera it was, names what the speaker's last claim was about."""
    name = LEAD.sub("", sentence.plain).strip(" .!")
    if len(name.split()) > 6:
        return None
    for draft in reversed(talk.drafts):
        if draft.speaker == speaker and draft.kind == "claim" and draft.target:
            head = re.sub(r"\b(?:on|of|in|for) (?:this|that|the|my) (?:thing|one|\w+)$", "", draft.target).strip()
            draft.target = (
                f"{name} {head}" if head and head.lower() not in ("it", "this", "that", "one", "thing") else name
            )
            draft.subject = draft.target
            draft.spans.append(sentence)
            return []
    return [_chosen(sentence, speaker, asked, True)] if re.search(r"\bplease\b", sentence.plain, re.I) else None


def _lasting(sentence: Sentence, speaker: str, asked: Asked) -> list[Draft]:
    """ "Since 2018", asked how long."""
    subject = asked.person or (speaker if re.search(r"\byou\b", asked.sentence.plain, re.I) else asked.topic or speaker)
    deed = re.sub(
        r"^.*?how long (?:have|has|did|do|were|was) (?:you|he|she|they|\w+) ?|\?$", "", asked.sentence.plain, flags=re.I
    )
    return [
        Draft(
            turn=sentence.turn,
            speaker=speaker,
            kind="fact",
            subject=subject,
            clause=f"{subject} {deed}: {sentence.plain}",
            language="en",
            holder=speaker,
            types=("PM",),
            spans=[asked.sentence, sentence],
            person=True,
        )
    ]


def _measured(sentence: Sentence, speaker: str, asked: Asked) -> list[Draft] | None:
    """ "About three minutes.", asked how long the thing takes."""
    yours = bool(re.search(r"\byou\b", asked.sentence.plain, re.I))
    subject = asked.person or (speaker if yours else asked.topic)
    if subject is None:
        return None
    personal = yours or asked.person is not None
    return [
        Draft(
            turn=sentence.turn,
            speaker=speaker,
            kind="fact",
            subject=subject,
            clause=f"{asked.topic or subject}: {sentence.plain}",
            language="en",
            holder=speaker,
            types=("PM",) if personal else ("GM",),
            spans=[asked.sentence, sentence],
            person=personal,
        )
    ]


def _choice(sentence: Sentence, talk: Talk, speaker: str, asked: Asked) -> list[Draft] | None:
    """One of the options: a request where the asker will carry it out, else a taste."""
    low = sentence.plain.lower()
    if not any(option.lower() in low for option in asked.options):
        return None
    return [_chosen(sentence, speaker, asked, asked.service or bool(re.search(r"\bplease\b", low)))]


def _chosen(sentence: Sentence, speaker: str, asked: Asked, service: bool) -> Draft:
    """What the speaker takes of what he is offered: ordered where it is a service, else his taste."""
    return Draft(
        turn=sentence.turn,
        speaker=speaker,
        kind="event" if service else "fact",
        subject=speaker,
        language="en",
        holder=speaker,
        clause=f"{speaker} chooses: {sentence.plain.rstrip('.!')}",
        types=("EM",) if service else ("PM",),
        person=True,
        spans=[asked.sentence, sentence],
    )


def _who(sentence: Sentence, doc: Any, talk: Talk, speaker: str, asked: Asked) -> list[Draft] | None:
    """ "I will, by noon", asked who books the hall."""
    first = doc[0]
    nouns = [t for t in doc if t.pos_ == "PROPN"]
    mine = first.lower_ in ("me", "i", "us", "we")
    if not mine and not nouns:
        return None
    who = speaker if mine else noun_phrase(nouns[0])
    said = talk.said(sentence.turn)
    found = find(sentence.plain, said, "en") if said else []
    deed = re.sub(
        r"^(?:\w+,? )?who(?:'s|'ll| is| will| can| could| did)? ", "", asked.sentence.plain, flags=re.I
    ).rstrip("?")
    past = bool(re.match(r"\w+ed\b", deed))
    return [
        Draft(
            turn=sentence.turn,
            speaker=speaker,
            kind="event",
            subject=who,
            clause=f"{who} {deed}" + (f" {sentence.plain[found[0][0] : found[0][1]]}" if found else ""),
            language="en",
            holder=speaker,
            modality="asserted" if past else "planned",
            types=("EM",),
            time=found[0][2] if found else None,
            spans=[asked.sentence, sentence],
            person=True,
        )
    ]


def _need(sentence: Sentence, doc: Any, talk: Talk, speaker: str, asked: Asked) -> list[Draft] | None:
    """ "Walnuts.", asked for allergies."""
    if not any(t.pos_ in ("NOUN", "PROPN") for t in doc) or re.match(
        r"(?:no|none|nope|nothing)\b", sentence.plain, re.I
    ):
        return None
    topic = asked.topic or ""
    return [
        Draft(
            turn=sentence.turn,
            speaker=speaker,
            kind="fact",
            subject=speaker,
            clause=f"{topic}: {sentence.plain}",
            language="en",
            holder=speaker,
            types=("PM",),
            spans=[asked.sentence, sentence],
            person=True,
            answers=True,
        )
    ]


def _where(sentence: Sentence, doc: Any, talk: Talk, speaker: str, asked: Asked) -> list[Draft] | None:
    """ "Porto.", asked where somebody lives."""
    if not any(t.pos_ == "PROPN" for t in doc) or asked.person is None:
        return None
    return [
        Draft(
            turn=sentence.turn,
            speaker=speaker,
            kind="fact",
            subject=asked.person,
            clause=f"{asked.person}: {sentence.plain}",
            language="en",
            holder=speaker,
            types=("PM",),
            spans=[asked.sentence, sentence],
            person=True,
            answers=True,
        )
    ]
