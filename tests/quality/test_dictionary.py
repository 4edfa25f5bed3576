"""The committed data dictionary is the schema's."""

from __future__ import annotations

from pathlib import Path

from quality.dictionary import dictionary

PAGE = Path(__file__).parents[2] / "docs" / "data-dictionary.md"


def test_the_page_is_the_schemas() -> None:
    assert PAGE.read_text(encoding="utf-8") == dictionary(), "run `make docs`"
