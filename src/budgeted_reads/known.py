"""What a node remembers of pointers that it has checked: values that follow from objects, by the ids of those objects.

An id stands for the same bytes for ever, so nothing here is ever stale, and nothing of the disk is here. That an object
still is what its id says, each request finds out for itself: it hashes all objects anew before it asks here.
"""

from collections.abc import Hashable
from typing import Any, NamedTuple

from budgeted_reads import limits
from budgeted_reads.cache import Recent
from budgeted_reads.evidence.locate import Lines
from budgeted_reads.evidence.make import text_of
from budgeted_reads.text import Text

ROW = 500
"""A small value, with its key, holds about so many bytes."""

_LARGEST = limits.DRIFT_BYTES // 8


class Decoded(NamedTuple):
    """Bytes as text and as lines."""

    text: Text
    lines: Lines


class Known:
    """Values by kind and ids, at most `limits.DRIFT_BYTES` of them together. Safe with threads."""

    def __init__(self) -> None:
        self._recent = Recent(limits.DRIFT_BYTES)

    def decoded(self, blob: str | None, raw: bytes) -> Decoded:
        """RAW, the bytes of BLOB (None where they are in no object), decoded."""
        if blob is None or len(raw) * 8 > _LARGEST:
            return _decode(raw)
        found = self._recent.get(("text", blob))
        if found is None:
            found = _decode(raw)
            self._recent.put(("text", blob), found, 8 * len(raw) + 4096)
        return Decoded(*found)

    def get(self, key: tuple[Hashable, ...]) -> Any:
        """The value that was put for KEY, None where it is not at hand."""
        return self._recent.get(key)

    def put(self, key: tuple[Hashable, ...], value: object, size: int = ROW) -> None:
        """Remember VALUE, which is not None, for KEY; it holds about SIZE bytes."""
        if size <= _LARGEST:
            self._recent.put(key, value, size)


def _decode(raw: bytes) -> Decoded:
    text = text_of(raw)
    return Decoded(text, Lines(text))
