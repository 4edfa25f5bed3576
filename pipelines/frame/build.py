"""`frame`: what a statement says, in a form that paraphrases share."""

from __future__ import annotations

from lakehouse.records import Value
from lakehouse.vocabulary import Cue, ValueType
from pipelines.frame import english, korean
from pipelines.frame.cues import cues_in
from pipelines.frame.registry import match
from pipelines.frame.scope import scopes_in
from pipelines.frame.slots import Reading
from pipelines.frame.times import moment, read_times
from pipelines.frame.values import dimension
from pipelines.frame.words import without, words_of
from pipelines.statement import Frame, Statement


def frame(statement: Statement, before: str = "") -> list[Frame]:
    """The frames of a statement, at least one; several when it states several things or values by scope.

    `before` is the text of the same turn before the statement: "Typo above." corrects what follows it.
    """
    language = "ko" if statement.language == "ko" else "en"
    times = read_times(statement.clause, moment(statement), language)
    reader = korean.readings if language == "ko" else english.readings
    readings = reader(statement.clause, statement.subject, times.spans)
    carried = cues_in(before, language) if before else {}
    return [_frame(statement, reading, times, carried, language) for reading in readings]


def _frame(statement: Statement, reading: Reading, times: object, carried: dict[str, tuple[int, int]], language: str) -> Frame:
    from pipelines.frame.times import Times

    assert isinstance(times, Times)
    text = statement.clause[reading.start : reading.end]
    cues = cues_in(text, language)
    cue = _cue(cues, carried, reading)
    spans = [*times.spans, *reading.value_spans, *((s, e) for s, e in reading.drop)]
    words = [w for w in without(words_of(statement.clause, language), spans) if reading.start <= w.start < reading.end]
    subject = reading.subject or statement.subject
    kind: ValueType = reading.values[0].type if reading.values else "text"
    size = dimension(reading.values[0]) if reading.values else "*"
    relation = reading.relation
    found = match({w.lemma for w in words} | {relation}, size, language) if not reading.fixed else None
    scopes = {canonical for s, e, canonical, _ in scopes_in(text) if not any(a < e + reading.start and s + reading.start < b for a, b in reading.value_spans)}
    lemmas = {w.lemma for w in words}
    if found is not None:
        lemmas -= found.words(language)
        relation = found.name
    else:
        relation = reading.relation if reading.fixed else "open:" + " ".join(sorted(lemmas))
    anchors = lemmas | scopes | ({relation} if found is not None or reading.fixed else set())
    if reading.first_person:
        anchors |= set(statement.subject.casefold().split())
    return Frame(
        subject=subject,
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
        stated_start=times.start,
        stated_end=times.end,
    )


def _cue(cues: dict[str, tuple[int, int]], carried: dict[str, tuple[int, int]], reading: Reading) -> Cue:
    """One cue of the several that the words may carry."""
    if reading.gone:
        return "remove"
    if "correction" in cues or "correction" in carried:
        return "correction"
    if "retract" in cues or ("retract" in carried and reading.values):
        return "retract"
    for cue in ("restate", "revert"):
        if cue in cues:
            return cue  # type: ignore[return-value]
    if "end" in cues and not reading.values:
        return "end"
    for cue in ("add", "update", "list"):
        if cue in cues:
            return cue  # type: ignore[return-value]
    return "none"


def no_value() -> tuple[Value, ...]:
    return ()
