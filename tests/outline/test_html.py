"""HTML: headings, landmarks and blocks with their lines."""

import pytest

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.html")
    check(text, result)
    return result


def test_headings_are_sections() -> None:
    """Nested by level, titles without tags and entities; what stands in scripts and comments is none."""
    content = (
        "<!doctype html>\n<script>\n'<h1>no</h1>'\n</script>\n<!-- <h1>no</h1>\n-->\n"
        "<h1 class='a'>Top &amp; <b>first</b></h1>\n"
        "<p>x\n</p>\n<h3>\n Deep\n</h3>\n<H2 id=z>Two</H2>\n<h2></h2>\n<p>y</p>\n"
    )
    assert shown(made(content).entries) == ("7-15 heading Top & first\n  10-12@11 heading Deep\n  13-15 heading Two\n")


def test_without_headings_landmarks_and_ids_are_the_outline() -> None:
    """Elements nest as they stand; one that is never closed ends where its parent ends."""
    content = "<main>\n<div id='a'>\n<nav>x</nav>\n<section id=b>\n</div>\n</main>\n<p id=c>y</p>\n"
    assert shown(made(content).entries) == (
        "1-6 element main\n  2-5 element div#a\n    3-3 element nav\n    4-5 element section#b\n7-7 element p#c\n"
    )


def test_blocks_have_exact_lines() -> None:
    """Outermost paragraphs, items, code and tables; none shares a line with another or with a heading."""
    content = (
        "<h1>T</h1>\n<p>a\nb</p>\n<ul>\n<li>one</li>\n<li>two</li></ul>\n<pre>\nx\n</pre>\n"
        "<table>\n<td><p>z</p>\n</table>\n"
    )
    assert [(block.kind, block.start, block.end) for block in made(content).blocks] == [
        ("paragraph", 2, 3),
        ("item", 5, 5),
        ("item", 6, 6),
        ("fence", 7, 9),
        ("table", 10, 12),
    ]


@pytest.mark.parametrize("opening", ["<div>", "<h1>", "<!--", "<a ", '<a "', "</", "<script>", "<p id=a>", "<![", "&"])
def test_hostile_marks_end(opening: str) -> None:
    """A hundred thousand marks give some sound outline."""
    made(opening * 100_000)


def test_a_heading_stands_on_the_line_of_its_words() -> None:
    """The tag that opens it, and others before its words, may stand on lines above; its section starts there."""
    content = '<h1\n class="a">\n <a name="b"></a>\nTides\n</h1>\n<p>x\n<h2>Rise</h2>\n'
    assert shown(made(content).entries) == "1-7@4 heading Tides\n  7-7 heading Rise\n"
