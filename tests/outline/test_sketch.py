"""Code in a language that has no grammar: blocks by their indentation, said to be a guess."""

import pytest
from hypothesis import given

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown
from outline.test_registry import CONTENTS

PERL = """package Boat;

# Makes one.
sub new {
    my ($class) = @_;
    if ($class) {
        return 1;
    }
}

sub name
{
    return 2;
}
"""
NIM = """type
  Boat = object
    name: string

proc newBoat(name: string): Boat =
  result.name = name
"""
TCL = "test {rises and falls} {\n    assert 1\n}\nproc rise {x} {\n    return 1\n}\n"
GROOVY = """pipeline {
    stages {
        stage('Build') {
            sh 'make'
        }
    }
}
"""
PROSE = """This is prose about a harbour. It goes on
    with an indented line, which defines nothing;
and it ends (as it should).
"""


def made(content: str, name: bytes = b"a.zzz") -> Outline:
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    return result


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (PERL, "4-9 function new\n11-14 function name\n"),
        (NIM, "5-6 function newBoat\n"),
        (GROOVY, "1-7 block pipeline\n  2-6 block stages\n    3-5 block Build\n"),
        (TCL, "1-3 block rises and falls\n4-6 function rise\n"),
    ],
)
def test_blocks_that_look_like_definitions_are_entries(content: str, rows: str) -> None:
    """With the line that closes them, nested as they are indented; branches and loops are none."""
    result = made(content)
    assert shown(result.entries) == rows
    assert [warned.code for warned in result.warnings] == ["approximate_outline"]


NO_DEFINITIONS = """object Boat {
    This function returns
        nothing
    /* class Comment {
        x
    } */
    run(width,
        sub totals)
    say "in class Word" {
        x
    }
    # sub comment
    #   x
    "a function inner
        x
    proc row(n) { // sub
        x
    }
    int steer(int a) {
        x
    }
}
=pod

  sub pod {
    x
  }

=cut
"""


def test_words_of_strings_comments_and_prose_define_nothing() -> None:
    """Nor do calls that take several lines; a block is called by its string where it has one."""
    assert shown(made(NO_DEFINITIONS).entries) == (
        "1-22 object Boat\n  9-11 block in class Word\n  16-18 function row\n  19-21 function steer\n"
    )


def test_prose_is_never_outlined_so() -> None:
    """It stays plain text, which says that its type has no outline."""
    assert [warned.code for warned in made(PROSE).warnings] == ["no_outline"]
    assert made(PROSE).style == "plain"


@given(CONTENTS)
def test_any_text_gives_a_sound_outline(content: str) -> None:
    """In a type of file that nobody knows, too."""
    made(content)


def test_a_line_of_many_openings_ends() -> None:
    """The time of a line does not grow with the square of its length."""
    made("a {\n  " + "b(" * 4_000 + ";\n    c\n}\n")
