"""Predictions for a gold file, one line a case, as its scorer reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lakehouse.errors import InputError
from quality.predict import predict_extract, predict_time
from quality.predict_answers import predict_ledger, predict_route

PREDICT: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "extract": predict_extract,
    "time": predict_time,
    "ledger": predict_ledger,
    "route": predict_route,
}


def predictions(suite: str, gold: Path) -> Iterator[dict[str, Any]]:
    """One prediction a case, in the file's order. Raises InputError for a line that is no case."""
    with gold.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                case = json.loads(line)
            except ValueError:
                raise InputError(
                    "not a JSON object", place=f"{gold}:{number}", hint="gold files are JSON Lines"
                ) from None
            yield PREDICT[suite](case)
