"""`frame`: what a statement says, in a form that paraphrases share."""

from __future__ import annotations

from collections.abc import Collection

from lakehouse.records import TimeSpan
from lakehouse.vocabulary import Cue, ValueType
from pipelines.frame.arguments import read_clause
from pipelines.frame.cues import cues_in
from pipelines.frame.registry import match
from pipelines.frame.scope import scopes_in
from pipelines.frame.slots import Reading, first_person, readings
from pipelines.frame.times import Times, moment, read_times
from pipelines.frame.values import dimension
from pipelines.frame.words import without, words_of
from pipelines.statement import Frame, Statement


def frame(statement: Statement, before: str = "") -> list[Frame]:
    """The frames of a statement, at least one; several when it states several things or values by scope.

    `before` is the text of the same turn before the statement: "Typo above." corrects what follows it.
    """
    language = "ko" if statement.language == "ko" else "en"
    times = read_times(statement.clause, moment(statement), language)
    clause = read_clause(statement.clause, language)
    carried = cues_in(before, language) if before else {}
    found = [_frame(statement, reading, times, carried, language) for reading in readings(clause, times.spans)]
    return list(dict.fromkeys(found))


def _frame(statement: Statement, reading: Reading, times: Times, carried: Collection[str], language: str) -> Frame:
    text = statement.clause
    cues = cues_in(text, language)
    spans = [*times.spans, *reading.spans]
    words = [w for w in without(words_of(text, language), spans) if reading.start <= w.start < reading.end]
    scopes = {c for s, e, c, _ in scopes_in(text) if reading.start <= s < reading.end and not _masked(s, e, reading.spans)}
    lemmas = {w.lemma for w in words}
    main = (reading.values or reading.corrects)[:1]
    kind: ValueType = main[0].type if main else "text"
    found = match(lemmas, dimension(main[0]) if main else "*", language)
    if found is not None:
        lemmas -= found.words(language)
    relation = found.name if found is not None else "open:" + " ".join(sorted(lemmas))
    anchors = lemmas | scopes | ({relation} if found is not None else set())
    if first_person(text, language):
        anchors |= set(statement.subject.casefold().split())
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


def _masked(start: int, end: int, spans: Collection[tuple[int, int]]) -> bool:
    return any(s < end and start < e for s, e in spans)


def _start(times: Times, cue: Cue, left: int, right: int) -> TimeSpan | None:
    """The stated start; a change told with its day happened on that day."""
    stated = times.first("start", left, right) or times.start
    if stated is not None:
        return stated
    on = times.first("on", left, right)
    if on is not None and cue in ("update", "end", "remove", "add", "revert") and on.grain in ("day", "month", "week", "weekend"):
        return on
    return None


def cue_of(cues: Collection[str], carried: Collection[str], reading: Reading) -> Cue:
    """One cue of the several that the words may carry; `carried` are those of the sentence before."""
    if "retract" in cues:
        return "retract"
    if "correction" in cues or "correction" in carried:
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
