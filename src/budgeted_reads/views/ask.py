"""What a caller asks of one text, parsed and typed; how lines are resolved against it."""

from typing import NamedTuple

from budgeted_reads.errors import RangeOutOfBounds
from budgeted_reads.limits import DEFAULT_BUDGET
from budgeted_reads.outline import Range

FINE = ("full", "lines", "section")
"""Views that show every line of what was asked for."""

RANKS = {"full": 0, "lines": 0, "section": 0, "folder": 0, "folded": 1, "outline": 2, "card": 3}
"""How coarse a view is."""


class Lines(NamedTuple):
    """Lines as asked: FIRST..LAST, from FIRST on (`last` None), or the last LAST (`first` None)."""

    first: int | None
    last: int | None


class Ask(NamedTuple):
    """One request for one text (CONTRACT section 3); `number_lines` None leaves the choice to the face."""

    view: str = "auto"
    budget: int = DEFAULT_BUDGET
    lines: Lines | None = None
    columns: Range | None = None
    section: str | tuple[str, ...] | None = None
    depth: int | None = None
    focus: str | None = None
    number_lines: bool | None = None
    on_overflow: str = "degrade"
    include: frozenset[str] = frozenset()


def resolve(lines: Lines, line_count: int) -> tuple[Range, bool]:
    """LINES of a text of LINE_COUNT lines, and whether they had to be cut to it.

    Raises `range_out_of_bounds` where they lie wholly past the end.
    """
    first, last = lines
    if first is None:
        wanted = last or 1
        first, last, clamped = max(1, line_count - wanted + 1), line_count, wanted > line_count
    else:
        clamped = last is not None and last > line_count
        last = line_count if last is None else min(last, line_count)
    if first > line_count:
        raise RangeOutOfBounds(
            f"line {first} is past the end of a file of {line_count} lines",
            f"ask for lines within 1-{line_count}" if line_count else "the file is empty",
            line_count=line_count,
        )
    return (first, last), clamped
