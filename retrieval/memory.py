"""What answering needs of a memory: a small protocol, and an implementation over a list of atoms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol

from lakehouse.records import Atom, Question
from pipelines.frame.words import words_of
from pipelines.resolve import mapping, raw_key, resolve_keys

Search = Callable[[str], Sequence[Atom]]
"""Best matching atoms of a text, best first."""


class Memory(Protocol):
    """The atoms and keys that a question may meet. `as_known` is a run: only what it had recorded counts."""

    def near(self, question: Question, as_known: str | None = None) -> Sequence[Atom]:
        """Every atom of the keys that share an anchor, a name or the subject with the question."""
        ...

    def key(self, atom: Atom) -> str:
        """The canonical key of an atom."""
        ...

    def search(self, text: str, as_known: str | None = None) -> Sequence[Atom]:
        """The best matching atoms of a text, best first: what answering falls back to."""
        ...


class AtomMemory:
    """A memory over a list of atoms: it resolves on first use and scans."""

    def __init__(
        self, atoms: Iterable[Atom], search: Search | None = None,
        recorded: Callable[[Atom], str] | None = None,
    ) -> None:  # fmt: skip
        self._atoms = tuple(atoms)
        self._search = search
        self._recorded = recorded
        self._keys = mapping(resolve_keys(self._atoms))

    def near(self, question: Question, as_known: str | None = None) -> Sequence[Atom]:
        return list(self._known(as_known))

    def key(self, atom: Atom) -> str:
        own = raw_key(atom)
        return self._keys.get(own, own)

    def search(self, text: str, as_known: str | None = None) -> Sequence[Atom]:
        if self._search is not None:
            return self._search(text)
        language = "ko" if any("가" <= c <= "힣" for c in text) else "en"
        asked = {word.lemma for word in words_of(text, language)}
        ranked = sorted(self._known(as_known), key=lambda a: (-len(asked & _lemmas(a)), a.atom_id))
        return [atom for atom in ranked[:5] if asked & _lemmas(atom)]

    def _known(self, as_known: str | None) -> Collection[Atom]:
        if as_known is None or self._recorded is None:
            return self._atoms
        return [atom for atom in self._atoms if self._recorded(atom) <= as_known]


def _lemmas(atom: Atom) -> set[str]:
    return {word.lemma for word in words_of(atom.content, atom.language)}
