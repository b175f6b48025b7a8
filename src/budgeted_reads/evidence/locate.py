"""Where cited lines are now: from the lines of a commit to those of another version of the file. Pure.

Hunks without context map what no edit has touched. What was touched is looked for as a whole block, which must stand
exactly once in both versions, and then by what it has in common with a part of the new text, with a score.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from budgeted_reads.outline import Range
from budgeted_reads.text import Text

LEAST_OVERLAP = 0.5
"""Lines that have less in common with the cited ones are not taken for them."""

TELLING = 8
"""A block with fewer letters and digits (a brace, a blank line) tells nothing by standing somewhere else."""

FUZZY_LINES = 100_000
"""In a file of more lines nothing is looked for by likeness."""

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_WORD = re.compile(rb"\w+|[^\w\s]")


class Hunk(NamedTuple):
    """`old_count` lines from `old` on became `new_count` lines from `new` on, in the numbers of `git diff -U0`.

    Where a count is 0 its line number is that of the line before: `-7,0` inserts behind line 7.
    """

    old: int
    old_count: int
    new: int
    new_count: int


class Located(NamedTuple):
    """`state` is unchanged, moved, changed or deleted; `lines` are those of the new version, None where deleted.

    Lines of unchanged and moved have the same bytes. `overlap`, of changed, is the share of what is the same, 0 to 1.
    """

    state: str
    lines: Range | None = None
    overlap: float | None = None


class Lines:
    """The exact bytes of the lines of a file, each with its line end."""

    __slots__ = ("_stripped", "raw", "starts")

    def __init__(self, text: Text) -> None:
        self.raw = text.raw
        self._stripped: list[bytes] | None = None
        self.starts = text.byte_starts

    def __len__(self) -> int:
        return len(self.starts) - 1

    def block(self, first: int, last: int) -> bytes:
        """Lines FIRST..LAST, 1-based."""
        return self.raw[self.starts[first - 1] : self.starts[last]]

    def each(self, first: int, last: int) -> list[bytes]:
        """Lines FIRST..LAST one by one."""
        return [self.block(number, number) for number in range(first, last + 1)]

    @property
    def stripped(self) -> list[bytes]:
        """All lines without the white space around them."""
        if self._stripped is None:
            self._stripped = [line.strip() for line in self.each(1, len(self))]
        return self._stripped

    def find(self, block: bytes) -> list[int]:
        """The numbers of the lines at which BLOCK starts as whole lines: at most two of them."""
        found: list[int] = []
        at = self.raw.find(block)
        while at >= 0 and len(found) < 2:
            line = bisect_left(self.starts, at)
            end = at + len(block)
            if self.starts[line] == at and self.starts[bisect_left(self.starts, end)] == end:
                found.append(line + 1)
            at = self.raw.find(block, at + 1)
        return found


def parse_hunks(patch: bytes) -> tuple[Hunk, ...]:
    """The hunks of PATCH, the difference of two files as `git diff -U0` prints it."""
    found = (_HUNK.match(line) for line in patch.split(b"\n"))
    return tuple(
        Hunk(int(m[1]), 1 if m[2] is None else int(m[2]), int(m[3]), 1 if m[4] is None else int(m[4]))
        for m in found
        if m
    )


def mapped(hunks: Sequence[Hunk], lines: Range) -> Range | None:
    """Where the old LINES are in the new version, None where a hunk touches them."""
    first, last = lines
    shift = 0
    for hunk in hunks:
        # An insertion stands between two lines: behind `old`. It touches what has lines on both sides of it.
        begin, end = (hunk.old, hunk.old + hunk.old_count - 1) if hunk.old_count else (hunk.old + 1, hunk.old)
        if end < first:
            shift += hunk.new_count - hunk.old_count
        elif begin > last:
            break
        else:
            return None
    return first + shift, last + shift


def locate(old: Lines, new: Lines, lines: Range, hunks: Sequence[Hunk] | None) -> Located:
    """Where LINES of OLD are in NEW; HUNKS are the difference, None where it could not be had."""
    first, last = lines
    block = old.block(first, last)
    same = mapped(hunks, lines) if hunks is not None else None
    if same is not None and same[1] <= len(new) and new.block(*same) == block:
        return Located("unchanged" if same == lines else "moved", same)
    if len(re.findall(rb"\w", block)) >= TELLING and len(old.find(block)) == 1:
        places = new.find(block)
        if len(places) == 1:
            found = places[0], places[0] + last - first
            return Located("unchanged" if found == lines else "moved", found)
    tries = [_in_place(old, new, lines, hunks or ()), _window(old.each(first, last), new, first)]
    best = max((one for one in tries if one is not None), key=lambda one: one[1], default=None)
    if best is None or best[1] < LEAST_OVERLAP:
        return Located("deleted")
    # What has the same parts in another order is not the same: the score of changed lines stays below 1.
    return Located("changed", best[0], min(round(best[1], 2), 0.99))


def _in_place(old: Lines, new: Lines, lines: Range, hunks: Sequence[Hunk]) -> tuple[Range, float] | None:
    """The new lines that stand between what stood around LINES, with what their words have in common."""
    first, last = lines
    begin, end = first, last
    for hunk in hunks:
        past = hunk.old + max(hunk.old_count, 1) - 1
        gained = hunk.new_count - hunk.old_count
        if past < first:
            begin += gained
            end += gained
        elif hunk.old + (not hunk.old_count) <= last:
            end += gained
            if hunk.old < first:  # the hunk begins above: all that it put there may be what the lines became
                begin = hunk.new + (not hunk.new_count)
            if past > last:
                end = hunk.new + hunk.new_count - (1 if hunk.new_count else 0)
    end = min(end, len(new))
    if not 1 <= begin <= end:
        return None
    before, now = (Counter(_WORD.findall(text)) for text in (old.block(first, last), new.block(begin, end)))
    total = before.total() + now.total()
    return ((begin, end), 2 * (before & now).total() / total) if total else None


def _window(block: list[bytes], new: Lines, near: int) -> tuple[Range, float] | None:
    """As many lines as BLOCK has that share the most with it, nearest to line NEAR among equals; blank ones aside."""
    wanted = Counter(line.strip() for line in block)
    del wanted[b""]
    total, size = wanted.total(), len(block)
    if not total or len(new) > FUZZY_LINES:
        return None
    rows = new.stripped
    inside: Counter[bytes] = Counter()
    shared, best = 0, (0, 0, 0)
    for number, row in enumerate(rows, 1):
        if row in wanted:
            inside[row] += 1
            shared += inside[row] <= wanted[row]
        if number > size and (gone := rows[number - size - 1]) in wanted:
            shared -= inside[gone] <= wanted[gone]
            inside[gone] -= 1
        first = max(1, number - size + 1)
        best = max(best, (shared, -abs(first - near), first))
    shared, _, first = best
    if not shared:
        return None
    last = min(first + size - 1, len(rows))
    while rows[first - 1] not in wanted:
        first += 1
    while rows[last - 1] not in wanted:
        last -= 1
    return (first, last), shared / total
