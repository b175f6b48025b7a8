"""Text without structure: paragraphs, else lines, else blocks."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads import limits
from budgeted_reads.outline.headlines import width
from budgeted_reads.outline.plain import TITLE_WIDTH, first_words
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import shown


def entries(content: str) -> list[tuple[str, str, int, int, tuple[str, ...]]]:
    made = outline(decode(content.encode()), b"a.txt")
    return [(entry.kind, entry.title, entry.start, entry.end, entry.flags) for entry in made.entries]


def test_blank_lines_divide_paragraphs() -> None:
    """Each run of lines that are not blank is an entry, named by its first words; white space alone is blank."""
    assert entries("\n one two\nmore\n \t\n\nthree.\n") == [
        ("paragraph", "one two", 2, 3, ()),
        ("paragraph", "three.", 6, 6, ()),
    ]


def test_without_blank_lines_each_line_is_an_entry() -> None:
    """Short lines without final punctuation that begin with a word are marked as likely titles."""
    assert entries("Le problème\nIl y a trop de texte ici.\n- un point\n") == [
        ("line", "Le problème", 1, 1, ("title",)),
        ("line", "Il y a trop de texte ici.", 2, 2, ()),
        ("line", "- un point", 3, 3, ()),
    ]


def test_a_list_of_short_lines_has_no_titles() -> None:
    """Where most lines look like titles, none is one."""
    assert {flags for *_, flags in entries("red\ngreen\nblue\n")} == {()}


def test_many_lines_become_blocks() -> None:
    """Beyond the limit the lines are shared out evenly, and every line is in exactly one block."""
    made = entries("x\n" * (2 * limits.MAX_ENTRIES + 1))
    assert {kind for kind, *_ in made} == {"block"}
    assert [last - first + 1 for _, _, first, last, _ in made[:-1]] == [3] * (len(made) - 1)
    assert made[-1][3] == 2 * limits.MAX_ENTRIES + 1


@given(st.text(max_size=200))
def test_first_words_are_short_and_from_the_start(line: str) -> None:
    """A title is at most 40 columns wide and begins the line, white space folded."""
    title = first_words(line)
    assert width(title) <= TITLE_WIDTH
    assert " ".join(line.split()).startswith(title)
    assert bool(title) == bool(line.split())


def test_first_words_keep_words_whole() -> None:
    """A word that does not fit is left out; text without spaces is cut at a stop, else at the limit."""
    assert (
        first_words("The quick brown fox jumps over the lazy dogs again") == "The quick brown fox jumps over the lazy"
    )
    assert (
        first_words("港の規則は次のとおりです。すべての船は日没までに灯火をつけること") == "港の規則は次のとおりです。"
    )
    assert first_words("x" * 100) == "x" * TITLE_WIDTH


def test_an_empty_text_has_no_entries() -> None:
    """Nothing, or only blank lines, gives an empty outline."""
    assert entries("") == entries("\n \n") == []


def test_a_paragraph_is_named_by_its_first_line_with_words() -> None:
    """The mark of front matter, a rule or the frame of a box says nothing; the paragraph has those lines, too."""
    result = outline(decode(b"---\ntitle: Tides\n---\n\n+---+\n| a |\n+---+\n\n***\n"), b"a.txt")
    assert shown(result.entries) == "1-3@2 paragraph title: Tides\n5-7@6 paragraph | a |\n9-9 paragraph ***\n"


def titles(content: str) -> list[str]:
    return [title for _, title, _, _, flags in entries(content) if flags]


_TEXT = "Many words are said here, over\ntwo lines of a paragraph.\n\n"


@pytest.mark.parametrize(
    ("paragraph", "title"),
    [
        (
            "==========\nTIDES                                                             *tides-at-night*",
            "TIDES *tides-at-night*",
        ),
        ("Tides\n-----", "Tides"),
        ("______\nTides\n______", "Tides"),
        ("---\ntitle: Tides\n---", None),
        ("-----\nTides\nBerths\n-----", None),
        ("Tides\nand berths", None),
        ("Name      Berth\n----      -----", None),
        ("1.2 Is there a tide?", "1.2 Is there a tide?"),
        ("   10.2.1 200 OK", "10.2.1 200 OK"),
        ("Is there a tide?", None),
        ("   1.1  Tides .......... 7", None),
        ("   1.1  Tides . . . . . . 7", None),
        ("2031-03-04  A Keeper  <keeper@example.org>", "2031-03-04 A Keeper <keeper@example.org>"),
        ("A Keeper  <keeper@example.org>", None),
        ("https://example.org/tides", None),
    ],
)
def test_a_title_is_one_headline_with_or_without_rules(paragraph: str, title: str | None) -> None:
    """Rules above or below are of its paragraph; numbered sections and dates of a change log may end in a mark."""
    assert titles(f"{_TEXT}{paragraph}\n\n{_TEXT}") == ([title] if title else [])


def test_what_is_there_often_is_no_title() -> None:
    """A headline that comes three times tells of no place; those that differ in a number do."""
    content = "".join(f"Version {number}\n\nBug fixes\n\n{_TEXT}{_TEXT}{_TEXT}" for number in (1, 2, 3))
    assert titles(content) == ["Version 1", "Version 2", "Version 3"]


@pytest.mark.parametrize(
    ("line", "is_title"),
    [
        ("   an example", False),
        ("      an example", False),
        ("   WHICH = A / B", False),
        ("   3.2.1 Berths", True),
        ("   THE BERTHS", True),
        ("  The berths", True),
        ("                         Tides of the western berths", True),
    ],
)
def test_in_an_indented_text_what_stands_as_far_in_is_an_example(line: str, is_title: bool) -> None:
    """Titles stand further left, are centred, numbered or in capitals; where none do, each headline may be one."""
    text = "   Many words are said here, over\n   two lines of a paragraph.\n\n"
    headed = "".join(f"{number}. Part\n\n{text}{text}" for number in range(3))
    assert (" ".join(line.split()) in titles(f"{headed}{line}\n\n{text}")) is is_title
    assert titles(f"{text}   Tides\n\n{text}") == ["Tides"]


def test_headers_and_footers_of_pages_are_in_no_paragraph() -> None:
    """Beside form feeds, what comes back on each page is left out; a title at the top of each page stays."""
    pages = [
        f"CHAPTER {number}\n\n{_TEXT}Keeper                    [Page {number}]\n\f\nThe Book   of Tides\nMarch 2031\n\n"
        for number in (1, 2, 3)
    ]
    made = entries("".join(pages))
    assert [title for _, title, *_ in made[::2]] == ["CHAPTER 1", "CHAPTER 2", "CHAPTER 3"]
    assert len(made) == 6
    chapters = "".join(f"\fCHAPTER {number}\n\n{_TEXT}{_TEXT}{number}\n" for number in range(1, 5))
    assert titles(chapters) == ["CHAPTER 1", "CHAPTER 2", "CHAPTER 3", "CHAPTER 4"]


@pytest.mark.parametrize("sign", ["\f", "\f\n", "\n\f a\n", "=", "====\na\n\n", "1.", ". ", "A", "A ", "x\n\n", "\t"])
def test_hostile_texts_end(sign: str) -> None:
    """A hundred thousand signs give some sound outline, each line in at most one entry."""
    made = entries(sign * (100_000 // len(sign)))
    assert all(one[3] < after[2] for one, after in pairwise(made))
