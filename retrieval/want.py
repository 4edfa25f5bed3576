"""What a question wants: a value of some type, a set, yes or no, or an opinion; and the words that must be met."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from lakehouse.records import Question
from pipelines.frame.registry import concepts
from pipelines.frame.words import parse_english, parse_korean, words_of

Kind = Literal["value", "set", "yesno", "opinion"]
Slot = Literal["person", "place", "thing"]
ANYTHING = frozenset({"*"})


@dataclass(frozen=True, slots=True)
class Want:
    """`dimensions` are acceptable value dimensions, best first ("*": any; "quantity:*": any quantity).

    `words` weighs the question's content lemmas; `label` is the noun asked for ("which port").
    """

    kind: Kind
    slot: Slot
    dimensions: tuple[str, ...]
    label: str
    words: Mapping[str, float]
    verb: str
    one: bool
    """The question says that it wants one ("which team"): several values are never a set."""
    spoken: frozenset[str]
    """Every lemma and word form of the question: a phrase that it holds is no answer."""
    role: str = ""
    """The place that a Korean question's own particle gives the value ("무엇으로": by what)."""


@lru_cache(maxsize=1)
def _asks() -> tuple[dict[str, list[str]], frozenset[str]]:
    table = json.loads((files(__package__) / "asks.json").read_text("utf-8"))
    return table["dimensions"], frozenset(table["generic"].split())


EN_YESNO = re.compile(
    r"^(?:so |and |according to [^,]+, |is it true that )?(?:is|are|was|were|do|does|did|has|have|had|can|could|"
    r"will|would|should|isn't|doesn't|didn't)\b",
    re.I,
)
EN_OPINION = re.compile(
    r"\bwhat (?:do|does|did) .{1,60}? (?:think|make|say about|reckon)\b|\bhow (?:do|does|did) .{1,60}? (?:find|"
    r"feel|rate|like|see|view)\b"
    r"|\bopinion\b|\bview (?:of|on)\b|\bthoughts? (?:on|about|of)\b|\bthink (?:of|about)\b",
    re.I,
)
KO_OPINION = re.compile(
    r"어떻게 (?:생각|보|봐|봤|느)|(?:생각|의견|평가|인상|반응)(?:은|이|는|을)? ?(?:어때|어떤|뭐|어땠|\?)|"
    r"어때\??$|어땠|어떻다고"
)
HOW_ADJECTIVE = re.compile(
    r"\bhow (?!(?:is|are|was|were|do|does|did|can|could|will|would|to|about|come)\b)\w+ (?:is|are|was|were)\b"
)
SAID_BY = re.compile(r"^(?:according to [^,?]+|in [\w.' -]+['’]s? (?:words|view|account|version)),\s*", re.I)
KO_WH = re.compile(r"누구|누가|누굴|어디|언제|뭐|무엇|무슨|몇|얼마|어느|어떤|왜|며칠|어떻게|뭘|뭔")
KO_ELLIPSIS = re.compile(r"(?:은|는|이|가|건)\s*\?*\s*$")


BY_WHAT = re.compile(r"(?:무엇|뭐|(?:어느|어떤|무슨)\s\S+?)(으로|로)\s")


def want_of(question: Question) -> Want:
    """Read a framed question."""
    return _korean(question) if question.language == "ko" else _english(question)


def _words(question: Question, drop: frozenset[str]) -> dict[str, float]:
    _, generic = _asks()
    weights: dict[str, float] = {}
    for word in words_of(question.text, question.language):
        if word.lemma not in question.anchors or word.lemma in drop or _says(question, word.start):
            continue
        named = word.name or (word.start > 0 and question.text[word.start].isupper())
        weight = 2.0 if named else 0.7 if word.verb else 1.0
        if word.lemma in generic and not named:
            weight = 0.2
        weights[word.lemma] = max(weight, weights.get(word.lemma, 0.0))
    for scope in question.scope:
        weights[scope] = max(1.5, weights.get(scope, 0.0))
    return weights


SHAPED: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"[가-힣](?:료|비|금|값|세|액|요금|가격)$"), ("money", "quantity:*", "number", "text")),
    (
        re.compile(
            r"[가-힣](?:온|온도|습도|량|율|률|폭|속도|압|높이|길이|깊이|무게|개수|횟수|점수|명수|층수|정원|시간)$"
        ),
        ("quantity:*", "number", "text"),
    ),
    (re.compile(r"[가-힣](?:날|날짜|(?<![과파메타스아])일)$"), ("date", "weekday", "quantity:*", "text")),
)
"""What a Korean compound measures, by how it ends: 수온, 연체료."""
SAID_BY_KO = re.compile(
    r"[가-힣A-Za-z]+?\s?(?:말로는|말에 따르면|에 따르면|주장은(?!\s(?:누구|누가|누굴|어느))|주장으로는|얘기로는"
    r"|말대로라면)"
)


def _says(question: Question, place: int) -> bool:
    """Whether a word only names whose words are asked for ("According to Ida, ...")."""
    named = (SAID_BY_KO if question.language == "ko" else SAID_BY).search(question.text) if question.holder else None
    return named is not None and named.start() <= place < named.end()


def _spoken(question: Question) -> frozenset[str]:
    forms = set(re.findall(r"[\w'-]+", question.text.casefold()))
    return frozenset(forms | {w.lemma for w in words_of(question.text, question.language)})


def _english(question: Question) -> Want:
    text = SAID_BY.sub("", question.text.strip())
    lower = text.lower()
    table, _ = _asks()
    doc = parse_english(text)
    verb = next((t.lemma_.lower() for t in doc if t.dep_ == "ROOT"), "")
    spoken = _spoken(question)

    head = _asked_noun(doc)
    one = head is not None and not head[1]

    def build(
        kind: Kind, slot: Slot, dimensions: tuple[str, ...], label: str = "", drop: frozenset[str] = frozenset()
    ) -> Want:
        return Want(kind, slot, dimensions, label, _words(question, drop), verb, one, spoken)

    if EN_OPINION.search(lower):
        return build("opinion", "thing", ("*",), drop=frozenset({"think", "find", "feel", "opinion", "view", "rate"}))
    ask = re.search(
        r"\b(?:which|what)\s+((?:[\w-]+\s+){0,3}?)([\w-]+)(?=\s+(?:is|are|was|were|do|does|did|has|have|can|will|"
        r"would|should|could)\b|\s+\w+s\b|\s+\w+ed\b|\s+\w+|\?)",
        lower,
    )
    if re.match(r"^(?:according to [^,]+, )?how much\b", lower):
        noun = re.match(r".*?how much (\w+)", lower)
        label = (
            noun[1]
            if noun and noun[1] not in ("is", "does", "do", "did", "was", "were", "are", "will", "would")
            else ""
        )
        dims = ("quantity:time",) if label == "time" else tuple(table.get(label, ("quantity:*", "money", "number")))
        return build("value", "thing", dims if label else ("money", "quantity:*"), label)
    if re.search(r"\bhow many\b", lower):
        noun = re.search(r"how many ((?:\w+ )?\w+)", lower)
        return build("value", "thing", ("number", "quantity:*"), noun[1] if noun else "")
    if re.search(r"\bhow long (?:is|are|was|were)\b", lower):
        return build("value", "thing", ("quantity:time", "quantity:length"))
    if re.search(r"\bhow (?:long|soon|quickly)\b", lower):
        return build("value", "thing", ("quantity:time",))
    if re.search(r"\bhow (?:often|frequently)\b", lower):
        return build("value", "thing", ("quantity:time", "quantity:*", "weekday"))
    if re.search(r"\bhow (?:old|fast|tall|high|far|heavy|big|large|wide|deep|hot|cold)\b", lower):
        return build("value", "thing", ("quantity:*", "number"))
    if re.search(
        r"\bhow (?!(?:is|are|was|were|do|does|did|can|could|will|would|to|about|come)\b)\w+ (?:is|are|was|were)\b",
        lower,
    ):
        return build("value", "thing", ("quantity:*", "number", "text"))
    if re.search(r"^what (?:do|does|did|will|would)\b.*\b(?:cost|pay|charge|earn|owe)\b", lower):
        return build("value", "thing", ("money", "quantity:*", "number", "*"))
    if re.search(r"\b(?:what|which) time\b|\bat what hour\b", lower):
        return build("value", "thing", ("clock",))
    if re.search(r"\b(?:what|which) (?:year|month|date|season)\b", lower):
        return build("value", "thing", ("date", "number"))
    if re.search(r"\b(?:what|which) (?:day|weekday)\b", lower):
        return build("value", "thing", ("weekday", "date"))
    if re.match(r"^(?:when|since when|until when)\b", lower):
        return build("value", "thing", ("clock", "date", "weekday"))
    if re.search(r"\b(?:who|whom|whose)\b", lower) and not re.match(r"^(?:what|which|where|how)\b", lower):
        many = bool(re.search(r"\bwho (?:are|were)\b|\bwho(?:'s| is| was) (?:all )?(?:in|on)\b", lower))
        return build("set" if many else "value", "person", ("text",))
    if re.search(r"\bwhere\b", lower):
        return build("value", "place", ("text", "identifier"))
    if ask:
        plural = head is not None and head[1]
        label = head[0] if head else ask[2]
        if label in table:
            return build(
                "set" if plural else "value",
                "thing",
                (*table[label], "text") if plural else tuple(table[label]),
                label,
                drop=frozenset({label} if label in ("day", "time") else ()),
            )
        subject = _subject_noun(doc)
        if subject in table and label in ("is", "are", "was", "were", ""):
            return build("value", "thing", tuple(table[subject]), subject)
        slot: Slot = "place" if label in ("city", "town", "country", "place", "street", "address") else "thing"
        slot = "person" if label in ("person", "name", "people") else slot
        return build("set" if plural else "value", slot, ("text",) if head else ("*",), label)
    if EN_YESNO.match(lower):
        return build("yesno", "thing", ("yesno",))
    subject = _subject_noun(doc)
    if subject in table:
        return build("value", "thing", tuple(table[subject]), subject)
    if re.match(r"^how\b", lower):
        return build("value", "thing", ("text",))
    return build("value", "thing", ("*",))


def _asked_noun(doc: object) -> tuple[str, bool] | None:
    """The noun after which/what, and whether it is plural: ("instrument", True)."""
    for token in doc:  # type: ignore[attr-defined]
        if token.lower_ in ("which", "what") and token.dep_ in (
            "det",
            "attr",
            "dobj",
            "nsubj",
            "pobj",
            "advmod",
            "amod",
            "poss",
            "dep",
        ):
            head = token.head
            if (
                token.dep_ in ("det", "amod", "poss", "advmod", "dep")
                and head.pos_ in ("NOUN", "PROPN")
                and head.i > token.i
            ):
                while head.dep_ == "compound" and head.head.pos_ in ("NOUN", "PROPN"):
                    head = head.head
                while head.i + 1 < len(head.doc) and head.nbor().pos_ in ("NOUN", "PROPN"):
                    head = head.nbor()
                return head.lemma_.lower(), head.tag_ in ("NNS", "NNPS")
    return None


def _subject_noun(doc: object) -> str:
    """The head of the subject: "limit" in "What is the upload limit"."""
    for token in doc:  # type: ignore[attr-defined]
        if token.dep_ in ("nsubj", "nsubjpass", "attr") and token.pos_ == "NOUN":
            return str(token.lemma_.lower())
    return ""


def _korean(question: Question) -> Want:
    text = question.text.strip()
    table, _ = _asks()
    spoken = _spoken(question)
    bare = text.rstrip("?？ .")
    by = BY_WHAT.search(text)
    role = f"prep:{by[1]}" if by else ""

    def build(
        kind: Kind, slot: Slot, dimensions: tuple[str, ...], label: str = "", drop: frozenset[str] = frozenset()
    ) -> Want:
        return Want(kind, slot, dimensions, label, _words(question, drop), "", False, spoken, role)

    if KO_OPINION.search(text):
        return build(
            "opinion", "thing", ("*",), drop=frozenset({"생각", "생각하다", "보다", "의견", "느끼다", "어떻다"})
        )
    if re.search(r"몇\s?시(?!간)", text):
        return build("value", "thing", ("clock",))
    if re.search(r"(?<![월화수목금토일])요일", text):
        return build("value", "thing", ("weekday",), "요일", frozenset({"요일"}))
    if re.search(r"누구누구|누구누|누구랑\s?누구", text):
        return build("set", "person", ("text",))
    if re.search(r"누구|누가|누굴", text):
        return build("value", "person", ("text",))
    if re.search(r"몇\s?년(?:도|에)|몇\s?월|어느\s?해|연도", text):
        return build("value", "thing", ("date", "number"))
    counted = re.search(
        r"몇\s?([가-힣]+?)(?:까지|이나|이야|이에요|인가|이었|였|입니까|인지|로|짜리|정도|쯤|은|는|도|이|을|를|나|에|의|야|예요|"
        r"씩|\s|$)",
        text,
    )
    if re.search(r"며칠", text):
        dims = (
            ("quantity:day/week", "quantity:*", "date")
            if re.search(r"주\s?며칠|며칠(?:이나|간|\s?동안)|걸", text)
            else ("quantity:time", "quantity:day/week", "date")
        )
        return build("value", "thing", dims)
    if counted:
        return build("value", "thing", ("quantity:*", "number"), counted[1])
    if re.search(r"얼마나", text):
        return build(
            "value",
            "thing",
            ("quantity:time", "quantity:*", "money")
            if re.search(r"걸|오래|자주|만에", text)
            else ("quantity:*", "money", "number"),
        )
    if re.search(r"얼마", text):
        return build("value", "thing", ("money", "quantity:*", "number"))
    if re.search(r"언제", text):
        return build("value", "thing", ("date", "weekday", "clock"))
    if re.search(r"어디", text):
        return build("value", "place", ("text",))
    nouns = [w.lemma for w in words_of(text, "ko") if not w.verb]
    last = nouns[-1] if nouns else ""
    typed = next((n for n in reversed(nouns) if n in table), "")
    if KO_WH.search(text) or (KO_ELLIPSIS.search(bare) and parse_korean(bare)[-1].tag[0] == "J"):
        if re.search(r"(?:은|는)$", bare) and last in table and last != "상태":
            return build("value", "thing", tuple(table[last]), last)
        if typed == "상태" or "상태" in text:
            return build("yesno", "thing", ("yesno",), "상태", frozenset({"상태"}))
        if not typed and (shaped := next((d for p, d in SHAPED if p.search(last)), ())):
            return build("value", "thing", shaped, last)
        if typed and not re.search(r"이름|기종|종류|누구", text):
            return build("value", "thing", (*table[typed], "text"), typed)
        return build("value", "thing", ("text", "*"), last)
    return build("yesno", "thing", ("yesno",))


def concept_weights(words: Mapping[str, float], language: str) -> dict[frozenset[str], float]:
    """Each question word as the set of what counts as meeting it: itself and the registry's relations."""
    return {frozenset({word}) | concepts(word, language): weight for word, weight in words.items()}
