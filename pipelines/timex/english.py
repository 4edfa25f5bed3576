"""English words for time, as patterns with the parts that they mean."""

from __future__ import annotations

import re
from collections.abc import Callable

from pipelines.timex.grammar import Lexicon, Reading, Rule
from pipelines.timex.parts import How, Part
from pipelines.timex.tense import english_tense

SMALL = {
    word: number
    for number, word in enumerate(
        ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
         " seventeen eighteen nineteen twenty").split()
    )
}  # fmt: skip
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
ORDINALS = {
    word: number + 1
    for number, word in enumerate(
        ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
         " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth").split()
    )
} | {"twenty-first": 21, "twenty-second": 22, "twenty-third": 23, "twenty-fourth": 24, "twenty-fifth": 25,
     "twenty-sixth": 26, "twenty-seventh": 27, "twenty-eighth": 28, "twenty-ninth": 29, "thirtieth": 30,
     "thirty-first": 31, "last": -1}  # fmt: skip
MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
    "october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7,
    "aug": 8, "sept": 9, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6, "mon": 0,
    "tues": 1, "tue": 1, "weds": 2, "wed": 2, "thurs": 3, "thur": 3, "thu": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
SEASONS = {
    "spring": "spring", "springtime": "spring", "summer": "summer", "summertime": "summer", "autumn": "autumn",
    "fall": "autumn", "winter": "winter", "wintertime": "winter",
}  # fmt: skip
UNITS = {
    "sec": "second", "second": "second", "min": "minute", "minute": "minute", "hr": "hour", "hour": "hour",
    "day": "day", "night": "night", "week": "week", "wk": "week", "weekend": "weekend", "fortnight": "fortnight",
    "month": "month", "mo": "month", "quarter": "quarter", "year": "year", "yr": "year", "decade": "decade",
}  # fmt: skip
RELATIVE = {
    "last": -1, "past": -1, "previous": -1, "prior": -1, "this": 0, "current": 0, "this past": -1, "the past": -1,
    "this coming": 1, "next": 1, "coming": 1, "the coming": 1, "upcoming": 1, "following": 1, "the following": 1,
    "this current": 0, "the current": 0, "the previous": -1, "the last": -1, "the next": 1, "this next": 1,
    "this last": -1,
}  # fmt: skip
EDGES = {
    "early": "early",
    "early in": "early",
    "late": "late",
    "late in": "late",
    "mid": "mid",
    "the start of": "early",
    "the beginning of": "early",
    "start of": "early",
    "beginning of": "early",
    "the middle of": "mid",
    "middle of": "mid",
    "the end of": "late",
    "end of": "late",
    "towards the end of": "late",
    "mid-": "mid",
}
HOLIDAYS = {
    "christmas eve": "christmas_eve", "xmas eve": "christmas_eve", "christmas": "christmas", "xmas": "christmas",
    "christmas day": "christmas", "xmas day": "christmas", "boxing day": "boxing", "new year's eve": "new_year_eve",
    "new years eve": "new_year_eve", "nye": "new_year_eve", "new year's day": "new_year", "new years day": "new_year",
    "new year's": "new_year", "new year day": "new_year", "valentine's day": "valentine",
    "valentines day": "valentine",
    "valentine's": "valentine", "st. patrick's day": "st_patrick", "st patrick's day": "st_patrick",
    "saint patrick's day": "st_patrick", "april fools' day": "april_fools", "april fool's day": "april_fools",
    "april fools": "april_fools", "earth day": "earth_day", "may day": "may_day", "juneteenth": "juneteenth",
    "canada day": "canada_day", "independence day": "independence_us", "the fourth of july": "independence_us",
    "4th of july": "independence_us", "bastille day": "bastille", "halloween": "halloween", "hallowe'en": "halloween",
    "all saints' day": "all_saints", "guy fawkes night": "guy_fawkes", "bonfire night": "guy_fawkes",
    "veterans day": "veterans", "veteran's day": "veterans", "remembrance day": "veterans",
    "martin luther king day": "mlk", "mlk day": "mlk", "presidents day": "presidents", "presidents' day": "presidents",
    "mother's day": "mothers", "mothers day": "mothers", "father's day": "fathers", "fathers day": "fathers",
    "memorial day": "memorial_us", "labor day": "labor_us", "labour day": "may_day", "columbus day": "columbus",
    "thanksgiving": "thanksgiving", "thanksgiving day": "thanksgiving", "black friday": "black_friday",
    "cyber monday": "cyber_monday", "easter": "easter", "easter sunday": "easter", "easter monday": "easter_monday",
    "good friday": "good_friday", "palm sunday": "palm_sunday", "ash wednesday": "ash_wednesday",
    "shrove tuesday": "shrove_tuesday", "pancake day": "shrove_tuesday", "ascension day": "ascension",
    "pentecost": "pentecost", "whit monday": "whit_monday", "international women's day": "women_day",
    "valentine day": "valentine", "st paddy's day": "st_patrick", "st. paddy's day": "st_patrick",
    "saint patricks day": "st_patrick", "st patricks day": "st_patrick", "mardi gras": "shrove_tuesday",
    "maundy thursday": "maundy", "chinese new year's day": "seollal", "lunar new year's day": "seollal",
    "new years": "new_year", "epiphany": "epiphany", "groundhog day": "groundhog", "lunar new year": "seollal",
    "chuseok": "chuseok",
    "seollal": "seollal", "chinese new year": "seollal",
}  # fmt: skip
PARTS_OF_DAY = (
    "morning|afternoon|evening|night|lunchtime|lunch time|midday|dawn|dusk|mornin|arvo|breakfast|noon|midnight"
)


def choice(table: dict[str, object] | dict[str, int] | dict[str, str]) -> str:
    """The words of a table as one alternation, longest first."""
    return "|".join(re.escape(word).replace(r"\ ", " ") for word in sorted(table, key=len, reverse=True))


NUMBER = (
    r"(?:\d{1,4}(?:\.\d)?|a couple of|a couple|couple of|half an?|an?|"
    + "|".join(f"{ten}(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?" for ten in TENS)
    + "|" + "|".join(sorted((w for w in SMALL if w != "twenty"), key=len, reverse=True)) + ")"
)  # fmt: skip
UNIT = (
    "(?:secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|nights?|weekends?"
    "|weeks?|wks?|fortnights?|months?|quarters?|years?|yrs?|decades?)"
)
MONTH = f"(?:{choice(MONTHS)})" + r"\b\.?"
WEEKDAY = f"(?:{choice(WEEKDAYS)})" + r"\b\.?"
ORDINAL = r"(?:\d{1,2}(?:st|nd|rd|th)|" + choice(ORDINALS) + ")"
YEAR = r"(?:1[5-9]\d\d|20\d\d)"
EDGE = f"(?P<edge>{choice(EDGES)})?[ -]?"
REL = f"(?P<rel>{choice(RELATIVE)})"


def number(text: str) -> float | None:
    """A count in digits or words.

    >>> number("twenty-one"), number("a couple of"), number("half an")
    (21, 2, 0.5)
    """
    text = text.strip().lower()
    if text in ("a", "an"):
        return 1
    if text.startswith("half"):
        return 0.5
    if "couple" in text:
        return 2
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text) if "." in text else int(text)
    tens, _, ones = text.replace("-", " ").partition(" ")
    if tens in TENS:
        return TENS[tens] + SMALL.get(ones, 0)
    return SMALL.get(text)


def unit(text: str) -> str:
    """The unit of a plural or an abbreviation."""
    text = text.lower()
    return UNITS.get(text) or UNITS.get(text.rstrip("s"), "day")


def ordinal(text: str) -> int:
    """Which one: "3rd", "third", "last" (-1)."""
    digits = re.match(r"\d+", text)
    return int(digits.group()) if digits else ORDINALS.get(text, 0)


def full_year(text: str) -> int:
    """A year of two or four digits; two digits mean 1970 to 2069."""
    value = int(text)
    return value if value >= 100 else value + (2000 if value < 70 else 1900)


def day_month(first: int, second: int) -> tuple[int, int] | None:
    """Day and month of 14/08 or 07/25: day first where both readings are dates."""
    if 1 <= second <= 12 and 1 <= first <= 31:
        return first, second
    if 1 <= first <= 12 and 1 <= second <= 31:
        return second, first
    return None


def _edge(match: re.Match[str]) -> str:
    return EDGES.get((match.groupdict().get("edge") or "").strip(), "")


def _ago(sign: int) -> Callable[[re.Match[str]], Reading]:
    def reading(match: re.Match[str]) -> Reading:
        count = number(match["n"])
        if count is None:
            return None
        if match.groupdict().get("half"):
            count += 0.5
        return (Part("ago", "ago", sign * count, unit(match["unit"])),)

    return reading


def _relative_unit(match: re.Match[str]) -> Reading:
    offset, kind = RELATIVE[match["rel"]], unit(match["unit"])
    if kind in ("night",):
        return (Part("part_of_day", "rel", offset),)
    if kind in ("year", "quarter", "month", "week", "weekend"):
        return (Part(kind, "rel", offset, edge=_edge(match)),)
    return None


def _beyond(match: re.Match[str]) -> Reading:
    """The week before last, the summer before last, the month after next."""
    offset = -2 if match["way"] == "before last" else 2
    word = match["what"].rstrip(".")
    if word in SEASONS:
        return (Part("season", "rel", offset, SEASONS[word]),)
    if word in WEEKDAYS:
        return (Part("weekday", "rel", offset, str(WEEKDAYS[word])),)
    kind = unit(word)
    return (Part("part_of_day", "rel", offset),) if kind == "night" else (Part(kind, "rel", offset),)


def _relative_name(match: re.Match[str]) -> Reading:
    """Last Friday, next March, this summer, last Christmas."""
    offset, word = RELATIVE[match["rel"]], match["what"].rstrip(".")
    if word in WEEKDAYS:
        if match["rel"] in ("coming", "this coming", "the coming", "upcoming"):
            return (Part("weekday", "open", 0, str(WEEKDAYS[word])),)
        return (Part("weekday", "rel", offset, str(WEEKDAYS[word])),)
    if word in MONTHS:
        return (Part("month", "rel", offset, str(MONTHS[word]), _edge(match)),)
    if word in SEASONS:
        return (Part("season", "rel", offset, SEASONS[word], _edge(match)),)
    return (Part("holiday", "rel", offset, HOLIDAYS[word]),)


def _month(match: re.Match[str]) -> Reading:
    groups = match.groupdict()
    name = match["month"].rstrip(".")
    parts = [Part("month", "abs", MONTHS[name], str(MONTHS[name]), _edge(match))]
    if groups.get("day"):
        day = ordinal(groups["day"])
        if not 1 <= day <= 31:
            return None
        parts.append(Part("day", "nth", day))
    if groups.get("yy"):
        parts.append(Part("year", "abs", full_year(groups["yy"])))
    if groups.get("year"):
        parts.append(Part("year", "abs", full_year(groups["year"])))
    return tuple(parts)


def _numeric(match: re.Match[str]) -> Reading:
    pair = day_month(int(match["a"]), int(match["b"]))
    if pair is None:
        return None
    day, month = pair
    parts = [Part("month", "abs", month, str(month)), Part("day", "nth", day)]
    year = match.groupdict().get("year")
    return (*parts, Part("year", "abs", full_year(year))) if year else tuple(parts)


def _iso(match: re.Match[str]) -> Reading:
    month, day = int(match["month"]), match.groupdict().get("day")
    if not 1 <= month <= 12:
        return None
    parts = [Part("year", "abs", int(match["year"])), Part("month", "abs", month, str(month))]
    return (*parts, Part("day", "nth", int(day))) if day else tuple(parts)


def _nth(match: re.Match[str]) -> Reading:
    """The first Monday, the last week, the third quarter - of what follows, or of "the month"."""
    groups = match.groupdict()
    which, word = ordinal(match["which"]), match["what"].rstrip(".")
    of = (Part(unit(groups["of"]), "rel", 0),) if groups.get("of") else ()
    if word in WEEKDAYS:
        return (Part("weekday", "nth", which, str(WEEKDAYS[word])), *of)
    kind = "quarter" if word == "qtr" else unit(word)
    if kind == "quarter":
        return (Part("quarter", "abs", which), *_year_part(match), *of) if 1 <= which <= 4 else None
    return (Part(kind if kind in ("week", "weekend") else "day", "nth", which), *of)


def _stretch(match: re.Match[str]) -> Reading:
    """The last two weeks, the next three days: up to or from now."""
    count = number(match["n"])
    if not count or unit(match["unit"]) not in ("day", "week", "month", "year"):
        return None
    sign = 1 if match["way"] in ("next", "coming", "following") else -1
    return (Part("span", "rel", sign * count, unit(match["unit"])),)


def _quarter(match: re.Match[str]) -> Reading:
    return (Part("quarter", "abs", int(match["q"])), *_year_part(match))


def _half(match: re.Match[str]) -> Reading:
    which = {"1": 1, "2": 2, "first": 1, "second": 2, "1st": 1, "2nd": 2}[match["h"]]
    return (Part("half", "abs", which), *_year_part(match))


def _year_part(match: re.Match[str]) -> tuple[Part, ...]:
    year = match.groupdict().get("year")
    return (Part("year", "abs", full_year(year)),) if year else ()


def _season(match: re.Match[str]) -> Reading:
    how: How = "abs"
    return (Part("season", how, 0, SEASONS[match["season"]], _edge(match)), *_year_part(match))


def _holiday(match: re.Match[str]) -> Reading:
    return (Part("holiday", "open", 0, HOLIDAYS[match["name"]]), *_year_part(match))


def _clock(match: re.Match[str]) -> Reading:
    groups = match.groupdict()
    if int(groups.get("hour") or 0) > 24 or int(groups.get("minute") or 0) > 59:
        return None
    return (Part("clock", "open", name="minute" if groups.get("minute") else "hour"),)


def part(kind: str, how: How, count: float = 0, name: str = "", edge: str = "") -> Callable[[re.Match[str]], Reading]:
    """A reading that is the same whenever its words match."""
    fixed = (Part(kind, how, count, name, edge),)
    return lambda match: fixed


TABLE: tuple[tuple[str, Callable[[re.Match[str]], Reading], str], ...] = (
    # pattern, reading, example
    (r"(?:later |earlier )?today", part("day", "rel", 0), "today"),
    (r"yesterday|yday|yest\b", part("day", "rel", -1), "yesterday"),
    (r"tomorrow|tomorow|tmrw|tmr|2moro", part("day", "rel", 1), "tomorrow"),
    (r"(?:the )?day before yesterday", part("day", "rel", -2), "the day before yesterday"),
    (r"(?:the )?day after tomorrow", part("day", "rel", 2), "the day after tomorrow"),
    (r"tonight|tonite", part("part_of_day", "rel", 0), "tonight"),
    (r"last night", part("part_of_day", "rel", -1), "last night"),
    (r"this (?:very )?(?:morning|afternoon|evening|lunchtime)", part("part_of_day", "rel", 0), "this morning"),
    (
        r"(?:on the |in the |at |the )?(?:early |late |mid-?)?(?:" + PARTS_OF_DAY + r")(?: of)?",
        part("part_of_day", "open"),
        "on the morning of",
    ),
    (r"(?:over|at|on|during) the weekend", part("weekend", "open"), "over the weekend"),
    (rf"(?P<n>{NUMBER}) (?P<unit>{UNIT})(?P<half> and a half)? (?:ago|back|earlier)\b", _ago(-1), "three weeks ago"),
    (rf"(?P<n>{NUMBER})(?P<half> and a half) (?P<unit>{UNIT}) (?:ago|back)\b", _ago(-1), "two and a half years ago"),
    (rf"in (?:about |another |just )?(?P<n>{NUMBER}) (?P<unit>{UNIT})(?:'s?|s')?(?: time)?\b", _ago(1), "in ten days"),
    (rf"(?P<n>{NUMBER}) (?P<unit>{UNIT}) (?:from now|from today|hence)", _ago(1), "three days from now"),
    (rf"{EDGE}{REL} (?P<unit>{UNIT})\b", _relative_unit, "last month"),
    (
        rf"(?:later|earlier|sometime|some time|so far) (?P<rel>this|next|last) (?P<unit>{UNIT})\b",
        _relative_unit,
        "later this month",
    ),
    (
        (
            "(?P<edge>the end of|end of|the start of|the beginning of|beginning of"
            "|start of|the middle of) (?P<rel>)(?:the )?(?P<unit>month|year|week"
            r"|quarter)\b"
        ),
        lambda m: (Part(unit(m["unit"]), "rel", 0, edge=_edge(m)),),
        "the end of the month",
    ),
    (
        rf"(?:the )?(?P<what>{UNIT}|{choice(SEASONS)}|{WEEKDAY}) (?P<way>before last|after next)",
        _beyond,
        "the summer before last",
    ),
    (
        (
            f"{EDGE}{REL} (?P<what>{MONTH}|{WEEKDAY}|(?:{choice(SEASONS)}|{choice(HOLIDAYS)}"
            r")\b)"
        ),
        _relative_name,
        "last Friday",
    ),
    (rf"{WEEKDAY}", lambda m: (Part("weekday", "open", 0, str(WEEKDAYS[m.group().rstrip(".")])),), "Friday"),
    (
        (
            f"{EDGE}(?:the month of )?(?P<month>{MONTH}) (?:the )?(?P<day>{ORDINAL}"
            rf"|\d{{1,2}})(?![\d:]|[a-z]*\d)(?:(?:,|,? of)? (?P<year>{YEAR}))?\b"
        ),
        _month,
        "March 3rd, 2024",
    ),
    (
        (
            rf"(?:the )?(?P<day>{ORDINAL}|\d{{1,2}})[ -]?(?:of )?(?P<month>{MONTH})(?:[,-]?"
            rf" ?(?:of )?(?P<year>{YEAR}))?\b"
        ),
        _month,
        "6 June 1958",
    ),
    (rf"(?P<a>)(?P<day>\d{{1,2}})[-/. ](?P<month>{MONTH})[-/. ](?P<year>{YEAR}|\d\d)\b", _month, "31-Oct-74"),
    (rf"{EDGE}(?P<month>{MONTH})(?:,? (?:of )?(?P<year>{YEAR})|,? '(?P<yy>\d\d))?\b", _month, "November 2024"),
    (rf"(?P<a>\d{{1,2}}) ?[/.] ?(?P<b>\d{{1,2}}) ?[/.] ?(?P<year>{YEAR}|\d\d)\b(?![./]\d)", _numeric, "14/08/2025"),
    (rf"(?P<a>\d{{1,2}})-(?P<b>\d{{1,2}})-(?P<year>{YEAR})\b", _numeric, "14-08-2025"),
    (r"(?P<a>\d{1,2})/(?P<b>\d{1,2})(?![\d/:.]| of)", _numeric, "on 25/12"),
    (rf"(?P<year>{YEAR})[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})(?!\d|[-./]\d)", _iso, "2025-04-17"),
    (rf"(?P<year>{YEAR})-(?P<month>\d\d)(?![-\d])", _iso, "2025-04"),
    (
        rf"(?:in |the year |back in |year |of |during )+{EDGE}(?P<year>{YEAR})(?![-.:/]?\d|%)\b",
        lambda m: (Part("year", "abs", int(m["year"]), edge=_edge(m)),),
        "in 2011",
    ),
    (
        rf"{EDGE}(?P<year>{YEAR})(?![-.:/,]?\d|%)\b",
        lambda m: (Part("year", "abs", int(m["year"]), edge=_edge(m)),),
        "2019",
    ),
    (
        r"(?:in |back in |since )?the (?P<cent>1[89]|20)?(?P<dec>\d)0'?s\b",
        lambda m: (
            Part("decade", "abs", int(m["cent"] or ("20" if m["dec"] in "012" else "19")) * 100 + 10 * int(m["dec"])),
        ),
        "the 1990s",
    ),
    (
        (
            f"(?:the )?(?P<which>{ORDINAL}) (?P<what>quarter|qtr)(?:,? (?:of )?(?P<year>{YEAR}"
            r"))?\b"
        ),
        _nth,
        "4th quarter 2018",
    ),
    (
        (
            f"(?:the )?(?P<which>{ORDINAL}) (?P<what>week|weekend|day|{WEEKDAY}) (?:of"
            r"|in) (?:the )?(?P<of>month|year|quarter)\b"
        ),
        _nth,
        "the first Monday of the month",
    ),
    (
        (
            f"(?:the )?(?P<which>{ORDINAL}) (?P<what>week|weekend|day|{WEEKDAY}) (?:of"
            "|in) (?=(?:the |next |last |this |early |late )*"
            rf"(?:month|quarter|year|{choice(MONTHS)}|{choice(SEASONS)}|20))\b"
        ),
        _nth,
        "the last Monday of March",
    ),
    (
        (
            f"(?:over |in |for |during )?the (?P<way>last|past|next|coming|following) (?P<n>{NUMBER}"
            rf") (?P<unit>{UNIT})\b"
        ),
        _stretch,
        "the last two weeks",
    ),
    (rf"(?P<way>last|past|next) (?P<n>{NUMBER}) (?P<unit>{UNIT})\b", _stretch, "past 3 days"),
    (rf"q ?(?P<q>[1-4])(?:[ ,/-]*(?:of )?(?P<year>{YEAR}|\d\d\b))?\b", _quarter, "Q4 2025"),
    (rf"(?P<year>{YEAR})[ -/]?q(?P<q>[1-4])\b", _quarter, "2025Q4"),
    (rf"h(?P<h>[12])(?: (?:of )?(?P<year>{YEAR}))?\b", _half, "H1 2024"),
    (
        (
            f"(?:the )?(?P<h>first|second|1st|2nd) half(?: of|(?= (?:{YEAR}))|(?=[.,;!?)]"
            rf"|$))(?: (?P<year>{YEAR}))?\b"
        ),
        _half,
        "the first half of 2024",
    ),
    (
        (
            "(?P<edge>early |late |mid[- ]?|the start of |the end of )?(?:in |the )*(?P<season>"
            rf"{choice(SEASONS)})\b(?:,? (?:of )?(?P<year>{YEAR}))?\b"
        ),
        _season,
        "the summer of 2024",
    ),
    (rf"(?P<name>{choice(HOLIDAYS)})(?:(?: of)? (?P<year>{YEAR}))?\b", _holiday, "Christmas 2024"),
    (
        (
            r"(?:at |@ ?|around |by |about )*(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d))? ?(?:a\.?m\.?"
            r"|p\.?m\.?)(?![a-z])"
        ),
        _clock,
        "at 3 pm",
    ),
    (
        (
            r"(?:at |@ ?|around |by |about )*(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d)?(?:"
            r" hrs| h|h)?(?![\d:])"
        ),
        _clock,
        "at 14:35",
    ),
    (r"at (?P<hour>\d{1,2})(?: o'?clock)?(?![\d:./%,]|\w)", _clock, "at 3"),
    (
        (
            r"(?:at )?(?:half past|quarter (?:past|to)|half) (?:\d{1,2}|one|two|three"
            "|four|five|six|seven|eight|nine|ten|eleven|twelve|noon)"
        ),
        part("clock", "open", name="minute"),
        "half past nine",
    ),
    (
        r"(?:at )?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) o'?clock",
        part("clock", "open", name="hour"),
        "nine o'clock",
    ),
    (
        (
            r"(?:the )?(?P<day>\d{1,2}(?:st|nd|rd|th))(?= of (?:the |this |next |last )"
            r"|[.,;!?)]|$| (?:at|and|to|in|for|because|when|before|after|or)\b)"
        ),
        lambda m: (Part("day", "nth", ordinal(m["day"])),),
        "the 5th",
    ),
    (
        r"the (?P<day>first|third|fourth|fifth|tenth|twentieth)(?= of (?:the|this|next|last|every) (?:month))",
        lambda m: (Part("day", "nth", ordinal(m["day"])),),
        "the first of next month",
    ),
    (
        (
            r"(?P<day>\d{1,2}(?:st|nd|rd|th)?)(?= ?(?:to|-|–|until|through|and"
            rf"|till) ?\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH})"
        ),
        lambda m: (Part("day", "nth", ordinal(m["day"])),),
        "12 to 16 May",
    ),
    (r"(?:the )?month[- ]end|eom\b", part("month", "rel", 0, edge="late"), "month end"),
    (r"(?:the )?year[- ]end|eoy\b", part("year", "rel", 0, edge="late"), "year end"),
    (r"eod\b|(?:the )?end of (?:the )?day|(?:the )?close of business|cob\b", part("part_of_day", "rel", 0), "EOD"),
    (r"eow\b", part("week", "rel", 0), "EOW"),
)

AMBIGUOUS = re.compile(r"(?:may|march|mar|sat|sun|second|fall|spring)\b", re.I)
LEADS = re.compile(
    r"(?:\b(?:in|of|since|until|till|by|from|to|and|through|during|before"
    "|after|between|for|on|last|this|next|early|mid|late"
    r"|every|around|back in|the|\d{1,2}(?:st|nd|rd|th)?)[ -]|[-–—(,] ?)$",
    re.I,
)


def _checked(source: str, reading: Callable[[re.Match[str]], Reading]) -> Rule:
    return re.compile(source + r"(?![\w])" if not source.endswith(r"\b") else source, re.I), reading


def _guard(reading: Callable[[re.Match[str]], Reading]) -> Callable[[re.Match[str]], Reading]:
    """Refuse words that are more often not dates ("may", "march", "sat", "fall") without a sign that they are."""

    def guarded(match: re.Match[str]) -> Reading:
        text, start = match.string, match.start()
        word = match.group()
        if AMBIGUOUS.fullmatch(word) and not (LEADS.search(text[max(0, start - 12) : start])):
            return None
        if word in ("summer", "winter", "autumn", "fall", "spring") and not LEADS.search(
            text[max(0, start - 12) : start]
        ):
            return None
        if re.fullmatch(r"\d{1,2}/\d{1,2}", word) and not LEADS.search(text[max(0, start - 12) : start]):
            return None
        if re.fullmatch(YEAR, word) and not re.search(
            (
                r"(?:\b(?:in|since|until|till|by|from|of|to|and|through|during|before"
                "|after|between|summer|winter|spring|autumn|fall|year|back|,)[ -]?|[-–(])$"
            ),
            text[max(0, start - 10) : start],
        ):
            return None
        return reading(match)

    return guarded


RULES: tuple[Rule, ...] = tuple(_checked(source, _guard(reading)) for source, reading, _ in TABLE)


LEXICON = Lexicon(
    rules=RULES,
    gap=re.compile(r"\s*,?\s*(?:(?:on|in|of|at|the|during|around|about|by|from|for|this)\s+){0,2}"),
    range_open=re.compile(r"(?:from|between|starting|through)\s+(?:the\s+)?$", re.I),
    range_middle=re.compile(r"\s*(?:to|until|till|til|through|thru|and|[-–—~]|up to)\s*(?:the\s+)?", re.I),
    range_close=re.compile(r"(?!)"),
    range_number=re.compile(r"(?P<n>\d{1,2})(?:st|nd|rd|th)?(?![\d:/.%a-z]| ?(?:am|pm|a\.m|p\.m|days|weeks))", re.I),
    since_before=re.compile(r"\b(?:ever since|since)\s+(?:the\s+)?$", re.I),
    since_after=re.compile(r"(?!)"),
    repeated_before=re.compile(
        r"\b(?:every|each|any|most|per|some|many|other|weekly|no)\s+(?:other\s+|single\s+)?$", re.I
    ),
    repeated_after=re.compile(r"(?!)"),
    offset_before=re.compile(
        rf"\b(?P<n>the|{NUMBER})\s+(?P<unit>days?|weeks?|months?|years?)\s+(?P<side>before|after|from|of)\s+$", re.I
    ),
    offset_after=re.compile(r"(?!)"),
    number=lambda text: 1 if text.lower() == "the" else number(text),
    unit=unit,
    tense=english_tense,
    starts=r"(?<![\w.$€£#])(?!(?<=[^\W_][:/-])\d)(?!\s)",
)
