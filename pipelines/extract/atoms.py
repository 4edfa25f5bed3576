"""From statements to atoms: the frame is read, the id is computed."""

from __future__ import annotations

from collections.abc import Sequence

from lakehouse.ids import atom_id
from lakehouse.records import Atom, Turn
from pipelines.extract.statements import statements
from pipelines.frame import frame as frames

EXTRACTOR = "rules"
VERSION = "1"


def extract(turns: Sequence[Turn], segment_id: str = "", names: Sequence[str] = ()) -> list[Atom]:
    """The atoms of a run of turns of one document, in order.

    One statement gives one atom a frame. Equal turns give equal atoms: nothing outside the arguments is read.
    """
    by_id = {turn.turn_id: turn for turn in turns}
    atoms: dict[str, Atom] = {}
    for statement in statements(turns, names):
        first = statement.evidence[0]
        turn = by_id[first.turn_id]
        for frame in frames(statement):
            proposition = "|".join((
                statement.kind, statement.holder, ">".join(statement.relay), statement.modality, frame.subject,
                frame.relation, ";".join(frame.scope), ";".join(value.norm for value in frame.values), frame.cue,
                statement.clause,
            ))  # fmt: skip
            identity = atom_id(turn.tenant, turn.document, first.turn_id, first.start, first.end, proposition)
            atoms.setdefault(identity, Atom(
                tenant=turn.tenant,
                atom_id=identity,
                document=turn.document,
                segment_id=segment_id,
                kind=statement.kind,
                memory_types=statement.memory_types,
                subject=frame.subject,
                relation=frame.relation,
                scope=frame.scope,
                values=frame.values,
                value_type=frame.value_type,
                many=frame.many,
                static=frame.static,
                anchors=frame.anchors,
                content=statement.content,
                holder=statement.holder,
                relay=statement.relay,
                target=statement.target,
                polarity=statement.polarity,
                modality=statement.modality,
                cue=frame.cue,
                corrects=frame.corrects,
                exhaustive=frame.exhaustive,
                stated_start=frame.stated_start,
                stated_end=frame.stated_end,
                event_time=statement.event_time,
                evidence=statement.evidence,
                confidence=statement.confidence,
                language=statement.language,
                said_at=statement.said_at,
                said_ts=statement.said_ts,
                said_precision=statement.said_precision,
                extractor=EXTRACTOR,
                extractor_version=VERSION,
            ))  # fmt: skip
    return list(atoms.values())
