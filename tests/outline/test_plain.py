"""Text without structure: paragraphs, else lines, else blocks."""

from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads import limits
from budgeted_reads.outline.plain import TITLE_WIDTH, first_words, width
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
