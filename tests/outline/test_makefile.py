"""Makefiles: rules, variables and macros with their lines."""

import pytest

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"Makefile")
    check(text, result)
    return result


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("a: b c", "target a"),
        ("a b : c", "target a b"),
        ("a:: b", "target a"),
        ("a b &: c", "target a b"),
        ("%.o: %.c", "target %.o"),
        ("$(A:.c=.o): x", "target $(A:.c=.o)"),
        ("$(addprefix x/,$(B)): x", "target $(addprefix x/,$(B))"),
        ("A=b:c", "variable A"),
        ("A := b", "variable A"),
        ("A ::= b", "variable A"),
        ("A ?= b", "variable A"),
        ("A += b", "variable A"),
        ("A != b", "variable A"),
        ("override export A = b", "variable A"),
        ("A.$(B) = c", "variable A.$(B)"),
        ("define A\n\tb:\nendef", "macro A"),
    ],
)
def test_each_form_of_statement_has_its_name(line: str, entry: str) -> None:
    """As it is written, nothing expanded."""
    assert shown(made(f"{line}\n").entries) == f"1-{line.count(chr(10)) + 1} {entry}\n"


@pytest.mark.parametrize(
    "line",
    [
        ".PHONY: a",
        "ifeq (a:,b)",
        "include a:b",
        "\techo a:",
        "# a: b",
        "  # a: b",
        "a: b = c",
        "export A",
        "words",
        ":",
    ],
)
def test_what_is_no_rule_gives_no_entry(line: str) -> None:
    """Special targets, conditions, comments, recipes, and variables of one target."""
    assert [entry.kind for entry in made(f"{line}\nx = 1\n").entries] == ["variable"]


def test_a_recipe_ends_at_its_last_line() -> None:
    """Comments, blank lines and conditions within belong to it, those behind it do not; a recipe may continue lines."""
    content = "a: b \\\n  c\n\tone \\\nno: rule\n\n# note\nifdef X\n\ttwo\nendif\n\n# about d\nd:\nendif\n\tthree\n"
    result = made(content)
    assert shown(result.entries) == "1-8 target a\n12-14 target d\n"
    assert [(entry.signature, entry.body, entry.doc) for entry in result.entries] == [
        ("a: b \\ c", (3, 8), None),
        ("d:", (13, 14), (11, 11)),
    ]


def test_macros_inside_each_other_and_without_end() -> None:
    """Each goes to its own `endef`; one that has none is its own line."""
    content = "define a\ndefine b\nx:\nendef\ny:\nendef\ndefine c\nz:\n"
    assert shown(made(content).entries) == "1-6 macro a\n7-7 macro c\n8-8 target z\n"


@pytest.mark.parametrize(
    "opening", ["define a\n", "a:\n", "a:\n#\n", "a:\n\nifeq\n", "$(", "a ", "\\\n", "\t\\\n", "export ", "$"]
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline, also with lines as long as the limit allows."""
    made(opening * 20_000)
    made("a: " + opening.strip() * 2_000)
