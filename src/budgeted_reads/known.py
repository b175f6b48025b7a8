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

_TEXT_BYTES = 6
"""A text and its lines take about so many times the bytes of the file."""

_SHARE = 8
"""What would take more than such a part of all the room is not kept."""


class Decoded(NamedTuple):
    """Bytes as text and as lines."""

    text: Text
    lines: Lines


class Known:
    """Texts by blob, and other values by kind and ids, within the limits of either. Safe with threads."""

    def __init__(self) -> None:
        self._texts = Recent(limits.CITED_BYTES)
        self._values = Recent(limits.DRIFT_BYTES)

    def decoded(self, blob: str | None, raw: bytes) -> Decoded:
        """RAW, the bytes of BLOB (None where they are in no object), decoded."""
        size = _TEXT_BYTES * len(raw) + 4096
        if blob is None or size * _SHARE > limits.CITED_BYTES:
            return _decode(raw)
        found: Decoded | None = self._texts.get(blob)
        if found is None:
            found = _decode(raw)
            self._texts.put(blob, found, size)
        return found

    def get(self, key: tuple[Hashable, ...]) -> Any:
        """The value that was put for KEY, None where it is not at hand."""
        return self._values.get(key)

    def put(self, key: tuple[Hashable, ...], value: object, size: int = ROW) -> None:
        """Remember VALUE, which is not None, for KEY; it holds about SIZE bytes."""
        if size * _SHARE <= limits.DRIFT_BYTES:
            self._values.put(key, value, size)


def _decode(raw: bytes) -> Decoded:
    text = text_of(raw)
    return Decoded(text, Lines(text))
