"""Lines of a provider's batch files: requests out, responses in any order, some missing, some failed."""

from __future__ import annotations

import json
from typing import Any

from pipelines.llm.prompt import Request, quoted
from pipelines.llm.reply import Reply, reply_of

URL = "/v1/chat/completions"
MOST_LINES = 50_000
MOST_BYTES = 190 * 2**20
"""What one request file may hold (the providers' limits are 50,000 requests and 200 MB)."""


def request_line(request: Request, most_tokens: int) -> str:
    """One line of a request file; its custom id is the request's key, so an answer finds its way in any order."""
    body = {**request.body(), "max_completion_tokens": most_tokens}
    line = {"custom_id": request.key, "method": "POST", "url": URL, "body": body}
    return quoted(line)


def response_line(line: str) -> tuple[str, Reply | None]:
    """(custom id, reply) of a response file's line; no reply when the request failed, no id when it is no response.

    >>> response_line('{"custom_id": "k", "response": {"status_code": 500, "body": {}}, "error": null}')
    ('k', None)
    >>> response_line("half a li")
    ('', None)
    """
    try:
        row: Any = json.loads(line)
        name, response = row["custom_id"], row["response"]
    except (ValueError, KeyError, TypeError):
        return "", None
    if not isinstance(name, str):
        return "", None
    if not isinstance(response, dict) or row.get("error") or response.get("status_code") != 200:
        return name, None
    try:
        return name, reply_of(response["body"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return name, None


def is_response(line: str) -> bool:
    """Whether a line is of a response file, not of an archive.

    >>> is_response('{"custom_id": "k", "response": null, "error": {"code": "expired"}}'), is_response('{"turns": []}')
    (True, False)
    """
    try:
        row: Any = json.loads(line)
    except ValueError:
        return False
    return isinstance(row, dict) and "custom_id" in row and ("response" in row or "error" in row)
