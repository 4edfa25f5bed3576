"""A backfill on demand: trigger with {"path": "/archive/2021", "format": "native"}; the same trigger resumes.

The path and the format reach the shell through the environment, never as part of the command's text.
"""

from __future__ import annotations

import os
from datetime import datetime

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG, Param

MEMLAKE = os.environ.get("MEMLAKE_BIN", "memlake")

with DAG(
    dag_id="memlake_backfill",
    description="Read an archive into the lake.",
    schedule=None,
    start_date=datetime(2024, 1, 1),
    catchup=False,
    max_active_runs=1,
    params={
        "path": Param(type="string", minLength=1, description="A file or folder that the worker can read."),
        "format": Param("", type="string", description="Empty: found from the files."),
    },
    tags=["memlake"],
):
    BashOperator(
        task_id="backfill",
        bash_command=f'"{MEMLAKE}" backfill "$ARCHIVE" --format "$ARCHIVE_FORMAT" --json',
        env={"ARCHIVE": "{{ params.path }}", "ARCHIVE_FORMAT": "{{ params.format }}"},
        append_env=True,
        retries=2,
    )
