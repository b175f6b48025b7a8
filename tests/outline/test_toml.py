"""TOML tables and keys with their lines, against the standard library's reading of the same files."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from budgeted_reads import limits
from budgeted_reads.outline import Entry, Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown

ROOT = Path(__file__).parents[2]


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.toml")
    check(text, result)
    return result


def paths(entries: tuple[Entry, ...], before: tuple[str, ...] = ()) -> list[str]:
    found = []
    for entry in entries:
        path = (*before, entry.title)
        found += [".".join(path), *paths(entry.children, path)]
    return found


def keys(value: Any, before: str = "") -> set[str]:
    """Dotted names of all values that are no tables; elements of `[[arrays]]` (all but `authors`) by their index."""
    if isinstance(value, dict) and value:
        return {path for key, one in value.items() for path in keys(one, f"{before}.{key}")}
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value) and "authors" not in before:
        return {path for index, one in enumerate(value) for path in keys(one, f"{before}.{index}")}
    return {before[1:]}


def test_the_keys_of_a_real_file_are_those_that_tomllib_reads() -> None:
    """Every key of this project's own configuration is an entry under its dotted name."""
    content = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    result = made(content)
    assert result.warnings == ()
    assert keys(tomllib.loads(content)) <= set(paths(result.entries))


def test_tables_hold_their_keys_and_what_lies_inside_them() -> None:
    """A table runs to its last key; elements of an array of tables are numbered."""
    content = (
        'a = 1\n"b c".d = """\n[no]\n"""\n\n[t] # x\nk = [ # y\n  "]",\n  {z = 1},\n]\n# note\n\n[t.u.v]\nk = 1\n\n'
        "[[p]]\nk = 1\n[p.q]\nk = 2\n[[p]]\nk = 3; broken\n[w]\n"
    )
    assert shown(made(content).entries) == (
        "1-1 key a\n2-4 key b c.d\n6-14 table t\n  7-10 key k\n  13-14 table u.v\n    14-14 key k\n"
        "16-19 table p.0\n  17-17 key k\n  18-19 table q\n    19-19 key k\n"
        "20-21 table p.1\n  21-21 key k\n22-22 table w\n"
    )


@pytest.mark.parametrize(
    ("content", "titles"),
    [
        ("a = 1\nnonsense\nb = 2\n", ["a", "b"]),
        ("a = [1,\n[t]\nb = 2\n", ["a", "t", "b"]),
        ('a = """\nx\n', ["a"]),
        ("= 1\n[x\n[y]\n", ["y"]),
    ],
)
def test_broken_files_give_what_can_be_read(content: str, titles: list[str]) -> None:
    """A value that never ends stops at the next table; the warning names the first line that is wrong."""
    result = made(content)
    assert [entry.title for entry in flat(result.entries)] == titles
    assert {"syntax_errors"} >= {warned.code for warned in result.warnings}


def test_repeated_keys_are_said() -> None:
    """A key or table that stands twice is named in the warning; elements of arrays repeat keys freely."""
    result = made("a = 1\na = 2\n[t]\n[t]\n")
    assert [warned.code for warned in result.warnings] == ["duplicate_keys"]
    assert made("[[p]]\na = 1\n[p.q]\n[[p]]\na = 1\n[p.q]\n").warnings == ()


def test_an_array_of_arrays_is_one_value() -> None:
    """An element alone on its line is no table."""
    assert shown(made("a = [\n[1],\n[2]\n]\nb = 1\n").entries) == "1-4 key a\n5-5 key b\n"


def test_crlf_and_a_bom_change_nothing() -> None:
    """Entries are those of the same file with LF."""
    lines = ["[a]", "b = 1", "c = '''", "x'''", ""]
    assert made("\ufeff" + "\r\n".join(lines)).entries == made("\n".join(lines)).entries


@pytest.mark.parametrize("opening", ["[", "[[", '"', '"""', "'", "a.", "a=[", "a=", "[a]\n", "[[a]]\n", '\\"""', "{"])
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand open marks give some sound outline."""
    made(opening * 20_000)


def test_depth_is_bounded() -> None:
    """Three hundred tables inside each other give at most two hundred levels."""
    result = made("".join(f"[{'.'.join('a' * depth)}]\n" for depth in range(1, 301)))
    assert max(entry.level for entry in flat(result.entries)) == limits.MAX_DEPTH
