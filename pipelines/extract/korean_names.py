"""Who Korean noun phrases name: kin are the speaker's, titles stand alone, 자기 is whoever is quoted."""

from __future__ import annotations

import re

from pipelines.extract.discourse import Talk
from pipelines.extract.korean_morph import FIRST, Chunk
from pipelines.extract.korean_people import bare_name, is_source, people, person
from pipelines.korean_given import name_like

ELDERS = {"어머님": "어머니", "아버님": "아버지", "할머님": "할머니", "엄마": "엄마"}
DEMONSTRATIVE = re.compile(r"^(?:그|이|저|그런|이런|그때|그놈의|해당|그쪽)\s+(?=\S)")
MINE = re.compile(r"^(?:우리|저희|내|제|나의|저의|울)\s+(?=\S)")
YOURS = re.compile(r"^(?:네|니|너희|너네|당신)\s+(?=\S)")
SELF = re.compile(r"^(?:자기|본인|지)(?:네)?(?:\s+|$)")
PARTICLE = re.compile(r"(?<=[가-힣A-Za-z])(?:께서는?|에서는?|에게서?|한테서?)$")


def owner(form: str, talk: Talk, turn: int, within: str | None = None) -> str:
    """The name of a holder as written.

    `within` is whose words are read, whom 자기 means.
    """
    form = PARTICLE.sub("", form.strip())
    speaker = talk.speaker(turn)
    if not form:
        return "unknown"
    if form in FIRST or form in ("난", "전", "내가", "제가"):
        return speaker
    if form in people()["anyone"] or re.search(r"(?:사람들|다들|누가|누군가)$", form):
        return "unknown"
    match = SELF.match(form)
    if match:
        rest = form[match.end() :]
        base = within or _last(talk, turn)
        return f"{base}의 {kin(rest)}" if rest and base else base or kin(rest) or "unknown"
    match = MINE.match(form)
    if match:
        rest = kin(form[match.end() :])
        return f"{speaker}의 {rest}" if rest in people()["kin"] | people()["own"] else bare_name(rest, talk.names)
    match = YOURS.match(form)
    if match:
        return f"{talk.addressee(turn) or speaker}의 {kin(form[match.end() :])}"
    plain = bare_name(form, talk.names)
    if plain in talk.names:
        return plain
    if kin(plain) in people()["kin"] or plain in people()["own"]:
        return f"{speaker}의 {kin(plain)}"
    if re.match(r"^(?:걔|쟤|얘|그 ?(?:사람|분|친구|애)|그녀?)$", plain):
        return _last(talk, turn) or "unknown"
    words = plain.split()
    if len(words) > 1 and words[-1] in talk.names:
        return words[-1]
    whose = bare_name(words[0].removesuffix("네"), talk.names) if len(words) == 2 else ""
    if whose and kin(words[1]) in people()["kin"] and (whose in talk.names or name_like(whose)):
        return f"{whose}의 {kin(words[1])}"
    return DEMONSTRATIVE.sub("", plain)


def kin(form: str) -> str:
    """A relation's plain word: 어머님 is 어머니."""
    return ELDERS.get(form.strip(), form.strip())


def _last(talk: Talk, turn: int) -> str:
    found = talk.last_person(turn, (talk.speaker(turn),))
    return found.phrase if found else ""


def speaks(chunk: Chunk, talk: Talk) -> bool:
    """Whether a phrase can hold a view or be quoted."""
    return person(chunk, talk.names) or is_source(chunk.form)


def thing(form: str) -> str:
    """A thing's phrase without its pointing word."""
    form = re.sub(r"(?<=[입사원자객인님])분$", "", form.strip())
    return DEMONSTRATIVE.sub("", form) if len(form.split()) > 1 else form
