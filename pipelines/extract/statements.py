"""From turns to statements: who asserts what about whom."""

from __future__ import annotations

from collections.abc import Sequence

from lakehouse.records import Evidence, Turn
from pipelines.extract import english, english_parse, korean, korean_parse
from pipelines.extract.content import content
from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.route import idle
from pipelines.extract.text import Sentence, split
from pipelines.language import detect
from pipelines.statement import Statement


def statements(turns: Sequence[Turn], names: Sequence[str] = ()) -> list[Statement]:
    """The statements of a run of turns, in order; `names` are people and things known besides the speakers.

    Each turn is read in its own language against what was said before it. Turns in another language give
    nothing. Evidence spans equal the turn's text.
    """
    known = tuple(dict.fromkeys([*(turn.speaker for turn in turns), *names]))
    talk = Talk(turns, known)
    languages = [detect(turn.text) for turn in turns]
    cut: list[list[Sentence]] = [
        [
            s
            for s in split(turn.text, index, english_parse.chat() if language == "en" else None)
            if not idle(s.plain, language)
        ]
        if language != "other"
        else []
        for index, (turn, language) in enumerate(zip(turns, languages, strict=True))
    ]
    in_english = iter(
        english_parse.parse([s for index, group in enumerate(cut) if languages[index] == "en" for s in group])
    )
    in_korean = iter(
        korean_parse.parse([s for index, group in enumerate(cut) if languages[index] == "ko" for s in group], known)
    )
    for index, group in enumerate(cut):
        for _ in group:
            if languages[index] == "en":
                talk.drafts.extend(english.read(next(in_english), talk))
            else:
                talk.drafts.extend(korean.read(next(in_korean), talk))
        if languages[index] == "en":
            english.finish(index, talk)
        elif languages[index] == "ko":
            korean.finish(index, talk)
        if group and talk.asked and talk.asked.sentence.turn < index - 3:
            talk.asked = None
    return [_statement(draft, turns) for draft in talk.drafts]


def _statement(draft: Draft, turns: Sequence[Turn]) -> Statement:
    turn = turns[draft.turn]
    spans = sorted(set(draft.spans), key=lambda span: (span.turn != draft.turn, span.turn, span.start))
    evidence = tuple(
        Evidence(turns[span.turn].turn_id, span.start, span.end, turns[span.turn].text[span.start : span.end])
        for span in spans
    )
    return Statement(
        kind=draft.kind,
        memory_types=draft.types,
        subject=draft.subject,
        clause=draft.clause,
        content=content(draft, turn),
        speaker=turn.speaker,
        holder=draft.holder or turn.speaker,
        relay=draft.relay,
        target=draft.target if draft.kind == "claim" else None,
        polarity=draft.polarity if draft.kind == "claim" else None,
        modality=draft.modality,
        event_time=draft.time,
        evidence=evidence,
        confidence=draft.confidence,
        language=draft.language,
        said_at=turn.said_at,
        said_ts=turn.said_ts,
        said_precision=turn.said_precision,
    )
