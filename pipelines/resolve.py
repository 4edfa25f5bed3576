"""Keys that meet: raw keys joined into components, and names joined into entities; every decision is a row.

A raw key is what one frame says it is about. Components are joined by equality of typed frames after the
registry's synonyms; embeddings may propose a pair (`similar`) and never decide one. A component's canonical key
is its least hash, so neither order nor batching matters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lakehouse.ids import content_id, normal_text
from lakehouse.records import Atom, Entity, KeyDecision
from pipelines.fold import judges
from pipelines.frame.scope import scope_words
from pipelines.frame.values import dimension

Similar = Callable[[str, str], float]
"""How near two contents are, 0 to 1."""
ANY = "*"
PROPOSE = 0.93
"""At or above this nearness an embedding proposes a pair."""


@dataclass(frozen=True, slots=True)
class KeyCard:
    """What decides whether two raw keys meet."""

    raw_key: str
    tenant: str
    relation: str
    anchors: frozenset[str]
    scope: frozenset[str]
    kind: str
    values: frozenset[str]
    atom_id: str
    content: str


def value_class(atom: Atom) -> str:
    """The value type with its dimension, "*" for a statement without a value (a retraction, an ending).

    Seconds and gigabytes never meet; pounds and euros may, for a price can change its currency.
    """
    if not atom.values and not atom.corrects:
        return ANY if atom.cue in ("retract", "revert", "end", "remove", "correction") else "text"
    return dimension((atom.values or atom.corrects)[0])


def raw_key(atom: Atom) -> str:
    """The key of one atom by its own words: relation, anchors and value class; a judging claim's has its holder."""
    holder = normal_text(atom.holder) if judges(atom) else ""
    return content_id("key", atom.tenant, holder, relation_class(atom), value_class(atom), *sorted(set(atom.anchors)))


def relation_class(atom: Atom) -> str:
    """A registry relation by its name; an open one by its anchors alone, which already hold its words."""
    if judges(atom):
        return "opinion"
    return "" if atom.relation.startswith("open:") else atom.relation


def card(atom: Atom) -> KeyCard:
    return KeyCard(
        raw_key(atom), atom.tenant, relation_class(atom), frozenset(atom.anchors),
        frozenset(normal_text(s) for s in atom.scope) | scope_words(atom.anchors),
        f"{value_class(atom)}{'|' + normal_text(atom.holder) if judges(atom) else ''}",
        frozenset(v.norm for v in atom.values), atom.atom_id, atom.content,
    )  # fmt: skip


def why_meet(a: KeyCard, b: KeyCard, similar: Similar | None = None) -> str:
    """Why two raw keys are one, as a sentence; empty when they are not (the default: a false merge costs most)."""
    if a.tenant != b.tenant or a.scope != b.scope or not same_class(a, b):
        return ""
    near = _near(a, b, similar)
    if a.relation and b.relation and a.relation != b.relation:
        return near if a.kind == "text" else ""
    if a.anchors == b.anchors:
        return "the same relation and anchors"
    small, large = sorted((a.anchors, b.anchors), key=len)
    shared = a.anchors & b.anchors
    if ANY in (a.kind, b.kind) and len(shared) >= 2 and 2 * len(shared) >= len(small):
        return "a statement without a value about the same anchors"
    if len(small) >= 3 and small < large and len(large) - len(small) == 1 and not (a.relation or b.relation):
        return "the same anchors but for one word"
    return near


def _near(a: KeyCard, b: KeyCard, similar: Similar | None) -> str:
    """An embedding's proposal, accepted only when the value and an anchor are the same and no one word is swapped."""
    left, right = a.anchors - b.anchors, b.anchors - a.anchors
    swapped = len(left) == len(right) > 0 or (a.relation == b.relation != "" and bool(left or right))
    shared = a.anchors & b.anchors
    if similar is None or not a.values & b.values or swapped or not (shared or a.relation == b.relation != ""):
        return ""
    if similar(a.content, b.content) < PROPOSE:
        return ""
    return "the same value of a thing that shares an anchor, said in near words"


def same_class(a: KeyCard, b: KeyCard) -> bool:
    return a.kind == b.kind or ANY in (a.kind, b.kind)


def resolve_keys(
    atoms: Iterable[Atom], similar: Similar | None = None, pins: Sequence[KeyDecision] = ()
) -> list[KeyDecision]:
    """One decision per raw key: its canonical key, who decided and why. `pins` are a person's and win.

    A pin whose key equals its raw key splits it off; another joins it to that key's component.
    """
    cards: dict[str, KeyCard] = {}
    for atom in atoms:
        own = card(atom)
        known = cards.get(own.raw_key)
        if known is None or own.atom_id < known.atom_id:
            cards[own.raw_key] = own
    pinned = {pin.raw_key: pin for pin in pins}
    parent = {key: key for key in cards}
    reasons: dict[str, tuple[str, tuple[str, ...]]] = {}

    def root(key: str) -> str:
        while parent[key] != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    for a, b in sorted(_pairs(cards)):
        if a in pinned or b in pinned:
            continue
        why = why_meet(cards[a], cards[b], similar)
        if why:
            low, high = sorted((root(a), root(b)))
            parent[high] = low
            for key in (a, b):
                reasons.setdefault(key, (why, tuple(sorted((cards[a].atom_id, cards[b].atom_id)))))
    decisions = []
    for key, own in sorted(cards.items()):
        if key in pinned:
            decisions.append(pinned[key])
            continue
        why, evidence = reasons.get(key, ("its own words", (own.atom_id,)))
        decisions.append(KeyDecision(own.tenant, key, root(key), "rules", why, evidence))
    return decisions


def _pairs(cards: dict[str, KeyCard]) -> set[tuple[str, str]]:
    """Pairs worth comparing: those that share their two rarest anchors' buckets (blocking)."""
    holding: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key, own in cards.items():
        for word in own.anchors:
            holding[own.tenant, word].append(key)
    pairs: set[tuple[str, str]] = set()
    for key, own in cards.items():
        rare = sorted(own.anchors, key=lambda w: (len(holding[own.tenant, w]), w))[:3]
        for word in rare:
            block = holding[own.tenant, word]
            if len(block) <= 200:
                pairs.update((min(key, other), max(key, other)) for other in block if other != key)
    return pairs


def mapping(decisions: Iterable[KeyDecision]) -> dict[str, str]:
    """Raw key -> canonical key."""
    return {decision.raw_key: decision.key for decision in decisions}


def resolve_entities(atoms: Iterable[Atom]) -> list[Entity]:
    """People and things by name: exact normal names first, then surnames under a title when only one fits."""
    from pipelines.entities import entities

    return entities(atoms)
