"""What the cell of a notebook says, and where in the file: its source is a string of JSON, or one of each line."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from budgeted_reads.outline.jsonparts import Part, elements
from budgeted_reads.outline.mdblocks import marks
from budgeted_reads.outline.mdheadings import headings
from budgeted_reads.outline.plain import first_words

_MAY_HEAD = re.compile(r"#|<[hH][1-6]|^[ ]*(?:=+|-+)[ \t\r]*$", re.MULTILINE)
_BREAK = re.compile(r"\\(?P<line>n|u000[aA])|\\.|(?P<raw>\n)", re.DOTALL)


class Headed(NamedTuple):
    """A heading in a cell, the offsets in the file of its lines, of its words, and where the line before it ends."""

    title: str
    level: int
    start: int
    at: int
    before: int


class Source(NamedTuple):
    """The first words of a cell, at which offset, where its source ends, and the headings in it."""

    title: str
    at: int
    end: int
    headings: tuple[Headed, ...] = ()


def source(content: str, part: Part, kind: str) -> Source:
    """What stands in PART, the source of a cell of KIND: of Markdown with its headings, those in lists and quotes not.

    Its first words are those of the first line that has some: of code that line.
    """
    parts = list(elements(content, part.at)) if isinstance(part.value, list) else [part]
    end = max(part.at, parts[-1].end - 1) if parts else part.at
    title, at = _first(parts) or ("", part.at)
    if kind != "markdown":
        return Source(title, at, end)
    said = "".join(str(one.value) for one in parts)
    headed = tuple(_headings(content, parts, said)) if _MAY_HEAD.search(said) else ()
    return Source(first_words(title), at, end, headed)


def _first(parts: Sequence[Part]) -> tuple[str, int] | None:
    """The first line that has words, and where the string stands that it is in."""
    for part in parts:
        for line in str(part.value).split("\n"):
            if line.strip():
                return line, part.at
    return None


def _headings(content: str, parts: Sequence[Part], said: str) -> Iterator[Headed]:
    env: dict[str, Any] = {}
    lines = list(_lines(content, parts))
    page = said.replace("\r\n", "\n").replace("\r", " ")
    for heading in headings(marks(page + "\n", env), env):
        if not heading.end:
            before = lines[heading.first - 2][1] if heading.first > 1 else lines[0][0]
            yield Headed(heading.title, heading.level, lines[heading.first - 1][0], lines[heading.own - 1][0], before)


def _lines(content: str, parts: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """The offsets at which each line that PARTS say begins and ends in the file."""
    start = -1
    for part in parts:
        said = str(part.value)
        start = part.at if start < 0 else start
        whole = said.endswith("\n")
        ends: list[int] = []
        if "\n" in said[:-1]:
            breaks = _BREAK.finditer(content, part.at, part.end)
            ends = [found.end() for found in breaks if found["line"] or found["raw"]]
        if whole:
            ends = [*ends[:-1], part.end]
        for end in ends:
            yield start, end
            start = end
        start = -1 if whole else start
    if start >= 0:
        yield start, parts[-1].end
