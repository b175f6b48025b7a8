"""A text with its outline, and what every read of them needs: each found once, and only where it is asked for."""

from functools import cached_property

from budgeted_reads.outline import Outline, Range
from budgeted_reads.text import Text
from budgeted_reads.views.fit import Naming, naming_of
from budgeted_reads.views.order import Order, order, prune
from budgeted_reads.views.placed import flatten
from budgeted_reads.views.sections import Index


class Sheet:
    """Several reads of one text may share a sheet; nothing in it depends on a request or a tokenizer."""

    def __init__(self, text: Text, outline: Outline) -> None:
        self.text = text
        self.outline = outline

    @cached_property
    def lines(self) -> list[str]:
        """All lines without their LF."""
        return self.text.lines()

    @cached_property
    def index(self) -> Index:
        """The entries by name."""
        return Index(self.outline.entries)

    @cached_property
    def order(self) -> Order:
        """The order of the whole text."""
        return order(self.text, self.outline)

    @cached_property
    def naming(self) -> Naming:
        """When the order names which entry."""
        return naming_of(self.order)

    @cached_property
    def ends(self) -> dict[int, int]:
        """The extents that rows of own lines have."""
        ends: dict[int, int] = {}
        for entry, *_ in flatten(self.outline.entries):
            if entry.end > entry.own:
                ends[entry.own] = max(entry.end, ends.get(entry.own, 0))
        return ends

    def to_depth(self, depth: int | None) -> "Sheet":
        """This sheet without the entries below DEPTH; itself for None."""
        if depth is None:
            return self
        return Sheet(self.text, self.outline._replace(entries=prune(self.outline.entries, depth)))

    def labelled(self, lines: Range) -> str:
        """Every line of LINES as a row, with the extents of entries: what the whole order comes to."""
        ends = self.ends
        rows = []
        for number, line in enumerate(self.lines[lines[0] - 1 : lines[1]], lines[0]):
            label = f"{number}-{ends[number]}" if number in ends else str(number)
            body = line[:-1] if line.endswith("\r") else line
            rows.append(f"{label} {body}\n" if body else f"{label}\n")
        return "".join(rows)
