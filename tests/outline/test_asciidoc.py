"""AsciiDoc titles and what stands between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.adoc")
    check(text, result)
    return result


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 2)), min_size=1, max_size=8))
def test_a_section_ends_before_the_next_title_of_its_level_or_above(parts: list[tuple[int, int]]) -> None:
    """Whatever the order of levels and the paragraphs between them."""
    lines: list[str] = []
    starts = []
    for level, paragraphs in parts:
        starts.append((level, len(lines) + 1))
        lines += ["=" * level + " Title", "", *["words", ""] * paragraphs]
    found = [(one.level, one.start, one.end) for one in flat(made("\n".join([*lines, ""])).entries)]
    ends = [
        min([at - 1 for after, at in starts[index + 1 :] if after <= level], default=len(lines))
        for index, (level, _) in enumerate(starts)
    ]
    assert found == [(level, start, end) for (level, start), end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize(
    "block",
    [
        "----\n{}\n----",
        "....\n{}\n....",
        "++++\n{}\n++++",
        "////\n{}\n////",
        "====\n----\n{}\n----\n====",
        "|===\n{}\n|===",
        "```ruby\n{}\n```",
        "words\n{}",
        "[discrete]\n{}",
        "--\n{}\n--",
        "----\n====\n{}\n----",
    ],
)
def test_what_looks_like_a_title_elsewhere_is_none(block: str) -> None:
    """In delimited blocks, also inside each other, in a paragraph, and where it is said to be none."""
    content = f"== One\n\n{block.format('== Two')}\n\n== Three\n"
    assert [entry.title for entry in made(content).entries] == ["One", "Three"]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("== A *bold* `word` ==", "A bold word"),
        ("== [[id]]See link:x.html[the *guide*]", "See the guide"),
        ("== See <<x,here>> a_b_c", "See here a_b_c"),
        ("## Also a title", "Also a title"),
        ("== {product} 2 * 3 * 4", "{product} 2 * 3 * 4"),
        ("Two lines\n---------", "Two lines"),
        ('"git bisect" overview\n---------------------', '"git bisect" overview'),
        ("`eol`\n^^^^^", "eol"),
        ("'text'\n~~~~~~", "'text'"),
        ("$ tide\n------", "$ tide"),
    ],
)
def test_titles_are_bare(line: str, title: str) -> None:
    """Without markup, anchors and the marks behind them."""
    assert [entry.title for entry in made(f"{line}\n\nwords\n").entries] == [title]


@pytest.mark.parametrize(
    ("content", "titles"),
    [
        ("----\nx\n\n== Two\n", ["Two"]),
        ("====\n----\n====\n\n== Two\n", ["Two"]),
        ("```ruby\nx\n\n== Two\n\n====\n== Three\n====\n", ["Two"]),
        ("----\n----\n----\n== Two\n----\n----\n\n== Three\n", ["Three"]),
    ],
)
def test_a_delimiter_that_nothing_closes_opens_no_block(content: str, titles: list[str]) -> None:
    """A block ends at the next line that equals its delimiter; without one only the delimiter's own line is passed."""
    assert [entry.title for entry in flat(made(f"== One\n\n{content}").entries)] == ["One", *titles]


@pytest.mark.parametrize(
    "content",
    [
        "Word\n\n----\n",
        ".Word\n-----\n",
        "'...'\n-----\n",
        "[quote]\n-------\nx\n-------\n",
        " word\n-----\n",
        "A longer word\n----\nx\n----\n",
        "==\n",
        "==x\n",
        "======= x\n",
        " == x\n",
    ],
)
def test_a_rule_or_a_delimiter_is_no_underline(content: str) -> None:
    """A line below words is one only where it is as long as they are, give or take one; marks need a blank."""
    assert "heading" not in [entry.kind for entry in made(content).entries]


@pytest.mark.parametrize(
    "opening", ["=", "== a\n", "----\n", "====\n", "--\n", "[", "<<", "* a\n", "a\n-\n", "link:", "*a "]
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000)
    made("== " + opening.strip() * 20_000)
