"""`memlake eval report`: the gold part of docs/quality.md, each set with its score and what is left wrong, by cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from lakehouse.errors import InputError
from quality.model_card import table
from quality.score import SUITES, judged, line
from quality.suites import predictions

Case = Mapping[str, Any]


def page(gold: Path) -> str:
    """The section as Markdown. `gold` holds the gold sets and their scorer; a set that isn't there is left out.

    Raises InputError where there is none.
    """
    suites = [suite for suite in SUITES if (gold / f"{suite}.jsonl").exists()]
    if not suites or not (gold / "score.py").exists():
        raise InputError("no gold sets", place=str(gold), hint="give the folder that holds score.py and the sets")
    lines, causes = [], []
    for suite in suites:
        metrics, wrong = judged(suite, gold, predictions(suite, gold / f"{suite}.jsonl"))
        lines.append("    " + line(suite, metrics, SUITES[suite]))
        found = Counter(cause for case in wrong for cause in CAUSES[suite](case))
        ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        causes += [(suite, cause, count) for cause, count in ranked]
        if not found:
            causes.append((suite, "nothing", 0))
    return "\n".join(
        (
            "## Gold sets\n",
            "    uv run memlake eval report ../shared/gold\n",
            *lines,
            "\nWhat the scorer calls wrong, by cause:\n",
            table(("set", "cause", "cases"), causes),
        )
    )


def of_extract(case: Case) -> Iterable[str]:
    """A missed atom whose turn gave another atom was misread, one whose turn gave none was not found."""
    left = [set(atom.get("evidence") or ()) for atom in case["extra"]]
    for atom in case["missed"]:
        near = next((turns for turns in left if turns & set(atom["evidence"])), None)
        if near is not None:
            left.remove(near)
        yield f"{atom['kind']} {'misread' if near is not None else 'not found or of another holder'}"
    yield from ("an atom too many" for _ in left)


def of_time(case: Case) -> Iterable[str]:
    """No date where there is one, one where there is none, or what differs."""
    wanted, given = case["expected"], case["given"]
    if not wanted or not given:
        yield "no date found" if wanted else "a date where there is none"
    elif (wanted["start"], wanted["end"]) == (given.get("start"), given.get("end")):
        yield "right days, another granularity"
    else:
        yield "other days"


def of_ledger(case: Case) -> Iterable[str]:
    """What was given in place of what: a value, several, a status, or nothing."""
    yield f"{_shape(case['given'])} for {_shape(case['ask']['expect'])}"


def _shape(answer: Case) -> str:
    if answer.get("status"):
        return str(answer["status"])
    if answer.get("values"):
        return "a set"
    return "a value" if answer.get("value") is not None else "silence"


def of_route(case: Case) -> Iterable[str]:
    """Types that stayed shut, and an intent for another."""
    given = case["given"]
    yield from (f"{label} not opened" for label in sorted(set(case["types"]) - set(given.get("types") or ())))
    if given.get("intent") != case["intent"]:
        yield f"intent {given.get('intent')} for {case['intent']}"


CAUSES: dict[str, Callable[[Case], Iterable[str]]] = {
    "extract": of_extract, "time": of_time, "ledger": of_ledger, "route": of_route,
}  # fmt: skip
