"""What of a turn somebody says: an export's marks, pasted code and tables are blanked, and a name called is noted.

Blanks keep every character's place, so that evidence spans are those of the turn as it was stored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

ATTACHED = (
    r"(?:image|photo|picture|video|audio|voice message|file|attachment|sticker|gif|media|사진|이미지|동영상|음성|파일"
    r"|첨부|이모티콘)(?: ?(?:omitted|attached|removed|생략|첨부))? ?"
)
LOG_LINE = (
    r"File \"[^\"]+\", line \d+.*|at [\w.$<>]+ ?\([^)]*\)|Traceback \(most recent.*|\w*(?:Error|Exception): .*"
    r"|(?:[\d:]+ [AP]M )?(?:error|warning|info) (?=[A-Z\"/]|\S+[./:]\S*).*"
)
MARKS = (
    # what stands for an attachment, its caption included
    re.compile(rf"\[{ATTACHED}(?::[^\]]*)?\]|<{ATTACHED}(?::[^>]*)?>|\({ATTACHED}(?::[^)]*)?\)", re.I),
    # a reaction to another message, which the export quotes
    re.compile(
        r"\A(?:Reacted to|Hat auf|Se ha reaccionado a|A réagi à) .*? (?:with|mit|con|avec) \S{1,12}(?: reagiert)?\s*\Z"
        r"|\ARemoved a \S+ reaction from .*\Z"
        r"|\A(?:Liked|Loved|Disliked|Laughed at|Emphasi[sz]ed|Questioned) [\"“].*[\"”]\s*\Z",
        re.S,
    ),
    # the message that a reply answers
    re.compile(r"\A(?:Replying to|Antwort auf) [\"“].*?[\"”][ \t]*(?:\n|\Z)", re.S),
    # code between fences, lines of a log or a trace, rows of a table without a word
    re.compile(r"```.*?(?:```|\Z)", re.S),
    re.compile(rf"^\s*(?:{LOG_LINE})$", re.M),
    re.compile(r"^[ \t]*[-+|]?[\d.,:%|-]+(?:[ \t|]+[-+]?[\d.,:%|-]+)+[ \t]*$", re.M),
    re.compile(r"(?<!\w)<3(?!\w)"),
)
TICKED = re.compile(r"`([^`\n]+)`")
CODE = re.compile(
    r"[{};]\s*$|=>|\(\)|\);|::|===?|!==?|&&|\|\||</|/>|\w\.\w+\(|\w\[['\"\w]|->"
    r"|^\s*(?:\$|#!|sudo |import |def |class |var |let \w+ =|const |return |<\?|<[a-z]+[ >])"
)
"""What only code has; a line is code when more of it is this and symbols than words."""
CALLED = (
    r"(?=(?:i|i'm|im|i've|i'd|i'll|you|you're|your|we|no|nope|yes|yeah|yep|ok|okay|hi|hey|hello|thanks|thank|thx|sorry"
    r"|so|and|but|what|why|how|when|where|do|does|did|can|could|is it|it's|that's|ah|oh|cool|well|not|maybe)\b)"
)
"""What follows a name that is called, and not spoken of."""


def spoken(text: str) -> str:
    """The text with blanks for what nobody says, of the same length.

    >>> spoken("It broke again. [image: a grey pump]")
    'It broke again.                     '
    >>> spoken("set `timeout` to 30")
    'set  timeout  to 30'
    """
    for mark in MARKS:
        text = mark.sub(_blank, text)
    text = TICKED.sub(lambda found: f" {found[1]} " if len(found[1].split()) < 3 else _blank(found), text)
    if CODE.search(text):
        text = "".join(_blank_text(line) if _is_code(line) else line for line in text.splitlines(keepends=True))
    return text


def _blank(found: re.Match[str]) -> str:
    return _blank_text(found[0])


def _blank_text(text: str) -> str:
    return re.sub(r"\S", " ", text)


def _is_code(line: str) -> bool:
    """Whether a line is code: it has what only code has, and few words of a sentence."""
    if not CODE.search(line):
        return False
    plain = re.findall(r"(?<![\w.$/'\"])[A-Za-z가-힣']+(?=[\s,.!?]|$)", line)
    return len(plain) * 3 < len(re.findall(r"[^\s\w]|\w+", line)) + 2


@lru_cache(maxsize=64)
def _calls(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """How a turn begins that calls one of these names: "ola: ", "@ola ", "ola you can"."""
    known = sorted({n for name in names for n in (name, *name.split()[:1]) if len(n) >= 3}, key=len, reverse=True)
    if not known:
        return None
    which = "|".join(map(re.escape, known))
    return re.compile(rf"\s*(?:@\s?(?P<at>{which})\b[:,]?|(?P<colon>{which}):|(?P<bare>{which}),?\s+{CALLED})\s*", re.I)


def called(text: str, names: Sequence[str]) -> tuple[str | None, int]:
    """(whom the turn is said to, where what is said begins) when it begins by calling a known name.

    >>> called("ola: it works now", ["ola", "ben"]), called("Ola works now", ["ola"])
    (('ola', 4), (None, 0))
    """
    pattern = _calls(tuple(names))
    found = pattern.match(text) if pattern else None
    if found is None:
        return None, 0
    word = next(group for group in found.groups() if group)
    whole = next((n for n in names if n.lower() == word.lower() or n.lower().startswith(f"{word.lower()} ")), None)
    end = found.end("at") if found["at"] else found.end("colon") if found["colon"] else found.end("bare")
    return whole, min(len(text), end + (text[end : end + 1] in (":", ",")))
