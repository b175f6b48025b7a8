"""Parts of a text that are not ranges of whole lines within one answer: windows of one line, and pages."""

from budgeted_reads.errors import RangeOutOfBounds, ReadError
from budgeted_reads.outline import Range, Warned
from budgeted_reads.views import accounts
from budgeted_reads.views.ask import Ask
from budgeted_reads.views.face import Face, Printed
from budgeted_reads.views.reading import Draft, Reading
from budgeted_reads.views.sheet import Sheet
from budgeted_reads.views.view import More, View


def window_of(sheet: Sheet, ask: Ask) -> Range | None:
    """The columns that ASK means: those it names, or those of a section whose entry shares its line with others."""
    if ask.columns is not None or ask.section is None:
        return ask.columns
    try:
        return sheet.index.find(ask.section).entry.columns
    except ReadError:
        return None


class Window(Reading):
    """A read of some columns of one line: all of them, or a card that offers the columns that would fit."""

    def __init__(self, sheet: Sheet, ask: Ask, face: Face, columns: Range) -> None:
        super().__init__(sheet, ask, face)
        line = self.text.line(self.lines[0])
        first, last = columns
        if first > max(1, len(line)):
            raise RangeOutOfBounds(
                f"column {first} is past the end of line {self.lines[0]}, which has {len(line)}",
                f"ask for columns within 1-{len(line)}",
                line_count=self.text.line_count,
            )
        if last > len(line):
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

    def answer(self) -> View:
        """The window, or a card."""
        printed = self.priced(self.columns)
        if printed.bound > self.ask.budget:
            if self.ask.on_overflow == "error":
                raise self.too_small(printed.bound)
            return self.card()
        draft = self.draft_of(self.columns)
        made = self.view(draft, printed, None)._replace(columns=self.columns, facts=None)
        if self.columns[1] >= len(self.text.line(self.lines[0])):
            return made
        return self.with_next(made, draft, self.following(self.columns[1] + 1))

    def card(self) -> View:
        """A card that offers the first columns that fit."""
        made = super().card()._replace(columns=self.columns, facts=None)
        fitting = self.following(self.columns[0])
        return made._replace(next=tuple(fitting)) if not self.face.is_text else made

    def following(self, first: int) -> list[More]:
        """The widest window from column FIRST on that the budget holds."""
        low, high = 0, len(self.text.line(self.lines[0])) - first + 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.priced((first, first + middle - 1)).bound <= self.ask.budget:
                low = middle
            else:
                high = middle - 1
        if not low:
            return []
        columns = first, first + low - 1
        number = self.lines[0]
        spelled = f"{columns[0]}-{columns[1]}"
        return [More("lines", self.priced(columns).bound, lines=(number, number), columns=spelled)]


class Page(Reading):
    """A read whose answer is the first whole lines that fit, and whose `next` goes on where they end."""

    def answer(self) -> View:
        """Everything, or a page of at least one line; `budget_too_small` where not even that fits."""
        if self.full <= self.ask.budget:
            return self.view(Draft(self.fine, self.whole_content), self.whole, None)
        low, high = 0, self.line_count
        while low < high:
            middle = (low + high + 1) // 2
            if self.priced(middle).bound <= self.ask.budget:
                low = middle
            else:
                high = middle - 1
        if not low:
            # The whole says nothing of a next page, so it may cost less than the first line alone.
            raise self.too_small(min(self.priced(1).bound, self.full))
        return self.page(low)

    def draft_of(self, count: int) -> Draft:
        """The page of the first COUNT lines."""
        return Draft(self.fine, self.content_of((self.lines[0], self.lines[0] + count - 1)), words=("truncated",))

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
        return self.with_next(made, draft, [onward])
