"""The records: frozen dataclasses, one a table row or a part of one. `schema.py` derives the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from lakehouse.vocabulary import AtomKind, Cue, Grain, Intent, MemoryType, Modality, Polarity, Precision, ValueType

Float32 = Annotated[float, "f4"]
"""A number of an embedding: stored in four bytes."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message as its document has it.

    `said_at` is the document's own time, ISO 8601 as written (with its offset where it has one), None
    when the document gives none; it is never the import's. `said_ts` is the same instant in UTC (the
    tenant's zone fills a missing offset) and orders turns. `position` counts from 0 within the session.
    """

    tenant: str
    conversation: str
    session: str
    document: str
    turn_id: str
    position: int
    speaker: str
    role: str
    text: str
    language: str
    said_at: str | None
    said_ts: datetime | None
    said_precision: Precision
    reply_to: str | None
    uri: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Reject:
    """Input that was not kept, with its place and reason; `sample_hash` names it without quoting it."""

    tenant: str
    reject_id: str
    uri: str
    line: int
    reason: str
    detail: str
    sample_hash: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of turns of one document about one topic; `first` and `last` are positions, inclusive."""

    tenant: str
    document: str
    segment_id: str
    first: int
    last: int
    summary: str
    said_from: datetime | None
    said_to: datetime | None
    dropped: tuple[str, ...] = ()
    """turn_id:reason of each turn that the filter left out."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span of a turn's text: `start` and `end` are character offsets, half-open."""

    turn_id: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """Civil days, both inclusive, ISO dates; `grain` is the unit that the words gave."""

    start: str
    end: str
    grain: Grain


@dataclass(frozen=True, slots=True)
class Value:
    """A typed value: `norm` decides equality ("450 gbp", "09:30", "yes"), `text` is as it was said."""

    type: ValueType
    norm: str
    text: str


@dataclass(frozen=True, slots=True)
class Atom:
    """One typed statement: who holds it, who passed it on, about what, when, and where it is written.

    `proposition` is the frame that `atom_id` hashes. `anchors` are the normalised content words of
    subject, relation and scope with the value masked: keys meet through them. `stated_start` and
    `stated_end` are ISO dates (or ISO datetimes) that the words give for the state itself.
    """

    tenant: str
    atom_id: str
    document: str
    segment_id: str
    kind: AtomKind
    memory_types: tuple[MemoryType, ...]
    subject: str
    relation: str
    scope: tuple[str, ...]
    values: tuple[Value, ...]
    value_type: ValueType
    many: bool
    """The relation holds a set of values."""
    static: bool
    """The relation does not change by itself (a weight, a birth date), so two holders stay contested."""
    anchors: tuple[str, ...]
    content: str
    holder: str
    relay: tuple[str, ...]
    target: str | None
    polarity: Polarity | None
    modality: Modality
    cue: Cue
    corrects: tuple[Value, ...]
    """The values that a correction, retraction or removal names as wrong or gone."""
    exhaustive: bool
    stated_start: TimeSpan | None
    stated_end: TimeSpan | None
    event_time: TimeSpan | None
    evidence: tuple[Evidence, ...]
    confidence: float
    language: str
    said_at: str | None
    said_ts: datetime | None
    said_precision: Precision
    extractor: str
    extractor_version: str
    raw_key: str = ""
    """The key by the atom's own words (`pipelines.resolve.raw_key`), set when the atom is stored."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """The latest complete extraction of a document: only its atoms count."""

    tenant: str
    document: str
    fingerprint: str
    turns: int
    atom_ids: tuple[str, ...]
    extractor: str
    extractor_version: str


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, organisation, thing or concept with the names that it goes by."""

    tenant: str
    entity_id: str
    name: str
    kind: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeyDecision:
    """Why a raw key belongs to a canonical key, with the card that it was decided by.

    `who` is "rules" or a person; a person's `how` is "merge", "split" or "pin", and his `evidence` the key that he
    named. `before` is the key at the last fold, where the decision has changed since it was first made. Where no atom
    is left, the rules' `how` is "gone", and a person's decision stays with an empty `atom_id`.
    """

    tenant: str
    raw_key: str
    key: str
    who: str
    how: str
    why: str
    evidence: tuple[str, ...]
    before: str
    relation: str
    anchors: tuple[str, ...]
    scope: tuple[str, ...]
    kind: str
    atom_id: str


@dataclass(frozen=True, slots=True)
class Validity:
    """One interval of one value under one key: [valid_from, valid_to) as ISO instants in UTC.

    `holder` is set in the claim view (the within-holder fold) and empty in the ledger, where `holders`
    lists all who hold it. `from_grain` and `to_grain` say how exactly a boundary is known.
    """

    tenant: str
    key: str
    bucket: int
    row_id: str
    subject: str
    relation: str
    scope: tuple[str, ...]
    value: Value
    value_type: ValueType
    many: bool
    holder: str
    holders: tuple[str, ...]
    relay: tuple[str, ...]
    target: str | None
    polarity: Polarity | None
    valid_from: datetime | None
    valid_to: datetime | None
    from_grain: Grain
    to_grain: Grain
    status: str
    opened_because: str
    closed_because: str
    opened_by: tuple[str, ...]
    closed_by: tuple[str, ...]
    anchors: tuple[str, ...]
    atoms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Habit:
    """Events of one person with one concept inside 30 days, as a fact with a time envelope."""

    tenant: str
    habit_id: str
    subject: str
    concept: str
    content: str
    count: int
    valid_from: datetime | None
    valid_to: datetime | None
    atoms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed edge with the turns that it comes from: a projection of the tables, never a source."""

    tenant: str
    edge_id: str
    document: str
    kind: str
    source: str
    target: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question framed as a statement is, so that it meets keys by the same rules."""

    text: str
    language: str
    types: tuple[MemoryType, ...]
    intent: Intent
    holder: str | None
    subject: str
    relation: str
    scope: tuple[str, ...]
    anchors: tuple[str, ...]
    value_type: ValueType
    many: bool
    as_of: TimeSpan | None
    asked_value: Value | None = None
    """Yes/no questions: the value that is asked about."""
    names: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class RunStep:
    """One step of one run: counts in and out, seconds, versions read and written."""

    run_id: str
    sequence: int
    step: str
    status: str
    started_at: datetime
    seconds: float
    rows_in: int
    rows_out: int
    rejected: int
    detail: str
    versions: str
    models: str


@dataclass(frozen=True, slots=True)
class Vector:
    """The embedding of a turn's or an atom's text by one model: computed once, published from here."""

    tenant: str
    item: str
    kind: str
    model: str
    text_hash: str
    vector: tuple[Float32, ...]
    terms: tuple[int, ...]
    """Hashes of the text's tokens, with their `weights`: the sparse vector for lexical search."""
    weights: tuple[Float32, ...]


@dataclass(frozen=True, slots=True)
class Publication:
    """What readers see: the newest row is the pointer. `versions` and `counts` are JSON objects."""

    publication: int
    collection: str
    model: str
    run_id: str
    published_at: datetime
    versions: str
    counts: str
