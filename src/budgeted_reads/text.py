"""Bytes to lines: decoding, and the one line model that read, outline, search, diff and pointers share (CONTRACT 1).

A line ends at LF only, is 1-based, and keeps its CR; a final LF starts no further line; an empty text has no lines.
"""

from bisect import bisect_right

from budgeted_reads.errors import BinaryFile, RangeOutOfBounds

SNIFF_BYTES = 8000
"""NUL within the first bytes, and no UTF-16, makes a file binary: the rule of git, with its figure."""

BOM = "\ufeff"


class Text:
    """Decoded text with the exact bytes behind every line."""

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
    def starts(self) -> list[int]:
        """Offset in code points at which each line starts, and the end of the text last."""
        if self._starts is None:
            self._starts = _line_starts(self.content, "\n")
        return self._starts

    @property
    def line_count(self) -> int:
        """Number of lines."""
        return len(self.starts) - 1

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
        if self._byte_starts is None:
            self._byte_starts = self._find_byte_starts()
        return self.raw[self._byte_starts[first - 1] : self._byte_starts[last]]

    def exact(self, first: int, last: int) -> bool:
        """Whether lines FIRST..LAST, encoded again, give their exact bytes."""
        return self.slice(first, last).encode(self.encoding, "replace") == self.bytes_of(first, last)

    def _find_byte_starts(self) -> list[int]:
        if self.encoding in ("utf-16-le", "utf-16-be"):
            return _utf16_starts(self.raw, self.encoding)
        return _line_starts(self.raw, b"\n")

    @property
    def line_ending(self) -> str:
        """`lf`, `crlf`, `cr`, `mixed` or `none`: how lines end, CR alone counting only where there is no LF."""
        lf = self.content.count("\n")
        crlf = self.content.count("\r\n")
        if lf:
            return "lf" if not crlf else "crlf" if crlf == lf else "mixed"
        return "cr" if "\r" in self.content else "none"


def decode(raw: bytes) -> Text:
    """RAW as text, or `binary_file`: UTF-8, with or without BOM.

    Encoding `content` again gives `raw`, unless `lossy` says otherwise; a BOM stays in `content` as U+FEFF.
    """
    if b"\x00" in raw[:SNIFF_BYTES]:
        raise BinaryFile("the file is binary", "read its bytes with git or the raw route", card={"bytes": len(raw)})
    try:
        content = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise BinaryFile(
            "the file is no UTF-8 text", "read its bytes with git or the raw route", card={"bytes": len(raw)}
        ) from None
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


def _line_starts(whole: str | bytes, lf: str | bytes) -> list[int]:
    starts, at = [0], whole.find(lf)  # type: ignore[arg-type]
    while at >= 0:
        starts.append(at + 1)
        at = whole.find(lf, at + 1)  # type: ignore[arg-type]
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
