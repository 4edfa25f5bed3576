"""Reading a unit for a yes/no question: does it affirm or deny what is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lakehouse.records import Question, TimeSpan, Value
from pipelines.frame.arguments import Clause, read_clause
from pipelines.frame.english import KEPT, LOSS, LOSS_WITH
from pipelines.frame.registry import canonical
from pipelines.frame.times import moment_of, read_times
from pipelines.frame.words import parse_english
from retrieval.reading import Read
from retrieval.relevance import Unit, meets, on_topic, profile, relevance
from retrieval.want import Want

YES = Value("yesno", "yes", "yes")
NO = Value("yesno", "no", "no")
OFF_EN = re.compile(
    r"\b(?:off|disabled?|deactivated?|inactive|closed|unavailable|unsupported|impossible|forbidden|banned|broken|faulty"
    r"|out of (?:order|use|service)|(?:is|are|was|were|went|been|still|completely) down)\b"
    r"|^(?:is|are|was|were) .*\bdown(?=\?)",
    re.I,
)
"""What is off, shut or out of order; a question may ask just that."""
ON_EN = re.compile(
    r"\b(?:on|enabled?|active|available|open|works?|working|fixed|repaired|mended|restored|resolved|online|back up"
    r"|(?:is|are) up)\b",
    re.I,
)
BROKEN_KO = re.compile(r"고장|먹통|다운|꺼져|꺼졌|닫혀|닫혔|닫았")
FIXED_KO = re.compile(r"복구|정상|고쳤|고쳐졌|수리|해결|켜졌|켰|열렸|열었|다시 (?:돼|됩|된|작동)")
OFF_KO = re.compile(r"꺼져|꺼졌|껐|끕니|끄|비활성|불가|금지|미지원|없")
LESS_EN = re.compile(
    r"-free\b|\bnon-?(?=[a-z]{4})|\bfree (?:of|from)\b|\bwithout\b|\bquit\b|\bgave up\b"
    r"|\blast (?:cigarette|drink)\b|\binstead of\b",
    re.I,
)
MEAN_ON = re.compile(r"\bon\b|\boff\b|\benabled?\b|켜|꺼|상태", re.I)


def _days(span: TimeSpan) -> tuple[str, str]:
    return span.start[:10], span.end[:10]


def without_state(want: Want, question: Question) -> Want:
    """What a question asks without the state that it asks of: "is it still broken?" is answered by "it works again"."""
    found = (BROKEN_KO if question.language == "ko" else OFF_EN).search(question.text)
    if want.kind != "yesno" or found is None:
        return want
    told = found[0].casefold()
    states = {told} if question.language == "ko" else {t.lemma_.lower() for t in parse_english(told)}
    kept = {word: weight for word, weight in want.words.items() if word not in states and word not in told}
    return replace(want, words=kept) if kept else want


def _other_object(text: str, question: Question) -> bool:
    """Whether the verb asked about has another object here: "accepts cards" says nothing of cheques."""
    wanted = {(t.head.lemma_, canonical(t.lemma_.lower(), "en")) for t in objects(question.text)}
    told = {(t.head.lemma_, canonical(t.lemma_.lower(), "en")) for t in objects(text)}
    shared = {verb for verb, _ in wanted} & {verb for verb, _ in told}
    own = profile(text, "en", "", "")
    return bool(shared) and not any(meets(noun, own, text, "en") >= 0.8 for verb, noun in wanted if verb in shared)


def _somebody_else(unit: Unit, clause: Clause, question: Question) -> bool:
    """Whether another than the one asked about does it ("Ana joins the choir" says nothing of Bo)."""
    asked = [name for name in question.names if name not in (question.holder or "").casefold().split()]
    own = profile(unit.text, "en", "", "") | frozenset(re.findall(r"\w+", unit.atom.holder.casefold()))
    doer = any(a.name and a.role == "subject" and a.value.type == "entity" for a in clause.arguments)
    return bool(asked) and doer and not any(name in own for name in asked)


def _asks_of_loss(text: str, verbs: Sequence[str], language: str) -> bool:
    """Whether a question asks if something went: it says so itself, or its verb is the one that says so here."""
    clause = read_clause(text, language)
    told = {verb for verb in verbs if verb in LOSS or any(verb == own for own, _ in LOSS_WITH)}
    return any(s.gone or not told.isdisjoint(s.lemmas) for s in clause.segments)


def objects(text: str) -> list[Any]:
    """The plain nouns that are objects of English verbs with a meaning of their own."""
    return [
        t
        for t in parse_english(text)
        if t.dep_ == "dobj" and t.pos_ == "NOUN" and t.head.lemma_ not in ("have", "do", "get", "take", "make", "use")
    ]


def read_yesno(unit: Unit, question: Question, want: Want) -> list[Read]:
    """The unit as an atom with the value yes or no."""
    language = "ko" if unit.atom.language == "ko" else "en"
    clause = read_clause(unit.text, language)
    best, chosen = -1.0, clause.segments[0]
    for segment in clause.segments:
        near = unit.text[segment.start : segment.end]
        own = profile(near, language, "", "")
        score = sum(w * meets(word, own, near, language) for word, w in want.words.items())
        if segment.gone or segment.negated:
            score += 0.05
        if score > best:
            best, chosen = score, segment
    near = unit.text[chosen.start : chosen.end]
    denies = chosen.negated
    if language == "en" and OFF_EN.search(question.text):
        denies = not OFF_EN.search(near) and (denies or bool(ON_EN.search(near)))  # "is it closed?"
    elif language == "en":
        denies = denies or bool(LESS_EN.search(near)) or bool(OFF_EN.search(near))
    elif BROKEN_KO.search(question.text):
        denies = not BROKEN_KO.search(near) and (denies or bool(FIXED_KO.search(near)))
    else:
        denies = denies or bool(OFF_KO.search(near))
    gone = chosen.gone
    if gone and (KEPT.search(near) if language == "en" else chosen.negated and "더 이상" not in near):
        denies, gone = False, False
    cue = unit.atom.cue
    if language == "en" and (_other_object(near, question) or _somebody_else(unit, clause, question)):
        return []
    if cue == "retract" and chosen.negated and best > 0:
        cue = "correction"  # "scratch that, she isn't moving": the words themselves deny it
    if cue == "retract":
        return [Read(unit, replace(unit.atom, values=(), corrects=(), value_type="yesno", many=False), {})]
    if best <= 0 and cue == "none" and not (denies or gone):
        return []  # a neighbour that says nothing of what is asked
    value = NO if denies or gone else YES
    if gone and _asks_of_loss(question.text, chosen.verbs, language):
        value = NO if denies else YES  # "did she sell it?" is no question of whether she has it
    if value is YES and not on_topic(relevance(unit, question, want)[1], question, want):
        return []  # of whom it is asked, but of something else
    if cue in ("end", "remove", "add", "list"):
        cue = "update" if gone or cue != "end" else "none"
    start, end = unit.atom.stated_start, unit.atom.stated_end
    times = read_times(unit.text, moment_of(unit.atom.said_at, unit.atom.said_ts), language)
    if times.start is None and not gone and cue != "update":
        start = None
    on = times.first("on", chosen.start, chosen.end)
    if on is not None and question.as_of is not None and (on.start[:10], on.end[:10]) == _days(question.as_of):
        start, gone = None, False  # told of the very day that is asked about
    if gone:
        start = start or times.first("on", chosen.start, chosen.end) or (times.first("on") if cue == "update" else None)
    virtual = replace(
        unit.atom, values=(value,), corrects=(), cue=cue, value_type="yesno", many=False, relation="asked", kind="fact",
        polarity=None, stated_start=times.start or start, stated_end=times.end or end,
        modality="asserted" if unit.atom.modality == "negated" else unit.atom.modality,
    )  # fmt: skip
    return [Read(unit, virtual, {})]
