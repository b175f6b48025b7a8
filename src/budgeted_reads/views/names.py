"""Secret files: the names in them and nothing of their values (CONTRACT section 4)."""

from collections.abc import Sequence
from functools import cached_property

from budgeted_reads.outline import Entry, Outline, Warned
from budgeted_reads.views.order import Order
from budgeted_reads.views.reading import Reading
from budgeted_reads.views.rows import NAME, Reveal, clip_name

STYLE = "names"
"""The style of an outline whose text must not be shown."""


def names_outline(names: Sequence[tuple[int, str]], format_: str) -> Outline:
    """The outline of a secret file by the NAMES that may be shown, each with its line."""
    entries = tuple(Entry(name, "key", 1, line, line, line) for line, name in names)
    warned = Warned("secret_file", "names only: a view that is named shows the values")
    return Outline(entries, format_, None, STYLE, warnings=(warned,))


class Names(Reading):
    """A read that names the keys of a secret file and shows no line of it."""

    @property
    def may_show_all(self) -> bool:
        """Never: the whole must be asked for by name."""
        return False

    @cached_property
    def order(self) -> Order:
        """Name rows, in the order of the lines."""
        entries = self.source.outline.entries
        reveals = tuple(Reveal(entry.own, NAME, clip_name(entry.title)) for entry in entries)
        return Order(reveals, tuple(entry.own for entry in entries))
