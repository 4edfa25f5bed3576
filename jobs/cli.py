"""The command line. Engines and models are imported inside the commands, so `memlake --help` needs none."""

from __future__ import annotations

import functools
import json
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from lakehouse.errors import BatchWaiting, BudgetSpent, MemlakeError

if TYPE_CHECKING:
    from jobs.settings import Settings

BAD_INPUT = 2
SPENT = 3
INTERRUPTED = 130
UNEXPECTED = 1


class _JsonLines(logging.Formatter):
    """A log record as one JSON object: event, level and its extra fields; never a text of a transcript."""

    STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime"}

    def format(self, record: logging.LogRecord) -> str:
        extra = {k: v for k, v in record.__dict__.items() if k not in self.STANDARD}
        told = {"ts": self.formatTime(record), "level": record.levelname.lower(), "event": record.getMessage()}
        return json.dumps({**told, **extra}, ensure_ascii=False, default=str)


class _Terminal(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to whatever `sys.stderr` is now: it changes while engines run."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


def common(command: Callable[..., None]) -> Callable[..., None]:
    """The options that every command on a lake has."""

    @click.option("--lake", help="The lake: a folder or an address (MEMLAKE_LAKE; default ./lake).")
    @click.option("--tenant", help="Whose data (MEMLAKE_TENANT; default 'default').")
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object (or one a line) on stdout.")
    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        command(*args, **kwargs)

    return wrapped


def _settings(**overrides: object) -> Settings:
    from jobs.settings import load

    return load(**overrides)


def _print(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="memlake")
@click.option(
    "--log", type=click.Choice(["debug", "info", "warning"]), default="warning", help="Structured logs on stderr."
)
def cli(log: str) -> None:
    """Turn archived conversations into a memory: what was said, by whom, about whom, when it was true, and where.

    Start with `memlake demo`, or `memlake backfill PATH --lake DIR` and then `memlake ask "..." --lake DIR`.
    """
    logger = logging.getLogger("memlake")
    logger.setLevel(log.upper())
    logger.propagate = False
    if not logger.handlers:
        handler = _Terminal()
        handler.setFormatter(_JsonLines())
        logger.addHandler(handler)


def _extractor(command: Callable[..., None]) -> Callable[..., None]:
    """The option that says who extracts."""
    return click.option(
        "--extractor",
        type=click.Choice(["rules", "hybrid", "llm", "llm-batch"]),
        help="Who extracts (MEMLAKE_EXTRACTOR; default rules). A model needs MEMLAKE_LLM_MODEL.",
    )(command)


@cli.command()
@click.argument("paths", nargs=-1, type=click.Path())
@common
@click.option("--format", "format_", default="", help="What the files are, where it can't be seen from them.")
@_extractor
@click.option(
    "--responses",
    multiple=True,
    type=click.Path(),
    metavar="FILE...",
    help="Files (or a folder) that a batch came back with; the run that waits for them goes on.",
)
@click.option("--zone", help="Time zone of times without an offset (MEMLAKE_ZONE; default UTC).")
@click.option("--date", "day", type=click.DateTime(["%Y-%m-%d"]), help="Day of recordings whose path has none.")
@click.option(
    "--column", "columns", multiple=True, metavar="OURS=THEIRS", help="Name a column: text=BODY, speaker=AUTHOR, …"
)
@click.option("--time-format", default="", help="How times are written, as %Y/%m/%d %H:%M, or epoch_ms.")
@click.option("--encoding", default="", help="Encoding of the files, where it is found wrong.")
@click.option("--run-id", default="", help="Name this run; the same name resumes it.")
@click.option("--reextract", is_flag=True, help="Extract every document again, as after a change of rules.")
@click.option("--wait", is_flag=True, help="Wait for another writer of the lake to end.")
def backfill(
    paths: tuple[str, ...],
    lake: str | None,
    tenant: str | None,
    as_json: bool,
    format_: str,
    extractor: str | None,
    responses: tuple[str, ...],
    zone: str | None,
    day: Any,
    columns: tuple[str, ...],
    time_format: str,
    encoding: str,
    run_id: str,
    reextract: bool,
    wait: bool,
) -> None:
    """Read archives (files or folders) into the lake; the same command resumes an interrupted run.

    `--extractor llm-batch` writes a provider's request files and stops; `--responses` goes on with what came back.
    """
    if responses:
        from jobs.replies import holds_responses

        responses += tuple(path for path in paths if holds_responses(path))
        paths = tuple(path for path in paths if path not in responses)
    elif not paths:
        raise click.UsageError("give the archive's files or folders, or --responses")
    settings = _settings(
        lake=lake, tenant=tenant, zone=zone, extractor=extractor or ("llm-batch" if responses else None)
    )
    from datetime import UTC, datetime, timedelta

    from jobs.flow import execute, report
    from pipelines.ingest.read import files_of
    from pipelines.ingest.source import ReadOptions
    from pipelines.ingest.when import zone as known_zone

    known_zone(settings.zone)
    options = ReadOptions(
        format=format_,
        zone=settings.zone,
        day=day.date() if day else None,
        latest=datetime.now(UTC) + timedelta(days=1),
        columns=_pairs(columns),
        time_format=time_format,
        encoding=encoding,
    )
    said = [format_, str(day), *columns, time_format, encoding, *_asked(settings), str(reextract)]
    run = execute(
        settings,
        "backfill",
        files_of(paths, options) if paths else [],
        options=said,
        run_id=run_id,
        wait=wait,
        again=reextract,
        responses=responses,
    )
    if as_json:
        _print(report(run))


@cli.command()
@click.argument("paths", nargs=-1, type=click.Path())
@common
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="Read only files whose path names this day.")
@click.option("--zone", help="Time zone of times without an offset.")
@click.option("--format", "format_", default="", help="What the files are.")
@_extractor
@click.option("--wait", is_flag=True, help="Wait for another writer of the lake to end.")
def nightly(
    paths: tuple[str, ...],
    lake: str | None,
    tenant: str | None,
    as_json: bool,
    day: Any,
    zone: str | None,
    format_: str,
    extractor: str | None,
    wait: bool,
) -> None:
    """Take in what is new: ingest, extract, resolve, fold, consolidate, verify, publish.

    PATHS is the archive as it is now; turns that are already stored are passed over. Without PATHS, what an
    earlier run left pending is done.
    """
    settings = _settings(lake=lake, tenant=tenant, zone=zone, extractor=extractor)
    from datetime import UTC, datetime, timedelta

    from jobs.flow import execute, report
    from lakehouse.lake import Lake
    from pipelines.ingest.read import files_of
    from pipelines.ingest.source import ReadOptions
    from pipelines.ingest.when import day_in

    if not paths:
        Lake(settings.lake).require()
    options = ReadOptions(format=format_, zone=settings.zone, latest=datetime.now(UTC) + timedelta(days=1))
    sources = files_of(paths, options) if paths else []
    if day:
        sources = [source for source in sources if day_in(str(source.path)) == day.date()]
        if not sources:
            raise MemlakeError("no file of that day", place=f"{day:%Y-%m-%d}", hint="its date must stand in the path")
    run = execute(settings, "nightly", sources, options=[str(day), format_, *_asked(settings)], wait=wait)
    if as_json:
        _print(report(run))


@cli.command()
@click.argument("question", required=False)
@common
@click.option("--as-of", help="What was true on this day.")
@click.option("--as-told", help="Only what was said by this day.")
@click.option("--as-known", help="Only what this run (id or number) and those before it had recorded.")
@click.option("--file", "file_", type=click.Path(), help="Many questions, a JSON object a line.")
def ask(
    question: str | None,
    lake: str | None,
    tenant: str | None,
    as_json: bool,
    as_of: str | None,
    as_told: str | None,
    as_known: str | None,
    file_: str | None,
) -> None:
    """Answer a question from the lake, with holder, validity and quoted evidence."""
    settings = _settings(lake=lake, tenant=tenant)
    from pathlib import Path

    from jobs.ask import ask as answer_one
    from jobs.ask import ask_file, open_memory
    from jobs.noise import engines_to
    from jobs.show import show_answer
    from jobs.spark import engine_log

    if bool(question) == bool(file_):
        raise click.UsageError("give one question, or --file")
    with engines_to(engine_log(settings)), open_memory(settings) as memory:
        if file_:
            for row in ask_file(memory, Path(file_), settings):
                _print(row)
            return
        found = answer_one(memory, str(question), settings, as_of=as_of, as_told=as_told, as_known=as_known)
        if as_json:
            _print(found.as_json())
        else:
            show_answer(str(question), found, settings.zone)


@cli.command()
@click.argument("key")
@common
def why(key: str, lake: str | None, tenant: str | None, as_json: bool) -> None:
    """Why the rows of a key opened and closed, with their turns; KEY is a key's id, its beginning, or words."""
    settings = _settings(lake=lake, tenant=tenant)
    from jobs.show import show_why, why_rows

    rows = why_rows(settings, key)
    if as_json:
        _print(rows)
    else:
        show_why(rows, settings.zone)


@cli.command()
@common
@click.option("--as-told", help="Only what was said by this day.")
@click.option("--as-known", help="Only what this run (id or number) and those before it had recorded.")
@click.option("--name", default="", help="The snapshot's folder (default: from what it is as of).")
def snapshot(
    lake: str | None, tenant: str | None, as_json: bool, as_told: str | None, as_known: str | None, name: str
) -> None:
    """Materialise the ledger as it was told by a day, or as a run knew it, as a Delta table for analysis."""
    if not (as_told or as_known):
        raise click.UsageError("give --as-told or --as-known")
    settings = _settings(lake=lake, tenant=tenant)
    from jobs.ask import moment
    from jobs.noise import engines_to
    from jobs.snapshot import snapshot as write_snapshot
    from jobs.spark import engine_log

    told = moment(as_told, settings.zone, "--as-told")
    chosen = name or "-".join(f"as-{how}-{what}" for how, what in (("told", as_told), ("known", as_known)) if what)
    with engines_to(engine_log(settings)):
        found = write_snapshot(settings, told, as_known, f"{settings.tenant}-{chosen}")
    if as_json:
        _print(found)
    else:
        click.echo(f"{found['ledger']:,} ledger rows, {found['claims']:,} claim rows in {found['path']}")


@cli.group()
def keys() -> None:
    """Which statements are about one thing: what the rules decided, and your own decisions."""


@keys.command("list")
@click.argument("words", nargs=-1)
@common
@click.option("--by-people", is_flag=True, help="Only keys that a person decided on.")
@click.option("--limit", default=20, show_default=True)
def keys_list(
    words: tuple[str, ...], lake: str | None, tenant: str | None, as_json: bool, by_people: bool, limit: int
) -> None:
    """Keys with their raw keys and why they met; WORDS narrow them."""
    settings = _settings(lake=lake, tenant=tenant)
    from jobs.keys import listed, show

    rows = listed(settings, words, by_people)
    if as_json:
        for row in rows:
            _print(row)
    else:
        show(rows, limit)


def _deciding(how: str, told: str) -> None:
    @keys.command(how, help=told)
    @click.argument("names", nargs=-1, required=True, metavar="KEY...")
    @common
    @click.option("--by", "who", default="", help="Who decides (default: the user).")
    @click.option("--why", default="", help="The reason, as it will be shown.")
    @click.option("--wait", is_flag=True, help="Wait for another writer of the lake to end.")
    def command(
        names: tuple[str, ...], lake: str | None, tenant: str | None, as_json: bool, who: str, why: str, wait: bool
    ) -> None:
        settings = _settings(lake=lake, tenant=tenant)
        import getpass

        from jobs.flow import execute, report
        from jobs.keys import decide, made

        rows = made(settings, how, names, who or getpass.getuser(), why)
        said = [f"{row.raw_key} {row.how} {row.evidence} {row.who} {row.why}" for row in rows]
        run = execute(settings, f"keys {how}", [], options=said, wait=wait, opening=decide(rows))
        if as_json:
            _print(report(run))


_deciding("merge", "Make the keys one: the first takes in the rest.")
_deciding("split", "Set the key's raw keys apart, or only those that are named after it.")
_deciding("pin", "Move a raw key (the first) to a key (the second).")
_deciding("release", "Give keys back to the rules.")


@cli.command()
@common
@click.option("--rejects", is_flag=True, help="List rejected input instead, with file, line and reason.")
@click.option("--limit", default=20, show_default=True)
def runs(lake: str | None, tenant: str | None, as_json: bool, rejects: bool, limit: int) -> None:
    """The run ledger: what each run and step did."""
    settings = _settings(lake=lake, tenant=tenant)
    from jobs.show import show_rejects, show_runs

    (show_rejects if rejects else show_runs)(settings, limit, as_json)


@cli.command()
@common
def doctor(lake: str | None, tenant: str | None, as_json: bool) -> None:
    """What is installed, what is reachable, and what to do about the rest."""
    settings = _settings(lake=lake, tenant=tenant)
    from jobs.doctor import examine, show

    findings = examine(settings)
    if as_json:
        _print([finding.as_dict() for finding in findings])
    else:
        show(findings)
    if any(finding.state == "missing" for finding in findings):
        sys.exit(1)


@cli.command()
@click.option("--lake", default="demo-lake", show_default=True, help="Where the demo's lake goes.")
@click.option("--keep", is_flag=True, help="Add to the demo lake instead of beginning anew.")
def demo(lake: str, keep: bool) -> None:
    """The whole flow on the packaged archive, ending with ten questions answered."""
    from jobs.demo import run_demo

    run_demo(_settings(lake=lake, tenant="demo", zone="Europe/Berlin"), keep=keep)


@cli.command()
@common
@click.option("--host", help="Address to listen on (MEMLAKE_HOST; default 127.0.0.1).")
@click.option("--port", type=int, help="Port (MEMLAKE_PORT; default 8787).")
def serve(lake: str | None, tenant: str | None, as_json: bool, host: str | None, port: int | None) -> None:
    """Answer over HTTP: /v1/answer, /v1/retrieve, /healthz, /openapi.json. On loopback unless told otherwise."""
    settings = _settings(lake=lake, tenant=tenant, host=host, port=port)
    from jobs.serve import run_server

    run_server(settings, as_json)


@cli.command()
@common
@click.option("--wait", is_flag=True, help="Wait for another writer of the lake to end.")
def publish(lake: str | None, tenant: str | None, as_json: bool, wait: bool) -> None:
    """Publish what the tables hold and Milvus does not show yet."""
    settings = _settings(lake=lake, tenant=tenant)
    from jobs.flow import execute, report

    run = execute(settings, "publish", [], wait=wait)
    if as_json:
        _print(report(run))


@cli.command()
@common
def verify(lake: str | None, tenant: str | None, as_json: bool) -> None:
    """Check every table against its expectation suite. Exits 1 when a gate fails."""
    settings = _settings(lake=lake, tenant=tenant)
    from jobs.verify import verify_lake

    result = verify_lake(settings)
    if as_json:
        _print(result)
    else:
        for table, found in result["tables"].items():
            mark = "✓" if found["failed"] == 0 else "✗"
            click.echo(f"{mark} {table:<12} {found['expectations']} expectations, {found['rows']} rows")
            for line in found["failures"]:
                click.echo(f"    {line}")
    if not result["success"]:
        sys.exit(1)


@cli.command()
@click.option(
    "--out", "folder", type=click.Path(file_okay=False), help="Write the weights there, not into the package."
)
@click.option("--gold", type=click.Path(exists=True, file_okay=False), help="Gold sets to hold the heads against too.")
@click.option("--card", "card_file", type=click.Path(dir_okay=False), help="Write the model card there.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
def train(folder: str | None, gold: str | None, card_file: str | None, as_json: bool) -> None:
    """Train the small heads on the annotated sentences, and print them beside the rules on the unseen tenth."""
    from pathlib import Path

    from jobs.train import train_heads
    from quality.model_card import card

    given = [Path(place) if place else None for place in (folder, gold, card_file)]
    report = train_heads(_settings(), *given)
    if as_json:
        _print(report)
    else:
        click.echo(card(report))


@cli.group("eval")
def evaluate() -> None:
    """Predictions and scores on gold sets and public archives."""


@evaluate.command()
@click.argument("suite", type=click.Choice(["extract", "time", "ledger", "route"]))
@click.argument("gold", type=click.Path(exists=True))
def predict(suite: str, gold: str) -> None:
    """Print one prediction a line for a gold file, as its scorer reads them."""
    from pathlib import Path

    from quality.suites import predictions

    for row in predictions(suite, Path(gold)):
        _print(row)


@evaluate.command("report")
@click.argument("gold", type=click.Path(exists=True, file_okay=False))
def eval_report(gold: str) -> None:
    """Print the gold part of docs/quality.md: each set's score, and what is left wrong by cause."""
    from pathlib import Path

    from quality.page import page

    click.echo(page(Path(gold)))


@evaluate.command("sample")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--turns", default=50, show_default=True, help="How many turns.")
@click.option("--seed", default=1, show_default=True, help="Another seed draws other turns.")
def eval_sample(paths: tuple[str, ...], turns: int, seed: int) -> None:
    """Draw turns of an archive and print each with what the rules read from it, to be judged by hand."""
    from quality.sample import sample

    for line in sample(paths, turns, seed):
        click.echo(line)


@evaluate.command("ledger")
@click.argument("gold", type=click.Path(exists=True, file_okay=False))
def eval_ledger(gold: str) -> None:
    """Ledger answers against "the newest relevant sentence wins"; GOLD is the folder of the gold sets."""
    from pathlib import Path

    from quality.baseline import ledger_table
    from retrieval.embedder import make_embedder

    settings = _settings()
    encoder = make_embedder(settings.embedder, cache=settings.cache / "models")
    _print(ledger_table(Path(gold), encoder.passages, encoder.queries))


@evaluate.command("misattribution")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
def eval_misattribution(file: str) -> None:
    """Whether an opinion answers a question about what happened, with the embedder of the settings."""
    from pathlib import Path

    from quality.misattribution import misattributions
    from retrieval.embedder import make_embedder

    settings = _settings()
    encoder = make_embedder(settings.embedder, cache=settings.cache / "models")
    _print(misattributions(Path(file), encoder.passages, encoder.queries))


@evaluate.command("probe")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--show", default=0, help="Print so many cases that miss.")
def eval_probe(file: str, show: int) -> None:
    """Whether paraphrases meet in one key with one value, and a changed value supersedes it there."""
    from pathlib import Path

    from quality.probe import probe

    _print(probe(Path(file), show))


@evaluate.command("knowledge-update")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--show", default=0, help="Print so many answers that are not right.")
def eval_knowledge_update(file: str, show: int) -> None:
    """LongMemEval's knowledge updates, from their evidence turns: right, stale and silent."""
    from pathlib import Path

    from quality.knowledge_update import knowledge_updates

    _print(knowledge_updates(Path(file), show))


@evaluate.command("trimem")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--rows", default=3000, show_default=True, help="Rows of the seeded sample.")
@click.option("--all", "everything", is_flag=True, help="Every row instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def eval_trimem(file: str, rows: int, everything: bool, as_json: bool) -> None:
    """Memory types of TriMEM's messages, by the rules and by the heads: precision, recall and F1. Never trained on."""
    from pathlib import Path

    from jobs.train import trimem_figures
    from quality.trimem import shown

    found = trimem_figures(_settings(), Path(file), None if everything else rows)
    if as_json:
        _print(found)
    else:
        click.echo(shown(found))


@evaluate.command("eip")
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@common
@click.option("--show", default=0, help="Print so many answers that are wrong or stale.")
def eval_eip(folder: str, lake: str | None, tenant: str | None, as_json: bool, show: int) -> None:
    """Statuses of Ethereum proposals, asked from a lake that holds the calls (FOLDER/transcripts)."""
    settings = _settings(lake=lake, tenant=tenant)
    from pathlib import Path

    from jobs.ask import ask as answer_one
    from jobs.ask import open_memory
    from jobs.noise import engines_to
    from jobs.spark import engine_log
    from quality.eip import eip_figures

    with engines_to(engine_log(settings)), open_memory(settings) as memory:
        _print(
            eip_figures(
                Path(folder),
                lambda question, day: answer_one(memory, question, settings, as_of=day, as_told=day).as_json(),
                show,
            )
        )


@cli.group()
def bench() -> None:
    """Benchmarks; each prints one JSON object on its last line."""


def _json_too(command: Callable[..., None]) -> Callable[..., None]:
    """Benchmarks always print JSON; they take --json as every command does."""
    return click.option("--json", "_json", is_flag=True, expose_value=False, help="The default.")(command)


@bench.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True))
@_json_too
def segment(paths: tuple[str, ...]) -> None:
    """Pk and WindowDiff of topic segmentation on QMSum files, against even splits and one segment."""
    from pathlib import Path

    from quality.segmentation import score_qmsum
    from retrieval.embedder import make_embedder

    settings = _settings()
    encoder = make_embedder(settings.embedder, cache=settings.cache / "models")
    _print(score_qmsum([Path(path) for path in paths], encoder.passages))


@bench.command("backfill")
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--lake", default="", help="Keep the lake there (default: a folder that goes away).")
@_json_too
def bench_backfill(paths: tuple[str, ...], lake: str) -> None:
    """A backfill into a new lake: seconds, turns a second, peak memory of all its processes, counts a step.

    Without PATHS, of the packaged demo archive.
    """
    from importlib.resources import files

    from jobs.bench import backfill_figures

    _print(backfill_figures(paths or (str(files("jobs") / "demo_archive.jsonl"),), lake))


@bench.command("extract")
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--turns", default=1500, show_default=True, help="Turns of each language.")
@_json_too
def bench_extract(paths: tuple[str, ...], turns: int) -> None:
    """The rules' turns a second in English and Korean, and their ratio to the parser alone; by default of the demo."""
    from importlib.resources import files

    from jobs.bench_extract import extract_figures

    _print(extract_figures(paths or (str(files("jobs") / "demo_archive.jsonl"),), turns))


@bench.command("ledger")
@click.option("--atoms", default="100000,1000000", show_default=True, help="Sizes of the lakes, smallest first.")
@click.option("--large", is_flag=True, help="A lake of 10,000,000 atoms too.")
@click.option("--hot", default=1_000_000, show_default=True, help="Atoms of the one hot key.")
@click.option("--new", default=0.01, show_default=True, help="Share of atoms and keys of the nightly run.")
@_json_too
def bench_ledger(atoms: str, large: bool, hot: int, new: float) -> None:
    """The fold: atoms a second alone and in Spark, its growth, one hot key, and a nightly run against a whole fold."""
    from jobs.bench_ledger import ledger_figures

    sizes = sorted({*(int(size) for size in atoms.split(",")), *([10_000_000] if large else [])})
    _print(ledger_figures(_settings(tenant="default"), sizes, hot, new))


def _unbuilt(group: click.Group, name: str, what: str) -> None:
    @group.command(name, help=f"{what} (not built yet: says so and exits 2).")
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def missing(arguments: tuple[str, ...]) -> None:
        from lakehouse.errors import NotBuilt

        told = name if group is cli else f"{group.name} {name}"
        raise NotBuilt(f"`memlake {told}` is not built yet", hint="docs/roadmap.md says what comes when")

    missing.context_settings = {"ignore_unknown_options": True}


_unbuilt(cli, "analytics", "How opinions and states changed")
_unbuilt(cli, "maintain", "Compact, vacuum and check the lake's tables")
_unbuilt(cli, "forget", "Erase a person or a document")
_unbuilt(evaluate, "locomo", "Recall on LoCoMo's questions")
for _name in ("nightly", "publish", "search"):
    _unbuilt(bench, _name, f"Figures of {_name}")


def _pairs(columns: tuple[str, ...]) -> dict[str, str]:
    from pipelines.ingest.columns import COMMON

    out = {}
    for column in columns:
        ours, sign, theirs = column.partition("=")
        if not sign or ours not in COMMON or not theirs:
            raise click.BadParameter(
                f"{column}: write OURS=THEIRS, OURS one of {', '.join(COMMON)}", param_hint="--column"
            )
        out[ours] = theirs
    return out


def _asked(settings: Settings) -> tuple[str, ...]:
    """What makes one extractor's run another's: its name, and the model where one is asked."""
    return (settings.extractor,) if settings.extractor == "rules" else (settings.extractor, settings.llm_model)


def main() -> None:
    """The `memlake` script: one clear line and a non-zero exit for what a user can mend."""
    try:
        cli(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("memlake: interrupted; the same command resumes", err=True)
        _leave(INTERRUPTED)
    except BatchWaiting as told:
        click.echo(f"memlake: {told}")
        _leave(0)
    except MemlakeError as error:
        click.echo(f"memlake: {error}", err=True)
        _leave(SPENT if isinstance(error, BudgetSpent) else BAD_INPUT)
    except BrokenPipeError:
        _leave(BAD_INPUT)
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        click.echo(
            f"memlake: {error.strerror or error}{place}; the lake is as it was, the same command resumes", err=True
        )
        _leave(BAD_INPUT)
    except Exception as error:
        click.echo(f"memlake: unexpected {type(error).__name__}: {_logged(error)}", err=True)
        _leave(UNEXPECTED)


def _logged(error: Exception) -> str:
    """Write the traceback to the engines' log; the error's first line, and where the rest is."""
    from jobs.flow import explained

    told = explained(error, _settings())
    return f"{str(error).strip().splitlines()[0][:200] if str(error).strip() else ''} ({told.hint.split('; ')[-1]})"


def _leave(code: int) -> None:
    """Exit without waiting for engines' threads: what had to be written is written."""
    with suppress(OSError):
        sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
