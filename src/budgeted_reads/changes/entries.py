"""Two outlines of one file to the entries that were added, removed, changed or renamed between them."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from budgeted_reads.outline import Entry, Outline, Range
from budgeted_reads.text import Text

PAIRS = 2_500
"""Renames are looked for among at most so many pairs of siblings."""

ALIKE = 0.8
"""An entry whose lines share at least this part of their words with another is that one under a new name."""

VALUE = 60
"""A longer value is clipped, with a mark."""

_WORD = re.compile(r"\w+|[^\w\s]")


class Sheet(NamedTuple):
    """One side: its text and its outline."""

    text: Text
    outline: Outline


class EntryChange(NamedTuple):
    """One entry that differs. `what` is added, removed, changed or renamed; `of` says of a change whether it is the
    signature or the body; `old_name` is there for renames, `old_value` and `new_value` for keys."""

    what: str
    name: str
    old: Range | None
    new: Range | None
    of: str | None = None
    old_name: str | None = None
    old_value: str | None = None
    new_value: str | None = None

    def row(self) -> str:
        """The change on one line: `changed Dock.moor signature 12-40`."""
        name = f"{self.old_name} -> {self.name}" if self.old_name is not None else self.name
        parts = [self.what, name]
        if self.of is not None:
            parts.append(self.of)
        if self.old_value is not None and self.new_value is not None:
            parts.append(f"{self.old_value} -> {self.new_value}")
        elif self.old_value is not None or self.new_value is not None:
            parts.append(str(self.new_value or self.old_value))
        lines = self.new or self.old
        if lines is not None:
            parts.append(f"{lines[0]}-{lines[1]}" if lines[1] > lines[0] else str(lines[0]))
        return " ".join(parts)


def named_entries(sheet: Sheet | None) -> tuple[Entry, ...]:
    """The entries of SHEET that have names of their own: no paragraphs, no records."""
    if sheet is None or sheet.outline.style == "plain" or sheet.outline.format in ("csv", "tsv"):
        return ()
    if sheet.outline.style == "prose":
        return tuple(_headings(sheet.outline.entries))
    return sheet.outline.entries


def _headings(entries: Sequence[Entry]) -> Iterator[Entry]:
    for entry in entries:
        if entry.kind == "heading":
            yield entry._replace(children=tuple(_headings(entry.children)))


def entry_changes(old: Sheet | None, new: Sheet | None) -> list[EntryChange]:
    """What differs between the entries of OLD and NEW, in line order; None is a side that does not exist.

    A container is changed where its own lines are; what differs in its children is told of them. Of an entry that was
    added or removed, the children go without saying.
    """
    found = list(_compare(_Side(old, ()), named_entries(old), _Side(new, ()), named_entries(new)))
    return sorted(found, key=lambda change: ((change.new or change.old or (0, 0))[0], change.what))


class _Side(NamedTuple):
    sheet: Sheet | None
    above: tuple[str, ...]

    def name(self, entry: Entry) -> str:
        if entry.kind == "heading":
            return entry.title
        return ".".join((*self.above, *([entry.owner] if entry.owner else []), entry.title))

    def into(self, entry: Entry) -> "_Side":
        return _Side(self.sheet, (*self.above, entry.title))

    def whole(self, entry: Entry) -> str:
        """All lines of ENTRY."""
        return "" if self.sheet is None else self.sheet.text.slice(entry.start, entry.end)

    def lines(self, entry: Entry) -> list[str]:
        """The lines of ENTRY that none of its children has, or its window of the one line that it shares."""
        if self.sheet is None:
            return []
        text = self.sheet.text
        if entry.columns is not None:
            return [text.line(entry.own)[entry.columns[0] - 1 : entry.columns[1]]]
        children = named_entries(Sheet(text, self.sheet.outline._replace(entries=entry.children)))
        found: list[str] = []
        first = entry.start
        for child in children:
            if child.start > first:
                found += text.slice(first, child.start - 1).split("\n")[:-1]
            first = max(first, child.end + 1)
        if first <= entry.end:
            found += text.slice(first, entry.end).removesuffix("\n").split("\n")
        return found


def _compare(
    old: _Side, old_entries: Sequence[Entry], new: _Side, new_entries: Sequence[Entry]
) -> Iterator[EntryChange]:
    pairs, gone, come = _matched(old_entries, new_entries)
    for was, now in _renamed(old, gone, new, come):
        gone.remove(was)
        come.remove(now)
        yield EntryChange("renamed", new.name(now), _range(was), _range(now), old_name=old.name(was))
        yield from _compare(old.into(was), was.children, new.into(now), now.children)
    for was, now in pairs:
        if old.whole(was) == new.whole(now):
            continue
        # An entry that comes behind another changes the blank lines at its end; that is no change of it.
        before, after = (list(filter(str.strip, side.lines(one))) for side, one in ((old, was), (new, now)))
        if before != after:
            yield _changed(old, was, new, now, before, after)
        if was.children or now.children:
            yield from _compare(old.into(was), was.children, new.into(now), now.children)
    for entry in gone:
        yield EntryChange("removed", old.name(entry), _range(entry), None, old_value=_value(old, entry))
    for entry in come:
        yield EntryChange("added", new.name(entry), None, _range(entry), new_value=_value(new, entry))


def _matched(old: Sequence[Entry], new: Sequence[Entry]) -> tuple[list[tuple[Entry, Entry]], list[Entry], list[Entry]]:
    """Entries of one name and kind in pairs, the n-th of them with the n-th; then what is left on either side."""
    waiting: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in old:
        waiting.setdefault((entry.kind, entry.owner, entry.title), []).append(entry)
    pairs, come = [], []
    for entry in new:
        same = waiting.get((entry.kind, entry.owner, entry.title))
        if same:
            pairs.append((same.pop(0), entry))
        else:
            come.append(entry)
    left = {id(entry) for entries in waiting.values() for entry in entries}
    return pairs, [entry for entry in old if id(entry) in left], come


def _renamed(old: _Side, gone: Sequence[Entry], new: _Side, come: Sequence[Entry]) -> list[tuple[Entry, Entry]]:
    """Entries of one kind whose lines are alike but for the name, best first."""
    if not gone or not come or len(gone) * len(come) > PAIRS:
        return []
    before = {id(entry): _bag(old, entry) for entry in gone}
    after = {id(entry): _bag(new, entry) for entry in come}
    scored = [
        (_alike(before[id(was)], after[id(now)]), at, was, now)
        for at, (was, now) in enumerate(product(gone, come))
        if was.kind == now.kind
    ]
    found: list[tuple[Entry, Entry]] = []
    taken: set[int] = set()
    for score, _, was, now in sorted(scored, key=lambda one: (-one[0], one[1])):
        if score >= ALIKE and id(was) not in taken and id(now) not in taken:
            taken |= {id(was), id(now)}
            found.append((was, now))
    return found


def _bag(side: _Side, entry: Entry) -> frozenset[tuple[str, int]]:
    """The words of all lines of ENTRY without its name, each with how often it has come before."""
    if side.sheet is None:
        return frozenset()
    text = side.sheet.text.slice(entry.start, entry.end)
    if entry.columns is not None:
        text = side.sheet.text.line(entry.own)[entry.columns[0] - 1 : entry.columns[1]]
    own = set(_WORD.findall(entry.title))
    counts: dict[str, int] = {}
    bag = set()
    for word in _WORD.findall(text):
        if word not in own:
            counts[word] = counts.get(word, 0) + 1
            bag.add((word, counts[word]))
    return frozenset(bag)


def _alike(one: frozenset[tuple[str, int]], other: frozenset[tuple[str, int]]) -> float:
    # A line or two of punctuation is like any other.
    if min(len(one), len(other)) < 6:
        return 0.0
    return len(one & other) / len(one | other)


def _changed(
    old: _Side, was: Entry, new: _Side, now: Entry, before: Sequence[str], after: Sequence[str]
) -> EntryChange:
    values = _value(old, was), _value(new, now)
    change = EntryChange("changed", new.name(now), _range(was), _range(now))
    if values[0] is not None and values[1] is not None and values[0] != values[1]:
        return change._replace(old_value=values[0], new_value=values[1])
    if was.kind == "heading" or (new.sheet is not None and new.sheet.outline.style == "data"):
        return change
    if [line.split() for line in before] == [line.split() for line in after]:
        return change._replace(of="white space")
    return change._replace(of="signature" if was.signature != now.signature else "body")


def _value(side: _Side, entry: Entry) -> str | None:
    """The value of a key without children, on one line and clipped; None where there is none."""
    if side.sheet is None or side.sheet.outline.style != "data" or entry.children:
        return None
    text = " ".join("\n".join(side.lines(entry)).split())
    for quote in ('"', "'", ""):
        name = f"{quote}{entry.title}{quote}"
        if text.startswith(name):
            text = text[len(name) :].lstrip()
            break
    text = text.lstrip(":=-").strip().rstrip(",").rstrip()
    if not text:
        return None
    return text if len(text) <= VALUE else text[: VALUE - 1] + "…"


def _range(entry: Entry) -> Range:
    return entry.start, entry.end
