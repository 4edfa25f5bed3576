"""Content ids: identity comes from content and lineage, never from order, time or chance."""

from __future__ import annotations

import hashlib
import unicodedata

ID_CHARS = 32
"""Hex characters of an id: 128 bits, so 10^12 rows collide with probability 10^-15."""


def content_id(*parts: object) -> str:
    """Hash of the parts, each length-prefixed so that no two lists of parts meet by concatenation.

    >>> content_id("ab", "c") == content_id("a", "bc")
    False
    >>> len(content_id("x"))
    32
    """
    told = [str(part).encode("utf-8", "surrogatepass") for part in parts]
    prefixed = b"".join([len(data).to_bytes(8, "big") + data for data in told])
    return hashlib.blake2b(prefixed, digest_size=ID_CHARS // 2).hexdigest()


def normal_text(text: str) -> str:
    """NFKC, case-folded, whitespace collapsed: what two spellings of one text share.

    >>> normal_text("  Ｈello\\n World ")
    'hello world'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def bucket_of(key: str, buckets: int) -> int:
    """The bucket of a content id: its leading 32 bits modulo the number of buckets."""
    return int(key[:8], 16) % buckets


def document_id(tenant: str, conversation: str, session: str) -> str:
    """A document is one session of one conversation of one tenant."""
    return content_id("document", tenant, conversation, session)


def atom_id(tenant: str, document: str, turn_id: str, start: int, end: int, proposition: str) -> str:
    """An atom's id: where it is written and what it says, without the extractor's version."""
    return content_id("atom", tenant, document, turn_id, start, end, normal_text(proposition))
