"""The status of Ethereum proposals in forks, asked from the calls and checked against the merged history.

The gold says which status each proposal had in each fork after each merged change, and which calls name it. A question
is asked as of the day after a change; an answer is right when it says the new status, stale when it says the one
before, silent when the calls give none, and wrong otherwise.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

STAGES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("DFI", re.compile(r"\bDFI\b|\bdeclin|\bnot (?:be )?includ|\breject", re.I)),
    ("removed", re.compile(r"\bremov|\bwithdr|\bdropp|\bout of\b|\bpulled\b", re.I)),
    ("SFI", re.compile(r"\bSFI|\bschedul", re.I)),
    ("CFI", re.compile(r"\bCFI|\bconsider", re.I)),
    ("PFI", re.compile(r"\bPFI|\bpropos", re.I)),
    ("SFI", re.compile(r"\binclud", re.I)),
)
"""What words say which stage; the first that fits counts."""

Ask = Callable[[str, str], dict[str, Any]]
"""(question, day) -> the answer's JSON form, of what had been said by then."""


def stage(text: str) -> str | None:
    """The stage that an answer names.

    >>> stage("EIP-1 was moved to CFI"), stage("it is scheduled for inclusion"), stage("no idea")
    ('CFI', 'SFI', None)
    """
    return next((name for name, pattern in STAGES if pattern.search(text)), None)


def eip_figures(folder: Path, ask: Ask, show: int = 0) -> dict[str, Any]:
    """{"asked", "coverage", "right", "stale", "wrong"} over the changes that the calls name, and every wrong answer."""
    events = json.loads((folder / "gold" / "events_in_transcript_window.json").read_text("utf-8"))
    counts: Counter[str] = Counter()
    shown: list[dict[str, str]] = []
    for event in events:
        if not event["calls_naming_it"]:
            continue
        day = (date.fromisoformat(event["merged"][:10]) + timedelta(days=1)).isoformat()
        question = f"What is the status of EIP-{event['eip']} in {event['fork']}?"
        found = ask(question, day)
        known = found["evidence"] and found["answer"].get("status") != "unknown"
        told = " ".join([str(found["answer"].get("value") or ""), found["text"]]) if known else ""
        given = stage(told)
        if not told:
            kind = "silent"
        elif given == event["to_status"]:
            kind = "right"
        else:
            kind = "stale" if given and given == event["from_status"] else "wrong"
        counts[kind] += 1
        if kind in ("wrong", "stale") and len(shown) < show:
            shown.append({"kind": kind, "question": question, "day": day, "gold": event["to_status"], "given": told})
    asked = sum(counts.values())
    answered = asked - counts["silent"]
    return {
        "asked": asked,
        "coverage": round(answered / max(1, asked), 4),
        **{kind: round(counts[kind] / max(1, answered), 4) for kind in ("right", "stale", "wrong")},
        **({"shown": shown} if show else {}),
    }
