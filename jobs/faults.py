"""Points at which a test kills the process, to prove that the same command then resumes.

`MEMLAKE_KILL_AT=atoms.committed` ends the process by SIGKILL when it gets there; `point:2` at the second
time. Nothing else reads it.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable

VARIABLE = "MEMLAKE_KILL_AT"
_reached: Counter[str] = Counter()


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


action: Callable[[], None] = _kill
"""What happens at the point; a test in this process raises instead."""


def reach(point: str) -> None:
    """Note that the run got here; die if this is where it should."""
    wanted = os.environ.get(VARIABLE)
    if not wanted:
        return
    name, _, times = wanted.partition(":")
    _reached[point] += 1
    if point == name and _reached[point] == int(times or 1):
        action()
