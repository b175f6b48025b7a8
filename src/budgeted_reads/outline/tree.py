"""From entries in the making to finished ones: lines from offsets, column windows, shared by all nested formats."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from budgeted_reads.outline.entry import Entry, Range, Warned
from budgeted_reads.text import Text

SIGNATURE_LENGTH = 200
"""The signature of a key is its line, or its name alone where that is longer: values can be whole files."""

MAX_TREE = 20_000
"""A tree of keys has at most this many entries; beyond, its deepest levels go."""

_COLUMNS = Entry._fields.index("columns")

NAMED_REPEATS = 3
"""At most this many repeated keys are named in the warning."""


Made = tuple[Entry, tuple[int, int]]
"""What a Draft is made of, where it is not worth the time to make one."""


class Draft(NamedTuple):
    """An entry, and the span that it takes (first offset, offset after the last), which its columns are made from."""

    entry: Entry
    span: tuple[int, int]


def finish(drafts: Sequence[Made], shared: int, columns: Callable[[tuple[int, int]], Range]) -> tuple[Entry, ...]:
    """The entries of DRAFTS; those of one line that share it have their columns.

    SHARED is the last line that the head of the parent takes, which all its children up to there share with it.
    """
    entries = []
    before, last = 0, len(drafts) - 1
    for at, (entry, span) in enumerate(drafts):
        start, end = entry.start, entry.end
        if start == end and (start <= shared or start == before or (at < last and drafts[at + 1][0].start == start)):
            # Not `_replace`, which takes five times as long: a one-line file is all columns.
            entry = Entry._make((*entry[:_COLUMNS], columns(span), *entry[_COLUMNS + 1 :]))
        entries.append(entry)
        before = end
    return tuple(entries)


class Spans:
    """Makes entries of a text from offsets in code points."""

    __slots__ = ("content", "line_count", "starts")

    def __init__(self, text: Text) -> None:
        self.content = text.content
        self.line_count = text.line_count
        self.starts = text.starts

    def line_at(self, offset: int) -> int:
        """The line that holds the code point at OFFSET."""
        return bisect_right(self.starts, offset, hi=self.line_count)

    def line_end(self, offset: int) -> int:
        """The offset after the line that holds the code point at OFFSET, its LF left out."""
        after = self.starts[self.line_at(offset)]
        return after - self.content.startswith("\n", after - 1)

    def draft(
        self, title: str, kind: str, level: int, span: tuple[int, int], head_end: int, *, children: Sequence[Draft] = ()
    ) -> Draft:
        """The entry over SPAN; HEAD_END is the offset after its signature, after which its body begins."""
        start, after = span
        first = last = self.line_at(start)
        next_line = self.starts[first]
        end = first if after <= next_line else self.line_at(after - 1)
        if min(head_end, after) > next_line:
            last = min(end, self.line_at(head_end - 1))
        signature = title
        if head_end - start <= SIGNATURE_LENGTH:
            signature = " ".join(self.content[start : min(head_end, after)].split())
        inner = finish(children, last, self.columns) if children else ()
        body = (last + 1, end) if last < end else None
        heads = (first, last)
        return Draft(Entry(title, kind, level, first, end, first, signature, heads, body, None, None, inner), span)

    def finish(self, drafts: Sequence[Draft]) -> tuple[Entry, ...]:
        """The entries of DRAFTS with the columns of those that share a line."""
        return finish(drafts, 0, self.columns)

    def columns(self, span: tuple[int, int]) -> Range:
        """Columns of SPAN in the line on which it starts, 1-based and inclusive."""
        start = self.starts[self.line_at(span[0]) - 1]
        return span[0] - start + 1, max(span[0] + 1, span[1]) - start


class Quota:
    """Keeps a tree of entries below MAX_TREE: whole levels go, the deepest first."""

    __slots__ = ("counts", "deepest", "total")

    def __init__(self) -> None:
        self.counts: list[int] = [0]
        self.deepest: int | None = None
        self.total = 0

    def takes(self, level: int) -> bool:
        """Whether one more entry of that LEVEL is to be made; it is counted."""
        if self.deepest is not None and level > self.deepest:
            return False
        while len(self.counts) <= level:
            self.counts.append(0)
        self.counts[level] += 1
        self.total += 1
        while self.total > MAX_TREE:
            self.total -= self.counts.pop()
            self.deepest = len(self.counts) - 1
        return level < len(self.counts)

    def kept(self, entries: Sequence[Entry]) -> tuple[Entry, ...]:
        """ENTRIES without the levels that went."""
        if self.deepest is None:
            return tuple(entries)
        return tuple(self._pruned(entry, self.deepest) for entry in entries if entry.level <= self.deepest)

    def _pruned(self, entry: Entry, deepest: int) -> Entry:
        if not entry.children:
            return entry
        children = tuple(self._pruned(child, deepest) for child in entry.children if child.level <= deepest)
        return entry._replace(children=children)

    def warnings(self) -> tuple[Warned, ...]:
        """`shallow_outline` where levels went."""
        if self.deepest is None:
            return ()
        return (
            Warned("shallow_outline", f"more than {MAX_TREE} entries: those below level {self.deepest} are left out"),
        )


def repeated(repeats: Sequence[tuple[str, int]]) -> Warned:
    """The warning for keys that stand more than once in one mapping, given as (title, line of the repeat)."""
    named = ", ".join(f"{title[:40]} (line {line})" for title, line in repeats[:NAMED_REPEATS])
    more = f" and {len(repeats) - NAMED_REPEATS} more" if len(repeats) > NAMED_REPEATS else ""
    return Warned("duplicate_keys", f"keys that stand twice in one mapping: {named}{more}")


_UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def shown(title: str) -> str:
    """TITLE with U+FFFD for each character that cannot stand on one line of an answer."""
    # Most have nothing of the kind, which takes an eighth of the time to see.
    return title if title.isprintable() else _UNSHOWN.sub("\ufffd", title)
