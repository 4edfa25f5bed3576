"""Which raw keys are one key: paraphrases meet, different things do not.

An atom's raw key hashes its own frame with the value masked. Raw keys are joined by equality of typed frames after
the registry's synonyms, never by nearness of embeddings. A component's canonical key is its least hash, so neither
order nor batching matters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from lakehouse.ids import content_id, normal_text
from lakehouse.records import Atom, Entity, KeyDecision
from pipelines.entities import entities
from pipelines.fold import judges
from pipelines.frame.scope import scope_words
from pipelines.frame.values import dimension

ANY = "*"
RULES = "rules"
"""Who decides, and how, when no person has."""
GONE = "gone"
"""How a raw key is decided that no atom has any more: its row stays, and joins nothing."""
CARD = (
    "tenant", "atom_id", "document", "kind", "relation", "scope", "values", "corrects", "anchors", "holder", "polarity",
    "cue",
)  # fmt: skip
"""The columns that an atom's raw key and card follow from."""


@dataclass(frozen=True, slots=True)
class KeyCard:
    """What decides whether two raw keys meet: all of it follows from the atom with the least id under the key."""

    raw_key: str
    tenant: str
    relation: str
    anchors: frozenset[str]
    scope: frozenset[str]
    kind: str
    atom_id: str


def value_class(atom: Atom) -> str:
    """The value type with its dimension, "*" for a statement without a value (a retraction, an ending).

    Seconds and gigabytes never meet; pounds and euros may, for a price can change its currency.
    """
    if not atom.values and not atom.corrects:
        return ANY if atom.cue in ("retract", "revert", "end", "remove", "correction") else "text"
    return dimension((atom.values or atom.corrects)[0])


def raw_key(atom: Atom) -> str:
    """The key of one atom by its own words: relation, anchors and value class; a judging claim's has its holder.

    A statement without an anchor ("it is five") is about nothing that another document could mean.
    """
    holder = normal_text(atom.holder) if judges(atom) else ""
    about = sorted(anchors_of(atom)) or [f"document {atom.document}"]
    return content_id("key", atom.tenant, holder, relation_class(atom), value_class(atom), *about)


def anchors_of(atom: Atom) -> frozenset[str]:
    """What an atom is about: its anchors and the words of its scope, however an extractor split the two (R8)."""
    scopes = {normal_text(scope) for scope in atom.scope} - set(atom.anchors)
    known = {word for scope in scopes for word in scope_words([scope])}
    return frozenset(atom.anchors) | known | {word for s in scopes if not scope_words([s]) for word in s.split()}


def relation_class(atom: Atom) -> str:
    """A registry relation by its name; an open one by its anchors alone, which already hold its words."""
    if judges(atom):
        return "opinion"
    return "" if atom.relation.startswith("open:") else atom.relation


def card(atom: Atom) -> KeyCard:
    """The card of one atom's raw key."""
    anchors = anchors_of(atom)
    return KeyCard(
        raw_key(atom), atom.tenant, relation_class(atom), anchors, scope_words(anchors),
        f"{value_class(atom)}{'|' + normal_text(atom.holder) if judges(atom) else ''}", atom.atom_id,
    )  # fmt: skip


def stored_card(decision: KeyDecision) -> KeyCard:
    """The card that a stored decision was made from."""
    return KeyCard(
        decision.raw_key, decision.tenant, decision.relation, frozenset(decision.anchors), frozenset(decision.scope),
        decision.kind, decision.atom_id,
    )  # fmt: skip


def cards_of(cards: Iterable[KeyCard]) -> dict[str, KeyCard]:
    """One card a raw key: that of the least atom."""
    out: dict[str, KeyCard] = {}
    for own in cards:
        known = out.get(own.raw_key)
        if known is None or own.atom_id < known.atom_id:
            out[own.raw_key] = own
    return out


def why_meet(a: KeyCard, b: KeyCard) -> str:
    """Why two raw keys are one, as a sentence; empty when they are not (the default: a false merge costs most)."""
    if a.tenant != b.tenant or a.scope != b.scope or not same_class(a, b):
        return ""
    if a.relation and b.relation and a.relation != b.relation:
        return ""
    if not (a.anchors and b.anchors):
        return ""
    if a.anchors == b.anchors:
        return "the same relation and anchors"
    small, large = sorted((a.anchors, b.anchors), key=len)
    shared = a.anchors & b.anchors
    if ANY in (a.kind, b.kind) and len(shared) >= 2 and 2 * len(shared) >= len(small):
        return "a statement without a value about the same anchors"
    if len(small) >= 3 and small < large and len(large) - len(small) == 1 and not (a.relation or b.relation):
        return "the same anchors but for one word"
    return ""


def same_class(a: KeyCard, b: KeyCard) -> bool:
    """Whether their value classes allow them to meet."""
    return a.kind == b.kind or ANY in (a.kind, b.kind)


def resolve_keys(atoms: Iterable[Atom], pins: Sequence[KeyDecision] = ()) -> list[KeyDecision]:
    """`decide` over the raw keys of atoms."""
    return decide(cards_of(card(atom) for atom in atoms), pins)


def decide(cards: Mapping[str, KeyCard], pins: Sequence[KeyDecision] = ()) -> list[KeyDecision]:
    """One decision per raw key: its canonical key, who decided and why; a pure function of a set.

    `pins` are a person's decisions and win: "split" takes a raw key out of every component, "pin" moves it to the
    component of another (the first of its evidence), "merge" joins the two components.
    """
    pinned = {pin.raw_key: pin for pin in pins if pin.raw_key in cards}
    apart = {raw for raw, pin in pinned.items() if pin.how in ("split", "pin")}
    parent = {key: key for key in cards}
    reasons: dict[str, tuple[str, tuple[str, ...]]] = {}

    def root(key: str) -> str:
        while parent[key] != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    def join(a: str, b: str) -> None:
        low, high = sorted((root(a), root(b)))
        parent[high] = low

    for a, b in sorted(set(_pairs(cards))):
        if a in apart or b in apart:
            continue
        why = why_meet(cards[a], cards[b])
        if why:
            join(a, b)
            for key in (a, b):
                reasons.setdefault(key, (why, tuple(sorted((cards[a].atom_id, cards[b].atom_id)))))
    for raw, pin in sorted(pinned.items()):
        if pin.how == "merge" and pin.evidence[0] in cards and not {raw, pin.evidence[0]} & apart:
            join(raw, pin.evidence[0])
    decisions = []
    for raw, own in sorted(cards.items()):
        who, how, key = RULES, RULES, root(raw)
        why, evidence = reasons.get(raw, ("its own words", (own.atom_id,)))
        if raw in pinned:
            pin = pinned[raw]
            who, how, why, evidence = pin.who, pin.how, pin.why, pin.evidence
            if how == "pin":
                key = root(evidence[0]) if evidence[0] in cards else evidence[0]
        decisions.append(
            KeyDecision(
                own.tenant, raw, key, who, how, why, evidence, "", own.relation, tuple(sorted(own.anchors)),
                tuple(sorted(own.scope)), own.kind, own.atom_id,
            )
        )  # fmt: skip
    return decisions


def decide_near(
    stored: Mapping[str, KeyDecision], told: Mapping[str, KeyCard], seeds: Collection[str]
) -> list[KeyDecision]:
    """`decide` for the components that `seeds` touch, everything else left as it is: the rows are the same.

    `stored` holds the decisions so far by raw key; `seeds` are the raw keys that are new, gone or decided anew since,
    and `told` the cards of those that have atoms. Two raw keys that meet have one canonical key, so the components to
    decide are those of the seeds, of what meets a seed, and of what a person has tied to one.
    """
    pins = [row for row in stored.values() if row.who != RULES]
    near = {*seeds, *(pin.raw_key for pin in pins if pin.evidence and pin.evidence[0] in seeds)}
    near |= {pin.evidence[0] for pin in pins if pin.raw_key in near and pin.evidence}
    cards = {raw: stored_card(row) for raw, row in stored.items() if is_there(row) and raw not in seeds} | dict(told)
    for a, b in _pairs(cards):
        if (a in seeds or b in seeds) and why_meet(cards[a], cards[b]):
            near |= {a, b}
    keys = {stored[raw].key for raw in near if raw in stored}
    members = {raw: own for raw, own in cards.items() if raw in near or (raw in stored and stored[raw].key in keys)}
    return decide(members, pins)


def revised(
    decisions: Iterable[KeyDecision], stored: Mapping[str, tuple[KeyDecision, int]], since: int
) -> list[KeyDecision]:
    """The decisions that are new or other than `stored`, which holds each with the run that recorded it.

    A changed one says in `before` which key it had at the last fold, in run number `since`.
    """
    made = []
    for decision in decisions:
        old, at = stored.get(decision.raw_key, (None, 0))
        if old is not None and old.key == decision.key:
            decision = replace(decision, before=old.before)
        elif old is not None:  # at the last fold it had this key, or the one before when no fold came between
            decision = replace(decision, before=old.before if at > since else old.key)
        if decision != old:
            made.append(decision)
    return made


def forgotten(raw_keys: Iterable[str], stored: Mapping[str, tuple[KeyDecision, int]]) -> list[KeyDecision]:
    """The decisions on raw keys that no atom has any more, marked so; a person's stays one, about no atom."""
    rows = (stored[raw][0] for raw in raw_keys)
    return [replace(row, how=GONE) if row.who == RULES else replace(row, atom_id="") for row in rows if is_there(row)]


def is_there(row: KeyDecision) -> bool:
    """Whether atoms were left under a decision's raw key when it was made."""
    return row.how != GONE and row.atom_id != ""


def _pairs(cards: Mapping[str, KeyCard]) -> Iterator[tuple[str, str]]:
    """The pairs that may meet, each once or more: those that share what one of the rules of `why_meet` asks for.

    No block is cut for its size, so a decision never hangs on what else is in the lake.
    """
    Block = tuple[str, frozenset[str], str, frozenset[str]]
    same: dict[Block, list[str]] = defaultdict(list)
    larger: dict[Block, list[str]] = defaultdict(list)
    bare: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for raw, own in cards.items():
        same[own.tenant, own.scope, own.kind, own.anchors].append(raw)
        if not own.relation and len(own.anchors) >= 4:
            for word in own.anchors:
                larger[own.tenant, own.scope, own.kind, own.anchors - {word}].append(raw)
        if own.kind == ANY:
            for two in _twos(own.anchors):
                bare[own.tenant, *two].append(raw)
    for block, raws in same.items():
        yield from (_ordered(a, b) for a, b in combinations(raws, 2))
        yield from (_ordered(a, b) for b in larger.get(block, ()) for a in raws)
    if bare:
        for raw, own in cards.items():
            for two in _twos(own.anchors):
                yield from (_ordered(raw, other) for other in bare.get((own.tenant, *two), ()) if other != raw)


def _twos(words: frozenset[str]) -> Iterator[tuple[str, str]]:
    """All pairs of the words; a single word with itself."""
    listed = sorted(words)
    yield from combinations(listed, 2) if len(listed) > 1 else ((w, w) for w in listed)


def _ordered(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)


def mapping(decisions: Iterable[KeyDecision]) -> dict[str, str]:
    """Raw key -> canonical key."""
    return {decision.raw_key: decision.key for decision in decisions}


def resolve_entities(atoms: Iterable[Atom]) -> list[Entity]:
    """`entities` over the names in atoms: holders are people, subjects and targets may be anything."""
    names = ((atom.tenant, own) for atom in atoms for own in _names(atom))
    return entities((tenant, name, person) for tenant, (name, person) in names)


def _names(atom: Atom) -> Iterator[tuple[str, bool]]:
    yield from ((atom.holder, True), (atom.subject, False), (atom.target or "", False))
