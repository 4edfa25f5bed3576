"""Does an opinion answer a question about what happened? A record and opinions on one person, asked end to end.

Statements are read, embedded by the given encoder and searched; the answer's evidence says which statement it came
from. An opinion that is shown first is a misattribution; silence is counted apart.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from lakehouse.records import Atom
from quality.predict_answers import atoms_of
from retrieval.answer import answer
from retrieval.memory import AtomMemory
from retrieval.question import frame_question

Encode = Callable[[Sequence[str]], Any]
DAY = "2025-03-10T10:00"


def misattributions(path: Path, passages: Encode, queries: Encode) -> dict[str, Any]:
    """{language: {"asked", "record", "opinion", "silent"}}: which statement each answer came from."""
    counts: dict[str, Counter[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        case = json.loads(line)
        told = [case["record"], *case["opinions"]]
        arrivals = [
            {"doc": f"d{place}", "said_at": DAY, "speaker": one["speaker"], "text": one["text"]}
            for place, one in enumerate(told)
        ]
        atoms = atoms_of(arrivals)
        memory = AtomMemory(atoms, _search(atoms, passages, queries))
        found = answer(frame_question(case["question"], datetime(2025, 3, 11, tzinfo=UTC)), memory)
        turns = [turn for turn, _ in found.evidence]
        first = "silent" if not turns else "record" if turns[0] == "d0:1" else "opinion"
        counts.setdefault(case["lang"], Counter())[first] += 1
    kinds = ("record", "opinion", "silent")
    return {
        language: {"asked": sum(own.values()), **{kind: own[kind] for kind in kinds}}
        for language, own in sorted(counts.items())
    }


def _search(atoms: Sequence[Atom], passages: Encode, queries: Encode) -> Callable[[str], Sequence[Atom]]:
    """Nearest statements by embedding, best first."""
    vectors = passages([atom.content for atom in atoms])

    def search(text: str) -> Sequence[Atom]:
        if not atoms:
            return []
        order = np.argsort(-(vectors @ queries([text])[0]), kind="stable")
        return [atoms[int(place)] for place in order[:5]]

    return search
