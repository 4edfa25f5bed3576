"""Calendar arithmetic: spans of civil time by unit. Weeks start on Monday, winter in December."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from lakehouse.records import TimeSpan
from lakehouse.vocabulary import Grain

SEASON_MONTH = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
"""The first month of each season (northern); winter of year Y runs into February of Y+1."""


@dataclass(frozen=True, slots=True)
class Span:
    """Days from `start` to `end`, both inclusive, with the unit that the words gave."""

    start: date
    end: date
    grain: Grain

    def as_time(self) -> TimeSpan:
        """The record form."""
        return TimeSpan(self.start.isoformat(), self.end.isoformat(), self.grain)


def clamp(year: int, month: int, day: int) -> date:
    """That day, or the month's last when it has fewer; years outside 1-9999 are pulled in."""
    year = min(max(year, 1), 9999)
    return date(year, month, min(max(day, 1), monthrange(year, month)[1]))


def add_months(day: date, months: int) -> date:
    """The same day so many months on, or that month's last day.

    >>> add_months(date(2025, 3, 31), -1)
    datetime.date(2025, 2, 28)
    """
    index = day.year * 12 + day.month - 1 + months
    return clamp(index // 12, index % 12 + 1, day.day)


def add_days(day: date, days: int) -> date:
    """`day` moved by `days`, held inside the calendar's own range."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def months_from(year: int, month: int, count: int, grain: Grain) -> Span:
    """The span of `count` whole months from that month."""
    start = clamp(year, month, 1)
    return Span(start, add_days(add_months(start, count), -1), grain)


def year_of(year: int) -> Span:
    """A calendar year."""
    return months_from(year, 1, 12, "year")


def month_of(day: date) -> Span:
    """The month that holds the day."""
    return months_from(day.year, day.month, 1, "month")


def quarter_of(day: date) -> Span:
    """The quarter that holds the day."""
    return months_from(day.year, (day.month - 1) // 3 * 3 + 1, 3, "quarter")


def half_of(day: date) -> Span:
    """The half-year that holds the day."""
    return months_from(day.year, 1 if day.month < 7 else 7, 6, "half")


def season_of(year: int, name: str) -> Span:
    """A season of a year.

    >>> season_of(2024, "winter").end
    datetime.date(2025, 2, 28)
    """
    return months_from(year, SEASON_MONTH[name], 3, "season")


def week_of(day: date) -> Span:
    """The Monday week that holds the day."""
    monday = add_days(day, -day.weekday())
    return Span(monday, add_days(monday, 6), "week")


def weekend_of(day: date) -> Span:
    """Saturday and Sunday of the day's Monday week."""
    monday = add_days(day, -day.weekday())
    return Span(add_days(monday, 5), add_days(monday, 6), "weekend")


def day_of(day: date, grain: Grain = "day") -> Span:
    """One day."""
    return Span(day, day, grain)


def shift(moment: datetime, unit: str, count: float) -> Span:
    """What lies `count` units away, as wide as the unit: months ago is a month, days ago a day.

    >>> shift(datetime(2025, 6, 18, 20), "week", -3).start
    datetime.date(2025, 5, 26)
    """
    today = moment.date()
    whole = int(count)
    if unit in ("second", "minute", "hour"):
        seconds = {"second": 1, "minute": 60, "hour": 3600}[unit] * count
        try:
            day = (moment + timedelta(seconds=seconds)).date()
        except OverflowError:
            day = today
        return day_of(day, "hour" if unit == "hour" and count == whole else "minute")
    if unit == "year" and count != whole:
        return month_of(add_months(today, round(count * 12)))
    if unit == "year":
        return year_of(today.year + whole)
    if unit == "decade":
        return year_of(today.year + 10 * whole)
    if unit == "quarter":
        return quarter_of(add_months(today, 3 * whole))
    if unit == "month" and count != whole:
        return week_of(add_days(today, round(count * 30)))
    if unit == "month":
        return month_of(add_months(today, whole))
    if unit in ("week", "fortnight"):
        days = round((7 if unit == "week" else 14) * count)
        return week_of(add_days(today, days))
    if unit == "weekend":
        return weekend_of(add_days(today, 7 * whole))
    if unit == "night":
        return day_of(add_days(today, whole), "part_of_day")
    return day_of(add_days(today, whole))


def shift_day(day: date, unit: str, count: int) -> date:
    """The same day of the calendar so many units away ("a year ago today")."""
    if unit == "year":
        return add_months(day, 12 * count)
    if unit in ("month", "quarter"):
        return add_months(day, (1 if unit == "month" else 3) * count)
    return add_days(day, {"week": 7, "fortnight": 14}.get(unit, 1) * count)


def edge_of(span: Span, edge: str) -> Span:
    """The early, middle or late part of a span, in whole months of a year and whole days of a month.

    >>> edge_of(month_of(date(2025, 2, 3)), "late").start
    datetime.date(2025, 2, 21)
    """
    year = span.start.year
    if span.grain == "year":
        first, count = {"early": (1, 3), "mid": (5, 4), "late": (10, 3)}[edge]
        return months_from(year, first, count, "month")
    if span.grain == "month":
        month = span.start.month
        first, last = {"early": (1, 10), "mid": (11, 20), "late": (21, 31)}[edge]
        return Span(clamp(year, month, first), clamp(year, month, last), "month")
    if span.grain in ("season", "quarter"):
        return month_of(add_months(span.start, {"early": 0, "mid": 1, "late": 2}[edge]))
    return span
