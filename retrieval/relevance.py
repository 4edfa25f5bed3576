"""Which statements a question is about: words met, names and scopes that must not clash, and one hop further."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from lakehouse.records import Atom, Question
from pipelines.frame.arguments import Argument, read_clause
from pipelines.frame.registry import canonical, concepts
from pipelines.frame.scope import kind_of, scopes_in
from pipelines.frame.values import dimension
from pipelines.frame.words import phrase_lemmas, words_of
from retrieval.want import Want

KIN = (
    frozenset("엄마 어머니 어머님".split()), frozenset("아빠 아버지 아버님".split()),
    frozenset("mom mum mother mama".split()),
    frozenset("dad father papa".split()), frozenset("할머니 할머님 grandmother grandma granny".split()),
    frozenset("할아버지 grandfather grandpa".split()), frozenset("아내 와이프 부인 wife".split()),
)  # fmt: skip
FIRST_EN = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|[Mm]y|mine|me|[Ww]e|[Oo]ur|ours|us|[Ww]e're|[Ww]e've|[Ww]e'll)\b")
FIRST_KO = re.compile(
    r"(?<![가-힣])(?:나|난|내|나는|제|제가|저|저는|전|내가|우리|저희|저도|나도|저희는|우리는|저희가)(?![가-힣])"
)
THIRD_EN = re.compile(r"^(?:the|a|an|[A-Z])", re.S)
COUNTER = "#counter"
TAIL = re.compile(r"(?:이네|네|이가|이는|이의|이|씨|님|가|는|은|의)$")


CUE_RANK = {
    "retract": 0,
    "correction": 1,
    "revert": 2,
    "restate": 3,
    "remove": 4,
    "end": 5,
    "add": 6,
    "update": 7,
    "list": 8,
}


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
        first = min(group, key=lambda a: (CUE_RANK.get(a.cue, 9), a.atom_id))
        found.append(Unit(first, text, "", tuple(group)))
    found.sort(key=_place)
    return [replace(u, before=before.text) if (before := _previous(u, found)) else u for u in found]


def _place(unit: Unit) -> tuple[str, str, int, str]:
    atom = unit.atom
    return (
        atom.said_ts.isoformat() if atom.said_ts else "",
        atom.document,
        atom.evidence[0].start if atom.evidence else 0,
        atom.atom_id,
    )


def _previous(unit: Unit, units: Sequence[Unit]) -> Unit | None:
    """The unit before in the same turn, of the same holder."""
    own = unit.atom.evidence[0] if unit.atom.evidence else None
    if own is None:
        return None
    before = [
        u
        for u in units
        if u.atom.evidence
        and u.atom.document == unit.atom.document
        and u.atom.evidence[0].turn_id == own.turn_id
        and u.atom.evidence[0].start < own.start
    ]
    return max(before, key=_place, default=None)


@lru_cache(maxsize=8192)
def profile(text: str, language: str, holder: str, subject: str) -> frozenset[str]:
    """Everything a unit may be met by: lemmas, their relations, scopes, and its holder where it speaks of itself."""
    found: set[str] = set()
    for word in words_of(text, language):
        found.add(word.lemma)
        found |= {canonical(word.lemma, language), *concepts(word.lemma, language)}
    found |= {canonical for _, _, canonical, _ in scopes_in(text)}
    found |= {w.casefold().strip(".") for w in re.findall(r"[\w'-]+", subject)}
    for lemma in phrase_lemmas(text, language):
        found |= {lemma, *concepts(lemma, language)}
    for kin in KIN:
        if found & kin:
            found |= kin
    return frozenset(found)


def meets(word: str, own: frozenset[str], text: str, language: str) -> float:
    """How well a question's word is met: 1 by itself, less by a relation that both belong to."""
    if word in own:
        return 1.0
    if canonical(word, language) in own:
        return 0.9
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
    """The weighted share of the question's words that a unit meets, and which.

    Where a unit speaks in the first person its holder's name is met too; where it names nobody, by half.
    """
    own = profile(unit.text, unit.atom.language, unit.atom.holder, unit.atom.subject)
    met = {word: meets(word, own, unit.text, question.language) for word in want.words}
    holder = {w.casefold() for w in re.findall(r"[\w'-]+", unit.atom.holder)}
    korean = unit.atom.language == "ko"
    first = korean or bool(FIRST_EN.search(unit.text)) or not THIRD_EN.match(unit.text)
    for word, weight in want.words.items():
        if (
            not met[word]
            and (weight >= NAME or korean)
            and meets(word, frozenset(holder), "", question.language) >= 0.9
        ):
            met[word] = 1.0 if first else 0.0 if _names_subject(unit, want) else 0.5
    if korean and unit.before:
        earlier = _running_topic(unit)
        met = {word: max(score, TOPIC_RUNS * meets(word, earlier, "", "ko")) for word, score in met.items()}
    total = sum(want.words.values())
    if korean and want.label and re.search(rf"(?:\d|[가-힣])\s?{re.escape(want.label)}", unit.text):
        met = {**met, COUNTER: 1.0}
        return (sum(want.words[w] * score for w, score in met.items() if w != COUNTER) + 1.0) / (total + 1.0), met
    if not total:
        return 0.0, met
    return sum(want.words[w] * score for w, score in met.items()) / total, met


TOPIC_RUNS = 0.7
"""How much a word counts that only the topic of the sentence before holds ("창고 서버는 느려요. 암호는 ...")."""


def _running_topic(unit: Unit) -> frozenset[str]:
    """The words of the topic of the sentence before in the turn, which a Korean sentence need not say again."""
    clause = read_clause(unit.before, "ko")
    topic = next((a for a in clause.arguments if a.role == "topic"), None)
    return profile(topic.text, "ko", "", "") if topic is not None else frozenset()


NAME = 2.0
"""Weight of a proper name among a question's words."""


def on_topic(met: Mapping[str, float], question: Question, want: Want) -> bool:
    """Whether a unit meets a word that says what is asked, not only of whom or where."""
    topics = [w for w, weight in want.words.items() if 0.5 <= weight < NAME and w not in question.scope]
    names = [w for w, weight in want.words.items() if weight >= NAME]
    if COUNTER in met:
        return True
    if topics and not any(met[w] >= 0.5 for w in topics):
        return False
    return bool(topics) or not names or any(met[w] >= 0.5 for w in names)


def _names_subject(unit: Unit, want: Want) -> bool:
    """Whether the unit speaks of somebody or something by name, and not of what may be the answer."""
    if want.slot != "person" and re.search(r"\bhome is\b", unit.text, re.I):
        return False
    return any(
        a.name and a.role == "subject"
        for a in read_clause(unit.text, "ko" if unit.atom.language == "ko" else "en").arguments
    )


def clashes(unit: Unit, question: Question) -> bool:
    """Whether a unit is about another scope of a kind that the question names."""
    asked: dict[str, set[str]] = {}
    for word in question.scope:
        asked.setdefault(kind_of(word) or "other", set()).add(word)
    own: dict[str, set[str]] = {}
    for _, _, word, kind in scopes_in(unit.text):
        own.setdefault(kind, set()).add(word)
    if question.language == "ko" and _other_number(unit.text, question.text):
        return True
    places = ("region", "country")
    for kind, words in asked.items():
        kinds = places if kind in places else (kind,)
        mine = set().union(*(own.get(k, set()) for k in kinds))
        if mine and not mine & words:
            return True
    return False


GROUPS = re.compile(
    r"(\d+)\s?(호기|호점|관|팀|반|조|과|구역|공장|단지|라인|차|학년|호선|병동|게이트|교시|코스|구간|층|동|번)(?![가-힣]{3})"
)
"""A group that is one of several by its number."""


BELOW = re.compile(r"지하(?:층)?(?!\s?\d|철)")
"""The floor below the first."""


def _other_number(text: str, asked: str) -> bool:
    """Whether a text speaks only of other groups than the one that the question names ("2호기", asked of "1호기")."""
    own = [m.groups() for m in GROUPS.finditer(BELOW.sub("0층", text))]
    for number, kind in (m.groups() for m in GROUPS.finditer(BELOW.sub("0층", asked))):
        mine = {n for n, k in own if k == kind}
        if mine and number not in mine:
            return True
    return False


NUMBERED = re.compile(r"\b([A-Za-z]{3,}) (\d{1,3}[A-Za-z]?)\b(?![:.]\d)")
"""A thing that is one of many by its number ("van 3")."""


def _another(unit: Unit, question: Question, want: Want) -> bool:
    """Whether a unit tells of another of the numbered things that the question names one of, and not of that one.

    In a question of yes or no the number may be what is asked ("Is the patient in bed 3?").
    """
    if question.language != "en" or want.kind == "yesno":
        return False
    asked = [(noun.lower(), number) for noun, number in NUMBERED.findall(question.text) if noun.lower() in want.words]
    told = {(noun.lower(), number) for noun, number in NUMBERED.findall(unit.text)} if asked else set()
    return any(pair not in told and any(noun == pair[0] for noun, _ in told) for pair in asked)


SETTINGS = frozenset({"prep:on", "prep:in", "prep:at", "prep:for", "prep:from"})
"""Where English says on, in or for what a thing holds."""


def settings(units: Sequence[Unit], question: Question, want: Want) -> dict[str, set[str]]:
    """Words that say where or for whom, the question's and another in its place: asked word -> its rivals.

    "A dog costs 2 euros on the night bus" is no answer to what a dog costs on the metro.
    """
    found: dict[str, set[str]] = {}
    for asked in _set(question.text) if question.language == "en" else ():
        words = [w for w in profile(asked.text, "en", "", "") if want.words.get(w, 0.0) >= 1.0]
        for unit in units if words else ():
            own = profile(unit.text, "en", unit.atom.holder, unit.atom.subject)
            missed = [w for w in words if meets(w, own, unit.text, "en") < 0.5]
            for told in _set(unit.text) if missed and unit.atom.language == "en" else ():
                others = {w.lemma for w in words_of(told.text, "en")}
                one_head = asked.label == told.label  # "in the tablet app", "on the phone app"
                if one_head or (len(missed) == len(words) and told.role == asked.role):
                    for word in missed:
                        found.setdefault(word, set()).update(others - set(want.words))
    return found


def _set(text: str) -> list[Argument]:
    """The phrases of a text that say where or for whom."""
    return [a for a in read_clause(text, "en").arguments if a.role in SETTINGS and a.value.type == "entity"]


def select(units: Sequence[Unit], question: Question, want: Want) -> list[Unit]:
    """The units that the question is about: by words, without clashes of scope or contrast, and by one hop."""
    if not want.words:
        return list(units)[-50:]
    units = [unit for unit in units if not (clashes(unit, question) or _another(unit, question, want))]
    scored = [(*relevance(unit, question, want), unit) for unit in units]
    heard = [item for item in scored if item[0] > 0]
    if not heard:
        return []
    topical = [i for i in heard if on_topic(i[1], question, want) or _typed_as(i[2], i[1], want)]
    if max((score for score, _, _ in topical), default=0.0) < CLEAR:
        topical += [item for item in heard if item[0] >= CLEAR and item not in topical]
    topical = topical or heard
    own = [item for item in topical if item[2].atom.language == question.language] or topical
    best = max(score for score, _, _ in own)
    fullest = [unit for score, _, unit in own if score >= 0.75 * best]
    rivals = contrasts(fullest, [unit for _, _, unit in heard], want)
    told = [unit for _, _, unit in heard]
    for word, others in [*parallels(told, want).items(), *settings(told, question, want).items()]:
        rivals.setdefault(word, set()).update(others)
    own = [item for item in own if item[0] >= 0.9 * best or _anchored(item[1], want)]
    own = [item for item in own if not _elsewhere(item, own, best, question, want)]
    leaders = {unit.atom.holder for score, _, unit in own if score >= 0.9 * best}
    named = [
        w
        for w, weight in want.words.items()
        if weight >= NAME and any(m[w] >= 0.7 for s, m, _ in own if s >= 0.9 * best)
    ]
    chosen = [
        unit for score, met, unit in own
        if score >= max(0.25, (0.4 if unit.atom.holder in leaders else 0.5) * best) and not _rival(unit, met, rivals)
        and (unit.atom.holder in leaders or not named or any(met[w] >= 0.7 for w in named))
    ]  # fmt: skip
    open_units = [(met, u) for _, met, u in scored if not _rival(u, met, rivals)]
    chosen += _implied([(met, u) for met, u in open_units if u not in chosen], chosen, question, want)
    return hop(chosen, [u for _, u in open_units])


def _typed_as(unit: Unit, met: Mapping[str, float], want: Want) -> bool:
    """Whether a unit gives the very type asked for, of the thing that the question names."""
    names = [word for word, weight in want.words.items() if weight >= NAME]
    kinds = {dimension(v) for atom in unit.atoms for v in atom.values}
    return bool(names) and all(met[name] >= 0.7 for name in names) and want.dimensions[0] in kinds - {"text", "number"}


def _anchored(met: Mapping[str, float], want: Want) -> bool:
    """Whether a unit meets a noun, a name or a scope of the question, not only what is said of it."""
    nouns = [word for word, weight in want.words.items() if weight >= 1.0]
    return COUNTER in met or not nouns or any(met[word] >= 0.7 for word in nouns)


def _elsewhere(
    item: tuple[float, Mapping[str, float], Unit], own: Sequence[tuple[float, Mapping[str, float], Unit]], best: float,
    question: Question, want: Want,
) -> bool:  # fmt: skip
    """Whether a unit misses the verb that a better one meets, and its own relation is another one."""
    score, met, unit = item
    verbs = [word for word, weight in want.words.items() if weight == 0.7]
    missed = [v for v in verbs if met[v] < 0.5 and any(m[v] >= 0.5 for s, m, _ in own if s > score)]
    asked = (
        frozenset().union(*(concepts(word, question.language) for word in want.words)) if want.words else frozenset()
    )
    mine = {f"={atom.relation}" for atom in unit.atoms if atom.relation and not atom.relation.startswith("open:")}
    return bool(missed and mine and asked) and not mine & asked and score < best


CLEAR = 0.7
"""At this share of the question's words a unit is about it whatever they are."""
FEW = 3
"""So many unexplained changes of one holder may be about what he was asked of; more are about many things."""


def _implied(
    left: Sequence[tuple[Mapping[str, float], Unit]], chosen: Sequence[Unit], question: Question, want: Want
) -> list[Unit]:
    """Changes that a chosen unit's holder tells without the question's words ("Home is Cork from tonight"): taken when
    they are few and no relation of their own says that they are about something else."""
    asked = (
        frozenset().union(*(concepts(word, question.language) for word in want.words)) if want.words else frozenset()
    )
    names = [word for word, weight in want.words.items() if weight >= NAME]
    holders = {teller(unit.atom) for unit in chosen}
    turns = {(unit.atom.document, teller(unit.atom)) for unit in chosen}
    found: dict[str, list[Unit]] = {}
    for met, unit in left:
        own = {f"={atom.relation}" for atom in unit.atoms if atom.relation and not atom.relation.startswith("open:")}
        other = bool(own and asked) and not own & asked
        here = (unit.atom.document, unit.atom.holder) in turns
        told = unit.atom.cue in CHANGES or here or _measures(unit, want)
        mine = bool(names) or here
        if unit.atom.holder in holders and mine and told and not other and all(met[name] >= 0.5 for name in names):
            found.setdefault(unit.atom.holder, []).append(unit)
    return [unit for units in found.values() if len(units) <= FEW for unit in units]


def teller(atom: Atom) -> str:
    """Whose statement an atom is: its holder, or who passed it on from nobody named."""
    return atom.relay[-1] if atom.holder == "unknown" and atom.relay else atom.holder


def _measures(unit: Unit, want: Want) -> bool:
    """Whether a unit gives a quantity of just the kind asked for."""
    kinds = {dimension(v) for atom in unit.atoms for v in atom.values}
    return any(
        kind.startswith("quantity:") and (kind in want.dimensions or want.dimensions[0] == "quantity:*")
        for kind in kinds
    )


def sequence(unit: Unit) -> tuple[str, ...]:
    """The unit's nouns and names in order, neighbouring names joined, values left out."""
    clause = read_clause(unit.text, "ko" if unit.atom.language == "ko" else "en")
    typed = [
        (a.start, a.end)
        for a in clause.arguments
        if a.value.type != "entity" or (a.role in ("agent", "attribute") and (a.name or clause.language == "ko"))
    ]
    out: list[str] = []
    last_end, last_name = -9, False
    for word in words_of(unit.text, clause.language):
        if any(s < word.end and word.start < e for s, e in typed):
            continue
        joined = clause.language == "ko" and word.start == last_end  # 강변점, read as a noun and its kind
        if joined or (word.name and last_name and word.start - last_end <= 1):
            out[-1] += " " + word.lemma
        else:
            out.append(
                word.lemma + "하다" if word.verb and clause.language == "ko" and word.lemma[-1] != "다" else word.lemma
            )
        last_end, last_name = word.end, word.name
    return tuple(out)


def contrasts(fullest: Sequence[Unit], units: Sequence[Unit], want: Want) -> dict[str, set[str]]:
    """Words that stand in one place of otherwise equal frames, one of them the question's: asked word -> its rivals.

    "The north gate code is 41" and "The south gate code is 52" make north and south rivals.
    """
    sequences = {sequence(unit) for unit in units}
    full = {sequence(unit) for unit in fullest}
    found: dict[str, set[str]] = {}
    for a in full:
        for b in sequences:
            short = len(a) < 2 or (len(a) < 3 and not a[-1].endswith("다"))
            apart = _apart(a, b) if len(a) == len(b) and a != b else None
            if apart is None:
                continue
            mine, other = apart
            if (mine.endswith("다") and other.endswith("다")) or mine.endswith("하다") or other.endswith("하다"):
                continue
            last = (mine == a[-1] or other == b[-1]) and not mine[:1].isascii()
            told_apart = _of_one_kind(mine, other) or (not last and _before_one_head(mine, other, a[-1], units))
            if (short or last) and not told_apart:
                continue  # a Korean frame ends with what is said of the thing, not with the thing
            for word in mine.split():
                if word in want.words and want.words[word] >= 0.7 and word not in other.split():
                    found.setdefault(word, set()).update(w for w in other.split() if w not in want.words)
    return found


def _before_one_head(mine: str, other: str, head: str, units: Sequence[Unit]) -> bool:
    """Whether two Korean nouns stand right before the same noun ("주간 보고", "월간 보고")."""
    return all(any(f"{noun} {head}" in unit.text for unit in units) for noun in (mine, other))


def _of_one_kind(a: str, b: str) -> bool:
    """Whether two Korean nouns are named by one kind ("본점", "강변점")."""
    return "가" <= a[-1] <= "힣" and a[-1] == b[-1] != "다" and min(len(a), len(b)) > 1


def _apart(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, str] | None:
    """The one word of each by which two frames differ: at one place in English, anywhere in Korean."""
    if a[-1][:1].isascii():
        differing = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
        return differing[0] if len(differing) == 1 else None
    mine, other = [x for x in a if x not in b], [y for y in b if y not in a]
    return (mine[0], other[0]) if len(mine) == len(other) == 1 else None


PIECE = re.compile(r"[,;]\s|\b(?:and|but|while|whereas)\b|(?<=[가-힣])(?:고|지만|는데|인데|며)\s")


def parallels(units: Sequence[Unit], want: Want) -> dict[str, set[str]]:
    """Words that tell the parts of one sentence apart that give a value each: asked word -> its rivals.

    "Bay 2 closes at five, bay 3 at six": what is later said of the one is not said of the other.
    """
    found: dict[str, set[str]] = {}
    for unit in units:
        language = "ko" if unit.atom.language == "ko" else "en"
        clause = read_clause(unit.text, language)
        values = [a for a in clause.arguments if a.value.type in ("money", "quantity", "clock", "number", "version")]
        cuts = [0, *(m.start() for m in PIECE.finditer(unit.text)), len(unit.text)]
        parts = [
            (
                {dimension(v.value) for v in values if left <= v.start < right},
                {
                    w.lemma
                    for w in words_of(unit.text, language)
                    if left <= w.start < right and not w.verb and not any(a.start <= w.start < a.end for a in values)
                },
            )
            for left, right in itertools.pairwise(cuts)
            if any(left <= a.start < right for a in values)
        ]
        for (kinds, mine), (others, other) in itertools.permutations(parts, 2):
            own, theirs = mine - other, other - mine
            if not kinds & others or not (0 < len(own) <= 4 and 0 < len(theirs) <= 4):
                continue
            for word in own:
                if want.words.get(word, 0.0) >= 0.7:
                    found.setdefault(word, set()).update(w for w in theirs if w not in want.words)
    return found


def _rival(unit: Unit, met: Mapping[str, float], rivals: Mapping[str, set[str]]) -> bool:
    """Whether a unit has a rival of a word of the question, and not the word."""
    own = profile(unit.text, unit.atom.language, "", "")
    return any(met.get(word, 0.0) < 0.7 and others & own for word, others in rivals.items())


def hop(chosen: list[Unit], units: Sequence[Unit]) -> list[Unit]:
    """Units that speak of a chosen one without its words: a retraction or correction of what was said just before,
    and a change of the same thing by the same holder."""
    found = list(chosen)
    for unit in sorted(units, key=_place):
        if unit in found:
            continue
        before = [
            u
            for u in units
            if u.atom.holder == unit.atom.holder and _place(u) < _place(unit) and u.atom.document != unit.atom.document
        ]
        latest = max(before, key=_place, default=None)
        anaphoric = unit.atom.cue in ("retract", "correction") and latest in found
        same_turn = unit.atom.cue in ("retract", "correction", "revert") and any(
            u.atom.document == unit.atom.document and u.atom.holder == unit.atom.holder and u.atom.cue == unit.atom.cue
            for u in found
        )
        near = [u for u in found if u.atom.document == unit.atom.document and u.atom.holder == unit.atom.holder]
        continues = bool(near) and unit.atom.cue in ("end", "update", "remove", "revert") and not sequence(unit)
        instead = bool(near) and bool(INSTEAD.search(unit.text))
        if anaphoric or same_turn or continues or instead or _follows(unit, found):
            found.append(unit)
    return sorted(found, key=_place)


INSTEAD = re.compile(r"\bin (?:its|their|his|her) place\b|\binstead\b|대신", re.I)
"""What takes the place of something that the same turn put out."""


def _follows(unit: Unit, found: Sequence[Unit]) -> bool:
    """A change told by the same holder of a thing that a chosen unit names."""
    if unit.atom.cue not in CHANGES:
        return False
    own = _things(unit)
    return any(
        other.atom.holder == unit.atom.holder and (own & _things(other) or _same_deed(unit, other)) for other in found
    )


ALSO = re.compile(r"도\s")


def _same_deed(unit: Unit, other: Unit) -> bool:
    """Whether a Korean unit only says what else the same is done to ("오늘부터는 상품권도 받습니다")."""
    if unit.atom.language != "ko" or other.atom.language != "ko":
        return False
    clause = read_clause(unit.text, "ko")
    also = [a for a in clause.arguments if ALSO.match(unit.text, a.end)]
    themes = [a for a in clause.arguments if a.role in ("topic", "subject") and a not in also]
    verbs = set(clause.segments[-1].verbs)
    return bool(also and verbs) and not themes and verbs == set(read_clause(other.text, "ko").segments[-1].verbs)


CHANGES = frozenset({"update", "revert", "end", "remove", "add", "correction"})


def _things(unit: Unit) -> frozenset[str]:
    """The nouns and names of a unit, without its holder's name."""
    holder = {w.casefold() for w in re.findall(r"[\w'-]+", unit.atom.holder)}
    words = words_of(unit.text, unit.atom.language)
    return frozenset(canonical(w.lemma, unit.atom.language) for w in words if not w.verb) - holder
