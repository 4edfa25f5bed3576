"""Do paraphrases meet in one key with one value, and does a changed value supersede the first under its key?

A case is a sentence, its paraphrase and the same sentence with another value. Each is read as a document of its own
and goes the whole way: atoms, keys, fold.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lakehouse.records import Atom
from pipelines.fold import fold
from pipelines.resolve import mapping, raw_key, resolve_keys
from quality.predict_answers import atoms_of

TOLD = ("original", "paraphrase", "changed")
"""The order in which the three are told, a month apart."""
SPEAKER = {"en": "Desk", "ko": "안내"}


def probe(path: Path, show: int = 0) -> dict[str, Any]:
    """{"cases", "meet", "supersede", "en": {...}, "ko": {...}} of a file of cases, and the first `show` misses."""
    counts: dict[str, Counter[str]] = {"": Counter()}
    shown: list[dict[str, Any]] = []
    for line in path.read_text("utf-8").splitlines():
        case = json.loads(line)
        found = outcome(case)
        for group in ("", case["lang"]):
            own = counts.setdefault(group, Counter())
            own.update(cases=1, meet=found["meet"], supersede=found["supersede"])
        if len(shown) < show and not (found["meet"] and found["supersede"]):
            shown.append({**case, **found, "read": {name: _read(group) for name, group in _told(case).items()}})
    return {
        **_shares(counts.pop("")),
        **{language: _shares(own) for language, own in sorted(counts.items())},
        **({"missed": shown} if show else {}),
    }


def outcome(case: Mapping[str, Any]) -> dict[str, bool]:
    """Whether the first two sentences of a case meet with one value, and whether the third's value takes its place.

    >>> told = {"lang": "en", "original": "The kiosk opens at 9:00.", "paraphrase": "The kiosk opens at nine am."}
    >>> outcome({**told, "changed": "The kiosk opens at 10:00."})
    {'meet': True, 'supersede': True}
    """
    told = _told(case)
    keys = mapping(resolve_keys(atom for group in told.values() for atom in group))
    first, again, later = (_values(told[name], keys) for name in TOLD)
    rows = fold([*told["original"], *told["changed"]], keys)
    current = {(row.key, row.value.norm) for row in rows if row.status == "current"}
    past = {(row.key, row.value.norm) for row in rows if row.status == "superseded"}
    return {
        "meet": bool(first & again),
        "supersede": any(
            (key, norm) in past and any((key, new) in current for own, new in later if own == key and new != norm)
            for key, norm in first
        ),
    }


def _told(case: Mapping[str, Any]) -> dict[str, list[Atom]]:
    return {
        name: atoms_of(
            [
                {
                    "doc": name,
                    "said_at": f"2025-0{month}-10T10:00",
                    "speaker": SPEAKER[case["lang"]],
                    "text": case[name],
                }
            ]
        )
        for month, name in enumerate(TOLD, 1)
    }


def _values(atoms: Iterable[Atom], keys: Mapping[str, str]) -> set[tuple[str, str]]:
    """(key, value) of every value that the atoms state."""
    return {(keys[raw_key(atom)], value.norm) for atom in atoms for value in atom.values}


def _read(atoms: Iterable[Atom]) -> list[str]:
    return [f"{' '.join(atom.anchors)} = {', '.join(value.norm for value in atom.values)}" for atom in atoms]


def _shares(own: Counter[str]) -> dict[str, Any]:
    return {"cases": own["cases"], **{name: round(own[name] / own["cases"], 4) for name in ("meet", "supersede")}}
