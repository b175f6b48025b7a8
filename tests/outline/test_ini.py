"""INI, .env and .properties: sections and keys with their lines, against the standard library's reading."""

import configparser
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline import Outline, outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown

NAMES = st.from_regex(r"[a-z][a-z0-9_ .-]{0,5}[a-z0-9]", fullmatch=True)
VALUES = st.text("ab =:[]#;\n\té", max_size=8)


def made(content: str, name: bytes = b"a.ini") -> Outline:
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    return result


@given(st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, max_size=4), max_size=4))
def test_sections_and_keys_are_those_that_were_written(wanted: dict[str, dict[str, str]]) -> None:
    """Values over several lines, with marks and brackets in them, add no key and lose none."""
    parser = configparser.RawConfigParser()
    parser.read_dict(wanted)
    file = io.StringIO()
    parser.write(file)
    found = {one.title: [key.title for key in one.children] for one in made(file.getvalue()).entries if one.children}
    assert found == {title: list(keys) for title, keys in wanted.items() if keys}


def test_the_ranges_of_a_configuration_of_git() -> None:
    """Keys that are all indented alike are keys, not values that go on; a section ends at its last value."""
    content = 'root = yes\n[core]\n\tbare = false\n\teol = \\\n  lf\n\n# note\n[ remote "origin" ]\n\turl = a=b\n'
    assert shown(made(content).entries) == (
        '1-1 key root\n2-5 section core\n  3-3 key bare\n  4-5 key eol\n8-9 section remote "origin"\n  9-9 key url\n'
    )


def test_an_env_file_shows_names_and_nothing_of_values() -> None:
    """Titles and signatures are the names; a value in quotes that runs over lines hides what looks like keys in it."""
    result = made('A=s3cret\nexport B="x\nC=no\\"\nz"\nD=\n', b"a.env")
    assert shown(result.entries) == "1-1 key A\n2-4 key B\n5-5 key D\n"
    assert [entry.signature for entry in result.entries] == ["A", "B", "D"]


def test_a_quote_that_never_closes_hides_nothing() -> None:
    """Its value ends with its line."""
    assert [entry.title for entry in made("A='x\nB=1\n", b"a.env").entries] == ["A", "B"]


def test_keys_of_properties_may_be_escaped() -> None:
    """A backslash takes `=`, `:` and blanks into the key; at the end of a line the value goes on."""
    result = made("a\\ b\\=c = 1\nd:x\\\n  e=y\nf g\n", b"a.properties")
    assert shown(result.entries) == "1-1 key a b=c\n2-3 key d\n4-4 key f\n"


def test_repeated_keys_are_all_there_and_said() -> None:
    """Both have an entry; the warning names the key and the line of the repeat. Sections repeat keys freely."""
    result = made("[a]\nx = 1\nx = 2\n[b]\nx = 3\n")
    assert [entry.title for entry in flat(result.entries)] == ["a", "x", "x", "b", "x"]
    assert [(warned.code, warned.detail) for warned in result.warnings] == [
        ("duplicate_keys", "keys that stand twice in one mapping: x (line 3)")
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (b"a.service", "[Unit]\nAfter=a\nAfter=b\n"),
        (b".gitconfig", '[remote "o"]\n\tfetch = a\n\tfetch = b\n'),
        (b"php.ini", "extension=a\nextension=b\n"),
        (b"a.conf", "bind = a\nbind = b\n"),
        (b"a.ini.j2", "{% if a %}\nb=1\n{% else %}\nb=2\n{% endif %}\n"),
    ],
)
def test_where_keys_may_repeat_nothing_is_said(name: bytes, content: str) -> None:
    """Units of systemd, Git and PHP make lists so, and templates their branches."""
    result = made(content, name)
    assert len([entry for entry in flat(result.entries) if entry.kind == "key"]) == 2
    assert result.warnings == ()


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ("a=1\n[x]\nb=1\n[[y]]\nc=z\n\n[v]\nd=1\n", "1-1 a\n2-5 x\n  3-3 b\n  4-5 y\n    5-5 c\n7-8 v\n  8-8 d\n"),
        ("[x]\n[[y]]\n[[[z]]]\na=b\n[[w]]\n", "1-5 x\n  2-4 y\n    3-4 z\n      4-4 a\n  5-5 w\n"),
        ("[[x]\na=b\n[y]]\nc]d=e\n[a]b]\n", "1-2 [x\n  2-2 a\n3-4 y\n  4-4 c]d\n5-5 a]b\n"),
        ('[[x]]\na="b"\n[[x]]\na="c"\n', "1-2 x.0\n  2-2 a\n3-4 x.1\n  4-4 a\n"),
    ],
)
def test_sections_in_more_brackets_lie_inside(content: str, entries: str) -> None:
    """Each to its last value; a file with such headers that is valid TOML is read as that."""
    result = made(content, b"a.conf")
    assert re.sub(r"(?:section|key|table) ", "", shown(result.entries)) == entries
    assert result.warnings == ()


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("//registry.npmjs.org/:_authToken=${TOKEN}", "//registry.npmjs.org/:_authToken"),
        ("@scope:registry=https://x.org/", "@scope:registry"),
        ("a: b=c", "a"),
        ("a:b", "a"),
        ("a :b", "a"),
        ("a = b:c", "a"),
        ("a:= b", "a"),
    ],
)
def test_a_colon_within_a_word_before_an_equals_sign_is_of_the_key(line: str, key: str) -> None:
    """Else the first of both marks ends it."""
    assert [entry.title for entry in made(f"[s]\n{line}\n").entries[0].children] == [key]


@pytest.mark.parametrize(("name", "title"), [(b"a.ini", "b {{ c }}"), (b"a.properties", "b")])
def test_lines_of_a_template_are_no_keys(name: bytes, title: str) -> None:
    """Tags that stand alone, also over lines; those within a line are part of it."""
    content = "{% if a == b %}\nx=1\n{{ a(b=1) }}\n{% endif %}\n{# a=1\na=2 #}\nb {{ c }} = 1\n{{ d }}={{ e }}\n"
    assert [entry.title for entry in made(content, name).entries] == ["x", title, "{{ d }}"]


@pytest.mark.parametrize("name", [b"a.ini", b"a.env", b"a.properties"])
def test_crlf_and_a_bom_change_nothing(name: bytes) -> None:
    """Entries are those of the same file with LF."""
    lines = ["A=1", "B='x", "y'", "c = \\", " d", ""]
    assert made("\ufeff" + "\r\n".join(lines), name).entries == made("\n".join(lines), name).entries


@pytest.mark.parametrize("name", [b"a.ini", b"a.env", b"a.properties"])
@pytest.mark.parametrize(
    "opening", ["[", "[a]\n", "a=\n", "A='\n", 'A="\\\n', "a\\\n", "]", " ", "\t#\n", "a\n #\n", "a:", "[[a]]\n"]
)
def test_hostile_marks_end(opening: str, name: bytes) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000, name)
