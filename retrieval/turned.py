"""Questions that are another question turned: is it that value, what was it before, since when, how many are they.

Each is asked as the plain question that stands behind it, and its answer is read from that one's: a "yes" of a value
that no longer holds would be a stale value, however true the sentence that says it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time

from lakehouse.ids import normal_text
from lakehouse.records import Question, Value
from lakehouse.vocabulary import Language
from pipelines.frame.arguments import Argument, read_clause
from pipelines.frame.values import find_values
from pipelines.timex import find
from retrieval.question import frame_question
from retrieval.want import EN_YESNO, KO_WH

STILL = re.compile(
    r"\b(?:still|currently|already|now|ever|actually|at the moment)\b ?|(?:아직도?|여전히|지금도|이미) ", re.I
)
"""Words that change nothing of which value is asked for."""
PLACES = frozenset({"prep:in", "prep:at"})
KO_PLACES = frozenset({"prep:에", "prep:에서"})
LIVING = frozenset("live work study stay reside teach train sit 살다 일하다 거주하다 근무하다 공부하다 다니다".split())
"""What one does in one place at a time."""
TOPIC_KO = re.compile(r"[은는이가]\s*\?$")
"""A question that ends with what it is about ("그 방에 사는 사람은?") asks for more than a yes."""
IS_IT = re.compile(r"^(?:so |and )?(?:is|are|was|were|do|does|did) ", re.I)
BOUNDED = re.compile(
    r"\b(?:more|less|fewer|over|under|above|below|least|most|up to|than|only|before|after|within|enough)\b"
    r"|이상|이하|초과|미만|넘|보다|안에|까지|밖에",
    re.I,
)
"""Where a value only bounds what is asked, another value may be a yes."""
DAY = re.compile(r"^(?P<be>is|are) (?P<what>.+?) (?:on |scheduled for |due )(?:the )?(?P<day>[^?]*\d[^?]*)\?$", re.I)
DAY_KO = re.compile(
    r"^(?P<what>.+?[은는이가]) (?P<day>(?:\d{4}년 )?\d{1,2}월 \d{1,2}일)(?:이야|이에요|인가요|입니까|이지|이죠|맞아)\?$"
)
SINCE = re.compile(r"^since when (?P<rest>.+)$", re.I)
SINCE_KO = re.compile(r"언제부터\s?")
CHANGED = re.compile(r"^when did (?P<what>.+?) (?:last )?change\?*$", re.I)
CHANGED_KO = re.compile(r"^(?P<what>.+?)[은는이가] (?:언제 (?:바뀌|변경됐|변경되)|바뀐 (?:게|건|것은) 언제)")
EARLIER = re.compile(
    r",? (?:before(?: (?:that|then|this|now|the (?:change|switch|move)"
    r"|(?P<named>[A-Z0-9][\w'’.:-]*(?: [A-Z][\w'’-]*)*)))?"
    r"|previously|formerly|originally|initially|at first)(?=\?*$)|\b(?:previously|formerly|originally|initially) ",
)
EARLIER_KO = re.compile(
    r"(?<![가-힣])(?:(?P<named>[가-힣A-Za-z0-9]+[^은는이가을를도의\s])\s(?:이?전에?|전에)는?|(?:그\s?)?(?:전|이전|예전|종전)(?:에|에는|엔)|원래)\s"
)
COUNTED = re.compile(
    r"^how many (?:(?:people|persons|members) (?:are|is|were) (?P<rest>.+)|(?P<what>[a-z]+ (?:are|do|does|did) .+))$",
    re.I,
)
COUNTED_KO = re.compile(r"(?P<what>[가-힣A-Za-z ]+?)(?:[은는이가]|에는?|엔)\s?(?:모두 |전부 )?몇\s?명")
STEPS = 12
"""Values that are gone back over."""

Asked = tuple[Question, Value]


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a question about an earlier value asks: the question of the value, and what it is before, if anything."""

    question: Question
    named: str
    until: datetime | None


def _framed(question: Question, text: str) -> Question:
    """The question with other words; its own date stays."""
    return replace(frame_question(text, datetime(1, 1, 2)), as_of=question.as_of, types=question.types)


def of_value(question: Question) -> Asked | None:
    """The question that a yes/no question about one value stands for, and that value.

    >>> from retrieval.question import frame_question
    >>> asked = of_value(frame_question("Does the pool still open at 7?", datetime(2025, 1, 1)))
    >>> asked and (asked[0].text, asked[1].norm)
    ('What time does the pool open?', '07:00')
    """
    language: Language = "ko" if question.language == "ko" else "en"
    text = STILL.sub("", question.text).strip()
    asks = not (KO_WH.search(text) or TOPIC_KO.search(text)) if language == "ko" else IS_IT.match(text)
    clause = read_clause(text, language)
    if not asks or not text.endswith("?") or BOUNDED.search(text) or any(s.negated or s.gone for s in clause.segments):
        return None
    dated = [(start, end) for start, end, _ in find(text, datetime(2000, 1, 1), language)]
    free = [
        a for a in clause.arguments if not any(s < a.end and a.start < e for s, e in dated if a.value.type != "clock")
    ]
    typed = [a for a in free if a.value.type in ("number", "quantity", "money", "clock", "version", "identifier")]
    if len(typed) > 1:
        return None
    if not typed and (day := (DAY_KO if language == "ko" else DAY).match(text)):
        return _on_day(question, day, clause.arguments)
    if typed:
        return _turned(question, text, typed[0], _korean if language == "ko" else _english)
    verbs = {verb for segment in clause.segments for verb in segment.verbs}
    places = [a for a in free if a.role in (KO_PLACES if language == "ko" else PLACES)]
    if len(places) != 1 or verbs.isdisjoint(LIVING):
        return None
    return _turned(question, text, places[0], _where_korean if language == "ko" else _where)


def _on_day(question: Question, found: re.Match[str], arguments: Sequence[Argument]) -> Asked | None:
    """A question for a day ("is the exam on 12 June?"): the day is what is asked, not when it is asked of."""
    days = [a for a in arguments if a.value.type == "date"]
    if len(days) != 1 or days[0].text not in found["day"]:
        return None
    turned = f"{found['what']} 언제야?" if question.language == "ko" else f"When {_lower(found['be'])} {found['what']}?"
    return replace(_framed(question, turned), as_of=None), days[0].value


def _turned(question: Question, text: str, asked: Argument, turn: Callable[[str, Argument], str]) -> Asked | None:
    turned = turn(text, asked)
    return (_framed(question, turned), asked.value) if turned else None


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


GIVEN = re.compile(r"\b(?:the|this|that|these|those|all|my|our|your|his|her|their|its|every|each|a)$", re.I)
"""What stands before a value that only tells which thing is meant."""


def _english(text: str, asked: Argument) -> str:
    """An English question for a typed value."""
    head, tail = text[: asked.start].rstrip(), text[asked.end :].rstrip("? ").rstrip()
    if GIVEN.search(head):
        return ""  # "are the 20 places taken?": not what is asked
    if asked.value.type == "clock" and (told := re.fullmatch(r"(.+) (?:at|from|until|by)", head)):
        return f"What time {_lower(told[1])}{tail}?"
    bare = re.fullmatch(r"(?P<verb>is|are|was|were) (?P<what>.+)", head, re.I)
    if bare and not tail.strip():
        return f"What {_lower(bare['verb'])} {bare['what']}?"
    if asked.value.type == "money":
        return f"How much {_lower(head)}{tail}?"
    noun = re.match(r" (?P<noun>[a-z]+)(?P<tail>.*)", tail)
    if asked.value.type == "number" and noun:
        return f"How many {noun['noun']} {_lower(head)}{noun['tail']}?"
    return ""


PREDICATED_KO = re.compile(r"(?:에|부터|까지)\s|이?(?:야|에요|예요|니|죠|지|입니까|인가요?|였어|었어)(?:요)?\s*\?")
"""What follows a value that the sentence tells: a particle before the verb, or the copula."""


def _korean(text: str, asked: Argument) -> str:
    """A Korean question for a typed value: the value's own words become the word that asks."""
    if not PREDICATED_KO.match(text[asked.end :]):
        return ""  # "3시 회의는 취소됐어?": it only tells which one is meant
    word = {"clock": "몇 시", "money": "얼마"}.get(asked.value.type, "")
    if asked.value.type == "quantity":
        word = re.sub(r"^\d[\d,.]*\s?", "몇 ", asked.text)
        word = word if word != asked.text else ""
    elif asked.value.type in ("number", "identifier", "version") and not text[asked.end :].startswith(
        ("에", "부", "까")
    ):
        return f"{text[: asked.start]}뭐야?"
    return f"{text[: asked.start]}{word}{text[asked.end :]}" if word else ""


def _where(text: str, asked: Argument) -> str:
    head = re.sub(r" (?:in|at) (?:the )?$", "", text[: asked.start])
    return f"Where {_lower(head)}{text[asked.end :]}"


def _where_korean(text: str, asked: Argument) -> str:
    return f"{text[: asked.start]}어디{text[asked.end :]}"


def same(value: Value, given: str, language: str) -> bool:
    """Whether an answer in words is the value that was asked for."""
    own = "ko" if language == "ko" else "en"
    if value.type == "entity":
        one, other = normal_text(value.text), normal_text(given)
        return one in other or other in one
    norms = {found.value.norm for found in find_values(given, own)}
    return value.norm in norms or (value.type == "clock" and f"0{value.norm}"[-5:] in norms) or value.text == given


def earlier(question: Question) -> Earlier | None:
    """A question about the value before the present one, or before one that it names."""
    korean = question.language == "ko"
    found = (EARLIER_KO if korean else EARLIER).search(question.text)
    if found is None or (korean and not KO_WH.search(question.text)) or (not korean and EN_YESNO.match(question.text)):
        return None
    named = (found.groupdict().get("named") or "").strip()
    text = " ".join((question.text[: found.start()] + (" " if korean else "") + question.text[found.end() :]).split())
    plain = replace(_framed(question, text), as_of=None)
    if named and question.as_of is not None and find(named, datetime(2000, 1, 1), "ko" if korean else "en"):
        start = datetime.fromisoformat(question.as_of.start[:10])
        return Earlier(plain, "", datetime.combine(start.date(), time(), UTC))
    if question.as_of is not None:
        return None
    return Earlier(plain, named, None)


def since(question: Question) -> Question | None:
    """The question whose answer began when a "since when" or a "when did it change" asks."""
    if question.language == "ko":
        if SINCE_KO.search(question.text):
            return _framed(question, SINCE_KO.sub("", question.text))
        changed = CHANGED_KO.match(question.text)
        return _framed(question, f"{changed['what']}는 뭐야?") if changed else None
    if begun := SINCE.match(question.text):
        return _framed(question, begun["rest"][:1].upper() + begun["rest"][1:])
    changed = CHANGED.match(question.text)
    return _framed(question, f"What is {changed['what']}?") if changed else None


def members(question: Question) -> Question | None:
    """The question for the members of what a question counts people in."""
    if question.language == "ko":
        found = COUNTED_KO.search(question.text)
        return _framed(question, f"{found['what']}에는 누가 있어?") if found else None
    counted = COUNTED.match(question.text)
    if counted is None:
        return None
    return _framed(question, f"Who is {counted['rest']}" if counted["rest"] else f"Which {counted['what']}")
