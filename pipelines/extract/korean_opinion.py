"""Whether Korean words judge, and which way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pipelines.extract.korean_morph import base_tag, lemma_at
from pipelines.wordlist import table, words

DEGREE = words(
    "크다 작다 달다 맵다 쓰다 시다 많다 적다 길다 짧다 높다 낮다 멀다 두껍다 얇다"
    " 오래되다 이르다 상하다 떨어지다 물리다 통하다 놀랍다"
)
"""Words of degree: a judgement only when there is too much of it."""
TOO = re.compile(r"너무|지나치게|과하게|쓸데없이|괜히|심하게")
SUPERLATIVE = {"최고": 1, "최악": -1, "최상": 1}
STRONGLY = re.compile(r"아주|정말|진짜|너무|엄청|되게|무척|참 |훨씬|제일|굉장히")
FEELING = words(
    "기쁘다 행복하다 슬프다 피곤하다 힘들다 졸리다 춥다 덥다 아프다 속상하다 우울하다"
    " 무섭다 화나다 반갑다 고맙다 부럽다 배고프다 아쉽다 외롭다 두렵다 불안하다"
    " 설레다 긴장되다 떨리다 지치다 답답하다 괴롭다 뿌듯하다 죽다 바쁘다 심심하다 졸다 귀찮다 괜찮다 좋다"
)
"""How a person feels: with no thing named it judges nothing."""
PSYCH = words(
    "좋다 싫다 밉다 재밌다 재미있다 지루하다 맛있다 맛없다 재미없다 불편하다 편하다"
    " 아깝다 아쉽다 별로다 별로이다 무섭다 귀찮다 힘들다 어렵다 부담스럽다 지겹다"
    " 질리다 그립다 부럽다 걱정되다 부담되다 우려되다 기대되다 짜증나다 불안하다"
    " 춥다 덥다 무겁다 시끄럽다 답답하다 아깝다"
)
"""Predicates whose holder is the person that feels them."""
ATTITUDE = words(
    "좋아하다 싫어하다 사랑하다 미워하다 혐오하다 질색하다 반대하다 찬성하다 지지하다"
    " 비판하다 비난하다 칭찬하다 극찬하다 선호하다 만족하다 실망하다 후회하다"
    " 추천하다 강추하다 못마땅해하다 즐기다 동의하다 환영하다 걱정하다 우려하다 들다"
    " 불만이다 불만족이다 찬성이다 반대이다 회의적이다 긍정적이다 부정적이다 호의적이다 비판적이다"
    " 꺼리다 거부하다 신뢰하다 믿다 존경하다 불평하다 투덜거리다 투덜대다 질리다"
)
TASTES = words("좋아하다 싫어하다 즐기다 선호하다")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Judging words by dictionary form, and phrases longest first."""

    predicates: dict[str, int]
    nouns: dict[str, int]
    effects: dict[str, int]
    phrases: tuple[tuple[re.Pattern[str], int], ...]
    any_phrase: re.Pattern[str]
    """Whether a text has one of the phrases at all."""


OPEN = {20: (20, 6), 0: (0,), 8: (8, 9), 13: (13, 14), 4: (4,), 1: (1,), 5: (5,), 18: (18,), 11: (11, 10), 6: (6,)}
"""The vowels that a stem's last open vowel takes before endings: ㅣ and ㅕ, ㅗ and ㅘ, ㅜ and ㅝ, ㅚ and ㅙ."""
LINKED = (0, 4, 8, 17, 20)
"""No final consonant, ㄴ, ㄹ, ㅂ, ㅆ."""


def shapes(syllable: str) -> str:
    """The shapes that a stem's last syllable takes before endings.

    >>> "혔" in shapes("히"), "된" in shapes("되"), "든" in shapes("들")
    (True, True, True)
    """
    code = ord(syllable) - 0xAC00
    if not 0 <= code < 11172:
        return syllable
    lead, vowel, final = code // 588, code % 588 // 28, code % 28
    if final == 8:
        return "".join(chr(0xAC00 + lead * 588 + vowel * 28 + f) for f in (8, 4, 17, 0))
    if final:
        return syllable
    vowels = (0, 1) if syllable == "하" else OPEN.get(vowel, (vowel,))
    return "".join(chr(0xAC00 + lead * 588 + v * 28 + f) for v in vowels for f in LINKED)


def _phrase(phrase: str) -> re.Pattern[str]:
    """A phrase whose last syllable may be inflected: "말도_안_되" finds "말도 안 된다"."""
    stem, last = phrase[:-1], phrase[-1]
    variants = shapes(last)
    tail = f"[{variants}]" if len(variants) > 1 else re.escape(last)
    return re.compile(re.escape(stem).replace("_", r"\s?") + tail)


@cache
def lexicon() -> Lexicon:
    """The packaged Korean opinion words."""
    groups: dict[str, dict[str, int]] = {"adj": {}, "noun": {}, "verb": {}, "phrase": {}, "effect": {}}
    for kind, sign, row, _ in table("pipelines.extract", "opinion_ko.tsv"):
        for word in row.split():
            if kind == "effect":
                groups[kind][word.replace("_", "")] = 1 if sign == "+" else -1
                continue
            target = groups["phrase"] if "_" in word else groups[kind]
            form = word.removesuffix("다") if "_" in word and kind != "phrase" else word
            target.setdefault(form, 1 if sign == "+" else -1)
    phrases = sorted(groups["phrase"].items(), key=lambda item: -len(item[0]))
    compiled = tuple((_phrase(phrase), sign) for phrase, sign in phrases)
    every = re.compile("|".join(pattern.pattern for pattern, _ in compiled))
    return Lexicon(groups["adj"] | groups["verb"], groups["noun"], groups["effect"], compiled, every)


def denied(tokens: Sequence[Any], index: int) -> bool:
    """Whether the predicate at a token is negated: 안 or 못 before it, -지 않다 or -지 못하다 after it.

    A noun is negated by 아니다.
    """
    before = tokens[index - 1] if index else None
    if base_tag(tokens[index]) in ("XSV", "XSA") and index > 1:
        before = tokens[index - 2]
    if before is not None and base_tag(before) == "MAG" and before.form in ("안", "못"):
        return True
    after = [t for t in tokens[index + 1 : index + 6] if base_tag(t) not in ("JX", "JKS", "JKO", "EP")]
    if (
        len(after) >= 2
        and after[0].form == "지"
        and base_tag(after[1]) in ("VX", "VV", "VA")
        and after[1].form in ("않", "못하", "말", "못")
    ):
        return True
    if len(after) >= 2 and after[0].form in ("지", "진") and after[1].form.startswith("않"):
        return True
    return bool(after) and base_tag(after[0]) == "VCN"


def _better_not(tokens: Sequence[Any], index: int) -> bool:
    """ "안 사는 게 낫다": what is good is to leave a thing alone."""
    before = [t for t in tokens[max(0, index - 7) : index] if base_tag(t) not in ("JKS", "JX", "MAG") or t.form == "안"]
    if len(before) < 3 or before[-1].form not in ("것", "거", "편", "쪽") or base_tag(before[-2]) != "ETM":
        return False
    return any(t.form in ("안", "않", "말") for t in before[:-2])


WORTH = words("보다 먹다 마시다 건지다 배우다 사다 읽다 듣다 입다 즐기다 얻다 쓰다 참고하다 구경하다")
"""What a thing is there for."""


def _worth_nothing(tokens: Sequence[Any], index: int) -> bool:
    """ "볼 게 없다", "배울 것도 없다": a thing that gives nothing of what it is there for."""
    before = [t for t in tokens[max(0, index - 5) : index] if base_tag(t) not in ("JKS", "JX")]
    return (
        len(before) >= 3
        and before[-1].form in ("것", "거")
        and before[-2].form in ("ᆯ", "을")
        and lemma_at(before, len(before) - 3) in WORTH
    )


def _unfit_at_all(tokens: Sequence[Any], index: int) -> bool:
    """ "쓸 게 못 된다": the same, said with 못 되다."""
    before = [t for t in tokens[max(0, index - 6) : index] if base_tag(t) not in ("JKS", "JKC", "JX")]
    return (
        tokens[index].form in ("되", "돼")
        and len(before) >= 3
        and before[-1].form == "못"
        and base_tag(before[-2]) in ("NNB", "NNG")
        and base_tag(before[-3]) == "ETM"
        and before[-3].form in ("ᆯ", "을")
    )


def _unfit(tokens: Sequence[Any], index: int) -> bool:
    """ "입을 옷이 아니다": a thing that is not for what such things are for."""
    before = [t for t in tokens[max(0, index - 4) : index] if base_tag(t) not in ("JKS", "JKC", "JX")]
    return (
        len(before) >= 2
        and base_tag(before[-1]) in ("NNG", "NNB")
        and base_tag(before[-2]) == "ETM"
        and before[-2].form in ("ᆯ", "을")
    )


MOTION = words("가다 오다 나가다 나오다 들어가다 들르다 돌아가다 참석하다 참가하다 출근하다 기다리다 만나다 하다")
"""What one cannot come to do says nothing of a thing ("못 가겠어요")."""


def _unbearable(tokens: Sequence[Any], index: int) -> bool:
    """ "어두워서 못 읽겠다": a reason why a thing can't be put up with."""
    before = tokens[index - 1] if index else None
    mark = tokens[index + 1] if index + 1 < len(tokens) else None
    if before is None or mark is None or before.form != "못" or (base_tag(mark), mark.form) != ("EP", "겠"):
        return False
    reason = any((base_tag(t) == "EC" and t.form in REASON) or t.form == "도저히" for t in tokens[:index])
    return lemma_at(tokens, index) not in MOTION - {"하다"} and reason


REASON = words("어서 아서 여서 서 라서 니까 으니까")


def _light(tokens: Sequence[Any], index: int) -> bool:
    """Whether a noun is the object of a bare 하다 that stands apart from it."""
    for token in tokens[index + 1 : index + 5]:
        tag = base_tag(token)
        if tag == "VV" and token.form == "하":
            return True
        if tag not in ("JKO", "MAG", "JX"):
            return False
    return False


def signs(tokens: Sequence[Any], text: str) -> list[tuple[int, int]]:
    """The judging words of a clause: token index and sign, negation counted."""
    lex = lexicon()
    found: list[tuple[int, int]] = []
    for index, token in enumerate(tokens):
        tag = base_tag(token)
        sign = 0
        if tag in ("VV", "VA", "VX", "XSV", "XSA", "VCP"):
            lemma = lemma_at(tokens, index)
            attached = tag == "VV" and index > 0 and tokens[index - 1].end == token.start
            whole = lemma != f"{token.form}다" or not attached or base_tag(tokens[index - 1]) != "NNG"
            if whole:  # "접질리다" is no "질리다"
                sign = lex.predicates.get(lemma, 0)
            if lemma in ("없다", "있다", "나다") and index > 1 and base_tag(tokens[index - 1]) in ("JKS", "JX"):
                sign = lex.predicates.get(tokens[index - 2].form + lemma, 0)  # "쓸모가 없다"
            if tag == "VX" and not lemma.startswith(("좋", "나쁘")):
                sign = 0
            if not sign and tag == "VCP" and not (index and base_tag(tokens[index - 1]) == "NNB"):  # not "열 시다"
                sign = lex.nouns.get(lemma.removesuffix("이다"), 0) or lex.predicates.get(
                    lemma.removesuffix("이다") + "다", 0
                )
            if (
                not sign
                and index
                and tokens[index - 1].end == token.start
                and base_tag(tokens[index - 1]) in ("NNG", "MAG", "XR")
            ):
                sign = lex.predicates.get(tokens[index - 1].form + lemma, 0)  # "알찼어", read as a noun and a verb
            if not sign and tag == "VCP" and any(t.form in SUPERLATIVE for t in tokens[max(0, index - 4) : index]):
                sign = next(SUPERLATIVE[t.form] for t in tokens[max(0, index - 4) : index] if t.form in SUPERLATIVE)
            if not sign and tag == "VCP" and index > 1 and tokens[index - 2].form == "인생":
                sign = 1  # "인생 영화다": one of a lifetime
            if not sign and tag == "VV" and index + 2 < len(tokens) and base_tag(tokens[index + 2]) == "VX":
                sign = lex.predicates.get(f"{token.form}{tokens[index + 2].form}다", 0)  # "끝내준다"
            if lemma in DEGREE:
                sign = -1 if TOO.search(text) else 0
            if lemma == "좋다" and index and tokens[index - 1].form in ("면", "으면"):
                sign = 0
            if sign > 0 and _better_not(tokens, index):
                sign = -1
            if not sign and lemma == "없다":
                sign = -1 if _worth_nothing(tokens, index) else 0
        elif tag in ("NNG", "XR", "NNP", "MAG", "IC", "SL"):
            last = all(
                base_tag(t) in ("SF", "SW", "SP", "IC", "MAG", "SSC", "JX", "W_EMOJI", "XSN", "EF")
                for t in tokens[index + 1 :]
            )
            following = base_tag(tokens[index + 1]) if index + 1 < len(tokens) else ""
            if last or (following == "VCN"):
                whole = (
                    tokens[index - 1].form + token.form
                    if index and tokens[index - 1].end == token.start
                    else token.form
                )
                sign = lex.nouns.get(token.form, 0) or lex.nouns.get(whole, 0)
            elif f"{token.form}하다" in lex.predicates and _light(tokens, index):
                sign = lex.predicates[f"{token.form}하다"]  # "칭찬을 엄청 하더라"
        if (
            not sign
            and tag == "MAG"
            and token.form == "잘"
            and STRONGLY.search(text)
            and index + 1 < len(tokens)
            and tokens[index + 1].form not in ("하",)
        ):
            sign = 1
        elif (tag == "VCN" and _unfit(tokens, index)) or (tag in ("VV", "VX") and _unfit_at_all(tokens, index)):
            found.append((index, -1))
            continue
        if not sign and tag in ("VV", "XSV") and _unbearable(tokens, index):
            found.append((index, -1))
            continue
        if sign and tag == "VCN":
            found.append((index, sign))
        elif sign:
            found.append((index, -sign if denied(tokens, index) else sign))
    for pattern, sign in lex.phrases if lex.any_phrase.search(text) else ():
        match = pattern.search(text)
        if match and not any(t.start == match.end() and base_tag(t) in ("NNG", "NNP") for t in tokens):
            found.append((next((i for i, t in enumerate(tokens) if t.start >= match.start()), len(tokens)), 2 * sign))
            break
    return found


def judgement(tokens: Sequence[Any], text: str) -> int:
    """The sign of a clause: its last predicate counts double; 0 when nothing judges."""
    found = signs(tokens, text)
    if not found:
        return 0
    total = sum(sign for _, sign in found) + found[-1][1]
    return (total > 0) - (total < 0) or (1 if found[-1][1] > 0 else -1)


def effect(tokens: Sequence[Any], text: str) -> int:
    """The sign of what a thing does in general ("금방 벗겨진다")."""
    lex = lexicon()
    total = 0
    for index, token in enumerate(tokens):
        tag = base_tag(token)
        form = (
            lemma_at(tokens, index)
            if tag in ("VV", "VA", "XSV", "XSA")
            else token.form
            if tag in ("NNG", "NNP")
            else ""
        )
        if index and form and base_tag(tokens[index - 1]) == "MAG" and tokens[index - 1].form + form in lex.effects:
            form = tokens[index - 1].form + form  # "오래 간다"
        sign = lex.effects.get(form, 0)
        if sign:
            total += -sign if denied(tokens, index) else sign
    return (total > 0) - (total < 0)
