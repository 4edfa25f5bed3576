"""Which statements a question is about: words met, names and scopes that must not clash, and one hop further."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lakehouse.records import Atom, Question
from pipelines.frame.registry import concepts
from pipelines.frame.scope import kind_of, scopes_in
from pipelines.frame.words import words_of
from retrieval.want import Want

KIN = (
    frozenset("엄마 어머니 어머님".split()), frozenset("아빠 아버지 아버님".split()), frozenset("mom mum mother mama".split()),
    frozenset("dad father papa".split()), frozenset("할머니 할머님 grandmother grandma granny".split()),
    frozenset("할아버지 grandfather grandpa".split()), frozenset("아내 와이프 부인 wife".split()),
)  # fmt: skip
FIRST_EN = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|my|mine|me|we|our|ours|us|we're|we've|we'll)\b")
FIRST_KO = re.compile(r"(?<![가-힣])(?:나|난|내|나는|제|제가|저|저는|전|내가|우리|저희|저도|나도|저희는|우리는|저희가)(?![가-힣])")
THIRD_EN = re.compile(r"^(?:the|a|an|[A-Z])", re.S)
TAIL = re.compile(r"(?:이네|네|이가|이는|이의|이|씨|님|가|는|은|의)$")


@dataclass(frozen=True, slots=True)
class Unit:
    """The statements that one holder makes in one stretch of text: what is ranked and read together."""

    atom: Atom
    text: str
    before: str
    atoms: tuple[Atom, ...]


def units_of(atoms: Sequence[Atom]) -> list[Unit]:
    """Atoms of the same holder and the same words, as one unit."""
    groups: dict[tuple[str, str, str], list[Atom]] = {}
    for atom in atoms:
        text = " ".join(e.quote.strip() for e in atom.evidence) or atom.content
        groups.setdefault((atom.document, atom.holder, text), []).append(atom)
    found = []
    for (_, _, text), group in groups.items():
        first = min(group, key=lambda a: a.atom_id)
        found.append(Unit(first, text, "", tuple(group)))
    return sorted(found, key=lambda u: (u.atom.said_ts.isoformat() if u.atom.said_ts else "", u.atom.document,
                                        u.atom.evidence[0].start if u.atom.evidence else 0, u.atom.atom_id))  # fmt: skip


@lru_cache(maxsize=8192)
def profile(text: str, language: str, holder: str, subject: str) -> frozenset[str]:
    """Everything a unit may be met by: lemmas, their relations, scopes, and its holder where it speaks of itself."""
    found: set[str] = set()
    for word in words_of(text, language):
        found.add(word.lemma)
        found |= concepts(word.lemma, language)
    found |= {canonical for _, _, canonical, _ in scopes_in(text)}
    found |= {w.casefold().strip(".") for w in re.findall(r"[\w'-]+", subject)}
    if (FIRST_KO if language == "ko" else FIRST_EN).search(text) or language == "ko" or not THIRD_EN.match(text):
        found |= {w.casefold() for w in re.findall(r"[\w'-]+", holder)}
    for kin in KIN:
        if found & kin:
            found |= kin
    return frozenset(found)


def meets(word: str, own: frozenset[str], text: str, language: str) -> float:
    """How well a question's word is met: 1 by itself, less by a relation that both belong to."""
    if word in own:
        return 1.0
    if language == "ko":
        stem = TAIL.sub("", word)
        if len(stem) >= 2 and any(stem == TAIL.sub("", w) for w in own if not w.startswith("=")):
            return 1.0
        if len(word) >= 2 and word in text:
            return 0.9
        if len(word) >= 3 and any(len(w) >= 2 and w in word for w in own if not w.startswith("=")):
            return 0.7
    elif len(word) >= 5 and any(w.startswith(word[:5]) for w in own if not w.startswith("=") and len(w) >= 5):
        return 0.8
    shared = concepts(word, language) & own
    return 0.6 if shared else 0.0


def relevance(unit: Unit, question: Question, want: Want) -> tuple[float, dict[str, float]]:
    """The weighted share of the question's words that a unit meets, and which."""
    own = profile(unit.text, unit.atom.language, unit.atom.holder, unit.atom.subject)
    met = {word: meets(word, own, unit.text, question.language) for word in want.words}
    total = sum(want.words.values())
    if not total:
        return 0.0, met
    return sum(want.words[w] * score for w, score in met.items()) / total, met


def clashes(unit: Unit, question: Question) -> bool:
    """Whether a unit is about another scope of a kind that the question names."""
    asked: dict[str, set[str]] = {}
    for word in question.scope:
        asked.setdefault(kind_of(word) or "other", set()).add(word)
    own: dict[str, set[str]] = {}
    for _, _, canonical, kind in scopes_in(unit.text):
        own.setdefault(kind, set()).add(canonical)
    places = ("region", "country")
    for kind, words in asked.items():
        kinds = places if kind in places else (kind,)
        mine = set().union(*(own.get(k, set()) for k in kinds))
        if mine and not mine & words:
            return True
    return False


def select(units: Sequence[Unit], question: Question, want: Want) -> list[Unit]:
    """The units that the question is about, best evidence first decided: words, then clashes, then one hop."""
    scored = [(relevance(unit, question, want), unit) for unit in units if not clashes(unit, question)]
    scored = [item for item in scored if item[0][0] > 0]
    if not scored:
        return []
    best = max(score for (score, _), _ in scored)
    required = _required(scored, want)
    chosen = []
    for (score, met), unit in scored:
        if score < max(0.25, 0.4 * best):
            continue
        if any(met[word] < 0.7 for word in required) and _substitutes(unit, scored, required, met):
            continue
        chosen.append(unit)
    return chosen


def _required(scored: Sequence[tuple[tuple[float, Mapping[str, float]], Unit]], want: Want) -> list[str]:
    """Names of the question that some unit says outright: a unit without them must be about the same by other words."""
    return [
        word for word, weight in want.words.items()
        if weight >= 1.0 and any(met[word] >= 0.7 for (_, met), _ in scored)
    ]  # fmt: skip


def _substitutes(
    unit: Unit, scored: Sequence[tuple[tuple[float, Mapping[str, float]], Unit]], required: Sequence[str],
    met: Mapping[str, float],
) -> bool:  # fmt: skip
    """Whether a unit has another word where a fuller unit has the question's: the same frame about another thing."""
    own = {w for w in profile(unit.text, unit.atom.language, "", "") if not w.startswith("=")}
    for (_, fuller), other in scored:
        missing = [w for w in required if met[w] < 0.7 and fuller[w] >= 0.7]
        if not missing or other is unit:
            continue
        theirs = {w for w in profile(other.text, other.atom.language, "", "") if not w.startswith("=")}
        shared = own & theirs
        mine_only, theirs_only = own - theirs, theirs - own
        if len(shared) >= 2 and len(mine_only) <= 3 and len(theirs_only) <= 3 and mine_only:
            return True
    return False
