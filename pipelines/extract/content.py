"""The one sentence of an atom that stands alone: names restored, a claim with its holder and its relay."""

from __future__ import annotations

import re

from lakehouse.records import Turn
from pipelines.extract.discourse import Draft

PRONOUNS = re.compile(r"\b(I'm|I've|I'll|I'd|I|my|mine|me|myself|we're|we've|we'll|we|our|us)\b", re.I)
VERB_AFTER = {
    "i'm": "is",
    "i've": "has",
    "i'll": "will",
    "i'd": "would",
    "we're": "are",
    "we've": "have",
    "we'll": "will",
}
POINTED = re.compile(
    r"^(?:it|they|(?:this|that)(?='s|\b(?: \w+ly)? (?:is|was|will|would|can|could|has|had|does|did|do|should|must|may"
    r"|might|seem|look|sound|feel|mak|need|work|help|means)\w*\b))(?:'s|\b)",
    re.I,
)
"""A pronoun that stands for the target; "that boat" does not."""
DANGLING = re.compile(r"[\s,]+(?:and|but|or|so)$", re.I)
"""The joint to a clause that was cut off."""
PLAIN_VERBS = {"am": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't"}


def first_person(clause: str, name: str) -> str:
    """The clause with "I", "my" and "me" named.

    >>> first_person("I'm meeting the notary with my cousin", "Ulla")
    "Ulla is meeting the notary with Ulla's cousin"
    """

    def named(match: re.Match[str]) -> str:
        word = match.group(1)
        low = word.lower()
        if word in ("US", "ME", "i"):
            return word if word != "i" else name
        if low in VERB_AFTER:
            return f"{name} {VERB_AFTER[low]}"
        return f"{name}'s" if low in ("my", "our", "mine") else name

    out = PRONOUNS.sub(named, clause)
    for plain, third in PLAIN_VERBS.items():
        out = re.sub(rf"(?<!\w)({re.escape(name)}) {re.escape(plain)}\b", rf"\1 {third}", out)
    return out


def content(draft: Draft, turn: Turn) -> str:
    """One sentence for a reader who sees nothing else."""
    clause = " ".join(draft.clause.split()).strip(" ,;")
    if draft.language == "ko":
        return _korean(draft, turn, clause)
    body = DANGLING.sub("", first_person(clause, turn.speaker).rstrip(".!"))
    if draft.target and draft.kind == "claim":
        body = re.sub(
            POINTED,
            lambda m: f"{draft.target} is" if m.group().endswith("'s") else str(draft.target),
            body,
        )
    if draft.relay:
        via = "" if draft.relay == (turn.speaker,) else " to " + ", who told ".join(draft.relay[:-1])
        holder = "an unnamed source" if draft.holder == "unknown" else draft.holder
        return f"{holder}, as {turn.speaker} reports{via and f' (said{via})'}: {body}."
    if draft.kind == "claim":
        return f"In {draft.holder}'s view: {body}."
    if draft.subject and draft.subject.split("'s")[0].lower() not in body.lower():
        return f"{draft.subject}: {body}."
    return f"{body}."


def _korean(draft: Draft, turn: Turn, clause: str) -> str:
    body = clause.rstrip(".!~ ")
    if draft.relay:
        holder = "출처를 알 수 없는 말" if draft.holder == "unknown" else f"{draft.holder}의 말"
        return f"{', '.join(draft.relay)} 전언, {holder}: {body}."
    if draft.kind == "claim":
        return f"{draft.holder}의 의견: {body}."
    return f"{body}." if draft.subject and draft.subject in body else f"{draft.subject}: {body}."
