"""What a parse gives of one clause: subject, relation, values; filled by `english` and `korean`."""

from __future__ import annotations

from dataclasses import dataclass

from lakehouse.records import Value


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that a clause states. Offsets are into the clause."""

    start: int
    end: int
    subject: str = ""
    relation: str = ""
    fixed: bool = False
    """The relation was read from the grammar (a role) and is not looked up."""
    values: tuple[Value, ...] = ()
    value_spans: tuple[tuple[int, int], ...] = ()
    corrects: tuple[Value, ...] = ()
    drop: tuple[tuple[int, int], ...] = ()
    negated: bool = False
    gone: bool = False
    first_person: bool = False
