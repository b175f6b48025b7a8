"""One text, one request, one face: the best view that fits, with the account of what it leaves out."""

from functools import cached_property
from typing import NamedTuple

from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.limits import EXACT_BYTES
from budgeted_reads.outline import Outline, Range, Warned
from budgeted_reads.text import Text
from budgeted_reads.views import accounts, sections
from budgeted_reads.views.accounts import Facts, Fold
from budgeted_reads.views.ask import FINE, RANKS, Ask, resolve
from budgeted_reads.views.face import Face, Printed, header_line
from budgeted_reads.views.fit import Omitted, Ruler, Stop, labelled
from budgeted_reads.views.focus import focused
from budgeted_reads.views.order import Order, order, prune, within
from budgeted_reads.views.rows import FOLDED, OUTLINE

CEILINGS = {"outline": OUTLINE, "folded": FOLDED}


class Step(NamedTuple):
    """One step of a ladder: from MIN_BUDGET on the view is VIEW, which then costs TOKENS."""

    min_budget: int
    view: str
    tokens: int


class More(NamedTuple):
    """A request that would show more, and the least budget that returns it on this face."""

    view: str
    tokens: int
    section: str | None = None
    lines: Range | None = None


class View(NamedTuple):
    """The answer for one text. `content` is what the JSON body carries, `header` the line above it on text faces.

    `lines` is the range asked for (None for the whole file), `full` the least budget that shows all of it.
    """

    view: str
    requested: str
    degraded: bool
    truncated: bool
    content: str
    header: str
    tokens: int
    bound: int
    full: int
    full_exact: bool
    lines: Range | None
    columns: Range | None
    omitted: Omitted | None
    folds: tuple[Fold, ...]
    next: tuple[More, ...]
    facts: Facts | None
    ladder: tuple[Step, ...] | None
    warnings: tuple[Warned, ...]


def read(text: Text, outline: Outline, ask: Ask, face: Face) -> View:
    """The best view of TEXT that ASK allows and that costs at most its budget on FACE.

    Raises `budget_too_small` with the least budget that would be answered, and the errors of ranges and sections.
    """
    return Reading(text, outline, ask, face).answer()


class Reading:
    """One read under way: everything is found once, and only where it is needed."""

    def __init__(self, text: Text, outline: Outline, ask: Ask, face: Face) -> None:
        self.text = text
        self.ask = ask
        self.face = face
        self.outline = outline._replace(entries=prune(outline.entries, ask.depth))
        self.named = list(sections.named(self.outline.entries))
        self.warnings: list[Warned] = []
        self.range = self._range(outline)
        self.lines = self.range or (1, text.line_count)
        # Labels are the default of text faces; an answer that must degrade has them anyway.
        self.numbered = face.is_text if ask.number_lines is None else ask.number_lines

    def _range(self, outline: Outline) -> Range | None:
        if self.ask.section is not None:
            entry = sections.find(outline.entries, self.ask.section).entry
            return entry.start, entry.end
        if self.ask.lines is None:
            return None
        lines, clamped = resolve(self.ask.lines, self.text.line_count)
        if clamped:
            self.warnings.append(
                Warned("clamped_range", f"lines {lines[0]}-{lines[1]}: the file has {self.text.line_count} lines")
            )
        return lines

    @cached_property
    def order(self) -> Order:
        """The reveals of what was asked for, under the ceiling of the view asked for."""
        whole = order(self.text, self.outline)
        if self.ask.focus is not None:
            whole = focused(self.text, whole, self.named, self.ask.focus)
        ceiling = OUTLINE if self.ask.depth is not None and self.ask.view == "auto" else CEILINGS.get(self.ask.view)
        return within(whole, lines=self.range, tier=ceiling)

    @cached_property
    def ruler(self) -> Ruler:
        """The costs of the prefixes of the order."""
        return Ruler(self.text, self.order, self.face.counter.units)

    @property
    def may_show_all(self) -> bool:
        """Whether the request allows every line of its range."""
        return self.ask.view in ("auto", *FINE) and not (self.ask.view == "auto" and self.ask.depth is not None)

    @property
    def fine(self) -> str:
        """The name of the view that shows every line of what was asked for."""
        if self.ask.section is not None:
            return "section"
        return "lines" if self.range else "full"

    # What the whole costs

    @cached_property
    def whole_content(self) -> str:
        """Every line of the range: raw, or labelled."""
        if self.numbered:
            return labelled(self.text, self.lines, self.outline.entries)
        return self.text.slice(*self.lines) if self.lines[1] else ""

    @cached_property
    def exact(self) -> bool:
        """Whether the cost of the whole is counted, not estimated from samples."""
        return len(self.text.raw) <= EXACT_BYTES or self.lines[1] - self.lines[0] < self.text.line_count // 2

    @cached_property
    def whole(self) -> Printed:
        """The header and cost of the answer that shows everything asked for."""
        return self.face.whole(
            self.face.counter.units(self.whole_content) if self.numbered else self.whole_content,
            lambda tokens, full: self.header(self.fine, tokens, full, None),
        )

    @cached_property
    def full(self) -> int:
        """The least budget that shows everything asked for."""
        return self.whole.bound

    def header(self, view: str, tokens: int, full: int, omitted: Omitted | None, *, path: bool = True) -> str:
        """The header line of an answer of this read."""
        heading = self.face.heading
        if heading is None:
            return ""
        words = []
        if omitted is not None:
            first, last = omitted.lines
            words.append(
                f"+{omitted.entries} more {first}-{last}" if first != last else f"+{omitted.entries} more {first}"
            )
        if self.ask.view not in (view, "auto") and path:
            words.append(f"asked={self.ask.view}")
        if not self.face.counter.exact and path:
            words.append(f"~{self.face.counter.name}")
        if path:
            words.extend(warned.code for warned in self.warnings)
        lines = max(0, self.lines[1] - self.lines[0] + 1)
        return header_line(heading, view, (tokens, full, lines), lines=self.range, words=tuple(words), path=path)

    # The answer

    def answer(self) -> View:
        """The largest prefix that fits; the whole, where that is allowed and fits; else a card."""
        budget = self.ask.budget
        if self.may_show_all and self.full <= budget:
            return self.view(self.fine, self.whole_content, self.whole, None, None)
        if self.ask.on_overflow == "error":
            raise self.too_small(self.full)
        stop = self.ruler.fitting(lambda stop: self.price(stop).bound <= budget, budget)
        if stop is not None:
            return self.at(stop)
        return self.card()

    def label(self, stop: Stop) -> str:
        """The name of the view that STOP gives."""
        if self.may_show_all and self.ruler.complete and stop == self.ruler.stops[-1]:
            return self.fine
        if self.ask.view in CEILINGS or stop.tier == OUTLINE:
            return "outline" if stop.tier == OUTLINE else "folded"
        return "folded"

    def price(self, stop: Stop) -> Printed:
        """The header of the answer that ends at STOP, and what it costs."""
        view, omitted, full = self.label(stop), self.ruler.omitted(stop), self.full
        return self.face.print(stop.units, lambda tokens: self.header(view, tokens, full, omitted))

    def at(self, stop: Stop) -> View:
        """The answer that ends at STOP."""
        return self.view(
            self.label(stop), self.ruler.render(stop), self.price(stop), self.ruler.omitted(stop), stop.reveals
        )

    def cards(self) -> list[tuple[str, Printed]]:
        """The cards, richest first: content and header. Below the one with its path comes the bare one."""
        lines = max(0, self.lines[1] - self.lines[0] + 1)
        if not self.face.is_text:
            content = f"{lines}L {self.full}t"
            return [(content, self.face.print(content, lambda _: ""))]
        nothing = self.ruler.omitted(self.ruler.stops[0])
        return [
            ("", self.face.print(0, lambda tokens: self.header("card", tokens, self.full, nothing))),
            ("", self.face.print(0, lambda tokens: self.header("card", tokens, self.full, None))),
            ("", self.face.print(0, lambda tokens: self.header("card", tokens, self.full, None, path=False))),
        ]

    def card(self) -> View:
        """The richest card that fits, or `budget_too_small`."""
        cards = self.cards()
        for content, printed in cards:
            if printed.bound <= self.ask.budget:
                return self.view("card", content, printed, self.ruler.omitted(self.ruler.stops[0]), 0)
        prices = [printed.bound for _, printed in cards]
        self.ruler.extend(min(prices))
        prices += [self.price(stop).bound for stop in self.ruler.stops[1:] if stop.units < min(prices)]
        if self.may_show_all:
            prices.append(self.full)
        raise self.too_small(min(prices))

    def too_small(self, minimum: int) -> BudgetTooSmall:
        return BudgetTooSmall(
            f"{self.ask.budget} tokens are too few: {'the whole' if minimum == self.full else 'the smallest view'}"
            f" costs {minimum}",
            f"ask with budget_tokens {minimum} or more",
            minimum_tokens=minimum,
        )

    def view(self, view: str, content: str, printed: Printed, omitted: Omitted | None, reveals: int | None) -> View:
        """The answer as a value; REVEALS is how much of the order it shows, None for everything."""
        shown = None if reveals is None else self.order.reveals[:reveals]
        requested = self.ask.view
        ceiling = 0 if requested == "auto" else RANKS[requested]
        folds: tuple[Fold, ...] = ()
        if shown is not None and not self.face.is_text and self.lines[1]:
            folds = tuple(accounts.folds(accounts.shown_lines(shown), self.lines, self.named, self.cost_of_lines))
        return View(
            view=view,
            requested=requested,
            degraded=RANKS[view] > ceiling,
            truncated=False,
            content=content,
            header=printed.header,
            tokens=printed.tokens,
            bound=printed.bound,
            full=self.full,
            full_exact=True,
            lines=self.range,
            columns=None,
            omitted=omitted,
            folds=folds,
            next=(),
            facts=accounts.facts(self.named, shown, self.lines) if "facts" in self.ask.include else None,
            ladder=None,
            warnings=tuple(self.warnings),
        )

    def cost_of_lines(self, lines: Range) -> int:
        """The least budget that a read of LINES needs to show them all, on this face."""
        ask = self.ask._replace(view="lines", lines=None, section=None, focus=None, depth=None)
        return Reading(self.text, self.outline, ask, self.face).over(lines).full

    def over(self, lines: Range) -> "Reading":
        """This read, of LINES."""
        self.range = self.lines = lines
        return self
