"""English clauses: predicates, noun phrases and typed values, from spaCy's parse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pipelines.frame.arguments import Argument, Clause, Segment
from pipelines.frame.values import Found, entity
from pipelines.frame.words import HYPHEN, parse_english
from pipelines.language import text_of

LOSS = frozenset(
    "sell drop quit stop leave remove cancel cease discontinue abandon lose retire scrap ditch unsubscribe resign"
    " withdraw delete end terminate finish divest offload ditch uninstall decommission part depart exit"
    " axe abolish bin dump junk chuck evict cull die perish".split()
)
"""Verbs whose object (or whose subject, when they have none) is gone."""
LOSS_WITH = {
    ("hand", "back"), ("give", "back"), ("send", "back"), ("turn", "in"), ("hand", "over"), ("give", "to"),
    ("donate", "to"), ("pass", "on"), ("give", "up"), ("give", "away"), ("get", "rid"),
    ("move", "out"), ("hand", "in"), ("let", "go"),
    ("step", "down"), ("sign", "off"), ("pass", "away"), ("opt", "out"), ("drop", "out"), ("pull", "out"),
    ("take", "out"), ("phase", "out"),
    ("take", "off"), ("throw", "out"), ("throw", "away"), ("swear", "off"), ("go", "scrapyard"), ("part", "with"),
}  # fmt: skip
BOUND = re.compile(r"\b(?:before|until|till|after|than|over|under|more|less|fewer|up to|only|but|at|by)\s+(?:the )?$")
"""Before a number in a denial: the number still holds ("nobody gets in before nine")."""
KEPT = re.compile(
    r"(?:\b(?:never|not)|n['’]t)\s+(?:\w+\s+)?(?:stop|quit|le(?:ft|ave)|g[ia]ve|drop|cancel|remov|s[oe]l|lose|lost)",
    re.I,
)
"""A loss that did not happen: "she never quit"."""
VAGUE = frozenset(
    "lot lots bit ton tons bunch couple kind sort type thing stuff way other more most much all something anything"
    " everything nothing one ones some any rest part piece".split()
)
"""Nouns that are no value: what counts is what follows their "of", if anything."""
GREETINGS = frozenset("goodbye farewell bye hello hi welcome dear thanks".split())
LEFT_AS = re.compile(
    r"\b(?:open|closed|unlocked|running|on(?! \w)|behind|alone|early|late|empty|a mess|out)\b",
    re.I,
)
"""What makes leaving something else than going away ("left the freezer open")."""
SETTING = frozenset("set reset change rename switch update move correct amend".split())
SWAP = frozenset("replace swap exchange trade substitute succeed".split())
NEGATION = re.compile(
    r"\b(?:not|never|no longer|nobody|no one|none|without|hardly|no)\b|n't\b|n’t\b|[-\u2011]free\b", re.I
)
CONTRAST = re.compile(
    r"\s*[,;]\s*(?:and |but )?"
    r"(?:no longer|not(?! any ?more| any longer| yet| now| really| quite| at all| so\b| even| ever| today)) [^,;]+$",
    re.I,
)
"""What is set off as wrong after the right value ("14, not 12"): it denies nothing else."""
LEADING = re.compile(r"^(?:(?:ah|oh|er|argh|wait|well) ?,? )?no ?, (?!not)|^(?:no ?,? )?not [^,;]*\d[^,;]*[,;] ", re.I)
"""The same before the right value ("not 12, it is 14")."""
SET_OFF = re.compile(r"[,;] (?:and |but )?(?:not|no longer) (?:(?:on|at|in|for|by) )?(?:the |a )?$")
WRONG = re.compile(
    r"[^.;:,]{0,50}?\b(?:is|was|were|are) (?:\w+ly |all |quite )?(?:wrong|incorrect|mistaken|false|an? (?:\w+ )?"
    r"(?:mistake|error|typo|slip|misprint))\b",
    re.I,
)
"""After a number that is said to have been wrong ("the figure of 18 was wrong")."""
PREDICATE_DEPS = frozenset({"ROOT", "conj", "ccomp", "advcl", "parataxis", "relcl", "acl", "dep", "pcomp"})
FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
PLACE_NOUNS = frozenset("place position spot role seat job slot shoes post".split())
POINTING = frozenset("it they this that these those you".split())
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})


def clause(text: str, typed: Sequence[Found]) -> Clause:
    """The clause's segments and arguments."""
    doc = parse_english(text)
    heads = [t for t in doc if _heads(t)] or [doc[0]] if len(doc) else []
    home = {t.i: _home(t, heads) for t in doc}
    for token in doc:  # "..., and Bruno joins": a name read as joined to the noun before is the next verb's subject
        if (verb := _next_verb(token)) is not None and not _heads(token):
            home.update(dict.fromkeys(range(token.i, verb.i), home[verb.i]))
    segments = tuple(_segment(doc, n, head, home) for n, head in enumerate(heads))
    arguments = [*_typed(doc, typed, home, segments), *_phrases(doc, typed, home, segments)]
    listed = _listed(doc, typed, segments)
    if listed:
        arguments = [a for a in arguments if a.end <= listed[0].start] + listed
    return Clause(text, "en", segments, tuple(sorted(arguments, key=lambda a: (a.start, -a.end))))


LISTED = re.compile(r":\s+(?=\S)")
ITEM = re.compile(r"(?:the |a |an |some |our )?(?P<item>[\w&'’.-]+(?: [\w&'’.-]+){0,3})")


def _listed(doc: Any, typed: Sequence[Found], segments: Sequence[Segment]) -> list[Argument]:
    """The members of a list after a colon, read by its commas: "On the stall: rye bread, plum cake and honey."."""
    text = text_of(doc).replace(HYPHEN, "-")
    colon = LISTED.search(text)
    if colon is None or any(f.start >= colon.end() for f in typed):
        return []
    if any(t.pos_ in ("VERB", "AUX", "PART") and t.idx >= colon.end() for t in doc):
        return []
    body = re.split(r"[.;!?]\s|[.;!?]$", text[colon.end() :])[0]
    pieces = list(re.finditer(r"(?:[^,&]|&(?=\S))+?(?=,? and |,? plus |, | & |$)", body))
    found = []
    for piece in pieces:
        lead = re.match(r"[\s,]*(?:and |plus |& )?(?:the |a |an |some |our )?", piece.group())
        start = colon.end() + piece.start() + (lead.end() if lead else 0)
        shown = text[start : colon.end() + piece.end()].strip()
        if not shown:
            continue
        if not ITEM.fullmatch(shown):
            return []
        number = max((n for n, s in enumerate(segments) if s.start <= start), default=0)
        found.append(
            Argument(start, start + len(shown), shown, entity(shown), "attribute", shown[:1].isupper(), number)
        )
    return found if len(found) > 1 else []


def _heads(token: Any) -> bool:
    """A token that heads a segment of its own."""
    if token.dep_ == "ROOT":
        return True
    if token.pos_ not in ("VERB", "AUX") or token.dep_ not in PREDICATE_DEPS:
        return False
    return not (token.dep_ == "acl" and token.tag_ == "VBG" and not any(c.dep_ in SUBJECTS for c in token.children))


def _next_verb(token: Any) -> Any:
    """The finite verb without a subject right after a noun (and its number) that is read as joined to one before."""
    if token.dep_ != "conj":
        return None
    rest = [t for t in token.doc[token.i + 1 : token.i + 3] if t.head.i != token.i or t.dep_ != "nummod"]
    after = rest[0] if rest else None
    if after is None or after.pos_ not in ("VERB", "AUX") or after.tag_ not in ("VBZ", "VBD", "VBP"):
        return None
    deed = after.head if after.dep_ in ("aux", "auxpass") else after
    return None if any(c.dep_ in SUBJECTS for c in deed.children) else after


def _home(token: Any, heads: Sequence[Any]) -> int:
    """The segment of a token: that of its nearest head above."""
    index = {head.i: n for n, head in enumerate(heads)}
    while token.i not in index:
        if token.head.i == token.i:
            return 0
        token = token.head
    return index[token.i]


def _segment(doc: Any, number: int, head: Any, home: dict[int, int]) -> Segment:
    own = [t for t in doc if home[t.i] == number]
    verbs = [t.lemma_.lower() for t in own if t.pos_ in ("VERB", "AUX") or t.i == head.i]
    particles = {t.lower_ for t in own if t.dep_ in ("prt", "advmod", "prep", "pobj", "acomp", "ccomp", "dative")}
    text = " ".join(t.text for t in own)
    if "leave" in verbs and LEFT_AS.search(text):
        verbs = [v for v in verbs if v != "leave"]
    if "drop" in verbs and re.search(r"\bdrop\w*\s+(?:\w+\s+)?(?:off|by|round)\b", text):
        verbs = [v for v in verbs if v != "drop"]
    if "stop" in verbs and re.search(r"\bstop\w*\s+(?:at|in|near|outside|by|here|there|for)\b", text):
        verbs = [v for v in verbs if v != "stop"]  # a bus stops at places
    if "sell" in verbs and not any(t.lemma_.lower() == "sell" and t.tag_ in ("VBD", "VBN") for t in own):
        verbs = [v for v in verbs if v != "sell"]
    if "end" in verbs and re.search(r"\bend\w*\s+(?:in|with)\s+(?:the\s+)?\S*\d", text):
        verbs = [v for v in verbs if v != "end"]  # a number ends in digits
    text = CONTRAST.sub("", LEADING.sub("", text.replace(" n't", "n't")))
    gone = any(
        verb in LOSS or any(verb == v and p in particles for v, p in LOSS_WITH) for verb in verbs
    ) or bool(re.search(
        r"\bno longer\b|\bany ?more\b|\b(?:is|are|was|were|'s|'re|’s) (?:off|out of)\b|\brid of\b"
        r"|\b(?:farewell|send-?off|leaving (?:do|party|drinks))\b|\b(?:went|sent) to "
        r"the scrap", text, re.I))  # fmt: skip
    negated = bool(NEGATION.search(text))
    return Segment(
        min(t.idx for t in own), max(t.idx + len(t.text) for t in own), tuple(verbs),
        frozenset(t.lemma_.lower() for t in own), negated, gone, _is_main(head),
    )  # fmt: skip


def _is_main(head: Any) -> bool:
    """Whether a predicate is the sentence's own, or joined to it."""
    if head.dep_ == "ROOT":
        return True
    if any(c.dep_ in SUBJECTS and c.lower_ in POINTING for c in head.children):
        return False  # "we saw it, and it was fine": said of something else
    while head.dep_ in ("conj", "parataxis", "dep", "ccomp") and head.head.i != head.i:
        head = head.head
    return bool(head.dep_ == "ROOT")


def _role(token: Any) -> str:
    """The grammatical place of a noun phrase by its root."""
    dep = token.dep_
    if _next_verb(token) is not None:
        return "subject"
    if dep == "conj":
        head = token.head
        while head.dep_ == "conj" and head.head.i != head.i:
            head = head.head
        return _role(head) if head.pos_ not in ("VERB", "AUX") else "other"
    if dep in SUBJECTS:
        return "subject"
    if dep in ("dobj", "obj", "dative"):
        return "object"
    if dep in ("attr", "oprd", "acomp"):
        return "attribute"
    if dep == "appos":
        return "attribute" if token.head.dep_ in SUBJECTS else _role(token.head)
    if dep == "pobj" and token.head.lower_ == "of" and token.head.head.lemma_.lower() in VAGUE:
        return _role(token.head.head)
    if dep == "pobj" and token.head.lower_ == "in" and token.head.head.lemma_.lower() == "trade":
        return "object"  # "traded in the van for a bike"
    if dep == "pobj":
        return "agent" if token.head.dep_ == "agent" else f"prep:{token.head.lower_}"
    if dep == "poss":
        return "owner"
    if dep == "ROOT":
        return "root"
    return "other"


def _out(token: Any, role: str, segment: Segment, doc: Any) -> bool:
    """Whether the words say that the phrase is gone, denied or replaced."""
    before = text_of(doc)[max(0, token.left_edge.idx - 24) : token.left_edge.idx].lower()
    if re.search(
        r"(?:\bnot|\bno|instead of|goodbye to|farewell to|rather than|\bin place of|\bafter"
        r"|no longer|without)\s+(?:the |a |an |my |our |in |at |on |with )?$",
        before,
    ) or any(t.lower_ == "not" for t in token.lefts):
        return True
    verbs = set(segment.verbs)
    passive = any(c.dep_ == "nsubjpass" for c in token.head.children) or token.dep_ == "nsubjpass"
    if verbs & SWAP:
        if verbs & {"succeed"} or not any(t.lower_ in ("with", "for", "by") for t in doc):
            return role == "subject" if passive else role == "object"
        return role in ("object", "subject") if passive or role == "object" else False
    if role == "owner" and token.head.lemma_.lower() in PLACE_NOUNS:
        return True
    if role in ("prep:from", "prep:off") and verbs & {"take", "buy", "switch", "move", "change", "inherit", "go"}:
        return True
    if segment.gone and KEPT.search(text_of(doc)[segment.start : segment.end]):
        return False
    if segment.gone:
        if role in ("prep:for", "prep:to", "prep:with", "prep:alongside", "agent"):
            return False
        if role == "subject":
            return not any(t.dep_ in ("dobj", "obj") for t in doc if t.head.lemma_.lower() in verbs) or bool(
                verbs & {"leave", "quit", "resign", "retire", "depart", "step"})  # fmt: skip
        return True
    return segment.negated and role in ("object", "attribute", "agent")


def _chunk_text(doc: Any, start: int, end: int) -> tuple[int, int]:
    """Token bounds without leading determiners, possessives and trailing punctuation."""
    while start < end and (doc[start].pos_ in ("DET", "PRON", "PUNCT", "CCONJ", "ADP") or doc[start].dep_ == "case"):
        start += 1
    while end > start and (doc[end - 1].pos_ == "PUNCT" or doc[end - 1].dep_ == "case"):
        if _owner_alone(doc, end - 1):
            break
        end -= 1
    return start, end


def _phrases(doc: Any, typed: Sequence[Found], home: dict[int, int], segments: Sequence[Segment]) -> list[Argument]:
    """Noun phrases, and the names inside them ("a Corvo resident")."""
    found: dict[tuple[int, int], Argument] = {}

    def add(start: int, end: int, root: Any, name: bool, role: str | None = None) -> None:
        start, end = _chunk_text(doc, start, end)
        parting = start < end and doc[start].lower_ in ("goodbye", "farewell", "bye")
        while start < end and doc[start].lower_ in GREETINGS:
            start += 1
        if start >= end or (not name and doc[end - 1].lemma_.lower() in VAGUE) or doc[end - 1].like_url:
            return
        left, right = doc[start].idx, doc[end - 1].idx + len(doc[end - 1].text)
        if re.fullmatch(r"[A-Z]\.", doc[end - 1].text) and end == len(doc):
            right -= 1  # "bay F.": the sentence's full stop, not an initial's
        if (left, right) in found or any(f.start <= left and right <= f.end for f in typed):
            return
        place = role or _role(root)
        segment = segments[home[root.i]]
        shown = text_of(doc)[left:right].replace(HYPHEN, "-")
        found[left, right] = Argument(
            left, right, shown, entity(shown), place, name, home[root.i],
            parting or _out(root, place, segment, doc), label=root.lemma_.lower(),
        )  # fmt: skip

    chunks = list(doc.noun_chunks)
    covered = {t.i for chunk in chunks for t in chunk}
    for chunk in chunks:
        finite = [t.i for t in chunk if t.tag_ in FINITE]
        if chunk.root.pos_ == "PRON" or (finite and any(t.text == "," for t in chunk)):
            continue  # clauses taken for one phrase
        add(finite[-1] + 1 if finite else chunk.start, chunk.end, chunk.root, chunk.root.pos_ == "PROPN")
        for token in chunk:
            if token.dep_ == "poss":
                add(token.left_edge.i, token.i + 1, token, token.pos_ == "PROPN", "owner")
    for start, end in _name_runs(doc):
        root = next((t for t in doc[start:end] if not start <= t.head.i < end or t.dep_ == "ROOT"), doc[end - 1])
        top = root
        while top.dep_ in ("compound", "nmod", "amod") and top.head.i != top.i:
            top = top.head
        add(start, end, top if root.dep_ != "poss" else root, True)
        if top.i >= end and top.i not in covered and top.pos_ == "NOUN" and root.dep_ != "poss":
            add(start, top.i + 1, top, False)  # "..., a Corvo estate": set off, and no chunk of its own
    for token in doc:
        if (
            token.pos_ == "VERB"
            and token.dep_ in ("xcomp", "advcl")
            and token.head.lemma_.lower() in SETTING
            and [c.lower_ for c in token.children if c.pos_ != "PUNCT"] == ["to"]
        ):
            add(
                token.i, token.i + 1, token, False, "prep:to"
            )  # "reset it to bluefinch": a word that is no English noun
        if token.i not in covered and token.pos_ in ("NOUN", "ADJ") and token.dep_ in (
            "attr", "acomp", "conj", "ROOT", "oprd", "dobj", "pobj", "xcomp", "appos"
        ):  # fmt: skip
            clauses = any(t.tag_ in FINITE for t in doc[token.left_edge.i : token.i])
            add(token.left_edge.i if token.pos_ == "NOUN" and not clauses else token.i, token.i + 1, token, False)
    return list(found.values())


def _name_runs(doc: Any) -> list[tuple[int, int]]:
    """Runs of capitalised words and proper nouns, numbers after them included ("Reno 4", "Ms. Vale")."""
    runs = []
    i = 0
    while i < len(doc):
        token = doc[i]
        capital = (
            token.text[:1].isupper()
            and token.pos_ not in ("PRON", "DET", "ADP", "AUX", "SCONJ", "CCONJ", "INTJ")
            and (token.pos_ != "ADV" or token.i > 0)
        )
        loose = not capital and token.dep_ == "compound" and token.head.pos_ == "NOUN"  # "the old customs house"
        named = (token.pos_ == "PROPN" and not loose) or (
            capital and i > 0 and not doc[i - 1].is_sent_end and doc[i - 1].text not in ".!?:"
        )
        if not named:
            i += 1
            continue
        end = i + 1
        while end < len(doc) and (
            doc[end].pos_ == "PROPN" or (doc[end].text[:1].isupper() and doc[end].pos_ not in ("PRON", "ADP"))
            or (doc[end].like_num and doc[end].text[0].isdigit() and doc[end - 1].text[:1].isupper())
            or (doc[end].lower_ in ("of", "&", "and", "de", "van", "der", "la") and end + 1 < len(doc)
                and doc[end].lower_ not in ("and", "of") and doc[end + 1].text[:1].isupper())
        ):  # fmt: skip
            if doc[end].dep_ == "case":
                break
            end += 1
        if _owner_alone(doc, end):
            end += 1
        runs.append((i, end))
        i = end + 1 if end < len(doc) and doc[end].dep_ == "case" else end
    return runs


def _owner_alone(doc: Any, index: int) -> bool:
    """Whether a possessive ending has nothing to own after a preposition: a place's own name ("at St. Ann's")."""
    if index >= len(doc) or doc[index].tag_ != "POS" or doc[index - 1].pos_ != "PROPN":
        return False
    after = doc[index + 1] if index + 1 < len(doc) else None
    return doc[index - 1].dep_ != "poss" or after is None or after.pos_ in ("PUNCT", "ADP", "CCONJ", "ADV", "VERB")


def _typed(doc: Any, typed: Sequence[Found], home: dict[int, int], segments: Sequence[Segment]) -> list[Argument]:
    """Typed values, with the noun that they count and whether they are what was there before."""
    out = []
    for found in typed:
        tokens = [t for t in doc if t.idx < found.end and found.start < t.idx + len(t.text)]
        if not tokens:
            continue
        root = next((t for t in tokens if t.head not in tokens), tokens[-1])
        if found.value.text.lower() == "one" and root.dep_ not in ("nummod", "appos", "npadvmod"):
            continue  # "a good one"
        number = home[root.i]
        before = text_of(doc)[max(0, found.start - 30) : found.start].lower()
        after = text_of(doc)[found.end : found.end + 12].lower()
        old = bool(
            re.search(
                r"\b(?:from|was|used to be|previously|formerly|instead of|rather than|not)\s+(?:the\s+|a\s+)?$", before
            )
        ) and not (
            re.search(r"\b(?:was|from)\s+$", before)
            and not re.search(r"\bto\b|\bnow\b", text_of(doc)[found.end :].lower())
        )
        old = old or bool(re.search(r"\bthe\s+$", before) and re.match(r"\s*[a-z]", after) and _subject_modifier(root))
        label, text = found.value.text, found.value.text
        if found.value.type in ("number", "quantity") and root.dep_ in ("nummod", "compound", "amod"):
            label = root.head.lemma_.lower()
        elif found.value.type in ("number",) and root.i > 0 and doc[root.i - 1].pos_ in ("NOUN", "PROPN"):
            label = doc[root.i - 1].lemma_.lower()
        wrong = WRONG.match(text_of(doc), found.end)
        denied = (segments[number].negated and not BOUND.search(before)) or bool(wrong or SET_OFF.search(before))
        out.append(Argument(found.start, found.end, text, found.value, _role(root), False,
                            number, denied, old, label.lower()))  # fmt: skip
    return out


def _subject_modifier(token: Any) -> bool:
    """Whether a number only describes the subject ("the 90 kg hoist failed")."""
    while token.dep_ in ("nummod", "compound", "amod", "quantmod", "nmod"):
        token = token.head
    return token.dep_ in ("nsubj", "nsubjpass")
