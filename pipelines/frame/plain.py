"""Plain statements: a sentence that its speaker asserts himself, for text that attribution left alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from lakehouse.records import Atom, Evidence, Turn, Value
from pipelines.frame.cues import cues_in
from pipelines.frame.ellipsis import in_currency
from pipelines.statement import Statement

SENTENCE_END = re.compile(
    r"(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bMrs)(?<!\bSt)(?<!\bNo)(?<!\bvs)[.!?…]+[\"'”’)]*(?=\s|$)|\n+|"
    r"(?<=[ㅠㅋㅎ~])\s+(?=[가-힣])"
)
SMALL_TALK = re.compile(

        r"^\W*(?:hi|hello|hey|thanks|thank you|ok|okay|sure|yes|no|yep|nope|great|cool|lol|haha|good morning|bye|"
        r"welcome|congrats"
    r"|네|넵|예|아니요|아니오|안녕\w*|감사\w*|고마\w*|ㅋ+|ㅎ+|수고\w*|축하\w*|오케이|알겠\w*)\W*$", re.I)  # fmt: skip


def sentences(text: str) -> list[tuple[int, int]]:
    """Sentences of a turn as character spans.

    >>> text = "It costs 7.50 francs. Dr. Vale said so!"
    >>> [text[s:e] for s, e in sentences(text)]
    ['It costs 7.50 francs.', 'Dr. Vale said so!']
    """
    spans, start = [], 0
    for match in SENTENCE_END.finditer(text):
        spans.append((start, match.end()))
        start = match.end()
    spans.append((start, len(text)))
    trimmed = []
    for left, right in spans:
        while left < right and text[left].isspace():
            left += 1
        while left < right and text[right - 1].isspace():
            right -= 1
        if left < right:
            trimmed.append((left, right))
    return trimmed


def plain(turn: Turn, covered: Iterable[tuple[int, int]] = (), said: str = "") -> list[Statement]:
    """A statement for each sentence of the turn outside the covered spans; questions and small talk give none.

    `said` is the turn's text with blanks for what nobody says.
    """
    taken = list(covered)
    found = []
    said = said or turn.text
    for start, end in sentences(said):
        quote = " ".join(said[start:end].split())
        if quote.endswith("?") or SMALL_TALK.match(quote) or any(s < end and start < e for s, e in taken):
            continue
        evidence = (Evidence(turn.turn_id, start, end, turn.text[start:end]),)
        found.append(Statement(
            kind="fact", memory_types=("GM",), subject=turn.speaker, clause=quote, content=quote, speaker=turn.speaker,
            holder=turn.speaker, relay=(), target=None, polarity=None, modality="asserted", event_time=None,
            evidence=evidence, confidence=0.4, language=turn.language,
            said_at=turn.said_at, said_ts=turn.said_ts, said_precision=turn.said_precision,
        ))  # fmt: skip
    return found


def in_context(atoms: Sequence[Atom], turns: Sequence[Turn]) -> list[Atom]:
    """Atoms with the cue and the currency that the sentences before them in their turn carry.

    "Typo above." corrects what follows; "Adults pay 9 euros. Children pay 4." names the currency once.
    """
    texts = {turn.turn_id: turn.text for turn in turns}
    found: list[Atom] = []
    earlier: dict[str, list[Value]] = {}
    for atom in atoms:
        first = atom.evidence[0] if atom.evidence else None
        text = texts.get(first.turn_id, "") if first else ""
        if first and text and atom.cue in ("none", "update", "restate", "list", "add"):
            language = "ko" if atom.language == "ko" else "en"
            before = text[: first.start]
            carried = cues_in(before, language) if len(before) < 200 else {}
            if "correction" in carried and len(before.split()) <= 25:
                atom = replace(atom, cue="correction")
        if len(atom.values) == 1 and first:
            whole = in_currency(atom.values[0], first.quote, earlier.get(first.turn_id, ()))
            if whole is not None:
                atom = replace(atom, values=(whole,), value_type=whole.type)
        found.append(atom)
        if first:
            earlier.setdefault(first.turn_id, []).extend(atom.values)
    return found
