"""A language model's server that plays a script: real HTTP on loopback, replies of the test's own."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[[dict[str, Any]], "Played"]


@dataclass(frozen=True)
class Played:
    """What one call gets: a status and a body, and headers beside."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class ModelServer:
    """Plays its script for each call, and remembers the bodies of all calls."""

    script: Script
    url: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def model_server(script: Script) -> Iterator[ModelServer]:
    """A server for as long as the block lasts."""
    playing = ModelServer(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            playing.calls.append(body)
            played = playing.script(body)
            data = (played.body if isinstance(played.body, str) else json.dumps(played.body)).encode()
            self.send_response(played.status)
            headers = {"content-type": "application/json", "content-length": str(len(data)), **played.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Nothing on the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    playing.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield playing
    finally:
        server.shutdown()
        server.server_close()


def asked_of(body: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """(number, turn) of the turns that a request asks about, read from its prompt as a model would."""
    question = body["messages"][1]["content"]
    lines = question.split("<turns>\n")[1].split("\n</turns>")[0].splitlines()
    turns = {row["turn"]: row for row in map(json.loads, lines)}
    report = json.loads(re.search(r"<report>(.*)</report>", question)[1])  # type: ignore[index]
    return [(number, turns[number]) for number in report]


def completion(text: str, finish: str = "stop", *, input_tokens: int = 100, output_tokens: int = 20) -> dict[str, Any]:
    """A chat completion's body with one choice."""
    return {
        "id": "c-1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": input_tokens, "completion_tokens": output_tokens, "total_tokens": 120},
    }


def statement(turn: dict[str, Any], **others: Any) -> dict[str, Any]:
    """The whole turn as its speaker's plain fact, but for what is given."""
    words = turn["text"].rstrip(".")
    row = {
        "quote": words, "clause": words, "kind": "fact", "memory_types": ["GM"], "subject": turn["speaker"],
        "holder": turn["speaker"], "relay": [], "target": None, "polarity": None, "modality": "asserted",
        "value": None, "time": None,
    }  # fmt: skip
    return {**row, **others}


def answer(body: dict[str, Any], **others: Any) -> str:
    """An honest reply: one statement for each turn that was asked about."""
    return json.dumps(
        {"turns": [{"turn": number, "statements": [statement(turn, **others)]} for number, turn in asked_of(body)]},
        ensure_ascii=False,
    )


def honest(body: dict[str, Any]) -> Played:
    """Plays a good model."""
    return Played(200, completion(answer(body)))


def in_turn(*scripts: Script) -> Script:
    """Plays one script a call, the last for all that follow."""
    left = list(scripts)
    return lambda body: (left.pop(0) if len(left) > 1 else left[0])(body)
