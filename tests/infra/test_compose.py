"""The compose file: it parses, it says nothing that the code's pins deny, and nothing listens beyond loopback."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "infra" / "compose.yaml"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    return dict(yaml.safe_load(COMPOSE.read_text())["services"])


def test_what_runs(services: dict[str, Any]) -> None:
    assert {"milvus", "spark", "ray", "airflow"} <= set(services)
    for name, service in services.items():
        for needed in service.get("depends_on", []):
            assert needed in services, (name, needed)


def test_every_port_is_on_loopback(services: dict[str, Any]) -> None:
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert ports and all(str(port).startswith("127.0.0.1:") for port in ports)


def test_images_are_pinned_and_no_password_is_written(services: dict[str, Any]) -> None:
    for service in services.values():
        image = service["image"]
        assert image.startswith("${") or (":" in image and not image.endswith(":latest")), image
    assert not re.search(r"(PASSWORD|SECRET\w*): (?!\$\{)", COMPOSE.read_text())


def test_versions_are_the_projects() -> None:
    pins = dict(
        re.match(r"([\w-]+)(?:\[[^]]*\])?==(.+)", line).groups()  # type: ignore[union-attr]
        for line in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
        if "==" in line
    )
    text = COMPOSE.read_text()
    spark = ".".join(pins["pyspark"].split(".")[:2])
    assert f"io.delta:delta-spark_{spark}_2.13:{pins['delta-spark']}" in text
    airflow = re.search(r"AIRFLOW_VERSION := (\S+)", (ROOT / "Makefile").read_text())
    assert airflow and f"apache/airflow:{airflow[1]}-python3.11" in text


def test_files_that_it_names_are_there(services: dict[str, Any]) -> None:
    for service in services.values():
        if build := service.get("build"):
            assert (COMPOSE.parent / build["context"] / build["dockerfile"]).exists()
    copied = re.findall(r"^COPY (.+) \S+$", (ROOT / "infra" / "worker.Dockerfile").read_text(), re.MULTILINE)
    assert all((ROOT / name).exists() for line in copied for name in line.split())


def compose_command() -> list[str]:
    """Docker Compose as a plugin or as the older script; empty where neither is."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if (
            shutil.which(command[0])
            and not subprocess.run([*command, "version"], capture_output=True, check=False).returncode
        ):
            return command
    return []


@pytest.mark.skipif(not compose_command(), reason="Docker Compose is not installed")
def test_compose_itself_accepts_it(tmp_path: Path) -> None:
    environment = tmp_path / ".env"
    environment.write_text("MINIO_USER=u\nMINIO_PASSWORD=p\n")
    command = [*compose_command(), "--env-file", str(environment), "-f", str(COMPOSE), "config", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
