"""The DAGs: they import nothing of memlake, and Airflow runs them for real where its environment is there."""

from __future__ import annotations

import ast
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DAGS = sorted((ROOT / "airflow" / "dags").glob("*.py"))
AIRFLOW = ROOT / ".venv-airflow" / "bin" / "airflow"


@pytest.mark.parametrize("path", DAGS, ids=lambda path: path.stem)
def test_a_dag_needs_airflow_alone(path: Path) -> None:
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(path.read_text()))
        for name in (
            [a.name for a in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", "") or ""]
        )
        if isinstance(node, (ast.Import, ast.ImportFrom))
    }
    assert imported <= {"__future__", "os", "datetime", "airflow"}


def test_nothing_shadows_airflow() -> None:
    assert not (ROOT / "airflow" / "__init__.py").exists() and not (ROOT / "airflow" / "dags" / "__init__.py").exists()


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(not AIRFLOW.exists(), reason="Airflow's environment is not there; `make airflow-test` builds it")
@pytest.mark.parametrize(
    ("dag", "conf"),
    [("memlake_nightly", "{}"), ("memlake_backfill", '{"path": "/archive/a b.jsonl", "format": "native"}')],
)
def test_airflow_runs_the_dag(dag: str, conf: str, tmp_path: Path) -> None:
    """`airflow dags test` with a stand-in for the script that writes down how it was called."""
    script = tmp_path / "memlake"
    script.write_text('#!/bin/sh\nfor a in "$@"; do printf "%s|" "$a"; done >> "$CALLS"\necho >> "$CALLS"\n')
    script.chmod(0o755)
    environment = {
        **os.environ,
        "AIRFLOW_HOME": str(tmp_path / "home"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(ROOT / "airflow" / "dags"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "MEMLAKE_BIN": str(script),
        "MEMLAKE_ARCHIVE": "/archive",
        "CALLS": str(tmp_path / "calls"),
        "PATH": f"{AIRFLOW.parent}:{os.environ['PATH']}",
    }
    for command in (["db", "migrate"], ["dags", "test", dag, "--conf", conf]):
        done = subprocess.run([str(AIRFLOW), *command], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    calls = (tmp_path / "calls").read_text().splitlines()
    wanted = {
        "memlake_nightly": ["nightly|/archive|--json|", "runs|--limit|1|--json|"],
        "memlake_backfill": ["backfill|/archive/a b.jsonl|--format|native|--json|"],
    }
    assert calls == wanted[dag]
