"""Within one holder: which statements stand, from when, in which order (R1, R2, R5, R6, R9, R11).

Everything here is near linear in the number of statements, so that one key with a million of them folds in a minute.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import itemgetter

from lakehouse.records import Atom, Value
from lakehouse.vocabulary import UNKNOWN_HOLDER, Grain
from pipelines.instants import UNDATED, end_of, said, start_of, zone_of

NONE = "none"
LOUD = frozenset({"update", "revert", "end", "add", "remove"})
"""Cues that supersede another holder's value (R10). A correction is not one: another's only contests."""
Order = tuple[datetime, tuple[tuple[int, str], ...], int, str]
DATES = frozenset({"date", "weekday", "clock"})
PLACE = re.compile(r"(\d*)(\D*)")
MOVED = 8
"""Corrections of one start that are looked back over: a bound for keys with a million statements."""


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
    order: Order
    atom: Atom = field(repr=False)
    why: str = field(compare=False, repr=False)


@dataclass(slots=True)
class Around:
    """What a holder's statements need to know of the whole key: who retracted, who passed on a correction, in order."""

    told: list[tuple[Order, Atom]]
    calls: list[tuple[datetime, Atom]]
    conceding: dict[str, list[tuple[Order, Atom]]]
    _others: list[int] = field(default_factory=list)

    @property
    def others(self) -> list[int]:
        """For each statement the place of the latest before it by another holder, -1 for none."""
        for i in range(len(self._others), len(self.told)):
            before = i > 0 and self.told[i - 1][1].holder == self.told[i][1].holder
            self._others.append(self._others[i - 1] if before else i - 1)
        return self._others

    @staticmethod
    def of(atoms: Sequence[Atom]) -> Around:
        told = _in_order(atoms)
        conceding: dict[str, list[tuple[Order, Atom]]] = defaultdict(list)
        for order, atom in told:
            if atom.cue == "correction" and atom.values:
                for name in atom.relay:
                    conceding[name].append((order, atom))
        return Around(told, [(order[0], atom) for order, atom in told if atom.cue == "retract"], conceding)


def _in_order(atoms: Sequence[Atom]) -> list[tuple[Order, Atom]]:
    """Atoms by time of saying, then place in the document, then what they say: only content decides.

    Place and words are looked at only where two were said at one instant. The id comes last, so that two extractors
    of the same turns put their statements in the same order.
    """
    instants = [said(atom) for atom in atoms]
    shared = {moment for moment, count in Counter(instants).items() if count > 1}
    told: list[tuple[Order, Atom]] = [
        ((moment, *_place(atom), _words(atom)) if moment in shared else (moment, (), 0, ""), atom)
        for moment, atom in zip(instants, atoms, strict=True)
    ]
    return sorted(told, key=itemgetter(0))


def _place(atom: Atom) -> tuple[tuple[tuple[int, str], ...], int]:
    """Where in its document an atom is written: the turn, and the character."""
    first = atom.evidence[0] if atom.evidence else None
    turn = tuple([(int(d or 0), w) for d, w in PLACE.findall(first.turn_id) if d or w]) if first else ()
    return turn, first.start if first else 0


def _words(atom: Atom) -> str:
    """What it says, in the terms that two extractors share, then its id."""
    start, end = atom.stated_start, atom.stated_end
    return (
        f"{atom.document}|{atom.holder}|{atom.cue}|{atom.modality}|{atom.polarity}|{atom.exhaustive}|"
        f"{','.join([v.norm for v in atom.values])}|{','.join([v.norm for v in atom.corrects])}|"
        f"{start.start if start else ''}|{end.end if end else ''}|{','.join(atom.relay)}|{atom.atom_id}"
    )


def settle(own: Sequence[tuple[Order, Atom]], voids: Collection[str], around: Around) -> list[Say]:
    """One holder's standing assertions in order of start; `own` are his atoms of the key in the order of saying."""
    told = [atom for _, atom in own]
    targets = _all_targets(told)
    dead = killed(own, voids, around, targets)
    starts = _starts(own, targets, around)
    reasons: dict[str, str] = {}
    evident: dict[str, datetime] = {}
    for i in sorted(targets):
        atom = told[i]
        for wrong in (told[t] for t in targets[i] if atom.atom_id not in dead):
            evident.setdefault(atom.atom_id, said(wrong))
            reasons[atom.atom_id] = f"it corrects {_spoken(wrong)}, said on {_day(_civil(wrong))}"
    standing = [i for i, a in enumerate(told) if a.atom_id not in dead and a.cue != "retract"]
    says = []
    for i in standing:
        atom = told[i]
        say = _say(own[i], starts[i], evident.get(atom.atom_id, said(atom)), reasons.get(atom.atom_id, ""))
        if say is None and atom.cue == "revert" and not atom.values:
            before = _previous(starts[i], [(starts[j], own[j]) for j in standing if j < i])
            say = _say((own[i][0], replace(atom, values=(before,))), starts[i], said(atom), "") if before else None
            say = replace(say, atom=atom) if say else None
        if say is not None:
            says.append(say)
    return _ends(_uncovered(says))


def killed(
    own: Sequence[tuple[Order, Atom]], voids: Collection[str], around: Around,
    targets: dict[int, list[int]] | None = None,
) -> dict[str, set[str]]:  # fmt: skip
    """One holder's atoms that do not stand, each with the corrections and retractions that say so (R5, R9, R11)."""
    told = [atom for _, atom in own]
    dead: dict[str, set[str]] = defaultdict(set)
    for atom_id, by in (*_withdrawn(own, around), *_conceded(own, around)):
        dead[atom_id].add(by)
    for atom in told if voids else ():
        if atom.atom_id in voids:
            dead[atom.atom_id] |= set()
    for i, wrong in sorted((_all_targets(told) if targets is None else targets).items(), reverse=True):
        if told[i].atom_id not in dead:  # the latest correction is decided first, and a dead one kills nothing
            for t in wrong:
                dead[told[t].atom_id].add(told[i].atom_id)
    return dead


def _norms(atom: Atom) -> set[str]:
    return {value.norm for value in atom.values}


def _all_targets(told: Sequence[Atom]) -> dict[int, list[int]]:
    """What each correction and retraction finds wrong: the latest statement that fits, with its repetitions."""
    seen: dict[str, list[int]] = defaultdict(list)
    plans: list[int] = []
    found: dict[int, list[int]] = {}
    for i, atom in enumerate(told):
        if atom.cue in ("correction", "retract"):
            while plans and (start_of(told[plans[-1]]) or UNDATED) <= said(atom):
                plans.pop()
            hit = _hit(i, told, seen, plans[-1] if plans else None)
            if hit is None:
                found[i] = []
            elif atom.cue == "correction" and _norms(told[hit]) <= _norms(atom):  # its start is corrected
                again = _run(hit, told, MOVED)
                found[i] = sorted({*again, *(t for j in again for t in found.get(j, ())[:MOVED])}, reverse=True)
            else:
                found[i] = _run(hit, told)
        for norm in _norms(atom):
            seen[norm].append(i)
        if (start_of(atom) or UNDATED) > said(atom):
            plans.append(i)
    return found


def _hit(index: int, told: Sequence[Atom], seen: dict[str, list[int]], plan: int | None) -> int | None:
    """The latest statement that is called wrong; a retraction without a value means the latest `plan` not begun."""
    atom = told[index]
    named = {v.norm for v in atom.corrects} or (_norms(atom) if atom.cue == "retract" else set())
    right = _norms(atom) if atom.cue == "correction" else set()
    if named - right:
        places = sorted({i for norm in named - right for i in seen[norm][-8:] if _before(told[i], atom)})
        return places[-1] if places else None
    if atom.cue == "retract" and plan is not None and _before(told[plan], atom):
        return plan
    for i in range(index - 1, -1, -1):
        earlier = told[i]
        if not _before(earlier, atom):
            continue
        values = _norms(earlier)
        if values - right or (atom.cue == "retract" and not values):
            return i
        if values and atom.cue == "correction":  # it was already said right, perhaps with a wrong start
            return i if atom.stated_start is not None and start_of(earlier) != start_of(atom) else None
    return None


def _run(hit: int, told: Sequence[Atom], most: int | None = None) -> list[int]:
    """A statement with its unbroken repetitions before (so many at most), the latest first."""
    first, least = hit, 0 if most is None else max(0, hit + 1 - most)
    while first > least and _norms(told[first - 1]) == _norms(told[hit]):
        first -= 1
    return list(range(hit, first - 1, -1))


def _before(earlier: Atom, atom: Atom) -> bool:
    """Whether a statement was made before another, not beside it in the same breath."""
    return said(earlier) < said(atom) or earlier.document != atom.document or earlier.cue == "none"


def _starts(own: Sequence[tuple[Order, Atom]], targets: dict[int, list[int]], around: Around) -> list[datetime]:
    """R1: stated start, else a corrected value's start, else when it was said."""
    starts: list[datetime] = []
    for i, (order, atom) in enumerate(own):
        start = start_of(atom)
        if start is None and atom.cue == "correction":
            wrong = targets.get(i)
            start = min(starts[t] for t in wrong) if wrong else _foreign_start(order, atom, around)
        starts.append(start if start is not None else said(atom))
    return starts


def _foreign_start(order: Order, atom: Atom, around: Around) -> datetime | None:
    """Somebody else's value is called wrong: contested from its start."""
    mine = _norms(atom)
    i = bisect_left(around.told, order, key=lambda item: item[0]) - 1
    while i >= 0:
        other = around.told[i][1]
        if other.holder == atom.holder:
            i = around.others[i]
            continue
        if other.values and not _norms(other) & mine and said(other) < said(atom):
            return start_of(other) or said(other)
        i -= 1
    return None


def _withdrawn(own: Sequence[tuple[Order, Atom]], around: Around) -> list[tuple[str, str]]:
    """(A plan, who withdrew it) where somebody else did before it began: a withdrawn plan never happened (R9)."""
    gone: list[tuple[str, str]] = []
    if not around.calls:
        return gone
    for _, atom in own:
        start = start_of(atom)
        if start is None or start <= said(atom):
            continue
        named = _norms(atom)
        first = bisect_right(around.calls, said(atom), key=lambda call: call[0])
        last = bisect_left(around.calls, start, key=lambda call: call[0])
        for _, call in around.calls[first:last]:
            if call.holder != atom.holder and (not call.corrects or named & {v.norm for v in call.corrects}):
                gone.append((atom.atom_id, call.atom_id))
                break
    return gone


def _conceded(own: Sequence[tuple[Order, Atom]], around: Around) -> list[tuple[str, str]]:
    """(What a holder gave up, the correction that he passed on): "I was wrong; they say it is the 13th"."""
    dead: list[tuple[str, str]] = []
    for order, call in around.conceding.get(own[0][1].holder, ()) if own else ():
        right, named = _norms(call), {v.norm for v in call.corrects}
        for i in range(bisect_left(own, order, key=lambda item: item[0]) - 1, -1, -1):
            atom = own[i][1]
            if _norms(atom) - right and (not named or named & _norms(atom)):
                dead.append((atom.atom_id, call.atom_id))
                break
    return dead


def _say(told: tuple[Order, Atom], start: datetime, evident: datetime, reason: str) -> Say | None:
    """The assertion that a standing atom makes, None when it asserts no value of the ledger."""
    order, atom = told
    waits = atom.modality == "planned" and atom.stated_start is None and atom.cue != "correction"
    if waits and atom.value_type not in DATES:
        return None  # a plan without a date waits for ever; a plan's own date is known at once
    only: str | None = None
    if atom.cue == "end" or (atom.modality == "negated" and atom.value_type != "yesno"):
        named = atom.corrects or atom.values
        only = named[0].norm if named else None
        value = Value(atom.value_type, NONE, NONE)
    elif atom.values:
        value = atom.values[0]
    else:
        return None
    loud = atom.cue in LOUD or atom.stated_start is not None
    grain: Grain = atom.stated_start.grain if atom.stated_start else "minute"
    end_grain: Grain = atom.stated_end.grain if atom.stated_end else "unknown"
    holder = atom.holder or UNKNOWN_HOLDER
    return Say(holder, value, start, grain, order[0], evident, end_of(atom), end_grain, loud, only,
               order, atom, _why_opened(atom, start, reason))  # fmt: skip


def _previous(start: datetime, earlier: Sequence[tuple[datetime, tuple[Order, Atom]]]) -> Value | None:
    """What "back to the old one" names: the value before the last one, of the same holder."""
    past = sorted((begun, order, atom) for begun, (order, atom) in earlier if atom.values and begun <= start)
    if not past:
        return None
    last = past[-1][2].values[0]
    return next((atom.values[0] for _, _, atom in reversed(past) if atom.values[0].norm != last.norm), None)


class _Union:
    """A union of intervals of time, grown one by one; ends are closed or half-open."""

    def __init__(self) -> None:
        self.starts: list[datetime] = []
        self.ends: list[tuple[datetime, int]] = []
        self.points: set[datetime] = set()

    def add(self, start: datetime, end: datetime, closed: bool) -> None:
        if start == end:
            if closed:
                self.points.add(start)
            return
        upper = (end, int(closed))
        first = bisect_left(self.ends, (start, 0))
        last = bisect_right(self.starts, end)
        if first < last:
            start, upper = min(start, self.starts[first]), max(upper, self.ends[last - 1])
        self.starts[first:last] = [start]
        self.ends[first:last] = [upper]

    def holds(self, moment: datetime) -> bool:
        if moment in self.points:
            return True
        i = bisect_right(self.starts, moment) - 1
        return i >= 0 and (moment, 0) < self.ends[i]


def _uncovered(says: Sequence[Say]) -> list[Say]:
    """R2: what is said later replaces what was said earlier of the same span; the rest are put in order of start.

    A statement covers the span that it is evidence for, from its start until it was said; an ending covers only the
    value that it ends; a plan covers an earlier date of the same plan.
    """
    spoken = _Union()
    endings: dict[str, _Union] = defaultdict(_Union)
    planned: dict[str, datetime] = {}
    kept = []
    for say in sorted(says, key=lambda s: s.order, reverse=True):
        norm = say.value.norm
        moved = norm in planned and say.start > planned[norm]
        ended = norm in endings and endings[norm].holds(say.start)
        if not (moved or ended or spoken.holds(say.start)):
            kept.append(say)
        until, closed = max(say.evident, say.start), True
        if say.end is not None and say.end <= until:
            until, closed = say.end, False
        if until >= say.start:
            (spoken if say.only is None else endings[say.only]).add(say.start, until, closed)
        if say.only is None and say.start > say.said:
            planned[norm] = min(planned.get(norm, say.said), say.said)
    return sorted(kept, key=lambda s: (s.start, s.order))


def _ends(says: Sequence[Say]) -> list[Say]:
    """Stated ends as endings of their own: after one, the holder says "none" ("no") until his next start (R2)."""
    out: list[Say] = []
    for i, say in enumerate(says):
        following = says[i + 1].start if i + 1 < len(says) else None
        out.append(say)
        if say.end is not None and say.end > say.start and (following is None or say.end < following):
            out.append(replace(say, value=_after(say.value), start=say.end, start_grain=say.end_grain,
                               only=say.value.norm, end=None, loud=True,
                               why=f"{say.holder} gave {_day(say.end)} as the end"))  # fmt: skip
    return out


def _after(value: Value) -> Value:
    """What holds after a stated end: nothing; of a "yes", "no"."""
    return Value("yesno", "no", "no") if (value.type, value.norm) == ("yesno", "yes") else Value(value.type, NONE, NONE)


def _why_opened(atom: Atom, start: datetime, reason: str) -> str:
    who = atom.holder or UNKNOWN_HOLDER
    start = start if start == UNDATED else start.astimezone(zone_of(atom))
    via = f", passed on by {', '.join(atom.relay)}" if atom.relay else ""
    if reason:
        return f"{who} said so on {_day(_civil(atom))}{via}; {reason}"
    if atom.stated_start is not None and start != said(atom):
        return f"{who} said on {_day(_civil(atom))}{via} that it starts on {_day(start)}"
    return f"{who} said so on {_day(_civil(atom))}{via}"


def _spoken(atom: Atom) -> str:
    return ", ".join(v.text for v in atom.values) or atom.content


def _civil(atom: Atom) -> datetime:
    """When it was said, by the document's own clock."""
    moment = said(atom)
    return moment if moment == UNDATED else moment.astimezone(zone_of(atom))


def _day(moment: datetime) -> str:
    return "an unknown day" if moment == UNDATED else moment.date().isoformat()
