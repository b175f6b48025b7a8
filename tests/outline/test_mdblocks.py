"""The blocks of a page are those that the parser finds by its own tokens."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from budgeted_reads.outline.entry import Unread
from budgeted_reads.outline.mdblocks import marks
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode

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


def test_quotes_that_take_the_square_of_their_lines_are_not_read() -> None:
    """A page of 100 kB took half a minute: it is divided as plain text, which is said; threads of mail are read."""
    page = "".join(random.Random(1).choices(["===\n", "\t", "> "], k=40_000))
    with pytest.raises(Unread):
        marks(page, {})
    made = outline(decode(page.encode()), b"a.md")
    assert [warned.code for warned in made.warnings] == ["no_outline"]
    thread = "".join("> " * (at % 12) + "words\n" for at in range(3_000))
    assert not outline(decode(thread.encode()), b"a.md").warnings
