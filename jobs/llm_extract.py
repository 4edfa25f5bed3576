"""The model's part of the extract stage: a partition's segments become requests, the replies atoms and dead letters."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from jobs.llm_client import Asker, BatchFile, Later, Live, client, require_model
from jobs.purse import Far, Purse, prices, shared_purse
from jobs.replies import Replies, RequestFiles, response_files, take_in
from jobs.settings import Settings
from jobs.staging import Staging
from lakehouse.errors import BatchWaiting, BudgetSpent, MemlakeError, ModelError
from lakehouse.records import Reject, Turn
from pipelines.atoms import readable
from pipelines.extract.route import worth
from pipelines.frame.plain import in_context
from pipelines.ingest.drafts import Refusal, reject
from pipelines.llm import Outcome, Request, requests, talk
from pipelines.llm.hybrid import joined, open_turns

if TYPE_CHECKING:
    from jobs.ray_extract import Document
    from jobs.run import Run

DEAD_LETTER = "model_reply_refused"
SPENT, REQUESTS = "model/spent", "model/requests"
"""Folders of the run's staging: what each attempt took, and what each partition that waits would ask."""


@dataclass(frozen=True, slots=True)
class Access:
    """What workers share of the model: the command's purse and the tenant's replies."""

    purse: Purse | Far
    replies: Replies


def check(settings: Settings) -> None:
    """Raises SettingsError for what a model needs and nobody set."""
    require_model(settings)
    if settings.extractor != "llm-batch":
        client(settings)
        prices(settings)


def access(run: Run) -> Access:
    """What this run's workers need to ask a model."""
    purse = Purse() if run.settings.extractor == "llm-batch" else shared_purse(run.settings)
    return Access(purse, Replies(run.lake.root, run.tenant))


def ask_model(
    documents: Sequence[Document], settings: Settings, shared: Access, staging: Staging, number: int
) -> Counter[str]:
    """Let a model extract a partition's documents, or what the rules leave open in them; counts of what came of it.

    With `waiting` in the counts the partition is not done: its requests lie in the staging folder. Raises
    BudgetSpent and ModelError once nothing is under way any more, so each reply that was paid for is kept.
    """
    return asyncio.run(_ask_all(documents, settings, shared, staging, number))


async def _ask_all(
    documents: Sequence[Document], settings: Settings, shared: Access, staging: Staging, number: int
) -> Counter[str]:
    asker: Asker = (
        BatchFile(settings, shared.replies)
        if settings.extractor == "llm-batch"
        else Live(settings, shared.replies, shared.purse)
    )
    try:
        done = await asyncio.gather(*(_document(d, settings, asker) for d in documents), return_exceptions=True)
    finally:
        await asker.close()
        _spent(staging, number, asker)
    for error in _errors(done):
        if not isinstance(error, Later):
            raise error
    if isinstance(asker, BatchFile) and asker.lines:
        staging.write_json(f"{REQUESTS}/{number:06d}.json", sorted(asker.lines.items()))
        return Counter(waiting=len(asker.lines))
    counts: Counter[str] = Counter()
    for found in done:
        assert isinstance(found, Counter)
        counts += found
    return counts


def _spent(staging: Staging, number: int, asker: Asker) -> None:
    """What this attempt at a partition took, whether it ended well or not; an aborted run's are counted too."""
    told = {**asker.counts, "cost": getattr(asker, "cost", 0.0)}
    staging.write_json(f"{SPENT}/{number:06d}-{os.getpid()}-{time.monotonic_ns()}.json", told)


async def _document(document: Document, settings: Settings, asker: Asker) -> Counter[str]:
    """Ask for one document's requests side by side, and join what came."""
    hybrid = settings.extractor == "hybrid"
    turns = [readable(turn) for turn in document.turns]
    names = sorted({turn.speaker for turn in turns})
    open_ids = open_turns(turns, document.atoms) if hybrid else {t.turn_id for t in turns if worth(t)[0]}
    asked = list(requests(turns, document.segments, settings.llm_model, names, lambda turn: turn.turn_id in open_ids))
    done = await asyncio.gather(*(_request(one, asker) for one in asked), return_exceptions=True)
    broken = {place: found for place, found in enumerate(done) if _ours(found)}
    for error in _errors(found for place, found in enumerate(done) if place not in broken):
        raise error
    outcomes = [outcome for found in done if isinstance(found, list) for outcome in found]
    told = in_context([atom for outcome in outcomes for atom in outcome.atoms], turns)
    answered = {turn for outcome in outcomes for turn in outcome.answered}
    document.atoms = list({a.atom_id: a for a in joined(document.atoms, told, answered)}.values())
    document.rejects += [dead_letter(turns[0], outcome) for outcome in outcomes if outcome.faults]
    document.rejects += [not_read(asked[place], error) for place, error in broken.items()]
    return Counter(
        failed_turns=sum(len(asked[place].asked) for place in broken),
        asked_turns=len(open_ids),
        requests=len(outcomes),
        repairs=sum(outcome.repaired for outcome in outcomes),
        dead_letters=sum(bool(outcome.faults) for outcome in outcomes),
    )


def _ours(found: object) -> TypeGuard[Exception]:
    """Whether a request failed by our own reading of it: one segment's text must not stop the others."""
    return isinstance(found, Exception) and not isinstance(found, (Later, MemlakeError, OSError))


def _errors(done: Iterable[object]) -> list[BaseException]:
    """Errors among results; one that stops the run before one that only waits."""
    return sorted((e for e in done if isinstance(e, BaseException)), key=lambda e: isinstance(e, Later))


async def _request(request: Request, asker: Asker) -> list[Outcome]:
    """One request to its end: its talk, and the talks of the requests that it was cut into."""
    steps = talk(request)
    asked = next(steps)
    while True:
        reply = await asker.ask(asked)
        try:
            asked = steps.send(reply)
        except StopIteration as end:
            outcome: Outcome = end.value
            break
    if not outcome.more:
        return [outcome]
    halves = await asyncio.gather(*(_request(one, asker) for one in outcome.more), return_exceptions=True)
    for error in _errors(halves):
        raise error
    return [found for half in halves if isinstance(half, list) for found in half]


def dead_letter(first: Turn, outcome: Outcome) -> Reject:
    """The reject of a reply that stayed wrong after its repair: which rules it broke, and where the raw reply lies."""
    rules = Counter(fault.rule for fault in outcome.faults)
    told = ", ".join(f"{rule} {count}" for rule, count in sorted(rules.items()))
    where = f"_replies/…/{outcome.key[:2]}/{outcome.key}.json"
    return reject(first.tenant, first.uri, Refusal(0, DEAD_LETTER, f"{told}; the reply is {where}", outcome.key))


def not_read(request: Request, error: Exception) -> Reject:
    """The reject of a segment whose reply our own code failed on."""
    from jobs.ray_extract import place_of

    first = request.turns[request.asked[0]]
    detail = f"from turn {first.turn_id}: {type(error).__name__} in {place_of(error)}"
    return reject(first.tenant, first.uri, Refusal(first.position, "extraction_failed", detail, request.key))


def model_counts(staging: Staging) -> dict[str, float]:
    """What all attempts of the run took, those of aborted commands included."""
    total: Counter[str] = Counter()
    for name in staging.names(SPENT):
        for what, value in staging.read_json(f"{SPENT}/{name}").items():
            total[what] += value
    return {what: round(value, 6) for what, value in sorted(total.items()) if value}


def conclude(run: Run, totals: dict[str, int]) -> dict[str, Any]:
    """The model's part of the run ledger's detail; what a batch asked for is done with."""
    spent = model_counts(run.staging)
    asked = {name: totals[name] for name in ("asked_turns", "requests", "repairs", "dead_letters") if name in totals}
    RequestFiles(run.lake.root, run.tenant).clear()
    return {"model": asked | spent, "per_1000_turns": per_thousand(spent, totals.get("turns", 0))}


def per_thousand(spent: dict[str, float], turns: int) -> dict[str, float]:
    """Calls and tokens for each 1,000 turns of the run, failed attempts included.

    >>> per_thousand({"calls": 3, "input_tokens": 900, "output_tokens": 100}, 500)
    {'calls': 6.0, 'tokens': 2000.0}
    """
    tokens = spent.get("input_tokens", 0) + spent.get("output_tokens", 0)
    return {
        "calls": round(1000 * spent.get("calls", 0) / max(turns, 1), 1),
        "tokens": round(1000 * tokens / max(turns, 1), 1),
    }


def take_responses(run: Run, paths: Sequence[str]) -> None:
    """Step 1b, when a batch came back: keep its replies, and say what came."""
    asked = RequestFiles(run.lake.root, run.tenant).keys()
    counts = take_in(response_files(paths), Replies(run.lake.root, run.tenant), asked)
    tokens = {name: counts.pop(name, 0) for name in ("input_tokens", "output_tokens")}
    run.staging.write_json(f"{SPENT}/responses-{time.monotonic_ns()}.json", {"from_batch": counts["taken"], **tokens})
    run.console.print("responses: " + ", ".join(f"{value:,} {name}" for name, value in sorted(counts.items())))


def stopped(told: str) -> MemlakeError:
    """The error that a worker stopped with, as it was before it went through Ray."""
    kind, what, place, hint = json.loads(told)
    return (BudgetSpent if kind == "BudgetSpent" else ModelError)(what, place=place, hint=hint)


def wait_for_batch(run: Run, numbers: Iterable[int]) -> BatchWaiting:
    """Write the request files of the partitions that wait, and what to do next."""
    names = [f"{REQUESTS}/{number:06d}.json" for number in sorted(numbers)]
    lines = ((key, line) for name in names for key, line in run.staging.read_json(name))
    folder, files = RequestFiles(run.lake.root, run.tenant).write(run.run_id, lines)
    return BatchWaiting(
        f"{len(files)} request file(s) in {folder}: {', '.join(files)}",
        hint="send them as batches, then give all that came back, in any order: "
        f"memlake backfill --responses FILE... --lake {run.settings.lake} --tenant {run.tenant}",
    )
