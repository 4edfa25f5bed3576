"""Whose words a Korean sentence passes on, read from its endings: -대, -래, -재, -냬, -다고 하다 and their kin.

Not hearsay: what was witnessed (-더라, -던데 right after the stem), an intention (-ㄹ래), a complaint ("왜
이렇게 비싸대"), a condition or concession (-더라면, -ㄴ대도, -다고 하면).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Literal

from pipelines.extract.korean_morph import base_tag, lemma_at
from pipelines.wordlist import table

Kind = Literal["declare", "propose", "command", "ask"]

LINK = re.compile(r"^(?:ᆫ|는|은|느|으|이)")
COMPLEMENT = re.compile(
    r"^(?:ᆫ|는|은|느|으|이)?(?P<core>다고|라고|자고|냐고|다구|라구|자구|냐구|다며|라며|다면서|라면서)$"
)
SHORT = re.compile(r"(?:ᆫ|는|은|느|으|이)?(?P<core>다|라|자|냐)")
MESSAGES = frozenset(
    "문자 연락 전화 메일 이메일 카톡 톡 답장 편지 쪽지 메시지 소식 통보 안내 제보 보고 후기 리뷰 댓글".split()
)
COMPLAINT = re.compile(r"(?:^|\s)(?:왜|어쩜|뭐가|뭔|어쩌면|누가)\s")


@dataclass(frozen=True, slots=True)
class Level:
    """One layer of reported speech: tokens before `start` are what is passed on, `verb` is who-does-it's verb."""

    start: int
    end: int
    kind: Kind
    verb: str = ""
    """Stem of the reporting verb, "" when the ending itself reports (-대)."""
    cls: str = "say"
    at: int = -1
    honorific: bool = False


@cache
def fused() -> dict[str, Kind]:
    """Endings that pass words on, and what kind of words."""
    return {row[0]: row[1] for row in table("pipelines.extract", "hearsay_ko.tsv")}  # type: ignore[misc]


@cache
def verbs() -> dict[str, str]:
    """Reporting verbs by stem, and their class."""
    return {row[0]: row[1] for row in table("pipelines.extract", "reporting_ko.tsv")}


def core_of(form: str) -> str:
    """An ending without its linking consonant: "ᆫ대" and "는대" are "대"."""
    return form if form in fused() else LINK.sub("", form)


def levels(tokens: Sequence[Any], text: str) -> tuple[list[Level], bool]:
    """The layers of reported speech, innermost first; True when something is only supposed, asked or denied so.

    The second value says that the sentence asserts nothing (a condition, a concession, a relayed question).
    """
    found: list[Level] = []
    for index, token in enumerate(tokens):
        tag = base_tag(token)
        if tag in ("EF", "EC"):
            kind = _fused_kind(tokens, index, text)
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            if (
                kind in ("declare", "propose", "command")
                and following is not None
                and following.form in ("도", "야", "서야")
            ):
                return found, True  # "온대도 안 믿어": a concession
            if kind == "none":
                continue
            if kind:
                if kind == "ask":
                    return found, True
                found.append(Level(index, index, kind))  # type: ignore[arg-type]
                continue
        match = COMPLEMENT.match(token.form) if tag == "EC" else None
        if (
            match is None
            and tag == "EC"
            and SHORT.fullmatch(token.form)
            and index + 1 < len(tokens)
            and tokens[index + 1].form == "하"
        ):
            match = SHORT.fullmatch(token.form)  # "돌려준댔어": 준다 + 했어
        if match is None and not (tag == "JKQ" or (tag in ("EC", "JX") and token.form in ("이라고", "라고") and index)):
            continue
        level = _explicit(tokens, index, match["core"] if match else "라고")
        if level is None:
            continue
        if level.cls == "ask" or level.kind == "ask" or level.cls == "void":
            return found, True
        found.append(level)
    return found, False


def _fused_kind(tokens: Sequence[Any], index: int, text: str) -> str:
    form = tokens[index].form
    core = core_of(form)
    if form.startswith(("ᆯ", "을")) or core not in fused():
        return ""
    kind = fused()[core]
    before = base_tag(tokens[index - 1]) if index else ""
    if before not in ("VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA", "EP", "ETM"):
        return "none"
    if core in ("래", "래요") and before != "VCP":
        return "none" if before == "EP" else "command"
    if core in ("대", "대요") and COMPLAINT.search(text[: tokens[index].start]):
        return "none"
    if core in ("자네", "자네요", "다네", "다네요", "라네", "라네요") and before == "VCP" and core.startswith("다"):
        return "none"
    if core == "다지":
        return "none"
    rest = [base_tag(t) for t in tokens[index + 1 :]]
    if base_tag(tokens[index]) == "EC" and any(tag in ("VX",) for tag in rest[:1]):
        return "none"
    return kind


def _explicit(tokens: Sequence[Any], index: int, core: str) -> Level | None:
    """A clause ending in -다고, -라고, -자고 or -냐고 with the verb that reports it."""
    before = base_tag(tokens[index - 1]) if index else ""
    kind: Kind = "declare"
    if core.startswith("자"):
        kind = "propose"
    elif core.startswith("냐"):
        kind = "ask"
    elif core.startswith("라") and before in ("VV", "VX", "XSV", "EP"):
        kind = "command"
    if core.endswith(("며", "면서")):
        return Level(index, index, kind, "", "say", index)
    for at in range(index + 1, min(len(tokens), index + 14)):
        tag = base_tag(tokens[at])
        if tag not in ("VV", "VX", "VA", "XSV", "XSA", "VCP"):
            continue
        stem = lemma_at(tokens, at)[:-1]
        if tag == "VCP":
            stem = stem.removesuffix("이")
        cls = _class_of(stem, tokens, at)
        if cls is None and any(t.form in MESSAGES for t in tokens[index + 1 : at]):
            cls = "say"
        if cls is None:
            return None
        following = tokens[at + 1 :]
        ending = next((t for t in following if base_tag(t) in ("EC", "EF", "ETM", "ETN")), None)
        if (
            ending is not None
            and base_tag(ending) == "EC"
            and re.search(r"면$|도$|든지?$|더라도|려고", ending.form)
            and not _goes_on(following)
        ):
            return Level(index, at, kind, stem, "void", at)
        if ending is not None and base_tag(ending) == "ETM" and core in ("라고", "다고") and stem in ("하", "보"):
            return None
        if any(base_tag(mark) == "ETM" and thing.form in ("것", "거") for mark, thing in pairwise(following[:6])):
            return None  # "1층이라고 안내해 드린 것은 착오였다": having said so is what is spoken of
        honorific = any(base_tag(t) == "EP" and "시" in t.form for t in following[:3])
        return Level(index, at, kind, stem, cls, at, honorific)
    return Level(index, index, kind, "", "say", index) if index >= len(tokens) - 3 else None


def _goes_on(following: Sequence[Any]) -> bool:
    return sum(base_tag(t) in ("VV", "VA", "XSV", "XSA", "VCP") for t in following) > 1


def _class_of(stem: str, tokens: Sequence[Any], at: int) -> str | None:
    """The class of a reporting verb, an auxiliary after it counted ("전해 들었어", "적어 주셨다")."""
    known = verbs()
    if stem in ("전하", "건너", "주워") and any(
        t.form.startswith("듣") and base_tag(t) == "VV" for t in tokens[at + 1 : at + 4]
    ):
        return "hear"
    if stem in ("묻", "여쭈", "여쭙"):
        return "ask"
    if stem in known:
        return known[stem]
    helper = next((t.form for t in tokens[at + 1 : at + 4] if base_tag(t) == "VX"), "")
    compound = next((f"{stem}{link}{helper}" for link in "어아" if f"{stem}{link}{helper}" in known), "")
    if compound:
        return known[compound]  # "털어놓다", read as two verbs
    for short in ("하",):
        if stem.endswith(short) and stem[:-1] in ("말", "말씀", "얘기", "이야기", "보고", "생각"):
            return known.get(stem, "say")
    return None
