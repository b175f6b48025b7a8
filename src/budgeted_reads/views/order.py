"""What is revealed when: one fixed order of reveals for one text and outline (CONTRACT section 2).

Orders are made from bytes and line numbers alone, never from tokens, so one order serves every tokenizer.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from budgeted_reads.outline import Entry, Outline
from budgeted_reads.text import Text
from budgeted_reads.views import code
from budgeted_reads.views.placed import flatten
from budgeted_reads.views.rows import EXTENT, LEAD, LINE, NAME, Reveal


class Order(NamedTuple):
    """The reveals of a text, and which own lines name an entry.

    `named_lines` holds, for each entry that counts as one of the outline, its own line (twice where two share it).
    """

    reveals: tuple[Reveal, ...]
    named_lines: tuple[int, ...]


def order(text: Text, outline: Outline) -> Order:
    """The order for TEXT: every line is shown by its end, every entry is named on the way."""
    make = code.reveals
    if outline.style in ("prose", "plain"):
        from budgeted_reads.views import prose

        make = prose.reveals
    reveals = settle(make(text, outline))
    return Order(reveals, tuple(entry.own for entry in listed(outline.entries)))


def prune(entries: Sequence[Entry], depth: int | None) -> tuple[Entry, ...]:
    """ENTRIES without those whose level is deeper than DEPTH; None keeps all."""
    if depth is None:
        return tuple(entries)
    kept = []
    for entry in entries:
        children = prune(entry.children, depth)
        if entry.level <= depth:
            kept.append(entry._replace(children=children))
        else:
            kept.extend(children)
    return tuple(kept)


def listed(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that an outline lists, in source order: all but fields and constants inside another entry."""
    return [one.entry for one in flatten(entries) if not one.leaf]


def settle(reveals: Iterable[Reveal]) -> tuple[Reveal, ...]:
    """REVEALS without those that would add nothing; a joined one whose predecessor fell away joins what is before."""
    shown: set[int] = set()
    leads: dict[int, int] = {}
    ends: dict[int, int] = {}
    kept: list[Reveal] = []
    for reveal in reveals:
        # The rules of Row.apply, without a Row for each line: this runs over every line of every file that is read.
        line, what, value = reveal[:3]
        if what == LINE:
            if line in shown:
                continue
            shown.add(line)
        elif what == EXTENT:
            if int(value) <= ends.get(line, 0):
                continue
            ends[line] = int(value)
        elif line in shown or (what == NAME and line in leads):
            continue
        elif what == LEAD:
            if int(value) <= leads.get(line, 0):
                continue
            leads[line] = int(value)
        kept.append(reveal)
    if kept and kept[0].joined:
        kept[0] = kept[0]._replace(joined=False)
    return tuple(kept)


def within(source: Order, *, lines: tuple[int, int] | None = None, tier: int | None = None) -> Order:
    """The part of the order that lies in LINES and under the ceiling TIER, in the same sequence."""
    if tier is None and lines is None:
        return source
    reveals: Iterable[Reveal] = source.reveals
    named = source.named_lines
    if tier is not None:
        reveals = [reveal for reveal in reveals if reveal.tier <= tier]
    if lines is not None:
        first, last = lines
        reveals = [reveal for reveal in reveals if first <= reveal.line <= last]
        named = tuple(line for line in named if first <= line <= last)
    return Order(settle(reveals), named)
