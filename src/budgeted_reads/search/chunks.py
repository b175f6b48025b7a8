"""What a ranked search finds: the entries of a file, each with the lines that are its own and no other entry's."""

from typing import NamedTuple

from budgeted_reads.outline import Outline
from budgeted_reads.search.words import terms
from budgeted_reads.text import Text
from budgeted_reads.views.code import flatten

LONG = 60
"""A longer entry is found in parts of so many lines."""

WINDOW = 40
"""Texts and data without entries of their own are found in windows of so many lines."""

MOST_LINES, MOST_DATA_LINES = 100_000, 20_000
MOST_CHARACTERS = 20_000
"""Of a file, of one without entries (a log, a table), and of one part, no more is looked at."""

_NAMES = 60


class Chunk(NamedTuple):
    """Lines FIRST..LAST of a file as terms, joined by spaces; `own` is the line that stands for them."""

    first: int
    last: int
    own: int
    body: str
    symbol: str


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
            last = min(one.entry.end, len(lines))
            owner[one.entry.start : last + 1] = [number] * (last - one.entry.start + 1)
    leaves: dict[int, list[str]] = {}
    for one in placed:
        if one.leaf:
            leaves.setdefault(one.entry.own, []).append(one.entry.title)
    found: list[Chunk] = []
    named: set[int] = set()
    first = 1
    for number in range(1, len(lines) + 2):
        if number <= len(lines) and owner[number] == owner[first] and number - first < LONG:
            continue
        entry = placed[owner[first]].entry if owner[first] >= 0 else None
        names = [name for line in range(first, number) for name in leaves.get(line, ())]
        own = first
        if entry is not None and owner[first] not in named:
            named.add(owner[first])
            names.insert(0, f"{entry.owner} {entry.title}")
            own = entry.own if first <= entry.own < number else first
        if chunk := _chunk(lines, first, number - 1, own, names):
            found.append(chunk)
        first = number
    return found


def _windows(lines: list[str], shape: Outline) -> list[Chunk]:
    titles: dict[int, list[str]] = {}
    if shape.style == "data":
        for one in flatten(shape.entries):
            titles.setdefault((one.entry.own - 1) // WINDOW, []).append(one.entry.title)
    found = []
    for at in range(0, len(lines), WINDOW):
        first, last = at + 1, min(at + WINDOW, len(lines))
        chunk = _chunk(lines, first, last, first, titles.get(at // WINDOW, [])[:_NAMES])
        if chunk:
            found.append(chunk)
    return found


def _chunk(lines: list[str], first: int, last: int, own: int, names: list[str]) -> Chunk | None:
    """Lines FIRST..LAST as a chunk, None where they hold no term."""
    while own < last and not lines[own - 1].strip():
        own += 1
    body = " ".join(terms("\n".join(lines[first - 1 : last])[:MOST_CHARACTERS]))
    if not body:
        return None
    return Chunk(first, last, own, body, " ".join(terms(" ".join(names[:_NAMES]))))
