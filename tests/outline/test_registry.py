"""The promises of `outline(text, path)` for every format at once."""

import gc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads import limits
from budgeted_reads.errors import BinaryFile
from budgeted_reads.outline.formats import FORMATS, Format, detect
from budgeted_reads.outline.registry import maker, outline
from budgeted_reads.text import Text, decode
from outline.checks import check, flat

CASES = Path(__file__).parents[1] / "cases"
BUILT = [form for form in FORMATS if form.module]


def text_of(content: str) -> Text:
    return decode(content.encode())


MARKS = "# ;## T;---;===;```;- ;1. ;> ;|;<p>;<!--;-->;//;/*;*/;__;**;+++;[t];k: v;k = v;, ;=>;\\;&;!;.;: "
WORDS = "def f(x):;class A;if x:;@d;pass;x = 1;function ;const ;struct ;fn ;enum ;interface ;impl ;export ;type ;null"
SPACE = ["\n", "\n\n", "\r\n", "\r", "\t", "\f", "    ", "\u2028", "\ufeff", "é", "漢字", "'''", '"', ";"]
TOKENS = st.sampled_from([*MARKS.split(";"), *WORDS.split(";"), *SPACE, *"()[]{}a1'"])
CONTENTS = st.one_of(st.text(max_size=200), st.lists(TOKENS, max_size=60).map("".join)).filter(
    lambda text: "\x00" not in text
)


@pytest.mark.parametrize("form", BUILT, ids=lambda form: form.name)
@settings(max_examples=60, deadline=None)
@given(content=CONTENTS)
def test_any_text_in_any_format_gives_a_sound_outline(form: Format, content: str) -> None:
    """A format module takes any text without an exception, and what it returns keeps every rule of the checker."""
    text = text_of(content)
    check(text, maker(form)(text, form))


@settings(max_examples=60, deadline=None)
@given(
    content=CONTENTS, name=st.sampled_from([b"a.md", b"a.txt", b"a", b"x/a.py", b"a.zzz", b"Makefile", b"\xff.md", b""])
)
def test_equal_input_gives_an_equal_outline(content: str, name: bytes) -> None:
    """The outline is a pure function of text and path."""
    text = text_of(content)
    first = outline(text, name)
    check(text, first)
    assert outline(text_of(content), name) == first


def case_files() -> list[Path]:
    return sorted(path for path in CASES.glob("*/input/**/*") if path.is_file())


def test_every_public_failure_gives_a_sound_outline() -> None:
    """No input of the case collection breaks a rule, and none needs the fallback for a failed format."""
    assert case_files()
    for path in case_files():
        try:
            text = decode(path.read_bytes())
        except BinaryFile:
            continue
        made = outline(text, bytes(path.relative_to(CASES)))
        check(text, made)
        assert "approximate_outline" not in [warned.code for warned in made.warnings], path


@pytest.mark.parametrize(
    ("name", "content", "format_"),
    [
        (b"a/b.md", "", "markdown"),
        (b"README", "plain words\n", "text"),
        (b"README", "# One\n\nx\n\n## Two\n\ny\n", "markdown"),
        (b"page.txt", "# One\n\nx\n\n## Two\n\ny\n", "markdown"),
        (b"requirements.txt", "# one\na==1\n# two\nb==2\n", "text"),
        (b"run", "#!/usr/bin/env -S python3 -I\n", "python"),
        (b"run", "#!/usr/bin/python3.11\n", "python"),
        (b"run", "\ufeff#!/bin/sh\n", "shell"),
        (b"web.md", "<!DOCTYPE html>\n<p>x\n", "html"),
        (b"data.txt", '{"a": 1}\n', "json"),
        (b"Makefile", "all:\n", "makefile"),
        (b"x.PY", "", "python"),
        (b".env", "A=1\n", "env"),
        (b".hidden", "words\n", "text"),
        (b"a.zzz", "words\n", "text"),
        (b"a.zzz", "#!/bin/sh\n", "shell"),
        (b"a.pom", "<project/>\n", "xml"),
        (b"a.zzz", "<?xml version='1.0'?>\n<a/>\n", "xml"),
        (b"a.zzz", '{"a": 1}\n', "json"),
        (b"values.yaml.j2", "a: 1\n", "yaml"),
        (b"page.html.erb", "<p>\n", "html"),
        (b"app.conf.sample", "a b\n", "ini"),
        (b"setup.py.in", "x = 1\n", "python"),
        (b"a.py.j2", "x = 1\n", "template"),
        (b"a.tpl", "words\n", "template"),
        (b"a.in", "words\n", "text"),
        (b"app.log.1", "words\n", "log"),
        (b"nginx.conf.5", ".TH NGINX 5\n.SH NAME\n", "roff"),
        (b"tide.1", ".Dd May 1\n.Sh NAME\n", "roff"),
        (b"tide.1", "words\n", "text"),
        (b"tide.1.in", ".TH TIDE 1\n.SH NAME\n", "roff"),
        (b"tide.conf.5.in", ".TH TIDE 5\n.SH NAME\n", "roff"),
        (b"Tide.3pm", ".TH TIDE 3\n.SH NAME\n", "roff"),
        (b"tide.n", ".TH tide n\n.SH NAME\n", "roff"),
        (b"tide.1.in", "words\n", "text"),
        (b"tide.manpage", '\'\\" t\n.\\" words\n.Dt TIDE 1\n.Sh NAME\n', "roff"),
        (b"tide.zzz", "words\n.TH TIDE 1\n", "text"),
        (b"book.asc", "= Book\n\n== One\n", "asciidoc"),
        (b"words.asc", "words\n", "text"),
        (b"key.asc", "-----BEGIN PGP SIGNED MESSAGE-----\n\n== One\n", "text"),
        (b"index.rst.txt", "words\n", "restructuredtext"),
        (b"NEWS", "One\n===\n\nx\n\nTwo\n===\n\ny\n", "restructuredtext"),
        (b"NEWS", "One\n===\n\nx\n", "text"),
        (b"table.txt", "name size\n---------\na    1\n", "text"),
        (b"LICENSE", "One\n===\n\nx\n\nTwo\n===\n\ny\n", "text"),
        (b".env.production", "A=1\n", "env"),
        (b"Dockerfile.dev", "FROM a\n", "dockerfile"),
        (b"Makefile.am", "a = b\n", "makefile"),
        (b"makefile.ts", "const a = 1\n", "typescript"),
        (b"Makefile.PL", "use strict;\n", "perl"),
        (b"makefile.pm", "package Makefile;\n", "perl"),
        (b"dockerfile.pm", "package Dockerfile;\n", "perl"),
        (b"dockerfile.vim", 'if exists("b:x")\n', "text"),
        (b"Dockerfile-alpine", "FROM a\n", "dockerfile"),
        (b"makefile.vim", "syn on\n", "text"),
        (b"Makefile.linux", "all:\n", "makefile"),
        (b"default.nix", '{\n  "a" = ./a.nix;\n}\n', "nix"),
        (b"a.zzz", '{\n  "a" = ./a.nix;\n}\n', "text"),
        (b"a.zzz", '[{"a": 1}]\n', "json"),
        (b".prettierrc", "semi: false\n", "yaml"),
        (b".prettierrc", '// a\n{"semi": false}\n', "json"),
        (b"BUILD", 'cc_library(\n    name = "a",\n)\n', "bazel"),
        (b"build", "#!/bin/sh\nmake\n", "shell"),
        (b"build", "how to build it\n", "text"),
        (b"CMakeLists.txt", "project(a)\n", "cmake"),
        (b"Vagrantfile", "x = 1\n", "ruby"),
        (b"go.mod", "module a\n", "gomod"),
        (b"go.work.sum", "", "lock"),
        (b"a.jsonl", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "text"),
        (b"a.h", "class A;\n", "cpp"),
        (b"a.h", "@interface A\n", "objective-c"),
        (b"a.mm", "@implementation A\n", "objective-c"),
        (b"a.mm", "void A::b() {}\n", "cpp"),
        (b"a.m", "#import <A.h>\n", "objective-c"),
        (b"a.m", "function y = a(x)\n", "text"),
        (b"a.t", "use Test::More;\n", "perl"),
        (b"a.t", "  $ echo a\n  a\n", "text"),
        (b"a.pl", ":- module(a, []).\n", "text"),
        (b"a.fs", "#version 330\nvoid main() {}\n", "text"),
        (b"a.bats", "", "bats"),
        (b"run", "#!/usr/bin/env bats\n", "bats"),
        (b"a.c", "class A;\n", "c"),
    ],
)
def test_name_then_first_line_then_content_decide_the_format(name: bytes, content: str, format_: str) -> None:
    """A name that says something wins; where it says nothing, or plainly lies, the content does."""
    assert detect(name, text_of(content)).name == format_


def test_an_unknown_type_is_plain_text_and_says_so() -> None:
    """`no_outline` stands in the answer for a type that has none, and not for a text file."""
    assert [warned.code for warned in outline(text_of("a\n"), b"tune.zzz").warnings] == ["no_outline"]
    assert outline(text_of("a\n"), b"tune.txt").warnings == ()


def test_code_with_a_very_long_line_is_not_parsed() -> None:
    """Minified code is divided as plain text, with a warning."""
    made = outline(text_of("x = 1\n" + "y" * (limits.LONG_LINE_BYTES + 1)), b"a.py")
    assert (made.style, [warned.code for warned in made.warnings]) == ("plain", ["minified"])


def test_a_text_over_the_limit_is_divided_into_blocks() -> None:
    """Over 8 MiB a file of any format is plain text, in at most 5,000 blocks of equal numbers of lines."""
    text = text_of("# title of this section here\n" * (limits.OUTLINE_BYTES // 29 + 1))
    made = outline(text, b"a.md")
    assert [warned.code for warned in made.warnings] == ["no_outline"]
    assert {entry.kind for entry in made.entries} == {"block"}
    assert limits.MAX_ENTRIES // 2 < len(made.entries) <= limits.MAX_ENTRIES
    check(text, made)


@pytest.mark.parametrize(
    "opening", ["(", "[", "{", "def f():\n", "class A:\n ", "> ", "- ", "#", "`", "*", "[x](", "if 1:\n"]
)
@pytest.mark.parametrize("name", [b"a.py", b"a.md", b"a.txt"])
def test_deep_and_repeated_marks_end(opening: str, name: bytes) -> None:
    """Twenty thousand times the same mark gives a sound outline of bounded depth."""
    text = text_of(opening * 20_000)
    made = outline(text, name)
    check(text, made)
    assert max((entry.level for entry in flat(made.entries)), default=0) <= limits.MAX_DEPTH


def test_the_collector_is_left_as_it_was_found() -> None:
    """Off stays off, on is on again, also where a module fails; what somebody froze stays frozen."""
    text = text_of("# A\n\nb\n")
    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        try:
            outline(text, b"a.md")
            assert gc.isenabled() == enabled
        finally:
            gc.enable()
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        outline(text, b"a.md")
        assert gc.get_freeze_count() == frozen
    finally:
        gc.unfreeze()
