"""Which of a clause's arguments are values, and what each is about: readings, at least one a clause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lakehouse.records import Value
from pipelines.frame.arguments import Argument, Clause

STRENGTH = ("money", "quantity", "version", "clock", "identifier", "number", "weekday", "date")
"""Of two typed values in one predicate the stronger type is its value; a date mostly says when."""
FIRST = {
    "en": re.compile(r"\b(?:I|I'm|I've|I'd|I'll|my|mine|me|we|our|us|we're|we've)\b"),
    "ko": re.compile(r"(?<![가-힣])(?:나|난|내|나는|제|제가|저|저는|전|내가|우리|저희)(?![가-힣])"),
}
VALUE_ROLES = {
    "en": ("attribute", "agent", "object", "prep:as", "prep:to", "prep:at", "prep:in", "prep:on", "prep:with", "prep:for", "root", "prep:by", "subject"),
    "ko": ("attribute", "prep:으로", "prep:로", "object", "list", "bare", "prep:에", "prep:에서", "subject"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that a clause states. Offsets are into the clause; `spans` are masked out of the anchors."""

    start: int
    end: int
    values: tuple[Value, ...] = ()
    corrects: tuple[Value, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    gone: bool = False
    negated: bool = False


def first_person(text: str, language: str) -> bool:
    """Whether the speaker speaks of himself."""
    return bool(FIRST[language].search(text))


def readings(clause: Clause, times: Sequence[tuple[int, int]]) -> list[Reading]:
    """The readings of a clause: typed values by predicate, else noun phrases in value position, else none."""
    usable = [a for a in clause.arguments if not any(s <= a.start and a.end <= e for s, e in times)]
    found: list[Reading] = []
    for number, segment in enumerate(clause.segments):
        typed = [a for a in usable if a.segment == number and a.value.type != "entity"]
        if typed:
            strongest = min(STRENGTH.index(a.value.type) for a in typed)
            found += _by_piece(clause, segment.start, segment.end, [a for a in typed if STRENGTH.index(a.value.type) == strongest])
    if found:
        return found
    for number, segment in enumerate(clause.segments):
        named = _values(clause, [a for a in usable if a.segment == number and a.value.type == "entity"])
        if named:
            ins = tuple(a.value for a in named if not a.out)
            outs = tuple(a.value for a in named if a.out)
            found.append(Reading(segment.start, segment.end, ins, outs, tuple((a.start, a.end) for a in named),
                                 segment.gone and not ins, segment.negated and not ins))  # fmt: skip
    return found or [Reading(0, len(clause.text))]


def _by_piece(clause: Clause, start: int, end: int, typed: Sequence[Argument]) -> list[Reading]:
    """Several current values of one predicate are several readings when commas part them by scope."""
    current = [a for a in typed if not a.old] or list(typed)
    old = tuple(a.value for a in typed if a.old and a not in current)
    spans = tuple((a.start, a.end) for a in typed)
    if len(current) == 1 or len({a.value.norm for a in current}) == 1:
        return [Reading(start, end, (current[-1].value,), old, spans)]
    cuts = [start, *(m.start() for m in re.finditer(r"[,;]|\band\b", clause.text[:end]) if m.start() > current[0].end and
                     any(a.start > m.start() for a in current)), end]  # fmt: skip
    if len(cuts) - 1 != len(current):
        return [Reading(start, end, (current[-1].value,), old, spans)]
    return [Reading(cuts[i], cuts[i + 1], (a.value,), old, spans) for i, a in enumerate(current)]


def _values(clause: Clause, named: Sequence[Argument]) -> list[Argument]:
    """The phrases in value position: the best role, with those coordinated with it."""
    order = VALUE_ROLES["ko" if clause.language == "ko" else "en"]
    ranked = [a for a in named if a.role in order]
    if not ranked:
        return []
    subjects = [a for a in named if a.role in ("subject", "topic")]
    if len(ranked) == 1 and subjects and ranked[0] in subjects:
        return []
    best = min(order.index(a.role) for a in ranked)
    chosen = [a for a in ranked if order.index(a.role) == best]
    if clause.language == "ko" and any(a.role == "list" for a in named):
        last = max(chosen, key=lambda a: a.start)
        chosen = [a for a in named if a.role == "list"] + [last]
    return sorted({(a.start, a.end): a for a in chosen if not _inside(a, chosen)}.values(), key=lambda a: a.start)


def _inside(argument: Argument, others: Sequence[Argument]) -> bool:
    return any(o is not argument and o.start <= argument.start and argument.end <= o.end for o in others)
