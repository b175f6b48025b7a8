"""Texts too large to be held: lines found through a sparse index, decoded where they are asked for.

`LargeText` has the interface of `Text` but for `content` and `starts`, which would be all of it. Its encoding is UTF-8;
what is none is shown as U+FFFD, `lossy`.
"""

import codecs
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, overload

from budgeted_reads.errors import BinaryFile, TooLarge
from budgeted_reads.limits import EXACT_BYTES, HELD_BYTES
from budgeted_reads.text import BOM, SNIFF_BYTES, Text, decode

BLOCK = 65536
"""The index holds how many lines end up to the end of each block of so many bytes."""

HEAD = 65536
"""Of a line over the limit only so many bytes are there."""

KEPT_LINE = 1000
"""Lines of at most so many bytes are kept once they were read."""

SAMPLES, SAMPLE = 64, 4096
"""How many pieces of how many bytes stand for the whole where its cost is estimated."""

_PRIVATE = b"PRIVATE KEY"
_AROUND = 4096
_LF = re.compile(b"\n")


class LargeText(Text):
    """The lines of RAW, which knows its length, slices and pieces. Nothing of it is kept but an index."""

    __slots__ = ("_ends", "_kept", "_line_ending", "_sample", "labels")

    large = True

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.encoding = "utf-8"
        self.bom = raw.startswith(BOM.encode())
        self.guessed = self.lossy = False
        self.labels: list[int] = []
        self._ends = array("Q")
        self._kept: dict[int, str] = {}
        self._sample: tuple[str, ...] = ()
        self._line_ending = self._scan(raw)

    def _scan(self, raw: Any) -> str:
        """One pass for all that is known of the text; how its lines end."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        lines = crlf = cr = at = 0
        last = tail = b""
        for piece in raw.pieces():
            for block in range(0, len(piece), BLOCK):
                lines += piece.count(b"\n", block, block + BLOCK)
                self._ends.append(lines)
            returns = piece.count(b"\r")
            if returns or last == b"\r":
                cr += returns
                crlf += piece.count(b"\r\n") + (last == b"\r" and piece[:1] == b"\n")
            last = piece[-1:]
            if (found := (tail + piece[: len(_PRIVATE) - 1]).find(_PRIVATE)) >= 0:
                self._label(at - len(tail) + found)
            tail = piece[1 - len(_PRIVATE) :]
            found = piece.find(_PRIVATE)
            while found >= 0:
                self._label(at + found)
                found = piece.find(_PRIVATE, found + 1)
            if not self.lossy and (decoder.getstate()[0] or not piece.isascii()):
                try:
                    decoder.decode(piece)
                except UnicodeDecodeError:
                    self.lossy = True
            at += len(piece)
        self.lossy = self.lossy or bool(decoder.getstate()[0])
        if last != b"\n":
            # The last line has no end of its own: the end of the text counts as one.
            self._ends[-1] += 1
        if lines:
            return "lf" if not crlf else "crlf" if crlf == lines else "mixed"
        return "cr" if cr else "none"

    def _label(self, at: int) -> None:
        """Note the label of a private key at AT; what is around the last one takes in those close behind it."""
        if not self.labels or at >= self.labels[-1] + _AROUND:
            self.labels.append(at)

    @property
    def content(self) -> str:  # type: ignore[override]
        """Raises `too_large`: see `head`, `sample` and `slice`."""
        raise _refused(len(self.raw))

    @property
    def head(self) -> str:
        """The beginning of the text."""
        return self._decoded(0, HEAD)

    @property
    def line_count(self) -> int:
        """Number of lines."""
        return self._ends[-1]

    @property
    def line_ending(self) -> str:
        """As that of `Text`."""
        return self._line_ending

    @property
    def starts(self) -> list[int]:
        """Raises `too_large`."""
        raise _refused(len(self.raw))

    def start(self, number: int) -> int:
        """The offset in bytes of line NUMBER; of the one after the last line the size of the text."""
        if number <= 1 or number > self.line_count:
            return 0 if number <= 1 else len(self.raw)
        block = bisect_left(self._ends, number - 1)
        skip = number - 1 - (self._ends[block - 1] if block else 0)
        found = _LF.finditer(self.raw[block * BLOCK : (block + 1) * BLOCK])
        return block * BLOCK + next(islice(found, skip - 1, None)).end()

    def size_of(self, first: int, last: int) -> int:
        """Number of bytes of lines FIRST..LAST."""
        return max(0, self.start(last + 1) - self.start(first))

    def line(self, number: int) -> str:
        """Line NUMBER without its LF; of one that is over the limit its beginning."""
        if number not in self._kept:
            first = self.start(number)
            line = self.raw[first : first + HEAD]
            if (end := line.find(b"\n")) >= 0:
                line = line[:end]
            elif (after := self.start(number + 1)) - first <= EXACT_BYTES:
                line = self.raw[first:after].removesuffix(b"\n")
            if len(line) > KEPT_LINE:
                return line.decode("utf-8", "replace")
            self._kept[number] = line.decode("utf-8", "replace")
        return self._kept[number]

    def lines(self) -> list[str]:
        """All lines, each decoded when it is asked for."""
        return Lines(self)  # type: ignore[return-value]

    def slice(self, first: int, last: int) -> str:
        """Lines FIRST..LAST as one text; raises `too_large` where that is over the limit."""
        if self.size_of(first, last) > EXACT_BYTES:
            raise _refused(self.size_of(first, last))
        return self._decoded(self.start(first), self.start(last + 1))

    def bytes_of(self, first: int, last: int) -> bytes:
        """The exact bytes of lines FIRST..LAST."""
        return self.raw[self.start(first) : self.start(last + 1)]

    def pieces_of(self, first: int, last: int) -> Iterator[bytes]:
        """The exact bytes of lines FIRST..LAST, a piece at a time."""
        end = self.start(last + 1)
        for at in range(self.start(first), end, 1 << 20):
            yield self.raw[at : min(end, at + (1 << 20))]

    @property
    def sample(self) -> tuple[str, ...]:
        """Pieces that stand for the whole."""
        if not self._sample:
            step = len(self.raw) // SAMPLES
            self._sample = tuple(self._decoded(at, at + SAMPLE) for at in range(0, step * SAMPLES, step))
        return self._sample

    @property
    def around_labels(self) -> Iterator[str]:
        """What stands around each label of a private key; one of them may hold several."""
        return (self._decoded(max(0, at - _AROUND), at + 2 * _AROUND) for at in self.labels)

    def _decoded(self, first: int, last: int) -> str:
        return self.raw[first:last].decode("utf-8", "replace")


class Lines(Sequence[str]):
    """The lines of a text that cannot be held, one at a time or a few."""

    def __init__(self, text: LargeText) -> None:
        self._text = text

    def __len__(self) -> int:
        return self._text.line_count

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> list[str]: ...

    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            first, last, _ = at.indices(len(self))
            whole = self._text.slice(first + 1, last).split("\n") if first < last else []
            return whole[: max(0, last - first)]
        if not 0 <= at < len(self):
            raise IndexError(at)
        return self._text.line(at + 1)


def decode_large(raw: Any) -> LargeText:
    """RAW as text; `binary_file` as `decode` has it, and `too_large` where it is UTF-16, which has no index here."""
    head = raw[:SNIFF_BYTES]
    if b"\0" in head:
        from budgeted_reads.utf16 import guess

        if guess(head, SNIFF_BYTES) or head[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise TooLarge(f"a file of {len(raw)} bytes in UTF-16 is too large to be read", "read its bytes with git")
        raise BinaryFile(f"the file is binary ({len(raw)} bytes)", "read its bytes with git", card={"bytes": len(raw)})
    return LargeText(raw)


def decoded(raw: Any) -> Text:
    """RAW as text: held where it is `bytes`, or is no UTF-8 and of at most `limits.HELD_BYTES`.

    Raises `binary_file`, `too_large`.
    """
    if isinstance(raw, bytes):
        return decode(raw)
    try:
        text = decode_large(raw)
    except TooLarge:
        if len(raw) > HELD_BYTES:
            raise
        return decode(bytes(raw))
    return decode(bytes(raw)) if text.lossy and len(raw) <= HELD_BYTES else text


def searched(text: Text) -> Iterable[str]:
    """The parts of TEXT in which a private key may be: all of it, where it is held."""
    return text.around_labels if isinstance(text, LargeText) else (text.content,)


def _refused(size: int) -> TooLarge:
    return TooLarge(f"{size} bytes are too many to be read at once", "ask for fewer lines, or read the bytes with git")
