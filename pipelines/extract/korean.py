"""Korean turns to drafts of statements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from lakehouse.records import TimeSpan
from lakehouse.vocabulary import AtomKind, MemoryType, Modality, Polarity
from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.korean_answers import answer, asked
from pipelines.extract.korean_frames import AUTHOR, Frame, frame_of
from pipelines.extract.korean_hearsay import Level, levels
from pipelines.extract.korean_morph import Chunk, Clause, Token, base_tag, clause_of, is_person, is_source, is_time, lemma_at, name_like, person, repaired
from pipelines.extract.korean_names import owner, speaks, thing
from pipelines.extract.korean_opinion import ATTITUDE, FEELING, PSYCH, TASTES, effect, judgement, signs
from pipelines.extract.route import REACTION_KO, is_question
from pipelines.extract.text import Sentence
from pipelines.language import korean, korean_tokens
from pipelines.timex import find
from pipelines.wordlist import table

HYPOTHETICAL = re.compile(r"텐데|더라면|었으면|았으면|였으면|[가-힣]면 좋겠|만약|만일|가정|라면 (?:얼마나|정말)|됐으면|했으면|으면 [가-힣 ]*(?:했을|었을|갔을)|치면|친다면")
DREAM = re.compile(r"(?:되면|생기면|당첨되면|있으면|하면|오면|가면|라면|다면|난다면)\s.*(?:[을를할갈살될볼올]\s?(?:거|텐데|래)|겠|[을할갈살] ?것)")
IMPERATIVE = re.compile(r"(?:아라|어라|해라|거라|[으]?십시오|[으]?세요|[으]?셔요|합시다|읍시다|ᆸ시다|자|아줘|어줘|해줘|주세요|줘요?|주십시오|말아요?|마세요|마라|봐봐|라구|으렴|려무나)$")
REQUEST = re.compile(r"(?:해|꿔|어|아|여|려|와|춰|쳐|워|켜|내|혀|겨|져) ?(?:주세요|주십시오|줘요?|주시겠어요|주실래요|주시면|달라고)|부탁(?:드려요|드립니다|해요|합니다)|(?:할게요|하겠습니다|할래요|싶어요|싶습니다)$")
MEASURED = re.compile(r"\d[\d,.]*\s?(?:기가|메가|GB|MB|TB|원|시|개|명|분|일|주|달|월|년|%|퍼센트|만|천|km|kg|m|cm|g|ml|도|층|번|대|마리|호|초|시간|페이지|권|잔|병|배)")
INTRANSITIVE = frozenset("있다 없다 되다 나다 오다 열리다 닫히다 끝나다 오르다 내리다 바뀌다 늘다 줄다 들다 걸리다 나가다 들어오다 생기다 멈추다 터지다 남다 서다 통하다 작동하다 시작하다 지나다".split())
CHOSEN = re.compile(r"주세요|주십시오|줘|할게|하겠|할래|부탁|로요|으로요|좋겠|원해|받을")
SERVICE = re.compile(r"환불|교환|취소|해지|변경|바꿔|바꾸|신청|등록|예약|반품|재발송|연장|탈퇴|정지|업그레이드|다운그레이드|수리|점검|발급|재발급|배송|옮겨|이체|납부|면제|철회")
FAULT = re.compile(r"고장|안 ?켜|안 ?들어|꺼졌|꺼져|깨졌|깨져|망가|터졌|멈췄|멈춰|먹통|새요|샙니다|샜|부러|끊겼|끊겨|안 ?돼|안 ?됩|오류|에러|이상해|벗겨|떨어졌|안 ?나와|안 ?움직")
PLAN = re.compile(r"[을를할갈될볼올줄살낼릴길칠뺄]\s?(?:거|게|께|예정|계획|생각|참|작정)|겠|려고|기로|고 싶|려 하|고자|ㄹ게|고 싶")
WISH = re.compile(r"고 싶|고싶|려고|생각이|계획|꿈이|볼까 해|볼까 하|려고 해")
HABIT = re.compile(r"매일|매주|매달|매년|매번|마다|항상|늘|언제나|보통|주로|자주|가끔|평소|꼬박꼬박|맨날|날마다|일주일에|하루에|한 달에")
CONFIRM = re.compile(r"드렸습니다|드렸어요|드렸고|처리됐|처리되었|완료됐|완료되었|완료했|변경됐|변경되었|해 ?드렸|되셨습니다|됐습니다|되었습니다")
PREFER = re.compile(r"(?P<what>[가-힣A-Za-z0-9]+)파(?:지|야|예요|에요|입니다|임|다|거든|죠)?[\s.!~ㅋ]*$|(?:이|가) (?:더|제일|훨씬|최고로) (?:좋|낫)|보다(?:는)? [가-힣 ]*(?:이|가)? ?(?:더 )?(?:좋|낫)|무조건")
BODY = frozenset("아프다 쑤시다 붓다 저리다 결리다 시리다 뻐근하다 어지럽다".split())
"""Predicates of the body: the part that hurts is somebody's."""
ABSTRACT = frozenset("필요 이유 생각 가치 점 편 느낌 정도 수준 듯 적 수 것 거 리 줄 때 데 바 만큼 뿐 중".split())


@dataclass(frozen=True, slots=True)
class Parsed:
    """A sentence with its frames cut off and the rest analysed; `inner` are the tokens of a quotation."""

    sentence: Sentence
    frame: Frame
    tokens: Sequence[Any]
    inner: Sequence[Any]


@cache
def life_changes() -> frozenset[str]:
    """Predicates of a change that lasts in a life."""
    return frozenset(row[0].replace("_", " ") for row in table("pipelines.extract", "life_ko.tsv"))


def parse(sentences: list[Sentence], names: Sequence[str]) -> list[Parsed]:
    """All sentences through the analyser in one batch."""
    frames = [frame_of(_spelled(sentence.plain)) for sentence in sentences]
    texts = [frame.clause for frame in frames] + [frame.quoted or "." for frame in frames]
    tokens = korean_tokens(texts, names) if texts else []
    half = len(frames)
    return [Parsed(s, f, repaired(tokens[i]), tokens[half + i] if f.quoted else ()) for i, (s, f) in enumerate(zip(sentences, frames, strict=True))]


SPELLING = (
    (re.compile(r"햇(?=[어다습는네지고던])"), "했"), (re.compile(r"됬"), "됐"), (re.compile(r"갓(?=[어다습])"), "갔"),
    (re.compile(r"왓(?=[어다습])"), "왔"), (re.compile(r"엇(?=[어다습])"), "었"), (re.compile(r"앗(?=[어다습])"), "았"),
    (re.compile(r"(?<=[가-힣])[ㅋㅎㅠㅜ]{1,}"), " "), (re.compile(r"[ㅋㅎㅠㅜㄷㅇㄹ]{2,}"), " "),
    (re.compile(r"안되(?=[요지네는])"), "안 되"), (re.compile(r"담달"), "다음 달"), (re.compile(r"담주"), "다음 주"),
    (re.compile(r"저번주"), "지난주"), (re.compile(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F]+"), " "),
)  # fmt: skip


def _spelled(text: str) -> str:
    for pattern, written in SPELLING:
        text = pattern.sub(written, text)
    return re.sub(r"\s+", " ", text).strip()


def read(parsed: Parsed, talk: Talk) -> list[Draft]:
    """The drafts of one sentence; the talk's memory is brought up to date."""
    sentence = parsed.sentence
    text = sentence.plain
    exclaimed = re.search(r"(?:네|군|구나|다니)요?\?[\s~ㅋㅎ^]*$", text) and not re.search(r"뭐|왜|어디|언제|누가|누구|어떻|몇", text)
    questioned = is_question(text, "ko") or _asks(parsed.tokens)
    if questioned and not exclaimed:
        talk.asked = asked(sentence, clause_of(parsed.frame.clause, parsed.tokens), talk)
        _note(parsed, talk)
        return []
    if REACTION_KO.search(text) and len(text) < 30:
        return []
    if HYPOTHETICAL.search(text) or (DREAM.search(text) and not re.search(r"습니다|됩니다|시면", text)):
        return []
    answered = answer(sentence, parsed.frame.clause, parsed.tokens, talk)
    if answered is not None:
        _note(parsed, talk)
        return answered
    drafts = _statements(parsed, talk)
    _note(parsed, talk)
    for draft in drafts:
        if draft.kind == "claim" and draft.target:
            talk.mention_thing(draft.target, draft.target.split()[-1], sentence)
        elif draft.person and draft.subject != talk.speaker(sentence.turn):
            talk.mention_person(draft.subject, sentence)
    return drafts


ASKING = re.compile(r"^(?:[ᆫ은는]?가요|나요|[ᆯ을]까요?|니|냐|는지요|습니까|ᆸ니까|[는던]가)$")


def _asks(tokens: Sequence[Any]) -> bool:
    """Whether the last ending asks, mark or not."""
    last = next((t for t in reversed(tokens) if base_tag(t) in ("EF", "EC")), None)
    return last is not None and base_tag(last) == "EF" and bool(ASKING.match(last.form))


def _note(parsed: Parsed, talk: Talk) -> None:
    """Remember the people and things of a sentence."""
    clause = clause_of(parsed.frame.clause, parsed.tokens)
    for chunk in clause.nouns("subj", "topic", "obj", "bare", "with", "dat"):
        form = chunk.form.strip(" '\"")
        if not form or is_time(form) or form.split()[-1] in ABSTRACT or not re.search(r"[가-힣A-Za-z]{2}", form):
            continue
        if person(chunk, talk.names):
            name = owner(form, talk, parsed.sentence.turn)
            if name not in ("unknown", talk.speaker(parsed.sentence.turn)):
                talk.mention_person(name, parsed.sentence)
        elif chunk.role != "dat":
            talk.mention_thing(thing(form), form.split()[-1], parsed.sentence)


def _statements(parsed: Parsed, talk: Talk) -> list[Draft]:
    if parsed.inner:
        quoted = _quotation(parsed, talk)
        if quoted is not None:
            return [quoted]
    parts = _parts(parsed)
    drafts: list[Draft] = []
    for index, (text, tokens) in enumerate(parts):
        frame = parsed.frame if index == 0 else Frame(text)
        if index and drafts and _passed_on(drafts[-1], text, tokens, talk, parsed.sentence, parsed.frame):
            continue
        draft = _one(parsed, frame, text, tokens, talk)
        if draft is not None:
            drafts.append(draft)
    if len(drafts) < 2:
        return drafts
    first, second = drafts[0], drafts[1]
    differs = (first.holder, first.target, first.polarity) != (second.holder, second.target, second.polarity)
    if "claim" in (first.kind, second.kind) and differs:
        return drafts
    kept = second if second.kind == "claim" and first.kind == "claim" else first
    kept.clause = parsed.frame.clause
    kept.time = first.time or second.time
    return [kept]


def _parts(parsed: Parsed) -> list[tuple[str, Sequence[Any]]]:
    """A sentence cut where 지만, 는데 or 고 ends one speaker's or one thing's clause and another's begins."""
    text, tokens = parsed.frame.clause, parsed.tokens
    for index, token in enumerate(tokens[:-2]):
        if base_tag(token) != "EC" or token.form not in ("지만", "는데", "ᆫ데", "은데", "으나", "던데", "고", "인데", "다던데", "라던데", "ᆫ다던데", "다는데", "ᆫ다는데", "는다는데", "라는데", "고요"):
            continue
        right = clause_of(text, tokens[index + 1 :])
        nouns = [c for c in right.chunks if c.role in ("subj", "topic")]
        start = right.chunks[0] if right.chunks else None
        if not nouns or start is None or start.role not in ("subj", "topic", "bare"):
            continue
        left = tokens[: index + 1]
        reports = levels(left, text)[0]
        evaluates = bool(signs(left, text[: token.end])) and bool(signs(tokens[index + 1 :], text[token.end :]))
        other = _first_person(nouns[0]) or nouns[0].role == "topic" or (evaluates and judgement(left, text[: token.end]) != judgement(tokens[index + 1 :], text[token.end :]))
        if (reports and (reports[-1].verb or _first_person(nouns[0]))) or (evaluates and other):
            return [(text[: token.end], left), (text[token.end :], _shifted(tokens[index + 1 :], token.end))]
    return [(text, tokens)]


def _shifted(tokens: Sequence[Any], by: int) -> list[Token]:
    """The tokens of a cut text, their places counted from the cut."""
    return [Token(t.form, t.tag, t.start - by, t.end - by) for t in tokens]


def _passed_on(draft: Draft, text: str, tokens: Sequence[Any], talk: Talk, sentence: Sentence, frame: Frame) -> bool:
    """ "민석이가 그걸 지아한테 얘기했대": those who passed a view on, nearest its holder first."""
    clause = clause_of(text, tokens)
    verb = next((c for c in reversed(clause.chunks) if c.role == "pred"), None)
    teller = next((c for c in clause.chunks if c.role in ("subj", "topic")), None)
    if verb is None or teller is None or not draft.relay or not re.match(r"(?:얘기|이야기|말|말씀|전|귀띔|공유|알리|그러|전달)", verb.lemma):
        return False
    chain = [owner(teller.form, talk, sentence.turn)]
    hearer = next((c for c in clause.chunks if c.role == "dat"), None)
    if hearer is not None:
        chain.append(owner(hearer.form, talk, sentence.turn))
    speaker = talk.speaker(sentence.turn)
    rest = [name for name in (*draft.relay,) if name not in chain and name != speaker]
    draft.relay = tuple(dict.fromkeys([*(n for n in chain if n not in (draft.holder, speaker)), *rest, speaker]))
    return True


def _quotation(parsed: Parsed, talk: Talk) -> Draft | None:
    """Words in quotation marks with their author."""
    sentence, frame = parsed.sentence, parsed.frame
    around = clause_of(frame.clause, parsed.tokens)
    who = next((c for c in around.chunks if c.role in ("subj", "topic") and speaks(c, talk)), None)
    author = owner(who.form, talk, sentence.turn) if who is not None else ""
    if not author and frame.who:
        author = owner(frame.who[-1], talk, sentence.turn)
    if not author:
        found = AUTHOR.match(frame.before)
        author = owner(found["who"], talk, sentence.turn) if found and (is_person(found["who"].strip(), talk.names) or name_like(found["who"].strip())) else ""
    if not author:
        return None
    speaker = talk.speaker(sentence.turn)
    if author == speaker:
        return None
    inner = clause_of(frame.quoted, parsed.inner)
    sign = judgement(parsed.inner, frame.quoted)
    target = _last_noun(inner) or _target(inner, parsed.inner, talk, sentence)
    return _claim(parsed, frame.quoted, author, (speaker,), sign, target or frame.quoted, [])


def _last_noun(clause: Clause) -> str | None:
    """The noun that a fragment judges ("지금까지 받은 상담 중 최고"): what stands before 중 or the predicate noun."""
    match = re.search(r"([가-힣A-Za-z]+)\s?(?:중|가운데)(?:에|에서)?\s", clause.text)
    return match[1] if match else None


def _one(parsed: Parsed, frame: Frame, text: str, tokens: Sequence[Any], talk: Talk) -> Draft | None:
    """One clause with its layers of report."""
    sentence = parsed.sentence
    turn, speaker = sentence.turn, talk.speaker(sentence.turn)
    layers, void = levels(tokens, text)
    if void:
        return None
    clause = clause_of(text, tokens)
    chain: list[str] = []
    for who in frame.who:
        chain.append(owner(who, talk, turn, chain[-1] if chain else None))
    if frame.unknown:
        chain.append("unknown")
    own, used = frame.own, set[int]()
    asked_person = talk.asked.person if talk.asked is not None and talk.asked.speaker != speaker else None
    if frame.asked and not chain:
        last = talk.last_person(turn, (speaker,))
        named = owner(asked_person, talk, turn) if asked_person else last.phrase if last else "unknown"
        chain.append(named)
    first_level = layers[0] if layers else None
    for depth in range(len(layers) - 1, -1, -1):
        level = layers[depth]
        reporter, is_own = _reporter(level, layers, depth, clause, tokens, talk, sentence, chain, used, frame, asked_person)
        own = own or is_own
        if reporter and (not chain or chain[-1] != reporter):
            chain.append(reporter)
    chain = [name for index, name in enumerate(chain) if name != "unknown" or index == len(chain) - 1]
    if speaker in chain:
        chain = chain[chain.index(speaker) + 1 :]
        own = own or not chain
    stop = first_level.start if first_level else len(tokens)
    inner_tokens = tokens[:stop]
    inner = _without(clause, used, stop)
    kind = first_level.kind if first_level else "declare"
    body = _rebuilt(text, tokens, inner, first_level)
    if chain:
        itself = bool(first_level and first_level.verb and used)
        return _reported(parsed, talk, clause, inner, inner_tokens, body, chain, kind, asked_person, frame, itself)
    return _firsthand(parsed, talk, clause, inner, inner_tokens, body, own, frame, tokens, text)


def _without(clause: Clause, used: set[int], stop: int) -> Clause:
    """The chunks of what is asserted: before the report, without the reporters."""
    kept = [c for c in clause.chunks if c.first < stop and c.first not in used]
    return Clause(clause.text, clause.tokens, kept)


def _rebuilt(text: str, tokens: Sequence[Any], inner: Clause, level: Level | None) -> str:
    """The asserted clause as a sentence of its own: "오른대" becomes "오른다"."""
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
    joined: str = korean().join([*((t.form, t.tag) for t in part), (ending, "EF")])
    return joined


def _reporter(
    level: Level, layers: Sequence[Level], depth: int, clause: Clause, tokens: Sequence[Any], talk: Talk, sentence: Sentence,
    chain: list[str], used: set[int], frame: Frame, asked_person: str | None,
) -> tuple[str, bool]:  # fmt: skip
    """Who utters a layer, and whether it is the speaker's own view."""
    turn = sentence.turn
    within = chain[-1] if chain and chain[-1] != "unknown" else None
    inside = [c for c in clause.chunks if level.start < c.first <= level.end and c.first not in used]
    between = next((c for c in inside if c.role in ("subj", "topic")), None)
    source = next((c for c in inside if c.role == "dat"), None) if level.cls == "hear" else None
    if source is None and level.cls in ("hear", "source"):
        source = next((c for c in clause.chunks if c.first < level.start and c.first not in used and (c.role == "dat" or (c.role == "loc" and speaks(c, talk)))), None)
    if source is not None:
        used.add(source.first)
        return owner(source.form, talk, turn, within), False
    if between is not None and level.verb:
        used.add(between.first)
        return owner(between.form, talk, turn, within), False
    inner_start = layers[0].start
    before = [c for c in clause.chunks if c.first < inner_start and c.first not in used and c.form not in ("자기", "본인") and (c.role in ("subj", "topic") or (c.role == "bare" and person(c, talk.names)))]
    first = before[0] if before else None
    if level.verb and level.cls in ("say", "think", "deny", "command", "propose"):
        if first is not None and (_first_person(first) or re.match(r"^(?:나|저|내|제|난|전)$", first.form)):
            used.add(first.first)
            return "", level.cls == "think" or level.cls == "say"
        if first is not None and speaks(first, talk):
            used.add(first.first)
            return owner(first.form, talk, turn, within), False
        if len(before) >= 2 and first is not None and re.fullmatch(r"[가-힣]{2,4}(?: 씨)?", first.form) and base_tag(tokens[first.first]) == "NNP":
            used.add(first.first)
            return owner(first.form, talk, turn, within), False
        if chain and depth == len(layers) - 1:
            return "", False
        medium = next((c for c in clause.chunks if c.first < inner_start and c.first not in used and c.role == "loc" and is_source(c.form)), None)
        if medium is not None:
            used.add(medium.first)
            return owner(medium.form, talk, turn, within), False
        if level.cls == "think" and not level.honorific:
            return "", True
        return (owner(asked_person, talk, turn) if asked_person else "unknown"), False
    if level.verb:
        return ("unknown" if not chain else ""), False
    if chain:
        return "", False
    return _fused_reporter(level, before, clause, tokens, talk, sentence, used, asked_person), False


def _fused_reporter(level: Level, before: list[Chunk], clause: Clause, tokens: Sequence[Any], talk: Talk, sentence: Sentence, used: set[int], asked_person: str | None) -> str:
    """Whose words -대, -래, -재 pass on when nobody is named as their source."""
    turn = sentence.turn
    first = before[0] if before else None
    named = first is not None and speaks(first, talk) and not _first_person(first)
    if level.kind in ("propose", "command") and named and first is not None:
        used.add(first.first)
        return owner(first.form, talk, turn)
    predicates = [c.lemma for c in clause.chunks if c.role == "pred" and c.first < level.start]
    others = [c for c in clause.chunks if c.first < level.start and c.role in ("bare", "obj", "loc", "also") and c is not first and not _idle_noun(c)]
    several = len(before) >= 2 or (len(before) == 1 and bool(others))
    twice = named and first is not None and first.role == "subj" and any(c.role == "subj" and c is not first for c in before)
    if twice and first is not None and level.kind == "declare":
        used.add(first.first)
        return owner(first.form, talk, turn)
    judged = several and level.kind == "declare" and judgement(tokens[: level.start], clause.text) != 0
    felt = judged or bool(predicates) and (predicates[-1] in PSYCH or predicates[-1] in ATTITUDE or clause.text.find("고 싶") >= 0)
    if named and first is not None and felt and (several or predicates[-1] not in ("맛있다", "재밌다", "재미있다", "별로이다")):
        used.add(first.first)
        return owner(first.form, talk, turn)
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


def _first_person(chunk: Chunk) -> bool:
    return chunk.form in ("나", "저", "내", "제", "우리", "저희", "내가", "제가") or (chunk.form in ("난", "전") and chunk.role == "topic")


def _target(inner: Clause, tokens: Sequence[Any], talk: Talk, sentence: Sentence, last: str = "") -> str | None:
    """What a clause is about: the noun before its predicate, with the thing that it is part of."""
    predicates = [c for c in inner.chunks if c.role == "pred"]
    lemma = last or (predicates[-1].lemma if predicates else "")
    stop = predicates[-1].first if predicates else len(tokens) + 1
    nouns = [_thing_done(c) for c in inner.chunks if c.first < stop and c.role in ("subj", "topic", "obj", "bare", "also", "loc", "with")]
    nouns = [c for c in nouns if not _idle_noun(c)]
    if lemma in ATTITUDE:
        for role in (("obj",), ("loc",), ("with",), ("topic",), ("bare", "also"), ("subj",)):
            found = [c for c in nouns if c.role in role and not person(c, talk.names) and not _first_person(c) and c.form not in ("마음", "맘")]
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
    things = [c for c in nouns if c.role in ("subj", "topic", "bare", "also", "obj") and not _first_person(c)]
    if not predicates and len(things) > 1 and things[-1].role == "bare":
        things = things[:-1]
    near = [c for c in things if c.first > start or c.role == "topic"]
    if not near:
        return None if start >= 0 and (talk.asked is not None and talk.asked.topic) else (thing(things[0].form) if things else None)
    topic = next((c for c in near if c.role == "topic"), None)
    main = [c for c in near if c.role == "subj"] or [c for c in near if c.role in ("bare", "also", "obj")]
    if topic is not None and main and main[-1] is not topic and main[-1].first > topic.first:
        if person(topic, talk.names):
            return thing(main[-1].form)
        return f"{thing(topic.form)} {main[-1].form}" if len(main[-1].form.split()) == 1 else thing(topic.form)
    chosen = topic or (main[-1] if main else near[-1])
    return thing(chosen.form)


def _thing_done(chunk: Chunk) -> Chunk:
    """ "이 믹서기 산 거": the thing that the deed is done to."""
    words_ = chunk.form.split()
    if len(words_) > 2 and words_[-1] in ("거", "것", "게", "건", "점") and "ETM" in chunk.tags:
        return replace(chunk, form=" ".join(words_[:-2]))
    return chunk


def _first_noun(inner: Clause, talk: Talk) -> str | None:
    """What an event is told of: its marked subject, else the first noun."""
    nouns = [c for c in inner.chunks if not _idle_noun(c) and not _first_person(c)]
    for roles in (("topic", "subj"), ("bare",), ("obj", "also")):
        found = next((c for c in nouns if c.role in roles), None)
        if found is not None:
            return thing(found.form)
    return None


def _idle_noun(chunk: Chunk) -> bool:
    form = chunk.form.strip()
    words_ = form.split()
    return not words_ or is_time(form) or words_[-1] in ABSTRACT or words_[-1] in ("말", "진짜", "완전", "정말", "올해", "최고", "사실", "요즘") or all(is_time(w) for w in words_) or bool(re.fullmatch(r"[\d\W]+", form))


def _topic(talk: Talk, sentence: Sentence, target: str | None) -> tuple[str | None, Sentence | None]:
    """The target, completed from the question or the thing spoken of before."""
    question = talk.asked if talk.asked is not None and sentence.turn - talk.asked.sentence.turn <= 2 else None
    if question is not None and question.topic and question.sentence.turn != sentence.turn:
        if target is None:
            return question.topic, question.sentence
        if len(target.split()) == 1 and target not in question.topic and not re.search(r"[A-Za-z0-9]", target) and question.kind == "opinion" and len(target) <= 3:
            return f"{question.topic} {target}", question.sentence
        return target, None
    if target is None:
        last = talk.last_thing(sentence.turn)
        if last is not None:
            return last.phrase, last.sentence
    return target, None


def _claim(parsed: Parsed, clause: str, holder: str, relay: tuple[str, ...], sign: int, target: str, spans: list[Sentence | None]) -> Draft:
    polarity: Polarity = "positive" if sign > 0 else "negative" if sign < 0 else "neutral"
    return Draft(
        turn=parsed.sentence.turn, speaker=relay[-1] if relay else holder, kind="claim", subject=target, clause=clause, language="ko",
        holder=holder, relay=relay, target=target, polarity=polarity, types=("PM",),
        spans=list(dict.fromkeys([*(s for s in spans if s is not None), parsed.sentence])),
    )  # fmt: skip


def _when(text: str, talk: Talk, sentence: Sentence) -> TimeSpan | None:
    said = talk.said(sentence.turn)
    if said is None:
        return None
    found = find(text, said, "ko")
    return found[0][2] if found else None


def _modality(tokens: Sequence[Any], text: str) -> Modality:
    """Denied, planned or asserted, by the last predicate."""
    if re.search(r"잖아|잖니|잖습|잖은가", text):
        return "asserted"
    last = max((i for i, t in enumerate(tokens) if base_tag(t) in ("VV", "VA", "XSV", "XSA", "VCP", "VCN")), default=-1)
    if re.search(r"[은ㄴ한본간온난] ?적(?:이|은|도)? ?없|(?<!까)지(?:는|도|를)? ?(?:않|못하|못했|못해|말|마세|마라)|(?:^|\s)(?:안|못)\s?[가-힣]+[.!~ ]*$|(?:^|\s)(?:안|못) [가-힣]", text):
        return "negated"
    if last >= 0 and any(t.form in ("안", "못") and base_tag(t) == "MAG" for t in tokens[max(0, last - 2) : last]):
        return "negated"
    if last >= 0 and any(t.form in ("않", "못하") for t in tokens[last:]):
        return "negated"
    if any(base_tag(t) == "EP" and t.form == "겠" for t in tokens) or PLAN.search(text):
        return "planned"
    return "asserted"


def _past(tokens: Sequence[Any]) -> bool:
    return any(base_tag(t) == "EP" and t.form in ("었", "았", "였") for t in tokens[-6:])


def _reported(
    parsed: Parsed, talk: Talk, clause: Clause, inner: Clause, tokens: Sequence[Any], body: str, chain: list[str], kind: str,
    asked_person: str | None, frame: Frame, itself: bool,
) -> Draft:  # fmt: skip
    """What somebody else asserts: a claim of theirs, neutral unless it judges."""
    sentence = parsed.sentence
    speaker = talk.speaker(sentence.turn)
    holder, relay = chain[-1], (*reversed(chain[:-1]), speaker)
    if not relay[:-1] or relay[-2:] == (speaker, speaker):
        relay = tuple(dict.fromkeys(relay))
    predicates = [c for c in inner.chunks if c.role == "pred"]
    lemma = predicates[-1].lemma if predicates else ""
    sign = judgement(tokens, body) if kind == "declare" and _final_judges(tokens, body) else 0
    modality = _modality(tokens, body)
    past = _past(tokens)
    plan = kind in ("propose", "command") or bool(PLAN.search(body)) or body.rstrip(".").endswith(("거다", "예정이다"))
    generic = not past and not plan and modality == "asserted"
    when = _when(body, talk, sentence)
    worn = effect(tokens, body) if generic and not sign and not when else 0
    subjects = [c for c in inner.chunks if c.role in ("subj", "topic") and not _idle_noun(c)]
    own_self = next((c for c in inner.chunks if c.role in ("subj", "topic", "bare", "dat") and c.form.split()[:1] in (["자기"], ["본인"], ["나"], ["저"], ["나더러"])), None)
    if kind == "command":
        return _commanded(parsed, talk, inner, body, holder, relay, lemma)
    if sign:
        target, source = _topic(talk, sentence, _target(inner, tokens, talk, sentence))
        return _claim(parsed, body, holder, relay, sign, target or body, [source])
    who = None
    if own_self is not None and own_self.form.split()[0] in ("자기", "본인"):
        who = holder
    else:
        named = next((c for c in subjects if person(c, talk.names)), None)
        who = owner(named.form, talk, sentence.turn, holder) if named is not None else None
    if who is None and lemma in BODY and holder != "unknown" and subjects and _general(subjects[-1].form):
        who = holder
    target = _first_noun(inner, talk)
    if not subjects and itself and who is None and holder != "unknown" and past:
        who = holder
    if not subjects and target is None:
        if modality == "negated" or lemma or kind == "propose":
            who = who or (holder if holder != "unknown" else None)
    source: Sentence | None = None
    subject = who or target
    if subject is None:
        subject, source = _topic(talk, sentence, None)
    if asked_person and talk.asked is not None and who == owner(asked_person, talk, sentence.turn):
        source = talk.asked.sentence
    if when and modality == "asserted" and (when.start > str(talk.said(sentence.turn))[:10] or (not past and kind != "declare")):
        modality = "planned"
    if kind == "propose" or (plan and modality == "asserted"):
        modality = "planned"
    if re.search(r"해 ?주신다|해 ?준다|주겠다|해 ?드린다", body) and modality == "asserted":
        modality = "planned"
    if kind == "declare" and lemma.endswith("이다") and lemma not in ("거이다", "것이다", "예정이다", "계획이다") and not past:
        when, modality = None, "negated" if modality == "negated" else "asserted"
    event = past or bool(when) or modality == "planned" or re.search(r"적(?:이|은)? ?없", body) is not None
    types: tuple[MemoryType, ...] = ("EM",) if event else (("PM",) if who else ("GM",))
    if event and who and modality == "asserted" and _life(inner):
        types = ("EM", "PM")
    draft = _claim(parsed, body, holder, relay, worn, target or subject or body, [source])
    if event and not worn:
        draft.target = _deed(body, when, talk, sentence) or draft.target
    draft.subject = subject or draft.target or body
    if kind == "propose" and not target and not subjects:
        draft.subject = draft.target or body
    if worn:
        types = ("GM",)
    draft.modality, draft.time, draft.types, draft.person = modality, None if worn else when, types, who is not None
    return draft


def _deed(body: str, when: TimeSpan | None, talk: Talk, sentence: Sentence) -> str:
    """An event as a phrase: the clause without its time."""
    said = talk.said(sentence.turn)
    if said is None:
        return body
    for start, end, _ in reversed(find(body, said, "ko")):
        body = body[:start] + re.sub(r"^(?:에|에는|에서|쯤)\s*", "", body[end:])
    return re.sub(r"\s+", " ", body).strip(" .,")


def _commanded(parsed: Parsed, talk: Talk, inner: Clause, body: str, holder: str, relay: tuple[str, ...], lemma: str) -> Draft:
    """ "끊으래": what the holder wants done, about the thing to be done with; giving up speaks against it."""
    sentence = parsed.sentence
    things = [c for c in inner.chunks if c.role in ("obj", "bare", "also", "loc", "topic") and not _idle_noun(c) and not person(c, talk.names) and not _first_person(c)]
    target = thing(things[-1].form) if things else body
    against = lemma in ("끊다", "줄이다", "그만두다", "버리다", "피하다", "삼가다", "멈추다", "멀리하다") or bool(re.search(r"지 ?말|지 ?마|안 ?되|금지", body))
    draft = _claim(parsed, body, holder, relay, -1 if against else 0, target, [])
    to = next((c for c in inner.chunks if c.form in ("나", "저") or c.form.startswith(("나더러", "저더러", "나보고", "저보고", "나한테", "저한테"))), None)
    draft.subject = talk.speaker(sentence.turn) if to is not None or not any(c.role == "dat" for c in inner.chunks) else target
    when = _when(body, talk, sentence)
    draft.time = when
    draft.modality = "asserted" if against else "planned"
    if not against:
        draft.types = ("EM",)
    draft.person = True
    return draft


def _life(inner: Clause) -> bool:
    text = inner.text
    known = life_changes()
    return any(c.lemma in known for c in inner.chunks if c.role == "pred") or bool(re.search(r"이사(?:를)? ?(?:갔|왔|가|오)|결혼|퇴사|취직|승진|은퇴|담배.{0,4}끊", text))


def _firsthand(
    parsed: Parsed, talk: Talk, clause: Clause, inner: Clause, tokens: Sequence[Any], body: str, own: bool, frame: Frame,
    everything: Sequence[Any], text: str,
) -> Draft | None:  # fmt: skip
    """What a speaker says on his own account: a judgement, an event or a fact."""
    sentence = parsed.sentence
    speaker = talk.speaker(sentence.turn)
    predicates = [c for c in inner.chunks if c.role == "pred"]
    lemma = predicates[-1].lemma if predicates else ""
    nouns = [c for c in inner.chunks if c.role in ("subj", "topic", "bare") and not _idle_noun(c)]
    me = next((c for c in inner.chunks if _first_person(c)), None)
    sign = judgement(tokens, body)
    if me is not None and PREFER.search(text) and not own:
        return _fact(parsed, talk, speaker, text, ("PM",), True)
    if not predicates and not sign:
        return _fragment(parsed, talk, text, tokens)
    final = _final_judges(tokens, body)
    if lemma in TASTES or (lemma in ("좋다", "싫다") and me is not None):
        target = _target(inner, tokens, talk, sentence)
        holder_chunk = next((c for c in nouns if person(c, talk.names) and not _first_person(c)), None)
        if target is not None and _general(target) and not own:
            who = owner(holder_chunk.form, talk, sentence.turn) if holder_chunk is not None else speaker
            fact = _fact(parsed, talk, who, text, ("PM",), True)
            fact.modality = "negated" if _modality(tokens, body) == "negated" else "asserted"
            return fact
    holder_chunk = next((c for c in nouns if c.role in ("subj", "topic") and person(c, talk.names) and not _first_person(c)), None)
    if sign and final and holder_chunk is not None and (lemma in ATTITUDE or lemma in ("싫다", "마음에 들다", "별로다")):
        target = _target(Clause(inner.text, inner.tokens, [c for c in inner.chunks if c is not holder_chunk]), tokens, talk, sentence)
        if target is not None:
            return _claim(parsed, body, owner(holder_chunk.form, talk, sentence.turn), (speaker,), sign, target, [])
    if sign and final and not own and MEASURED.search(text) and me is None:
        return _record(parsed, talk, inner, tokens, everything, text, nouns, me, lemma)
    if own or (sign and final):
        target = _target(inner, tokens, talk, sentence)
        feels = lemma in FEELING and target is None
        if feels and (talk.asked is None or talk.asked.kind != "opinion"):
            return None
        target, source = _topic(talk, sentence, target)
        if _command_like(tokens, everything, clause):
            return _request(parsed, talk, text)
        if target is None and not own:
            return None
        if own and not sign and talk.asked is None and target is None:
            return None
        return _claim(parsed, body, speaker, (), sign, target or body, [source])
    return _record(parsed, talk, inner, tokens, everything, text, nouns, me, lemma)


def _final_judges(tokens: Sequence[Any], body: str) -> bool:
    """Whether the last predicate, or a phrase that ends the clause, is what judges."""
    found = signs(tokens, body)
    if not found:
        return False
    verbs = [i for i, t in enumerate(tokens) if base_tag(t) in ("VV", "VA", "XSV", "XSA", "VCP", "VCN")]
    if not verbs:
        return True
    place = max(index for index, _ in found)
    if place >= verbs[-1] - 1:
        return True
    if any(abs(sign) == 2 for _, sign in found):
        return True
    ends = [t for t in tokens[place + 1 : verbs[-1] + 1] if base_tag(t) in ("EC", "EF", "ETM")]
    if base_tag(tokens[verbs[-1]]) == "VCP" and [base_tag(t) for t in ends[:1]] == ["ETM"] and verbs[-1] - place <= 5:
        return True
    guess = any(t.form in ("것", "거") for t in tokens[place:]) or lemma_at(tokens, verbs[-1]) in ("같다", "하다", "보다", "않다", "이다")
    return guess and len(ends) <= 2


def _general(target: str) -> bool:
    """A bare kind of thing: one common word without a pointing or naming word."""
    return len(target.split()) == 1 and not re.search(r"[A-Za-z0-9]", target)


def _fact(parsed: Parsed, talk: Talk, subject: str, text: str, types: tuple[MemoryType, ...], person: bool) -> Draft:
    return Draft(
        turn=parsed.sentence.turn, speaker=talk.speaker(parsed.sentence.turn), kind="fact", subject=subject, clause=text.strip(), language="ko",
        holder=talk.speaker(parsed.sentence.turn), spans=[parsed.sentence], types=types, person=person,
    )  # fmt: skip


def _fragment(parsed: Parsed, talk: Talk, text: str, tokens: Sequence[Any]) -> Draft | None:
    """A fragment without a predicate: a setting, or a piece of the sentence before."""
    sentence = parsed.sentence
    mine = [d for d in talk.drafts if d.turn == sentence.turn]
    equals = re.match(r"^(?P<name>[^=:]{2,40}?)\s*(?:=|:|->|→)\s*\S", text)
    if equals:
        return _fact(parsed, talk, equals["name"].strip(), text, ("GM",), False)
    if mine and not re.search(r"\d", text):
        mine[-1].spans.append(sentence)
        return None
    if re.search(r"\d", text) and len(tokens) >= 4:
        clause = clause_of(text, tokens)
        first = next((c for c in clause.chunks if c.role in ("topic", "subj", "bare") and not _idle_noun(c)), None)
        return _fact(parsed, talk, thing(first.form) if first else talk.speaker(sentence.turn), text, ("GM",), False)
    return None


def _command_like(tokens: Sequence[Any], everything: Sequence[Any], clause: Clause) -> bool:
    last = next((t for t in reversed(everything) if base_tag(t) == "EF"), None)
    if last is None:
        return False
    subject = any(c.role in ("subj", "topic") and not _idle_noun(c) for c in clause.chunks)
    tail = str(last.form)
    at = list(everything).index(last)
    before = everything[at - 1] if at else None
    if not subject and re.search(r"(?:봐|봐요|보세요|봐라)[.!~ ]*$", clause.text) and any(base_tag(t) == "VX" and t.form == "보" for t in everything[-4:]) and not _past(everything):
        return True
    if tail in ("자",) and before is not None and base_tag(before) == "VV":
        return True
    if re.search(r"(?:십시오|ᆸ시다|읍시다|아라|어라|으렴|거라)$", tail):
        return True
    if tail in ("세요", "으세요", "셔요") and before is not None and base_tag(before) in ("VV", "VX", "XSV") and not subject:
        return True
    return bool(re.search(r"(?:주세요|줘|주십시오|주라|마세요)[.!~ ]*$", clause.text)) or (tail in ("어", "아", "지") and bool(re.search(r"(?:해|아|어) ?줘", clause.text)))


def _request(parsed: Parsed, talk: Talk, text: str) -> Draft | None:
    """A customer's request for a service is an event; other requests and commands assert nothing."""
    sentence = parsed.sentence
    speaker = talk.speaker(sentence.turn)
    choice = talk.asked is not None and talk.asked.kind == "choice" and talk.asked.service and talk.asked.speaker != speaker
    if not (choice and CHOSEN.search(text)) and not (REQUEST.search(text) and SERVICE.search(text)):
        return None
    spans = [sentence]
    if talk.asked is not None and talk.asked.speaker != speaker and talk.asked.kind in ("choice", "other") and sentence.turn - talk.asked.sentence.turn <= 2:
        spans = [talk.asked.sentence, sentence]
    return Draft(turn=sentence.turn, speaker=speaker, kind="event", subject=speaker, clause=text, language="ko", holder=speaker, spans=spans,
                 types=("EM",), person=True)  # fmt: skip


def _record(
    parsed: Parsed, talk: Talk, inner: Clause, tokens: Sequence[Any], everything: Sequence[Any], text: str, nouns: list[Chunk],
    me: Chunk | None, lemma: str,
) -> Draft | None:  # fmt: skip
    """An event or a fact told first-hand."""
    sentence = parsed.sentence
    speaker = talk.speaker(sentence.turn)
    if _command_like(tokens, everything, inner):
        return _request(parsed, talk, text)
    when = _when(text, talk, sentence)
    if when is None and re.search(r"[줄할갈볼릴낼올보을]게요?[.!~ ]*$", text):
        return None
    said = str(talk.said(sentence.turn) or "")[:10]
    modality = _modality(tokens, text)
    past = _past(tokens)
    spans: list[Sentence] = [sentence]
    confirmed = _confirmed(parsed, talk, text, when)
    if confirmed is not None:
        return confirmed if confirmed not in talk.drafts else None
    first = next((c for c in inner.chunks if c.role == "pred"), None)
    opens = first is not None and first is not inner.chunks[-1] and bool(re.search(r"(?:는데|고)$", first.form)) and "EP" in first.tags
    if opens and first is not None and not any(c.role in ("subj", "topic") and c.first < first.first for c in inner.chunks):
        inner = Clause(inner.text, inner.tokens, [c for c in inner.chunks if c.first <= first.first])
        nouns, lemma, tokens = [c for c in nouns if c.first < first.first], first.lemma, tokens[: first.last + 1]
        modality, past = _modality(tokens, text[: first.end]), True
    subject, human, source = _subject(inner, nouns, me, text, talk, sentence, lemma, past)
    if source is not None:
        spans = [source, sentence]
    noun_ending = any(base_tag(t) == "ETN" for t in everything[-3:])
    adjective = bool(inner.chunks) and any(c.role == "pred" and c.tags[:1] == ("VA",) for c in inner.chunks[-1:])
    copula = any(base_tag(t) in ("VCP", "VCN") for t in tokens[-4:]) or lemma in ("있다", "없다", "아니다", "살다", "같다") or adjective
    if copula and past and when is not None and human and not adjective and lemma == "있다":
        copula = False
    be = any(base_tag(t) in ("VCP", "VCN") for t in tokens[-4:]) and not re.search(r"[을할갈될볼올일] ?(?:거|예정|계획|것)", text)
    ahead = when is not None and when.start > said and not adjective and not be
    if modality == "asserted" and not past and (ahead or (when is not None and re.search(r"[래게]요?[.!~ ]*$", text))):
        modality = "planned"
    if modality == "planned" and past and not re.search(r"기로|예정|려고|계획", text):
        modality = "asserted"
    undated = modality == "planned" and when is None and bool(WISH.search(text))
    never = bool(re.search(r"적(?:이|은|도)? ?없", text))
    kind: AtomKind = "event"
    if undated or (HABIT.search(text) and not past) or (copula and not (ahead or never)) or (not past and modality in ("asserted", "negated") and not never and not (noun_ending and when)):
        kind = "fact"
    if kind == "fact" and modality == "planned" and when is not None and not undated:
        kind = "event"
    types: tuple[MemoryType, ...] = ("EM",)
    if kind == "fact":
        types = ("PM",) if human else ("GM",)
    elif human and modality == "asserted" and _life(inner):
        types = ("EM", "PM")
    return Draft(
        turn=sentence.turn, speaker=speaker, kind=kind, subject=subject, clause=text.strip(), language="ko", holder=speaker, spans=spans,
        modality=modality, types=types, time=when if kind == "event" else None, person=human,
    )  # fmt: skip


def _confirmed(parsed: Parsed, talk: Talk, text: str, when: TimeSpan | None) -> Draft | None:
    """An agent who says that it is done completes the customer's request."""
    if not CONFIRM.search(text):
        return None
    speaker = talk.speaker(parsed.sentence.turn)
    for draft in reversed(talk.drafts):
        if draft.kind == "event" and draft.speaker != speaker and draft.subject == draft.speaker and 0 < parsed.sentence.turn - draft.turn <= 3 and REQUEST.search(draft.clause):
            draft.clause, draft.time, draft.modality = text.strip(), when, "asserted"
            draft.spans.append(parsed.sentence)
            draft.types = ("EM", "PM")
            draft.holder = speaker
            draft.speaker = speaker
            return draft
    return None


def _subject(inner: Clause, nouns: list[Chunk], me: Chunk | None, text: str, talk: Talk, sentence: Sentence, lemma: str, past: bool) -> tuple[str, bool, Sentence | None]:
    """The subject of a record: named, the speaker, or what the question was about."""
    speaker = talk.speaker(sentence.turn)
    marked = [c for c in nouns if c.role in ("subj", "topic") and not _first_person(c)]
    reason = max((c.last for c in inner.chunks if c.role == "pred" and c.tags[-1:] == ("EC",) and re.search(r"(?:서|니까|느라|므로)$", c.form)), default=-1)
    if any(c.role == "pred" and c.first > reason for c in inner.chunks):
        marked = [c for c in marked if c.first > reason or c.role == "topic"]
    if me is not None and not any(c.role == "subj" and person(c, talk.names) for c in marked):
        kin_after = next((c for c in marked if person(c, talk.names)), None)
        return (owner(kin_after.form, talk, sentence.turn), True, None) if kin_after is not None else (speaker, True, None)
    mine = next((c for c in nouns if re.match(r"^(?:우리|저희|내|제)\s", c.form)), None)
    if mine is not None and person(mine, talk.names):
        return owner(mine.form, talk, sentence.turn), True, None
    human = next((c for c in marked if person(c, talk.names)), None)
    if human is not None and (marked[0] is human or human.role == "subj"):
        return owner(human.form, talk, sentence.turn), True, None
    if mine is not None:
        return f"{speaker}의 {re.sub(r'^(?:우리|저희|내|제) ', '', mine.form)}", False, None
    things = marked or [c for c in nouns if c.role == "bare" and not _first_person(c)]
    asked_now = talk.asked if talk.asked is not None and talk.asked.speaker != speaker and sentence.turn - talk.asked.sentence.turn <= 2 else None
    if marked:
        first = marked[0]
        form = thing(first.form)
        second = asked_now is not None and asked_now.topic and asked_now.sentence.turn != sentence.turn and re.search(r"어떻게|얼마나", asked_now.sentence.plain)
        if second and asked_now is not None and any(c.role == "pred" and c.first < first.first for c in inner.chunks) and not past:
            return str(asked_now.topic), False, asked_now.sentence
        if FAULT.search(text) and past and _general(first.form) and first.role == "subj" and _served(talk, speaker):
            return f"{speaker}의 {form}", False, None
        return form, False, None
    if asked_now is not None and asked_now.person and asked_now.sentence.turn != sentence.turn:
        return owner(asked_now.person, talk, sentence.turn), True, asked_now.sentence
    honorific = bool(re.search(r"시면|하시|됩니다|되고|돼요|걸립|가능", text))
    if asked_now is not None and asked_now.topic and asked_now.sentence.turn != sentence.turn and honorific and not past:
        return asked_now.topic, False, asked_now.sentence
    bare = things[0] if things else None
    previous = next((d for d in reversed(talk.drafts) if d.turn == sentence.turn), None)
    if re.search(r"[실하으]?[시실] 수 (?:있|없)|됩니다|불가|가능|셔야|하셔|드립니다|드려요", text) and not past:
        spoken = next((c for c in inner.chunks if c.role in ("loc", "obj", "also", "bare", "dir") and not _idle_noun(c) and not _first_person(c)), None)
        if spoken is not None:
            return thing(spoken.form), False, None
    changes = lemma in INTRANSITIVE or lemma.endswith(("이다", "되다", "지다")) or inner.chunks[-1].tags[:1] == ("VA",)
    if bare is not None and changes and not HABIT.search(text):
        return (owner(bare.form, talk, sentence.turn), True, None) if person(bare, talk.names) else (thing(bare.form), False, None)
    if previous is not None and previous.kind != "claim":
        return previous.subject, previous.person, None
    return speaker, True, None


SUPPORT = re.compile(r"상담|안내|프런트|고객센터|지원팀|서비스|직원|접수|매니저|[Ss]upport|[Aa]gent|기사")


def _served(talk: Talk, speaker: str) -> bool:
    """Whether the speaker is a customer: called so, or answered by a service desk."""
    others = {turn.speaker for turn in talk.turns} - {speaker}
    return bool(re.search(r"고객|손님|회원|투숙객|승객|환자|구매자", speaker)) or any(SUPPORT.search(other) for other in others)


FAILED = re.compile(r"꺼졌|고장|또|터졌|망했|늦|깨졌|멈췄|날렸|날아갔|안 ?돼|안 ?됐|튕겼|취소됐|지연|먹통|잃어")
MOCKING = re.compile(r"짝짝|박수|세상에서 제일|아주 그냥|참 (?:잘|훌륭|대단)|퍽이나|고오|눈물 나게|\^\^|대단하십니다|역시나|어련|훌륭하다 진짜|잘도|상 줘야")


def finish(turn: int, talk: Talk) -> None:
    """Join a turn's statements: one claim for one view, mockery read as what it means, elaborations absorbed."""
    mine = [draft for draft in talk.drafts if draft.turn == turn]
    text = talk.turns[turn].text
    if MOCKING.search(text) and FAILED.search(text):
        failed = next((d for d in mine if d.kind != "claim"), None)
        for draft in mine:
            if draft.kind == "claim" and draft.polarity == "positive":
                draft.polarity = "negative"
                if failed is not None and not failed.person:
                    draft.target = draft.subject = failed.subject
    place = 0
    while place < len(mine) - 1:
        earlier, later = mine[place], mine[place + 1]
        same = earlier.kind == later.kind == "claim" and (earlier.holder, earlier.polarity) == (later.holder, later.polarity) and (
            earlier.target == later.target or (later.target or "").split()[-1:] in (["물건"], ["것"], ["거"], ["사람"], ["데"], ["곳"], ["느낌"]) or _vague(later)
        )  # fmt: skip
        if earlier.answers and later.kind == "event" and later.subject in (earlier.subject, later.speaker):
            later.subject, later.person = earlier.subject, earlier.person
            later.spans = [*earlier.spans, *later.spans]
            later.clause = f"{earlier.clause} {later.clause}"
            talk.drafts.remove(earlier)
            mine.remove(earlier)
            continue
        if same or _elaborates(earlier, later):
            earlier.spans.extend(later.spans)
            if same:
                earlier.clause = f"{earlier.clause} {later.clause}"
            talk.drafts.remove(later)
            mine.remove(later)
            continue
        place += 1


def _vague(draft: Draft) -> bool:
    return draft.target is None or draft.target == draft.clause or re.match(r"^(?:들고|이런|그런|이|그)\s", draft.target or "") is not None


def _elaborates(earlier: Draft, later: Draft) -> bool:
    """A sentence without a name, number or date of its own only colours the statement before it."""
    if later.kind == "claim" or earlier.kind == "claim" or later.time or re.search(r"[\d=A-Za-z]", later.clause):
        return False
    if earlier.answers:
        return True
    same = later.subject == earlier.subject
    fault = earlier.kind == "event" and bool(FAULT.search(later.clause)) and bool(FAULT.search(earlier.clause))
    denies = later.modality == "negated" and same and later.person
    short = len(later.clause.split()) <= 4 and same and later.kind == "fact" and not later.modality == "planned"
    return fault or denies or short
