"""The Milvus collection: what is published, and searching it. Milvus Lite in a file, any Milvus by address.

A row is an atom or a turn: its id, tenant, filter fields and two vectors; no text, for Milvus keeps deleted
words in its files. Milvus Lite knows no bound parameters, so no text of a user ever enters a filter: tenants
and ids are content hashes, the rest are integers and names of a closed vocabulary.
"""

from __future__ import annotations

import fcntl
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lakehouse.errors import EngineError, IndexBusy
from lakehouse.ids import content_id
from lakehouse.vocabulary import MEMORY_TYPES
from retrieval.lexical import Sparse

FOREVER = 2**62
KINDS = ("atom", "turn")
FIELDS = ("pk", "tenant", "kind", "item", "pub_from", "pub_to", "said", "judges", "em", "pm", "gm")
INSERT_ROWS = 500
RRF_K = 60
"""Reciprocal rank fusion's constant (Cormack et al., 2009)."""
Kind = Literal["atom", "turn"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A published item that a search found; `score` orders hits of one search."""

    item: str
    kind: Kind
    score: float
    said: int


def tenant_key(tenant: str) -> str:
    """The partition key of a tenant: a hash, so that no name can break out of a filter."""
    return content_id("tenant", tenant)


def primary_key(tenant: str, kind: str, item: str) -> str:
    """The primary key of an item: the same item of two tenants is two rows."""
    return content_id("row", tenant, kind, item)


def turn_item(document: str, turn_id: str) -> str:
    """The item of a turn: turn ids are unique within their document only."""
    return f"{document}/{turn_id}"


def collection_name(model: str) -> str:
    """One collection an embedding model: a new model builds beside the old one."""
    return f"memlake_{content_id('model', model)[:12]}"


class Index:
    """A connection to Milvus. Raises IndexBusy when another process holds the file, EngineError when none answers."""

    def __init__(self, uri: str, token: str = "") -> None:
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
        logging.getLogger("milvus_lite").setLevel(logging.CRITICAL)
        from pymilvus import MilvusClient
        from pymilvus.exceptions import MilvusException

        self.uri, self.lite = uri, "://" not in uri
        self._loaded: set[str] = set()
        if self.lite:
            refuse_if_held(Path(uri))
        try:
            self._client = MilvusClient(uri, token=token) if token else MilvusClient(uri)
        except (MilvusException, OSError) as error:
            raise EngineError(
                f"Milvus does not answer ({type(error).__name__})",
                place=uri,
                hint="start it, or unset MEMLAKE_MILVUS_URI for the embedded one",
            ) from error

    def close(self) -> None:
        """Let go of the file or the connection."""
        self._client.close()
        if self.lite:  # the client leaves the embedded server, and with it the file's lock, to the process's end
            from milvus_lite.server_manager import server_manager_instance

            server_manager_instance.release_server(self.uri)

    def has(self, collection: str) -> bool:
        """Whether the collection is there."""
        return bool(self._client.has_collection(collection))

    def ensure(self, collection: str, dim: int) -> None:
        """Create the collection unless it is there."""
        if self.has(collection):
            return
        from pymilvus import DataType

        schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("pk", DataType.VARCHAR, max_length=64, is_primary=True)
        schema.add_field("tenant", DataType.VARCHAR, max_length=64, is_partition_key=True)
        schema.add_field("kind", DataType.VARCHAR, max_length=16)
        schema.add_field("item", DataType.VARCHAR, max_length=1024)
        for name in ("pub_from", "pub_to", "said"):
            schema.add_field(name, DataType.INT64)
        for name in ("judges", "em", "pm", "gm"):
            schema.add_field(name, DataType.BOOL)
        schema.add_field("dense", DataType.FLOAT_VECTOR, dim=dim)
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
        params = self._client.prepare_index_params()
        # Lite: exact search, for its graph index loses recall silently under a selective filter.
        dense = (
            {"index_type": "FLAT"} if self.lite else {"index_type": "HNSW", "params": {"M": 16, "efConstruction": 200}}
        )
        params.add_index("dense", metric_type="COSINE", **dense)
        params.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
        self._client.create_collection(collection, schema=schema, index_params=params)

    def upsert(self, collection: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write rows by primary key; doing it again changes nothing."""
        for at in range(0, len(rows), INSERT_ROWS):
            self._client.upsert(collection, [dict(row) for row in rows[at : at + INSERT_ROWS]])

    def rows(self, collection: str, keys: Sequence[str], fields: Sequence[str] = FIELDS) -> Iterator[dict[str, Any]]:
        """The rows of primary keys, those that are there."""
        self._load(collection)
        for at in range(0, len(keys), INSERT_ROWS):
            part = [key for key in keys[at : at + INSERT_ROWS] if key.isalnum()]
            listed = ", ".join(f'"{key}"' for key in part)
            yield from self._client.query(collection, filter=f"pk in [{listed}]", output_fields=list(fields))

    def delete(self, collection: str, keys: Sequence[str]) -> None:
        """Remove rows by primary key."""
        for at in range(0, len(keys), INSERT_ROWS):
            self._client.delete(collection, ids=list(keys[at : at + INSERT_ROWS]))

    def count(self, collection: str, *, publication: int, tenant: str | None = None) -> int:
        """Rows that a publication shows."""
        if not self.has(collection):
            return 0
        self._load(collection)
        found = self._client.query(collection, filter=_filter(publication, tenant), output_fields=["count(*)"])
        return int(found[0]["count(*)"])

    def search(
        self,
        collection: str,
        *,
        tenant: str,
        publication: int,
        dense: Any = None,
        sparse: Sparse | None = None,
        kinds: Sequence[Kind] = KINDS,  # type: ignore[assignment]
        types: Sequence[str] = (),
        judges: bool | None = None,
        limit: int = 20,
    ) -> list[Hit]:
        """The nearest items, by one vector, or by both with their ranks fused (RRF).

        `types` keeps atoms of any of these memory types (turns have none, and pass); `judges` keeps or leaves
        out claims that judge.
        """
        self._load(collection)
        where = _filter(publication, tenant, kinds, types, judges)
        found: list[list[Hit]] = []
        if dense is not None:
            found.append(self._one(collection, "dense", np.asarray(dense, np.float32).tolist(), where, limit))
        if sparse:
            found.append(self._one(collection, "sparse", sparse, where, limit))
        return fuse(found)[:limit] if len(found) > 1 else (found[0] if found else [])

    def _load(self, collection: str) -> None:
        """A reopened collection must be loaded before it can be read. Raises EngineError when it is not there."""
        if collection in self._loaded:
            return
        if not self.has(collection):
            raise EngineError(
                "the published collection is missing from Milvus",
                place=f"{self.uri}, {collection}",
                hint="`memlake publish` builds it again, or point MEMLAKE_MILVUS_URI to where it was published",
            )
        self._client.load_collection(collection)
        self._loaded.add(collection)

    def _one(self, collection: str, field: str, vector: Any, where: str, limit: int) -> list[Hit]:
        metric = "COSINE" if field == "dense" else "IP"
        found = self._client.search(
            collection,
            data=[vector],
            anns_field=field,
            filter=where,
            limit=limit,
            search_params={"metric_type": metric, **({} if self.lite else {"params": {"ef": max(128, 2 * limit)}})},
            output_fields=["item", "kind", "said"],
        )
        return [
            Hit(hit["entity"]["item"], hit["entity"]["kind"], float(hit["distance"]), int(hit["entity"]["said"]))
            for hit in found[0]
        ]


def fuse(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Hits of several rankings by the sum of 1 / (60 + rank); ties by item, so that the order is stable."""
    scores: dict[tuple[str, str], float] = {}
    hits: dict[tuple[str, str], Hit] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, 1):
            name = (hit.kind, hit.item)
            hits.setdefault(name, hit)
            scores[name] = scores.get(name, 0.0) + 1 / (RRF_K + rank)
    order = sorted(scores, key=lambda name: (-scores[name], name))
    return [Hit(hits[n].item, hits[n].kind, scores[n], hits[n].said) for n in order]


def _filter(
    publication: int,
    tenant: str | None,
    kinds: Sequence[str] = KINDS,
    types: Sequence[str] = (),
    judges: bool | None = None,
) -> str:
    parts = [f"pub_from <= {int(publication)}", f"pub_to > {int(publication)}"]
    if tenant is not None:
        parts.insert(0, f'tenant == "{tenant_key(tenant)}"')
    if set(kinds) != set(KINDS):
        parts.append(" or ".join(f'kind == "{kind}"' for kind in KINDS if kind in kinds) or "pub_from < 0")
        parts[-1] = f"({parts[-1]})"
    if named := [name.lower() for name in types if name in MEMORY_TYPES]:
        parts.append(f"({' or '.join(f'{name} == true' for name in named)})")
    if judges is not None:
        parts.append(f"judges == {'true' if judges else 'false'}")
    return " and ".join(parts)


def refuse_if_held(path: Path) -> None:
    """Milvus Lite takes a lock on its folder; ask for it first, so that the refusal is one clear line."""
    lock = path / "LOCK"
    if not lock.exists():
        return
    try:
        with lock.open("a") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.flock(handle, fcntl.LOCK_UN)
    except BlockingIOError:
        raise IndexBusy(
            "another process holds the Milvus Lite file",
            place=str(path),
            hint="stop it (`memlake serve`?), or set MEMLAKE_MILVUS_URI to a Milvus server",
        ) from None
    except OSError as error:
        raise EngineError(f"the Milvus Lite file can't be opened ({error.strerror})", place=str(path)) from error
