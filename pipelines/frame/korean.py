"""Korean readings: values and slots of a clause, from Kiwi's morphemes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.frame.slots import Reading
from pipelines.frame.values import entity, find_values
from pipelines.frame.words import parse_korean

FIRST = re.compile(r"(?<![가-힣])(?:나|난|내|나는|제|제가|저|저는|전|내가|우리|저희)(?![가-힣])")


def readings(clause: str, subject: str, times: Sequence[tuple[int, int]]) -> list[Reading]:
    """At least one reading of the clause."""
    first = bool(FIRST.search(clause))
    typed = [f for f in find_values(clause, "ko") if not any(f.start < e and s < f.end for s, e in times)]
    if typed:
        best = typed[-1]
        return [Reading(0, len(clause), values=(best.value,), value_spans=((best.start, best.end),), first_person=first)]
    nouns = [t for t in parse_korean(clause) if t.tag in ("NNP", "NNG", "SL")]
    nouns = [t for t in nouns if not any(t.start < e and s < t.start + t.len for s, e in times)]
    if nouns:
        last = nouns[-1]
        return [Reading(0, len(clause), values=(entity(last.form),), value_spans=((last.start, last.start + last.len),),
                        first_person=first)]  # fmt: skip
    return [Reading(0, len(clause), first_person=first)]
