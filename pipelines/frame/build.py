"""`frame`: what a statement says, in a form that paraphrases share."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from lakehouse.records import TimeSpan, Value
from lakehouse.vocabulary import Cue, ValueType
from pipelines.frame.arguments import read_clause
from pipelines.frame.constructions import rewritten
from pipelines.frame.cues import cues_in
from pipelines.frame.numbers import EN_ORDINALS, english_number
from pipelines.frame.registry import Relation, canonical, concepts, matches, named
from pipelines.frame.scope import scopes_in
from pipelines.frame.slots import MADE, POLES, Reading, first_person, readings
from pipelines.frame.support import supported
from pipelines.frame.times import Times, moment, read_times
from pipelines.frame.values import dimension, recurs
from pipelines.frame.words import Word, phrase_lemmas, without, words_of
from pipelines.korean_given import normal_name
from pipelines.statement import Frame, Statement

LABEL = re.compile(r"[a-z]{3,}")
"""The noun that a number stands beside ("port 8080"): it names the relation."""
DEFAULTS = {"money": "price", "quantity:time": "duration", "quantity:mass": "weight", "quantity:살": "age"}
"""What a plain "is" says of an amount when no word names the relation ("the pass is 9 francs")."""
LASTS = frozenset({"기간", "동안"})
"""Korean nouns that only say that an amount of time is one."""
UNSURE = (DEFAULTS["quantity:time"], "retention")
"""Relations of an amount of time that are none of theirs when it says how often ("the backup runs every hour")."""


def frame(statement: Statement, before: str = "") -> list[Frame]:
    """The frames of a statement, at least one; several when it states several things or values by scope.

    `before` is the text of the same turn before the statement: "Typo above." corrects what follows it.
    """
    language = "ko" if statement.language == "ko" else "en"
    statement = replace(statement, clause=rewritten(statement.clause, language))
    times = read_times(statement.clause, moment(statement), language)
    clause = read_clause(statement.clause, language)
    carried = cues_in(before, language) if before else {}
    pairs = [(r, _frame(statement, r, times, carried, language)) for r in readings(clause, times)]
    told = [item for number, (reading, item) in enumerate(pairs) if not _aside(reading, item, number)]
    return list(dict.fromkeys(told or [pairs[0][1]]))


def _aside(reading: Reading, item: Frame, number: int) -> bool:
    """A noun phrase of a subordinate clause that no relation claims: it explains, and states nothing to ask for.

    So does a second predicate without words of its own ("and took part").
    """
    free = item.relation.startswith("open:") and item.value_type in ("text", "entity")
    return free and (not reading.main or (number > 0 and item.relation == "open:"))


def _frame(statement: Statement, reading: Reading, times: Times, carried: Collection[str], language: str) -> Frame:
    text = statement.clause
    cues = cues_in(text, language)
    spans = [*times.spans, *reading.spans]
    subject = _subject_span(text, statement.subject)
    inside = [w for w in without(words_of(text, language), spans) if reading.start <= w.start < reading.end]
    words = [w for w in inside if subject is None or not subject[0] <= w.start < subject[1]]
    scopes = {
        c for s, e, c, _ in scopes_in(text) if reading.start <= s < reading.end and not _masked(s, e, reading.spans)
    }
    lemmas = {normal_name(w.lemma) if w.name else w.lemma for w in words}
    lemmas |= phrase_lemmas(text[reading.start : reading.end], language)
    if reading.plain:
        lemmas -= {w.lemma for w in words if w.verb}
    if reading.lemma:
        lemmas = {lemma for lemma in lemmas if lemma not in POLES[language]} | {reading.lemma}
    main = (reading.values or reading.corrects)[:1]
    if main and main[0].type in ("identifier", "number", "version"):
        lemmas |= {
            word
            for word in LABEL.findall(main[0].text.lower())
            if english_number(word) is None and word not in EN_ORDINALS
        }
    kind: ValueType = main[0].type if main else "text"
    named_already = reading.plain or reading.whole or (kind == "entity" and _tells_who(words, language))
    found = None if named_already else _named_by(statement, lemmas, main, reading, language)
    if found is not None and language == "ko" and main:
        found = _headed(text, words, main[0]) or found
    if main and recurs(main[0]) and (found is None or found.name in UNSURE):
        found = named("frequency")
    if found is None and main and not (named_already or any(w.verb for w in words)):
        found = named(DEFAULTS.get(dimension(main[0]), ""))
    if main and dimension(main[0]) == "quantity:time":
        lemmas -= LASTS
    if found is not None:
        lemmas -= found.words(language) | {w.lemma for w in words if w.verb}
    lemmas = {canonical(lemma, language) for lemma in lemmas}
    relation = found.name if found is not None else "open:" + " ".join(sorted(lemmas))
    anchors = lemmas | scopes | ({relation} if found is not None else set())
    if first_person(text, language):
        anchors |= {normal_name(part) for part in statement.holder.casefold().split()}
    if subject is not None and reading.start <= subject[0] < reading.end and not _masked(*subject, reading.spans):
        anchors |= {normal_name(part) for part in statement.subject.casefold().split()}
    cue = cue_of(cues, carried, reading)
    return Frame(
        subject=statement.subject,
        relation=relation,
        scope=tuple(sorted(scopes)),
        values=reading.values,
        value_type=kind,
        many=bool(found and found.many) or len(reading.values) > 1,
        static=bool(found and found.static),
        anchors=tuple(sorted(anchors)),
        cue=cue,
        corrects=reading.corrects,
        exhaustive="list" in cues and len(reading.values) > 0,
        stated_start=_start(times, cue, reading.start, reading.end),
        stated_end=times.first("end", reading.start, reading.end) or times.end,
    )


def _named_by(
    statement: Statement, lemmas: Collection[str], main: Sequence[Value], reading: Reading, language: str
) -> Relation | None:
    """The relation that the words name: for a name or a noun phrase only one that the syntax bears out."""
    found = matches(lemmas, dimension(main[0]) if main else "*", language)
    if language == "en" and not main and not reading.gone:
        return None  # nothing says what the word would name a relation of
    if language == "en" and main and main[0].type in ("text", "entity"):
        text = statement.clause
        if statement.polarity in ("positive", "negative") and not statement.relay:
            found = [relation for relation in found if relation.name == "favourite"]  # a judgement tells no state
        at = text.find(main[0].text, reading.start)
        if at >= 0:
            end = at + len(main[0].text)
            return next((relation for relation in found if supported(text, at, end, relation)), None)
    return next(iter(found), None)


def _headed(text: str, words: Sequence[Word], value: Value) -> Relation | None:
    """The relation that the head of a Korean copula's subject names ("백업 주기는 세 시간이다" is about how often)."""
    if any(w.verb for w in words):
        return None
    heads = [w for w in words if TOPIC.match(text, w.end)]
    found = matches([heads[-1].lemma], dimension(value), "ko") if heads else []
    return next(iter(found), None)


TOPIC = re.compile(r"[은는이가]\s")


def _tells_who(words: Collection[Word], language: str) -> bool:
    """Whether a verb asks for its doer alone ("was designed by"): the thing it is done to names no relation."""
    return any(w.verb and canonical(w.lemma, language) in MADE[language] for w in words)


def _subject_span(text: str, subject: str) -> tuple[int, int] | None:
    """Where a Korean clause names its subject: an analyser may take an unknown name apart."""
    name = normal_name(subject)
    known = not 2 <= len(name) <= 4 or " " in name or not "가" <= name[0] <= "힣" or bool(concepts(name, "ko"))
    at = -1 if known else text.find(name)
    return (at, at + len(name)) if at >= 0 else None


def _masked(start: int, end: int, spans: Collection[tuple[int, int]]) -> bool:
    return any(s < end and start < e for s, e in spans)


def _start(times: Times, cue: Cue, left: int, right: int) -> TimeSpan | None:
    """The stated start; a change told with its day happened on that day."""
    stated = times.first("start", left, right) or times.start
    if stated is not None:
        return stated
    on = times.first("on", left, right)
    if (
        on is not None
        and cue in ("update", "end", "remove", "add", "revert")
        and on.grain in ("day", "month", "week", "weekend")
    ):
        return on
    return None


def cue_of(cues: Collection[str], carried: Collection[str], reading: Reading) -> Cue:
    """One cue of the several that the words may carry; `carried` are those of the sentence before."""
    if "retract" in cues:
        return "retract"
    if "correction" in cues or "correction" in carried or ("retract" in carried and reading.values):
        return "correction"
    if "restate" in cues:
        return "restate"
    if "revert" in cues:
        return "revert"
    if reading.gone:
        return "remove"
    if "end" in cues and not reading.values:
        return "end"
    if "add" in cues:
        return "add"
    if "update" in cues:
        return "update"
    return "list" if "list" in cues and len(reading.values) > 1 else "none"
