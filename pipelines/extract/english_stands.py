"""Whether an English draft says something of its own: praise in passing and words without a clear subject do not.

"That's great!", "your support means a lot" and "it's nice to hear" keep a conversation warm. Stored as views they are
false: they hold no lasting judgement, and what "that" meant is seldom the last thing named.
"""

from __future__ import annotations

import re
from typing import Any

from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.english_peel import child, subject_of
from pipelines.language import english_docs

VAGUE = frozenset(
    "it this that these those they them he she him her who whom which what something anything everything nothing thing"
    " things one ones two some any all each other someone somebody anyone anybody everyone everybody nobody people"
    " stuff today tomorrow yesterday now here there time lot bit kind sort part rest me i you we us same both the a an"
    " of in at on and or my your so much more very".split()
)
"""Words that name nothing by themselves."""
MODAL = frozenset("can could should would 'd might may must will 'll shall".split())
ADVISED = frozenset("need have want try get".split())
SEEMING = frozenset("sound look seem feel appear".split())
POINTERS = frozenset("that this it".split())
REMINDING = frozenset("mention say ask tell suggest know see mean hear remember".split())
EVENTS = frozenset(
    "blast experience time day feeling ride break step journey moment evening night adventure memory way pleasure joy"
    " treat honour honor relief chance opportunity shame pity reminder".split()
)
SPANS = frozenset(
    "while age minute hour day week month year decade time morning evening night monday tuesday wednesday thursday"
    " friday saturday sunday weekend late early cold hot warm sunny dark windy rainy chilly freezing quiet".split()
)
"""What "it is" says of the time and the weather."""
CORRECTING = re.compile(r"(?:no,? )?not [^,;]*\d[^,;]*[,;] |.*\d.*, not [^,;]*\d[^,;]*$", re.I)
WEATHER = frozenset("rain snow hail thunder drizzle".split())
KINDNESS = frozenset(
    "faith word support encouragement friendship kindness help advice belief trust company passion dedication"
    " enthusiasm positivity energy attitude strength courage story journey effort commitment generosity"
    " understanding patience"
    " thoughtfulness hospitality offer suggestion feedback interest".split()
)
"""What one thanks another for: praise of it keeps a conversation warm."""
WARM = frozenset("glad happy sorry proud grateful thankful delighted".split())
THANKING = frozenset("appreciate thank congratulate welcome mean".split())


def stands(draft: Draft, doc: Any, talk: Talk) -> bool:
    """Whether a draft may be stored: it has a subject or target that names something, and is no mere reaction."""
    if draft.relay:
        return draft.holder == "unknown" or names_something(draft.holder)
    root = _told(next(iter(doc.sents)).root)
    subject = subject_of(root)
    asked = talk.asked is not None and talk.asked.topic == draft.target
    if subject is not None and subject.lower_ == "it" and root.lemma_ == "be" and (opens(root) or eventful(root)):
        return draft.kind == "claim" and (draft.polarity != "positive" or (asked and not opens(root)))
    if subject is not None and _of_yours(subject) and (root.lemma_ == "mean" or subject.lemma_ in KINDNESS):
        return False
    if empty(root, subject) or flatters(root, subject, draft):
        return False
    if (
        subject is not None
        and subject.lower_ == "that"
        and draft.kind != "claim"
        and not re.search(r"\d", draft.clause)
    ):
        return False  # what the other has just said
    if offers(root, subject) or warms(root, subject) or suggests(root, subject, draft):
        return False
    if draft.kind == "claim" and not names_something(draft.target or ""):
        return False
    if CORRECTING.match(draft.clause) and subject is not None and subject.lower_ in ("it", "they"):
        return True  # "not 12, it is 14": what was said before is meant
    wordless = not re.search(r"\w", draft.subject)  # a speaker without a name, or called "("
    if draft.kind != "claim" and not (wordless or names_something(draft.subject)):
        return False
    if (
        subject is not None
        and subject.lower_ in ("you", "u")
        and (draft.person or draft.kind == "claim")
        and _advises(root)
    ):
        return bool(re.search(r"\d", draft.clause)) and draft.kind != "claim"
    if root.lemma_ == "be" and any(c.lower_ == "here" and c.i < root.i for c in root.children):
        return False  # "here is a list": it shows something
    return not (draft.kind == "claim" and not asked and reacts(root, subject, draft))


def _told(root: Any) -> Any:
    """The verb that a sentence tells something by: not that of a remark behind it."""
    before = child(root, "ccomp") if muses(root) else None
    return before if before is not None and before.i < root.i and child(before, "nsubj", "nsubjpass") else root


def muses(head: Any) -> bool:
    """ "..., it seems", "..., that looks like a good year": how a thing strikes somebody, beside what he tells."""
    subject = subject_of(head)
    return head.lemma_ in SEEMING and subject is not None and subject.lower_ in ("it", "that", "this")


def reminds(head: Any) -> bool:
    """ "You mentioned the stall": what the other said is his to state."""
    subject = child(head, "nsubj")
    return subject is not None and subject.lower_ in ("you", "u") and head.lemma_ in REMINDING


def names_something(phrase: str) -> bool:
    """Whether a phrase has a word that names something.

    >>> names_something("that one"), names_something("Ana's kiln"), names_something("each other")
    (False, True, False)
    """
    return any(word not in VAGUE for word in re.findall(r"[^\W_][\w'’.-]*", phrase.lower()))


def _advises(root: Any) -> bool:
    """ "you can", "you should", "you need to": advice, which is true of nobody."""
    generic = root.tag_ == "VBP" or any(c.dep_ == "aux" and c.lower_ == "do" for c in root.children)
    if generic and root.lemma_ not in ("be", "have", "live", "work"):
        return True
    return root.lemma_ in ADVISED or any(c.dep_ == "aux" and c.lower_ in MODAL for c in root.children)


def reacts(root: Any, subject: Any, draft: Draft) -> bool:
    """Whether a judgement only answers what the other said, or is polite."""
    praise = draft.polarity == "positive"
    pointing = subject is None or subject.lower_ in POINTERS
    if root.lemma_ in THANKING and (
        subject is None or any(t.lower_ in ("you", "your") for t in root.subtree) or _of_yours(subject)
    ):
        return True
    if subject is not None and _of_yours(subject) and praise and any(t.lemma_ == "mean" for t in (root, subject)):
        return True
    if root.lemma_ in SEEMING and pointing:
        return True
    if root.lemma_ != "be" or not pointing:
        return False
    now = root.tag_ in ("VBZ", "VBP") or root.lower_ in ("'s", "is")
    if subject is not None and subject.lower_ in ("that", "this") and now:
        return True
    return praise and opens(root) and (subject is None or subject.lower_ == "it")


def opens(root: Any) -> bool:
    """Whether a clause follows that says what "it" is ("it's nice to see you")."""
    return any(c.dep_ in ("ccomp", "xcomp", "csubj", "advcl") and c.i > root.i for c in root.subtree)


def eventful(root: Any) -> bool:
    """ "It was a blast", "it's been great cycling": said of what happened, and not of the thing named last."""
    return any(c.dep_ == "attr" and (c.lemma_ in EVENTS or c.lower_.endswith("ing")) for c in root.children)


def offers(root: Any, subject: Any) -> bool:
    """ "I can check.", "we could look": a short offer."""
    return (
        subject is not None
        and subject.lower_ in ("i", "we")
        and any(c.dep_ == "aux" and c.lower_ in ("can", "could") for c in root.children)
        and not any(c.dep_ in ("dobj", "neg", "ccomp") and c.lower_ not in POINTERS for c in root.children)
        and sum(not t.is_punct for t in root.subtree) <= 7
    )


def empty(root: Any, subject: Any) -> bool:
    """ "It's been ages", "it's raining", "it seems that ...": an "it" that means nothing."""
    if subject is None or subject.lower_ != "it":
        return False
    told = [c for c in root.children if c.dep_ in ("attr", "acomp", "npadvmod")]
    clause = any(c.dep_ in ("ccomp", "advcl") for c in root.children)
    return (
        root.lemma_ in WEATHER
        or (root.lemma_ in SEEMING and clause)
        or (root.lemma_ == "be" and any(c.lemma_.lower() in SPANS for c in told))
    )


def suggests(root: Any, subject: Any, draft: Draft) -> bool:
    """ "We should grab a coffee some time": nothing has been settled."""
    mine = subject is not None and subject.lower_ in ("i", "we")
    return (
        mine
        and draft.kind != "claim"
        and draft.time is None
        and any(c.dep_ == "aux" and c.lower_ in ("should", "could", "might") for c in root.children)
        and not any(c.dep_ == "neg" for c in root.children)
        and not re.search(r"\d", draft.clause)
    )


def flatters(root: Any, subject: Any, draft: Draft) -> bool:
    """ "Your family is going to be so lucky": a kind forecast of what is the other's."""
    forecast = any(t.lower_ in ("will", "'ll", "gonna", "going", "must", "would") for t in root.subtree)
    kind = draft.polarity == "positive" or any(t.lower_ in ("so", "such", "really") for t in root.subtree)
    return subject is not None and _of_yours(subject) and forecast and kind and not re.search(r"\d", draft.clause)


def warms(root: Any, subject: Any) -> bool:
    """ "I'm glad you came", "happy to help": a feeling towards the other."""
    if subject is not None and subject.lower_ not in ("i", "we"):
        return False
    felt = root if root.lemma_ in WARM else next((c for c in root.children if c.lemma_ in WARM), None)
    if felt is None or (root.lemma_ != "be" and felt is not root):
        return False
    return opens(root) or subject is None or any(t.lower_ in ("you", "your") for t in root.subtree)


def polite(text: str) -> bool:
    """Whether a text that no statement covers only thanks, wishes or talks of the weather."""
    doc = english_docs([text])[0]
    if not len(doc):
        return True
    root = next(iter(doc.sents)).root
    subject = subject_of(root)
    return (subject is not None and _of_yours(subject) and subject.lemma_ in KINDNESS) or empty(root, subject)


def _of_yours(subject: Any) -> bool:
    return any(c.dep_ == "poss" and c.lower_ == "your" for c in subject.children)
