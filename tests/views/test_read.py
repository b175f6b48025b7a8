"""The promises of a view, on real text and on generated text (CONTRACT section 2)."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import Text, decode
from budgeted_reads.tokens import counter
from budgeted_reads.views.ask import Ask, Lines
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.fit import Ruler
from budgeted_reads.views.order import order, within
from budgeted_reads.views.read import read
from budgeted_reads.views.sheet import Sheet
from budgeted_reads.views.view import View

COUNTER = counter("o200k_base")
CL100K = counter("cl100k_base")
SPEC = Path(__file__).parent.parent / "fixtures" / "spec"
REAL = [
    *sorted(SPEC.glob("*.txt")),
    Path(__file__),
    Path(__file__).parent.parent.parent / "src" / "budgeted_reads" / "node.py",
    Path(re.__file__).parent / "_parser.py",
]

words = st.sampled_from(
    ["# A", "## B", "text", "more text. And again. So it goes", "def f(x):", "    return x", "class C:"]
)
line = st.one_of(
    words, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\0"), max_size=30), st.just("")
)
texts = st.lists(line, max_size=30).map("\n".join)
names = st.sampled_from([b"a.md", b"a.py", b"a.txt"])
views = st.sampled_from(["auto", "full", "folded", "outline"])


def face(text: bool, name: str = "o200k_base") -> Face:
    return Face(counter(name), "unknown", Heading(b"a/path.md", "0123456789ab") if text else None)


def source(path: Path) -> tuple[Text, Outline]:
    text = decode(path.read_bytes())
    return text, outline(text, path.name.encode())


def made(content: str, name: bytes) -> tuple[Text, Outline]:
    text = decode(content.encode())
    return text, outline(text, name)


def printed(view: View) -> str:
    return view.text


def given_facts(view: View) -> tuple[set[object], set[object], set[object], set[object]]:
    facts = view.facts
    assert facts is not None
    lines: set[object] = {number for first, last in facts.lines for number in range(first, last + 1)}
    return set(facts.named), set(facts.extents), set(facts.signatures), lines


def answers(text: Text, shape: Outline, ask: Ask, on: Face, budgets: list[int]) -> list[View]:
    found = []
    for budget in budgets:
        try:
            found.append(read(Sheet(text, shape), ask._replace(budget=budget, include=frozenset({"facts"})), on))
        except BudgetTooSmall as error:
            assert error.minimum_tokens > budget
            assert not found, "an answer at a smaller budget exists"
    return found


def check_all(text: Text, shape: Outline, ask: Ask, on: Face, budgets: list[int]) -> None:
    found = answers(text, shape, ask, on, budgets)
    for view in found:
        whole = printed(view)
        assert on.counter.units(whole) == view.tokens, "the printed count is the counted one"
        if on.is_text:
            assert f" {view.tokens}/{view.full}t " in view.header
    for before, after in pairwise(found):
        for less, more in zip(given_facts(before), given_facts(after), strict=True):
            assert less <= more, "facts at N are a subset of facts at N+1"


@pytest.mark.parametrize("text_face", [True, False], ids=["text", "json"])
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_budget_holds_on_real_files(path: Path, text_face: bool) -> None:
    """At no budget does an answer cost more than the budget, by a count of the whole answer."""
    text, shape = source(path)
    on = face(text_face)
    for budget in [*range(8, 120, 7), 200, 399, 400, 999, 1000, 1001, 4000, 100_000]:
        try:
            view = read(Sheet(text, shape), Ask(budget=budget), on)
        except BudgetTooSmall:
            continue
        assert COUNTER.units(printed(view)) == view.tokens <= budget


@settings(max_examples=60, deadline=None)
@given(texts, names, views, st.booleans())
def test_facts_only_grow(content: str, name: bytes, view: str, text_face: bool) -> None:
    """Whatever an answer tells at N tokens, it tells at N+1; what it says it costs, it costs."""
    text, shape = made(content, name)
    check_all(text, shape, Ask(view=view), face(text_face), list(range(1, 90)))


@settings(max_examples=40, deadline=None)
@given(texts, names, st.integers(1, 30), st.integers(0, 30), st.booleans())
def test_facts_of_a_range_only_grow(content: str, name: bytes, first: int, more: int, text_face: bool) -> None:
    """The same holds for a range of lines."""
    text, shape = made(content, name)
    if first <= text.line_count:
        ask = Ask(view="lines", lines=Lines(first, first + more))
        check_all(text, shape, ask, face(text_face), list(range(1, 80)))


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_facts_only_grow_on_real_files(path: Path) -> None:
    """Detail never falls as the budget grows by single tokens, up to the whole file."""
    text, shape = source(path)
    on = face(True)
    full = read(Sheet(text, shape), Ask(budget=10**6), on).full
    check_all(text, shape, Ask(), on, [*range(10, 330, 1), *range(full - 12, full + 3)])


@settings(max_examples=60, deadline=None)
@given(texts, names, st.booleans())
def test_full_exactly_from_its_cost_on(content: str, name: bytes, text_face: bool) -> None:
    """With view auto the whole text comes back from its cost on, and at no smaller budget."""
    text, shape = made(content, name)
    on = face(text_face)
    whole = read(Sheet(text, shape), Ask(budget=10**6), on)
    assert whole.view == "full"
    assert read(Sheet(text, shape), Ask(budget=max(1, whole.full)), on).view == "full"
    if whole.full > 1:
        try:
            assert read(Sheet(text, shape), Ask(budget=whole.full - 1), on).view != "full"
        except BudgetTooSmall as error:
            assert error.minimum_tokens == whole.full


@settings(max_examples=60, deadline=None)
@given(texts, names, st.integers(5, 80))
def test_no_larger_prefix_would_have_fitted(content: str, name: bytes, budget: int) -> None:
    """Of all prefixes of the order, the answer is the longest one that fits."""
    text, shape = made(content, name)
    try:
        view = read(Sheet(text, shape), Ask(budget=budget), face(False))
    except BudgetTooSmall:
        return
    if view.view in ("full", "card"):
        return
    ruler = Ruler(text, within(order(text, shape)), COUNTER.units)
    ruler.extend(10**9)
    fitting = [stop for stop in ruler.stops[1:] if stop.units <= budget]
    assert view.content == ruler.render(fitting[-1])


@settings(max_examples=60, deadline=None)
@given(texts, names)
def test_steps_never_cost_less_than_nothing(content: str, name: bytes) -> None:
    """Costs along the stops of an order never fall, and sums of rows equal the joined count."""
    text, shape = made(content, name)
    for one in (COUNTER, CL100K):
        ruler = Ruler(text, order(text, shape), one.units)
        ruler.extend(10**9)
        assert all(before.units <= after.units for before, after in pairwise(ruler.stops))
        for stop in ruler.stops:
            assert one.units(ruler.render(stop)) == stop.units


@settings(max_examples=60, deadline=None)
@given(texts, names)
def test_an_order_shows_every_line(content: str, name: bytes) -> None:
    """By the end of its order every line of a text is shown, as it is but for a CR at its end."""
    text, shape = made(content, name)
    ruler = Ruler(text, order(text, shape), COUNTER.units)
    ruler.extend(10**9)
    assert ruler.render(ruler.stops[-1]) == Sheet(text, shape).labelled((1, text.line_count))
    rows = ruler.render(ruler.stops[-1]).split("\n")[:-1]
    assert len(rows) == text.line_count
    for number, (row, source_line) in enumerate(zip(rows, text.lines(), strict=True), 1):
        label, _, shown = row.partition(" ")
        assert re.fullmatch(rf"{number}(-\d+)?", label)
        assert shown == source_line.removesuffix("\r")


def test_equal_requests_give_equal_bytes() -> None:
    """The same request twice is the same answer."""
    text, shape = source(REAL[0])
    assert read(Sheet(text, shape), Ask(budget=300), face(True)) == read(
        Sheet(text, shape), Ask(budget=300), face(True)
    )


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ('[[package]]\nname = "tide"\nversion = "3.1"\nsource = "x"\n', b"a.lock"),
        ('{"default": {\n"tide": {\n"hashes": [\n"x",\n"y",\n"z"\n],\n"version": "3.1"\n}\n}}\n', b"Pipfile.lock"),
        ('{"packages": {\n"node_modules/tide": {\n"version": "3.1",\n"dev": true\n}\n}}\n', b"package-lock.json"),
    ],
)
def test_the_version_of_a_package_stands_beside_its_name_and_stays(content: str, name: bytes) -> None:
    """First the name, next the version beside it, and no larger prefix of the order is without either."""
    text, shape = made(content, name)
    ruler = Ruler(text, order(text, shape), COUNTER.units)
    ruler.extend(10**9)
    told = [ruler.render(stop) for stop in ruler.stops[1:]]
    assert [row.partition(" ")[2] for row in told[:2]] == ["tide\n", "tide 3.1\n"]
    assert all("tide" in rows and "3.1" in rows for rows in told[1:])


def test_headings_are_told_before_their_markup() -> None:
    """Where most of a line is an address, all titles come first; the lines themselves come next, and then the text."""
    heading = "## [{0}](https://example.org/tides/compare/{0}...main) (2031)\n\nIt rises.\n\n"
    text, shape = made("".join(heading.format(version) for version in ("1.0", "2.0")), b"CHANGES.md")
    ruler = Ruler(text, order(text, shape), COUNTER.units)
    ruler.extend(10**9)
    told = [ruler.render(stop) for stop in ruler.stops]
    assert told[2] == "1-4 1.0 (2031)\n5-8 2.0 (2031)\n"
    assert all(f"1-4 {text.line(1)}\n" in rows and f"5-8 {text.line(5)}\n" in rows for rows in told if "rises" in rows)


def test_a_record_is_told_by_its_beginning() -> None:
    """A line that is too long to be a name is clipped: the number of a record says nothing; a short one is whole."""
    long = '{"type": "rise", "words": "' + "and falls " * 20 + '"}'
    text, shape = made(f'{long}\n{{"a": 1}}\n', b"tides.jsonl")
    view = read(Sheet(text, shape), Ask(budget=50), face(False))
    assert view.content == f'1 {long[:72].rstrip()} …\n2 {{"a": 1}}\n'
