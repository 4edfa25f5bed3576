"""Korean words for time, as patterns with the parts that they mean."""

from __future__ import annotations

import re
from collections.abc import Callable

from pipelines.timex.english import day_month, full_year
from pipelines.timex.grammar import Lexicon, Reading, Rule
from pipelines.timex.parts import Part
from pipelines.timex.tense import korean_tense

NATIVE = {
    "한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "석": 3, "서": 3, "셋": 3, "네": 4, "넉": 4, "너": 4, "넷": 4,
    "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "열한": 11, "열두": 12, "열세": 13, "열네": 14,
    "열다섯": 15, "열여섯": 16, "열일곱": 17, "열여덟": 18, "열아홉": 19, "스무": 20, "서른": 30,
}  # fmt: skip
SINO = {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9}
DAY_COUNTS = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10,
    "열하루": 11, "열이틀": 12, "보름": 15, "스무날": 20,
}  # fmt: skip
DAYS = {
    "오늘": 0, "금일": 0, "어제": -1, "어저께": -1, "작일": -1, "그제": -2, "그저께": -2, "엊그제": -2, "엊그저께": -2,
    "그끄제": -3, "그끄저께": -3, "내일": 1, "낼": 1, "명일": 1, "모레": 2, "낼모레": 2, "내일모레": 2, "글피": 3,
    "그글피": 4,
}  # fmt: skip
NIGHTS = {
    "어젯밤": -1, "엊저녁": -1, "간밤": -1, "지난밤": -1, "엊그제밤": -2, "그젯밤": -2, "오늘밤": 0, "오늘 밤": 0,
    "내일밤": 1,
}  # fmt: skip
RELATIVE = {
    "지난": -1, "저번": -1, "이전": -1, "직전": -1, "전": -1, "이번": 0, "요번": 0, "금": 0, "당": 0, "다음": 1,
    "담": 1, "오는": 1, "돌아오는": 1, "차": 1, "내": 1, "익": 1, "지지난": -2, "저저번": -2, "전전": -2,
    "지지지난": -3,
    "다다음": 2, "담담": 2, "차차": 2, "다다다음": 3, "이": 0,
}  # fmt: skip
RELATIVE_UNITS = {"주": "week", "주일": "week", "달": "month", "월": "month", "분기": "quarter", "해": "year",
                  "년": "year", "주말": "weekend", "반기": "half"}  # fmt: skip
ALONE = {
    # word: unit, offset
    "지난해": ("year", -1), "작년": ("year", -1), "전년": ("year", -1), "올해": ("year", 0), "금년": ("year", 0),
    "올": ("year", 0), "내년": ("year", 1), "명년": ("year", 1), "재작년": ("year", -2), "재재작년": ("year", -3),
    "지지난해": ("year", -2), "그러께": ("year", -2), "후년": ("year", 2), "내후년": ("year", 2),
    "금주": ("week", 0), "차주": ("week", 1), "내주": ("week", 1), "차차주": ("week", 2),
    "전월": ("month", -1), "금월": ("month", 0), "당월": ("month", 0), "익월": ("month", 1), "내달": ("month", 1),
    "이달": ("month", 0), "전전월": ("month", -2), "전달": ("month", -1),
    "전분기": ("quarter", -1), "금분기": ("quarter", 0), "차분기": ("quarter", 1),
}  # fmt: skip
EDGE_ALONE = {
    "연초": ("year", "early"), "연말": ("year", "late"), "월초": ("month", "early"), "월말": ("month", "late"),
    "연중": ("year", ""), "월중": ("month", ""), "주초": ("week", ""),
}  # fmt: skip
EDGES = {
    "초": "early",
    "초순": "early",
    "상순": "early",
    "초반": "early",
    "초쯤": "early",
    "초에": "early",
    "중순": "mid",
    "중반": "mid",
    "말": "late",
    "하순": "late",
    "후반": "late",
    "말쯤": "late",
    "말경": "late",
    "초경": "early",
}
SEASONS = {"봄": "spring", "여름": "summer", "가을": "autumn", "겨울": "winter"}
SEASON_LEADS = {"올": 0, "지난": -1, "지지난": -2, "이번": 0, "다음": 1, "올해": 0, "저번": -1, "오는": 1}
WEEKDAYS = {"월": 0, "화": 1, "수": 2, "목": 3, "금": 4, "토": 5, "일": 6}
HOLIDAYS = {
    "설날": "seollal", "설": "seollal", "구정": "seollal", "음력설": "seollal", "신정": "new_year",
    "새해 첫날": "new_year",
    "추석": "chuseok", "한가위": "chuseok", "중추절": "chuseok", "삼일절": "samiljeol", "3.1절": "samiljeol",
    "3·1절": "samiljeol", "식목일": "arbor_ko", "어린이날": "children_ko",
    "어버이날": "parents_ko",
    "스승의 날": "teachers_ko", "스승의날": "teachers_ko", "현충일": "memorial_ko", "제헌절": "constitution_ko",
    "광복절": "liberation_ko", "국군의 날": "armed_forces_ko", "개천절": "foundation_ko", "한글날": "hangul",
    "크리스마스 이브": "christmas_eve", "크리스마스이브": "christmas_eve", "크리스마스": "christmas",
    "성탄절": "christmas",
    "성탄 전야": "christmas_eve", "석가탄신일": "buddha", "부처님 오신 날": "buddha", "부처님오신날": "buddha",
    "초파일": "buddha", "정월 대보름": "daeboreum", "정월대보름": "daeboreum", "대보름": "daeboreum", "단오": "dano",
    "동지": "solstice_winter", "밸런타인데이": "valentine", "발렌타인데이": "valentine", "화이트데이": "white_day",
    "빼빼로데이": "pepero", "만우절": "april_fools", "할로윈": "halloween", "핼러윈": "halloween",
    "핼로윈": "halloween",
    "근로자의 날": "may_day", "근로자의날": "may_day", "노동절": "may_day", "부활절": "easter",
    "추수감사절": "thanksgiving",
    "블랙프라이데이": "black_friday", "설 전날": "seollal_eve", "추석 전날": "chuseok_eve", "섣달그믐": "new_year_eve",
}  # fmt: skip
UNITS = {"분": "minute", "시간": "hour", "일": "day", "주": "week", "주일": "week", "주간": "week", "달": "month",
         "개월": "month", "년": "year", "해": "year", "분기": "quarter", "초": "second"}  # fmt: skip


def choice(table: object) -> str:
    """The words of a table as one alternation, longest first; a space may be left out."""
    ordered = sorted(table, key=len, reverse=True)  # type: ignore[call-overload]
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s?") for word in ordered) + ")"


COUNT = rf"(?:\d{{1,4}}|[일이삼사오육칠팔구]?십[일이삼사오육칠팔구]?|[일이삼사오육칠팔구]|{choice(NATIVE)})"
UNIT = rf"(?:{choice(UNITS)})"
EDGE = rf"(?:\s?(?P<edge>{choice(EDGES)})(?![가-힣]*요|할|하|고))?"
REL = rf"(?P<rel>{choice(RELATIVE)})"
TAIL = r"(?:\s?(?:당일|전체|내내|중|안|때|쯤|경|무렵|즈음))?"
BOUND = (
    "(?=[^가-힣]|$|부로|자로|에|엔|은|는|이|가|을|를|의|도|만|부터|까지|날|때"
    "|쯤|경|마다|로|으로|연휴|명절|당일|전|후|뒤|이후|초|중|말|아침|점심"
    "|저녁|밤|새벽|오전|오후|낮|하고|랑|과|와|인|이랑|예정|또|밤|입|이|야)"
)


def number(text: str) -> float | None:
    """A count in digits, Sino-Korean or native words.

    >>> number("이십삼"), number("석"), number("12")
    (23, 3, 12)
    """
    text = text.strip()
    if text.isdigit():
        return int(text)
    if text in DAY_COUNTS:
        return DAY_COUNTS[text]
    if text in NATIVE:
        return NATIVE[text]
    if "십" in text:
        tens, _, ones = text.partition("십")
        return SINO.get(tens, 1) * 10 + SINO.get(ones, 0)
    return SINO.get(text)


def _edge(match: re.Match[str]) -> str:
    return EDGES.get(match.groupdict().get("edge") or "", "")


def _ago(match: re.Match[str]) -> Reading:
    groups = match.groupdict()
    sign = -1 if match["way"] == "전" else 1
    if groups.get("days"):
        return (Part("ago", "ago", sign * DAY_COUNTS[match["days"]], "day"),)
    count = number(match["n"])
    if count is None:
        return None
    return (Part("ago", "ago", sign * (count + (0.5 if groups.get("half") else 0)), UNITS[match["unit"]]),)


def _relative(match: re.Match[str]) -> Reading:
    unit = RELATIVE_UNITS[match["unit"]]
    if match["rel"] in ("이", "금", "당", "차", "내", "익", "전") and match["unit"] not in ("분기", "달", "월", "년"):
        return None
    if unit == "half":
        return (Part("half", "rel", RELATIVE[match["rel"]]),)
    return (Part(unit, "rel", RELATIVE[match["rel"]], edge=_edge(match)),)


def _alone(match: re.Match[str]) -> Reading:
    unit, offset = ALONE[match["word"]]
    return (Part(unit, "rel", offset, edge=_edge(match)),)


def _edge_alone(match: re.Match[str]) -> Reading:
    unit, edge = EDGE_ALONE[match["word"]]
    lead = match.groupdict().get("lead")
    offset = {"올": 0, "올해": 0, "작년": -1, "내년": 1, "지난": -1, "이번": 0, "다음": 1, "재작년": -2}.get(
        (lead or "").strip(), 0
    )
    return (Part(unit, "rel", offset, edge=edge),)


def _season(match: re.Match[str]) -> Reading:
    lead = (match["lead"] or "").strip()
    before, after = match.string[: match.start()], match.string[match.end() :]
    if (
        not lead
        and not re.search(r"(?:년|해|도)\s*$", before)
        and not re.match(r"에|엔|부터|까지|쯤|내내|이면|동안", after)
    ):
        return None
    edge = {"초": "early", "늦": "late", "한": ""}.get(match["shade"] or "", "") or _edge(match)
    if lead:
        return (Part("season", "rel", SEASON_LEADS[lead], SEASONS[match["season"]], edge),)
    return (Part("season", "abs", 0, SEASONS[match["season"]], edge),)


def _month(match: re.Match[str]) -> Reading:
    month = int(match["month"])
    if not 1 <= month <= 12:
        return None
    parts = [Part("month", "abs", month, str(month), "" if match["day"] else _edge(match))]
    if match["day"]:
        parts.append(Part("day", "nth", int(match["day"])))
    return tuple(parts)


def _iso(match: re.Match[str]) -> Reading:
    month, day = int(match["month"]), match.groupdict().get("day")
    if not 1 <= month <= 12:
        return None
    parts = [Part("year", "abs", full_year(match["year"])), Part("month", "abs", month, str(month))]
    return (*parts, Part("day", "nth", int(day))) if day else tuple(parts)


def _numeric(match: re.Match[str]) -> Reading:
    pair = day_month(int(match["day"]), int(match["month"]))
    return (Part("month", "abs", pair[1], str(pair[1])), Part("day", "nth", pair[0])) if pair else None


def _weekday(match: re.Match[str]) -> Reading:
    lead, name = (match["rel"] or "").strip(), str(WEEKDAYS[match["d"]])
    if not lead or lead in ("오는", "돌아오는"):
        return (Part("weekday", "open", 0, name),)
    return (Part("weekday", "rel", RELATIVE[lead], name),)


def _weekend(match: re.Match[str]) -> Reading:
    lead = (match["rel"] or "").strip()
    return (Part("weekend", "rel", RELATIVE[lead]),) if lead else (Part("weekend", "open"),)


def _holiday(match: re.Match[str]) -> Reading:
    lead = (match["lead"] or "").strip()
    name = re.sub(r"\s", "", match["name"])
    key = next(value for word, value in HOLIDAYS.items() if re.sub(r"\s", "", word) == name)
    if lead:
        return (Part("holiday", "rel", {"지난": -1, "저번": -1, "이번": 0, "다음": 1, "오는": 1}[lead], key),)
    return (Part("holiday", "open", 0, key),)


WHICH = {
    "첫": 1,
    "첫째": 1,
    "첫번째": 1,
    "둘째": 2,
    "두번째": 2,
    "셋째": 3,
    "세번째": 3,
    "넷째": 4,
    "네번째": 4,
    "다섯째": 5,
    "마지막": -1,
}


def _nth_week(match: re.Match[str]) -> Reading:
    return (Part("week", "nth", WHICH.get(re.sub(r"\s", "", match["which"])) or int(match["n"] or 0)),)


def _nth_weekday(match: re.Match[str]) -> Reading:
    return (Part("weekday", "nth", WHICH[re.sub(r"\s", "", match["which"])], str(WEEKDAYS[match["d"]])),)


def _stretch(match: re.Match[str]) -> Reading:
    count = number(match["n"])
    sign = 1 if match["way"] in ("다음", "앞으로") else -1
    return (Part("span", "rel", sign * count, UNITS[match["unit"]]),) if count else None


def part(unit: str, how: str, count: float = 0, name: str = "") -> Callable[[re.Match[str]], Reading]:
    """A reading that is the same whenever its words match."""
    fixed = (Part(unit, how, count, name),)  # type: ignore[arg-type]
    return lambda match: fixed


HALVES = {"상": 1, "전": 1, "하": 2, "후": 2}

TABLE: tuple[tuple[str, Callable[[re.Match[str]], Reading], str], ...] = (
    # pattern, reading, example
    (rf"(?P<word>{choice(DAYS)}){BOUND}", lambda m: (Part("day", "rel", DAYS[m["word"]]),), "그저께"),
    (
        rf"(?P<word>{choice(NIGHTS)})",
        lambda m: (Part("part_of_day", "rel", NIGHTS[re.sub(r"\s", "", m["word"])]),),
        "엊저녁",
    ),
    (
        (
            rf"(?P<n>{COUNT})\s?(?P<unit>{UNIT})(?P<half>\s?반)?\s?(?:쯤|정도|즈음"
            r"|가량)?\s?(?P<way>전|뒤|후|있다가|이따)(?!화|체|자|부|반|까지는)"
        ),
        _ago,
        "2주 전",
    ),
    (rf"(?P<days>{choice(DAY_COUNTS)})\s?(?:쯤|정도)?\s?(?P<way>전|뒤|후|있다가)", _ago, "사흘 전"),
    (r"반년\s?(?P<way>전|뒤|후)", lambda m: (Part("ago", "ago", -6 if m["way"] == "전" else 6, "month"),), "반년 전"),
    (
        (
            rf"{REL}\s?(?P<unit>주일|주(?!말|제|문|소|식|요|인|의|민|장)|달|분기|해(?!가"
            f"|서|요|야|도)|반기|월(?![가-힣]*요일|급|세|욜)){EDGE}"
        ),
        _relative,
        "다다음 주",
    ),
    (
        (
            f"(?P<word>{choice(ALONE)})(?<!올(?! ?(?:상반기|하반기|한 해|[0-9]|여름"
            f"|겨울|가을|봄|연말|초)))(?!하|했|받|드|된|됐|해){EDGE}{BOUND}"
        ),
        _alone,
        "재작년",
    ),
    (rf"(?P<lead>올해|올|작년|내년|재작년|지난|이번|다음)?\s?(?P<word>{choice(EDGE_ALONE)})", _edge_alone, "연말"),
    (
        (
            rf"(?P<lead>(?:올해\s|{choice(SEASON_LEADS)}\s?))?(?P<shade>초|늦|한)?(?P<season>봄"
            f"|여름|가을|겨울)(?:철|께|방학)?{EDGE}{BOUND}"
        ),
        _season,
        "올봄",
    ),
    (
        (
            r"(?P<month>\d{1,2})\s?월(?:달)?(?:\s?(?P<day>\d{1,2})\s?일(?:자|날)?)?(?!\s?(?:호"
            f"|권)){EDGE}"
        ),
        _month,
        "3월 2일",
    ),
    (
        r"(?P<word>일|이|삼|사|오|유|칠|팔|구|시|십일|십이)월(?=에|엔|부터|까지|\s|$)(?!\s?(?:급|세))",
        lambda m: (lambda n: (Part("month", "abs", n, str(n)),))(
            {
                "일": 1,
                "이": 2,
                "삼": 3,
                "사": 4,
                "오": 5,
                "유": 6,
                "칠": 7,
                "팔": 8,
                "구": 9,
                "시": 10,
                "십일": 11,
                "십이": 12,
            }[m["word"]]
        ),
        "유월",
    ),
    (
        r"(?P<day>\d{1,2})\s?일(?=에|엔|까지|부터|자|날|\s?(?:오전|오후|아침|저녁|새벽|밤)|\s*$|\s?[(~\-])",
        lambda m: (Part("day", "nth", int(m["day"])),),
        "5일",
    ),
    (r"(?P<day>\d{1,2})(?=\s?[~∼–-]\s?\d{1,2}일)", lambda m: (Part("day", "nth", int(m["day"])),), "3월 2~5일"),
    (
        rf"(?P<year>\d{{4}}|'?\d\d)\s?년(?:도)?(?!\s?(?:전|뒤|후|간|동안|째|차|만|된|생|이상|짜리|넘|정도|가까|대)){EDGE}",
        lambda m: (Part("year", "abs", full_year(m["year"].lstrip("'")), edge=_edge(m)),),
        "2019년",
    ),
    (r"(?P<year>\d{4})[./-]\s?(?P<month>\d{1,2})[./-]\s?(?P<day>\d{1,2})\.?(?![\d])", _iso, "2025.07.03"),
    (r"(?P<year>\d\d)[./-](?P<month>\d{1,2})[./-](?P<day>\d{1,2})(?![\d])", _iso, "25.07.03"),
    (r"(?P<year>\d{4})[-.](?P<month>\d\d)(?![\d.-])", _iso, "2025-07"),
    (r"(?P<month>\d{1,2})/(?P<day>\d{1,2})(?![\d/])(?=\s|에|까지|부터|일|\(|$|~)", _numeric, "12/25"),
    (
        (
            r"(?P<rel>(?:지난|저번|이번|요번|다음|담|오는|돌아오는)\s?)?(?P<d>[월화수목금토일]"
            ")(?:요일|욜)(?:날)?"
        ),
        _weekday,
        "지난 금요일",
    ),
    (r"(?P<rel>(?:지난|저번|이번|요번|다음|담|지지난|다다음)\s?)?주말", _weekend, "지난 주말"),
    (
        (
            rf"(?P<lead>(?:지난|저번|이번|다음|오는)\s?)?(?P<name>{choice(HOLIDAYS)})(?:\s?(?:연휴"
            f"|명절|당일|때|날)){{0,2}}{BOUND}"
        ),
        _holiday,
        "추석 당일",
    ),
    (r"(?P<q>[1-4일이삼사])\s?(?:사)?분기", lambda m: (Part("quarter", "abs", int(number(m["q"]) or 0)),), "2분기"),
    (r"마지막\s?날", part("day", "nth", -1), "10월 마지막 날"),
    (
        (
            rf"(?P<way>지난|최근|다음|앞으로)\s?(?P<n>{COUNT})\s?(?P<unit>일|주|달"
            r"|개월|년)(?:간|\s?동안)"
        ),
        _stretch,
        "지난 2주간",
    ),
    (r"(?P<h>상|하|전|후)반기", lambda m: (Part("half", "abs", HALVES[m["h"]]),), "상반기"),
    (
        (
            r"(?P<which>첫째|첫\s?번째|둘째|두\s?번째|셋째|세\s?번째|넷째|네\s?번째"
            r"|다섯째|마지막|첫)\s?주(?!말|문|제|식)(?P<n>)"
        ),
        _nth_week,
        "둘째 주",
    ),
    (r"(?P<which>)(?P<n>[1-5])\s?(?:째\s?주|주차)", _nth_week, "3주차"),
    (
        (
            r"(?P<which>첫째|첫\s?번째|둘째|두\s?번째|셋째|세\s?번째|넷째|네\s?번째"
            r"|다섯째|마지막|첫)\s?(?P<d>[월화수목금토일])요일"
        ),
        _nth_weekday,
        "첫째 월요일",
    ),
    (
        (
            "(?:새벽|아침|오전|점심|한낮|대낮|낮|오후|저녁|한밤중|한밤|밤)(?:때|나절"
            r"|녘|중)?(?=[^가-힣]|$|에|엔|부터|까지|은|는|\d)"
        ),
        part("part_of_day", "open"),
        "오후",
    ),
    (
        (
            rf"(?:오전|오후|아침|저녁|밤|새벽|낮)?\s?(?:\d{{1,2}}|{choice(NATIVE)})\s?시(?!간"
            r"|장|도|즌|작|스|험|청|민)(?:\s?(?:\d{1,2}|[이삼사오]?십[일이삼사오육칠팔구]?"
            r")\s?분|\s?반)?(?:\s?(?:쯤|경|정각))?"
        ),
        lambda m: (Part("clock", "open", name="minute" if re.search("분|반", m.group()) else "hour"),),
        "오후 3시",
    ),
    (r"(?:오전|오후)?\s?\d{1,2}:\d\d(?!\d)", part("clock", "open", 0, "minute"), "14:35"),
    (r"정오|자정", part("clock", "open", 0, "hour"), "정오"),
    (r"이맘때", part("month", "open"), "이맘때"),
)

RULES: tuple[Rule, ...] = tuple((re.compile(source), reading) for source, reading, _ in TABLE)


LEXICON = Lexicon(
    rules=RULES,
    gap=re.compile(r"\s*(?:의|에|,|께)?\s*(?:\([월화수목금토일]\))?\s*"),
    range_open=re.compile(r"(?!)"),
    range_middle=re.compile(r"\s*(?:부터|에서|[~∼〜–—-]|와|과|이랑|랑)\s*"),
    range_close=re.compile(r"\s?(?:까지|사이|동안)(?:는|에)?"),
    range_number=re.compile(r"(?P<n>\d{1,2})(?=\s?일)일"),
    since_before=re.compile(r"(?!)"),
    since_after=re.compile(r"\s?(?:부터|이후로?|이래로?)"),
    repeated_before=re.compile(
        "(?:(?:탑승|출발|출항|시작|마감|회의|수업|경기|공연|시험|발표|출근|퇴근"
        "|결혼식?|면접|개장|폐장|도착|이륙|취침|식사|방문|체크인|체크아웃|수술"
        r"|배포|출시|오픈|만기|만료|예약|이용|입실|퇴실)|영업일(?:\s?기준)?|(?<![가-힣]"
        r")주|\d박|총|매주|매달|매월|매년|매일|매|격주|해마다|주마다|달마다)\s?$"
    ),
    repeated_after=re.compile(r"\s?(?:마다|반\s|반으로)"),
    offset_before=re.compile(r"(?!)"),
    offset_after=re.compile(
        rf"\s(?P<n>{choice(DAY_COUNTS)}|\d{{1,2}}(?=[일주]))(?P<unit>일|주|)?\s?(?P<side>전"
        r"|뒤|후)|\s?(?P<eve>전|다음)\s?날"
    ),
    number=number,
    unit=lambda text: UNITS.get(text or "일", "day"),
    tense=korean_tense,
    starts=r"(?:(?=\d)(?<![\d.\-/:,₩제])|(?![\d\s])(?<![가-힣\d]))",
)
