"""The small heads: their data, that training gives the same twice, that heads load and decide, that the router asks."""

from __future__ import annotations

import io
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lakehouse.errors import InputError
from lakehouse.vocabulary import ATOM_KINDS, MEMORY_TYPES, MODALITIES, POLARITIES
from quality.annotated import SLOT, UNSEEN_DOMAINS, filled, questions, slots, statements
from quality.model_card import card
from quality.train import DROPPED, SHIPPED, TASKS, answers, compared, dropped_file, fitted, routed
from quality.trimem import messages, sampled, shown, trimem
from retrieval import heads
from retrieval.heads import Head
from retrieval.lake_memory import LakeMemory
from retrieval.packaged_model import MODEL_NAME
from retrieval.router import route

DIM = 96


def bags(texts: Sequence[str]) -> Any:
    """An encoder of a few lines: words and their beginnings, hashed to a unit vector."""
    out = np.zeros((len(texts), DIM), np.float32)
    for row, text in zip(out, texts, strict=True):
        for word in text.lower().split():
            row[zlib.crc32(word.encode()) % DIM] += 1
            row[zlib.crc32(word[:2].encode()) % DIM] += 1
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)


def packed(found: dict[str, Head]) -> bytes:
    out = io.BytesIO()
    heads.write(found, out)
    return out.getvalue()


def test_the_annotated_sentences_are_many_and_of_both_languages() -> None:
    for told, least in ((statements(), 2000), (questions(), 1000)):
        counts = Counter(s.language for s in told)
        assert sum(counts.values()) > least and 0.8 < counts["en"] / counts["ko"] < 1.25
        assert len({(s.language, s.frame) for s in told}) > 700
        assert not any("{" in s.text or "은/는" in s.text for s in told)
        for labels in (s.labels for s in told):
            assert labels.types is None or (labels.types and labels.types <= MEMORY_TYPES)
            assert labels.kind in (None, *ATOM_KINDS) and labels.polarity in (None, *POLARITIES)
            assert labels.modality in (None, *MODALITIES)


def test_no_frame_and_no_whole_domain_is_on_both_sides() -> None:
    for told in (statements(), questions()):
        seen = {(s.language, s.frame) for s in told if not s.unseen}
        unseen = {(s.language, s.frame) for s in told if s.unseen}
        assert not seen & unseen and 0.05 < len(unseen) / len(seen | unseen) < 0.15
        assert {s.unseen for s in told if s.domain in UNSEEN_DOMAINS} == {True}


def test_slots_are_known_and_particles_fit_what_is_before_them() -> None:
    for told in (statements(), questions()):
        for sentence in told:
            assert {name for name, _ in SLOT.findall(sentence.frame)} - {"q"} <= set(slots(sentence.language))
    assert filled("두부은/는 상했고 버섯은/는 멀쩡해", "ko", 0) == "두부는 상했고 버섯은 멀쩡해"
    assert (
        filled("전주으로/로 갈까 강릉으로/로 갈까 서울으로/로 갈까", "ko", 0) == "전주로 갈까 강릉으로 갈까 서울로 갈까"
    )
    assert filled("{p} and {q}", "en", 3).split(" and ")[0] not in filled("{p} and {q}", "en", 3).split(" and ")[1:]


def test_training_twice_gives_the_same_bytes_and_a_head_that_has_learnt() -> None:
    told = questions()[::3]
    vectors = bags([s.text for s in told])
    (task,) = [task for task in TASKS if task.name == "question_types"]
    head, strength = fitted(task, told, vectors)
    again, _ = fitted(task, told, vectors)
    assert packed({task.name: head}) == packed({task.name: again}) and strength > 0
    seen = [i for i, s in enumerate(told) if not s.unseen]
    right = sum(a == told[i].labels.types for a, i in zip(answers(head, vectors[seen]), seen, strict=True))
    assert right / len(seen) > 0.6
    for row in compared(task, head, told, vectors):
        assert row.sentences == row.ruled > 10 and 0 <= row.head <= 1
    assert [row["router"] for row in routed(head, told, vectors)] == ["cues", "cues and head"] * 2


def test_a_head_of_two_labels_gives_each_its_own_chance() -> None:
    told = [s for s in statements() if s.labels.worth is not None][::8]
    vectors = bags([s.text for s in told])
    (task,) = [task for task in TASKS if task.name == "worth"]
    head, _ = fitted(task, told, vectors)
    chances = head.probabilities(vectors)
    assert chances.shape == (len(told), 2) and np.allclose(chances.sum(axis=1), 1, atol=1e-5)
    idle = [i for i, s in enumerate(told) if s.labels.worth is False]
    worth = [i for i, s in enumerate(told) if s.labels.worth]
    assert chances[idle, 1].mean() > chances[worth, 1].mean()


def test_packed_heads_come_back() -> None:
    head = Head(("EM", "PM"), np.eye(2, 4, dtype=np.float32), np.array([0.5, -0.5], np.float32), True)
    back = heads.read(io.BytesIO(packed({"a": head, "b": head})))
    assert sorted(back) == ["a", "b"] and back["a"].labels == head.labels and back["a"].many
    assert np.array_equal(back["b"].weights, head.weights) and np.array_equal(back["b"].bias, head.bias)


def test_the_product_holds_the_shipped_heads_alone_and_for_its_encoder_alone() -> None:
    assert tuple(heads.load(MODEL_NAME)) == SHIPPED and heads.load("another") == {}
    assert heads.type_chances(np.ones(384), "another") is None
    chances = heads.type_chances(np.ones(384) / np.sqrt(384), MODEL_NAME)
    assert chances is not None and set(chances) == MEMORY_TYPES
    with dropped_file().open("rb") as file:
        assert sorted(heads.read(file)) == sorted(DROPPED)


def test_the_router_asks_the_head_and_does_without_it() -> None:
    question = "Where does Ingrid keep the spare keys?"
    alone = route(question, "en").types
    sure = route(question, "en", {"EM": 0.01, "PM": 0.2, "GM": 0.9})
    assert "GM" in sure.types and sure.types[0] == "GM" and "EM" not in sure.types
    assert sure.intent == route(question, "en").intent
    assert route(question, "en", {"EM": 0.01, "PM": 0.01, "GM": 0.01}).types == alone


def test_routing_and_searching_share_one_vector() -> None:
    class Counting:
        name, dim, asked = MODEL_NAME, 384, 0

        def queries(self, texts: Sequence[str]) -> Any:
            self.asked += len(texts)
            return np.ones((len(texts), self.dim), np.float32) / np.sqrt(self.dim)

    embedder = Counting()
    memory = LakeMemory(None, None, embedder, "acme")  # type: ignore[arg-type]
    assert memory.chances("Who is on call?") == memory.chances("Who is on call?")
    memory._vector("Who is on call?")
    assert embedder.asked == 1
    embedder.name = "another"
    assert memory.chances("Who is on call?") is None


REPORT_ROW = {"language": "en", "sentences": 9, "rules": 0.5, "head": 0.7, "ruled": 8, "rules_of_ruled": 0.6,
              "head_of_ruled": 0.7}  # fmt: skip


def test_the_card_says_what_came_of_each_head() -> None:
    counts = {"sentences": 90, "frames": 30, "unseen_sentences": 9, "unseen_frames": 3}
    report = {
        "seed": 7,
        "data": {"statements": counts, "questions": counts},
        "heads": {name: {"unseen": [REPORT_ROW]} for name in (*SHIPPED, *DROPPED)},
        "router": [{"language": "en", "router": "cues", "questions": 9, "opened": 1.0, "exact": 0.5, "width": 1.4}],
        "gold": {"rules": {"kind": 1.0, "full": 0.9}},
    }
    page = card(report)
    assert "| question_types | en | 9 | 0.5 | 0.7 | 8 | 0.6 | 0.7 | shipped" in page and page.count("| dropped:") == 5
    assert "| rules | 1.0 | 0.9 |" in page


TRIMEM = """Content,Episodic Memory,Personal Semantic Memory,General Semantic Memory
[Lia]: I sold my canoe on Saturday.,1,0,0
"[assistant]: Sure:

1. The lantern plan costs 12 euros a month.",0,0,1
[Ben]: My sister is allergic to walnuts.,0,1,0
[Lia]: Thanks!,0,0,0
"""


def test_trimem_is_read_with_its_long_cells_and_scored_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "tri.csv"
    path.write_text(TRIMEM, encoding="utf-8")
    rows = messages(path)
    assert [sorted(row.types) for row in rows] == [["EM"], ["GM"], ["PM"], []]
    assert rows[1].speaker == "assistant" and rows[1].text.startswith("Sure:\n\n1.")
    assert sampled(rows, 9) == rows and sampled(rows, 2) == sampled(rows, 2) and len(sampled(rows, 2)) == 2
    labels = ("EM", "PM", "GM")
    trained = {
        "types": Head(labels, np.zeros((3, DIM), np.float32), np.array([9, -9, -9], np.float32), True),
        "worth": Head(("yes", "no"), np.zeros((2, DIM), np.float32), np.array([9, -9], np.float32), False),
    }
    done: list[int] = []
    found = trimem(rows, trained, bags, done.append)
    assert found["rows"] == 4 and sum(done) == 4
    assert found["rules"]["EM"]["f1"] == found["rules"]["PM"]["f1"] == 1.0
    assert found["heads"]["EM"] == {"precision": 0.25, "recall": 1.0, "f1": 0.4}
    assert found["heads"]["PM"]["f1"] == 0.0
    assert shown(found).startswith("4 messages\n\n|  | rules precision |")


def test_another_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("Content,Label\nhello,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="no column Episodic Memory"):
        messages(path)
