"""Train the small heads on the annotated sentences, and score them beside the rules on the unseen tenth.

A head is a logistic regression over the packaged encoder's vectors, standardised; its strength of regularisation is
chosen by cross-validation inside the seen nine tenths, in folds that keep a frame together. Only the `SHIPPED` heads
enter the product: those that beat the rules on the unseen tenth and harm no gold set. The others are kept apart, so
that the comparison can be repeated (docs/model-card.md).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lakehouse.ids import content_id
from lakehouse.records import Turn
from pipelines.atoms import read_atoms
from pipelines.extract.route import worth
from pipelines.extract.statements import statements as read_statements
from pipelines.statement import Statement
from quality.annotated import LANGUAGES, SEED, Sentence, questions, statements
from quality.predict import atom_row, turns_of
from quality.score import scored
from retrieval.heads import Head
from retrieval.router import route

SHIPPED = ("question_types",)
DROPPED = ("types", "worth", "kind", "polarity", "modality")
STRENGTHS = (1.0, 3.0, 10.0, 30.0, 100.0)
"""Inverse regularisation strengths that cross-validation chooses from."""
FOLDS = 5
SPEAKER = {"en": "Wanda", "ko": "미래"}
SAID_AT = datetime(2023, 5, 17, 10, tzinfo=UTC)

Answer = frozenset[str]
"""The labels of one sentence: one of them, or several where a head has many."""
Encode = Callable[[Sequence[str]], Any]


@dataclass(frozen=True, slots=True)
class Task:
    """What one head decides: its labels, which sentences it learns from, and what the rules say of a sentence.

    `told` is None where a sentence is not labelled for it, `ruled` where the rules say nothing (they found no atom).
    """

    name: str
    about: Literal["statements", "questions"]
    labels: tuple[str, ...]
    many: bool
    told: Callable[[Sentence], Answer | None]
    ruled: Callable[[Sentence], Answer | None]


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of sentences whose labels are exactly right: of all, and of those that the rules say something of."""

    language: str
    sentences: int
    rules: float
    head: float
    ruled: int
    rules_of_ruled: float
    head_of_ruled: float


def _turn(sentence: Sentence) -> Turn:
    speaker = SPEAKER[sentence.language]
    return Turn(
        tenant="train", conversation="train", session="train", document="train", turn_id="1", position=0,
        speaker=speaker, role="", text=sentence.text, language=sentence.language, said_at=SAID_AT.isoformat(),
        said_ts=SAID_AT, said_precision="minute", reply_to=None, uri="", content_hash=content_id(sentence.text),
    )  # fmt: skip


def _one(label: str | None) -> Answer | None:
    return frozenset({label}) if label else None


def _of_first_atom(field: str) -> Callable[[Sentence], Answer | None]:
    def ruled(sentence: Sentence) -> Answer | None:
        found = read_atoms([_turn(sentence)])
        return _one(getattr(found[0], field)) if found else None

    return ruled


def _types_of_atoms(sentence: Sentence) -> Answer | None:
    return frozenset(label for atom in read_atoms([_turn(sentence)]) for label in atom.memory_types) or None


TASKS = (
    Task("question_types", "questions", ("EM", "PM", "GM"), True, lambda s: s.labels.types,
         lambda s: frozenset(route(s.text, s.language).types)),
    Task("types", "statements", ("EM", "PM", "GM"), True, lambda s: s.labels.types, _types_of_atoms),
    Task("worth", "statements", ("yes", "no"), False,
         lambda s: None if s.labels.worth is None else frozenset({"yes" if s.labels.worth else "no"}),
         lambda s: frozenset({"yes" if worth(_turn(s))[0] else "no"})),
    Task("kind", "statements", ("event", "fact", "claim"), False, lambda s: _one(s.labels.kind),
         _of_first_atom("kind")),
    Task("polarity", "statements", ("positive", "negative", "neutral"), False, lambda s: _one(s.labels.polarity),
         _of_first_atom("polarity")),
    Task("modality", "statements", ("asserted", "planned", "negated", "hypothetical"), False,
         lambda s: _one(s.labels.modality), _of_first_atom("modality")),
)  # fmt: skip


def train(passages: Encode, queries: Encode) -> tuple[dict[str, Head], dict[str, Any]]:
    """Every head, and the report that the model card shows.

    `passages` and `queries` turn texts into unit rows: the statements' and the questions' encoder. The report has
    the data's counts and, for each head, its figures by language beside the rules' on the same unseen sentences.
    """
    data = {"statements": statements(), "questions": questions()}
    vectors = {
        "statements": np.asarray(passages([s.text for s in data["statements"]]), np.float32),
        "questions": np.asarray(queries([s.text for s in data["questions"]]), np.float32),
    }
    heads, rows = {}, {}
    for task in TASKS:
        head, strength = fitted(task, data[task.about], vectors[task.about])
        heads[task.name] = head
        rows[task.name] = {
            "strength": strength,
            "shipped": task.name in SHIPPED,
            "unseen": [asdict(found) for found in compared(task, head, data[task.about], vectors[task.about])],
        }
    counts = {
        about: {
            "sentences": len(told),
            "frames": len({(s.language, s.frame) for s in told}),
            "unseen_sentences": sum(s.unseen for s in told),
            "unseen_frames": len({(s.language, s.frame) for s in told if s.unseen}),
        }
        for about, told in data.items()
    }
    router = routed(heads["question_types"], data["questions"], vectors["questions"])
    return heads, {"seed": SEED, "data": counts, "heads": rows, "router": router}


def fitted(task: Task, sentences: Sequence[Sentence], vectors: NDArray[np.float32]) -> tuple[Head, float]:
    """The head of a task and its strength, learnt from the seen sentences; `vectors` has a row a sentence."""
    from sklearn.model_selection import GroupKFold

    places = [i for i, s in enumerate(sentences) if not s.unseen and task.told(s) is not None]
    rows = vectors[places]
    told = [task.told(sentences[i]) or frozenset() for i in places]
    frames = [f"{sentences[i].language}|{sentences[i].frame}" for i in places]
    folds = list(GroupKFold(FOLDS).split(rows, groups=frames))

    def right(strength: float) -> float:
        found = 0
        for seen, held in folds:
            head = _fit(task, rows[seen], [told[i] for i in seen], strength)
            found += sum(a == told[i] for a, i in zip(answers(head, rows[held]), held, strict=True))
        return found / len(told)

    strength = max(STRENGTHS, key=right)
    return _fit(task, rows, told, strength), strength


def _fit(task: Task, rows: NDArray[np.float32], told: Sequence[Answer], strength: float) -> Head:
    """One layer over standardised vectors; the standardisation is folded into weights and bias."""
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    even = ((rows - middle) / spread).astype(np.float64) / np.sqrt(rows.shape[1])

    def learn(wanted: Sequence[str] | Sequence[bool]) -> Any:
        with threadpool_limits(1):  # sums in one order give the same digits
            return LogisticRegression(C=strength, max_iter=500).fit(even, wanted)

    if task.many:
        each = [learn([label in labels for labels in told]) for label in task.labels]
        weights = np.stack([one.coef_[0] for one in each])
        bias = np.array([one.intercept_[0] for one in each])
    else:
        one = learn([next(iter(labels)) for labels in told])
        order = [list(one.classes_).index(label) for label in task.labels]
        both = len(task.labels) == 2  # a binary model has one row, for its second class
        weights = (np.stack([-one.coef_[0], one.coef_[0]]) / 2 if both else one.coef_)[order]
        bias = (np.array([-one.intercept_[0], one.intercept_[0]]) / 2 if both else one.intercept_)[order]
    weights = weights / spread / np.sqrt(rows.shape[1])
    return Head(
        labels=task.labels,
        weights=weights.astype(np.float32),
        bias=(bias - weights @ middle).astype(np.float32),
        many=task.many,
    )


def answers(head: Head, vectors: Any) -> list[Answer]:
    """The labels of each row: the likeliest, and where a head has many all that are likelier than not."""
    return [
        frozenset(
            label
            for label, chance in zip(head.labels, row, strict=True)
            if chance == row.max() or (head.many and chance >= 0.5)
        )
        for row in head.probabilities(vectors)
    ]


def compared(task: Task, head: Head, sentences: Sequence[Sentence], vectors: NDArray[np.float32]) -> list[Figures]:
    """The head beside the rules on the unseen sentences, a row a language."""
    out = []
    for language in LANGUAGES:
        places = [
            i for i, s in enumerate(sentences) if s.unseen and s.language == language and task.told(s) is not None
        ]
        told = [task.told(sentences[i]) for i in places]
        given = answers(head, vectors[places])
        ruled = [task.ruled(sentences[i]) for i in places]
        spoken = [i for i, one in enumerate(ruled) if one is not None]
        out.append(
            Figures(
                language=language,
                sentences=len(places),
                rules=_share(told, ruled),
                head=_share(told, given),
                ruled=len(spoken),
                rules_of_ruled=_share([told[i] for i in spoken], [ruled[i] for i in spoken]),
                head_of_ruled=_share([told[i] for i in spoken], [given[i] for i in spoken]),
            )
        )
    return out


def _share(told: Sequence[Answer | None], given: Sequence[Answer | None]) -> float:
    return round(sum(a == b for a, b in zip(told, given, strict=True)) / max(1, len(told)), 3)


def routed(head: Head, sentences: Sequence[Sentence], vectors: NDArray[np.float32]) -> list[dict[str, Any]]:
    """The router as it ships, cues and head together, beside the cues alone on the unseen questions by language.

    `opened`: the share of questions whose types are all open; `exact`: that nothing else is; `width`: types open.
    """
    out = []
    for language in LANGUAGES:
        places = [i for i, s in enumerate(sentences) if s.unseen and s.language == language]
        told = [sentences[i].labels.types or frozenset() for i in places]
        chances = [dict(zip(head.labels, row.tolist(), strict=True)) for row in head.probabilities(vectors[places])]
        for name, given in (
            ("cues", [route(sentences[i].text, language).types for i in places]),
            ("cues and head", [
                route(sentences[i].text, language, found).types  # type: ignore[arg-type]
                for i, found in zip(places, chances, strict=True)
            ]),
        ):  # fmt: skip
            out.append(
                {
                    "language": language,
                    "router": name,
                    "questions": len(places),
                    "opened": round(sum(a <= set(b) for a, b in zip(told, given, strict=True)) / len(places), 3),
                    "exact": round(sum(a == set(b) for a, b in zip(told, given, strict=True)) / len(places), 3),
                    "width": round(sum(map(len, given)) / len(places), 2),
                }
            )
    return out


def on_gold(heads: Mapping[str, Head], gold: Path, passages: Encode) -> dict[str, dict[str, float]]:
    """The official scorer's figures of the open extraction gold: by the rules, and with each head deciding instead.

    A head reads the vector of an atom's content, as it would where atoms are embedded. `gold` is never trained on.
    """
    cases = [json.loads(line) for line in (gold / "extract.jsonl").read_text("utf-8").splitlines() if line]
    found = [(case["id"], statement) for case in cases for statement in read_statements(turns_of(case, case["turns"]))]
    vectors = passages([statement.content for _, statement in found])
    out = {}
    for name in ("rules", "types", "kind", "polarity", "modality"):
        given: dict[str, list[dict[str, Any]]] = {case["id"]: [] for case in cases}
        told = answers(heads[name], vectors) if name != "rules" else [frozenset[str]()] * len(found)
        for (case_id, statement), labels in zip(found, told, strict=True):
            given[case_id].append({**atom_row(statement), **_replaced(name, statement, labels)})
        metrics = scored("extract", gold, [{"id": case_id, "atoms": atoms} for case_id, atoms in given.items()])
        out[name] = {field: metrics[field] for field in ("kind", "memory_types", "modality", "claim_polarity")}
        out[name]["full"] = metrics["full"]["f1"]
    return out


def _replaced(name: str, statement: Statement, labels: Answer) -> dict[str, Any]:
    if name == "rules" or (name == "polarity" and statement.kind != "claim"):
        return {}
    return {"memory_types": sorted(labels)} if name == "types" else {name: next(iter(labels))}


def dropped_file() -> Path:
    """Where the heads lie that the product does not use, for evaluation alone."""
    return Path(str(files(__package__) / "dropped_heads.npz"))
