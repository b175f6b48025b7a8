"""From entries in the making to finished ones: lines from offsets, column windows, shared by all nested formats."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from budgeted_reads.outline.entry import Entry, Range, Warned
from budgeted_reads.text import Text

SIGNATURE_LENGTH = 200
"""The signature of a key is its line, or its name alone where that is longer: values can be whole files."""

MAX_TREE = 20_000
"""A tree of keys has at most this many entries; beyond, its deepest levels go."""

NAMED_REPEATS = 3
"""At most this many repeated keys are named in the warning."""


class Draft(NamedTuple):
    """An entry, and the span that it takes (first offset, offset after the last), which its columns are made from."""

    entry: Entry
    span: tuple[int, int]


def finish(
    drafts: Sequence[Draft], parent: Entry | None, columns: Callable[[tuple[int, int]], Range]
) -> tuple[Entry, ...]:
    """The entries of DRAFTS, those that share a line with a sibling or the head of PARENT with their columns."""
    return tuple(
        draft.entry._replace(columns=columns(draft.span)) if _shares_line(drafts, at, parent) else draft.entry
        for at, draft in enumerate(drafts)
    )


def _shares_line(drafts: Sequence[Draft], at: int, parent: Entry | None) -> bool:
    entry = drafts[at].entry
    if entry.start != entry.end:
        return False
    if parent is not None and (parent.start == parent.end or _head(parent) >= entry.start):
        return True
    before = at > 0 and drafts[at - 1].entry.end == entry.start
    return before or (at + 1 < len(drafts) and drafts[at + 1].entry.start == entry.end)


def _head(parent: Entry) -> int:
    return parent.signature_lines[1] if parent.signature_lines else parent.own


class Spans:
    """Makes entries of a text from offsets in code points."""

    __slots__ = ("text",)

    def __init__(self, text: Text) -> None:
        self.text = text

    def draft(
        self, title: str, kind: str, level: int, span: tuple[int, int], head_end: int, *, children: Sequence[Draft] = ()
    ) -> Draft:
        """The entry over SPAN; HEAD_END is the offset after its signature, after which its body begins."""
        first = self.text.line_at(span[0])
        end = max(first, self.text.line_at(max(span[1] - 1, span[0])))
        last = min(end, max(first, self.text.line_at(max(head_end - 1, span[0]))))
        entry = Entry(
            title,
            kind,
            level,
            first,
            end,
            first,
            signature=self._signature(span[0], min(head_end, span[1]), title),
            signature_lines=(first, last),
            body=(last + 1, end) if last < end else None,
        )
        return Draft(entry._replace(children=self.finish(children, entry)), span)

    def finish(self, drafts: Sequence[Draft], parent: Entry | None = None) -> tuple[Entry, ...]:
        """The entries of DRAFTS with the columns of those that share a line."""
        return finish(drafts, parent, self.columns)

    def columns(self, span: tuple[int, int]) -> Range:
        """Columns of SPAN in the line on which it starts, 1-based and inclusive."""
        start = self.text.starts[self.text.line_at(span[0]) - 1]
        return span[0] - start + 1, max(span[0] + 1, span[1]) - start

    def _signature(self, start: int, end: int, title: str) -> str:
        if end - start > SIGNATURE_LENGTH:
            return title
        return " ".join(self.text.content[start:end].split())


class Quota:
    """Keeps a tree of entries below MAX_TREE: whole levels go, the deepest first, so equal input has an equal outline."""

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
    return _UNSHOWN.sub("\ufffd", title)
