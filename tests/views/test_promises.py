"""What holds of every answer, for every combination of fields, tokenizer and face (CONTRACT sections 2 and 3)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from budgeted_reads.tokens import NAMES, counter
from budgeted_reads.views.ask import FINE, Ask, Lines
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.sheet import Sheet
from budgeted_reads.views.view import View
from views.checks import Case, cases, check_growth, check_price, of, request_of, sweep


@settings(max_examples=120, deadline=None)
@given(cases())
def test_at_every_budget_an_answer_keeps_its_promises(case: Case) -> None:
    """From 1 token to beyond the whole: cost within the budget and as printed, one floor, a ceiling, only more facts,
    and everything exactly from its cost on."""
    answers = sweep(case)
    check_growth(answers)
    whole = [budget for budget, view in answers if view.view in FINE and not view.truncated]
    may = case.ask.view in FINE or (case.ask.view == "auto" and not case.ask.depth)
    if case.ask.on_overflow != "page" and not any(view.columns for _, view in answers):
        assert whole == [budget for budget, view in answers if may and budget >= view.full]


@settings(max_examples=80, deadline=None)
@given(cases())
def test_a_ladder_lists_every_change_of_view(case: Case) -> None:
    """The steps of a ladder are the budgets at which the view changes, and no others."""
    answers = sweep(case)
    changes = [
        (budget, view.view)
        for at, (budget, view) in enumerate(answers)
        if at == 0 or answers[at - 1][1].view != view.view
    ]
    for last, view in answers[-1:]:
        assert view.ladder is not None
        assert changes == [(step.min_budget, step.view) for step in view.ladder if step.min_budget <= last]


@settings(max_examples=80, deadline=None)
@given(cases(), st.integers(1, 130))
def test_what_is_offered_comes_at_its_price(case: Case, budget: int) -> None:
    """Each `next` and each fold, asked for at its cost on this face, returns that view, and at one token less not."""
    view = case.answer(budget)
    if isinstance(view, BudgetTooSmall):
        return
    for more in view.next:
        check_price(case, request_of(more, case.ask.number_lines), more.tokens)
    for fold in view.folds:
        check_price(case, Ask("lines", lines=Lines(*fold.lines), number_lines=case.ask.number_lines), fold.tokens)


@settings(max_examples=60, deadline=None)
@given(cases(), st.integers(1, 130))
def test_equal_requests_are_equal_answers(case: Case, budget: int) -> None:
    """The same request of the same text, made anew, is the same answer to the last byte."""
    text = decode(case.sheet.text.raw)
    again = Case(Sheet(text, case.sheet.outline), case.face, case.ask)
    assert repr(case.answer(budget)) == repr(again.answer(budget))


@settings(max_examples=60, deadline=None)
@given(cases(), st.integers(8, 130))
def test_folds_are_what_is_not_shown(case: Case, budget: int) -> None:
    """Every line asked for is shown or in a fold; `omitted` counts the entries that no name tells, and where."""
    view = case.answer(budget)
    if isinstance(view, BudgetTooSmall) or case.face.is_text or view.view in FINE:
        return
    first, last = view.lines or (1, case.sheet.text.line_count)
    assert view.facts is not None
    shown = {number for run in view.facts.lines for number in range(run[0], run[1] + 1)}
    folded = {number for fold in view.folds for number in range(fold.lines[0], fold.lines[1] + 1)}
    assert shown | folded == set(range(first, last + 1))
    assert len(view.folds) <= 12


def paged(content: bytes, name: bytes, face: Face, ask: Ask) -> tuple[list[View], int]:
    """Every page of a text, following `next`, and how many lines they show."""
    text = decode(content)
    case = Case(Sheet(text, outline(text, name)), face, ask)
    pages = [of(case, ask.budget)]
    while pages[-1].truncated:
        shown = pages[-1].shown
        assert shown is not None
        # A text face drops `next` where the page leaves no room for it; the page itself says where it ends.
        rest = ask._replace(view="lines", lines=Lines(shown[1] + 1, text.line_count))
        if not face.is_text or pages[-1].next:
            (more,) = pages[-1].next
            assert request_of(more, ask.number_lines) == rest._replace(budget=Ask().budget)
        pages.append(of(case._replace(ask=rest), ask.budget))
    return pages, text.line_count


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=25), st.integers(480, 720), st.sampled_from(NAMES))
def test_pages_are_disjoint_and_complete(rows: list[str], budget: int, tokenizer: str) -> None:
    """The pages from the first on, one after the other, are the file; each costs at most the budget."""
    content = "\n".join(rows).replace("\0", "").encode("utf-8", "replace")
    face = Face(counter(tokenizer), "unknown", None)
    ask = Ask("full", budget, number_lines=False, on_overflow="page")
    pages, _ = paged(content, b"a.txt", face, ask)
    assert "".join(page.content for page in pages) == content.decode()
    assert all(page.bound <= budget for page in pages)


def test_pages_of_a_text_face_count_on() -> None:
    """Labelled pages number every line once, in order, and each but the last says that it is truncated."""
    content = "".join(f"line {number} of this page\n" for number in range(1, 101)).encode()
    face = Face(counter("o200k_base"), "prose", Heading(b"a.txt", "0123456789ab"))
    pages, count = paged(content, b"a.txt", face, Ask("full", 120, on_overflow="page"))
    rows = [row for page in pages for row in page.content.splitlines()]
    assert [int(row.split(" ")[0]) for row in rows] == list(range(1, count + 1))
    assert [" truncated" in page.header for page in pages] == [True] * (len(pages) - 1) + [False]


@pytest.mark.parametrize("tokenizer", ["o200k_base", "claude", "bytes"])
@pytest.mark.parametrize("on_text", [True, False])
def test_windows_of_a_long_line_are_complete(tokenizer: str, on_text: bool) -> None:
    """From the first columns on, following `next`, windows hold a long line once and whole, at their stated cost.

    A text face drops `next` where the window leaves no room for it; the header says which columns are shown.
    """
    line = "".join(f"{number:x} wörd," for number in range(2_000))
    text = decode(line.encode())
    face = Face(counter(tokenizer), "minified", Heading(b"a.txt", None) if on_text else None)
    ask = Ask("lines", 2_000, lines=Lines(1, 1), columns=(1, 50), number_lines=False)
    case = Case(Sheet(text, outline(text, b"a.txt")), face, ask)
    parts = [of(case, 2_000)]
    while (columns := parts[-1].columns) and columns[1] < len(line):
        if parts[-1].next:
            (more,) = parts[-1].next
            ask = request_of(more, False)
            check_price(case, ask, more.tokens)
        else:
            assert on_text
            ask = ask._replace(columns=(columns[1] + 1, columns[1] + 500))
        parts.append(of(case._replace(ask=ask), 2_000))
        assert f"columns={columns[1] + 1}-" in parts[-1].header or not on_text
    assert "".join(part.content for part in parts) == line


def test_a_window_that_does_not_fit_is_a_card_that_offers_one_that_does() -> None:
    """Columns over the budget come back as a card; its `next` is the widest window from their first column on."""
    text = decode(("word " * 4_000).encode())
    for heading in (None, Heading(b"a.txt", "0123456789ab")):
        case = Case(
            Sheet(text, outline(text, b"a.txt")),
            Face(counter("o200k_base"), "prose", heading),
            Ask("lines", lines=Lines(1, 1), columns=(11, 19_999)),
        )
        card = of(case, 60)
        assert card.view == "card"
        (more,) = card.next
        check_price(case, request_of(more, None), more.tokens)
        wider = request_of(more, None)
        assert wider.columns is not None
        assert wider.columns[0] == 11
        answer = case.answer(60, wider._replace(columns=(11, wider.columns[1] + 5)))
        assert isinstance(answer, View)
        assert answer.view == "card"


def test_the_least_budget_of_a_window_is_its_own() -> None:
    """`minimum_tokens` of a window is the cheapest of its cards and itself, not of the rows of its line."""
    text = decode(b"a, b, c, d\n" * 3)
    case = Case(
        Sheet(text, outline(text, b"a.txt")),
        Face(counter("o200k_base"), "prose", None),
        Ask("lines", lines=Lines(2, 2), columns=(1, 8), include=frozenset({"facts", "ladder"})),
    )
    answers = sweep(case)
    assert next(step.min_budget for step in answers[-1][1].ladder or ()) == answers[0][0]


def test_a_card_is_a_card_at_any_budget() -> None:
    """View card is a ceiling like every other: more budget shows no name and no line."""
    text = decode(b"# A\n\ntext\n")
    for heading in (None, Heading(b"a.md", None)):
        face = Face(counter("o200k_base"), "prose", heading)
        case = Case(Sheet(text, outline(text, b"a.md")), face, Ask("card"))
        assert {of(case, budget).view for budget in (20, 50, 1000)} == {"card"}


def test_rows_that_cost_less_than_the_raw_text_are_not_the_whole() -> None:
    """A row drops the CR of its line, so all rows may cost less than the raw text; `full` still is the raw text."""
    text = decode(b"aa,\r\nbb(x):\r\ncc\r\n")
    case = Case(
        Sheet(text, outline(text, b"a.txt")), Face(counter("mistral_v3"), "unknown", None), Ask(number_lines=False)
    )
    for budget in range(1, 40):
        view = case.answer(budget)
        if isinstance(view, View) and view.view == "full":
            assert view.content == text.content
            assert budget >= view.full


@pytest.mark.parametrize("on_text", [True, False])
@pytest.mark.parametrize("view", ["auto", "full", "folded", "outline", "card"])
@pytest.mark.parametrize("content", [b"", b"\n", b"x", b"\xef\xbb\xbf", b"\r"])
def test_the_smallest_files_are_answered(content: bytes, view: str, on_text: bool) -> None:
    """Empty files and files of one character are answered like others, in every view, from a low floor on."""
    text = decode(content)
    face = Face(counter("o200k_base"), "unknown", Heading(b"a.txt", "0123456789ab") if on_text else None)
    ask = Ask(view, include=frozenset({"facts", "ladder"}))
    answers = sweep(Case(Sheet(text, outline(text, b"a.txt")), face, ask))
    assert answers
    check_growth(answers)


@pytest.mark.parametrize(
    "ask",
    [Ask(section="b", depth=1), Ask("section", section="b"), Ask("outline", section="b"), Ask("card", section="b")],
)
def test_an_entry_that_shares_its_line_keeps_the_promises(ask: Ask) -> None:
    """A section that is a window of its line has one floor and one ladder; a view that is coarser stays coarser."""
    text = decode(b"a,b,\n1,2,3\n4,5,6\n")
    for heading in (None, Heading(b"a.csv", "0123456789ab")):
        face = Face(counter("o200k_base"), "data", heading)
        asked = ask._replace(include=frozenset({"facts", "ladder"}))
        check_growth(sweep(Case(Sheet(text, outline(text, b"a.csv")), face, asked)))


def test_an_entry_without_a_name_is_offered_by_its_lines() -> None:
    """No `next` asks for the section "", which is no request, nor for the last, empty cell of a line beyond its end."""
    text = decode(b"a,b,\n1,2,3\n4,5,6\n")
    case = Case(Sheet(text, outline(text, b"a.csv")), Face(counter("o200k_base"), "data", None), Ask("outline"))
    for budget in range(6, 30):
        view = of(case, budget)
        for more in view.next:
            assert more.section != ""
            check_price(case, request_of(more, None), more.tokens)


@pytest.mark.parametrize("sentence", ["word " * 3_000, "One. " + "word " * 3_000 + ". Two."])
def test_a_focus_on_a_line_that_never_fits_hides_nothing_else(sentence: str) -> None:
    """A focused line of thousands of tokens is told as far as it goes; other names are told as without a focus."""
    text = decode(f"# A\n\n{sentence}\n\n## B\n\nshort end\n".encode())
    case = Case(Sheet(text, outline(text, b"a.md")), Face(counter("o200k_base"), "prose", None), Ask(focus="L3"))
    assert "5-7 ## B" in of(case, 60).content.splitlines()
    check_growth(sweep(case._replace(ask=case.ask._replace(include=frozenset({"facts"})))))


def test_a_page_with_room_to_go_on_shows_no_less() -> None:
    """Where a budget first has room to say how to go on, the page has at least the lines of every smaller budget."""
    text = decode(b"# A\n# A\n# A\n# A\n# A")
    face = Face(counter("o200k_base"), "unknown", Heading(b"a/path.md", "0123456789ab"))
    ask = Ask("full", on_overflow="page", include=frozenset({"facts", "ladder"}))
    answers = sweep(Case(Sheet(text, outline(text, b"a.md")), face, ask))
    check_growth(answers)
    assert {bool(view.tail) for _, view in answers} == {True, False}
