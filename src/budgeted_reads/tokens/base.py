"""What every counter is to the rest of the product."""


class Counter:
    """Counts text by one tokenizer, in *units* that add up and in *tokens* that follow from them.

    A unit is a token of a public vocabulary. Units add exactly over texts that each end in LF where the next one
    starts with a digit, as the rows of a view do: `units(a + b) == units(a) + units(b)`. For an exact counter a token
    is a unit. For a tokenizer that is not public, `tokens` is an estimate and `bound` what the budget is held by.
    """

    name: str
    exact = True
    """Whether `tokens` is what the named tokenizer itself gives; says nothing of other models."""

    def units(self, text: str) -> int:
        """Units of TEXT, >= 0: special-token text is plain text, a lone surrogate U+FFFD. Safe with threads."""
        raise NotImplementedError

    def header_units(self, tail: str) -> int:
        """Units of TAIL, the part of a header from the space before its numbers on; they add to those before it."""
        return self.units(tail)

    def tokens(self, units: int, kind: str) -> int:
        """The count to report for UNITS of text of that KIND, one of KINDS; monotone in UNITS."""
        return units

    def bound(self, units: int, kind: str) -> int:
        """The count that the budget is held by: monotone in UNITS, never below `tokens`, 0 for 0."""
        return units
