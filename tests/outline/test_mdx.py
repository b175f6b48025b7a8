"""MDX: Markdown goes on between tags, and what is JavaScript is none of it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.mdx import bare
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat


def made(content: str, name: bytes = b"a.mdx") -> Outline:
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    return result


def titles(content: str) -> list[str]:
    return [entry.title for entry in flat(made(content).entries) if entry.kind == "heading"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('<Tab slot="npm">\n```sh\n# one\nnpm a\n\n# two\n```\n</Tab>\n\n## Next\n', ["Next"]),
        ("<Box>\n## Checklist\n\na\n</Box>\n\n## Last\n", ["Checklist", "Last"]),
        ("<Tabs>\n  <Tab>\n    ## In\n\n        ### Deep\n  </Tab>\n</Tabs>\n", ["In", "Deep"]),
        ("import A from 'a'\nexport const a = {\n\n  // it's {\n# x\n  b: `\n# y\n`,\n}\n\n# T\n", ["T"]),
        ("{/* a\n\n# b\n*/}\n\n# T\n", ["T"]),
        ("{a.map((b) => (\n  <p>Don't {b}</p>\n# c\n))}\n# T\n", ["T"]),
        ("<Code a={`\n# b\n`} c='>'\n  d\n/>\n# T\n", ["T"]),
        ("<A\n  b\n>c\n# T\n", ["T"]),
        ("> <Box>\n> ## In\n> </Box>\n\n# T\n", ["In", "T"]),
        ("<h1>\n  A\n</h1>\n\n<h2>b</h2>\n\n# c\n", ["A", "b", "c"]),
        ("<!-- a\n\n# b\n-->\n# T\n", ["T"]),
        ("<></>\n# T\n", ["T"]),
        ("1. a\n\n   <Box>\n   ## b\n   </Box>\n2. c\n", ["b"]),
        ("- ```\n  <A\n  ```\n\n# T\n", ["T"]),
        ("```js\nexport const a = {\n```\n\n# T\n", ["T"]),
    ],
)
def test_only_what_is_markdown_has_headings(content: str, expected: list[str]) -> None:
    """Tags on lines of their own are passed over, as are expressions, comments and statements, to their end."""
    assert titles(content) == expected


@pytest.mark.parametrize("opening", ["<A", "{a", "export const a = {", "<A b='", "<!-- a", "{`", "<A {b"])
def test_what_never_ends_hides_nothing(opening: str) -> None:
    """It is text; what follows it is read."""
    assert titles(f"{opening}\n\n# T\n\n<Box>\n## In\n</Box>\n") == ["T", "In"]


def test_what_is_no_markdown_is_html() -> None:
    """Each run of such lines is a block; words behind a tag are a paragraph."""
    content = "---\na: b\n---\nimport A from 'a'\n\n<A>\n- b\n  <B/>\n\n</A>\n\n<A>c</A>\n\n[a]: /b\n"
    assert [(block.kind, block.start, block.end) for block in made(content).blocks] == [
        ("meta", 1, 3),
        ("html", 4, 4),
        ("html", 6, 6),
        ("item", 7, 7),
        ("html", 8, 8),
        ("html", 10, 10),
        ("paragraph", 12, 12),
        ("links", 14, 14),
    ]


def test_a_page_of_markdown_has_blocks_of_html() -> None:
    """`.md` stays as CommonMark reads it."""
    result = made("<Box>\n## a\n</Box>\n\n    # b\n\n## c\n", b"a.md")
    assert (result.format, [entry.title for entry in result.entries]) == ("markdown", ["c"])


_PIECES = st.sampled_from(
    [
        "<A",
        ">",
        "/>",
        "</A>",
        "{",
        "}",
        "`",
        "'",
        '"',
        "import ",
        "# a\n",
        "```\n",
        "\n",
        "- ",
        "> ",
        "b ",
        "<!--",
        "-->",
    ]
)


@given(st.lists(_PIECES, max_size=24).map("".join))
def test_every_line_stays_where_it_is(content: str) -> None:
    """As many lines as before; each is the one that it was, what is left of its end, or nothing but marks of quotes."""
    lines = content.split("\n")
    left = bare(lines)
    assert len(left) == len(lines)
    assert all(
        line.strip().endswith(one.strip()) or not one.strip(" \t>") for one, line in zip(left, lines, strict=True)
    )
    made(content)


@pytest.mark.parametrize(
    "piece",
    [
        "<A",
        "<A\n",
        "{",
        "{\n",
        "<A {\n",
        "<A '",
        '<A "\n',
        "{/*",
        "{`",
        "`",
        "'\\",
        "<!--\n",
        "> <A\n",
        "<A b\n",
        "{}",
        "{} a\n",
    ],
)
def test_much_of_it_takes_little_time(piece: str) -> None:
    """A hundred kilobytes of one piece, with and without an end, are soon read."""
    began = time.process_time()
    count = 100_000 // len(piece)
    bare((piece * count).split("\n"))
    bare((piece * (count // 2) + "} ,\n" * (25_000)).split("\n"))
    assert time.process_time() - began < 2
