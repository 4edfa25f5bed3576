"""What the ledger is measured against: hybrid retrieval with document dates; the newest relevant sentence wins.

The sentence is found by both rankings, and its value is read by memlake's own reader, so that only the ledger differs.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from lakehouse.ids import normal_text
from quality.predict_answers import atoms_of, predict_ledger
from quality.score import scored
from retrieval.answer import answer
from retrieval.memory import AtomMemory
from retrieval.question import frame_question

Encode = Callable[[Sequence[str]], Any]
RELEVANT = 3
"""Sentences that count as relevant: the best of both rankings together."""
RANK_CONSTANT = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009)."""


def newest_sentence(case: dict[str, Any], passages: Encode, queries: Encode) -> dict[str, Any]:
    """{"id", "answers"} of one case: each ask is answered by the newest of the most relevant sentences."""
    vectors = passages([arrival["text"] for arrival in case["arrivals"]])
    answers = []
    for ask, asked in zip(case["asks"], queries([ask["question"] for ask in case["asks"]]), strict=True):
        known = [
            place
            for place, arrival in enumerate(case["arrivals"])
            if (ask.get("as_known") is None or arrival["n"] <= ask["as_known"])
            and (not ask.get("as_of") or arrival["said_at"][:10] <= ask["as_of"])
        ]
        texts = [case["arrivals"][place]["text"] for place in known]
        ranks = (_ranks(vectors[known] @ asked if known else []), _ranks(_lexical(ask["question"], texts)))
        fused = [-sum(1 / (RANK_CONSTANT + rank[i]) for rank in ranks) for i in range(len(known))]
        best = sorted(range(len(known)), key=fused.__getitem__)[:RELEVANT]
        dated = [(case["arrivals"][known[i]]["said_at"], known[i]) for i in best]
        answers.append(_read(ask["question"], case["arrivals"][max(dated)[1]]) if dated else {})
    return {"id": case["id"], "answers": answers}


def _read(question: str, arrival: dict[str, Any]) -> dict[str, Any]:
    """The answer that one sentence gives, read as memlake reads it: only the choice of the sentence differs."""
    framed = frame_question(question, datetime.fromisoformat(arrival["said_at"]))
    return answer(framed, AtomMemory(atoms_of([arrival]))).answer()


def _ranks(scores: Any) -> list[int]:
    """Place of each item, best first."""
    order = np.argsort(-np.asarray(scores, np.float64), kind="stable")
    ranks = [0] * len(order)
    for place, item in enumerate(order):
        ranks[int(item)] = place
    return ranks


def _lexical(question: str, texts: Sequence[str]) -> list[float]:
    """Shared words, the rarer the heavier."""
    bags = [Counter(normal_text(text).split()) for text in texts]
    seen = Counter(word for bag in bags for word in bag)
    asked = set(normal_text(question).split())
    return [sum(math.log(1 + len(texts) / seen[word]) for word in asked & bag.keys()) for bag in bags]


def ledger_table(gold: Path, passages: Encode, queries: Encode) -> dict[str, dict[str, float]]:
    """Right, stale, silent, and contested asks that were answered so: memlake's rows and the baseline's."""
    cases = [json.loads(line) for line in (gold / "ledger.jsonl").read_text("utf-8").splitlines() if line]
    table = {}
    for name, given in (
        ("memlake", [predict_ledger(case) for case in cases]),
        ("newest_sentence", [newest_sentence(case, passages, queries) for case in cases]),
    ):
        metrics = scored("ledger", gold, given)
        disputed = [
            answer.get("status") == "contested"
            for case, told in zip(cases, given, strict=True)
            for ask, answer in zip(case["asks"], told["answers"], strict=True)
            if ask["expect"].get("status") == "contested"
        ]
        table[name] = {name: metrics[name] for name in ("asks", "right", "stale", "silent")} | {
            "contested_asks": len(disputed),
            "contested": round(sum(disputed) / max(1, len(disputed)), 4),
        }
    return table
