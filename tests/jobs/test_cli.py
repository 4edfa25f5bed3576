"""The command line: quick to help, clear about bad input, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lakehouse.lake import Lake


def memlake(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "jobs.cli", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **environment},
    )


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """The one line on stderr that a refusal is."""
    assert done.returncode != 0
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_help_needs_no_engine() -> None:
    code = (
        "import sys, jobs.cli as c\n"
        "try: c.cli(['--help'], standalone_mode=False)\n"
        "finally: print(sorted({m.split('.')[0] for m in sys.modules} & {'ray', 'pyspark', 'torch', 'spacy'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "backfill" in done.stdout and done.stdout.rstrip().endswith("[]")


@pytest.mark.parametrize("command", ["backfill", "nightly", "ask", "serve", "runs", "doctor", "verify", "why", "demo"])
def test_every_command_has_help(command: str) -> None:
    assert "Usage" in memlake(command, "--help").stdout


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    assert "no such file or folder (nowhere)" in one_line(memlake("backfill", "nowhere", "--lake", str(tmp_path / "l")))


def test_a_folder_that_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    archive = tmp_path / "a.jsonl"
    archive.write_text('{"conversation_id": "c", "turns": []}\n')
    line = one_line(memlake("backfill", str(archive), "--lake", str(tmp_path / "file" / "lake")))
    assert "can't be written" in line and "--lake" in line


def test_no_lake_yet(tmp_path: Path) -> None:
    assert "no lake here" in one_line(memlake("ask", "Who?", "--lake", str(tmp_path)))


def test_a_second_writer_is_told_so(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    lake.create()
    archive = tmp_path / "a.jsonl"
    archive.write_text('{"conversation_id": "c", "turns": []}\n')
    with lake.writer():
        assert "another memlake writes this lake" in one_line(memlake("backfill", str(archive), "--lake", lake.root))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--zone", "Mars/Olympus"), "no such time zone"),
        (("--column", "words=BODY"), "write OURS=THEIRS"),
        (("--extractor", "llm"), "MEMLAKE_LLM_MODEL"),
        (("--extractor", "llm-batch"), "MEMLAKE_LLM_MODEL"),
        (("--responses", "gone.jsonl"), "MEMLAKE_LLM_MODEL"),
        (("--format", "papyrus"), "no such format"),
    ],
)
def test_options_that_make_no_sense(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    archive = tmp_path / "a.jsonl"
    archive.write_text('{"conversation_id": "c", "turns": []}\n')
    done = memlake("backfill", str(archive), "--lake", str(tmp_path / "l"), *arguments)
    assert done.returncode != 0 and said in done.stderr and "Traceback" not in done.stderr


def test_a_bad_setting_is_named(tmp_path: Path) -> None:
    line = one_line(memlake("runs", "--lake", str(tmp_path), MEMLAKE_PORT="many"))
    assert "MEMLAKE_PORT" in line


@pytest.mark.parametrize(
    "arguments", [("forget", "--person", "Ada"), ("bench", "search", "--json"), ("eval", "locomo", "f")]
)
def test_what_is_not_built_says_so(arguments: tuple[str, ...]) -> None:
    assert "not built yet" in one_line(memlake(*arguments))


def test_beyond_loopback_keys_are_needed(tmp_path: Path) -> None:
    assert "needs API keys" in one_line(memlake("serve", "--lake", str(tmp_path), "--host", "0.0.0.0"))


def test_doctor_reports_as_json(tmp_path: Path) -> None:
    done = memlake("doctor", "--lake", str(tmp_path / "none"), "--json", MEMLAKE_MILVUS_URI="http://127.0.0.1:9")
    found = {row["name"]: row for row in json.loads(done.stdout)}
    assert done.returncode == 1
    assert found["milvus"]["state"] == "missing" and found["milvus"]["do"]
    assert found["packages"]["state"] == "ok"


@pytest.mark.spark
@pytest.mark.ray
def test_an_interrupt_ends_with_one_line_and_resumes(embedding_server: str, tmp_path: Path) -> None:
    """Ctrl-C while Spark starts: exit 130, one line, and the lake can still be read and written."""
    import signal

    archive = tmp_path / "a.jsonl"
    archive.write_text(
        '{"conversation_id": "c", "turns": [{"speaker": "Ada", "said_at": "2024-01-01", "text": "I live in Bern."}]}\n'
    )
    lake = tmp_path / "lake"
    child = subprocess.Popen(
        [sys.executable, "-m", "jobs.cli", "backfill", str(archive), "--lake", str(lake)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MEMLAKE_EMBEDDER": embedding_server},
    )
    deadline = time.monotonic() + 60
    while not (lake / "_staging").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    _, told = child.communicate(timeout=120)
    assert child.returncode == 130, told
    assert "the same command resumes" in told and "Traceback" not in told
    assert Lake(str(lake)).count("runs") == 1
