"""The honest account of a view: the facts it gives, what it folds, what it leaves out."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from budgeted_reads.limits import MAX_FOLDS
from budgeted_reads.outline import Entry, Range
from budgeted_reads.views.rows import LINE, Reveal
from budgeted_reads.views.sections import Named, innermost


class Fact(NamedTuple):
    """An entry, by its own line and dotted name."""

    line: int
    name: str


class Facts(NamedTuple):
    """What an answer gives: entries named, extents given, signatures shown, and the ranges of lines shown."""

    named: tuple[Fact, ...]
    extents: tuple[Fact, ...]
    signatures: tuple[Fact, ...]
    lines: tuple[Range, ...]


class Fold(NamedTuple):
    """Lines that are not shown, the least budget that returns them, and the entry that they lie in."""

    lines: Range
    tokens: int
    entry: str | None


def shown_lines(reveals: Iterable[Reveal]) -> list[int]:
    """The lines that REVEALS show whole, in order."""
    return sorted({reveal.line for reveal in reveals if reveal.what == LINE})


def facts(everything: Sequence[Named], reveals: Sequence[Reveal] | None, lines: Range) -> Facts:
    """The facts of a prefix within LINES, or of the whole where REVEALS is None.

    A shown line gives the facts of the entries that start on it.
    """
    first, last = lines
    inside = [one for one in everything if first <= one.entry.own <= last]
    if reveals is None:
        every = tuple(Fact(one.entry.own, one.name) for one in inside)
        whole = tuple(Fact(one.entry.own, one.name) for one in inside if _signature(one.entry)[1] <= last)
        return Facts(every, every, whole, (lines,) if first <= last else ())
    shown = set(shown_lines(reveals))
    names: dict[int, int] = {}
    extents: set[int] = set()
    for reveal in reveals:
        if reveal.what < LINE:
            names[reveal.line] = names.get(reveal.line, 0) + 1
        elif reveal.what > LINE:
            extents.add(reveal.line)
    named, extended, signed = [], [], []
    for one in inside:
        own = one.entry.own
        fact = Fact(own, one.name)
        if own in shown or names.get(own, 0) > 0:
            named.append(fact)
            names[own] = names.get(own, 0) - 1
        if own in extents or (own in shown and one.entry.end == own):
            extended.append(fact)
        start, end = _signature(one.entry)
        if own in shown and all(number in shown for number in range(start, end + 1)):
            signed.append(fact)
    return Facts(tuple(named), tuple(extended), tuple(signed), tuple(ranges(sorted(shown))))


def _signature(entry: Entry) -> Range:
    return entry.signature_lines or (entry.own, entry.own)


def ranges(numbers: Sequence[int]) -> list[Range]:
    """Increasing NUMBERS as runs."""
    found: list[Range] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def hidden(shown: Sequence[int], lines: Range) -> list[Range]:
    """The runs of LINES that SHOWN leaves out, at most MAX_FOLDS: neighbours with the least between them are merged."""
    found: list[Range] = []
    at = lines[0]
    for first, last in ranges(shown):
        if first > at:
            found.append((at, first - 1))
        at = last + 1
    if at <= lines[1]:
        found.append((at, lines[1]))
    if len(found) <= MAX_FOLDS:
        return found
    # Cut only at the widest shown stretches: the MAX_FOLDS - 1 largest gaps between hidden runs stay open.
    gaps = sorted(range(1, len(found)), key=lambda at: (found[at - 1][1] - found[at][0], at))[: MAX_FOLDS - 1]
    merged, begin = [], 0
    for cut in [*sorted(gaps), len(found)]:
        merged.append((found[begin][0], found[cut - 1][1]))
        begin = cut
    return merged


def folds(shown: Sequence[int], lines: Range, everything: Sequence[Named], cost: Callable[[Range], int]) -> list[Fold]:
    """The folds of a view, each with its COST and the innermost entry that holds all of it."""
    found = []
    for run in hidden(shown, lines):
        around = [one for one in everything if one.entry.start <= run[0] and run[1] <= one.entry.end]
        inner = innermost(around, run[0])
        found.append(Fold(run, cost(run), inner.name if inner else None))
    return found
