"""Which turns and sentences are worth reading: greetings, thanks, backchannels and reactions are not."""

from __future__ import annotations

import re

from lakehouse.records import Turn
from lakehouse.vocabulary import Language
from pipelines.extract.english_frames import GREETED
from pipelines.language import detect
from pipelines.wordlist import table

LAUGH = r"(?:l+o+l+|lmao|rofl|(?:ha|he|hi){2,}h?|x+d+|[ㅋㅎㅠㅜㅇㄴㄱㄷㅂㅊㅈ]{1,}|~+|!+|\^+)"


def _any(language: str, kind: str) -> str:
    """The patterns of one class of idle talk as one alternation, longest first."""
    rows = (row for row in table("pipelines.extract", "idle.tsv") if row[:2] == (language, kind))
    return "(?:" + "|".join(sorted((row[2] for row in rows), key=len, reverse=True)) + ")"


GREETING_EN = re.compile(rf"^{_any('en', 'greeting')}\b", re.I)
BACKCHANNEL_EN = re.compile(
    rf"^(?:{_any('en', 'backchannel')}(?:[\s,.!~-]+|$)){{1,5}}"
    r"(?:you|you all|everyone|all|guys|team|then|too|mate|man|there|again|\w{2,12})?[\s.!~]*$",
    re.I,
)
REACTION_EN = re.compile(rf"^{_any('en', 'reaction')}\b", re.I)
RHETORICAL_EN = re.compile(
    r"^(?:ha+,? |oh,? )?(?:is|are|was|were|do|does|did|have|has|can|could|would|should|will)n't"
    r" (?:i|we|you|he|she|they|it|that|this)\b",
    re.I,
)
"""Inverted and negated: it only agrees or marvels."""
ECHO_EN = re.compile(
    r"^(?:(?:yes|yeah|yep|no|nope|oh|so|neither|nor),? )?(?:i|we|you|he|she|they|it|that|this|there|[A-Z][\w-]+) "
    r"(?:do|does|did|am|is|are|was|were|has|have|had|will|would|can|could|should|might|may)(?:n't|n’t| not)?"
    r"(?: indeed| too| so| actually| yes)?$",
    re.I,
)
"""Subject and auxiliary alone: it only answers yes or no."""
THANKS_EN = re.compile(
    r"^(?:(?:hi|hello|hey|oh|wow|ok|great|perfect|ah)(?: \w+)?[,! ]+)?(?:many )?(?:thanks?"
    r"|thank you|cheers|appreciate (?:it|you|that))\b(?!.*\bbut\b)"
    r"(?:,? (?:so much|a lot|a bunch|again|everyone|all|you|\w+))*(?: for\b.*)?$",
    re.I,
)
QUESTION_EN = re.compile(
    "^(?:and |so |but |hey |hi |ok |well |wait |um |oh |also |then )*(?:what"
    "|who|whose|which|where|when|why|how|is|are|am|was|were|do|does|did|has"
    "|have|had|can|could|will|would|shall|should|may|might|any(?:one|body)?"
    r"|anything)\b[,']?"
    r"(?: (?:\w+ )?(?:i|you|we|they|he|she|it|there|this|that|the|your|my"
    "|our|someone|anyone|anybody|has|is|are|was|do|does|did|know|about|make"
    r"|come|much|many|long|time|kind|\w+ (?:is|are|was|were|did|do))\b)",
    re.I,
)
HYPOTHETICAL_EN = re.compile(
    "^(?:(?:and|but|so|well|ok|hey|man|god),? )?(?:suppose|imagine|say we"
    "|what if|if only|i wish|pretend|let's say|let's pretend|hypothetically"
    r"|assuming|in theory)\b"
    r"|\bif (?:i|we|you|he|she|they|it|someone|[A-Z]\w+|the \w+|my \w+|only)(?: \w+"
    ")? (?:were|was|had|won|could|got|knew|lived|owned|ever|did|went|lost"
    r"|found|took|gave|made|paid|quit|became|left|came|let|sold|built|\w+ed)\b.*\b(?:would|'d|could"
    r"|might)\b"
    r"|\b(?:would|'d|could|might)\b.*\bif (?:i|we|you|he|she|they|it|[A-Z]\w+"
    r"|the \w+)(?: \w+)? (?:were|was|had|won|could|got|knew|lived|owned|did"
    r"|went|lost|found|took|gave|made|paid|quit|became|left|came|\w+ed)\b"
    r"|\b(?:would|could|should|might) have \w+(?:ed|en|ne|wn|t)\b.*\bif\b"
    r"|\bif\b.*\b(?:would|could|should|might|'d) have\b|^if i ever\b|^had (?:i"
    r"|we|you|they|he|she)\b.*\bwould\b|^were (?:i|we) to\b",
    re.I,
)
GREETING_KO = re.compile(
    rf"^(?:(?:다들|모두|여러분|네|넵|예|아|오|와|안녕|저기|혹시|어|음)[\s,!~]*)*{_any('ko', 'greeting')}"
)
BACKCHANNEL_KO = re.compile(rf"^(?:{_any('ko', 'backchannel')}(?:[\s,.!?~^]+|$)){{1,6}}[ㅋㅎㅠㅜ~!.\s^]*$")
REACTION_KO = re.compile(_any("ko", "reaction"))


HEARD_EN = re.compile(
    r"^(?:(?:oh|aw+|wow|yeah|hey),? )?(?:i['’]?m |i am |we['’]re )?(?:so |really |very |truly )*(?:sorry|glad|happy"
    r"|pleased|sad|great|good|nice|lovely|awesome|wonderful|delighted|relieved) to (?:hear|learn)\b(?!.*\d)",
    re.I,
)
"""A feeling about what the other has just told."""


def idle(text: str, language: Language) -> str:
    """Why a sentence asserts nothing, "" when it may.

    >>> idle("Thanks a lot!", "en"), idle("네 알겠습니다.", "ko"), idle("The lift is broken.", "en")
    ('backchannel', 'backchannel', '')
    """
    bare = re.sub(rf"(?:\s|^){LAUGH}(?=\s|$|[.!])", " ", text).strip(" .,!~^\"'")
    if len(re.findall(r"[^\W\d_]", bare)) < 2 and not re.search(r"\d", bare):
        return "too short"
    if language == "ko":
        if BACKCHANNEL_KO.match(bare) or BACKCHANNEL_KO.match(text.strip()):
            return "backchannel"
        return "greeting" if GREETING_KO.match(bare) else ""
    if BACKCHANNEL_EN.match(bare) or THANKS_EN.match(bare) or RHETORICAL_EN.match(bare) or ECHO_EN.match(bare):
        return "backchannel"
    if HEARD_EN.match(bare):
        return "backchannel"
    if GREETING_EN.match(bare) and (len(bare.split()) <= 6 or "," in bare) and not GREETED.match(bare):
        return "greeting"
    parts = [part for part in re.split(r",\s+", bare) if part]
    return "greeting" if len(parts) > 1 and all(idle(part, language) for part in parts) else ""


def is_question(text: str, language: Language) -> bool:
    """Whether a sentence asks: its mark, or English word order without one.

    >>> is_question("Where did she park?", "en"), is_question("which colour is it", "en")
    (True, True)
    """
    stripped = text.rstrip(" \"'”’)ㅋㅎㅠㅜ~^!😀😂")
    if stripped.endswith(("?", "？")):
        return True
    return language == "en" and not stripped.endswith(".") and bool(QUESTION_EN.match(stripped))


def worth(turn: Turn) -> tuple[bool, str]:
    """Whether a turn is worth extracting from, with the reason when it is not.

    Reasons: empty, other language, command, link, too short, greeting, backchannel, question.
    """
    text = turn.text.strip()
    if not text:
        return False, "empty"
    if re.match(r"^[/!.][a-z]+(?:\s|$)", text) or re.match(
        r"^\S+ (?:has )?(?:joined|left|quit) (?:#|the (?:channel|room|chat|call|meeting))", text
    ):
        return False, "command"
    if re.fullmatch(r"(?:<?https?://\S+>?\s*)+", text):
        return False, "link"
    language = detect(text)
    if language == "other":
        return (
            (True, "")
            if re.search(r"\w\s*[=:]\s*\d", text)
            else (False, "other language" if re.search(r"[^\W\d_]", text) else "too short")
        )
    sentences = [piece for piece in re.split(r"(?<=[.!?])\s+|\n+", text) if piece.strip()]
    reasons = [idle(piece, language) or ("question" if is_question(piece, language) else "") for piece in sentences]
    return (True, "") if not all(reasons) else (False, reasons[0])
