"""The lake's folder: created once, read without a JVM, leased to one writer, refused when too new."""

from __future__ import annotations

from pathlib import Path

import pytest
from deltalake import DeltaTable, write_deltalake
from hypothesis import given, settings
from hypothesis import strategies as st

from lakehouse import lake as lake_module
from lakehouse.errors import LakeBusy, LakeError, SchemaTooNew
from lakehouse.lake import Lake, properties
from lakehouse.migrate import STEPS, written_with
from lakehouse.records import Entity, Reject
from lakehouse.schema import SCHEMA_VERSION, TABLES, arrow_schema, to_arrow


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    made = Lake(str(tmp_path / "lake"))
    made.create()
    return made


def test_creating_twice_changes_nothing(lake: Lake) -> None:
    before = {name: lake.version(name) for name in TABLES}
    lake.create()
    assert {name: lake.version(name) for name in TABLES} == before == dict.fromkeys(TABLES, 0)


@pytest.mark.parametrize("table", sorted(TABLES))
def test_no_statistics_on_text_and_no_change_feed(table: str, lake: Lake) -> None:
    configuration = DeltaTable(lake.path(table)).metadata().configuration
    assert configuration["delta.enableChangeDataFeed"] == "false"
    kept = set(configuration["delta.dataSkippingStatsColumns"].split(","))
    assert not kept & set(TABLES[table].text)
    assert properties(table)["delta.dataSkippingStatsColumns"] == configuration["delta.dataSkippingStatsColumns"]


def test_words_leave_no_trace_in_the_log(lake: Lake) -> None:
    row = Reject("t", "r1", "file", 3, "broken", "quetzalcoatlus", "hash")
    write_deltalake(lake.path("rejects"), to_arrow("rejects", [row], 1), mode="append")
    log = "".join(p.read_text() for p in (Path(lake.path("rejects")) / "_delta_log").glob("*.json"))
    assert "quetzalcoatlus" not in log and "broken" in log


def test_a_missing_table_reads_empty(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "none"))
    assert lake.read("atoms").num_rows == 0 and not lake.exists()
    with pytest.raises(LakeError, match="no lake here"):
        lake.require()


def test_a_later_schema_is_refused(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lake_module, "SCHEMA_VERSION", 0)
    with pytest.raises(SchemaTooNew, match="upgrade memlake"):
        lake.create()


def test_one_lease_at_a_time(lake: Lake) -> None:
    with lake.writer(), pytest.raises(LakeBusy, match="another memlake"), Lake(lake.root).writer():
        pass
    with lake.writer():
        pass


def test_an_older_lake_is_migrated_and_keeps_its_rows(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    schema = arrow_schema("rejects")
    older = schema.remove(schema.get_field_index("sample_hash"))
    row = Reject("t", "r1", "file", 3, "broken", "", "hash")
    write_deltalake(
        lake.path("rejects"), to_arrow("rejects", [row], 1).select(older.names), description="memlake schema 0"
    )
    lake.create()
    assert lake.read("rejects").to_pylist() == [
        {
            "tenant": "t",
            "reject_id": "r1",
            "uri": "file",
            "line": 3,
            "reason": "broken",
            "detail": "",
            "sample_hash": None,
            "recorded": 1,
        }
    ]
    assert written_with(DeltaTable(lake.path("rejects"))) == SCHEMA_VERSION
    version = lake.version("rejects")
    lake.create()
    assert lake.version("rejects") == version


def test_migrations_are_numbered_in_order() -> None:
    assert [number for number, _, _ in STEPS] == list(range(1, SCHEMA_VERSION + 1))


@settings(max_examples=25)
@given(
    names=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), min_size=1, max_size=6, unique=True),
    asked=st.integers(1, 6),
)
def test_picking_by_any_text_gives_those_rows_alone(
    names: list[str], asked: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Quotes, backslashes and what looks like SQL are text."""
    names = [*names, "x' OR '1'='1", "back\\slash'", "' --"]
    lake = Lake(str(tmp_path_factory.mktemp("pick")))
    DeltaTable.create(lake.path("entities"), schema=arrow_schema("entities"))
    rows = [Entity("t", str(number), name, "thing", ()) for number, name in enumerate(names)]
    write_deltalake(lake.path("entities"), to_arrow("entities", rows, 1), mode="append")
    wanted = set(names[:asked] + names[-3:-2])
    assert sorted(lake.pick("entities", "name", wanted)["name"].to_pylist()) == sorted(n for n in names if n in wanted)
    assert lake.pick("entities", "name", []).num_rows == 0
