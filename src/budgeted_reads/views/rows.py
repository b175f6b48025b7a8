"""Rows: what a view between the card and the raw text is made of (CONTRACT section 2).

One row stands for one source line and starts with its number. A row grows by reveals and only ever grows: a name, a
lead, the line itself; and, beside that, the extent of the entry that the line opens.
"""

from collections.abc import Iterable
from typing import NamedTuple

NAME, LEAD, LINE, EXTENT = range(4)
"""What a reveal adds to the row of its line."""

OUTLINE, FOLDED, ALL = range(3)
"""The tiers: the coarsest explicit view whose ceiling still admits a reveal."""

CLIP = "…"

NAME_BYTES = 200
"""A longer name is clipped in its name row."""


class Reveal(NamedTuple):
    """One growth of one row.

    `value` is the name to add (NAME), the code points of the line to show (LEAD), or the last line (EXTENT). A reveal
    that is `joined` never stands without the one before it.
    """

    line: int
    what: int
    value: str | int = 0
    tier: int = OUTLINE
    joined: bool = False


class Row:
    """The state of one row. Whatever is applied to it, it never loses what it showed."""

    __slots__ = ("end", "lead", "names", "shown")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.lead = 0
        self.shown = False
        self.end = 0

    def apply(self, reveal: Reveal) -> bool:
        """Grow by REVEAL; False if it adds nothing."""
        what, value = reveal.what, reveal.value
        if what == LINE:
            grown, self.shown = not self.shown, True
            return grown
        if what == EXTENT:
            grown = int(value) > self.end
            self.end = max(self.end, int(value))
            return grown
        if self.shown:
            return False
        if what == LEAD:
            grown = int(value) > self.lead
            self.lead = max(self.lead, int(value))
            return grown
        if self.lead:
            return False
        self.names.append(str(value))
        return True

    def render(self, number: int, line: str) -> str:
        """The row as text, with its LF; LINE is the source line without its LF."""
        label = f"{number}-{self.end}" if self.end > number else str(number)
        if self.shown:
            body = line[:-1] if line.endswith("\r") else line
        elif self.lead:
            body = f"{line[: self.lead].rstrip()} {CLIP}"
        else:
            body = " ".join(self.names)
        return f"{label} {body}\n" if body else f"{label}\n"


def replay(reveals: Iterable[Reveal]) -> dict[int, Row]:
    """The rows by line number after REVEALS."""
    rows: dict[int, Row] = {}
    for reveal in reveals:
        rows.setdefault(reveal.line, Row()).apply(reveal)
    return rows


def clip_name(name: str) -> str:
    """NAME on one line, at most NAME_BYTES long, marked where it was cut."""
    name = " ".join(name.split())
    if len(name.encode("utf-8", "surrogatepass")) <= NAME_BYTES:
        return name
    cut = name.encode("utf-8", "surrogatepass")[: NAME_BYTES - 4].decode("utf-8", "ignore").rstrip()
    return cut + CLIP
