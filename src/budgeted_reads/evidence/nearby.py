"""The passage of a text that a pointer is cited for (CONTRACT section 4): the nearest quote by one fixed rule. Pure.

A block quote or fenced block directly above or below the paragraph or list item of the pointer, with no other pointer
between them or in it; the nearer one, of equals the one above, unless the paragraph ends in a colon. Else the last
quoted text of at least 12 characters before it in the same sentence, list item or row of a table.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

REACH = 4_000
"""Quoted text is looked for so many characters before a pointer."""

LEAST_QUOTE = 12
"""Shorter quoted text is a word or a name, not a passage."""

_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(`{3,}|~{3,})")
_QUOTED_LINE = re.compile(r"[ \t]*>")
_MARKS = re.compile(r"[ \t]*(?:> ?)+")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_ROW = re.compile(r"[ \t]*\|")
_HEADING = re.compile(r"#{1,6} ")
_QUOTES = re.compile(r"\"([^\"]*)\"|“([^“”]*)”|«([^«»]*)»|(`+)(?!`)(.+?)(?<!`)\4(?!`)", re.DOTALL)
_SENTENCE_END = re.compile(r"(?:[.!?…][\"'”»)\]*_]*\s+|[。！？])(?=\S)")
_JOINING = {("quote", "quote"), ("text", "text"), ("text", "item")}
_OPENERS = " \t\r\n([{<*_`\"'“«-–—"


class Block(NamedTuple):
    """Lines FIRST..LAST (0-based) of one kind: text, item, row, quote or fence."""

    kind: str
    first: int
    last: int


class Passages:
    """The blocks of a text; SPANS are the places of its pointers, in order."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._spans = spans
        self._begins = [start for start, _ in spans]
        self._blocks = _blocks(self._lines)
        self._firsts = [block.first for block in self._blocks]

    def quote(self, start: int, end: int, names: Sequence[str]) -> str | None:
        """The quote of the pointer at START..END, None where it has none. Quoted NAMES are not quotes."""
        line = bisect_right(self._starts, start) - 1
        at = bisect_right(self._firsts, line) - 1
        if at < 0 or line > self._blocks[at].last or self._blocks[at].kind == "fence":
            return None
        block = self._blocks[at]
        if block.kind == "quote":
            return self._attributed(block, line)
        found = self._beside(at, line, start, end)
        if found is not None:
            return found
        return self._inline(block, start, names)

    def _attributed(self, block: Block, line: int) -> str | None:
        """For a pointer inside a block quote: the lines of it above the pointer, else those below."""
        for part in (Block("quote", block.first, line - 1), Block("quote", line + 1, block.last)):
            if part.first <= part.last and (said := self._said(part)):
                return said
        return None

    def _beside(self, at: int, line: int, start: int, end: int) -> str | None:
        """What the block quote or fenced block above or below block AT says, the nearer to LINE."""
        block = self._blocks[at]
        begin, close = self._extent(block)
        tries: list[tuple[int, int, Block]] = []
        colon = self._lines[block.last].rstrip().endswith(":")
        if at > 0 and not self._others(begin, start):
            above = self._blocks[at - 1]
            tries.append((line - above.last, int(colon), above))
        if at + 1 < len(self._blocks) and not self._others(end, close):
            below = self._blocks[at + 1]
            tries.append((below.first - line, int(not colon), below))
        for _, _, one in sorted(tries):
            if one.kind in ("quote", "fence") and not self._others(*self._extent(one)) and (said := self._said(one)):
                return said
        return None

    def _extent(self, block: Block) -> tuple[int, int]:
        return self._starts[block.first], self._starts[block.last + 1]

    def _others(self, begin: int, end: int) -> bool:
        """Whether another pointer starts between BEGIN and END."""
        at = bisect_right(self._begins, begin - 1)
        return at < len(self._begins) and self._begins[at] < end

    def _said(self, block: Block) -> str:
        """The text of a block quote without its marks, or of a fenced block without its fences; "" where blank."""
        rows = self._lines[block.first : block.last + 1]
        if block.kind == "quote":
            rows = [_MARKS.sub("", row, count=1) for row in rows]
        if rows and _FENCE.match(rows[0]):
            closed = len(rows) > 1 and rows[-1].strip()[:3] in ("```", "~~~")
            rows = rows[1 : -1 if closed else None]
        said = "\n".join(rows)
        return said if said.strip() else ""

    def _inline(self, block: Block, start: int, names: Sequence[str]) -> str | None:
        begin = max(self._starts[block.first], start - REACH)
        before = self._text[begin:start]
        quoted = [found for found in _QUOTES.finditer(before) if self._is_passage(found, begin, names)]
        if not quoted:
            return None
        last = quoted[-1]
        if block.kind == "text" and self._sentence_ends(before, last.end()):
            return None
        return next(group for group in (last[1], last[2], last[3], last[5]) if group is not None)

    def _is_passage(self, found: re.Match[str], begin: int, names: Sequence[str]) -> bool:
        """Whether FOUND is long enough, holds no pointer, and is no name of what is cited."""
        said = next(group for group in (found[1], found[2], found[3], found[5]) if group is not None)
        if len(said.strip()) < LEAST_QUOTE or said in names:
            return False
        at = bisect_right(self._begins, begin + found.start())
        return at == len(self._begins) or self._begins[at] >= begin + found.end()

    def _sentence_ends(self, before: str, at: int) -> bool:
        """Whether a sentence ends in BEFORE behind AT, right before the pointer aside: that one still belongs to it."""
        inside = [(found.start(), found.end()) for found in _QUOTES.finditer(before)]
        for found in _SENTENCE_END.finditer(before, at):
            if any(start < found.start() < end for start, end in inside):
                continue
            if before[found.end() :].strip(_OPENERS):
                return True
        return False


def _blocks(lines: Sequence[str]) -> list[Block]:
    """The blocks of LINES in order; blank lines are in none, but inside of a fence."""
    blocks: list[Block] = []
    at, blank = 0, True
    while at < len(lines):
        line = lines[at]
        if fence := _FENCE.match(line):
            end = _fence_end(lines, at, fence[1])
            blocks.append(Block("fence", at, end))
            at, blank = end + 1, True
            continue
        if not line.strip():
            at, blank = at + 1, True
            continue
        kind = _kind(line)
        joins = blocks and not blank and blocks[-1].last == at - 1
        if joins and (kind, blocks[-1].kind) in _JOINING:
            blocks[-1] = blocks[-1]._replace(last=at)
        else:
            blocks.append(Block("text" if kind == "heading" else kind, at, at))
        blank = kind == "heading"
        at += 1
    return blocks


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
