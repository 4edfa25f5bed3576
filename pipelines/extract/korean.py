"""Korean turns to drafts of statements: each sentence is cut into clauses, each clause read, the turn joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.korean_answers import answer, asked
from pipelines.extract.korean_claims import ABSTRACT, is_first_person, judged_target, make_claim
from pipelines.extract.korean_clauses import clause_draft
from pipelines.extract.korean_frames import AUTHOR, Frame
from pipelines.extract.korean_hearsay import levels
from pipelines.extract.korean_morph import Clause, Token, base_tag, clause_of, is_time
from pipelines.extract.korean_names import owner, speaks, thing
from pipelines.extract.korean_opinion import judgement, signs
from pipelines.extract.korean_parse import Parsed
from pipelines.extract.korean_people import is_person, person
from pipelines.extract.korean_records import FAULT
from pipelines.extract.route import REACTION_KO, is_question
from pipelines.extract.text import Sentence
from pipelines.korean_given import name_like

HYPOTHETICAL = re.compile(
    "텐데|더라면|었으면|았으면|였으면|[가-힣]면 좋겠|만약|만일|가정|라면 (?:얼마나"
    "|정말)|됐으면|했으면|으면 [가-힣 ]*(?:했을|었을|갔을)|치면|친다면|면 (?:당장|내가 진짜)"
)
DREAM = re.compile(
    r"(?:되면|생기면|당첨되면|있으면|하면|오면|가면|라면|다면|난다면)\s.*(?:[을를할갈살될볼올]"
    r"\s?(?:거|텐데|래)|겠|[을할갈살] ?것)"
)


def read(parsed: Parsed, talk: Talk) -> list[Draft]:
    """The drafts of one sentence; the talk's memory is brought up to date."""
    sentence = parsed.sentence
    text = sentence.plain
    exclaimed = re.search(r"(?:네|군|구나|다니|[은인한는]데)요?\?[\s~ㅋㅎ^]*$", text) and not re.search(
        r"뭐|왜|어디|언제|누가|누구|어떻|몇", text
    )
    clause = clause_of(parsed.frame.clause, parsed.tokens)
    questioned = is_question(text, "ko") or _asks(parsed.tokens)
    if questioned and not exclaimed:
        talk.asked = asked(sentence, clause, talk)
        if talk.asked.person is None and parsed.frame.who:
            talk.asked = replace(talk.asked, person=parsed.frame.who[-1])  # ""미나한테 물어봤어?"
        _note(parsed, clause, talk)
        return []
    if REACTION_KO.search(text) and len(text) < 30:
        return []
    if re.search(r"(?:추천|부탁|조언|도움)\s?(?:좀|요)?[.!~\s]*$", text):
        return []
    if HYPOTHETICAL.search(text) or (DREAM.search(text) and not re.search(r"습니다|됩니다|시면|[것거] ?같", text)):
        return []
    answered = answer(sentence, parsed.frame.clause, parsed.tokens, talk)
    if answered is not None:
        _note(parsed, clause, talk)
        return answered
    drafts = _statements(parsed, clause, talk)
    _note(parsed, clause, talk)
    for draft in drafts:
        if draft.kind == "claim" and draft.target:
            talk.mention_thing(draft.target, draft.target.split()[-1], sentence)
        elif draft.person and draft.subject != talk.speaker(sentence.turn):
            talk.mention_person(draft.subject, sentence)
    return drafts


ASKING = re.compile(
    r"^(?:[ᆫ은는]?가요|나요|[ᆯ을]까요?|니|냐|는지요|습니까|ᆸ니까|[는던]가|(?:ᆫ|는)?(?:다|라)(?:며|면서)요?)$"
)


def _asks(tokens: Sequence[Any]) -> bool:
    """Whether the last ending asks, mark or not."""
    last = next((t for t in reversed(tokens) if base_tag(t) in ("EF", "EC")), None)
    return last is not None and base_tag(last) == "EF" and bool(ASKING.match(last.form))


def _note(parsed: Parsed, clause: Clause, talk: Talk) -> None:
    """Remember the people and things of a sentence."""
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


def _statements(parsed: Parsed, whole: Clause, talk: Talk) -> list[Draft]:
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
        clause = whole if tokens is parsed.tokens else clause_of(text, tokens)
        draft = clause_draft(parsed, frame, clause, tokens, talk)
        if draft is not None:
            drafts.append(draft)
            if draft.kind == "claim" and draft.target and len(parts) > 1:
                talk.mention_thing(draft.target, draft.target.split()[-1], parsed.sentence)
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
        if base_tag(token) != "EC" or token.form not in (
            "지만",
            "는데",
            "ᆫ데",
            "은데",
            "으나",
            "던데",
            "고",
            "인데",
            "다던데",
            "라던데",
            "ᆫ다던데",
            "다는데",
            "ᆫ다는데",
            "는다는데",
            "라는데",
            "고요",
        ):
            continue
        right = clause_of(text, tokens[index + 1 :])
        nouns = [c for c in right.chunks if c.role in ("subj", "topic")]
        start = right.chunks[0] if right.chunks else None
        if not nouns or start is None or start.role not in ("subj", "topic", "bare"):
            continue
        left = tokens[: index + 1]
        reports = levels(left, text)[0]
        evaluates = bool(signs(left, text[: token.end])) and bool(signs(tokens[index + 1 :], text[token.end :]))
        other = (
            is_first_person(nouns[0])
            or nouns[0].role == "topic"
            or (evaluates and judgement(left, text[: token.end]) != judgement(tokens[index + 1 :], text[token.end :]))
        )
        if (reports and (reports[-1].verb or is_first_person(nouns[0]))) or (evaluates and other):
            return [(text[: token.end], left), (text[token.end :], _shifted(tokens[index + 1 :], token.end))]
    return [(text, tokens)]


def _shifted(tokens: Sequence[Any], by: int) -> list[Token]:
    """The tokens of a cut text, their places counted from the cut."""
    return [Token(t.form, t.tag, t.start - by, t.end - by) for t in tokens]


def _passed_on(draft: Draft, text: str, tokens: Sequence[Any], talk: Talk, sentence: Sentence, frame: Frame) -> bool:
    """ "다솜이가 그걸 민규한테 말했대": those who passed a view on, nearest its holder first."""
    clause = clause_of(text, tokens)
    verb = next((c for c in reversed(clause.chunks) if c.role == "pred"), None)
    teller = next((c for c in clause.chunks if c.role in ("subj", "topic")), None)
    if (
        verb is None
        or teller is None
        or not draft.relay
        or not re.match(r"(?:얘기|이야기|말|말씀|전|귀띔|공유|알리|그러|전달)", verb.lemma)
    ):
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
        author = (
            owner(found["who"], talk, sentence.turn)
            if found and (is_person(found["who"].strip(), talk.names) or name_like(found["who"].strip()))
            else ""
        )
    if not author:
        return None
    speaker = talk.speaker(sentence.turn)
    if author == speaker:
        return None
    inner = clause_of(frame.quoted, parsed.inner)
    sign = judgement(parsed.inner, frame.quoted)
    seen = SEEN.search(frame.before)
    told = judged_target(inner, parsed.inner, talk, sentence)
    named = any(c.role in ("subj", "topic") for c in inner.chunks)
    target = seen[1] if seen else told if named and told else _last_noun(inner) or told
    return make_claim(parsed, frame.quoted, author, (speaker,), sign, target or frame.quoted, [])


SEEN = re.compile(
    r"((?:(?:내|제|우리|저희|이|그|이번|새) )?[가-힣A-Za-z]+?)(?:을|를)? (?:보고|듣고|읽고|먹고|써 보고|먹어 보고)\s*$"
)
"""What the quoted words are about ("제 노래 듣고 ...라고 했어")."""


def _last_noun(clause: Clause) -> str | None:
    """The noun that a fragment judges ("지금까지 먹은 조식 중 최악"): what stands before 중 or the predicate noun."""
    match = re.search(r"([가-힣A-Za-z]+)\s?(?:중|가운데)(?:에|에서)?\s", clause.text)
    return match[1] if match else None


FAILED = re.compile(
    r"죽었|다운됐|뻗었|기다리게|기다려야|기다렸|꺼졌|고장|또|터졌|망했"
    r"|늦|깨졌|멈췄|날렸|날아갔|안 ?돼|안 ?됐|튕겼|취소됐|지연|먹통|잃어"
)
MOCKING = re.compile(
    "짝짝|박수|세상에서 제일|아주 그냥|참 (?:잘|훌륭|대단)|퍽이나|고오|눈물 나게"
    r"|\^\^|대단하십니다|역시나|어련|훌륭하다 진짜|잘도|상 줘야"
)


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
    broken = next((d for d in mine if d.kind == "event" and not d.person and FAILED.search(d.clause)), None)
    for draft in mine:
        praised = draft.kind == "claim" and draft.polarity == "positive" and not draft.relay
        if praised and broken is not None and draft.target == broken.subject:
            draft.polarity = "negative"  # praise of what has just failed
    place = 0
    while place < len(mine) - 1:
        earlier, later = mine[place], mine[place + 1]
        same = (
            earlier.kind == later.kind == "claim"
            and (earlier.holder, earlier.polarity) == (later.holder, later.polarity)
            and (
                earlier.target == later.target
                or (later.target or "").startswith(f"{earlier.target} ")
                or (later.target or "").split()[-1:] in (["물건"], ["것"], ["거"], ["사람"], ["데"], ["곳"], ["느낌"])
                or _vague(later)
            )
        )
        if earlier.answers and later.kind == "event" and later.subject in (earlier.subject, later.speaker):
            later.subject, later.person = earlier.subject, earlier.person
            later.spans = [*earlier.spans, *later.spans]
            later.types = tuple(dict.fromkeys((*later.types, *earlier.types)))
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
    return (
        draft.target is None
        or draft.target == draft.clause
        or re.match(r"^(?:들고|이런|그런|이|그)\s", draft.target or "") is not None
    )


def _elaborates(earlier: Draft, later: Draft) -> bool:
    """A sentence without a name, number or date of its own only colours the statement before it."""
    if earlier.kind == "claim" and not earlier.relay and later.kind == "fact" and later.subject == later.speaker:
        return (
            len(later.clause.split()) <= 4
            and later.modality == "negated"
            and not re.search(r"\d|[나저내제]는? |난 ", later.clause)
        )
    if later.kind == "claim" or earlier.kind == "claim" or later.time or re.search(r"[\d=A-Za-z]", later.clause):
        return False
    if earlier.answers:
        return True
    same = later.subject == earlier.subject
    fault = earlier.kind == "event" and bool(FAULT.search(later.clause)) and bool(FAULT.search(earlier.clause))
    fault = fault or (
        bool(FAULT.search(earlier.clause))
        and earlier.kind == "event"
        and later.kind == "event"
        and len(later.clause.split()) <= 3
    )
    denies = later.modality == "negated" and same and later.person
    follows = earlier.person and not later.person and later.kind == "fact" and BECAME.search(later.clause) is not None
    short = len(later.clause.split()) <= 4 and same and later.kind == "fact" and later.modality != "planned"
    return fault or denies or short or (follows and len(later.clause.split()) <= 4)


BECAME = re.compile(r"[아어해여려]졌[가-힣]*[.!~ ]*$")
"""How something has changed since what was just told ("출퇴근이 짧아졌어요")."""
