"""HTML: headings, landmarks and blocks with their lines."""

import pytest

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.outline.tree import MAX_TREE
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


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


HOSTILE = [
    "<div>", "<h1>", "<h2>a</h2>", "<!--", "<!-->", "<a ", '<a "', '<a ="', '<a "="', "<a ='\"", "<a =", "<a <%", "</",
    "&", '<a <%= ">', "<script>", "<script type=text/html>", "<script type=", "<p id=a>", "<![", "<h2><a>¶</a>",
    "<h1><svg>", "<h2>a</h3>", "<div role=heading>a", "<svg id=a />", "<h1><textarea><!--</textarea>",
]  # fmt: skip


@pytest.mark.parametrize("opening", HOSTILE)
def test_hostile_marks_end(opening: str) -> None:
    """A hundred thousand marks give some sound outline."""
    made(opening * 100_000)


def test_a_heading_stands_on_the_line_of_its_words() -> None:
    """The tag that opens it, and others before its words, may stand on lines above; its section starts there."""
    content = '<h1\n class="a">\n <a name="b"></a>\nTides\n</h1>\n<p>x\n<h2>Rise</h2>\n'
    assert shown(made(content).entries) == "1-7@4 heading Tides\n  7-7 heading Rise\n"


ONE_LINE = (
    "<!DOCTYPE html><html><body><h1>Struct Vec</h1><h2 id=a>Examples</h2><p>x</p>"
    "<h2 id=b>Methods</h2><h3>push</h3>y<h3>pop</h3></body></html>"
)


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_headings_on_one_line_are_windows_of_it(end: str) -> None:
    """Each begins with its tag and ends where the next one of its level or above begins."""
    windows = []
    for entry in flat(made(ONE_LINE + end).entries):
        first, last = entry.columns or (1, len(ONE_LINE))
        windows.append((entry.level, entry.title, (ONE_LINE + end)[first - 1 : last].rstrip()))
    tail = "</body></html>"
    assert windows == [
        (1, "Struct Vec", ONE_LINE),
        (2, "Examples", "<h2 id=a>Examples</h2><p>x</p>"),
        (2, "Methods", f"<h2 id=b>Methods</h2><h3>push</h3>y<h3>pop</h3>{tail}"),
        (3, "push", "<h3>push</h3>y"),
        (3, "pop", f"<h3>pop</h3>{tail}"),
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<h2>A</h2><p>x\ny</p><h2>B</h2>\nz\n", "1-2 heading A\n2-3 heading B\n"),
        ("<h2>A</h2><p>x\ny</p>\n</div><div><h2>B</h2>\nz\n", "1-2 heading A\n3-4 heading B\n"),
        ("<h2>A</h2>\nx\n{% block b %}<h2>B</h2>\n", "1-2 heading A\n3-3 heading B\n"),
        ("<h2>A</h2>\n<div\n class=b><h2>B</h2>\n", "1-2 heading A\n3-3 heading B\n"),
        (
            "<h2>A</h2><h3>B</h3>\nx <h3>C</h3> <h2>D</h2>\n",
            "1-2 heading A\n  1-2 heading B\n  2-2:3-13 heading C\n2-2:14-23 heading D\n",
        ),
    ],
)
def test_a_section_shares_the_line_of_the_next_only_for_its_words(content: str, expected: str) -> None:
    """Tags alone before a heading are no part of the section above it."""
    assert shown(made(content).entries) == expected


def test_a_page_in_one_line_has_a_bounded_outline() -> None:
    """The deepest levels go first, and it says so."""
    result = made("<h1>a</h1>" + "<h2>b</h2>" * MAX_TREE)
    assert [entry.title for entry in flat(result.entries)] == ["a"]
    assert "shallow_outline" in [warned.code for warned in result.warnings]


TITLES = {
    "<b>v</b>ector": "vector",
    "std::<wbr><a href=x>vec</a>::<span>Vec</span>&lt;T&gt;": "std::vec::Vec<T>",
    "Top<br>second": "Top second",
    "<a id=x></a>Title": "Title",
    "<a href=x>Title</a>": "Title",
    "Title<a class=headerlink href=#t>&para;</a>": "Title",
    "<a href=#t>#</a> C&num; <button>Copy</button>": "C#",
    "<button>More</button>": "More",
    "<svg><title>icon</title><text>i</text></svg> Logo": "Logo",
    "<img src=x alt='The logo'>": "The logo",
    "<img src=x alt='The logo'> Product": "Product",
    "A <!-- <b>no</b> --> B": "A B",
    "na&shy;me": "name",
    "<%= post.title %>": "<%= post.title %>",
    "<?php echo $title; ?>": "<?php echo $title; ?>",
    '<span title="a > b">Title</span>': "Title",
    '<span class="<%= a ? b : c %>" <%= d %>>Title</span>': "Title",
    "<a href=#t>¶</a>": "¶",
    "a < b": "a < b",
}


@pytest.mark.parametrize("words", TITLES)
def test_a_heading_is_titled_as_it_is_read(words: str) -> None:
    """Tags inside part no words; marks to link to, buttons and pictures count where there is nothing else."""
    assert [entry.title for entry in made(f"<h2 class='a'>{words}</h2>\n").entries] == [TITLES[words]]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('<div role="heading" aria-level="3"><div>A</div></div>', [(3, "A")]),
        ("<p role=heading>A</p>", [(2, "A")]),
        ("<p class=heading>A</p>", []),
        ("<h2>A</h3>", [(2, "A")]),
        ('<h2 title="a > b" data-x="<i>">A</h2>', [(2, "A")]),
        ("<noscript><h2>A</h2></noscript>", [(2, "A")]),
        ("<template><h2>A</h2></template>", [(2, "A")]),
        ("<!--> <h2>A</h2> -->", [(2, "A")]),
        ("<!-- <h2>A</h2> -->", []),
        ('<script src="a.js"/> <h2>A</h2>', [(2, "A")]),
        ('<p class="a"b"> <h2>A</h2> <p title="c">', [(2, "A")]),
    ],
)
def test_what_is_a_heading(content: str, expected: list[tuple[int, str]]) -> None:
    """What has its role, in a template too, whatever else its tag says, but nothing in a comment."""
    found = [(entry.level, entry.title) for entry in made(content).entries if entry.kind == "heading"]
    assert found == expected


@pytest.mark.parametrize(
    "type_",
    [
        "text/html",
        "text/template",
        "text/x-template",
        "text/ng-template",
        "text/x-mustache",
        "text/x-handlebars-template",
    ],
)
def test_a_script_that_is_a_template_holds_html(type_: str) -> None:
    """Its headings are sections; without any, what has an id stands in it."""
    content = f'<script id="a" type="{type_}">\n<h2>Two</h2>\n<style>\n<h3>no</h3>\n</style>\n</script>\n'
    assert shown(made(content).entries) == "2-6 heading Two\n"
    content = f"<script id=a type={type_}>\n<div id=b>\n</div>\n</script>\n<p id=c>\n</p>\n"
    assert shown(made(content).entries) == "1-4 element script#a\n  2-3 element div#b\n5-6 element p#c\n"


@pytest.mark.parametrize("type_", ["", "module", "importmap", "text/javascript", "application/ld+json", "text/plain"])
def test_any_other_script_holds_none(type_: str) -> None:
    """Nor does one whose data alone name such a type."""
    content = f'<script id=a data-type="text/html" type="{type_}">\n"<h2>no</h2><p id=b>"\n</script>\n'
    assert shown(made(content).entries) == "1-3 element script#a\n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<div id=a>\n<div>\n</div>\n<p>x\n</div>\n", "1-5 element div#a\n"),
        ("<div>\n<p id=a>\n</div>\n<nav>\n</nav>\n", "2-3 element p#a\n4-5 element nav\n"),
        ('<svg>\n<path id="a" />\n<path id="b"/>\n</svg>\n', "2-2 element path#a\n3-3 element path#b\n"),
        ("<a id=a href=b/>\nx</a>\n", "1-2 element a#a\n"),
        ('<p data-id=a :id="b">\n</p>\n<p title="x" id="c">\n</p>\n', "3-4 element p#c\n"),
    ],
)
def test_an_element_ends_at_its_own_end_tag(content: str, expected: str) -> None:
    """Others inside it, named or not, have theirs; what stands in an element without a name is its parent's."""
    assert shown(made(content).entries) == expected
