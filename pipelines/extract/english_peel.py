"""The verbs that frame an English statement: who says, thinks, heard or promised it, outermost first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pipelines.extract.discourse import Talk
from pipelines.extract.english_names import ANYONE, FIRST, owner_of, phrase_tokens, surface
from pipelines.extract.english_opinion import AGAINST, FEELING, POSITIVE_FEELING, attitudes, lemma_of, lexicon, negated
from pipelines.extract.text import Sentence
from pipelines.wordlist import table


@dataclass(frozen=True, slots=True)
class Peeled:
    """What is left of a clause when its reporting verbs are cut off.

    `chain` names the holders outermost first; `head` is the verb of what they assert. `sign` and `target`
    are set when the last verb itself judges ("can't stand the ringtone").
    """

    head: Any
    chain: tuple[str, ...] = ()
    own: bool = False
    negated: bool = False
    planned: bool = False
    nothing: bool = False
    """A question or a wish is passed on: nothing is asserted."""
    sign: int = 0
    target: Any = None
    plain: bool = False
    """Something is only hoped or doubted, not asserted."""
    small: Any = None
    """The subject of a small clause ("finds the menu boring")."""
    told: Any = None
    """Whom a command goes to ("told me to rest")."""
    thing: str = ""
    """The same as written, where the parser lost it."""


@cache
def reporting() -> dict[str, str]:
    """Reporting verbs and their class."""
    return {row[0]: row[1] for row in table("pipelines.extract", "reporting_en.tsv")}


def child(token: Any, *deps: str) -> Any:
    """The first child with one of these relations."""
    return next((c for c in token.children if c.dep_ in deps), None)


def subject_of(head: Any) -> Any:
    """The subject of a verb, its own or shared with the verb that it is joined to."""
    own = child(head, "nsubj", "nsubjpass", "csubj")
    if own is not None or head.dep_ not in ("conj", "xcomp") or head.head is head:
        return own
    return subject_of(head.head)


def preposition(head: Any, *words: str) -> Any:
    """The object of a preposition that hangs on a word."""
    for token in head.children:
        if token.dep_ in ("prep", "agent", "dative") and token.lower_ in words:
            found = child(token, "pobj", "pcomp")
            if found is not None:
                return found
    return None


def complement(head: Any) -> Any:
    """The clause that a reporting verb governs."""
    found = child(head, "ccomp")
    if found is not None:
        return found
    for token in head.children:
        if (
            token.dep_ in ("advcl", "acl", "dep", "parataxis")
            and child(token, "mark") is not None
            and child(token, "mark").lower_ == "that"
        ):
            return token
    obj = child(head, "dobj", "attr")
    if obj is not None:
        inner = child(obj, "acl", "ccomp", "relcl")
        if (
            inner is not None
            and any(c.lower_ == "that" and c.dep_ in ("mark", "nsubj", "dobj") for c in inner.children)
            and obj.lower_
            in (
                "impression",
                "view",
                "opinion",
                "feeling",
                "claim",
                "news",
                "rumour",
                "rumor",
                "belief",
                "sense",
            )
        ):
            return inner
    return None


def peel(head: Any, talk: Talk, sentence: Sentence, start: tuple[str, ...] = (), me: str | None = None) -> Peeled:
    """Cut reporting verbs off a clause, outermost first."""
    state = Peeled(head, start)
    for _ in range(6):
        step = _step(state, talk, sentence, me)
        if step is None:
            return state
        state = step
        if state.nothing or state.sign or state.small is not None:
            return state
    return state


def _push(state: Peeled, who: Any, talk: Talk, sentence: Sentence, me: str | None) -> tuple[str, ...]:
    name = owner_of(who, talk, sentence, state.chain[-1] if state.chain else None, me)
    return state.chain if state.chain[-1:] == (name,) else (*state.chain, name)


CONVICTIONS = frozenset("convinced sure certain confident adamant positive afraid worried hopeful aware clear".split())
"""Adjectives of a view: "is convinced that it works"."""


WISHING = frozenset("want wish like love try need".split())
LEARNING = frozenset("know learn find hear understand check see ask".split())
"""What one wants to know is asked, and not told."""


def _step(state: Peeled, talk: Talk, sentence: Sentence, me: str | None) -> Peeled | None:
    head = state.head
    lemma = lemma_of(head, reporting())
    kind = reporting().get(lemma)
    further = child(head, "xcomp")
    if (
        lemma in ("stop", "keep", "start", "continue", "tend", "seem", "appear", "help")
        and further is not None
        and lemma_of(further, attitudes()) in attitudes()
    ) and (lemma != "stop" or negated(head)):
        return replace(state, head=further)
    subject = subject_of(head)
    bare = subject is None and all(
        t.pos_ in ("AUX", "PART", "ADV", "INTJ", "CCONJ", "PUNCT") for t in head.doc[: head.i]
    )
    first = bare or (subject is not None and subject.lower_ in FIRST)
    if subject is not None and subject.lower_ in ("mine", "ours"):  # "Mine loves it", after another's landlord
        first = not any("'s " in draft.holder for draft in talk.drafts)
    denied = any(c.dep_ == "neg" for c in head.children)
    inner = complement(head)
    if kind == "deny" and inner is None:
        inner = child(head, "xcomp", "pcomp")  # "denies ever signing it"
    sure = child(head, "acomp")
    if lemma == "be" and sure is not None and sure.lower_ in CONVICTIONS and (held := child(sure, "ccomp")) is not None:
        if first or subject is None:
            return replace(state, head=held, own=True)
        return replace(state, head=held, chain=_push(state, subject, talk, sentence, me))
    if (
        lemma in WISHING
        and further is not None
        and further.lemma_ in LEARNING
        and (wh := complement(further)) is not None
    ):
        return replace(state, nothing=True) if _interrogative(wh) else None
    if kind is None or (inner is None and kind not in ("think", "plan", "command", "ask", "say", "hear")):
        return _attitude(state, subject, first, talk, sentence, me)
    passive = child(head, "auxpass") is not None or (subject is not None and subject.dep_ == "nsubjpass")
    to = child(head, "xcomp")
    if kind == "ask":
        if inner is None and to is None and child(head, "dobj") is None:
            return None
        return replace(state, nothing=True)
    if passive and to is not None and kind in ("say", "think", "hear"):
        return replace(state, head=to, chain=(*state.chain, "unknown")) if not first else None
    if kind == "hear":
        return _heard(state, subject, first, inner, talk, sentence, me)
    if inner is not None and _interrogative(inner):
        return replace(state, nothing=True) if kind in ("ask",) or lemma in ("know", "see", "tell") else None
    if lemma == "agree" and inner is None and to is not None:
        kind = "plan"  # "agreed to wait" is a promise, "agrees that" a view
    if kind == "plan":
        if inner is None and to is None:
            return None
        if first:
            return None
        chain = _push(state, subject, talk, sentence, me) if subject is not None else state.chain
        return replace(state, head=inner if inner is not None else to, chain=chain, planned=True)
    if kind == "command" or (kind == "say" and inner is None and to is not None and child(head, "dobj") is not None):
        deed = to if to is not None else inner
        if (
            deed is None
            or subject is None
            or first
            or not any(c.dep_ == "aux" and c.lower_ == "to" for c in deed.children)
        ):
            return None
        told = child(head, "dobj", "dative")
        return replace(
            state,
            head=deed,
            chain=_push(state, subject, talk, sentence, me),
            planned=True,
            negated=state.negated ^ (lemma == "forbid"),
            told=told if told is not None else child(deed, "nsubj"),
        )
    small = _small_clause(head, inner)
    if small is None and kind == "think":
        written = _written_clause(head)
        if written is not None:
            chain = state.chain if first or subject is None else _push(state, subject, talk, sentence, me)
            return replace(
                state,
                head=written[1],
                chain=chain,
                own=state.own or first,
                negated=state.negated ^ denied,
                small=written[1],
                thing=written[0],
            )
    if kind == "think" and small is not None:
        target, word = small
        chain = state.chain if first or subject is None else _push(state, subject, talk, sentence, me)
        return replace(
            state, head=word, chain=chain, own=state.own or first, negated=state.negated ^ denied, small=target
        )
    if inner is None:
        return _attitude(state, subject, first, talk, sentence, me)
    if passive and first:
        agent = preposition(head, "by")
        chain = _push(state, agent, talk, sentence, me) if agent is not None else (*state.chain, "unknown")
        return replace(state, head=inner, chain=chain)
    if passive:
        return replace(state, head=inner, chain=(*state.chain, "unknown"))
    if kind == "hope":
        if first or subject is None:  # "hope this helps" is the speaker's own
            return replace(state, nothing=True)
        return replace(state, head=inner, chain=_push(state, subject, talk, sentence, me), plain=True)
    if subject is None and not first:
        return None
    if first and not state.chain:
        own = kind == "think" and lemma not in ("know", "see", "understand", "assume", "figure", "guess")
        return replace(state, head=inner, own=state.own or own, negated=state.negated ^ (denied and kind == "think"))
    if subject is not None and subject.lower_ == "it" and lemma in ("say", "show", "mean"):
        return replace(state, head=inner, chain=(*state.chain, "unknown")) if lemma == "say" else None
    if subject is not None and subject.lower_ in ANYONE:
        return replace(state, head=inner, chain=(*state.chain, "unknown"))
    if lemma in ("show", "indicate", "mean") and subject is not None and subject.pos_ != "PROPN":
        pass
    chain = state.chain if first else _push(state, subject, talk, sentence, me)
    flipped = kind in ("deny", "doubt") or (denied and kind == "think")
    return replace(state, head=inner, chain=chain, negated=state.negated ^ flipped)


def _interrogative(inner: Any) -> bool:
    words = [t.lower_ for t in inner.subtree][:2]
    return bool(words) and (
        words[0] in ("whether", "if") or words[0] in ("who", "when", "where", "why", "how", "which")
    )


def _heard(
    state: Peeled, subject: Any, first: bool, inner: Any, talk: Talk, sentence: Sentence, me: str | None
) -> Peeled | None:
    """ "Ren heard from Ulla that ...": Ulla's words, passed on by Ren."""
    if inner is None:
        return None
    chain = state.chain
    if not first and subject is not None:
        chain = _push(state, subject, talk, sentence, me)
    source = preposition(state.head, "from", "via", "through")
    if source is None and state.head.lemma_.lower() == "read":
        source = preposition(state.head, "in", "on")
    if source is not None:
        chain = (*chain, owner_of(source, talk, sentence, chain[-1] if chain else None, me))
    else:
        chain = (*chain, "unknown")
    return replace(state, head=inner, chain=chain)


CALLED = frozenset("back up off out in round again today yesterday twice earlier".split())
"""What makes calling somebody something else than naming him."""


def _small_clause(head: Any, inner: Any) -> tuple[Any, Any] | None:
    """ "finds the menu boring", "called the plan a mess": the thing and the word that judges it."""
    lemma = lemma_of(head, reporting())
    if lemma not in (
        "find",
        "consider",
        "deem",
        "call",
        "rate",
        "think",
        "see",
        "regard",
        "view",
        "describe",
        "believe",
        "label",
        "judge",
    ):
        return None
    obj, word = child(head, "dobj"), child(head, "oprd", "acomp", "attr")
    if lemma == "call" and any(c.lower_ in CALLED for c in head.children):
        return None
    if inner is not None:
        verb_inside = (
            inner.pos_ in ("VERB", "AUX")
            and inner.tag_ != "VBN"
            and any(c.dep_ in ("aux", "cop") for c in inner.children)
        )
        subject = child(inner, "nsubj", "nsubjpass")
        if inner.pos_ in ("ADJ", "NOUN", "PROPN", "ADV") and subject is not None:
            return subject, inner
        if subject is not None and inner.tag_ == "VBN" and not verb_inside and child(inner, "auxpass") is None:
            return subject, inner
        return None
    if obj is not None and lemma in ("see", "regard", "view", "describe", "rate"):
        as_what = preposition(head, "as")
        if as_what is not None:
            return obj, as_what
        prep = child(head, "prep")
        if prep is not None and prep.lower_ == "as":
            amod = child(prep, "amod", "advmod", "pcomp")
            return (obj, amod) if amod is not None else None
        return None
    if obj is not None and word is not None:
        return obj, word
    if obj is not None and lemma in ("find", "consider", "deem", "call"):
        late = next((c for c in obj.children if c.i > obj.i and (c.pos_ == "ADJ" or c.tag_ == "VBN")), None)
        late = (
            late
            if late is not None
            else next(
                (
                    c
                    for c in head.children
                    if c.i > obj.i and c.pos_ in ("ADJ", "ADV") and c.dep_ in ("advmod", "xcomp", "dep")
                ),
                None,
            )
        )
        if late is not None:
            return obj, late
        inner_noun = child(obj, "appos")
        if inner_noun is not None and lemma == "call":
            return obj, inner_noun
    return None


def _written_clause(head: Any) -> tuple[str, Any] | None:
    """ "considers the new rota unfair" by its words alone: a phrase with an article, then a judging adjective."""
    if lemma_of(head, reporting()) not in ("find", "consider", "deem", "call", "think"):
        return None
    rest = [t for t in head.doc[head.i + 1 :] if not t.is_punct]
    if (
        len(rest) < 3
        or rest[0].lower_ not in ("the", "this", "that", "my", "our", "his", "her", "their", "these", "those", "your")
        or rest[-1].lower_ not in lexicon().adjectives
    ):
        return None
    if any(t.tag_ in ("VBZ", "VBP", "VBD", "MD") for t in rest):
        return None
    words = rest[1:-1]
    while words and words[-1].pos_ == "ADV":
        words = words[:-1]
    return (surface(words), rest[-1]) if words else None


def _attitude(
    state: Peeled, subject: Any, first: bool, talk: Talk, sentence: Sentence, me: str | None
) -> Peeled | None:
    """A verb or adjective by which its subject judges: "hates the pitch", "is unhappy with the room"."""
    head = state.head
    found = attitudes().get(lemma_of(head, attitudes())) if head.pos_ in ("VERB", "AUX") else None
    target: Any = None
    sign = 0
    acted = head.tag_ == "VBD" and head.lemma_ in ("reject", "dismiss", "approve", "back", "support", "endorse")
    if found and acted and any(c.dep_ == "poss" for t in head.children if t.dep_ == "dobj" for c in t.children):
        return None  # "the council backed our stall": a deed, not a view
    if found and head.tag_ == "VBG" and head.dep_ == "xcomp" and found[1] != "negated":
        pass
    elif found and child(head, "auxpass") is not None:
        return None
    if found and (head.tag_ != "VBG" or head.dep_ == "xcomp" or child(head, "aux") is not None):
        sign, how = found
        denied = negated(head) and head.dep_ != "xcomp"
        if how == "negated" and not denied:
            return None
        target = child(head, "dobj", "ccomp", "xcomp") if how != "about" else None
        if target is None and how == "object":
            target = next(
                (
                    c
                    for c in head.children
                    if c.i > head.i
                    and c.dep_ in ("advmod", "acomp", "oprd", "dep", "npadvmod")
                    and c.pos_ in ("ADJ", "NOUN", "PROPN")
                ),
                None,
            )
        if how == "about" or target is None:
            target = preposition(head, "about", "of", "by", "to", "for", "at", "over") if how == "about" else target
        if target is None and how != "object":
            return None
        if how != "negated" and denied:
            sign = -sign
    elif (
        head.lemma_ in ("be", "feel", "seem", "get", "sound")
        or head.pos_ == "ADJ"
        or (head.tag_ == "VBN" and head.lower_ in FEELING)
    ):
        adjective = head if head.pos_ == "ADJ" or head.tag_ == "VBN" else child(head, "acomp", "attr", "prep")
        if adjective is None:
            return None
        if adjective.dep_ == "prep" and adjective.lower_ in AGAINST:
            target = child(adjective, "pobj", "pcomp")
            sign = AGAINST[adjective.lower_] or (1 if any(c.lower_ == "all" for c in adjective.children) else 0)
        elif adjective.lower_ in FEELING:
            target = preposition(adjective, "with", "of", "about", "by", "at", "on", "in", "to", "over")
            sign = 1 if adjective.lower_ in POSITIVE_FEELING else -1
            if target is None and adjective.lower_ == "fed":
                target = next((t for t in adjective.subtree if t.dep_ == "pobj"), None)
        elif adjective.lower_ in ("fan", "supporter", "believer", "admirer"):
            target, sign = preposition(adjective, "of", "in"), 1
        if target is None or not sign or adjective.lower_ in ("sure", "sorry", "afraid", "scared"):
            return None
        sign = -sign if negated(adjective) or any(c.dep_ == "neg" for c in head.children) else sign
    else:
        return None
    if not sign or (subject is None and not first):
        return None
    if subject is not None and not first and subject.lower_ in ("it", "this", "that", "which", "who"):
        return None
    chain = state.chain
    if not first and subject is not None:
        if subject.lower_ in ANYONE and subject.lower_ != "they":
            return None
        chain = _push(state, subject, talk, sentence, me)
    return replace(
        state,
        chain=chain,
        sign=sign * (-1 if state.negated else 1),
        target=target,
        own=state.own or first,
        negated=False,
    )


def clause_text(head: Any, others: Sequence[Any] = ()) -> str:
    """The text of a clause without its opening "that" and without the clauses joined to it."""
    away = {
        t.i
        for other in others
        if other is not head and other.i not in {a.i for a in head.ancestors}
        for t in other.subtree
    }
    tokens = [t for t in head.subtree if t.i not in away]
    run = [head]
    for token in [t for t in tokens if t.i > head.i]:
        if token.i == run[-1].i + 1 and not (token.dep_ == "cc" and token.head is head):
            run.append(token)
    for token in reversed([t for t in tokens if t.i < head.i]):
        if token.i == run[0].i - 1:
            run.insert(0, token)
    tokens = run if others else tokens
    while tokens and ((tokens[0].dep_ == "mark" and tokens[0].lower_ == "that") or tokens[0].is_punct):
        tokens = tokens[1:]
    return surface(tokens) if tokens else surface(phrase_tokens(head))
