"""Counters for models whose tokenizer is not published: an estimate, and the bound that a budget is held by.

The bounds are observed 99th percentiles, not proofs; docs/guide/tokens.md says how each was measured.
"""

from budgeted_reads.tokens.base import Counter

CLAUDE = {
    "cyrillic": (150, 190),
    "prose": (150, 200),
    "cjk": (155, 205),
    "data": (145, 210),
    "code": (155, 225),
    "markup": (155, 225),
    "minified": (160, 235),
    "latin": (175, 245),
    "unknown": (210, 280),
}
"""By kind, per cent of o200k_base: the median, and a bound that 99 of 100 windows, less SHORT, stay within."""

SHORT = 4
"""Tokens added to each bound: the shorter a text, the further from the median it may lie."""

GEMINI = 102
"""Per cent of gemma3. Google's own client counts with this vocabulary or a later one of equal counts; 2 in reserve."""


class Claude(Counter):
    """Estimates Claude's newest public tokenizer (4.7 and later) from tokens of o200k_base, by kind of text."""

    name = "claude"
    exact = False

    def __init__(self, base: Counter) -> None:
        self._base = base

    def units(self, text: str) -> int:
        """Tokens of TEXT in o200k_base."""
        return self._base.units(text)

    def tokens(self, units: int, kind: str) -> int:
        """UNITS by the median ratio of KIND."""
        return _percent(units, CLAUDE[kind][0])

    def bound(self, units: int, kind: str) -> int:
        """UNITS by the 99th percentile of KIND, and SHORT; 0 for 0."""
        return _percent(units, CLAUDE[kind][1]) + SHORT if units else 0


class Gemini(Counter):
    """Estimates Gemini's tokenizer by Gemma 3's; one ratio for every kind of text."""

    name = "gemini"
    exact = False

    def __init__(self, base: Counter) -> None:
        self._base = base

    def units(self, text: str) -> int:
        """Tokens of TEXT in gemma3."""
        return self._base.units(text)

    def tokens(self, units: int, kind: str) -> int:
        """UNITS themselves."""
        return units

    def bound(self, units: int, kind: str) -> int:
        """UNITS and 2 per cent."""
        return _percent(units, GEMINI)


def _percent(units: int, rate: int) -> int:
    return -(-units * rate // 100)
