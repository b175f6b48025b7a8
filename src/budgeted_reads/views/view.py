"""The answer for one text, as a value."""

from typing import NamedTuple

from budgeted_reads.outline import Range, Warned
from budgeted_reads.views.accounts import Facts, Fold
from budgeted_reads.views.fit import Omitted


class Step(NamedTuple):
    """One step of a ladder: from `min_budget` on the view is `view`, which then costs `tokens`."""

    min_budget: int
    view: str
    tokens: int


class More(NamedTuple):
    """A request that would show more, and the least budget that returns it on the face that prints it."""

    view: str
    tokens: int
    section: str | None = None
    lines: Range | None = None
    columns: str | None = None
    on_overflow: str | None = None

    def text(self) -> str:
        """The request as text faces print it: `section "Renewal" 62t`."""
        parts = [self.view]
        if self.section is not None:
            parts.append(f'"{self.section}"')
        if self.lines is not None:
            first, last = self.lines
            parts.append(f"{first}-{last}" if first != last else str(first))
        if self.columns is not None:
            parts.append(f"columns {self.columns}")
        return " ".join([*parts, f"{self.tokens}t"])


class View(NamedTuple):
    """What was asked of one text and what comes back.

    `content` is what the JSON body carries; `header` and `tail` are the lines above and below it on text faces, and
    `tokens` and `bound` count all three. `lines` is the range asked for (None for the whole file), `shown` the lines
    of a page, `full` the least budget that shows everything asked for.
    """

    view: str
    requested: str
    degraded: bool
    content: str
    header: str
    tokens: int
    bound: int
    full: int
    lines: Range | None
    omitted: Omitted | None = None
    folds: tuple[Fold, ...] = ()
    next: tuple[More, ...] = ()
    facts: Facts | None = None
    ladder: tuple[Step, ...] | None = None
    warnings: tuple[Warned, ...] = ()
    columns: Range | None = None
    truncated: bool = False
    shown: Range | None = None
    tail: str = ""

    @property
    def text(self) -> str:
        """The whole answer of a text face."""
        return self.header + self.content + self.tail
