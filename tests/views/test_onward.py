"""What is offered next can be had, at the price that it says (CONTRACT sections 2 and 3)."""

import json

import pytest

from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from budgeted_reads.tokens import counter
from budgeted_reads.views.ask import Ask, Lines
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.read import read
from budgeted_reads.views.sheet import Sheet
from budgeted_reads.views.view import View

FACES = [Face(counter("o200k_base"), "unknown", None), Face(counter("o200k_base"), "unknown", Heading(b"a", None))]
BUNDLE = "!function(){" + "".join(f"function f{at}(a,b){{return a+b*{at}}}" for at in range(2000)) + "}();"
USERS = [{"id": at, "name": f"user {at}", "at": {"city": "X", "zip": at}} for at in range(200)]


def made(content: str, name: bytes, ask: Ask, face: Face) -> View:
    text = decode(content.encode())
    return read(Sheet(text, outline(text, name)), ask, face)


@pytest.mark.parametrize("face", FACES, ids=["json", "text"])
@pytest.mark.parametrize("focus", [None, "f1500"])
def test_a_line_over_the_budget_is_offered_in_windows(face: Face, focus: str | None) -> None:
    """The window that is offered first fits, shows text, and with a focus shows that."""
    for content, name in ((BUNDLE, b"a.min.js"), ("# A\n\nshort\n\n" + BUNDLE + "\n\n## B\n", b"a.md")):
        offer = made(content, name, Ask(budget=300, focus=focus), face).next[0]
        assert offer.columns is not None
        assert offer.tokens <= 300
        assert offer.lines is not None
        first, last = map(int, offer.columns.split("-"))
        ask = Ask(view="lines", budget=offer.tokens, lines=Lines(*offer.lines), columns=(first, last))
        window = made(content, name, ask, face)
        assert (window.view, window.columns) == ("lines", (first, last))
        assert content.split("\n")[offer.lines[0] - 1][first - 1 : last] in window.content
        assert focus is None or f"function {focus}(" in window.content


def test_a_list_is_told_by_its_first_elements_and_the_names_of_the_others() -> None:
    """Of a list of equal objects the first two are whole before others begin, and those begin with what names them."""
    content = json.dumps({"users": USERS, "total": 200}, indent=2)
    shown = made(content, b"a.json", Ask(budget=300), FACES[1]).content
    assert '"name": "user 1"' in shown
    assert '"zip": 1' in shown
    assert '"name": "user 5"' in shown
    assert '"id": 5' not in shown
    assert '"total": 200' in shown


def test_a_list_in_one_line_is_not_named_to_its_end() -> None:
    """The keys of the first elements stand for all: the budget is not filled with indices, and the rest is counted."""
    view = made(json.dumps(USERS), b"a.json", Ask(budget=2000), FACES[1])
    assert view.tokens < 100
    assert view.omitted is not None
    assert view.omitted.entries > 900
    assert {"id", "name", "city", "zip"} <= set(view.content.split())
