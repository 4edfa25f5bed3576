"""What a command may spend on a language model, shared by all workers: none pays twice, none pays beyond the limit."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any, Literal

from jobs.settings import Settings
from lakehouse.errors import SettingsError
from pipelines.llm import Reply

Grant = Literal["go", "known", "spent", "away"]
"""go: ask; known: another worker has just paid for it; spent and away: nobody asks any more."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Money a million tokens."""

    input: float
    cached: float
    output: float

    def cost(self, reply: Reply) -> float:
        """What a reply cost.

        >>> Prices(2, 1, 10).cost(Reply("", input_tokens=1_000_000, cached_tokens=500_000, output_tokens=100_000))
        2.5
        """
        fresh = reply.input_tokens - reply.cached_tokens
        told = fresh * self.input + reply.cached_tokens * self.cached + reply.output_tokens * self.output
        return told / 1_000_000


def prices(settings: Settings) -> Prices:
    """The prices that the settings name. Raises SettingsError for a limit on money without prices."""
    if settings.llm_budget_cost and not (settings.llm_price_input or settings.llm_price_output):
        raise SettingsError(
            "a limit on money needs prices",
            place="MEMLAKE_LLM_BUDGET_COST",
            hint="set MEMLAKE_LLM_PRICE_INPUT and MEMLAKE_LLM_PRICE_OUTPUT, the prices of a million tokens",
        )
    cached = settings.llm_price_input if settings.llm_price_cached is None else settings.llm_price_cached
    return Prices(settings.llm_price_input, cached, settings.llm_price_output)


class Purse:
    """One for a command. A request holds what it may cost at most, then settles for what it did cost.

    While others hold something, one that does not fit waits; once nobody does, the purse is spent. A hold of a
    worker that died runs out after `patience` seconds.
    """

    def __init__(self, tokens: int = 0, cost: float = 0, patience: float = 600) -> None:
        self.limit, self.used, self.patience = (tokens, cost), (0, 0.0), patience
        self.held: dict[str, tuple[int, float, float]] = {}
        self.closed: tuple[Grant, str] | None = None
        self.changed = asyncio.Condition()

    async def take(self, key: str, tokens: int, cost: float) -> tuple[Grant, str]:
        """May the request `key` be asked, at this much at most? With the reason when it may not."""
        waited = False
        async with self.changed:
            while True:
                now = time.monotonic()
                self.held = {name: hold for name, hold in self.held.items() if hold[2] > now}
                if self.closed:
                    return self.closed
                if key not in self.held:
                    if waited:
                        return "known", ""
                    if self._fits(tokens, cost):
                        self.held[key] = (tokens, cost, now + self.patience)
                        return "go", ""
                    if not self.held:
                        spent: tuple[Grant, str] = ("spent", f"{self.used[0]:,} tokens, {self.used[1]:.4f} in money")
                        self.closed = spent
                        self.changed.notify_all()
                        return spent
                else:
                    waited = True
                try:
                    await asyncio.wait_for(self.changed.wait(), 5)
                except TimeoutError:
                    continue

    def _fits(self, tokens: int, cost: float) -> bool:
        held = self.held.values()
        all_tokens = self.used[0] + sum(hold[0] for hold in held) + tokens
        all_cost = self.used[1] + sum(hold[1] for hold in held) + cost
        return (not self.limit[0] or all_tokens <= self.limit[0]) and (not self.limit[1] or all_cost <= self.limit[1])

    async def settle(self, key: str, tokens: int, cost: float) -> None:
        """The request is answered, or given up, at this cost."""
        async with self.changed:
            self.held.pop(key, None)
            self.used = (self.used[0] + tokens, self.used[1] + cost)
            self.changed.notify_all()

    async def close(self, why: str) -> None:
        """The server is away: nobody asks any more."""
        async with self.changed:
            self.closed = ("away", why)
            self.changed.notify_all()


class Far:
    """A purse that lives in a Ray actor."""

    def __init__(self, actor: Any) -> None:
        self.actor = actor

    async def take(self, key: str, tokens: int, cost: float) -> tuple[Grant, str]:
        granted: tuple[Grant, str] = await self.actor.take.remote(key, tokens, cost)
        return granted

    async def settle(self, key: str, tokens: int, cost: float) -> None:
        await self.actor.settle.remote(key, tokens, cost)

    async def close(self, why: str) -> None:
        await self.actor.close.remote(why)


def shared_purse(settings: Settings) -> Far:
    """The command's purse in an actor of its own; it ends with the command."""
    import ray

    patience = settings.llm_attempts * (settings.llm_timeout_s + 60)
    actor = ray.remote(num_cpus=0)(Purse).remote(settings.llm_budget_tokens, settings.llm_budget_cost, patience)
    return Far(actor)
