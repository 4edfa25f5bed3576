"""An expectation suite a table, derived from the schema and the vocabularies, with the laws that columns can say.

What can't be seen in the schema is in `LAWS`: SQL that selects the rows that break a law, with its sentence.
"""

from __future__ import annotations

import dataclasses
import typing
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from lakehouse.schema import TABLES, required

LAWS: dict[str, tuple[tuple[str, str], ...]] = {
    "turns": (
        ("a turn has words", "SELECT * FROM {batch} WHERE length(trim(text)) = 0"),
        (
            "an unknown time has no instant",
            "SELECT * FROM {batch} WHERE said_precision = 'unknown' AND said_ts IS NOT NULL",
        ),
    ),
    "segments": (("a segment does not end before it begins", "SELECT * FROM {batch} WHERE last < first"),),
    "atoms": (
        ("an atom has a holder", "SELECT * FROM {batch} WHERE length(trim(holder)) = 0"),
        ("an atom has evidence", "SELECT * FROM {batch} WHERE size(evidence) = 0"),
        (
            "a quote is as long as its span",
            "SELECT * FROM {batch} WHERE exists(evidence, e -> e.end <= e.start OR length(e.quote) = 0)",
        ),
        (
            "a judgement is a claim",
            "SELECT * FROM {batch} WHERE polarity IN ('positive', 'negative') AND kind <> 'claim'",
        ),
        ("an atom has a key of its own", "SELECT * FROM {batch} WHERE length(raw_key) = 0"),
    ),
    "validity": (
        ("an interval is not empty", "SELECT * FROM {batch} WHERE valid_to IS NOT NULL AND valid_from >= valid_to"),
        ("a row says why it opened", "SELECT * FROM {batch} WHERE length(opened_because) = 0"),
        (
            "a closed row says why",
            "SELECT * FROM {batch} WHERE valid_to IS NOT NULL AND status <> 'void' AND length(closed_because) = 0",
        ),
    ),
    "claims": (
        ("a claim has a holder", "SELECT * FROM {batch} WHERE length(trim(holder)) = 0"),
        ("an interval is not empty", "SELECT * FROM {batch} WHERE valid_to IS NOT NULL AND valid_from >= valid_to"),
    ),
    "habits": (("a habit has three events at least", "SELECT * FROM {batch} WHERE count < 3 OR size(atoms) < 3"),),
    "edges": (("an edge has source turns", "SELECT * FROM {batch} WHERE size(turns) = 0"),),
    "vectors": (("a vector has numbers", "SELECT * FROM {batch} WHERE size(vector) = 0"),),
}


def suite(table: str) -> Any:
    """The Great Expectations suite of a table."""
    import great_expectations as gx
    from great_expectations import expectations as e

    entry = TABLES[table]
    out = gx.ExpectationSuite(name=table)
    for column in required(entry.record):
        out.add_expectation(e.ExpectColumnValuesToNotBeNull(column=column))
    if len(entry.key) > 1:
        out.add_expectation(e.ExpectCompoundColumnsToBeUnique(column_list=list(entry.key)))
    else:
        out.add_expectation(e.ExpectColumnValuesToBeUnique(column=entry.key[0]))
    for column, allowed in closed_columns(entry.record).items():
        out.add_expectation(e.ExpectColumnValuesToBeInSet(column=column, value_set=sorted(allowed)))
    for sentence, sql in LAWS.get(table, ()):
        out.add_expectation(e.UnexpectedRowsExpectation(description=sentence, unexpected_rows_query=sql))
    return out


def closed_columns(record: type) -> dict[str, frozenset[str]]:
    """The columns whose values are a closed vocabulary."""
    out = {}
    for name, annotation in get_type_hints(record).items():
        options = [annotation, *get_args(annotation)]
        for option in options:
            if get_origin(option) is Literal and get_origin(annotation) is not tuple:
                out[name] = frozenset(get_args(option))
    return {f.name: out[f.name] for f in dataclasses.fields(typing.cast(Any, record)) if f.name in out}


def validate(table: str, frame: Any) -> dict[str, Any]:
    """Run a table's suite on a Spark DataFrame: counts, and one line for each expectation that failed."""
    source = context().data_sources.add_or_update_spark(table)
    batch = source.add_dataframe_asset(table).add_batch_definition_whole_dataframe(table)
    data = batch.get_batch({"dataframe": frame})
    result = data.validate(suite(table), result_format="BOOLEAN_ONLY")
    if not result.success:  # only now are the rows that fail worth counting
        result = data.validate(suite(table), result_format="BASIC")
    failures = [_line(one) for one in result.results if not one.success]
    return {"expectations": len(result.results), "failed": len(failures), "failures": failures}


@cache
def context() -> Any:
    """An in-memory Great Expectations context: nothing on disk, no analytics, no bars."""
    import great_expectations as gx

    made = gx.get_context(mode="ephemeral")
    made.variables.progress_bars = {"globally": False}
    return made


def _line(result: Any) -> str:
    """What failed and how often; no value of the data is quoted."""
    config = result.expectation_config
    told = (
        config.description or f"{config.type} {config.kwargs.get('column') or config.kwargs.get('column_list') or ''}"
    )
    count = (result.result or {}).get("unexpected_count", (result.result or {}).get("observed_value"))
    failed = (result.exception_info or {}).get("exception_message")
    return f"{told}: {failed}" if failed else f"{told}: {count} row(s)"
