"""Generated texts and requests, and what must hold of their answers whatever the budget (CONTRACT section 2)."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from hypothesis import strategies as st

from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from budgeted_reads.tokens import NAMES, counter
from budgeted_reads.tokens.kinds import kind_of
from budgeted_reads.views.ask import FINE, RANKS, Ask, Lines
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.read import read
from budgeted_reads.views.sheet import Sheet
from budgeted_reads.views.view import More, View

SNIPPETS = (
    *("# A", "## B", "### `c` *d*", "text", "more text. And again. So it goes", "- item one. Two", "```", "====="),
    *(
        "class C:",
        "    def g(self):",
        '        """Doc. More."""',
        "        pass",
        "@dec",
        "async def f(x):",
        "def f(a,",
    ),
    *(
        "      b):",
        "a = 1",
        "    B = 2",
        "import os",
        "",
        "",
        "x: 1",
        "  y: 2",
        "| a | b |",
        "[k]",
        '{"a": 1,',
        "a,b,c",
    ),
    *("\r", "\x0c", "é à ü", "日本語の文。二つ目。", "1 one", "12-3 x", "x" * 50, "long. " * 60, "<|endoftext|>"),
)
"""Lines that mean something to one format or another."""

lines = st.one_of(
    st.sampled_from(SNIPPETS),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\0"), max_size=20),
)
contents = st.builds(
    lambda rows, last, mark: mark + "\n".join(rows) + last,
    st.lists(lines, max_size=14),
    st.sampled_from(["", "\n", "\r\n"]),
    st.sampled_from(["", "", "", "\ufeff"]),
)
file_names = st.sampled_from([b"a.md", b"a.py", b"a.txt", b"a.json", b"a.yaml", b"a.toml", b"a.csv"])


class Case(NamedTuple):
    """One text on one face, and one request of it; its budget does not count."""

    sheet: Sheet
    face: Face
    ask: Ask

    def __repr__(self) -> str:
        asked = {name: value for name, value in self.ask._asdict().items() if value != getattr(Ask(), name)}
        shape = self.sheet.outline.format, self.face.counter.name, self.face.heading
        return f"<{self.sheet.text.content!r} {shape} {asked}>"

    def answer(self, budget: int, ask: Ask | None = None) -> View | BudgetTooSmall:
        """The answer within BUDGET, or the error that there is none."""
        try:
            return read(self.sheet, (ask or self.ask)._replace(budget=budget), self.face)
        except BudgetTooSmall as error:
            return error


@st.composite
def faces(draw: st.DrawFn, sheet: Sheet) -> Face:
    """A face of either sort, any tokenizer."""
    kind = kind_of(sheet.text.content, sheet.outline.format, sheet.outline.style)
    heading = None
    if draw(st.booleans()):
        path = draw(st.sampled_from([b"a/path.md", b"x", "ein weg/über@.md".encode()]))
        commit = draw(st.sampled_from(["0123456789ab", None]))
        heading = Heading(path, commit, draw(st.sampled_from([(), ("dirty",), ("guessed_encoding",)])))
    return Face(counter(draw(st.sampled_from(["o200k_base", "claude", *NAMES]))), kind, heading)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Every combination of fields that is a request, windows aside."""
    text = decode(draw(contents).encode())
    sheet = Sheet(text, outline(text, draw(file_names)))
    line_numbers = st.integers(1, max(1, text.line_count))
    view = draw(st.sampled_from(["auto", "auto", "full", "folded", "outline", "card", "lines", "section"]))
    ask = Ask(view, include=frozenset({"facts", "ladder"}))
    part = draw(st.sampled_from([None, None, "lines", "section"])) if view not in ("lines", "section") else view
    if part == "lines" and text.line_count:
        first = draw(line_numbers)
        ask = ask._replace(lines=Lines(first, first + draw(st.integers(0, 6))))
    elif part == "section" and sheet.outline.entries:
        ask = ask._replace(section=f"L{draw(st.sampled_from(sheet.outline.entries)).own}")
    elif part:
        ask = ask._replace(view="auto")
    if ask.view in ("auto", "folded", "outline"):
        ask = ask._replace(depth=draw(st.sampled_from([None, None, 1, 2])))
    if draw(st.integers(0, 3)) == 0:
        ask = ask._replace(focus=draw(st.sampled_from(["A", "C.g", "L3", "text again", "L99", "nothing of it"])))
    elif ask.view in FINE:
        ask = ask._replace(on_overflow=draw(st.sampled_from(["degrade", "degrade", "error", "page"])))
    ask = ask._replace(number_lines=draw(st.sampled_from([None, None, True, False])))
    return Case(sheet, draw(faces(sheet)), ask)


def sweep(case: Case, most: int = 130) -> list[tuple[int, View]]:
    """The answers at every budget from 1 to a little beyond the whole, or to MOST, each with its budget.

    An error names the least budget that is answered, and no larger budget is an error.
    """
    found: list[tuple[int, View]] = []
    least = None
    top = max(1, of(case, 10**6).full)
    for budget in range(1, min(top + 5, most)):
        answer = case.answer(budget)
        if isinstance(answer, BudgetTooSmall):
            assert not found, "an answer at a smaller budget exists"
            assert least in (None, answer.minimum_tokens), "the least budget does not depend on the one that was given"
            least = answer.minimum_tokens
        else:
            assert found or least in (None, budget), "the least budget is the first that is answered"
            found.append((budget, answer))
            check_cost(case, budget, answer)
    return found


def of(case: Case, budget: int) -> View:
    """The answer within BUDGET, which has to be there."""
    answer = case.answer(budget)
    assert isinstance(answer, View), answer
    return answer


def check_cost(case: Case, budget: int, view: View) -> None:
    """The counts are those of the whole answer, printed as counted and within the budget; the ceiling is held."""
    count, kind = case.face.counter, case.face.kind
    units = count.units(view.text)
    assert (view.tokens, view.bound) == (count.tokens(units, kind), count.bound(units, kind))
    assert view.bound <= budget
    if case.face.is_text:
        assert f" {view.tokens}/{view.full}t " in view.header
        assert view.header.count("\n") == 1
    else:
        assert not view.header
        assert not view.tail
    assert RANKS[view.view] >= RANKS.get(case.ask.view, 0), "a view that is named is a ceiling"


def told(view: View) -> Iterator[set[object]]:
    """The facts of VIEW, each sort as a set."""
    assert view.facts is not None
    yield set(view.facts.named)
    yield set(view.facts.extents)
    yield set(view.facts.signatures)
    yield {number for first, last in view.facts.lines for number in range(first, last + 1)}


def check_growth(views: list[tuple[int, View]]) -> None:
    """What is told at N is told at N+1, and the view never gets coarser."""
    for (_, before), (_, after) in pairwise(views):
        for less, more in zip(told(before), told(after), strict=True):
            assert less <= more
        assert RANKS[after.view] <= RANKS[before.view]


def request_of(more: More, number_lines: bool | None) -> Ask:
    """The request that MORE offers."""
    columns = None if more.columns is None else tuple(map(int, more.columns.split("-")))
    return Ask(
        view=more.view,
        section=more.section,
        lines=None if more.lines is None else Lines(*more.lines),
        columns=None if columns is None else (columns[0], columns[1]),
        number_lines=number_lines,
        on_overflow=more.on_overflow or "degrade",
    )


def check_price(case: Case, ask: Ask, price: int) -> None:
    """ASK returns its view at PRICE, whole, and not at one token less."""
    enough = case.answer(price, ask)
    assert isinstance(enough, View), enough
    assert enough.view == ask.view
    assert not enough.truncated
    if price > 1:
        less = case.answer(price - 1, ask)
        assert isinstance(less, BudgetTooSmall) or less.truncated or less.view != ask.view
