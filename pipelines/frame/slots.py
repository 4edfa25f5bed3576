"""Which of a clause's arguments are values, and what each is about: readings, at least one a clause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lakehouse.records import Value
from pipelines.frame.arguments import Argument, Clause
from pipelines.frame.registry import canonical, concepts, names_relation
from pipelines.frame.times import Times

STRENGTH = ("money", "quantity", "version", "clock", "identifier", "number", "weekday", "date")
"""Of two typed values in one predicate the stronger type is its value; a date mostly says when."""
HELD = frozenset(
    f"={r}"
    for r in ("approver", "manager", "coach", "teacher", "host", "leader", "chair", "supplier", "chief executive")
)
"""Relations that one person holds for a thing: their value is the one who acts."""
TAUGHT = frozenset({"=teacher"})
"""Held only for a group that is named: what somebody teaches is what is told of him."""
KO_HELD = frozenset({"=approver", "=manager"})
MADE = {
    "en": frozenset("write compose build design invent found repair discover direct".split()),
    "ko": frozenset("고치다 수리하다 짓다 건설하다 설계하다 발명하다 설립하다 집필하다 작곡하다 그리다 세우다".split()),
}
"""Verbs whose thing is known and whose doer is told: "Gustav repaired the boiler" is about the boiler."""
DEFINITE = re.compile(r"\b(?:the|this|that|my|our|his|her|their|its)\s+$", re.I)
PARTICIPLE = re.compile(r"\w+(?:ed|en|wn|rn)|allergic|afraid|fond|fluent|keen|proud|famous|responsible|jealous")
"""An adjective that only names the relation ("married to", "allergic to")."""
YES, NO = Value("yesno", "yes", "yes"), Value("yesno", "no", "no")
POLES = {
    "en": {"win": "win", "lose": "win", "accept": "accept", "reject": "accept", "refuse": "accept"},
    "ko": {
        "이기다": "이기다",
        "지다": "이기다",
        "합격하다": "합격",
        "불합격하다": "합격",
        "떨어지다": "합격",
        "승인하다": "승인",
        "거절하다": "승인",
    },
}
"""A verb and the pole that it is the yes or the no of."""
CONTEST = re.compile(
    r"\b(?:match|game|final|semi-?final|quarter-?final|contest|cup|title|championship|tournament|trophy|race|medal|prize"
    r"|award|election|debate|league|derby|play-?off|round|set|bid|case|appeal|vote|lawsuit|battle|war|competition|point)s?\b",
    re.I,
)
NAMING = re.compile(r"\b(?:winn|los|accept|reject|refus)ing\b")
"""A participle names the deed ("losing power is a nuisance")."""
ON_OFF = {
    "en": re.compile(
        r"\b(?:is|are|was|were|be|been|turned|switched|switch|turn)\s+(?:currently |now |still |back )?(?:on|off|"
        r"enabled|disabled)\b(?!\s+(?:the|a|an|my|our|\w+day|platform|port|track|version|\d))|\b(?:enabled|"
        r"disabled)\b",
        re.I,
    ),
    "ko": re.compile(r"켜져|꺼져|켜졌|꺼졌|켰|껐|켭니|끕니"),
}
WITHOUT = re.compile(
    r"\b(with|without|no)\s+(?=(?:sugar|milk|salt|ice|meat|gluten|dairy|cream|butter|onions?|cheese|nuts|"
    r"caffeine|alcohol|lactose|sauce|honey|glasses)\b)",
    re.I,
)
KO_WITHOUT = re.compile(
    r"(?:설탕|우유|소금|얼음|시럽|크림|꿀|고기|양파|마늘|고수|치즈|버터|후추|소스|오이|레몬|[가-힣]고기|생선|해산물|회|새우|조개|"
    r"계란|달걀|밀가루|유제품|견과류|땅콩|카페인|커피|술|맥주|소주|와인|담배|전자담배)(?:을|를|은|는|도)?\s+(?P<no>안\s+|못\s+|전혀\s+)?"
    r"(?P<verb>(?:넣|먹|마시|피우)(?P<not>지\s?(?:않|못))?(?=[는지으고다기])|타(?=\s|서|요)|탄다|탑니다|넣(?=어|습)|"
    r"먹(?=어요|습)|마신다|마셔요|마십니다|피운다|피워요|피웁니다|핀다|펴요|(?P<quit>끊었|끊은|끊고))"
)
STANDING = {
    "en": re.compile(
        r"\b(?:is|are|meets?|meeting|takes? place|happens?|runs?|starts?|goes|go|opens?|closes?|comes?)\b", re.I
    ),
    "ko": re.compile(r"(?:다|요|죠|야|니다|한다|이다)[.!~\s]*$"),
}
"""A state or a habit, of which a weekday is a value and not the day of one event."""
FIRST = {
    "en": re.compile(r"\b(?:I|I'm|I've|I'd|I'll|[Mm]y|[Mm]ine|me|[Ww]e|[Oo]ur|us|[Ww]e're|[Ww]e've)\b"),
    "ko": re.compile(r"(?<![가-힣])(?:나|난|내|나는|제|제가|저|저는|전|내가|우리|저희)(?![가-힣])"),
}
VALUE_ROLES = {
    "en": ("attribute", "agent", "object", "prep:as", "prep:to", "prep:at", "prep:in", "prep:on", "prep:with",
    "prep:for", "prep:of", "root", "prep:by", "subject"),
    "ko": ("attribute", "prep:으로", "prep:로", "object", "list", "bare", "prep:에", "prep:에서", "subject"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that a clause states. Offsets are into the clause; `spans` are masked out of the anchors."""

    start: int
    end: int
    values: tuple[Value, ...] = ()
    corrects: tuple[Value, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    gone: bool = False
    negated: bool = False
    lemma: str = ""
    """A lemma that stands for the predicate ("win" for "lost")."""
    whole: bool = False
    plain: bool = False
    """Verbs do not count: "drinks it without" and "takes no" say one thing."""
    main: bool = True
    """Of the main predicate or one joined to it, not of a clause inside."""


def first_person(text: str, language: str) -> bool:
    """Whether the speaker speaks of himself."""
    return bool(FIRST[language].search(text))


def readings(clause: Clause, times: Times) -> list[Reading]:
    """The readings of a clause: typed values by predicate, else noun phrases in value position, else its time."""
    usable = [a for a in clause.arguments if not any(s <= a.start and a.end <= e for s, e in times.spans)]
    timed = [a for a in clause.arguments if a.value.type in ("weekday", "clock", "date") and a not in usable]
    main = _main(clause, usable)
    if not main or not any(r.values or r.corrects for r in main):
        main = [_alone(clause, a) for a in timed] or main
    elif (said := _predicate_date(clause, timed)) is not None and all(
        v.type == "entity" and clause.text.find(v.text) < said.start for r in main for v in (*r.values, *r.corrects)
    ):
        main = [_alone(clause, said)]
    polar = _polar(clause)
    if any(r.whole for r in polar):
        main = []
    found = [*main, *polar, *_others(clause, usable, main, times), *_dated(clause, times)]
    return found or [Reading(0, len(clause.text))]


IS = re.compile(r"\b(?:is|are|was|were|will be)\s+(?:on\s+|at\s+)?(?:the\s+)?$", re.I)
KO_IS = re.compile(r"(?:이다|이에요|예요|입니다|이야|이었|였|임|이래|이라)")


def _predicate_date(clause: Clause, timed: Sequence[Argument]) -> Argument | None:
    """The day or hour that a copula states ("the deadline for the form is 9 May"): a value, not a when."""
    if clause.language == "ko":
        return next((a for a in timed if KO_IS.match(clause.text, a.end)), None)
    return next((a for a in timed if IS.search(clause.text[: a.start])), None)


def _polar(clause: Clause) -> list[Reading]:
    """What is so or not so: "won" and "lost" are one thing with two values, and so are "with" and "without" sugar."""
    found = []
    language = "ko" if clause.language == "ko" else "en"
    for number, segment in enumerate(clause.segments):
        for verb in segment.verbs:
            positive = POLES[language].get(verb)
            if positive is not None and not NAMING.search(clause.text) and _contested(clause, number, verb):
                value = YES if (verb == positive) != segment.negated else NO
                place = clause.text.find(verb[:3], segment.start)
                span = ((max(place, 0), max(place, 0) + len(verb)),) if place >= 0 else ()
                found.append(Reading(segment.start, segment.end, (value,), (), span, lemma=positive, whole=True))
    for match in ON_OFF[language].finditer(clause.text):
        value = YES if re.search(r"\bon$|enabled|켜|켰", match.group(), re.I) else NO
        found.append(Reading(0, len(clause.text), (value,), (), (match.span(),), whole=True, plain=True))
    if language == "en":
        for match in WITHOUT.finditer(clause.text):
            value = YES if match[1].lower() == "with" else NO
            found.append(Reading(0, len(clause.text), (value,), (), (match.span(1),), plain=True))
    else:
        for match in KO_WITHOUT.finditer(clause.text):
            value = NO if match["no"] or match["not"] or match["quit"] else YES
            found.append(Reading(0, len(clause.text), (value,), (), (match.span("verb"),), plain=True))
    return found


def _contested(clause: Clause, number: int, verb: str) -> bool:
    """Whether what is lost is a contest: keys and pets are lost too."""
    things = [a for a in clause.arguments if a.segment == number and a.role == "object" and not a.name]
    return verb != "lose" or not things or any(CONTEST.search(a.text) for a in things)


def _alone(clause: Clause, argument: Argument) -> Reading:
    """One argument as the value of everything else in its clause."""
    typed = [(a.start, a.end) for a in clause.arguments if a.value.type != "entity"]
    return Reading(0, len(clause.text), (argument.value,), (), ((argument.start, argument.end), *typed))


def _others(clause: Clause, usable: Sequence[Argument], main: Sequence[Reading], times: Times) -> list[Reading]:
    """Further typed values of the clause, each a reading of its own: the hour beside the day."""
    taken = {value.type for reading in main for value in reading.values}
    if STANDING[clause.language].search(clause.text):
        inside = [a for a in clause.arguments if a.value.type == "weekday" and a not in usable]
        usable = [
            *usable,
            *(a for a in inside if any(m.kind in ("on", "other") and m.left <= a.start < m.right for m in times.marks)),
        ]
    more = {
        a.value.type: a
        for a in usable
        if a.value.type in ("weekday", "clock", "money", "quantity") and a.value.type not in taken
    }
    return [_alone(clause, a) for a in more.values() if not a.old]


def _dated(clause: Clause, times: Times) -> list[Reading]:
    """The date of something that happened once: told by month, season or year, it is an attribute of the event (R1)."""
    found = []
    for mark in times.marks:
        if mark.kind in ("on", "other") and mark.span.grain in ("year", "half", "season", "quarter", "month"):
            value = Value("date", f"{mark.span.start}/{mark.span.end}", clause.text[mark.left : mark.right])
            found.append(Reading(0, len(clause.text), (value,), (), ((mark.left, mark.right),)))
    return found


def _main(clause: Clause, usable: Sequence[Argument]) -> list[Reading]:
    """Typed values by predicate, else noun phrases in value position."""
    found: list[Reading] = []
    for number, segment in enumerate(clause.segments):
        typed = [a for a in usable if a.segment == number and a.value.type != "entity"]
        named = [a for a in typed if a.role == "subject" and a.value.type == "identifier"]
        typed = [a for a in typed if a not in named] or typed  # "table 5 seats four": the table is no value
        if any(not a.old for a in typed):
            strongest = min(STRENGTH.index(a.value.type) for a in typed if not a.old)
            found += _by_piece(
                clause, segment.start, segment.end, [a for a in typed if STRENGTH.index(a.value.type) == strongest]
            )
    if found:
        return found
    for number, segment in enumerate(clause.segments):
        named = _values(clause, [a for a in usable if a.segment == number and a.value.type == "entity"])
        if named:
            ins = tuple(a.value for a in named if not a.out)
            outs = tuple(a.value for a in named if a.out)
            found.append(Reading(segment.start, segment.end, ins, outs, tuple((a.start, a.end) for a in named),
                                 segment.gone and not ins, segment.negated and not ins,
                                 main=segment.main))  # fmt: skip
    return found


def _by_piece(clause: Clause, start: int, end: int, typed: Sequence[Argument]) -> list[Reading]:
    """Several current values of one predicate are several readings when commas part them by scope."""
    current = [a for a in typed if not a.old] or list(typed)
    old = tuple(a.value for a in typed if a.old and a not in current)
    spans = tuple((a.start, a.end) for a in typed)
    if len(current) == 1 or len({a.value.norm for a in current}) == 1:
        return [Reading(start, end, (current[-1].value,), old, spans)]
    first, last = current[0].end, current[-1].start
    breaks = [m.start() for m in re.finditer(r"[,;]|\band\b", clause.text[:end])]
    cuts = [start, *(b for b in breaks if first < b < last), end]
    if len(cuts) - 1 != len(current):
        return [Reading(start, end, (current[-1].value,), old, spans)]
    return [Reading(cuts[i], cuts[i + 1], (a.value,), old, spans) for i, a in enumerate(current)]


def _values(clause: Clause, named: Sequence[Argument]) -> list[Argument]:
    """The phrases in value position: the best role, with those coordinated with it."""
    inverted = _inverted(clause, named)
    if inverted is not None:
        return [inverted]
    order = VALUE_ROLES["ko" if clause.language == "ko" else "en"]
    if clause.language == "en":
        named = [a for a in named if not (a.role == "attribute" and PARTICIPLE.fullmatch(a.text)) or not any(
            b.role.startswith("prep:") and b.start > a.end for b in named)]  # fmt: skip
    ranked = [a for a in named if a.role in order]
    if not ranked:
        return []
    subjects = [a for a in named if a.role in ("subject", "topic")]
    if len(ranked) == 1 and subjects == ranked:
        return []
    agent = _agent(clause, named)
    if agent is not None:
        return [agent]
    fresh = [a for a in ranked if a.name or not names_relation(a.label, clause.language)]
    subjects_only = all(a in subjects for a in fresh)  # "the keys are in the drawer": the keys are no value
    ranked = ranked if subjects_only else fresh
    best = min(order.index(a.role) for a in ranked)
    chosen = [a for a in ranked if order.index(a.role) == best]
    if clause.language == "ko" and any(a.role == "list" for a in named):
        members = [a for a in named if a.role == "list"]
        after = [a for a in named if a.start > members[-1].start and a.role != "prep:에서"]
        chosen = [*members, *after[:1]]
    return sorted({(a.start, a.end): a for a in chosen if not _inside(a, chosen)}.values(), key=lambda a: a.start)


def _agent(clause: Clause, named: Sequence[Argument]) -> Argument | None:
    """Who does what only one does: "Ida coaches the juniors" is about the juniors, and Ida is the value."""
    subject = next((a for a in named if a.role == "subject" and a.name), None)
    thing = next((a for a in named if a.role == "object" and not a.name), None)
    if clause.language == "ko":
        subject = next((a for a in named if a.role in ("subject", "topic")), None)
        thing = next((a for a in named if a.role in ("object", "topic") and a is not subject), None)
    if subject is None or thing is None or subject.segment != thing.segment:
        return None
    verbs = clause.segments[subject.segment].verbs
    held = frozenset().union(*(concepts(verb, clause.language) for verb in verbs)) & HELD
    made = any({verb, canonical(verb, clause.language)} & MADE[clause.language] for verb in verbs)
    if clause.language == "ko":
        group = "=teacher" in held and thing.text.endswith(("반", "조", "팀", "학년"))
        return subject if subject.role == "subject" and (made or group or held & KO_HELD) else None
    definite = bool(DEFINITE.search(clause.text[: thing.start]))
    if any(a.role == "attribute" for a in named):
        return None
    return subject if (made and definite) or (held and (definite or held != TAUGHT)) else None


def _inverted(clause: Clause, named: Sequence[Argument]) -> Argument | None:
    """ "X is Y's R", "X is the R of Y", "X가 Y의 R이다": X is the value, Y and R what it is about."""
    subject = next((a for a in named if a.role == "subject" and (a.name or clause.language == "ko")), None)
    role = next((a for a in named if a.role == "attribute" and not a.out), None)
    if clause.language == "ko":
        subject = subject or next((a for a in named if a.role == "topic"), None)
        if subject is None or role is None or subject.end > role.start:
            return None
        owned = any(a.role == "owner" and subject.end <= a.start < role.end for a in named) or "의 " in role.text
        return subject if owned else None
    if subject is None or role is None or subject.end > role.start or PARTICIPLE.fullmatch(role.text):
        return None
    owner = any(a.role == "owner" and role.start <= a.start < role.end for a in named) or re.search(
        r"\b(?:my|our|his|her|their)\s+$", clause.text[: role.start]
    )
    of = re.match(r"\s+of\s", clause.text[role.end :]) or (
        re.match(r"\s+(?:at|for|in)\s", clause.text[role.end :]) and re.search(r"\bthe\s+$", clause.text[: role.start])
    )
    return (
        subject
        if (owner or of)
        and not role.name
        and re.search(r"\b(?:is|are|was|were|became|'s)\b", clause.text[subject.end : role.start])
        else None
    )


def _inside(argument: Argument, others: Sequence[Argument]) -> bool:
    return any(o is not argument and o.start <= argument.start and argument.end <= o.end for o in others)
