"""`memlake bench backfill`: a whole backfill in a process of its own, with the memory of all its children."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

SAMPLE_SECONDS = 0.5


def backfill_figures(paths: Sequence[str], lake: str = "") -> dict[str, Any]:
    """Seconds, turns a second, counts a step, and the peak memory of all its processes, in MB; `lake` is kept.

    Memory is the proportional set size: pages that processes share are split among them.
    """
    with tempfile.TemporaryDirectory(prefix="memlake-bench-") as folder:
        command = [sys.executable, "-m", "jobs.cli", "backfill", *paths, "--lake", lake or f"{folder}/lake", "--json"]
        started = time.monotonic()
        with (Path(folder) / "out").open("w+") as out:
            child = subprocess.Popen(command, stdout=out)
            peak = 0
            while child.poll() is None:
                peak = max(peak, _resident(child.pid))
                time.sleep(SAMPLE_SECONDS)
            out.seek(0)
            told = out.read().splitlines()
    if child.returncode != 0 or not told:
        raise SystemExit(child.returncode or 1)
    report = json.loads(told[-1])
    return {
        "seconds": round(time.monotonic() - started, 1),
        "turns": report["audit"]["kept"],
        "turns_per_s": report["turns_per_s"],
        "peak_mb": round(peak / 2**20),
        "audit": report["audit"],
        "steps": report["steps"],
    }


def _resident(pid: int) -> int:
    """Proportional memory of a process and all that came from it: the JVM, Ray's daemons and their workers."""
    total = 0
    try:
        tree = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0
    for process in tree:
        try:
            total += process.memory_full_info().pss
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return total
