"""Turns drawn from an archive with what the rules read from them, for judging by hand.

Precision on natural archives has no gold: a reader has to say which atoms are right, which are wrong and why, and
what is missing. The draw is seeded, so that two readers judge the same turns and a later draw meets unseen ones.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from lakehouse.records import Atom, Turn
from pipelines.atoms import read_atoms
from pipelines.ingest.read import files_of, read_file
from pipelines.ingest.source import ReadOptions

BEFORE, AFTER = 30, 3
"""Turns around a drawn one that are read with it: pronouns, questions and answers reach no farther."""


def sample(paths: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """`count` turns with text, drawn over all files, each printed with its atoms; lines of text."""
    documents = _documents(paths)
    places = [(number, i) for number, turns in enumerate(documents) for i, turn in enumerate(turns) if turn.text]
    for number, place in sorted(random.Random(seed).sample(places, min(count, len(places)))):
        turns = documents[number]
        turn = turns[place]
        names = tuple(sorted({other.speaker for other in turns}))
        part = turns[max(0, place - BEFORE) : place + 1 + AFTER]
        yield f"# {turn.document} {turn.turn_id} {turn.said_at}"
        for before in turns[max(0, place - 3) : place]:
            yield f"    {before.speaker}: {before.text[:200]}"
        yield f"  {turn.speaker}: {turn.text}"
        for atom in read_atoms(part, names):
            if atom.evidence and turn.turn_id == atom.evidence[0].turn_id:
                yield f"    -> {shown(atom)}"
        yield ""


def shown(atom: Atom) -> str:
    """An atom in one line: what is judged about it."""
    told = [atom.kind, atom.modality, f"subject={atom.subject}", f"relation={atom.relation}"]
    told.append(f"value={', '.join(value.text for value in atom.values)}")
    if atom.kind == "claim":
        told.append(f"target={atom.target} {atom.polarity}")
    if atom.relay or atom.kind == "claim":
        told.append(f"holder={atom.holder} via={'>'.join(atom.relay)}")
    if atom.cue != "none":
        told.append(f"cue={atom.cue}")
    if atom.event_time:
        told.append(f"when={atom.event_time.start}")
    return f"{' | '.join(told)} :: {atom.content}"


def _documents(paths: Sequence[str]) -> list[list[Turn]]:
    """The archive's turns by document, in the order of the files."""
    found: dict[str, list[Turn]] = {}
    for source in files_of(paths, ReadOptions()):
        for row in read_file(source, "sample", Counter()):
            if isinstance(row, Turn):
                found.setdefault(row.document, []).append(row)
    return list(found.values())
