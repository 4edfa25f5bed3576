"""What rules leave open, and one list of atoms from rules and a model.

A turn is open when it is worth reading and the rules found nothing in it, or nothing but what they are unsure of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from lakehouse.records import Atom, Turn
from pipelines.extract.route import worth
from pipelines.llm.verify import CERTAIN


def open_turns(turns: Sequence[Turn], ruled: Iterable[Atom]) -> set[str]:
    """Ids of the turns that a model is asked about."""
    sure: dict[str, bool] = {}
    for atom in ruled:
        for evidence in atom.evidence:
            sure[evidence.turn_id] = sure.get(evidence.turn_id, True) and atom.confidence >= CERTAIN
    return {turn.turn_id for turn in turns if worth(turn)[0] and not sure.get(turn.turn_id, False)}


def joined(ruled: Iterable[Atom], told: Iterable[Atom], answered: Collection[str]) -> list[Atom]:
    """The rules' atoms and a model's: what the model answered in full replaces what the rules were unsure of.

    A model's atom about words that a kept atom already covers is left out.
    """
    kept = [atom for atom in ruled if atom.confidence >= CERTAIN or atom.evidence[0].turn_id not in answered]
    spans = [(e.turn_id, e.start, e.end) for atom in kept for e in atom.evidence]

    def covered(atom: Atom) -> bool:
        first = atom.evidence[0]
        return any(first.turn_id == turn and start < first.end and first.start < end for turn, start, end in spans)

    return [*kept, *(atom for atom in told if not covered(atom))]
