"""A run's work in progress: Parquet parts that appear whole or not at all, so a part that is there is done."""

from __future__ import annotations

import json
import os
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from pyarrow import fs


class Staging:
    """A folder by path or address; names are relative to it. Pickles, so workers can carry it."""

    def __init__(self, root: str) -> None:
        self.root = root

    def _at(self, name: str) -> tuple[Any, str]:
        system, path = fs.FileSystem.from_uri(self.root) if "://" in self.root else (fs.LocalFileSystem(), self.root)
        return system, f"{path}/{name}" if name else path

    def uri(self, name: str) -> str:
        """The address of a name, for Spark."""
        return f"{self.root}/{name}"

    def exists(self, name: str) -> bool:
        """Whether a part or a folder is there."""
        system, path = self._at(name)
        return bool(system.get_file_info(path).type != fs.FileType.NotFound)

    def write(self, name: str, table: pa.Table) -> None:
        """Write a part beside its place and move it there."""
        system, path = self._at(name)
        system.create_dir(path.rsplit("/", 1)[0], recursive=True)
        aside = f"{path}.{os.getpid()}.tmp"
        pq.write_table(table, aside, filesystem=system, compression="zstd")
        system.move(aside, path)

    def write_text(self, name: str, text: str) -> None:
        """As `write`, for a text in UTF-8."""
        system, path = self._at(name)
        system.create_dir(path.rsplit("/", 1)[0], recursive=True)
        aside = f"{path}.{os.getpid()}.tmp"
        with system.open_output_stream(aside) as stream:
            stream.write(text.encode())
        system.move(aside, path)

    def read_text(self, name: str) -> str:
        """A text as it was written."""
        system, path = self._at(name)
        with system.open_input_stream(path) as stream:
            return bytes(stream.read()).decode()

    def write_json(self, name: str, value: Any) -> None:
        """As `write`, for a small JSON value."""
        self.write_text(name, json.dumps(value))

    def read_json(self, name: str) -> Any:
        """A JSON value, None where there is none."""
        return json.loads(self.read_text(name)) if self.exists(name) else None

    def dataset(self, name: str) -> Any:
        """A part, or all parts of a folder, to be read in batches."""
        system, path = self._at(name)
        return ds.dataset(path, filesystem=system, format="parquet", exclude_invalid_files=False)

    def read(self, name: str, columns: list[str] | None = None) -> pa.Table:
        """A part, or all parts of a folder."""
        return self.dataset(name).to_table(columns=columns)

    def names(self, folder: str) -> list[str]:
        """The names in a folder, sorted; parts that were never finished are left out."""
        system, path = self._at(folder)
        found = system.get_file_info(fs.FileSelector(path, allow_not_found=True))
        return sorted(
            info.base_name for info in found if not info.base_name.endswith(".tmp") and info.base_name[0] not in "._"
        )

    def clear(self, name: str = "") -> None:
        """Remove a folder with all that is in it."""
        system, path = self._at(name)
        if system.get_file_info(path).type == fs.FileType.Directory:
            system.delete_dir(path)
