"""A time expression as parts, coarse to fine, each narrowing the one before it: year, month, week, day, hour.

Both languages read their words into parts ("last year" + "in March", "작년" + "3월"); `settle` alone knows the
calendar, so a kind that works in one language works in the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from pipelines.timex.calendar import (
    Span,
    add_days,
    add_months,
    clamp,
    day_of,
    edge_of,
    half_of,
    month_of,
    months_from,
    quarter_of,
    season_of,
    shift,
    shift_day,
    week_of,
    weekend_of,
    year_of,
)
from pipelines.timex.holidays import holiday, nth_weekday

Tense = Literal["past", "future", "none"]
How = Literal["abs", "rel", "nth", "ago", "open"]
"""abs: the number itself; rel: so many from now's; nth: within its container; ago: so many units away; open: any."""

RANK = {
    "decade": 0, "ago": 1, "span": 1, "year": 2, "half": 3, "season": 3, "quarter": 4, "month": 5, "week": 6,
    "weekend": 7, "holiday": 8, "weekday": 9, "day": 10, "part_of_day": 11, "clock": 12,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of an expression: its unit, how the number is meant, and the number or name."""

    unit: str
    how: How
    number: float = 0
    name: str = ""
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """What an expression is read against."""

    said: datetime
    tense: Tense = "none"
    after: date | None = None
    """The start of a range, which its end follows."""

    @property
    def today(self) -> date:
        """The civil day of saying."""
        return self.said.date()


def nearest(spans: Sequence[Span], context: Context) -> Span | None:
    """Of spans in order, the one that the tense means: the last begun, the next not over, or the closest."""
    today = context.today
    if not spans:
        return None
    if context.after is not None:
        return next((span for span in spans if span.end >= context.after), None)
    if context.tense == "past":
        begun = [span for span in spans if span.start <= today]
        return begun[-1] if begun else spans[0]
    if context.tense == "future":
        ahead = [span for span in spans if span.end >= today]
        return ahead[0] if ahead else spans[-1]
    return min(spans, key=lambda span: (max((span.start - today).days, (today - span.end).days, 0), span.start < today))


def settle(parts: Sequence[Part], context: Context) -> Span | None:
    """The span that the parts mean together, None when they mean none."""
    box: Span | None = None
    if any(part.unit == "day" for part in parts):
        parts = [part for part in parts if part.unit != "weekday" or part.how != "open"]
    for part in sorted(parts, key=lambda part: RANK[part.unit]):
        narrowed = narrow(box, part, context)
        if narrowed is None:
            return None
        box = edge_of(narrowed, part.edge) if part.edge else narrowed
    return box


def narrow(box: Span | None, part: Part, context: Context) -> Span | None:
    """One part inside the span of the coarser ones."""
    today, number = context.today, int(part.number)
    if part.how == "ago" and box is None:
        return shift(context.said, part.name, part.number)
    match part.unit:
        case "span":
            return _stretch(today, part.name, number)
        case "decade":
            return months_from(number, 1, 120, "year")
        case "year":
            return year_of(number if part.how == "abs" else today.year + number)
        case "half":
            return _half(box, part, context)
        case "quarter":
            return _quarter(box, part, context)
        case "season":
            return _season(box, part, context)
        case "month":
            return _month(box, part, context)
        case "week":
            if part.how == "nth" and box:
                return _nth_week(box, number)
            return week_of(add_days(today, 7 * number)) if part.how == "rel" else None
        case "weekend":
            return _weekend(box, part, context)
        case "holiday":
            return _holiday(box, part, context)
        case "weekday":
            return _weekday(box, part, context)
        case "day":
            return _day(box, part, context)
        case "part_of_day":
            return day_of(box.start if box else add_days(today, number), "part_of_day")
        case "clock":
            return day_of(box.start if box else today, "hour" if part.name == "hour" else "minute")
    return None


def _stretch(today: date, unit: str, count: int) -> Span:
    """The last or the next so many units, up to or from the day of saying."""
    other = shift_day(today, unit, count)
    grain = {"year": year_of(1).grain, "month": month_of(today).grain, "week": week_of(today).grain}.get(unit, "day")
    return Span(other, today, grain) if count < 0 else Span(add_days(today, 1), other, grain)


def _half(box: Span | None, part: Part, context: Context) -> Span | None:
    if part.how == "rel":
        return half_of(add_months(context.today, 6 * int(part.number)))
    first = 1 if part.number == 1 else 7
    if box:
        return _half_inside(box, int(part.number))
    year = context.today.year
    return nearest([months_from(y, first, 6, "half") for y in (year - 1, year, year + 1)], context)


def _half_inside(box: Span, number: int) -> Span:
    """The first or second half of a year, a month, a quarter or any other span."""
    if box.grain == "year" and box.start.month == 1:
        return months_from(box.start.year, 1 if number == 1 else 7, 6, "half")
    middle = add_days(box.start, (box.end - box.start).days // 2)
    return Span(box.start, middle, box.grain) if number == 1 else Span(add_days(middle, 1), box.end, box.grain)


def _quarter(box: Span | None, part: Part, context: Context) -> Span | None:
    if part.how == "rel":
        return quarter_of(add_months(context.today, 3 * int(part.number)))
    first = 3 * int(part.number) - 2
    if box:
        return months_from(box.start.year, first, 3, "quarter")
    year = context.today.year
    return nearest([months_from(y, first, 3, "quarter") for y in (year - 1, year, year + 1)], context)


def _season(box: Span | None, part: Part, context: Context) -> Span | None:
    today, number = context.today, int(part.number)
    if box:
        return season_of(box.start.year, part.name)
    spans = [season_of(y, part.name) for y in range(today.year - 6, today.year + 7)]
    if part.how != "rel":
        return nearest(spans, context)
    if number < 0:
        over = [span for span in spans if span.end < today]
        return over[number] if len(over) >= -number else None
    running = [span for span in spans if span.start <= today <= span.end]
    if number == 0:
        return running[0] if running else season_of(today.year, part.name)
    ahead = [span for span in spans if span.start > today and (span.start.year > today.year or part.name == "winter")]
    return ahead[number - 1] if len(ahead) >= number else None


def _month(box: Span | None, part: Part, context: Context) -> Span | None:
    today, number = context.today, int(part.number)
    if part.how == "open":
        return month_of(clamp(box.start.year if box else today.year, today.month, 1))
    if part.how == "rel" and not part.name:
        return month_of(add_months(box.start if box else today, number))
    if (box and box.grain == "year") or (box and (box.end - box.start).days > 32):
        month = month_of(clamp(box.start.year, int(part.name or number), 1))
        return month if box.start <= month.start <= box.end else month_of(clamp(box.end.year, int(part.name), 1))
    index = int(part.name or number)
    spans = [month_of(clamp(y, index, 1)) for y in range(today.year - 3, today.year + 4)]
    if part.how == "rel" and number < 0:
        over = [span for span in spans if span.end < today]
        return over[number]
    if part.how == "rel" and number > 0:
        return [span for span in spans if span.start > today][number - 1]
    if part.how == "rel":
        return month_of(clamp(today.year, index, 1))
    return nearest(spans, context)


def _nth_week(box: Span, number: int) -> Span:
    """The nth Monday week of a month: week 1 holds its first Thursday; -1 is the last."""
    if number < 0:
        last = week_of(box.end)
        return last if add_days(last.start, 3) <= box.end else week_of(add_days(last.start, -7))
    first = week_of(box.start)
    if add_days(first.start, 3) < box.start:
        first = week_of(add_days(first.start, 7))
    return week_of(add_days(first.start, 7 * (number - 1)))


def _weekend(box: Span | None, part: Part, context: Context) -> Span | None:
    today = context.today
    if box and part.how == "nth":
        saturdays = nth_weekday(box.start.year, box.start.month, 5, int(part.number))
        return Span(saturdays, add_days(saturdays, 1), "weekend")
    if box:
        return weekend_of(box.start)
    if part.how == "rel":
        return weekend_of(add_days(today, 7 * int(part.number)))
    back = -1 if context.tense == "past" and today.weekday() < 5 else 0
    return weekend_of(add_days(context.after or today, 7 * back))


def _holiday(box: Span | None, part: Part, context: Context) -> Span | None:
    today = context.today
    if box and box.grain == "year":
        day = holiday(part.name, box.start.year)
        return day_of(day) if day else None
    days = [day for y in range(today.year - 2, today.year + 3) if (day := holiday(part.name, y))]
    if part.how == "rel" and part.number:
        chosen = [d for d in days if d < today][-1:] if part.number < 0 else [d for d in days if d > today][:1]
        return day_of(chosen[0]) if chosen else None
    if part.how == "rel":
        this = [d for d in days if d.year == today.year]
        return day_of(this[0]) if this else None
    return nearest([day_of(day) for day in days], context)


def _weekday(box: Span | None, part: Part, context: Context) -> Span | None:
    today, index, number = context.today, int(part.name), int(part.number)
    if box and part.how == "nth":
        return day_of(nth_weekday(box.start.year, box.start.month, index, number))
    if box and box.grain in ("week", "weekend"):
        return day_of(add_days(week_of(box.start).start, index))
    if box and box.grain == "day" and part.how == "open":
        return box
    ahead, back = (index - today.weekday()) % 7, (today.weekday() - index) % 7
    if context.after is not None:
        return day_of(add_days(context.after, (index - context.after.weekday()) % 7))
    if part.how == "rel" and number < 0:
        return day_of(add_days(today, -(back or 7) + 7 * (number + 1)))
    if part.how == "rel" and number > 1:
        return day_of(add_days(today, (ahead or 7) + 7 * (number - 1)))
    if part.how == "rel":
        return day_of(add_days(week_of(today).start, index + 7 * number))
    if part.name and part.how == "nth":
        return None
    if context.tense == "past":
        return day_of(add_days(today, -(back or 7)))
    return day_of(add_days(today, ahead or 7 if context.tense == "future" else ahead))


def _day(box: Span | None, part: Part, context: Context) -> Span | None:
    today, number = context.today, int(part.number)
    if part.how == "ago":
        return day_of(shift_day(box.start if box else today, part.name, number))
    if part.how == "rel":
        return day_of(add_days(today, number))
    if box and part.how == "nth" and number < 0:
        return day_of(add_days(box.end, number + 1))
    if box and box.grain == "month":
        day = clamp(box.start.year, box.start.month, number)
        return day_of(day) if day.day == number else None
    months = [add_months(clamp(today.year, today.month, 1), n) for n in range(-2, 14)]
    spans = [day_of(day) for m in months if (day := clamp(m.year, m.month, number)).day == number]
    return nearest(spans, context) if 1 <= number <= 31 else None
