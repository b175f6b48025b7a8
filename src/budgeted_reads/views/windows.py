"""Parts of a text that are not ranges of whole lines within one answer: windows of one line, and pages."""

from collections.abc import Callable, Sequence
from functools import cached_property

from budgeted_reads.errors import RangeOutOfBounds, ReadError
from budgeted_reads.large import LargeText
from budgeted_reads.outline import Range, Warned
from budgeted_reads.views import accounts
from budgeted_reads.views.ask import Ask, Lines
from budgeted_reads.views.face import Face, Printed
from budgeted_reads.views.fit import Stop
from budgeted_reads.views.reading import Draft, Reading
from budgeted_reads.views.rows import Reveal
from budgeted_reads.views.sheet import Sheet
from budgeted_reads.views.view import More, Step, View


def window_of(sheet: Sheet, ask: Ask) -> Range | None:
    """The columns that ASK means: those it names, or those of a section whose entry shares its line with others.

    A view that is named and coarser than a section is one of the whole line: a window shows all that it is asked for.
    """
    if ask.columns is not None or ask.section is None or ask.view not in ("auto", "section") or ask.depth:
        return ask.columns
    try:
        return sheet.index.find(ask.section).entry.columns
    except ReadError:
        return None


class Window(Reading):
    """A read of some columns of one line: all of them, or a card that offers the columns that would fit."""

    def __init__(self, sheet: Sheet, ask: Ask, face: Face, columns: Range) -> None:
        super().__init__(sheet, ask, face)
        if isinstance(self.text, LargeText):
            self.text.slice(self.lines[0], self.lines[0])  # `too_large` where the line cannot be held
        line = self.text.line(self.lines[0])
        first, last = columns
        if ask.columns is None:
            # An empty cell at the end of a line begins where the line ends.
            first = min(first, max(1, len(line)))
        if first > max(1, len(line)):
            raise RangeOutOfBounds(
                f"column {first} is past the end of line {self.lines[0]}, which has {len(line)}",
                f"ask for columns within 1-{len(line)}",
                line_count=self.text.line_count,
            )
        if ask.columns is not None and last > len(line):
            self.warnings.append(Warned("clamped_range", f"line {self.lines[0]} has {len(line)} columns"))
        self.columns = first, max(first, min(last, len(line)))

    def cut(self, columns: Range) -> str:
        """What stands in COLUMNS, as content of this face."""
        window = self.text.line(self.lines[0])[columns[0] - 1 : columns[1]]
        return f"{self.lines[0]} {window}\n" if self.numbered else window

    def draft_of(self, columns: Range) -> Draft:
        """The answer with these COLUMNS."""
        return Draft(self.fine, self.cut(columns), words=(f"columns={columns[0]}-{columns[1]}",))

    def priced(self, columns: Range) -> Printed:
        """What the answer with these COLUMNS costs."""
        draft = self.draft_of(columns)
        return self.print(draft, draft.content)

    @cached_property
    def line_cost(self) -> int:
        """The least budget that returns the whole line."""
        return self.cost_of_lines(self.lines)

    @property
    def full(self) -> int:
        """What the whole line costs: the window may be a small part of it."""
        return self.line_cost

    @cached_property
    def asked(self) -> Printed:
        """The header and cost of the window."""
        return self.priced(self.columns)

    def stops(self, limit: int) -> list[Stop]:
        """None: a part of a line has no rows of its own."""
        return []

    def answer(self) -> View:
        """The window, or a card."""
        if self.asked.bound > self.ask.budget:
            if self.ask.on_overflow == "error":
                raise self.too_small(self.asked.bound if self.instead is None else self.instead.min_budget)
            return self.card()._replace(columns=self.columns)
        draft = self.draft_of(self.columns)
        made = self.view(draft, self.asked, None)._replace(columns=self.columns)
        if self.columns[1] >= len(self.text.line(self.lines[0])):
            return made
        return self.with_next(made, draft, self.following(self.columns[1] + 1))

    def next_reads(self, view: str, shown: Sequence[int]) -> list[More]:
        """Below a card: the first columns that fit."""
        return self.following(self.columns[0])

    def facts(self, reveals: Sequence[Reveal] | None) -> accounts.Facts:
        """The entries that lie in the window; no line, unless the window holds all of it."""
        number = self.lines[0]
        first, last = (1, 0) if reveals is not None else self.columns
        whole = (first, last) == (1, len(self.text.line(number)))
        facts = []
        for one in self.named:
            columns = one.entry.columns
            if one.entry.own == number and (whole or (columns and first <= columns[0] and columns[1] <= last)):
                facts.append(accounts.Fact(number, one.name))
        return accounts.Facts(tuple(facts), tuple(facts), tuple(facts), ((number, number),) if whole else ())

    def following(self, first: int) -> list[More]:
        """The widest window from column FIRST on that the budget holds."""
        number = self.lines[0]
        rest = len(self.text.line(number)) - first + 1
        ask = self.plain("lines")._replace(lines=Lines(number, number))
        fresh = Window(self.sheet, ask, self.other, (first, first))
        fresh.line_cost = self.line_cost

        def fits(count: int) -> bool:
            return fresh.priced((first, first + count - 1)).bound <= self.ask.budget

        # Doubling first: a line may be far longer than what fits, and counting it takes as long as it is.
        high = 1
        while high < rest and fits(high):
            high = min(2 * high, rest)
        low = widest(fits, high // 2, high)
        if not low:
            return []
        columns = first, first + low - 1
        return [
            More("lines", fresh.priced(columns).bound, lines=(number, number), columns=f"{columns[0]}-{columns[1]}")
        ]


def widest(fits: Callable[[int], bool], low: int, high: int) -> int:
    """The largest count in LOW..HIGH that FITS, where LOW is known to, or is 0."""
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


class Page(Reading):
    """A read whose answer is the first whole lines that fit, and whose `next` goes on where they end."""

    def answer(self) -> View:
        """Everything, or a page of at least one line; `budget_too_small` where not even that fits."""
        if self.full <= self.ask.budget and self.all.can_be_held:
            return self.view(Draft(self.fine, self.all.content), self.whole, None)
        # A page that says how to go on is better than one with a line more; one without is better than none, but has
        # one line only: with more, a larger budget that has room to say it would show less.
        low = self.most(self.way_on) or min(1, self.most(0))
        if not low:
            # The whole says nothing of a next page, so it may cost less than the first line alone.
            least = self.most_of_all
            raise self.too_small(min(self.priced(1).bound, least) if self.line_count else least)
        return self.page(low)

    def most(self, kept: int) -> int:
        """How many lines fit where KEPT tokens are kept free."""
        budget = self.ask.budget - kept
        high = min(1, self.line_count)
        # Doubling first: what fits may be a small part of what there is.
        while high < self.line_count and self.priced(high).bound <= budget:
            high = min(2 * high, self.line_count)
        return widest(lambda count: self.priced(count).bound <= budget, high // 2, high)

    @property
    def way_on(self) -> int:
        """The most that the line costs which says how to go on; nothing in JSON, where it is no part of the content."""
        if not self.face.is_text:
            return 0
        last = self.lines[1]
        return self.face.bound(self.face.counter.units(f"next: lines {last}-{last} {self.full}t\n")) + 1

    def ladder(self) -> tuple[Step, ...]:
        """One step, from a page of one line on: every page has the same view."""
        least = min((self.priced(1), self.whole), key=lambda printed: printed.bound) if self.line_count else self.whole
        page = Step(max(1, least.bound), self.fine, least.tokens)
        if self.instead is None:
            return (page,)
        return (page, self.instead) if page.min_budget < self.instead.min_budget else (self.instead,)

    def draft_of(self, count: int) -> Draft:
        """The page of the first COUNT lines."""
        return Draft(self.fine, self.all.content_of((self.lines[0], self.lines[0] + count - 1)), words=("truncated",))

    def priced(self, count: int) -> Printed:
        """What the page of the first COUNT lines costs."""
        draft = self.draft_of(count)
        return self.print(draft, draft.content)

    def page(self, count: int) -> View:
        """The page of the first COUNT lines, one fold for the rest, and the request for the next page."""
        first, last = self.lines[0], self.lines[0] + count - 1
        draft, printed = self.draft_of(count), self.priced(count)
        rest = last + 1, self.lines[1]
        onward = More("lines", self.cost_of_lines(rest), lines=rest, on_overflow="page")
        made = self.view(draft, printed, None)
        facts = None if made.facts is None else accounts.facts(self.named, None, (first, last))
        made = made._replace(truncated=True, shown=(first, last), facts=facts)
        if not self.face.is_text:
            made = made._replace(folds=(accounts.Fold(rest, onward.tokens, None),))
        offers = self.with_instead([])
        return self.with_next(made, draft, [onward, *offers])
