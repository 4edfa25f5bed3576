"""A statement: what extraction knows of one assertion before its frame (relation, value, scope) is read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from lakehouse.records import Evidence, TimeSpan, Value
from lakehouse.vocabulary import AtomKind, Cue, MemoryType, Modality, Polarity, Precision, ValueType


@dataclass(frozen=True, slots=True)
class Statement:
    """Who says what about whom: the attribution half of an atom.

    `clause` is the asserting text with its reporting frame cut off ("the kayak is unstable", out of
    "Aslaug says the kayak is unstable"); `content` is one sentence that stands alone.
    """

    kind: AtomKind
    memory_types: tuple[MemoryType, ...]
    subject: str
    clause: str
    content: str
    speaker: str
    holder: str
    relay: tuple[str, ...]
    target: str | None
    polarity: Polarity | None
    modality: Modality
    event_time: TimeSpan | None
    evidence: tuple[Evidence, ...]
    confidence: float
    language: str
    said_at: str | None
    said_ts: datetime | None
    said_precision: Precision


@dataclass(frozen=True, slots=True)
class Frame:
    """The proposition half of an atom: what is said, in a form that paraphrases share."""

    subject: str
    relation: str
    scope: tuple[str, ...]
    values: tuple[Value, ...]
    value_type: ValueType
    many: bool
    static: bool
    anchors: tuple[str, ...]
    cue: Cue
    corrects: tuple[Value, ...]
    exhaustive: bool
    stated_start: TimeSpan | None
    stated_end: TimeSpan | None
