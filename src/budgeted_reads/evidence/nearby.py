"""The passages of a text that its pointers are cited for (CONTRACT section 4). Pure.

First the quoted texts within each paragraph, list item, row or block quote: one directly before a pointer, else one
directly after it. Then, for pointers without, the block quotes and fences directly above and below. Either way
pointers and passages take turns, only neighbours go together, and each goes to one: as many pairs as there can be, and
of those the nearest.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from budgeted_reads.evidence import between
from budgeted_reads.evidence.blocks import Block, blocks, unmarked

LEAST_QUOTE = 12
"""Shorter quoted text is a word or a name, not a passage."""

_QUOTES = re.compile(
    r"(?<![A-Za-z0-9])\"([^\"]*)\"(?![A-Za-z0-9])|“([^“”]*)”|«([^«»]*)»|(?<!`)(`+)(?!`)(.{1,4000}?)(?<!`)\4(?!`)",
    re.DOTALL,
)
_NAME = re.compile(r"[-@$#.:/]*[a-z_]\w*(?:(?:->|::|[-@$#.:/])[a-z_]\w*)*(?:\(\))?", re.ASCII | re.IGNORECASE)
_UNCLOSED = 3
"""A sentence that ends before a block introduces it less than one that runs up to it: by as much as so many words."""

Cost = tuple[int, int, int]
"""What speaks against a pair, the weightiest first."""


class Cited(NamedTuple):
    """The passages that a pointer is cited for: none, one, or a quoted text and the block that it introduces besides.

    `name` is the one of them that only names something: it is in code marks and has no more than a name has.
    """

    quotes: tuple[str, ...] = ()
    name: str | None = None


class _Node(NamedTuple):
    """One in a row of pointers and passages: the pointer of that number, else what is SAID, else what parts the two.

    START..END is its place, in characters for quoted texts and their pointers, in lines for blocks and theirs. In CODE
    are texts in backticks.
    """

    start: int
    end: int
    pointer: int | None = None
    said: str = ""
    code: bool = False


_PART = _Node(0, 0)


def passages(text: str, spans: Sequence[tuple[int, int]]) -> list[Cited]:
    """What each pointer of TEXT is cited for; SPANS are their places, in order."""
    return _Passages(text, spans).found()


def pairs(costs: Sequence[Cost | None]) -> list[int]:
    """Which neighbours in a row go together: numbers N, where N goes with N + 1, and no one with two.

    COSTS[N] is what that pair costs, None where it is none. As many pairs as there can be, of those the cheapest.
    """
    best = [(0, 0, 0, 0), (0, 0, 0, 0)]
    taken = []
    for at, cost in enumerate(costs):
        total = best[at + 1]
        if cost is not None:
            count, a, b, c = best[at]
            total = min(total, (count - 1, a + cost[0], b + cost[1], c + cost[2]))
        taken.append(total != best[at + 1])
        best.append(total)
    chosen, at = [], len(costs) - 1
    while at >= 0:
        if taken[at]:
            chosen.append(at)
        at -= 2 if taken[at] else 1
    return chosen[::-1]


class _Passages:
    def __init__(self, text: str, spans: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._spans = spans
        self._paths = [_path(text[start:end]) for start, end in spans]
        self._line = [bisect_right(self._starts, start) - 1 for start, _ in spans]
        self._blocks = blocks(self._lines)
        self._quotes: list[list[str]] = [[] for _ in spans]
        self._names: dict[int, str] = {}

    def found(self) -> list[Cited]:
        held = [
            range(bisect_right(self._line, block.first - 1), bisect_right(self._line, block.last))
            for block in self._blocks
        ]
        for block, pointers in zip(self._blocks, held, strict=True):
            if pointers and block.kind != "fence":
                self._inline(block, pointers)
                if block.kind == "quote":
                    self._attributed(block, pointers)
        self._around(held)
        return [Cited(tuple(quotes), self._names.get(at)) for at, quotes in enumerate(self._quotes)]

    def _take(self, row: Sequence[_Node], costs: Sequence[Cost | None]) -> None:
        for at in pairs(costs):
            one, other = row[at : at + 2]
            pointer, cited = (other.pointer, one) if one.pointer is None else (one.pointer, other)
            if pointer is not None:
                self._quotes[pointer].append(cited.said)
                if cited.code and _NAME.fullmatch(cited.said.strip()):
                    self._names[pointer] = cited.said

    def _inline(self, block: Block, pointers: range) -> None:
        """Give the POINTERS of BLOCK the quoted texts in it."""
        row = self._row(block, pointers)
        costs: list[Cost | None] = []
        for one, other in pairwise(row):
            gap = self._text[one.end : min(other.start, one.end + between.FAR + 1)]
            if one.said and other.pointer is not None:
                far = between.before(gap, self._paths[other.pointer], sentence=block.kind in ("text", "quote"))
                costs.append(None if far is None else (0, far, 0))
            elif one.pointer is not None and other.said:
                far = between.after(gap, self._paths[one.pointer])
                second = bool(costs) and costs[-1] is not None
                costs.append(None if far is None else (int(second), far, 1))
            else:
                costs.append(None)
        self._take(row, costs)

    def _row(self, block: Block, pointers: range) -> list[_Node]:
        """The pointers and quoted texts of BLOCK in order; one too short to be a passage parts those beside it."""
        nodes = [_Node(*self._spans[pointer], pointer) for pointer in pointers]
        starts = [node.start for node in nodes]
        quoted = []
        for found in _QUOTES.finditer(self._text, *self._extent(block)):
            after = bisect_right(starts, found.start())
            if after < len(nodes) and nodes[after].start < found.end():
                continue
            said = next(group for group in (found[1], found[2], found[3], found[5]) if group is not None)
            beside = pointers[max(0, after - 1) : after + 1]
            if any(between.is_name(said, self._paths[pointer]) for pointer in beside):
                continue
            if block.kind == "quote":
                said = "\n".join(map(unmarked, said.split("\n")))
            said = said if len(said.strip()) >= LEAST_QUOTE else ""
            quoted.append(_Node(*found.span(), None, said, found[5] is not None))
        return sorted([*nodes, *quoted], key=lambda node: node.start)

    def _attributed(self, block: Block, pointers: range) -> None:
        """Give the POINTERS that stand alone in a line of a block quote the lines of it above or below."""
        row: list[_Node] = []
        first = block.first
        for line in [*sorted({self._line[pointer] for pointer in pointers}), block.last + 1]:
            if first < line:
                row.append(_Node(first, line - 1, None, Block("quote", first, line - 1).said(self._lines)))
            first = line + 1
            on = pointers[
                bisect_right(self._line, line - 1) - pointers[0] : bisect_right(self._line, line) - pointers[0]
            ]
            if on:
                row += self._ends(on, line, line) if self._alone(on, line) else [_PART]
        costs = [
            (0, 0, int(one.pointer is not None)) if self._may_pair(one, other) else None for one, other in pairwise(row)
        ]
        self._take(row, costs)

    def _alone(self, pointers: range, line: int) -> bool:
        """Whether LINE has nothing but POINTERS and at most two words that connect."""
        begin, close = self._spans[pointers[0]][0], self._spans[pointers[-1]][1]
        rest = self._text[self._starts[line] : begin] + " " + self._text[close : self._starts[line + 1]]
        return between.connects(rest, self._paths[pointers[0]], most=2)

    def _ends(self, pointers: range, first: int, last: int) -> list[_Node]:
        """The first and the last of POINTERS, which stand on lines FIRST..LAST: nothing is next to those between."""
        ends = [_Node(first, last, pointers[0])]
        return ends if len(pointers) == 1 else [*ends, _PART, _Node(first, last, pointers[-1])]

    def _may_pair(self, one: _Node, other: _Node) -> bool:
        pointer = one.pointer if other.pointer is None else other.pointer
        return pointer is not None and bool(one.said or other.said) and not self._quotes[pointer]

    def _around(self, held: Sequence[range]) -> None:
        """Give pointers the block quotes and fences directly above and below their paragraphs."""
        row: list[_Node] = []
        for block, pointers in zip(self._blocks, held, strict=True):
            if block.prose and pointers:
                row += self._ends(pointers, block.first, block.last)
            elif block.prose or pointers:
                row.append(_PART)
            else:
                row.append(_Node(block.first, block.last, None, block.said(self._lines)))
        costs: list[Cost | None] = []
        introduced = []
        for at, (one, other) in enumerate(pairwise(row)):
            if one.pointer is not None and other.said and self._introduces(one):
                introduced.append(at)
                costs.append((0, 0, 0))
            elif self._may_pair(one, other):
                costs.append(self._distance(one, other))
            else:
                costs.append(None)
        for at in introduced:
            for beside in (at - 1, at + 1):
                if 0 <= beside < len(costs):
                    costs[beside] = None
        self._take(row, costs)

    def _introduces(self, node: _Node) -> bool:
        """Whether the paragraph of a pointer ends in a colon; where it has a quoted text already, right behind it."""
        pointer = node.pointer or 0
        rest = self._text[self._spans[pointer][1] : self._starts[node.end + 1]]
        if self._quotes[pointer]:
            return between.introduces(rest, self._paths[pointer])
        return between.ends_in_colon(rest)

    def _distance(self, one: _Node, other: _Node) -> Cost:
        """How far a pointer is from the block next to its paragraph, in lines, then in words of the paragraph."""
        if other.pointer is not None:
            lead = self._text[self._starts[other.start] : self._spans[other.pointer][0]]
            return self._line[other.pointer] - one.end, between.words(lead), 0
        pointer = one.pointer or 0
        rest = self._text[self._spans[pointer][1] : self._starts[one.end + 1]]
        return other.start - self._line[pointer], between.words(rest) + _UNCLOSED * between.closed(rest), 1

    def _extent(self, block: Block) -> tuple[int, int]:
        return self._starts[block.first], self._starts[block.last + 1]


def _path(written: str) -> str:
    return written.rpartition("@")[0] or written.partition("#")[0]
