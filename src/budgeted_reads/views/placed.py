"""Where each entry stands among the others, and which of them can wait until the rest is named."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from budgeted_reads.outline import LEAF_KINDS, Entry

FIRST_ITEMS = 2
"""So many elements of a list are named, with all that they hold, before the others."""

TELLING = ("name", "title", "id", "key", "label", "path", "type")
"""What names an element of a list, the best first."""

_made = tuple.__new__
"""Makes a value of all its fields: the usual way takes three times as long."""


class Placed(NamedTuple):
    """An entry, how deep it is nested, and whether it is a field or constant inside another entry.

    `later` is 0 but for what stands in an element of a list behind the first ones, which tell what each of them holds:
    1 for that element and the child that tells it from the others, 2 for the rest.
    """

    entry: Entry
    depth: int
    leaf: bool
    later: int = 0


def flatten(entries: Sequence[Entry]) -> Iterator[Placed]:
    """All entries in source order, parents before their children; never recursive."""
    stack = [Placed(entry, 0, False, _later(entry, at)) for at, entry in enumerate(entries)]
    stack.reverse()
    while stack:
        placed = stack.pop()
        yield placed
        children, depth = placed.entry.children, placed.depth + 1
        if placed.later:
            told = _telling(children) if placed.entry.kind == "item" and placed.later == 1 else None
            below = [_made(Placed, (one, depth, one.kind in LEAF_KINDS, 1 if one is told else 2)) for one in children]
        else:
            below = [
                _made(Placed, (one, depth, one.kind in LEAF_KINDS, _later(one, at))) for at, one in enumerate(children)
            ]
        stack.extend(reversed(below))


def _later(entry: Entry, at: int) -> int:
    return int(at >= FIRST_ITEMS and entry.kind == "item")


def _telling(children: Sequence[Entry]) -> Entry | None:
    """The child that tells an element from others: one that names it, else the first that is one line."""
    short = [child for child in children if child.start == child.end and not child.children]
    named = (child for word in TELLING for child in short if child.title == word)
    return next(named, short[0] if short else None)


def minor(placed: Sequence[Placed]) -> set[Entry]:
    """What is named after the rest: macros, cells, modules that stand elsewhere, and what a type does for a trait."""
    found: set[Entry] = set()
    under = -1
    for entry, depth, *_ in placed:
        if depth <= under:
            under = -1
        trait = entry.kind == "impl" and " for " in entry.title
        elsewhere = entry.kind == "module" and entry.body is None and not entry.children
        if under >= 0 or trait or elsewhere or entry.kind in ("macro", "cell"):
            found.add(entry)
            under = depth if under < 0 else under
    return found
