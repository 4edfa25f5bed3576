"""By address: the same command over a Spark Connect server gives the same tables as a local session."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jobs.settings import load
from jobs.spark import delta_jars
from lakehouse.lake import Lake
from tests.conftest import SMALL, tables, write_archive

pytestmark = [pytest.mark.spark, pytest.mark.ray, pytest.mark.slow, pytest.mark.timeout(1200)]


@pytest.fixture
def connect_server(tmp_path: Path) -> Iterator[str]:
    import pyspark

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    conf = {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.sql.shuffle.partitions": "2",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.ui.enabled": "false",
    }
    command = [
        str(Path(pyspark.__file__).parent / "bin" / "spark-submit"),
        "--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "--master", "local[2]",
        "--jars", ",".join(delta_jars(load())), *(part for k, v in conf.items() for part in ("--conf", f"{k}={v}")),
    ]  # fmt: skip
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    with (tmp_path / "connect.log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=tmp_path)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.5)
        yield f"sc://127.0.0.1:{port}"
        server.terminate()
        server.wait()


def test_spark_connect_gives_the_same_tables(connect_server: str, embedding_server: str, tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "archive.jsonl", SMALL)
    for name, remote in (("local", ""), ("remote", connect_server)):
        environment = {**os.environ, "MEMLAKE_EMBEDDER": embedding_server, "MEMLAKE_SPARK_REMOTE": remote}
        environment["MEMLAKE_SPARK_FROM"] = "0" if remote else "50000"  # the server folds, or this process
        command = [
            sys.executable,
            "-m",
            "jobs.cli",
            "backfill",
            str(archive),
            "--lake",
            str(tmp_path / name),
            "--run-id",
            "r",
        ]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=500)
        assert done.returncode == 0, done.stderr
    assert tables(Lake(str(tmp_path / "remote"))) == tables(Lake(str(tmp_path / "local")))
