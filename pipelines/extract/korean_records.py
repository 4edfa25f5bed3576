"""Korean records: judgements, events and facts told first-hand, and requests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lakehouse.records import TimeSpan
from lakehouse.vocabulary import AtomKind, MemoryType
from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.korean_claims import (
    is_first_person,
    is_general,
    is_idle,
    judged_target,
    judges_last,
    make_claim,
    with_topic,
)
from pipelines.extract.korean_frames import Frame
from pipelines.extract.korean_morph import Chunk, Clause, base_tag, clause_of
from pipelines.extract.korean_names import owner, thing
from pipelines.extract.korean_opinion import ATTITUDE, FEELING, STRONGLY, TASTES, judgement, lexicon
from pipelines.extract.korean_parse import Parsed
from pipelines.extract.korean_people import is_person, person
from pipelines.extract.korean_tense import is_life_change, is_past, modality_of, time_of
from pipelines.extract.text import Sentence
from pipelines.korean_given import FINAL_L

IMPERATIVE = re.compile(
    "(?:아라|어라|해라|거라|[으]?십시오|[으]?세요|[으]?셔요|합시다|읍시다"
    "|ᆸ시다|자|아줘|어줘|해줘|주세요|줘요?|주십시오|말아요?|마세요|마라"
    "|봐봐|라구|으렴|려무나)$"
)
REQUEST = re.compile(
    "(?:해|꿔|어|아|여|려|와|춰|쳐|워|켜|내|혀|겨|져) ?(?:주세요|주십시오"
    "|줘요?|주시겠어요|주실래요|주시면|달라고)|부탁(?:드려요|드립니다|해요"
    "|합니다)|(?:할게요|하겠습니다|할래요|싶어요|싶습니다)$"
)
MEASURED = re.compile(
    r"\d[\d,.]*\s?(?:기가|메가|GB|MB|TB|원|시|개|명|분|일|주|달|월|년|%|퍼센트"
    "|만|천|km|kg|m|cm|g|ml|도|층|번|대|마리|호|초|시간|페이지|권|잔|병|배)"
)
INTRANSITIVE = frozenset(
    (
        "태어나다 돌아가시다 죽다 아프다 다치다 낫다"
        " 있다 없다 되다 나다 오다 열리다 닫히다 끝나다 오르다 내리다 바뀌다 늘다 줄다"
        " 들다 걸리다 나가다 들어오다 생기다 멈추다 터지다 남다 서다 통하다 작동하다"
        " 시작하다 지나다"
    ).split()
)
OFFER = re.compile(
    "(?:확인|알아|검토|처리|안내|연락|전달|노력|참고|조치|살펴|도와|챙겨)[가-힣]*"
    " ?(?:보|드리|하)?겠(?:습니다|어요)[.!~ ]*$"
)
"""What a desk says while it looks: no plan with a time."""
CHOSEN = re.compile(r"주세요|주십시오|줘|할게|하겠|할래|부탁|로요|으로요|좋겠|원해|받을")
SERVICE = re.compile(
    "환불|교환|취소|해지|변경|바꿔|바꾸|신청|등록|예약|반품|재발송|연장|탈퇴"
    "|정지|업그레이드|다운그레이드|수리|점검|발급|재발급|배송|옮겨|이체|납부"
    "|면제|철회"
)
FAULT = re.compile(
    "고장|안 ?켜|안 ?들어|꺼졌|꺼져|깨졌|깨져|망가|터졌|멈췄|멈춰|먹통|새요"
    "|샙니다|샜|부러|끊겼|끊겨|안 ?돼|안 ?됩|오류|에러|이상해|벗겨|떨어졌"
    "|안 ?나[와오옵]|안 ?움직|안 ?(?:열|닫|돌아|잠|들[려리]|보[여이]|울|눌|터[져지]|빠[져지]|내려)"
    "|작동(?:을|이)? ?(?:안|하지)"
)
SYMPTOM = re.compile(
    r"(?:에서|[을를] (?:틀면|켜면|돌리면|누르면|쓰면|열면|닫으면|꽂으면|연결하면)) (?:\S+ ){0,3}?"
    r"\S*(?:냄새|연기|소리|소음|불꽃|스파크|물|진동|열|김)(?:이|가|만|도)? "
    r"(?:\S+ )?(?:나|납|난|났|새|샙|샌|샜|떨어|흐|흘|올라|튀)"
)
"""What a broken thing gives off ("환풍기에서 소리가 나요")."""
AS_SAID = re.compile(r"(?:^|\s)(?:계속 |쭉 |줄곧 |내내 )?(?:그래|그렇|그랬|그럽|그러|이래|이렇|이럽)[가-힣]*[.!~ ]*$")
"""Since when what was just said is so ("지난주부터 그래요")."""
NEVER = re.compile(r"적(?:이|은|도)? ?없")
SETTLED = re.compile(r"게 (?:됐|되었)|연기|미뤄|미뤘|당겼|당깁|앞당|늦췄|늦춥|옮겼|옮겨졌|변경|잡혔|정해졌|정했|확정")
"""What has been settled and is still to come when its date is ("다음 달부터 일하게 됐어")."""
WISH = re.compile(
    r"고 싶|고싶|려고|생각이|계획|꿈이|볼까 해|볼까 하|려고 해|(?:게|것이|건|이) (?:내 |제 )?(?:꿈|목표|소원|로망|바람)"
)
DREAM = re.compile(r"(?:는 ?(?:게|것이|건)|기가?) (?:내 |제 |나의 )?(?:꿈|목표|소원|로망|바람)(?:이|야|입|예|이에)")
"""What somebody wishes to do, said as what his dream is."""
HABIT = re.compile(
    "매일|매주|매달|매년|매번|마다|항상|늘|언제나|보통|주로|자주|가끔|평소|꼬박꼬박|맨날|날마다|일주일에|하루에|한 달에"
)
CONFIRM = re.compile(
    "드렸습니다|드렸어요|드렸고|처리됐|처리되었|완료됐|완료되었|완료했|변경됐"
    "|변경되었|해 ?드렸|되셨습니다|됐습니다|되었습니다"
)
PREFER = re.compile(
    r"(?P<what>[가-힣A-Za-z0-9]+)파(?:지|야|예요|에요|입니다|임|다|거든|죠)?[\s.!~ㅋ]*$"
    "|(?:이|가) (?:더|제일|훨씬|최고로) (?:좋|낫)|보다(?:는)? [가-힣 ]*(?:이"
    "|가)? ?(?:더 )?(?:좋|낫)|무조건"
)

TASTE_OF = re.compile(
    r"^(?P<who>[가-힣A-Za-z]{2,8}?)(?:이|가|의|은|는) (?:가장 |제일 |최고로 )?"
    r"(?:좋아하|싫어하|즐기|선호하)는 \S+[은는] \S"
)
"""What somebody likes of a kind ("현우가 좋아하는 꽃은 수국이다"): his taste, and not the speaker's judgement."""


def firsthand_draft(
    parsed: Parsed,
    talk: Talk,
    clause: Clause,
    inner: Clause,
    tokens: Sequence[Any],
    body: str,
    own: bool,
    frame: Frame,
    everything: Sequence[Any],
    text: str,
) -> Draft | None:
    """What a speaker says on his own account: a judgement, an event or a fact."""
    sentence = parsed.sentence
    speaker = talk.speaker(sentence.turn)
    predicates = [c for c in inner.chunks if c.role == "pred"]
    lemma = predicates[-1].lemma if predicates else ""
    nouns = [c for c in inner.chunks if c.role in ("subj", "topic", "bare") and not is_idle(c)]
    me = next((c for c in inner.chunks if is_first_person(c)), None)
    sign = judgement(tokens, body)
    found_so = re.search(r"(?:던데|더라)(?:요|고요?)?[.!~ ]*$", text)  # tried, and found to be so: a judgement
    if me is not None and PREFER.search(text) and not (own or found_so):
        return make_fact(parsed, talk, speaker, text, ("PM",), True)
    if not predicates and not sign:
        return fragment_draft(parsed, talk, text, tokens)
    final = judges_last(tokens, body)
    if lemma in TASTES or (lemma in ("좋다", "싫다") and me is not None):
        target = judged_target(inner, tokens, talk, sentence)
        holder_chunk = next((c for c in nouns if person(c, talk.names) and not is_first_person(c)), None)
        if target is not None and is_general(target) and not own:
            who = owner(holder_chunk.form, talk, sentence.turn) if holder_chunk is not None else speaker
            fact = make_fact(parsed, talk, who, text, ("PM",), True)
            fact.modality = "negated" if modality_of(tokens, body) == "negated" else "asserted"
            return fact
    holder_chunk = next(
        (c for c in nouns if c.role in ("subj", "topic") and person(c, talk.names) and not is_first_person(c)), None
    )
    if (taste := TASTE_OF.match(text.strip())) and any(base_tag(token) == "VCP" for token in tokens[-4:]):
        whose = holder_chunk.form if holder_chunk is not None else taste["who"]
        if me is None and not own:
            return make_fact(parsed, talk, owner(whose, talk, sentence.turn), text, ("PM",), True)
    if (
        sign
        and final
        and holder_chunk is not None
        and (lemma in ATTITUDE or lemma in ("싫다", "마음에 들다", "별로다"))
    ):
        target = judged_target(
            Clause(inner.text, inner.tokens, [c for c in inner.chunks if c is not holder_chunk]), tokens, talk, sentence
        )
        if target is not None:
            return make_claim(parsed, body, owner(holder_chunk.form, talk, sentence.turn), (speaker,), sign, target, [])
    if sign > 0 and _honours_thing(tokens, talk):
        sign = -1  # "참 친절한 화면이시네요": mockery
    symptom = bool(SYMPTOM.search(text)) and _served(talk, speaker)
    if sign and final and not own and (symptom or MEASURED.search(text)) and me is None:
        return record_draft(parsed, talk, inner, tokens, everything, text, nouns, me, lemma)
    if own or (sign and final):
        target = judged_target(inner, tokens, talk, sentence)
        judged = talk.last_thing(sentence.turn, 0)
        feels = lemma in FEELING and target is None and not (judged is not None and judged.sentence is sentence)
        if feels and (talk.asked is None or talk.asked.kind != "opinion"):
            return None
        bare = target is None
        target, source = with_topic(talk, sentence, target, speaker)
        if (
            bare
            and ((sign > 0 and len(text.split()) < 3) or (me is not None and ONESELF.search(text)))
            and _only_reacts(talk, sentence, source)
        ):
            return None
        if is_command(tokens, everything, clause):
            return request_draft(parsed, talk, text)
        if target is None and not own:
            return None
        if own and not sign and talk.asked is None and target is None:
            return None
        return make_claim(parsed, body, speaker, (), sign, target or body, [source])
    return record_draft(parsed, talk, inner, tokens, everything, text, nouns, me, lemma)


def _only_reacts(talk: Talk, sentence: Sentence, source: Sentence | None) -> bool:
    """Whether a word of praise answers what another has just told and not a question ("멋있다")."""
    asked_now = talk.asked is not None and source is talk.asked.sentence
    return source is not None and not asked_now and talk.speaker(source.turn) != talk.speaker(sentence.turn)


ONESELF = re.compile(rf"[{FINAL_L}] ?듯(?:요|해요?|하다|합니다)?[.!~ㅋㅎㅠ ]*$")
"""A guess at what one would do oneself ("저는 못 할 듯")."""


def _honours_thing(tokens: Sequence[Any], talk: Talk) -> bool:
    """Whether an honorific copula stands after a noun that is no person ("화면이시네요")."""
    return any(
        base_tag(verb) == "VCP"
        and base_tag(mark) == "EP"
        and mark.form == "시"
        and base_tag(noun) == "NNG"
        and not is_person(noun.form, talk.names)
        for noun, verb, mark in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def make_fact(
    parsed: Parsed, talk: Talk, subject: str, text: str, types: tuple[MemoryType, ...], person: bool
) -> Draft:
    return Draft(
        turn=parsed.sentence.turn,
        speaker=talk.speaker(parsed.sentence.turn),
        kind="fact",
        subject=subject,
        clause=text.strip(),
        language="ko",
        holder=talk.speaker(parsed.sentence.turn),
        spans=[parsed.sentence],
        types=types,
        person=person,
    )


def fragment_draft(parsed: Parsed, talk: Talk, text: str, tokens: Sequence[Any]) -> Draft | None:
    """A fragment without a predicate: a setting, or a piece of the sentence before."""
    sentence = parsed.sentence
    mine = [d for d in talk.drafts if d.turn == sentence.turn]
    equals = re.match(r"^(?P<name>[^=:]{2,40}?)\s*(?:=|:|->|→)\s*\S", text)
    if equals:
        return make_fact(parsed, talk, equals["name"].strip(), text, ("GM",), False)
    if mine and not re.search(r"\d", text):
        mine[-1].spans.append(sentence)
        return None
    if re.search(r"\d", text) and len(tokens) >= 4:
        clause = clause_of(text, tokens)
        first = next((c for c in clause.chunks if c.role in ("topic", "subj", "bare") and not is_idle(c)), None)
        return make_fact(
            parsed, talk, thing(first.form) if first else talk.speaker(sentence.turn), text, ("GM",), False
        )
    return None


def is_command(tokens: Sequence[Any], everything: Sequence[Any], clause: Clause) -> bool:
    """Whether a sentence tells somebody to do something: by its ending, without a subject of its own."""
    last = next((t for t in reversed(everything) if base_tag(t) == "EF"), None)
    if last is None or re.search(r"(?:끝내|죽여|살려) ?(?:줘|준|주)", clause.text):
        return False
    if STRONGLY.search(clause.text) and judgement(tokens, clause.text):
        return False  # "설명을 정말 잘하세요": praise
    subject = any(c.role in ("subj", "topic") and not is_idle(c) for c in clause.chunks)
    tail = str(last.form)
    at = list(everything).index(last)
    before = everything[at - 1] if at else None
    if (
        not subject
        and re.search(r"(?:봐|봐요|보세요|봐라)[.!~ ]*$", clause.text)
        and any(base_tag(t) == "VX" and t.form == "보" for t in everything[-4:])
        and not is_past(everything)
    ):
        return True
    if tail in ("자",) and before is not None and base_tag(before) == "VV":
        return True
    if re.search(r"(?:십시오|ᆸ시다|읍시다|아라|어라|으렴|거라)$", tail):
        return True
    if (
        tail in ("세요", "으세요", "셔요")
        and before is not None
        and base_tag(before) in ("VV", "VX", "XSV")
        and not subject
    ):
        return True
    return bool(re.search(r"(?:주세요|줘|주십시오|주라|마세요)[.!~ ]*$", clause.text)) or (
        tail in ("어", "아", "지") and bool(re.search(r"(?:해|아|어) ?줘", clause.text))
    )


def request_draft(parsed: Parsed, talk: Talk, text: str) -> Draft | None:
    """A customer's request for a service is an event; other requests and commands assert nothing."""
    sentence = parsed.sentence
    speaker = talk.speaker(sentence.turn)
    choice = (
        talk.asked is not None and talk.asked.kind == "choice" and talk.asked.service and talk.asked.speaker != speaker
    )
    if not (choice and CHOSEN.search(text)) and not (REQUEST.search(text) and SERVICE.search(text)):
        return None
    spans = [sentence]
    if (
        talk.asked is not None
        and talk.asked.speaker != speaker
        and talk.asked.kind in ("choice", "other")
        and sentence.turn - talk.asked.sentence.turn <= 2
    ):
        spans = [talk.asked.sentence, sentence]
    return Draft(
        turn=sentence.turn,
        speaker=speaker,
        kind="event",
        subject=speaker,
        clause=text,
        language="ko",
        holder=speaker,
        spans=spans,
        types=("EM",),
        person=True,
    )


ANNOUNCED = re.compile(r"(?:^|\s)(?:이제(?:부터)?는?|앞으로는?|\S+부터는?)\s")


def _announced(parsed: Parsed, talk: Talk, inner: Clause, text: str) -> Draft | None:
    """How a thing is to be done from now on ("앞으로 접수는 2층으로 와 주세요"): what holds, said as a request."""
    topic = next((c for c in inner.chunks if c.role == "topic" and not is_idle(c) and not is_first_person(c)), None)
    if topic is None or person(topic, talk.names) or not ANNOUNCED.search(text):
        return None
    return make_fact(parsed, talk, thing(topic.form), text, ("GM",), False)


def record_draft(
    parsed: Parsed,
    talk: Talk,
    inner: Clause,
    tokens: Sequence[Any],
    everything: Sequence[Any],
    text: str,
    nouns: list[Chunk],
    me: Chunk | None,
    lemma: str,
) -> Draft | None:
    """An event or a fact told first-hand."""
    sentence = parsed.sentence
    speaker = talk.speaker(sentence.turn)
    if is_command(tokens, everything, inner):
        return request_draft(parsed, talk, text) or _announced(parsed, talk, inner, text)
    question = talk.asked
    chosen = question is not None and question.kind == "choice" and question.service and question.speaker != speaker
    if chosen and CHOSEN.search(text) and len(text) < 40:
        return request_draft(parsed, talk, text)
    last = next((t for t in reversed(everything) if base_tag(t) in ("EF", "EC")), None)
    mine = next((d for d in reversed(talk.drafts) if d.turn == sentence.turn and d.speaker == speaker), None)
    if (
        mine is not None
        and last is not None
        and base_tag(last) == "EC"
        and re.search(r"(?:서|니까|느라|려고)$", last.form)
    ):
        mine.spans.append(sentence)  # a reason left over from the sentence before
        return None
    when = time_of(text, talk, sentence, everything)
    if when is None and (re.search(rf"[{FINAL_L}] ?게요?[.!~ ]*$", text) or OFFER.search(text)):
        return None
    if when is not None and mine is not None and mine.time is None and AS_SAID.search(text):
        mine.time, mine.kind = when, "event"
        mine.spans.append(sentence)
        return None
    said = str(talk.said(sentence.turn) or "")[:10]
    modality = modality_of(tokens, text)
    past = is_past(tokens)
    spans: list[Sentence] = [sentence]
    confirmed = confirmation(parsed, talk, text, when)
    if confirmed is not None:
        return confirmed if confirmed not in talk.drafts else None
    first = next((c for c in inner.chunks if c.role == "pred"), None)
    opens = (
        first is not None
        and first is not inner.chunks[-1]
        and bool(re.search(r"(?:는데|고)$", first.form))
        and ("EP" in first.tags or NEVER.search(text[: first.end]) is not None)
    )
    if (
        opens
        and first is not None
        and not any(c.role in ("subj", "topic") and c.first < first.first and not is_idle(c) for c in inner.chunks)
    ):
        inner = Clause(inner.text, inner.tokens, [c for c in inner.chunks if c.first <= first.first])
        nouns, lemma, tokens = [c for c in nouns if c.first < first.first], first.lemma, tokens[: first.last + 1]
        modality, past = modality_of(tokens, text[: first.end]), True
    if not nouns and me is None and _noticed(everything, lemma):
        return None
    subject, human, source = subject_of_record(inner, nouns, me, text, talk, sentence, lemma, past)
    if source is not None:
        spans = [source, sentence]
    noun_ending = any(base_tag(t) == "ETN" for t in everything[-3:])
    adjective = bool(inner.chunks) and any(c.role == "pred" and c.tags[:1] == ("VA",) for c in inner.chunks[-1:])
    copula = (
        any(base_tag(t) in ("VCP", "VCN") for t in tokens[-4:])
        or lemma in ("있다", "없다", "아니다", "살다", "같다")
        or adjective
    )
    if copula and past and when is not None and human and not adjective and lemma == "있다":
        copula = False
    be = any(base_tag(t) in ("VCP", "VCN") for t in tokens[-4:]) and not re.search(
        rf"[{FINAL_L}] ?(?:거|예정|계획|것)", text
    )
    broken = when is not None and when.start <= said and bool(FAULT.search(text)) and not human
    broken = broken or (bool(SYMPTOM.search(text)) and not human)
    if broken and modality == "negated":
        modality = "asserted"  # "어제부터 문이 안 열려요": a fault, not a denial
    ahead = when is not None and when.start > said and not adjective and not be
    settled = ahead and SETTLED.search(text) is not None
    if (
        modality == "asserted"
        and (not past or settled)
        and (ahead or (when is not None and re.search(r"[래게]요?[.!~ ]*$", text)))
    ):
        modality = "planned"
    if modality == "planned" and past and not settled and not re.search(r"기로|예정|려고|계획", text):
        modality = "asserted"
    if DREAM.search(text) and when is None and not past:
        modality = "planned"
        if not any(person(c, talk.names) for c in nouns):
            subject, human = speaker, True
    undated = modality == "planned" and when is None and bool(WISH.search(text))
    never = bool(NEVER.search(text))
    kind: AtomKind = "event"
    if (
        undated
        or (HABIT.search(text) and not past)
        or (copula and not (ahead or never or broken))
        or (
            not past and not broken and modality in ("asserted", "negated") and not never and not (noun_ending and when)
        )
    ):
        kind = "fact"
    if kind == "fact" and modality == "planned" and when is not None and not undated:
        kind = "event"
    types: tuple[MemoryType, ...] = ("EM",)
    if kind == "fact":
        types = ("PM",) if human else ("GM",)
        if modality == "negated" and not human and re.search(r"(?:시면|하면|으면) ", text):
            modality = "asserted"  # "취소하시면 청구되지 않습니다": what holds on a condition
    elif human and modality == "asserted" and is_life_change(inner):
        types = ("EM", "PM")
    return Draft(
        turn=sentence.turn,
        speaker=speaker,
        kind=kind,
        subject=subject,
        clause=text.strip(),
        language="ko",
        holder=speaker,
        spans=spans,
        modality=modality,
        types=types,
        time=when if kind == "event" else None,
        person=human,
    )


def _noticed(tokens: Sequence[Any], lemma: str) -> bool:
    """ "경사네요!": what one just sees to be so is said of what was told, not of oneself."""
    last = next((t for t in reversed(tokens) if base_tag(t) == "EF"), None)
    return last is not None and lemma.endswith("이다") and bool(NOTICED.match(last.form))


NOTICED = re.compile(r"네|군|구나|구만|로군|로구나")


def confirmation(parsed: Parsed, talk: Talk, text: str, when: TimeSpan | None) -> Draft | None:
    """An agent who says that it is done completes the customer's request."""
    if not CONFIRM.search(text):
        return None
    speaker = talk.speaker(parsed.sentence.turn)
    for draft in reversed(talk.drafts):
        if (
            draft.kind == "event"
            and draft.speaker != speaker
            and draft.subject == draft.speaker
            and 0 < parsed.sentence.turn - draft.turn <= 3
            and REQUEST.search(draft.clause)
        ):
            draft.clause, draft.time, draft.modality = text.strip(), when, "asserted"
            draft.spans.append(parsed.sentence)
            draft.types = ("EM", "PM")
            draft.holder = speaker
            draft.speaker = speaker
            return draft
    return None


def subject_of_record(
    inner: Clause,
    nouns: list[Chunk],
    me: Chunk | None,
    text: str,
    talk: Talk,
    sentence: Sentence,
    lemma: str,
    past: bool,
) -> tuple[str, bool, Sentence | None]:
    """The subject of a record: named, the speaker, or what the question was about."""
    speaker = talk.speaker(sentence.turn)
    source = next((c for c in inner.chunks if c.role in ("loc", "obj") and not is_idle(c)), None)
    if source is not None and SYMPTOM.search(text):
        form = thing(source.form)
        return f"{speaker}의 {form}" if _served(talk, speaker) else form, False, None
    marked = [c for c in nouns if c.role in ("subj", "topic") and not is_first_person(c)]
    reason = max(
        (
            c.last
            for c in inner.chunks
            if c.role == "pred" and c.tags[-1:] == ("EC",) and re.search(r"(?:서|니까|느라|므로)$", c.form)
        ),
        default=-1,
    )
    if any(c.role == "pred" and c.first > reason for c in inner.chunks):
        marked = [c for c in marked if c.first > reason or c.role == "topic"]
    if me is not None and not any(c.role == "subj" and person(c, talk.names) for c in marked):
        kin_after = next((c for c in marked if person(c, talk.names)), None)
        return (
            (owner(kin_after.form, talk, sentence.turn), True, None) if kin_after is not None else (speaker, True, None)
        )
    mine = next((c for c in nouns if re.match(r"^(?:우리|저희|내|제)\s", c.form)), None)
    if mine is not None and person(mine, talk.names):
        return owner(mine.form, talk, sentence.turn), True, None
    human = next((c for c in marked if person(c, talk.names)), None)
    if human is not None and (marked[0] is human or human.role == "subj"):
        return owner(human.form, talk, sentence.turn), True, None
    if mine is not None:
        return f"{speaker}의 {re.sub(r'^(?:우리|저희|내|제) ', '', mine.form)}", False, None
    things = marked or [c for c in nouns if c.role == "bare" and not is_first_person(c)]
    asked_now = (
        talk.asked
        if talk.asked is not None and talk.asked.speaker != speaker and sentence.turn - talk.asked.sentence.turn <= 2
        else None
    )
    if marked:
        first = marked[0]
        form = thing(first.form)
        second = (
            asked_now is not None
            and asked_now.topic
            and asked_now.sentence.turn != sentence.turn
            and re.search(r"어떻게|얼마나", asked_now.sentence.plain)
        )
        if (
            second
            and asked_now is not None
            and any(c.role == "pred" and c.first < first.first for c in inner.chunks)
            and not past
        ):
            return str(asked_now.topic), False, asked_now.sentence
        if FAULT.search(text) and is_general(first.form) and first.role == "subj" and _served(talk, speaker):
            return f"{speaker}의 {form}", False, None
        return form, False, None
    if asked_now is not None and asked_now.person and asked_now.sentence.turn != sentence.turn:
        return owner(asked_now.person, talk, sentence.turn), True, asked_now.sentence
    honorific = bool(re.search(r"시면|하[시실]|될 (?:예정|거|것|겁)|되실|됩니다|되고|돼요|걸립|가능", text))
    if (
        asked_now is not None
        and asked_now.topic
        and asked_now.sentence.turn != sentence.turn
        and honorific
        and not past
    ):
        return asked_now.topic, False, asked_now.sentence
    bare = things[0] if things else None
    previous = next((d for d in reversed(talk.drafts) if d.turn == sentence.turn), None)
    if re.search(r"[실하으]?[시실] 수 (?:있|없)|됩니다|불가|가능|셔야|하셔|드립니다|드려요", text) and not past:
        spoken = next(
            (
                c
                for c in inner.chunks
                if c.role in ("loc", "obj", "also", "bare", "dir") and not is_idle(c) and not is_first_person(c)
            ),
            None,
        )
        if spoken is not None:
            return thing(spoken.form), False, None
    if lemma in ("거이다", "것이다", "예정이다", "계획이다", "생각이다"):
        verbs = [c.lemma for c in inner.chunks if c.role == "pred"]
        lemma = verbs[-2] if len(verbs) > 1 else lemma  # "걸을 거야" is about walking
    changes = (
        lemma in INTRANSITIVE
        or lemma in lexicon().effects
        or lemma.endswith(("이다", "되다", "지다"))
        or inner.chunks[-1].tags[:1] == ("VA",)
    )
    if bare is not None and changes and not HABIT.search(text):
        return (
            (owner(bare.form, talk, sentence.turn), True, None)
            if person(bare, talk.names)
            else (thing(bare.form), False, None)
        )
    if previous is not None and previous.kind != "claim":
        return previous.subject, previous.person, None
    return speaker, True, None


SUPPORT = re.compile(r"상담|안내|프런트|고객센터|지원팀|서비스|직원|접수|매니저|[Ss]upport|[Aa]gent|기사")


def _served(talk: Talk, speaker: str) -> bool:
    """Whether the speaker is a customer: called so, or answered by a service desk."""
    others = {turn.speaker for turn in talk.turns} - {speaker}
    return bool(re.search(r"고객|손님|회원|투숙객|승객|환자|구매자", speaker)) or any(
        SUPPORT.search(other) for other in others
    )
