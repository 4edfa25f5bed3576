"""A suite a table: good rows pass, and each law finds the row that breaks it."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.settings import load
from lakehouse.schema import TABLES, arrow_schema
from quality.expectations import LAWS, closed_columns, validate
from tests.conftest import SmallLake

pytestmark = pytest.mark.spark

BROKEN: list[tuple[str, dict[str, Any], str]] = [
    ("turns", {"text": "  "}, "a turn has words"),
    ("turns", {"said_precision": "sometimes"}, "said_precision"),
    ("atoms", {"holder": ""}, "an atom has a holder"),
    ("atoms", {"evidence": []}, "an atom has evidence"),
    ("atoms", {"kind": "rumour"}, "kind"),
    ("validity", {"opened_because": ""}, "a row says why it opened"),
    ("segments", {"first": 5, "last": 2}, "does not end before it begins"),
    ("extractions", {"document": None}, "document"),
]


@pytest.mark.parametrize(("table", "change", "said"), BROKEN)
def test_a_broken_row_is_found(small_lake: SmallLake, table: str, change: dict[str, Any], said: str) -> None:
    from jobs.spark import session

    spark = session(load(spark_master="local[2]"))
    rows = small_lake.lake.read(table).to_pylist()
    good = spark.createDataFrame(small_lake.lake.read(table))
    assert validate(table, good)["failed"] == 0
    import pyarrow as pa

    broken = pa.Table.from_pylist([{**rows[0], **change}, *rows[1:]], schema=arrow_schema(table))
    found = validate(table, spark.createDataFrame(broken))
    assert found["failed"] >= 1 and any(said in line for line in found["failures"]), found


def test_a_duplicate_key_is_found(small_lake: SmallLake) -> None:
    from jobs.spark import session

    spark = session(load(spark_master="local[2]"))
    rows = spark.createDataFrame(small_lake.lake.read("atoms"))
    assert validate("atoms", rows.union(rows))["failed"] >= 1


def test_laws_and_vocabularies_name_real_columns() -> None:
    assert set(LAWS) <= set(TABLES)
    assert closed_columns(TABLES["atoms"].record)["kind"] == {"event", "fact", "claim"}
