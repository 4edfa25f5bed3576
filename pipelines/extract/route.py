"""Which turns and sentences are worth reading: greetings, thanks, backchannels and reactions are not."""

from __future__ import annotations

import re

from lakehouse.records import Turn
from lakehouse.vocabulary import Language
from pipelines.language import detect

LAUGH = r"(?:l+o+l+|lmao|rofl|(?:ha|he|hi){2,}h?|x+d+|[ㅋㅎㅠㅜㅇㄴㄱㄷㅂㅊㅈ]{1,}|~+|!+|\^+)"
GREETING_EN = re.compile(
    "^(?:(?:good )?(?:morning|afternoon|evening|night)|hi+|hey+|hello+|hiya"
    "|howdy|yo|sup|greetings|welcome(?: back)?|bye|goodbye|cya"
    r"|see (?:you|ya)|take care|cheers|have a (?:good|nice|great|lovely) \w+(?: \w+"
    r")?|happy \w+(?: \w+)?|merry \w+|long time no see"
    "|nice to meet you|how(?:'s it going| are you)|good to (?:see|hear from) you"
    r"|you're through to|speak (?:to you )?soon|ttyl|brb|gn|gm)\b",
    re.I,
)
BACKCHANNEL_EN = re.compile(
    "^(?:(?:oh+|ah+|wow+|whoa|yay+|ooh+|aww*|ugh+|hmm+|huh|mm+|um+|phew|yikes"
    "|oops|gosh|omg|damn|man|dude|well|yes+s*|woo+(?:t|hoo+)?|yip+ee+|hoo?ra+y"
    "|hurra+y|bravo|kudos|eek|ouch|meh|who knows|beats me|search me|hard to say"
    "|(?:i )?(?:couldn't|can't|cannot|could not|wouldn't) (?:really )?(?:say"
    "|tell|comment|judge)|no opinion(?: from me)?|no comment|you'll see|mark my words"
    "|trust me|believe me|fingers crossed|yeah+|yep|yup|no+|nope|nah|ok(?:ay)?"
    "|k|kk|sure|right|fine|true|exactly|indeed|absolutely|definitely|totally"
    "|agreed|same(?: here)?|noted|understood|roger|got it|gotcha|will do"
    "|of course|no problem|no worries|np|never mind|nvm|really|seriously"
    "|no way|no idea|not sure|dunno|i don't know|idk|i see|i know(?: right)?"
    "|i guess(?: so)?"
    "|thanks?(?: a lot| so much| a bunch| a million)?|thank you(?: so much"
    "| very much)?|ty|thx|please|sorry|my bad|congrats|congratulations|well done"
    "|good job|nice(?: one)?"
    "|cool|great|awesome|perfect|amazing|brilliant|lovely|sweet|neat|interesting"
    "|fair enough|good (?:question|point|idea|call|for you|luck|one|to know"
    "|to hear)"
    r"|great (?:question|point|idea|news|to hear)|sounds (?:\w+ ?){1,3}|that's (?:\w+"
    r" ?){1,2}(?:to hear|news)?|too bad|what a (?:\w+ ?){1,2}|poor (?:you"
    "|thing)|lucky you|finally|about time"
    "|makes sense|me too|me neither|you bet|you're welcome|go ahead|go on"
    "|tell me about it|can't wait|let's see|we'll see|don't worry|sorry to hear that"
    "|(?:i'm|we're|i am|we are) (?:so |very |really )?sorry(?: about that"
    "| for that| to hear that)?|glad to hear (?:that|it)"
    "|hope so|i hope so|i think so|i guess|maybe|perhaps|probably|possibly"
    "|anyway|so|and|but|then|stop it|shut up|good|bad|done|yay you|rip|ikr"
    "|welp|bingo|touché|amen|slow clap|still counting|(?:ha+,? )?(?:wouldn't"
    "|don't|aren't|haven't) we all)"
    r"(?:[\s,.!~-]+|$)){1,5}(?:you|you all|everyone|all|guys|team|then|too|mate|man|there|again|\w{2,12})?[\s.!~]*$",
    re.I,
)
THANKS_EN = re.compile(
    r"^(?:(?:hi|hello|hey|oh|wow|ok|great|perfect|ah)(?: \w+)?[,! ]+)?(?:many )?(?:thanks?"
    r"|thank you|cheers|appreciate (?:it|you|that))\b(?!.*\bbut\b)"
    r"(?:,? (?:so much|a lot|a bunch|again|everyone|all|you|\w+))*(?: for\b.*)?$",
    re.I,
)
REACTION_EN = re.compile(
    "^(?:sounds|looks like you|that (?:sounds|must|is|was)|that's|you(?:'d"
    "| would| must| should| could| can|'ll| will)|hope|wish|good luck|congrat"
    "|well done|thank|thanks|so (?:happy|sorry|glad|proud)"
    "|i'm (?:so |really |very )?(?:sorry|glad|happy) (?:to hear|for you|that)"
    "|sorry (?:to hear|for|about)|glad (?:to hear|you)|happy (?:for you|birthday"
    "|valentine)|can't wait|let me know|no (?:opinion|comment|idea|clue)"
    r"|ha+\b|wouldn't we|tell me|mark my words)\b",
    re.I,
)
QUESTION_EN = re.compile(
    "^(?:and |so |but |hey |hi |ok |well |wait |um |oh |also |then )*(?:what"
    "|who|whose|which|where|when|why|how|is|are|am|was|were|do|does|did|has"
    "|have|had|can|could|will|would|shall|should|may|might|any(?:one|body)?"
    r"|anything)\b[,']?"
    r"(?: (?:\w+ )?(?:i|you|we|they|he|she|it|there|this|that|the|your|my"
    "|our|someone|anyone|anybody|has|is|are|was|do|does|did|know|about|make"
    r"|come|much|many|long|time|kind|laptop)\b)",
    re.I,
)
HYPOTHETICAL_EN = re.compile(
    "^(?:(?:and|but|so|well|ok|hey|man|god),? )?(?:suppose|imagine|say we"
    "|what if|if only|i wish|pretend|let's say|let's pretend|hypothetically"
    r"|assuming|in theory)\b"
    r"|\bif (?:i|we|you|he|she|they|it|someone|[A-Z]\w+|the \w+|my \w+|only)(?: \w+"
    ")? (?:were|was|had|won|could|got|knew|lived|owned|ever|did|went|lost"
    r"|found|took|gave|made|paid|quit|became|left|came)\b.*\b(?:would|'d|could"
    r"|might)\b"
    r"|\b(?:would|'d|could|might)\b.*\bif (?:i|we|you|he|she|they|it|[A-Z]\w+"
    r"|the \w+)(?: \w+)? (?:were|was|had|won|could|got|knew|lived|owned|did"
    r"|went|lost|found|took|gave|made|paid|quit|became|left|came|\w+ed)\b"
    r"|\b(?:would|could|should|might) have \w+(?:ed|en|ne|wn|t)\b.*\bif\b"
    r"|\bif\b.*\b(?:would|could|should|might|'d) have\b|^if i ever\b|^had (?:i"
    r"|we|you|they|he|she)\b.*\bwould\b|^were (?:i|we) to\b",
    re.I,
)
GREETING_KO = re.compile(
    r"^(?:(?:다들|모두|여러분|네|넵|예|아|오|와|안녕|저기|혹시|어|음)[\s,!~]*)*(?:안녕(?:하세"
    "요|하십니까|히)?|굿모닝|굿나잇|좋은 (?:아침|하루|저녁|밤|주말)|반갑"
    "|반가워|어서 ?오세요|수고|고생|잘 ?(?:자|가|지내|부탁)|또 ?(?:봐|뵐"
    "|만나)|새해 복|메리|생일 ?축하|오랜만|화이팅|파이팅|힘내|즐거운|행복한)"
)
BACKCHANNEL_KO = re.compile(
    "^(?:(?:네+|넵+|넹|예+|응+|웅|어+|음+|흠+|아+|오+|와+|우와|헐+|헉+|엥"
    "|에이|꺅|앗|이런|저런|맞아요?|맞습니다|그래요?|그렇(?:구나|군요|네요?"
    "|지요?|죠)|그러(?:게요?|네요?|니까요?)|알겠습니다|알겠어요?|알았어요?"
    "|알았다|오케이|오키|ㅇㅋ|ㅇㅇ|ㄴㄴ|ㄹㅇ|ㄱㄱ|굿|좋아요?|좋습니다|좋네요?"
    "|좋겠다|부럽다|부러워|대박|진짜요?|정말요?|레알|인정|확인(?:했습니다"
    "|했어요|이요)?|참고하겠습니다|감사(?:합니다|해요|드려요|드립니다)?|고마워요?"
    "|고맙습니다|죄송(?:합니다|해요)|미안(?:해|합니다)?|축하(?:해요?|드려요"
    "|드립니다|합니다)?|괜찮(?:아요?|습니다)|별말씀을요?|천만에요|글쎄요?"
    "|몰라요?|모르겠(?:어요?|네요?|습니다)|잘됐(?:다|네요?|어요?)|다행(?:이다"
    "|이네요?|이에요)?|대단(?:하(?:세요|네요|다)|해요?)|멋지(?:다|네요?)"
    "|고생(?:했어요?|하셨어요|하셨습니다)|수고(?:했어요?|하셨어요|하셨습니다)"
    "|응원(?:할게요?|합니다)|힘내(?:요|세요)?|화이팅|파이팅|아니(?:요|에요"
    "|야)?|없어요?|없습니다|없네요|안돼|됐어요?|물론(?:이죠|이지)?|당연(?:하죠"
    r"|하지)|그럼요?|글쎄|역시|축하축하|명절|ㅋ+|ㅎ+|ㅠ+|ㅜ+)(?:[\s,.!?~^]+"
    r"|$)){1,6}[ㅋㅎㅠㅜ~!.\s^]*$"
)
REACTION_KO = re.compile(
    "축하(?:드|해|합|드려)|잘됐|대단하|부럽|고생하셨|수고하|힘내|응원|다행이"
    "|안타깝|속상하|괜찮아질|걱정 ?(?:마|하지)|기대(?:된다|돼)|꿈 ?깨|축하해"
    "|생각 ?좀 ?해|불편을 ?드려|도와드릴까|연락 ?드리겠|감사(?:합|해|드)"
    "|죄송(?:합|해)|고마(?:워|웠)|못 ?들었|모르겠|안 ?써 ?봤|안 ?가 ?봤|안 ?먹어"
    " ?봤|안 ?봤"
)


def idle(text: str, language: Language) -> str:
    """Why a sentence asserts nothing, "" when it may.

    >>> idle("Thanks a lot!", "en"), idle("네 알겠습니다.", "ko"), idle("The lift is broken.", "en")
    ('backchannel', 'backchannel', '')
    """
    bare = re.sub(rf"(?:\s|^){LAUGH}(?=\s|$|[.!])", " ", text).strip(" .,!~^\"'")
    if len(re.findall(r"[^\W\d_]", bare)) < 2 and not re.search(r"\d", bare):
        return "too short"
    if language == "ko":
        if BACKCHANNEL_KO.match(bare) or BACKCHANNEL_KO.match(text.strip()):
            return "backchannel"
        return "greeting" if GREETING_KO.match(bare) else ""
    if BACKCHANNEL_EN.match(bare) or THANKS_EN.match(bare):
        return "backchannel"
    if GREETING_EN.match(bare) and (len(bare.split()) <= 6 or "through to" in bare):
        return "greeting"
    return ""


def is_question(text: str, language: Language) -> bool:
    """Whether a sentence asks: its mark, or English word order without one.

    >>> is_question("Where is she living these days?", "en"), is_question("which laptop is it", "en")
    (True, True)
    """
    stripped = text.rstrip(" \"'”’)ㅋㅎㅠㅜ~^!😀😂")
    if stripped.endswith(("?", "？")):
        return True
    return language == "en" and not stripped.endswith(".") and bool(QUESTION_EN.match(stripped))


def worth(turn: Turn) -> tuple[bool, str]:
    """Whether a turn is worth extracting from, with the reason when it is not.

    Reasons: empty, other language, command, link, too short, greeting, backchannel, question.
    """
    text = turn.text.strip()
    if not text:
        return False, "empty"
    if re.match(r"^[/!.][a-z]+(?:\s|$)", text) or re.match(
        r"^\S+ (?:has )?(?:joined|left|quit) (?:#|the (?:channel|room|chat|call|meeting))", text
    ):
        return False, "command"
    if re.fullmatch(r"(?:<?https?://\S+>?\s*)+", text):
        return False, "link"
    language = detect(text)
    if language == "other":
        return (
            (True, "")
            if re.search(r"\w\s*[=:]\s*\d", text)
            else (False, "other language" if re.search(r"[^\W\d_]", text) else "too short")
        )
    sentences = [piece for piece in re.split(r"(?<=[.!?])\s+|\n+", text) if piece.strip()]
    reasons = [idle(piece, language) or ("question" if is_question(piece, language) else "") for piece in sentences]
    return (True, "") if not all(reasons) else (False, reasons[0])
