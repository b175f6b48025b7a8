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
        "1-1 instruction load\n3-5 variable SOURCES\n7-13 function tide_test\n15-18 rule tide\n20-20 instruction glob\n"
    )


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
    "opening", ["a(\n", "a = (\n", "function(a)\n", "def f(\n", '"', "(", "a(name=", "a(,name = '\n"]
)
@pytest.mark.parametrize("name", [b"a.cmake", b"BUILD.bazel"])
def test_hostile_marks_end(opening: str, name: bytes) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000, name)
    made("a(b)\n" + opening * 20_000, name)
