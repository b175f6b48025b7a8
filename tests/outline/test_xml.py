"""XML elements with their lines, against the standard library's tree of the same text."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads import limits
from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown

TREES = st.recursive(st.text("aé\n<&>'\"", max_size=4), lambda inner: st.lists(inner, max_size=4), max_leaves=20)


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.xml")
    check(text, result)
    return result


def element(name: str, inside: object) -> ET.Element:
    """INSIDE as an element: a list as elements in it, a text as its text."""
    one = ET.Element(name, {"note": str(inside)[:5]})
    if isinstance(inside, list):
        one.extend([element(f"e{index}", part) for index, part in enumerate(inside)])
        one.tail = "\n"
    else:
        one.text = str(inside)
    return one


@given(TREES)
def test_every_element_of_a_tree_is_an_entry(inside: object) -> None:
    """Nothing is lost or invented, whatever stands in texts and attributes; line ends in attributes move nothing."""
    root = element("top", inside)
    result = made(ET.tostring(root, encoding="unicode"))
    assert [one.title for one in flat(result.entries)] == [one.tag for one in root.iter()]
    assert result.warnings == ()


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ("<p>\n<d>\n<groupId>g</groupId>\n<artifactId>a</artifactId>\n</d>\n</p>", "2-5@4 element d#a\n"),
        ("<p>\n<d>\n<name>n</name>\n<id>i</id>\n</d>\n</p>", "2-5@4 element d#i\n"),
        ("<p>\n<d scope='x'>\n<id>i</id>\n</d>\n</p>", "2-4 element d\n"),
        ("<p>\n<d>\n<a/>\n<a/>\n<a/>\n<id>i</id>\n</d>\n</p>", "2-7 element d\n"),
        ("<p>\n<d>\n<id><b/></id>\n</d>\n</p>", "2-4 element d\n"),
        ("<p>\n<d><id>i</id></d>\n</p>", "2-2 element d\n"),
    ],
)
def test_an_element_may_be_told_apart_by_one_inside_of_it(content: str, entries: str) -> None:
    """By a short text near its tag, on whose line it then stands; never where attributes say more, nor at the root."""
    (root,) = made(content).entries
    assert root.title == "p"
    assert shown([root.children[0]._replace(children=())]) == entries


def test_a_property_list_is_its_keys() -> None:
    """Each key with its value is one entry; what stands in arrays are elements."""
    content = (
        "<plist>\n<dict>\n<key>A</key>\n<array>\n<string>x</string>\n</array>\n<key>B</key><true/>\n</dict>\n</plist>\n"
    )
    assert shown(made(content).entries) == (
        "1-9 element plist\n  2-8 element dict\n    3-6 key A\n      5-5 element string\n    7-7 key B\n"
    )


def test_elements_have_their_lines_and_columns() -> None:
    """A tag over lines is the head; elements of one line are windows of it; those in a text are no entries."""
    content = "<a>\n  <b\n    id='x'\n  >\n    <p>so <i>it</i> is</p>\n  </b>\n  <c é='é'/><d>1</d>\n</a>\n"
    result = made(content)
    assert shown(result.entries) == (
        "1-8 element a\n  2-6 element b#x\n    5-5 element p\n  7-7:3-12 element c\n  7-7:13-20 element d\n"
    )
    assert result.entries[0].children[0].signature_lines == (2, 4)


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ("Text:\n<l>\n<i>x</i>\n<i>y</i>\n</l>\n", "2-5 element l\n  3-3 element i\n  4-4 element i\n"),
        ("Text: <l>\n<i>x</i>\n</l> and more", "1-3 element l\n  2-2 element i\n"),
        ("\n-\n<l>\n  <i><j/></i>\n</l>\n", "3-5 element l\n  4-4 element i\n    4-4:6-9 element j\n"),
        ("\n-\n<l/>\n<i/>\n", "3-3 element l\n4-4 element i\n"),
        ("Text\n<l>\nx\n</l>\n", "2-4 element l\n"),
        ("Text\n<l><![CDATA[x\ny]]></l>\n", "2-3 element l\n"),
        ("so <b>it</b> is", ""),
        ("so\n<b>it</b> is", ""),
        ("so\n<b>it</b>\nis", ""),
        ("so it\n<b>is</b>\n", ""),
        ("so\n<b>it\nis</b>\n", ""),
        ("so\n<b>\nit</b>\nis", ""),
        ("so <b\nx='y'><i>it</i></b> is", ""),
    ],
)
def test_an_element_behind_a_text_is_an_entry_where_it_stands_apart(content: str, entries: str) -> None:
    """On lines of its own, or around elements that begin theirs; markup of words is none, also where it wraps."""
    (root,) = made(f"<p>{content}</p>").entries
    assert shown(root.children) == (entries or "\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1", "no-such"])
def test_the_declared_encoding_does_not_matter(encoding: str) -> None:
    """The text is decoded already, whatever its declaration says."""
    assert shown(made(f'\ufeff<?xml version="1.0" encoding="{encoding}"?>\n<é>\n</é>\n').entries) == "2-3 element é\n"


def test_a_bomb_of_entities_is_refused() -> None:
    """Entities that hold entities, or are very long, are not read at all; others are read and left as they stand."""
    bomb = '<!DOCTYPE a [<!ENTITY x "ha">' + "".join(f'<!ENTITY x{n} "&x;&x;">' for n in range(30)) + "]>\n<a>&x9;</a>"
    long = f'<!DOCTYPE a [<!ENTITY x "{"h" * 70_000}">]>\n<a>{"&x;" * 1000}</a>'
    hidden = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&#38;x;&#38;x;">]>\n<a>&y;</a>'
    for content in (bomb, long, hidden):
        result = made(content)
        assert (result.style, [warned.code for warned in result.warnings]) == ("plain", ["no_outline"])
    assert shown(made('<!DOCTYPE a [<!ENTITY x "<b/>">]>\n<a>&x;<c/></a>\n').entries) == "2-2 element a\n"


def test_nothing_is_fetched() -> None:
    """A reference to a file or a host stays a reference."""
    content = (
        '<!DOCTYPE a SYSTEM "http://nowhere.invalid/a.dtd" [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<a>&x;</a>\n'
    )
    assert shown(made(content).entries) == "2-2 element a\n"


@pytest.mark.parametrize(
    ("content", "entries", "line"),
    [
        ("<a>\n<b>\n", "1-2 element a\n  2-2 element b\n", 2),
        ("<a>\n<b>\n</a>\n<c/>\n", "1-4 element a\n  2-4 element b\n", 3),
        ("<a>\n<b/>\n<c d=1/>\n</a>\n", "1-4 element a\n  2-2 element b\n", 3),
        ("<a/>\n<b/>\n", "1-1 element a\n", 2),
    ],
)
def test_broken_files_give_what_can_be_read(content: str, entries: str, line: int) -> None:
    """What is open where reading ends goes to the end of the text; the warning says from which line on."""
    result = made(content)
    assert shown(result.entries) == entries
    assert [warned.code for warned in result.warnings] == ["syntax_errors"]
    assert f"line {line} " in result.warnings[0].detail


def test_depth_is_bounded() -> None:
    """A hundred thousand elements inside each other give two hundred levels."""
    result = made("<a>" * 100_000 + "</a>" * 100_000)
    assert max(entry.level for entry in flat(result.entries)) == limits.MAX_DEPTH


@pytest.mark.parametrize(
    "opening",
    ["<", "<a ", "<a b='", "<!--", "<![CDATA[", "<a/>", "&", "<?x ", "<!DOCTYPE a [", "]]>", "x\n<b>", "x<b/>"],
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline, also inside an element that is never closed."""
    made(opening * 20_000)
    made("<é>\n" + opening * 20_000)
