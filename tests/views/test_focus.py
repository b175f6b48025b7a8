"""A focus changes what comes first, and is honest about where it cannot (CONTRACT section 2)."""

import pytest

from budgeted_reads import limits
from budgeted_reads.errors import TooLarge
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from budgeted_reads.tokens import counter
from budgeted_reads.views.ask import Ask
from budgeted_reads.views.face import Face
from budgeted_reads.views.focus import terms
from budgeted_reads.views.read import read
from budgeted_reads.views.sheet import Sheet

FACE = Face(counter("o200k_base"), "unknown", None)
PAGE = (
    "# Page\n\n"
    + "".join(f"## Part {number}\n\nWords of part {number}.\n\n" for number in range(30))
    + ("## Harbour\n\nThe pilot boards at the outer buoy. Ring first.\n")
)


def sheet(content: str, name: bytes) -> Sheet:
    text = decode(content.encode())
    return Sheet(text, outline(text, name))


@pytest.mark.parametrize("focus", ["Harbour", "L125", "where does the pilot board", "BUOYS"])
def test_what_is_asked_for_is_shown_first(focus: str) -> None:
    """A title, a line or words in another form open the passage at a budget that shows little else; headings stay."""
    view = read(sheet(PAGE, b"page.md"), Ask(budget=70, focus=focus), FACE)
    assert "The pilot boards at the outer buoy." in view.content
    assert "## Harbour" in view.content
    assert "# Page" in view.content


def test_words_that_are_not_there_change_nothing() -> None:
    """Without a match the order is the usual one."""
    page = sheet(PAGE, b"page.md")
    assert read(page, Ask(budget=100, focus="zebra"), FACE).content == read(page, Ask(budget=100), FACE).content


def test_words_are_told_by_their_parts() -> None:
    """Identifiers fall into their words, plural and past forms into one, CJK text into signs and pairs."""
    assert terms("readTides parse_HTMLPage") == ["read", "tide", "parse", "html", "page"]
    assert terms("dependencies opened") == ["dependency", "open"]
    assert terms("\u6f6e\u6c50") == ["\u6f6e", "\u6c50", "\u6f6e\u6c50"]


def test_a_text_too_large_to_look_through_says_so() -> None:
    """Words are not looked for in a text over the limit; a line still is."""
    large = sheet("line of a log\n" * (limits.FOCUS_LETTERS // 14 + 2), b"a.log")
    with pytest.raises(TooLarge):
        read(large, Ask(budget=50, focus="log"), FACE)
    assert "7 line of a log" in read(large, Ask(budget=50, focus="L7"), FACE).content


def test_a_name_as_it_is_written_comes_first() -> None:
    """A part that holds the very name of a focus comes before others that hold more of its words."""
    noise = "".join(f"maxmemory policy maxmemory policy {number}\n\n" for number in range(40))
    page = sheet(f"{noise}The default, among many words:\n\nmaxmemory-policy noeviction # it\n\n{noise}", b"a")
    assert "maxmemory-policy noeviction" in read(page, Ask(budget=120, focus="maxmemory-policy"), FACE).content


CODE = "class Pier:\n" + "".join(
    f'    def moor{n}(\n        self,\n        rope,\n    ):\n        """Moor {n}."""\n        knot = rope\n'
    for n in range(4)
)


@pytest.mark.parametrize("focus", ["L1", "L12", "Pier", "Pier.moor2", "moor 3"])
@pytest.mark.parametrize("view", ["outline", "folded"])
def test_a_focus_under_a_ceiling_hides_no_name(view: str, focus: str) -> None:
    """With enough budget a view with a focus shows what it shows without; with less no row is a bare number."""
    code = sheet(CODE, b"pier.py")
    assert read(code, Ask(view, 2000, focus=focus), FACE).content == read(code, Ask(view, 2000), FACE).content
    for budget in range(20, 200, 7):
        rows = read(code, Ask(view, budget, focus=focus), FACE).content.splitlines()
        assert all(" " in row for row in rows), (budget, rows)
