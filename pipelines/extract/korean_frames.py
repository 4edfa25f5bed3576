"""Korean frames around a statement that need no analysis: "말로는", "에 따르면", "그러는데", quotations."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pipelines.extract.korean_people import is_source

WHO = r"(?P<who>[^,.!?\"'“‘]{1,24}?)"
SUBJECT = r"(?:이가|께서는?|이는|[이가은는]|에서는?)?"


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds a clause; `who` is outermost first, as written with its particle cut."""

    clause: str
    who: tuple[str, ...] = ()
    own: bool = False
    unknown: bool = False
    asked: bool = False
    """The speaker asked somebody, who stays unnamed ("물어봤는데")."""
    quoted: str = ""
    """The words inside quotation marks; `clause` is then what stands around them."""
    before: str = ""
    """What stands before the quotation."""
    judged: bool = False
    topic: str | None = None


FILLER = re.compile(
    "^(?:(?:아니|아|와|우와|오|음|어|흠|헐|야|근데|그런데|참고로|참|있잖아요?"
    "|저기|네|넵|예|응|ㅇㅇ|ㄴㄴ|그리고|그래서|하지만|그치만|그래도|사실"
    "|실은|혹시|앗|헉|알고 보니|다행히|아쉽게도|그러니까|암튼|아무튼|어쨌든"
    r"|진짜|정말|에이|글쎄)[,!.~]*\s+)+"
)
OWN_WORDS = re.compile(r"(?:^|\s)(?:솔직히|개인적으로는?|솔까|제가 보기엔|내가 보기엔|내 기준|제 기준)")
OWN = re.compile(
    "^(?:(?:내|제|나의|저의) (?:생각에는?|생각엔|생각으로는?|생각은|의견으로는?"
    "|기준으로는?|기준엔|입장에서는?|눈에는?|눈엔|경험상|취향에는?)"
    "|(?:내가|제가|나한테는?|저한테는?|나에겐|저에겐) ?(?:보기에는?|보기엔"
    "|느끼기에는?|느끼기엔|생각하기엔|볼 땐|볼 때는?)?|개인적으로는?|솔직히(?: 말해서?"
    r")?|솔까말?)(?:요)?,?\s+(?=\S)"
)
OWN_AFTER = re.compile(r",? (?:내|제) (?:생각엔|생각에는?|보기엔|의견으론|기준엔)(?:요)?[.!~]*$")
OWN_STRICT = re.compile(r"생각|의견|기준|입장|눈에|경험|취향|보기|느끼기|볼 때|볼 땐|개인적|솔직히|솔까")
UNKNOWN = re.compile(
    "^(?:소문(?:에는?|으로는|에 의하면|에 따르면|을 들으니|이|으론)|(?:내가 "
    "|제가 )?듣기로는?|듣기론|듣자 ?하니|들리는 (?:말로는?|말에는?|얘기로는?"
    "|소문에는?)|(?:내가 |제가 )?들은 (?:바로는?|바에 의하면|얘기로는?|얘긴데"
    "|건데|말로는)|풍문에|카더라에"
    "|(?:누가|어디서|다들|사람들이|남들이|주변에서|여기저기서|동네에서|누군가가?"
    ") (?:그러는데|그러던데|그러더라|들었는데|들은 건데|봤는데|말하길|하는 말이)"
    r"),?\s*"
)
ASKED = re.compile(
    r"^(?:(?:내가|제가|방금|아까|어제) )?(?:(?P<who>[^\s,]{1,10}?)(?:이한테"
    "|한테|에게|께)(?:서)? ?)?(?:직접 )?(?:물어 ?(?:봤는데|보니까?|봤더니"
    "|봤어요?[.,]?)|여쭤 ?(?:봤는데|보니까?|봤더니)|(?:전화|연락|통화|확인)(?:해"
    r" ?봤는데|해 ?보니까?|했는데|하니까?|했더니|해 ?봤더니)),?\s*"
)
NAMED = (
    re.compile(
        rf"^{WHO}{SUBJECT}\s+(?:그러는데|그러던데|그러시는데|그러시던데|그러더라고"
        "|그러시더라고|그러길|그러시길|말하길|말씀하시길|말하기를|하는 말이|하시는 말씀이"
        r"|왈|전하길|전하기를|알려주길)(?:요)?,?\s*"
    ),
    re.compile(
        rf"^{WHO}(?:의)?\s*(?:말로는|말로|말론|말씀으로는|말씀으론|말씀에 따르면"
        "|말에 따르면|말씀에 의하면|말에 의하면|말 들어 ?보니까?|얘기로는|얘기론"
        "|이야기로는|얘기 들어 ?보니까?|설명으로는|설명에 따르면|주장으로는|전언으로는"
        r"|표현으로는|표현을 빌리면|보고에 따르면)(?:요)?,?\s+"
    ),
    re.compile(
        f"^{WHO}(?:에 따르면|에 의하면|에 나왔는데|에 나온 건데|에 그러던데|에 보니까?"
        "|에 써 ?있(?:던데|는데)|에 적혀 ?있(?:던데|는데)|에서 봤는데|에서 들었는데"
        "|에서 읽었는데|에서 보니까?|에서 그러는데|에서 그러던데|을 보니까?|를 보니까?"
        r")(?:요)?,?\s*"
    ),
    re.compile(
        f"^{WHO}(?:이한테서?|한테서?|에게서?|에게|께서?|을 통해서?|를 통해서?"
        r"|로부터|으로부터)\s*(?:전해 )?(?:들었는데|들으니까?|듣기로는?|듣기론"
        "|들은 바로는?|들은 바에 의하면|들은 건데|들은 얘긴데|들은 얘기로는?"
        r"|들어 ?보니까?|들었습니다만|들었거든)(?:요)?,?\s*"
    ),
)
READ = re.compile(
    rf"^{WHO}(?:을|를)? (?:보니까?|보면|봤는데|봤더니|들으니까?|들었는데|읽어 ?보니까?|찾아 ?보니까?)(?:요)?,?\s+"
)
"""A medium that somebody has looked into ("공지 보니까")."""
PASSED_ON = (
    re.compile(
        rf"^{WHO}{SUBJECT}\s+(?P<via>[^,.!?\"'\s]{{1,10}}?)(?:이한테서?|한테서?|에게서?|께)\s*(?:전해 )?"
        r"들(?:었다는데|었다던데|었다더라|었대|었다고 하는데|은 얘긴데|은 건데|은 얘기로는)(?:요)?[,.]?\s+"
    ),
    re.compile(
        rf"^{WHO}{SUBJECT}\s+(?P<via>[^,.!?\"'\s]{{1,10}}?)이?(?:의)?\s+(?:말|말씀|얘기|이야기)(?:을|를)?\s+"
        r"(?:전해|전달해|옮겨|들려) ?(?:줬는데|줬어|주던데|주더라고|주더라|주셨는데|주시던데|줬거든)(?:요)?[,.]?\s+"
    ),
)
"""Who passed on whose words ("기태가 다솜이한테 들었다는데"), the speaker's own source first."""
VIEW = (
    re.compile(
        rf"^(?!\d){WHO}(?:의|이|가)?\s*(?:생각에는?|생각엔|생각으로는?|보기에는?|보기엔"
        r"|입장에서는?|입장에선|눈에는?|눈엔|기준으로는?|의견으로는?)(?:요)?,?\s+"
    ),
    re.compile(
        rf"^{WHO}(?:의)?\s+(?:평가|의견|반응|소감|한줄평|한 줄 평|평|후기|리뷰|총평|피드백|코멘트)(?:은|는|:)\s*"
    ),
)
QUOTE = re.compile(
    r"[\"“'‘「](?P<in>[^\"”'’」]{2,200})[\"”'’」]\s*(?P<mark>이?라고"
    "|이?라며|이?라면서|고|하고|이?라는 (?:말|평|얘기|반응)|이?래요?|$)"
)
AUTHOR = re.compile(
    r"^(?P<who>[^,.!?\"'“‘:]{1,20}?)(?:이가|께서는?|이는|[이가은는]|님?의? (?:후기"
    r"|리뷰|평|말|한마디|한 마디|반응))?(?: [가-힣]+(?:에다가|에다|에서|에))?\s*(?::|,)?\s*$"
)
FIRST_WHO = re.compile(r"^(?:나|저|내|제|내가|제가|나는|저는|난|전|우리|저희)$")
NOT_WHO = re.compile(
    ".*(?:다고|라고|자고|냐고|지만|[가-힣]면|해서|아서|어서|[하되]고|는데"
    "|게)$|^(?:그|이|저|뭐|왜|그게|이게|그건|이건|어디|언제|그래|그런|이런"
    "|다른)$"
)


def frame_of(text: str) -> Frame:
    """Peel the fixed frames off a sentence, outermost first.

    >>> frame_of("미나한테 들었는데 도서관이 이전한대.").who
    ('미나',)
    >>> frame_of("소문에 그 팀 해체된대.").unknown
    True
    """
    own = bool(OWN_WORDS.search(text[:20]))
    trailing = OWN_AFTER.search(text)
    if trailing:
        text, own = text[: trailing.start()], True
    frame = Frame(FILLER.sub("", text) or text, own=own)
    for _ in range(3):
        step = _once(frame)
        if step is None:
            break
        frame = replace(step, clause=FILLER.sub("", step.clause) or step.clause)
    match = QUOTE.search(frame.clause)
    if match and len(match["in"]) >= 3 and (match["mark"] or AUTHOR.match(frame.clause[: match.start()].strip())):
        before = frame.clause[: match.start()].strip()
        return replace(
            frame, quoted=match["in"].strip(), clause=f"{before} {frame.clause[match.end() :]}".strip(), before=before
        )
    return frame


def _once(frame: Frame) -> Frame | None:
    text = frame.clause
    match = UNKNOWN.match(text)
    if match:
        return replace(frame, clause=text[match.end() :], unknown=True)
    match = ASKED.match(text)
    if match and match.end() < len(text):
        who = match.groupdict().get("who")
        return replace(frame, clause=text[match.end() :], asked=True, who=(*frame.who, who) if who else frame.who)
    for pattern in PASSED_ON:
        match = pattern.match(text)
        if match and match.end() < len(text) and not FIRST_WHO.match(match["who"].strip()):
            told = (match["who"].strip(), match["via"].strip())
            return replace(frame, clause=text[match.end() :], who=(*frame.who, *told))
    for pattern in NAMED:
        match = pattern.match(text)
        if match and match.end() < len(text) and not NOT_WHO.match(match["who"].strip()):
            if FIRST_WHO.match(match["who"].strip()):
                return replace(frame, clause=text[match.end() :])
            return replace(frame, clause=text[match.end() :], who=(*frame.who, match["who"].strip()))
    match = READ.match(text)
    if match and is_source(match["who"].strip()):
        return replace(frame, clause=text[match.end() :], who=(*frame.who, match["who"].strip()))
    match = OWN.match(text)
    if match and OWN_STRICT.search(match.group()):
        return replace(frame, clause=text[match.end() :], own=True)
    for pattern in VIEW:
        match = pattern.match(text)
        if match and match.end() < len(text) and not NOT_WHO.match(match["who"].strip()):
            who = match["who"].strip()
            if re.search(r"지만|는데|다고|라고|[가-힣]고 ", who):
                continue
            if FIRST_WHO.match(who):
                return replace(frame, clause=text[match.end() :], own=True)
            return replace(frame, clause=text[match.end() :], who=(*frame.who, who), judged=True)
    return None
