"""Atoms for tests of the fold: short constructors and Hypothesis strategies."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from lakehouse.ids import content_id
from lakehouse.records import Atom, Evidence, TimeSpan, Value

FIRST_DAY = datetime(2025, 1, 1, 10, tzinfo=UTC)


def value(norm: str, kind: Any = "entity") -> Value:
    return Value(kind, norm, norm)


def day_span(day: str | None) -> TimeSpan | None:
    return TimeSpan(day, day, "day") if day else None


def atom(
    said: str | datetime, holder: str, *values: str, cue: Any = "none", corrects: tuple[str, ...] = (),
    start: str | None = None, end: str | None = None, many: bool = False, static: bool = False,
    exhaustive: bool = False, anchors: tuple[str, ...] = ("thing",), relation: str = "is", document: str = "",
    kind: Any = "fact", polarity: Any = None, modality: Any = "asserted", relay: tuple[str, ...] = (),
    value_type: Any = "entity", tenant: str = "t", target: str | None = None, dated: bool = True,
) -> Atom:  # fmt: skip
    """One atom, dated "YYYY-MM-DDTHH:MM" (or a day, said at ten); its id hashes what it says."""
    moment = said if isinstance(said, datetime) else datetime.fromisoformat(said if len(said) > 10 else said + "T10:00")
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    document = document or f"d{moment:%Y%m%d%H%M}{holder}"
    own = content_id(tenant, document, holder, values, cue, corrects, start, end, anchors, relation, modality, relay,
                     exhaustive, dated, kind, polarity)  # fmt: skip
    return Atom(
        tenant=tenant, atom_id=own, document=document, segment_id="", kind=kind, memory_types=("GM",), subject="thing",
        relation=relation, scope=(), values=tuple(value(v, value_type) for v in values), value_type=value_type,
        many=many, static=static, anchors=anchors, content=f"{holder}: {', '.join(values)}", holder=holder,
        relay=relay, target=target, polarity=polarity, modality=modality, cue=cue,
        corrects=tuple(value(v, value_type) for v in corrects), exhaustive=exhaustive, stated_start=day_span(start),
        stated_end=day_span(end), event_time=None, evidence=(Evidence(f"{document}:1", 0, 9, "quote"),),
        confidence=1.0, language="en",
        said_at=moment.isoformat() if dated else None, said_ts=moment if dated else None,
        said_precision="minute" if dated else "unknown",
        extractor="hand", extractor_version="1",
    )  # fmt: skip


CUES = ("none", "none", "none", "update", "correction", "revert", "retract", "add", "remove", "end", "restate")


@st.composite
def atoms(draw: st.DrawFn, keys: int = 1) -> list[Atom]:
    """Up to nine atoms of one to three holders: every cue, stated dates, relays, several keys, sets, yes/no and views."""
    found = []
    sets = [draw(st.booleans()) for _ in range(keys)]
    views = [draw(st.sampled_from([False, False, False, True])) for _ in range(keys)]
    kinds = [
        "entity" if sets[key] else draw(st.sampled_from(["entity", "entity", "yesno", "date"])) for key in range(keys)
    ]
    static = draw(st.booleans())
    for _ in range(draw(st.integers(1, 9))):
        key = draw(st.integers(0, keys - 1))
        cue = draw(st.sampled_from(CUES if sets[key] else [c for c in CUES if c not in ("add", "remove")]))
        moment = FIRST_DAY + timedelta(days=draw(st.integers(0, 40)), hours=draw(st.integers(0, 3)))
        offset = draw(st.one_of(st.none(), st.integers(-20, 30)))
        length = draw(st.one_of(st.none(), st.integers(0, 20)))
        opened: date = moment.date() + timedelta(days=offset or 0)
        words = ["yes", "no"] if kinds[key] == "yesno" else list("abcd")
        values = draw(st.lists(st.sampled_from(words), min_size=1, max_size=2 if sets[key] else 1, unique=True))
        found.append(atom(
            moment, draw(st.sampled_from(["Ann", "Bob", "Cleo"])),
            *([] if cue in ("retract", "revert", "end") and draw(st.booleans()) else values),
            cue=cue, corrects=tuple(draw(st.lists(st.sampled_from(words), max_size=1))) if cue == "correction" else (),
            start=opened.isoformat() if offset is not None else None,
            end=(opened + timedelta(days=length)).isoformat() if length is not None else None,
            many=sets[key], static=static, exhaustive=sets[key] and draw(st.booleans()), anchors=("thing", f"k{key}"),
            modality=draw(st.sampled_from(["asserted"] * 6 + ["negated", "planned", "hypothetical"])),
            kind="claim" if views[key] else "fact", value_type=kinds[key], target=f"k{key}" if views[key] else None,
            polarity=draw(st.sampled_from(["positive", "negative"])) if views[key] else None,
            relay=tuple(draw(st.sampled_from([[], [], [], ["Bob"], ["Bob", "Dan"]]))),
            dated=draw(st.sampled_from([True] * 9 + [False])),
        ))  # fmt: skip
    return found
