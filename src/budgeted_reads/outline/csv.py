"""Tables of separated values: columns as entries, and records, which are counted and are not lines.

The standard reader is not used: it limits a cell to 131,072 characters for the whole process, ends lines at CR, and
gives no offsets.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from budgeted_reads.outline.csvhead import Head, column_type, column_words, head
from budgeted_reads.outline.csvrecords import records
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.tree import Draft, Spans, shown
from budgeted_reads.text import BOM, Text

HEAD_LINES = 5_000
"""The head of a table is looked for in so many lines."""

NAMED_LINES = 10
"""At most this many uneven rows are named in the warning."""

CHUNK = 1 << 18
"""Records are counted in pieces of so many bytes."""

_FIRST, _LAST = itemgetter(0), itemgetter(-1)

MAX_COLUMNS = 5_000
"""A header with more cells gives no entries."""


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

    Cells are windows of the header line; the flag of a column is the type that its cells have. What stands above the
    table is no record of it. Where no line of it ends, as CR alone once did, its records are counted at CR.
    """
    content = text.content.removeprefix(BOM)
    raw = text.raw.removeprefix(BOM.encode()) if text.encoding == "utf-8" else content.encode("utf-8", "surrogatepass")
    unit = "lines"
    if is_old := _is_old(content):
        content, raw, unit = content.replace("\r", "\n"), raw.replace(b"\r", b"\n"), "records"
    lines = content.split("\n", HEAD_LINES)
    if not lines[-1] or len(lines) > HEAD_LINES:
        lines.pop()
    table = head(lines)
    start = sum(map(len, lines[: table.above])) + table.above
    at, mark = len(content[:start].encode("utf-8", "surrogatepass")), table.delimiter.encode()
    quoted = raw.startswith(b'"') or mark + b'"' in raw or b'\n"' in raw
    rows = _counted(raw, mark, at, quoted=quoted) or _read(content, table.delimiter, above=table.above)
    width = table.header.width if table.header else rows.width
    if width != rows.width:
        # Rare enough to read all records for it: most rows have another width than the header.
        rows = _read(content, table.delimiter, width, above=table.above)
    line = table.header.first if table.header else None
    facts = _facts(table, width, rows, 1 if line and is_old else line)
    entries = _columns(text, table, start) if table.header and width <= MAX_COLUMNS else ()
    above = [at for at, line in enumerate(lines[: table.above], 1) if line.strip()]
    warnings = _warnings(rows, width, above, unit)
    return Outline(entries, form.name, None, "data", warnings=warnings, facts=facts)


def large_facts(text: Text) -> tuple[tuple[str, object], ...]:
    """The facts of a table that cannot be held; `row_count` only where its records can be counted, None else."""
    lines = text.head.removeprefix(BOM).split("\n", HEAD_LINES)[:-1]
    table = head(lines)
    above = "".join(f"{line}\n" for line in lines[: table.above])
    at = len(f"{BOM if text.bom else ''}{above}".encode("utf-8", "surrogatepass"))
    rows = _counted(text.raw, table.delimiter.encode(), at, quoted=True)
    width = len(table.sample[0]) if table.sample else 0
    return _facts(table, width, rows, table.header.first if table.header else None)


def _facts(table: Head, width: int, rows: "_Rows | None", line: int | None) -> tuple[tuple[str, object], ...]:
    names = [shown(cell.words.strip()) for cell in table.sample[0]] if table.header else map(str, range(1, width + 1))
    return (
        ("columns", tuple(names)),
        ("row_count", rows.total - bool(table.header) if rows else None),
        ("delimiter", table.delimiter),
        ("header_line", line),
    )


def _is_old(content: str) -> bool:
    """Whether CR alone ends the lines of CONTENT, which has no LF but at its end."""
    first = content.find("\n")
    return (first < 0 or first == len(content) - 1) and "\r" in content.rstrip("\r\n")


def _counted(raw: bytes, delimiter: bytes, at: int = 0, *, quoted: bool) -> _Rows | None:
    """The records of RAW from AT on, counted without looking at any; None where that cannot be done.

    It can where every quote is one around a whole cell (QUOTED), or none is, and all records have the same width, at
    least two.
    """
    marks = _others(delimiter)
    total, row = 0, b""
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


def _read(content: str, delimiter: str, expected: int = 0, *, above: int = 0) -> _Rows:
    """The records of CONTENT behind so many lines ABOVE, read one by one.

    Uneven are those without EXPECTED cells (0: the usual number).
    """
    lines = content.split("\n")
    if not lines[-1]:
        lines.pop()
    found = [record for record in records(lines, delimiter, above) if record.width or not record.closed]
    used = [record for record in found if record.width]
    usual = Counter(record.width for record in used).most_common(1)
    width = expected or (usual[0][0] if usual else 0)
    uneven = [record.first for record in used if record.width != width]
    unclosed = next((record.first for record in found if not record.closed), 0)
    return _Rows(len(used), width, len(uneven), tuple(uneven[:NAMED_LINES]), unclosed)


def _columns(text: Text, table: Head, start: int) -> tuple[Entry, ...]:
    """The columns of a TABLE that begins START behind the mark of its text."""
    start += text.content.startswith(BOM)
    # Only the lines up to the header are needed, so only those are found.
    end = text.content.find("\n", start + table.sample[0][-1].end) + 1 or len(text.content)
    spans = Spans(Text(b"", text.content[:end], text.encoding))
    drafts = []
    names, *rows = table.sample
    for cell, words in zip(names, column_words(rows, len(names)), strict=True):
        span = (start + cell.start, start + cell.end)
        entry = spans.draft(shown(cell.words.strip()), "column", 1, span, span[1]).entry
        drafts.append(Draft(entry._replace(flags=column_type(words)), span))
    return spans.finish(drafts)


def _warnings(rows: _Rows, width: int, above: Sequence[int], unit: str) -> tuple[Warned, ...]:
    """What is odd about ROWS, where UNIT is what their numbers count, and what stands ABOVE them."""
    found = []
    if above:
        found.append(Warned("uneven_rows", f"{unit} above the table are not counted as rows: {_few(above)}"))
    if rows.uneven:
        named = f"{unit} {_few(rows.named, more=rows.uneven > NAMED_LINES)}"
        found.append(Warned("uneven_rows", f"{rows.uneven} rows without {width} cells: {named}"))
    if rows.unclosed:
        line = f"the quote in {unit[:-1]} {rows.unclosed} never closes: cells end with their {unit}"
        found.append(Warned("unclosed_quote", line))
    return tuple(found)


def _few(numbers: Sequence[int], *, more: bool = False) -> str:
    return ", ".join(map(str, numbers[:NAMED_LINES])) + (" ..." if more or len(numbers) > NAMED_LINES else "")
