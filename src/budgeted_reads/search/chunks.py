"""What a ranked search finds: the entries of a file, each with the lines that are its own and no other entry's."""

from collections.abc import Iterator
from typing import NamedTuple

from budgeted_reads.outline import Entry, Outline
from budgeted_reads.search.words import terms
from budgeted_reads.text import Text
from budgeted_reads.views.placed import flatten

LONG, LONG_CHARACTERS = 60, 8_000
"""A longer entry is found in parts of so many lines, or of about so many characters."""

WINDOW = 40
"""Texts and data without entries of their own are found in windows of so many lines."""

MOST_LINES, MOST_DATA_LINES = 100_000, 20_000
MOST_CHARACTERS = 20_000
"""Of a file, of one without entries (a log, a table), and of one part, no more is looked at."""

SHORTEST = 32
"""A body of fewer terms counts as one of so many: a line that repeats a name does not say more of it than a text."""

_NAMES = 60
_FILLER = "-"


class Chunk(NamedTuple):
    """Lines FIRST..LAST of a file as terms, joined by spaces; `own` is the line that stands for them.

    `name` is that of the entry that begins there, `symbol` those of what it defines within. What is `declared` there
    is defined elsewhere.
    """

    first: int
    last: int
    own: int
    body: str
    name: str
    symbol: str
    declared: bool = False


class Chunks(NamedTuple):
    """The chunks of a file; `whole` is False where it was too long to be in them to its end."""

    rows: list[Chunk]
    whole: bool


def chunks(text: Text, shape: Outline) -> Chunks:
    """The chunks of TEXT with the outline SHAPE, in line order; each line with a term in one."""
    entries = shape.style in ("code", "prose")
    most = MOST_LINES if entries else MOST_DATA_LINES
    whole = text.line_count <= most
    lines = text.lines() if whole else text.slice(1, most).split("\n")
    made = _entries(lines, shape) if entries else _windows(lines, shape)
    long = any(sum(map(len, lines[one.first - 1 : one.last])) > MOST_CHARACTERS for one in made)
    return Chunks(made, whole and not long)


def _entries(lines: list[str], shape: Outline) -> list[Chunk]:
    placed = [one for one in flatten(shape.entries) if one.entry.start <= len(lines)]
    owner = [-1] * (len(lines) + 2)
    for number, one in enumerate(placed):
        if not one.leaf:
            # A comment that documents it stands above it.
            start = min(one.entry.start, one.entry.doc[0] if one.entry.doc else one.entry.start)
            last = min(one.entry.end, len(lines))
            owner[start : last + 1] = [number] * (last - start + 1)
    leaves: dict[int, list[str]] = {}
    for one in placed:
        if one.leaf:
            leaves.setdefault(one.entry.own, []).append(one.entry.title)
    found: list[Chunk] = []
    first, size = 1, 0
    for number in range(1, len(lines) + 2):
        if number <= len(lines) and owner[number] == owner[first]:
            size += len(lines[number - 1])
            if number - first < LONG and (size <= LONG_CHARACTERS or number == first):
                continue
        entry = placed[owner[first]].entry if owner[first] >= 0 else None
        names = [name for line in range(first, number) for name in leaves.get(line, ())]
        own, name = first, ""
        if entry is not None and first <= entry.own < number:
            own, name = entry.own, f"{entry.owner} {entry.title}"
        if chunk := _chunk(lines, (first, number - 1), own, name, names):
            found.append(chunk._replace(declared=bool(name) and entry is not None and _declares(lines, entry)))
        first, size = number, len(lines[number - 1]) if number <= len(lines) else 0
    return found


def _declares(lines: list[str], entry: Entry) -> bool:
    """Whether ENTRY says of a function only that there is one: `int berth(int);`."""
    if entry.body is not None or entry.kind not in ("function", "method"):
        return False
    text = " ".join(lines[entry.start - 1 : entry.end])
    return text.rstrip().endswith(";") and "{" not in text


def _windows(lines: list[str], shape: Outline) -> list[Chunk]:
    titles: dict[int, list[str]] = {}
    if shape.style == "data":
        for one in flatten(shape.entries):
            titles.setdefault((one.entry.own - 1) // WINDOW, []).append(one.entry.title)
    found = []
    for at in range(0, len(lines), WINDOW):
        names = titles.get(at // WINDOW, [])[:_NAMES]
        for first, last in _parts(lines, at + 1, min(at + WINDOW, len(lines))):
            if chunk := _chunk(lines, (first, last), first, "", names):
                found.append(chunk)
    return found


def _parts(lines: list[str], first: int, last: int) -> Iterator[tuple[int, int]]:
    """Lines FIRST..LAST in parts of about LONG_CHARACTERS."""
    size = 0
    for number in range(first, last + 1):
        size += len(lines[number - 1])
        if size > LONG_CHARACTERS and number > first:
            yield first, number - 1
            first, size = number, len(lines[number - 1])
    yield first, last


def _chunk(lines: list[str], part: tuple[int, int], own: int, name: str, names: list[str]) -> Chunk | None:
    """The lines of PART as a chunk, None where they hold no term."""
    first, last = part
    while own < last and not lines[own - 1].strip():
        own += 1
    words = list(terms("\n".join(lines[first - 1 : last])[:MOST_CHARACTERS]))
    if not words:
        return None
    # No question has the filler as a term.
    body = " ".join(words + [_FILLER] * (SHORTEST - len(words)))
    symbol = " ".join(terms(" ".join(names[:_NAMES])))
    return Chunk(first, last, own, body, " ".join(terms(name)), symbol)
