"""The fold: from atoms to validity. What is true, since when, and why; a pure function of a set (rules R0-R12).

Three moves, each in its own file: what one holder says is settled first (`holders.settle`: voids, starts,
order), then holders are laid over each other (`across.lay`), and the result is written as rows here. A set
is folded member by member with the same moves. Nothing depends on the order of the input.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from lakehouse.ids import bucket_of, content_id
from lakehouse.records import Atom, Validity, Value
from lakehouse.vocabulary import UNKNOWN_HOLDER
from pipelines.across import Interval, lay
from pipelines.holders import Around, Order, Say, killed, settle
from pipelines.instants import ended, opened
from pipelines.sets import OUT, by_member, holds_set, yes_or_no

DEFAULT_BUCKETS = 256
FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
"""Stand for an open start and an open end."""
NOBODY: frozenset[str] = frozenset()
UNREAD = frozenset(
    ("segment_id", "memory_types", "confidence", "language", "said_precision", "extractor", "extractor_version")
)
"""The columns of an atom that no fold reads, so that a job need not carry them."""


@dataclass(frozen=True, slots=True)
class FoldRules:
    """What a tenant may set: how long two holders' plain statements of a mutable thing contest each other."""

    contest: timedelta = timedelta(days=14)
    buckets: int = DEFAULT_BUCKETS


RULES = FoldRules()


def judges(atom: Atom) -> bool:
    """A claim that judges: it never meets another holder's (R10)."""
    return atom.kind == "claim" and atom.polarity in ("positive", "negative")


def counts(atom: Atom) -> bool:
    """Whether the fold reads the atom at all: a hypothetical never, an undated quotation never (R4)."""
    return atom.modality != "hypothetical" and (atom.said_ts is not None or not atom.relay)


def by_key(atoms: Iterable[Atom], mapping: Mapping[str, str]) -> dict[str, list[Atom]]:
    """Atoms under their canonical keys; an atom whose raw key has no decision keeps it."""
    from pipelines.resolve import raw_key

    groups: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        own = atom.raw_key or raw_key(atom)
        groups[mapping.get(own, own)].append(atom)
    return groups


def fold(
    atoms: Iterable[Atom], mapping: Mapping[str, str], rules: FoldRules = RULES, voids: Collection[str] = NOBODY
) -> list[Validity]:
    """The ledger: validity rows of every key, sorted by key, start and value.

    `mapping` is raw key -> canonical key (`resolve.mapping`). `voids` are what an erased correction had killed
    (R12), as `voids_left` names it, or ids of whole atoms. For "as told by D" and "as known at k" give the
    subset of the atoms.
    """
    rows: list[Validity] = []
    for key, group in by_key(atoms, mapping).items():
        rows += fold_key(group, key, rules, voids)
    return sorted(rows, key=row_order)


def fold_key(
    atoms: Iterable[Atom], key: str, rules: FoldRules = RULES, voids: Collection[str] = NOBODY
) -> list[Validity]:
    """The validity rows of one key; a judging claim is folded within its holder only."""
    return _ledger(distinct(atoms), key, rules, voids)[0]


def claim_rows_of_key(
    atoms: Iterable[Atom], key: str, rules: FoldRules = RULES, voids: Collection[str] = NOBODY
) -> list[Validity]:
    """The within-holder half of the fold, one holder at a time: the claim view's rows of one key."""
    rows: list[Validity] = []
    for holder, own in _by_holder(distinct(atoms)).items():
        rows += _laid(_settled(own, voids), own, key, holder, rules)
    return sorted(rows, key=row_order)


def both_views(
    atoms: Iterable[Atom], key: str, rules: FoldRules = RULES, voids: Collection[str] = NOBODY
) -> tuple[list[Validity], list[Validity]]:
    """(`fold_key`, `claim_rows_of_key`) of one key; a holder is settled once where others have no say in it."""
    alive = distinct(atoms)
    ledger, lines = _ledger(alive, key, rules, voids)
    holders = _by_holder(alive)
    claims: list[Validity] = []
    for holder, own in holders.items():
        if lines is not None and len(holders) == 1:
            settled = lines
        elif lines is not None and _apart(alive) and not any(atom.cue == "correction" for atom in own):
            settled = [(member, {holder: says[holder]}) for member, says in lines]
        else:
            settled = _settled(own, voids)
        claims += _laid(settled, own, key, holder, rules)
    return ledger, sorted(claims, key=row_order)


def distinct(atoms: Iterable[Atom]) -> list[Atom]:
    """Each atom once (a second load changes nothing), in an order that only content decides."""
    return [atom for _, atom in sorted({a.atom_id: a for a in atoms if counts(a)}.items())]


def row_order(row: Validity) -> tuple[str, str, datetime, str, str]:
    return (row.key, row.holder, row.valid_from or FIRST, row.value.norm, row.row_id)


def _by_holder(atoms: Iterable[Atom]) -> dict[str, list[Atom]]:
    groups: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        groups[atom.holder or UNKNOWN_HOLDER].append(atom)
    return groups


def _apart(atoms: Sequence[Atom]) -> bool:
    """Whether each holder stands by himself: nobody retracts, ends, concedes or speaks of a set's members."""
    return not holds_set(atoms) and not any(
        atom.cue in ("retract", "end") or (atom.cue == "correction" and atom.relay) for atom in atoms
    )


Settled = list[tuple[Value | None, dict[str, list[Say]]]]
"""For each line (a set's member, or the one value: None) what each holder says that stands."""


def _ledger(
    alive: Sequence[Atom], key: str, rules: FoldRules, voids: Collection[str]
) -> tuple[list[Validity], Settled | None]:
    """The ledger's rows of one key, and what was settled for them; None where some of it judges."""
    judging = [atom for atom in alive if judges(atom)]
    shared = [atom for atom in alive if not judges(atom)] if judging else alive
    settled = _settled(shared, voids)
    rows = _laid(settled, shared, key, "", rules)
    for holder, own in _by_holder(judging).items():
        rows += _laid(_settled(own, voids), own, key, holder, rules)
    return sorted(rows, key=row_order), None if judging else settled


def _settled(atoms: Sequence[Atom], voids: Collection[str]) -> Settled:
    """What stands of atoms that may meet: all of a key, or one holder's."""
    out: Settled = []
    for member, around, holders in _lines(atoms):
        dead = _void_among(around.told, member, voids)
        out.append((member, {holder: settle(told, dead, around) for holder, told in holders.items()}))
    return out


def _laid(settled: Settled, atoms: Sequence[Atom], key: str, holder: str, rules: FoldRules) -> list[Validity]:
    """Rows of what stands, of all holders together; `holder` names the one whose rows they are, "" for the ledger's."""
    many = holds_set(atoms)
    static = any(atom.static for atom in atoms)
    rows: list[Validity] = []
    for member, says in settled:
        intervals = lay([say for own in says.values() for say in own], static, rules.contest)
        rows += [_row(interval, key, holder, many, member, rules) for interval in intervals]
    return rows if holder else _with_status(rows, many)


def _lines(atoms: Sequence[Atom]) -> Iterator[tuple[Value | None, Around, dict[str, list[tuple[Order, Atom]]]]]:
    """What is folded on its own: (a set's member, all that is said of it, the same by holder), or the one value."""
    if not atoms:
        return
    atoms = [ended(atom) for atom in atoms]
    for member, group in by_member(atoms).items() if holds_set(atoms) else [(None, yes_or_no(atoms))]:
        around = Around.of(group)
        own: dict[str, list[tuple[Order, Atom]]] = defaultdict(list)
        for item in around.told:
            own[item[1].holder or UNKNOWN_HOLDER].append(item)
        yield member, around, own


def void(atom: Atom, member: Value | None) -> str:
    """What a void is written as: a hash of the atom's id and the value or member that stays dead, without content."""
    value = member or next(iter(atom.values), None)
    return content_id("void", atom.atom_id, value.norm if value else "")


def _void_among(told: Iterable[tuple[Order, Atom]], member: Value | None, voids: Collection[str]) -> frozenset[str]:
    """The ids of the atoms that are void, as a whole or for one member."""
    return frozenset(a.atom_id for _, a in told if a.atom_id in voids or void(a, member) in voids) if voids else NOBODY


def voids_left(atoms: Iterable[Atom], gone: Collection[str], voids: Collection[str] = NOBODY) -> frozenset[str]:
    """The voids that atoms of one key leave when they are erased: what they had corrected stays dead (R12)."""
    alive = distinct(atoms)
    left: set[str] = set()
    for group in ([a for a in alive if not judges(a)], *_by_holder([a for a in alive if judges(a)]).values()):
        for member, around, holders in _lines(group):
            said_by = {atom.atom_id: atom for _, atom in around.told}
            dead = _void_among(around.told, member, voids)
            for told in holders.values():
                left |= {void(said_by[a], member) for a, by in killed(told, dead, around).items()
                         if a not in gone and not by.isdisjoint(gone)}  # fmt: skip
    return frozenset(left)


def _row(interval: Interval, key: str, holder: str, many: bool, member: Value | None, rules: FoldRules) -> Validity:
    first = interval.says[0].atom
    value = interval.value
    if member is not None:
        value = member if value.norm == "yes" else Value(member.type, OUT + member.norm, OUT + member.text)
    last = interval.says[0] if len(interval.says) == 1 else max(interval.says, key=lambda say: say.order)
    start, end = opened(interval.start), interval.end
    return Validity(
        tenant=first.tenant,
        key=key,
        bucket=bucket_of(key, rules.buckets),
        row_id=content_id("validity", first.tenant, key, holder, value.norm, start, end),
        subject=first.subject,
        relation=first.relation,
        scope=first.scope,
        value=value,
        value_type=value.type,
        many=many,
        holder=holder,
        holders=tuple(sorted(interval.holders)),
        relay=first.relay,
        target=first.target,
        polarity=last.atom.polarity,
        valid_from=start,
        valid_to=end,
        from_grain=interval.says[0].start_grain,
        to_grain=interval.end_grain,
        status="current" if end is None else "superseded",
        opened_because=interval.opened_because,
        closed_because=interval.closed_because,
        opened_by=(first.atom_id,),
        closed_by=tuple(sorted(interval.closed_by)),
        anchors=tuple(sorted(NOBODY.union(*{say.atom.anchors for say in interval.says}))),
        atoms=tuple(sorted({say.atom.atom_id for say in interval.says})),
    )


def _with_status(rows: list[Validity], many: bool) -> list[Validity]:
    """`contested` where another value holds at the same time; a set's members do not contest each other."""
    if many:
        by_value: dict[str, list[Validity]] = defaultdict(list)
        for row in rows:
            by_value[row.value.norm.removeprefix(OUT)].append(row)
        groups = list(by_value.values())
    else:
        groups = [rows]
    return [
        replace(row, status="contested") if clash else row
        for group in groups
        for row, clash in zip(group, _clashes(group), strict=True)
    ]


def _clashes(rows: Sequence[Validity]) -> list[bool]:
    """For each row, whether another value holds at some instant of its interval: one sweep over the boundaries."""
    spans = [(row.valid_from or FIRST, row.valid_to or LAST) for row in rows]
    if all(end <= start for (_, end), (start, _) in pairwise(sorted(spans))):
        return [False] * len(rows)
    moments = sorted({moment for span in spans for moment in span})
    place = {moment: i for i, moment in enumerate(moments)}
    begun, ended = defaultdict(list), defaultdict(list)
    for row, (start, end) in zip(rows, spans, strict=True):
        begun[start].append(row.value.norm)
        ended[end].append(row.value.norm)
    held: Counter[str] = Counter()
    crowded = [0]
    """How many of the pieces between the boundaries so far have two values or more."""
    for moment in moments:
        held.update(begun[moment])
        held.subtract(ended[moment])
        for norm in ended[moment]:
            if not held[norm]:
                del held[norm]
        crowded.append(crowded[-1] + (len(held) > 1))
    return [crowded[place[end]] > crowded[place[start]] for start, end in spans]


def overlap(a: Validity, b: Validity) -> bool:
    """Whether two half-open intervals share an instant."""
    starts_before_end = a.valid_from is None or b.valid_to is None or a.valid_from < b.valid_to
    ends_after_start = b.valid_from is None or a.valid_to is None or b.valid_from < a.valid_to
    return starts_before_end and ends_after_start
