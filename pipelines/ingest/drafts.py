"""Drafts become turns: ids, positions, roles, duplicates and everything that a turn may lack."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lakehouse.ids import content_id, document_id
from lakehouse.records import Reject, Turn
from pipelines.ingest.source import Source
from pipelines.ingest.when import Said
from pipelines.language import detect

UNKNOWN_SPEAKER = "unknown"
ROLES = frozenset(
    "customer client user agent assistant support bot system operator moderator staff admin human".split()
)
ROLE_PREFIX = re.compile(r"^([a-z]+):\s*(\S.*)$")
LONGEST_TEXT = 16 * 2**20
"""Characters: a longer message is refused (a 10 MB one is kept)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a reader found for one turn; `turn_id` empty: it gets one from its content."""

    conversation: str
    session: str
    turn_id: str
    speaker: str
    text: str
    said: Said
    line: int
    role: str = ""
    reply_to: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a reader could not keep: a reason from a small vocabulary and the line it stands on."""

    line: int
    reason: str
    detail: str = ""
    sample: str = ""


def finish(
    drafts: Iterable[Draft | Refusal], source: Source, tenant: str, notes: Counter[str]
) -> Iterator[Turn | Reject]:
    """Turns and rejects of one file in its order; `notes` counts what was kept but odd (no_time, no_speaker, …)."""
    positions: Counter[str] = Counter()
    seen: dict[int, int] = {}
    for draft in drafts:
        if isinstance(draft, Refusal):
            yield reject(tenant, source.uri, draft)
            continue
        refused = _refuse(draft)
        if refused:
            yield reject(tenant, source.uri, refused)
            continue
        turn = _turn(draft, source, tenant, positions, notes)
        name, content = hash((turn.document, turn.turn_id)), hash(turn.content_hash)
        if name in seen:
            reason = "duplicate_turn" if seen[name] == content else "duplicate_turn_id"
            yield reject(tenant, source.uri, Refusal(draft.line, reason, f"turn id {turn.turn_id}", turn.text))
            continue
        seen[name] = content
        positions[turn.document] += 1
        yield turn


def _refuse(draft: Draft) -> Refusal | None:
    if not draft.conversation.strip():
        return Refusal(draft.line, "no_conversation", sample=draft.text)
    if not draft.text.strip():
        return Refusal(draft.line, "empty_text")
    if len(draft.text) > LONGEST_TEXT:
        return Refusal(draft.line, "text_too_long", f"{len(draft.text)} characters", draft.text[:1000])
    return None


def _turn(draft: Draft, source: Source, tenant: str, positions: Counter[str], notes: Counter[str]) -> Turn:
    text = clean(draft.text)
    role, speaker = draft.role, clean(draft.speaker).strip()
    if not role and (match := ROLE_PREFIX.match(speaker)) and match[1] in ROLES:
        role, speaker = match[1], match[2]
    if not speaker:
        speaker = UNKNOWN_SPEAKER
        notes["no_speaker"] += 1
    if draft.said.note:
        notes[draft.said.note] += 1
    session = draft.session or draft.conversation
    document = document_id(tenant, draft.conversation, session)
    content = content_id("turn", speaker, draft.said.at or "", text)
    return Turn(
        tenant=tenant,
        conversation=draft.conversation,
        session=session,
        document=document,
        turn_id=draft.turn_id or content[:16],
        position=positions[document],
        speaker=speaker,
        role=role,
        text=text,
        language=detect(text),
        said_at=draft.said.at,
        said_ts=draft.said.ts,
        said_precision=draft.said.precision,
        reply_to=draft.reply_to or None,
        uri=source.uri,
        content_hash=content,
    )


def clean(text: str) -> str:
    """Text byte for byte, but for what no table can hold: NUL and lone surrogates; names and text in NFC.

    >>> clean("a\\x00b")
    'ab'
    """
    return unicodedata.normalize("NFC", text.replace("\0", "").encode("utf-8", "replace").decode("utf-8"))


def reject(tenant: str, uri: str, refusal: Refusal) -> Reject:
    """A refusal as a row: its id is its place and reason, so a second read adds none."""
    sample = content_id("sample", refusal.sample) if refusal.sample else ""
    return Reject(
        tenant=tenant,
        reject_id=content_id("reject", tenant, uri, refusal.line, refusal.reason, sample),
        uri=uri,
        line=refusal.line,
        reason=refusal.reason,
        detail=refusal.detail,
        sample_hash=sample,
    )
