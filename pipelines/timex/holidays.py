"""Holidays with a fixed, computed or tabulated date."""

from __future__ import annotations

from datetime import date, timedelta

FIXED: dict[str, tuple[int, int]] = {
    "new_year": (1, 1), "new_year_eve": (12, 31), "epiphany": (1, 6), "groundhog": (2, 2), "valentine": (2, 14),
    "white_day": (3, 14), "st_patrick": (3, 17), "april_fools": (4, 1), "earth_day": (4, 22), "may_day": (5, 1),
    "juneteenth": (6, 19), "canada_day": (7, 1), "independence_us": (7, 4), "bastille": (7, 14), "halloween": (10, 31),
    "all_saints": (11, 1), "guy_fawkes": (11, 5), "veterans": (11, 11), "christmas_eve": (12, 24),
    "christmas": (12, 25), "boxing": (12, 26), "women_day": (3, 8),
    "samiljeol": (3, 1), "arbor_ko": (4, 5), "children_ko": (5, 5), "parents_ko": (5, 8), "teachers_ko": (5, 15),
    "memorial_ko": (6, 6), "constitution_ko": (7, 17), "liberation_ko": (8, 15), "armed_forces_ko": (10, 1),
    "foundation_ko": (10, 3), "hangul": (10, 9), "pepero": (11, 11), "solstice_winter": (12, 22),
}  # fmt: skip
"""Month and day."""

NTH_WEEKDAY: dict[str, tuple[int, int, int]] = {
    "mlk": (1, 0, 3), "presidents": (2, 0, 3), "mothers": (5, 6, 2), "memorial_us": (5, 0, -1), "fathers": (6, 6, 3),
    "labor_us": (9, 0, 1), "columbus": (10, 0, 2), "thanksgiving": (11, 3, 4), "early_may_uk": (5, 0, 1),
    "summer_bank_uk": (8, 0, -1),
}  # fmt: skip
"""Month, weekday (Monday 0), which one (-1 the last)."""

AFTER: dict[str, tuple[str, int]] = {
    "black_friday": ("thanksgiving", 1), "cyber_monday": ("thanksgiving", 4), "good_friday": ("easter", -2),
    "easter_monday": ("easter", 1), "palm_sunday": ("easter", -7), "maundy": ("easter", -3),
    "ash_wednesday": ("easter", -46),
    "shrove_tuesday": ("easter", -47), "ascension": ("easter", 39), "pentecost": ("easter", 49),
    "whit_monday": ("easter", 50), "seollal_eve": ("seollal", -1), "daeboreum": ("seollal", 14),
    "chuseok_eve": ("chuseok", -1),
}  # fmt: skip
"""So many days after another holiday."""

LUNAR: dict[str, dict[int, tuple[int, int]]] = {
    "seollal": {
        2015: (2, 19), 2016: (2, 8), 2017: (1, 28), 2018: (2, 16), 2019: (2, 5), 2020: (1, 25), 2021: (2, 12),
        2022: (2, 1), 2023: (1, 22), 2024: (2, 10), 2025: (1, 29), 2026: (2, 17), 2027: (2, 7), 2028: (1, 27),
        2029: (2, 13), 2030: (2, 3), 2031: (1, 23), 2032: (2, 11), 2033: (1, 31), 2034: (2, 19), 2035: (2, 8),
    },
    "chuseok": {
        2015: (9, 27), 2016: (9, 15), 2017: (10, 4), 2018: (9, 24), 2019: (9, 13), 2020: (10, 1), 2021: (9, 21),
        2022: (9, 10), 2023: (9, 29), 2024: (9, 17), 2025: (10, 6), 2026: (9, 25), 2027: (9, 15), 2028: (10, 3),
        2029: (9, 22), 2030: (9, 12), 2031: (10, 1), 2032: (9, 19), 2033: (9, 8), 2034: (9, 27), 2035: (9, 16),
    },
    "buddha": {
        2015: (5, 25), 2016: (5, 14), 2017: (5, 3), 2018: (5, 22), 2019: (5, 12), 2020: (4, 30), 2021: (5, 19),
        2022: (5, 8), 2023: (5, 27), 2024: (5, 15), 2025: (5, 5), 2026: (5, 24), 2027: (5, 13), 2028: (5, 2),
        2029: (5, 20), 2030: (5, 9), 2031: (5, 28), 2032: (5, 16), 2033: (5, 6), 2034: (5, 25), 2035: (5, 15),
    },
    "dano": {
        2015: (6, 20), 2016: (6, 9), 2017: (5, 30), 2018: (6, 18), 2019: (6, 7), 2020: (6, 25), 2021: (6, 14),
        2022: (6, 3), 2023: (6, 22), 2024: (6, 10), 2025: (5, 31), 2026: (6, 19), 2027: (6, 9), 2028: (5, 28),
        2029: (6, 16), 2030: (6, 5),
    },
}  # fmt: skip
"""Korean lunar holidays by year; outside the table they have no date."""


def easter(year: int) -> date:
    """Western Easter Sunday (anonymous Gregorian computus).

    >>> easter(2025)
    datetime.date(2025, 4, 20)
    """
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth such weekday of a month; -1 is the last.

    >>> nth_weekday(2025, 11, 3, 4)
    datetime.date(2025, 11, 27)
    """
    if nth > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return last - timedelta(days=(last.weekday() - weekday) % 7)


def holiday(name: str, year: int) -> date | None:
    """The date of a holiday in a year, None when it is not known."""
    if not 1600 <= year <= 9990:
        return None
    if name in FIXED:
        return date(year, *FIXED[name])
    if name in NTH_WEEKDAY:
        return nth_weekday(year, *NTH_WEEKDAY[name])
    if name in AFTER:
        other, days = AFTER[name]
        anchor = holiday(other, year)
        return anchor + timedelta(days=days) if anchor else None
    if name in LUNAR:
        month_day = LUNAR[name].get(year)
        return date(year, *month_day) if month_day else None
    return easter(year) if name == "easter" else None
