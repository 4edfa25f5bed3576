"""Which Korean phrases name persons or sources, and the bare name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pipelines.extract.korean_morph import FIRST, Chunk
from pipelines.korean_given import is_closed, name_like
from pipelines.wordlist import table


@cache
def people() -> dict[str, frozenset[str]]:
    """Words for persons and sources, by class."""
    return {row[0]: frozenset(row[1].split()) for row in table("pipelines.extract", "people_ko.tsv")}


def is_person(form: str, names: Sequence[str]) -> bool:
    """Whether a noun phrase names a person or a group that can speak.

    >>> is_person("부장님", ()), is_person("지하철 요금", ()), is_person("기태 씨", ("기태",))
    (True, False, True)
    """
    bare = re.sub(r"\s*(?:님|씨|양|군)$", "", form.strip())
    if not bare:
        return False
    if bare in names or (bare.endswith("이") and bare[:-1] in names):
        return True
    last = form.split()[-1] if form.split() else form
    table_ = people()
    if re.search(r"[가-힣]{2}(?:자|원|인|민|객|생|진|단|사)들$", last):
        return True
    last = last.removesuffix("들") if len(last) > 2 else last
    if last in table_["kin"] or last in table_["own"] or last in table_["title"] or last in table_["anyone"]:
        return True
    if form.strip() in FIRST or form.strip() in ("자기", "본인", "걔", "쟤", "얘", "그분", "그 사람", "그녀", "그"):
        return True
    return bool(
        re.search(
            (
                "(?:님|씨|분들?|선배|후배|언니|오빠|누나|형|쌤|선생|부장|팀장|대표|사장"
                "|교수|매니저|에이전트|상담사|담당자|기사님|고객|손님|직원|의사|간호사|봇)$"
            ),
            last,
        )
    ) and not NO_PERSON.search(last)


NO_PERSON = re.compile(
    r"(?:부분|성분|기분|충분|지분|여분|구분|십\s?분|\d\s?분)$|^(?:배|처|수|염|양|본|명|등|흥|유|당|화|친|신|미|적|인|몇|재배)분$|"
    r"^(?:새|모|인|균|전|유|무|체|외|성|변|도|정|원|소|신|기|지)형$"
)
"""Words that end as a person's title does and name none ("배분", "모형")."""
ANIMALS = frozenset(
    (
        "원숭이 호랑이 지렁이 고양이 구렁이 강냉이 어린이 늙은이 젊은이 떡볶이 손잡이"
        " 목걸이 귀걸이 옷걸이 재떨이 책꽂이 연필깎이 달맞이 해돋이"
    ).split()
)


def person(chunk: Chunk, names: Sequence[str]) -> bool:
    """Whether a chunk names a person: by a known word, or by looking like a Korean given or full name.

    A name that no speaker bears is a proper noun of two syllables that given names are made of (three with
    a surname), and no place.
    """
    form = chunk.form.strip()
    if is_person(form, names):
        return True
    if (
        chunk.tags[:2] in (("NNP", "XSN"), ("NNG", "XSN"))
        and re.fullmatch(r"[가-힣]{2}이", form)
        and is_closed(form[1])
    ):
        return True
    split = chunk.tags[:2] == ("MM", "NNG") and form[:1] not in "이그저" and " " not in form
    called = "XSN" in chunk.tags[1:3] and form.endswith("이")
    whole = (
        chunk.tags[:1] == ("NNG",)
        and len(form) == 3
        and form.endswith("이")
        and is_closed(form[1])
        and chunk.role in ("subj", "topic", "dat")
        and form not in ANIMALS
    )
    if (
        not chunk.tags
        or not (chunk.tags[0] == "NNP" or split or called or whole)
        or chunk.role not in ("subj", "topic", "dat", "with", "also", "bare", "obj")
    ):
        return False
    if len(form) >= 3 and form.endswith("이") and is_closed(form[-2]):
        form = form[:-1]
    return name_like(form)


def is_source(form: str) -> bool:
    """Whether a noun phrase is a medium or a body that can be quoted."""
    last = form.split()[-1] if form.split() else form
    return last in people()["source"] or bool(
        re.search(
            (
                "(?:신문|뉴스|일보|기사|공지|보고서|리뷰|후기|방송|일지|로그|문서|게시판"
                "|블로그|연구소|협회|위원회|관리실|센터|본부|청)$"
            ),
            last,
        )
    )


CALLED = re.compile(r"(?:이|야|아|이네|네)?(?:\s?(?:씨|님|군|양|쌤))?")
"""What may follow a name that somebody is called by."""


def bare_name(form: str, names: Sequence[str]) -> str:
    """A person's name without title, plural or the 이 that follows a final consonant.

    >>> bare_name("채원이", ("채원",)), bare_name("문 손님", ()), bare_name("실장님", ()), bare_name("직원분", ())
    ('채원', '문 손님', '실장님', '직원')
    """
    form = form.strip()
    for name in sorted((name for name in names if form.startswith(name)), key=len, reverse=True):
        if form == name:
            return name
        if CALLED.fullmatch(form, len(name)):
            return name
    form = re.sub(r"\s?씨$", "", form)
    if re.search(r"\s\S+님$", form) and not re.search(
        r"(?:선생|부장|팀장|사장|대표|과장|차장|실장|교수|원장|이사|감독|코치|손)님$", form
    ):
        form = form[:-1]
    form = re.sub(r"(?<=[사원자객인님])분(?:들)?$", "", form)
    if (
        re.fullmatch(r"[가-힣]{2,3}이", form)
        and not re.search(r"(?:아이|어린이|고양이|늙은이|젊은이|언니이)$", form)
        and is_closed(form[-2])
    ):
        return form[:-1]
    return form
