"""The schema is written once: records go to Arrow and back, and every table says what it needs to."""

from __future__ import annotations

import dataclasses
import pickle
from datetime import UTC, datetime
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakehouse import errors
from lakehouse.ids import atom_id, bucket_of, content_id, document_id
from lakehouse.schema import TABLES, arrow_schema, from_arrow, required, to_arrow

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
MOMENTS = st.datetimes(datetime(1980, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: st.integers(-(2**40), 2**40),
    float: st.floats(-1e6, 1e6, width=32),
    bool: st.booleans(),
    datetime: MOMENTS,
}


def values_of(annotation: Any) -> st.SearchStrategy[Any]:
    """Values of a field's annotation."""
    origin = get_origin(annotation)
    if origin is Literal:
        return st.sampled_from(get_args(annotation))
    if origin is tuple:
        return st.lists(values_of(get_args(annotation)[0]), max_size=3).map(tuple)
    if origin is Union or str(origin) == "<class 'types.UnionType'>":
        return st.one_of(*(st.none() if a is type(None) else values_of(a) for a in get_args(annotation)))
    if dataclasses.is_dataclass(annotation):
        return rows_of(annotation)
    return PLAIN[annotation]


def rows_of(record: Any) -> st.SearchStrategy[Any]:
    """Records with any values."""
    hints = get_type_hints(record)
    return st.builds(record, **{f.name: values_of(hints[f.name]) for f in dataclasses.fields(record)})


@pytest.mark.parametrize("table", sorted(TABLES))
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_records_survive_arrow(table: str, data: st.DataObject) -> None:
    rows = data.draw(st.lists(rows_of(TABLES[table].record), max_size=4))
    assert from_arrow(table, to_arrow(table, rows, 7)) == rows


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_table_says_what_it_needs(table: str) -> None:
    entry = TABLES[table]
    names = set(arrow_schema(table).names)
    assert set(entry.key) | set(entry.cluster) | set(entry.text) <= names
    assert set(entry.key) <= set(required(entry.record))
    assert "tenant" in entry.key or table in ("runs", "publications")
    assert entry.about.endswith(".")


@given(st.lists(TEXT, min_size=1, max_size=4), st.lists(TEXT, min_size=1, max_size=4))
def test_ids_meet_only_for_equal_parts(a: list[str], b: list[str]) -> None:
    assert (content_id(*a) == content_id(*b)) == (a == b)


@given(TEXT, TEXT, st.integers(1, 4096))
def test_ids_are_stable_and_tenants_apart(conversation: str, session: str, buckets: int) -> None:
    one = document_id("acme", conversation, session)
    assert one == document_id("acme", conversation, session) != document_id("zeta", conversation, session)
    assert 0 <= bucket_of(one, buckets) < buckets


def test_an_atom_id_is_its_place_and_its_words() -> None:
    one = atom_id("t", "d", "t1", 0, 9, "The  Port is 1")
    assert one == atom_id("t", "d", "t1", 0, 9, "the port is 1")
    assert (
        len({one, atom_id("t", "d", "t1", 0, 8, "the port is 1"), atom_id("t", "d", "t2", 0, 9, "the port is 1")}) == 3
    )


@pytest.mark.parametrize(
    "kind", [e for e in vars(errors).values() if isinstance(e, type) and e.__module__ == errors.__name__]
)
def test_errors_cross_process_borders(kind: type[errors.MemlakeError]) -> None:
    error = kind("what", place="where", hint="do this")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind and str(copy) == "what (where): do this"
