"""The counters by name.

A counter counts *units*: exact tokens of a public vocabulary. Units of texts that each end in LF add exactly where the
next one starts with a digit (a row) or with anything but white space and `/`; `evidence` in docs/parts.md. What an
answer costs in the named tokenizer follows from its units: equal for exact tokenizers, a ratio for closed ones.
"""

from functools import cache
from typing import Any

from budgeted_reads.errors import UnknownTokenizer

DEFAULT = "o200k_base"
NAMES = ("o200k_base", "cl100k_base", "bytes")


class Counter:
    """Counts by one tokenizer. `exact` is about the named tokenizer only."""

    exact = True
    name = DEFAULT

    def units(self, text: str) -> int:
        """Tokens of TEXT in the vocabulary behind this counter; special-token text is plain text."""
        raise NotImplementedError

    def tokens(self, units: int, kind: str) -> int:
        """The count to report for UNITS of text of that KIND (code, prose, cjk, cyrillic, latin, markup, data, unknown)."""
        return units

    def bound(self, units: int, kind: str) -> int:
        """The count that the budget is held by: equal to `tokens` for an exact counter, never below it."""
        return units


class _Vocabulary(Counter):
    def __init__(self, name: str) -> None:
        self.name = name
        self._encode: Any = None

    def units(self, text: str) -> int:
        if self._encode is None:
            import splintr

            self._encode = splintr.Tokenizer.from_pretrained(self.name).encode_ordinary
        return len(self._encode(text))


class _Bytes(Counter):
    name = "bytes"

    def units(self, text: str) -> int:
        return len(text.encode("utf-8", "surrogatepass"))


@cache
def counter(name: str) -> Counter:
    """The counter NAME, or `unknown_tokenizer` with the names there are. Loads no vocabulary until it counts."""
    if name == "bytes":
        return _Bytes()
    if name in NAMES:
        return _Vocabulary(name)
    raise UnknownTokenizer(f"no tokenizer {name!r}", f"use one of {', '.join(NAMES)}")
