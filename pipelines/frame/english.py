"""English readings: values and slots of a clause, from spaCy's parse."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.frame.slots import Reading
from pipelines.frame.values import entity, find_values
from pipelines.frame.words import parse_english

FIRST = re.compile(r"\b(?:I|I'm|I've|I'd|my|mine|me|we|our|us|we're|we've)\b")


def readings(clause: str, subject: str, times: Sequence[tuple[int, int]]) -> list[Reading]:
    """At least one reading of the clause."""
    first = bool(FIRST.search(clause))
    typed = [f for f in find_values(clause, "en") if not any(f.start < e and s < f.end for s, e in times)]
    strong = [f for f in typed if f.value.type not in ("number", "weekday", "date")] or typed
    if strong:
        best = strong[-1]
        return [Reading(0, len(clause), values=(best.value,), value_spans=((best.start, best.end),), first_person=first)]
    doc = parse_english(clause)
    chunks = [c for c in doc.noun_chunks if not any(c.start_char < e and s < c.end_char for s, e in times)]
    names = [c for c in chunks if c.root.pos_ == "PROPN"] or [c for c in chunks if c.root.pos_ == "NOUN"]
    if len(names) >= 1 and chunks:
        chunk = names[-1]
        return [Reading(0, len(clause), values=(entity(chunk.text),), value_spans=((chunk.start_char, chunk.end_char),),
                        first_person=first)]  # fmt: skip
    return [Reading(0, len(clause), first_person=first)]
