"""Answers: only values valid at the asked time, with holders, evidence and a trace; stale values never.

The question picks the statements that it is about (`relevance`), each is read for what is asked (`reading`), and
the same fold that writes the ledger puts them in order. What the ledger's own keys say comes first; reading
relative to the question is what lets a relation that no registry names be answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

from lakehouse.records import Atom, Question, Validity, Value
from lakehouse.vocabulary import Language
from pipelines.fold import fold_key, judges
from pipelines.frame import units as measures
from pipelines.frame.arguments import read_clause
from pipelines.frame.ellipsis import in_currency
from pipelines.frame.numbers import in_digits
from pipelines.frame.values import dimension
from pipelines.holders import NONE
from pipelines.instants import said, zone_of
from pipelines.sets import OUT
from pipelines.timex import find
from retrieval import turned
from retrieval.happened import asks_what_happened
from retrieval.happened import records as records_of
from retrieval.memory import Memory
from retrieval.opinion import opinion
from retrieval.reading import Read, read
from retrieval.relevance import NAME, Unit, relevance, select, units_of
from retrieval.want import Want, want_of
from retrieval.yesno import read_yesno, without_state

ASKED = "0" * 32
"""The key under which statements are folded together for one question."""


FEW_KEYS = 5
"""Things that one question can mean at most: where more give a value, it has met none of them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered, in one of the forms of the contract, with one sentence and its evidence."""

    value: str | None
    polarity: str | None
    values: tuple[str, ...]
    status: str | None
    text: str
    holders: tuple[str, ...]
    valid: tuple[str | None, str | None] | None
    evidence: tuple[tuple[str, str], ...]
    trace: tuple[str, ...]

    def answer(self) -> dict[str, Any]:
        """{"value", "polarity"?} | {"values"} | {"status", "values"?}"""
        if self.status is not None:
            return {"status": self.status, **({"values": list(self.values)} if self.values else {})}
        if self.value is None:
            return {"values": list(self.values)}
        return {"value": self.value, **({"polarity": self.polarity} if self.polarity else {})}

    def as_json(self) -> dict[str, Any]:
        """The JSON form of the command line's contract."""
        return {
            "answer": self.answer(),
            "text": self.text,
            "holders": list(self.holders),
            "valid": list(self.valid) if self.valid else None,
            "evidence": [{"turn_id": turn, "quote": quote} for turn, quote in self.evidence],
            "trace": list(self.trace),
        }


def answer(
    question: Question, memory: Memory, as_of: datetime | None = None, as_told: datetime | None = None,
    as_known: str | None = None,
) -> Answer:  # fmt: skip
    """Answer one question, as `asked_plainly` does; one that is another question turned is answered by that one."""

    def ask(other: Question, then: datetime | None = as_of) -> Answer:
        return asked_plainly(other, memory, then, as_told, as_known)

    if (back := turned.earlier(question)) is not None:
        return _earlier(back, ask, as_of)
    if (verified := turned.of_value(question)) is not None and (told := _verified(question, *verified, ask)):
        return told
    found = ask(question)
    if (begun := turned.since(question)) is not None and not _is_date(found, question):
        verified = turned.of_value(begun)
        return _since((_verified(begun, *verified, ask) if verified else None) or ask(begun)) or found
    if found.status == "unknown" and (counted := turned.members(question)) is not None:
        return _counted(ask(counted), question) or found
    return found


def _verified(question: Question, plain: Question, value: Value, ask: Callable[[Question], Answer]) -> Answer | None:
    """Yes or no, by the value that holds; None where no single value does."""
    found = ask(plain)
    if found.value is None:
        return None
    yes = turned.same(value, found.value, question.language)
    word = ("네" if yes else "아니요") if question.language == "ko" else ("yes" if yes else "no")
    text = f"{word}: {found.text}"
    return replace(found, value=word, polarity=None, text=text, trace=(*found.trace, f"asked as: {plain.text}"))


def _earlier(back: turned.Earlier, ask: Callable[..., Answer], as_of: datetime | None) -> Answer:
    """The value before the present one, or before the one that the question names."""
    found = ask(back.question, back.until or as_of)
    if back.until is not None:
        return found
    named = back.named.casefold()
    passed = not named
    for _ in range(turned.STEPS):
        begun = found.valid[0] if found.valid else None
        passed = passed or (found.value is not None and named in found.value.casefold())
        if begun is None:
            break
        found = ask(back.question, datetime.fromisoformat(begun))
        if passed:
            break
    return found


def _since(found: Answer) -> Answer | None:
    """The day on which what is answered began."""
    begun = CIVIL_DAY.search(found.text)  # the day of the document's own zone; `valid` is an instant
    if begun is None or found.value in ("no", "아니요"):
        return None
    return replace(found, value=begun[1], polarity=None)


CIVIL_DAY = re.compile(r" since (\d{4}-\d\d-\d\d)(?=, says )")
"""The day that `_sentence` gives."""


def _is_date(found: Answer, question: Question) -> bool:
    """Whether an answer tells a time."""
    language: Language = "ko" if question.language == "ko" else "en"
    return found.value is not None and bool(find(found.value, datetime(2000, 1, 1), language))


def _counted(found: Answer, question: Question) -> Answer | None:
    """How many members a set has."""
    names = found.values or ((found.value,) if found.value else ())
    if found.status is not None or not names:
        return None
    number = f"{len(names)}명" if question.language == "ko" else str(len(names))
    return replace(found, value=number, values=(), text=f"{number}: {', '.join(names)}.")


def asked_plainly(
    question: Question, memory: Memory, as_of: datetime | None = None, as_told: datetime | None = None,
    as_known: str | None = None,
) -> Answer:  # fmt: skip
    """Answer one question.

    `as_of` is an instant of valid time (the end of a civil day, exclusive; None: the question's own date, else
    after the newest document), `as_told` leaves out what was said later, `as_known` is a run and the memory's to apply.
    """
    atoms = [a for a in memory.near(question, as_known) if as_told is None or said(a) < as_told]
    codes = {code.casefold() for code in CODE.findall(question.text)}
    atoms = [a for a in atoms if a.modality != "hypothetical" and (not codes or codes <= _codes(a))]
    want = without_state(want_of(question), question)
    if question.holder:
        atoms = [a for a in atoms if any(_named(question.holder, who) for who in (a.holder, *_passed(a)))]
    if want.kind == "opinion":
        return opinion_answer(question, want, atoms, as_of)
    if asks_what_happened(question):
        return _happened(records_of(question, atoms, as_of))
    records = [a for a in atoms if not judges(a) or a.cue in ("correction", "retract")]
    units = select(units_of(records), question, want)
    units = _priced(units) if "money" in want.dimensions else units
    reads = [r for u in units for r in _read(u, question, want)]
    if not reads and len(records) < len(atoms):
        units = [u for u in select(units_of(atoms), question, want) if relevance(u, question, want)[0] >= 0.7]
        reads = [r for u in units for r in _read(u, question, want)]
    if want.kind == "value" and not want.one and any(len(r.atom.values) > 1 for r in reads):
        want = replace(want, kind="set")
        reads = [r for u in units for r in _read(u, question, want)]
    reads = [r for r in reads if not any(_is_code(v, codes) for v in r.atom.values)]
    reads = _without_asides(_without_promises(reads), question, want)
    reads = _taken_back(_one_kind(reads, question, want))
    trace = [f"want {want.kind} {','.join(want.dimensions)}", f"statements {len(units)}", f"read {len(reads)}"]
    if want.kind != "yesno" and len({memory.key(r.unit.atom) for r in reads if r.atom.values}) > FEW_KEYS:
        return _searched(question, memory, as_known, [*trace, "too many things meet the question"])
    if not reads:
        return _searched(question, memory, as_known, trace)
    return from_rows(fold_key([r.atom for r in reads], ASKED), reads, question, want, as_of, trace)


def from_rows(
    rows: Sequence[Validity], reads: Sequence[Read], question: Question, want: Want, as_of: datetime | None,
    trace: Sequence[str] = (),
) -> Answer:  # fmt: skip
    """What validity rows answer at the asked time; `reads` are the statements that they were folded from."""
    valid, when = _at(rows, reads, question, as_of)
    return _compose(valid, rows, reads, question, want, [*trace, f"rows {len(rows)} valid {len(valid)} {when}"])


CODE = re.compile(r"\b[A-Z]{2,}-\d{2,}\b")
"""The code of one of many ("RFC-2119"): a statement about another of them is no answer."""


def _codes(atom: Atom) -> set[str]:
    """The codes that a statement names."""
    told = " ".join((atom.content, *(evidence.quote for evidence in atom.evidence)))
    return {code.casefold() for code in CODE.findall(told)}


def _priced(units: Sequence[Unit]) -> list[Unit]:
    """Units that name no currency, in the one that the others name ("the price went up to 7.50")."""
    amounts = [v for unit in units for atom in unit.atoms for v in atom.values if v.type == "money"]

    def priced(unit: Unit, atom: Atom) -> Atom:
        values = tuple(in_currency(v, unit.text, amounts) or v for v in atom.values)
        return replace(atom, values=values)

    return [
        unit
        if not amounts or any(v.type == "money" for atom in unit.atoms for v in atom.values)
        else replace(unit, atoms=tuple(priced(unit, atom) for atom in unit.atoms))
        for unit in units
    ]


def _read(unit: Unit, question: Question, want: Want) -> list[Read]:
    return read_yesno(unit, question, want) if want.kind == "yesno" else read(unit, question, want)


def _one_kind(reads: list[Read], question: Question, want: Want) -> list[Read]:
    """Only values that may be compared: those of the kind that the most relevant statement has."""
    if want.kind == "yesno" or len({_kind(r) for r in reads if r.atom.values}) < 2:
        return reads
    lead = max(
        (r for r in reads if r.atom.values), key=lambda r: (relevance(r.unit, question, want)[0], r.atom.atom_id)
    )
    own = _kind(lead)
    return [r for r in reads if not r.atom.values or _kind(r) == own]


def _kind(read: Read) -> str:
    """The value dimension; counts with and without a counter are one."""
    own = dimension(read.atom.values[0])
    counted = own.startswith("quantity:") and own.split(":")[1] not in measures.DIMENSION.values()
    return "number" if counted else own


def _is_code(value: Value, codes: Collection[str]) -> bool:
    """Whether a value only says again which one is meant ("RFC-2119", "2119")."""
    told = value.text.casefold()
    return any(code in told or told == code.rpartition("-")[2] for code in codes)


def _without_promises(reads: list[Read]) -> list[Read]:
    """Without values that are only promised: the same turn dates them ("Signed with X! I start there on ...")."""

    def dated(read: Read) -> bool:
        return any(
            other is not read and other.atom.document == read.atom.document and other.atom.stated_start is not None
            and {v.norm for v in other.atom.values} & {v.norm for v in read.atom.values}
            for other in reads
        )  # fmt: skip

    return [r for r in reads if r.atom.stated_start is not None or r.atom.stated_end is not None or not dated(r)]


def _taken_back(reads: list[Read]) -> list[Read]:
    """What somebody passed on from nobody named as his own, where he corrects it himself later."""
    right = {r.atom.holder: said(r.atom) for r in reads if r.atom.cue == "correction" and r.atom.values}

    def own(read: Read) -> Read:
        teller_ = next(iter(_passed(read.atom)[-1:]), "")
        late = right.get(teller_)
        taken = late is not None and said(read.atom) < late
        return replace(read, atom=replace(read.atom, holder=teller_, relay=())) if taken else read

    return [own(read) for read in reads]


POINTS = re.compile(r"\b(?:it|they|he|she|there|this|that|instead|them|him|her)\b", re.I)
"""Words by which a sentence goes on with what the one before named."""


def _without_asides(reads: list[Read], question: Question, want: Want) -> list[Read]:
    """Without values of a sentence that has no word of the question, where the same text gives one in its words.

    "Ana runs the stall today; Bo went to the shop": where Bo went is beside the question of who runs the stall.
    """
    if want.kind == "set" or question.language != "en":
        return reads

    def asked(read: Read) -> bool:
        met = relevance(read.unit, question, want)[1]
        return any(met[word] >= 0.5 for word, weight in want.words.items() if 0.5 <= weight < NAME)

    told = {(r.atom.document, r.atom.holder) for r in reads if r.atom.values and asked(r)}
    return [
        r
        for r in reads
        if r.atom.cue in ("correction", "retract")
        or not r.atom.values
        or POINTS.search(r.unit.text)
        or not any(a.role == "subject" for a in read_clause(r.unit.text, "en").arguments)
        or (r.atom.document, r.atom.holder) not in told
        or asked(r)
    ]


def _passed(atom: Atom) -> tuple[str, ...]:
    """Who passed on what nobody is named for: his words, as far as it is known."""
    return tuple(atom.relay) if atom.holder == "unknown" else ()


def _named(holder: str, who: str) -> bool:
    """Whether a holder goes by a name: "Mr. Brandt" is "Customer Brandt"."""
    asked = {w for w in re.findall(r"[\w'-]+", holder.casefold()) if w not in ("mr", "mrs", "ms", "dr", "the")}
    own = set(re.findall(r"[\w'-]+", who.casefold()))
    if re.search("[가-힣]", holder):
        bare = re.sub(r"(?:이|씨|님|네)$", "", holder)
        return bare in who or who in holder
    return bool(asked & own)


def end_of(span_end: str) -> datetime:
    """The instant after a civil day."""
    return datetime.combine(datetime.fromisoformat(span_end[:10]).date() + timedelta(days=1), time(), UTC)


def _at(
    rows: Sequence[Validity], reads: Sequence[Read], question: Question, as_of: datetime | None
) -> tuple[list[Validity], str]:
    """The rows that hold at the asked time, and which time that was."""
    if as_of is not None:
        return [r for r in rows if holds(r, as_of)], f"as of {as_of.isoformat()}"
    newest = max((said(r.atom) for r in reads), default=None)
    if question.as_of is not None:
        moment = end_of(question.as_of.end)
        valid = [r for r in rows if holds(r, moment)]
        if valid:
            return valid, f"as of {question.as_of.end}"
    if newest is None:
        return [r for r in rows if r.valid_to is None], "open"
    moment = max(newest + timedelta(microseconds=1), newest)
    return [r for r in rows if holds(r, moment)], "after the newest document"


def holds(row: Validity, moment: datetime | None) -> bool:
    """Whether the row holds just before `moment`; None asks for what holds after everything known."""
    if moment is None:
        return row.valid_to is None
    return (row.valid_from is None or row.valid_from < moment) and (row.valid_to is None or row.valid_to >= moment)


def _compose(
    valid: list[Validity],
    rows: Sequence[Validity],
    reads: Sequence[Read],
    question: Question,
    want: Want,
    trace: list[str],
) -> Answer:
    shown: dict[str, str] = {}
    for norm, text in sorted((n, t) for r in reads for n, t in r.spoken.items()):
        shown[norm] = max(shown.get(norm, ""), text, key=len)
    inside = [r for r in valid if r.value.norm != NONE and not r.value.norm.startswith(OUT)]
    if not valid:
        return unknown("nothing is known to hold then", trace)
    quotes = _evidence(valid, reads)
    holders = tuple(sorted({h for r in valid for h in r.holders}))
    if want.kind == "set" or (rows and rows[0].many):
        values = tuple(_show(shown.get(r.value.norm, r.value.text), question) for r in sorted(inside, key=_age))
        if len(values) == 1 and want.kind != "set":
            return Answer(
                values[0],
                None,
                (),
                None,
                _sentence(inside[0], values[0], reads),
                holders,
                _span(inside[0]),
                quotes,
                tuple(trace),
            )
        return Answer(
            None,
            None,
            values,
            None if values else "none",
            ", ".join(values) or "None.",
            holders,
            None,
            quotes,
            tuple(trace),
        )
    if not inside:
        return Answer(
            None, None, (), "none", f"None: {valid[0].opened_because}.", holders, _span(valid[0]), quotes, tuple(trace)
        )
    words = [_say_value(r, shown, question, want) for r in sorted(inside, key=_age)]
    if len({r.value.norm for r in inside}) > 1:
        text = (
            "Contested: "
            + "; ".join(f"{', '.join(r.holders)} says {w}" for r, w in zip(inside, words, strict=True))
            + "."
        )
        return Answer(None, None, tuple(words), "contested", text, holders, None, quotes, tuple(trace))
    row = inside[0]
    return Answer(words[0], None, (), None, _sentence(row, words[0], reads), holders, _span(row), quotes, tuple(trace))


def _age(row: Validity) -> tuple[str, str]:
    return (row.valid_from.isoformat() if row.valid_from else "", row.value.norm)


def _say_value(row: Validity, shown: dict[str, str], question: Question, want: Want) -> str:
    if row.value.type == "yesno" and row.value.norm in ("yes", "no"):
        if want.label in ("상태", "status"):
            return (
                {"yes": "켜짐", "no": "꺼짐"}[row.value.norm]
                if question.language == "ko"
                else {"yes": "on", "no": "off"}[row.value.norm]
            )
        if question.language == "ko":
            return "네" if row.value.norm == "yes" else "아니요"
        return row.value.norm
    counted = want.dimensions[:1] == ("number",) and re.fullmatch(r"\d+(?:st|nd|rd|th)", row.value.text)
    if (
        row.value.type == "number"
        and question.language == "en"
        and (counted or not re.search(r"\d|floor|level", row.value.text))
    ):
        return row.value.norm
    if row.value.type == "weekday" and question.language == "en":
        return re.sub(r"days$", "day", row.value.text)
    if (
        row.value.type == "clock"
        and question.language == "en"
        and not re.search(r"\d|noon|midnight|midday", row.value.text)
    ):
        return row.value.norm.lstrip("0") if not row.value.norm.startswith("00") else row.value.norm
    if row.value.type == "money" and row.value.norm == "0":
        return "무료" if question.language == "ko" else "free"
    if row.value.type in ("money", "quantity"):
        words = shown.get(row.value.norm, row.value.text)  # "an hour" is one hour
        return in_digits(words) if question.language == "en" else words
    return _show(shown.get(row.value.norm, row.value.text), question)


def _show(text: str, question: Question) -> str:
    if question.language == "ko" and EVERY.search(question.text):
        text = text.removesuffix("마다")
    return re.sub(r"^(?:the|a|an|my|our|his|her|their)\s+", "", text, flags=re.I) if question.language == "en" else text


EVERY = re.compile(r"몇\s?[가-힣]+마다")
"""A question that has the "every" of its answer."""


def _sentence(row: Validity, value: str, reads: Sequence[Read]) -> str:
    """The value, since which civil day of its document, and who says so."""
    zone = next((zone_of(r.atom) for r in reads if r.atom.atom_id in row.opened_by), UTC)
    since = f" since {row.valid_from.astimezone(zone).date().isoformat()}" if row.valid_from else ""
    return f"{value}{since}, says {', '.join(row.holders)}."


def _span(row: Validity) -> tuple[str | None, str | None]:
    return (row.valid_from.isoformat() if row.valid_from else None, row.valid_to.isoformat() if row.valid_to else None)


def _evidence(rows: Sequence[Validity], reads: Sequence[Read]) -> tuple[tuple[str, str], ...]:
    wanted = {a for row in rows for a in row.atoms}
    return tuple(
        dict.fromkeys((e.turn_id, e.quote) for r in reads if r.atom.atom_id in wanted for e in r.atom.evidence)
    )


def unknown(why: str, trace: Sequence[str] = ()) -> Answer:
    """Nothing that was said answers it."""
    return Answer(None, None, (), "unknown", "Not known.", (), None, (), (*trace, why))


def _happened(told: Sequence[Atom]) -> Answer:
    """The records as sentences with their evidence; the first is the value."""
    if not told:
        return unknown("no record says what happened", ())
    quotes = tuple(dict.fromkeys((e.turn_id, e.quote) for atom in told for e in atom.evidence))
    first = told[0]
    when = first.event_time.start if first.event_time else first.said_at
    return Answer(
        first.content, None, (), None, " ".join(dict.fromkeys(atom.content for atom in told)),
        tuple(dict.fromkeys(atom.holder for atom in told)), (when, None), quotes, ("records",),
    )  # fmt: skip


def _searched(question: Question, memory: Memory, as_known: str | None, trace: list[str]) -> Answer:
    """No frame meets the question: the best matching sentence is shown as such, never as a value."""
    best = next(iter(memory.search(question.text, as_known)), None)
    if best is None:
        return unknown("no statement shares a word with the question", trace)
    quotes = tuple((e.turn_id, e.quote) for e in best.evidence)
    text = f"Not known; the nearest that was said: {best.content}"
    return Answer(
        None, None, (), "unknown", text, (best.holder,), None, quotes, (*trace, "no key met: nearest sentence")
    )


def opinion_answer(question: Question, want: Want, atoms: Sequence[Atom], as_of: datetime | None) -> Answer:
    """What somebody thinks of something: judging claims first, his latest at the asked time."""
    return from_views(opinion(question, want, atoms), question, as_of)


def from_views(views: Sequence[Atom], question: Question, as_of: datetime | None) -> Answer:
    """What views of one thing (`opinion.view`) answer at the asked time, each holder's folded on its own."""
    if not views:
        return unknown("nobody is known to have said what he thinks of it")
    rows = [row for holder in sorted({v.holder for v in views})
            for row in fold_key([replace(v, kind="fact") for v in views if v.holder == holder], ASKED)]  # fmt: skip
    moment = as_of or (end_of(question.as_of.end) if question.as_of else None)
    valid = [r for r in rows if holds(r, moment)] if moment else [r for r in rows if r.valid_to is None]
    if not valid:
        return unknown("no opinion was known then")
    quotes = tuple(
        dict.fromkeys((e.turn_id, e.quote) for r in valid for v in views if v.atom_id in r.atoms for e in v.evidence)
    )
    row = valid[-1]
    if len(valid) > 1 and len({r.polarity for r in valid}) > 1:
        text = "; ".join(f"{', '.join(r.holders)}: {r.value.text}" for r in valid)
        told = tuple(h for r in valid for h in r.holders)
        return Answer(None, None, tuple(r.value.text for r in valid), "contested", text, told,
                      None, quotes, ("opinions",))  # fmt: skip
    text = f"{', '.join(row.holders)} finds it {row.value.text}."
    return Answer(row.value.text, row.polarity, (), None, text, row.holders, _span(row), quotes, ("opinion",))
