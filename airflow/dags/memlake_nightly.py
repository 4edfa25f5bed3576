"""The nightly run: one task that calls the command line, so Airflow's environment needs none of memlake's packages.

Variables of the scheduler's environment say where things are: MEMLAKE_BIN (the `memlake` script of memlake's
own environment), MEMLAKE_ARCHIVE (a folder that grows), MEMLAKE_LAKE, MEMLAKE_TENANT. One run at a time:
`max_active_runs=1` is the writer's lease for a lake on an object store.
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

MEMLAKE = os.environ.get("MEMLAKE_BIN", "memlake")

with DAG(
    dag_id="memlake_nightly",
    description="Take in the day's archive: ingest, extract, resolve, fold, consolidate, verify, publish.",
    schedule="15 2 * * *",
    start_date=datetime(2024, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=10)},
    tags=["memlake"],
):
    nightly = BashOperator(
        task_id="nightly",
        # The same command resumes, so a retry goes on where the attempt before it ended.
        bash_command=f'"{MEMLAKE}" nightly "$MEMLAKE_ARCHIVE" --json',
        append_env=True,
    )
    check = BashOperator(task_id="runs", bash_command=f'"{MEMLAKE}" runs --limit 1 --json', append_env=True)
    nightly >> check
