"""A lake that grows night by night is the lake of one load; people's decisions on keys are taken up and given back."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable, write_deltalake

from jobs.flow import execute
from jobs.fold import consolidate_events, mark_folded, resolve
from jobs.fold import fold as fold_step
from jobs.keys import decide, listed, made
from jobs.run import Run
from jobs.settings import Settings
from jobs.snapshot import snapshot
from lakehouse.errors import InputError
from lakehouse.lake import Lake
from lakehouse.records import Atom, Extraction
from lakehouse.schema import from_arrow, to_arrow
from pipelines.fold import fold
from pipelines.ingest.read import files_of
from pipelines.ingest.source import ReadOptions
from pipelines.resolve import mapping
from tests.conftest import SMALL, SmallLake, tables, write_archive

pytestmark = [pytest.mark.spark, pytest.mark.ray, pytest.mark.milvus]


def told(lake: Lake) -> dict[str, list[str]]:
    """The tables, but for when each row was recorded and what a decision was before."""
    return tables(lake, drop=("recorded", "before"))


@pytest.mark.parametrize(
    "spark_from", [50_000, pytest.param(0, marks=pytest.mark.slow)], ids=["in this process", "in Spark"]
)
def test_grown_in_any_order_it_is_the_lake_of_one_load(
    small_lake: SmallLake, settings: Settings, tmp_path: Path, spark_from: int
) -> None:
    settings = settings.model_copy(update={"spark_from": spark_from})
    lake = Lake(settings.lake)
    for name, part in (("late", SMALL[4:]), ("early", SMALL[:2]), ("rest", SMALL[2:4])):
        write_archive(tmp_path / "archive" / f"{name}.jsonl", part)
        execute(settings, "nightly", files_of([tmp_path / "archive" / f"{name}.jsonl"], ReadOptions()), quiet=True)
    whole, grown = told(small_lake.lake), told(lake)
    for table in ("atoms", "keys", "entities", "validity", "claims", "habits"):
        assert [_without_place(row) for row in grown[table]] == [_without_place(row) for row in whole[table]], table

    before = told(lake)
    port, code = (listed(settings, [word], False)[0]["key"] for word in ("port", "창고"))
    rows = made(settings, "merge", [port[:8], code], "Ada", "one thing to her")
    execute(settings, "keys merge", [], options=["1"], opening=decide(rows), quiet=True)
    merged = {row["key"] for row in lake.read("validity").to_pylist()}
    assert min(port, code) in merged and max(port, code) not in merged
    (own,) = listed(settings, [], True)
    assert {raw["who"] for raw in own["raw_keys"]} == {"Ada", "rules"}
    execute(
        settings, "keys release", [], options=["2"], quiet=True,
        opening=decide(made(settings, "release", [own["key"]], "Ada", "")),
    )  # fmt: skip
    after = told(lake)
    for table in ("keys", "validity", "claims"):
        assert after[table] == before[table], table
    with pytest.raises(InputError, match="no key"):
        made(settings, "split", ["ffffffffffff"], "Ada", "")


def test_spark_and_this_process_fold_the_same_nights_alike(
    small_lake: SmallLake, settings: Settings, tmp_path: Path
) -> None:
    """Three nights, a person's decision, and a document that is extracted again and has lost all but one atom."""
    atoms: list[Atom] = sorted(from_arrow("atoms", small_lake.lake.read("atoms")), key=lambda a: a.document)
    read: list[Extraction] = from_arrow("extractions", small_lake.lake.read("extractions"))
    names = sorted({row.document for row in read})
    often = next(name for name in names if sum(atom.document == name for atom in atoms) > 1)
    least = min(atom.atom_id for atom in atoms if atom.document == often)
    found: list[dict[str, list[str]]] = []
    for spark_from in (0, 50_000):
        own = settings.model_copy(update={"spark_from": spark_from, "lake": str(tmp_path / str(spark_from))})
        lake = Lake(own.lake)
        lake.create()
        for number, part in enumerate((names[::2], names[1::2], []), 1):
            if part:
                add(lake, "atoms", [atom for atom in atoms if atom.document in part], number)
                add(lake, "extractions", [row for row in read if row.document in part], number)
            else:
                (last,) = (row for row in read if row.document == often)
                add(lake, "extractions", [replace(last, atom_ids=(least,), fingerprint="shorter")], number)
            run = Run(lake, own, f"night-{number}", number, False, quiet=True)
            if number == 2:
                keys = [key["key"] for key in listed(own, [], False)][:2]
                decide(made(own, "merge", keys, "Ada", "one to her"))(run)
            for step in (resolve, fold_step, consolidate_events, mark_folded):
                step(run)
        found.append(told(lake))
    for table in ("keys", "entities", "validity", "claims", "habits"):
        assert found[0][table] == found[1][table], table
    assert 0 < len(found[0]["validity"]) < len(told(small_lake.lake)["validity"])


def add(lake: Lake, table: str, rows: list[Any], number: int) -> None:
    """Rows as run `number` would have recorded them."""
    write_deltalake(lake.path(table), to_arrow(table, rows, number), mode="append")


def test_a_snapshot_is_the_fold_of_what_was_told_by_then(small_lake: SmallLake) -> None:
    lake = small_lake.lake
    day = datetime(2024, 2, 1, tzinfo=UTC)
    found = snapshot(small_lake.settings, day, None, "test-told")
    atoms: list[Atom] = from_arrow("atoms", lake.read("atoms"))
    decided = mapping(from_arrow("keys", lake.read("keys")))
    told = [atom for atom in atoms if atom.said_ts and atom.said_ts < day]
    stored = DeltaTable(found["path"]).to_pyarrow_table().to_pylist()
    written = {(row["row_id"], row["valid_to"], row["status"]) for row in stored if row["view"] == "ledger"}
    assert written == {(row.row_id, row.valid_to, row.status) for row in fold(told, decided)} and told
    assert found["ledger"] == len(written) > 0 and 0 < len(told) < len(atoms)
    assert snapshot(small_lake.settings, None, "same", "test-known")["ledger"] == lake.count("validity")
    with pytest.raises(InputError, match="no such run"):
        snapshot(small_lake.settings, None, "nobody", "test")


def _without_place(row: str) -> str:
    """A row without the place of its file: the same turn stands in another file."""
    return json.dumps({name: value for name, value in json.loads(row).items() if name != "uri"}, sort_keys=True)
