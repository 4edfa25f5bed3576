"""Korean sentences as chunks: noun phrases with their particles, and predicates in dictionary form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from pipelines.wordlist import table

Role = Literal[
    "subj", "topic", "obj", "dat", "loc", "dir", "with", "from", "upto", "also", "bare", "adv", "pred", "end"
]

PARTICLES: dict[str, Role] = {
    "이": "subj",
    "가": "subj",
    "께서": "subj",
    "은": "topic",
    "는": "topic",
    "ᆫ": "topic",
    "을": "obj",
    "를": "obj",
    "ᆯ": "obj",
    "한테": "dat",
    "에게": "dat",
    "께": "dat",
    "더러": "dat",
    "보고": "dat",
    "한테서": "dat",
    "에게서": "dat",
    "에": "loc",
    "에서": "loc",
    "로": "dir",
    "으로": "dir",
    "로서": "dir",
    "와": "with",
    "과": "with",
    "랑": "with",
    "이랑": "with",
    "하고": "with",
    "부터": "from",
    "까지": "upto",
    "도": "also",
    "만": "also",
    "요": "bare",
    "이나": "also",
    "나": "also",
    "밖에": "also",
    "보다": "with",
    "처럼": "with",
    "라고": "bare",
    "이야": "topic",
    "야": "topic",
    "이라도": "also",
    "마다": "also",
}
NOMINAL = ("NNG", "NNP", "NNB", "NR", "NP", "SL", "SN", "SH", "XSN", "XPN", "XR", "W_SERIAL", "MM")
VERBAL = ("VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA")
FIRST = frozenset("나 저 내 제 우리 저희 본인".split())


@dataclass(slots=True)
class Chunk:
    """A run of words with one role. `form` is its text without particles; a predicate has its lemma."""

    role: Role
    form: str
    start: int
    end: int
    first: int
    last: int
    """Token indices, inclusive."""
    lemma: str = ""
    marked: bool = True
    """A particle says the role."""
    tags: tuple[str, ...] = ()


@dataclass(slots=True)
class Clause:
    """An analysed sentence or part of one."""

    text: str
    tokens: Sequence[Any]
    chunks: list[Chunk] = field(default_factory=list)

    def nouns(self, *roles: Role) -> list[Chunk]:
        """The noun phrases of these roles, in order."""
        return [chunk for chunk in self.chunks if chunk.role in roles]


@cache
def people() -> dict[str, frozenset[str]]:
    """Words for persons and sources, by class."""
    return {row[0]: frozenset(row[1].split()) for row in table("pipelines.extract", "people_ko.tsv")}


def base_tag(token: Any) -> str:
    """The tag without its regularity mark."""
    return str(token.tag).split("-")[0]


@dataclass(frozen=True, slots=True)
class Token:
    """A morpheme with its place, as the analyser gives it."""

    form: str
    tag: str
    start: int
    end: int


def repaired(tokens: Sequence[Any]) -> list[Any]:
    """The tokens with a quotative that the analyser cut in two put together again ("한다" + "고")."""
    out: list[Any] = []
    for token in tokens:
        last = out[-1] if out else None
        if (
            last is not None
            and token.form == "고"
            and base_tag(token) in ("MM", "MAJ", "NNG", "IC", "JKQ", "EC")
            and base_tag(last) == "EF"
            and last.end == token.start
            and re.fullmatch(r"(?:ᆫ|는|은|느|으|이)?[다라자냐]", last.form)
        ):
            out[-1] = Token(last.form + "고", "EC", last.start, token.end)
            continue
        out.append(token)
    return out


def eojeols(tokens: Sequence[Any], text: str) -> list[list[int]]:
    """Token indices by the spaces of the text."""
    groups: list[list[int]] = []
    for index, token in enumerate(tokens):
        if (
            groups
            and text[tokens[groups[-1][-1]].end - 1 : token.start + 1].strip(" \n") != ""
            and " " not in text[tokens[groups[-1][-1]].end : token.start]
        ):
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def lemma_at(tokens: Sequence[Any], index: int) -> str:
    """The dictionary form of the predicate that a token belongs to: noun + 하, the adjective, the verb, noun + 이.

    >>> class T:
    ...     def __init__(self, form, tag): self.form, self.tag = form, tag
    >>> lemma_at([T("지루", "XR"), T("하", "XSA"), T("다고", "EC")], 1)
    '지루하다'
    """
    token = tokens[index]
    tag = base_tag(token)
    if tag in ("XSV", "XSA"):
        stem, place = token.form, index - 1
        while (
            place >= 0
            and base_tag(tokens[place]) in ("XR", "NNG", "NNB", "XSN", "MAG", "NNP")
            and not stem.startswith(" ")
        ):
            stem = tokens[place].form + stem
            place -= 1
            if base_tag(tokens[place + 1]) not in ("XSN",):
                break
        if place >= 0 and base_tag(tokens[place]) == "XPN":
            stem = tokens[place].form + stem
        return stem + "다"
    if tag == "VCP":
        stem, place = "", index - 1
        while place >= 0 and base_tag(tokens[place]) in (
            "NNG",
            "XSN",
            "XR",
            "NNP",
            "MAG",
            "XPN",
            "SL",
            "NNB",
            "SN",
            "NP",
        ):
            stem = tokens[place].form + stem
            place -= 1
            if base_tag(tokens[place + 1]) in ("NNG", "NNP", "MAG", "SL", "NP") and (
                place < 0 or base_tag(tokens[place]) != "XPN"
            ):
                break
        return stem + "이다"
    if (
        tag == "VV"
        and token.form in ("되", "하")
        and index
        and base_tag(tokens[index - 1]) in ("NNG", "XR")
        and tokens[index - 1].end == token.start
    ):
        return f"{tokens[index - 1].form}{token.form}다"
    if tag == "VCN":
        return "아니다"
    return str(token.form) + "다"


def clause_of(text: str, tokens: Sequence[Any]) -> Clause:
    """Chunks of a sentence, left to right."""
    clause = Clause(text, tokens)
    for group in eojeols(tokens, text):
        marks = [i for i in group if base_tag(tokens[i]) in ("SF", "SP", "SW", "SSO", "SSC", "SE", "W_EMOJI")]
        words = [i for i in group if i not in marks]
        if not words:
            continue
        named = _unknown_name(text, tokens, words)
        if named is not None:
            clause.chunks.append(named)
            continue
        words = [i for i in words if base_tag(tokens[i]) != "IC" or tokens[i].form in ("나", "저", "그", "이")]
        if not words:
            continue
        clause.chunks.extend(_chunks(text, tokens, words))
    _light_verbs(clause.chunks)
    clause.chunks = [chunk for chunk in _merged(clause.chunks, text) if chunk.role == "pred" or chunk.form.strip()]
    return clause


def _light_verbs(chunks: list[Chunk]) -> None:
    """ "칭찬을 엄청 하더라": the verb is 칭찬하다 and its noun is no object."""
    for place, chunk in enumerate(chunks):
        if chunk.role != "pred" or chunk.lemma != "하다":
            continue
        before = [c for c in chunks[max(0, place - 2) : place] if c.role != "adv"]
        if before and before[-1].role == "obj" and " " not in before[-1].form and before[-1].form in DEEDS:
            chunk.lemma = before[-1].form + "하다"
            before[-1].role, before[-1].form = "adv", before[-1].form


DEEDS = frozenset(
    (
        "칭찬 불평 자랑 비판 추천 걱정 후회 반대 찬성 이사 결혼 퇴사 취직 승진 이직 입사 은퇴 예약 취소 환불 교환 신청"
    ).split()
)
CALLED = re.compile(r"(?P<name>[가-힣]{2,3}?)(?P<mark>이가|가|이는|는|이한테|한테|이랑|랑|이도|은)")


def _unknown_name(text: str, tokens: Sequence[Any], words: list[int]) -> Chunk | None:
    """A name that the analyser broke up ("아라가" read as an interjection and a noun), with its particle."""
    start, end = tokens[words[0]].start, tokens[words[-1]].end
    match = CALLED.fullmatch(text[start:end])
    if (
        match is None
        or base_tag(tokens[words[0]]) not in ("IC", "MM", "XPN", "NR", "MAG")
        or len(words) < 2
        or not name_like(match["name"])
    ):
        return None
    if match["name"][0] in "이그저" or match["name"] in ("아주", "정말", "진짜"):
        return None
    role = PARTICLES[
        "가"
        if "가" in match["mark"]
        else "한테"
        if "한테" in match["mark"]
        else "랑"
        if "랑" in match["mark"]
        else "는"
    ]
    return Chunk(role, match["name"], start, end, words[0], words[-1], "", True, ("NNP",))


def _chunks(text: str, tokens: Sequence[Any], words: list[int]) -> list[Chunk]:
    """One space-separated word: a noun phrase, a predicate, or an adverb."""
    tags = [base_tag(tokens[i]) for i in words]
    start, end = tokens[words[0]].start, tokens[words[-1]].end
    verbal = next((k for k, tag in enumerate(tags) if tag in VERBAL), None)
    suffix = [tokens[i].form for i in words[-2:]]
    if (
        verbal is not None
        and tags[verbal] == "VCP"
        and words[-1] == words[verbal]
        and tokens[words[verbal]].form == "이"
    ):
        verbal = None  # "상담사분이": the subject particle read as the copula
        tags[-1] = "JKS"
    if verbal is not None or any(tag in ("EF", "EC", "ETM", "ETN") for tag in tags):
        k = verbal if verbal is not None else next(i for i, tag in enumerate(tags) if tag in ("EF", "EC", "ETM", "ETN"))
        lemma = lemma_at(tokens, words[k]) if verbal is not None else ""
        return [Chunk("pred", text[start:end], start, end, words[0], words[-1], lemma, True, tuple(tags))]
    if all(tag in ("MAG", "MAJ", "IC") for tag in tags):
        return [Chunk("adv", text[start:end], start, end, words[0], words[-1], "", True, tuple(tags))]
    particle_at = next((k for k, tag in enumerate(tags) if tag.startswith("J") and k > 0), None)
    role: Role = "bare"
    stop = end
    if particle_at is not None:
        stop = tokens[words[particle_at]].start
        forms = [tokens[i].form for i in words[particle_at:]]
        if tags[particle_at] == "JKG":
            return [Chunk("bare", text[start:end], start, end, words[0], words[-1], "", False, tuple(tags))]
        roles = [PARTICLES.get(form, "bare") for form in forms]
        role = next((r for r in roles if r in ("subj", "dat", "obj", "loc", "dir", "with", "from", "upto")), roles[0])
        if role in ("loc", "dir", "dat", "subj", "obj") or roles[0] != "bare":
            pass
        if forms[0] in ("께서",):
            role = "subj"
    form = text[start:stop] or text[start:end]
    if suffix and tags[-1] == "JKS" and verbal is None and particle_at is None:
        role, form = "subj", text[start : tokens[words[-1]].start]
    return [
        Chunk(role, form, start, end, words[0], words[-1], "", particle_at is not None or role != "bare", tuple(tags))
    ]


def _merged(chunks: list[Chunk], text: str) -> list[Chunk]:
    """Bare nouns and modifiers go into the noun phrase that they lead to."""
    out: list[Chunk] = []
    for chunk in chunks:
        previous = out[-1] if out else None
        nominal = chunk.role not in ("pred", "adv", "end")
        near = previous is not None and not re.search(r"[,;.!?]", text[previous.end : chunk.start])
        if (
            previous is not None
            and previous.role == "pred"
            and chunk.role == "pred"
            and chunk.tags[:1] == ("VX",)
            and previous.tags[-1:] == ("EC",)
        ):
            out[-1] = Chunk(
                "pred",
                text[previous.start : chunk.end],
                previous.start,
                chunk.end,
                previous.first,
                chunk.last,
                previous.lemma,
                True,
                (*previous.tags, *chunk.tags),
            )
            continue
        if (
            previous is not None
            and nominal
            and near
            and (previous.role == "bare" and not previous.marked and _joins(previous, chunk))
        ):
            out[-1] = Chunk(
                chunk.role,
                text[previous.start : chunk.start] + chunk.form,
                previous.start,
                chunk.end,
                previous.first,
                chunk.last,
                "",
                chunk.marked,
                (*previous.tags, *chunk.tags),
            )
            continue
        if (
            previous is not None
            and nominal
            and near
            and previous.role == "pred"
            and previous.tags[-1:] == ("ETM",)
            and _modifies(previous)
        ):
            start, first = previous.start, previous.first
            del out[-1]
            if out and out[-1].role in ("bare", "loc", "adv", "dir", "obj", "subj", "dat") and _belongs(out[-1], out):
                lead = out.pop()
                start, first = lead.start, lead.first
            out.append(
                Chunk(
                    chunk.role,
                    text[start : chunk.start] + chunk.form,
                    start,
                    chunk.end,
                    first,
                    chunk.last,
                    "",
                    chunk.marked,
                    ("ETM", *chunk.tags),
                )
            )
            continue
        out.append(chunk)
    return out


TIME_WORDS = re.compile(
    "^(?:오늘|어제|그제|그저께|엊그제|내일|모레|글피|지금|요즘|요새|최근"
    r"|아까|방금|이따가?|나중|올해|작년|내년|재작년|지난\S*|저번\S*|이번 ?(?:주"
    r"|달|해|분기|학기)|다음\S*|다다음\S*|담주|담달"
    r"|\d+(?:년|월|일|시|분|주|개월|달|시간)\S*|\S+(?:요일|년|개월|주일)|\S+부로"
    "|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두) ?시(?: ?반)?"
    "|매일|매주|매달|매년|매번|항상|주말|평일|(?:초|늦|한|올|지난)?(?:봄"
    "|여름|가을|겨울)|아침|점심|저녁|밤|새벽|오전|오후|당분간|한동안|언젠가"
    "|처음|그때|이때|하루 ?종일)$"
)
DETERMINERS = frozenset(
    "이 그 저 이런 그런 저런 새 헌 첫 이번 지난번 저번 우리 저희 내 제 자기 해당 본 전 각 모든 무슨 어떤 어느".split()
)


def is_time(form: str) -> bool:
    """Whether a bare word is a time, not a thing."""
    return bool(TIME_WORDS.match(form.strip()))


def _joins(left: Chunk, right: Chunk) -> bool:
    """Whether two neighbouring nouns are one phrase: a time or the first person stands alone."""
    words = left.form.split()
    lead = right.form.split()[0] if right.form.split() else ""
    if right.role == "loc" and right.form in ("마음", "맘", "눈", "입", "귀"):
        return False
    if lead and is_time(lead) and not (words and all(is_time(word) for word in words)):
        return False
    if words and all(is_time(word) for word in words) and left.form not in ("이번",):
        return right.form in ("주", "달", "해") or is_time(right.form.split()[0]) if right.form else False
    if left.form in ("나", "저", "난", "전", "너", "넌"):
        return False
    if (
        len(words) == 1
        and re.fullmatch(r"[가-힣]{2}이", left.form)
        and left.tags[:1] == ("NNP",)
        and _closed(left.form[1])
    ):
        return False
    if left.tags and left.tags[-1] in ("SN", "NR") and right.tags and right.tags[0] in ("SN",):
        return False
    return len(words) <= 5


def _modifies(pred: Chunk) -> bool:
    return pred.lemma not in ("", "것다")


def _belongs(lead: Chunk, before: list[Chunk]) -> bool:
    """Whether the word before a relative clause is inside it ("이번에 온", "새로 산", "유진이 새로 산")."""
    if lead.role == "adv":
        return lead.form in (
            "새로",
            "처음",
            "같이",
            "새로이",
            "직접",
            "자주",
            "가장",
            "제일",
            "아주",
            "정말",
            "막",
            "갓",
        )
    if lead.role in ("subj",):
        return False
    if is_time(lead.form.strip()):
        return False
    if lead.role == "bare":
        return not lead.marked and lead.form not in FIRST
    return lead.role in ("loc", "dir") and len(lead.form) <= 6


def is_person(form: str, names: Sequence[str]) -> bool:
    """Whether a noun phrase names a person or a group that can speak.

    >>> is_person("부장님", ()), is_person("지하철 요금", ()), is_person("기태 씨", ("기태",))
    (True, False, True)
    """
    bare = re.sub(r"\s*(?:님|씨|양|군)$", "", form.strip())
    if not bare:
        return False
    if any(bare == name or bare == name + "이" for name in names):
        return True
    last = form.split()[-1] if form.split() else form
    table_ = people()
    last = last.removesuffix("들") if len(last) > 2 else last
    if last in table_["kin"] or last in table_["own"] or last in table_["title"] or last in table_["anyone"]:
        return True
    if form.strip() in FIRST or form.strip() in ("자기", "본인", "걔", "쟤", "얘", "그분", "그 사람", "그녀", "그"):
        return True
    return bool(
        re.search(
            (
                "(?:님|씨|분들?|선배|후배|언니|오빠|누나|형|쌤|선생|부장|팀장|대표|사장"
                "|교수|매니저|에이전트|상담사|담당자|기사님|고객|손님|직원|의사|간호사)$"
            ),
            last,
        )
    ) and not re.search(r"(?:부분|성분|기분|충분|지분|여분|구분)$", last)


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
    if chunk.tags[:2] in (("NNP", "XSN"), ("NNG", "XSN")) and re.fullmatch(r"[가-힣]{2}이", form) and _closed(form[1]):
        return True
    split = chunk.tags[:2] == ("MM", "NNG") and form[:1] not in "이그저" and " " not in form
    called = "XSN" in chunk.tags[1:3] and form.endswith("이")
    whole = (
        chunk.tags[:1] == ("NNG",)
        and len(form) == 3
        and form.endswith("이")
        and _closed(form[1])
        and chunk.role in ("subj", "topic", "dat")
        and form not in ANIMALS
    )
    if (
        not chunk.tags
        or not (chunk.tags[0] == "NNP" or split or called or whole)
        or chunk.role not in ("subj", "topic", "dat", "with", "also", "bare", "obj")
    ):
        return False
    if len(form) >= 3 and form.endswith("이") and _closed(form[-2]):
        form = form[:-1]
    return name_like(form)


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


def bare_name(form: str, names: Sequence[str]) -> str:
    """A person's name without title, plural or the 이 that follows a final consonant.

    >>> bare_name("민석이", ("민석",)), bare_name("오 고객님", ()), bare_name("부장님", ()), bare_name("상담사분", ())
    ('민석', '오 고객', '부장님', '상담사')
    """
    form = form.strip()
    for name in sorted(names, key=len, reverse=True):
        if form == name:
            return name
        if re.fullmatch(rf"{re.escape(name)}(?:이|야|아|이네|네)?(?:\s?(?:씨|님|군|양|쌤))?", form):
            return name
    form = re.sub(r"\s?씨$", "", form)
    if re.search(r"\s\S+님$", form) and not re.search(
        r"(?:선생|부장|팀장|사장|대표|과장|차장|실장|교수|원장|이사|감독|코치)님$", form
    ):
        form = form[:-1]
    form = re.sub(r"(?<=[사원자객인님])분(?:들)?$", "", form)
    if (
        re.fullmatch(r"[가-힣]{2,3}이", form)
        and not re.search(r"(?:아이|어린이|고양이|늙은이|젊은이|언니이)$", form)
        and _closed(form[-2])
    ):
        return form[:-1]
    return form


def _closed(char: str) -> bool:
    return "가" <= char <= "힣" and (ord(char) - 0xAC00) % 28 != 0
