"""From statements to atoms: the frame is read, the id is computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from lakehouse.ids import atom_id
from lakehouse.records import Atom, Turn
from pipelines.extract.statements import statements
from pipelines.frame import frame as frames
from pipelines.frame.constructions import rewritten
from pipelines.frame.words import parse_ahead
from pipelines.language import korean_parses
from pipelines.statement import Frame, Statement

AHEAD = 512
"""Statements whose clauses are parsed in one go."""
EXTRACTOR = "rules"
VERSION = "2"


def extract(turns: Sequence[Turn], segment_id: str = "", names: Sequence[str] = ()) -> list[Atom]:
    """The atoms of a run of turns of one document, in order.

    One statement gives one atom a frame. Equal turns give equal atoms: nothing outside the arguments is read.
    """
    by_id = {turn.turn_id: turn for turn in turns}
    atoms: dict[str, Atom] = {}
    told = list(statements(turns, names))
    for first in range(0, len(told), AHEAD):
        part = told[first : first + AHEAD]
        parse_ahead([statement.clause for statement in part if statement.language != "ko"])
        korean_parses([rewritten(statement.clause, "ko") for statement in part if statement.language == "ko"])
        for statement in part:
            turn = by_id[statement.evidence[0].turn_id]
            for item in frames(statement, opening(statement)):
                found = atom(_owned(statement, item), item, turn, segment_id)
                atoms.setdefault(found.atom_id, found)
    return list(atoms.values())


def _owned(statement: Statement, item: Frame) -> Statement:
    """A correction that is passed on from nobody named is the speaker's own ("Sorry, it is bay 4, they say")."""
    if item.cue != "correction" or statement.holder != "unknown":
        return statement
    return replace(statement, holder=statement.speaker, relay=(), kind="fact", target=None, polarity=None)


def opening(statement: Statement) -> str:
    """What an English sentence says before the clause that states something ("I gave the wrong sum, the fee is 5").

    A Korean clause keeps all of its sentence.
    """
    if statement.language == "ko":
        return ""
    quote = statement.evidence[0].quote
    return quote[: max(quote.find(statement.clause), 0)]


def atom(
    statement: Statement,
    item: Frame,
    turn: Turn,
    segment_id: str = "",
    extractor: str = EXTRACTOR,
    version: str = VERSION,
) -> Atom:
    """One frame of a statement as an atom, whoever made the statement: equal words in equal places, equal ids."""
    first = statement.evidence[0]
    proposition = "|".join((
        statement.kind, statement.holder, ">".join(statement.relay), statement.modality, item.subject,
        item.relation, ";".join(item.scope), ";".join(value.norm for value in item.values), item.cue,
        statement.clause,
    ))  # fmt: skip
    return Atom(
        tenant=turn.tenant,
        atom_id=atom_id(turn.tenant, turn.document, first.turn_id, first.start, first.end, proposition),
        document=turn.document,
        segment_id=segment_id,
        extractor=extractor,
        extractor_version=version,
        **{name: getattr(statement, name) for name in STATED},
        **{name: getattr(item, name) for name in FRAMED},
    )


FRAMED = frozenset(f.name for f in fields(Frame))
"""What an atom has from its frame; all else that a statement knows it has from the statement."""
STATED = {f.name for f in fields(Atom)} & {f.name for f in fields(Statement)} - FRAMED
