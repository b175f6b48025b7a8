"""Counters whose vocabulary comes inside an installed package: splintr, behind this one file.

Only `encode_ordinary` is called: the package's other encoders read special-token text such as `<|endoftext|>` as a
control token, and its parallel ones hang in a forked child.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from threading import Lock

from budgeted_reads.tokens.base import Counter
from budgeted_reads.tokens.pieces import CUT_COST, PIECE, pieces

_loading = Lock()
_encoders: dict[str, Callable[[str], Sequence[int]]] = {}


class Vocabulary(Counter):
    """Exact tokens of the vocabulary NAME, loaded at the first count (40-120 ms), once per process."""

    def __init__(self, name: str) -> None:
        self.name = name

    def units(self, text: str) -> int:
        """Tokens of TEXT, in time linear in its length; above the exact count only for runs that pieces.py names."""
        text = self.prepared(text)
        if len(text) <= PIECE:
            return self.count(text)
        return sum(self.count(piece) + cut * CUT_COST for piece, cut in pieces(text))

    def prepared(self, text: str) -> str:
        """TEXT as the vocabulary takes it."""
        return text

    def count(self, text: str) -> int:
        """Tokens of TEXT, whatever its length, in one call of the encoder."""
        return len(encoder(self.name)(text))


class Qwen(Vocabulary):
    """Qwen's tokenizer, whose first step is NFC."""

    def prepared(self, text: str) -> str:
        """TEXT in NFC; a run of over 255 combining marks, which no writing has, is composed in parts.

        Composing takes time in the square of such a run.
        """
        if text.isascii():
            return text
        return "".join(unicodedata.normalize("NFC", part) for part in _long_marks().split(text))


class Gemma(Vocabulary):
    """Gemma 3's tokenizer, to which 70 HTML tags such as `<td>` are one token each, wherever they stand."""

    def count(self, text: str) -> int:
        """Tokens of TEXT; the tags are cut out first, since the package splits them as plain text."""
        encode = encoder(self.name)
        if "<" not in text:
            return len(encode(text))
        parts = _tags().split(text)
        return sum(len(encode(part)) for part in parts if part) + len(parts) - 1


def encoder(name: str) -> Callable[[str], Sequence[int]]:
    """Text to the token ids of the vocabulary NAME; one object per process, shared by all threads."""
    found = _encoders.get(name)
    if found is None:
        with _loading:
            found = _encoders.get(name) or _load(name)
            _encoders[name] = found
    return found


def _load(name: str) -> Callable[[str], Sequence[int]]:
    import splintr

    encode: Callable[[str], Sequence[int]] = splintr.Tokenizer.from_pretrained(name).encode_ordinary

    def whole(text: str) -> Sequence[int]:
        try:
            return encode(text)
        except UnicodeEncodeError:
            return encode(re.sub("[\ud800-\udfff]", "\ufffd", text))

    return whole


@cache
def _long_marks() -> re.Pattern[str]:
    marks = "".join(chr(code) for code in range(0x300, 0x1F000) if unicodedata.combining(chr(code)))
    return re.compile(f"([{marks}]{{256}})")


_TAG_NAMES = (
    "table caption thead tbody tfoot tr th td h1 h2 h3 h4 h5 h6 blockquote strong em b i u s sub sup code "
    "a html body img span bbox ul li div iframe footer"
)


@cache
def _tags() -> re.Pattern[str]:
    return re.compile(f"</?(?:{'|'.join(_TAG_NAMES.split())})>")
