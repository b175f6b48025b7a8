"""Configuration of directives and blocks, which has neither sections nor keys of INI."""

import pytest

from budgeted_reads import limits
from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.conf")
    check(text, result)
    return result


def test_directives_are_named_by_their_first_word() -> None:
    """Comments, paths and words alone are none; a backslash lets a value go on."""
    content = "# Port 1\nPort 22\n/usr/lib\nword\nAcceptEnv A \\\n  B\n"
    assert shown(made(content).entries) == "2-2 key Port\n5-6 key AcceptEnv\n"


def test_blocks_of_braces_and_of_tags() -> None:
    """A value goes on to its semicolon where values end so; marks of INI within mean nothing."""
    content = "a 1;\nb {\n  c x\n    y;\n  if ($d = e) {\n    f;\n  }\n}\n<G h>\n  i j;\n</g>\n"
    assert shown(made(content).entries) == (
        "1-1 key a\n2-8 section b\n  3-4 key c\n  5-7 section if ($d = e)\n    6-6 key f\n"
        "9-11 section G h\n  10-10 key i\n"
    )


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ("a {\nb c\n", "1-2 section a\n  2-2 key b\n"),
        ("a = {\n  b : {\n  }\n  c = 1\n}\n", "1-5 section a\n  2-3 section b\n  4-4 key c\n"),
        ("}\n</x>\na b\n", "3-3 key a\n"),
        ("<x>\n}\n</y>\n</x>\na b\n", "1-4 section x\n5-5 key a\n"),
    ],
)
def test_marks_that_do_not_pair_mean_nothing(content: str, entries: str) -> None:
    """A block that never closes goes to the end."""
    assert shown(made(content).entries) == entries


def test_a_file_with_keys_or_sections_is_ini() -> None:
    """Blocks decide, not braces in values."""
    assert [entry.title for entry in made("[a]\nb = {\nc d\n").entries] == ["a"]
    assert [entry.title for entry in made("a = 1 {x}\nb c = d\n").entries] == ["a", "b c"]


def test_depth_is_bounded() -> None:
    """A thousand blocks inside each other give at most two hundred levels, and what follows them is read."""
    result = made("a {\n" * 1000 + "}\n" * 1000 + "b c\n")
    assert max(entry.level for entry in flat(result.entries)) == limits.MAX_DEPTH
    assert [entry.title for entry in result.entries] == ["a", "b"]


@pytest.mark.parametrize("opening", ["a {\n", "<a>\n", "}\n", "a b\n", "a \\\n", "{", "<", "a b;\na b\n", "</a>\n"])
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000)
