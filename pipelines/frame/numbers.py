"""Numbers in digits and in words, English and Korean."""

from __future__ import annotations

import re
from decimal import Decimal

EN_UNITS = {
    w: i
    for i, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen".split()
    )
}
EN_TENS = {w: 10 * (i + 2) for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())}
EN_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
EN_ORDINALS = {
    w: i + 1
    for i, w in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth".split()
    )
}
KO_DIGITS = {c: i for i, c in enumerate("영일이삼사오육칠팔구")} | {"공": 0, "륙": 6}
KO_SMALL = {"십": 10, "백": 100, "천": 1000}
KO_LARGE = {"만": 10_000, "억": 100_000_000}
KO_ONES = {
    "하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "서": 3, "넷": 4, "네": 4, "넉": 4, "너": 4,
    "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
KO_TENS = {
    "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80, "아흔": 90,
}  # fmt: skip

_EN_WORD = "|".join(sorted([*EN_UNITS, *EN_TENS], key=len, reverse=True))
_SCALE = "|".join(EN_SCALES)
EN_NUMBER = (
    rf"(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s?(?:k\b|million|billion|thousand|hundred))?"
    rf"|(?:(?:{_EN_WORD}|a(?=\s+(?:{_SCALE}|dozen)))\b(?:[\s-]+(?:and\s+)?(?:{_EN_WORD}|{_SCALE}|dozen)\b)*)"
    rf"|(?:half\s+a\s+dozen|a\s+dozen)"
)
_SPELT = re.compile(rf"(?<![\w.,-])(?:{_EN_WORD})(?:[\s-]+(?:and\s+)?(?:{_EN_WORD}|{_SCALE}))*(?![\w-])", re.I)
_KO_NATIVE = (
    "(?:(?:" + "|".join(sorted(KO_TENS, key=len, reverse=True)) + ")(?:"
    + "|".join(sorted(KO_ONES, key=len, reverse=True)) + ")?|"
    + "|".join(sorted(KO_ONES, key=len, reverse=True)) + ")"
)  # fmt: skip
KO_NATIVE = _KO_NATIVE
KO_SINO = (
    r"(?:(?:\d[\d,]*(?:\.\d+)?|[일이삼사오육칠팔구])?\s?[십백천만억]\s?(?:(?:\d[\d,]*|[일이삼사오육칠팔구])?[십백천만]\s?)*"
    r"(?:\d[\d,]*|[일이삼사오육칠팔구](?![가-힣]*[가-힣]{2}))?|\d[\d,]*(?:\.\d+)?)"
)


def english_number(text: str) -> Decimal | None:
    """The number that English words or digits name.

    >>> english_number("nine hundred"), english_number("twenty-five"), english_number("1,250.5"), english_number("3k")
    (Decimal('900'), Decimal('25'), Decimal('1250.5'), Decimal('3000'))
    """
    words = re.sub(r"(?<=\d),(?=\d{3})", "", text.lower()).replace("-", " ").split()
    total = part = Decimal(0)
    seen = False
    for word in words:
        plain = re.fullmatch(r"(\d+(?:\.\d+)?)(k)?", word)
        if plain:
            part += Decimal(plain[1]) * (1000 if plain[2] else 1)
        elif word in EN_UNITS or word in EN_TENS:
            part += EN_UNITS.get(word, 0) or EN_TENS.get(word, 0)
        elif word == "hundred":
            part = (part or Decimal(1)) * 100
        elif word in EN_SCALES:
            total += (part or Decimal(1)) * EN_SCALES[word]
            part = Decimal(0)
        elif word == "dozen":
            part = (part or Decimal(1)) * 12
        elif word == "k":
            part *= 1000
        elif word == "half":
            part = Decimal("0.5")
        elif word in ("and", "a"):
            continue
        else:
            return None
        seen = True
    return total + part if seen else None


def korean_number(text: str) -> Decimal | None:
    """The number that Korean numerals, native or Sino-Korean, or digits name.

    >>> korean_number("3만 5천"), korean_number("백이십만"), korean_number("쉰둘"), korean_number("12,000")
    (Decimal('35000'), Decimal('1200000'), Decimal('52'), Decimal('12000'))
    """
    flat = re.sub(r"[\s,]", "", text)
    if not flat:
        return None
    tens = next((w for w in sorted(KO_TENS, key=len, reverse=True) if flat.startswith(w)), "")
    rest = flat[len(tens) :]
    if (tens and not rest) or rest in KO_ONES:
        return Decimal(KO_TENS.get(tens, 0) + KO_ONES.get(rest, 0))
    total = part = Decimal(0)
    digits = ""
    seen = False
    for char in flat:
        if char.isdigit() or char == ".":
            digits += char
        elif char in KO_DIGITS:
            digits += str(KO_DIGITS[char])
        elif char in KO_SMALL:
            part += (Decimal(digits) if digits else 1) * KO_SMALL[char]
            digits, seen = "", True
        elif char in KO_LARGE:
            total += ((part + Decimal(digits or 0)) or 1) * KO_LARGE[char]
            part, digits, seen = Decimal(0), "", True
        else:
            return None
    if not seen and not digits:
        return None
    return total + part + Decimal(digits or 0)


def in_digits(text: str) -> str:
    """English words with the numbers above ten among them in digits, as papers print them.

    >>> in_digits("seventy-five dollars"), in_digits("every six months"), in_digits("two hundred grams")
    ('75 dollars', 'every six months', '200 grams')
    """

    def told(match: re.Match[str]) -> str:
        number = english_number(match.group())
        return match.group() if number is None or number <= 10 else plain(number)

    return _SPELT.sub(told, text)


def plain(number: Decimal) -> str:
    """Digits without trailing zeros or exponents.

    >>> plain(Decimal("7.50")), plain(Decimal("1E+3"))
    ('7.5', '1000')
    """
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
