"""What a Korean question leaves open, and the fragments that answer it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pipelines.extract.discourse import Asked, Draft, Talk
from pipelines.extract.korean_morph import Clause, base_tag, is_time
from pipelines.extract.korean_names import owner, thing
from pipelines.extract.korean_opinion import judgement
from pipelines.extract.korean_people import person as person_chunk
from pipelines.extract.text import Sentence
from pipelines.korean_given import name_like
from pipelines.timex import find

PERSONAL = re.compile(
    r"뭐 ?(?:해|하|한)|어디 ?(?:살|있|다니|다녀|가|갔)|잘 ?지내"
    r"|시간 ?(?:되|돼|있)|언제 ?(?:와|오|가)|온대|간대|올까|요즘"
)
"""Questions that are only asked of persons."""
OPINION = re.compile(
    "어때|어떠|어떻|어땠|괜찮|맛있|재밌|재미있|볼까|살까|갈까|할까|먹을까"
    r"|쓸까|들까|말까|추천|써 ?본|먹어 ?본|가 ?본|봤어|좋아\?|별로|의견|생각"
    "|만족|쓸 ?만"
)


OPEN = re.compile(r"(?:^|\s)(?:어디|언제|누구|무엇|뭐|몇 \S+|얼마)$")
"""The word for what is asked, which the analyser joins to the noun before it."""


def asked(sentence: Sentence, clause: Clause, talk: Talk) -> Asked:
    """Read a question: its kind, the thing and the person that it is about.

    A second question of the same turn keeps what the first one named.
    """
    text = sentence.plain
    speaker = talk.speaker(sentence.turn)
    person: str | None = None
    topic: str | None = None
    for chunk in clause.chunks:
        form = OPEN.sub("", chunk.form.strip(" '\""))
        if (
            chunk.role not in ("subj", "topic", "obj", "bare", "with", "dat", "also")
            or not form
            or is_time(form)
            or form.endswith(" 때")
        ):
            continue
        if re.match(r"^(?:누|뭐|무엇|어디|언제|왜|나|저|너|우리|혹시|몇)", form) and len(form) <= 3:
            continue
        personal = (
            len(form) <= 4
            and " " not in form
            and bool(PERSONAL.search(text))
            and name_like(form.removesuffix("이") if len(form) > 2 else form)
        )
        if person_chunk(chunk, talk.names) or (personal and person is None):
            person = person or form
        elif chunk.role not in ("dat", "with"):
            topic = topic or thing(form)
    previous = talk.asked
    if previous is not None and previous.sentence.turn == sentence.turn:
        person, topic = person or previous.person, topic or previous.topic
    options = tuple(
        re.findall(r"([가-힣A-Za-z]+)(?:이랑|랑|하고|과|와|아니면| 아니면| 중|\?|해 드릴까요|로 할까)", text)
    )
    kind = "other"
    if re.search(r"[가-힣](?:이?랑|하고|와|과) ?\S+ 중(?:에서?)? ?(?:어디|어느|뭐|무엇|어떤)", text):
        kind = "choice"
    elif re.search(r"언제|며칠|몇 ?(?:월|일)", text):
        kind = "when"
    elif re.search(r"누가|누구", text):
        kind = "who"
    elif re.search(r"어디", text):
        kind = "where"
    elif re.search(r"드릴까요.*드릴까요|아니면|중에|\?\s*\S+\?|할까.*할까", text):
        kind = "choice"
    elif OPINION.search(text):
        kind = "opinion"
    elif re.search(r"어느|어떤|무슨", text):
        kind = "which"
    elif re.search(r"있(?:으세요|어요|나요|으신가요|어|니|습니까)\??", text):
        kind = "need"
    return Asked(sentence, speaker, topic, person, kind, options, bool(re.search(r"드릴까요|드려요|도와", text)))


def answer(sentence: Sentence, text: str, tokens: Sequence[Any], talk: Talk) -> list[Draft] | None:
    """The drafts that a fragment gives as an answer; None when it is no fragment or answers nothing."""
    question = talk.asked
    speaker = talk.speaker(sentence.turn)
    if (
        question is None
        or question.speaker == speaker
        or sentence.turn - question.sentence.turn > 3
        or question.sentence.turn == sentence.turn
    ):
        return None
    if any(base_tag(t) in ("VV", "VA", "XSV", "XSA", "VX", "VCN") for t in tokens):
        return None
    said = talk.said(sentence.turn)
    if question.kind == "when" and said is not None and (found := find(text, said, "ko", "past")):
        for draft in reversed(talk.drafts):
            if draft.kind != "claim" and draft.speaker == speaker and draft.time is None:
                later = found if draft.modality != "planned" else find(text, said, "ko", "future")
                draft.time, draft.kind = later[0][2], "event"
                draft.clause = f"{draft.clause.rstrip('.! ')} ({text.rstrip('.! ')})"
                draft.spans.append(sentence)
                draft.types = draft.types if "EM" in draft.types else ("EM", *draft.types)
                return []
    nouns = [t for t in tokens if base_tag(t) in ("NNG", "NNP", "SL", "NR")]
    if not nouns or judgement(tokens, text):
        return None
    if question.kind == "where" and (question.person or not question.topic):
        who = owner(question.person, talk, sentence.turn) if question.person else speaker
        return [_fact(sentence, question, speaker, who, f"{who}: {text}")]
    if question.kind == "who" and (first := next((t for t in tokens if base_tag(t) in ("NP", "NNP", "NNG")), None)):
        who = (
            speaker
            if first.form in ("나", "저", "제")
            else owner(text.split()[0].rstrip("이가요.,"), talk, sentence.turn)
        )
        when = find(text, said, "ko", "future") if said else []
        deed = re.sub(r"누(?:가|구)\S*\s?", "", question.sentence.plain).rstrip("?")
        draft = _fact(sentence, question, speaker, who, f"{who} {deed} {text}")
        draft.kind, draft.types, draft.modality = "event", ("EM",), "planned"
        draft.time = when[0][2] if when else None
        return [draft]
    if question.kind == "need" and not re.match(r"^(?:아니|없|네|예)", text):
        return [_fact(sentence, question, speaker, speaker, f"{question.topic or ''}: {text}")]
    if question.kind == "choice" and any(option and option in text for option in question.options):
        draft = _fact(sentence, question, speaker, speaker, f"{speaker}: {text}")
        if question.service:
            draft.kind, draft.types = "event", ("EM",)
        return [draft]
    return None


def _fact(sentence: Sentence, question: Asked, speaker: str, subject: str, clause: str) -> Draft:
    return Draft(
        turn=sentence.turn,
        speaker=speaker,
        kind="fact",
        subject=subject,
        clause=clause,
        language="ko",
        holder=speaker,
        types=("PM",),
        spans=[question.sentence, sentence],
        person=True,
        answers=True,
    )
