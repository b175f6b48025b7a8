"""Evidence for lines of a committed file, and the exact content behind a pointer (CONTRACT section 4)."""

from base64 import b64encode
from hashlib import sha256
from typing import NamedTuple

from budgeted_reads.errors import BinaryFile, TooLarge
from budgeted_reads.large import LargeText, decoded
from budgeted_reads.limits import EXACT_BYTES
from budgeted_reads.pointer import format_pointer
from budgeted_reads.text import Text, clamp, decode

BASE64 = "base64"


class Evidence(NamedTuple):
    """One row of `evidence`. `sha256` covers exactly the bytes that dereferencing `pointer` returns; a folder has none.

    `lines` is None for a folder and for an empty file.
    """

    pointer: str
    lines: tuple[int, int] | None
    blob: str
    sha256: str | None

    def to_dict(self) -> dict[str, object]:
        """The row as CONTRACT section 3 has it, with `lines` as a list."""
        return {
            "pointer": self.pointer,
            "lines": list(self.lines) if self.lines else None,
            "blob": self.blob,
            "sha256": self.sha256,
        }


class Content(NamedTuple):
    """What a pointer stands for. `bytes` is the count that `sha256` covers; `content` is those bytes as text of
    `encoding`, or in base64 where they are no text or would not come back from it."""

    content: str
    lines: tuple[int, int] | None
    commit: str
    blob: str
    sha256: str
    bytes: int
    encoding: str

    def to_dict(self) -> dict[str, object]:
        """The answer to `/v1/pointers/dereference`, with `lines` as a list."""
        return {**self._asdict(), "lines": list(self.lines) if self.lines else None}


def make(
    node: str, tree: str, path: bytes, commit: str, blob: str, text: Text, lines: tuple[int, int] | None = None
) -> Evidence:
    """Evidence for LINES of the file TEXT, which lie within it; None is the whole file, cited as all its lines.

    An empty file has no lines: its pointer has no fragment, its hash is that of nothing.
    """
    lines = lines or _whole(text)
    return Evidence(format_pointer(node, tree, path, commit, lines), lines, blob, _sha256(text, lines))


def make_folder(node: str, tree: str, path: bytes, commit: str, tree_id: str) -> Evidence:
    """Evidence for a folder: no fragment, no hash, and the id of its git tree as `blob`."""
    return Evidence(format_pointer(node, tree, path, commit), None, tree_id, None)


def dereference(raw: bytes, commit: str, blob: str, lines: tuple[int, int] | None = None) -> Content:
    """The bytes of LINES of the file RAW (None: all), as text where the text gives them back, else in base64.

    Lines of a file that is no text are counted by LF, as git does. A range partly past the end is clamped, and `lines`
    says so; wholly past it is `range_out_of_bounds`.
    """
    text = _large_of(raw, lines) or text_of(raw)
    lines = clamp(lines, text.line_count) if lines else _whole(text)
    part = _bytes(text, lines)
    content, encoding = _spell(text, lines, part)
    return Content(content, lines, commit, blob, sha256(part).hexdigest(), len(part), encoding)


def text_of(raw: bytes) -> Text:
    """RAW as the text whose lines a pointer counts; of a file that is no text, with `BASE64` as its encoding."""
    raw = bytes(raw)
    try:
        return decode(raw)
    except BinaryFile:
        return Text(raw, raw.decode("latin-1"), BASE64)


def _large_of(raw: bytes, lines: tuple[int, int] | None) -> Text | None:
    """RAW as a text that is not held, where that is enough for LINES of it; else None."""
    if isinstance(raw, bytes) or not lines:
        return None
    try:
        text = decoded(raw)
    except (BinaryFile, TooLarge):
        return None
    if not isinstance(text, LargeText) or text.lossy:
        return None
    return text if text.size_of(*clamp(lines, text.line_count)) <= EXACT_BYTES else None


def _whole(text: Text) -> tuple[int, int] | None:
    return (1, text.line_count) if text.line_count else None


def _bytes(text: Text, lines: tuple[int, int] | None) -> bytes:
    whole = not lines or (lines == _whole(text) and not text.large)
    return text.raw if whole or not lines else text.bytes_of(*lines)


def _sha256(text: Text, lines: tuple[int, int] | None) -> str:
    if not isinstance(text, LargeText):
        return sha256(_bytes(text, lines)).hexdigest()
    digest = sha256()
    for piece in text.pieces_of(*lines) if lines else ():
        digest.update(piece)
    return digest.hexdigest()


def _spell(text: Text, lines: tuple[int, int] | None, part: bytes) -> tuple[str, str]:
    if not lines:
        return "", text.encoding
    if text.encoding == BASE64 or not text.exact(*lines):
        return b64encode(part).decode("ascii"), BASE64
    return text.slice(*lines), text.encoding
