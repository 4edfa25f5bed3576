"""Steps 3 to 5 for the few keys that a night touches: the rows that Spark would make, made in this process.

A night's news touch few keys of many. Their atoms and rows are picked by id through delta-rs, folded here, and what
differs is committed by one MERGE: no engine is asked, and the cost is that of what was touched and of a look at the
ids. Where that is too much, `news` or a step says so, and `jobs.fold` takes the step to Spark.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jobs.faults import reach
from jobs.sync import Change, sync_here
from lakehouse.lake import literal, live_atoms
from lakehouse.records import Atom, Entity, KeyDecision, Validity
from lakehouse.schema import RECORDED, from_arrow
from pipelines.claims import views_of_key
from pipelines.consolidate import consolidate
from pipelines.entities import LONGEST, entities
from pipelines.fold import FoldRules
from pipelines.resolve import CARD, KeyCard, card, cards_of, decide_near, forgotten, is_there, revised, stored_card

if TYPE_CHECKING:
    from jobs.run import Count, Run

NAMES = {"holder": True, "subject": False, "target": False}
"""The columns of an atom that hold names, and whether a person's for certain."""


@dataclass(frozen=True, slots=True)
class News:
    """What came since the last fold: documents, their atoms before and after, and which atoms count no more."""

    since: int
    documents: list[str]
    again: bool
    """Whether one of the documents had been extracted before: names and raw keys may be gone."""
    atoms: pa.Table
    """Id, raw key, kind and names of the documents' atoms, those that count no more among them."""
    dead: pa.Array
    """Ids of the atoms that their document's newest extraction has no more."""

    @property
    def raw_keys(self) -> list[str]:
        """The raw keys of the documents' atoms."""
        return list(self.atoms["raw_key"].unique().to_pylist())


def news(run: Run, since: int) -> News | None:
    """What came after run number `since`; None where it is more than the settings allow to fold here."""
    lake, most = run.lake, run.settings.spark_from
    own = pc.field("tenant") == run.tenant
    new = lake.read("extractions", columns=["document"], where=own & (pc.field(RECORDED) > since))
    if new.num_rows > most:
        return None
    documents = new["document"].unique().to_pylist()
    atoms = lake.pick("atoms", "document", documents, ["atom_id", "raw_key", "kind", *NAMES])
    often = lake.query(
        "extractions",
        f"SELECT document FROM extractions WHERE tenant = {literal(run.tenant)} GROUP BY document HAVING count(*) > 1",
    )["document"].to_pylist()
    if max(atoms.num_rows, len(often)) > most:
        return None
    return News(since, documents, not set(often).isdisjoint(documents), atoms, _dead(run, often))


def _dead(run: Run, documents: list[str]) -> pa.Array:
    """The atoms that are not in the newest extraction of documents that were extracted more than once."""
    lists = run.lake.pick("extractions", "document", documents, ["document", RECORDED, "atom_ids"])
    stored = run.lake.pick("atoms", "document", documents, ["atom_id"])["atom_id"].combine_chunks()
    return stored.filter(pc.invert(pc.is_in(stored, live_atoms(lists))))


def _live(atoms: pa.Table, dead: pa.Array) -> pa.Table:
    """The atoms that count."""
    return atoms.filter(pc.invert(pc.is_in(atoms["atom_id"], dead))) if len(dead) else atoms


def resolve(run: Run, new: News, count: Count) -> bool:
    """Decide the components that were touched, and who is who; False where all keys must be decided anew."""
    own = pc.field("tenant") == run.tenant
    raws = new.raw_keys
    since = run.lake.read("keys", columns=["raw_key"], where=own & (pc.field(RECORDED) > new.since))
    if not raws and not since.num_rows:
        return True
    told = _cards(_live(run.lake.pick("atoms", "raw_key", raws, CARD), new.dead))
    known = {row.raw_key: row for row in _decisions(run.lake.pick("keys", "raw_key", raws))}
    seeds = {raw for raw, its in told.items() if raw not in known or _other(known[raw], its)}
    seeds |= {raw for raw, row in known.items() if raw not in told and is_there(row)}
    seeds |= set(since["raw_key"].to_pylist())
    changed: list[KeyDecision] = []
    if seeds:
        rows = run.lake.read("keys", where=own)
        before = stored_keys(rows)
        stored = {raw: row for raw, (row, _) in before.items()}
        if any(row.kind is None for row in stored.values()):  # a lake from before the cards were kept
            return False
        asked = set(raws)
        told |= {raw: stored_card(stored[raw]) for raw in seeds - asked if is_there(stored[raw])}
        decided = decide_near(stored, {raw: told[raw] for raw in seeds & told.keys()}, seeds)
        changed = revised(decided, before, new.since) + forgotten((seeds & stored.keys()) - told.keys(), before)
        sync_here(run, "keys", changed, run.lake.pick("keys", "raw_key", [row.raw_key for row in changed]))
    renamed = _who_is_who(run, new)
    count.rows_in, count.rows_out = len(raws), len(changed) + renamed.written
    count.detail |= {"keys": len({row.key for row in changed}), "raw_keys": len(raws)}
    return True


def _cards(atoms: pa.Table) -> dict[str, KeyCard]:
    """The cards of atoms by raw key."""
    return cards_of(map(card, from_arrow("atoms", atoms)))


def stored_keys(rows: pa.Table) -> dict[str, tuple[KeyDecision, int]]:
    """Decisions by raw key, each with the run that recorded it."""
    return {row.raw_key: (row, at) for row, at in zip(_decisions(rows), rows[RECORDED].to_pylist(), strict=True)}


def _decisions(rows: pa.Table) -> list[KeyDecision]:
    return from_arrow("keys", rows)


def _other(row: KeyDecision, its: KeyCard) -> bool:
    """Whether a raw key must be decided anew: it was gone, or its card is another."""
    return not is_there(row) or stored_card(row) != its


def _who_is_who(run: Run, new: News) -> Change:
    """The entities, made again only where a name is new or may be gone."""
    stored = run.lake.read("entities", where=pc.field("tenant") == run.tenant)
    known: list[Entity] = from_arrow("entities", stored)
    names = {(alias, False) for row in known for alias in row.aliases}
    names |= {(alias, True) for row in known if row.kind == "person" for alias in row.aliases}
    live = _live(new.atoms, new.dead)
    told = {(name, person) for column, person in NAMES.items() for name in live[column].unique().to_pylist() if name}
    if not new.again and {(name, person) for name, person in told if len(name) <= LONGEST} <= names:
        return Change()
    where = f"tenant = {literal(run.tenant)}"
    if len(new.dead):
        where += f" AND atom_id NOT IN ({', '.join(literal(atom) for atom in new.dead.to_pylist())})"
    found = run.lake.query(
        "atoms",
        " UNION ".join(f"SELECT DISTINCT {name} AS name, {person} AS person FROM atoms WHERE {where}"
                       for name, person in NAMES.items()),
    ).to_pylist()  # fmt: skip
    people = entities((run.tenant, row["name"], row["person"]) for row in found if row["name"])
    return sync_here(run, "entities", people, stored)


def fold(run: Run, new: News, count: Count, rules: FoldRules) -> bool:
    """The ledger and the claim view of the touched keys; False where too many atoms are under them."""
    own = pc.field("tenant") == run.tenant
    lake = run.lake
    since = lake.read("keys", columns=["key", "before"], where=own & (pc.field(RECORDED) > new.since))
    keys = {*lake.pick("keys", "raw_key", new.raw_keys, ["key"])["key"].to_pylist()}
    keys |= {*since["key"].to_pylist(), *since["before"].to_pylist()} - {""}
    under = lake.pick("keys", "key", keys, ["raw_key", "key"])
    mapping = dict(zip(under["raw_key"].to_pylist(), under["key"].to_pylist(), strict=True))
    if lake.pick("atoms", "raw_key", mapping, ["atom_id"]).num_rows > run.settings.spark_from:
        return False
    groups: dict[str, list[Atom]] = defaultdict(list)
    for atom in from_arrow("atoms", _live(lake.pick("atoms", "raw_key", mapping), new.dead)):
        groups[mapping[atom.raw_key]].append(atom)
    rows: dict[str, list[Validity]] = {"validity": [], "claims": []}
    for key, group in groups.items():
        for table, made in zip(rows, views_of_key(group, key, rules), strict=True):
            rows[table] += made
    for table, made in rows.items():
        done = sync_here(run, table, made, lake.pick(table, "key", keys))
        count.detail[table] = done.as_dict()
        count.rows_out += done.written
        reach(f"{table}.committed")
    count.rows_in = len(keys)
    return True


def consolidate_events(run: Run, new: News, count: Count) -> bool:
    """Habits of the people whose documents were touched; False where they have too many atoms."""
    people = new.atoms.filter(pc.equal(new.atoms["kind"], "event"))["subject"].unique().to_pylist()
    if run.lake.pick("atoms", "subject", people, ["kind"]).num_rows > run.settings.spark_from:
        return False
    own: Any = pc.field("tenant") == run.tenant
    told = _live(run.lake.pick("atoms", "subject", people), new.dead)
    events: list[Atom] = from_arrow("atoms", told.filter(own & (pc.field("kind") == "event")))
    done = sync_here(run, "habits", consolidate(events), run.lake.pick("habits", "subject", people).filter(own))
    count.rows_out = done.written
    count.detail = done.as_dict()
    return True
