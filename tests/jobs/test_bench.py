"""Benchmarks print what they promise; their figures are for people to read, not for tests to judge."""

from __future__ import annotations

from importlib.resources import files

import pytest

from jobs.bench_extract import extract_figures
from jobs.bench_ledger import ledger_figures
from jobs.settings import load


def test_extraction_beside_its_parsers() -> None:
    found = extract_figures([str(files("jobs") / "demo_archive.jsonl")], 40)
    assert {"en_turns_per_s", "ko_turns_per_s", "en_ratio", "ko_ratio"} <= set(found)
    assert found["en_turns"] == found["ko_turns"] == 40 and min(found["en_atoms"], found["ko_atoms"]) > 0


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.timeout(1200)
def test_the_ledger_at_two_sizes(engines: dict[str, object]) -> None:
    found = ledger_figures(load(**engines, tenant="default"), [500, 1000], hot=2000, new=0.02)
    promised = {"fold_atoms_per_s", "spark_atoms_per_s", "spark_ratio", "growth", "hot_key_s", "nightly_ratio"}
    assert promised <= set(found) and all(found[name] is not None for name in promised)
