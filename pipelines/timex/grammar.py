"""How words become groups of parts: the scan, the joining of neighbours, ranges and offsets, for both languages.

A language gives a `Lexicon`: patterns with the parts that they mean, what may stand between two parts of one
expression, and how a range is said. Everything else is here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from pipelines.needed import any_of, folded, may_match
from pipelines.timex.calendar import Span, day_of, month_of, shift_day, week_of, year_of
from pipelines.timex.parts import RANK, Context, Part, Tense, settle

Reading = tuple[Part, ...] | None
Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], Reading]]


@dataclass(frozen=True, slots=True)
class Token:
    """A run of text that means parts."""

    start: int
    end: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A time expression with what it means."""

    start: int
    end: int
    span: Span


@dataclass(frozen=True, slots=True)
class Lexicon:
    """A language's words for time."""

    rules: Sequence[Rule]
    gap: re.Pattern[str]
    """Text that may stand between two parts of one expression."""
    range_open: re.Pattern[str]
    """Text before a range ("from", "between"), matched up to its end."""
    range_middle: re.Pattern[str]
    """Text between the two ends of a range."""
    range_close: re.Pattern[str]
    """Text that belongs to a range and follows it ("까지")."""
    range_number: re.Pattern[str]
    """A bare day number that ends a range ("3 June to 6")."""
    since_before: re.Pattern[str]
    since_after: re.Pattern[str]
    repeated_before: re.Pattern[str]
    """Text before an expression that makes it a habit ("every"), which has no date."""
    repeated_after: re.Pattern[str]
    offset_before: re.Pattern[str]
    """An offset from the date that follows ("two days before Christmas"): groups n, unit, side."""
    offset_after: re.Pattern[str]
    """An offset from the date before it ("설날 이틀 전")."""
    number: Callable[[str], float | None]
    unit: Callable[[str], str]
    tense: Callable[[str, int, int], Tense]
    starts: str
    """A pattern of no width: whether a word may begin at that place."""
    anything: re.Pattern[str] = field(init=False)
    """Any of the rules' patterns, in one step."""
    begins: re.Pattern[str] = field(init=False)
    """The same where a word may begin."""
    needs: tuple[str, ...] = field(init=False)
    """Letters of which a text without time holds none, mostly."""

    def __post_init__(self) -> None:
        bodies = (re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern) for pattern, _ in self.rules)
        whole = re.compile("|".join(f"(?:{body})" for body in bodies), self.rules[0][0].flags)
        object.__setattr__(self, "anything", whole)
        object.__setattr__(self, "begins", re.compile(rf"{self.starts}(?:{whole.pattern})", whole.flags))
        object.__setattr__(self, "needs", any_of(pattern for pattern, _ in self.rules))


def scan(text: str, lexicon: Lexicon) -> list[Token]:
    """The tokens of a text: at each place the longest pattern, left to right."""
    tokens: list[Token] = []
    if not may_match(lexicon.needs, folded(text)):
        return tokens
    place = 0
    while (found := _next(text, place, lexicon, bool(tokens) and place == tokens[-1].end)) is not None:
        place = found
        best: Token | None = None
        for pattern, read in lexicon.rules:
            match = pattern.match(text, place)
            if match and match.end() > (best.end if best else place):
                parts = read(match)
                if parts is not None:
                    best = Token(place, match.end(), parts)
        if best is None:
            place += 1
            continue
        tokens.append(best)
        place = best.end
    return tokens


def _next(text: str, place: int, lexicon: Lexicon, behind: bool) -> int | None:
    """The next place where an expression may begin; `behind`: right behind another one it may begin inside a word."""
    if behind:
        for near in (place, place + 1):
            if near == place + 1 and text[place : place + 1] not in ("-", "–", "~"):
                break
            if lexicon.anything.match(text, near):
                return near
    match = lexicon.begins.search(text, place)
    return match.start() if match else None


def fits(left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether two readings may narrow one another: no unit twice, a weekday only beside a date or a week."""
    units = {part.unit for part in left} | {part.unit for part in right}
    if len(units) < len(left) + len(right):
        day = [part for part in (*left, *right) if part.unit == "day"]
        return len(day) == 2 and {part.how for part in day} == {"ago", "rel"}
    ranks = {RANK[part.unit] for part in (*left, *right)}
    if "ago" in units and "holiday" in units:
        return False
    if ("weekend" in units and "weekday" in units) or ("ago" in units and "clock" in units):
        return False
    return len(ranks) == len(units) or units <= {"day", "weekday"}


def join(text: str, tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """Neighbouring tokens that narrow one another, as one."""
    joined: list[Token] = []
    for token in tokens:
        if joined:
            left = joined[-1]
            gap = text[left.end : token.start]
            if lexicon.gap.fullmatch(gap) and fits(left.parts, token.parts):
                joined[-1] = Token(left.start, token.end, tuple(_bind(left.parts, token.parts)))
                continue
        joined.append(token)
    return joined


def _bind(left: Sequence[Part], right: Sequence[Part]) -> list[Part]:
    """Both readings; an "ago" of weeks before a weekday, or beside "today", moves the day itself."""
    parts = [*left, *right]
    agos = [part for part in parts if part.unit == "ago"]
    if agos and any(part.unit == "day" and part.how == "rel" for part in parts):
        ago = agos[0]
        base = next(part for part in parts if part.unit == "day")
        return [base, Part("day", "ago", ago.number, ago.name)]
    return parts


def complete(left: tuple[Part, ...], right: tuple[Part, ...]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The two ends of a range, each with the coarser parts that only the other one names."""

    def borrow(own: tuple[Part, ...], other: tuple[Part, ...]) -> tuple[Part, ...]:
        finest = min((RANK[part.unit] for part in own), default=99)
        units = {part.unit for part in own}
        if units & {"weekday", "weekend", "ago", "holiday"} or any(part.how == "rel" for part in own):
            return own
        return (*own, *(part for part in other if RANK[part.unit] < finest and part.unit not in units))

    return borrow(left, right), borrow(right, left)


def read(text: str, lexicon: Lexicon, context: Context, whole: bool = False) -> list[Hit]:
    """Every time expression of a text with its span. `whole`: the text is an expression, so a bare clock counts."""
    tokens = join(text, scan(text, lexicon), lexicon)
    hits: list[Hit] = []
    done = 0
    for index, token in enumerate(tokens):
        if token.start < done:
            continue
        before, after = text[: token.start], text[token.end :]
        if lexicon.repeated_before.search(before[-40:]) or lexicon.repeated_after.match(after):
            continue
        local = (
            context if context.tense != "none" else replace(context, tense=lexicon.tense(text, token.start, token.end))
        )
        right = tokens[index + 1] if index + 1 < len(tokens) else None
        number = _range_number(text, token, lexicon)
        if number and not (right and right.start < number.end < right.end):
            right = number
        if right is not None:
            opened = lexicon.range_open.search(before[-24:])
            middle = text[token.end : right.start]
            if lexicon.range_middle.fullmatch(middle) and (opened or middle.strip() not in ("and", "와", "과", "랑")):
                hit = _range(text, token, right, lexicon, local, opened)
                if hit:
                    hits.append(hit)
                    done = hit.end
                    continue
        hit = _single(text, token, lexicon, local, whole)
        if hit:
            hits.append(hit)
            done = hit.end
    return hits


def _range_number(text: str, token: Token, lexicon: Lexicon) -> Token | None:
    """The bare number that ends a range which began with a month and a day."""
    if not any(part.unit == "day" and part.how == "nth" for part in token.parts):
        return None
    middle = lexicon.range_middle.match(text, token.end)
    match = lexicon.range_number.match(text, middle.end()) if middle and middle.group().strip() != "and" else None
    if match is None or not 1 <= int(match["n"]) <= 31:
        return None
    return Token(match.start(), match.end(), (Part("day", "nth", int(match["n"])),))


def _range(
    text: str, left: Token, right: Token, lexicon: Lexicon, context: Context, opened: re.Match[str] | None
) -> Hit | None:
    within_day = {"clock", "part_of_day"}
    if {part.unit for part in right.parts} <= within_day and not {part.unit for part in left.parts} & within_day:
        return None
    first_parts, last_parts = complete(left.parts, right.parts)
    first = settle(first_parts, context)
    if first is None:
        return None
    last = settle(last_parts, replace(context, after=first.start)) or settle(last_parts, context)
    if last is None:
        return None
    if last.end < first.start and any(p.unit == "year" for p in left.parts) is False:
        earlier = [replace(p, number=p.number - 1) if p.unit == "year" else p for p in first_parts]
        first = settle(earlier, context) or first
    if last.end < first.start:
        return None
    close = lexicon.range_close.match(text, right.end)
    start = left.start - (len(opened.group()) if opened else 0)
    grain = last.grain if RANK.get(last.grain, 9) >= RANK.get(first.grain, 9) else first.grain
    return Hit(max(start, 0), close.end() if close else right.end, Span(first.start, last.end, grain))


def _single(text: str, token: Token, lexicon: Lexicon, context: Context, whole: bool) -> Hit | None:
    units = {part.unit for part in token.parts}
    if units <= {"clock"} and not whole:
        return None
    if units == {"part_of_day"} and all(part.how == "open" for part in token.parts) and not whole:
        return None
    start, end = token.start, token.end
    since = lexicon.since_before.search(text[:start][-12:])
    behind = lexicon.since_after.match(text, end)
    if since:
        context = replace(context, tense="past")
    span = settle(token.parts, context)
    if span is None:
        return None
    offset = lexicon.offset_before.search(text[:start])
    follows = lexicon.offset_after.match(text, end)
    if offset and (moved := _offset(offset, span, lexicon)):
        return Hit(offset.start(), end, moved)
    if follows and (moved := _offset(follows, span, lexicon)):
        return Hit(start, follows.end(), moved)
    if since and span.start < context.today:
        return Hit(start - len(since.group()), end, Span(span.start, context.today, span.grain))
    if (behind and span.start < context.today and span.end < context.today) or (
        behind and _running(span, context.today)
    ):
        return Hit(start, behind.end(), Span(span.start, context.today, span.grain))
    return Hit(start, behind.end() if behind else end, span)


def _running(span: Span, today: date) -> bool:
    return span.grain in ("year", "season", "quarter", "month") and span.start < today <= span.end


def _offset(match: re.Match[str], span: Span, lexicon: Lexicon) -> Span | None:
    """The day, week, month or year that lies so far before or after a date; "the week of" holds it."""
    groups = match.groupdict()
    side = groups.get("side") or groups.get("eve") or ""
    if side == "of":
        return week_of(span.start) if lexicon.unit(match["unit"]) == "week" else None
    count = lexicon.number(groups.get("n") or "1")
    if count is None:
        return None
    unit = lexicon.unit(groups.get("unit") or "")
    back = side in ("before", "전")
    day = shift_day(span.start if back else span.end, unit, int(-count if back else count))
    return {"year": year_of(day.year), "month": month_of(day), "week": week_of(day)}.get(unit, day_of(day))
