"""Korean claims: what somebody thinks of a thing, or asserts and another passes on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lakehouse.records import TimeSpan
from lakehouse.vocabulary import MemoryType, Polarity
from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.korean_frames import Frame
from pipelines.extract.korean_morph import Chunk, Clause, base_tag, is_time, lemma_at
from pipelines.extract.korean_names import owner, thing
from pipelines.extract.korean_opinion import ATTITUDE, effect, judgement, lexicon, signs
from pipelines.extract.korean_parse import Parsed
from pipelines.extract.korean_people import person
from pipelines.extract.korean_tense import PLAN, is_life_change, is_past, modality_of, time_of
from pipelines.extract.text import Sentence
from pipelines.timex import find

BODY = frozenset("아프다 쑤시다 붓다 저리다 결리다 시리다 뻐근하다 어지럽다".split())
"""Predicates of the body: the part that hurts is somebody's."""
ABSTRACT = frozenset("필요 이유 생각 가치 점 편 느낌 정도 수준 듯 적 수 것 거 리 줄 때 데 바 만큼 뿐 중".split())


COUNTED = re.compile(
    r"(?:\d[\d,]*|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열\S?|스무|서른|마흔|쉰|예순|일흔|여든|아흔|몇|여러)\s?"
    r"(?:명|개|대|마리|권|장|잔|병|번|살|곳|군데|가지|벌|채|척|분)(?:\s?(?:정도|쯤|이나))?"
)
"""A count alone ("마흔 명"): of things, no thing itself."""


def is_first_person(chunk: Chunk) -> bool:
    return chunk.form in ("나", "저", "내", "제", "우리", "저희", "내가", "제가") or (
        chunk.form in ("난", "전") and chunk.role == "topic"
    )


def judged_target(inner: Clause, tokens: Sequence[Any], talk: Talk, sentence: Sentence, last: str = "") -> str | None:
    """What a clause is about: the noun before its predicate, with the thing that it is part of."""
    predicates = [c for c in inner.chunks if c.role == "pred"]
    lemma = last or (predicates[-1].lemma if predicates else "")
    stop = predicates[-1].first if predicates else len(tokens) + 1
    chunks = list(inner.chunks)
    words = chunks[-1].form.split() if chunks and not predicates else []
    if len(words) > 1 and words[-1] in lexicon().nouns:
        chunks[-1] = replace(chunks[-1], form=" ".join(words[:-1]))  # "이 식당 동네 최고"
    nouns = [
        thing_done(c)
        for c in chunks
        if c.first < stop and c.role in ("subj", "topic", "obj", "bare", "also", "loc", "with")
    ]
    nouns = [c for c in nouns if not (is_idle(c) or _deed_alone(c) or _praise(c))]
    if lemma in ATTITUDE:
        for role in (("obj",), ("loc",), ("with",), ("topic",), ("bare", "also"), ("subj",)):
            found = [
                c
                for c in nouns
                if c.role in role
                and not person(c, talk.names)
                and not is_first_person(c)
                and c.form not in ("마음", "맘")
            ]
            if found:
                return thing(found[-1].form)
        people = [c for c in nouns if c.role == "obj"]
        return thing(people[-1].form) if people else None
    start = -1
    if len(predicates) > 1 and predicates[-2].tags and predicates[-2].tags[-1] in ("EC", "ETM"):
        start = predicates[-2].last
    if lemma == "아니다":
        complement = next((c for c in reversed(nouns) if c.role == "subj"), None)
        nouns = [c for c in nouns if c is not complement]
    things = [c for c in nouns if c.role in ("subj", "topic", "bare", "also", "obj") and not is_first_person(c)]
    joined = (
        bool(predicates)
        and bool(things)
        and predicates[-1].lemma.endswith("이다")
        and (things[-1].role == "bare" and things[-1].last + 1 == predicates[-1].first)
    )  # "돈 낭비다": one noun with the next
    if len(things) > 1 and things[-1].role == "bare" and (joined or not predicates):
        things = things[:-1]
    near = [c for c in things if c.first > start or c.role == "topic"]
    if not near:
        return (
            None
            if start >= 0 and (talk.asked is not None and talk.asked.topic)
            else (thing(things[0].form) if things else None)
        )
    topic = next((c for c in near if c.role == "topic"), None)
    main = [c for c in near if c.role == "subj"] or [c for c in near if c.role in ("bare", "also", "obj")]
    if topic is None and len(main) > 1 and main[0].role == main[-1].role == "subj":  # "배터리가 수명이 짧다"
        whole = thing(main[0].form)
        return whole if person(main[0], talk.names) else f"{whole} {main[-1].form}"
    if topic is not None and main and main[-1] is not topic and main[-1].first > topic.first:
        if f"{main[-1].form}{lemma}" in lexicon().predicates:
            return thing(topic.form)  # "쓸모가 없다" is one predicate
        if person(topic, talk.names):
            return thing(main[-1].form)
        return f"{thing(topic.form)} {main[-1].form}" if len(main[-1].form.split()) == 1 else thing(topic.form)
    chosen = topic or (main[-1] if main else near[-1])
    return thing(chosen.form)


def thing_done(chunk: Chunk) -> Chunk:
    """ "이 믹서기 산 거": the thing that the deed is done to."""
    words_ = chunk.form.split()
    if len(words_) > 2 and words_[-1] in ("거", "것", "게", "건", "점", "데", "곳", "수") and "ETM" in chunk.tags:
        return replace(chunk, form=" ".join(words_[:-2]))
    return chunk


def _deed_alone(chunk: Chunk) -> bool:
    """ "받는 게 낫다": a deed without its thing, which was named before."""
    words_ = chunk.form.split()
    return len(words_) == 2 and words_[-1] in ("거", "것", "게", "건", "편", "쪽", "데") and "ETM" in chunk.tags


def _praise(chunk: Chunk) -> bool:
    """A bare noun that only judges ("이 라면 진짜 대박 인생 라면임")."""
    return chunk.role == "bare" and all(word in lexicon().nouns or word == "인생" for word in chunk.form.split())


def first_noun(inner: Clause, talk: Talk) -> str | None:
    """What an event is told of: its marked subject, else the first noun."""
    nouns = [c for c in inner.chunks if not is_idle(c) and not is_first_person(c)]
    for roles in (("topic", "subj"), ("bare",), ("obj", "also")):
        found = next((c for c in nouns if c.role in roles), None)
        if found is not None:
            return thing(found.form)
    return None


def is_idle(chunk: Chunk) -> bool:
    form = chunk.form.strip()
    words_ = form.split()
    return (
        not words_
        or is_time(form)
        or words_[-1] in ABSTRACT
        or (len(words_) > 1 and words_[-1] == "시")
        or words_[-1] in ("말", "진짜", "완전", "정말", "올해", "최고", "사실", "요즘")
        or all(is_time(w) for w in words_)
        or bool(re.fullmatch(r"[\d\W]+", form))
        or bool(COUNTED.fullmatch(form))
    )


def with_topic(
    talk: Talk, sentence: Sentence, target: str | None, holder: str = ""
) -> tuple[str | None, Sentence | None]:
    """The target, completed from the question or the thing spoken of before; who was asked about is no holder."""
    question = talk.asked if talk.asked is not None and sentence.turn - talk.asked.sentence.turn <= 2 else None
    if question is not None and question.topic and question.sentence.turn != sentence.turn:
        if target is None:
            return question.topic, question.sentence
        if (
            len(target.split()) == 1
            and target not in question.topic
            and not re.search(r"[A-Za-z0-9]", target)
            and question.kind == "opinion"
            and len(target) <= 3
        ):
            return f"{question.topic} {target}", question.sentence
        return target, None
    if question is not None and question.person and question.kind == "opinion":
        who = owner(question.person, talk, sentence.turn)
        asked_of = holder and who not in (holder, "unknown") and question.sentence.turn != sentence.turn
        if asked_of and (target is None or (is_general(target) and who not in talk.names)):
            return f"{who} {target or ''}".strip(), question.sentence
    if target is None:
        last = talk.last_thing(sentence.turn)
        if last is not None:
            return last.phrase, last.sentence
    return target, None


def make_claim(
    parsed: Parsed,
    clause: str,
    holder: str,
    relay: tuple[str, ...],
    sign: int,
    target: str,
    spans: list[Sentence | None],
) -> Draft:
    polarity: Polarity = "positive" if sign > 0 else "negative" if sign < 0 else "neutral"
    return Draft(
        turn=parsed.sentence.turn,
        speaker=relay[-1] if relay else holder,
        kind="claim",
        subject=target,
        clause=clause,
        language="ko",
        holder=holder,
        relay=relay,
        target=target,
        polarity=polarity,
        types=("PM",),
        spans=list(dict.fromkeys([*(s for s in spans if s is not None), parsed.sentence])),
    )


def reported_claim(
    parsed: Parsed,
    talk: Talk,
    clause: Clause,
    inner: Clause,
    tokens: Sequence[Any],
    body: str,
    chain: list[str],
    kind: str,
    asked_person: str | None,
    frame: Frame,
    itself: bool,
) -> Draft:
    """What somebody else asserts: a claim of theirs, neutral unless it judges."""
    sentence = parsed.sentence
    speaker = talk.speaker(sentence.turn)
    holder, relay = chain[-1], (*reversed(chain[:-1]), speaker)
    if not relay[:-1] or relay[-2:] == (speaker, speaker):
        relay = tuple(dict.fromkeys(relay))
    predicates = [c for c in inner.chunks if c.role == "pred"]
    lemma = predicates[-1].lemma if predicates else ""
    sign = judgement(tokens, body) if kind == "declare" and judges_last(tokens, body) else 0
    modality = modality_of(tokens, body)
    past = is_past(tokens)
    plan = kind in ("propose", "command") or bool(PLAN.search(body)) or body.rstrip(".").endswith(("거다", "예정이다"))
    generic = not past and not plan and modality == "asserted"
    when = time_of(body, talk, sentence)
    worn = effect(tokens, body) if generic and not sign and not when else 0
    subjects = [c for c in inner.chunks if c.role in ("subj", "topic") and not is_idle(c)]
    own_self = next(
        (
            c
            for c in inner.chunks
            if c.role in ("subj", "topic", "bare", "dat")
            and c.form.split()[:1] in (["자기"], ["본인"], ["나"], ["저"], ["나더러"])
        ),
        None,
    )
    if kind == "command":
        return commanded_claim(parsed, talk, inner, body, holder, relay, lemma)
    if sign:
        target, source = with_topic(talk, sentence, judged_target(inner, tokens, talk, sentence), holder)
        draft = make_claim(parsed, body, holder, relay, sign, target or body, [source])
        draft.types = ("GM",) if holder == "unknown" else draft.types  # what is said of a thing, nobody's taste
        return draft
    who = None
    if own_self is not None and own_self.form.split()[0] in ("자기", "본인"):
        who = holder
    else:
        named = next((c for c in subjects if person(c, talk.names)), None)
        who = owner(named.form, talk, sentence.turn, holder) if named is not None else None
    if who is None and lemma in BODY and holder != "unknown" and subjects and is_general(subjects[-1].form):
        who = holder
    target = first_noun(inner, talk)
    if not subjects and itself and who is None and holder != "unknown" and (past or _honoured(tokens)):
        who = holder
    if not subjects and target is None and (modality == "negated" or lemma or kind == "propose"):
        who = who or (holder if holder != "unknown" else None)
    origin: Sentence | None = None
    subject = who or target
    if subject is None:
        subject, origin = with_topic(talk, sentence, None)
    if asked_person and talk.asked is not None and who == owner(asked_person, talk, sentence.turn):
        origin = talk.asked.sentence
    if (
        when
        and modality == "asserted"
        and (
            when.start > str(talk.said(sentence.turn))[:10]
            or (not past and kind != "declare")
            or (not past and when.end > str(talk.said(sentence.turn))[:10] and _acts(predicates))
        )
    ):
        modality = "planned"
    if kind == "propose" or (plan and modality == "asserted"):
        modality = "planned"
    if re.search(r"해 ?주신다|해 ?준다|주겠다|해 ?드린다", body) and modality == "asserted":
        modality = "planned"
    if (
        kind == "declare"
        and lemma.endswith("이다")
        and lemma not in ("거이다", "것이다", "예정이다", "계획이다")
        and not past
    ):
        when, modality = None, "negated" if modality == "negated" else "asserted"
    event = past or bool(when) or modality == "planned" or re.search(r"적(?:이|은)? ?없", body) is not None
    types: tuple[MemoryType, ...] = ("EM",) if event else (("PM",) if who else ("GM",))
    if event and who and modality == "asserted" and is_life_change(inner):
        types = ("EM", "PM")
    draft = make_claim(parsed, body, holder, relay, worn, target or subject or body, [origin])
    if event and not worn and not (kind == "propose" and target):
        draft.target = deed_phrase(body, when, talk, sentence) or draft.target
    draft.subject = subject or draft.target or body
    if kind == "propose" and not target and not subjects:
        draft.subject = draft.target or body
    if worn:
        types = ("GM",)
    draft.modality, draft.time, draft.types, draft.person = modality, None if worn else when, types, who is not None
    return draft


def _honoured(tokens: Sequence[Any]) -> bool:
    """Whether the last verb itself honours who does it ("못 주무신다"), who is then the one that tells it."""
    verbs = [i for i, t in enumerate(tokens) if base_tag(t) in ("VV", "VX", "XSV", "VA", "XSA", "VCP")]
    if not verbs or base_tag(tokens[verbs[-1]]) != "VV":
        return False
    mark = tokens[verbs[-1] + 1] if verbs[-1] + 1 < len(tokens) else None
    return tokens[verbs[-1]].form in ("주무시", "드시", "잡수시", "계시") or (mark is not None and mark.form == "시")


def _acts(predicates: Sequence[Chunk]) -> bool:
    """Whether the last predicate is a deed: told of now for a time that is not over, it is still to come."""
    return bool(predicates) and predicates[-1].tags[:1] in (("VV",), ("NNG",)) and "VX" not in predicates[-1].tags


def deed_phrase(body: str, when: TimeSpan | None, talk: Talk, sentence: Sentence) -> str:
    """An event as a phrase: the clause without its time."""
    said = talk.said(sentence.turn)
    if said is None:
        return body
    for start, end, _ in reversed(find(body, said, "ko")):
        body = body[:start] + re.sub(r"^(?:에는|에서|에|쯤|으로|로)\s*", "", body[end:])
    return re.sub(r"\s+", " ", body).strip(" .,")


def commanded_claim(
    parsed: Parsed, talk: Talk, inner: Clause, body: str, holder: str, relay: tuple[str, ...], lemma: str
) -> Draft:
    """ "끊으래": what the holder wants done, about the thing to be done with; giving up speaks against it."""
    sentence = parsed.sentence
    things = [
        c
        for c in inner.chunks
        if c.role in ("obj", "bare", "also", "loc", "topic")
        and not is_idle(c)
        and not person(c, talk.names)
        and not is_first_person(c)
    ]
    target = thing(things[-1].form) if things else body
    against = lemma in ("끊다", "줄이다", "그만두다", "버리다", "피하다", "삼가다", "멈추다", "멀리하다") or bool(
        re.search(r"지 ?말|지 ?마|안 ?되|금지", body)
    )
    draft = make_claim(parsed, body, holder, relay, -1 if against else 0, target, [])
    to = next(
        (
            c
            for c in inner.chunks
            if c.form in ("나", "저") or c.form.startswith(("나더러", "저더러", "나보고", "저보고", "나한테", "저한테"))
        ),
        None,
    )
    draft.subject = (
        talk.speaker(sentence.turn) if to is not None or not any(c.role == "dat" for c in inner.chunks) else target
    )
    when = time_of(body, talk, sentence)
    draft.time = when
    draft.modality = "asserted" if against else "planned"
    if not against:
        draft.types = ("EM",)
    draft.person = True
    return draft


def judges_last(tokens: Sequence[Any], body: str) -> bool:
    """Whether the last predicate, or a phrase that ends the clause, is what judges."""
    found = signs(tokens, body)
    if not found:
        return False
    verbs = [i for i, t in enumerate(tokens) if base_tag(t) in ("VV", "VA", "XSV", "XSA", "VCP", "VCN")]
    if not verbs:
        return True
    place = max(index for index, _ in found)
    if lemma_at(tokens, verbs[-1]) in ("생각하다", "여기다", "느끼다") and any(
        base_tag(t) == "EC" and t.form == "게" for t in tokens[place : verbs[-1]]
    ):
        return True  # "한심하게 여긴다"
    if place >= verbs[-1] - 1:
        return True
    if any(abs(sign) == 2 for _, sign in found):
        return True
    ends = [t for t in tokens[place + 1 : verbs[-1] + 1] if base_tag(t) in ("EC", "EF", "ETM")]
    if base_tag(tokens[verbs[-1]]) == "VCP" and [base_tag(t) for t in ends[:1]] == ["ETM"] and verbs[-1] - place <= 5:
        return True
    guess = any(t.form in ("것", "거") for t in tokens[place:]) or lemma_at(tokens, verbs[-1]) in (
        "같다",
        "하다",
        "보다",
        "않다",
        "이다",
    )
    return guess and len(ends) <= 2


def is_general(target: str) -> bool:
    """A bare kind of thing: one common word without a pointing or naming word."""
    return len(target.split()) == 1 and not re.search(r"[A-Za-z0-9]", target)
