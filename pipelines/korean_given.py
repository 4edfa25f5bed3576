"""What a Korean given name looks like, and the names that the analyser takes apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

GIVEN = frozenset(
    "가강건겸경관광교구국권규균근금기길나남노누다단달담대도동두들라란람랑래려련령로록루리린림"
    "마만말명모목무문미민바배백범별보복봉비빈사산삼상새서석선설섭성세소손솔송수숙순숭슬승시식"
    "신심아안애양언엄여연열영예오옥온완요용우욱운웅원월위유윤율은의이익인일임자장재전정제조종"
    "주준중지진차찬창채천철청초춘충치태택토하학한해향허헌혁현형혜호홍화환황회효후훈휘희솜빛름"
    "늘샘꽃결들울든움맑온담솔별봄슬찬"
)
"""Syllables of given names."""
PLACES = frozenset(
    "서울 부산 대구 인천 광주 대전 울산 세종 제주 강릉 속초 전주 수원 용인 판교 안산"
    " 진주 경주 여수 원주 청주 충주 제천 영주 안동 구미 김해 창원 마산 진해 통영"
    " 거제 포항 목포 순천"
    " 익산 군산 천안 아산 공주 서산 당진 춘천 삼척 동해 태백 양양 고성 파주 고양"
    " 성남 부천 안양 의왕 과천 하남 이천 여주 양평 가평 구리 강남 강북 강서 강동"
    " 송파 마포 종로 홍대 이태원"
    " 명동 신촌 성수 잠실 여의도 분당 일산 동탄 도쿄 오사카 교토 방콕 하노이 다낭"
    " 타이베이 홍콩 상하이 베이징 파리 런던 로마 한국 일본 중국 미국 영국 독일 호주"
    " 인도 태국 대만 유럽 아시아"
    " 한강 한라산 설악산 지리산 오대산 남산 동대문 남대문 경기 강원 충북 충남 전북 전남 경북 경남".split()
)
SURNAMES = frozenset(
    (
        "김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 전 홍 고 문 양 손 배"
        " 백 허 유 남 심 노 하 곽 성 차 주 우 구 민 진 지 엄 채 원 천 방 공 현 함 변"
        " 염 여 추 도 소 석 선 설 마 길 연 위 표 명 기 반 라 왕 금 옥 육 인 맹 제 모"
        " 탁 국 어 은 편 용 예 경 봉 사 부 황보 남궁 선우 독고"
    ).split()
)
KO_NAMED = re.compile(
    r"(?<![가-힣])(?P<n>[가-힣]{2}(?P<i>이)?)(?=(?:는|가|네|의|를|도|(?:에게|한테)(?:는|도|서)?)(?:\s|$))"
)
"""A word that may be a name: two syllables, with the -이 of speech or without, and a particle."""
KO_SHORT = re.compile(
    r"(?<![가-힣])(?P<n>[가-힣]{2})(?=,|(?:(?:이)?랑|하고|와|과|이|가|은|는|을|를|의|도|에게|한테|네|"
    r"이에요|예요|입니다|이야|야|이다|다)(?:[\s,.!?~]|$))"
)
"""Two syllables before a comma, a particle or a copula: a name when the analyser knows no word of them."""
PIECES = frozenset({"NNG", "NNP", "XPN", "XR"})
ADNOMINAL = frozenset({"은", "는", "을"})
"""Endings that lead to a noun: no comma follows them."""
NEVER = frozenset({"SN", "NR", "NNB", "XSN", "JKS", "JKB", "VCP"})


def closed_with(final: int) -> str:
    """All syllables with this final consonant, as a class of a regular expression."""
    return "".join(chr(code) for code in range(ord("가"), ord("힣") + 1) if (code - ord("가")) % 28 == final)


FINAL_L, FINAL_SS = closed_with(8), closed_with(20)


def name_like(form: str) -> bool:
    """Whether a word looks like a Korean given or full name and is no place.

    >>> name_like("아라"), name_like("김서영"), name_like("강릉")
    (True, True, False)
    """
    if form in PLACES or (form[:-1] in PLACES and form[-1] in "도시군구동역산강점읍면리항"):
        return False
    if not re.fullmatch(r"[가-힣]{2,4}", form):
        return False
    if len(form) == 2:
        return all(char in GIVEN for char in form)
    return len(form) == 3 and form[0] in SURNAMES and all(char in GIVEN for char in form[1:])


def is_closed(char: str) -> bool:
    return "가" <= char <= "힣" and (ord(char) - 0xAC00) % 28 != 0


def torn_names(text: str, tokens: Sequence[Any]) -> list[tuple[int, int, str]]:
    """Names that the analyser takes apart: 다훈이는 read as 다 + 훈이, 하나는 as the number."""
    found: list[tuple[int, int, str]] = []
    for match in KO_SHORT.finditer(text):
        own = [t for t in tokens if match.start() <= t.start < match.end()]
        if len(own) != 2 or any(t.len != 1 or t.tag in NEVER for t in own):
            continue
        listed = text[match.end() : match.end() + 1] == "," and own[1].form in ADNOMINAL
        if ({t.tag for t in own} <= PIECES) or ((own[0].tag[0] not in "VE" or listed) and name_like(match["n"])):
            found.append((match.start(), match.end(), "NNP"))
    found += [span for span in _bare_stems(text, tokens) if not any(s < span[1] and span[0] < e for s, e, _ in found)]
    for match in KO_NAMED.finditer(text):
        start, end = match.span("n")
        own = [t for t in tokens if start <= t.start < end]
        if not own:
            continue
        whole = len(own) == 1 and own[0].start == start and own[0].start + own[0].len == end
        if match["i"]:
            if normal_name(match["n"]) == match["n"]:
                continue
            torn = not whole or own[0].tag[0] != "N"
        else:
            number = own[0].tag == "NR" and "둘" not in text
            torn = match.start() == 0 and (
                number
                if whole
                else (len(own) == 2 and own[0].tag == "NNP" and own[1].tag[0] == "N")
                or (own[0].tag[0] == "V" and text[end] == "의")
            )
        if torn and not any(s < end and start < e for s, e, _ in found):
            found += [(start, start + 2, "NNP"), (start + 2, end, "XSN")][: end - start - 1]
    return sorted(found)


def _bare_stems(text: str, tokens: Sequence[Any]) -> list[tuple[int, int, str]]:
    """Words in a form that no word has, a verb's bare stem at the end (너 + 울) or two copulas: unknown names."""
    found = [*_twice_copular(text, tokens), *_called_so(text), *_ill_joined(text, tokens)]
    for before, stem, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if stem.tag[:2] not in ("VV", "VA") or stem.len != 1 or before.start + before.len != stem.start:
            continue
        start, end = before.start, stem.start + stem.len
        alone = before.len == 1 and text[start - 1 : start].strip() == "" and after.start > end and text[end] == " "
        if alone and before.tag in ("NP", "NNG", "NNP", "MM", "XPN"):
            found.append((start, end, "NNP"))
    return found


def _twice_copular(text: str, tokens: Sequence[Any]) -> list[tuple[int, int, str]]:
    """Words with two copulas: what stands before the second is a name (채이든 + 이에요, read as 채 + 이 + 든)."""
    found: list[tuple[int, int, str]] = []
    copulas = [t.start for t in tokens if t.tag == "VCP"]
    for first, second in pairwise(copulas):
        start = text.rfind(" ", 0, first) + 1
        if 2 <= second - start <= 4 and " " not in text[first:second]:
            found.append((start, second, "NNP"))
    return found


def _called_so(text: str) -> list[tuple[int, int, str]]:
    """What a thing's name is said to be, whatever else the word could be ("이름은 누리다")."""
    match = CALLED_SO.search(text)
    return [(*match.span("n"), "NNP")] if match else []


CALLED_SO = re.compile(
    r"이름[은이]\s(?P<n>[가-힣]{2,4}?)(?=(?:이다|이에요|예요|입니다|이야|야|다|이래요?|래요?)[.!~]*(?:\s|$))"
)


def _ill_joined(text: str, tokens: Sequence[Any]) -> list[tuple[int, int, str]]:
    """Unknown names read as a verb where none can stand: before 랑, or before a number that a copula follows."""
    found: list[tuple[int, int, str]] = []
    for place, token in enumerate(tokens[:-1]):
        if token.tag != "EC":
            continue
        start, end, after = text.rfind(" ", 0, token.start) + 1, token.start + token.len, tokens[place + 1]
        listed = after.tag == "JC" and after.start == end
        numbered = after.tag == "SN" and place + 2 < len(tokens) and tokens[place + 2].tag == "VCP"
        if 2 <= end - start <= 4 and (listed or (numbered and text[end : after.start] == " ")):
            found.append((start, end, "NNP"))
    return found


def normal_name(lemma: str) -> str:
    """A Korean name without the -이 that speech adds to it.

    >>> normal_name("수정이"), normal_name("수정"), normal_name("ola")
    ('수정', '수정', 'ola')
    """
    if len(lemma) >= 3 and lemma.endswith("이") and "가" <= lemma[-2] <= "힣" and (ord(lemma[-2]) - 0xAC00) % 28:
        return lemma[:-1]
    return lemma
