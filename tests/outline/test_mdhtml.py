"""Headings that are written in HTML in a page of Markdown."""

import time

import pytest

from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown


def entries(content: str) -> str:
    text = decode(content.encode())
    result = outline(text, b"a.md")
    check(text, result)
    headings = [entry for entry in result.entries if entry.kind == "heading"]
    return shown(headings).replace("heading ", "").replace("\n", "|").removeprefix("|")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<h1>Foo</h1>\n\na\n\n<h2 align='center'>Install</h2>\n", "1-5 Foo|  5-5 Install|"),
        ('<h1 align="center">\n  <img src="x" alt="Pic">\n  Foo &amp; b\n</h1>\na\n', "1-5@3 Foo & b|"),
        ("<div>\n<h2><b>A</b>b <code>*c*</code></h2>\n</div>\n", "2-3 Ab *c*|"),
        ("<h1>\n\n![pic](x) **Q**\n\n</h1>\n\na\n", "1-7@3 pic Q|"),
        ('<h2><img\n alt="Only"></h2>\n', "1-2 Only|"),
        ("<a id=x></a><h2>Two</h2>\n", "1-1 Two|"),
        ("<details><summary><h3>S</h3></summary>\n\na\n\n</details>\n\n## b\n", "1-6 S|7-7 b|"),
        ('<h3 id="s">Stats <a href="#s">#</a></h3>\n', "1-1 Stats|"),
        ("<h1>a</h1><h2>b</h2>\n<h2>c</h2>\n", "1-2 a|  2-2 c|"),
        ("<H2>a</H2>\n", "1-1 a|"),
    ],
)
def test_one_counts_as_any_other(content: str, expected: str) -> None:
    """It has its rank, its text without tags as the title, and the lines of its tags; of one line the first."""
    assert entries(content) == expected


@pytest.mark.parametrize(
    "content",
    [
        "<!-- <h1>a</h1> -->",
        "<!--\n\n<h1>a</h1>\n-->",
        "```html\n<h1>a</h1>\n```",
        "Use `<h1>a</h1>` here",
        "<a id=x></a>Use <h2>a</h2> here",
        "<pre>\n<h1>a</h1>\n</pre>",
        "<script>\n'<h1>a</h1>'\n</script>",
        "<h1></h1>",
        "<h1>a",
        "<h1>\n\n- a\n\n</h1>",
        "<hr>a</hr>",
    ],
)
def test_what_is_said_of_html_is_none(content: str) -> None:
    """Comments, code, tags within a sentence, and those without an end or a text."""
    assert entries(f"{content}\n") == ""


@pytest.mark.parametrize(
    "piece",
    ["<h1>", "<h1>\n\n", "<h1>a</h1>", "<h1>a\n</h1>\n", "<pre ", "<script>", "<!--", "<h1><img alt ", "<a ", "{#a}"],
)
def test_much_of_it_takes_little_time(piece: str) -> None:
    """A hundred kilobytes of one piece are soon read."""
    began = time.process_time()
    entries(f"<div>{piece * (100_000 // len(piece))}\n")
    entries(f"# a {piece * (100_000 // len(piece))}\n".replace("\n\n", ""))
    assert time.process_time() - began < 3
