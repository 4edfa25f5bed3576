"""Typed values in text: found, normalised and masked. Values are equal by normal form, never by likeness (R0)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from lakehouse.ids import normal_text
from lakehouse.records import Value
from lakehouse.vocabulary import ValueType
from pipelines.frame import units
from pipelines.frame.numbers import EN_NUMBER, EN_ORDINALS, KO_NATIVE, KO_SINO, english_number, korean_number, plain
from pipelines.frame.registry import canonical
from pipelines.korean_given import name_like
from pipelines.needed import folded, may_match, needed


@dataclass(frozen=True, slots=True)
class Found:
    """A typed value at a place in a text."""

    start: int
    end: int
    value: Value


def dimension(value: Value) -> str:
    """What may be compared: amounts of money, of time, of data ...; numbers, versions and identifiers are one.

    >>> dimension(Value("quantity", "30 s", "30 seconds")), dimension(Value("version", "5.2", "5.2"))
    ('quantity:time', 'number')
    """
    if value.norm in ("none", ""):
        return "*"
    if value.type == "quantity":
        unit = value.norm.split(" ", 1)[1] if " " in value.norm else ""
        return f"quantity:{units.DIMENSION.get(unit, unit)}"
    if value.type in ("number", "version", "identifier"):
        return "number"
    if value.type in ("text", "entity"):
        return "text"
    return value.type


def entity(text: str) -> Value:
    """A name or noun phrase as a value: articles, quotes and trailing particles do not count.

    >>> entity("the Volvo").norm, entity("Dr. Sorrel").norm
    ('volvo', 'dr. sorrel')
    """
    shown = text.strip(" \t\n.,;:!?\"'“”‘’()")
    norm = re.sub(r"^(?:the|a|an|my|our|his|her|their|its|your)\s+", "", normal_text(shown))
    return Value("entity", canonical(norm, "ko" if "가" <= norm[:1] <= "힣" else "en"), shown)


RECURS = re.compile(
    r"^(?:once|twice|every)\b|\btimes\b|\b\w+ly$|^매|^격|마다$|(?:에\s?|\s)\S+\s?(?:번|회|차례)(?:씩|꼴로)?$", re.I
)


def recurs(value: Value) -> bool:
    """Whether an amount of time says how far apart something recurs.

    >>> [recurs(f.value) for f in find_values("We meet twice a week for two hours", "en")]
    [True, False]
    """
    return dimension(value) == "quantity:time" and bool(RECURS.search(value.text))


def yes(text: str = "yes") -> Value:
    return Value("yesno", "yes", text)


def no(text: str = "no") -> Value:
    return Value("yesno", "no", text)


Rule = tuple[tuple[str, ...], re.Pattern[str], Callable[[re.Match[str]], Value | None]]


def _amount(text: str, korean: bool) -> str | None:
    number = korean_number(text) if korean else english_number(text)
    return None if number is None else plain(number)


SOME_DAY = re.compile(r"one day(?:[\s,]+(?:I|we|you|he|she|they|im|my|our|the)\b|[.!;]?$)", re.I)
"""A day that is no amount of time: "one day I'll sail"."""


def _quantity(match: re.Match[str]) -> Value | None:
    if SOME_DAY.match(match.string, match.start()):
        return None
    amount, unit = _amount(match["n"], False), units.EN[match["u"].lower()]
    if amount is None:
        return None
    factor, unit = units.FACTOR.get(unit, (1, unit))
    number = english_number(match["n"])
    assert number is not None
    per = f"/{units.EN_PER[match['per'].lower()]}" if match.groupdict().get("per") else ""
    return Value("quantity", f"{plain(number * factor)} {unit}{per if unit == 'day' else ''}", match.group())


def _below(match: re.Match[str]) -> Value | None:
    """ "minus 20 degrees": a temperature below zero."""
    number = english_number(match["n"])
    return None if number is None else Value("quantity", f"-{plain(number)} °c", match.group())


KO_FOLDED = {name.lower(): unit for name, unit in units.KO.items()}
"""Units by name whatever their case ("5 gb"), where the name as it is written is none."""


CALLED = re.compile(r"이(?:[는가의도네랑]|한테|에게)")
"""What follows somebody's name and no amount (만석이는)."""


def _ko_quantity(match: re.Match[str]) -> Value | None:
    number = korean_number(match["n"])
    if number is None or (CALLED.match(match.string, match.end()) and name_like(match.group())):
        return None
    if match["u"] == "호" and not match["n"][0].isdigit():
        return None  # flats are numbered in digits: "세호", "이호" are people
    unit = units.KO.get(match["u"]) or KO_FOLDED[match["u"].lower()]
    if match.groupdict().get("pre"):
        unit = {"영업일": "business day", "주": "day/week", "월": "day/month"}.get(match["pre"].split()[0], unit)
    factor, unit = units.FACTOR.get(unit, (1, unit))
    return Value("quantity", f"{plain(number * factor)} {unit}", match.group())


def _ko_ordinal(match: re.Match[str]) -> Value | None:
    """ "두 번째": a place in an order, and no count."""
    number = korean_number(match["n"])
    return None if number is None else Value("quantity", f"{plain(number)} 번째", match.group())


def _en_money(match: re.Match[str]) -> Value | None:
    amount = _amount(match["n"], False)
    unit = units.CURRENCY.get((match["c"] or "").lower().strip(), "")
    return None if amount is None else Value("money", f"{amount} {unit}", match.group())


def _ko_money(match: re.Match[str]) -> Value | None:
    amount = _amount(match["n"], True)
    return None if amount is None else Value("money", f"{amount} {units.CURRENCY[match['c']]}", match.group())


def _clock(hour: int, minute: int, half: str) -> str:
    if half in ("pm", "오후", "저녁", "밤") and hour < 12:
        hour += 12
    if (half in ("am", "오전", "새벽", "아침") and hour == 12) or (half == "밤" and hour == 24):
        hour = 0
    return f"{hour % 24:02d}:{minute:02d}"


def _en_clock(match: re.Match[str]) -> Value | None:
    groups = match.groupdict()
    half = (groups.get("half") or "").lower().replace(".", "").replace(" ", "")
    hour = english_number(groups["h"])
    if hour is None or hour > 24:
        return None
    return Value("clock", _clock(int(hour), int(groups.get("m") or 0), half), match.group())


def _en_past(match: re.Match[str]) -> Value | None:
    hour = english_number(match["h"])
    away = {"half": 30, "quarter": 15, "a quarter": 15}.get(match["m"].lower())
    number = english_number(match["m"]) if away is None else None
    minutes = away if away is not None else int(number) if number is not None else None
    if hour is None or minutes is None:
        return None
    total = int(hour) * 60 + (minutes if match["side"].lower() == "past" else -minutes)
    half = (match["half"] or "").lower().replace(".", "")
    return Value("clock", _clock(total // 60, total % 60, half), match.group())


def _ko_clock(match: re.Match[str]) -> Value | None:
    hour = korean_number(match["h"])
    minute = 30 if match["m"] == "반" else int(korean_number(match["m"] or "0") or 0)
    if hour is None or hour > 24:
        return None
    return Value("clock", _clock(int(hour), minute, match["half"] or ""), match.group())


def _interval(count: Decimal | int, unit: str, times: Decimal = Decimal(1)) -> str:
    """How far apart what recurs is: `times` in every `count` units, as the normal form of an amount of time."""
    factor, unit = units.FACTOR.get(unit, (1, unit))
    return f"{plain(round(count * factor / times, 4))} {unit}"


def _en_often(match: re.Match[str]) -> Value | None:
    """ "twice a week", "every other day", "every six months", "weekly": how often is how far apart."""
    told = {name: text.lower() for name, text in match.groupdict().items() if text}
    if "adverb" in told:
        return Value("quantity", _interval(*units.EN_OFTEN[told["adverb"]]), match.group())
    times = {"once": Decimal(1), "twice": Decimal(2)}.get(told.get("times", "once")) or english_number(
        told["times"].split()[0]
    )
    word = told.get("n", "one")
    count = Decimal(2) if word == "other" else Decimal(EN_ORDINALS.get(word, 0)) or english_number(word)
    unit = units.EN_SPANS.get(told["u"].removesuffix("s"))
    return Value("quantity", _interval(count, unit, times), match.group()) if times and count and unit else None


def _ko_often(match: re.Match[str]) -> Value | None:
    """ "일주일에 두 번", "이틀에 한 번", "매달", "분기마다"."""
    told = {name: text for name, text in match.groupdict().items() if text}
    times = korean_number(told["times"]) if "times" in told else Decimal(1)
    span = re.sub(r"\s", "", told["span"])
    if known := units.KO_SPANS.get(span):
        return Value("quantity", _interval(*known, times), match.group()) if times else None
    parts = re.fullmatch(rf"(?P<n>{KO_SINO}|{KO_NATIVE})(?P<u>{_KO_SPAN_UNIT})", span)
    count = korean_number(parts["n"]) if parts else None
    if parts is None or count is None or times is None:
        return None
    return Value("quantity", _interval(count, units.KO[parts["u"]], times), match.group())


def _fixed(kind: ValueType, norm: str) -> Callable[[re.Match[str]], Value]:
    return lambda match: Value(kind, norm, match.group())


def _en_date(match: re.Match[str]) -> Value | None:
    month = units.MONTHS[match["mon"].lower()[:3]]
    year = match.groupdict().get("y")
    return Value("date", f"{year + '-' if year else ''}{month:02d}-{int(match['d']):02d}", match.group())


def _ko_date(match: re.Match[str]) -> Value | None:
    year = match["y"]
    return Value("date", f"{year + '-' if year else ''}{int(match['mon']):02d}-{int(match['d']):02d}", match.group())


_MONTH = (
    r"(?P<mon>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_EN_UNIT = "|".join(sorted(map(re.escape, units.EN), key=len, reverse=True))
_KO_UNIT = "|".join(sorted(map(re.escape, units.KO), key=len, reverse=True))
_PER = "|".join(units.EN_PER)
_HALF = r"(?P<half>a\.?m\.?|p\.?m\.?)"
_LABEL = (
    r"(?:port|terminal|gate|room|line|bus|platform|track|level|tier|stage|floor|desk|locker|bay|unit|suite|apartment"
    r"|flat|extension|ext|channel|zone|lane|row|seat|page|chapter|number|no|phase|grade|group|building|block|dock"
    r"|aisle|slot|year(?=\s\d{1,2}\b)|form|bed|ward|berth|cabin|carriage|pier|hangar|court|pitch|lab|table|booth|stall"
    r"|stand|exit|entrance|counter|window|rack|shelf|drawer|cell|plot|studio|theatre|theater|house|hall|cubicle)"
)
_HOUR = r"(?P<h>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})"
_CURRENCY = "|".join(sorted(map(re.escape, units.EN_CURRENCY), key=len, reverse=True))
_AFTER_HOUR = r"(?!\s?(?:(?-i:[A-Z%])|st\b|nd\b|rd\b|th\b|:|\.\d|per|degrees|euros|pounds|dollars|\w+s\b))"
_ORDINAL = "|".join(EN_ORDINALS) + r"|\d{1,3}(?:st|nd|rd|th)"
_STOREY = r"floor|level|tier|platform|row|stage|grade|lane|building|gate|division|street|avenue|place"
_ADMITTED = (
    "|".join(
        rf"(?<=\b{form} )"
        for verb in "travel ride enter park eat swim visit ski skate".split()
        for form in (verb, f"{verb}s")
    )
    + r"|(?<=\bgo )|(?<=\bgoes )|(?<=\bget in )|(?<=\bgets in )|(?<=\bcome in )|(?<=\bcomes in )"
)
"""Verbs of coming in and along: "children travel free"."""
_KO_HALF = r"(?P<half>오전|오후|저녁|아침|밤|새벽|낮)?"
_KO_NO_HOUR = r"(?!간|[가-힣]*(?:작|행|스템|점|절))"
_KO_MINUTE = r"(?P<m>반|\d{1,2}(?=\s?분)|[이삼사오]?십[일이삼사오육칠팔구]?(?=\s?분))"
_KO_RATE = (
    r"(?!(?:한\s?달|하루|일\s?년|1년|한\s?주)에|한도|한강|세대|두통|한층|한동|네이|한참|한달음|세번째|세종|[서한]쪽)"
)
_KO_FAMILY = r"딸|아들|아이|자녀|형제|자매|동생|손주"
_KO_TAIL = (
    r"(?:이에요|예요|입니다|이다|이야|이었|였|으?로|이|가|은|는|을|를|의|와|과|도|만|씩|까지|부터|보다|에서|에|정도|쯤|이상|"
    r"이하|짜리)"
)
_KO_COUNTER = (
    rf"(?!{_KO_TAIL}|다|라|야|요|죠|지|인|째|여|밖|안|간|당|대|랑|하고|초과|미만|넘|반|때|팀|조|과|관|차|공장|라인|단지|구역|호점)"
    rf"(?P<u>[가-힣]{{1,3}}?)(?={_KO_TAIL}?(?:[\s,.!?~]|$))"
)
"""A noun right behind a number that counts: no particle, no ending, and no group that the number names."""
_KO_BARE = "하나|둘|셋|넷|다섯|여섯|일곱|여덟"
_KO_BE = r"다(?![가-힣])|이다|이에요|이야|입니다|이고|예요|이었|이라"


def _rules(table: list[tuple[str, Callable[[re.Match[str]], Value | None]]]) -> list[Rule]:
    return [(needed(found := re.compile(pattern, re.I)), found, build) for pattern, build in table]


def _named(kind: ValueType, group: str | int = 0) -> Callable[[re.Match[str]], Value]:
    """A value of a type whose normal form is one group of its pattern."""
    return lambda match: Value(kind, str(match[group]).lower(), match.group())


def _plain_number(match: re.Match[str]) -> Value | None:
    amount = None if SOME_DAY.match(match.string, match.start()) else _amount(match["n"], False)
    return None if amount is None else Value("number", amount, match.group())


def _ordinal(match: re.Match[str]) -> Value:
    number = EN_ORDINALS.get(match["o"].lower()) or re.sub(r"\D", "", match["o"])
    return Value("number", str(number), match.group())


def _count_up(match: re.Match[str]) -> Value | None:
    """ "my fifth marathon": as many as five by then; a first and a second are names more than counts."""
    value = _ordinal(match)
    return value if int(value.norm) > 2 else None


def _hour(match: re.Match[str]) -> Value | None:
    """ "half an hour", "an hour and a half"; not the unit of a rate ("80 miles an hour")."""
    before = re.search(r"([\w%$€£]+)\s+$", match.string[: match.start()])
    if before and (before[1].lower() in units.EN or before[1].lower() in units.EN_CURRENCY or before[1][-1:].isdigit()):
        return None
    seconds = 1800 if match["half"] else 5400 if match["more"] else 3600
    return Value("quantity", f"{seconds} s", match.group())


def _labelled(match: re.Match[str]) -> Value | None:
    letter = match["v"].isalpha() and not match["v"].isupper()
    return None if letter else Value("identifier", match["v"].lower(), match.group())


def _code(match: re.Match[str]) -> Value | None:
    return Value("identifier", match.group().lower(), match.group()) if match.group().isupper() else None


def _ko_count(match: re.Match[str]) -> Value:
    return Value("number", str(korean_number(match["n"] or match["n2"])), match.group().strip())


def _en_weekday(match: re.Match[str]) -> Value:
    return Value("weekday", match["w"].lower()[:3], match.group())


def _ko_digits(match: re.Match[str]) -> Value:
    return Value("number", match.group().replace(",", ""), match.group())


def _ko_counted(match: re.Match[str]) -> Value:
    """A number with a counter that the table does not know ("36학점"): the noun between it and a particle."""
    return Value("quantity", f"{match['n'].replace(',', '')} {match['u']}", match.group())


def _ko_days(match: re.Match[str]) -> Value:
    return Value("quantity", f"{units.KO_DAYS[match['w']]} day", match.group())


def _ko_weekday(match: re.Match[str]) -> Value:
    return Value("weekday", units.KO_WEEKDAYS[match["w"]], match.group())


_EN_SPAN = "|".join(units.EN_SPANS)
_EN_COUNTED = rf"(?:(?P<n>other|second|third|fourth|{EN_NUMBER})\s+)(?P<u>(?:{_EN_SPAN})s?)"
_EN_ADVERB = "|".join(units.EN_OFTEN)
_ADVERB_ENDS = r"(?=\s*(?:[.,;:!?)]|$|\b(?:now|again|instead|and|but|since|from|until|because|so|at|on|these days)\b))"
"""What follows an adverb of frequency; before a noun it is an adjective ("the weekly report")."""
_KO_TIMES = rf"(?P<times>{KO_SINO}|{KO_NATIVE})\s?(?:번|회|차례)(?:씩|꼴로)?"
_KO_SPAN_UNIT = "일|주일|주|개월|달|년|시간|분"
_KO_SPAN = (
    "|".join(sorted(units.KO_SPANS, key=len, reverse=True)) + rf"|(?:{KO_SINO}|{KO_NATIVE})\s?(?:{_KO_SPAN_UNIT})"
)
_PAST = r"(?P<m>half|a quarter|quarter|ten|five|twenty|twenty-five)\s+(?P<side>past|to)\s+"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?P<y>\d{4}))?"
_RELEASE = r"(?P<v>\d+(?:\.\d+)*(?:[-.]?(?:rc|beta|alpha|b)\d*)?)"
_CODE = r"\b(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)*"
_RATE = rf"(?:\s+(?:a|per|each|every)\s+(?P<per>{_PER})\b)?"
_KO_NUMBER = rf"(?P<n>{KO_SINO}|{KO_NATIVE})"
EN_RULES = _rules([
    (rf"\b(?P<times>once|twice|(?:{EN_NUMBER})\s+times)\s+(?:a|an|per|each|every)\s+(?P<u>{_EN_SPAN})\b", _en_often),
    (rf"\bevery\s+{_EN_COUNTED}\b", _en_often),
    (rf"(?P<c>[$€£¥₩])\s?(?P<n>{EN_NUMBER})", _en_money),
    (rf"\b(?P<n>{EN_NUMBER})[\s-]?(?P<c>{_CURRENCY})\b", _en_money),
    (rf"\b(?P<n>{EN_NUMBER})(?P<c>[€£$])", _en_money),
    (rf"\b{_PAST}{_HOUR}(?:\s?{_HALF})?\b", _en_past),
    (rf"(?<![\d.:])(?P<h>\d{{1,2}}):(?P<m>\d\d)(?!:?\d)(?:\s?{_HALF})?", _en_clock),
    (rf"\b{_HOUR}\s?{_HALF}(?![a-z])", _en_clock),
    (rf"\b{_HOUR}\s?o['’]?clock\b", _en_clock),
    (rf"(?<=\bat ){_HOUR}\b{_AFTER_HOUR}(?P<half>)", _en_clock),
    (r"\b(?:noon|midday)\b", _fixed("clock", "12:00")),
    (r"\bmidnight\b", _fixed("clock", "00:00")),
    (rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}\b", _en_date),
    (rf"\b{_MONTH}\s+(?:the\s+)?{_DAY}{_YEAR}\b(?!\s?%)", _en_date),
    (r"\b\d{4}-\d\d-\d\d\b", _named("date")),
    (rf"(?:\bminus\s+|(?<![\w.])-)(?P<n>{EN_NUMBER})[\s-]?(?:degrees celsius|degrees|celsius|°c)(?![a-z])", _below),
    (rf"\b(?P<n>{EN_NUMBER})[\s-]?(?P<u>{_EN_UNIT})(?![a-z]){_RATE}", _quantity),
    (rf"\bevery\s+(?P<u>{_EN_SPAN})\b", _en_often),
    (rf"(?<!-)\b(?P<adverb>{_EN_ADVERB})\b{_ADVERB_ENDS}", _en_often),
    (rf"\b(?:v\.?|ver\.?|version\s+|release\s+){_RELEASE}\b", _named("version", "v")),
    (r"(?<![\w.,])\d+\.\d+(?:\.\d+)+\b", _named("version")),
    (rf"\b(?P<o>{_ORDINAL})\s+(?:{_STOREY})\b", _ordinal),
    (rf"(?:(?<=\bmy )|(?<=\bour )|(?<=\bher )|(?<=\bhis )|(?<=\btheir ))(?P<o>{_ORDINAL})(?=\s[a-z])", _count_up),
    (r"\b(?P<half>half )?an? hour(?P<more> and a half)?\b", _hour),
    (r"(?:(?<=\bflight )|(?<=\btrain )|(?<=\bnumber is ))(?-i:[A-Z]{1,3}) ?\d{2,4}\b", _named("identifier")),
    (rf"\b{_LABEL}\.?\s+#?(?P<v>[A-Z]?-?\d+[A-Z]?\b|(?!I\s[a-z])[A-Z]\b(?![a-z']))", _labelled),
    (r"\b(?P<w>mon|tues|wednes|thurs|fri|satur|sun)days?\b", _en_weekday),
    (r"\b(?:free of charge|for free|is free|are free|costs? nothing|no charge)\b", _fixed("money", "0")),
    (rf"(?:{_ADMITTED})free\b", _fixed("money", "0")),
    (r"(?<=\b[Aa] )(?-i:[A-Z][a-z]\w+) \d{1,2}[A-Za-z]?\b(?![:.]\d)", lambda m: entity(m.group())),
    (rf"(?<![\w.])(?P<n>{EN_NUMBER})\b(?![\w%])", _plain_number),
    (_CODE + r"\b", _code),
])  # fmt: skip
KO_RULES = _rules([
    (rf"(?<![가-힣\d])(?P<span>{_KO_SPAN})(?:\s?에\s?|\s){_KO_TIMES}", _ko_often),
    (rf"(?<![가-힣\d])(?P<span>{_KO_SPAN})\s?(?:마다|에\s?한\s?번꼴로)", _ko_often),
    (r"(?<![가-힣])(?P<span>매일|매주|매달|매월|매년|매시간|격주|격월|격일)(?:로|에)?(?![가-힣])", _ko_often),
    (rf"(?<![가-힣\d])(?P<n>{KO_SINO})\s?(?P<c>원|달러|유로|엔|위안|파운드)", _ko_money),
    (rf"{_KO_HALF}\s?(?P<h>\d{{1,2}}|{KO_NATIVE})\s?시{_KO_NO_HOUR}(?:\s?{_KO_MINUTE}\s?분?)?", _ko_clock),
    (r"(?<!\d)(?P<half>)(?P<h>\d{1,2}):(?P<m>\d\d)(?!\d)", _ko_clock),
    (r"(?:(?P<y>\d{4})년\s?)?(?P<mon>\d{1,2})월\s?(?P<d>\d{1,2})일", _ko_date),
    (r"정오", _fixed("clock", "12:00")),
    (r"자정", _fixed("clock", "00:00")),
    (rf"(?<![가-힣\d]){_KO_NUMBER}\s?번째", _ko_ordinal),
    (rf"(?P<pre>영업일\s?(?:기준\s?)?|주\s?(?=\d|{KO_NATIVE})|월\s(?=\d)){_KO_NUMBER}\s?(?P<u>일|회|번)", _ko_quantity),
    (rf"(?<![가-힣\d]){_KO_RATE}{_KO_NUMBER}\s?(?P<u>{_KO_UNIT})(?![a-zA-Z])", _ko_quantity),
    (r"(?P<w>하루|이틀|사흘|나흘|닷새|엿새|이레|여드레|아흐레|열흘|보름)(?![가-힣]*전)", _ko_days),
    (r"(?:v\.?|버전\s?)(?P<v>\d+(?:\.\d+)*)", lambda m: Value("version", m["v"], m["v"])),
    (r"(?<![\d.])\d+\.\d+(?:\.\d+)*(?![\d.]*%)", _named("version")),
    (rf"(?<![가-힣])(?P<n>{KO_NATIVE})\s?(?={_KO_FAMILY})|(?P<n2>{_KO_BARE})(?={_KO_BE})", _ko_count),
    (r"(?P<w>[월화수목금토일])요일", _ko_weekday),
    (r"무료|공짜", _fixed("money", "0")),
    (rf"(?<![\d.,a-zA-Z가-힣-])(?P<n>\d[\d,]*){_KO_COUNTER}", _ko_counted),
    (r"(?<![\d.,a-zA-Z])\d[\d,]*(?:-\d+)*(?![\d.]|[a-zA-Z])", _ko_digits),
    (_CODE, _named("identifier")),
])  # fmt: skip


def _scan(text: str, rules: list[Rule]) -> Iterator[Found]:
    taken = [False] * len(text)
    shown = folded(text)
    for letters, pattern, build in rules:
        if not may_match(letters, shown):
            continue
        for match in pattern.finditer(text):
            start, end = match.span()
            while start < end and text[start].isspace():
                start += 1
            while end > start and text[end - 1].isspace():
                end -= 1
            if start == end or any(taken[start:end]):
                continue
            value = build(match)
            if value is None:
                continue
            taken[start:end] = [True] * (end - start)
            yield Found(start, end, Value(value.type, value.norm, text[start:end].strip()))


def find_values(text: str, language: str) -> list[Found]:
    """Typed values from left to right, without overlaps.

    >>> [f.value.norm for f in find_values("It costs eleven euros until half past nine", "en")]
    ['11 eur', '09:30']
    >>> [f.value.norm for f in find_values("아홉 시 반부터 3만 5천원", "ko")]
    ['09:30', '35000 krw']
    """
    found = sorted(_scan(text, KO_RULES if language == "ko" else EN_RULES), key=lambda one: one.start)
    dated = any(one.value.type in ("clock", "weekday", "date") for one in found)
    return [one for one in found if not (dated and recurs(one.value))]  # "every week on Monday" is a Monday
