"""One Korean clause: whose words it passes on, layer by layer, and what is left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.korean_claims import is_first_person, is_idle, reported_claim
from pipelines.extract.korean_frames import Frame
from pipelines.extract.korean_hearsay import Level, levels
from pipelines.extract.korean_morph import Chunk, Clause, base_tag
from pipelines.extract.korean_names import owner, speaks
from pipelines.extract.korean_opinion import ATTITUDE, PSYCH, judgement
from pipelines.extract.korean_parse import Parsed
from pipelines.extract.korean_people import is_source, person
from pipelines.extract.korean_records import firsthand_draft
from pipelines.extract.text import Sentence
from pipelines.korean_given import name_like
from pipelines.language import korean
from pipelines.wordlist import words


def clause_draft(parsed: Parsed, frame: Frame, clause: Clause, tokens: Sequence[Any], talk: Talk) -> Draft | None:
    """One clause with its layers of report."""
    text = clause.text
    sentence = parsed.sentence
    turn, speaker = sentence.turn, talk.speaker(sentence.turn)
    layers, void = levels(tokens, text)
    if void:
        return None
    chain: list[str] = []
    for who in frame.who:
        chain.append(owner(who, talk, turn, chain[-1] if chain else None))
    if frame.unknown:
        chain.append("unknown")
    own, used = frame.own, set[int]()
    if not chain and SEEMS.search(text) and not any(is_first_person(c) for c in clause.chunks):
        own = True
    asked_person = talk.asked.person if talk.asked is not None and talk.asked.speaker != speaker else None
    if frame.asked and not chain and (layers or asked_person):
        last = talk.last_person(turn, (speaker,))
        named = owner(asked_person, talk, turn) if asked_person else last.phrase if last else "unknown"
        chain.append(named)
    first_level = layers[0] if layers else None
    for depth in range(len(layers) - 1, -1, -1):
        level = layers[depth]
        reporter, is_own = reporter_of(
            level, layers, depth, clause, tokens, talk, sentence, chain, used, frame, asked_person
        )
        own = own or is_own
        if reporter and (not chain or chain[-1] != reporter):
            chain.append(reporter)
    chain = [name for index, name in enumerate(chain) if name != "unknown" or index == len(chain) - 1]
    if speaker in chain:
        chain = chain[chain.index(speaker) + 1 :]
        own = own or not chain
    stop = first_level.start if first_level else len(tokens)
    inner_tokens = tokens[:stop]
    inner = without_reporters(clause, used, stop)
    kind = first_level.kind if first_level else "declare"
    body = rebuilt_clause(text, tokens, inner, first_level)
    felt = next((c for c in reversed(inner.chunks) if c.role == "pred"), None)
    feeler = next((c for c in inner.chunks if c.role in ("subj", "topic") and not is_first_person(c)), None)
    if (
        chain
        and felt is not None
        and (felt.lemma in ATTITUDE or _holds_it_so(felt, inner_tokens))
        and feeler is not None
    ):
        name = owner(feeler.form, talk, turn, chain[-1])
        if name not in (chain[-1], "unknown") and any(
            c.role in ("obj", "loc", "bare") and not is_idle(c) for c in inner.chunks
        ):
            chain = [*chain, name]
            inner = without_reporters(Clause(clause.text, clause.tokens, inner.chunks), {feeler.first}, stop)
    if chain:
        itself = bool(first_level and first_level.verb and used)
        return reported_claim(parsed, talk, clause, inner, inner_tokens, body, chain, kind, asked_person, frame, itself)
    return firsthand_draft(parsed, talk, clause, inner, inner_tokens, body, own, frame, tokens, text)


def _holds_it_so(verb: Chunk, tokens: Sequence[Any]) -> bool:
    """ "한심하게 생각한다": a verb of opinion with how it is found."""
    return verb.lemma in ("생각하다", "여기다", "느끼다", "보다") and any(
        base_tag(t) == "EC" and t.form == "게" for t in tokens[max(0, verb.first - 2) : verb.first]
    )


SEEMS = re.compile(r"[은는ᆫ을ᆯ가-힣] (?:것|거) ?같(?:아|다|네|습|은데|군)")
"""A guess: the speaker's own view."""
MINE = re.compile(r"^(?:아요?|어요?|여요?|지요?|죠|네요?|ᆸ니다|습니다|거든요?|는데요?|ᆫ데요?)$")


def _plainly_mine(level: Level, tokens: Sequence[Any]) -> bool:
    """Whether "-다고 봐", "-다고 생각해" is said in the plain present: only the speaker knows his own mind so."""
    after = [t for t in tokens[level.at + 1 :] if base_tag(t) not in ("SF", "SW", "SP", "JX", "IC")]
    return bool(after) and base_tag(after[0]) in ("EF", "EC") and bool(MINE.match(after[0].form))


ANNOUNCING = words("안내하 발표하 공지하 밝히 알리 알려주 통보하 설명하 경고하 보고하")
"""Verbs of what a body makes known: the place that it comes from is who says it ("본사에서 안내했어요")."""
COMMON = words(
    "영화 가수 은행 사진 소리 기차 나라 도시 여자 남자 지도 노래 이유 서류 기사 주문 예산"
    " 공사 수리 인사 정보 성능 가격 시계 우유 고기 가구 국수 수박 기름 연기 자리 다리 나무"
    " 도로 수도 정원 공원 유리 종이 주소 전화 전기 예약 규정 수영 기타 사과 회사 보고 기능"
    " 제도 제안 주차 의자 소파 시간 온도 상자 기온 지원 하늘 가을 여름 겨울 비용 이사 이자"
    " 세금 소문 소식 기준 기간 수업 시험 선수 연극 공연 전시 행사 여행 숙소 호텔 식당 음식"
    " 요리 재료 국물 반찬 고객 담당 문제 문서 서버 배포 일정 회의 보험 병원 수술 진료 약국"
    " 시장 정책 정부 법안 예보 날씨 화재 사고 도서관"
)
"""Common nouns that a given name's syllables would also make."""


def without_reporters(clause: Clause, used: set[int], stop: int) -> Clause:
    """The chunks of what is asserted: before the report, without the reporters."""
    kept = [c for c in clause.chunks if c.first < stop and c.first not in used]
    return Clause(clause.text, clause.tokens, kept)


def rebuilt_clause(text: str, tokens: Sequence[Any], inner: Clause, level: Level | None) -> str:
    """The asserted clause as a sentence of its own: "오른대" becomes "오른다", its last word put anew."""
    if level is None:
        return text.strip()
    start = inner.chunks[0].first if inner.chunks else 0
    part = tokens[start : level.start]
    if not part:
        return text.strip()
    form = tokens[level.start].form
    ending = "다"
    if form.startswith("ᆫ"):
        ending = "ᆫ다"
    elif form.startswith("는"):
        ending = "는다"
    word = next((i for i in range(len(part) - 1, 0, -1) if part[i].start > part[i - 1].end), 0)
    joined: str = korean().join([*((t.form, t.tag) for t in part[word:]), (ending, "EF")])
    return text[part[0].start : part[word].start] + joined


def reporter_of(
    level: Level,
    layers: Sequence[Level],
    depth: int,
    clause: Clause,
    tokens: Sequence[Any],
    talk: Talk,
    sentence: Sentence,
    chain: list[str],
    used: set[int],
    frame: Frame,
    asked_person: str | None,
) -> tuple[str, bool]:
    """Who utters a layer, and whether it is the speaker's own view."""
    turn = sentence.turn
    within = chain[-1] if chain and chain[-1] != "unknown" else None
    inside = [c for c in clause.chunks if level.start < c.first <= level.end and c.first not in used]
    between = next((c for c in inside if c.role in ("subj", "topic")), None)
    source = next((c for c in inside if c.role == "dat"), None) if level.cls == "hear" else None
    if source is None and level.cls in ("hear", "source"):
        source = next(
            (
                c
                for c in clause.chunks
                if c.first < level.start
                and c.first not in used
                and (c.role == "dat" or (c.role == "loc" and speaks(c, talk)))
            ),
            None,
        )
    if source is not None:
        used.add(source.first)
        return owner(source.form, talk, turn, within), False
    if between is not None and level.verb:
        used.add(between.first)
        return owner(between.form, talk, turn, within), False
    inner_start = layers[0].start
    before = [
        c
        for c in clause.chunks
        if c.first < inner_start
        and c.first not in used
        and c.form not in ("자기", "본인")
        and (c.role in ("subj", "topic") or (c.role == "bare" and person(c, talk.names)))
    ]
    first = before[0] if before else None
    if level.verb and level.cls in ("say", "think", "deny", "command", "propose"):
        if first is not None and (is_first_person(first) or re.match(r"^(?:나|저|내|제|난|전)$", first.form)):
            used.add(first.first)
            return "", level.cls == "think" or level.cls == "say"
        if level.cls == "think" and not level.honorific and not chain and _plainly_mine(level, tokens):
            return "", True
        if first is not None and speaks(first, talk):
            used.add(first.first)
            return owner(first.form, talk, turn, within), False
        plain = first is not None and " " not in first.form and first.form not in COMMON and name_like(first.form)
        telling = len(before) >= 2 or level.verb not in ("하", "그러", "그렇") or "적이 없" in clause.text
        if first is not None and plain and telling:
            used.add(first.first)
            return owner(first.form, talk, turn, within), False
        if (
            len(before) >= 2
            and first is not None
            and re.fullmatch(r"[가-힣]{2,4}(?: 씨)?", first.form)
            and base_tag(tokens[first.first]) == "NNP"
        ):
            used.add(first.first)
            return owner(first.form, talk, turn, within), False
        if chain and depth == len(layers) - 1:
            return "", False
        medium = next(
            (
                c
                for c in clause.chunks
                if c.first < inner_start
                and c.first not in used
                and c.role == "loc"
                and (is_source(c.form) or (level.verb in ANNOUNCING and c.form + "에서" in clause.text))
            ),
            None,
        )
        if medium is not None:
            used.add(medium.first)
            return owner(medium.form, talk, turn, within), False
        if level.cls == "think" and not level.honorific:
            return "", True
        return (owner(asked_person, talk, turn) if asked_person else "unknown"), False
    if level.verb:
        return ("unknown" if not chain else ""), False
    if chain and (len(layers) > 1 or len(before) < 2):
        return "", False
    taken = len(used)
    name = _fused_reporter(level, before, clause, tokens, talk, sentence, used, asked_person)
    return (name if not chain or len(used) > taken else ""), False


REASON = re.compile(r"(?:서|니까|느라)$")


def _fused_reporter(
    level: Level,
    before: list[Chunk],
    clause: Clause,
    tokens: Sequence[Any],
    talk: Talk,
    sentence: Sentence,
    used: set[int],
    asked_person: str | None,
) -> str:
    """Whose words -대, -래, -재 pass on when nobody is named as their source."""
    turn = sentence.turn
    first = before[0] if before else None
    named = first is not None and speaks(first, talk) and not is_first_person(first)
    reason = max(
        (c.last for c in clause.chunks if c.role == "pred" and c.tags[-1:] == ("EC",) and REASON.search(c.form)),
        default=-1,
    )
    if asked_person and first is not None and first.role == "subj" and first.first < reason:
        named = False  # "직원들이 바뀌어서 걱정된대": who is asked about worries, the staff is why
    if level.kind in ("propose", "command") and named and first is not None:
        used.add(first.first)
        return owner(first.form, talk, turn)
    predicates = [c.lemma for c in clause.chunks if c.role == "pred" and c.first < level.start]
    others = [
        c
        for c in clause.chunks
        if c.first < level.start and c.role in ("bare", "obj", "loc", "also") and c is not first and not is_idle(c)
    ]
    several = len(before) >= 2 or (len(before) == 1 and bool(others))
    twice = (
        named
        and first is not None
        and first.role == "subj"
        and any(c.role == "subj" and c is not first for c in before)
    )
    if twice and first is not None and level.kind == "declare":
        used.add(first.first)
        return owner(first.form, talk, turn)
    spoken_of = talk.last_thing(turn)
    contrasted = (
        first is not None and first.role == "topic" and spoken_of is not None and spoken_of.sentence is sentence
    )
    judged = (several or contrasted) and level.kind == "declare" and judgement(tokens[: level.start], clause.text) != 0
    felt = judged or (
        bool(predicates) and (predicates[-1] in PSYCH or predicates[-1] in ATTITUDE or clause.text.find("고 싶") >= 0)
    )
    if (
        named
        and first is not None
        and felt
        and (several or contrasted or predicates[-1] not in ("맛있다", "재밌다", "재미있다", "별로이다"))
    ):
        who = owner(first.form, talk, turn)
        if who != "unknown" or not asked_person:
            used.add(first.first)
            return who
    if any(c.form.split()[0] in ("자기", "본인") for c in clause.chunks if c.first < level.start and c.role != "pred"):
        last = talk.last_person(turn, (talk.speaker(turn),))
        if asked_person or last:
            return owner(asked_person, talk, turn) if asked_person else last.phrase if last else "unknown"
    if asked_person and (not before or felt):
        return owner(asked_person, talk, turn)
    if felt and not before:
        last = talk.last_person(turn, (talk.speaker(turn),), 2)
        if last is not None:
            return last.phrase
    return "unknown"
