"""Engines talk: the JVM, Ray's C++ core and model loaders write to stderr what no user must decode.

While engines run, the process's stderr descriptor points to a log file, and with it every child's; what
memlake itself says still goes to the terminal, over `sys.stderr`.
"""

from __future__ import annotations

import io
import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

QUIET_LOGGERS = (
    "ray",
    "ray.data",
    "ray.train",
    "py4j",
    "pymilvus",
    "milvus_lite",
    "great_expectations",
    "SQLQueryContextLogger",
)

_NOWHERE = logging.NullHandler()


@contextmanager
def engines_to(log: Path) -> Iterator[None]:
    """Send descriptor 2 to `log` (appended) and keep `sys.stderr` on the terminal, until the block ends."""
    log.parent.mkdir(parents=True, exist_ok=True)
    sys.stderr.flush()
    kept = os.dup(2)
    before = sys.stderr
    try:
        with log.open("ab") as target:
            os.dup2(target.fileno(), 2)
        sys.stderr = io.TextIOWrapper(os.fdopen(os.dup(kept), "wb", 0), write_through=True, errors="replace")
        logging.getLogger().addHandler(_NOWHERE)  # a root with a handler is left alone by libraries' basicConfig
        for name in QUIET_LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.stderr.flush()
        sys.stderr = before
        os.dup2(kept, 2)
        os.close(kept)


def hush_ray_data() -> None:
    """Ray Data gives its logger handlers of their own when it is imported: let them pass errors only."""
    for name in ("ray", "ray.data"):
        logger = logging.getLogger(name)
        for handler in logger.handlers:
            handler.setLevel(logging.CRITICAL)
        logger.setLevel(logging.CRITICAL)
