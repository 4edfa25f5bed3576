"""Edges: the graph as a projection of turns, segments and atoms, each edge with its source turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lakehouse.ids import content_id
from lakehouse.records import Atom, Edge, Segment, Turn
from lakehouse.vocabulary import UNKNOWN_HOLDER


def edges(turns: Iterable[Turn], segments: Iterable[Segment], atoms: Iterable[Atom]) -> list[Edge]:
    """Edges of one document, one for each (kind, source, target), sorted by id.

    IN_SEGMENT turn to segment, PARTICIPATED_IN speaker to segment, SUPPORTED_BY atom to turn, ABOUT atom to
    subject, CLAIMS holder to atom, LIKES and DISLIKES holder to target. SUPERSEDED_BY is read off validity.
    """
    told = list(turns)
    found: dict[tuple[str, str, str], set[str]] = {}
    for kind, source, target, turn in (*_of_segments(told, segments), *_of_atoms(atoms)):
        found.setdefault((kind, source, target), set()).add(turn)
    if not told:
        return []
    tenant, document = told[0].tenant, told[0].document
    rows = [
        Edge(
            tenant=tenant,
            edge_id=content_id("edge", tenant, document, kind, source, target),
            document=document,
            kind=kind,
            source=source,
            target=target,
            turns=tuple(sorted(ids)),
        )
        for (kind, source, target), ids in found.items()
    ]
    return sorted(rows, key=lambda row: row.edge_id)


Link = tuple[str, str, str, str]


def _of_segments(turns: list[Turn], segments: Iterable[Segment]) -> Iterator[Link]:
    for segment in segments:
        for turn in turns[segment.first : segment.last + 1]:
            yield "IN_SEGMENT", turn.turn_id, segment.segment_id, turn.turn_id
            yield "PARTICIPATED_IN", turn.speaker, segment.segment_id, turn.turn_id


def _of_atoms(atoms: Iterable[Atom]) -> Iterator[Link]:
    for atom in atoms:
        for evidence in atom.evidence:
            yield "SUPPORTED_BY", atom.atom_id, evidence.turn_id, evidence.turn_id
            yield "ABOUT", atom.atom_id, atom.subject, evidence.turn_id
            if atom.kind == "claim" and atom.holder != UNKNOWN_HOLDER:
                yield "CLAIMS", atom.holder, atom.atom_id, evidence.turn_id
                if atom.target and atom.polarity in ("positive", "negative"):
                    kind = "LIKES" if atom.polarity == "positive" else "DISLIKES"
                    yield kind, atom.holder, atom.target, evidence.turn_id
