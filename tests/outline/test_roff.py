"""Manual pages in the macros of man and of mdoc."""

import pytest

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown


def made(content: str, name: bytes = b"tide.1") -> Outline:
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    return result


def test_sections_of_man() -> None:
    """Without quotes, fonts and escapes; a title may stand on the next line."""
    content = (
        '.\\" a comment\n.TH TIDE 1\n.SH NAME\ntide \\- rises\n.SH "SEE ALSO"\n.SS \\fBTide\\fR \\-v\n.TP\n.B \\-v\n'
        ".SH\nFILES\nx\n"
    )
    result = made(content)
    assert (result.format, result.style, result.warnings) == ("roff", "prose", ())
    assert shown(result.entries) == (
        "3-4 heading NAME\n5-8 heading SEE ALSO\n  6-8 heading Tide -v\n9-11 heading FILES\n"
    )


def test_sections_of_mdoc() -> None:
    """`Sh` and `Ss`; a macro on the line below a bare one is no title."""
    content = ".Dd May 1, 2020\n.Dt TIDE 1\n.Sh NAME\n.Nm tide\n.Ss Rise\nx\n.Sh\n.Nm tide\n"
    assert shown(made(content).entries) == "3-8 heading NAME\n  5-8 heading Rise\n"


@pytest.mark.parametrize("opening", [".SH\n", ".SH a\n", ".SS \\f", "\\fB", ".", '.SH "'])
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(".TH A 1\n" + opening * 20_000)
