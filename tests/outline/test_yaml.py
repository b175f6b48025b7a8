"""YAML keys and their lines, without ever loading a value."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("aé \n:#-'", max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abé ", max_size=3), inner, max_size=4),
    max_leaves=20,
)


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.yaml")
    check(text, result)
    return result


def keys(value: object) -> int:
    if isinstance(value, dict):
        return sum(1 + keys(one) for one in value.values())
    if isinstance(value, list):
        return sum(isinstance(one, dict | list) + keys(one) for one in value)
    return 0


@given(VALUES, st.sampled_from([None, True, False]))
def test_every_key_of_a_valid_file_is_an_entry(value: object, flow: bool | None) -> None:
    """Nothing is lost or invented, in block and flow style."""
    result = made(yaml.safe_dump({"top": value}, default_flow_style=flow, allow_unicode=True))
    assert len(list(flat(result.entries))) == keys({"top": value})
    assert result.warnings == ()


def test_keys_have_the_lines_of_their_values() -> None:
    """Texts in blocks hold no keys; a value ends at its last content, not at blank lines and comments after it."""
    content = (
        "a:\n  run: |\n    image: x\n\n    last\n\n  # note\n  e: {A: 1}\nl:\n  - n: 1\n    m: 2\n  -\n    - x\n\nz:\n"
    )
    assert shown(made(content).entries) == (
        "1-8 key a\n  2-5 key run\n  8-8 key e\n    8-8:7-10 key A\n9-13 key l\n  10-11 item 0\n    10-10:5-8 key n\n"
        "    11-11 key m\n  13-13 item 1\n15-15 key z\n"
    )


def test_all_documents_are_read_and_counted() -> None:
    """Keys of each document stand at the top; a key may stand once in each."""
    result = made("a: 1\n---\na: 2\n---\n- b: 3\n")
    assert [entry.title for entry in flat(result.entries)] == ["a", "a", "0", "b"]
    assert (result.facts, result.warnings) == ((("documents", 3),), ())


def test_repeated_keys_are_all_there_and_said() -> None:
    """Both have an entry; the warning names the key and the line of the repeat."""
    result = made("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n")
    assert [entry.title for entry in flat(result.entries)] == ["a", "b", "c", "c", "a"]
    assert [warned.code for warned in result.warnings] == ["duplicate_keys"]
    assert "c (line 4), a (line 5)" in result.warnings[0].detail


def test_aliases_are_named_not_followed() -> None:
    """A chain of anchors costs what its text costs."""
    content = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
    assert [entry.title for entry in made(content).entries] == [f"a{n}" for n in range(30)]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_bom_crlf_and_odd_separators_do_not_move_lines(mark: str, end: str) -> None:
    """Lines are counted by LF only."""
    content = mark + end.join(["é: '\u2028 \x85'", "b: 😀", "c:", "  d: 1", ""])
    assert shown(made(content).entries) == "1-1 key é\n2-2 key b\n3-4 key c\n  4-4 key d\n"


def test_a_template_is_read_by_indentation() -> None:
    """What is no valid YAML still has its keys, flagged; texts in blocks are left out."""
    result = made("{{- if .x }}\na:\n  run: |\n    image: no\n  b: 1\nl:\n- c: 1\n  d: 2\n{{- end }}\n")
    assert [warned.code for warned in result.warnings] == ["approximate_outline"]
    assert shown(result.entries) == ("2-5 key a\n  3-4 key run\n  5-5 key b\n6-8 key l\n  7-7 key c\n  8-8 key d\n")


def test_the_tags_of_a_template_belong_to_what_they_are_indented_below() -> None:
    """A tag at the margin of a key ends with what it began with, not in that key; a key may be made by a tag."""
    content = (
        'a:\n  {{- include "x" . | nindent 2 }}\nb:\n  c: |\n    {{ no }}: 1\n  {{- range .d }}\n  {{ .k }}: {{ .v }}\n'
        "  {{- end }}\n{% endif %}\n"
    )
    assert shown(made(content).entries) == "1-2 key a\n3-7 key b\n  4-5 key c\n  7-7 key {{ .k }}\n"


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ("a: {{ ns }}\n", "1-1 key a\n"),
        ("a:\n  b: {{x}}\n  c: 1\n", "1-3 key a\n  2-2 key b\n  3-3 key c\n"),
        ("{{ x }}: 1\n", "1-1 key {{ x }}\n"),
        ("a: {[b]: 1}\n", "1-1 key a\n  1-1:5-10 key [b]\n"),
        ("a: {{b: 1}: 2, c: 3}\n", "1-1 key a\n  1-1:5-13 key {b: 1}\n  1-1:16-19 key c\n"),
    ],
)
def test_a_tag_of_a_template_that_is_valid_yaml_is_a_value(content: str, entries: str) -> None:
    """`{{ x }}` without quotes is a mapping whose only key is one: it has no keys of its own, others of its kind do."""
    result = made(content)
    assert (shown(result.entries), result.warnings) == (entries, ())


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ("{{- /*\nName: x\n*/}}\nkind: {{- b | d }}\n", "4-4 key kind\n"),
        ("{#\nNote: x\n#}\na: {% x %}\n", "4-4 key a\n"),
        ("{# x #}\na:\n  b: {% x %}\n  {#\n    Note: x\n  #}\nc: 1\n", "2-3 key a\n  3-3 key b\n7-7 key c\n"),
        ('a: {{ x "y"\n  b: 1 }}\n{% set c = {\n    d: 1 } %}\ne: {{- f }}\n', "1-2 key a\n5-5 key e\n"),
        ("{{ x }}{{- if y }}\na: {{ b\nc: {{- d }}\n", "2-2 key a\n3-3 key c\n"),
    ],
)
def test_nothing_within_a_tag_of_a_template_is_a_key(content: str, entries: str) -> None:
    """Comments and tags over lines hold none; what opens and never closes hides nothing."""
    assert shown(made(content).entries) == entries


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ("- a: |-\n    x: 1\n  b: {{- c }}\n", "1-2 key a\n3-3 key b\n"),
        ("a:\n- |\n  x: 1\n-  >-\n  y: 1\nb: {{- c }}\n", "1-5 key a\n6-6 key b\n"),
        ("a: |\n  x: 1\n{{- if y }}\n  z: 1\n{{- end }}\nb: 1\n", "1-4 key a\n6-6 key b\n"),
        ("\ufeffa: {{- b }}\nc: 1\n", "1-1 key a\n2-2 key c\n"),
    ],
)
def test_a_text_in_a_block_of_a_template_ends_where_it_is_no_deeper(content: str, entries: str) -> None:
    """Than its key, not than the dash before that; tags at the margin do not end it."""
    assert shown(made(content).entries) == entries


def test_odd_keys_have_names() -> None:
    """An empty key, an alias and a key that is a list are named by what is written."""
    titles = [entry.title for entry in made("&x a: 1\n*x : 2\n? [p, q]\n: 3\n'': 4\n").entries]
    assert titles == ["a", "*x", "[p, q]", ""]


@pytest.mark.parametrize(
    "opening",
    [
        "[",
        "{",
        "- ",
        "a: {",
        "? ",
        "&a ",
        "'",
        "|\n",
        "a:\n ",
        "! ",
        "{{",
        "{{ ",
        "{%",
        "{#",
        "{{/*",
        "{{/* */",
        "{{ }}",
    ],
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand open marks give some sound outline."""
    made(opening * 20_000)
