"""Golden cases of extraction: how one is run and what is wrong with what came out."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

from lakehouse.records import Turn
from pipelines.extract import statements
from pipelines.language import detect
from pipelines.statement import Statement

GOLDEN = Path(__file__).parent / "golden"
ARTICLES = {"the", "a", "an", "this", "that", "our", "my", "이번", "그", "이", "저희", "우리"}
TAIL = re.compile(r"(?:께서|한테|에게|에서|이|가|은|는|을|를|의|도|님|씨|들)$")


def cases(prefix: str) -> list[dict[str, Any]]:
    """All golden cases of the files that begin so."""
    lines = (line for path in sorted(GOLDEN.glob(f"{prefix}*.jsonl")) for line in path.read_text("utf-8").splitlines())
    return [json.loads(line) for line in lines if line.strip()]


def turns_of(rows: list[dict[str, str]], document: str = "d") -> list[Turn]:
    """Turns as ingest would make them."""
    return [
        Turn(
            "t",
            document,
            document,
            document,
            row["turn_id"],
            position,
            row["speaker"],
            "",
            row["text"],
            detect(row["text"]),
            row["said_at"],
            datetime.fromisoformat(row["said_at"]),
            "minute",
            None,
            "",
            "",
        )
        for position, row in enumerate(rows)
    ]


def words(phrase: str | None) -> set[str]:
    """The content words of a phrase, without articles and Korean endings."""
    found = re.sub(r"[^\w가-힣'-]+", " ", str(phrase or "").lower()).split()
    return {TAIL.sub("", w) if re.search("[가-힣]", w) and len(w) > 1 else w for w in found} - ARTICLES


def alike(expected: str | None, given: str | None) -> bool:
    """Whether two phrases name one thing: one's words are among the other's, or most are shared."""
    a, b = words(expected), words(given)
    return a <= b or b <= a or 2 * len(a & b) > len(a | b)


def one_of(atom: dict[str, Any], key: str, given: str | None) -> bool:
    """Equal to the expected phrase or to one of its alternatives."""
    return any(alike(expected, given) for expected in [atom.get(key), *atom.get(f"{key}_alt", [])])


def fits(atom: dict[str, Any], given: Statement) -> bool:
    """Whether a statement is what a golden atom asks for."""
    reported = bool(atom["relay"]) and atom["polarity"] in (None, "neutral")
    if not reported and (atom["kind"] == "claim") != (given.kind == "claim"):
        return False
    about = one_of(atom, "subject", given.subject) or one_of(atom, "target", given.target or given.subject)
    source = (atom["source"] is None and not given.relay) or one_of(atom, "source", given.holder)
    polarity = given.polarity == atom["polarity"] or (reported and given.polarity in (None, "neutral"))
    time = given.event_time
    when = atom["time"]
    same_time = (time is None) == (when is None) and (
        time is None or (time.start, time.end, time.grain) == (when["start"], when["end"], when["granularity"])
    )
    evidence = {span.turn_id for span in given.evidence} & set(atom["evidence"])
    relay = list(given.relay) == atom["relay"]
    return about and source and polarity and same_time and bool(evidence) and relay


def problems(case: dict[str, Any]) -> list[str]:
    """What is missing and what is too much; [] when a case is right."""
    left = statements(turns_of(case["turns"], case["id"]))
    missing = []
    for atom in case["atoms"]:
        found = next((given for given in left if fits(atom, given)), None)
        if found is None:
            missing.append(f"missing {atom['kind']} about {atom['subject']}")
        else:
            left.remove(found)
    return missing + [f"extra {given.kind} about {given.subject}: {given.clause}" for given in left]
