"""From turns to attributed statements and atoms, by rules: no model, no network, no clock."""

from __future__ import annotations

from pipelines.extract.atoms import EXTRACTOR, VERSION, extract
from pipelines.extract.statements import statements

__all__ = ["EXTRACTOR", "VERSION", "extract", "statements"]
