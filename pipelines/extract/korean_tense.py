"""When a Korean clause holds: its time, whether it is past, planned or denied, and whether it changes a life."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from lakehouse.records import TimeSpan
from lakehouse.vocabulary import Modality
from pipelines.extract.discourse import Talk
from pipelines.extract.korean_morph import Clause, base_tag
from pipelines.extract.text import Sentence
from pipelines.korean_given import FINAL_L
from pipelines.timex import find
from pipelines.wordlist import table

PLAN = re.compile(
    rf"[을를할갈될볼올줄살낼릴길칠뺄실]\s?(?:거|게|께|참)|[{FINAL_L}]\s?(?:예정|계획|생각|작정)"
    r"|겠|려고|기로|고 싶|려 하|고자|ㄹ게|고 싶"
)


@cache
def life_changes() -> frozenset[str]:
    """Predicates of a change that lasts in a life."""
    return frozenset(row[0].replace("_", " ") for row in table("pipelines.extract", "life_ko.tsv"))


def time_of(text: str, talk: Talk, sentence: Sentence, tokens: Sequence[Any] = ()) -> TimeSpan | None:
    """When a clause holds; a day that only tells of which thing it speaks ("어제 산 가방이") is none of its own."""
    said = talk.said(sentence.turn)
    if said is None:
        return None
    found = [own for own in find(text, said, "ko") if not _of_a_thing(tokens, own[1])]
    moved = next((own for own in found[1:] if MOVED.match(text, own[1])), None)
    decided = re.search(r"기로 ?(?:결정|했|하|정)", text)
    if decided and (before := [own for own in found if own[1] <= decided.start()]):
        moved = before[-1]
    if moved is not None:
        later = [own for own in find(text, said, "ko", "future") if own[:2] == moved[:2]]
        return (later or [moved])[0][2]
    return found[0][2] if found else None


def _of_a_thing(tokens: Sequence[Any], end: int) -> bool:
    """Whether what stands at an offset is a past relative clause of one verb before its noun."""
    after = [t for t in tokens if t.start >= end and base_tag(t)[0] != "J"][:5]
    tags = [base_tag(t) for t in after]
    verb = 1 if tags[:1] == ["VV"] else 2 if tags[:2] == ["NNG", "XSV"] else 0
    return (
        verb > 0
        and len(after) > verb + 1
        and (tags[verb], tags[verb + 1]) in (("ETM", "NNG"), ("ETM", "NNP"))
        and after[verb].form in ("ᆫ", "은", "던")
    )


MOVED = re.compile(
    r"\s*(?:으로|로)?\s*(?:\S+\s){0,2}?(?:미루|미뤘|미뤄|미룹|옮기|옮겼|옮겨|옮깁|당기|당겼|당겨|앞당|늦추|늦췄|늦춰|연기|변경|"
    r"바꾸|바꿨|바꿔|바뀌|바뀝|조정|다시 잡)"
)
"""What follows the day that something is moved to."""


def modality_of(tokens: Sequence[Any], text: str) -> Modality:
    """Denied, planned or asserted, by the last predicate."""
    if re.search(r"잖아|잖니|잖습|잖은가", text):
        return "asserted"
    last = max((i for i, t in enumerate(tokens) if base_tag(t) in ("VV", "VA", "XSV", "XSA", "VCP", "VCN")), default=-1)
    if re.search(
        (
            "[은ㄴ한본간온난] ?적(?:이|은|도)? ?없|(?<!까)지(?:는|도|를)? ?(?:않"
            r"|못하|못했|못해|말|마세|마라)|(?:^|\s)(?:안|못) [가-힣]"
        ),
        text,
    ):
        return "negated"
    if last >= 0 and any(t.form in ("안", "못") and base_tag(t) == "MAG" for t in tokens[max(0, last - 2) : last]):
        return "negated"
    if last >= 0 and any(t.form in ("않", "못하") for t in tokens[last:]):
        return "negated"
    if any(base_tag(t) == "EP" and t.form == "겠" for t in tokens) or PLAN.search(text):
        return "planned"
    return "asserted"


def is_past(tokens: Sequence[Any]) -> bool:
    return any(base_tag(t) == "EP" and t.form in ("었", "았", "였", "었었", "았었", "였었") for t in tokens[-6:])


def is_life_change(inner: Clause) -> bool:
    text = inner.text
    known = life_changes()
    return any(c.lemma in known for c in inner.chunks if c.role == "pred") or bool(
        re.search(r"이사(?:를)? ?(?:갔|왔|가|오)|결혼|퇴사|취직|승진|은퇴|담배.{0,4}끊", text)
    )
