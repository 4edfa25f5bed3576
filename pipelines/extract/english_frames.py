"""English frames around a statement that need no parse: "according to", "apparently", "in my view", quotations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipelines.extract.english_names import RELATED

WHO = (
    "(?P<who>(?:[Tt]he |[Mm]y |[Oo]ur |[Yy]our |[Hh]er |[Hh]is |[Tt]heir "
    r"|[Aa]n? )?[\w.'-]+(?: (?:of |at |in |from )?[\w.'-]+){0,4}?)"
)
NAME = r"(?P<who>(?:[Tt]he |[Mm]y |[Oo]ur |[Yy]our |[Hh]er |[Hh]is )?[\w.'-]+(?: [\w.-]+){0,3}?)"
VIEW = r"(?:view|opinion|eyes|mind|book|words|experience|judg(?:e)?ment|estimation|assessment|telling)"
SAYS = (
    "(?:says?|said|tells? me|told me|told us|reckons?|thinks?|thought|claims?"
    "|claimed|insists?|insisted|reports?|reported"
    "|writes|wrote|argues?|argued|believes?|believed|swears?|adds|added|warns?"
    "|warned|notes?|noted|explained|complained"
    r"|admitted|figures?|feels?|complains|texted|posted|mentioned|replied|admits)"
)
SAYING = re.compile(
    r"\b(?:says?|said|tells?|told|thinks?|thought|reckons?|hears?|heard|mentions?|mentioned|insists?|insisted|believes?"
    r"|believed|reported|claimed|argued|explained|admitted|warned|noted|complained|writes|wrote|swears|swore)\b",
    re.I,
)
"""Forms of verbs of saying that are no nouns: a holder who holds one is a report of his own."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds a clause. `who` is outermost first, as written; `own` marks the speaker's view."""

    clause: str
    who: tuple[str, ...] = ()
    own: bool = False
    unknown: bool = False
    negated: bool = False
    quoted: bool = False
    topic: str | None = None
    doubted: bool = False
    """The speaker doubts what follows ("I'm not convinced that ...")."""
    judged: bool = False
    """The frame itself says that a view follows ("in X's opinion")."""


FILLER = re.compile(
    "^(?:(?:well|so|but|and|also|anyway|ok|okay|yeah|yes|yep|no|nah|oh|ah"
    "|hey|look|listen|right|hmm+|um+|uh|er|fyi|heads[- ]up"
    r"|for the record|by the way|honestly|frankly|personally|seriously|actually|really|truth be told|to be honest"
    "|to be fair|mind you|guess what|i mean|you know|sorry|big news|good news"
    "|bad news|update|note|reminder|ps|(?:the )?thing is|(?:real )?quick(?:ly)?(?=,)|first off"
    "|(?:scratch|strike|scrap|forget) that|never mind|my mistake|my bad|correction"
    "|not (?:going to|gonna) lie|no lie"
    "|(?:action(?: item)?|todo|to-do|task|next step|follow-up|outcome|agreed|resolved|decided|carried)(?=:)"
    r")\b[,:!.–-]*\s+"
    ")+"
    r"(?=\S)",
    re.I,
)
GREETED = re.compile(
    r"^(?i:(?:a )?(?:\w+ )?welcome|(?:please )?meet|congratulations|congrats|well done|hats off|thanks|thank you)"
    r"(?: (?:to|aboard))?,? (?P<who>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,2}), who (?=\w)"
)
"""A name greeted or thanked before what he did ("Welcome Ana, who joins us today"): that is what is told."""
FOUND = re.compile(
    r"^(?:you|one)(?:['’]ll| will| can) find (?P<what>(?:the|my|our|his|her|their|\w+['’]s) [\w' -]+?) "
    r"(?=(?:in|at|on|under|behind|next to|beside|near|inside) )",
    re.I,
)
"""Where a thing is, told to whoever looks for it ("You'll find the ladder in the shed")."""
VOCATIVE = re.compile(
    r"^(?:(?:[Ww]ow|[Oo]h|[Hh]ey|[Aa]w+|[Hh]aha),? )?[A-Z][\w-]+, (?=(?:[Tt]hat"
    r"|[Yy]ou|[Ii]t|[Ss]o|[Ss]ounds|[Tt]hank|[Ww]hat|I)\b)"
)
"""A name called at the start: "Pia, that's great"."""
TAIL = re.compile(
    (
        ",? (?:you'll see|trust me|believe me|just (?:you )?(?:watch|wait)"
        "|i swear|no joke|for real|fingers crossed|you know|thank you|thanks"
        r"|please advise|lol|right)\s*[.!]*$"
    ),
    re.I,
)
OWN_WORDS = re.compile(r"\b(?:honestly|frankly|personally|to be honest)\b", re.I)
OWN_BEFORE = re.compile(
    r"^(?:i(?:'d| would| must| have to| gotta)? (?:\w+ly |do |still |just |also |kind of |sort of )*"
    "(?:think|believe|reckon|guess|suppose|figure|feel like|say|argue|consider it"
    r" true|maintain|admit)(?: that)?,? (?!of\b|about\b|so\b|to\b)"
    r"|i(?:'m| am) (?:\w+ly |of the opinion |pretty |quite )*(?:convinced"
    "|sure|certain|afraid|of the opinion)(?: that)?,? (?!of|about)"
    r"|in my (?:\w+ )?(?:opinion|view|book|eyes|mind|experience|judgment|judgement),? "
    r"|if you ask me,? |as far as i(?:'m| am) concerned,? |(?:as|the way) i see it,? |from my point of view,? "
    r"|to my mind,? |(?:to|for) me,? (?=\w)|it seems to me(?: that)? |seems to me(?: that)? |it feels like |feels like "
    r"|my (?:\w+ )?(?:view|opinion|take|feeling|verdict|impression|two cents)(?: (?:is|was)(?: that)?|:) "
    r"|hot take:? |unpopular opinion:? |call me \w+ but )",
    re.I,
)
OWN_NOT_BEFORE = re.compile(
    (
        r"^i (?:don't|do not|never|no longer|can't|cannot|wouldn't) (?:\w+ly )?(?:think"
        r"|believe|feel|reckon|say)(?: that| like)? (?!of\b|about\b|so\b)"
    ),
    re.I,
)
OWN_AFTER = re.compile(
    r",? (?:in my (?:\w+ )?(?:opinion|view|book)|if you ask me|as far as i(?:'m"
    "| am) concerned|i(?:'d)? (?:think|reckon|guess|say|believe|suppose)"
    r"|i(?:'m| am) (?:convinced|afraid|sure|certain|positive)"
    r"|as i see it|to my mind|(?<!\bit )(?<!\bon )(?<!\bover )(?<!\bback )(?<!\balong )(?<!\bthem )(?:to|for) me"
    "|imo|imho|i must say|i have to say"
    r"|let me tell you|(?:to be|if i'm|if i am)(?: being)? (?:honest|frank|blunt|fair)|tbh|truth be told"
    r"|i (?:have|need) to admit|i must (?:admit|confess)|honestly)\s*[.!]*$",
    re.I,
)
DOUBT_BEFORE = re.compile(
    r"^(?:i(?:'m| am)(?: still| really)?(?: not|n't) (?:\w+ly )?(?:convinced|persuaded|sold on the idea)(?: that)? "
    r"|i(?:'m| am) (?:\w+ly )?(?:doubtful|sceptical|skeptical)(?: that)? |i (?:\w+ly )?doubt(?: that| if| whether)? )"
    r"(?!about|of|it\b|so\b|by)(?=\S+ \S)",
    re.I,
)
UNKNOWN_BEFORE = re.compile(
    "^(?:(?:apparently|reportedly|allegedly|supposedly|rumou?r has it(?: that)?"
    "|(?:the )?word(?: on the street| around here)? (?:is|has it)(?: that)?"
    "|(?:they|people|folks|everyone|everybody|some(?: people)?|many) (?:all )?(?:say"
    "|says|are saying|claim)(?: that)?|it(?:'s| is| was) (?:said|rumou?red"
    "|reported|claimed|alleged)(?: that)?"
    "|legend has it(?: that)?|i(?:'ve| have)? (?:just )?(?:hear|heard|been told"
    "|gather|gathered)(?: it said)?(?: that)?(?! from| about| of| back)"
    "|(?:just )?heard(?: that)?(?! from| about| of| back)|i(?:'m| am| was"
    "| have been|'ve been) told(?: that)?(?! by)|(?:from|by) what i(?:'ve)? (?:hear"
    "|heard|gather)|the (?:rumou?r|talk|story|gossip) (?:is|goes)(?: that)?"
    "|there(?:'s| is) (?:a rumou?r|talk|gossip)(?: going (?:round|around))?(?: that"
    ")?|a little bird told me(?: that)?|i(?:'ve)? read (?:somewhere )?that"
    "|someone (?:said|told me|mentioned)(?: that)?"
    r"|somebody (?:said|told me)(?: that)?|(?:the )?rumou?rs? (?:say|says)(?: that)?),? )",
    re.I,
)
UNKNOWN_INSIDE = re.compile(
    (
        r",? ?\b(?:apparently|reportedly|allegedly|supposedly|so i(?:'ve)? (?:hear"
        "|heard)|so they say|so i(?:'m| am) told|or so i(?:'m| am| was) told"
        r"|i hear(?! from| about| of| back)|i(?:'m| am) told|rumou?r has it)\b,?"
    ),
    re.I,
)
FROM_WHOM = re.compile(
    r"^who (?:had |has |'s )?(?:heard|hears|got|had|has|learned|learnt|knows|took) (?:it|this|that|the news) "
    rf"(?:from|by way of) {WHO}, (?:that )?",
    re.I,
)
"""After a holder: he had it from somebody, whose statement it is."""
MINE_SAYS = re.compile(rf"^(?P<who>mine|ours) {SAYS} (?!by\b|about\b|of\b)(?:that )?(?=\S+ \S)", re.I)
MINE_BEFORE = re.compile(
    rf"^(?P<who>mine|ours)(?:'s| is| was)?\b[^,]*, (?:and |but )?(?:he |she |they )?{SAYS} (?:that )?", re.I
)
NAMED_BEFORE = (
    MINE_BEFORE,
    MINE_SAYS,
    re.compile(
        rf"^(?:i(?:['’]ve| have)? )?(?:just |only )?(?:heard|hear|learned|learnt|had it|got it) from {WHO}, (?=who )",
        re.I,
    ),
    re.compile(
        rf"^(?:i(?:['’]ve| have)? )?(?:just |only )?(?:got|had|have) (?:it|this|word|the news) from {WHO} that ", re.I
    ),
    re.compile(rf"^(?:according to|as per|per|in the words of|to quote|quoting|to hear it from) {WHO}[,:] ?", re.I),
    re.compile(rf"^(?:from|by|going by) what {NAME} (?:says|said|tells me|told me|is saying|reports|writes),? ", re.I),
    re.compile(rf"^as {NAME} (?:says|said|puts it|put it|tells it|sees it),? ", re.I),
    re.compile(
        (
            f"^{NAME} (?:just |also |recently |already )*(?:told|tells|texted|emailed"
            r"|messaged|informed|assured|warned|reminded) (?:me|us)(?: \w+ly| today"
            "| yesterday| just now| earlier)? (?:that )?(?!(?:to|not to|about|of"
            "|off|how|what|why|where|when|who|so|otherwise|everything|nothing|something"
            r"|it|this|that) )(?=\S+ \S+ \S)"
        ),
        re.I,
    ),
    re.compile(
        (
            f"^{NAME} (?:just |also |still |always )*(?:says|said|reckons|insists"
            "|insisted|claims|claimed|swears|thinks|believes|mentioned|reported|announced"
            "|complained|admitted|confirmed|explained|noted|argues|argued) that (?!(?:to"
            "|is|was) )"
        ),
        re.I,
    ),
    re.compile(rf"^the word from {NAME} is(?: that)? ", re.I),
)
VIEW_BEFORE = (
    re.compile(rf"^in {NAME}'s? {VIEW},? ", re.I),
    re.compile(r"^(?:for|to) (?P<who>[\w.'-]+(?: [\w.-]+)?), ", re.I),
    re.compile(r"^if you ask (?P<who>(?!me\b)[\w.' -]{2,30}?), ", re.I),
    re.compile(
        (
            r"^(?P<who>(?:[Tt]he |[Mm]y |[Oo]ur )?[\w.'-]+(?: [\w.-]+){0,3}?)(?:'s"
            r"|') (?:\w+ )?(?:view|opinion|take|verdict|feeling|impression|words?"
            r"|assessment|complaint|comment|feedback)(?: (?:in|at|after) [\w' -]{2,40}?)?(?:"
            r" (?:on|of|about) (?P<topic>[\w' -]{2,40}?))?(?: (?:is|was|were)(?: that)?:?"
            "|:) "
        ),
        re.I,
    ),
)
NAMED_AFTER = (
    re.compile(rf",? (?:according to|per|as per) {WHO}\s*[.!]*$", re.I),
    re.compile(rf", (?:in {NAME}'s? {VIEW})\s*[.!]*$", re.I),
    re.compile(
        (
            rf",[\"']? {SAYS} (?P<who>(?!he\b|i\b)(?:the |my |our |her |his )?[\w.'-]+(?: (?:of"
            r" )?[\w.-]+){0,3})\s*[.!]*$"
        ),
        re.I,
    ),
    re.compile(
        (
            r",[\"']? (?P<who>(?!i\b|it\b|you\b)(?:the |my |our |her |his )?[\w.'-]+(?: (?:of"
            rf" )?[\w.-]+){{0,3}}?) {SAYS}(?: me| us)?\s*[.!]*$"
        ),
        re.I,
    ),
    re.compile(r",? if you ask (?P<who>(?!me\b)[\w.' -]{2,30}?)\s*[.!]*$", re.I),
)
QUOTE = re.compile(r"[\"]([^\"]{3,300})[\"]")
QUOTE_FRAMES = (
    re.compile(
        rf"^{NAME} (?:left|sent|posted|gave|put|submitted|added) (?:\w+ ){{0,4}}?"
        r"(?:note|review|message|comment|card|email|text|rating|feedback|reply|entry)\b[\w' ,-]*:?\s*$",
        re.I,
    ),
    re.compile(
        (
            rf"^{NAME}(?:'s|') (?:[\w' ,-]*)(?:words?|quote|review|comment|verdict"
            "|feedback|message|reply|answer|note|email|post|slogan|line|reaction"
            r"|response)\b[\w' ,-]*:?\s*$"
        ),
        re.I,
    ),
    re.compile(
        (
            f"^(?:and |then )?{NAME} (?:just |actually |literally |also |even |once "
            f"|then )*(?:{SAYS}|went|goes|called|calls|put|signed off|described|commented"
            "|answered|was like|is like|were like|rated|summed|shouted|yelled|muttered"
            r"|quipped|remarked|declared)\b[\w' ,-]*:?\s*$"
        ),
        re.I,
    ),
    re.compile(rf"^{NAME}(?: \([^)]*\))?:\s*$", re.I),
    re.compile(
        (
            "^(?:quote|quoting|direct quote|a quote|words|message|note|review|feedback) (?:from"
            rf"|by|of) {NAME}[\w' ,-]*:?\s*$"
        ),
        re.I,
    ),
    re.compile(rf"^(?:in the words of|to quote) {NAME}[,:]?\s*$", re.I),
)
QUOTE_AFTER = (
    re.compile(
        (
            rf"^,?\s*(?:as )?{SAYS} (?P<who>[\w.'-]+(?: [\w.-]+){{0,3}}?)(?: (?:in"
            r"|on|at|to) [\w' ,-]*)?[.!]*$"
        ),
        re.I,
    ),
    re.compile(
        (
            r"^,?\s*(?:was |is )?(?P<who>(?!was|is)[\w.'-]+(?: [\w.-]+){0,3}?)(?:'s (?:words"
            rf"|verdict|comment|reaction|take)| {SAYS})(?: (?:in|on|at|to|me|us) ?[\w' ,-]*"
            ")?[.!]*$"
        ),
        re.I,
    ),
    re.compile(
        (
            r"^,?\s*(?:was|is|were|were the words of|was the verdict of) (?P<who>[\w.'-]+(?:"
            r" [\w.-]+){0,3}?)(?:'s (?:\w+ ?){1,2})?[.!]*$"
        ),
        re.I,
    ),
)
NOT_WHO = re.compile(
    (
        "^(?:i|we|me|it|this|that|there|here|you|what|which|who|how|when|where"
        "|if|and|but|so|then|the (?:sign|label)|they say|not|all|as)$"
    ),
    re.I,
)


def unfiller(text: str) -> str:
    """The text without its opening interjections ("Well, honestly, ...")."""
    cut = VOCATIVE.sub("", FOUND.sub(r"\g<what> is ", GREETED.sub(r"\g<who> ", FILLER.sub("", text))))
    return cut if len(cut.split()) >= 1 else text


def frame_of(text: str) -> Frame:
    """Peel the fixed frames off a sentence, outermost first.

    >>> frame_of("According to Professor Lim, the tonic ruins your sleep.").who
    ('Professor Lim',)
    >>> frame_of("According to Piet, who had it from the baker, the mill is closing.").who
    ('Piet', 'the baker')
    >>> frame_of("I don't think the tour is any good.").negated
    True
    """
    own = bool(OWN_WORDS.match(text))
    frame = Frame(TAIL.sub("", unfiller(text)) or text, own=own)
    quoted = _quotation(frame)
    if quoted:
        return quoted
    for _ in range(4):
        peeled = _once(frame)
        if peeled is None:
            return frame
        frame = replace(peeled, clause=unfiller(peeled.clause))
    return frame


def _once(frame: Frame) -> Frame | None:
    text = frame.clause
    if frame.who and (match := FROM_WHOM.match(text)):
        return replace(frame, clause=text[match.end() :], who=(*frame.who, match["who"]))
    for pattern in NAMED_BEFORE:
        match = pattern.match(text)
        if match and SAYING.search(match["who"]):
            continue
        if match and not NOT_WHO.match(match["who"]):
            return replace(frame, clause=text[match.end() :], who=(*frame.who, match["who"].rstrip(".")))
    for pattern in VIEW_BEFORE:
        match = pattern.match(text)
        if match and re.match(r"(?:for|to) ", text, re.I) and not _known_name(match["who"]):
            continue
        if match and not NOT_WHO.match(match["who"]) and match["who"].lower() != "my":
            return replace(
                frame,
                clause=text[match.end() :],
                who=(*frame.who, match["who"].rstrip(".")),
                judged=True,
                topic=match.groupdict().get("topic"),
            )
    match = UNKNOWN_BEFORE.match(text)
    if match:
        return replace(frame, clause=text[match.end() :], unknown=True)
    match = DOUBT_BEFORE.match(text)
    if match and not frame.who:
        return replace(frame, clause=text[match.end() :], own=True, negated=not frame.negated, doubted=True)
    match = OWN_NOT_BEFORE.match(text)
    if match and not frame.who:
        return replace(frame, clause=text[match.end() :], own=True, negated=not frame.negated)
    match = OWN_BEFORE.match(text)
    if match and not frame.who:
        return replace(frame, clause=text[match.end() :], own=True)
    for pattern in NAMED_AFTER:
        match = pattern.search(text)
        if match and match.start() > 6 and not NOT_WHO.match(match["who"]) and _nameable(match["who"]):
            return replace(frame, clause=text[: match.start()], who=(*frame.who, match["who"].rstrip(".")))
    match = OWN_AFTER.search(text)
    if match and match.start() > 3:
        return replace(frame, clause=text[: match.start()], own=True)
    match = UNKNOWN_INSIDE.search(text)
    if match:
        return replace(frame, clause=(text[: match.start()] + text[match.end() :]).strip(" ,"), unknown=True)
    return None


def _known_name(who: str) -> bool:
    """A capitalised name or somebody's relation: "for Petra", "to my boss", not "for example"."""
    words = who.lower().split()
    return who[:1].isupper() or (words[0] in ("my", "our", "her", "his") and bool(set(words) & RELATED))


def _nameable(who: str) -> bool:
    words = who.split()
    return len(words) <= 4 and (
        words[0][:1].isupper()
        or words[0].lower() in ("the", "my", "our", "her", "his", "their", "your", "she", "he")
        or "-" in who
    )


def _quotation(frame: Frame) -> Frame | None:
    """A quotation with its author: the words inside are the clause."""
    match = QUOTE.search(frame.clause)
    if match is None or len(match[1].split()) < 2:
        return None
    before, after = frame.clause[: match.start()].strip(), frame.clause[match.end() :].strip()
    tries: Sequence[tuple[str, re.Pattern[str]]] = [
        *((before, pattern) for pattern in QUOTE_FRAMES),
        *((after, pattern) for pattern in QUOTE_AFTER if not before),
    ]
    for text, pattern in tries:
        found = pattern.match(text)
        if found and not NOT_WHO.match(found["who"]):
            return replace(
                frame,
                clause=match[1].rstrip(" ,."),
                who=(*frame.who, found["who"].rstrip(".")),
                quoted=True,
                judged=True,
            )
    return None
