"""Tables of separated values: dialect, header, columns, and records, which are not lines.

A quote opens only at the start of a cell, so a stray one (`5" pipe`) means nothing. The standard reader is not used:
it limits a cell to 131,072 characters for the whole process, ends lines at CR, and gives no offsets.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.tree import Draft, Spans, shown
from budgeted_reads.text import BOM, Text

DELIMITERS = (",", ";", "\t", "|")
"""Tried in this order; the first wins where two are as good."""

SAMPLE_RECORDS = 200
"""Delimiter, header and types of columns are judged by this many records."""

NAMED_LINES = 10
"""At most this many uneven rows are named in the warning."""

MAX_COLUMNS = 5_000
"""A header with more cells gives no entries."""

_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:[ ,.']\d{3})+|\d+)?(?:[.,]\d+)?(?:[eE][-+]?\d+)?\s*[%€$£]?")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d\d.*)?|\d{1,2}:\d\d(?::\d\d.*)?")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


class Cell(NamedTuple):
    """One cell: its words, and the offsets in the file between which it stands, quotes included."""

    words: str
    start: int
    end: int


class Record(NamedTuple):
    """Lines FIRST..LAST hold one record of `width` cells; a blank line has none. `closed`: no quote is left open."""

    first: int
    last: int
    width: int
    closed: bool


class _Rows(NamedTuple):
    """The first line and the width of every record (0: a blank line), and the first line with an open quote."""

    firsts: Sequence[int]
    widths: Sequence[int]
    one_line: bool
    unclosed: int | None


def outline(text: Text, form: Format) -> Outline:
    """The columns of TEXT as entries of its header line; the facts `columns`, `row_count`, `delimiter`, `header_line`.

    Cells are windows of the header line; the flag of a column is the type that its cells have.
    """
    lines = text.lines()
    if lines and lines[0].startswith(BOM):
        lines[0] = lines[0].removeprefix(BOM)
    delimiter = _delimiter(lines)
    rows = _rows("\n".join(lines), lines, delimiter)
    used = [first for first, width in zip(rows.firsts, rows.widths, strict=True) if width]
    shown_rows = [_record(lines, first - 1, delimiter, one_line=rows.one_line) for first in used[:SAMPLE_RECORDS]]
    sample = [_cells(text, lines, row, delimiter) for row in shown_rows]
    header = shown_rows[0] if shown_rows and _is_header(sample) else None
    names = [shown(cell.words.strip()) for cell in sample[0]] if header else []
    usual = Counter(filter(None, rows.widths)).most_common(1)
    width = header.width if header else usual[0][0] if usual else 0
    entries = _columns(text, header, sample) if header and width <= MAX_COLUMNS else ()
    facts = (
        ("columns", tuple(names) if header else tuple(str(number + 1) for number in range(width))),
        ("row_count", len(used) - bool(header)),
        ("delimiter", delimiter),
        ("header_line", header.first if header else None),
    )
    return Outline(entries, form.name, None, "data", warnings=_warnings(rows, width), facts=facts)


def _rows(content: str, lines: Sequence[str], delimiter: str) -> _Rows:
    """All records, by counting where every quote is one around a cell of one line, else one by one."""
    plain = content
    if '"' in content:
        # A whole cell in quotes; what is left has a quote only where one is stray or open.
        edge = re.escape(delimiter)
        plain = re.sub(rf'(?<![^{edge}\n])"[^"\n]*+(?:""[^"\n]*+)*+"(?![^{edge}\r\n])', "", content)
    if '"' not in plain:
        widths = [line.count(delimiter) + 1 for line in plain.split("\n")][: len(lines)]
        if 1 in widths:
            widths = [
                0 if width == 1 and not line.strip() else width for width, line in zip(widths, lines, strict=True)
            ]
        return _Rows(range(1, len(lines) + 1), widths, False, None)
    found = list(records(lines, delimiter))
    unclosed = next((record.first for record in found if not record.closed), None)
    return _Rows([record.first for record in found], [record.width for record in found], unclosed is not None, unclosed)


def records(lines: Sequence[str], delimiter: str) -> Iterator[Record]:
    """The records of LINES in order. After a quote that never closes, no cell runs over the end of a line."""
    number = 0
    one_line = False
    while number < len(lines):
        record = _record(lines, number, delimiter, one_line=one_line)
        if not record.closed and not one_line:
            one_line = True
            record = _record(lines, number, delimiter, one_line=True)
        yield record
        number = record.last


def _record(lines: Sequence[str], index: int, delimiter: str, *, one_line: bool) -> Record:
    """The record that starts at lines[INDEX]."""
    first = index + 1
    line = lines[index]
    if '"' not in line:
        return Record(first, first, line.count(delimiter) + 1 if delimiter in line or line.strip() else 0, True)
    width, at = 1, 0
    while True:
        if line.startswith('"', at):
            at = _closing(line, at + 1)
            while at < 0 and not one_line and index + 1 < len(lines):
                index += 1
                line = lines[index]
                at = _closing(line, 0)
            if at < 0:
                return Record(first, index + 1, width, False)
        at = line.find(delimiter, at)
        if at < 0:
            return Record(first, index + 1, width, True)
        width += 1
        at += 1


def _closing(line: str, at: int) -> int:
    """The offset after the quote that closes a cell, from AT within it; -1 where it runs on."""
    while True:
        at = line.find('"', at)
        if at < 0 or not line.startswith('"', at + 1):
            return at + 1 if at >= 0 else -1
        at += 2


def _cells(text: Text, lines: Sequence[str], record: Record, delimiter: str) -> list[Cell]:
    """The cells of RECORD with their words unquoted."""
    offset = text.starts[record.first - 1] + (record.first == 1 and text.content.startswith(BOM))
    whole = "\n".join(lines[record.first - 1 : record.last]).rstrip("\r")
    found, at = [], 0
    while True:
        start = at
        if whole.startswith('"', at):
            after = _closing(whole, at + 1)
            at = after if after >= 0 else len(whole)
        at = whole.find(delimiter, at)
        end = at if at >= 0 else len(whole)
        words = whole[start:end]
        if words.startswith('"'):
            words = words[1:].replace('""', "\0").replace('"', "").replace("\0", '"')
        found.append(Cell(words, offset + start, offset + end))
        if at < 0:
            return found
        at += 1


def _delimiter(lines: Sequence[str]) -> str:
    """The delimiter by which most records of the sample have the same number of cells, at least two."""
    best, choice = (0.0, 0), DELIMITERS[0]
    sample = lines[: SAMPLE_RECORDS * 4]
    for delimiter in DELIMITERS:
        widths = Counter(record.width for record in records(sample, delimiter) if record.width)
        width, count = max(widths.items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))
        score = (round(count / widths.total(), 3) if widths else 0.0, width)
        if width > 1 and score > best:
            best, choice = score, delimiter
    return choice


def _is_header(sample: Sequence[Sequence[Cell]]) -> bool:
    """Whether the first record names columns: no cell of it is a number or date, years after a name aside."""
    words = [cell.words.strip() for cell in sample[0]]
    numbers = [word for word in words if word and _type(word) != "text"]
    if not any(words):
        return False
    return not numbers or (not _YEAR.fullmatch(words[0]) and all(_YEAR.fullmatch(word) for word in numbers))


def _type(word: str) -> str:
    if _DATE.fullmatch(word):
        return "date"
    if any(map(str.isdigit, word)) and _NUMBER.fullmatch(word):
        return "integer" if word.lstrip("+-").isdigit() else "number"
    return "text"


def _column_type(words: Sequence[str]) -> tuple[str, ...]:
    types = {_type(word) for word in words if word}
    if types == {"integer", "number"}:
        return ("number",)
    return (types.pop(),) if len(types) == 1 else ("text",) if types else ()


def _columns(text: Text, header: Record, sample: Sequence[Sequence[Cell]]) -> tuple[Entry, ...]:
    spans = Spans(text)
    drafts = []
    for index, cell in enumerate(sample[0]):
        words = [row[index].words.strip() for row in sample[1:] if index < len(row)]
        span = (cell.start, cell.end)
        entry = spans.draft(shown(cell.words.strip()), "column", 1, span, cell.end).entry
        drafts.append(Draft(entry._replace(flags=_column_type(words)), span))
    return spans.finish(drafts)


def _warnings(rows: _Rows, width: int) -> tuple[Warned, ...]:
    found = []
    uneven = [first for first, cells in zip(rows.firsts, rows.widths, strict=True) if cells not in (0, width)]
    if uneven:
        named = ", ".join(map(str, uneven[:NAMED_LINES])) + (" ..." if len(uneven) > NAMED_LINES else "")
        found.append(Warned("uneven_rows", f"{len(uneven)} rows without {width} cells: lines {named}"))
    if rows.unclosed:
        line = f"the quote in line {rows.unclosed} never closes: cells end with their lines"
        found.append(Warned("unclosed_quote", line))
    return tuple(found)
