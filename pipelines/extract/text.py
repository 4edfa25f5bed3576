"""Sentences of a turn with their places, and chat spelling written out for the parser."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_TURN = 20_000
"""Characters of a turn that are read: what is longer is a log or a paste, not speech."""
LONGEST_SENTENCE = 600
MOST_SENTENCES = 200

ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|e\.g|i\.e|no|approx|dept|inc|ltd|co|corp|gen|rep|sgt|capt|rev|hon"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|a\.m|p\.m|fig|vol|est|ave|mt)|\b[A-Z])\.$",
    re.I,
)
END = re.compile(
    r"(?:(?!…+\s+[a-z])[.!?…]+[\"'”’)\]]*|[;。！？])(?=\s|$)|\n+|(?<=[가-힣])[.!?]+(?=[가-힣]"
    r")|(?<=[던는]데)요?,(?=\s[^.!?\n]{1,30}\?)|\s+(?=[-•*]\s)|(?:\s*[~^ㅋㅎㅠㅜ]{1,}[.!?]*"
    r")(?=\s)|(?<=\w)\s*[:;=]-?[)(DPp/|]+(?=\s)"
)
SURROGATE = re.compile(r"[\ud800-\udfff]")
"""Half characters of a broken encoding: the parsers refuse them."""
OPEN_QUOTES = {'"': '"', "“": "”", "「": "」", "『": "』"}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a turn: text[start:end] of the turn, and `plain`, the same with chat spelling written out."""

    turn: int
    start: int
    end: int
    text: str
    plain: str


def _quoted(text: str) -> list[tuple[int, int]]:
    """Spans inside double quotes, where a full stop ends no sentence."""
    spans = []
    place = 0
    while place < len(text):
        close = OPEN_QUOTES.get(text[place])
        if close:
            end = text.find(close, place + 1)
            if 0 < end - place < 400 and "\n" not in text[place:end]:
                spans.append((place, end))
                place = end
        place += 1
    return spans


def split(text: str, turn: int = 0, chat: dict[str, str] | None = None) -> list[Sentence]:
    """The sentences of a text, at most MOST_SENTENCES of at most LONGEST_SENTENCE characters.

    >>> [s.text for s in split('Dr. Roe left. "It is late. Go." she said; we stayed.')]
    ['Dr. Roe left.', '"It is late. Go." she said;', 'we stayed.']
    """
    text = text[:LONGEST_TURN]
    quoted = _quoted(text)
    cuts = []
    for match in END.finditer(text):
        inside = any(
            start < match.start() < end and match.end() <= end + (text[match.end() :].lstrip()[:1].islower())
            for start, end in quoted
        )
        if inside or (
            match.group().startswith(".") and ABBREVIATION.search(text[max(0, match.start() - 8) : match.start() + 1])
        ):
            continue
        cuts.append(match.end())
    found = []
    start = 0
    for cut in [*cuts, len(text)]:
        piece = text[start:cut]
        lead = len(piece) - len(piece.lstrip(" \t\r\n-•*>"))
        body = piece[lead:].rstrip()
        if body and any(char.isalnum() for char in body) and len(body) <= LONGEST_SENTENCE:
            at = start + lead
            safe = SURROGATE.sub("\ufffd", body)
            found.append(Sentence(turn, at, at + len(body), body, plain(safe, chat) if chat else safe))
        start = cut
        if len(found) >= MOST_SENTENCES:
            break
    return found


def plain(text: str, chat: dict[str, str]) -> str:
    """Chat spelling written out; emoji and laughter dropped.

    >>> plain("im gonna call u 2moro lol", {"im": "I'm", "gonna": "going to", "u": "you", "lol": ""})
    "I'm going to call you 2moro"
    >>> plain("c u b4 lunch in room B4", {"c": "see", "u": "you", "b4": "before"})
    'see you before lunch in room B4'
    """
    text = re.sub(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200d]+", " ", text)
    text = text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')

    def written(match: re.Match[str]) -> str:
        word = match.group()
        out = chat.get(word.lower())
        return word if out is None or (word.isupper() and re.search(r"\d", word) and not text.isupper()) else out

    text = re.sub(r"(?<![\w'./@#-])[A-Za-z0-9']+(?![\w'/@-]|\.\w)", written, text)
    text = re.sub(
        (
            r"\b([A-Za-z]+)'s (?=one\b|(?:an?|the|not|so|very|too|really|always|going|just"
            "|still|quite|pretty|at|in|on|from|been) )(?!been)"
        ),
        r"\1 is ",
        text,
    )
    text = re.sub(r"([!?.])[!?.]+", r"\1", text)
    text = re.sub(r"(?:[:;=]-?[)(DPp/|]+|\^\^|<3)(?=\s|$)", "", text)
    return re.sub(r"\s+", " ", text).strip(" ,")
