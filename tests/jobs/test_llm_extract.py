"""The model's extraction over real HTTP: paid once, mended once, given up with its reply, stopped and resumed."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jobs import cli, ledger
from jobs.llm_extract import Access, model_counts
from jobs.purse import Purse
from jobs.ray_extract import Extractor
from jobs.replies import Replies, RequestFiles, holds_responses, response_files, take_in
from jobs.settings import load
from jobs.staging import Staging
from lakehouse.errors import InputError, SettingsError
from lakehouse.lake import Lake
from lakehouse.records import Segment, Turn
from lakehouse.schema import from_arrow, to_arrow
from pipelines.llm import Reply
from tests.conftest import write_archive
from tests.jobs.model_server import ModelServer, Played, answer, asked_of, completion, honest, in_turn, model_server

LINES = [
    "The kiln in hall one runs at 910 degrees.",
    "The glaze room door code is 5521.",
    "I cleaned the funicular cable yesterday.",
    "The aquarium pump needs 40 watts.",
]


def turn_of(number: int, text: str, document: str = "d") -> Turn:
    return Turn(
        "acme", document, document, document, f"t{number}", number, "Nuria", "", text, "en", "2024-06-05T09:00",
        datetime(2024, 6, 5, 9, tzinfo=UTC), "minute", None, "file", f"hash {document} {number} {text}",
    )  # fmt: skip


class Partition:
    """One partition of a lake of its own: its extract stage runs here, without an engine."""

    def __init__(self, root: Path, documents: list[list[str]], *, per_segment: int = 2) -> None:
        self.root = root
        self.turns = [turn_of(n, text, f"d{d}") for d, lines in enumerate(documents) for n, text in enumerate(lines)]
        self.segments = [
            Segment("acme", f"d{d}", f"d{d}s{first}", first, min(first + per_segment, len(lines)) - 1, "", None, None)
            for d, lines in enumerate(documents)
            for first in range(0, len(lines), per_segment)
        ]
        self.replies = Replies(str(root), "acme")
        self.runs = 0
        self.begin()

    def begin(self) -> None:
        """A new run: nothing staged."""
        self.runs += 1
        self.staging = Staging(f"{self.root}/_staging/run{self.runs}")
        self.staging.write("part.parquet", to_arrow("turns", self.turns, 1))
        self.staging.write("extract/segments/segmenter-000000.parquet", to_arrow("segments", self.segments, 1))

    def extract(self, server: ModelServer | None, **settings: Any) -> dict[str, Any]:
        """Run the stage once; what it answers."""
        chosen = {
            "extractor": "llm", "llm_model": "tiny", "llm_url": server.url if server else "http://127.0.0.1:9/v1",
            "llm_backoff_s": 0, "llm_attempts": 3, **settings,
        }  # fmt: skip
        loaded = load(lake=str(self.root), **chosen)
        purse = Purse(loaded.llm_budget_tokens, loaded.llm_budget_cost)
        stage = Extractor(self.staging, loaded, "acme", 1, Access(purse, self.replies))
        return stage({"part": "part.parquet", "number": 0})

    def rows(self, table: str) -> list[Any]:
        name = f"extract/{table}/extractor-000000.parquet"
        return from_arrow(table, self.staging.read(name)) if self.staging.exists(name) else []

    def spent(self) -> dict[str, float]:
        return model_counts(self.staging)


def told_by(done: dict[str, Any]) -> list[str]:
    """[kind, what, place, hint] of the error that a stage stopped with."""
    found: list[str] = json.loads(done["stopped"])
    return found


@pytest.fixture
def partition(tmp_path: Path) -> Partition:
    return Partition(tmp_path, [LINES])


def test_segments_become_requests_and_replies_atoms(partition: Partition) -> None:
    with model_server(honest) as server:
        done = partition.extract(server)
    assert done["requests"] == 2 and done["asked_turns"] == 4 and "failed" not in done
    assert [len(asked_of(body)) for body in server.calls] == [2, 2]
    atoms, (extraction,) = partition.rows("atoms"), partition.rows("extractions")
    assert {atom.evidence[0].quote for atom in atoms} == {line.rstrip(".") for line in LINES}
    assert all(atom.raw_key and atom.segment_id for atom in atoms)
    assert extraction.extractor == "llm" and extraction.extractor_version == "1 tiny"
    assert partition.spent() == {"calls": 2, "input_tokens": 200, "output_tokens": 40}
    (cable,) = (atom for atom in atoms if "cable" in atom.content)
    assert cable.kind == "fact" and cable.holder == "Nuria"


def test_nothing_is_paid_twice(partition: Partition) -> None:
    with model_server(honest) as server:
        partition.extract(server)
        first = partition.rows("atoms")
        partition.begin()
        done = partition.extract(server)
        assert len(server.calls) == 2 and done["requests"] == 2
        assert partition.rows("atoms") == first and partition.spent() == {"from_cache": 2}
        partition.begin()
        partition.extract(server, llm_model="larger")
        assert len(server.calls) == 4


def test_a_new_document_is_all_that_a_second_load_pays_for(tmp_path: Path) -> None:
    with model_server(honest) as server:
        Partition(tmp_path, [LINES[:2]]).extract(server)
        grown = Partition(tmp_path, [LINES[:2], LINES[2:]])
        grown.begin()
        done = grown.extract(server)
    assert done["requests"] == 2 and len(server.calls) == 2
    assert [turn["text"] for _, turn in asked_of(server.calls[1])] == LINES[2:]
    assert len({atom.document for atom in grown.rows("atoms")}) == 2
    assert grown.spent()["calls"] == 1 and grown.spent()["from_cache"] == 1


def test_a_missing_field_in_one_reply_costs_that_reply_alone(tmp_path: Path) -> None:
    def forgetful(body: dict[str, Any]) -> Played:
        whole = json.loads(answer(body))
        if any("kiln" in turn["text"] for _, turn in asked_of(body)):
            del whole["turns"][0]["statements"][0]["kind"]
        return Played(200, completion(json.dumps(whole)))

    partition = Partition(tmp_path, [LINES[:1], LINES[1:2]])
    with model_server(forgetful) as server:
        done = partition.extract(server)
    assert done["dead_letters"] == 1 and "failed" not in done
    assert [refused.reason for refused in partition.rows("rejects")] == ["model_reply_refused"]
    assert {atom.evidence[0].quote for atom in partition.rows("atoms")} == {LINES[1].rstrip(".")}


def test_quotes_braces_and_line_ends_survive_a_repair(tmp_path: Path) -> None:
    text = 'I typed "open {door}",\nand then the portal froze.'
    partition = Partition(tmp_path, [[text]])

    def broken(body: dict[str, Any]) -> Played:
        return Played(200, completion(answer(body)[:-2]))

    with model_server(in_turn(broken, honest)) as server:
        done = partition.extract(server)
    assert done["repairs"] == 1 and len(server.calls) == 2 and server.calls[0] != server.calls[1]
    assert {atom.evidence[0].quote for atom in partition.rows("atoms")} == {text.rstrip(".")}


def test_the_same_words_in_one_partition_are_asked_once(tmp_path: Path) -> None:
    partition = Partition(tmp_path, [LINES[:2], LINES[:2], LINES[:2]])
    with model_server(honest) as server:
        done = partition.extract(server)
    assert done["requests"] == 3 and len(server.calls) == 1
    assert len({atom.document for atom in partition.rows("atoms")}) == 3


def test_passing_troubles_are_waited_out_and_counted(partition: Partition) -> None:
    def busy(_: dict[str, Any]) -> Played:
        return Played(429, {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}, {"retry-after": "0"})

    def broken(_: dict[str, Any]) -> Played:
        return Played(500, "<html>")

    def page(_: dict[str, Any]) -> Played:
        return Played(200, "<html>", {"content-type": "text/html"})

    with model_server(in_turn(busy, broken, page, honest)) as server:
        done = partition.extract(server, llm_concurrency=1, llm_attempts=4)
    assert "stopped" not in done and len(server.calls) == 5
    assert partition.spent()["calls"] == 5 and partition.spent()["failed_calls"] == 3


@pytest.mark.parametrize(
    ("status", "error", "calls", "said"),
    [
        (500, {"message": LINES[0]}, 3, "does not answer (InternalServerError 500)"),
        (401, {"message": LINES[0]}, 1, "refuses the key"),
        (404, {"message": LINES[0]}, 1, "knows no model tiny"),
        (
            400,
            {"message": f"no {LINES[0]} in this context", "code": "unsupported_parameter"},
            1,
            "does not answer (BadRequestError 400)",
        ),
        (429, {"message": LINES[0], "code": "insufficient_quota"}, 1, "does not answer (RateLimitError 429)"),
    ],
)
def test_a_server_that_refuses_stops_the_run_and_quotes_nothing(
    partition: Partition, status: int, error: dict[str, str], calls: int, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="memlake")
    with model_server(lambda _: Played(status, {"error": error})) as server:
        done = partition.extract(server, llm_concurrency=1)
    kind, what, _, hint = told_by(done)
    assert kind == "ModelError" and said in what and "same command resumes" in hint
    assert LINES[0] not in str(done) + caplog.text and len(server.calls) == calls
    assert partition.spent()["failed_calls"] == calls and not partition.rows("extractions")


def test_a_dead_server_stops_the_run_which_then_resumes(partition: Partition) -> None:
    done = partition.extract(None)
    assert told_by(done)[0] == "ModelError" and "APIConnectionError" in told_by(done)[1]
    with model_server(honest) as server:
        assert "stopped" not in partition.extract(server)
    assert partition.rows("atoms") and partition.spent()["calls"] > 2


def test_a_budget_stops_cleanly_and_the_same_command_goes_on(tmp_path: Path) -> None:
    partition = Partition(tmp_path, [[f"The kiln of hall {n} runs at 9{n} degrees."] for n in range(6)])
    limits = {"llm_max_output": 50, "llm_concurrency": 2}
    with model_server(honest) as server:
        done = partition.extract(server, llm_budget_tokens=2_300, **limits)
        kind, what, _, hint = told_by(done)
        assert kind == "BudgetSpent" and "tokens" in what and "nothing is lost" in hint
        first = len(server.calls)
        assert 0 < first < 6 and not partition.rows("extractions")
        assert 120 * first <= 2_300
        for _ in range(6):
            done = partition.extract(server, llm_budget_tokens=2_300, **limits)
            if "stopped" not in done:
                break
    assert "stopped" not in done and len(server.calls) == 6 == partition.spent()["calls"]
    assert len(partition.rows("extractions")) == 6


def test_a_budget_in_money_needs_prices_and_is_kept(tmp_path: Path) -> None:
    partition = Partition(tmp_path, [[f"The kiln of hall {n} runs at 9{n} degrees."] for n in range(4)])
    prices = {"llm_price_input": 1000.0, "llm_price_output": 2000.0, "llm_max_output": 50}
    with model_server(honest) as server:
        done = partition.extract(server, llm_budget_cost=2.6, **prices)
        assert told_by(done)[0] == "BudgetSpent" and 0 < len(server.calls) < 4
        assert partition.spent()["cost"] == pytest.approx(0.14 * len(server.calls))
        failed = partition.extract(server, llm_budget_cost=2.6)
    assert "MEMLAKE_LLM_PRICE_INPUT" in failed["failed"]


def test_a_reply_that_was_cut_off_is_asked_for_in_halves(partition: Partition) -> None:
    def wordy(body: dict[str, Any]) -> Played:
        whole = answer(body)
        return Played(200, completion(whole[:40], "length") if len(asked_of(body)) > 1 else completion(whole))

    with model_server(wordy) as server:
        done = partition.extract(server)
    assert done["requests"] == 4 and len(server.calls) == 6 and not partition.rows("rejects")
    assert len({atom.evidence[0].turn_id for atom in partition.rows("atoms")}) == 4


def test_a_prompt_that_is_too_long_is_cut(partition: Partition) -> None:
    def small(body: dict[str, Any]) -> Played:
        if len(asked_of(body)) > 1:
            return Played(400, {"error": {"message": "too much", "type": "exceed_context_size_error", "code": 400}})
        return honest(body)

    with model_server(small) as server:
        partition.extract(server)
    assert len(server.calls) == 6 and len({atom.evidence[0].turn_id for atom in partition.rows("atoms")}) == 4


def wrong_quote(body: dict[str, Any]) -> Played:
    return Played(200, completion(answer(body, quote="These words were never said.")))


def hostile_echo(body: dict[str, Any]) -> Played:
    """A model that obeyed a turn: it reports what the turn ordered, for a turn that nobody asked about."""
    rows = json.loads(answer(body, holder="Ignatius"))["turns"]
    return Played(200, completion(json.dumps({"turns": [*rows, {"turn": 99, "statements": []}]})))


def several(body: dict[str, Any]) -> Played:
    done = completion(answer(body))
    return Played(200, {**done, "choices": done["choices"] * 2})


def declines(body: dict[str, Any]) -> Played:
    done = completion("")
    done["choices"][0]["message"] |= {"content": None, "refusal": "I can't help with that."}
    return Played(200, done)


BAD = {
    "wrong_quote": wrong_quote,
    "hostile_echo": hostile_echo,
    "several": several,
    "declines": declines,
    "no_json": lambda _: Played(200, completion("Sure! Here is the JSON: {")),
    "empty": lambda _: Played(200, completion('{"turns": []}')),
    "filtered": lambda _: Played(200, completion("", "content_filter")),
    "filter_error": lambda _: Played(400, {"error": {"message": "no", "code": "content_filter"}}),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_reply_is_mended_once(name: str, tmp_path: Path) -> None:
    partition = Partition(tmp_path, [LINES[:2]])
    with model_server(in_turn(BAD[name], honest)) as server:
        done = partition.extract(server)
    assert done["repairs"] == 1 and len(server.calls) == 2 and server.calls[0] != server.calls[1]
    assert server.calls[1]["messages"][:2] != [] and len(server.calls[1]["messages"]) == 4
    assert len({atom.evidence[0].turn_id for atom in partition.rows("atoms")}) == 2 and not partition.rows("rejects")


@pytest.mark.parametrize("name", BAD)
def test_a_reply_that_stays_bad_is_a_dead_letter_with_its_raw_words(name: str, tmp_path: Path) -> None:
    partition = Partition(tmp_path, [LINES[:2]])
    with model_server(BAD[name]) as server:
        done = partition.extract(server)
        assert done["dead_letters"] == 1 and len(server.calls) == 2 and not partition.rows("atoms")
        (refused,) = partition.rows("rejects")
        assert refused.reason == "model_reply_refused" and not any(word in refused.detail for word in ("kiln", "never"))
        key = refused.detail.rsplit("/", 1)[1].removesuffix(".json")
        raw = partition.replies.get(key)
        assert raw is not None and raw == partition.replies.get(key)
        if name == "wrong_quote":
            assert "These words were never said." in raw.text and refused.detail.startswith("quote_stands 2;")
        assert len(partition.rows("extractions")) == 1
        partition.begin()
        assert partition.extract(server)["dead_letters"] == 1 and len(server.calls) == 2


def test_a_segment_that_breaks_our_reading_is_refused_alone(
    partition: Partition, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipelines.llm import verify

    real = verify.statements

    def breaks(turns: list[Turn], names: tuple[str, ...]) -> object:
        if any("funicular" in turn.text for turn in turns):
            raise RecursionError
        return real(turns, names)

    monkeypatch.setattr(verify, "statements", breaks)
    with model_server(honest) as server:
        done = partition.extract(server)
    (refused,) = partition.rows("rejects")
    assert refused.reason == "extraction_failed" and "turn t2" in refused.detail and done["failed_turns"] == 2
    assert {atom.evidence[0].turn_id for atom in partition.rows("atoms")} == {"t0", "t1"}


def test_hybrid_asks_only_about_what_rules_leave_open(tmp_path: Path) -> None:
    lines = ["I think the new kiln is fantastic.", "Thanks!", "kiln room: door code 5521", LINES[0]]
    partition = Partition(tmp_path, [lines], per_segment=4)
    with model_server(honest) as server:
        done = partition.extract(server, extractor="hybrid")
    (body,) = server.calls
    assert [turn["text"] for _, turn in asked_of(body)] == lines[2:3] and done["asked_turns"] == 1
    atoms, (extraction,) = partition.rows("atoms"), partition.rows("extractions")
    assert {(a.extractor, a.evidence[0].turn_id) for a in atoms} >= {("rules", "t0"), ("llm", "t2")}
    assert ("rules", "t2") not in {(a.extractor, a.evidence[0].turn_id) for a in atoms}
    assert extraction.extractor == "hybrid"
    with model_server(BAD["no_json"]) as server:
        partition.begin()
        partition.extract(server, extractor="hybrid", llm_model="other")
    assert ("rules", "t2") in {(a.extractor, a.evidence[0].turn_id) for a in partition.rows("atoms")}


def respond(lines: list[str], *, leave_out: int = 0, fail: int = 0) -> list[str]:
    """What a provider makes of request lines: responses in another order, some missing, some failed."""
    out = []
    for place, line in enumerate(map(json.loads, lines)):
        if place < leave_out:
            continue
        ok = place >= leave_out + fail
        response = {"status_code": 200, "body": honest(line["body"]).body} if ok else {"status_code": 500, "body": {}}
        out.append(json.dumps({"id": f"b{place}", "custom_id": line["custom_id"], "response": response, "error": None}))
    random.Random(4).shuffle(out)
    return out


def test_a_batch_gives_what_live_calls_give(tmp_path: Path) -> None:
    talk = [[f"The kiln of hall {n} runs at 9{n} degrees.", LINES[n % 4]] for n in range(5)]
    live, batch = Partition(tmp_path / "live", talk), Partition(tmp_path / "batch", talk)
    with model_server(honest) as server:
        live.extract(server)
    files = RequestFiles(str(batch.root), "acme")
    asked = []
    for leave_out, fail in ((1, 2), (1, 0), (0, 0)):
        done = batch.extract(None, extractor="llm-batch")
        rows = batch.staging.read_json("model/requests/000000.json")
        assert done["waiting"] == len(rows) and not batch.rows("extractions")
        _, names = files.write("run1", rows)
        path = Path(files.files.uri("run1")) / names[0]
        lines = path.read_text(encoding="utf-8").splitlines()
        asked.append(len(lines))
        back = tmp_path / f"back{len(asked)}.jsonl"
        foreign = json.dumps({"custom_id": "nobody", "response": {"status_code": 200, "body": {}}, "error": None})
        told = [foreign, "half a li", "", *respond(lines, leave_out=leave_out, fail=fail)]
        back.write_text("\n".join(told) + "\n", encoding="utf-8")
        assert holds_responses(str(back)) and not holds_responses(str(path)) and not holds_responses(str(tmp_path))
        counts = take_in(response_files([str(back)]), batch.replies, files.keys())
        assert (counts["taken"], counts["failed"]) == (len(lines) - leave_out - fail, fail)
        assert counts["unknown"] == counts["unreadable"] == 1
        assert take_in([back], batch.replies, files.keys())["known"] == counts["taken"]
    assert asked == [5, 3, 1]
    done = batch.extract(None, extractor="llm-batch")
    assert "waiting" not in done and batch.rows("atoms") == live.rows("atoms")
    batch.begin()
    with model_server(honest) as server:
        batch.extract(server)
    assert server.calls == [] and batch.rows("atoms") == live.rows("atoms")


def test_tenants_share_no_reply(tmp_path: Path) -> None:
    ours, theirs = Replies(str(tmp_path), "acme"), Replies(str(tmp_path), "zeta")
    ours.put("ab12", Reply("words"))
    assert ours.get("ab12") == Reply("words") and theirs.get("ab12") is None
    RequestFiles(str(tmp_path), "acme").write("r", [("k", '{"custom_id": "k"}'), ("k", "again")])
    assert RequestFiles(str(tmp_path), "acme").keys() == {"k"} and RequestFiles(str(tmp_path), "zeta").keys() == set()
    assert "acme" not in " ".join(str(path) for path in tmp_path.rglob("*"))
    with pytest.raises(InputError, match="no such response file"):
        response_files([str(tmp_path / "gone.jsonl")])


def test_request_files_keep_their_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.replies.MOST_LINES", 3)
    files = RequestFiles(str(tmp_path), "acme")
    _, names = files.write("r", [(f"k{n}", json.dumps({"custom_id": f"k{n}"})) for n in range(7)])
    assert len(names) == len(set(names)) == 3 and files.keys() == {f"k{n}" for n in range(7)}
    _, names = files.write("r", [("k9", '{"custom_id": "k9"}')])
    assert files.keys() == {"k9"} and files.runs() == ["r"]
    files.clear()
    assert files.runs() == []


def test_a_purse_lets_in_what_fits_and_waits_for_what_others_hold() -> None:
    async def play() -> list[tuple[str, str]]:
        purse = Purse(tokens=100)
        first = await purse.take("a", 60, 0)
        waiting = asyncio.create_task(purse.take("b", 60, 0))
        same = asyncio.create_task(purse.take("a", 60, 0))
        await asyncio.sleep(0.01)
        assert not waiting.done() and not same.done()
        await purse.settle("a", 30, 0)
        told = [first, await same, await waiting]
        await purse.settle("b", 60, 0)
        return [*told, await purse.take("c", 11, 0), await purse.take("d", 1, 0)]

    found = asyncio.run(play())
    assert [grant for grant, _ in found] == ["go", "known", "go", "spent", "spent"]


def test_settings_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from jobs.llm_client import client

    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(SettingsError, match="MEMLAKE_LLM_MODEL"):
        client(load())
    with pytest.raises(SettingsError, match="MEMLAKE_LLM_KEY"):
        client(load(llm_model="m"))
    assert "sk-1" not in repr(load(llm_key="sk-1"))


ARCHIVE = [
    ("w-1", [("Nuria", "2024-02-05T09:00+01:00", "The kiln in hall one runs at 910 degrees."),
             ("Odalys", "2024-02-05T09:01+01:00", "Thanks!")]),
    ("w-2", [("Odalys", "2024-03-05T09:00+01:00", "The glaze room door code is 5521.")]),
    ("w-3", [("윤슬", "2024-03-06T09:00+09:00", "수족관 비밀번호는 8830입니다.")]),
]  # fmt: skip


def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    """(exit code, what it printed) of a command line, in this process and its engines."""

    def leave(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(cli, "_leave", leave)
    monkeypatch.setattr(sys, "argv", ["memlake", *map(str, words)])
    capfd.readouterr()
    try:
        cli.main()
    except SystemExit as end:
        told = capfd.readouterr()
        return int(end.code or 0), told.out + told.err
    told = capfd.readouterr()
    return 0, told.out + told.err


@pytest.fixture
def archive(engines: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive, and the environment of commands that ask a small model about it."""
    for name, value in engines.items():
        monkeypatch.setenv(f"MEMLAKE_{name.upper()}", value)
    monkeypatch.setenv("MEMLAKE_TENANT", "acme")
    monkeypatch.setenv("MEMLAKE_LAKE", str(tmp_path / "lake"))
    monkeypatch.setenv("MEMLAKE_LLM_MODEL", "tiny")
    monkeypatch.setenv("MEMLAKE_LLM_MAX_OUTPUT", "50")
    return write_archive(tmp_path / "archive.jsonl", ARCHIVE)


@pytest.mark.spark
@pytest.mark.ray
@pytest.mark.milvus
def test_a_batch_from_the_archive_to_its_publication(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    code, told = command(monkeypatch, capfd, "backfill", archive, "--extractor", "llm-batch")
    (asked,) = (tmp_path / "lake" / "_requests").rglob("*.jsonl")
    assert code == 0 and "--responses FILE" in told and str(asked.parent) in told and asked.name in told
    for place, line in enumerate(respond(asked.read_text(encoding="utf-8").splitlines())):
        (tmp_path / f"back{place}.jsonl").write_text(line + "\n", encoding="utf-8")
    back = sorted(tmp_path.glob("back*.jsonl"))
    code, told = command(monkeypatch, capfd, "backfill", "--json", "--responses", *back)
    assert code == 0 and "3 taken" in told, told
    lake = Lake(str(tmp_path / "lake"))
    assert not asked.exists() and lake.count("publications") == 1 and lake.count("validity")
    assert {row["extractor"] for row in lake.read("atoms").to_pylist()} == {"llm"}
    (step,) = (row for row in ledger.steps(lake) if row["step"] == "extract")
    model = json.loads(step["detail"])["model"]
    assert model["from_batch"] == 3 and model["input_tokens"] == 300 and "calls" not in model


@pytest.mark.spark
@pytest.mark.ray
@pytest.mark.milvus
@pytest.mark.slow
def test_live_calls_within_a_budget_from_the_archive_to_its_publication(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Stopped by the budget that Ray's workers share, resumed by the same command, counted in the run ledger."""
    lake = Lake(str(tmp_path / "lake"))
    with model_server(honest) as server:
        monkeypatch.setenv("MEMLAKE_LLM_URL", server.url)
        monkeypatch.setenv("MEMLAKE_LLM_BUDGET_TOKENS", "2400")
        monkeypatch.setenv("MEMLAKE_PARTITION_TURNS", "1")
        code, told = command(monkeypatch, capfd, "backfill", archive, "--extractor", "llm")
        assert code == cli.SPENT and "budget for the model is spent" in told and len(server.calls) < 3
        assert not lake.count("extractions")
        monkeypatch.setenv("MEMLAKE_LLM_BUDGET_TOKENS", "0")
        code, told = command(monkeypatch, capfd, "backfill", archive, "--extractor", "llm", "--json")
    assert code == 0 and len(server.calls) == 3, told
    detail = json.loads(told[told.index('{"run_id"') :].splitlines()[0])["steps"]["extract"]
    assert detail["model"]["calls"] == 3 and detail["model"]["requests"] == 3 and detail["model"]["asked_turns"] == 3
    assert detail["per_1000_turns"] == {"calls": 750.0, "tokens": 90_000.0}
    (step,) = (row for row in ledger.steps(lake) if row["step"] == "extract")
    assert json.loads(step["detail"])["per_1000_turns"]["calls"] == 750 and "llm 1 tiny" in step["models"]


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """llama.cpp with a packaged model of 270 million parameters."""
    pytest.importorskip("xllamacpp")
    command = [sys.executable, "-m", "tests.llama_server", str(tmp_path_factory.mktemp("llama"))]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        yield f"{server.stdout.readline().strip()}/v1"
    finally:
        server.kill()
        server.wait()


def test_a_real_server_answers_in_the_shape_that_was_asked_for(llama: str, tmp_path: Path) -> None:
    """Shape only: a model this small says little that is true, and the rules refuse the rest."""
    partition = Partition(tmp_path, [["The kiln runs at 910 degrees."]])
    done = partition.extract(ModelServer(honest, llama), llm_max_output=160, llm_timeout_s=100)
    assert "failed" not in done and "stopped" not in done, done
    spent = partition.spent()
    assert spent["calls"] >= 1 and spent["input_tokens"] > 1_000 and spent["output_tokens"] > 0
    assert done["dead_letters"] == len(partition.rows("rejects")) and done["requests"] == 1
    assert len(partition.rows("extractions")) == 1
    partition.begin()
    partition.extract(None)
    assert "calls" not in partition.spent()
