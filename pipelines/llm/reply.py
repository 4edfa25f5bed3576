"""What a model is asked to reply: our own records, the JSON schema that is derived from them, and a reply read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from lakehouse.vocabulary import AtomKind, MemoryType, Modality, Polarity


@dataclass(frozen=True, slots=True)
class Told:
    """One statement as a model tells it: a `Statement`'s attribution, and words of the turn instead of offsets.

    `quote` is the words that state it, `clause` what of them is asserted; `value` and `time` are words too: what
    they are worth is computed by our own code.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    quote: str
    clause: str
    kind: AtomKind
    memory_types: tuple[MemoryType, ...]
    subject: str
    holder: str
    relay: tuple[str, ...]
    target: str | None
    polarity: Polarity | None
    modality: Modality
    value: str | None
    time: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """The statements of one turn, by the turn's number in the request."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    turn: int
    statements: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole reply: one entry for each turn that was asked about."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    turns: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply as it came, with what it cost. `finish` is the provider's word: stop, length, content_filter, ..."""

    text: str
    finish: str = "stop"
    refusal: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


ADAPTER: TypeAdapter[Answer] = TypeAdapter(Answer)


@cache
def schema() -> dict[str, Any]:
    """The JSON schema of a reply, in the strict form: every field required, nothing else allowed.

    >>> sorted(schema()["$defs"])
    ['Entry', 'Told']
    >>> schema()["$defs"]["Told"]["properties"]["modality"]["enum"]
    ['asserted', 'planned', 'negated', 'hypothetical']
    """
    found: dict[str, Any] = _untitled(ADAPTER.json_schema())
    return found


def _untitled(value: Any) -> Any:
    """A schema without titles and descriptions: the prompt says it better, and they would be paid for."""
    if isinstance(value, dict):
        return {k: _untitled(v) for k, v in value.items() if not (k in ("title", "description") and isinstance(v, str))}
    return [_untitled(item) for item in value] if isinstance(value, list) else value


def answer_of(reply: Reply) -> Answer | str:
    """The reply as records, or one sentence that says what is wrong with it (never its words).

    >>> answer_of(Reply('{"turns": []}'))
    Answer(turns=())
    >>> answer_of(Reply('{"turns": [{"turn": 1}]}'))
    'the reply does not follow the schema: turns.0.statements: Field required'
    """
    if reply.refusal or reply.finish == "content_filter":
        return "the request was refused"
    if reply.finish == "length":
        return "the reply was cut off at the length limit"
    try:
        return ADAPTER.validate_json(reply.text)
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        if first["type"] == "json_invalid":
            return "the reply is not JSON"
        place = ".".join(str(part) for part in first["loc"])
        return f"the reply does not follow the schema: {place}: {first['msg']}"


def reply_of(completion: Mapping[str, Any]) -> Reply:
    """A chat completion's body, from a live answer or a batch file, as a reply. One choice is wanted, no more.

    >>> reply_of({"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}]}).text
    '{}'
    >>> reply_of({"choices": []}).finish
    '0 choices'
    """
    choices = completion.get("choices") or []
    usage = completion.get("usage") or {}
    details = usage.get("prompt_tokens_details") or {}
    first = choices[0] if len(choices) == 1 else {}
    message = first.get("message") or {}
    return Reply(
        text=message.get("content") or "",
        finish=(first.get("finish_reason") or "stop") if first else f"{len(choices)} choices",
        refusal=message.get("refusal") or "",
        input_tokens=int(usage.get("prompt_tokens") or 0),
        output_tokens=int(usage.get("completion_tokens") or 0),
        cached_tokens=int(details.get("cached_tokens") or 0),
    )
