"""Secret files: the names in them and nothing of their values (CONTRACT section 4)."""

from collections.abc import Sequence
from functools import cached_property

from budgeted_reads.outline import Entry, Outline, Warned
from budgeted_reads.views.ask import Ask
from budgeted_reads.views.face import Face
from budgeted_reads.views.order import Order
from budgeted_reads.views.reading import Reading
from budgeted_reads.views.rows import NAME, Reveal, clip_name
from budgeted_reads.views.sheet import Sheet
from budgeted_reads.views.view import More

WARNED = Warned("secret_file", "names only: a view that is named shows the values")


def names_outline(names: Sequence[tuple[int, str]], shape: Outline) -> Outline:
    """The outline of a secret file of that SHAPE by the NAMES that may be shown, each with its line."""
    entries = tuple(Entry(name, "key", 1, line, line, line) for line, name in names)
    # What an outline warns of may repeat what stands in the file; its code never does.
    warnings = tuple(Warned(warned.code, "a view that is named says more") for warned in shape.warnings)
    return Outline(entries, shape.format, shape.language, shape.style, warnings=warnings)


class Names(Reading):
    """A read that names the keys of a secret file and shows no line of it.

    NAMES is the text with the outline of names: sections are found in it alone. OPEN has the outline that a view that
    is named reads, and every price is of such a view.
    """

    def __init__(self, names: Sheet, open: Sheet, ask: Ask, face: Face) -> None:
        super().__init__(names, ask, face)
        self.open = open
        self.warnings.append(WARNED)

    @property
    def may_show_all(self) -> bool:
        """Never: the whole must be asked for by name."""
        return False

    @property
    def fine(self) -> str:
        """The view to name for every line: a name of a secret file is no section of it."""
        return "lines" if self.range else "full"

    @cached_property
    def full(self) -> int:
        """The least budget that shows everything asked for, asked for by name."""
        return Reading(self.open, self.plain(self.fine), self.face, self.range).full

    @cached_property
    def order(self) -> Order:
        """Name rows, in the order of the lines."""
        first, last = self.lines
        entries = [entry for entry in self.source.outline.entries if first <= entry.own <= last]
        reveals = tuple(Reveal(entry.own, NAME, clip_name(entry.title)) for entry in entries)
        return Order(reveals, tuple(entry.own for entry in entries))

    def again(self, view: str) -> Reading:
        """A read of the same lines that names VIEW, and so shows values."""
        return Reading(self.open, self.plain(view), self.other, self.range)

    def cost_of_lines(self, lines: tuple[int, int]) -> int:
        """The least budget that returns LINES to a read that names them."""
        return Reading(self.open, self.plain("lines"), self.other, lines).full

    def next_reads(self, view: str, shown: Sequence[int]) -> list[More]:
        """The whole, by name."""
        return [More(self.fine, self.again(self.fine).full, lines=self.range)]
