"""Small trained heads over the packaged encoder's sentence vectors: labels with their probabilities.

`memlake train` writes `heads.npz` (docs/model-card.md says from what, and which heads were dropped). A head is one
linear layer, so it costs nothing beside the vector, which is made for search anyway. It fits the encoder that it was
trained on and no other: with another embedder the rules decide alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lakehouse.vocabulary import MemoryType
from retrieval.packaged_model import MODEL_NAME

FILE = "heads.npz"
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Head:
    """One linear layer. `weights` has shape (labels, dim), `bias` (labels,).

    A head of `many` labels gives each its own probability; in another the labels share one.
    """

    labels: tuple[str, ...]
    weights: Floats
    bias: Floats
    many: bool

    def probabilities(self, vectors: Any) -> Floats:
        """Shape (n, labels) of unit vectors of shape (n, dim)."""
        scores = np.asarray(vectors, np.float32).reshape(-1, self.weights.shape[1]) @ self.weights.T + self.bias
        if self.many:
            return np.asarray(1 / (1 + np.exp(-scores)), np.float32)
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


def file() -> Path:
    """Where the shipped heads lie."""
    return Path(str(files(__package__) / FILE))


def type_chances(vector: Any, model: str) -> dict[MemoryType, float] | None:
    """How likely a question opens each memory type, by its vector; None where the model has no heads."""
    head = load(model).get("question_types")
    if head is None:
        return None
    (row,) = head.probabilities(vector)
    return {label: float(chance) for label, chance in zip(head.labels, row, strict=True)}  # type: ignore[misc]


@cache
def load(model: str) -> Mapping[str, Head]:
    """The shipped heads by name; none for another encoder than theirs."""
    if model != MODEL_NAME:
        return {}
    with file().open("rb") as packed:
        return read(packed)


def read(source: IO[bytes]) -> dict[str, Head]:
    """The heads that `write` packed."""
    with np.load(source, allow_pickle=False) as packed:
        names = sorted(name.removesuffix(".labels") for name in packed.files if name.endswith(".labels"))
        return {
            name: Head(
                labels=tuple(str(label) for label in packed[f"{name}.labels"]),
                weights=packed[f"{name}.weights"].astype(np.float32),
                bias=packed[f"{name}.bias"].astype(np.float32),
                many=bool(packed[f"{name}.many"]),
            )
            for name in names
        }


def write(heads: Mapping[str, Head], target: IO[bytes]) -> None:
    """Pack heads, in half precision: the same heads are the same bytes."""
    arrays: dict[str, Any] = {}
    for name, head in sorted(heads.items()):
        arrays[f"{name}.labels"] = np.array(head.labels)
        arrays[f"{name}.weights"] = head.weights.astype(np.float16)
        arrays[f"{name}.bias"] = head.bias.astype(np.float16)
        arrays[f"{name}.many"] = np.array(head.many)
    np.savez_compressed(target, **arrays)
