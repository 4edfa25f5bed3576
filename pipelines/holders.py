"""Within one holder: which statements stand, from when, in which order (R1, R2, R5, R6, R9, R11)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from lakehouse.records import Atom, Value
from lakehouse.vocabulary import UNKNOWN_HOLDER, Grain
from pipelines.instants import UNDATED, end_of, said, start_of

NONE = "none"
LOUD = frozenset({"update", "revert", "end", "add", "remove"})
"""Cues that supersede another holder's value (R10). A correction is not one: another's only contests."""
Order = tuple[datetime, tuple[tuple[int, str], ...], int, str]


@dataclass(frozen=True, slots=True)
class Say:
    """One standing assertion of one value by one holder, from `start` on (until `end` when that is stated)."""

    holder: str
    value: Value
    start: datetime
    start_grain: Grain
    said: datetime
    evident: datetime
    """Until when it is evidence: when it was said; a correction, when the statement that it corrects was said."""
    end: datetime | None
    end_grain: Grain
    loud: bool
    only: str | None
    """For an ending: the value that ends; another value is left alone."""
    atom: Atom = field(repr=False)
    why: str = field(compare=False, repr=False)

    @property
    def order(self) -> Order:
        return said_order(self.atom)


def said_order(atom: Atom) -> Order:
    """By time of saying, then place in the document: a total order that only content decides."""
    first = atom.evidence[0] if atom.evidence else None
    place = tuple((int(d or 0), w) for d, w in re.findall(r"(\d*)(\D*)", first.turn_id if first else "") if d or w)
    return (said(atom), place, first.start if first else 0, atom.atom_id)


def settle(atoms: Sequence[Atom], voids: Collection[str] = frozenset(), others: Sequence[Atom] = ()) -> list[Say]:
    """One holder's standing assertions in order of start; `others` are all atoms of the key (for withdrawn plans)."""
    told = sorted(atoms, key=said_order)
    dead = set(voids) | _withdrawn_by_others(told, others) | _conceded(told, others)
    reasons: dict[str, str] = {}
    evident: dict[str, datetime] = {}
    starts = {atom.atom_id: _start(i, told, others) for i, atom in enumerate(told)}
    for i in range(len(told) - 1, -1, -1):  # the latest correction is decided first
        atom = told[i]
        if atom.atom_id in dead or atom.cue not in ("correction", "retract"):
            continue
        for wrong in _targets(i, told, dead):
            dead.add(wrong.atom_id)
            evident.setdefault(atom.atom_id, said(wrong))
            reasons[atom.atom_id] = f"it corrects {_spoken(wrong)}, said on {_day(said(wrong))}"
    standing = [a for a in told if a.atom_id not in dead and a.cue != "retract"]
    says = [
        say for a in standing
        if (say := _say(a, starts[a.atom_id], evident.get(a.atom_id, said(a)), reasons.get(a.atom_id, ""), standing))
    ]  # fmt: skip
    return _ends(_uncovered(says))


def _targets(index: int, told: Sequence[Atom], dead: Collection[str] = frozenset()) -> list[Atom]:
    """The own statements that a correction or retraction finds wrong: the latest that fits, with its repetitions."""
    atom = told[index]
    named = {v.norm for v in atom.corrects} or ({v.norm for v in atom.values} if atom.cue == "retract" else set())
    right = {v.norm for v in atom.values} if atom.cue == "correction" else set()
    before = [a for a in told[:index] if said(a) < said(atom) or a.document != atom.document or a.cue == "none"]
    hit: Atom | None = None
    for earlier in reversed(before):
        values = {v.norm for v in earlier.values}
        fits = bool(values & named) if named else bool(values - right) or (atom.cue == "retract" and not values)
        if fits:
            hit = earlier
            break
        if not named and values and values <= right and atom.cue == "correction":
            break  # it was already said right
    if hit is None:
        return []
    run = [hit]
    same = {v.norm for v in hit.values}
    position = before.index(hit)
    for earlier in reversed(before[:position]):
        if {v.norm for v in earlier.values} != same or atom.cue == "retract":
            break
        run.append(earlier)
    return run


def _start(index: int, told: Sequence[Atom], others: Sequence[Atom]) -> datetime:
    """R1: stated start, else a corrected value's start, else when it was said."""
    atom = told[index]
    stated = start_of(atom)
    if stated is not None:
        return stated
    if atom.cue == "correction":
        wrong = _targets(index, told)
        if wrong:
            return min(_start(told.index(w), told, others) for w in wrong)
        mine = {v.norm for v in atom.values}
        earlier = sorted((a for a in others if said(a) < said(atom) and a.holder != atom.holder), key=said_order)
        foreign = [a for a in earlier if a.values and not {v.norm for v in a.values} & mine]
        if foreign:  # somebody else's value is called wrong: contested from its start
            return start_of(foreign[-1]) or said(foreign[-1])
    return said(atom)


def _withdrawn_by_others(own: Sequence[Atom], others: Sequence[Atom]) -> set[str]:
    """Plans that somebody withdrew before they began: a withdrawn plan never happened (R9)."""
    calls = [a for a in others if a.cue == "retract"]
    gone = set()
    for atom in own:
        start = start_of(atom)
        planned = start is not None and start > said(atom)
        named = {v.norm for v in atom.values}
        if planned and any(
            said(atom) < said(call) and start is not None and said(call) < start and call.holder != atom.holder
            and (not call.corrects or named & {v.norm for v in call.corrects}) for call in calls
        ):  # fmt: skip
            gone.add(atom.atom_id)
    return gone


def _conceded(own: Sequence[Atom], others: Sequence[Atom]) -> set[str]:
    """What a holder gave up by passing on a correction: "I was wrong; they say it is the 13th"."""
    dead: set[str] = set()
    for call in others:
        if call.cue != "correction" or not call.values or not own or own[0].holder not in call.relay:
            continue
        right, named = {v.norm for v in call.values}, {v.norm for v in call.corrects}
        before = [a for a in own if said_order(a) < said_order(call) and {v.norm for v in a.values} - right]
        fitting = [a for a in before if not named or named & {v.norm for v in a.values}]
        if fitting:
            dead.add(fitting[-1].atom_id)
    return dead


def _say(atom: Atom, start: datetime, evident: datetime, reason: str, standing: Sequence[Atom]) -> Say | None:
    """The assertion that a standing atom makes, None when it asserts no value of the ledger."""
    if atom.modality == "planned" and start_of(atom) is None and atom.cue != "correction":
        return None  # a plan without a date waits for ever
    only: str | None = None
    ends = atom.cue == "end" or (atom.modality == "negated" and atom.value_type != "yesno")
    if ends:
        named = atom.corrects or atom.values
        only = named[0].norm if named else None
        value = Value(atom.value_type, NONE, NONE)
    elif atom.values:
        value = atom.values[0]
    elif atom.cue == "revert":
        before = _previous(atom, start, standing)
        if before is None:
            return None
        value = before
    else:
        return None
    why = _why_opened(atom, start, reason)
    grain: Grain = atom.stated_start.grain if atom.stated_start else "minute"
    return Say(atom.holder or UNKNOWN_HOLDER, value, start, grain, said(atom), evident, end_of(atom),
               atom.stated_end.grain if atom.stated_end else "unknown",
               atom.cue in LOUD or atom.stated_start is not None, only, atom, why)  # fmt: skip


def _previous(atom: Atom, start: datetime, standing: Sequence[Atom]) -> Value | None:
    """What "back to the old one" names: the value before the last one, of the same holder."""
    past = [a for a in standing if a.values and said_order(a) < said_order(atom) and (start_of(a) or said(a)) <= start]
    past.sort(key=lambda a: (start_of(a) or said(a), said_order(a)))
    if not past:
        return None
    last = past[-1].values[0]
    return next((a.values[0] for a in reversed(past) if a.values[0].norm != last.norm), None)


def _uncovered(says: Sequence[Say]) -> list[Say]:
    """R2: what is said later replaces what was said earlier of the same span; the rest are put in order of start."""
    kept = [say for say in says if not any(_covers(later, say) for later in says if later.order > say.order)]
    return sorted(kept, key=lambda s: (s.start, s.order))


def _covers(later: Say, earlier: Say) -> bool:
    """Whether a later statement is evidence for the moment at which an earlier one begins."""
    if later.only is not None and later.only != earlier.value.norm:
        return False
    planned = earlier.start > later.said and later.start > later.said
    if planned and later.value.norm == earlier.value.norm and later.only is None:
        return True  # a planned date was moved
    until = max(later.evident, later.start)
    if later.end is not None and later.end <= until:
        return later.start <= earlier.start < later.end
    return later.start <= earlier.start <= until


def _ends(says: Sequence[Say]) -> list[Say]:
    """Stated ends as endings of their own: after one, the holder says "none" until his next start (R2)."""
    out: list[Say] = []
    for i, say in enumerate(says):
        following = says[i + 1].start if i + 1 < len(says) else None
        out.append(say)
        if say.end is not None and say.end > say.start and (following is None or say.end < following):
            out.append(replace(say, value=Value(say.value.type, NONE, NONE), start=say.end, start_grain=say.end_grain,
                               only=say.value.norm, end=None, loud=True,
                               why=f"{say.holder} gave {_day(say.end)} as the end"))  # fmt: skip
    return out


def _why_opened(atom: Atom, start: datetime, reason: str) -> str:
    who = atom.holder or UNKNOWN_HOLDER
    via = f", passed on by {', '.join(atom.relay)}" if atom.relay else ""
    if reason:
        return f"{who} said so on {_day(said(atom))}{via}; {reason}"
    stated = start_of(atom)
    if stated is not None and stated != said(atom):
        return f"{who} said on {_day(said(atom))}{via} that it starts on {_day(stated)}"
    return f"{who} said so on {_day(said(atom))}{via}"


def _spoken(atom: Atom) -> str:
    return ", ".join(v.text for v in atom.values) or atom.content


def _day(moment: datetime) -> str:
    return "an unknown day" if moment == UNDATED else moment.date().isoformat()
