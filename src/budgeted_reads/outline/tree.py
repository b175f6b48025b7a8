"""From entries in the making to finished ones: nesting, column windows. Shared by every format with nested parts."""

from typing import NamedTuple

from budgeted_reads.outline.entry import Entry


class Draft(NamedTuple):
    """An entry and the span of code points or bytes that it takes; `span` is what columns are made from."""

    entry: Entry
    span: tuple[int, int]


def shares_line(drafts: list[Draft], at: int, parent: Entry | None) -> bool:
    """Whether the one-line entry DRAFTS[AT] has a line in common with a sibling or with the head of its parent."""
    entry = drafts[at].entry
    if entry.start != entry.end:
        return False
    if parent is not None and (parent.start == parent.end or _head(parent) >= entry.start):
        return True
    before = at > 0 and drafts[at - 1].entry.end == entry.start
    return before or (at + 1 < len(drafts) and drafts[at + 1].entry.start == entry.end)


def _head(parent: Entry) -> int:
    return parent.signature_lines[1] if parent.signature_lines else parent.own
