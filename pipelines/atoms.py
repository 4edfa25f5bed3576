"""From a document's turns to its atoms: what attribution finds, and the plain statements that it leaves.

The one road that the backfill and the evaluation both take.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

from lakehouse.ids import atom_id
from lakehouse.records import Atom, Turn
from pipelines.extract import EXTRACTOR, VERSION, extract
from pipelines.extract.atoms import AHEAD
from pipelines.extract.english_stands import polite
from pipelines.extract.english_whole import unfinished
from pipelines.extract.route import idle, worth
from pipelines.extract.spoken import called, spoken
from pipelines.frame import frame
from pipelines.frame.plain import in_context, plain
from pipelines.language import english_docs
from pipelines.statement import Frame, Statement

LONGEST_TURN = 20_000
"""Characters of a turn that are read: the rest of a longer one is stored and searched, and counted as not read."""
SHARED = {f.name for f in fields(Atom)} & {f.name for f in fields(Statement)}


def readable(turn: Turn) -> Turn:
    """The turn as far as extraction reads it: cut at the last sentence that ends within `LONGEST_TURN` characters."""
    text = turn.text
    if len(text) > LONGEST_TURN:
        head = text[:LONGEST_TURN]
        end = max(head.rfind(mark) for mark in (". ", "! ", "? ", "\n", "다. ", "요. "))
        text = head[: end + 1] if end > LONGEST_TURN // 2 else head
    return turn if text == turn.text else replace(turn, text=text)


def read_atoms(turns: Sequence[Turn], names: Sequence[str] = ()) -> list[Atom]:
    """Atoms of a run of turns of one document, each once, in order.

    A sentence that states a value but belongs to no attributed statement (a setting, a line of a log) becomes
    a plain statement of its speaker, unless the router dropped its turn.
    """
    turns = [readable(turn) for turn in turns]
    known = [turn.speaker for turn in turns] + list(names)
    found = extract(turns, names=names)
    covered: dict[str, list[tuple[int, int]]] = {}
    for atom in found:
        for evidence in atom.evidence:
            covered.setdefault(evidence.turn_id, []).append((evidence.start, evidence.end))
    left = [(turn, one) for turn in turns if worth(turn)[0] for one in _uncovered(turn, covered, known)]
    for first in range(0, len(left), AHEAD):
        part = left[first : first + AHEAD]
        english_docs([one.clause for turn, one in part if turn.language == "en"])  # in one batch, for those below
        for turn, one in part:
            if turn.language == "en" and (unfinished(one.clause) or polite(one.clause)):
                continue
            before = turn.text[: one.evidence[0].start]
            found += [_atom(one, item, turn) for item in frame(one, before) if _states(item)]
    return list({atom.atom_id: atom for atom in in_context(found, turns)}.values())


def _uncovered(turn: Turn, covered: Mapping[str, list[tuple[int, int]]], known: Sequence[str]) -> list[Statement]:
    """The plain statements of a turn, its idle sentences left out."""
    said = spoken(turn.text)
    start = called(said, known)[1]
    found = plain(turn, covered.get(turn.turn_id, []), " " * start + said[start:])
    return [one for one in found if not idle(one.clause, "ko" if turn.language == "ko" else "en")]


def _states(item: Frame) -> bool:
    """Whether a frame says something that can be asked for: a relation that the registry knows, a value with its unit
    (a bare number only with what it numbers), or that something was never so."""
    typed = item.value_type not in ("text", "entity")
    if item.value_type in ("number", "identifier") and len(item.relation.split()) < 2:
        return False
    return not item.relation.startswith("open:") or typed or item.cue == "retract"


def _atom(statement: Statement, item: Frame, turn: Turn) -> Atom:
    first = statement.evidence[0]
    values = ";".join(value.norm for value in item.values)
    proposition = "|".join((item.relation, ";".join(item.scope), values, item.cue, statement.clause))
    return Atom(
        tenant=turn.tenant,
        atom_id=atom_id(turn.tenant, turn.document, first.turn_id, first.start, first.end, proposition),
        document=turn.document,
        segment_id="",
        extractor=EXTRACTOR,
        extractor_version=VERSION,
        **{name: getattr(statement, name) for name in SHARED - FRAMED},
        **{name: getattr(item, name) for name in FRAMED},
    )


FRAMED = {f.name for f in fields(Frame)}
