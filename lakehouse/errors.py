"""The error tree. A message names the thing, the place and the next action.

    MemlakeError                what a user can act on; the CLI prints it in one line and exits 2
    ├── InputError              an archive that can't be read as said
    │   └── UnknownFormat       no reader recognises it
    ├── SettingsError           a setting or an option that makes no sense
    ├── LakeError               the lake folder or one of its tables
    │   ├── LakeBusy            another process holds the writer's lease
    │   └── SchemaTooNew        written by a later memlake
    ├── EngineError             Spark, Ray, Milvus or a model server does not answer
    │   ├── IndexBusy           another process holds the Milvus Lite file
    │   └── ModelError          the language model's server does not answer, or refuses us
    ├── BudgetSpent             what a run may spend on a language model is spent; exits 3
    ├── BatchWaiting            a run waits for a provider's batch; no failure, exits 0
    ├── GateFailed              a quality gate stopped the run before publication
    └── NotBuilt                a command whose work has not been built yet

Errors carry plain strings, so they pickle across Ray and Spark workers.
"""

from __future__ import annotations


class MemlakeError(Exception):
    """Something a user can act on: what, where, and what to do next.

    >>> str(MemlakeError("no such folder", place="lake/", hint="create it first"))
    'no such folder (lake/): create it first'
    """

    def __init__(self, what: str, *, place: str = "", hint: str = "") -> None:
        super().__init__(what, place, hint)
        self.what, self.place, self.hint = what, place, hint

    def __str__(self) -> str:
        where = f" ({self.place})" if self.place else ""
        return f"{self.what}{where}: {self.hint}" if self.hint else f"{self.what}{where}"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.what, self.place, self.hint)


def _rebuild(kind: type[MemlakeError], what: str, place: str, hint: str) -> MemlakeError:
    return kind(what, place=place, hint=hint)


class InputError(MemlakeError):
    """An archive that can't be read as said."""


class UnknownFormat(InputError):
    """No reader recognises the file."""


class SettingsError(MemlakeError):
    """A setting or an option that makes no sense."""


class LakeError(MemlakeError):
    """The lake folder or one of its tables."""


class LakeBusy(LakeError):
    """Another process holds the writer's lease."""


class SchemaTooNew(LakeError):
    """The lake was written by a later memlake."""


class EngineError(MemlakeError):
    """Spark, Ray, Milvus or a model server does not answer."""


class IndexBusy(EngineError):
    """Another process holds the Milvus Lite file."""


class ModelError(EngineError):
    """The language model's server does not answer, or refuses us."""


class BudgetSpent(MemlakeError):
    """What a run may spend on a language model is spent."""


class BatchWaiting(MemlakeError):
    """A run waits for a provider's batch: what it has is kept, and it goes on with the responses."""


class GateFailed(MemlakeError):
    """A quality gate stopped the run before publication."""


class NotBuilt(MemlakeError):
    """A command whose work has not been built yet."""
