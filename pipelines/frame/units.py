"""Units, currencies and calendar words: their spellings, what they measure, and what converts exactly."""

from __future__ import annotations

_EN_ROWS = {
    "s": "s sec secs second seconds", "min": "min mins minute minutes", "h": "h hr hrs hour hours",
    "ms": "ms millisecond milliseconds",
    "business day": "business day|business days|working day|working days|workday|workdays",
    "day": "day days", "week": "week weeks", "month": "month months", "year": "year years",
    "b": "byte bytes", "kb": "kb kilobyte kilobytes", "mb": "mb meg megs megabyte megabytes",
    "gb": "gb gig gigs gigabyte gigabytes", "tb": "tb terabyte terabytes",
    "kbps": "kbps|kbit|kbit/s|kilobits", "mbps": "mbps|mbit|mbit/s|megabit|megabits|megabits per second",
    "gbps": "gbps|gbit|gbit/s|gigabit|gigabits",
    "m2": "square metres|square meters|square metre|square meter|sqm|m²|m2", "ft2": "square feet|sq ft|sqft",
    "ha": "ha hectare hectares", "acre": "acre acres", "mm":
        "mm millimetre millimetres millimeter millimeters", "cm": "cm centimetre centimetres centimeter centimeters",
    "m": "m metre metres meter meters", "km": "km kilometre kilometres kilometer kilometers",
    "km/h": "km/h|kph|kmh|km per hour|kilometres per hour|kilometers per hour|kilometres an hour|kilometers an hour",
    "mph": "mph|miles per hour|miles an hour", "m/s": "m/s|metres per second|meters per second",
    "mile": "mile miles mi", "ft": "ft foot feet", "in": "inch inches",
    "g": "g gram grams", "kg": "kg kilo kilos kilogram kilograms", "lb": "lb lbs", "t": "tonne tonnes",
    "ton": "ton tons", "oz": "oz ounce ounces", "knot": "knot knots", "pint": "pint pints",
    "ml": "ml millilitre millilitres milliliter milliliters", "l": "l litre litres liter liters",
    "mah": "mah", "wh": "wh", "kwh": "kwh", "w": "w watt watts", "kw": "kw kilowatt kilowatts", "v": "volt volts",
    "hz": "hz", "mhz": "mhz", "ghz": "ghz", "%": "%|percent|per cent", "°c": "°c|celsius|degrees celsius|degrees",
    "rpm": "rpm", "psi": "psi", "cal": "cal calories kcal", "mg": "mg milligram milligrams",
}  # fmt: skip
EN = {spelling: unit for unit, row in _EN_ROWS.items() for spelling in (row.split("|") if "|" in row else row.split())}
EN_PER = {"day": "day", "week": "week", "month": "month", "year": "year", "hour": "hour", "night": "night"}
_KO_ROWS = {
    "s": "초", "min": "분", "h": "시간", "day": "일 박", "week": "주 주일", "month": "개월 달", "year": "년",
    "gb": "기가 기가바이트 GB gb", "mb": "메가 메가바이트 MB mb", "tb": "테라 TB", "kb": "KB", "mbps": "Mbps",
    "mm": "mm 밀리미터", "cm": "cm 센티 센티미터 센치", "m": "미터", "km": "km 킬로미터",
    "mg": "mg 밀리그램", "g": "그램",
    "kg": "kg 킬로 킬로그램", "t": "톤", "ha": "헥타르", "l": "리터", "ml": "ml 밀리리터",
    "mah": "mAh mah", "w": "와트", "v": "볼트", "knot": "노트", "in": "인치",
    "kw": "kW 킬로와트", "kwh": "kWh", "hz": "Hz 헤르츠",
    "m2": "제곱미터 ㎡ 평방미터", "%": "% 퍼센트 프로", "°c": "도", "평": "평",
    "명": "명 분이 사람 인", "대": "대", "개": "개", "마리": "마리", "권": "권", "장": "장", "잔": "잔",
    "병": "병", "층": "층", "호": "호",
    "번": "번", "호선": "호선", "살": "살 세", "회": "회", "건": "건", "채": "채", "군데": "군데 곳",
    "가지": "가지", "통": "통", "캔": "캔",
    "터미널": "터미널", "번지": "번지", "단계": "단계", "등급": "등급", "학년": "학년", "교시": "교시", "동": "동",
    "호실": "호실", "관": "관", "강": "강", "게이트": "게이트", "인분": "인분", "열": "열",
    "벌": "벌", "켤레": "켤레", "그루": "그루", "송이": "송이", "척": "척", "페이지": "페이지 쪽", "곡": "곡",
    "상자": "상자 박스", "팩": "팩", "포대": "포대", "칸": "칸", "학급": "학급", "바퀴": "바퀴",
    "종": "종", "편": "편", "과목": "과목", "학점": "학점", "골": "골", "승": "승", "급": "급",
    "판": "판", "봉지": "봉지",
    "그릇": "그릇", "접시": "접시", "자루": "자루", "짝": "짝", "필": "필", "묶음": "묶음", "줄": "줄", "문제": "문제",
    "점": "점", "위": "위", "번 출구": "번 출구", "석": "석 자리",
}  # fmt: skip
KO = {
    spelling: unit for unit, row in _KO_ROWS.items() for spelling in (["번 출구"] if unit == "번 출구" else row.split())
}
EN_SPANS = {
    "minute": "min", "hour": "h", "day": "day", "night": "day", "week": "week", "weekend": "week", "month": "month",
    "quarter": "quarter", "year": "year", "fortnight": "fortnight",
}  # fmt: skip
"""Spans of time in which something recurs ("twice a quarter")."""
EN_OFTEN = {
    "hourly": (1, "h"), "daily": (1, "day"), "weekly": (1, "week"), "fortnightly": (1, "fortnight"),
    "monthly": (1, "month"), "quarterly": (1, "quarter"), "yearly": (1, "year"), "annually": (1, "year"),
}  # fmt: skip
KO_SPANS = {
    "하루": (1, "day"), "이틀": (2, "day"), "사흘": (3, "day"), "나흘": (4, "day"), "열흘": (10, "day"),
    "보름": (15, "day"), "일주일": (1, "week"), "한주": (1, "week"), "주": (1, "week"), "달": (1, "month"),
    "월": (1, "month"), "분기": (1, "quarter"), "반기": (6, "month"), "해": (1, "year"), "연": (1, "year"),
    "시간": (1, "h"), "매일": (1, "day"), "매주": (1, "week"), "매달": (1, "month"), "매월": (1, "month"),
    "매년": (1, "year"), "매시간": (1, "h"), "격일": (2, "day"), "격주": (2, "week"), "격월": (2, "month"),
}  # fmt: skip
DIMENSION = {
    **dict.fromkeys(("ms", "s", "min", "h", "day", "business day", "week", "month", "year"), "time"),
    **dict.fromkeys(("day/week", "day/month", "회"), "frequency"),
    **dict.fromkeys(("b", "kb", "mb", "gb", "tb"), "data"),
    **dict.fromkeys(("kbps", "mbps", "gbps"), "rate"),
    **dict.fromkeys(("mm", "cm", "m", "km", "mile", "ft", "in"), "length"),
    **dict.fromkeys(("km/h", "mph", "m/s", "knot"), "speed"),
    **dict.fromkeys(("mg", "g", "kg", "lb", "oz", "t", "ton"), "mass"),
    **dict.fromkeys(("ml", "l", "pint"), "volume"),
    **dict.fromkeys(("w", "kw"), "power"),
    **dict.fromkeys(("wh", "kwh"), "energy"),
    **dict.fromkeys(("hz", "mhz", "ghz"), "frequency-hz"),
}
FACTOR = {"min": (60, "s"), "h": (3600, "s"), "week": (7, "day"), "year": (12, "month"),
          "fortnight": (14, "day"), "quarter": (3, "month")}  # fmt: skip
"""Exact conversions to the unit that normal forms use."""
EN_CURRENCY = {
    "euro": "eur", "euros": "eur", "eur": "eur", "dollar": "usd", "dollars": "usd", "usd": "usd", "bucks": "usd",
    "pound": "gbp", "pounds": "gbp", "gbp": "gbp", "quid": "gbp", "franc": "chf", "francs": "chf", "chf": "chf",
    "yen": "jpy", "won": "krw", "krw": "krw", "krona": "sek", "kronor": "sek", "krone": "nok", "kroner": "nok",
    "cent": "cent", "cents": "cent", "pence": "pence", "rupee": "inr", "rupees": "inr", "zloty": "pln",
    "yuan": "cny", "peso": "mxn", "pesos": "mxn", "crown": "crown", "crowns": "crown", "lira": "try", "liras": "try",
    "shekel": "ils", "shekels": "ils", "dirham": "aed", "dirhams": "aed", "rand": "zar", "forint": "huf",
    "baht": "thb", "rouble": "rub", "roubles": "rub", "dinar": "dinar", "dinars": "dinar",
}  # fmt: skip
CURRENCY = {
    **EN_CURRENCY, "$": "usd", "€": "eur", "£": "gbp", "¥": "jpy", "₩": "krw",
    "원": "krw", "달러": "usd", "유로": "eur", "엔": "jpy", "위안": "cny", "파운드": "gbp",
}  # fmt: skip
MONTHS = {m: i + 1 for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split())}
KO_WEEKDAYS = dict(zip("월화수목금토일", "mon tue wed thu fri sat sun".split(), strict=True))
KO_DAYS = {
    "하루": 1,
    "이틀": 2,
    "사흘": 3,
    "나흘": 4,
    "닷새": 5,
    "엿새": 6,
    "이레": 7,
    "여드레": 8,
    "아흐레": 9,
    "열흘": 10,
    "보름": 15,
}
