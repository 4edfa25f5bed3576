"""When the words mean: relative and absolute time in English and Korean, against the document's own time."""

from __future__ import annotations

from pipelines.timex.resolve import find, resolve

__all__ = ["find", "resolve"]
