"""`make score`: predict the four gold suites, score them with the gold's own scorer, print one table.

The gold folder holds extract.jsonl, time.jsonl, ledger.jsonl, route.jsonl and score.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from quality.suites import predictions

SUITES: dict[str, tuple[str, ...]] = {
    "time": ("exact", "en", "ko"),
    "extract": (
        "found",
        "full",
        "claim_source",
        "relay_chain_of_gold",
        "claim_polarity",
        "event_time",
        "must_not_broken",
    ),
    "ledger": ("right", "stale", "silent", "en", "ko"),
    "route": ("gold_type_opened", "types_exact", "intent", "mean_types_opened"),
}
DEFAULT_GOLD = "../shared/gold"


def score(suite: str, gold: Path) -> dict[str, Any]:
    """The scorer's metrics for our predictions."""
    return scored(suite, gold, predictions(suite, gold / f"{suite}.jsonl"))


def scored(suite: str, gold: Path, given: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The scorer's metrics for predictions."""
    return judged(suite, gold, given)[0]


def judged(suite: str, gold: Path, given: Iterable[dict[str, Any]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The scorer's metrics for predictions, and the cases that it calls wrong, as it shows them."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as out:
        for row in given:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
        out.flush()
        command = [sys.executable, str(gold / "score.py"), suite, str(gold / f"{suite}.jsonl"), out.name]
        done = subprocess.run([*command, "--show", "1000000"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout), [json.loads(line) for line in done.stderr.splitlines()]


def line(suite: str, metrics: Mapping[str, Any], names: Iterable[str]) -> str:
    """A suite's line of the table.

    >>> line("time", {"cases": 2, "exact": 0.5}, ["exact"])
    'time        2 cases   exact 0.5'
    """
    found = ((name, metrics.get(name)) for name in names)
    told = (f"{name} {value['f1'] if isinstance(value, dict) else value}" for name, value in found)
    return f"{suite:<8} {metrics['cases']:>4} cases   {'   '.join(told)}"


def main() -> None:
    """Print the table."""
    gold = Path(sys.argv[1] if len(sys.argv) > 1 else DEFAULT_GOLD)
    if not (gold / "score.py").exists():
        sys.exit(f"no gold sets in {gold}: give their folder, as in `make score GOLD=path`")
    for suite, names in SUITES.items():
        print(line(suite, score(suite, gold), names))


if __name__ == "__main__":
    main()
