"""The index: publications whole, tenants apart, filters that no text can break, one holder of the file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lakehouse.errors import EngineError, IndexBusy
from retrieval import lexical
from retrieval.index import FOREVER, Hit, Index, _filter, collection_name, fuse, primary_key, tenant_key

pytestmark = pytest.mark.milvus
NAME = collection_name("test")
HOSTILE = 'zeta" or tenant != "'


def row(
    tenant: str, item: str, *, pub_from: int = 1, pub_to: int = FOREVER, kind: str = "atom", seed: int = 0
) -> dict[str, object]:
    vector = np.random.default_rng(seed).normal(size=8).astype(np.float32)
    return {
        "pk": primary_key(tenant, kind, item), "tenant": tenant_key(tenant), "kind": kind, "item": item,
        "pub_from": pub_from, "pub_to": pub_to, "said": 0, "judges": item.startswith("judge"), "em": True, "pm": False,
        "gm": False, "dense": vector.tolist(), "sparse": lexical.passages([f"word {item}"])[0],
    }  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    made = Index(str(tmp_path_factory.mktemp("milvus") / "milvus.db"))
    made.ensure(NAME, 8)
    made.upsert(NAME, [
        row("acme", "a1", seed=1), row("acme", "a2", pub_from=2, seed=2), row("acme", "a3", pub_to=2, seed=3),
        row("acme", "judge1", seed=4), row("acme", "t1", kind="turn", seed=5),
        row(HOSTILE, "z1", seed=1), row(HOSTILE, "a1", seed=1),
    ])  # fmt: skip
    yield made
    made.close()


def items(hits: list[Hit]) -> set[str]:
    return {hit.item for hit in hits}


def search(index: Index, tenant: str, publication: int, **filters: object) -> set[str]:
    return items(index.search(NAME, tenant=tenant, publication=publication, dense=np.ones(8), limit=50, **filters))  # type: ignore[arg-type]


def test_a_publication_is_seen_whole(index: Index) -> None:
    assert search(index, "acme", 1) == {"a1", "a3", "judge1", "t1"}
    assert search(index, "acme", 2) == {"a1", "a2", "judge1", "t1"}
    assert search(index, "acme", 0) == set()
    assert index.count(NAME, publication=2, tenant="acme") == 4


def test_no_name_of_a_tenant_opens_another(index: Index) -> None:
    assert search(index, HOSTILE, 1) == {"z1", "a1"}
    assert search(index, "zeta", 1) == set() and search(index, 'acme"', 1) == set()


def test_filters(index: Index) -> None:
    assert search(index, "acme", 1, kinds=("turn",)) == {"t1"}
    assert search(index, "acme", 1, judges=True) == {"judge1"}
    assert search(index, "acme", 1, types=("GM",)) == set()


def test_lexical_search_finds_the_word(index: Index) -> None:
    found = index.search(NAME, tenant="acme", publication=1, sparse=lexical.query("a3"), limit=1)
    assert items(found) == {"a3"}


def test_upserting_again_changes_nothing(index: Index) -> None:
    index.upsert(NAME, [row("acme", "a1", seed=1)])
    assert index.count(NAME, publication=1, tenant="acme") == 4


def test_another_process_that_holds_the_file(index: Index) -> None:
    code = (
        "import sys\nfrom retrieval.index import Index\nfrom lakehouse.errors import IndexBusy\n"
        "try: Index(sys.argv[1])\nexcept IndexBusy as e: print(e)"
    )
    done = subprocess.run([sys.executable, "-c", code, index.uri], capture_output=True, text=True, check=True)
    assert "another process holds the Milvus Lite file" in done.stdout
    assert IndexBusy.__mro__[1] is EngineError


def test_closing_lets_go_of_the_file(tmp_path: Path) -> None:
    for _ in range(2):
        again = Index(str(tmp_path / "milvus.db"))
        again.ensure(NAME, 8)
        again.close()


def test_a_missing_collection_says_what_to_do(index: Index) -> None:
    with pytest.raises(EngineError, match="memlake publish"):
        index.search("memlake_nowhere", tenant="acme", publication=1, dense=np.ones(8))


@given(st.text(max_size=40), st.lists(st.text(max_size=10), max_size=3))
def test_no_text_of_a_user_enters_a_filter(tenant: str, types: list[str]) -> None:
    where = _filter(3, tenant, types=types)
    quoted = where.split('"')[1::2]
    assert all(part.isalnum() for part in quoted)
    assert where.startswith(f'tenant == "{tenant_key(tenant)}"')


def test_fusing_ranks() -> None:
    a, b, c = (Hit(name, "atom", 0.5, 0) for name in "abc")
    assert [hit.item for hit in fuse([[a, b], [b, c]])] == ["b", "a", "c"]
