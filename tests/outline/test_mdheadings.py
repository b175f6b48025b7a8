"""Headings in lists and quotes: they nest below what is around, and end with what they are in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


def entries(content: str) -> str:
    text = decode(content.encode())
    result = outline(text, b"a.md")
    check(text, result)
    return shown([entry for entry in result.entries if entry.kind == "heading"])


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("## a\n\n- ### b\n  - c\n- ### d\n  e\n\nf\n", "1-8 a|  3-4 b|  5-7 d|"),
        ("### a\n\n> # b\n> c\n> ## d\n\ne\n\n### f\n", "1-8 a|  3-5 b|    5-5 d|9-9 f|"),
        ("> ## a\n> # b\n> ### c\n\n## d\n", "1-1 a|2-3 b|  3-3 c|5-5 d|"),
        ("- ### a\n- #### b\n", "1-1 a|2-2 b|"),
        ("- # a\n  > ## b\n  > # c\n\n  ## d\n- e\n", "1-5 a|  2-2 b|  3-3 c|  5-5 d|"),
        ("1. a\n\n   ## b\n\n   c\n\nd\n", "3-6 b|"),
        ("- <h2>a</h2>\n  b\n\nc\n", "1-3 a|"),
    ],
)
def test_one_ends_with_what_it_is_in(content: str, expected: str) -> None:
    """Whatever its rank, it is below the heading around and ends none outside; inside, ranks count as anywhere."""
    assert entries(content).replace("heading ", "").replace("\n", "|") == expected


def test_its_level_is_the_written_one_if_it_can_be() -> None:
    """Else that of the heading around it and one more."""
    result = outline(decode(b"## a\n\n- #### b\n- # c\n  ## d\n"), b"a.md")
    assert [(entry.title, entry.level) for entry in flat(result.entries)] == [("a", 2), ("b", 4), ("c", 3), ("d", 4)]


_PIECES = st.sampled_from(
    ["# a\n", "### b\n", "- ", "> ", "  ", "1. ", "c\n", "\n", "<h2>d</h2>\n", "<h1>\n", "</h1>\n"]
)


@given(st.lists(_PIECES, max_size=24).map("".join))
def test_any_nesting_is_sound(content: str) -> None:
    """No range crosses that of its parent, and no block holds another."""
    entries(content)
