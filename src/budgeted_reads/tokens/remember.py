"""A counter that remembers what it has counted: no text is counted twice, no vocabulary loaded without need."""

from hashlib import blake2b

from budgeted_reads.limits import REMEMBERED_TEXTS
from budgeted_reads.tokens.base import Counter

Counts = dict[int, int]
"""Units by a 64-bit hash of the text that has them."""

_DIGITS = str.maketrans("0123456789", "1111111111")


class Remembered(Counter):
    """COUNTER with two memories: of the texts of one file, and of the numbers in headers, which all files share."""

    def __init__(self, counter: Counter, texts: Counts, headers: Counts) -> None:
        self._counter = counter
        self.name = counter.name
        self.exact = counter.exact
        self.texts = texts
        self.headers = headers
        self.learned = False

    def units(self, text: str) -> int:
        """Units of TEXT, from memory where it was counted before."""
        return self._remembered(self.texts, text)

    def header_units(self, tail: str) -> int:
        """Units of the part of a header that begins with the space before its numbers.

        Every vocabulary splits digits by their number alone, so one count serves all numbers of the same length.
        """
        return self._remembered(self.headers, tail.translate(_DIGITS))

    def tokens(self, units: int, kind: str) -> int:
        """As the counter reports."""
        return self._counter.tokens(units, kind)

    def bound(self, units: int, kind: str) -> int:
        """As the counter bounds."""
        return self._counter.bound(units, kind)

    def _remembered(self, memory: Counts, text: str) -> int:
        key = int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        units = memory.get(key)
        if units is None:
            units = self._counter.units(text)
            if len(memory) < REMEMBERED_TEXTS:
                memory[key] = units
                self.learned = True
        return units
