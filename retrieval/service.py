"""The retrieval service: stateless, thin, no JVM and no engine. `/v1/answer`, `/v1/retrieve`, `/healthz`.

A request's tenant is the one that its API key belongs to; without keys the service serves one tenant, and
only on loopback (`jobs.serve` sees to that). Keys are kept and compared as SHA-256 hashes.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Depends, FastAPI, Header, HTTPException, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from lakehouse.errors import InputError, MemlakeError, SettingsError
from lakehouse.records import Atom, Turn
from retrieval.answer import answer
from retrieval.lake_memory import LakeMemory
from retrieval.question import frame_question

Clock = Callable[[], datetime]
Moment = Callable[[str | None], datetime | None]
LONGEST_QUESTION = 2000


class Ask(BaseModel):
    """A question. Dates are days (their end is meant) or instants."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(
        min_length=1, max_length=LONGEST_QUESTION, examples=["What does the City plan cost per month?"]
    )
    as_of: str | None = Field(None, description="What was true on this day.", examples=["2025-03-01"])
    as_told: str | None = Field(None, description="Only what was said by this day.")
    as_known: str | None = Field(None, description="Only what this run (id or number) had recorded.")


class Evidence(BaseModel):
    """Words of a turn."""

    turn_id: str
    quote: str


class Answered(BaseModel):
    """An answer: a value, values, or a status (unknown, contested, …), with who holds it, when, and where."""

    answer: dict[str, Any]
    text: str
    holders: list[str]
    valid: list[str | None] | None
    evidence: list[Evidence]
    trace: list[str]


class Query(BaseModel):
    """A search."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=1, max_length=LONGEST_QUESTION)
    kinds: list[Literal["atom", "turn"]] = Field(default=["atom", "turn"])
    types: list[Literal["EM", "PM", "GM"]] = Field(
        default=[], description="Memory types that atoms may have; none: all."
    )
    opinions: bool | None = Field(None, description="True: judging claims only; false: none of them.")
    limit: int = Field(10, ge=1, le=100)


class Found(BaseModel):
    """An item that a search found, with its holder and words."""

    kind: Literal["atom", "turn"]
    id: str
    score: float
    text: str
    holder: str
    relay: list[str]
    said_at: str | None
    types: list[str]
    polarity: str | None
    evidence: list[Evidence]


class Retrieved(BaseModel):
    """What a search found, best first, in one publication."""

    publication: int
    items: list[Found]


class Health(BaseModel):
    """Whether the service can answer."""

    status: Literal["ok", "empty"]
    publication: int | None


def hash_key(key: str) -> str:
    """An API key as it is kept."""
    return hashlib.sha256(key.encode()).hexdigest()


def create_app(
    memory_of: Callable[[str], LakeMemory],
    *,
    tenant: str,
    keys: Mapping[str, str],
    moment: Moment,
    clock: Clock,
) -> FastAPI:
    """The application. `memory_of` gives a tenant's memory, `keys` maps key hashes to tenants (empty: one tenant)."""
    app = FastAPI(
        title="memlake", description="What was said, by whom, about whom, when it was true, and where.", version="1"
    )
    lock = threading.Lock()  # the embedded index and the parsers serve one question at a time

    def whose(authorization: Annotated[str | None, Header()] = None) -> str:
        if not keys:
            return tenant
        given = hash_key((authorization or "").removeprefix("Bearer ").strip())
        found = next((owner for known, owner in keys.items() if hmac.compare_digest(known, given)), None)
        if found is None:
            raise HTTPException(401, "an API key is needed: Authorization: Bearer KEY")
        return found

    @app.exception_handler(MemlakeError)
    def refuse(_: Request, error: MemlakeError) -> JSONResponse:
        status = 422 if isinstance(error, (InputError, SettingsError)) else 503
        return JSONResponse({"detail": error.what, "hint": error.hint}, status_code=status)

    @app.get("/healthz")
    def healthz() -> Health:
        """Alive, and which publication is served."""
        with lock:
            memory = memory_of(tenant)
            try:
                return Health(status="ok", publication=memory.snapshot.publication)
            except MemlakeError:
                return Health(status="empty", publication=None)

    @app.post("/v1/answer")
    def post_answer(body: Ask, owner: str = Depends(whose)) -> Answered:
        """Answer a question with holder, validity and evidence."""
        with lock:
            memory = memory_of(owner)
            framed = frame_question(body.question, clock(), memory.chances(body.question))
            found = answer(
                framed, memory, as_of=moment(body.as_of), as_told=moment(body.as_told), as_known=body.as_known
            )
        return Answered(**found.as_json())

    @app.post("/v1/retrieve")
    def post_retrieve(body: Query, owner: str = Depends(whose)) -> Retrieved:
        """Search atoms and turns; each result carries who holds it and where it is written."""
        with lock:
            memory = memory_of(owner)
            rows = memory.retrieve(
                body.query, kinds=body.kinds, types=body.types, judges=body.opinions, limit=body.limit
            )
            publication = memory.snapshot.publication
        return Retrieved(publication=publication, items=[_found(hit.score, row) for hit, row in rows])

    return app


def _found(score: float, row: Atom | Turn) -> Found:
    if isinstance(row, Turn):
        return Found(
            kind="turn",
            id=f"{row.document}/{row.turn_id}",
            score=score,
            text=row.text,
            holder=row.speaker,
            relay=[],
            said_at=row.said_at,
            types=[],
            polarity=None,
            evidence=[Evidence(turn_id=row.turn_id, quote=row.text)],
        )
    return Found(
        kind="atom",
        id=row.atom_id,
        score=score,
        text=row.content,
        holder=row.holder,
        relay=list(row.relay),
        said_at=row.said_at,
        types=list(row.memory_types),
        polarity=row.polarity,
        evidence=[Evidence(turn_id=e.turn_id, quote=e.quote) for e in row.evidence],
    )
