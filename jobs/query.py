"""SQL with its values written in as literals.

Spark's own named parameters stay unbound inside subqueries of common table expressions (4.1.4), so the
values are escaped and written in here. Only ids, tenants, numbers and flags are ever passed.
"""

from __future__ import annotations

import re
from typing import Any

NAME = re.compile(r"(?<![:\w]):([a-z_]+)\b")


def literal(value: str | int | bool) -> str:
    """A value as a SQL literal.

    >>> print(literal("it's \\\\ so"))
    'it\\'s \\\\ so'
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def query(session: Any, text: str, **values: str | int | bool) -> Any:
    """The DataFrame of a SQL text with its `:name`s filled in."""
    return session.sql(NAME.sub(lambda match: literal(values[match[1]]), text))
