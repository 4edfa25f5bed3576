"""Ledger cases in short form: documents that arrive, the atoms that they state, and what is asked of the fold.

A case: `arrivals` [document, said_at, speaker] in order of arrival (a document may arrive again), `keys` (how a key
holds: type, many, static, opinion), `atoms` (document, and what differs from a plain statement of its speaker under
k1), `asks`, and `history` (key, or key and holder -> [value, first day, day that it ends]).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, permutations
from pathlib import Path
from random import Random
from typing import Any, get_args

from lakehouse.ids import content_id
from lakehouse.records import Atom, Evidence, Question, TimeSpan, Validity, Value
from lakehouse.vocabulary import ValueType
from pipelines.fold import FoldRules, fold
from pipelines.resolve import raw_key
from pipelines.sets import NO, OUT, YES
from retrieval.answer import Answer, from_rows, from_views
from retrieval.opinion import view
from retrieval.reading import Read
from retrieval.relevance import Unit
from retrieval.want import Want

ALL = 120
"""Permutations tried at most: every one of up to five documents, a seeded sample of more."""
BUCKETS = (1, 7, 256, 4096)


def cases(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def spoken(norm: str, kind: ValueType) -> Value:
    return Value(kind, norm, norm)


def span(told: list[Any] | None) -> TimeSpan | None:
    return TimeSpan(*told) if told else None


def atoms_of(case: dict[str, Any]) -> dict[str, list[Atom]]:
    """Each document's atoms, in the order of its text."""
    found: dict[str, list[Atom]] = {}
    told = {document: (said_at, speaker) for document, said_at, speaker in case["arrivals"]}
    for document, (said_at, speaker) in told.items():
        own = [given for given in case["atoms"] if given["doc"] == document]
        found[document] = [atom_of(case, given, said_at, speaker, place) for place, given in enumerate(own)]
    return found


def atom_of(case: dict[str, Any], given: dict[str, Any], said_at: str, speaker: str, place: int) -> Atom:
    key = given.get("key", "k1")
    how = case["keys"][key]
    kind = how.get("type", "entity")
    assert kind in get_args(ValueType)
    moment = datetime.fromisoformat(said_at)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    holder, values = given.get("holder", speaker), tuple(spoken(v, kind) for v in given.get("values", ()))
    return Atom(
        tenant=case.get("tenant", "t"), atom_id=content_id("atom", case["id"], given["doc"], place),
        document=given["doc"], segment_id="", kind=given.get("kind", "fact"), memory_types=("GM",), subject=key,
        relation="is", scope=(), values=values, value_type=kind, many=how.get("many", False),
        static=how.get("static", False), anchors=(key,), content="", holder=holder,
        relay=tuple(given.get("relay", ())), target=key if how.get("opinion") else None,
        polarity=given.get("polarity"), modality=given.get("modality", "asserted"), cue=given.get("cue", "none"),
        corrects=tuple(spoken(v, kind) for v in given.get("corrects", ())), exhaustive=given.get("exhaustive", False),
        stated_start=span(given.get("start")), stated_end=span(given.get("end")), event_time=None,
        evidence=(Evidence(f"{given['doc']}:1", 10 * place, 10 * place + 9, "quote"),), confidence=1.0, language="en",
        said_at=said_at, said_ts=moment, said_precision="minute", extractor="hand", extractor_version="1",
    )  # fmt: skip


def canonical(key: str) -> str:
    return content_id("key", key)


def orders(documents: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Permutations of the arrivals: all when there are few, else a seeded sample."""
    if len(documents) <= 5:
        yield from islice(permutations(documents), ALL)
        return
    random = Random(len(documents))
    for _ in range(36):
        yield tuple(random.sample(documents, len(documents)))


def folded(atoms: Sequence[Atom], buckets: int = 256, voids: Sequence[str] = ()) -> list[Validity]:
    """The ledger's rows, under keys that are given by hand."""
    keys = {raw_key(atom): canonical(atom.subject) for atom in atoms}
    return [replace(row, bucket=0) for row in fold(atoms, keys, FoldRules(buckets=buckets), voids)]


def end_of_day(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day) + timedelta(days=1), time(), UTC)


def known(case: dict[str, Any], ask: dict[str, Any]) -> list[str]:
    """The documents that had arrived by the asked time of recording, and were not erased."""
    gone = set(ask.get("erased", ()))
    return [d for d, _, _ in case["arrivals"][: ask.get("as_known")] if d not in gone]


def told(atoms: Sequence[Atom], ask: dict[str, Any]) -> list[Atom]:
    """What had been said by the asked day, by the asked holder."""
    by = end_of_day(ask["as_told"]) if "as_told" in ask else None
    return [a for a in atoms if (by is None or (a.said_ts is not None and a.said_ts < by))
            and ask.get("holder") in (None, a.holder)]  # fmt: skip


def answer_of(case: dict[str, Any], ask: dict[str, Any], atoms: Sequence[Atom], buckets: int = 256) -> Answer:
    """What the product's reader makes of the fold's rows."""
    key = ask.get("key", "k1")
    how = case["keys"][key]
    mine = [atom for atom in told(atoms, ask) if atom.subject == key]
    as_of = end_of_day(ask["as_of"]) if "as_of" in ask else None
    question = Question("", "en", ("GM",), "lookup", ask.get("holder"), key, "is", (), (key,), how.get("type", "entity"),
                        how.get("many", False), span([ask["asked"]] * 2 + ["day"] if "asked" in ask else None))  # fmt: skip
    if how.get("opinion"):
        return from_views([view(atom) for atom in mine], question, as_of)
    rows = folded(mine, buckets)
    member = ask.get("asks")
    if member:
        named = {member: YES, OUT + member: NO}
        rows = [replace(r, value=named[r.value.norm], many=False) for r in rows if r.value.norm in named]
    kind: Any = "yesno" if member or how.get("type") == "yesno" else "set" if how.get("many") else "value"
    want = Want(kind, "any", ("*",), "", {}, "", False, frozenset())
    reads = [Read(Unit(atom, "", "", (atom,)), atom, {}) for atom in mine]
    return from_rows(rows, reads, question, want, as_of)


def plain(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer with its values in no order; a set without a member reads none."""
    return {**answer, **({"values": sorted(answer["values"])} if "values" in answer else {})}


def day_of(moment: datetime | None) -> str | None:
    return moment.date().isoformat() if moment else None


def history_of(rows: Sequence[Validity], name: str) -> list[list[str | None]]:
    """The rows of a key (of a holder) as [value, first day, day that it ends], gaps left out."""
    key, _, holder = name.partition(" ")
    own = [r for r in rows if r.key == canonical(key) and r.holder == holder and r.value.norm != "none"]
    return [[r.value.norm, day_of(r.valid_from), day_of(r.valid_to)] for r in own]
