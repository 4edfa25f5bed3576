"""A model's statements checked by rule against the turns: what the text can settle is never left to the model.

`CHECKS` is the whole list in order. A check is one function: (the turn as it is read, the statement told) to one
sentence that says what is wrong, "" when nothing is. The sentences go into the repair request and never quote a turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property

from lakehouse.ids import normal_text
from lakehouse.records import Atom, Evidence, TimeSpan, Turn, Value
from lakehouse.vocabulary import UNKNOWN_HOLDER, Language, Modality
from pipelines.extract.atoms import atom
from pipelines.extract.content import content
from pipelines.extract.discourse import Draft
from pipelines.extract.english_frames import frame_of as english_frame
from pipelines.extract.english_opinion import attitudes
from pipelines.extract.english_peel import reporting
from pipelines.extract.korean_frames import frame_of as korean_frame
from pipelines.extract.korean_hearsay import levels
from pipelines.extract.korean_morph import repaired
from pipelines.extract.statements import statements
from pipelines.frame import frame
from pipelines.frame.times import moment_of
from pipelines.frame.values import entity, find_values
from pipelines.frame.words import parse_english, words_of
from pipelines.language import HANGUL, detect, korean_tokens
from pipelines.llm.prompt import PROMPT_VERSION, Request
from pipelines.llm.reply import Answer, Told
from pipelines.statement import Frame, Statement
from pipelines.timex import find, resolve
from pipelines.timex.parts import Tense
from pipelines.wordlist import table, words

EXTRACTOR = "llm"
CERTAIN = 0.7
"""The rules' confidence from which they are not overruled (`Draft.confidence`)."""
CONFIDENCE = 0.8
"""Of a model's statement that passed every check."""
PARTICLES = tuple("의은는이가을를과와도")
LONGEST_QUOTE = 600
LONGEST_NAME = 200
FIRST_PERSON = words("i me my mine we us our ours 나 내 저 제 우리 저희 나는 저는")
SMALL_WORDS = words("the a an of s and to in on at for with his her their its my our")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a reply: `turn` and `statement` count from 1, 0 for the whole."""

    turn: int
    statement: int
    rule: str
    says: str


@dataclass(frozen=True)
class Reading:
    """A turn of a request with what was said before it, and how the rules read it."""

    request: Request
    place: int
    ruled: tuple[Statement, ...]

    @property
    def turn(self) -> Turn:
        return self.request.turns[self.place]

    @property
    def speaker(self) -> str:
        return self.turn.speaker

    @cached_property
    def language(self) -> Language:
        return detect(self.turn.text)

    @cached_property
    def said(self) -> datetime | None:
        return moment_of(self.turn.said_at, self.turn.said_ts)

    @cached_property
    def heard(self) -> str:
        """All that was said so far with those who speak, in one normal form: where names must come from."""
        turns = self.request.turns
        return normal_text(" ".join([*(t.text for t in turns[: self.place + 1]), *self.request.names]))

    def span(self, quote: str) -> tuple[int, int]:
        start = self.turn.text.find(quote)
        return start, start + len(quote)

    def by_rule(self, quote: str) -> list[Statement]:
        """The rules' statements of these words."""
        start, end = self.span(quote)
        return [
            s
            for s in self.ruled
            if any(e.turn_id == self.turn.turn_id and e.start < end and start < e.end for e in s.evidence)
        ]


def quote_stands(reading: Reading, told: Told) -> str:
    """The quote is in the turn, letter for letter, and does not cut a word."""
    text, quote = reading.turn.text, told.quote
    start, end = reading.span(quote)
    if start < 0 or not any(char.isalnum() for char in quote):
        return "the quote does not stand in the turn letter for letter"
    cut = re.compile(r"[A-Za-z0-9]{2}")
    if cut.fullmatch(text[max(0, start - 1) : start + 1]) or cut.fullmatch(text[end - 1 : end + 1]):
        return "the quote begins or ends inside a word"
    return "the quote is longer than a sentence" if len(quote) > LONGEST_QUOTE else ""


def clause_inside(reading: Reading, told: Told) -> str:
    """What is asserted is within the quote."""
    inside = told.clause in told.quote and any(char.isalnum() for char in told.clause)
    return "" if inside else "the clause does not stand in the quote letter for letter"


def value_inside(reading: Reading, told: Told) -> str:
    """The value is words of the clause."""
    inside = told.value is None or (told.value.strip() and told.value in told.clause)
    return "" if inside else "the value does not stand in the clause letter for letter"


def time_inside(reading: Reading, told: Told) -> str:
    """The time is words of the quote: a date that the model worked out is none."""
    inside = told.time is None or (told.time.strip() and told.time in told.quote)
    return "" if inside else "the time does not stand in the quote letter for letter"


def subject_supported(reading: Reading, told: Told) -> str:
    """The subject is a name or a thing that was spoken of, and no pronoun of the first person."""
    if normal_text(told.subject) in FIRST_PERSON or not told.subject.strip():
        return "the subject must be a name or a thing, not a pronoun"
    return "" if spoken_of(told.subject, reading.heard) else "the subject was not spoken of"


def target_supported(reading: Reading, told: Told) -> str:
    """So is what a claim judges."""
    return "" if told.target is None or spoken_of(told.target, reading.heard) else "the target was not spoken of"


def holder_supported(reading: Reading, told: Told) -> str:
    """The holder is the speaker, "unknown", or somebody who speaks or was named."""
    if not told.holder.strip() or normal_text(told.holder) in FIRST_PERSON:
        return "the holder must be a name or unknown"
    if told.holder in (reading.speaker, UNKNOWN_HOLDER) or spoken_of(told.holder, reading.heard):
        return ""
    return "the holder is neither a speaker, nor named in the text, nor unknown"


def holder_marked(reading: Reading, told: Told) -> str:
    """Words that pass on another's say so, and words that don't are the speaker's own."""
    by_rule = reading.by_rule(told.quote)
    if told.holder == reading.speaker:
        if by_rule and all(statement.relay for statement in by_rule):
            return "the words pass on what another said: the holder is the one whose words they are"
        return ""
    if any(statement.relay or statement.holder != reading.speaker for statement in by_rule):
        return ""
    own = any(statement.confidence >= CERTAIN for statement in by_rule)
    marked = not own and passes_on(told.quote, reading.language)
    return "" if marked else "nothing in the words says that another than the speaker holds it"


def relay_supported(reading: Reading, told: Told) -> str:
    """Those who passed it on speak or were named."""
    if told.holder == reading.speaker:
        return "" if set(told.relay) <= {reading.speaker} else "the speaker holds it himself, so nobody passed it on"
    known = all(name != UNKNOWN_HOLDER and spoken_of(name, reading.heard) for name in told.relay)
    return "" if known else "one of the relay neither speaks nor is named in the text"


def modality_agrees(reading: Reading, told: Told) -> str:
    """The modality is one that the words allow, by our own cues."""
    if told.modality == "asserted":
        if told.polarity in ("positive", "negative"):  # "isn't a fan" is a view that is held
            return ""
        forced = forced_modality(told.clause, reading.language)
        if forced is None and told.kind != "fact" and _still_to_come(reading, told.clause, "none"):
            forced = "planned"
        return f"the words say {forced}, not asserted" if forced else ""
    if told.modality == "planned" and _still_to_come(reading, told.quote, "future"):
        return ""
    return "" if told.modality in cued(told.quote, reading.language) else f"nothing in the words says {told.modality}"


CHECKS: tuple[Callable[[Reading, Told], str], ...] = (
    quote_stands, clause_inside, value_inside, time_inside, subject_supported, target_supported, holder_supported,
    holder_marked, relay_supported, modality_agrees,
)  # fmt: skip
"""In this order; the first that finds something wrong ends the statement's check."""


def verify(request: Request, answer: Answer) -> tuple[dict[int, list[Atom]], list[Fault]]:
    """(atoms by place of their turn, what is wrong): entries are counted, and every statement is checked."""
    faults = list(_counted(request, answer))
    ruled = tuple(statements(request.turns, request.names))
    found: dict[int, list[Atom]] = {}
    for entry in answer.turns:
        place = entry.turn - 1
        if place not in request.asked or place in found:
            continue
        reading = Reading(request, place, ruled)
        found[place] = []
        for number, told in enumerate(entry.statements, 1):
            rule, says = next(((c.__name__, says) for c in CHECKS if (says := c(reading, told))), ("", ""))
            if rule:
                faults.append(Fault(entry.turn, number, rule, says))
            else:
                found[place] += atoms_of(reading, told)
    return found, faults


def _counted(request: Request, answer: Answer) -> Iterator[Fault]:
    """As many entries as turns were asked about, each for one of them."""
    given = [entry.turn for entry in answer.turns]
    asked = [place + 1 for place in request.asked]
    for number in asked:
        if given.count(number) != 1:
            yield Fault(number, 0, "one_entry", f"there are {given.count(number)} entries for it, not one")
    if set(given) - set(asked):
        yield Fault(0, 0, "one_entry", "there are entries for turns that were not asked about")


def atoms_of(reading: Reading, told: Told) -> list[Atom]:
    """A checked statement as atoms: its frame, values, dates and content are our own code's."""
    made = statement_of(reading, told)
    version = f"{PROMPT_VERSION} {reading.request.model}"
    return [
        atom(made, item, reading.turn, extractor=EXTRACTOR, version=version) for item in frames_of(made, told.value)
    ]


def statement_of(reading: Reading, told: Told) -> Statement:
    """What was told as a statement of ours; what follows from the rest is set, not believed."""
    turn = reading.turn
    passed_on = told.holder != turn.speaker
    kind = "claim" if passed_on else told.kind
    relay = tuple(name for name in told.relay if name not in (told.holder, turn.speaker))
    draft = Draft(
        turn=reading.place,
        speaker=turn.speaker,
        kind=kind,
        subject=told.subject,
        clause=told.clause,
        language=reading.language,
        holder=told.holder,
        relay=(*relay, turn.speaker) if passed_on else (),
        target=(told.target or told.subject) if kind == "claim" else None,
        polarity=(told.polarity or "neutral") if kind == "claim" else None,
        modality=told.modality,
    )
    return Statement(
        kind=kind,
        memory_types=told.memory_types or (("EM",) if kind == "event" else ("GM",)),
        subject=told.subject,
        clause=told.clause,
        content=content(draft, turn),
        speaker=turn.speaker,
        holder=told.holder,
        relay=draft.relay,
        target=draft.target,
        polarity=draft.polarity,
        modality=told.modality,
        event_time=_event_time(reading, told),
        evidence=(Evidence(turn.turn_id, *reading.span(told.quote), told.quote),),
        confidence=CONFIDENCE,
        language=reading.language,
        said_at=turn.said_at,
        said_ts=turn.said_ts,
        said_precision=turn.said_precision,
    )


def _event_time(reading: Reading, told: Told) -> TimeSpan | None:
    """When an event was or will be: the time words by our own resolver, those that the model missed included."""
    if reading.said is None or (told.time is None and told.kind != "event"):
        return None
    said = reading.said.replace(tzinfo=None)
    if told.time is not None:
        return resolve(told.time, said, reading.language, told.quote)
    return next((span for _, _, span in find(told.clause, said, reading.language)), None)


def frames_of(made: Statement, value: str | None) -> list[Frame]:
    """The frames by our own code; where it sees no value and the model does, the model's words are the value."""
    found = frame(made)
    if value is None or any(_meet(one.text, value) for item in found for one in item.values):
        return found
    language = "ko" if made.language == "ko" else "en"
    typed: Sequence[Value] = [f.value for f in find_values(value, language)]
    chosen = typed[0] if len(typed) == 1 else entity(value)
    masked = {word.lemma for word in words_of(value, language)}
    anchors = tuple(word for word in found[0].anchors if word not in masked)
    relation = found[0].relation
    if relation.startswith("open:"):
        relation = "open:" + " ".join(word for word in relation[5:].split() if word not in masked)
    return [replace(found[0], values=(chosen,), value_type=chosen.type, anchors=anchors, relation=relation)]


def _meet(one: str, other: str) -> bool:
    left, right = normal_text(one), normal_text(other)
    return left in right or right in left


def spoken_of(name: str, heard: str) -> bool:
    """Whether every word of a name was said, or speaks; endings and particles aside.

    >>> [spoken_of(name, "petra rents a boat out") for name in ("Petra's boats", "the canoe", "oat")]
    [True, False, False]
    """
    wanted = [word for word in re.findall(r"\w+", normal_text(name)) if word not in SMALL_WORDS]
    fits = 0 < len(name) <= LONGEST_NAME and name.isprintable() and bool(wanted)
    return fits and all(_said(word, heard) or (len(word) > 2 and _said(word[:-1], heard)) for word in wanted)


def _said(word: str, heard: str) -> bool:
    """At the start of a word; within one in Korean, which writes compounds and particles together."""
    if not HANGUL.match(word):
        return bool(re.search(rf"(?<!\w){re.escape(word)}", heard))
    return word in heard or (len(word) > 1 and word.endswith(PARTICLES) and word[:-1] in heard)


def passes_on(quote: str, language: Language) -> bool:
    """Whether words say that somebody else's are passed on, or what somebody else thinks.

    >>> passes_on("Word is the ferry sank.", "en"), passes_on("The ferry sank.", "en")
    (True, False)
    >>> passes_on("배가 가라앉았대요.", "ko"), passes_on("배가 가라앉았어요.", "ko")
    (True, False)
    """
    if language == "ko":
        around = korean_frame(quote)
        return bool(around.who or around.unknown or levels(repaired(korean_tokens([quote])[0]), quote)[0])
    frame_found = english_frame(quote)
    if frame_found.who or frame_found.unknown:
        return True
    return any(
        token.lemma_.lower() in reporting() or token.lemma_.lower() in attitudes() for token in parse_english(quote)
    )


@cache
def _cues() -> tuple[tuple[Modality, str, bool, re.Pattern[str]], ...]:
    """modality.tsv: (modality, language, whether a clause that has it is never asserted, pattern)."""
    rows = table("pipelines.llm", "modality.tsv")
    return tuple((m, lang, force == "forces", re.compile(pattern, re.I)) for m, lang, force, pattern, _ in rows)  # type: ignore[misc]


def cued(text: str, language: Language) -> set[Modality]:
    """The modalities that words allow beside asserted.

    >>> sorted(cued("We won't repaint it.", "en")), sorted(cued("칠하지 않았어요.", "ko"))
    (['negated'], ['negated'])
    """
    return {modality for modality, lang, _, pattern in _cues() if lang == language and pattern.search(text)}


def forced_modality(clause: str, language: Language) -> Modality | None:
    """The modality that a clause must have when it can't be asserted.

    >>> forced_modality("we will repaint it", "en"), forced_modality("we repainted it", "en")
    ('planned', None)
    """
    return next(
        (m for m, lang, forces, pattern in _cues() if forces and lang == language and pattern.search(clause)), None
    )


def _still_to_come(reading: Reading, text: str, tense: Tense) -> bool:
    """Whether the words name a day after the one on which they were said; "future" takes them so where they may be."""
    if reading.said is None:
        return False
    day = reading.said.date().isoformat()
    said = reading.said.replace(tzinfo=None)
    return any(span.start[:10] > day for _, _, span in find(text, said, reading.language, tense))
