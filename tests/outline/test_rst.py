"""reStructuredText: which lines are titles, where sections end, what the blocks between are."""

import pytest

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.rst")
    check(text, result)
    return result


def titles(content: str) -> list[tuple[int, str]]:
    return [(entry.level, entry.title) for entry in flat(made(content).entries) if entry.kind == "heading"]


def test_levels_follow_the_order_in_which_styles_appear() -> None:
    """A style is a mark, with or without a line above; a section ends before the next of its level or above."""
    content = "===\nTop\n===\n\nOne\n===\n\nx\n\nSub\n---\n\nTwo\n===\n"
    assert shown(made(content).entries) == (
        "1-14@2 heading Top\n  5-12 heading One\n    10-12 heading Sub\n  13-14 heading Two\n"
    )


@pytest.mark.parametrize(
    "lines",
    [
        "text\n\n----\n\ntext",
        "::\n\n   Not\n   ===",
        "+---+\n| a |\n+---+",
        "=== ===\na   b\n=== ===",
        "para\nstill para\n===",
        "   indented\n   ====",
        "----",
    ],
)
def test_what_only_looks_like_a_title_is_none(lines: str) -> None:
    """Transitions, literal blocks, tables and paragraphs open no section."""
    assert titles(f"{lines}\n") == []


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ("a *b* ``c``\n===========", (1, "a b c")),
        (":mod:`email` parts\n==================", (1, "email parts")),
        ("`text <url>`_ x\n===============", (1, "text x")),
        ("a\\_b\n=====", (1, "a_b")),
        ("名前です\n========", (1, "名前です")),
    ],
)
def test_a_title_is_what_a_reader_says(lines: str, title: tuple[int, str]) -> None:
    """Inline markup and roles are no part of it."""
    assert titles(f"{lines}\n") == [title]


def test_blocks_have_exact_lines() -> None:
    """Paragraphs, items, literal blocks, directives and tables, without the blank lines around them."""
    content = (
        "T\n=\n\npara\nmore\n\n- one\n- two\n\n.. code::\n\n   x\n\n.. _t: u\n\n=== ===\na   b\n=== ===\n\n:k: v\n"
    )
    assert [(block.kind, block.start, block.end) for block in made(content).blocks] == [
        ("paragraph", 4, 5),
        ("item", 7, 7),
        ("item", 8, 8),
        ("fence", 10, 10),
        ("fence", 12, 12),
        ("links", 14, 14),
        ("table", 16, 18),
        ("meta", 20, 20),
    ]


def test_what_a_directive_describes_is_a_section() -> None:
    """By its name without arguments, nested as it is indented; its last line is the last one indented below it."""
    content = (
        "API\n===\n\n.. module:: tide\n\n.. py:class:: Tide(level)\n\n   It rises.\n\n"
        "   .. method:: rise(by, *, slow=False)\n\n      By so much.\n\nText.\n\n.. option:: -v, --verbose\n\n"
        "Next\n----\n\n.. autofunction:: fall\n"
    )
    assert shown(made(content).entries) == (
        "1-21 heading API\n  6-12 heading Tide\n    10-12 heading rise\n  16-16 heading -v, --verbose\n"
        "  18-21 heading Next\n    21-21 heading fall\n"
    )


@pytest.mark.parametrize(
    "lines",
    [
        ".. code-block:: rst\n\n   .. function:: rise()",
        ".. note:: words",
        ".. function::",
        ".. versionadded:: 2.0",
        "a .. function:: rise()",
        ".. automethods:: a",
    ],
)
def test_other_directives_and_examples_are_none(lines: str) -> None:
    """Only what stands at the margin, or inside of what is described."""
    assert titles(f"{lines}\n") == []


@pytest.mark.parametrize("opening", [".. class:: a\n", ".. class:: a\n\n ", "   .. class:: a\n", ".. function:: ("])
def test_hostile_directives_end(opening: str) -> None:
    """Twenty thousand give some sound outline."""
    made(opening * 20_000)
    made("".join(" " * depth + ".. class:: a\n" for depth in range(1000)))
