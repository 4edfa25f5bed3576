"""The whole flow on real engines: kept, resumed, loaded again, sealed by tenant, gated."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from jobs import faults, ledger
from jobs.ask import ask, ask_file, open_memory
from jobs.flow import execute, report
from jobs.run import Run
from jobs.settings import Settings, load
from lakehouse.errors import GateFailed, LakeBusy
from lakehouse.lake import Lake, newest_publication
from pipelines.ingest.read import files_of
from pipelines.ingest.source import ReadOptions
from tests.conftest import SMALL, SmallLake, tables, write_archive

pytestmark = [pytest.mark.spark, pytest.mark.ray, pytest.mark.milvus]


def load_archive(settings: Settings, paths: Sequence[Path], *, run_id: str = "") -> Run:
    return execute(settings, "backfill", files_of(paths, ReadOptions()), run_id=run_id, quiet=True)


def test_every_step_leaves_its_rows(small_lake: SmallLake) -> None:
    lake = small_lake.lake
    counts = {
        name: lake.count(name) for name in ("turns", "segments", "atoms", "extractions", "keys", "validity", "vectors")
    }
    assert counts["turns"] == sum(len(turns) for _, turns in SMALL)
    assert counts["extractions"] == len(SMALL)
    assert all(counts.values()), counts
    done = [row["step"] for row in ledger.steps(lake) if row["status"] == "done"]
    assert {"ingest", "extract", "resolve", "fold", "consolidate", "verify", "publish", "run"} <= set(done)


def test_answers_come_from_the_lake(small_lake: SmallLake) -> None:
    settings = small_lake.settings
    with open_memory(settings) as memory:
        now = ask(memory, "Which port does the print queue listen on?", settings)
        then = ask(memory, "Which port does the print queue listen on?", settings, as_of="2024-01-20")
        before = ask(memory, "Which port does the print queue listen on?", settings, as_of="2023-12-01")
        korean = ask(memory, "창고 비밀번호가 뭐예요?", settings)
    assert [str(found.value).split()[-1] for found in (now, then, before)] == ["6025", "6010", "5999"]
    assert korean.value is not None and "5566" in korean.value
    assert now.holders == ("Ottilie",)
    assert now.evidence


def test_a_second_load_changes_nothing(small_lake: SmallLake, tmp_path: Path) -> None:
    lake, archive = small_lake.lake, small_lake.archive
    before = tables(lake)
    lines = archive.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "b.jsonl").write_text("".join(lines[::-2]), encoding="utf-8")
    (tmp_path / "a.jsonl").write_text("".join(lines[::2]), encoding="utf-8")
    run = load_archive(small_lake.settings, [tmp_path / "b.jsonl", tmp_path / "a.jsonl"], run_id="another")
    assert tables(lake) == before
    assert report(run)["audit"] | {"balanced": True, "kept": 0} == report(run)["audit"]


class Killed(BaseException):
    """Stands for a death at a commit point: nothing in the flow catches it."""


def _die() -> None:
    raise Killed


def _die_and_resume(archive: Path, settings: Settings, points: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One lake dies at each point in turn, and then ends its run."""
    monkeypatch.setattr(faults, "action", _die)
    for point in points:
        monkeypatch.setenv(faults.VARIABLE, point)
        faults._reached.clear()
        with pytest.raises(Killed):
            load_archive(settings, [archive], run_id="same")
    monkeypatch.delenv(faults.VARIABLE)
    load_archive(settings, [archive], run_id="same")


def _different(lake: Lake, other: Lake) -> set[str]:
    want, got = tables(lake), tables(other)
    return {name for name in want if got[name] != want[name]}


def test_killed_at_commit_points_it_resumes_to_the_same_tables(
    small_lake: SmallLake, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake, archive, points = small_lake.lake, small_lake.archive, small_lake.points
    assert len(points) >= 15
    _die_and_resume(archive, settings, points[1::5], monkeypatch)
    assert _different(lake, Lake(settings.lake)) == set()


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_killed_at_every_commit_point_it_resumes_to_the_same_tables(
    small_lake: SmallLake,
    engines: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lake, archive, points = small_lake.lake, small_lake.archive, small_lake.points
    for first in range(3):
        own = load(**engines, lake=str(tmp_path / f"lake-{first}"), tenant="acme")
        _die_and_resume(archive, own, points[first::3], monkeypatch)
        assert _different(lake, Lake(own.lake)) == set()


def test_nightly_touches_only_what_it_must(settings: Settings, tmp_path: Path) -> None:
    load_archive(settings, [write_archive(tmp_path / "old.jsonl", SMALL)])
    lake = Lake(settings.lake)
    before = {row["row_id"]: row for row in lake.read("validity").to_pylist()}
    new = [("s-7", [("Bram", "2024-06-03T09:00+02:00", "The canteen closes at 15:00.")])]
    archive = [tmp_path / "old.jsonl", write_archive(tmp_path / "new.jsonl", new)]
    run = execute(settings, "nightly", files_of(archive, ReadOptions()), quiet=True)
    after = {row["row_id"]: row for row in lake.read("validity").to_pylist()}
    assert {name: row for name, row in after.items() if name in before} == before
    assert len(after) > len(before)
    told = report(run)
    assert told["steps"]["extract"]["documents"] == 1
    assert told["audit"]["kept"] == 1 and told["audit"]["known"] == sum(len(turns) for _, turns in SMALL)


def test_a_failed_gate_stops_before_publication(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quality import expectations

    archive = write_archive(tmp_path / "a.jsonl", SMALL[:1])
    law = ("nothing is ever right", "SELECT * FROM {batch}")
    with monkeypatch.context() as patch:
        patch.setitem(expectations.LAWS, "atoms", (law,))
        with pytest.raises(GateFailed, match="nothing is ever right"):
            load_archive(settings, [archive])
        other = write_archive(tmp_path / "b.jsonl", SMALL[1:2])
        with pytest.raises(GateFailed):  # another run can't carry the stopped rows past the gate
            load_archive(settings, [other])
    assert newest_publication(Lake(settings.lake)) is None
    load_archive(settings, [archive])
    pointer = newest_publication(Lake(settings.lake))
    assert pointer is not None and json.loads(pointer["counts"])["shown"] > 0


def test_a_new_model_builds_beside_and_then_switches(
    settings: Settings, engines: dict[str, object], tmp_path: Path
) -> None:
    """Also: an index that was lost is built again."""
    load_archive(settings, [write_archive(tmp_path / "a.jsonl", SMALL)])
    lake = Lake(settings.lake)
    first = newest_publication(lake)
    other = load(**{**engines, "embedder": f"{engines['embedder']}-2"}, lake=settings.lake, tenant="acme")
    execute(other, "publish", [], quiet=True)
    second = newest_publication(lake)
    assert (
        first and second and first["collection"] != second["collection"] and first["counts"] != "" != second["counts"]
    )
    with open_memory(other) as memory:
        assert str(ask(memory, "Which port does the print queue listen on?", other).value).endswith("6025")
    shutil.rmtree(Path(settings.lake) / "milvus.db")
    execute(other, "publish", [], run_id="again", quiet=True)
    with open_memory(other) as memory:
        assert len(memory.retrieve("queue", limit=100)) > 5


def test_questions_from_a_file(small_lake: SmallLake, tmp_path: Path) -> None:
    lines = [
        {"id": 1, "question": "Which port does the print queue listen on?"},
        {"id": 2, "question": "Which port does the print queue listen on?", "as_of": "2024-01-20"},
        {"id": 3, "question": "Which port does the print queue listen on?", "as_known": 0},
        "no question",
        {"id": 4, "question": "Who painted the moon?"},
    ]
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    with open_memory(small_lake.settings) as memory:
        told = list(ask_file(memory, path, small_lake.settings))
    assert [row["id"] for row in told] == [1, 2, 3, None, 4]
    assert told[0]["answer"]["value"].endswith("6025") and told[1]["answer"]["value"].endswith("6010")
    assert told[2]["answer"] == {"status": "unknown"} and "error" in told[3]
    assert {"answer", "text", "holders", "valid", "evidence", "trace"} <= set(told[0])


def test_one_writer_at_a_time(settings: Settings, tmp_path: Path) -> None:
    lake = Lake(settings.lake)
    lake.create()
    with lake.writer(), pytest.raises(LakeBusy, match="another memlake writes"):
        load_archive(settings, [write_archive(tmp_path / "a.jsonl", SMALL[:1])])


def test_tenants_never_see_each_other(settings: Settings, engines: dict[str, object], tmp_path: Path) -> None:
    """The same conversation and turn ids, 50 times, with each tenant's own words."""
    words = {"acme": "alder", "zeta": "birch"}
    for tenant, word in words.items():
        talk = [
            (f"c-{n}", [("Eva", f"2024-01-{n % 28 + 1:02d}T09:00Z", f"The code word of room {n} is {word}.")])
            for n in range(50)
        ]
        own = load(**engines, lake=settings.lake, tenant=tenant)
        load_archive(own, [write_archive(tmp_path / f"{tenant}.jsonl", talk)])
    for tenant, word in words.items():
        other = words["zeta" if tenant == "acme" else "acme"]
        own = load(**engines, lake=settings.lake, tenant=tenant)
        with open_memory(own) as memory:
            for n in range(0, 50, 7):
                found = memory.retrieve(f"What is the code word of room {n}?", limit=20)
                assert found and all(word in _text(row) and other not in _text(row) for _, row in found)
            told = ask(memory, "What is the code word of room 3?", own).as_json()
        assert other not in str(told)


def _text(row: object) -> str:
    return str(getattr(row, "content", "")) + str(getattr(row, "text", ""))
