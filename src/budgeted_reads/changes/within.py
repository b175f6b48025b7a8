"""The plan of changes on one face within one budget: the largest number of steps whose whole text fits."""

from collections.abc import Callable
from typing import NamedTuple

from budgeted_reads.changes.fit import Drawn, Plan, Stop
from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.views.face import Face, Printed, label

LONGEST = 64
"""What costs a token is hardly ever longer than so many bytes: a longer patch is not tried whole at once."""


class Shown(NamedTuple):
    """What fits: `content` is what JSON has, `header` and `tail` stand around it in text; the cost is of all three."""

    drawn: Drawn
    content: str
    printed: Printed
    tail: str = ""

    @property
    def text(self) -> str:
        """The whole answer of a text face."""
        return self.printed.header + self.content + self.tail


class Within:
    """PLAN on FACE; SINCE is the short id of the old side, NOTES are said at the end of the header.

    Where not all files could be COMPARED, an answer without changes counts none, and does not say `unchanged`.
    """

    def __init__(
        self, plan: Plan, face: Face, since: str, notes: tuple[str, ...] = (), *, compared: bool = True
    ) -> None:
        self.compared = compared
        self.plan = plan
        self.face = face
        self.since = since
        self.notes = notes

    def header(self, view: str, path: bool) -> Callable[[int], str]:
        """The header of an answer of that VIEW, from its tokens; without PATH it is as short as it can be."""
        heading = self.face.heading
        said = "" if view == "unchanged" else f" {self.plan.totals}"

        def line(tokens: int) -> str:
            if heading is None:
                return ""
            if not path:
                return f"{view} {tokens}t{said}"
            words = [] if self.face.counter.exact else [f"~{self.face.counter.name}"]
            told = [f"{view} {label(heading, None)} {tokens}t{said} since {self.since}", *words, *heading.notes]
            return " ".join([*told, *self.notes])

        return line

    def content(self, drawn: Drawn) -> str:
        """The rows; in JSON, which has no header, totals and `unchanged` are content."""
        if drawn.content or self.face.is_text:
            return drawn.content
        return "unchanged\n" if drawn.view == "unchanged" else f"{self.plan.totals}\n"

    def drawn(self, stop: Stop) -> Drawn:
        """What the steps up to STOP give; `unchanged` where there are no changes."""
        if not self.plan.blocks:
            return Drawn("unchanged" if self.compared else "count", "", {})
        return self.plan.drawn(stop.steps)

    def show(self, stop: Stop, *, path: bool = True, tail: str = "") -> Shown:
        """The answer that ends at STOP, with its exact cost."""
        drawn = self.drawn(stop)
        content = self.content(drawn)
        printed = self.face.print(content + tail, self.header(drawn.view, path))
        return Shown(drawn, content, printed, tail)

    def best(self, budget: int) -> tuple[Shown, Stop]:
        """The largest number of steps that costs at most BUDGET; `budget_too_small` with the least that is answered."""
        whole = self.all_of_it(budget)
        if whole is not None:
            return whole, self.plan.stops[0]
        self.plan.extend(budget)
        for stop in reversed(self.plan.stops):
            if self.face.bound(stop.units) > budget + 2 or not self._may_fit(stop, budget):
                continue
            shown = self.show(stop)
            if shown.printed.bound <= budget:
                return shown, stop
        shortest = self.show(self.plan.stops[0], path=False)
        if shortest.printed.bound <= budget:
            return shortest, self.plan.stops[0]
        raise self._too_small(budget, shortest.printed.bound)

    def all_of_it(self, budget: int) -> Shown | None:
        """Every patch whole, where that fits: the last step, without those before it."""
        blocks = self.plan.blocks
        if not blocks or sum(len(block.change.patch) for block in blocks) > budget * LONGEST:
            return None
        content = "".join(block.text(block.finest) for block in sorted(blocks, key=lambda block: block.change.path))
        printed = self.face.print(content, self.header("patch", True))
        if printed.bound > budget:
            return None
        return Shown(Drawn("patch", content, {at: block.finest for at, block in enumerate(blocks)}), content, printed)

    def _may_fit(self, stop: Stop, budget: int) -> bool:
        """Whether STOP may fit by the running sums, which differ from the exact count by little."""
        least = self.face.print(stop.units, self.header("patch", True))
        return least.bound <= budget + 8

    def _too_small(self, budget: int, least: int) -> BudgetTooSmall:
        for stop in self.plan.stops:
            if stop.units < least:
                least = min(least, self.show(stop).printed.bound)
        return BudgetTooSmall(
            f"{budget} tokens are too few: the smallest view of the changes costs {least}",
            f"ask with budget_tokens {least} or more",
            minimum_tokens=least,
        )

    @property
    def named(self) -> int:
        """The least budget that names every file."""
        self.plan.open_folders()
        count = self.plan.folders
        stop = next(stop for stop in self.plan.stops if stop.steps >= count)
        return self.show(stop).printed.bound

    @property
    def whole(self) -> int:
        """The least budget that gives every patch whole."""
        content = "".join(block.text(block.finest) for block in self.plan.blocks)
        return self.face.print(content, self.header("patch", True)).bound
