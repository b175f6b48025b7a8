"""Manual pages in the macros of man and of mdoc."""

import pytest

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


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
        "3-4 heading NAME\n5-8 heading SEE ALSO\n  6-8 heading Tide -v\n    7-8@8 heading -v\n9-11 heading FILES\n"
    )


def test_sections_of_mdoc() -> None:
    """`Sh` and `Ss`; a macro on the line below a bare one is no title."""
    content = ".Dd May 1, 2020\n.Dt TIDE 1\n.Sh NAME\n.Nm tide\n.Ss Rise\nx\n.Sh\n.Nm tide\n"
    assert shown(made(content).entries) == "3-8 heading NAME\n  5-8 heading Rise\n"


def items(content: str) -> list[tuple[int, int, str]]:
    entries = flat(made(f".TH TIDE 1\n.SH A\n{content}").entries)
    return [(entry.start, entry.end, entry.title) for entry in entries][1:]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (".TP\n.B \\-v\nx\n.TP 4\n\\fB\\-a\\fR, \\fB\\-\\-all\\fR\ny\n", [(3, 5, "-v"), (6, 8, "-a, --all")]),
        (".TP\n.BI \\-\\-level= by\nx\n.PP\ny\n", [(3, 5, "--level=by")]),
        (".TP\n.PD 0\n.B\n\\-v\nx\n", [(3, 7, "-v")]),
        ('.TP\n.BR \\-v " \\c\n.I by\nx\n', [(3, 6, "-v by")]),
        (".TP\n.B \\-a\n.TQ\n.B \\-b\n.TQ\n.B \\-c\nx\n", [(3, 9, "-a"), (5, 6, "-b"), (7, 9, "-c")]),
        ('.IP "\\-v" 4\nx\n.IP\ny\n.IP "" 4\nz\n', [(3, 8, "-v")]),
        (".TP\n.B \\-v\n.RS\n.TP\n.B x\n.RE\n.TP\n.B \\-w\n", [(3, 8, "-v"), (6, 7, "x"), (9, 10, "-w")]),
        (".PP\n\\-v\n.RS 4\nx\n.PP\ny\n.RE\n.PP\nz\n", [(3, 9, "-v")]),
        (".sp\n\\&.tiderc\n.RS 4\nx\n.RE\n.sp\nz\n", [(3, 7, ".tiderc")]),
        (".Bl -compact -tag\n.It x\n.El\n", [(4, 4, "x")]),
        (".TP\n.B \\-v\nx\n.SS B\n.TP\nC\n", [(3, 5, "-v"), (6, 8, "B"), (7, 8, "C")]),
        ('.TP\n.BR open " (since 2.0)"\n.TP\n.B rise [\\-v] [level]\n', [(3, 4, "open"), (5, 6, "rise")]),
    ],
)
def test_what_has_a_tag_in_man_is_an_entry(content: str, found: list[tuple[int, int, str]]) -> None:
    """To the line before the next tag, paragraph or section; a further tag is within the first; indents nest."""
    assert items(content) == found


@pytest.mark.parametrize(
    "content",
    [
        ".IP \\(bu 2\nx\n.IP \\[bu]\ny\n.IP * 2\nz\n",
        '.IP 1. 4\nx\n.IP (a)\ny\n.IP " 2." 4\nz\n',
        ".TP\n\\(bu\nx\n",
        ".TP\n.TP\n.SH\n",
        ".TP\n\nx\n",
        ".PP\nIt rises as follows:\n.RS 4\nx\n.RE\n",
        ".PP\nWords\n.RS\nx\n.RE\n",
        ".de XX\n.TP\n.B x\n..\n",
        ".It Fl v\n.Bl -bullet\n.It\nx\n.It Fl v\n.El\n",
    ],
)
def test_what_has_a_bullet_or_no_tag_is_none(content: str) -> None:
    """Bullets and numbers, words before an indent that say more, and what a macro is defined as."""
    assert items(content) == []


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("Cm ProxyJump", "ProxyJump"),
        ("Fl v , Fl -verbose", "-v, --verbose"),
        ("Fl v Ns Ar level", "-vlevel"),
        ("Fl B Ar bind_interface", "-B bind_interface"),
        ("Fl -to Ns Op = Ns Ar place", "--to[=place]"),
        ("Fl", "-"),
        ("-", "-"),
        ("Pq Ar x , Ar y", "(x, y)"),
        ("Pf . Ar x", ".x"),
        ("Ic rise Op Fl v", "rise"),
        ("Ic rise Pq vi: Ic G", "rise"),
        ("Xo Fl D\n.Sm off\n.Oo Ar host : Oc\n.Ar port\n.Sm on\n.Xc", "-D [host:]port"),
        ("Xo\n.Ic new-tide\n.Op Fl v\n.Xc", "new-tide"),
        ("Va \\&.x \\(em \\fBy\\fR", ".x — y"),
    ],
)
def test_tags_of_mdoc_are_what_they_print(words: str, title: str) -> None:
    """Without macros; the options of a command and a remark behind a name are left out."""
    content = f".Bl -tag -width Ds\n.It {words}\nx\n.El\n"
    assert items(content) == [(4, content.count("\n") + 1, title)]


def test_lists_of_mdoc_nest() -> None:
    """An item ends with its list; one of a list without tags is none, one in it belongs to what is around."""
    content = (
        ".Bl -tag\n.It Cm A\nx\n.Bl -bullet\n.It\n.Bl -hang\n.It Cm B\n.It Cm C\n.El\n.El\n.It Cm D\n.El\nx\n.Sh E\n"
    )
    assert items(content) == [(4, 12, "A"), (9, 9, "B"), (10, 10, "C"), (13, 13, "D"), (16, 16, "E")]


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("\\s-1TIDE\\s0 \\f(CWrises\\fP", "TIDE rises"),
        ("\\*(L\"tide\\*(R\" \\h'-04'x", '"tide" x'),
        ("caf\\['e] \\[u00E9] \\(co", "café é ©"),
        ('a\\ b \\e \\" no', "a b \\"),
    ],
)
def test_escapes_are_what_they_print(words: str, title: str) -> None:
    """Characters by their names, nothing for sizes, fonts, moves and comments."""
    assert [entry.title for entry in made(f".TH A 1\n.SH {words}\nx\n").entries] == [title]


HOSTILE = [
    ".SH\n",
    ".SH a\n",
    ".SS \\f",
    "\\fB",
    ".",
    '.SH "',
    ".TP\na\n",
    ".RS\n.TP\na\n",
    ".TP\n",
    ".It Xo\n",
    ".de a\n",
]


@pytest.mark.parametrize(
    "opening",
    [*HOSTILE, ".Bl -tag\n.It a\n", ".TP\n.B \\c\n", '.IP "\\*(', ".TP\n.TQ\na\n", ".PP\na\n.RS 4\n", ".It Op "],
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(".TH A 1\n" + opening * 20_000)
