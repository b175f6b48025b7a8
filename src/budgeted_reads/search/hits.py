"""What an engine found, before it is known how much of it fits."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from budgeted_reads.outline import Range, Warned
from budgeted_reads.search.answer import Totals
from budgeted_reads.search.scope import Scope, Source


class Hits(NamedTuple):
    """What an engine found: the files in order, each with its matches; equal files behind theirs (`same_as`).

    `ranked` has the matches best first, each with the number of its file, where their order is not that of the files;
    `finish` completes one that is shown.
    """

    files: list["FoundFile"]
    totals: Totals
    engine: str
    index_state: str = "cold"
    ranked: "tuple[tuple[int, Ranked], ...] | None" = None
    warnings: tuple[Warned, ...] = ()
    finish: "Callable[[FoundFile, Ranked], Ranked] | None" = None


class Ranked(NamedTuple):
    """What answers a question: its lines, those that match best, its score, and the part that was found.

    The lines are those of an `entry`, from its own line on, where that stands in the part; else they are the part.
    """

    lines: Range
    marks: tuple[int, ...]
    score: float | None = None
    part: Range = (1, 1)
    entry: bool = False


class FoundFile(NamedTuple):
    """One file with its matches: matching lines, or, of a ranked search, entries."""

    scope: Scope
    source: Source
    matches: Sequence[int] | Sequence[Ranked]
    same_as: int | None = None
