"""spaCy's attribute ruler with a memory: what a word becomes depends on its tag, its letters and its place in the tree.

The ruler tries some 180 patterns on every word, which costs a third of a parse. All but a few look at one word alone:
what they give is remembered by what they look at. A text with a word not seen before, or that one of the few patterns
over several words matches, goes to the ruler.
"""

from __future__ import annotations

from typing import Any

from spacy.attrs import DEP, LOWER, TAG
from spacy.matcher import Matcher
from spacy.pipeline.attributeruler import set_token_attrs

READ = {"LOWER", "TAG", "DEP", "IS_SPACE"}
"""What the packaged patterns look at; whether a word is blank is in its letters."""
MOST = 100_000
"""Words that are remembered."""


class Remembered:
    """A component that gives what `ruler` gives, word for word.

    Raises ValueError when the ruler looks at more of a word than is remembered by.
    """

    def __init__(self, ruler: Any) -> None:
        self.ruler = ruler
        self.given: dict[tuple[int, ...], dict[Any, Any]] = {}
        self.several = Matcher(ruler.vocab, validate=False)
        for number, row in enumerate(ruler.patterns):
            for pattern in row["patterns"]:
                if any(not READ.issuperset(token) for token in pattern):
                    raise ValueError(f"the attribute ruler looks at more than {', '.join(sorted(READ))}: {pattern}")
                if len(pattern) > 1:
                    self.several.add(str(number), [pattern])

    def __call__(self, doc: Any) -> Any:
        """Set part of speech, morphology and special lemmas of a tagged and parsed text."""
        words = [tuple(row) for row in doc.to_array([TAG, LOWER, DEP]).tolist()]
        if any(word not in self.given for word in words) or self.several(doc, allow_missing=True):
            return self._learned(doc, words)
        for token, word in zip(doc, words, strict=True):
            set_token_attrs(token, self.given[word])
        return doc

    def _learned(self, doc: Any, words: list[tuple[int, ...]]) -> Any:
        """The ruler's own way; what it gives to single words is remembered."""
        matches = self.ruler.match(doc)
        if len(self.given) > MOST:
            self.given.clear()
        fresh: dict[tuple[int, ...], dict[Any, Any]] = {word: {} for word in words if word not in self.given}
        for number, _, start, end in matches:
            if end - start == 1 and words[start] in fresh:
                fresh[words[start]] |= self.ruler.attrs[number]
        self.given |= fresh
        self.ruler.set_annotations(doc, matches)
        return doc
