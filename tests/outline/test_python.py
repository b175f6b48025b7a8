"""Python definitions, against the standard library's own parser and against written expectations."""

import argparse
import ast
import dataclasses
import enum
import json.decoder
import tarfile
import typing
from types import ModuleType

import pytest

from budgeted_reads.outline import LEAF_KINDS, Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.py")
    check(text, result)
    return result


@pytest.mark.parametrize(
    "module", [argparse, dataclasses, enum, json.decoder, tarfile, typing], ids=lambda m: m.__name__
)
def test_every_definition_has_the_lines_that_ast_gives_it(module: ModuleType) -> None:
    """Classes and functions, nested ones too, run from their first decorator to their last line; none is invented."""
    with open(str(module.__file__), "rb") as file:
        raw = file.read()
    truth = {
        (node.name, node.lineno, min([node.lineno, *(mark.lineno for mark in node.decorator_list)]), node.end_lineno)
        for node in ast.walk(ast.parse(raw))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    text = decode(raw)
    result = outline(text, b"module.py")
    check(text, result)
    found = [entry for entry in flat(result.entries) if entry.kind in ("class", "function", "method")]
    assert {(entry.title, entry.own, entry.start, entry.end) for entry in found} == truth
    assert len(found) == len(truth)
    assert result.warnings == ()


def test_what_a_reader_looks_for_is_there() -> None:
    """Fields, constants, variables, aliases, nested and conditional definitions; locals and calls are not."""
    content = '''import x
LIMIT: int = 3
a = b = 1
c, (d, e) = 1, (2, 3)
f.g = 1
h[0] = 1
type Pair[T] = tuple[T, T]
if TYPE_CHECKING:
    from y import z
    Name = str
try:
    import fast
except ImportError:
    def fast(): pass


@deco(
    1,
)
class A(B):
    """Doc."""

    x: int
    y = 2

    @property
    def p(self):
        local = 1
        for i in x:
            def inner(): ...

    @overload
    def q(self): ...
    @overload
    async def q(self, a): ...

    class Meta:
        z = 1
'''
    assert shown(made(content).entries) == (
        "2-2 constant LIMIT\n3-3:1-1 variable a\n3-3:5-5 variable b\n4-4 variable c\n"
        "7-7 type Pair\n10-10 variable Name\n"
        "14-14 function fast\n17-38@20 class A\n  23-23 field x\n  24-24 field y\n"
        "  26-30@27 method p\n    30-30 function inner\n  32-33@33 method q\n  34-35@35 method q\n"
        "  37-38 class Meta\n    38-38 field z\n"
    )


def test_properties_stay_in_an_explicit_outline() -> None:
    """A method with @property is a method: an explicit `outline` leaves out leaves only."""
    kinds = {
        entry.title: entry.kind
        for entry in flat(made("class A:\n    @property\n    def p(self): ...\n    x = 1\n").entries)
    }
    assert kinds["p"] not in LEAF_KINDS
    assert kinds["x"] in LEAF_KINDS


def test_a_signature_is_the_source_in_one_line() -> None:
    """White space is folded, decorators and the final colon are left out, and comments before the body too."""
    head = "@d\ndef f(\n    a,  # one\n    b: int = 2,\n) -> str:  # two\n"
    entry = made(f'{head}    """Doc.\n\n    More.\n    """\n    return a\n').entries[0]
    assert entry.signature == "def f( a, # one b: int = 2, ) -> str"
    assert (entry.start, entry.own, entry.signature_lines) == (1, 2, (2, 5))
    assert (entry.doc, entry.body) == ((6, 9), (6, 10))


def test_a_definition_on_one_line_has_no_body() -> None:
    """The body is the lines after the signature."""
    entry = made("def f(a): return a\n").entries[0]
    assert (entry.signature, entry.body) == ("def f(a)", None)


def test_a_long_value_is_the_body_of_its_name() -> None:
    """A name with a value of several lines has its first line as signature."""
    entry = made("TABLE = {\n    1: 2,\n}\n").entries[0]
    assert (entry.signature, entry.signature_lines, entry.body) == ("TABLE = {", (1, 1), (2, 3))


def test_entries_that_share_a_line_are_windows_of_it() -> None:
    """Columns are code points, 1-based and inclusive, and only where a line holds more than one entry."""
    assert shown(made("é = 1; bb = 2\nc = 3\nclass A: x = 1\n").entries) == (
        "1-1:1-5 variable é\n1-1:8-13 variable bb\n2-2 variable c\n3-3 class A\n  3-3:10-14 field x\n"
    )


def test_comments_after_the_last_statement_are_outside() -> None:
    """A body ends at its last statement, as `ast` has it."""
    assert [
        (entry.start, entry.end)
        for entry in made("def f():\n    if x:\n        y\n        # z\n    # w\n\nq\n").entries
    ] == [(1, 3)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_form_feeds_tabs_crlf_and_a_bom_are_fine(end: str, mark: str) -> None:
    """Lines are counted by LF only, whatever else stands in them."""
    lines = ["x = 1", "\f", "def f():", "\treturn '\u2028'", "", "class A:", "    def m(self):", "        pass", ""]
    assert shown(made(mark + end.join(lines)).entries) == (
        "1-1 variable x\n3-4 function f\n6-8 class A\n  7-8 method m\n"
    )


def test_syntax_errors_leave_the_rest() -> None:
    """What can be read is listed, and the answer says that parts could not."""
    result = made(
        "def before():\n    return 1\n\ndef broken(:\n    return 2\n\nclass Kept:\n    def m(self):\n        pass\n"
    )
    assert [warned.code for warned in result.warnings] == ["syntax_errors"]
    assert {"before", "Kept", "m"} <= {entry.title for entry in flat(result.entries)}


def test_nested_definitions_end_at_the_depth_limit() -> None:
    """Three hundred functions in each other give two hundred levels."""
    content = "".join(f"{' ' * depth}def f{depth}():\n" for depth in range(300)) + " " * 300 + "pass\n"
    assert max(entry.level for entry in flat(made(content).entries)) == 200


def test_a_script_without_definitions_is_divided_into_paragraphs() -> None:
    """Where nothing has a name, the paragraphs of the file are its entries."""
    result = made("import os\n\nprint(os)\n")
    assert (result.format, result.style, [entry.title for entry in result.entries]) == (
        "python",
        "plain",
        ["import os", "print(os)"],
    )
