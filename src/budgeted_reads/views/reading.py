"""One text, one request, one face: the best view that fits, with the account of what it leaves out."""

from collections.abc import Sequence
from functools import cached_property, partial
from typing import NamedTuple

from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.outline import Range, Warned
from budgeted_reads.views import accounts
from budgeted_reads.views.ask import FINE, RANKS, Ask, resolve
from budgeted_reads.views.face import Face, Printed, header_line
from budgeted_reads.views.fit import Omitted, Ruler, Stop
from budgeted_reads.views.order import Order, within
from budgeted_reads.views.rows import FOLDED, OUTLINE, Reveal
from budgeted_reads.views.sections import Named
from budgeted_reads.views.sheet import Sheet
from budgeted_reads.views.view import More, Step, View
from budgeted_reads.views.whole import Ink, Part, Whole

CEILINGS = {"outline": OUTLINE, "folded": FOLDED}

LEAST_NEXT = 5
"""No tokenizer gives a `next` line for fewer tokens, so with less left none is priced."""


class Reading:
    """One read under way: everything is found once, and only where it is needed."""

    instead: Step | None = None
    """What is given in place of the whole, and of rows, from its budget on: the patch of a read since a commit."""

    def __init__(self, source: Sheet, ask: Ask, face: Face, lines: Range | None = None) -> None:
        self.source = source
        self.text = source.text
        self.ask = ask
        self.face = face
        # What the header of this read alone says is no part of what others cost.
        self.other = face
        self.warnings: list[Warned] = []
        self.aside = lines is not None
        self.range = lines or self._range()
        self.lines = self.range or (1, self.text.line_count)
        # Labels are the default of text faces; an answer that must degrade has them anyway.
        self.numbered = face.is_text if ask.number_lines is None else ask.number_lines

    def _range(self) -> Range | None:
        if self.ask.section is not None:
            entry = self.source.index.find(self.ask.section).entry
            return entry.start, entry.end
        if self.ask.lines is None:
            return None
        lines, clamped = resolve(self.ask.lines, self.text.line_count)
        if clamped:
            detail = f"lines {lines[0]}-{lines[1]} are shown: the file has {self.text.line_count} lines"
            self.warnings.append(Warned("clamped_range", detail))
        return lines

    @cached_property
    def sheet(self) -> Sheet:
        """The text and its outline to the depth asked for."""
        return self.source.to_depth(self.ask.depth)

    @property
    def named(self) -> list[Named]:
        """Every entry with its path of titles."""
        return self.sheet.index.everything

    @cached_property
    def order(self) -> Order:
        """The reveals of what was asked for, under the ceiling of the view asked for."""
        whole = self.sheet.order
        ceiling = OUTLINE if self.ask.depth is not None and self.ask.view == "auto" else CEILINGS.get(self.ask.view)
        if self.ask.focus is not None:
            from budgeted_reads.views.focus import focused

            plain = self.sheet.outline.style == "plain"
            whole = focused(self.text, whole, self.sheet.index, self.ask.focus, plain=plain, ceiling=ceiling)
        return within(whole, lines=self.range, tier=ceiling)

    @cached_property
    def ruler(self) -> Ruler:
        """The costs of the prefixes of the order."""
        naming = self.sheet.naming if self.order is self.sheet.order else None
        return Ruler(self.text, self.order, self.face.counter.units, naming)

    @property
    def may_show_all(self) -> bool:
        """Whether the request allows every line of its range."""
        return self.ask.view in FINE or (self.ask.view == "auto" and self.ask.depth is None)

    @property
    def shows_all(self) -> bool:
        """Whether the budget gives all that this request may show, under its ceiling too."""
        if self.may_show_all:
            return self.full <= self.ask.budget
        self.ruler.extend(self.ask.budget)
        return self.ruler.complete and self.price(self.ruler.stops[-1]).bound <= self.ask.budget

    @property
    def fine(self) -> str:
        """The name of the view that shows every line of what was asked for."""
        if self.ask.section is not None:
            return "section"
        return "lines" if self.range else "full"

    @property
    def line_count(self) -> int:
        """Number of lines asked for."""
        return max(0, self.lines[1] - self.lines[0] + 1)

    # What the whole costs

    @cached_property
    def all(self) -> Whole:
        """Every line asked for."""
        part: Part = "aside" if self.aside else "range" if self.range is not None else "text"
        return Whole(self.source, self.lines, part, Ink(self.numbered, self.face.counter.units, self.ask.budget))

    @cached_property
    def whole(self) -> Printed:
        """The header and cost of the answer that shows everything asked for."""
        header = partial(self.header, Draft(self.fine, ""))
        if self.numbered or not self.all.exact:
            return self.face.whole(self.all.units, header)
        return self.face.whole(self.all.content, header)

    @property
    def full(self) -> int:
        """The least budget that shows everything asked for."""
        return self.whole.bound

    @property
    def most_of_all(self) -> int:
        """The least budget that gives the finest answer there is: the whole, or what is given instead of it."""
        return self.full if self.instead is None else self.instead.min_budget

    @property
    def asked(self) -> Printed:
        """The header and cost of the answer that shows everything this request may show."""
        return self.whole

    def header(self, draft: "Draft", tokens: int, full: int) -> str:
        """The header line of an answer of this read."""
        heading = self.face.heading
        if heading is None:
            return ""
        words = []
        if draft.omitted is not None:
            first, last = draft.omitted.lines
            words.append(f"+{draft.omitted.entries} more {first}" + (f"-{last}" if last > first else ""))
        if draft.path:
            if self.is_coarser(draft.view):
                words.append(f"asked={self.ask.view}")
            if not self.face.counter.exact:
                words.append(f"~{self.face.counter.name}")
            words.extend(draft.words)
            words.extend(warned.code for warned in self.warnings)
        return header_line(
            heading,
            draft.view,
            (tokens, full, self.line_count),
            lines=self.range,
            words=tuple(words),
            path=draft.path,
            estimate=self.instead is None and not self.all.exact,
        )

    def is_coarser(self, view: str) -> bool:
        """Whether VIEW is coarser than the one that was named; auto names none."""
        return RANKS[view] > RANKS.get(self.ask.view, max(RANKS.values()))

    # The answer

    def answer(self) -> View:
        """The largest prefix that fits; the whole, where that is allowed and fits; else a card."""
        budget = self.ask.budget
        if self.may_show_all and self.full <= budget and self.all.can_be_held:
            return self.view(Draft(self.fine, self.all.content), self.whole, None)
        if self.ask.on_overflow == "error":
            raise self.too_small(self.most_of_all)
        if self.ask.view == "card":
            return self.card()
        stop = self.ruler.fitting(lambda stop: self.ends_at(stop) and self.price(stop).bound <= budget, budget)
        if stop is None:
            return self.card()
        draft = self.draft(stop)._replace(content=self.ruler.render(stop), units=stop.units)
        return self.view(draft, self.price(stop), self.order.reveals[: stop.reveals])

    def ends_at(self, stop: Stop) -> bool:
        """Whether an answer may end at STOP: the last one shows all, which is the whole where that is allowed."""
        return not (self.may_show_all and stop.reveals == len(self.order.reveals))

    def stops(self, limit: int) -> list[Stop]:
        """Where answers may end whose rows cost up to LIMIT, and a few beyond."""
        if self.ask.view == "card" or self.ask.on_overflow != "degrade":
            return []
        self.ruler.extend(limit)
        return [stop for stop in self.ruler.stops[1:] if self.ends_at(stop)]

    def label(self, stop: Stop) -> str:
        """The name of the view that STOP gives."""
        return "outline" if stop.tier == OUTLINE else "folded"

    def draft(self, stop: Stop) -> "Draft":
        """The answer that ends at STOP, but for its rows."""
        return Draft(self.label(stop), "", self.ruler.omitted(stop))

    def print(self, draft: "Draft", rows: int | str) -> Printed:
        """The header of DRAFT above ROWS, and what both cost."""
        full = self.most_of_all
        return self.face.print(rows, lambda tokens: self.header(draft, tokens, full))

    def price(self, stop: Stop) -> Printed:
        """The header of the answer that ends at STOP, and what it costs."""
        return self.print(self.draft(stop), stop.units)

    def cards(self) -> list["Draft"]:
        """The cards, richest first. Below the ones with the path comes the bare one."""
        if not self.face.is_text:
            return [Draft("card", f"{self.line_count}L {self.full}t", self.nothing)]
        return [Draft("card", "", self.nothing, units=0), Draft("card", "", units=0), Draft("card", "", path=False)]

    @property
    def nothing(self) -> Omitted | None:
        """What an answer leaves out that names nothing."""
        return self.ruler.omitted(self.ruler.stops[0])

    def card(self) -> View:
        """The richest card that fits, or `budget_too_small`."""
        prices = []
        for draft in self.cards():
            printed = self.print(draft, draft.content)
            if printed.bound <= self.ask.budget:
                return self.view(draft._replace(omitted=self.nothing), printed, ())
            prices.append(printed.bound)
        least = min(prices)
        prices += [self.price(stop).bound for stop in self.stops(least) if stop.units < least]
        if self.may_show_all:
            prices.append(self.asked.bound)
        if self.instead is not None:
            prices.append(self.instead.min_budget)
        raise self.too_small(min(prices))

    def too_small(self, minimum: int) -> BudgetTooSmall:
        """The error for a budget under MINIMUM."""
        what = "the whole" if minimum == self.asked.bound else "the smallest view"
        if self.instead is not None and minimum == self.instead.min_budget:
            what = f"the {self.instead.view}"
        return BudgetTooSmall(
            f"{self.ask.budget} tokens are too few: {what} costs {minimum}",
            f"ask with budget_tokens {minimum} or more",
            minimum_tokens=minimum,
        )

    def view(self, draft: "Draft", printed: Printed, reveals: Sequence[Reveal] | None) -> View:
        """The answer as a value; REVEALS are what it shows, None is everything."""
        made = View(
            view=draft.view,
            requested=self.ask.view,
            degraded=RANKS[draft.view] > RANKS.get(self.ask.view, 0),
            content=draft.content,
            header=printed.header,
            tokens=printed.tokens,
            bound=printed.bound,
            full=self.most_of_all,
            lines=self.range,
            omitted=draft.omitted,
            facts=self.facts(reveals) if "facts" in self.ask.include else None,
            ladder=self.ladder() if "ladder" in self.ask.include else None,
            warnings=tuple(self.warnings),
        )
        if reveals is None or not self.line_count:
            return made
        shown = accounts.shown_lines(reveals)
        if not self.face.is_text:
            made = made._replace(folds=tuple(accounts.folds(shown, self.lines, self.named, self.cost_of_lines)))
        if self.face.is_text and self.ask.budget - printed.bound < LEAST_NEXT:
            return made
        return self.with_next(made, draft, self.with_instead(self.next_reads(draft.view, shown)))

    def facts(self, reveals: Sequence[Reveal] | None) -> accounts.Facts:
        """The facts of an answer that shows REVEALS; None is everything asked for."""
        return accounts.facts(self.named, reveals, self.lines)

    def ladder(self) -> tuple[Step, ...]:
        """Every step at which the view changes as the budget grows."""
        from budgeted_reads.views import onward

        return onward.ladder(self)

    def next_reads(self, view: str, shown: Sequence[int]) -> list[More]:
        """Requests that show more than VIEW, in which the lines SHOWN stand."""
        from budgeted_reads.views import onward

        return onward.next_reads(self, view, shown)

    def with_instead(self, onward: list[More]) -> list[More]:
        """ONWARD behind what a larger budget gives instead; a text face has that in its header."""
        if self.instead is None or self.face.is_text:
            return onward
        from budgeted_reads.views.onward import MOST

        offers = [More(self.instead.view, self.instead.min_budget), *onward]
        return [*offers[: MOST - 1], *offers[MOST - 1 :][-1:]]

    def with_next(self, view: View, draft: "Draft", onward: Sequence[More]) -> View:
        """VIEW with the requests that show more: all of them in JSON, on a text face as many as the budget leaves."""
        if not self.face.is_text:
            return view._replace(next=tuple(onward))
        for count in range(len(onward), 0, -1):
            tail = "next: " + " | ".join(more.text() for more in onward[:count]) + "\n"
            rows: int | str = view.content + tail
            if draft.units is not None:
                rows = draft.units + self.face.counter.units(tail)
            printed = self.print(draft, rows)
            if draft.path and printed.bound <= self.ask.budget:
                header, tokens, bound = printed
                return view._replace(header=header, tokens=tokens, bound=bound, tail=tail, next=tuple(onward[:count]))
        return view

    # Other reads of the same text

    def cost_of_lines(self, lines: Range) -> int:
        """The least budget that a read of LINES needs to show them all, on this face."""
        return Reading(self.source, self.plain("lines"), self.other, lines).full

    def cost_of_section(self, section: str) -> int:
        """The least budget that returns all of SECTION on this face."""
        return Reading(self.source, self.plain("section")._replace(section=section), self.other).full

    @property
    def cost_of_all(self) -> int:
        """The least budget that returns everything asked for, asked for by name."""
        if self.face is self.other and not self.warnings and not self.is_coarser(self.fine):
            return self.full
        return self.again(self.fine).full

    def again(self, view: str) -> "Reading":
        """A read of the same part of the text that asks for VIEW."""
        ask = self.plain(view)._replace(section=self.ask.section)
        return Reading(self.source, ask, self.other, self.range)

    def plain(self, view: str) -> Ask:
        """A request for VIEW of the whole text."""
        return Ask(view=view, budget=self.ask.budget, number_lines=self.ask.number_lines)


class Draft(NamedTuple):
    """An answer before its cost is known: the view, its content, and what the header has to say.

    `units` are those of the content where they are known and add exactly to a line below.
    """

    view: str
    content: str
    omitted: Omitted | None = None
    path: bool = True
    words: tuple[str, ...] = ()
    units: int | None = None
