"""English turns to drafts of statements: each sentence is cut into clauses, each clause read, the turn joined."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import Any

from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.english_answers import answer
from pipelines.extract.english_claims import make_claim
from pipelines.extract.english_clauses import SUPERLATIVE, clause_draft
from pipelines.extract.english_frames import SAYING
from pipelines.extract.english_names import (
    FIRST,
    note_mentions,
    owner_text,
    subject_name,
)
from pipelines.extract.english_opinion import judgement_anywhere, lexicon, shaped_sign
from pipelines.extract.english_parse import Parsed
from pipelines.extract.english_peel import child, peel, subject_of
from pipelines.extract.english_question import asked
from pipelines.extract.english_records import absorb, time_of
from pipelines.extract.english_stands import muses, reminds, stands
from pipelines.extract.english_whole import breaks_off, hangs, wordless
from pipelines.extract.route import HYPOTHETICAL_EN, REACTION_EN, is_question
from pipelines.timex.tense import IRREGULAR_PAST


def read(parsed: Parsed, talk: Talk) -> list[Draft]:
    """The drafts of one sentence; the talk's memory is brought up to date."""
    sentence, doc = parsed.sentence, parsed.doc
    text = sentence.plain
    if is_question(text, "en") and not re.search(
        r", (?:isn't|aren't|wasn't|doesn't|don't|right|no|eh|huh)\b[^,]*\?$", text
    ):
        talk.asked = asked(sentence, doc, talk)
        note_mentions(doc, talk, sentence)
        return []
    if HYPOTHETICAL_EN.search(parsed.frame.clause):
        note_mentions(doc, talk, sentence)
        return []
    answered = answer(parsed.sentence, doc, talk)
    if answered is not None:
        note_mentions(doc, talk, sentence)
        return answered
    doubted = _disbelief(parsed, talk)
    unsaid = talk.asked is None and wordless(doc)
    if doubted is None and len(doc) and (unsaid or breaks_off(sentence, doc) or hangs(doc)):
        note_mentions(doc, talk, sentence)
        return []
    drafts = (
        [draft for draft in _statements(parsed, talk) if stands(draft, doc, talk)] if doubted is None else [doubted]
    )
    note_mentions(doc, talk, sentence)
    for draft in drafts:
        if draft.target and draft.kind == "claim":
            talk.mention_thing(draft.target, draft.target.split()[-1], sentence)
    return drafts


DISBELIEF = re.compile(
    r"^(?:(?:no|sorry|hm+|well|but|oh),? )*i (?:really |just |still |honestly )*"
    r"(?:(?:do not|don't|cannot|can't) (?:believe|buy|accept) (?:that|this|it)|doubt (?:that|this|it))(?=[,.;!]|$)",
    re.I,
)


def _disbelief(parsed: Parsed, talk: Talk) -> Draft | None:
    """The opposite of what another judged in one of the two turns before ("I don't believe that")."""
    sentence = parsed.sentence
    speaker = talk.speaker(sentence.turn)
    if not DISBELIEF.match(sentence.plain):
        return None
    for draft in reversed(talk.drafts):
        if draft.turn < sentence.turn - 2:
            return None
        if draft.turn < sentence.turn and draft.target and draft.polarity in ("positive", "negative"):
            sign = -1 if draft.polarity == "positive" else 1
            spans = [sentence, *draft.spans[:1]]
            return None if draft.holder == speaker else make_claim(parsed, draft.target, speaker, (), sign, [*spans])
    return None


def heads(doc: Any) -> list[Any]:
    """The verbs that may each assert something: the root, and clauses joined to it with their own subject."""
    roots = [sent.root for sent in doc.sents]
    main = next((r for r in roots if r.pos_ in ("VERB", "AUX")), roots[0])
    found = [main]
    stack = [main]
    while stack:
        token = stack.pop()
        for c in token.children:
            own = child(c, "nsubj", "nsubjpass") is not None
            contrast = c.dep_ == "advcl" and any(
                m.dep_ == "mark" and m.lower_ in ("while", "whereas", "although", "though") for m in c.children
            )
            if (
                c.pos_ in ("VERB", "AUX")
                and own
                and (
                    c.dep_ in ("conj", "parataxis")
                    or contrast
                    or (
                        c.dep_ == "ccomp"
                        and c.i < token.i
                        and any(t.text in (";", ",") for t in doc[c.i : token.i])
                        and token.lemma_ not in ("say", "think")
                    )
                )
            ):
                found.append(c)
                stack.append(c)
    if main.pos_ not in ("VERB", "AUX") and len(found) > 1:
        found = found[1:]
    found.extend(r for r in roots if r is not main and r.pos_ in ("VERB", "AUX") and subject_of(r) is not None)
    return sorted(found[:4], key=lambda head: int(head.i))


def _statements(parsed: Parsed, talk: Talk) -> list[Draft]:
    sentence, frame, doc = parsed.sentence, parsed.frame, parsed.doc
    if not len(doc):
        return []
    slang = SLANG.match(frame.clause)
    if slang and not frame.who and not any(t.tag_ in ("VBZ", "VBP", "VBD", "MD") for t in doc[:-2]):
        sign = -1 if slang["verb"].lower() in ("sucks", "suck", "blows", "stinks", "stink") else 1
        return [make_claim(parsed, slang["what"], talk.speaker(sentence.turn), (), sign, [sentence])]
    small = SMALL_CLAUSE.match(frame.clause)
    if (
        small
        and not SAYING.search(small["who"])
        and (sign := lexicon().adjectives.get(small["word"].lower(), 0) or shaped_sign(small["word"].lower()))
    ):
        return _small_clause(parsed, talk, small, sign)
    misread = any(t.dep_ == "ROOT" and t.lower_ in IRREGULAR_PAST and child(t, "nsubj") is not None for t in doc)
    if (not any(t.pos_ in ("VERB", "AUX") for t in doc) and not frame.who and not misread) or (
        SUPERLATIVE.match(frame.clause) and not frame.who
    ):
        return _verbless(parsed, talk)
    quoting = frame.quoted
    chain: tuple[str, ...] = ()
    for who in frame.who:
        chain = (*chain, owner_text(who, talk, sentence, chain[-1] if chain else None))
    if frame.unknown and not chain:
        chain = ("unknown",)
    me = chain[-1] if quoting and chain else None
    drafts: list[Draft] = []
    parts = heads(doc)
    for index, head in enumerate(parts):
        if len(parts) > 1 and (reminds(head) or muses(head)):
            continue
        state = peel(head, talk, sentence, chain if index == 0 else (), me)
        if index and chain and not state.chain and not state.own:
            state = peel(head, talk, sentence, chain, me)
        if "unknown" in state.chain[:-1]:
            state = replace(state, chain=tuple(n for n in state.chain[:-1] if n != "unknown") + state.chain[-1:])
        if state.nothing:
            if index == 0:
                return []
            continue
        built = clause_draft(parsed, state, talk, me, parts)
        if built is not None:
            drafts.append(built)
    return _joined(drafts, parsed)


SMALL_CLAUSE = re.compile(
    r"^(?P<who>(?:(?:my|our|the|his|her|their) )?[\w.'-]+(?: (?:of )?[\w.'-]+){0,3}?"
    ") (?:really |actually |also |still )?"
    r"(?:finds?|found|considers?|considered|deems?|deemed) (?:the|this|that|these|those|my|our|his|her|their) "
    r"(?P<what>[\w' -]{2,40}?) (?:very |really |quite |rather |so |too |a bit "
    r"|pretty |totally |utterly )?(?P<word>[\w-]+)[.!]*$",
    re.I,
)
SLANG = re.compile(
    (
        r"^(?:(?:the|this|that|my|our|these|those) )?(?P<what>(?!i\b|it\b|that\b"
        r"|this\b)[\w' -]{2,50}?) (?:really |totally |absolutely |just )?(?P<verb>slaps?"
        "|slays?|bangs|rocks?|rules|sucks?|blows|stinks?)[.! ]*$"
    ),
    re.I,
)
TOLD_ON = re.compile(
    (
        r"^(?:(?:and|then|so) )*(?P<who>he|she|they|[A-Z][\w-]+) (?:(?:told|texted"
        r"|messaged|emailed|called|informed|let) (?:me|us)|(?:passed|handed|sent|relayed|forwarded) (?:it|this|that|the"
        r" news|the word)(?: on| along| over)?)\b"
    ),
    re.I,
)


def _joined(drafts: list[Draft], parsed: Parsed) -> list[Draft]:
    """One statement a sentence, unless its clauses have different holders or judge differently."""
    if len(drafts) < 2:
        return drafts
    kept = [drafts[0]]
    for draft in drafts[1:]:
        first = kept[-1]
        judges = "claim" in (draft.kind, first.kind)
        told = TOLD_ON.match(draft.clause)
        if told and first.relay and draft.kind != "claim":
            who = told["who"]
            if (
                who[0].isupper()
                and who.lower() not in ("he", "she", "they")
                and who not in (*first.relay, first.holder)
            ):
                first.relay = (*first.relay[:-1], who, first.relay[-1])
            continue
        differs = draft.holder != first.holder or (draft.polarity, draft.target) != (first.polarity, first.target)
        if judges and differs:
            kept.append(draft)
        elif draft.time and not first.time and first.kind != "fact":
            first.time = draft.time
    if len(kept) == 1 and parsed.frame.clause:
        kept[0].clause = parsed.frame.clause if not kept[0].relay else kept[0].clause
    return kept


def _small_clause(parsed: Parsed, talk: Talk, match: re.Match[str], sign: int) -> list[Draft]:
    """ "Our chief editor finds the layout cluttered", read by its words because parsers break it."""
    sentence, frame = parsed.sentence, parsed.frame
    me = talk.speaker(sentence.turn)
    chain: list[str] = []
    for who in (*frame.who, match["who"]):
        name = owner_text(who, talk, sentence, chain[-1] if chain else None)
        if name not in chain[-1:]:
            chain.append(name)
    chain = chain[chain.index(me) + 1 :] if me in chain else chain
    holder = chain[-1] if chain else me
    relay = (*reversed(chain[:-1]), me) if chain else ()
    earlier = next(
        (m for m in reversed(talk.things) if m.phrase.split()[0].lower() == match["what"].split()[-1].lower()), None
    )
    target = earlier.phrase if earlier is not None and len(match["what"].split()) == 1 else match["what"]
    return [make_claim(parsed, target, holder, relay, sign, [earlier.sentence if earlier else None, sentence])]


RATHER = re.compile(
    r"^(?:(?:ah|oh|er|argh|wait|hang on|sorry|oops)[, ]+)*(?:no|nope|make that|i mean)[, ]+(?=\S)", re.I
)
"""What opens a fragment that puts something right ("Ah no, gate 7")."""
NO_MORE = re.compile(r"\bno (?:more|longer any) [\w -]+? for (?:me|us)\b", re.I)
"""What the speaker has given up, told without a verb ("no more cigars for me")."""


def _verbless(parsed: Parsed, talk: Talk) -> list[Draft]:
    """A fragment without a verb: a judgement, a setting ("cache_ttl = 300"), or a piece of the sentence before."""
    sentence, doc, frame = parsed.sentence, parsed.doc, parsed.frame
    root = next(iter(doc.sents)).root
    sign = judgement_anywhere(doc, frame.clause) * (-1 if frame.negated else 1)
    if not sign and (
        superlative := re.match(
            r"(?:the )?(best|finest|greatest|nicest|coolest|smartest|worst|ugliest|dumbest)\b", frame.clause, re.I
        )
    ):
        sign = -1 if superlative[1].lower() in ("worst", "ugliest", "dumbest") else 1
    me = talk.speaker(sentence.turn)
    previous = talk.drafts[-1] if talk.drafts and talk.drafts[-1].turn == sentence.turn else None
    if sign:
        thing = None if previous and previous.kind == "claim" else talk.last_thing(sentence.turn)
        if previous and previous.kind == "claim" and previous.holder == me:
            return absorb(previous, sentence)
        subject = child(root, "nsubj")
        if subject is not None:
            found = subject_name(subject, talk, sentence)
            return [make_claim(parsed, found.name, me, (), sign, [found.source, sentence])]
        if (frame.own and child(root, "pobj") is None and root.i == 0) or (frame.own and thing is None):
            named = next((t for t in doc if t.pos_ in ("PROPN", "NOUN")), None)
            if named is not None:
                return [make_claim(parsed, named.text, me, (), sign, [sentence])]
        if thing is None or (thing.sentence.turn == sentence.turn and not frame.own and len(doc) < 3):
            return []
        if talk.asked is None and not frame.own and thing.sentence.turn != sentence.turn:
            return []
        return [make_claim(parsed, thing.phrase, me, (), sign, [thing.sentence, sentence])]
    if REACTION_EN.match(frame.clause):
        return []
    if NO_MORE.search(frame.clause):
        return [
            Draft(
                turn=sentence.turn, speaker=me, kind="fact", subject=me, clause=frame.clause, language="en", holder=me,
                spans=[sentence], types=("PM",), modality="negated", person=True,
            )
        ]  # fmt: skip
    informative = any(t.pos_ == "PROPN" or t.tag_ == "CD" for t in doc) and (
        len(doc) >= 3 or bool(RATHER.match(sentence.plain))
    )
    if previous and not re.search(r"\d", frame.clause):
        return absorb(previous, sentence)
    if not informative:
        return []
    equals = re.match(r"^(?P<name>[\w./ -]{2,60}?)\s*(?:=|:=|:|->|→)\s*\S", frame.clause)
    subject_text = equals["name"].strip() if equals else talk.speaker(sentence.turn)
    time = time_of(frame.clause, talk, sentence)
    return [
        Draft(
            turn=sentence.turn,
            speaker=me,
            kind="event" if time else "fact",
            subject=subject_text,
            clause=frame.clause,
            language="en",
            holder=me,
            spans=[sentence],
            types=("EM",) if time else (("GM",) if equals else ("PM",)),
            time=time,
            confidence=0.5,
        )
    ]


FAILURE = re.compile(
    (
        r"\b(?:crash\w*|broke\w*|fail\w*|froze|died|lost|again|down|stuck|late"
        r"|cancelled|canceled|delayed|deleted|leak\w*|ruined|wrong)\b"
    ),
    re.I,
)
MOCKING = re.compile(
    (
        "^(?:oh,? )?(?:great|wonderful|fantastic|brilliant|lovely|perfect|awesome"
        r"|marvellous|nice)[,.!] |\b(?:slow clap|bravo|truly|just great"
        r"|just what (?:i|we|you|he|she|they) (?:\w+ )?(?:needed|wanted)"
        "|thanks for nothing|thanks a lot|how lovely|well played|big surprise"
        "|shocker|genius move|/s|round of applause|standing ovation|10/10|love that for"
        r" (?:me|us))\b|/s\b"
    ),
    re.I,
)
HYPERBOLE = re.compile(
    r"\b(?:best|greatest|finest|most \w+|love|triumph|marvel|wonder|miracle|brilliant|wonderful|fantastic"
    r"|genius|masterpiece|great|perfect"
    r"|lovely|marvellous|awesome|nice|splendid)\b",
    re.I,
)


def finish(turn: int, talk: Talk) -> None:
    """Join a turn's statements: one claim for one view, mockery read as what it means."""
    mine = [draft for draft in talk.drafts if draft.turn == turn]
    text = talk.turns[turn].text
    talk.drafts.extend(_sarcasm(mine, text))
    mine = [draft for draft in talk.drafts if draft.turn == turn]
    for earlier, later in itertools.pairwise(mine):
        if earlier.answers and later.kind == "event" and later.subject == earlier.subject:
            later.spans = [*earlier.spans, *later.spans]
            later.clause = f"{earlier.clause.rstrip('.')}. {later.clause}"
            talk.drafts.remove(earlier)
            mine = [draft for draft in mine if draft is not earlier]
            break
        if _elaborates(earlier, later):
            earlier.spans.extend(later.spans)
            talk.drafts.remove(later)
            mine = [draft for draft in mine if draft is not later]
            break
    for earlier, later in itertools.pairwise(mine):
        if earlier.kind == later.kind == "claim" and (earlier.holder, earlier.target, earlier.polarity) == (
            later.holder,
            later.target,
            later.polarity,
        ):
            earlier.spans.extend(later.spans)
            earlier.clause = f"{earlier.clause} {later.clause}"
            talk.drafts.remove(later)
            break


def _elaborates(earlier: Draft, later: Draft) -> bool:
    """A short plain sentence without a name, number or date only colours the statement before it."""
    words = later.clause.split()
    if earlier.answers and later.kind == "fact" and later.person:
        return True
    if (
        earlier.kind == "claim"
        or later.kind != "fact"
        or later.time
        or len(words) > 6
        or re.search(r"\d|=", later.clause)
    ):
        return False
    if any(word[:1].isupper() and word.lower() not in FIRST and not word.startswith("I'") for word in words[1:]):
        return False
    return (later.subject == earlier.subject and later.person) or len(words) <= 4


def _sarcasm(drafts: list[Draft], text: str) -> list[Draft]:
    """Hyperbole with a mocking word beside a failure told in the same turn is blame, never praise.

    Where a sentence of praise was not read as any ("What a triumph. Bravo."), the blame of what failed is a claim.
    """
    if not (MOCKING.search(text) and HYPERBOLE.search(text) and FAILURE.search(text)):
        return []
    failed = next((draft for draft in drafts if draft.kind == "event" and not draft.person), None)
    views = [draft for draft in drafts if draft.kind == "claim"]
    for draft in views:
        if draft.polarity == "positive":
            draft.polarity = "negative"
            if failed is not None:
                draft.target = draft.subject = failed.subject
    praised = any(HYPERBOLE.search(part) and not FAILURE.search(part) for part in re.split(r"[.!?]", text))
    if failed is None or views or not praised:
        return []
    blame = replace(failed, kind="claim", target=failed.subject, polarity="negative", types=("PM",), time=None)
    return [replace(blame, spans=list(failed.spans))]
