"""What a conversation has said so far: the last question, the topic, the people, and drafts of statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from lakehouse.records import TimeSpan, Turn
from lakehouse.vocabulary import AtomKind, MemoryType, Modality, Polarity
from pipelines.extract.text import Sentence


@dataclass(slots=True)
class Draft:
    """A statement being made; later sentences may still add to it (an answer that dates it, a second clause)."""

    turn: int
    speaker: str
    kind: AtomKind
    subject: str
    clause: str
    language: str
    holder: str = ""
    relay: tuple[str, ...] = ()
    target: str | None = None
    polarity: Polarity | None = None
    modality: Modality = "asserted"
    types: tuple[MemoryType, ...] = ()
    time: TimeSpan | None = None
    spans: list[Sentence] = field(default_factory=list)
    confidence: float = 0.7
    content: str = ""
    answers: bool = False
    """A fragment that answered a question: the next sentence of its turn goes on with it."""
    person: bool = False
    """The subject is a person, so a lasting fact is personal."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that the next turns may answer with a fragment."""

    sentence: Sentence
    speaker: str
    topic: str | None
    person: str | None
    kind: str
    """opinion | when | where | who | which | choice | need | other"""
    options: tuple[str, ...] = ()
    service: bool = False
    """A choice that the asker will carry out ("a refund or a replacement?")."""


@dataclass(slots=True)
class Mention:
    """A phrase that a pronoun may mean."""

    phrase: str
    head: str
    sentence: Sentence
    prominent: bool = True
    """A subject or an object: what the sentence is about, not where or with what."""


GROUPS = frozenset(
    "group team committee board council family band crew club staff company government couple jury class panel"
    " department office school union choir squad association party agency bank firm".split()
)
"""Nouns of one group of people: "it" and "they" alike."""
COLLECTIVE = frozenset("people children men women folk folks staff police feet teeth mice geese kids".split())


ONE = frozenset("lens gas atlas canvas bias news series species chaos christmas texas kansas".split())
"""Nouns of one thing that end as nouns of several do."""


def several(phrase: str, head: str) -> bool:
    """Whether an English noun phrase means several things.

    >>> several("old maps", "maps"), several("glass", "glass"), several("hat and coat", "hat")
    (True, False, True)
    """
    plural = head in COLLECTIVE or (head.endswith("s") and not head.endswith(("ss", "us", "is")) and head not in ONE)
    return plural or " and " in phrase


@dataclass(slots=True)
class Talk:
    """The state of one conversation while its turns are read in order."""

    turns: Sequence[Turn]
    names: tuple[str, ...]
    called: Mapping[int, str] = field(default_factory=dict)
    """Turn -> the name that it calls at its beginning."""
    drafts: list[Draft] = field(default_factory=list)
    asked: Asked | None = None
    things: list[Mention] = field(default_factory=list)
    people: list[Mention] = field(default_factory=list)

    def speaker(self, turn: int) -> str:
        """Who says the turn."""
        return str(self.turns[turn].speaker)

    def addressee(self, turn: int) -> str | None:
        """Whom the turn calls, else the nearest other speaker: of the turns before, else of those after."""
        if turn in self.called:
            return self.called[turn]
        me = self.turns[turn].speaker
        for index in [*range(turn - 1, -1, -1), *range(turn + 1, len(self.turns))]:
            if self.turns[index].speaker != me:
                return str(self.turns[index].speaker)
        return None

    def said(self, turn: int) -> datetime | None:
        """The civil time of a turn."""
        written = self.turns[turn].said_at
        if written:
            try:
                return datetime.fromisoformat(written.replace("Z", "+00:00")).replace(tzinfo=None)
            except ValueError:
                pass
        moment = self.turns[turn].said_ts
        return moment.replace(tzinfo=None) if moment else None

    def spoke(self, turn: int) -> bool:
        """Whether the turn has already made a statement."""
        return any(draft.turn == turn for draft in self.drafts)

    def mention_thing(self, phrase: str, head: str, sentence: Sentence, prominent: bool = True) -> None:
        """Remember a thing that was spoken of; the last 12 are kept."""
        if phrase and len(phrase) <= 80:
            self.things.append(Mention(phrase, head.lower(), sentence, prominent))
            del self.things[:-12]

    def mention_person(self, name: str, sentence: Sentence) -> None:
        """Remember a person who was spoken of; the last 8 are kept."""
        if name and len(name) <= 60:
            self.people.append(Mention(name, name.lower(), sentence))
            del self.people[:-8]

    def last_thing(self, turn: int, reach: int = 4, many: bool | None = None) -> Mention | None:
        """The thing spoken of last, within so many turns; with `many` a prominent one of several ("they") or one.

        A turn of a word or two ("And?") takes no step back.
        """
        first = turn
        while first > 0 and reach > 0:
            first -= 1
            reach -= len(self.turns[first].text.split()) > 2
        for mention in reversed(self.things):
            number = several(mention.phrase, mention.head) == many or (many and mention.head in GROUPS)
            if mention.sentence.turn >= first and (many is None or (mention.prominent and number)):
                return mention
        return None

    def last_person(self, turn: int, other_than: Sequence[str] = (), reach: int = 6) -> Mention | None:
        """The person spoken of last who is none of those."""
        for mention in reversed(self.people):
            if turn - mention.sentence.turn <= reach and mention.phrase not in other_than:
                return mention
        return None
