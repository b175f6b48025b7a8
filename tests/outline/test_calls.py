"""Build files made of commands: CMake and Bazel."""

import pytest

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown


def made(content: str, name: bytes) -> Outline:
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    return result


CMAKE = """\
cmake_minimum_required(VERSION 3.16)
# a comment (
set(SOURCES
  "a (b.c"
  c.c
)
set(
  LAST
  x
)
if(WITH_TESTS)
  add_subdirectory(tests)
endif()
add_library(tide STATIC ${SOURCES})
function(tide_test name)
  add_executable(${name} ${name}.c)
endfunction()
enable_testing()
"""

BAZEL = """\
load("@rules_cc//cc:defs.bzl", "cc_library")

SOURCES = [
    "a.cc",
]

def tide_test(name, **kwargs):
    cc_test(
        name = name,
    )

    # done
    return name

cc_library(
    name = "tide",
    srcs = SOURCES,
)
[cc_test(name = n) for n in ["a", "b"]]
glob(["*"])
"""


def test_commands_of_cmake() -> None:
    """By word and first argument, wherever that stands; a function goes to its end; branches are no entries."""
    result = made(CMAKE, b"CMakeLists.txt")
    assert (result.format, result.language, result.warnings) == ("cmake", "cmake", ())
    assert shown(result.entries) == (
        "1-1 instruction cmake_minimum_required VERSION\n3-6 instruction set SOURCES\n7-10 instruction set LAST\n"
        "14-14 instruction add_library tide\n15-17 function tide_test\n18-18 instruction enable_testing\n"
    )


def test_rules_of_bazel() -> None:
    """By their names; variables and functions, too, and calls without a name by their word."""
    result = made(BAZEL, b"BUILD.bazel")
    assert result.language == "starlark"
    assert shown(result.entries) == (
        "1-1 instruction load\n3-5 variable SOURCES\n7-13 function tide_test\n15-18 rule tide\n"
        "19-19 instruction cc_test\n20-20 instruction glob\n"
    )


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        (
            "project(demo)\nif(WIN32)\n  add_library(foo SHARED w.c)\nelse()\n  add_library(foo SHARED p.c)\nendif()\n"
            "if(T)\n  function(h X)\n    add_test(a b)\n  endfunction()\nendif()\n",
            "1-1 instruction project demo\n3-3 instruction add_library foo\n5-5 instruction add_library foo\n"
            "8-10 function h\n",
        ),
        (
            "foreach(x a b)\n\tadd_executable(\n\t\tt_${x}\n\t\tx.c)\n\tset(A b)\n\tset(C d CACHE STRING e)\n"
            "\toptions(x)\n\tmessage(STATUS\n\t\toption (\n\t\t))\nendforeach()\n",
            "2-4 instruction add_executable t_${x}\n6-6 instruction set C\n",
        ),
        (
            "macro(a)\n  macro(b)\n    option(X)\n  endmacro()\n  option(Y)\nendmacro()\noption(Z)\n",
            "1-6 macro a\n7-7 instruction option Z\n",
        ),
        (
            "#[[\n  option(A)\n]]\nif(a)\n  #[=[ option(B) ]]\n  option(C) ]=]\n  option(D)\nendif()\n"
            "#[[\n option(E)\n",
            "7-7 instruction option D\n",
        ),
        (
            "if(a)\n  add_test(NAME t COMMAND x)\n  add_test(\n    NAME u)\n",
            "2-2 instruction add_test t\n3-4 instruction add_test u\n",
        ),
        ("if(a)\n  add_test(\n  option(b)\nendif()\n", "2-2 instruction add_test\n3-3 instruction option b\n"),
    ],
)
def test_what_a_branch_of_cmake_makes(content: str, entries: str) -> None:
    """Targets, tests, options, functions of branches and loops are entries; what only runs there is none."""
    assert shown(made(content, b"a.cmake").entries) == entries


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ("[cc_test(name = n) for n in [1]]\nx(\n)\n", "1-1 instruction cc_test\n2-3 instruction x\n"),
        ("[\n    cc_test(\n        name = 'a_' + n,\n    )\n    for n in S\n]\n", "1-6 rule a_\n"),
        ("[x for x in y]\n[\na()\n", "3-3 instruction a\n"),
    ],
)
def test_lists_of_rules_of_bazel(content: str, entries: str) -> None:
    """A list at the margin is the rule that it makes, to the end of the list."""
    assert shown(made(content, b"BUILD.bazel").entries) == entries


@pytest.mark.parametrize(
    ("content", "name", "entries"),
    [
        ("add_library(a\nset(b c)\n", b"a.cmake", "1-1 instruction add_library a\n2-2 instruction set b\n"),
        ("function(a)\nfunction(b)\nendfunction()\n", b"a.cmake", "1-1 function a\n2-3 function b\n"),
        ("a(\nb = [\nc(name = 'c')\n", b"BUILD.bazel", "1-1 instruction a\n2-2 variable b\n3-3 rule c\n"),
        ("def f(\n    a,\n):\n    return a\n# end\nx()\n", b"BUILD.bazel", "1-4 function f\n6-6 instruction x\n"),
    ],
)
def test_what_never_closes_ends_where_the_next_begins(content: str, name: bytes, entries: str) -> None:
    """Nothing that follows is lost by a bracket or a function that is left open."""
    assert shown(made(content, name).entries) == entries


@pytest.mark.parametrize(
    "opening",
    [
        "a(\n",
        "a = (\n",
        "function(a)\n",
        "def f(\n",
        '"',
        "(",
        "a(name=",
        "a(,name = '\n",
        " option(\n",
        " function(a)\n",
        "#[[",
        "[a(",
    ],
)
@pytest.mark.parametrize("name", [b"a.cmake", b"BUILD.bazel"])
def test_hostile_marks_end(opening: str, name: bytes) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000, name)
    made("a(b)\n" + opening * 20_000, name)
