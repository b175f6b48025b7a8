"""What is open while YAML is read by rows, and `[...]` and `{...}` that stand in one row."""

import re
from operator import itemgetter

from budgeted_reads import limits
from budgeted_reads.outline.entry import Entry
from budgeted_reads.outline.tree import SIGNATURE_LENGTH

_TOKEN = re.compile(
    r"[ ]*+(?:(?P<mark>[\[\]{},])|(?P<quoted>\"[^\"\\]*+\"|'[^']*+'(?!'))"
    r"|(?P<plain>(?:[^-?:,\[\]{}#&*!|>'\"%@` ]|-(?=\w))(?:[^:,\[\]{}#?]|:(?=[^ ,\[\]{}]))*+))(?P<colon>:?)"
)
_FLAT = re.compile(r"([\[{])([^\[\]{}\"'#&*!|>%@`?]*+)[\]}]")
"""One that holds no other, nothing quoted and no mark."""

_PAIRS = {"]": False, "}": True}

_TITLE = itemgetter(0)

_entry = tuple.__new__
"""Makes an entry of all its fields: the usual way takes three times as long."""


class Unknown(Exception):
    """YAML that is not read by rows."""


class Frame:
    """A mapping or list that is open, the keys or dashes of which stand in one `column` of their rows, from 0.

    `level` is that of its entries; it begins in `row` at `start`. `waits`: the key, or dash, at `key_row` and
    `key_column` still has no value; `width` is that of the key as it is written; `is_tagged`: nothing but
    an anchor or a tag follows it in its row.
    """

    __slots__ = (
        *("column", "entries", "index", "is_mapping", "is_tagged", "key", "key_column", "key_row", "level", "row"),
        *("start", "title", "waits", "width"),
    )

    def __init__(self, above: "Frame | None", is_mapping: bool, column: int, row: int) -> None:
        """What opens as the value of the key, or as the next element, of ABOVE; None: the root of a document."""
        self.is_mapping = is_mapping
        self.column = self.start = column
        self.row = row
        self.entries: list[Entry] = []
        self.index = self.width = 0
        self.waits = self.is_tagged = False
        self.title: str | None = None
        if above is None:
            self.level = 1
        elif not above.waits:
            raise Unknown
        elif above.column < 0:
            self.level = 1
        else:
            self.level = above.level + 1
            if self.level > limits.MAX_DEPTH:
                raise Unknown
            if above.is_mapping:
                self.title, self.row, self.start = above.key, above.key_row, above.key_column
            else:
                self.title = str(above.index)

    def name(self, words: str, row: int, column: int) -> None:
        """Take the key that is written as WORDS, which waits for its value."""
        if not words.isprintable() or words[-1] == " ":
            raise Unknown
        self.key = words[1:-1] if words[0] in "\"'" else words
        self.width = len(words)
        self.waits = True
        self.is_tagged = False
        self.key_row = row
        self.key_column = column

    def add(
        self, line: str, title: str, first: int, start: int, row: int, end: int, children: tuple[Entry, ...] = ()
    ) -> None:
        """Take in the entry that stands from START in LINE, row FIRST, to before END of ROW."""
        level, kind, heads = self.level, "key" if self.is_mapping else "item", (first, first)
        columns = body = None
        if first == row:
            # Only what begins in the row in which its parent begins can share a row.
            if row == self.row and self.title is not None:
                columns = start + 1, end if end > start else start + 1
        else:
            end = len(line)
            body = first + 1, row
        words = line[start:end] if end - start <= SIGNATURE_LENGTH else title
        if "  " in words or words[-1:] == " ":
            words = " ".join(words.split()) if end - start <= SIGNATURE_LENGTH else title
        fields = (title, kind, level, first, row, first, words, heads, body, None, columns, children, (), "")
        self.entries.append(_entry(Entry, fields))
        self.waits = False

    def add_row(self, line: str, title: str, start: int, row: int, end: int) -> None:
        """As `add`, quicker for a key and its value in one ROW."""
        words = line[start:end] if end - start <= SIGNATURE_LENGTH else title
        if "  " in words:
            words = " ".join(words.split()) if end - start <= SIGNATURE_LENGTH else title
        columns = (start + 1, end) if row == self.row and self.title is not None else None
        fields = (title, "key", self.level, row, row, row, words, (row, row), None, None, columns, (), (), "")
        self.entries.append(_entry(Entry, fields))
        self.waits = False

    def closed(self) -> list[Entry]:
        """Its entries. Raises Unknown where a key stands twice."""
        entries = self.entries
        count = len(entries) if self.is_mapping else 0
        # Most have few keys, which are compared faster than they are made a set.
        if (count == 2 and entries[0][0] == entries[1][0]) or (count > 2 and len(set(map(_TITLE, entries))) < count):
            raise Unknown
        return entries


def flow(outer: Frame, line: str, at: int, row: int) -> tuple[int, int, int]:
    """Read what opens at AT in LINE, the value that OUTER waits for: its end, its events, how many entries at most.

    Raises Unknown for what does not end in the line, or is not known here.
    """
    flat = _FLAT.match(line, at)
    if flat is not None and (events := _flat(outer, line, flat, row)):
        return flat.end(), events, events // 2
    frames, events, made = [outer], 0, 0
    while found := _TOKEN.match(line, at):
        at = found.end()
        frame = frames[-1]
        mark = found["mark"]
        if mark is None:
            events += 1
            _scalar(frame, line, found, row)
        elif mark in "[{":
            inner = Frame(frame, mark == "{", found.start("mark"), row)
            inner.waits = mark == "["
            frames.append(inner)
        elif (frame.waits and frame.is_mapping) or (mark != "," and _PAIRS[mark] != frame.is_mapping):
            break
        elif mark != ",":
            frames.pop()
            events += 2
            entries = frame.closed()
            made += len(entries)
            above = frames[-1]
            above.add(line, frame.title or "", row, frame.start, row, at, tuple(entries))
            above.index += 1
            if above is outer:
                return at, events, made
            above.waits = not above.is_mapping
    raise Unknown


def _scalar(frame: Frame, line: str, found: "re.Match[str]", row: int) -> None:
    """A key, the value of one, or an element."""
    start, end = found.span("quoted") if found["quoted"] else found.span("plain")
    words = line[start:end].rstrip(" ")
    end = start + len(words)
    if found["colon"]:
        if not frame.is_mapping or frame.waits:
            raise Unknown
        frame.name(words, row, start)
    elif not frame.is_mapping:
        frame.index += 1
    elif frame.waits:
        frame.add(line, frame.key, row, frame.key_column, row, end)
    else:
        raise Unknown


def _flat(outer: Frame, line: str, flat: "re.Match[str]", row: int) -> int:
    """How many events a flow of plain words alone has, which is taken in; 0 where it holds others."""
    is_mapping, end = flat[1] == "{", flat.end()
    inner = Frame(outer, is_mapping, flat.start(), row)
    at, events = flat.start(2), 2
    for part in flat[2].split(",") if flat[2].strip(" ") else ():
        words = part.strip(" ")
        key, colon, value = words.partition(": ")
        if not key[:1].isalnum() or ":" in key or bool(colon) != is_mapping or (colon and not value[:1].isalnum()):
            return 0
        if colon:
            start = at + len(part) - len(part.lstrip(" "))
            inner.add_row(line, key.rstrip(" "), start, row, start + len(words))
        events += 1 + is_mapping
        at += len(part) + 1
    outer.add(line, inner.title or "", row, inner.start, row, end, tuple(inner.closed()))
    outer.index += 1
    return events
