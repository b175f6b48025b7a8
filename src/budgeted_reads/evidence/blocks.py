"""The blocks of a text as far as quoting goes: paragraphs, list items, rows, block quotes and fences. Pure."""

import re
from collections.abc import Sequence
from typing import NamedTuple

_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(`{3,}|~{3,})")
_QUOTED_LINE = re.compile(r"[ \t]*>")
_MARKS = re.compile(r"[ \t]*(?:> ?)+")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_ROW = re.compile(r"[ \t]*\|")
_HEADING = re.compile(r"#{1,6} ")
_JOINING = {("quote", "quote"), ("text", "text"), ("text", "item")}


class Block(NamedTuple):
    """Lines FIRST..LAST (0-based) of one kind: text, item, row, quote or fence."""

    kind: str
    first: int
    last: int

    @property
    def prose(self) -> bool:
        """Whether it is neither a block quote nor a fence."""
        return self.kind not in ("quote", "fence")

    def said(self, lines: Sequence[str]) -> str:
        """What it says of LINES: a block quote without its marks, a fence without its fences; "" where blank."""
        rows = list(lines[self.first : self.last + 1])
        if self.kind == "quote":
            rows = [unmarked(row) for row in rows]
        if rows and _FENCE.match(rows[0]):
            closed = len(rows) > 1 and rows[-1].strip()[:3] in ("```", "~~~")
            rows = rows[1 : -1 if closed else None]
        said = "\n".join(rows)
        return said if said.strip() else ""


def unmarked(row: str) -> str:
    """ROW of a block quote without the marks before it."""
    return _MARKS.sub("", row, count=1) if _QUOTED_LINE.match(row) else row


def blocks(lines: Sequence[str]) -> list[Block]:
    """The blocks of LINES in order; blank lines are in none, but inside of a fence."""
    found: list[Block] = []
    at, blank = 0, True
    while at < len(lines):
        line = lines[at]
        if fence := _FENCE.match(line):
            end = _fence_end(lines, at, fence[1])
            found.append(Block("fence", at, end))
            at, blank = end + 1, True
            continue
        if not line.strip():
            at, blank = at + 1, True
            continue
        kind = _kind(line)
        joins = found and not blank and found[-1].last == at - 1
        if joins and (kind, found[-1].kind) in _JOINING:
            found[-1] = found[-1]._replace(last=at)
        else:
            found.append(Block("text" if kind == "heading" else kind, at, at))
        blank = kind == "heading"
        at += 1
    return found


def _kind(line: str) -> str:
    for kind, pattern in (("quote", _QUOTED_LINE), ("item", _ITEM), ("row", _ROW), ("heading", _HEADING)):
        if pattern.match(line):
            return kind
    return "text"


def _fence_end(lines: Sequence[str], at: int, mark: str) -> int:
    """The line that closes the fence opened at line AT, the last line where none does."""
    for end in range(at + 1, len(lines)):
        row = lines[end].strip()
        if len(row) >= len(mark) and not row.strip(mark[0]):
            return end
    return len(lines) - 1
