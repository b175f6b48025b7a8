"""What an answer costs on the face that prints it: the JSON body counts its content, text counts header and all."""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from budgeted_reads import pointer
from budgeted_reads.outline import Range
from budgeted_reads.tokens import Counter

_NUMBERS = re.compile(r" \d+/~?\d+t ")


class Heading(NamedTuple):
    """What the header of a text face says of the file: its path, its commit, and what is out of the ordinary."""

    path: bytes
    commit: str | None
    notes: tuple[str, ...] = ()


class Printed(NamedTuple):
    """A header that tells its own cost: `tokens` of the whole as printed, `bound` as held against the budget."""

    header: str
    tokens: int
    bound: int


class Face:
    """Costs on one face. Without a heading it is the JSON body: no header, and raw text where all lines are shown."""

    def __init__(self, counter: Counter, kind: str, heading: Heading | None) -> None:
        self.counter = counter
        self.kind = kind
        self.heading = heading

    @property
    def is_text(self) -> bool:
        """Whether this face prints a header above the content."""
        return self.heading is not None

    def bound(self, units: int) -> int:
        """What UNITS are held to cost."""
        return self.counter.bound(units, self.kind)

    def tokens(self, units: int) -> int:
        """What UNITS are reported to cost."""
        return self.counter.tokens(units, self.kind)

    def print(self, rows: int | str, header: Callable[[int], str]) -> Printed:
        """The header for ROWS and the cost of both; HEADER makes it from the tokens that it has to print.

        ROWS are units, or a text that may not add exactly below a header and is counted with it. The printed count is
        part of what is counted: the least one that holds is taken, which exists because more digits never cost less.
        """
        if isinstance(rows, str) and (self.heading is None or not rows or rows[0].isdigit()):
            rows = self.counter.units(rows)
        if self.heading is None:
            units = rows if isinstance(rows, int) else 0
            return Printed("", self.tokens(units), self.bound(units))
        tokens = 0
        while True:
            line = header(tokens) + "\n"
            below = self.header_units(line) + rows if isinstance(rows, int) else self.counter.units(line + rows)
            found = self.tokens(below)
            if found <= tokens:
                return Printed(line, tokens, self.bound(below))
            tokens = found

    def header_units(self, line: str) -> int:
        """Units of a header LINE with its LF: the words before its numbers, and the rest, add exactly."""
        numbers = _NUMBERS.search(line)
        at = numbers.start() if numbers else 0
        return self.counter.units(line[:at]) + self.counter.header_units(line[at:])

    def whole(self, rows: int | str, header: Callable[[int, int], str]) -> Printed:
        """As `print`, for an answer that shows all: HEADER also prints the least budget that gives it."""
        full = 0
        while True:
            printed = self.print(rows, partial(_with_full, header, full))
            if printed.bound <= full or not self.is_text:
                return printed
            full = printed.bound


def _with_full(header: Callable[[int, int], str], full: int, tokens: int) -> str:
    return header(tokens, full)


def header_line(
    heading: Heading,
    view: str,
    counts: tuple[int, int, int],
    *,
    lines: Range | None = None,
    words: tuple[str, ...] = (),
    path: bool = True,
    estimate: bool = False,
) -> str:
    """The header without its LF: `<view> <path>@<hex12> <tokens>/<full>t <lines>L`, then what is out of the ordinary.

    COUNTS are tokens, full and lines; LINES is the range asked for. An ESTIMATE of the whole has a `~`.
    """
    tokens, full, line_count = counts
    parts = [view]
    if path:
        parts.append(label(heading, lines))
    parts.append(f"{tokens}/{'~' if estimate else ''}{full}t {line_count}L")
    parts.extend(words)
    if path:
        parts.extend(heading.notes)
    return " ".join(parts)


def label(heading: Heading, lines: Range | None) -> str:
    """The path as a pointer that can be cited, or bare where the bytes have none."""
    if heading.commit is not None:
        return pointer.short(heading.path, heading.commit, lines)
    shown = pointer.display(heading.path)
    if lines is None:
        return shown
    return f"{shown}#L{lines[0]}" if lines[0] == lines[1] else f"{shown}#L{lines[0]}-L{lines[1]}"
