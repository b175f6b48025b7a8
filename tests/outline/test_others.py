"""What the languages of the extra define in the places where their files have it: tests, branches, older versions."""

import pytest

from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown

CASES = {
    "a.lua": (
        'describe("tide", function()\n  local rise = function() end\n  it("rises", function() rise() end)\nend)\n'
        "local function made()\n  return { open = function() end }\nend\n",
        "1-4 test tide\n  2-2 function rise\n  3-3 test rises\n5-7 function made\n  6-6 method open\n",
    ),
    "a.r": (
        'test_that("tides rise", {\n  rise <- function(x) x\n  level <- 1\n})\n',
        "1-4 test tides rise\n  2-2 function rise\n",
    ),
    "a.jl": (
        '@testset "tide" begin\n    level = 1\n    rise(x) = x\nend\n'
        "if true\n    a() = 1\nelse\n    function b()\n    end\nend\n",
        "1-4 test tide\n  3-3 function rise\n6-6 function a\n8-9 function b\n",
    ),
    "a.proto": (
        'syntax = "proto2";\nmessage Tide {\n  required int32 level = 1;\n  extensions 100 to 199;\n'
        "  optional group Gauge = 2 {\n    optional string name = 3 [default = 'a'];\n  }\n}\n",
        "2-8 message Tide\n  3-3 field level\n  5-7 message Gauge\n    6-6 field name\n",
    ),
    "b.proto": (
        'edition = "2023";\nmessage Tide {\n  int32 level = 1;\n}\n',
        "2-4 message Tide\n  3-3 field level\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_definitions_are_found_where_they_stand(name: str) -> None:
    """Each has its kind, name and lines, and nothing else is an entry."""
    content, expected = CASES[name]
    text = decode(content.encode())
    made = outline(text, name.encode())
    check(text, made)
    assert made.warnings == ()
    assert shown(made.entries) == expected
