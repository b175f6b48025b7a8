"""How a table of separated values begins: what stands above it, its delimiter, its header, the types of its columns."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from budgeted_reads.outline.csvrecords import Cell, Record, cells, records

DELIMITERS = (",", ";", "\t", "|")
"""Tried in this order; the first wins where two are as good."""

SAMPLE_RECORDS = 200
"""Delimiter, header and types of columns are judged by this many records."""

TITLE_RECORDS = 50
"""A table has at most so many titles above its header."""

_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:[ ,.']\d{3})+|\d+)?(?:[.,]\d+)?(?:[eE][-+]?\d+)?\s*[%€$£]?")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d\d.*)?|\d{1,2}:\d\d(?::\d\d.*)?")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_SAYS = re.compile(r"\"?sep=(?P<delimiter>[,;|\t:^~])\"?[ \r]*", re.IGNORECASE)
"""The first line of a table for Excel."""


class Head(NamedTuple):
    """A table begins behind so many lines ABOVE it; SAMPLE is its first records, of which a HEADER is the first."""

    delimiter: str
    above: int
    header: Record | None
    sample: list[list[Cell]]


def head(lines: Sequence[str]) -> Head:
    """How the table of LINES begins: behind comments, a line that says its delimiter, and titles."""
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    said = _SAYS.fullmatch(lines[first]) if lines else None
    above = first + (said is not None)
    while above < len(lines) and lines[above].lstrip()[:1] in ("", "#"):
        above += 1
    if above == len(lines):
        # There is nothing but comments: they are read as the table.
        above = first
    delimiter = said["delimiter"] if said else _delimiter(lines[above : above + SAMPLE_RECORDS * 4])
    found = list(islice((record for record in records(lines, delimiter, above) if record.width), SAMPLE_RECORDS))
    found = [*_commented(lines, above, delimiter, found), *found]
    sample = [cells(lines, record, delimiter) for record in found]
    titles = _titles(sample)
    found, sample = found[titles:], sample[titles:]
    header = found[0] if found and _is_header(sample[0]) else None
    return Head(delimiter, found[0].first - 1 if found else 0, header, sample)


def _commented(lines: Sequence[str], above: int, delimiter: str, found: Sequence[Record]) -> list[Record]:
    """The header that is the last comment ABOVE what was FOUND (`#id,name`), if that is as wide as most records are.

    What stands behind a blank (`# made in May, for us`) is one only where no header follows.
    """
    line = lines[above - 1] if above else ""
    width = _usual([record.width for record in found])
    if not line.startswith("#") or line.startswith("##") or width < 2:
        return []
    record = next(records([line], delimiter))
    is_prose = line[1:2].isspace() and _is_header(cells(lines, found[0], delimiter))
    return [] if record.width != width or is_prose else [record._replace(first=above, last=above)]


def _titles(sample: Sequence[Sequence[Cell]]) -> int:
    """How many of the first records of SAMPLE are titles of the table, which its first one of the usual width ends.

    Those with one cell are; others only above a header of columns that hold something else than words.
    """
    usual = _usual([len(record) for record in sample])
    titles = 0
    for record in sample[:TITLE_RECORDS]:
        if len(record) == usual and not (usual > 2 and _is_lone(record)):
            break
        titles += 1
    if usual < 2 or titles >= min(len(sample), TITLE_RECORDS):
        return 0
    if all(len(record) == 1 for record in sample[:titles]):
        return titles
    rest = sample[titles + 1 :]
    typed = any(column_type(words) not in ((), ("text",)) for words in column_words(rest, usual))
    return titles if typed and _is_header(sample[titles]) else 0


def _is_lone(record: Sequence[Cell]) -> bool:
    """Whether nothing stands in RECORD behind its first cell."""
    return not any(cell.words.strip() for cell in record[1:])


def _usual(widths: Sequence[int]) -> int:
    """The number that most of WIDTHS have, the greater of two; 0 where there are none."""
    return max(Counter(widths).items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))[0]


def _delimiter(lines: Sequence[str]) -> str:
    """The delimiter by which most records of LINES have the same number of cells, at least two."""
    best, choice = (0.0, 0), DELIMITERS[0]
    whole = "\n".join(lines)
    for delimiter in DELIMITERS:
        if delimiter not in whole:
            continue
        widths = Counter(record.width for record in records(lines, delimiter) if record.width)
        width, count = max(widths.items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))
        score = (round(count / widths.total(), 3) if widths else 0.0, width)
        if width > 1 and score > best:
            best, choice = score, delimiter
    return choice


def _is_header(record: Sequence[Cell]) -> bool:
    """Whether RECORD names columns: no cell of it is a number or date, years after a name aside."""
    words = [cell.words.strip() for cell in record]
    numbers = [word for word in words if word and _type(word) != "text"]
    if not any(words):
        return False
    return not numbers or (not _YEAR.fullmatch(words[0]) and all(_YEAR.fullmatch(word) for word in numbers))


def column_words(sample: Sequence[Sequence[Cell]], width: int) -> list[list[str]]:
    """What stands in each of WIDTH columns of SAMPLE."""
    return [[record[at].words.strip() for record in sample if at < len(record)] for at in range(width)]


def column_type(words: Sequence[str]) -> tuple[str, ...]:
    """The type that all WORDS of a column have; none where it is empty."""
    types = {_type(word) for word in words if word}
    if types == {"integer", "number"}:
        return ("number",)
    return (types.pop(),) if len(types) == 1 else ("text",) if types else ()


def _type(word: str) -> str:
    if _DATE.fullmatch(word):
        return "date"
    if any(map(str.isdigit, word)) and _NUMBER.fullmatch(word):
        return "integer" if word.lstrip("+-").isdigit() else "number"
    return "text"
