"""Korean clauses: predicates, noun phrases with their particles and typed values, from Kiwi's morphemes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipelines.frame.arguments import Argument, Clause, Segment
from pipelines.frame.values import Found, entity
from pipelines.frame.words import KO_TOGETHER, parse_korean
from pipelines.korean_given import FINAL_SS, name_like, normal_name

LOSS = frozenset(
    "팔다 끊다 빠지다 그만두다 해지하다 탈퇴하다 떠나다 반납하다 없애다 버리다 나가다 중단하다 빼다 폐지하다 "
    "삭제하다 제외하다"
    " 죽다 주다 선물하다 물려주다 넘겨주다 기증하다 기부하다 양도하다 "
    "취소하다 퇴사하다 관두다 접다 정리하다 처분하다 내놓다 없어지다 사라지다 폐점하다 종료하다 제거하다 "
    "철수하다 하차하다"
    " 퇴임하다 정년퇴임하다 은퇴하다 퇴직하다 사임하다 물러나다 폐업하다 단종되다 폐차되다 끊기다 빠져나가다 "
    "이사가다 끄다 정리되다 제외되다 삭제되다 중단되다 종료되다 폐지되다 해지되다 제거되다 내리다 그만하다".split()
)
NOMINAL = frozenset({"NN", "SL", "NR", "NP", "XR", "SN", "MM", "SH"})
LEAVING = frozenset(
    "퇴임하다 정년퇴임하다 은퇴하다 퇴직하다 사임하다 물러나다 떠나다 퇴사하다 그만두다 폐업하다 단종되다 죽다 "
    "폐차되다".split()
)
"""Losses that hold even when they are told as a reason."""
LASTING = frozenset({"팔다", "나가다", "내리다", "주다", "선물하다", "죽다"})
"""Losses when they are over and done with: a shop goes on selling, a paper goes on coming out."""
DONE = re.compile(rf"[{re.sub('[있겠]', '', FINAL_SS)}]")
"""A syllable of the past tense."""
GOES = re.compile(r"(?:에|으?로)(?:는|도|만)?\s(?:\S+\s)?(?:나가|내리)")
"""Going out to something is no loss ("모임에 나간다")."""
ROLE_PARTICLES = {
    "JKS": "subject", "JKO": "object", "JKG": "owner", "JX": "topic", "JC": "list", "JKC": "attribute", "JKV": "other",
    "JKQ": "other",
}  # fmt: skip
PRONOUNS = frozenset(
    "나 저 너 우리 저희 제 내 난 전 그 이 저것 그것 이것 여기 거기 걔 얘 누구 뭐 무엇 어디 언제 본인 자기".split()
)
HONORIFIC = re.compile(
    r"^(?:님|씨|군(?!데)|양|선생님|선생|대표|부장|과장|차장|대리|팀장|실장|원장|사장|회장|이사|교수|박사|감독|코치|"
    r"기사|점장|주임|반장|총무|간사)"
)
BEFORE = re.compile(
    r"^\s*(?:님|씨|실장|대표|팀장|부장|과장|이사)?\s*(?:님)?(?:의)?\s*(?:뒤를\s?이|후임|대신|말고|자리를|"
    r"에서\s[^,.]{1,14}으?로\s?(?:바꾸|바꿨|바뀌|옮기|옮겼|이직|변경|전환|이사|갈아|교체|넘어|이전|승급))"
)
PARTICLE = re.compile(
    r"은|는|이|가|다(?![가-힣])|을|를|에|로|으로|까지|부터|도|만|씩|마다|짜리|예요|입니다|야|였|밖|정도|쯤|의|와|과|랑|라|래|"
    r"인|대|간|째|보다|당|안|내|기준|어치|나|요|죠|지|반|동안|넘|미만|초과"
)
"""What may follow a value; anything else makes it part of a name ("2호기")."""
ABLE = re.compile(r"수(?:가|는|도)?\s(?:있|없)")
UNABLE = re.compile(r"\s수(?:가|는|도)?\s없")
JOIN = re.compile(r"(?:이랑|랑|하고|에다가?)$")
INSTEAD = re.compile(r"[이가]\s대신\s")
"""Who comes in the place of the one just named."""
DISOWNED = re.compile(r"(?:이?라|다)고\s(?:\S+\s){1,3}?(?:것|건|거|게|말|글)\S*\s.*(?:착오|실수|잘못|오류|오타|틀)")
"""What follows a value that was said by mistake ("3층이라고 한 것은 착오였습니다")."""
NOT_THIS = re.compile(r"^\s*(?:이|가|은|는)?\s*(?:아니라|아니고|아닌)")


@dataclass(frozen=True, slots=True)
class _Word:
    """A space-separated word: its noun stem, its particles, its predicate."""

    start: int
    end: int
    stem: str
    stem_end: int
    particle: str
    tag: str
    predicate: str
    ending: str
    negative: bool
    adverb: bool
    copula: bool
    noun_first: bool


def clause(text: str, typed: Sequence[Found]) -> Clause:
    """The clause's segments and arguments."""
    words = _words(text)
    segments = _segments(text, words)
    arguments = [*_typed(text, typed, segments), *_running_on(_phrases(text, words, typed, segments), text, segments)]
    return Clause(text, "ko", tuple(segments), tuple(sorted(arguments, key=lambda a: (a.start, -a.end))))


def _running_on(found: Sequence[Argument], text: str, segments: Sequence[Segment]) -> list[Argument]:
    """The phrases, the theme of a reason (its topic, else its subject) out when the next predicate takes it away.

    That predicate has no other to take ("하람이 다쳐서 빠지고") or tells who comes instead ("이솔이 대신 맡아요").
    """
    out = list(found)
    for number, segment in enumerate(segments[1:], 1):
        own = [a for a in out if a.segment == number and a.role in ("object", "topic", "subject")]
        replaced = INSTEAD.search(text, segment.start, segment.end) is not None
        own = own if not replaced else []
        if not (segment.gone or replaced) or segment.negated or own or not is_reason(text, segments[number - 1]):
            continue
        before = [a for a in out if a.segment == number - 1 and a.role in ("topic", "subject")]
        theme = min(before, key=lambda a: (a.role != "topic", a.start), default=None)
        out = [replace(a, out=True) if a is theme else a for a in out]
    return out


def _words(text: str) -> list[_Word]:
    tokens = parse_korean(text)
    words = []
    for match in re.finditer(r"[^\s,;:·]+", text):
        own = [
            t
            for t in tokens
            if (match.start() <= t.start < match.end() and t.len > 0) or match.start() <= t.start < match.end()
        ]
        own = [t for t in own if t.tag not in ("SF", "SP", "SS", "SSO", "SSC", "SE", "SO", "SW")]
        if own:
            words.append(_word(text, match.start(), match.end(), own))
    return words


def _word(text: str, start: int, end: int, own: list[Any]) -> _Word:
    cut = len(own)
    while cut > 0 and (own[cut - 1].tag[0] in "JE" or own[cut - 1].tag in ("VCP", "XSV", "XSA", "VX", "VCN")):
        cut -= 1
    tail = own[cut:]
    nouns = [t for t in own if t.tag[:2] in ("NN", "SL", "SN", "XR", "NR", "SH", "NP")]
    verb = next((t for t in own if t.tag[:2] in ("VV", "VA") or t.tag in ("XSV", "XSA")), None)
    copula = any(t.tag == "VCP" for t in own)
    predicate = ""
    if verb is not None and nouns and nouns[-1].start > verb.start and verb.tag not in ("XSV", "XSA"):
        verb = None  # a name that begins like a verb
    if verb is not None:
        head = "".join(t.form for t in nouns) if verb.tag in ("XSV", "XSA") else ""
        becomes = next((t for t in own if t.tag == "VX" and t.form == "지" and t.start > verb.start), None)
        predicate = head + (text[verb.start : becomes.start] + "지다" if becomes and not head else verb.form + "다")
    elif any(t.tag == "VX" and t.form == "않" for t in own):
        predicate = ""
    particles = [t for t in tail if t.tag[0] == "J"]
    # a name such as 도미란 read as 도미 + 이 + 란: a bare adnominal copula before an honorific is part of a name
    stem_end = own[cut - 1].start + own[cut - 1].len if cut else start
    if copula and len(own) > 2 and (own[-2].tag, own[-1].tag, own[-1].form) == ("VCP", "ETM", "는"):
        stem = text[start:stem_end]  # no copula takes 는: the particle after a vowel ("밴드는")
        return _Word(start, end, stem, stem_end, "는", "JX", "", "", False, False, False, True)
    if copula and not particles and own[-1].tag == "ETM":
        stem_end = re.search(r"[.!?~]*$", text[start:end]).start() + start  # type: ignore[union-attr]
        copula = False
    beside = re.search(r"에다가?$", text[start:end])
    if beside and beside.start() > 0:  # 하프에다가: "beside the harp"
        stem_end, particles = start + beside.start(), []
    if stem_end <= start and nouns:
        stem_end = nouns[-1].start + nouns[-1].len
    first = particles[0] if particles else None
    if beside:
        return _Word(start, end, text[start:stem_end], stem_end, "랑", "JC", "", "", False, False, False, True)
    ending = next((t.tag for t in reversed(own) if t.tag[0] == "E"), "")
    contracted = "잖" in text[start:end]
    negative = (
        not contracted and any(t.tag == "VCN" or (t.tag == "VX" and t.form in ("않", "못하")) for t in own)
    ) or any(t.tag in ("MAG",) and t.form in ("안", "못") for t in own)
    adverb = all(t.tag in ("MAG", "MAJ", "IC", "MM") for t in own)
    return _Word(
        start, end, text[start:stem_end], stem_end, "".join(t.form for t in particles[:1]), first.tag if first else "",
        predicate, ending, negative, adverb, copula, own[0].tag[:2] in NOMINAL or (bool(nouns) and verb is None),
    )  # fmt: skip


def _segments(text: str, words: Sequence[_Word]) -> list[Segment]:
    """A segment ends with its predicate: a verb, an adjective or a copula."""
    segments: list[Segment] = []
    begin = words[0].start if words else 0
    run: list[_Word] = []
    for i, word in enumerate(words):
        run.append(word)
        closes = (word.predicate or word.copula or word.negative) and word.ending in ("EF", "EC")
        auxiliary = i + 1 < len(words) and words[i + 1].negative and not words[i + 1].predicate
        stop = bool(
            re.search(r"[.!?]\s*$", text[word.stem_end : words[i + 1].start if i + 1 < len(words) else len(text)])
        )
        if (closes and not auxiliary) or stop or i + 1 == len(words):
            verbs = tuple(w.predicate for w in run if w.predicate)
            negated = any(
                w.negative
                or (w.adverb and w.stem in ("안", "못"))
                or text[w.start : w.end].rstrip(".!?") in ("안", "못")
                for w in run
            ) or bool(UNABLE.search(text[begin : word.end]))
            lost = set(verbs[-2:]) & LOSS
            if lost & LASTING and not _is_over(text, begin, word.end):
                lost -= LASTING
            gone = bool(lost) or any(re.search("더 이상|더는|그만", text[begin : word.end]) for _ in (0,))
            lemmas = frozenset([*verbs, *(w.stem for w in run)])
            segments.append(Segment(begin, word.end, verbs, lemmas, negated, gone))
            begin = words[i + 1].start if i + 1 < len(words) else word.end
            run = []
    return segments or [Segment(0, len(text), (), frozenset(), False, False)]


def _is_over(text: str, begin: int, end: int) -> bool:
    """Whether what may last is over: told in the past, or before something else that is ("팔고 ... 샀어요")."""
    if GOES.search(text[begin:end]):
        return False
    return bool(DONE.search(text[begin:end])) or bool(
        re.search(r"(?:고|서)[\s,]*$", text[begin:end]) and DONE.search(text[end:])
    )


def _segment_of(position: int, segments: Sequence[Segment]) -> int:
    return max((n for n, s in enumerate(segments) if s.start <= position), default=0)


def _phrases(text: str, words: Sequence[_Word], typed: Sequence[Found], segments: Sequence[Segment]) -> list[Argument]:
    found = []
    run: list[_Word] = []
    for i, word in enumerate(words):
        inside = any(f.start <= word.start < f.end for f in typed)
        nominal = (
            word.stem
            and word.stem not in KO_TOGETHER
            and not word.adverb
            and not inside
            and (not word.predicate or word.copula)
            and word.noun_first
        )
        honorific = bool(run) and HONORIFIC.match(word.stem or "")
        follows = i + 1 < len(words) and HONORIFIC.match(text[words[i + 1].start : words[i + 1].end])
        if run and word.stem in ("대신", "말고"):
            found.append(replace(_argument(text, run, segments), out=True))
            run = []
            continue
        if (not run and word.stem in ("대신", "그대신")) or ABLE.match(text, word.start):
            continue
        if not nominal and not honorific and not follows:
            if run:
                phrase = _argument(text, run, segments)
                modifies = word.predicate and word.ending == "ETM" and not run[-1].particle
                found.append(replace(phrase, role="other") if modifies else phrase)
            run = []
            continue
        if word.stem in PRONOUNS and not run:
            continue
        run.append(word)
        gap = text[word.end : words[i + 1].start] if i + 1 < len(words) else ""
        joined = (
            not word.particle
            and JOIN.search(word.stem)
            and i + 1 < len(words)
            and len(word.stem) > 2
            and words[i + 1].noun_first
        )
        if joined:
            cut = JOIN.search(word.stem).start()  # type: ignore[union-attr]
            run[-1] = replace(word, stem=word.stem[:cut], stem_end=word.start + cut, particle="랑", tag="JC")
        ended = (
            joined
            or word.particle
            or word.copula
            or "," in gap
            or ":" in gap
            or re.search(r"[.!?]", text[word.stem_end : word.end])
        )
        if follows and not word.particle:
            ended = None
        if ended or i + 1 == len(words):
            found.append(_argument(text, run, segments))
            run = []
    if run:
        found.append(_argument(text, run, segments))
    return [*found, *_numbered(text, found, typed, segments)]


def _numbered(
    text: str, found: Sequence[Argument], typed: Sequence[Found], segments: Sequence[Segment]
) -> list[Argument]:
    """A name with its number ("누비 7") as one phrase, beside the name and the number."""
    out = []
    for value in typed:
        if value.value.type not in ("number", "version", "identifier"):
            continue
        before = next((a for a in found if a.role == "bare" and a.end + 1 == value.start), None)
        if before is None:
            continue
        shown = text[before.start : value.end]
        role = _tail_role(text[value.end : value.end + 8])
        out.append(replace(before, end=value.end, text=shown, value=entity(shown), role=role, name=True))
    return out


def _tail_role(after: str) -> str:
    """The role that the particle after a number gives."""
    particle = re.match(r"\s*(에서|에|으로|로|까지|부터|이|가|은|는|을|를|도|만)?(?![가-힣]*(?:다|요|야|죠)$)", after)
    tail = particle[1] if particle and particle[1] else ""
    roles = {"이": "subject", "가": "subject", "은": "topic", "는": "topic", "을": "object", "를": "object"}
    if re.match(r"\s*(?:이에요|예요|입니다|이야|야|이다|이요|이었|였)", after):
        return "attribute"
    return roles.get(tail, f"prep:{tail}" if tail else "attribute")


def _argument(text: str, run: Sequence[_Word], segments: Sequence[Segment]) -> Argument:
    start, last = run[0].start, run[-1]
    end = max(last.stem_end, start + 1)
    number = _segment_of(start, segments)
    segment = segments[number]
    if last.copula:
        role = "attribute"
    elif last.tag == "JKB" and last.particle in ("와", "과", "랑", "이랑", "하고"):
        role = "list"
    elif last.tag == "JKB" or (last.tag == "JX" and last.particle not in ("은", "는", "ᆫ", "도", "만")):
        role = f"prep:{last.particle}"
    else:
        role = ROLE_PARTICLES.get(last.tag, "bare")
    if role == "bare" and text[end : end + 2].strip().startswith(","):
        role = "list"
    rest = text[end:]
    if len(run) > 1 and last.stem in ("후임", "뒤", "대신", "자리"):
        rest = " 후임"
    denied = (
        segment.negated
        and not segment.gone
        and role in ("object", "topic", "prep:에", "bare", "subject", "attribute", "prep:에서")
    )
    lost = (
        segment.gone
        and not (is_reason(text, segment) and not set(segment.verbs) & LEAVING)
        and not segment.negated
        and role in ("object", "topic", "bare", "subject", "list")
    )
    out = bool(BEFORE.match(rest) or NOT_THIS.match(rest)) or lost or denied
    shown = text[start:end].strip(" \"'“”‘’()")
    value = entity(shown)
    if len(last.stem) == 3 and name_like(last.stem[:-1]):
        value = replace(value, norm=normal_name(value.norm))
    return Argument(start, end, shown, value, role, False, number, out, label=last.stem)


def is_reason(text: str, segment: Segment) -> bool:
    """Whether the segment only gives a reason (-어서, -니까): what happened in it did not end anything."""
    return bool(re.search(r"(?:(?<![면고])서|니까|느라|때문에)$", text[segment.start : segment.end].rstrip(" ,.")))


def _typed(text: str, typed: Sequence[Found], segments: Sequence[Segment]) -> list[Argument]:
    found = []
    for value in typed:
        number = _segment_of(value.start, segments)
        after = text[value.end : value.end + 8]
        old = bool(
            re.match(
                r"\s*(?:에서(?!는)(?=\s.{1,20}?으?로\s)|이?던|였던|이었던|대신|말고|(?:이|가)?\s?(?:아니라|아니고|아닌)|짜리였|"
                r"(?:이?라고|로)\s?(?:알|말씀|안내|적|올린|잘못))",
                after,
            )
        )
        role = _tail_role(text[value.end : value.end + 8])
        old = old or bool(DISOWNED.match(text, value.end))
        old = old or bool(re.match(r"[가-힣]", after) and not PARTICLE.match(after))
        before = re.search(r"([가-힣A-Za-z]+)\s*$", text[: value.start])
        found.append(Argument(value.start, value.end, value.value.text, value.value,
                              role, False, number, False, old, before[1] if before else ""))  # fmt: skip
    return found
