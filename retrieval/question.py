"""A question framed as a statement is: anchors, scope, the value type it asks for, its own date, its intent."""

from __future__ import annotations

import re
from datetime import datetime

from lakehouse.records import Question, TimeSpan, Value
from lakehouse.vocabulary import ValueType
from pipelines.frame.registry import match
from pipelines.frame.scope import scopes_in
from pipelines.frame.words import words_of
from pipelines.language import detect
from pipelines.timex import find
from retrieval.router import Chances, route


def frame_question(text: str, now: datetime, chances: Chances | None = None) -> Question:
    """The frame of a question; `now` is what its relative dates are counted from, `chances` the router's head's."""
    language = "ko" if detect(text) == "ko" else "en"
    routed = route(text, language, chances)
    times = find(text, now, "ko" if language == "ko" else "en")
    words = [w for w in words_of(text, language) if not any(s < w.end and w.start < e for s, e, _ in times)]
    lemmas = {w.lemma for w in words}
    scopes = tuple(sorted({canonical for _, _, canonical, _ in scopes_in(text)}))
    relation = match(lemmas, "*", language)
    holder = _holder(text, language)
    asked: Value | None = None
    kind: ValueType = "text"
    as_of: TimeSpan | None = times[0][2] if times else None
    return Question(
        text=text,
        language=language,
        types=routed.types,
        intent=routed.intent,
        holder=holder,
        subject=next((w.lemma for w in words if w.name), ""),
        relation=relation.name if relation else "",
        scope=scopes,
        anchors=tuple(sorted(lemmas | set(scopes))),
        value_type=kind,
        many=bool(re.search(r"\b(?:which \w+s|who all)\b", text, re.I)),
        as_of=as_of,
        asked_value=asked,
        names=tuple(sorted({w.lemma for w in words if w.name})),
    )


def _holder(text: str, language: str) -> str | None:
    """Whose words are asked for: "According to Mr. Vale", "What does Ola say", 올라 말로는."""
    if language == "ko":
        found = re.search(
            r"([가-힣A-Za-z]+?)(?:이|님|씨)?\s?"
            r"(?:말로는|말에 따르면|에 따르면|주장은(?!\s(?:누구|누가|누굴|어느))|얘기로는)",
            text,
        ) or re.search(
            r"^([가-힣A-Za-z]+?)(?:이)?(?:는|은|가)\s.*(?:다고|라고|냐고|대|래)\s?(?:했|말했|주장|하나|해|그래|하던)",
            text,
        )
        return found[1] if found else None
    found = (
        re.search(r"\b[Aa]ccording to ((?:[A-Z][\w.'-]*\s?)+)", text)
        or re.search(r"\b[Aa]ccording to the ([a-z][\w' -]+?)(?=,|\?|$)", text)
        or re.search(
            r"\b(?:does|did|do) ((?:[A-Z][\w.'-]*\s?)+?)\s+(?:say|claim|report|insist|maintain|state|tell)\b", text
        )
        or re.search(r"\bin ([A-Z][\w.-]+)['’]s (?:words|account|version|view)\b", text)
    )
    return found[1].strip() if found else None
