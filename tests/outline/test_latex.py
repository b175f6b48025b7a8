"""LaTeX sections and what stands between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown

COMMANDS = ["part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph"]


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.tex")
    check(text, result)
    return result


@given(st.lists(st.integers(0, 6), min_size=1, max_size=8))
def test_a_section_ends_before_the_next_command_of_its_level_or_above(levels: list[int]) -> None:
    """Whatever the order of commands; the highest that is used has level 1."""
    lines = [line for level in levels for line in (f"\\{COMMANDS[level]}{{Title}}", "words", "")]
    found = [(one.level, one.start, one.end) for one in flat(made("\n".join([*lines, ""])).entries)]
    starts = [(level, 3 * index + 1) for index, level in enumerate(levels)]
    ends = [
        min([at - 1 for after, at in starts[index + 1 :] if after <= level], default=len(lines))
        for index, (level, _) in enumerate(starts)
    ]
    highest = min(levels)
    assert found == [(level - highest + 1, start, end) for (level, start), end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize(
    "words",
    [
        "% {}",
        "50\\% % {}",
        "\\begin{{verbatim}}\n{}\n\\end{{verbatim}}",
        "\\begin{{minted}}{{c}}\n% \\end\n{}\n\\end{{minted}}",
        "\\verb|{}|",
        "\\sectionmark{{x}}",
        "\\newcommand{{\\mysec}}[1]{{{}\\section*{{#1}}}}",
        "\\renewcommand*\\two{{\\clearpage\n{}}}",
        "\\def\\two#1#2{{{}}}",
        "\\newenvironment{{two}}[1]{{{}}}{{\\end}}",
        "\\foo{{\\section{{#1}}}}",
    ],
)
def test_what_is_not_typeset_as_a_section_is_none(words: str) -> None:
    """In comments, verbatim text and longer commands; an escaped percent sign opens no comment."""
    content = "\\section{One}\n" + words.format("\\section{Two}") + "\n\\section{Three}\n"
    assert [entry.title for entry in made(content).entries] == ["One", "Three"]


@pytest.mark.parametrize(
    ("command", "title"),
    [
        ("\\section*{A \\textbf{bold} word}", "A bold word"),
        ("\\section [short] {A~longer\\\\one}", "A longer one"),
        ("\\section{Costs \\& 5\\% \\label{x} more\\footnote{no}}", "Costs & 5% more"),
        ("\\section{Over\ntwo % lines\nor three}", "Over two or three"),
        ("\\begin{frame}[fragile]{A frame}", "A frame"),
        ("\\begin{frame}\n\\frametitle{Named inside}", "Named inside"),
        ("50\\% \\section{After words}", "After words"),
        (r"\section{Poincar\'e, \v{C}ech, Erd\H{o}s, G\"odel}", "Poincaré, Čech, Erdős, Gödel"),
        (r"\section{Fran\c cois, na{\"\i}ve, Stra\ss e}", "François, naïve, Straße"),
        (r"\section{\AE{}r, \O re, \L\'od\'z}", "Ær, Øre, Łódź"),
        (r"\section{\~Nandu \textbf{\'{E}t\'e}}", "Ñandu Été"),
        (r"\section{\texorpdfstring{$\pi_{k}$}{pi_k} of \^{}x}", "pi_k of ^x"),
        ("\\section{The $\\alpha\\times\\beta$ case}", "The $\\alpha\\times\\beta$ case"),
        ("\\section{$\\mathbb{R}^{n}$}", "$\\mathbb{R}^{n}$"),
        ("\\section{On \\(x_1\\) for \\$5}", "On \\(x_1\\) for $5"),
        ("\\section{\\LaTeX{} and \\TeX\\ live}", "LaTeX and TeX live"),
        ("\\section*{\\refname}", "\\refname"),
    ],
)
def test_titles_are_bare(command: str, title: str) -> None:
    """As they are set: without commands, braces, labels and notes."""
    assert [entry.title for entry in made(f"{command}\nwords\n").entries] == [title]


def test_frames_stand_in_their_sections() -> None:
    """A frame ends before the next one."""
    content = "\\section{A}\n\\begin{frame}{B}\n\\end{frame}\n\\begin{frame}{C}\n\\end{frame}\n\\section{D}\n"
    assert shown(made(content).entries) == "1-5 heading A\n  2-3 heading B\n  4-5 heading C\n6-6 heading D\n"


@pytest.mark.parametrize(
    "opening",
    [
        "\\section{",
        "\\section[",
        "\\begin{verbatim}",
        "\\verb|",
        "%",
        "\\",
        "{",
        "\\section{a}",
        "\\verb",
        "\\section{\\{",
        "\\begin{frame}<",
        "\\newcommand{\\a}{",
        "\\def\\a{}",
        "\\section{$",
        "\\section{\\'",
        "\\section{\\(",
    ],
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline, on one line and on many."""
    made(opening * 20_000)
    made((opening + "\n") * 20_000)
