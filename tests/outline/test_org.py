"""Org headlines and what stands between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads import limits
from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.org")
    check(text, result)
    return result


@given(st.lists(st.integers(1, 6), min_size=1, max_size=8))
def test_a_section_ends_before_the_next_headline_of_its_level_or_above(levels: list[int]) -> None:
    """Whatever the order of levels."""
    lines = [line for level in levels for line in ("*" * level + " Title", "words", "")]
    found = [(one.level, one.start, one.end) for one in flat(made("\n".join([*lines, ""])).entries)]
    starts = [(level, 3 * index + 1) for index, level in enumerate(levels)]
    ends = [
        min([at - 1 for after, at in starts[index + 1 :] if after <= level], default=len(lines))
        for index, (level, _) in enumerate(starts)
    ]
    assert found == [(level, start, end) for (level, start), end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("* TODO [#A] Mend it  :a:b_c:", "Mend it"),
        ("* DONE", "DONE"),
        ("* LATER Rest", "Rest"),
        ("* TODOS are many", "TODOS are many"),
        ("* The *bold* [[http://x][link]] and [[#y]]", "The bold link and #y"),
        ("* Ratio 3:4:5", "Ratio 3:4:5"),
        ("* ", ""),
    ],
)
def test_titles_are_bare(line: str, title: str) -> None:
    """Without keyword, priority, tags and markup; keywords of the file's own count."""
    assert [entry.title for entry in made(f"#+TODO: TODO LATER(l) | DONE\n{line}\n").entries] == [title]


def test_what_a_block_shows_is_no_headline() -> None:
    """Where the block closes, in whatever case it is written; stars without a blank are none anywhere."""
    content = "* One\n#+BEGIN_src x\n* no\n#+end_SRC\n*bold* words\n#+begin_example\n* Two\n#+end_other\n"
    assert shown(made(content).entries) == "1-6 heading One\n7-8 heading Two\n"


def test_depth_is_bounded() -> None:
    """Three hundred headlines below each other give at most two hundred levels."""
    result = made("".join("*" * level + " a\n" for level in range(1, 301)))
    assert max(entry.level for entry in flat(result.entries)) == limits.MAX_DEPTH


@pytest.mark.parametrize(
    "opening", ["*", "* a\n", "#+begin_a\n", "#+end_a\n", "[[", ":a:", "#+todo: a\n", "*a ", "- a\n", "#+"]
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000)
    made("* " + opening.strip() * 20_000)
