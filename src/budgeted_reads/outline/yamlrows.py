"""YAML as people write it, read a row at a time: the entries that its events would give, in a fraction of their time.

The parser is asked first, in one call that makes no objects: it says whether the text is valid, and how many events it
has. Where a row is of a kind that is not known here, or the rows come to another number of events, the text is read
from its events (`yaml.py`), which know everything.
"""

import re

from budgeted_reads.outline.entry import Entry
from budgeted_reads.outline.tree import MAX_TREE
from budgeted_reads.outline.yamlflow import Frame, Unknown, flow

_KEY = re.compile(r"((?![-?:,\[\]{}#&*!|>'\"%@`])[^:#]++|'[^']*+'|\"[^\"\\]*+\"):(?:[ ]++(.*)|$)")
"""A key without a colon in it, plain or quoted, and what follows the colon."""

_DASHES = re.compile(r"(?:-(?:[ ]++|$))*+")
_AFTER_DASH = frozenset({"", " "})

_ODD = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]")
"""Other white space than spaces and LF, beside the tab and CR; no others are valid."""

_QUOTED = {'"': re.compile(r'(?:[^"\\]|\\.|\\$)*+"'), "'": re.compile(r"(?:[^']|'')*+'")}
"""The rest of a quoted value, where it ends in this row."""

_BLOCK = re.compile(r"[|>][-+]?([1-9]?)[-+]?[ ]*(?:$|(?<=[ ])#)")
_TAGS = re.compile(r"(?:[&!]\S*(?:[ ]+|$))+")
_NOTE = re.compile(r"[ ]*(?:$|(?<=[ ])#)")
"""What may follow a value: nothing, or a comment."""


def entries(content: str, events: int) -> tuple[tuple[Entry, ...], int] | None:
    """The entries of CONTENT, valid YAML of so many EVENTS, and how many documents it has; None: read its events.

    They are those of the events, for no key stands twice in its mapping and they are not too many.
    """
    if "\t" in content or "\r" in content or (not content.isascii() and _ODD.search(content)):
        return None
    try:
        scan = _Rows(content)
        scan.run()
    except Unknown:
        return None
    return (tuple(scan.root.entries), scan.documents) if scan.events + 2 == events else None


class _Rows:
    """One pass over the rows of a text.

    `at` is the number of the row that is read; the last value ends in `last_row` before `last_end`; `runs_on`: that was
    a plain one, which deeper rows continue. `calm`: every key can be printed.
    """

    def __init__(self, content: str) -> None:
        self.rows = content.split("\n")
        if not self.rows[-1]:
            self.rows.pop()
        self.calm = content.isascii()
        self.at = 0
        self.events = self.documents = self.made = 0
        self.last_row = self.last_end = 0
        self.runs_on = False
        self.root = Frame(None, False, -1, 0)
        self.root.waits = True
        self.frames = [self.root]

    def run(self) -> None:
        """Read all rows. Raises Unknown for what is not known here."""
        rows, count, frames = self.rows, len(self.rows), self.frames
        while self.at < count:
            row = rows[self.at]
            self.at += 1
            words = row.lstrip(" ")
            first = words[:1]
            if not first or first == "#":
                continue
            column = len(row) - len(words)
            frame = frames[-1]
            while column < frame.column:
                frame = self._close(frame)
            dashed = first == "-" and words[1:2] in _AFTER_DASH
            if column > frame.column:
                if not frame.waits:
                    self._run_on(frame, row)
                    continue
            elif not frame.is_mapping and not dashed:
                frame = self._close(frame)
            if not column and (first == "-" or frame is self.root) and self._begins(words):
                continue
            if dashed and frame.column == column and words[2:3].isalnum() and not frame.is_mapping:
                if frame.waits:
                    self._nothing(frame)
                words = words[2:]
                column += 2
                if ":" not in words and "#" not in words:
                    self._element(frame, row)
                    continue
                frame.waits = True
            elif dashed:
                frame, words = self._dashes(frame, words, column)
                if not words or words[0] == "#":
                    continue
                column = len(row) - len(words)
            self._words(frame, row, words, column)
        self._end()

    def _element(self, frame: Frame, row: str) -> None:
        """A plain element without a key, the rest of ROW."""
        frame.index += 1
        self.events += 1
        self.last_row, self.last_end = self.at, len(row.rstrip(" "))
        self.runs_on = True

    def _words(self, frame: Frame, row: str, words: str, column: int) -> None:
        """What stands in ROW from COLUMN on, after its dashes: a key and its value, or a value alone."""
        if words[0].isalnum():
            key, colon, value = words.partition(": ")
            if not colon and words[-1] == ":":
                key, colon = words[:-1], ":"
            is_key = colon and " #" not in key
        else:
            found = _KEY.match(words)
            is_key = found is not None
            key, value = found.groups("") if found is not None else ("", "")
        if not is_key:
            self._value(frame, words, row, column, is_text=True)
            return
        if frame.column != column or frame.waits or not frame.is_mapping:
            frame = self._at(frame, column, True)
        self.events += 1
        first = value[:1]
        if first == " ":
            value = value.lstrip(" ")
            first = value[:1]
        if value and self.calm and key[0].isalnum() and key[-1] != " ":
            # Most rows by far: a key, and a plain or quoted value, which end here.
            end = len(row)
            if first.isalnum():
                if value[-1] == " " or " #" in value:
                    end = len(row.partition(" #")[0].rstrip(" "))
                self.runs_on = True
            elif first in "\"'" and value.find(first, 1) == len(value) - 1 and "\\" not in value:
                self.runs_on = False
            else:
                end = 0
            if end:
                self.events += 1
                self.last_row, self.last_end = self.at, end
                frame.add_row(row, key, column, self.at, end)
                return
        frame.name(key, self.at, column)
        if value:
            self._value(frame, value, row, len(row) - len(value), is_text=False)

    def _dashes(self, frame: Frame, words: str, column: int) -> tuple[Frame, str]:
        """The innermost list of those whose dashes begin WORDS, which stand at COLUMN; the words after them."""
        found = _DASHES.match(words)
        end = found.end() if found is not None else 0
        for at in range(end):
            if words[at] == "-":
                frame = self._at(frame, column + at, False)
                frame.waits, frame.key_row, frame.key_column = True, self.at, column + at
        return frame, words[end:]

    def _at(self, frame: Frame, column: int, is_mapping: bool) -> Frame:
        """FRAME, the innermost, where it has its keys or dashes in that COLUMN; else one that opens there."""
        if frame.column != column or frame.is_mapping != is_mapping:
            frame = Frame(frame, is_mapping, column, self.at)
            self.frames.append(frame)
        elif frame.waits:
            self._nothing(frame)
        return frame

    def _value(self, frame: Frame, value: str, row: str, column: int, *, is_text: bool) -> None:
        """What follows a key, or IS_TEXT: a dash, or nothing; it has no value yet where that is a comment."""
        if value[0] == "#":
            return
        if value[0] in "&!" and (tagged := _TAGS.match(value)) is not None:
            column += tagged.end()
            value = value[tagged.end() :]
            if not frame.is_mapping and (not value or value[0] in "[{"):
                # What opens here begins at its tag.
                raise Unknown
            if not value or value[0] == "#":
                frame.is_tagged = True
                return
        first = value[0]
        self.runs_on = False
        if not frame.waits:
            raise Unknown
        if first in "[{":
            self._flow(frame, row, column)
            return
        if first in "|>":
            self._block(frame, value)
        elif first in "\"'":
            self._quoted(row, column)
        else:
            value = value.partition(" #")[0].rstrip(" ")
            if first in "&!%@`?:#" or (is_text and (": " in value or value[-1] == ":" or value.startswith("..."))):
                raise Unknown
            self.last_row, self.last_end = self.at, column + len(value)
            self.runs_on = first != "*"
        self._valued(frame)

    def _flow(self, frame: Frame, row: str, column: int) -> None:
        if frame is self.root or (frame.is_mapping and frame.key_row != self.at):
            raise Unknown
        end, events, made = flow(frame, row, column, self.at)
        self.last_row, self.last_end = self.at, end
        self.events += events
        self.made += made
        if end != len(row) and not _NOTE.match(row, end):
            raise Unknown

    def _valued(self, frame: Frame) -> None:
        """What FRAME waits for has its value, which ends where the last one does."""
        self.events += 1
        if frame.is_mapping:
            row = frame.key_row
            frame.add(self.rows[row - 1], frame.key, row, frame.key_column, self.last_row, self.last_end)
        frame.index += 1
        frame.waits = False

    def _nothing(self, frame: Frame) -> None:
        """The key or dash that waits in FRAME has no value."""
        if frame.is_tagged:
            raise Unknown
        self.runs_on = False
        self.last_row, self.last_end = frame.key_row, frame.key_column + frame.width + 1
        self._valued(frame)

    def _quoted(self, row: str, column: int) -> None:
        end = _QUOTED[row[column]]
        found = end.match(row, column + 1)
        while found is None and self.at < len(self.rows):
            row = self.rows[self.at]
            self.at += 1
            found = end.match(row)
        if found is None or not _NOTE.match(row, found.end()):
            raise Unknown
        self.last_row, self.last_end = self.at, found.end()

    def _block(self, frame: Frame, value: str) -> None:
        """The rows of `|` and `>`: blank ones, and those as deep as the first, or as their head says."""
        head = _BLOCK.match(value)
        if head is None or frame is self.root:
            raise Unknown
        rows, at, most = self.rows, self.at, 0
        while at < len(rows) and not rows[at].strip(" "):
            most = max(most, len(rows[at]))
            at += 1
        first = rows[at] if at < len(rows) else ""
        depth = frame.column + int(head[1]) if head[1] else len(first) - len(first.lstrip(" "))
        if most > depth or depth <= frame.column or not first.startswith(" " * depth):
            raise Unknown
        inside = " " * depth
        while self.at < len(rows) and (rows[self.at].startswith(inside) or not rows[self.at].strip(" ")):
            self.at += 1
            if rows[self.at - 1].strip(" "):
                self.last_row, self.last_end = self.at, len(rows[self.at - 1].rstrip(" "))

    def _run_on(self, frame: Frame, row: str) -> None:
        """One more row of the plain value before it."""
        if not self.runs_on:
            raise Unknown
        self.last_row, self.last_end = self.at, len(row.partition(" #")[0].rstrip(" "))
        if frame.is_mapping:
            before = frame.entries.pop()
            first = before.start
            frame.add(self.rows[first - 1], before.title, first, frame.column, self.last_row, self.last_end)

    def _close(self, frame: Frame) -> Frame:
        """Close FRAME, the innermost; the one around it."""
        if frame.waits:
            self._nothing(frame)
        frames, entries = self.frames, frame.closed()
        frames.pop()
        above = frames[-1]
        self.events += 2
        self.made += len(entries)
        if self.made > MAX_TREE:
            raise Unknown
        if frame.title is None:
            above.entries += entries
        else:
            row = frame.row
            above.add(self.rows[row - 1], frame.title, row, frame.start, self.last_row, self.last_end, tuple(entries))
        above.index += 1
        above.waits = False
        return above

    def _begins(self, words: str) -> bool:
        """Begin a document where none is open; whether WORDS, which stand on its level, are `---`."""
        if words.startswith("---"):
            if words != "---" and not _NOTE.match(words, 3):
                raise Unknown
            self._end()
            self.root.index = 0
            self.root.waits = True
        elif self.documents or self.frames[-1] is not self.root:
            return False
        self.documents += 1
        self.events += 2
        return words.startswith("---")

    def _end(self) -> None:
        """Close the document that is open; one that holds nothing is one empty value."""
        while len(self.frames) > 1:
            self._close(self.frames[-1])
        self.events += self.documents > 0 and self.root.waits
        self.root.waits = self.runs_on = False
