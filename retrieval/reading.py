"""Reading a unit for a question: which of its phrases is the value asked for, what is out, and with which cue."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from lakehouse.records import Atom, Question, TimeSpan, Value
from lakehouse.vocabulary import Cue, Modality
from pipelines.entities import bare_name
from pipelines.frame.arguments import Argument, Clause, Segment, read_clause
from pipelines.frame.korean import is_reason
from pipelines.frame.registry import concepts
from pipelines.frame.times import Mark, Times, moment_of, read_times
from pipelines.frame.values import dimension, entity
from pipelines.frame.words import words_of
from pipelines.korean_given import name_like
from retrieval.relevance import Unit, meets, profile
from retrieval.want import Want

TIME_WORDS = frozenset(
    "today yesterday tomorrow tonight morning afternoon evening night week month year day days weeks months "
    "years monday"
    " tuesday wednesday thursday friday saturday sunday weekdays weekend now moment time first last"
    " 밤 새벽 낮 점심 주말 평일"
    " 오늘 어제 내일 이번 지난 다음 주 달 올해 작년 내년 방금 이제 요즘 현재 지금 처음 전 후 매주 매일 매달 그때 "
    "때 원래 오후 오전 아침 저녁".split()
)
EMPTY = frozenset(
    "first second third fourth newest latest youngest oldest wrong right sorry mistaken true false fine glad "
    "happy sure thing things stuff lot way one ones message note mail email part kind sort fact heads-up "
    "reminder order orders everyone"
    " people name mistake error typo month customer customers place bit reason case point end start"
    " 것 거 겁 건 날 수 말 분 때문 안 측 중 등 참고 뒤 후임 때 셋 둘 넷 다들 모두 전부 개 명 마리 쪽 덕분 기준 대신 "
    "이름 하나 첫째 둘째 셋째 넷째 막내 확인 주최 본인".split()
)
CHANGE_KO = re.compile(
    r"바꾸|바뀌|옮기|갈아타|이직|변경|전환|교체|이사|넘어가|가다|출근|정하|되다|되돌|오르|줄|늘|내리|올리"
)


PLACE_ROLES = frozenset(
    f"prep:{word}"
    for word in "in at to on near as under behind beside inside into onto by outside below above between opposite"
    " across around over beneath beyond alongside within".split()
)
"""Where an English noun phrase stands that says where."""
HANDED = frozenset("sell pass hand give transfer donate cede leave bequeath".split())
"""Verbs after which who comes next stands behind "to"."""
PRONOUN = re.compile(r"^\W*(?:so |and |but |then |now )?(?:he|she|they|it|that|who|which)\b", re.I)
RIGHT = re.compile(
    r"\s*(?:was|is|were|had|got)\s+(?:it |that )?(?:right|correct)|\s*(?:님|씨)?\s?(?:말씀?|얘기)(?:이|가|"
    r"대로)?\s?(?:맞|옳)",
    re.I,
)
_BUILDING = (
    r"hall|house|barn|church|school|college|hospital|yard|park|square|bridge|market|farm|inn|pub|caf[eé]|gardens?|building"
    r"|library|theatre|theater|club|wharf|quay|dock|workshop|chapel|gym|institute|mill|station|museum|arena|stadium|clinic"
    r"|hotel|hostel|cent(?:re|er)|depot|pavilion|tower|court|temple|mosque|synagogue|cinema|hut|lodge|shed|pool|cellar|room"
)
OWNED = re.compile(
    rf"^[A-Z][\w.-]*(?: [A-Z][\w.-]*)*(?: (?:{_BUILDING})|['’]s? (?:\w+ )?(?:{_BUILDING}|office|kitchen|flat|place"
    r"|garage|basement|attic|loft|shop|bakery|studio|lane|warehouse))$"
)
"""A place that is called by a name and its kind, or by whose it is ("the Corvo hall", "Ida's barn")."""
ENDINGS = frozenset({"end", "remove", "update", "revert", "correction", "retract"})
CONCEDES = re.compile(r"(?:말씀?|얘기)(?:이|가|대로)?\s?(?:맞|옳)|\b[A-Z]\w+ (?:was|is|had it|got it) right\b")
THEN = re.compile(
    r",?\s*\b(?:and )?(?:then|after that|afterwards|thereafter|after which)\b|그\s?(?:뒤|후|다음)(?:로|에|"
    r"부터)?는?|이후(?:로|에)?는?\s"
)
INTENDED = re.compile(
    r"\b(?:plan(?:s|ned|ning)? (?:to|on|for)|intend(?:s|ed|ing)?|(?:is|are|am|was|were) .{1,40}? going to)\b"
    r"|계획|작정|(?:려고|고자) (?:해|하|한|합)|[갈할볼올살될] 생각|[갈할볼올살될] 예정",
    re.I,
)
"""A question about what somebody means to do."""
FUTURE = re.compile(
    r"\b(?:will|won't|going to|plan(?:s|ning|ned)?|intend|shall|'ll|signed with|accepted|about to)\b|예정|계획|"
    r"할게|을게|ㄹ게|겠|려고|기로",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Read:
    """A unit's values for a question, as an atom that the fold takes."""

    unit: Unit
    atom: Atom
    spoken: dict[str, str]
    """Normal form -> the words to show."""


def read(unit: Unit, question: Question, want: Want) -> list[Read]:
    """The unit as atoms about the question's key, several when it gives several times; empty when it gives no value."""
    language = "ko" if unit.atom.language == "ko" else "en"
    clause = read_clause(unit.text, language)
    times = read_times(unit.text, moment_of(unit.atom.said_at, unit.atom.said_ts), language)
    whole = {v.norm.split(" ")[0]: v for atom in unit.atoms for v in atom.values if v.type in ("money", "quantity")}
    told = [
        replace(a, value=whole[a.value.norm]) if a.value.type == "number" and a.value.norm in whole else a
        for a in clause.arguments
    ]
    told = [_counted(a, clause, want) for a in told]
    usable = [a for a in told if _usable(a, times.spans, want)]
    if unit.atom.cue == "retract":
        return [_as_atom(unit, (), (), "retract", want, question, None, None)]
    reads: list[Read] = []
    for left, right in _parts(clause, times, unit.atom.said_at):
        group = _pick([a for a in usable if left <= a.start < right], clause, unit, want, (left, right))
        if not group:
            continue
        ins = tuple(_value(a, want) for a in group if not (a.out or a.old))
        outs = tuple(_value(a, want) for a in group if a.out or a.old)
        if not ins and want.kind != "set" and unit.atom.cue not in ENDINGS and not any(s.gone for s in clause.segments):
            continue  # it only denies a value
        start, end = _span(unit, want, times, left, right)
        dates = [a for a in group if a.value.type == "date"]
        if UNTIL.search(question.text) and any(a.value.type in ("date", "weekday", "clock") for a in group):
            end = None  # the end is what is asked for ("언제까지")
        if dates and any(m.left <= a.start < m.right for a in dates for m in times.marks if m.kind != "end"):
            start = end = None  # the date is what is asked for, not since when
        if start is None and reads and reads[-1].atom.stated_end is not None and THEN.search(clause.text[left:right]):
            start = _day_after(reads[-1].atom.stated_end)
        reads.append(_as_atom(unit, ins, outs, unit.atom.cue, want, question, start, end))
    if not reads and "date" in want.dimensions and WHEN.search(question.text):
        reads = _dated(unit, want, question, times)
    whole_ends = want.kind != "set" or unit.atom.cue == "revert"  # one member's end is not that of all
    if not reads and unit.atom.cue in ("revert", "end") and whole_ends and unit.atom.modality != "negated":
        return [_as_atom(unit, (), (), unit.atom.cue, want, question, *_span(unit, want, times, 0, 1 << 30))]
    if not reads and unit.atom.cue == "correction" and CONCEDES.search(unit.text):
        return [_as_atom(unit, (), (), "retract", want, question, None, None)]
    return reads


def _counted(argument: Argument, clause: Clause, want: Want) -> Argument:
    """A Korean number with the very noun whose count is asked for ("몇 팀", "35팀 나왔어요")."""
    after = clause.text[argument.end :]
    if argument.value.type != "number" or clause.language != "ko" or not want.label or not after.startswith(want.label):
        return argument
    shown = argument.text + want.label
    return replace(argument, old=False, value=Value("quantity", f"{argument.value.norm} {want.label}", shown))


UNTIL = re.compile(r"(?:언제|며칠|요일|시|일)까지")
WHEN = re.compile(r"\b(?:when|(?:what|which) (?:year|month|date|season))\b|언제|몇\s?(?:년|월)|어느\s?해|연도", re.I)
SPELT = re.compile(r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.I)


def _dated(unit: Unit, want: Want, question: Question, times: Times) -> list[Read]:
    """When something happened, where the words give it by year, month or day: an attribute of the event (R1)."""
    mark = next((m for m in times.marks if m.kind != "end" and m.span.grain in _WRITTEN), None)
    if mark is None or unit.atom.modality == "negated":
        return []
    first = date.fromisoformat(mark.span.start[:10])
    shown = re.sub(
        r"^(?:in|on|since|from|of)\s+|(?:부터|에)$", "", unit.text[mark.left : mark.right].strip(), flags=re.I
    )
    if not SPELT.search(shown):
        shown = _WRITTEN[mark.span.grain][question.language == "ko"](first)
    norm = mark.span.start[:10] if mark.span.grain == "day" else f"{mark.span.start[:10]}/{mark.span.end[:10]}"
    read_ = _as_atom(unit, (Value("date", norm, shown),), (), unit.atom.cue, want, question, None, None)
    settled = unit.atom.said_at is not None and mark.span.end[:10] < unit.atom.said_at[:10]
    return [replace(read_, atom=replace(read_.atom, static=settled))]


_SEASONS = (("winter", "spring", "summer", "autumn"), ("겨울", "봄", "여름", "가을"))
_WRITTEN: dict[str, tuple[Callable[[date], str], Callable[[date], str]]] = {
    "year": (lambda d: f"{d.year}", lambda d: f"{d.year}년"),
    "month": (lambda d: f"{d:%B %Y}", lambda d: f"{d.year}년 {d.month}월"),
    "day": (lambda d: f"{d.day} {d:%B %Y}", lambda d: f"{d.year}년 {d.month}월 {d.day}일"),
    "season": (
        lambda d: f"{_SEASONS[0][d.month % 12 // 3]} {d.year}",
        lambda d: f"{d.year}년 {_SEASONS[1][d.month % 12 // 3]}",
    ),
}


def _pick(usable: Sequence[Argument], clause: Clause, unit: Unit, want: Want, part: tuple[int, int]) -> list[Argument]:
    """The arguments that give the value, by the first kind of dimension that any fits."""
    for dim in _tiers(want.dimensions):
        if dim == ("text",):
            found = _named(usable, clause, unit, want, part)
        elif dim == ("*",):
            found = _anything(usable, clause, unit, want, part)
        else:
            found = _typed(usable, clause, unit, want, dim)
        if found:
            return found
    return []


def _tiers(dimensions: Sequence[str]) -> list[tuple[str, ...]]:
    """Runs of typed dimensions between "text" and "*", which are tried in their own turn."""
    tiers: list[tuple[str, ...]] = []
    for dim in dimensions:
        if dim in ("text", "*") or not tiers or tiers[-1] in (("text",), ("*",)):
            tiers.append((dim,))
        else:
            tiers[-1] = (*tiers[-1], dim)
    return tiers


def _anything(
    usable: Sequence[Argument], clause: Clause, unit: Unit, want: Want, part: tuple[int, int]
) -> list[Argument]:
    """Any value: a typed one before a name, but a name before a bare count."""
    typed = [a for a in usable if a.value.type not in ("entity", "weekday") and not a.old and not _in_name(a, usable)]
    counts = [a for a in typed if a.value.type == "number" and a.label and not a.label[0].isdigit()]
    strong = [a for a in typed if a not in counts]
    if len({a.value.norm for a in strong}) > 1:
        strong = _by_segment(strong, clause, unit, want)
    return strong[-1:] or _named(usable, clause, unit, want, part) or counts[-1:]


def _in_name(argument: Argument, usable: Sequence[Argument]) -> bool:
    """A number inside a name ("Reno 4") or an address ("14 Copper Street")."""
    return argument.value.type in ("number", "version") and any(
        a.value.type == "entity" and a.name and a.start <= argument.start and argument.end <= a.end for a in usable
    )


def _parts(clause: Clause, times: Times, said_at: str | None) -> list[tuple[int, int]]:
    """The clause in parts where it gives each a time of its own ("until June in Malmo, then in Cork")."""
    then = THEN.search(clause.text)
    if then and any(m.kind == "end" and m.left < then.start() for m in times.marks):
        return [(0, then.start()), (then.start(), len(clause.text))]
    stated = [m for m in times.marks if m.kind in ("start", "end") or _ahead(m, said_at)]
    timed = [s for s in clause.segments if any(s.start <= m.left < s.end for m in stated)]
    if len(timed) < 2:
        commas = [m.start() for m in re.finditer(r",|;|\band\b", clause.text)]
        cut = next((c for c in commas if len(stated) == 2 and stated[0].right <= c <= stated[1].left), None)
        return [(0, cut), (cut, len(clause.text))] if cut is not None else [(0, len(clause.text))]
    cuts = [0, *(s.start for s in timed[1:]), len(clause.text)]
    return list(itertools.pairwise(cuts))


def _ahead(mark: Mark, said_at: str | None) -> bool:
    """A day still to come when it was said: "we move there on 1 September"."""
    return (
        mark.kind == "on" and mark.span.grain == "day" and said_at is not None and mark.span.start[:10] > said_at[:10]
    )


def _span(unit: Unit, want: Want, times: Times, left: int, right: int) -> tuple[TimeSpan | None, TimeSpan | None]:
    """Stated start and end inside a stretch of the unit; the atom's own only when the stretch has no time words."""
    atom = unit.atom
    start, end = times.first("start", left, right), times.first("end", left, right)
    if start is None and atom.cue in ("update", "end", "remove", "add") and atom.modality != "negated":
        on = times.first("on", left, right)
        if on is not None and on.grain in ("day", "month", "week", "weekend"):
            start = on
    if start is None and want.dimensions[0] not in ("date", "weekday", "clock"):
        start = next((m.span for m in times.marks if left <= m.left < right and _ahead(m, atom.said_at)), None)
    if not times.marks:
        start, end = start or atom.stated_start, end or atom.stated_end
    return start, end


def _day_after(span: TimeSpan) -> TimeSpan:
    day = (date.fromisoformat(span.end[:10]) + timedelta(days=1)).isoformat()
    return TimeSpan(day, day, "day")


def _as_atom(
    unit: Unit, ins: tuple[Value, ...], outs: tuple[Value, ...], cue: Cue, want: Want, question: Question,
    start: TimeSpan | None, end: TimeSpan | None,
) -> Read:  # fmt: skip
    """The unit's atom with the values that were read."""
    sets = want.kind == "set"
    full = bool(ins) and any(re.search(rf"{re.escape(v.text)}만\s", unit.text) for v in ins)
    days = bool(ins) and all(v.type == "weekday" for v in ins)
    if not sets and ins and all(v.type != "entity" for v in ins) and not days:
        ins = ins[-1:]
    if cue in ("end", "remove", "add", "list") and (ins or (outs and sets)):
        cue = "none" if cue in ("add", "list") and not sets and start is None else "update"
    if cue == "correction":
        outs = tuple(v for v in outs if v.norm not in {i.norm for i in ins})
    elif not sets and not ins and outs:
        cue, ins, outs = "end", outs, ()
    atom = unit.atom
    modality: Modality = atom.modality
    decided = cue in ("remove", "add", "update") and outs and re.search(r"기로 (?:했|하였|결정)", unit.text)
    if modality == "negated" or (modality == "planned" and ins and (decided or not FUTURE.search(unit.text))):
        modality = "asserted"
    if modality == "planned" and INTENDED.search(question.text):
        modality, start, end = "asserted", None, None  # the plan is asked for, and it is made when it is told
    if modality == "planned" and (start is not None or any(v.type == "date" for v in ins)):
        modality = "asserted"
    main = (*ins, *outs)[:1]
    virtual = replace(
        atom, atom_id=f"{atom.atom_id}:{start.start if start else ''}", values=ins, corrects=outs, cue=cue, many=sets,
        relation=question.relation or "asked", value_type=main[0].type if main else "text", modality=modality,
        exhaustive=sets and (atom.exhaustive or full or (days and cue == "update")),
        kind="fact", polarity=None, stated_start=start, stated_end=end,
    )  # fmt: skip
    return Read(unit, virtual, {v.norm: v.text for v in (*ins, *outs)})


def _usable(argument: Argument, times: Sequence[tuple[int, int]], want: Want) -> bool:
    inside = any(s <= argument.start and argument.end <= e for s, e in times)
    if (
        argument.value.type == "quantity"
        and _fits(argument.value, want.dimensions) is not None
        and "*" not in want.dimensions
    ):
        return True
    if argument.value.type in ("date", "weekday", "clock"):
        stated = argument.role == "attribute" and "*" in want.dimensions
        return argument.value.type in want.dimensions or stated or not inside
    return not inside


def _fits(value: Value, wanted: Sequence[str]) -> int | None:
    """The rank of a value's dimension among those wanted, None when it does not fit."""
    own = dimension(value)
    for rank, dim in enumerate(wanted):
        if (
            dim == own
            or dim == "*"
            or dim == value.type == "identifier"
            or (dim.endswith(":*") and own.startswith(dim[:-1]))
        ):
            return rank
        if dim == "number" and own.startswith("quantity:") and own.split(":")[1] not in ("time", "data", "%"):
            return rank
    return None


def _typed(
    usable: Sequence[Argument], clause: Clause, unit: Unit, want: Want, dimensions: Sequence[str]
) -> list[Argument]:
    """Typed values that fit, those of the best rank; the noun that they count decides between several."""
    fitting = [(rank, a) for a in usable if (rank := _fits(a.value, dimensions)) is not None]
    fitting = [(rank, a) for rank, a in fitting if a.value.type != "entity"]
    if not fitting:
        return []
    labelled = [(rank, a) for rank, a in fitting if _labelled(a, want, clause)]
    pool = labelled if any(not a.old for _, a in labelled) and not _scoped(fitting, want) else fitting
    pool = [(rank, a) for rank, a in pool if not _in_name(a, usable)] or pool
    best = min(rank for rank, _ in pool)
    chosen = [a for rank, a in pool if rank == best]
    if len({a.value.norm for a in chosen if not a.old}) > 1 and not _listed_days(chosen, clause):
        chosen = _by_segment(chosen, clause, unit, want)
    return chosen


def _listed_days(chosen: Sequence[Argument], clause: Clause) -> bool:
    """Whether the values are weekdays in one list ("화요일과 목요일에")."""
    days = [a for a in chosen if not a.old]
    gaps = [clause.text[a.end : b.start] for a, b in itertools.pairwise(days)]
    return all(a.value.type == "weekday" for a in days) and all(LINK.fullmatch(gap) for gap in gaps)


def _scoped(fitting: Sequence[tuple[int, Argument]], want: Want) -> bool:
    """Whether amounts of one unit follow each other ("14 days here and 90 days there"): what is beside them decides."""
    amounts = {dimension(a.value) for _, a in fitting if not a.old}
    return len(fitting) > 1 and len(amounts) == 1 and amounts <= set(want.dimensions) - {"number", "text"}


def _labelled(argument: Argument, want: Want, clause: Clause) -> bool:
    if not want.label:
        return False
    label = want.label.split()[-1].rstrip("s")
    around = clause.text[max(0, argument.start - 14) : argument.end + 18].casefold()
    return label in argument.label or label in around


def _by_segment(chosen: list[Argument], clause: Clause, unit: Unit, want: Want) -> list[Argument]:
    """Of several values, those nearest to the question's words; scopes in the same stretch decide first."""

    shared = " " + clause.text.split()[-1] if clause.language == "ko" else ""  # the verb that all parts lead to

    def score(a: Argument) -> float:
        left = max((m.end() for m in re.finditer(r"[,;:]|\band\b", clause.text[: a.start])), default=0)
        right = next((m.start() + a.end for m in re.finditer(r"[,;]", clause.text[a.end :])), len(clause.text))
        after = min((b.start for b in chosen if b.start >= a.end), default=len(clause.text))
        joined = [m.start() for m in re.finditer(r"\band\b", clause.text[:after]) if a.end <= m.start() < right]
        right = joined[-1] if joined and after < len(clause.text) else right
        subject = next((s.text for s in clause.arguments if s.role == "subject" and s.segment == a.segment), "")
        near = clause.text[left:right] + shared
        if clause.language == "en" and not _own_verb(near, clause.segments[a.segment]):
            near = f"{subject} {near}"
        own = profile(near, clause.language, "", "")
        return sum(w * meets(word, own, near, clause.language) for word, w in want.words.items())

    scores = {a: score(a) for a in chosen}
    best = max(scores.values())
    top = [a for a in chosen if scores[a] == best]
    return [*[a for a in chosen if a.old], *[a for a in top if not a.old][-1:]]


def _own_verb(text: str, segment: Segment) -> bool:
    """Whether a piece of an English clause has its verb again, and so a subject of its own."""
    lemmas = {w.lemma for w in words_of(text, "en")}
    return bool(lemmas & set(segment.verbs)) or bool(re.search(r"\b(?:is|are|was|were|has|have)\b", text))


def _asked(text: str, want: Want, language: str) -> bool:
    """Whether the question itself holds the phrase."""
    words = [w.casefold().strip(".,'’") for w in re.findall(r"[\w'’-]+", text)]
    words = [re.sub(r"['’]s$", "", w) for w in words]
    agent = want.slot == "person" and text[:1].islower()
    return all(w in want.spoken or any(_same(w, s) or (agent and _does(w, s)) for s in want.spoken) for w in words)


def _does(noun: str, verb: str) -> bool:
    """Whether an English noun is the doer of a verb ("maintainer", "maintains")."""
    stem = re.sub(r"(?:ers?|ors?)$", "", noun)
    return stem != noun and len(stem) >= 4 and verb.startswith(stem)


def _same(a: str, b: str) -> bool:
    if a == b or a.rstrip("s") == b.rstrip("s"):
        return True
    hangul = re.search("[가-힣]", a)
    return (
        bool(hangul)
        and len(a) >= 2
        and len(b) >= 2
        and (b.startswith(a) or a.startswith(b) or b.endswith(a))
        and abs(len(a) - len(b)) <= 2
    )


def _named(usable: Sequence[Argument], clause: Clause, unit: Unit, want: Want, part: tuple[int, int]) -> list[Argument]:
    """Noun phrases that may be the value, the best with those coordinated with it, and those that are out."""
    language = clause.language
    numbered = [a for a in usable if _bears_label(a, clause, want)]
    if numbered:
        return numbered
    holder = {w.casefold() for w in re.findall(r"[\w'-]+", unit.atom.holder)}
    scored: list[tuple[float, Argument]] = []
    for argument in usable:
        if argument.value.type not in ("entity",) or _conceded(argument, clause) or WHY.search(argument.text):
            continue
        trimmed = _trim(argument, want, language)
        if trimmed is None or _asked(trimmed.text, want, language) or trimmed.value.norm in EMPTY | TIME_WORDS:
            continue
        if {w.casefold() for w in re.findall(r"[\w'-]+", trimmed.text)} <= holder:
            continue
        told = [o for o in usable if o is not argument and o.start <= argument.start and argument.end <= o.end]
        aside = language == "en" and any(o.role == "subject" and not o.name for o in told)  # "my Corvo badge is gone"
        scored.append((_score(trimmed, clause, want) - (1.5 if aside else 0.0), trimmed))
    scored = _without_parts(scored, want)
    if language == "ko":
        scored = _where_it_went(scored, clause, want)
    if want.slot == "place" and language == "en":  # the thing that is kept is not where it is kept
        there = PLACE_ROLES | {"attribute", "root", "other"}
        scored = [(s, a) for s, a in scored if a.name or a.out or a.role in there]
    if want.slot in ("person", "place") and clause.language == "en" and any(a.name for _, a in scored):
        scored = [(s if a.name or (want.slot == "place" and OWNED.search(a.text)) else s - 1.0, a) for s, a in scored]
    if not scored:
        return _there(unit, clause, part) or _speaker(unit, clause, want)
    inside = [item for item in scored if not item[1].out]
    top = max(inside or scored, key=lambda item: (item[0], -item[1].start))
    group = [
        a
        for s, a in scored
        if a is top[1] or (_coordinated(a, top[1], clause, [b for _, b in scored]) and s >= top[0] - 1.0)
    ]
    if (
        len(group) == 2
        and clause.language == "en"
        and not re.search(r"\b(?:and|or|plus|alongside|as well as)\b|&", clause.text)
    ):
        group = [top[1]]
    if want.kind == "set":
        group += [a for s, a in scored if a.out and a not in group and s >= 0]
        group += [
            a for s, a in scored if not a.out and a not in group and a.segment != top[1].segment and s >= top[0] - 0.5
        ]
    only = {a.segment for a in group if language == "ko" and not a.out and ONLY.match(clause.text, a.end)}
    return sorted((a for a in group if not only or a.out or a.segment in only), key=lambda a: a.start)


WHY = re.compile(r"(?:때문|덕분|탓)$")
ONLY = re.compile(r"만\s")


def _where_it_went(scored: list[tuple[float, Argument]], clause: Clause, want: Want) -> list[tuple[float, Argument]]:
    """Only what stands with what is gone, where that predicate is the one that the question asks of."""

    def asked(argument: Argument) -> bool:
        segment = clause.segments[argument.segment]
        near = clause.text[segment.start : segment.end]
        return any(meets(word, profile(near, "ko", "", ""), near, "ko") >= 0.7 for word in want.words)

    if not any(a.out and clause.segments[a.segment].gone and asked(a) for _, a in scored):
        return scored
    return [(score, a) for score, a in scored if a.out or asked(a) or a.role in ("attribute", "prep:로", "prep:으로")]


def _bears_label(argument: Argument, clause: Clause, want: Want) -> bool:
    """Whether the phrase is the number of the very thing asked for ("Which berth?" "From berth 8")."""
    label = want.label.split()[-1].casefold() if want.label and clause.language == "en" else ""
    if not label or argument.value.type not in ("number", "identifier") or argument.old:
        return False
    before = clause.text[: argument.start].casefold().rstrip().removesuffix("number").rstrip()
    return before.endswith(f" {label}") or argument.text.casefold().startswith(f"{label} ")


def _conceded(argument: Argument, clause: Clause) -> bool:
    """Whether the phrase only names who was right ("Jory had it right", 도윤 님 말씀이 맞네요)."""
    return bool(RIGHT.match(clause.text[argument.end :])) or bool(re.search("(?:말|말씀|얘기)$", argument.text))


def _without_parts(scored: list[tuple[float, Argument]], want: Want) -> list[tuple[float, Argument]]:
    """For a thing the whole phrase ("Reno bike"), for a person or a place the name inside it ("a Corvo resident")."""
    kept = []
    for score, argument in scored:
        others = [a for _, a in scored if a is not argument]
        within = any(
            o.start <= argument.start and argument.end <= o.end and (o.start, o.end) != (argument.start, argument.end)
            for o in others
        )
        holds = any(
            argument.start <= o.start and o.end <= argument.end and o.name and o.role != "owner" for o in others
        )
        if want.slot == "thing" and within and argument.role != "owner":
            continue
        if want.slot == "place" and within and any(OWNED.search(o.text) for o in others if o.start == argument.start):
            continue
        if want.slot in ("person", "place") and holds and not argument.name and not OWNED.search(argument.text):
            continue
        kept.append((score, argument))
    return kept


MYSELF = re.compile(r"^\W*(?:(?:so|and|but|well|now|then) )*I(?:['’](?:m|ve|ll)|\b)")


def _speaker(unit: Unit, clause: Clause, want: Want) -> list[Argument]:
    """Who says of himself what is asked of somebody ("I'm the treasurer"), out when he says that it is over."""
    if want.slot != "person" or clause.language != "en":
        return []
    for number, segment in enumerate(clause.segments):
        near = clause.text[segment.start : segment.end]
        own = profile(near, "en", "", "")
        topics = [word for word, weight in want.words.items() if 0.5 <= weight < 2.0]
        if not MYSELF.match(near) or (segment.negated and not segment.gone):
            continue
        if any(meets(word, own, near, "en") >= 0.7 for word in topics):
            name = entity(unit.atom.holder)
            place = segment.start, segment.start + 1
            return [Argument(*place, unit.atom.holder, name, "subject", True, number, out=segment.gone)]
    return []


def _there(unit: Unit, clause: Clause, part: tuple[int, int]) -> list[Argument]:
    """ "I begin there in May": the last name of the sentence before."""
    found = re.search(r"\b(?:there|with them|for them)\b|거기", clause.text[part[0] : part[1]])
    if not found or not unit.before:
        return []
    names = [a for a in read_clause(unit.before, clause.language).arguments if a.name]
    if not names:
        return []
    last = names[-1]
    return [replace(last, start=found.start(), end=found.end(), segment=0, out=False, old=False)]


def _trim(argument: Argument, want: Want, language: str) -> Argument | None:
    """The phrase without time words, roles and words that the question has, at its edges."""
    parts = list(re.finditer(r"\S+", argument.text))

    def drops(word: str, last: bool) -> bool:
        plain = word.casefold().strip(".,'’")
        if plain in TIME_WORDS:
            return True
        if language == "ko":
            plain = re.sub(r"(?:님|씨)$", "", plain) or plain
            if plain in EMPTY or word in ("님", "씨"):
                return True
            return len(parts) > 1 and (
                plain in want.spoken or (last and bool(concepts(plain, "ko") & _wanted(want, "ko")))
            )
        return len(parts) > 1 and word[:1].islower() and (plain in want.spoken or plain in ("new", "current", "first"))

    left, right = 0, len(parts)
    while left < right and drops(parts[left].group(), False):
        left += 1
    while right > left and drops(parts[right - 1].group(), True):
        right -= 1
    if left >= right:
        return None
    start, end = parts[left].start(), parts[right - 1].end()
    text = argument.text[start:end]
    value = entity(text)
    head = parts[right : right + 1]
    if language == "ko" and head and argument.role in ("prep:에", "prep:에서") and want.slot == "thing":
        return None  # where it is that is asked about ("우리 집 어항에는")
    if language == "ko" and head and head[0].group() in want.spoken and want.slot != "person":
        value = replace(value, text=argument.text[start : head[0].end()])  # shown with the noun that was asked for
    return replace(argument, start=argument.start + start, end=argument.start + end, text=text, value=value)


def _wanted(want: Want, language: str) -> frozenset[str]:
    return frozenset().union(*(concepts(w, language) for w in want.words)) if want.words else frozenset()


def _score(argument: Argument, clause: Clause, want: Want) -> float:
    """How well a phrase's place fits what is asked."""
    segment = clause.segments[argument.segment]
    near = clause.text[segment.start : segment.end]
    own = profile(near, clause.language, "", "")
    score = (
        1.5
        * sum(w * meets(word, own, near, clause.language) for word, w in want.words.items())
        / (sum(want.words.values()) or 1)
    )
    role = argument.role
    score += _antecedent(argument, clause, want)
    if clause.language == "ko":
        if role == "attribute":
            score += 1.5
        elif role in ("prep:으로", "prep:로"):
            score += 1.5 if CHANGE_KO.search(near) else 0.2
        elif role in ("object", "bare", "list"):
            score += 0.8
        elif role in ("prep:에", "prep:에서"):
            score += 1.0 if want.slot == "place" or want.kind == "set" else 0.4
        elif role in ("prep:께", "prep:에게", "prep:한테"):
            score += 1.2 if want.slot == "person" else 0.1
        elif role == "subject":
            score += 1.4 if want.slot == "person" else 0.5
        elif role == "topic" and ONLY.match(clause.text, argument.end):
            score += 1.2
        elif role == "topic":
            score += 1.0 if clause.text[argument.end : argument.end + 1] == "도" else 0.1
        if want.role and role == want.role:
            score += 1.0
        if not argument.out and len(clause.segments) > 1 and is_reason(clause.text, segment):
            score -= 1.0
        return score
    if want.slot == "person":
        score += {
            "subject": 1.2,
            "attribute": 1.3,
            "agent": 1.6,
            "root": 1.0,
            "prep:to": 0.9,
            "owner": 0.6,
            "object": 0.5,
        }.get(role, 0.2)
        score += 1.0 if argument.name else 0.0
        if HANDED & set(segment.verbs) and re.search(r"\bto\b", near):
            score += {"prep:to": 0.6, "subject": -1.2}.get(role, 0.0)
    elif want.slot == "place":
        score += 1.2 if role in PLACE_ROLES else 0.4 if role == "attribute" else 0.2
        score += 0.8 if argument.name else 0.0
    else:
        if role == "prep:to" and segment.gone:
            score -= 2.0  # who got what was given away
        score += {
            "attribute": 1.3,
            "object": 1.2,
            "prep:as": 1.2,
            "root": 1.0,
            "other": 0.4,
            "prep:to": 1.1,
            "prep:on": 0.9,
            "prep:with": 0.8,
            "prep:at": 1.0,
            "prep:for": 0.9,
            "prep:by": 0.8,
            "agent": 0.8,
            "prep:in": 0.6,
            "prep:from": 0.5,
            "subject": 0.6,
        }.get(role, 0.3)
        score += 0.4 if argument.name else 0.0
    return score


def _antecedent(argument: Argument, clause: Clause, want: Want) -> float:
    """A bonus for the last name before a pronoun whose predicate is what is asked ("..., she is our coach now")."""
    if clause.language != "en" or not argument.name:
        return 0.0
    for number, segment in enumerate(clause.segments):
        near = clause.text[segment.start : segment.end]
        if number == argument.segment or argument.end > segment.start or not PRONOUN.match(near):
            continue
        own = profile(near, "en", "", "")
        if sum(w * meets(word, own, near, "en") for word, w in want.words.items()) <= 0:
            continue
        later = [a for a in clause.arguments if a.name and argument.end <= a.start and a.end <= segment.start]
        if not later:
            return 2.0
    return 0.0


LINK = re.compile(
    r"[\s,;&]*(?:(?:and|or|plus|as well as|와|과|랑|이랑|하고|및|그리고|도|에다가?)[\s,]*)*(?:(?:the|a|an|my|our|"
    r"his|her)\s+)?",
    re.I,
)


def _coordinated(a: Argument, b: Argument, clause: Clause, all_found: Sequence[Argument]) -> bool:
    """Whether two phrases stand in one list: nothing but links and other members between them."""
    first, second = sorted((a, b), key=lambda x: x.start)
    if a is b or first.end > second.start or a.out != b.out:
        return False
    if second.role == "subject" and first.segment != second.segment and clause.language == "en":
        return False  # "day one at the mill, and my badge is gone": a clause of its own
    between = clause.text[first.end : second.start]
    for other in all_found:
        if first.end <= other.start and other.end <= second.start:
            between = between.replace(other.text, ",")
    links = re.split(r",", between)
    if not between.strip() or not all(LINK.fullmatch(link) for link in links):
        return False
    return clause.language == "ko" or a.text[:1].isupper() == b.text[:1].isupper()


def _value(argument: Argument, want: Want) -> Value:
    value = argument.value
    if value.type != "entity":
        return value
    norm = value.norm
    if want.slot == "person":
        norm = bare_name(norm)
    if want.slot == "place" and len(norm) > 3 and norm.endswith("생"):
        return Value("entity", norm[:-1], norm[:-1])  # 기숙사생: who lives there
    if re.search("[가-힣]$", norm):
        norm = re.sub(r"(?:님|씨)$", "", norm)
        if len(norm) >= 2 and norm.endswith("이") and (ord(norm[-2]) - 0xAC00) % 28:
            norm = norm[:-1]
            if value.text == f"{norm}이" and (want.slot == "person" or name_like(norm)):
                return Value("entity", norm, norm)
    return Value("entity", norm, value.text)
