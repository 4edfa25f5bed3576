"""Korean sentences as chunks: noun phrases with their particles, and predicates in dictionary form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from pipelines.korean_given import is_closed, name_like
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


def base_tag(token: Any) -> str:
    """The tag without its regularity mark."""
    tag: str = token.tag
    return tag.split("-", 1)[0] if "-" in tag else tag


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
            and (token.form, base_tag(token)) == ("이", "MM")
            and last.end == token.start
            and base_tag(last) in ("NNG", "NNP", "NNB", "XSN")
        ):
            out.append(Token(token.form, "JKS", token.start, token.end))  # "지휘자님이": no determiner ends a word
            continue
        if (
            last is not None
            and (last.form, base_tag(token), token.form) == ("줄", "VCP", "이")
            and base_tag(last) in ("NNB", "NNG")
            and (len(out) < 2 or base_tag(out[-2]) != "ETM")
        ):
            out[-1] = Token("줄이", "VV", last.start, token.end)  # "음식 줄이래": no knack without what it is of
            continue
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
        if (
            last is not None
            and token.form in ("데", "데요")
            and base_tag(token) == "NNB"
            and base_tag(last) == "ETM"
            and last.end == token.start
            and re.fullmatch(r"(?:ᆫ|는|은|느|으|이)?[다라자냐]는|ᆫ|은", last.form)
        ):
            out[-1] = Token(last.form + "데", "EC", last.start, token.end)  # "오른다는데", read as "오른다는 데"
            continue
        if _kin_of_named(out, token):
            out[-1] = Token("이", "XSN", out[-1].start, out[-1].end)  # "보영이 동생": whose sister, not a subject
        out.append(token)
    return out


def _kin_of_named(before: Sequence[Any], token: Any) -> bool:
    """Whether a kin word follows a name with the 이 of speech."""
    return (
        len(before) > 1
        and (before[-1].form, base_tag(before[-1]), base_tag(before[-2])) == ("이", "JKS", "NNP")
        and is_closed(before[-2].form[-1])
        and base_tag(token) == "NNG"
        and token.form in kin_words()
    )


@cache
def kin_words() -> frozenset[str]:
    """The kin words of the table of persons."""
    rows = table("pipelines.extract", "people_ko.tsv")
    return frozenset(next(row[1] for row in rows if row[0] == "kin").split())


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
        return f"{stem}다"
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
        return f"{stem}이다"
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
    r"|아까|방금|이따가?|나중|올해|작년|내년|재작년|(?:지난|저번|이번|다음|다다음|지지난) ?(?:주|달"
    r"|해|분기|학기)\S*|지난\S*|저번\S*|다음\S*|다다음\S*|담주|담달"
    r"|\d+(?:년|월|일|시|분|주|개월|달|시간)\S*|\S+(?:요일|년|개월|주일)|\S+[부자]로"
    "|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두) ?시(?: ?반)?"
    "|(?:하루|이틀|사흘|나흘|닷새|엿새|이레|열흘|보름)(?:간|쯤|동안|째)?|\\d+박"
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
    if lead in ("이번", "지난", "저번", "다음") and words and words[-1] not in DETERMINERS and not is_time(words[-1]):
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
        and right.form not in kin_words()
        and is_closed(left.form[1])
    ):
        return False
    if left.tags and left.tags[-1] in ("SN", "NR") and right.tags and right.tags[0] in ("SN",):
        return False
    return len(words) <= 5


def _modifies(pred: Chunk) -> bool:
    return pred.lemma not in ("", "것다")


def _belongs(lead: Chunk, before: list[Chunk]) -> bool:
    """Whether the word before a relative clause is inside it ("이번에 온", "새로 산", "채원이 새로 산")."""
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
