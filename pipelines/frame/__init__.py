"""Frames: relation, value, scope and change cue of a statement, in a form that paraphrases share."""

from __future__ import annotations

from pipelines.frame.build import frame

__all__ = ["frame"]
