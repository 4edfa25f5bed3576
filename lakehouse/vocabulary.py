"""The closed vocabularies. Each is a Literal; the sets are derived from them."""

from __future__ import annotations

from typing import Literal, get_args

AtomKind = Literal["event", "fact", "claim"]
MemoryType = Literal["EM", "PM", "GM"]
"""EM episodic (an event with a place in time), PM personal (lasting, of a person), GM general knowledge."""
Polarity = Literal["positive", "negative", "neutral"]
Modality = Literal["asserted", "planned", "negated", "hypothetical"]
Cue = Literal["none", "update", "correction", "revert", "retract", "add", "remove", "list", "restate", "end"]
"""What the words say about the change: `none` is a plain statement, `end` a state that stopped."""
Grain = Literal[
    "unknown", "year", "half", "season", "quarter", "month", "week", "weekend", "day", "part_of_day", "hour", "minute"
]
Precision = Literal["unknown", "day", "session", "minute", "second", "millisecond"]
"""How exactly a document dates a turn; `session`: one time for the whole session."""
ValueType = Literal[
    "text", "entity", "quantity", "money", "clock", "date", "version", "number", "yesno", "identifier", "weekday"
]
Intent = Literal["lookup", "when", "compare", "common", "belief", "why", "verify", "detail", "count", "as_of", "change"]
Status = Literal["current", "superseded", "contested", "planned", "void"]
Language = Literal["en", "ko", "other"]

ATOM_KINDS: frozenset[str] = frozenset(get_args(AtomKind))
MEMORY_TYPES: frozenset[str] = frozenset(get_args(MemoryType))
POLARITIES: frozenset[str] = frozenset(get_args(Polarity))
MODALITIES: frozenset[str] = frozenset(get_args(Modality))
CUES: frozenset[str] = frozenset(get_args(Cue))
GRAINS: frozenset[str] = frozenset(get_args(Grain))
PRECISIONS: frozenset[str] = frozenset(get_args(Precision))
VALUE_TYPES: frozenset[str] = frozenset(get_args(ValueType))
INTENTS: frozenset[str] = frozenset(get_args(Intent))
STATUSES: frozenset[str] = frozenset(get_args(Status))

UNKNOWN_HOLDER = "unknown"
"""The holder of hearsay without a named owner."""
