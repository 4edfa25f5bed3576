"""Knowledge updates of LongMemEval: the value that was said last is the current one.

Each question has the turns that hold its evidence, older and newer. An answer is right when it holds the words of the
gold answer, stale when it is not and its evidence is all older than the last session, silent when there is none.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from lakehouse.ids import normal_text
from lakehouse.records import Turn
from pipelines.atoms import read_atoms
from pipelines.ingest.read import files_of, read_file
from pipelines.ingest.source import ReadOptions
from retrieval.answer import answer
from retrieval.memory import AtomMemory
from retrieval.question import frame_question

KIND = "knowledge-update"
NUMBERS = dict(zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True))
LIGHT = frozenset("about a an the i in of my to at on is was have has had it and for you your".split())


def words(text: str) -> set[str]:
    """Content words, numbers as digits."""
    found = re.findall(r"[\w.:$%]+", normal_text(text).replace(",", ""))
    return {str(NUMBERS.get(word, word)).strip(".:$") for word in found} - LIGHT


def knowledge_updates(path: Path, show: int = 0) -> dict[str, Any]:
    """{"questions", "right", "stale", "silent", "wrong"} over the knowledge-update questions of a file."""
    counts: Counter[str] = Counter()
    shown: list[dict[str, str]] = []
    for question, turns in _questions(path):
        asked_at = datetime.fromisoformat(question["asked"])
        found = answer(frame_question(question["question"], asked_at), AtomMemory(_atoms(turns)), None)
        told = "" if found.status == "unknown" else found.text
        last = max(turn.document for turn in turns if turn.said_ts == max(t.said_ts for t in turns if t.said_ts))
        newest = {turn.turn_id for turn in turns if turn.document == last}
        if found.status == "unknown":
            kind = "silent"
        elif words(question["answer"]) <= words(f"{found.value} {told}"):
            kind = "right"
        else:
            kind = "stale" if not newest & {turn for turn, _ in found.evidence} else "wrong"
        counts[kind] += 1
        if kind != "right" and len(shown) < show:
            shown.append({"kind": kind, "question": question["question"], "gold": question["answer"], "given": told})
    total = max(1, sum(counts.values()))
    table: dict[str, Any] = {"questions": sum(counts.values())}
    return (
        table
        | {kind: round(counts[kind] / total, 4) for kind in ("right", "stale", "silent", "wrong")}
        | ({"shown": shown} if show else {})
    )


def _questions(path: Path) -> Iterator[tuple[dict[str, str], list[Turn]]]:
    """Each question with its turns, as our own reader reads them."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    asked = {row["question_id"]: row for row in rows if row["question_type"] == KIND and not row.get("abstention")}
    told: dict[str, list[Turn]] = {name: [] for name in asked}
    for source in files_of([path], ReadOptions()):
        for turn in read_file(source, "longmemeval", Counter()):
            if isinstance(turn, Turn) and turn.conversation in told:
                told[turn.conversation].append(turn)
    for name, row in asked.items():
        if told[name]:
            moment = datetime.strptime(re.sub(r"\s*\(\w+\)", "", row["question_date"]), "%Y/%m/%d %H:%M")
            yield (
                {"question": row["question"], "answer": str(row["answer"]), "asked": f"{moment.isoformat()}+00:00"},
                told[name],
            )


def _atoms(turns: list[Turn]) -> list[Any]:
    """The atoms of all documents, each read on its own."""
    documents: dict[str, list[Turn]] = {}
    for turn in turns:
        documents.setdefault(turn.document, []).append(turn)
    return [atom for own in documents.values() for atom in read_atoms(own)]
