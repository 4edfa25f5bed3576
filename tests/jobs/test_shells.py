"""The small parts of the shells: literals, staging, noise, run names, and errors that become one line."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import hypothesis
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs import interrupts, ledger
from jobs.flow import explained
from jobs.fold import groups
from jobs.query import literal, query
from jobs.settings import load
from jobs.staging import Staging
from lakehouse.errors import EngineError, LakeError
from lakehouse.lake import Lake
from lakehouse.schema import to_arrow
from tests.conftest import SmallLake
from tests.pipelines.ledger_atoms import atom


@pytest.mark.spark
@hypothesis.settings(deadline=None)
@given(name=st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_no_text_breaks_out_of_a_literal(small_lake: SmallLake, name: str) -> None:
    from jobs.spark import session

    spark = session(small_lake.settings)
    for hostile in (name, f"' OR '1'='1{name}", f"\\{name}'", ":tenant"):
        row = query(spark, "SELECT :tenant AS told, :n AS n, :yes AS yes", tenant=hostile, n=3, yes=True).first()
        assert (row["told"], row["n"], row["yes"]) == (hostile, 3, True)
    assert literal(False) == "FALSE"


def test_a_part_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    staging = Staging(str(tmp_path / "s"))
    staging.write("parts/a.parquet", pa.table({"n": [1, 2]}))
    (tmp_path / "s/parts/b.parquet.77.tmp").write_bytes(b"half")
    assert staging.names("parts") == ["a.parquet"] and staging.read("parts/a.parquet")["n"].to_pylist() == [1, 2]
    staging.write_json("done.json", {"n": 2})
    assert staging.read_json("done.json") == {"n": 2} and staging.read_json("gone.json") is None
    staging.clear()
    assert not staging.exists("parts") and staging.names("parts") == []


@given(st.lists(st.sampled_from("abc"), max_size=40), st.integers(1, 7))
def test_groups_do_not_hang_on_batches(keys: list[str], size: int) -> None:
    told = [atom("2025-01-01", "Ann", "x", document=f"d{n}", anchors=(key,)) for n, key in enumerate(sorted(keys))]
    table = to_arrow("atoms", told, 1).append_column("k", pa.array([a.anchors[0] for a in told], pa.string()))
    found = list(groups(iter(table.to_batches(size)), "k"))
    assert found == [(key, [a for a in told if a.anchors == (key,)]) for key in sorted(set(keys))]


def test_engines_talk_to_the_log_and_we_to_the_terminal(tmp_path: Path) -> None:
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom jobs.noise import engines_to\n"
        "with engines_to(Path(sys.argv[1])):\n"
        "    os.write(2, b'engine speaks\\n'); os.system('echo child speaks >&2'); print('we speak', file=sys.stderr)\n"
        "print('after', file=sys.stderr)"
    )
    log = tmp_path / "engines.log"
    done = subprocess.run([sys.executable, "-c", code, str(log)], capture_output=True, text=True, check=True)
    assert done.stderr.split("\n")[:2] == ["we speak", "after"]
    assert log.read_text() == "engine speaks\nchild speaks\n"


def test_the_same_command_is_the_same_run_until_it_is_done(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    lake.create()
    name = ledger.fingerprint("backfill", "acme", [("b", 1, 2), ("a", 3, 4)], ["x"])
    assert name == ledger.fingerprint("backfill", "acme", [("a", 3, 4), ("b", 1, 2)], ["x"])
    assert name != ledger.fingerprint("backfill", "zeta", [("a", 3, 4), ("b", 1, 2)], ["x"])
    begun = datetime(2024, 1, 1, tzinfo=UTC)
    assert ledger.claim(lake, name) == (name, 1, False)
    ledger.record(lake, name, 1, ledger.RUN, "started", started_at=begun)
    assert ledger.claim(lake, name) == (name, 1, True)
    ledger.record(lake, name, 1, ledger.RUN, "done", started_at=begun)
    ledger.record(lake, name, 1, ledger.RUN, "done", started_at=begun)
    assert lake.count("runs") == 2
    assert ledger.claim(lake, name) == (f"{name}.2", 2, False)


def test_a_swallowed_interrupt_is_raised_again() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interrupts.interruptible():
        interrupts.check()
        with suppress(KeyboardInterrupt):  # as an engine's callback may
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()
    interrupts.check()
    assert signal.getsignal(signal.SIGINT) is before


def test_what_an_engine_says_becomes_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMLAKE_CACHE", str(tmp_path))
    settings = load(lake="somewhere")
    full = explained(RuntimeError("Job aborted\njava.io.IOException: No space left on device\n at x"), settings)
    assert isinstance(full, LakeError) and "the disk is full" in str(full) and "same command resumes" in str(full)
    other = explained(ValueError("first line\nsecond line"), settings)
    assert isinstance(other, EngineError) and "\n" not in str(other) and "first line" in str(other)
    assert "second line" in (tmp_path / "engines.log").read_text()
