"""Keys that meet: paraphrases do, hard negatives never; order, pins and tenants."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_atoms import atom, atoms

from lakehouse.records import Atom, KeyDecision
from pipelines.frame.constructions import rewritten
from pipelines.resolve import (
    card,
    cards_of,
    decide,
    decide_near,
    forgotten,
    is_there,
    mapping,
    raw_key,
    resolve_entities,
    resolve_keys,
)
from quality.predict_answers import atoms_of

CASES = [json.loads(line) for line in (Path(__file__).parent / "golden" / "keys.jsonl").read_text("utf-8").splitlines()]


def met(case: dict[str, Any]) -> bool:
    speaker = "Desk" if case["lang"] == "en" else "안내"
    told = [atoms_of([{"doc": d, "said_at": f"2025-0{i + 1}-10T10:00", "speaker": speaker, "text": case[d]}])
            for i, d in enumerate("ab")]  # fmt: skip
    keys = mapping(resolve_keys([a for group in told for a in group]))
    first, second = ({keys[raw_key(a)] for a in group} for group in told)
    return bool(first & second)


@pytest.mark.parametrize("case", [c for c in CASES if not c["meet"]], ids=lambda c: f"{c['id']}-{c['why']}")
def test_hard_negatives_never_meet(case: dict[str, Any]) -> None:
    assert not met(case), case


def test_paraphrases_meet() -> None:
    cases = [c for c in CASES if c["meet"]]
    missed = [c for c in cases if not met(c)]
    assert len(missed) <= 0.2 * len(cases), missed


@settings(max_examples=200, deadline=None)
@given(atoms(keys=4), st.randoms(use_true_random=False))
def test_decisions_do_not_depend_on_order(found: list[Atom], random: Random) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    assert resolve_keys(found) == resolve_keys(shuffled)


def decision(told: Atom, how: str, other: str = "") -> KeyDecision:
    """A person's decision about an atom's raw key."""
    return replace(resolve_keys([told])[0], who="Ola", how=how, why="by hand", evidence=(other or raw_key(told),))


def test_a_canonical_key_is_the_least_of_its_component_and_a_pin_wins() -> None:
    a = atom("2025-01-01", "Ola", "x", anchors=("north", "gate", "code"), relation="open:x")
    b = atom("2025-01-02", "Ola", "y", anchors=("north", "gate", "code", "main"), relation="open:y")
    keys = mapping(resolve_keys([a, b]))
    assert set(keys.values()) == {min(raw_key(a), raw_key(b))}
    split = decision(b, "split")
    assert mapping(resolve_keys([a, b], pins=[split]))[raw_key(b)] == raw_key(b)
    c = atom("2025-01-03", "Ola", "z", anchors=("south", "door"), relation="open:z")
    merged = mapping(resolve_keys([a, b, c], pins=[decision(c, "merge", raw_key(b))]))
    assert set(merged.values()) == {min(map(raw_key, (a, b, c)))}
    moved = mapping(resolve_keys([a, b, c], pins=[decision(b, "pin", raw_key(c))]))
    assert moved[raw_key(b)] == moved[raw_key(c)] == raw_key(c) != moved[raw_key(a)]


def test_a_statement_without_a_value_meets_its_key_however_its_scope_was_split() -> None:
    told = atom("2025-01-01", "Ola", "5", anchors=("north", "wing", "upload", "limit"), relation="limit")
    bare = atom("2025-01-02", "Ola", anchors=("upload", "limit"), relation="limit", cue="retract")
    gone, other = (replace(bare, scope=(scope,), atom_id=scope) for scope in ("North wing", "staging"))
    keys = mapping(resolve_keys([told, gone, other]))
    assert keys[raw_key(told)] == keys[raw_key(gone)] != keys[raw_key(other)]


def test_every_construction_rewrites_its_example() -> None:
    lines = (files("pipelines.frame") / "constructions.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.startswith(("en\t", "ko\t"))]
    assert not [row for row in rows if rewritten(row[3], row[0]) == row[3]]


def test_tenants_never_meet() -> None:
    a, b = (atom("2025-01-01", "Ola", "x", tenant=t) for t in ("one", "two"))
    assert len(set(mapping(resolve_keys([a, b])).values())) == 2


def test_people_meet_by_exact_name_title_and_only_surname() -> None:
    told = [atom("2025-01-01", h, "x") for h in ("Efua Adomako", "Dr. Adomako", "Kojo Vale", "Vale Brandt")]
    told = [replace(a, subject="") for a in told]
    rows = {row.name: row for row in resolve_entities(told)}
    assert rows["Efua Adomako"].aliases == ("Dr. Adomako", "Efua Adomako")
    assert len(rows) == 3


ANCHORS = st.frozensets(st.sampled_from("gate code north south main door east".split()), min_size=1, max_size=5)
CARDS = st.builds(
    lambda anchors, cue, relation, document: atom(
        "2025-01-01", "Ola", *(["5"] if cue == "none" else []), anchors=tuple(sorted(anchors)), cue=cue,
        relation=relation, document=f"d{document}",
    ),
    ANCHORS, st.sampled_from(["none"] * 4 + ["retract"]), st.sampled_from(["open:x", "open:x", "limit"]),
    st.integers(0, 9),
)  # fmt: skip
NIGHTS = st.lists(st.tuples(st.lists(CARDS, max_size=6), st.lists(st.integers(0, 30), max_size=3)), max_size=5)
PINS = st.lists(
    st.tuples(st.sampled_from(["merge", "split", "pin", "release"]), st.integers(0, 30), st.integers(0, 30)), max_size=2
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(NIGHTS, PINS), min_size=1, max_size=2))
def test_deciding_what_a_night_touches_is_deciding_everything(spans: list[Any]) -> None:
    """Atoms come and go and people decide, night by night: the touched components' decisions are those of all."""
    stored: dict[str, KeyDecision] = {}
    there: dict[str, Atom] = {}
    for nights, pins in spans:
        for new, gone in nights:
            seeds = {raw_key(told) for told in new}
            there |= {told.atom_id: told for told in new}
            for number in gone:
                if there:
                    seeds.add(raw_key(there.pop(sorted(there)[number % len(there)])))
            night(stored, there, seeds)
        for how, one, other in pins:
            if raws := sorted(raw for raw, row in stored.items() if is_there(row)):
                raw, named = raws[one % len(raws)], raws[other % len(raws)]
                who = "rules" if how == "release" else "Ola"
                stored[raw] = replace(
                    stored[raw], who=who, how="rules" if how == "release" else how, evidence=(named,), why="by hand"
                )
                night(stored, there, {raw})


def night(stored: dict[str, KeyDecision], there: dict[str, Atom], seeds: set[str]) -> None:
    """One night's decisions, made near the seeds and compared with all."""
    cards = cards_of(card(told) for told in there.values())
    for row in decide_near(stored, {raw: cards[raw] for raw in seeds if raw in cards}, seeds):
        stored[row.raw_key] = row
    for row in forgotten((seeds & stored.keys()) - cards.keys(), {raw: (row, 0) for raw, row in stored.items()}):
        stored[row.raw_key] = row
    alive = {raw: row for raw, row in stored.items() if raw in cards}
    whole = decide(cards, [row for row in stored.values() if row.who != "rules"])
    assert alive == {row.raw_key: row for row in whole}
