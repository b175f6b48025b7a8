"""Modules of Go: what they require, replace and use, line by line."""

import pytest

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown


def made(content: str, name: str = "go.mod") -> Outline:
    text = decode(content.encode())
    result = outline(text, name.encode())
    check(text, result)
    return result


def test_blocks_and_lines_alone_are_entries() -> None:
    """Comments are none, also behind a line; a module may be quoted; what is required is counted wherever it stands."""
    content = (
        'module "a.b/c" // note\n\ngo 1.22\ntoolchain go1.22.1\nrequire d.e/f v1.0.0\nrequire (\n'
        '\tg.h/i v1.2.3 // indirect\n\t// j.k/l v1.0.0\n\t"m.n/o" v0.0.0\n)\n'
        "replace g.h/i => ../i\nreplace (\n\td.e/f v1 => p.q/r v2\n)\n"
        "retract [v1.0.0, v1.9.9] // broken\n"
    )
    result = made(content)
    assert shown(result.entries) == (
        "1-1 key module\n3-3 key go\n4-4 key toolchain\n5-5 package d.e/f\n"
        "6-10 section require\n  7-7 package g.h/i\n  9-9 package m.n/o\n"
        "11-11 key replace g.h/i\n12-14 section replace\n  13-13 key d.e/f\n15-15 key retract [v1.0.0, v1.9.9]\n"
    )
    assert result.entries[4].children[0].signature == "g.h/i v1.2.3 // indirect"
    assert result.facts == (("package_count", 3),)


@pytest.mark.parametrize(
    ("name", "content", "entries"),
    [
        (
            "go.work",
            "go 1.22\r\nuse (\r\n\t./a\r\n)\r\nuse ./b\r\n",
            "1-1 key go\n2-4 section use\n  3-3 key ./a\n5-5 key use ./b\n",
        ),
        ("go.mod", "require(\n\ta.b v1\n", "1-2 section require\n  2-2 package a.b\n"),
        ("go.mod", ")\n\ufeff\nmodule x\nrequired y\n", "3-3 key module\n"),
        ("go.work.sum", "a.b v1.0.0 h1:x=\na.b v1.0.0/go.mod h1:y=\n", "1-2 package a.b\n"),
    ],
)
def test_workspaces_and_broken_files(name: str, content: str, entries: str) -> None:
    """A block that never closes goes to the end; other words mean nothing; a workspace has its sums."""
    assert shown(made(content, name).entries) == entries


@pytest.mark.parametrize("opening", ["(", "require (\n", ")\n", "require a\n", "use", "//", " ", "require ", "`\n"])
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000)
    made("require (\n" + opening * 20_000)
