"""Content lemmas: what a clause is about, without its function words, its value and its talk of change and time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.frame.registry import compounds
from pipelines.language import english_docs, korean_parses

EN_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM", "X"})
KO_CONTENT = frozenset({"NNG", "NNP", "XR", "SL", "SH", "NR"})
NUMBERED = re.compile(
    r"\d+(?:호기|호점|관|팀|반|조|과|구역|공장|단지|라인|차)(?![가-힣]*(?:이에요|예요|입니다|이다|야$))"
)
"""A Korean name that is a number and its noun ("2호기")."""
KO_TOGETHER = frozenset({"함께", "같이"})
"""Adverbs that tell one relation from another: living somewhere, living with somebody."""
KO_VERBS = frozenset({"VV", "VA", "VV-I", "VV-R", "VA-I", "VA-R"})
EN_LIGHT = frozenset(
    "be have do get go come take make give let say tell think know see want need use set keep put thing stuff"
    " one ones way lot bit today now day month year week time morning heads reminder fyi note sorry please thanks thank"
    " new current currently old former latest present recent previous effective start starting begin change move switch"
    " raise lower increase decrease reduce bump cut update upgrade become remain stay still also just only again always"
    " ever already back up down over out off on in since until from note confirm mr mrs ms dr other same own such"
    " i me my we us our you your he him his she her it its they them their who what which when where how why much many"
    " this that these those there here everyone anybody nobody no not yes ok okay will would can could should may might"
    " and or but so because if then than as at by for of to with into per each every all any some few more most".split()
)
KO_LIGHT = frozenset(
    "하다 되다 있다 없다 이다 아니다 것 거 수 때 등 중 후 전 오늘 어제 내일 지금 현재 이제 요즘 방금 이번 지난 "
    "올해 작년"
    " 참고 안내 공지 기준 경우 정도 바꾸다 바뀌다 변경 옮기다 올리다 내리다 늘리다 줄이다 오르다 줄다 시작 새 신규 다시"
    " 계속 그 저 이 나 너 저희 우리 제 내 자기 본인 분 님 씨 말 얘기 무엇 뭐 어디 언제 누구 얼마 며칠 몇 어떻다 "
    "어떻게 왜 무슨"
    " 년 월 일 시 날 주 달 번 해 부터 까지 그거 그것 이거 저거 여기 거기 모두 다 더 또 좀 잘 안 못 네 예 응".split()
)


HYPHEN = "\u2011"
INNER_HYPHEN = re.compile(r"(?<=[A-Za-z])-(?=[A-Za-z])")


@dataclass(frozen=True, slots=True)
class Word:
    """A content word with its place: `name` when it is a proper noun."""

    start: int
    end: int
    lemma: str
    name: bool
    verb: bool


def parse_english(text: str) -> Any:
    """spaCy's parse; hyphens inside words are kept from splitting them ("mail-relay" is one word)."""
    return english_docs([INNER_HYPHEN.sub(HYPHEN, text)])[0]


def parse_ahead(texts: Sequence[str]) -> None:
    """Parse English texts in batches that will be asked for one by one."""
    english_docs([INNER_HYPHEN.sub(HYPHEN, text) for text in texts])


def parse_korean(text: str) -> tuple[Any, ...]:
    """Kiwi's morphemes of one text, analysed once for all who read it."""
    return korean_parses([text])[0]


def words_of(text: str, language: str) -> list[Word]:
    """Content words from left to right."""
    return _korean_words(text) if language == "ko" else _english_words(text)


def _english_words(text: str) -> list[Word]:
    found = []
    for token in parse_english(text):
        lemma = token.lemma_.lower().strip(".'’").replace(HYPHEN, "-")
        joined = token.pos_ == "PRON" and HYPHEN in token.text  # "mail-relay": no pronoun has a hyphen
        if (
            (token.pos_ not in EN_CONTENT and not joined)
            or not lemma
            or lemma in EN_LIGHT
            or token.text.lower() in EN_LIGHT
        ):
            continue
        if token.like_url or not any(c.isalnum() for c in lemma):
            continue
        if token.pos_ == "NOUN" and token.text[:1].isupper() and token.tag_ == "NNS" and token.head.tag_ == "VBZ":
            lemma = token.text.lower()  # "Jonas lives": a name taken for a plural
        if token.pos_ == "ADJ":
            lemma = token.text.lower().replace(HYPHEN, "-")
        if token.pos_ == "PROPN":
            lemma = re.sub(r"['’]s$", "", token.text.lower().strip(".").replace(HYPHEN, "-"))
        if "-" in lemma:
            parts = [part for part in lemma.split("-") if len(part) >= 3 and part not in EN_LIGHT]
            found += [Word(token.idx, token.idx + len(token.text), part, False, False) for part in parts]
        name = token.pos_ == "PROPN" or joined
        found.append(Word(token.idx, token.idx + len(token.text), lemma, name, token.pos_ == "VERB"))
    return found


def _korean_words(text: str) -> list[Word]:
    found: list[Word] = []
    tokens = parse_korean(text)
    numbered = [match.span() for match in NUMBERED.finditer(text)]
    for i, token in enumerate(tokens):
        tag = token.tag
        if group := next(((s, e) for s, e in numbered if s <= token.start < e), None):
            if token.start == group[0]:
                found.append(Word(*group, text[group[0] : group[1]], False, False))
            continue
        if tag in KO_VERBS:
            lemma = token.form + "다"
            if lemma in KO_LIGHT:
                continue
        elif tag in KO_CONTENT or token.form in KO_TOGETHER:
            lemma = token.form.lower()
            if found and found[-1].end == token.start and (found[-1].lemma + lemma) in compounds():
                before = found.pop()  # one thing that has a name of its own, written as one word
                found.append(Word(before.start, token.start + token.len, before.lemma + lemma, False, False))
                continue
            if lemma in KO_LIGHT and i + 1 < len(tokens) and tokens[i + 1].tag == "XSV":
                lemma += "하다"
            if lemma in KO_LIGHT:
                continue
        else:
            continue
        acts = tag in KO_VERBS or (
            i + 1 < len(tokens)
            and tokens[i + 1].tag in ("XSV", "XSA")
            and tokens[i + 1].start == token.start + token.len
        )
        found.append(Word(token.start, token.start + token.len, lemma, tag in ("NNP", "SL"), acts))
    return found


def without(words: Sequence[Word], spans: Sequence[tuple[int, int]]) -> list[Word]:
    """The words that lie outside the spans (of the value, of time expressions, of cue words)."""
    return [w for w in words if not any(w.start < end and start < w.end for start, end in spans)]


PHRASES = {
    "en": (
        (re.compile(
            r"\bmov(?:e|es|ed|ing)\s+(?:back\s+|out\s+|over\s+)?(?:to|into|in with|in)\b|\bhome is\b|\bshar(?:e|es|"
            r"ed|ing) (?:a|the|his|her|their) (?:home|house|flat|apartment|place)\b"
            r"|\bkeys (?:to|for) (?:my|our|his|her|their|the) (?:new |first |own )*(?:home|house|flat|apartment|place"
            r")\b", re.I), "live"),
        (re.compile(
            r"\b(?:day one|first (?:day|shift|week)|start(?:ed|s|ing)?) (?:at|with)\b"
            r"|\bon the payroll\b", re.I), "work"),
        (re.compile(r"\b(?:I['’]m|I am|(?:he|she)['’]s|is|was) an? (?:\w+ ){1,2}(?:at|with)\b"), "work"),
        (re.compile(r"\b(?:door|gate|entry|access|alarm|lock|locker|safe|security|wi-?fi|key(?:pad)?|shed|lift|garage|pin)"
            r"[ -]?code\b|\bcode (?:for|to|of|on) the\b", re.I), "passcode"),
        (re.compile(r"\bin charge of\b|\btak(?:es|e|ing|ook) over\b", re.I), "manage"),
        (re.compile(r"\b(?:father|mother|parent) of\b", re.I), "child"),
        (re.compile(r"\btook in\b|\btaken in\b", re.I), "adopt"),
        (re.compile(r"\bgave birth\b|\bcame into the world\b", re.I), "born"),
    ),
    "ko": (
        (re.compile(r"집을\s?옮|이사"), "살다"),
        (re.compile(r"데려[와왔오]"), "입양"),
        (re.compile(r"첫\s?출근|입사"), "일하다"),
    ),
}  # fmt: skip
"""Words that only together name a relation -> the lemma that stands for it."""


def phrase_lemmas(text: str, language: str) -> set[str]:
    """Lemmas that phrases stand for.

    >>> phrase_lemmas("She moved to Cork", "en")
    {'live'}
    """
    return {lemma for pattern, lemma in PHRASES["ko" if language == "ko" else "en"] if pattern.search(text)}
