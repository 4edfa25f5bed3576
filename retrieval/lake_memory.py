"""The memory over a lake and its index: what answering and the service read. No JVM, no engine.

A snapshot belongs to one publication: it holds the ids, keys and record times of the tenant's live atoms
as columns, and no text. Atoms and turns are fetched by id when a question needs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lakehouse.errors import LakeError
from lakehouse.lake import Lake, live_atoms, newest_publication
from lakehouse.records import Atom, Question, Turn
from lakehouse.schema import from_arrow
from pipelines.resolve import raw_key
from retrieval import lexical
from retrieval.embedder import Embedder
from retrieval.heads import type_chances
from retrieval.index import Hit, Index, Kind, turn_item
from retrieval.router import Chances

NEAR_ATOMS = 40
"""Atoms that a question's search brings; all atoms of their keys come with them, so a key is folded whole."""
MOST_ATOMS = 160
"""Atoms that are read for a question: whole keys, the nearest first, until there are so many."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One tenant's live atoms under one publication: columns atom_id, raw_key, key, recorded."""

    publication: int
    collection: str
    atoms: pa.Table
    keys: dict[str, str]
    newest: datetime | None


class LakeMemory:
    """A `Memory` over Delta tables and Milvus for one tenant; `refresh` follows the publication pointer."""

    def __init__(self, lake: Lake, index: Index, embedder: Embedder, tenant: str) -> None:
        self.lake, self.index, self.embedder, self.tenant = lake, index, embedder, tenant
        self._snapshot: Snapshot | None = None
        self._asked: tuple[str, Any] = ("", None)

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of the newest publication. Raises LakeError before the first one."""
        pointer = newest_publication(self.lake)
        if pointer is None:
            raise LakeError("nothing is published yet", place=self.lake.root, hint="run `memlake backfill PATH` first")
        if self._snapshot is None or self._snapshot.publication != pointer["publication"]:
            self._snapshot = self._load(int(pointer["publication"]), str(pointer["collection"]))
        return self._snapshot

    def _load(self, publication: int, collection: str) -> Snapshot:
        own = pc.field("tenant") == self.tenant
        live = live_atoms(self.lake.read("extractions", columns=["document", "atom_ids", "recorded"], where=own))
        atoms = self.lake.read("atoms", columns=["atom_id", "raw_key", "recorded", "document"], where=own)
        atoms = atoms.filter(pc.is_in(atoms["atom_id"], live))
        decisions = self.lake.read("keys", columns=["raw_key", "key"], where=own)
        keys = dict(zip(decisions["raw_key"].to_pylist(), decisions["key"].to_pylist(), strict=True))
        canonical = [keys.get(raw, raw) for raw in atoms["raw_key"].to_pylist()]
        atoms = atoms.append_column("key", pa.array(canonical, pa.string()))
        newest = pc.max(self.lake.read("turns", columns=["said_ts"], where=own)["said_ts"]).as_py()
        return Snapshot(publication, collection, atoms, keys, newest)

    def newest(self) -> datetime:
        """The time of the newest document: "now" for a question asked of an archive."""
        return self.snapshot.newest or datetime(1970, 1, 1, tzinfo=UTC)

    def sequence(self, run: str | None) -> int | None:
        """The number of a run given by number or id. Raises LakeError for one that isn't known."""
        if run is None:
            return None
        if run.isdigit():
            return int(run)
        rows = self.lake.read("runs", columns=["run_id", "sequence"], where=pc.field("run_id") == run)
        if not rows.num_rows:
            raise LakeError(f"no run {run}", place=self.lake.root, hint="`memlake runs` lists them")
        return int(pc.max(rows["sequence"]).as_py())

    def chances(self, text: str) -> Chances | None:
        """What the router's head makes of a question, by the vector that the search takes; None without a head."""
        return type_chances(self._vector(text), self.embedder.name)

    def _vector(self, text: str) -> Any:
        """The query's vector, shape (dim,); the last one is kept, for routing and searching ask for the same."""
        asked, vector = self._asked
        if vector is None or asked != text:
            vector = self.embedder.queries([text])[0]
            self._asked = (text, vector)
        return vector

    def near(self, question: Question, as_known: str | None = None) -> Sequence[Atom]:
        """The atoms that a search for the question finds, with all other atoms of their keys."""
        known = self._known(as_known)
        hits = self._hits(question.text, ("atom",), NEAR_ATOMS)
        rank = {hit.item: place for place, hit in enumerate(hits)}
        found = known.filter(pc.is_in(known["atom_id"], pa.array(list(rank), pa.string())))
        best: dict[str, int] = {}
        for item, key in zip(found["atom_id"].to_pylist(), found["key"].to_pylist(), strict=True):
            best[key] = min(rank[item], best.get(key, rank[item]))
        mates = known.filter(pc.is_in(known["key"], pa.array(list(best), pa.string())))
        of_key: dict[str, list[str]] = {}
        for item, key in zip(mates["atom_id"].to_pylist(), mates["key"].to_pylist(), strict=True):
            of_key.setdefault(key, []).append(item)
        ids: list[str] = []
        for key in sorted(of_key, key=lambda key: (best[key], key)):
            if ids and len(ids) + len(of_key[key]) > MOST_ATOMS:
                continue
            ids += of_key[key]
        return self.atoms(ids)

    def key(self, atom: Atom) -> str:
        """The canonical key of an atom."""
        own = atom.raw_key or raw_key(atom)
        return self.snapshot.keys.get(own, own)

    def search(self, text: str, as_known: str | None = None) -> Sequence[Atom]:
        """The best matching atoms of a text, best first."""
        known = set(self._known(as_known)["atom_id"].to_pylist())
        order = [hit.item for hit in self._hits(text, ("atom",), 20) if hit.item in known]
        found = {atom.atom_id: atom for atom in self.atoms(order)}
        return [found[item] for item in order if item in found]

    def retrieve(
        self,
        text: str,
        *,
        kinds: Sequence[Kind] = ("atom", "turn"),
        types: Sequence[str] = (),
        judges: bool | None = None,
        limit: int = 10,
    ) -> list[tuple[Hit, Atom | Turn]]:
        """Published items for a query with their records, best first."""
        hits = self._hits(text, kinds, limit, types=types, judges=judges)
        atoms = {atom.atom_id: atom for atom in self.atoms([hit.item for hit in hits if hit.kind == "atom"])}
        turns = {turn_item(t.document, t.turn_id): t for t in self.turns([h.item for h in hits if h.kind == "turn"])}
        both: dict[tuple[str, str], Atom | Turn] = {("atom", i): atom for i, atom in atoms.items()}
        both |= {("turn", i): turn for i, turn in turns.items()}
        return [(hit, both[hit.kind, hit.item]) for hit in hits if (hit.kind, hit.item) in both]

    def atoms(self, ids: Sequence[str]) -> list[Atom]:
        """Atoms by id, in id order."""
        found = self.lake.pick("atoms", "atom_id", ids)
        rows: list[Atom] = from_arrow("atoms", found.filter(pc.field("tenant") == self.tenant))
        return sorted(rows, key=lambda atom: atom.atom_id)

    def turns(self, items: Sequence[str]) -> list[Turn]:
        """Turns by their items (document/turn id)."""
        wanted = set(items)
        documents, ids = ({item.split("/", 1)[part] for item in wanted} for part in (0, 1))
        found = self.lake.pick("turns", "document", documents)
        own = (pc.field("tenant") == self.tenant) & pc.field("turn_id").isin(pa.array(sorted(ids), pa.string()))
        rows: list[Turn] = from_arrow("turns", found.filter(own))
        return [turn for turn in rows if turn_item(turn.document, turn.turn_id) in wanted]

    def _known(self, as_known: str | None) -> pa.Table:
        """The live atoms, or those that counted when a run ended."""
        last = self.sequence(as_known)
        if last is None:
            return self.snapshot.atoms
        own = (pc.field("tenant") == self.tenant) & (pc.field("recorded") <= last)
        live = live_atoms(self.lake.read("extractions", columns=["document", "atom_ids", "recorded"], where=own))
        atoms = self.lake.read("atoms", columns=["atom_id", "raw_key", "recorded", "document"], where=own)
        atoms = atoms.filter(pc.is_in(atoms["atom_id"], live))
        keys = self.snapshot.keys
        return atoms.append_column("key", pa.array([keys.get(k, k) for k in atoms["raw_key"].to_pylist()], pa.string()))

    def _hits(self, text: str, kinds: Sequence[Kind], limit: int, **filters: Any) -> list[Hit]:
        snapshot = self.snapshot
        return self.index.search(
            snapshot.collection,
            tenant=self.tenant,
            publication=snapshot.publication,
            dense=self._vector(text),
            sparse=lexical.query(text),
            kinds=kinds,
            limit=limit,
            **filters,
        )
