"""English records: events and facts told first-hand, and requests."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from lakehouse.vocabulary import AtomKind, MemoryType, Modality
from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.english_names import (
    noun_phrase,
)
from pipelines.extract.english_parse import Parsed
from pipelines.extract.english_peel import Peeled, child, subject_of
from pipelines.extract.text import Sentence
from pipelines.timex import find
from pipelines.timex.tense import IRREGULAR_PAST
from pipelines.wordlist import table


@cache
def life_changes() -> dict[str, frozenset[str]]:
    """Verbs of a change that lasts in a life, with the words that they need beside them."""
    rows = table("pipelines.extract", "life_en.tsv")
    return {row[0]: frozenset(row[1].split()) for row in rows}


def absorb(draft: Draft, sentence: Sentence) -> list[Draft]:
    """Let a fragment belong to the statement before it."""
    if sentence not in draft.spans:
        draft.spans.append(sentence)
    return []


def time_of(text: str, talk: Talk, sentence: Sentence) -> Any:
    said = talk.said(sentence.turn)
    if said is None:
        return None
    found = find(text, said, "en")
    return found[0][2] if found else None


def time_words(text: str) -> bool:
    """Whether a fragment carries a number, a date or a name of its own."""
    return bool(
        re.search(
            (
                r"\d|\b(?:to|at|in|from) [A-Z]|\b(?:yesterday|today|tomorrow|last|next"
                r"|ago|morning|night|week|month|year)\b"
            ),
            text,
        )
    )


def shared_draft(talk: Talk, sentence: Sentence) -> Draft | None:
    """The speaker's statement that an earlier sentence of the same turn belongs to."""
    me = talk.speaker(sentence.turn)
    for draft in reversed(talk.drafts):
        if (
            draft.speaker == me
            and draft.kind == "event"
            and any(s.turn == sentence.turn and s != sentence for s in draft.spans)
        ):
            return draft
    return None


def is_past(head: Any) -> bool:
    aux = [c.lower_ for c in head.children if c.dep_ in ("aux", "auxpass")]
    return (
        head.tag_ == "VBD"
        or (
            head.tag_ == "VB"
            and head.lower_ in IRREGULAR_PAST
            and not aux
            and (head.lower_ not in SAME_PAST or (head.dep_ == "ROOT" and _reports(head)))
        )
        or (head.pos_ == "ADJ" and head.lower_ in IRREGULAR_PAST and child(head, "nsubj") is not None)
        or (
            any(a in ("was", "were", "had", "did", "has", "have", "'ve", "got") for a in aux)
            and head.tag_ in ("VBN", "VB", "VBG", "VBD")
        )
    )


def is_life_change(head: Any) -> bool:
    need = life_changes().get(head.lemma_.lower())
    if need is None:
        return False
    return not need or any(t.lower_ in need for t in head.subtree)


SCHEDULE = frozenset(
    "start end expire begin open close launch arrive leave land depart finish run fly move go come return".split()
)
SAME_PAST = frozenset("quit cut hit put set shut split read hurt cost bet cast burst upset let spread".split())
MOVED = re.compile(
    r"\b(?:moved|pushed|put|postponed|brought forward|rescheduled|delayed|deferred|shifted|set|fixed|scheduled)\b.*"
    r"\b(?:to|until|till|for)\b",
    re.I,
)
RESOLVES = frozenset("decide agree resolve vote promise arrange opt vow pledge elect determine choose".split())
"""Verbs after which a day to come is the day of what is planned."""
EVERY = re.compile(r"\b(?:every|each)\s+(?:other\s+)?\w+", re.I)
EFFECTIVE = re.compile(
    (
        r"\b(?:as of|from|since|effective|starting|beginning|with effect from) (?:today"
        r"|now|tomorrow|this|next|immediately|\d|\w+day)"
    ),
    re.I,
)
PLANS = re.compile(
    (
        r"\b(?:gonna|going to|planning to|plan to|plans to|intend to|intends to|want to"
        "|wants to|hope to|hoping to|would (?:love|like) to|'d (?:love|like) to"
        r"|aim to|dream of|thinking of|thinking about)\b"
    ),
    re.I,
)


def modality_of(head: Any, text: str, state: Peeled | None, time: Any) -> Modality:
    aux = [c.lower_ for c in head.children if c.dep_ in ("aux", "auxpass")]
    if any(
        c.dep_ == "neg" or (c.lower_ in ("never", "no") and c.dep_ in ("advmod", "neg", "det")) for c in head.children
    ):
        return "negated"
    if "might" in aux or ("must" in aux and "have" in aux and head.tag_ == "VBN"):
        return "hypothetical"  # a guess
    if (state is not None and state.planned) or any(a in ("will", "'ll", "shall", "wo", "would", "'d") for a in aux):
        return "planned"
    if PLANS.search(text):
        return "planned"
    return "asserted"


def record_draft(
    parsed: Parsed, state: Peeled, talk: Talk, inner: str, named: Any, extra: list[Sentence | None], subject: Any
) -> Draft | None:
    """What a speaker tells first-hand: an event or a fact."""
    sentence, head, frame = parsed.sentence, state.head, parsed.frame
    speaker = talk.speaker(sentence.turn)
    doc = parsed.doc
    text = frame.clause
    told = head.lower_ in IRREGULAR_PAST and (head.lower_ not in SAME_PAST or _reports(head))
    confirmed = confirmation(parsed, talk, inner)
    if confirmed is not None:
        return None
    if named is None and head.tag_ in ("VB", "VBP") and child(head, "aux") is None and not told and _commands(head):
        return command_draft(parsed, talk, head)
    if (
        named is None
        and not time_words(inner)
        and len(doc) <= 7
        and (shared := shared_draft(talk, sentence)) is not None
    ):
        absorb(shared, sentence)
        return None
    if (
        named is None
        and head.tag_ == "VB"
        and not told
        and (not head.i or any(c.lemma_ == "do" for c in head.children if c.dep_ == "aux"))
    ):
        return None
    if (
        subject is not None
        and subject.lower_ in ("you", "u")
        and head.tag_ in ("VBP", "VBZ")
        and len(doc) < 6
        and "'re" not in text
        and " are " not in text
    ):
        return None
    able = any(c.lower_ in ("can", "could") for c in head.children if c.dep_ == "aux")
    if (
        able
        and subject is not None
        and subject.lower_ in ("i", "we")
        and any(c.lower_ == "you" for c in head.children if c.dep_ in ("dobj", "dative"))
    ):
        return None  # an offer
    time = time_of(inner, talk, sentence)
    modality = modality_of(head, inner, state, time)
    said = str(talk.said(sentence.turn) or "")[:10]
    progressive = head.tag_ == "VBG" and any(
        c.lower_ in ("am", "'m", "is", "'s", "are", "'re") for c in head.children if c.dep_ == "aux"
    )
    conditional = any(
        c.dep_ == "advcl" and any(m.dep_ == "mark" and m.lower_ in ("if", "unless", "when") for m in c.children)
        for c in head.children
    )
    first_person = named is not None and named.name == speaker and named.person
    if named is None:
        named_name, person = speaker, True
    else:
        named_name, person = named.name, named.person
    question = talk.asked
    instructs = (
        question is not None
        and question.speaker == named_name
        and re.match(r"how (?:do|can|should) ", question.sentence.plain, re.I)
    )
    if question is not None and instructs and question.topic and subject is not None and subject.lower_ == "you":
        draft = plain_fact(parsed, talk, question.topic, text)
        draft.spans = [question.sentence, sentence]
        return draft
    if conditional and any(m.lower_ in ("if", "unless") for m in doc):
        clause = next(c for c in head.children if c.dep_ == "advcl")
        inside = subject_of(clause)
        about = inside is not None and inside.pos_ in ("NOUN", "PROPN")
        rule = about and head.tag_ == "VBP" and subject is not None and subject.lower_ == "we"  # a house's terms
        if (first_person and not rule) or (modality == "planned" and person):
            return None
        if about:
            named_name, person = noun_phrase(inside), False
        return Draft(
            turn=sentence.turn,
            speaker=speaker,
            kind="fact",
            subject=named_name,
            clause=text,
            language="en",
            holder=speaker,
            spans=[sentence],
            types=("GM",),
            confidence=0.6,
        )
    past = is_past(head) or (head.tag_ in ("VBN", "VBD") and named is None)
    past = past or bool(time and time.end < said and any(c.lower_ == "could" for c in head.children if c.dep_ == "aux"))
    past = past or bool(time and time.end < said and head.tag_ in ("VBP", "VB") and head.lower_ in SAME_PAST)
    scheduled = not (
        head.tag_ in ("VBZ", "VBP")
        and re.search(r"\bin (?:\d+|\w+) (?:days?|weeks?|months?|hours?)\b", inner)
        and head.lemma_ not in SCHEDULE
    )
    dated = head.lemma_ == "be" and not person
    if (
        modality == "asserted"
        and not past
        and time
        and scheduled
        and not dated
        and (time.start > said or (progressive and time.end > said))
        and not EVERY.search(inner)
    ):
        modality = "planned"
    ahead = head.lemma_ in RESOLVES and child(head, "xcomp", "ccomp") is not None
    if modality == "asserted" and past and time and time.start > said and (ahead or MOVED.search(inner)):
        modality = "planned"
    wish = bool(PLANS.search(inner)) and not time
    habit = bool(
        re.search(
            (
                r"\b(?:every|each|always|usually|often|never|on (?:mon|tues|wednes|thurs"
                r"|fri|satur|sun)days|twice a|once a|per (?:day|week|month))\b"
            ),
            text,
            re.I,
        )
    ) and head.tag_ in ("VBP", "VBZ")
    state_perfect = head.lemma_ in ("be", "have", "live", "know") and any(
        c.lower_ in ("have", "'ve", "has") for c in head.children
    )
    copula_past = head.lemma_ == "be" and past and not time
    unable = any(c.lower_ in ("can", "could", "ca") for c in head.children if c.dep_ == "aux")
    once = unable and person and time is not None and not EVERY.search(inner) and not re.search(r"days\b", inner)
    kind: AtomKind = "event"
    if (
        habit
        or state_perfect
        or copula_past
        or wish
        or (not past and modality in ("asserted", "negated") and not (time and (progressive or once)))
    ):
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
    elif modality == "asserted" and (
        (person and (is_life_change(head) or EFFECTIVE.search(text)))
        or (subject is not None and subject.ent_type_ == "PERSON" and is_life_change(head))
    ):
        types = ("EM", "PM")
    return Draft(
        turn=sentence.turn,
        speaker=speaker,
        kind=kind,
        subject=named_name,
        clause=text if child(head, "nsubj", "nsubjpass") is None or head.dep_ == "ROOT" else inner,
        language="en",
        holder=speaker,
        spans=list(dict.fromkeys([*(e for e in extra if e is not None), sentence])),
        modality=modality,
        types=types,
        time=time,
        person=person,
    )


def _reports(head: Any) -> bool:
    """Whether a verb whose past is its plain form opens a report: of what is one's own, or of what was set to what.

    "Cut the limit to 5 MB", "quit my job today"; not "cut the onions".
    """
    thing = child(head, "dobj")
    if thing is None or any(t.lower_ in ("please", "you", "your") for t in head.doc):
        return False
    own = any(c.dep_ == "poss" and c.lower_ in ("my", "our") for c in thing.children)
    return own or any(c.lower_ == "to" and any(t.like_num for t in c.subtree) for c in head.children)


def _commands(head: Any) -> bool:
    """Whether a bare verb opens its sentence, or follows only a condition ("when it rings, lift the bar")."""
    before = [c for c in head.children if c.i < head.i and not c.is_punct]
    led = [c for c in before if c.dep_ == "advcl" and any(m.dep_ in ("mark", "advmod") for m in c.children)]
    return head.i <= 2 or bool(led) or all(c.dep_ in ("prep", "advmod", "intj", "cc") for c in before)


CONFIRM = re.compile(
    r"\b(?:(?:has|have|'s|'ve) (?:now |just |already )?been|is|are|i(?:'ve| have)) (?:now |just |already )?"
    r"(?P<deed>\w+ed)\b",
    re.I,
)


def confirmation(parsed: Parsed, talk: Talk, text: str) -> Draft | None:
    """A customer's request that its agent says is done ("Your pass is cancelled as of today"): it has happened."""
    sentence = parsed.sentence
    speaker = talk.speaker(sentence.turn)
    done = CONFIRM.search(text)
    if done is None:
        return None
    for draft in reversed(talk.drafts):
        asked = draft.kind == "event" and draft.subject == draft.speaker != speaker and draft.time is None
        verbs = {w for w in re.findall(r"[a-z]+", draft.clause.lower()) if w in REQUESTS}
        if (
            asked
            and 0 < sentence.turn - draft.turn <= 3
            and any(done["deed"].lower().startswith(v[: max(4, len(v) - 1)]) for v in verbs)
        ):
            draft.clause, draft.time, draft.types = text.strip(), time_of(text, talk, sentence), ("EM", "PM")
            draft.spans.append(sentence)
            draft.holder = draft.speaker = speaker
            return draft
    return None


def plain_fact(parsed: Parsed, talk: Talk, subject: str, text: str) -> Draft:
    """General knowledge about a thing, told first-hand."""
    speaker = talk.speaker(parsed.sentence.turn)
    return Draft(
        turn=parsed.sentence.turn,
        speaker=speaker,
        kind="fact",
        subject=subject,
        clause=text,
        language="en",
        holder=speaker,
        spans=[parsed.sentence],
        types=("GM",),
    )


REQUESTS = frozenset(
    "cancel refund change switch upgrade downgrade return replace exchange close"
    " book renew remove delete unsubscribe send ship put move"
    " transfer update reset stop pause extend correct waive deactivate activate register"
    " enrol order deliver reschedule resend".split()
)


def command_draft(parsed: Parsed, talk: Talk, head: Any) -> Draft | None:
    """A customer's request ("Please refund my order") is an event; other imperatives assert nothing."""
    text = parsed.sentence.plain
    mine = any(t.lower_ in ("my", "me", "our", "us") for t in head.subtree)
    if (
        head.lemma_.lower() in REQUESTS
        and mine
        and (re.search(r"\bplease\b", text, re.I) or head.lemma_.lower() in ("cancel", "refund", "unsubscribe"))
    ):
        speaker = talk.speaker(parsed.sentence.turn)
        return Draft(
            turn=parsed.sentence.turn,
            speaker=speaker,
            kind="event",
            subject=speaker,
            clause=text,
            language="en",
            holder=speaker,
            spans=[parsed.sentence],
            types=("EM",),
            person=True,
        )
    return None
