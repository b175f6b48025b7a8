"""The block rules of Markdown over a page, with tokens of the blocks alone: a third of the time of whole tokens.

What a table says in its cells is no block: its rows are only counted, never split.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock, blockquote
from markdown_it.rules_block import table as table_rule

from budgeted_reads.outline.entry import Unread

if TYPE_CHECKING:
    from markdown_it.token import Token

_MOST_ADDED = 0x10000
"""A table ends where so many cells were missing from its rows, as the parser has it."""

_MOST_QUOTES = 30, 20_000
"""Quotes are looked for so often for each line of a page, and so often besides: in a page that is written, about twice.

Marks of quotes strewn over lines make that grow with the square of their number.
"""

_INTERRUPTS = ["paragraph", "reference"]
"""The blocks that a table ends."""


class Mark:
    """A token of a block: its type, the lines it stands on, its words."""

    map: list[int] | None = None
    content = ""
    markup = ""

    def __init__(self, kind: str, tag: str, level: int) -> None:
        self.type = kind
        self.tag = tag
        self.level = level


class _State(StateBlock):
    """What the block rules read and write."""

    tokens: list[Any]
    quotes = most_quotes = 0

    def push(self, ttype: str, tag: str, nesting: int) -> Any:
        """One more mark, on the level that it opens or closes."""
        if nesting < 0:
            self.level -= 1
        mark = Mark(ttype, tag, self.level)
        if nesting > 0:
            self.level += 1
        self.tokens.append(mark)
        return mark


@cache
def parser(*, mdx: bool = False) -> MarkdownIt:
    """CommonMark with tables; its inline rules know strikethrough. MDX has no blocks of HTML and no indented code."""
    made = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    made.block.ruler.at("table", _table, {"alt": _INTERRUPTS})
    made.block.ruler.at("blockquote", _quote, {"alt": [*_INTERRUPTS, "blockquote", "list"]})
    return made.disable(["html_block", "code"]) if mdx else made


def _quote(state: Any, start: int, end: int, silent: bool) -> bool:
    """As the rule for quotes; raises Unread where it was asked too often."""
    state.quotes += 1
    if state.quotes > state.most_quotes:
        raise Unread("its quotes would take too long to read")
    return blockquote(state, start, end, silent)


def marks(page: str, env: dict[str, Any], *, mdx: bool = False) -> list[Mark]:
    """The blocks of PAGE in order, whose lines end at LF; definitions of links are put into ENV."""
    md = parser(mdx=mdx)
    tokens: list[Token] = []
    state = _State(page.replace("\r\n", "\n").replace("\0", "\ufffd"), md, env, tokens)
    state.most_quotes = _MOST_QUOTES[0] * state.lineMax + _MOST_QUOTES[1]
    md.block.tokenize(state, 0, state.lineMax)
    return state.tokens


def inline(words: str, env: dict[str, Any]) -> "list[Token]":
    """The tokens of WORDS by the inline rules."""
    found: list[Token] = []
    md = parser()
    md.inline.parse(words, md, env, found)
    return found


def _table(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """One mark for a whole table; whether one begins on line FIRST is asked of the parser's own rule."""
    if not table_rule(state, first, end, True):
        return False
    if silent:
        return True
    mark = state.push("table_open", "table", 1)
    before, state.parentType = state.parentType, "table"
    state.line = _last_row(state, first, end)
    state.parentType = before
    state.push("table_close", "table", -1)
    mark.map = [first, state.line]
    return True


def _last_row(state: StateBlock, first: int, end: int) -> int:
    """The line after the last row of the table whose head is line FIRST."""
    rules = state.md.block.ruler.getRules("blockquote")
    width = _width(_row(state, first))
    added = 0
    for line in range(first + 2, end):
        if state.sCount[line] < state.blkIndent or any(rule(state, line, end, True) for rule in rules):
            return line
        row = _row(state, line)
        if not row or state.is_code_block(line):
            return line
        added += width - _width(row)
        if added > _MOST_ADDED:
            return line
    return end


def _row(state: StateBlock, line: int) -> str:
    return mdTrim(state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]])


def _width(row: str) -> int:
    """How many cells ROW has: a bar at either edge divides none, and one behind a backslash is a letter."""
    width = row.count("|") + 1 - row.count("\\|") - row.startswith("|")
    return width - (row.endswith("|") and not row.endswith("\\|"))
