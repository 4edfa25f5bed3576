"""The data dictionary, generated from the schema: `python -m quality.dictionary docs/data-dictionary.md`."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from lakehouse import records
from lakehouse.schema import RECORDED, TABLES, arrow_schema, required


def dictionary() -> str:
    """The whole page, in Markdown."""
    parts = [
        "# Data dictionary",
        "",
        "Generated from `lakehouse/schema.py` and `lakehouse/records.py` by `make docs`; a test holds it to them.",
        "",
    ]
    for name, table in TABLES.items():
        notes = _notes(table.record)
        parts += [f"## {name}", "", table.about, "", _plain(table.record.__doc__), ""]
        parts += [
            f"Key: {', '.join(f'`{k}`' for k in table.key)}.",
            "",
            "| column | type | null | notes |",
            "|---|---|---|---|",
        ]
        never = set(required(table.record))
        for field in arrow_schema(name):
            if field.name == RECORDED:
                parts.append(
                    f"| `{RECORDED}` | {_type(field.type)} | no | record time: number of the run that wrote the row |"
                )
                continue
            words = [notes.get(field.name, "")]
            if field.name in table.text:
                words.append("may hold words of a transcript")
            text = "; ".join(word for word in words if word)
            parts.append(
                f"| `{field.name}` | {_type(field.type)} | {'no' if field.name in never else 'yes'} | {text} |"
            )
        parts.append("")
    return "\n".join(parts)


def _type(kind: Any) -> str:
    return str(kind).replace("element: ", "").replace("|", "/")


def _plain(doc: str | None) -> str:
    return inspect.cleandoc(doc or "")


def _notes(record: type) -> dict[str, str]:
    """The strings that follow fields in the record's source."""
    tree = ast.parse(inspect.getsource(records))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == record.__name__)
    names = {f.name for f in dataclasses.fields(record)}
    out = {}
    for before, after in pairwise(body):
        if (
            isinstance(before, ast.AnnAssign)
            and isinstance(before.target, ast.Name)
            and before.target.id in names
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            out[before.target.id] = " ".join(str(after.value.value).split()).rstrip(".")
    return out


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(dictionary(), encoding="utf-8")
