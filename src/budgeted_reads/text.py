"""Bytes to lines: decoding, and the one line model that read, outline, search, diff and pointers share (CONTRACT 1).

A line ends at LF only, is 1-based, and keeps its CR; a final LF starts no further line; an empty text has no lines.
"""

import re
from bisect import bisect_right

from budgeted_reads.errors import BinaryFile, RangeOutOfBounds

SNIFF_BYTES = 8000
"""NUL within the first bytes, and no UTF-16, makes a file binary: the rule of git, with its figure."""

HEAD = 65536
"""Code points of a text that are looked at to judge it by its beginning."""

BOM = "\ufeff"

_MARKED = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_LF = re.compile("\n")
_LF_BYTE = re.compile(rb"\n")

_SIGNATURES = (
    (0, b"\x89PNG\r\n", "png"),
    (0, b"\xff\xd8\xff", "jpeg"),
    (0, b"GIF8", "gif"),
    (8, b"WEBP", "webp"),
    (8, b"WAVE", "wav"),
    (4, b"ftyp", "mp4"),
    (0, b"OggS", "ogg"),
    (0, b"ID3", "mp3"),
    (0, b"%PDF-", "pdf"),
    (0, b"PK\x03\x04", "zip"),
    (0, b"\x1f\x8b", "gzip"),
    (0, b"BZh", "bzip2"),
    (0, b"\xfd7zXZ", "xz"),
    (0, b"\x28\xb5\x2f\xfd", "zstd"),
    (257, b"ustar", "tar"),
    (0, b"\x7fELF", "elf"),
    (0, b"MZ", "exe"),
    (0, b"\xca\xfe\xba\xbe", "class"),
    (0, b"\x00asm", "wasm"),
    (0, b"SQLite format 3", "sqlite"),
    (0, b"PAR1", "parquet"),
    (0, b"wOF", "woff"),
)


class Text:
    """Decoded text with the exact bytes behind every line."""

    large = False
    """Whether this is a `LargeText`, which has no `content`."""

    __slots__ = ("_byte_starts", "_starts", "bom", "content", "encoding", "guessed", "lossy", "raw")

    def __init__(
        self, raw: bytes, content: str, encoding: str, *, bom: bool = False, guessed: bool = False, lossy: bool = False
    ):
        self.raw = raw
        self.content = content
        self.encoding = encoding
        self.bom = bom
        self.guessed = guessed
        self.lossy = lossy
        self._starts: list[int] | None = None
        self._byte_starts: list[int] | None = None

    @property
    def head(self) -> str:
        """The beginning of the text."""
        return self.content[:HEAD]

    @property
    def starts(self) -> list[int]:
        """Offset in code points at which each line starts, and the end of the text last."""
        if self._starts is None:
            self._starts = _line_starts(self.content)
        return self._starts

    @property
    def byte_starts(self) -> list[int]:
        """Offset in `raw` at which each line starts, and the end of the bytes last."""
        if self._byte_starts is None:
            self._byte_starts = self._find_byte_starts()
        return self._byte_starts

    @property
    def line_count(self) -> int:
        """Number of lines."""
        if self._starts is None:
            return self.content.count("\n") + (self.content[-1:] not in ("", "\n"))
        return len(self._starts) - 1

    def line(self, number: int) -> str:
        """Line NUMBER without its LF; a CR stays."""
        starts = self.starts
        line = self.content[starts[number - 1] : starts[number]]
        return line[:-1] if line.endswith("\n") else line

    def lines(self) -> list[str]:
        """All lines without their LF, in order."""
        lines = self.content.split("\n")
        if lines and not lines[-1]:
            lines.pop()
        return lines

    def slice(self, first: int, last: int) -> str:
        """Lines FIRST..LAST as one text, each with the LF that ends it."""
        return self.content[self.starts[first - 1] : self.starts[last]]

    def line_at(self, offset: int) -> int:
        """The line that holds the code point at OFFSET."""
        return bisect_right(self.starts, offset, hi=self.line_count)

    def bytes_of(self, first: int, last: int) -> bytes:
        """The exact bytes of lines FIRST..LAST, from the first byte of the first to the LF that ends the last."""
        starts = self.byte_starts
        return self.raw[starts[first - 1] : starts[last]]

    def exact(self, first: int, last: int) -> bool:
        """Whether lines FIRST..LAST, encoded again, give their exact bytes."""
        if not self.lossy:
            return True
        return self.slice(first, last).encode(self.encoding, "replace") == self.bytes_of(first, last)

    def _find_byte_starts(self) -> list[int]:
        if self.encoding in ("utf-16-le", "utf-16-be"):
            return _utf16_starts(self.raw, self.encoding)
        if self.encoding == "utf-8" and self.content.isascii():
            return self.starts
        return _line_starts(self.raw)

    @property
    def line_ending(self) -> str:
        """`lf`, `crlf`, `cr`, `mixed` or `none`: how lines end, CR alone counting only where there is no LF."""
        lf = self.content.count("\n")
        crlf = self.content.count("\r\n")
        if lf:
            return "lf" if not crlf else "crlf" if crlf == lf else "mixed"
        return "cr" if "\r" in self.content else "none"


def decode(raw: bytes) -> Text:
    """RAW as text, or `binary_file`: a NUL in the first 8,000 bytes, and no UTF-16.

    In turn: UTF-16 by its mark or (`guessed`) by its look, UTF-8, the likeliest older encoding (`guessed`), UTF-8 with
    U+FFFD for what is wrong (`lossy`). Unless `lossy`, `content` encoded again is `raw`; a BOM stays as U+FEFF.
    """
    binary = b"\x00" in raw[:SNIFF_BYTES]
    marked = _MARKED.get(raw[:2])
    if marked or binary:
        text = _utf16(raw, marked)
        if text:
            return text
    if binary:
        raise _refused(raw)
    try:
        content = raw.decode("utf-8")
    except UnicodeDecodeError:
        return _not_utf8(raw)
    return Text(raw, content, "utf-8", bom=content.startswith(BOM))


def clamp(lines: tuple[int, int], line_count: int) -> tuple[int, int]:
    """LINES cut to the file, or `range_out_of_bounds` where they lie wholly past its end."""
    first, last = lines
    if first > line_count:
        raise RangeOutOfBounds(
            f"line {first} is past the end: the file has {line_count} lines",
            f"ask for lines within 1-{line_count}" if line_count else "the file is empty",
            line_count=line_count,
        )
    return first, min(last, line_count)


def _utf16(raw: bytes, marked: str | None) -> Text | None:
    """RAW as UTF-16, or None. Behind a mark a few broken units are shown as U+FFFD; U+0000 early on is no text."""
    from budgeted_reads.utf16 import guess

    encoding = marked or guess(raw, SNIFF_BYTES)
    if not encoding:
        return None
    try:
        content = raw.decode(encoding)
        lossy = False
    except UnicodeDecodeError:
        content = raw.decode(encoding, "replace")
        lossy = True
    if "\x00" in content[: SNIFF_BYTES // 2] or (lossy and content.count("\ufffd") * 20 > len(content)):
        return None
    return Text(raw, content, encoding, bom=bool(marked), guessed=not marked, lossy=lossy)


def _not_utf8(raw: bytes) -> Text:
    from budgeted_reads.legacy import guess

    guessed = guess(raw)
    if guessed:
        encoding, content = guessed
        return Text(raw, content, encoding, guessed=True)
    content = raw.decode("utf-8", "replace")
    return Text(raw, content, "utf-8", bom=content.startswith(BOM), lossy=True)


def _refused(raw: bytes) -> BinaryFile:
    kind = next((kind for at, magic, kind in _SIGNATURES if raw.startswith(magic, at)), None)
    return BinaryFile(
        f"the file is binary ({kind + ', ' if kind else ''}{len(raw)} bytes)",
        "read its bytes with git or the raw route",
        card={"bytes": len(raw), **({"kind": kind} if kind else {})},
    )


def _line_starts(whole: str | bytes) -> list[int]:
    lf = _LF.finditer(whole) if isinstance(whole, str) else _LF_BYTE.finditer(whole)
    starts = [0]
    starts.extend(map(re.Match.end, lf))
    if starts[-1] != len(whole):
        starts.append(len(whole))
    return starts


def _utf16_starts(raw: bytes, encoding: str) -> list[int]:
    unit = "\n".encode(encoding)
    starts, at = [0], raw.find(unit)
    while at >= 0:
        if at % 2 == 0:
            starts.append(at + 2)
            at = raw.find(unit, at + 2)
        else:
            at = raw.find(unit, at + 1)
    if starts[-1] != len(raw):
        starts.append(len(raw))
    return starts
