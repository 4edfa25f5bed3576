"""From turns to statements: who asserts what about whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC

from lakehouse.records import Evidence, Turn
from pipelines.extract import english, english_parse, korean, korean_parse
from pipelines.extract.content import content
from pipelines.extract.discourse import Draft, Talk
from pipelines.extract.english_whole import goes_on
from pipelines.extract.quoted import first_said
from pipelines.extract.route import idle
from pipelines.extract.spoken import called, spoken
from pipelines.extract.text import Sentence, split
from pipelines.frame.times import moment_of
from pipelines.language import detect
from pipelines.statement import Statement

MOST_PARTS = 5
"""Turns that one sentence may run over."""


def statements(turns: Sequence[Turn], names: Sequence[str] = ()) -> list[Statement]:
    """The statements of a run of turns, in order; `names` are people and things known besides the speakers.

    Each turn is read in its own language against what was said before it. Turns in another language give
    nothing. Evidence spans equal the turn's text.
    """
    known = tuple(dict.fromkeys([*(turn.speaker for turn in turns), *names]))
    texts = [spoken(turn.text) for turn in turns]
    languages = [detect(text) for text in texts]
    calls = [called(text, known) for text in texts]
    talk = Talk(turns, known, {index: name for index, (name, _) in enumerate(calls) if name})
    cut: list[list[Sentence]] = [
        [
            s
            for s in split(" " * start + text[start:], index, english_parse.chat() if language == "en" else None)
            if not idle(s.plain, language)
        ]
        if language != "other"
        else []
        for index, (text, language, (_, start)) in enumerate(zip(texts, languages, calls, strict=True))
    ]
    joined = _joined([cut[i] if language == "en" else [] for i, language in enumerate(languages)], turns)
    in_english = iter(
        english_parse.parse([s for index, group in enumerate(cut) if languages[index] == "en" for s in group])
    )
    in_korean = iter(
        korean_parse.parse([s for index, group in enumerate(cut) if languages[index] == "ko" for s in group], known)
    )
    for index, group in enumerate(cut):
        for _ in tuple(group):
            if languages[index] == "en":
                parsed = next(in_english)
                found = english.read(parsed, talk)
                for draft in found:
                    draft.spans.extend(joined.get(parsed.sentence, ()))
                talk.drafts.extend(found)
            else:
                talk.drafts.extend(korean.read(next(in_korean), talk))
        if languages[index] == "en":
            english.finish(index, talk)
        elif languages[index] == "ko":
            korean.finish(index, talk)
        if group and talk.asked and talk.asked.sentence.turn < index - 3:
            talk.asked = None
    return [_statement(draft, turns) for draft in talk.drafts]


def _joined(cut: Sequence[list[Sentence]], turns: Sequence[Turn]) -> dict[Sentence, list[Sentence]]:
    """Join what one speaker says over several turns, as captions cut it: the first part becomes the whole sentence.

    `cut` is changed in place; the further parts of each joined sentence are returned, as evidence.
    """
    parts: list[list[Sentence]] = []
    for index, group in enumerate(cut):
        before = parts[-1] if parts else None
        if (
            group
            and before
            and before[-1].turn == index - 1
            and turns[index].speaker == turns[index - 1].speaker
            and len(before) < MOST_PARTS
            and goes_on(before[-1].text, group[0].text)
        ):
            before.append(group.pop(0))
        parts.extend([sentence] for sentence in group)
    found: dict[Sentence, list[Sentence]] = {}
    for first, *rest in parts:
        if rest:
            text, plain = (" ".join(getattr(part, of) for part in (first, *rest)) for of in ("text", "plain"))
            group = cut[first.turn]
            place = group.index(first)
            group[place] = replace(first, text=text, plain=plain)
            found[group[place]] = rest
    return found


def _statement(draft: Draft, turns: Sequence[Turn]) -> Statement:
    turn = turns[draft.turn]
    spans = sorted(set(draft.spans), key=lambda span: (span.turn != draft.turn, span.turn, span.start))
    evidence = tuple(
        Evidence(turns[span.turn].turn_id, span.start, span.end, turns[span.turn].text[span.start : span.end])
        for span in spans
    )
    said_at, said_ts, precision = turn.said_at, turn.said_ts, turn.said_precision
    moment = moment_of(said_at, said_ts) if draft.relay else None
    first = first_said(evidence[0].quote, draft.clause, moment, draft.language) if moment else None
    if first is not None:
        said_at, said_ts, precision = first.isoformat(), (first if first.tzinfo else first.replace(tzinfo=UTC)), "day"
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
        said_at=said_at,
        said_ts=said_ts,
        said_precision=precision,
    )
