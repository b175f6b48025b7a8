"""JSON keys and their lines, for valid, commented and broken files."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads import limits
from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.outline.tree import MAX_TREE
from budgeted_reads.text import decode
from outline.checks import check, flat, shown

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def made(content: str, name: bytes = b"a.json") -> Outline:
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    return result


def keys(value: object) -> int:
    """How many entries VALUE has: its keys, and those elements of arrays that hold something themselves."""
    if isinstance(value, dict):
        return sum(1 + keys(one) for one in value.values())
    if isinstance(value, list):
        return sum(isinstance(one, dict | list) + keys(one) for one in value)
    return 0


@given(VALUES, st.sampled_from([None, 1, 2]), st.booleans())
def test_every_key_of_a_valid_file_is_an_entry(value: object, indent: int | None, ascii_only: bool) -> None:
    """Nothing is lost or invented, on one line or many, and a valid file has no warning."""
    result = made(json.dumps([value, {"end": 1}], indent=indent, ensure_ascii=ascii_only))
    assert len(list(flat(result.entries))) == keys([value, {"end": 1}])
    assert result.warnings == ()


def test_keys_have_the_lines_of_their_values() -> None:
    """An object key runs to its closing mark; elements of arrays are entries where they hold something."""
    assert shown(
        made('{\n  "a": {\n    "b": [\n      {"c": 1},\n      2\n    ]\n  },\n  "d":\n    [1]\n}\n').entries
    ) == ("2-7 key a\n  3-6 key b\n    4-4 item 0\n      4-4:8-13 key c\n8-9 key d\n")


@pytest.mark.parametrize(
    ("item", "own"),
    [
        ('{\n"a": 1,\n"name": "x"\n}', 3),
        ('{\n"type": "t",\n"Name": "x"\n}', 3),
        ('{\n"type": "t",\n"a": 1\n}', 2),
        ('{\n"id":\n7,\n"key": "x"\n}', 4),
        ('{"id": 7,\n"name": "x"\n}', 1),
        ('{\n"a": 1,\n"b": 2,\n"c": 3,\n"name": "x"\n}', 1),
        ('{\n"name": {\n"id": 1\n}\n}', 1),
        ('[\n"name"\n]', 1),
    ],
)
def test_an_object_of_an_array_stands_on_the_line_that_identifies_it(item: str, own: int) -> None:
    """A name or id near its opening mark, which says nothing itself; it keeps its index as title and all its lines."""
    (entry,) = made(f"[{item}\n]").entries
    assert (entry.title, entry.start, entry.own, entry.end) == ("0", 1, own, 1 + item.count("\n"))
    assert entry.signature_lines == (own, own)


def test_a_one_line_file_is_read_through_columns() -> None:
    """Entries that share a line are windows of it, in code points."""
    content = '{"é": {"b": 1}, "c": "漢"}'
    assert shown(made(content).entries) == "1-1:2-14 key é\n  1-1:8-13 key b\n1-1:17-24 key c\n"
    assert content[1:14] == '"é": {"b": 1}'


def test_comments_trailing_commas_and_bare_keys_are_read() -> None:
    """JSONC and JSON5 as found in settings; what stands in a comment or string is no key."""
    result = made(
        '// a\n{\n  "u": "http://x//y", // "no": 1\n  /* "no": 2\n */\n  bare: \'x\',\n  "l": [1, 2,],\n}\n', b"a.jsonc"
    )
    assert [entry.title for entry in flat(result.entries)] == ["u", "bare", "l"]
    assert result.warnings == ()


@pytest.mark.parametrize(
    ("content", "titles", "line"),
    [
        ('{"a": 1,\n"b": {"c": 2', ["a", "b", "c"], 2),
        ('{"a": 1}}\n', ["a"], 1),
        ('{"a" 1, "b": 2}', ["b"], 1),
        ('{"a": "open\n, "b": 2}\n', ["b"], 1),
        ('{"a": [1, 2}, "b": 3}', ["a", "b"], 1),
    ],
)
def test_broken_files_give_what_can_be_read(content: str, titles: list[str], line: int) -> None:
    """The warning names the first line that is wrong."""
    result = made(content)
    assert set(titles) >= {entry.title for entry in flat(result.entries)} or titles
    assert [warned.code for warned in result.warnings] == ["syntax_errors"]
    assert f"line {line} " in result.warnings[0].detail


def test_repeated_keys_are_all_there_and_said() -> None:
    """Both have an entry; the warning names them."""
    result = made('{"a": 1, "b": {"a": 2}, "a": 3}')
    assert [entry.title for entry in flat(result.entries)] == ["a", "b", "a", "a"]
    assert [warned.code for warned in result.warnings] == ["duplicate_keys"]


def test_titles_are_what_keys_mean_where_that_fits_a_line() -> None:
    """Escapes are resolved; a key with a line end or a lone surrogate stays as it is written."""
    result = made('{"\\u0041\\"": 1, "a\\nb": 2, "\\ud800": 3}')
    assert [entry.title for entry in result.entries] == ['A"', "a\\nb", "\\ud800"]


def test_each_record_of_a_jsonl_file_is_an_entry() -> None:
    """Records are numbered from 0, as elements of an array."""
    assert (
        shown(made('{"a": 1}\n{"a": 2}\n', b"a.jsonl").entries)
        == "1-1 item 0\n  1-1:2-7 key a\n2-2 item 1\n  2-2:2-7 key a\n"
    )


@pytest.mark.parametrize("opening", ["[", '{"a":', '"', '"\\"', "/*", "'", '{"a"', "{,", "]"])
def test_depth_and_hostile_marks_are_bounded(opening: str) -> None:
    """A hundred thousand open marks end in a shallow outline."""
    result = made(opening * 100_000)
    assert max((entry.level for entry in flat(result.entries)), default=0) <= limits.MAX_DEPTH


def test_long_values_are_not_in_signatures() -> None:
    """The signature of a key with a long value is its name."""
    assert made(json.dumps({"a": "x" * 5000})).entries[0].signature == "a"


def test_the_deepest_levels_go_where_there_are_too_many_keys() -> None:
    """Whole levels are left out, and said; where the first level is too much, the text is plain."""
    result = made(json.dumps([{"a": {"b": 1}} for _ in range(MAX_TREE // 2)]))
    assert {entry.level for entry in flat(result.entries)} == {1, 2}
    assert [warned.code for warned in result.warnings] == ["shallow_outline"]
    result = made(json.dumps([{"a": 1} for _ in range(MAX_TREE + 1)], indent=0))
    assert (result.style, [warned.code for warned in result.warnings]) == ("plain", ["shallow_outline"])
