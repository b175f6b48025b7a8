"""All lines of one read, and what they cost: counted, or estimated where counting would be most of the work."""

from collections.abc import Callable
from functools import cached_property
from typing import Literal, NamedTuple

from budgeted_reads.large import LargeText
from budgeted_reads.limits import EXACT_BYTES
from budgeted_reads.outline import Range
from budgeted_reads.text import Text
from budgeted_reads.views.sheet import Sheet

Part = Literal["text", "range", "aside"]

ASIDE_BYTES = 65536
"""Of a text that cannot be held, what an answer does not show is counted up to this size, above it is estimated."""

SAMPLES, SAMPLE = 64, 4096
"""How many pieces of how many code points an estimate of a large text is made from."""


class Ink(NamedTuple):
    """How lines are written and paid: with labels or without, in UNITS, out of BUDGET tokens."""

    numbered: bool
    units: Callable[[str], int]
    budget: int


class Whole:
    """LINES of one text, shown in full.

    `part` says what they are: the whole text, a range of it that was asked for, or lines that stand aside of what is
    asked for, whose cost is only told (a fold, a next read).
    """

    def __init__(self, sheet: Sheet, lines: Range, part: Part, ink: Ink) -> None:
        self.sheet = sheet
        self.text = sheet.text
        self.lines = lines
        self.part = part
        self.ink = ink

    def content_of(self, lines: Range) -> str:
        """Every line of LINES: raw, or labelled."""
        if self.ink.numbered:
            return self.sheet.labelled(lines)
        return self.text.slice(*lines) if lines[1] >= lines[0] else ""

    @cached_property
    def content(self) -> str:
        """Every line: raw, or labelled."""
        return self.content_of(self.lines)

    @cached_property
    def exact(self) -> bool:
        """Whether the cost is counted; it is estimated where the text is large and far over the budget."""
        if isinstance(self.text, LargeText):
            # What is not the answer itself, a fold or a next read, may be most of a text that cannot be held.
            return self.text.size_of(*self.lines) <= (ASIDE_BYTES if self.part == "aside" else EXACT_BYTES)
        if len(self.text.raw) <= EXACT_BYTES or self.part != "text":
            return True
        return self._estimate() <= 4 * self.ink.budget

    @property
    def can_be_held(self) -> bool:
        """Whether all of it fits into memory."""
        return self.exact or not self.text.large

    @cached_property
    def units(self) -> int:
        """What the content costs without its header."""
        return self.ink.units(self.content) if self.exact else self._estimate()

    def _estimate(self) -> int:
        if isinstance(self.text, LargeText):
            units = units_of(self.text, self.ink.units)
            units = units * self.text.size_of(*self.lines) // max(1, len(self.text.raw))
        else:
            content = self.text.content
            step = max(1, len(content) // SAMPLES)
            pieces = [content[at : at + SAMPLE] for at in range(0, len(content), step)]
            units = sum(map(self.ink.units, pieces)) * len(content) // max(1, sum(map(len, pieces)))
        count = max(0, self.lines[1] - self.lines[0] + 1)
        return units + 3 * count if self.ink.numbered else units


def units_of(text: Text, units: Callable[[str], int]) -> int:
    """The UNITS of TEXT, of one that cannot be held by a sample."""
    if not isinstance(text, LargeText):
        return units(text.content)
    size = sum(len(piece.encode("utf-8", "surrogatepass")) for piece in text.sample)
    return sum(map(units, text.sample)) * len(text.raw) // max(1, size)
