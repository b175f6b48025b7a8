"""Dockerfiles: stages around their instructions."""

import pytest

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"Dockerfile")
    check(text, result)
    return result


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("FROM a:1", "a:1"),
        ("FROM --platform=x a:1 AS base", "base"),
        ("from a as base # no comment", "base"),
        ("FROM", "FROM"),
    ],
)
def test_a_stage_is_named_by_its_name_else_by_its_image(line: str, title: str) -> None:
    """In any case, whatever its options."""
    assert [entry.title for entry in made(f"{line}\n").entries] == [title]


@pytest.mark.parametrize(
    ("content", "entry"),
    [
        ("ENV A=1 B='x C=2' \\\n    D=3\n", "1-2 variable A B D"),
        ("ENV A a value\n", "1-1 variable A"),
        ("ARG A\n", "1-1 variable A"),
        ("ARG A=b=c\n", "1-1 variable A"),
        ("run  a \\\n\n # note\n b\nx\n", "1-4 instruction RUN a"),
        ("RUN a \\\n\nx y\n", "1-3 instruction RUN a"),
        ('COPY <<-"E" <<F /x\nRUN no\n\tE\nF\n', '1-4 instruction COPY <<-"E" <<F /x'),
        ("RUN <<E\n\tE\nRUN b\nE\n", "1-4 instruction RUN <<E"),
        ("RUN cat <<E\n", "1-1 instruction RUN cat <<E"),
        ("# escape=`\nRUN a `\n b\n", "2-3 instruction RUN a"),
    ],
)
def test_an_instruction_has_all_its_lines(content: str, entry: str) -> None:
    """Continued ones with comments and blank lines between, here-documents up to their words."""
    assert shown(made(content).entries) == f"{entry}\n"


def test_what_stands_before_the_first_stage_stands_on_top() -> None:
    """A stage ends at its last instruction; words that are no instruction give no entry."""
    content = "# syntax=x\nARG V\n\nFROM a\nRUN b\n\n# note\nFROM c\nwords\nCMD d\n"
    assert shown(made(content).entries) == (
        "2-2 variable V\n4-5 stage a\n  5-5 instruction RUN b\n8-10 stage c\n  10-10 instruction CMD d\n"
    )


@pytest.mark.parametrize(
    "opening", ["FROM a\n", "RUN <<A\n", "RUN <<A\n\tA\n", "RUN a \\\n", "RUN a \\\n#\n", "ENV ", "<<A", "A=", "#a=\n"]
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline of bounded depth."""
    result = made(opening * 20_000)
    assert max((entry.level for entry in flat(result.entries)), default=1) <= 2
