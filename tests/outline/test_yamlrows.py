"""YAML read by rows has the outline that its events give."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline import Entry
from budgeted_reads.outline import yaml as by_events
from budgeted_reads.outline.yamlrows import entries
from budgeted_reads.text import decode

_PIECES = st.sampled_from(
    (
        *("a: ", "b: ", "c:", "'d': ", '"e": ', "f g: ", "h#i: ", "- ", "-", "  ", "    ", "\n", "\n", "\n", "---\n"),
        *("x", "y z", "'q'", '"r"', "'s''t'", '"u\\"v"', "[1, m]", "{n: 1, o: p}", "[{n: 1}, [2]]", "{}", "[]", "*w"),
        *(" # note", "# note\n", "|\n", ">-\n", "|2\n", "&w ", "!t ", "http://x", "-1", "5:30", "é", "  two  spaces  "),
        *("? ", ": ", "'open", '"open', "[open", "...\n", "%d\n", "\t", "\u2028", "word " * 50),
    )
)
_PAIRS = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.sampled_from(("", "", "- ", "-   ", "- - ")),
        st.sampled_from("abcdefgh"),
        st.sampled_from(
            (
                "",
                "",
                " 1",
                " x y",
                " 'q'",
                " [1, 2]",
                " {k: 1, l: [2, {m: 3}]}",
                " |\n        t\n",
                " # n",
                " x # n",
                " &p",
                " &q # n",
                " !t v",
                " *p",
            )
        ),
    ),
    max_size=9,
).map(lambda rows: "".join(f"{' ' * 2 * depth}{dash}{key}:{value}\n" for depth, dash, key, value in rows))


def _both(content: str) -> tuple[tuple[Entry, ...], tuple[Entry, ...] | None] | None:
    """The entries of CONTENT by events and by rows, where those read it; None where it is no YAML."""
    try:
        count = yaml.CSafeLoader(content).raw_parse()
    except yaml.YAMLError:
        return None
    scan = by_events._Scan(decode(content.encode()))
    expected, made = scan.run(), entries(content, count)
    if made is None:
        return expected, None
    assert made[1] == scan.documents
    assert scan.warnings() == ()
    return expected, made[0]


@given(st.lists(_PIECES, max_size=20).map("".join) | _PAIRS)
def test_rows_say_what_events_say(content: str) -> None:
    """Whatever is read by rows has the same entries, to the last column."""
    both = _both(content)
    assert both is None or both[1] is None or both[0] == both[1]


@pytest.mark.parametrize(
    "content",
    [
        "a: 1\nb:\n  c: x # note\n  d:\n  - e: 'f'\n    g:\n  -\n    - h\n  - {i: 1, j: [2]}\n",
        "k: |\n  l: m\n\n  n\no: p\n  q\n",
        '---\n# note\na: [x, y]\n---\n---\n- b: 1\n- - c: 2\n- "d\n  e"\n- !t f\n',
        "a: &b\n  c: !d e\nf: &g # note\n- h\ni: *b\n<<: *b\n",
        "a: 1",
        "",
        "# note\n",
    ],
)
def test_common_files_are_read_by_rows(content: str) -> None:
    """Keys, lists, flows on one row, texts in blocks, quotes over rows, documents: no events are made for them."""
    both = _both(content)
    assert both is not None
    assert both[0] == both[1]


@pytest.mark.parametrize(
    "content", ["a: 1\na: 2\n", "a: 1\r\n", "? a\n: b\n", "a: &x\n", "- &x\n  a: 1\n", "a: [\n  b]\n", "a:\t1\n"]
)
def test_others_are_left_to_the_events(content: str) -> None:
    """A repeated key, tabs and CR, complex keys and flows over rows are not read by rows."""
    both = _both(content)
    assert both is not None
    assert both[1] is None
