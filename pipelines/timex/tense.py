"""Past or future, from the words around an expression: enough to choose between two Marches."""

from __future__ import annotations

import re

from pipelines.timex.parts import Tense
from pipelines.wordlist import words

IRREGULAR_PAST = words(
    "was were had did went came got took made said told saw knew thought found gave left felt kept began began held"
    " brought bought caught taught sought fought built sent spent lent met paid sold sat stood lost won ran broke chose"
    " drove rode rose wrote spoke stole woke wore swore tore froze fell flew grew threw drew blew sang rang sank drank"
    " swam began ate beat became forgot forgave hid slid bit lit led fed bled bred slept wept swept dealt meant heard"
    " shot stuck struck stung hung swung dug spun slung clung understood withdrew overheard died dyed tied lied joined"
    " quit cut hit shut split burst cast hurt let put set shed spread been done gone"
    " taken given seen known grown thrown"
    " drawn shown written driven broken spoken stolen chosen eaten beaten fallen begun sung rung drunk worn torn born"
    " used fled laid lain lay burnt learnt spelt dreamt leapt wed woke awoke arose overslept misread reread undid redid"
    " shrank sprang stank spat wound bound ground strode sewed mowed proved sworn frozen woken ridden risen hidden"
)
NOT_PAST = words(
    "need needs feed speed bed red seed indeed hundred exceed proceed succeed embed shed weed breed bleed deed greed"
    " sacred naked wicked unlimited limited based advanced used supposed united"
)
FUTURE = re.compile(
    r"\b(?:will|won't|wont|shall|gonna|going to|about to|planning|plans?|planned|scheduled|slated|due|expects?|expected"
    r"|hoping|hopes?|wants?|intend\w*|aims?|tbd|upcoming|let's|lets|please|should|must|need to|has to|have to|be able"
    r"|can|could|would|might|may be|want to|'ll|ll)\b|'ll\b",
    re.I,
)
PASSIVE_BEFORE = re.compile(
    (
        r"(?:\b(?:is|are|be|being|am|get|gets|getting|stays?|remains?|keeps?|looks?"
        r"|seems?)|'s|'re|'m)\s+(?:\w+\s+)?$"
    ),
    re.I,
)
DECIDED = re.compile(
    r"\b(?:decided|agreed|resolved|voted|promised|offered|arranged|opted|vowed|pledged|elected|determined|instructed"
    r"|told|asked|ordered|advised|invited|booked in)\b(?: \w+){0,2}? (?:not )?to \w+[^.;,]{0,60}$",
    re.I,
)
"""The day of what has been decided is still to come ("we agreed to meet on 3 May")."""
BREAK = re.compile(r"[.;!?\n]|,\s|\b(?:and|but|so|then|because|although|while)\b")
WORD = re.compile(r"[A-Za-z']+")
FORWARD = re.compile(r"\b(?:for|by|until|till|before)\s+(?:the\s+)?$", re.I)


MOVED = re.compile(
    r"\b(?:moved|pushed|put|postponed|brought forward|rescheduled|delayed|deferred|shifted|set|fixed|booked"
    r"|scheduled)\b(?: back| off| forward| out)?[^.;,]{0,20}?\b(?:to|until|till|for)\s+(?:the\s+)?$",
    re.I,
)
"""The day that something has been moved to is still to come."""


def english_tense(text: str, start: int, end: int) -> Tense:
    """The tense that governs text[start:end]: that of the nearest verb form, its own clause first.

    >>> english_tense("We shipped it in November.", 14, 25), english_tense("It will ship in November.", 13, 24)
    ('past', 'future')
    """
    if FORWARD.search(text[max(0, start - 14) : start]) or MOVED.search(text[:start]) or DECIDED.search(text[:start]):
        return "future"
    best: tuple[int, Tense] | None = None
    lead = max(0, start - 300)
    window = text[lead : end + 300]
    for match in WORD.finditer(window):
        at = lead + match.start()
        if start <= at < end:
            continue
        word = match.group().lower()
        past = word in IRREGULAR_PAST or (word.endswith("ed") and len(word) > 3 and word not in NOT_PAST) or word in (
            "didn't", "wasn't", "weren't", "hadn't", "didnt", "wasnt",
        )  # fmt: skip
        if not past or PASSIVE_BEFORE.search(text[max(0, at - 24) : at]):
            continue
        best = _nearer(best, text, at, start, end, "past")
    for match in FUTURE.finditer(window):
        best = _nearer(best, text, lead + match.start(), start, end, "future")
    if best:
        return best[1]
    return "future" if re.search(r"[A-Za-z]{3}", text[:start] + text[end:]) else "none"


def _nearer(
    best: tuple[int, Tense] | None, text: str, at: int, start: int, end: int, tense: Tense
) -> tuple[int, Tense]:
    between = text[at:start] if at < start else text[end:at]
    far = len(between) + 200 * len(BREAK.findall(between)) + (20 if at > start else 0)
    return best if best and best[0] <= far else (far, tense)


PAST_FINAL = 20
"""ㅆ among the 28 final consonants of a Hangul syllable."""
KO_NOT_PAST = frozenset("있겠")
KO_PAST = re.compile(r"[은ㄴ] (?:게|거|건|것|적|지)|던 |더라|더군|고 왔|한 게|인 게")
KO_MOVED = re.compile(
    r"\s?(?:으로|로)\s?(?:\S+\s)?(?:잡|정하|정해|정했|옮기|옮겼|미루|미뤘"
    "|변경|바꾸|바꿨|바뀌|연기|예약|예매|당기|당겼|확정)"
)
KO_FAULTY = re.compile(
    r"\s?(?:이후로?|부터)\s[^.!?]*(?:안 ?(?:돼|되|됩|나[와오옵]|켜|열|닫|돌아|들어)|고장|아프|아파|아픕|새요|샙)"
)
"""What has not worked since a day is still so: the day is past."""
KO_SINCE = re.compile(r"\s?에?\s[^.!?]*[가-힣](?:서|고) (?:나서 |부터 )?(?:이제|지금|요즘)")
"""A reason for how things are now lies in the past ("5월에 수술해서 이제 안경 안 써")."""
KO_STATE = re.compile(r"\s?부터\s(?:[^.!?]*[가-힣\s])?(?:이다|입니다|이에요|예요|이야|야)[.!~\s]*$")
"""A state since or from a day: the nearer of its two years."""
KO_DECIDED = re.compile(
    r"기로 (?:했|정했|하였|약속)|(?:려고|자고|기로) ?(?:해|했|하)|(?<=[하되가오])게 (?:됐|되었|됩)(?=[가-힣]*[.!~\s]*$)"
)
KO_FUTURE = re.compile(
    r"[을를할갈될올볼줄살] ?(?:거|게|예정|계획|생각|것|텐데|듯)|겠|려고|자\b"
    "|려면|ㄹ게|까지|합시다|(?:아|어|해) ?주세요|부탁"
)


def korean_tense(text: str, start: int, end: int) -> Tense:
    """The tense of the predicate that follows text[start:end], else of the sentence.

    >>> korean_tense("3월에 결혼했어요.", 0, 3), korean_tense("3월에 결혼해요.", 0, 3)
    ('past', 'future')
    """
    if KO_MOVED.match(text, end):
        return "future"
    if KO_FAULTY.match(text, end):
        return "past"
    if KO_SINCE.match(text, end):
        return "past"
    if KO_STATE.match(text, end):
        return "none"
    for part in (re.split(r"[.!?\n]", text[end:])[0], re.split(r"[.!?\n]", text[:start])[-1]):
        part = KO_DECIDED.sub("을 거 ", part)
        past = _past_place(part)
        future = KO_FUTURE.search(part)
        if past is not None and (future is None or past <= future.start() + 40):
            return "past"
        if future:
            return "future"
    return "future" if re.search(r"[가-힣]{2}", text[:start] + text[end:]) else "none"


def _past_place(text: str) -> int | None:
    places = [
        index
        for index, char in enumerate(text)
        if "가" <= char <= "힣" and (ord(char) - 0xAC00) % 28 == PAST_FINAL and char not in KO_NOT_PAST
    ]
    match = KO_PAST.search(text)
    if match:
        places.append(match.start())
    return min(places, default=None)
