"""Requests of searches: what is wrong is named, and globs mean what they say."""

from typing import Any

import pytest

from budgeted_reads import fields
from budgeted_reads.cli import options
from budgeted_reads.errors import InvalidRequest
from budgeted_reads.given import Defaults
from budgeted_reads.search.globs import Globs
from budgeted_reads.search.ranks import DOCUMENT, GENERATED, SOURCE, TEST, rank
from budgeted_reads.search.request import Query, search_request


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({}, "query"),
        ({"query": ""}, "query"),
        ({"query": None}, "query"),
        ({"query": 7}, "query"),
        ({"query": " ", "mode": "ranked"}, "words"),
        ({"query": "a", "mode": "fuzzy"}, "mode"),
        ({"query": "a", "limit": 0}, "limit"),
        ({"query": "a", "limit": 1001}, "limit"),
        ({"query": "a", "context": -1}, "context"),
        ({"query": "a", "context": True}, "context"),
        ({"query": "a", "budget_tokens": "400"}, "budget_tokens"),
        ({"query": "a", "globs": []}, "globs"),
        ({"query": "a", "globs": ["!"]}, "globs"),
        ({"query": "a", "ignore_case": 1}, "ignore_case"),
        ({"query": "a", "mode": "ranked", "ignore_case": True}, "ignore_case"),
        ({"query": "a", "view": "card"}, "view"),
        ({"query": "a", "glob": "*.py"}, "globs"),
    ],
)
def test_what_is_wrong_is_named(given: dict[str, Any], word: str) -> None:
    """A missing, unknown or wrong field is `invalid_request`, and the field or its cure is in the words."""
    with pytest.raises(InvalidRequest) as error:
        search_request(given, Defaults())
    assert word in error.value.line()


def test_a_query_has_the_fields_of_the_table() -> None:
    """The table and the request speak of the same fields; a space is a query."""
    renamed = {"budget": "budget_tokens"}
    assert {renamed.get(name, name) for name in Query._fields} - {"warnings"} == {field.name for field in fields.SEARCH}
    assert search_request({"query": " "}, Defaults()).query == " "
    assert search_request({"query": "a", "budget_tokens": 10**9}, Defaults()).warnings[0].code == "clamped_budget"


@pytest.mark.parametrize(
    ("globs", "path", "taken"),
    [
        (["*.py"], b"a/b.py", True),
        (["src/**"], b"src/a/b", True),
        (["src/**"], b"a/src/b", False),
        (["**/src/*.py"], b"src/a.py", True),
        (["**/src/*.py"], b"a/b/src/a.py", True),
        (["/a.py"], b"b/a.py", False),
        (["tests/"], b"tests/a/b.py", True),
        (["*.{ts,tsx}"], b"x/y.tsx", True),
        (["*.{ts,tsx}"], b"x/y.js", False),
        (["!tests/**"], b"tests/a", False),
        (["!tests/**"], b"src/a", True),
        (["*.py", "!tests/**"], b"tests/a.py", False),
        (["app/[berth]/page.tsx"], b"app/[berth]/page.tsx", True),
        (["a?c"], b"abc", True),
        (["**"], b"a", True),
        (["*" * 200 + "b"], b"a" * 200, False),
        ([], b"a", True),
    ],
)
def test_globs_take_in_what_they_say(globs: list[str], path: bytes, taken: bool) -> None:
    """By the last part without a slash, by the whole path with one; `!` leaves out; braces are alternatives."""
    assert Globs(globs).take(path) is taken


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (b"src/app.py", SOURCE),
        (b"src/contest.py", SOURCE),
        (b"tests/app.py", TEST),
        (b"pkg/app_test.go", TEST),
        (b"web/app.spec.ts", TEST),
        (b"README.md", DOCUMENT),
        *((name, DOCUMENT) for name in (b"CHANGES", b"ChangeLog", b"changelog", b"NEWS", b"pkg/HISTORY", b"README")),
        *((name, DOCUMENT) for name in (b"LICENSE", b"LICENSE-MIT", b"COPYING.LESSER", b"AUTHORS", b"News-1.8.0")),
        *((name, SOURCE) for name in (b"bin/install", b"news", b"history.py", b"NEWS.py", b"license.c", b"Makefile")),
        (b"docs/conf.py", DOCUMENT),
        (b"examples/app.py", DOCUMENT),
        (b".github/workflows/test.yml", DOCUMENT),
        (b"deps/lua/src/lua.c", GENERATED),
        (b"web/app.min.js", GENERATED),
        (b"node_modules/x/index.js", GENERATED),
        (b"uv.lock", GENERATED),
    ],
)
def test_paths_have_a_class(path: bytes, wanted: int) -> None:
    """Sources, tests, documents and generated files are told by their names."""
    assert rank(path) == wanted


def test_one_glob_may_stand_alone() -> None:
    """A string is one glob, commas and braces in it too; the command line takes several, each as it is."""
    assert search_request({"query": "a", "globs": "*.{ts,tsx}"}, Defaults()).globs == ("*.{ts,tsx}",)
    command, parsed = options.parse(["search", "a", "--globs", "*.{ts,tsx}", "--globs", "!a,b.ts"], "0")
    assert command is not None
    assert options.given(command, parsed)["globs"] == ["*.{ts,tsx}", "!a,b.ts"]
