"""Records and cells of separated values: which lines make one record, and what its cells say.

A quote opens only at the start of a cell, so a stray one (`5" pipe`) means nothing.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Cell(NamedTuple):
    """One cell: its words, and the offsets in its record between which it stands, quotes included."""

    words: str
    start: int
    end: int


class Record(NamedTuple):
    """Lines FIRST..LAST hold one record of `width` cells; a blank line has none. `closed`: no quote is left open."""

    first: int
    last: int
    width: int
    closed: bool


def records(lines: Sequence[str], delimiter: str, above: int = 0) -> Iterator[Record]:
    """The records of LINES in order, behind so many ABOVE.

    A quote opens nothing where none closes it, or where words follow the one that does, in another line: then no cell
    runs over the end of a line, up to that line.
    """
    number, loose = above, 0
    while number < len(lines):
        record = _record(lines, number, delimiter, one_line=number < loose)
        if not record.closed and number >= loose:
            loose = record.last
            record = _record(lines, number, delimiter, one_line=True)
        yield record
        number = record.last


def _record(lines: Sequence[str], index: int, delimiter: str, *, one_line: bool) -> Record:
    """The record that starts at lines[INDEX]; not closed, it goes to before the line that shows that it is none."""
    first = index + 1
    line = lines[index]
    if '"' not in line:
        return Record(first, first, line.count(delimiter) + 1 if delimiter in line or line.strip() else 0, True)
    width, at, closed = 1, 0, True
    while True:
        if line.startswith('"', at):
            opened, at = at, _closing(line, at + 1)
            if at < 0 and one_line:
                at, closed = opened, False
            elif at < 0:
                while at < 0 and index + 1 < len(lines):
                    index += 1
                    line = lines[index]
                    at = _closing(line, 0)
                if at < 0:
                    return Record(first, index + 1, width, False)
                if not _ends_cell(line, at, delimiter):
                    return Record(first, index, width, False)
        at = line.find(delimiter, at)
        if at < 0:
            return Record(first, index + 1, width, closed)
        width += 1
        at += 1


def _closing(line: str, at: int) -> int:
    """The offset after the quote that closes a cell, from AT within it; -1 where it runs on."""
    while True:
        at = line.find('"', at)
        if at < 0 or not line.startswith('"', at + 1):
            return at + 1 if at >= 0 else -1
        at += 2


def _ends_cell(line: str, at: int, delimiter: str) -> bool:
    """Whether a delimiter follows the quote before offset AT of LINE, or nothing but white space."""
    return line.startswith(delimiter, at) or line[at:].lstrip(" \r")[:1] in ("", delimiter)


def cells(lines: Sequence[str], record: Record, delimiter: str) -> list[Cell]:
    """The cells of RECORD with their words unquoted."""
    whole = "\n".join(lines[record.first - 1 : record.last]).rstrip("\r")
    found, at = [], 0
    while True:
        start = at
        if whole.startswith('"', at):
            after = _closing(whole, at + 1)
            at = after if after >= 0 else at
        at = whole.find(delimiter, at)
        end = at if at >= 0 else len(whole)
        words = whole[start:end]
        if words.startswith('"'):
            words = words[1:].replace('""', "\0").replace('"', "").replace("\0", '"')
        found.append(Cell(words, start, end))
        if at < 0:
            return found
        at += 1
