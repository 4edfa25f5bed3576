"""Ctrl-C and SIGTERM end a run as KeyboardInterrupt, so that leases and engines are let go in order.

An interrupt that arrives inside an engine's callback or an import can be swallowed there: it is remembered, and the
next step's start or end raises it again.
"""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)
_asked: list[int] = []


class interruptible:
    """While it is open, both signals interrupt; the handlers before are put back at its end. Main thread only."""

    def __enter__(self) -> None:
        _asked.clear()
        self._before: list[Any] = [signal.signal(number, _interrupt) for number in SIGNALS]

    def __exit__(self, *_: object) -> None:
        for number, handler in zip(SIGNALS, self._before, strict=True):
            signal.signal(number, handler)
        _asked.clear()


def _interrupt(number: int, _: FrameType | None) -> None:
    _asked.append(number)
    raise KeyboardInterrupt


def check() -> None:
    """Raise the interrupt that has been asked for, if any."""
    if _asked:
        raise KeyboardInterrupt
