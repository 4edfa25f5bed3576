"""Asking a language model: kept replies first, then live calls with backoff and a budget, or lines for a batch file."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from typing import Any, Protocol

from openai import (
    APIConnectionError,
    APIResponseValidationError,
    APIStatusError,
    AsyncOpenAI,
    OpenAIError,
)
from openai.types.chat import ChatCompletion
from tenacity import AsyncRetrying, RetryCallState, RetryError, retry_if_exception, stop_after_attempt

from jobs.purse import Far, Purse, prices
from jobs.replies import Replies
from jobs.settings import Settings
from lakehouse.errors import BudgetSpent, ModelError, SettingsError
from pipelines.llm import Reply, Request
from pipelines.llm.batch import request_line
from pipelines.llm.reply import reply_of

LONGEST_WAIT = 60.0
TOO_LONG = re.compile(r"context[ _](?:length|size|window)|prompt is too long|too many tokens")
FILTERED = re.compile(r"content[ _](?:filter|policy)")
BYTES_A_TOKEN = 3
"""For estimates before a call: English has about four bytes a token, Korean three."""


class Later(Exception):
    """The answer will come with a batch's responses."""


class Asker(Protocol):
    """Where replies come from; `counts` says what it took."""

    counts: Counter[str]

    async def ask(self, request: Request) -> Reply:
        """The reply to a request."""

    async def close(self) -> None:
        """Let connections go."""


class BatchFile:
    """Kept replies; what is not kept is written down for a batch file."""

    def __init__(self, settings: Settings, replies: Replies) -> None:
        self.settings, self.replies = settings, replies
        self.counts: Counter[str] = Counter()
        self.lines: dict[str, str] = {}

    async def ask(self, request: Request) -> Reply:
        """The kept reply. Raises Later."""
        kept = self.replies.get(request.key)
        if kept is None:
            self.lines[request.key] = request_line(request, self.settings.llm_max_output)
            raise Later
        self.counts["from_cache"] += 1
        return kept

    async def close(self) -> None:
        """Nothing is open."""


class Live:
    """Kept replies; what is not kept is asked, a bounded number at once, and kept as soon as it is there."""

    def __init__(self, settings: Settings, replies: Replies, purse: Purse | Far) -> None:
        self.settings, self.replies, self.purse, self.prices = settings, replies, purse, prices(settings)
        self.counts: Counter[str] = Counter()
        self.cost = 0.0
        self.client = client(settings)
        self.room = asyncio.Semaphore(settings.llm_concurrency)

    async def close(self) -> None:
        """Let connections go."""
        await self.client.close()

    async def ask(self, request: Request) -> Reply:
        """The reply. Raises BudgetSpent, ModelError."""
        async with self.room:
            while (kept := self.replies.get(request.key)) is None:
                body = request.body()
                most = Reply(
                    "",
                    input_tokens=len(json.dumps(body, ensure_ascii=False).encode()) // BYTES_A_TOKEN,
                    output_tokens=self.settings.llm_max_output,
                )
                grant, why = await self.purse.take(
                    request.key, most.input_tokens + most.output_tokens, self.prices.cost(most)
                )
                if grant == "spent":
                    raise BudgetSpent(
                        f"the budget for the model is spent ({why})",
                        place="MEMLAKE_LLM_BUDGET_*",
                        hint="nothing is lost; the same command goes on, with a budget of its own",
                    )
                if grant == "away":
                    raise ModelError(why, place=self._place(), hint="nothing is lost; the same command resumes")
                if grant == "go":
                    return await self._pay(request, body, most)
            self.counts["from_cache"] += 1
            return kept

    async def _pay(self, request: Request, body: dict[str, Any], most: Reply) -> Reply:
        """Ask, keep the reply, and settle what it cost, whatever happens."""
        reply: Reply | None = None
        tokens, cost = 0, 0.0
        try:
            reply = await self._call(body)
            if reply.text and not reply.input_tokens and not reply.output_tokens:  # a server that does not count
                length = len(reply.text.encode()) // BYTES_A_TOKEN
                reply = Reply(reply.text, reply.finish, reply.refusal, most.input_tokens, length)
            tokens, cost = reply.input_tokens + reply.output_tokens, self.prices.cost(reply)
            self.counts.update(
                input_tokens=reply.input_tokens, output_tokens=reply.output_tokens, cached_tokens=reply.cached_tokens
            )
            self.cost += cost
            self.replies.put(request.key, reply)
        except ModelError as error:
            await self.purse.close(error.what)
            raise
        finally:
            await self.purse.settle(request.key, tokens, cost)
        return reply

    async def _call(self, body: dict[str, Any]) -> Reply:
        """One answered call, after as many attempts as it takes; each is counted."""
        attempts = AsyncRetrying(
            retry=retry_if_exception(passing), stop=stop_after_attempt(self.settings.llm_attempts), wait=self._wait
        )
        try:
            async for attempt in attempts:
                with attempt:
                    self.counts["calls"] += 1
                    try:
                        done = await self.client.chat.completions.create(
                            **body, max_completion_tokens=self.settings.llm_max_output
                        )
                        if not isinstance(done, ChatCompletion):
                            raise ValueError("no completion")
                        return reply_of(done.to_dict())
                    except Exception:
                        self.counts["failed_calls"] += 1
                        raise
        except RetryError as error:
            raise self._told(error.last_attempt.exception()) from None
        except APIStatusError as error:
            if (reply := refused(error)) is not None:
                return reply
            raise self._told(error) from None
        except (OpenAIError, ValueError, TypeError, AttributeError) as error:
            raise self._told(error) from None
        raise AssertionError("tenacity ends with a return or an error")

    def _wait(self, state: RetryCallState) -> float:
        """What the server asks for, else twice the last wait with a random part, a minute at most."""
        error = state.outcome.exception() if state.outcome else None
        asked: str = error.response.headers.get("retry-after", "") if isinstance(error, APIStatusError) else ""
        step = self.settings.llm_backoff_s * 2.0 ** (state.attempt_number - 1) * random.uniform(0.5, 1)
        return min(LONGEST_WAIT, max(step, float(asked) if asked.replace(".", "", 1).isdigit() else 0.0))

    def _told(self, error: BaseException | None) -> ModelError:
        """What a failure means for the user; a server's message may quote the request, so its code alone is told."""
        status = getattr(error, "status_code", None)
        what = {
            401: "the model's server refuses the key",
            403: "the model's server refuses the key",
            404: f"the model's server knows no model {self.settings.llm_model}",
        }.get(
            status or 0, f"the model's server does not answer ({type(error).__name__}{f' {status}' if status else ''})"
        )
        return ModelError(what, place=self._place(), hint="nothing is lost; the same command resumes")

    def _place(self) -> str:
        return self.settings.llm_url or "api.openai.com"


def client(settings: Settings) -> AsyncOpenAI:
    """The client of the model's server. Raises SettingsError for what is not set."""
    require_model(settings)
    key = settings.llm_key or ("none" if settings.llm_url else None)
    try:
        return AsyncOpenAI(
            base_url=settings.llm_url or None, api_key=key, max_retries=0, timeout=settings.llm_timeout_s
        )
    except OpenAIError:
        raise SettingsError(
            "no key for the model", place="MEMLAKE_LLM_KEY", hint="set it, or MEMLAKE_LLM_URL of a server without keys"
        ) from None


def require_model(settings: Settings) -> None:
    """Raises SettingsError unless a model is named."""
    if not settings.llm_model:
        raise SettingsError(
            "no model is named", place="MEMLAKE_LLM_MODEL", hint="set it, and MEMLAKE_LLM_URL where it isn't OpenAI's"
        )


def passing(error: BaseException) -> bool:
    """Whether an attempt failed for a reason that may pass: no connection, too many requests, a server's own fault."""
    if isinstance(error, APIStatusError):
        return error.code != "insufficient_quota" and (error.status_code in (408, 409, 429) or error.status_code >= 500)
    return isinstance(error, (APIConnectionError, APIResponseValidationError, ValueError))


def refused(error: APIStatusError) -> Reply | None:
    """A request that the server will never answer, as a reply: too long is a cut-off, a filter a refusal."""
    said = f"{error.code} {error.type} {error.message}".lower()
    if error.status_code not in (400, 413, 422):
        return None
    if error.status_code == 413 or TOO_LONG.search(said):
        return Reply("", finish="length")
    return Reply("", finish="content_filter") if FILTERED.search(said) else None
