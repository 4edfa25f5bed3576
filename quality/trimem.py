"""TriMEM (of MemoType): which memory types a message holds, by the rules and by the heads, side by side.

Its rows are messages with a yes or no for each type; a row may have none. The file is for evaluation alone: nothing
is trained or tuned on it. The rules' types are those of the atoms that they find; the heads' are the types that are
likelier than not, and none where the worth head finds nothing to remember.
"""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lakehouse.errors import InputError
from lakehouse.ids import content_id
from lakehouse.records import Turn
from lakehouse.vocabulary import MemoryType
from pipelines.atoms import read_atoms
from pipelines.language import detect
from quality.model_card import table
from retrieval.heads import Head

COLUMNS: dict[str, MemoryType] = {
    "Episodic Memory": "EM", "Personal Semantic Memory": "PM", "General Semantic Memory": "GM",
}  # fmt: skip
SPEAKER = re.compile(r"^\s*\[([^\]\n]{1,40})\]:\s*")
SEED = 11
BATCH = 64
LONGEST_CELL = 2**24

Types = frozenset[MemoryType]


@dataclass(frozen=True, slots=True)
class Message:
    """A row: who speaks, what is said, and the types that it is labelled with."""

    speaker: str
    text: str
    types: Types


def messages(path: Path) -> list[Message]:
    """The rows of a file. Raises InputError where it is none of TriMEM's."""
    csv.field_size_limit(LONGEST_CELL)
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.DictReader(lines)
        if missing := {"Content", *COLUMNS} - set(rows.fieldnames or ()):
            raise InputError(f"no column {', '.join(sorted(missing))}", place=str(path), hint="give TriMEM.csv")
        return [_message(row) for row in rows]


def _message(row: Mapping[str, str]) -> Message:
    content = row["Content"] or ""
    found = SPEAKER.match(content)
    return Message(
        speaker=found[1] if found else "speaker",
        text=content[found.end() :] if found else content,
        types=frozenset(label for column, label in COLUMNS.items() if (row[column] or "").strip() in ("1", "1.0")),
    )


def sampled(rows: Sequence[Message], size: int) -> list[Message]:
    """So many rows by the seed, in the file's order; all where there are no more."""
    places = sorted(random.Random(SEED).sample(range(len(rows)), min(size, len(rows))))
    return [rows[place] for place in places]


def trimem(
    rows: Sequence[Message],
    heads: Mapping[str, Head],
    passages: Callable[[Sequence[str]], Any],
    advance: Callable[[int], None] = lambda _: None,
) -> dict[str, Any]:
    """{"rows", "rules": scores, "heads": scores}: precision, recall and F1 per type, micro and macro.

    `heads` holds "types" and "worth"; `passages` turns texts into unit rows; `advance` hears of rows that are done.
    """
    ruled: list[Types] = []
    given: list[Types] = []
    for first in range(0, len(rows), BATCH):
        batch = rows[first : first + BATCH]
        ruled += [by_rules(message) for message in batch]
        given += by_heads(passages([message.text for message in batch]), heads)
        advance(len(batch))
    told = [message.types for message in rows]
    return {"rows": len(rows), "rules": scores(told, ruled), "heads": scores(told, given)}


def by_rules(message: Message) -> Types:
    """The types of the atoms that the rules find in a message."""
    turn = Turn(
        tenant="eval", conversation="eval", session="eval", document="eval", turn_id="1", position=0,
        speaker=message.speaker, role="", text=message.text, language=detect(message.text), said_at=None, said_ts=None,
        said_precision="unknown", reply_to=None, uri="", content_hash=content_id(message.text),
    )  # fmt: skip
    return frozenset(label for atom in read_atoms([turn]) for label in atom.memory_types)


def by_heads(vectors: Any, heads: Mapping[str, Head]) -> list[Types]:
    """The types of each row of vectors."""
    types, worth = heads["types"], heads["worth"]
    keep = worth.probabilities(vectors)[:, worth.labels.index("yes")] >= 0.5
    return [
        frozenset(label for label, chance in zip(types.labels, row, strict=True) if kept and chance >= 0.5)  # type: ignore[misc]
        for row, kept in zip(types.probabilities(vectors), keep, strict=True)
    ]


def scores(told: Sequence[Types], given: Sequence[Types]) -> dict[str, dict[str, float]]:
    """Precision, recall and F1 of each type, of all decisions together (micro), and the types' mean (macro).

    >>> scores([frozenset({"EM"})], [frozenset({"EM"})])["micro"]["f1"]
    1.0
    """
    counts = {
        label: (
            sum(label in a and label in b for a, b in zip(told, given, strict=True)),
            sum(label in b for b in given),
            sum(label in a for a in told),
        )
        for label in COLUMNS.values()
    }
    each: dict[str, dict[str, float]] = {label: _rates(*found) for label, found in counts.items()}
    micro = _rates(*(sum(found[i] for found in counts.values()) for i in range(3)))
    macro = {name: round(sum(rates[name] for rates in each.values()) / len(each), 4) for name in micro}
    return {**each, "micro": micro, "macro": macro}


def shown(found: Mapping[str, Any]) -> str:
    """Rules and heads side by side, as a Markdown table."""
    rows = [
        (name, *(found[who][name][rate] for who in ("rules", "heads") for rate in ("precision", "recall", "f1")))
        for name in found["rules"]
    ]
    head = ("", *(f"{who} {rate}" for who in ("rules", "heads") for rate in ("precision", "recall", "F1")))
    return f"{found['rows']} messages\n\n{table(head, rows)}"


def _rates(right: int, given: int, told: int) -> dict[str, float]:
    precision, recall = right / given if given else 0.0, right / told if told else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)}
