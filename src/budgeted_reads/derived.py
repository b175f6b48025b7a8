"""What is derived from a blob and worth keeping: its outline, and what its parts cost (CONTRACT section 10)."""

import sys
from collections.abc import Callable

from budgeted_reads import limits, tokens
from budgeted_reads.cache import Disk, Recent, key
from budgeted_reads.outline import Outline
from budgeted_reads.outline.grammar import EXTRA
from budgeted_reads.outline.plainly import pack, unpack
from budgeted_reads.text import Text
from budgeted_reads.tokens.remember import Counts, Remembered
from budgeted_reads.version import VERSION
from budgeted_reads.views.sheet import Sheet

OUTLINES, COUNTS = 9, 1
"""Raised when an outline of the same bytes, or a count, would come out otherwise than before."""

VERSIONS = (VERSION, sys.implementation.cache_tag, OUTLINES, COUNTS)


class Kept:
    """One text at hand: its sheet, and the counts of its parts by tokenizer."""

    def __init__(self, name: bytes, sheet: Sheet) -> None:
        self.name = name
        self.sheet = sheet
        self.counts: dict[str, Counts] = {}


class Derived:
    """Sheets and counters by blob, made once; in memory for a server, on disk for the next command."""

    def __init__(self, folder: str | None) -> None:
        self._disk = Disk(folder)
        self._recent = Recent(limits.RECENT_BYTES)
        self._headers: dict[str, Counts] = {}

    def kept(self, blob: str, path: bytes, decoded: Callable[[], Text], make: Callable[[Text], Outline]) -> Kept:
        """The text with that BLOB id at PATH, whose name decides the format; DECODED and MAKE are asked where new."""
        name = key(VERSIONS, "outline", blob, path.rpartition(b"/")[2].lower())
        found: Kept | None = self._recent.get(name)
        if found is not None:
            return found
        text = decoded()
        stored = self._disk.get(name)
        outline = None if stored is None else unpack(stored)
        made = make(text) if outline is None else outline
        found = Kept(name, Sheet(text, made))
        # A fallback caused by a clock, memory, a crash or a missing extra is not what the same bytes would give again.
        if not any(warned.code == "approximate_outline" or EXTRA in warned.detail for warned in made.warnings):
            if outline is None:
                self._disk.put(name, pack(made))
            if not text.large:
                self._recent.put(name, found, 8 * len(text.raw) + 4096)
        return found

    def counter(self, kept: Kept, name: str) -> Remembered:
        """The counter NAME, with what it has counted of KEPT and of headers before."""
        counter = tokens.counter(name)
        if name not in self._headers:
            self._headers[name] = self._counts(key(VERSIONS, "headers", name))
        if name not in kept.counts:
            kept.counts[name] = self._counts(key(kept.name, "counts", name))
        return Remembered(counter, kept.counts[name], self._headers[name])

    def save(self, kept: Kept, counter: Remembered) -> None:
        """Store what COUNTER has learned."""
        if counter.learned:
            counter.learned = False
            self._disk.put(key(kept.name, "counts", counter.name), dict(counter.texts))
            self._disk.put(key(VERSIONS, "headers", counter.name), dict(counter.headers))

    def close(self) -> None:
        """Close what is open; the next question opens it again."""
        self._disk.close()

    def _counts(self, name: bytes) -> Counts:
        stored = self._disk.get(name)
        return stored if isinstance(stored, dict) else {}
