"""Markdown: which lines are headings, where sections end, what the blocks between are."""

import pytest

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.md")
    check(text, result)
    return result


def titles(content: str) -> list[tuple[int, str]]:
    return [(entry.level, entry.title) for entry in flat(made(content).entries) if entry.kind == "heading"]


def kinds(content: str) -> list[tuple[str, int, int]]:
    return [(block.kind, block.start, block.end) for block in made(content).blocks]


def test_a_section_ends_before_the_next_heading_of_its_level_or_above() -> None:
    """Levels that are skipped nest under the nearest shallower heading."""
    assert shown(made("## a\n\n#### b\n\n### c\n\n# d\n\n### e\n\n## f\n").entries) == (
        "1-6 heading a\n  3-4 heading b\n  5-6 heading c\n7-11 heading d\n  9-10 heading e\n  11-11 heading f\n"
    )


@pytest.mark.parametrize(
    "lines",
    [
        "#tag",
        "####### seven",
        "\\# escaped",
        "    # code",
        "```\n# fenced\n```",
        "~~~\n# fenced\n```\n# still\n~~~",
        "```\n# never closed",
        "<!--\n# comment\n-->",
        "<div>\n# inside\n</div>",
        "> quoted\n> ---",
        "- listed\n  ===",
        "- listed\n  -",
        "text # not here",
        "a\n\n---",
        "| a |\n|---|\n| # b |",
    ],
)
def test_what_only_looks_like_a_heading_is_none(lines: str) -> None:
    """CommonMark decides: marks in code, comments and HTML open no section; nor do underlines in quotes and lists."""
    assert titles(f"{lines}\n") == []


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ("# a", (1, "a")),
        ("#\ta", (1, "a")),
        ("#", (1, "")),
        ("## ##", (2, "")),
        ("   ### a ###   ", (3, "a")),
        ("# a\\#", (1, "a#")),
        ("# a #b", (1, "a #b")),
        ("a\n===", (1, "a")),
        ("a\n b\n---", (2, "a b")),
        ("## **b** and `c*` _d_ ~~e~~", (2, "b and c* d e")),
        ("# [text](url) ![alt *x*](pic) <b>h</b> &amp; <https://x.y>", (1, "text alt x h & https://x.y")),
        ("# [ref]\n\n[ref]: /url", (1, "ref")),
        ("# a  \t b", (1, "a b")),
        ("# 見出し **太字**", (1, "見出し 太字")),
        ("# snake_case_name * 2", (1, "snake_case_name * 2")),
        ("# A {#a}", (1, "A")),
        ("# A{#a-b} #", (1, "A")),
        ("# **B** {/*b*/}", (1, "B")),
        ("# B {/* #b */}", (1, "B")),
        ("# C {: #c .x}", (1, "C")),
        ('# D {.unnumbered #d lang=en t="x y"}', (1, "D")),
        ("# E [¶](#e)", (1, "E")),
        ('# E {#e} [#](#e "Link to this")', (1, "E")),
        ("F `f` {#f}\n---", (2, "F f")),
        ("# {#if}", (1, "{#if}")),
        ("# `{#if}`", (1, "{#if}")),
        ("# A \\{#a}", (1, "A {#a}")),
        ("# {{#if}}", (1, "{{#if}}")),
        ("# A {a} {#b c}", (1, "A {a} {#b c}")),
        ("# A {#a} b", (1, "A {#a} b")),
        ("# See [this](#a)", (1, "See this")),
        ("# See [¶](other.md)", (1, "See ¶")),
    ],
)
def test_a_title_is_what_a_reader_says(lines: str, title: tuple[int, str]) -> None:
    """Inline markup, marks, closing marks, and ids or links to itself at its end are no part of the title."""
    assert titles(f"{lines}\n") == [title]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_a_bom_change_nothing(mark: str, end: str) -> None:
    """CRLF and a byte order mark give the same entries as LF."""
    lines = ["# One", "", "text", "", "Two", "---", "", "- item", ""]
    assert made(mark + end.join(lines)).entries == made("\n".join(lines)).entries


def test_a_signature_keeps_what_the_source_says() -> None:
    """Ids go from the title alone."""
    assert made("## B {/*b*/}\n").entries[0].signature == "## B {/*b*/}"


def test_only_lf_ends_a_line() -> None:
    """A lone CR, NEL, U+2028 and a form feed neither end a line nor open a heading."""
    assert titles("a\r# b\n\nc\u2028# d\x85# e\x0c# f\n") == []
    assert [entry.start for entry in made("x\rx\n\n# a\r# b\n\n# c\n").entries] == [3, 5]


def test_repeated_titles_are_all_there() -> None:
    """Equal titles are separate entries with their own lines."""
    assert [entry.start for entry in made("# a\n\n# a\n\n# a\n").entries] == [1, 3, 5]


@pytest.mark.parametrize("mark", ["---", "+++"])
def test_front_matter_is_one_block_and_no_heading(mark: str) -> None:
    """YAML and TOML front matter is `meta`, whatever stands in it."""
    content = f"{mark}\ntitle = 'x'\n# comment\n\nupdated: 1\n{mark}\n\n# T\n"
    assert titles(content) == [(1, "T")]
    assert kinds(content) == [("meta", 1, 6)]


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    """`---` opens front matter only where a key or a comment follows it and the block is closed."""
    assert titles("---\n\ntext\n---\n") == [(2, "text")]
    assert titles("---\nkey: value\n\n# T\n") == [(1, "T")]


def test_blocks_have_exact_lines() -> None:
    """Blocks come in order, without the blank lines around them; each item of a top list is one."""
    content = (
        "para\nmore\n\n- one\n\n  - nested\n- two\n\n\n```\ncode\n\n```\n\n    indented\n\n"
        "> quote\nlazy\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<div>\nx\n</div>\n\n***\nlast"
    )
    assert kinds(content) == [
        ("paragraph", 1, 2),
        ("item", 4, 6),
        ("item", 7, 7),
        ("fence", 10, 13),
        ("fence", 15, 15),
        ("quote", 17, 18),
        ("table", 20, 22),
        ("html", 24, 26),
        ("paragraph", 29, 29),
    ]


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ("[![CI](x.svg)](y) [![v](z)](w)", "links"),
        ("[a](b) | [c](d) · <https://e.f>", "links"),
        ("- [Intro](#intro)\n  - [More](#more)", "links"),
        ("- [a](b): what it says", "item"),
        ("![a](b)", "image"),
        ("![a](b) with words", "paragraph"),
        ("words", "paragraph"),
        ("--", "paragraph"),
        ("[x]: https://y.z\n[w]: v", "links"),
    ],
)
def test_what_is_nothing_but_links_says_so(lines: str, kind: str) -> None:
    """Badges, lists of links and definitions of links are `links`; a picture alone is `image`."""
    assert {block[0] for block in kinds(f"# T\n\n{lines}\n")} == {kind}


def test_a_page_without_headings_is_divided_into_paragraphs() -> None:
    """Its entries are paragraphs named by their first words; its blocks stay."""
    result = made("one two\n\n- three\n")
    assert (result.format, result.style) == ("markdown", "plain")
    assert [entry.title for entry in result.entries] == ["one two", "- three"]
    assert [block.kind for block in result.blocks] == ["paragraph", "item"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("- ### a\n  - b\n\n    c\n- d\n", [("item", 2, 4), ("item", 5, 5)]),
        ("> # a\n>\n> b\n> - c\n\nd\n", [("paragraph", 3, 3), ("item", 4, 4), ("paragraph", 6, 6)]),
        ("- a\n\n  ## b\n\n  > c\n  > d\n", [("paragraph", 1, 1), ("quote", 5, 6)]),
        ("<a>\n<h1>b</h1>\nc\n<h2>d</h2>\n\n", [("html", 1, 1), ("html", 3, 3)]),
        ("<h1>\n\na\n\n</h1>\nb\n", [("html", 6, 6)]),
    ],
)
def test_blocks_hold_no_heading(content: str, expected: list[tuple[str, int, int]]) -> None:
    """Of a list item or a quote that does, the blocks inside are given; HTML is cut."""
    assert kinds(content) == expected
