"""Tables of separated values: dialect, header, columns, and records, which are not lines.

A quote opens only at the start of a cell, so a stray one (`5" pipe`) means nothing. The standard reader is not used:
it limits a cell to 131,072 characters for the whole process, ends lines at CR, and gives no offsets.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.tree import Draft, Spans, shown
from budgeted_reads.text import BOM, Text

DELIMITERS = (",", ";", "\t", "|")
"""Tried in this order; the first wins where two are as good."""

SAMPLE_RECORDS = 200
"""Delimiter, header and types of columns are judged by this many records."""

HEAD_LINES = 5_000
"""The sample is taken from so many lines."""

NAMED_LINES = 10
"""At most this many uneven rows are named in the warning."""

CHUNK = 1 << 18
"""Records are counted in pieces of so many bytes."""

_FIRST, _LAST = itemgetter(0), itemgetter(-1)

MAX_COLUMNS = 5_000
"""A header with more cells gives no entries."""

_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:[ ,.']\d{3})+|\d+)?(?:[.,]\d+)?(?:[eE][-+]?\d+)?\s*[%€$£]?")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d\d.*)?|\d{1,2}:\d\d(?::\d\d.*)?")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


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


class _Rows(NamedTuple):
    """What all records come to: how many there are, the usual width, how many have another width and where the first
    of those begin, and the first line with a quote that never closes (0: there is none)."""

    total: int
    width: int
    uneven: int = 0
    named: tuple[int, ...] = ()
    unclosed: int = 0


def outline(text: Text, form: Format) -> Outline:
    """The columns of TEXT as entries of its header line; the facts `columns`, `row_count`, `delimiter`, `header_line`.

    Cells are windows of the header line; the flag of a column is the type that its cells have.
    """
    content = text.content.removeprefix(BOM)
    head = content.split("\n", HEAD_LINES)
    if not head[-1] or len(head) > HEAD_LINES:
        head.pop()
    delimiter = _delimiter(head)
    raw = text.raw.removeprefix(BOM.encode()) if text.encoding == "utf-8" else content.encode("utf-8", "surrogatepass")
    mark = delimiter.encode()
    quoted = raw.startswith(b'"') or mark + b'"' in raw or b'\n"' in raw
    rows = _counted(raw, mark, quoted=quoted) or _read(content, delimiter)
    shown_rows = list(islice((record for record in records(head, delimiter) if record.width), SAMPLE_RECORDS))
    sample = [_cells(head, row, delimiter) for row in shown_rows]
    header = shown_rows[0] if shown_rows and _is_header(sample) else None
    names = [shown(cell.words.strip()) for cell in sample[0]] if header else []
    width = header.width if header else rows.width
    if width != rows.width:
        # Rare enough to read all records for it: most rows have another width than the header.
        rows = _read(content, delimiter, width)
    entries = _columns(text, header, sample) if header and width <= MAX_COLUMNS else ()
    facts = (
        ("columns", tuple(names) if header else tuple(str(number + 1) for number in range(width))),
        ("row_count", rows.total - bool(header)),
        ("delimiter", delimiter),
        ("header_line", header.first if header else None),
    )
    return Outline(entries, form.name, None, "data", warnings=_warnings(rows, width), facts=facts)


def large_facts(text: Text) -> tuple[tuple[str, object], ...]:
    """The facts of a table that cannot be held; `row_count` only where its records can be counted, None else."""
    head = text.head.removeprefix(BOM).split("\n", HEAD_LINES)[:-1]
    delimiter = _delimiter(head)
    records_ = list(islice((record for record in records(head, delimiter) if record.width), SAMPLE_RECORDS))
    sample = [_cells(head, record, delimiter) for record in records_]
    header = records_[0] if sample and _is_header(sample) else None
    names = [shown(cell.words.strip()) if header else str(at) for at, cell in enumerate(sample[0] if sample else (), 1)]
    rows = _counted(text.raw, delimiter.encode(), quoted=True)
    return (
        ("columns", tuple(names)),
        ("row_count", rows.total - bool(header) if rows else None),
        ("delimiter", delimiter),
        ("header_line", header.first if header else None),
    )


def _counted(raw: bytes, delimiter: bytes, *, quoted: bool) -> _Rows | None:
    """The records of RAW, counted without looking at any; None where that cannot be done.

    It can where every quote is one around a whole cell (QUOTED), or none is, and all records have the same width, at
    least two.
    """
    marks = _others(delimiter)
    total = at = 0
    row = b""
    while at < len(raw):
        piece = raw[at : at + CHUNK]
        last = at + len(piece) == len(raw)
        if not quoted:
            outside = piece if last else piece[: piece.rfind(b"\n") + 1]
            at += len(outside)
        else:
            found = _outside(piece, delimiter, last=last)
            if found is None:
                return None
            outside, taken = found
            at += taken
        if not outside:
            return None
        bare = outside.translate(None, marks)
        if last and not piece.endswith(b"\n"):
            bare += b"\n"
        row = row or bare[: bare.find(b"\n") + 1]
        count = len(bare) // len(row) if row else 0
        if len(row) < 2 or bare != row * count:
            return None
        total += count
    return _Rows(total, len(row)) if total else None


def _outside(piece: bytes, delimiter: bytes, *, last: bool) -> tuple[bytes, int] | None:
    """What stands outside of quotes in PIECE, to the end of its last whole record, and how many bytes those take.

    None where a quote is not at the edge of its cell, or none is where the piece can be cut.
    """
    parts = piece.split(b'"')
    taken = len(piece)
    if not last:
        # From the end on, the last LF between quotes ends a record.
        while len(parts) > 1 and (len(parts) % 2 == 0 or b"\n" not in parts[-1]):
            taken -= len(parts.pop()) + 1
        cut = parts[-1].rfind(b"\n") + 1
        taken -= len(parts[-1]) - cut
        parts[-1] = parts[-1][:cut]
    elif len(parts) % 2 == 0:
        return None
    around = parts[::2]
    # An empty one stands between the two quotes that are one inside of a cell.
    inner = list(filter(None, around[1:-1]))
    ends = set(map(_LAST, inner))
    starts = set(map(_FIRST, inner))
    if len(around) > 1:
        ends.update(around[0][-1:])
        starts.update(around[-1][:1])
    if not (ends <= {*delimiter, *b"\n"} and starts <= {*delimiter, *b"\r\n"}):
        return None
    return b"".join(around), taken


@cache
def _others(delimiter: bytes) -> bytes:
    """Every byte but DELIMITER and LF."""
    return bytes(byte for byte in range(256) if byte not in b"\n" + delimiter)


def _read(content: str, delimiter: str, expected: int = 0) -> _Rows:
    """The records of CONTENT, read one by one; uneven are those without EXPECTED cells (0: the usual number)."""
    lines = content.split("\n")
    if not lines[-1]:
        lines.pop()
    found = [record for record in records(lines, delimiter) if record.width or not record.closed]
    used = [record for record in found if record.width]
    usual = Counter(record.width for record in used).most_common(1)
    width = expected or (usual[0][0] if usual else 0)
    uneven = [record.first for record in used if record.width != width]
    unclosed = next((record.first for record in found if not record.closed), 0)
    return _Rows(len(used), width, len(uneven), tuple(uneven[:NAMED_LINES]), unclosed)


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


def _cells(lines: Sequence[str], record: Record, delimiter: str) -> list[Cell]:
    """The cells of RECORD with their words unquoted."""
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
        found.append(Cell(words, start, end))
        if at < 0:
            return found
        at += 1


def _delimiter(lines: Sequence[str]) -> str:
    """The delimiter by which most records of the sample have the same number of cells, at least two."""
    best, choice = (0.0, 0), DELIMITERS[0]
    sample = lines[: SAMPLE_RECORDS * 4]
    whole = "\n".join(sample)
    for delimiter in DELIMITERS:
        if delimiter not in whole:
            continue
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
    # Only the lines up to the header are needed, so only those are found.
    at = 0
    for _ in range(header.last):
        at = text.content.find("\n", at) + 1 or len(text.content)
    spans = Spans(Text(b"", text.content[:at], text.encoding))
    start = spans.starts[header.first - 1] + (header.first == 1 and text.content.startswith(BOM))
    drafts = []
    for index, cell in enumerate(sample[0]):
        words = [row[index].words.strip() for row in sample[1:] if index < len(row)]
        span = (start + cell.start, start + cell.end)
        entry = spans.draft(shown(cell.words.strip()), "column", 1, span, span[1]).entry
        drafts.append(Draft(entry._replace(flags=_column_type(words)), span))
    return spans.finish(drafts)


def _warnings(rows: _Rows, width: int) -> tuple[Warned, ...]:
    found = []
    if rows.uneven:
        named = ", ".join(map(str, rows.named)) + (" ..." if rows.uneven > NAMED_LINES else "")
        found.append(Warned("uneven_rows", f"{rows.uneven} rows without {width} cells: lines {named}"))
    if rows.unclosed:
        line = f"the quote in line {rows.unclosed} never closes: cells end with their lines"
        found.append(Warned("unclosed_quote", line))
    return tuple(found)
