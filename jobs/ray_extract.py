"""Segment, extract and embed as three Ray Data stages, each an actor that loads its model once.

A row is a partition's name: the text goes through files of the staging folder, not through the object
store, so memory stays bounded by one partition a worker and a partition that is there need not be done
again. Ray holds back a stage that runs ahead and restarts a worker that dies.
"""

from __future__ import annotations

import json
import logging
import os
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from tenacity import (
    retry,
    retry_if_exception_type,
    retry_if_not_exception_type,
    stop_after_attempt,
    wait_exponential,
)

from jobs.noise import hush_ray_data
from jobs.settings import Settings
from jobs.staging import Staging
from lakehouse.errors import BudgetSpent, EngineError, ModelError, SettingsError
from lakehouse.ids import content_id
from lakehouse.records import Atom, Extraction, Reject, Segment, Turn
from lakehouse.schema import arrow_schema, from_arrow, to_arrow
from pipelines.ingest.drafts import Refusal, reject
from retrieval import lexical
from retrieval.index import turn_item

if TYPE_CHECKING:
    from jobs.llm_extract import Access

CHUNK = 400
"""Turns that the extractor sees at once at most, cut at segments' ends: context across borders, bounded memory."""


_started: list[bool] = []


def start(settings: Settings) -> None:
    """Connect to the Ray that the settings name, or start a local one on loopback. Raises EngineError."""
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")  # a local worker runs in this very environment
    os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS", "1")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    if ray.is_initialized():
        return
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": True}
    try:
        if settings.ray_address:
            ray.init(settings.ray_address, **quiet)
        else:
            ray.init(
                include_dashboard=False,
                object_store_memory=settings.ray_memory_mb * 2**20,
                _node_ip_address="127.0.0.1",
                **quiet,
            )
    except Exception as error:
        raise EngineError(
            f"Ray does not start ({type(error).__name__}: {str(error)[:200]})",
            place=settings.ray_address or "local",
            hint="`memlake doctor` looks closer; MEMLAKE_RAY_ADDRESS names another cluster",
        ) from error
    _started.append(True)


def stop() -> None:
    """Leave the Ray that `start` began; one that the caller had begun before is the caller's."""
    if not _started:
        return
    import ray

    _started.clear()
    if ray.is_initialized():
        ray.shutdown()


def run_partitions(
    parts: Sequence[str],
    staging: Staging,
    settings: Settings,
    *,
    tenant: str,
    sequence: int,
    shared: Access | None = None,
) -> Iterator[dict[str, Any]]:
    """Counts of each partition as it is done; one that failed, stopped or waits says so and stays undone."""
    workers = settings.workers or max(1, _cores(settings) // 2)
    stages = STAGES if len(parts) > workers else (InOne,)
    yield from run_stages(stages, parts, staging, settings, tenant, sequence, shared)


def _cores(settings: Settings) -> int:
    """The cores of the cluster; starts or joins it."""
    start(settings)
    import ray

    return int(ray.cluster_resources().get("CPU", 2))


def run_stages(
    stages: Sequence[type],
    parts: Sequence[str],
    staging: Staging,
    settings: Settings,
    tenant: str,
    sequence: int,
    shared: Access | None = None,
) -> Iterator[dict[str, Any]]:
    """The stages over the partitions, as one Ray Data pipeline of actor pools."""
    workers = settings.workers or max(1, _cores(settings) // 2)
    import ray

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    arguments = (staging, settings, tenant, sequence, shared)
    rows = [{"part": part, "number": number} for number, part in enumerate(parts)]
    dataset = ray.data.from_items(rows, override_num_blocks=len(rows))
    for stage in stages:
        dataset = dataset.map(
            stage,
            fn_constructor_args=arguments,
            compute=ray.data.ActorPoolStrategy(size=workers),
            num_cpus=0.5,
        )
    hush_ray_data()
    yield from dataset.iter_rows()


class _Stage:
    """What the three stages share: a partition's place, and that a failure is an answer, not an end."""

    name = ""
    """Its own, for Ray wraps the class in another of another name."""

    def __init__(
        self, staging: Staging, settings: Settings, tenant: str, sequence: int, shared: Access | None = None
    ) -> None:
        self.staging, self.settings, self.tenant, self.sequence = staging, settings, tenant, sequence
        self.shared = shared

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        if row.get("failed") or row.get("stopped") or row.get("waiting"):
            return row
        try:
            marker = f"extract/{self.name}/{row['number']:06d}.json"
            counts = self.staging.read_json(marker)
            if counts is None:
                counts = self._retried(row)
                if not counts.get("waiting"):
                    self.staging.write_json(marker, counts)
            return {**row, **counts}
        except (BudgetSpent, ModelError) as error:
            return {**row, "stopped": json.dumps([type(error).__name__, error.what, error.place, error.hint])}
        except Exception as error:
            return {**row, "failed": f"{type(error).__name__}: {str(error)[:300]}"}

    @retry(
        retry=retry_if_exception_type((EngineError, OSError, ConnectionError))
        & retry_if_not_exception_type(ModelError),  # it was tried often enough where it was asked
        stop=stop_after_attempt(3),
        wait=wait_exponential(0.5, max=8),
        reraise=True,
    )
    def _retried(self, row: dict[str, Any]) -> dict[str, int]:
        return self.work(row)

    def work(self, row: dict[str, Any]) -> dict[str, int]:
        """Do one partition and return its counts."""
        raise NotImplementedError

    def documents(self, row: dict[str, Any]) -> Iterator[list[Turn]]:
        """The partition's documents, each with its turns in order."""
        turns: list[Turn] = from_arrow("turns", self.staging.read(row["part"]))
        turns.sort(key=order)
        for _, group in groupby(turns, key=lambda turn: turn.document):
            yield list(group)

    def write(self, table: str, row: dict[str, Any], rows: pa.Table) -> None:
        self.staging.write(f"extract/{table}/{self.name}-{row['number']:06d}.parquet", rows)


def order(turn: Turn) -> tuple[str, float, int, str]:
    """Documents apart, then by time, then as the file has them; undated turns stay where the file has them first."""
    return turn.document, turn.said_ts.timestamp() if turn.said_ts else 0.0, turn.position, turn.turn_id


class Segmenter(_Stage):
    """Turns to vectors and segments."""

    name = "segmenter"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.encoder = encoder(self.settings.embedder, self.settings.cache)

    def work(self, row: dict[str, Any]) -> dict[str, int]:
        from pipelines.atoms import readable
        from pipelines.extract.route import worth
        from pipelines.segment import segment

        documents = list(self.documents(row))
        turns = [turn for document in documents for turn in document]
        vectors = self.encoder.passages([turn.text for turn in turns])
        counts: Counter[str] = Counter(turns=len(turns), documents=len(documents))
        segments: list[Segment] = []
        at = 0
        for document in documents:
            dropped = {}
            for turn in document:
                kept, reason = worth(turn)
                counts["tails_not_read"] += len(readable(turn).text) < len(turn.text)
                if not kept:
                    dropped[turn.turn_id] = reason
                    counts[f"dropped:{reason}"] += 1
            segments += segment(document, vectors[at : at + len(document)], dropped)
            at += len(document)
        counts["segments"] = len(segments)
        self.write("segments", row, to_arrow("segments", segments, self.sequence))
        items = [(turn_item(turn.document, turn.turn_id), turn.content_hash) for turn in turns]
        terms = lexical.passages([turn.text for turn in turns])
        self.write(
            "vectors", row, vector_rows(self.tenant, "turn", self.encoder.name, items, vectors, terms, self.sequence)
        )
        return dict(counts)


@dataclass(slots=True)
class Document:
    """A document on its way: its turns and segments, and what was found in it so far."""

    turns: list[Turn]
    segments: list[Segment]
    atoms: list[Atom] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)


class Extractor(_Stage):
    """Turns to atoms, edges and the document's extraction."""

    name = "extractor"

    def work(self, row: dict[str, Any]) -> dict[str, int]:
        from pipelines.graph import edges

        found: list[Segment] = from_arrow("segments", self.staging.read(self._segments(row)))
        by_document: dict[str, list[Segment]] = {}
        for segment in sorted(found, key=lambda s: (s.document, s.first)):
            by_document.setdefault(segment.document, []).append(segment)
        documents = [Document(turns, by_document[turns[0].document]) for turns in self.documents(row)]
        counts: Counter[str] = Counter()
        if self.settings.extractor in ("rules", "hybrid"):
            for document in documents:
                document.atoms, document.rejects = document_atoms(document.turns, document.segments)
                counts["failed_turns"] += len(document.rejects)
        if self.shared is not None:
            from jobs.llm_extract import ask_model

            counts += ask_model(documents, self.settings, self.shared, self.staging, row["number"])
            if counts["waiting"]:
                return dict(counts)
        extractor, version = extractor_of(self.settings)
        atoms: list[Atom] = []
        links, extractions, rejects = [], [], []
        for document in documents:
            own = placed(document.atoms, document.turns, document.segments)
            rejects += document.rejects
            atoms += own
            links += edges(document.turns, document.segments, own)
            counts.update(atom.kind for atom in own)
            extractions.append(
                Extraction(
                    tenant=self.tenant,
                    document=document.turns[0].document,
                    fingerprint=content_id(*sorted(turn.content_hash for turn in document.turns), extractor, version),
                    turns=len(document.turns),
                    atom_ids=tuple(sorted(atom.atom_id for atom in own)),
                    extractor=extractor,
                    extractor_version=version,
                )
            )
        counts["atoms"] = len(atoms)
        self.write("atoms", row, to_arrow("atoms", atoms, self.sequence))
        self.write("edges", row, to_arrow("edges", links, self.sequence))
        self.write("extractions", row, to_arrow("extractions", extractions, self.sequence))
        if rejects:
            self.write("rejects", row, to_arrow("rejects", rejects, self.sequence))
        return dict(counts)

    def _segments(self, row: dict[str, Any]) -> str:
        return f"extract/segments/segmenter-{row['number']:06d}.parquet"


def place_of(error: BaseException) -> str:
    """Where an error came from: file and line, no text of the document."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}:{last.lineno}"


def extractor_of(settings: Settings) -> tuple[str, str]:
    """(extractor, version) as a document's extraction names them; a batch is the same extractor as live calls."""
    from pipelines.extract import EXTRACTOR, VERSION

    if settings.extractor == "rules":
        return EXTRACTOR, VERSION
    from pipelines.llm import PROMPT_VERSION

    model = f"{PROMPT_VERSION} {settings.llm_model}"
    return ("hybrid", f"{VERSION} {model}") if settings.extractor == "hybrid" else ("llm", model)


def document_atoms(document: list[Turn], segments: list[Segment]) -> tuple[list[Atom], list[Reject]]:
    """(atoms, turns that extraction failed on) by the rules.

    One turn's text must not stop the others: a chunk that fails is read again a turn at a time, and the turns that
    fail alone are refused. They stay stored and searchable.
    """
    from pipelines.atoms import read_atoms

    names = tuple(sorted({turn.speaker for turn in document}))
    atoms: list[Atom] = []
    failures: list[Reject] = []
    for first, last in chunks(segments):
        part = document[first : last + 1]
        try:
            atoms += read_atoms(part, names)
        except Exception:
            for turn in part:
                try:
                    atoms += read_atoms([turn], names)
                except Exception as error:
                    detail = f"turn {turn.turn_id}: {type(error).__name__} in {place_of(error)}"
                    refusal = Refusal(turn.position, "extraction_failed", detail, turn.content_hash)
                    failures.append(reject(turn.tenant, turn.uri, refusal))
    return atoms, failures


def placed(atoms: Sequence[Atom], document: Sequence[Turn], segments: Sequence[Segment]) -> list[Atom]:
    """Each atom in the segment of its first evidence, with its own key."""
    from pipelines.resolve import raw_key

    home = {
        turn.turn_id: segment.segment_id for segment in segments for turn in document[segment.first : segment.last + 1]
    }
    return [replace(a, segment_id=home[a.evidence[0].turn_id], raw_key=raw_key(a)) for a in atoms]


def chunks(segments: Sequence[Segment]) -> Iterator[tuple[int, int]]:
    """(first, last) positions of runs of whole segments with at most `CHUNK` turns."""
    first = 0
    for before, after in pairwise(segments):
        if after.last - first + 1 > CHUNK:
            yield first, before.last
            first = after.first
    if segments:
        yield first, segments[-1].last


class Embedder(_Stage):
    """Atoms to vectors."""

    name = "embedder"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.encoder = encoder(self.settings.embedder, self.settings.cache)

    def work(self, row: dict[str, Any]) -> dict[str, int]:
        name = f"extract/atoms/extractor-{row['number']:06d}.parquet"
        atoms = self.staging.read(name, columns=["atom_id", "content"])
        ids, texts = atoms["atom_id"].to_pylist(), atoms["content"].to_pylist()
        unique = {text: place for place, text in enumerate(dict.fromkeys(texts))}  # frames share a statement's sentence
        known, words = self.encoder.passages(list(unique)), lexical.passages(list(unique))
        places = [unique[text] for text in texts]
        vectors, terms = known[places] if places else known, [words[place] for place in places]
        items = [(atom, content_id("content", text)) for atom, text in zip(ids, texts, strict=True)]
        self.write(
            "vectors", row, vector_rows(self.tenant, "atom", self.encoder.name, items, vectors, terms, self.sequence)
        )
        return {"embedded": len(ids)}


class TextEmbedder(_Stage):
    """Items (id, kind, text) to vectors: for a model that has not seen them."""

    name = "reembedder"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.encoder = encoder(self.settings.embedder, self.settings.cache)

    def work(self, row: dict[str, Any]) -> dict[str, int]:
        items = self.staging.read(row["part"]).to_pylist()
        for kind in ("turn", "atom"):
            own = [item for item in items if item["kind"] == kind]
            if own:
                texts = [item["text"] for item in own]
                named = [(item["item"], item["text_hash"]) for item in own]
                rows = vector_rows(
                    self.tenant,
                    kind,
                    self.encoder.name,
                    named,
                    self.encoder.passages(texts),
                    lexical.passages(texts),
                    self.sequence,
                )
                self.staging.write(f"reembed/vectors/{kind}-{row['number']:06d}.parquet", rows)
        return {"embedded": len(items)}


STAGES = (Segmenter, Extractor, Embedder)


class InOne:
    """All stages in one worker: with so few partitions nothing overlaps, and one model load saves more."""

    def __init__(self, *arguments: Any) -> None:
        self.stages = [stage(*arguments) for stage in STAGES]

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        for stage in self.stages:
            row = stage(row)
        return row


@cache
def encoder(setting: str, cache_folder: Path) -> Any:
    """The embedder of a batch worker, once a process; one thread, for the workers share the cores."""
    from retrieval.embedder import make_embedder

    if not setting:
        raise SettingsError("no embedder", place="MEMLAKE_EMBEDDER", hint="leave it unset for the packaged one")
    return make_embedder(setting, cache=cache_folder / "models", threads=1)


def vector_rows(
    tenant: str,
    kind: str,
    model: str,
    items: Sequence[tuple[str, str]],
    vectors: Any,
    terms: Sequence[dict[int, float]],
    sequence: int,
) -> pa.Table:
    """Vectors as rows, built by column: `items` are (id, text hash)."""
    count = len(items)
    width = vectors.shape[1] if count else 0
    columns = {
        "tenant": pa.array([tenant] * count, pa.string()),
        "item": pa.array([item for item, _ in items], pa.string()),
        "kind": pa.array([kind] * count, pa.string()),
        "model": pa.array([model] * count, pa.string()),
        "text_hash": pa.array([text for _, text in items], pa.string()),
        "vector": _lists(np.asarray(vectors, np.float32).reshape(-1), np.arange(count + 1) * width, pa.float32()),
        "terms": pa.array([list(sparse) for sparse in terms], pa.list_(pa.int64())),
        "weights": pa.array([list(sparse.values()) for sparse in terms], pa.list_(pa.float32())),
        "recorded": pa.array([sequence] * count, pa.int64()),
    }
    schema = arrow_schema("vectors")
    return pa.table([columns[name].cast(schema.field(name).type) for name in schema.names], schema=schema)


def _lists(values: Any, offsets: Any, kind: pa.DataType) -> pa.Array:
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values, kind))
