"""Extraction by a language model: the request, the reply, its check by rule, and batch files. No network here."""

from __future__ import annotations

from pipelines.llm.dialogue import Outcome, talk
from pipelines.llm.prompt import PROMPT_VERSION, Request, requests
from pipelines.llm.reply import Reply
from pipelines.llm.verify import EXTRACTOR

__all__ = ["EXTRACTOR", "PROMPT_VERSION", "Outcome", "Reply", "Request", "requests", "talk"]
