"""The blocks of a page are those that the parser finds by its own tokens."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from budgeted_reads.outline.mdblocks import marks

_WHOLE = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("inline")

_ROWS = ("|a|b|\n", "a | b\n", "|---|:-:|\n", "--|--\n", "|-|\n", "|x\\|y|\n", "\\|\n", "|\n", "| |\n")
_OTHERS = ("---\n", "===\n", "# h\n", "a\n", "\n", "```\n", "<div>\n", "[a]: /b\n", "***\n")
_PREFIXES = ("- ", "> ", "  ", "    ", "\t", "1. ", "\u00a0")
_PIECES = st.sampled_from(_ROWS + _OTHERS + _PREFIXES)


def _expected(page: str) -> list[tuple[Any, ...]]:
    """The tokens of the parser, what stands inside of tables left out."""
    found, inside = [], False
    for token in _WHOLE.parse(page):
        inside = inside and token.type != "table_close"
        if not inside:
            found.append((token.type, token.tag, token.level, token.map, token.content, token.markup))
        inside = inside or token.type == "table_open"
    return found


def _found(page: str) -> list[tuple[Any, ...]]:
    return [(one.type, one.tag, one.level, one.map, one.content, one.markup) for one in marks(page, {})]


@given(st.lists(_PIECES, max_size=24).map("".join))
def test_blocks_are_those_of_the_parser(page: str) -> None:
    """Type, level, lines, words and markup of each block are the parser's own, tables as one block each."""
    page += "\n"
    assert _found(page) == _expected(page)


@pytest.mark.parametrize("width", [30, 300])
def test_a_table_ends_where_the_parser_ends_it(width: int) -> None:
    """A table whose rows lack too many cells ends on the same line as for the parser."""
    page = "|a" * width + "|\n" + "|-" * width + "|\n" + "|a|\n" * (0x10000 // width + 9)
    assert _found(page) == _expected(page)
