"""A real SIGKILL of a real process, then the same command: the tables equal an undisturbed run's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lakehouse.lake import Lake
from tests.conftest import SMALL, tables, write_archive

pytestmark = [pytest.mark.spark, pytest.mark.ray, pytest.mark.milvus, pytest.mark.slow, pytest.mark.timeout(1200)]


def backfill(archive: Path, lake: Path, embedder: str, kill_at: str = "") -> int:
    """The command in a process of its own; its exit code, negative for a signal."""
    environment = {**os.environ, "MEMLAKE_EMBEDDER": embedder, "MEMLAKE_KILL_AT": kill_at}
    command = [sys.executable, "-m", "jobs.cli", "backfill", str(archive), "--lake", str(lake), "--run-id", "same"]
    return subprocess.run(command, env=environment, check=False, timeout=600).returncode


def test_sigkill_and_the_same_command(embedding_server: str, tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "archive.jsonl", SMALL)
    assert backfill(archive, tmp_path / "whole", embedding_server) == 0
    for point in ("ingest.staged", "extract.partition", "atoms.committed", "validity.committed", "publish.upserted"):
        assert backfill(archive, tmp_path / "killed", embedding_server, kill_at=point) == -signal.SIGKILL
    assert backfill(archive, tmp_path / "killed", embedding_server) == 0
    assert tables(Lake(str(tmp_path / "killed"))) == tables(Lake(str(tmp_path / "whole")))
