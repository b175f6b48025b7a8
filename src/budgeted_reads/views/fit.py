"""The fit: the largest prefix of an order that costs at most so much (CONTRACT section 2).

Rows start with a digit, so the units of rows add exactly; what a prefix costs is a running sum, counted no further
than the budget asks. A face's header is counted beside it, because it depends on what is named so far.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from budgeted_reads.text import Text
from budgeted_reads.views.order import Order
from budgeted_reads.views.rows import LINE, Row, replay

SLACK = 24
"""How many units beyond the budget rows are counted, so that a later, cheaper stop is never missed."""


class Omitted(NamedTuple):
    """How many entries a prefix does not name, and the first and last of their own lines."""

    entries: int
    lines: tuple[int, int]


class Stop(NamedTuple):
    """A prefix that an answer may end at: how many reveals, what its rows cost in units, its finest tier."""

    reveals: int
    units: int
    tier: int


class Ruler:
    """The costs of the prefixes of one order, counted lazily with one counter's units."""

    def __init__(self, text: Text, order: Order, units: Callable[[str], int], naming: "Naming | None" = None) -> None:
        """NAMING is that of ORDER, where it is known already."""
        self.text = text
        self.order = order
        self._units = units
        self._rows: dict[int, Row] = {}
        self._costs: dict[int, int] = {}
        self._total = 0
        self._tier = 0
        self._at = 0
        self.stops = [Stop(0, 0, 0)]
        self._named = naming or naming_of(order)

    @property
    def complete(self) -> bool:
        """Whether every reveal has been counted."""
        return self._at == len(self.order.reveals)

    def extend(self, limit: int) -> None:
        """Count until the rows cost more than LIMIT by SLACK, or all are counted."""
        while self._at < len(self.order.reveals) and self._total <= limit + SLACK:
            self._step()

    def _step(self) -> None:
        reveals = self.order.reveals
        while True:
            reveal = reveals[self._at]
            self._at += 1
            row = self._rows.setdefault(reveal.line, Row())
            row.apply(reveal)
            self._tier = max(self._tier, reveal.tier)
            if self._at == len(reveals) or not reveals[self._at].joined:
                break
            if reveals[self._at].line != reveal.line:
                self._charge(reveal.line, row)
        self._charge(reveal.line, row)
        # A step that gives units back is joined to the ones before it, so that costs never fall.
        while len(self.stops) > 1 and self.stops[-1].units > self._total:
            self.stops.pop()
        self.stops.append(Stop(self._at, self._total, self._tier))

    def _charge(self, number: int, row: Row) -> None:
        cost = self._units(row.render(number, self.text.line(number)))
        self._total += cost - self._costs.get(number, 0)
        self._costs[number] = cost

    def omitted(self, stop: Stop) -> Omitted | None:
        """What the prefix does not name; None where it names every entry."""
        return self._named.after(stop.reveals)

    def fitting(self, fits: Callable[[Stop], bool], limit: int) -> Stop | None:
        """The largest stop after the first that FITS; LIMIT is an upper bound of units that may fit."""
        self.extend(limit)
        for stop in reversed(self.stops[1:]):
            if stop.units <= limit and fits(stop):
                return stop
        return None

    def render(self, stop: Stop) -> str:
        """The rows of the prefix as text, in line order."""
        return render(self.text, replay(self.order.reveals[: stop.reveals]))


def render(text: Text, rows: dict[int, Row]) -> str:
    """ROWS as text, in line order."""
    return "".join(rows[number].render(number, text.line(number)) for number in sorted(rows))


class Naming(NamedTuple):
    """Own lines in the order in which they get named, the reveal that does it, and suffix extremes."""

    at: Sequence[int]
    first: Sequence[int]
    last: Sequence[int]

    def after(self, reveals: int) -> Omitted | None:
        """What the first REVEALS do not name; None where they name every entry."""
        low, high = 0, len(self.at)
        while low < high:
            middle = (low + high) // 2
            if self.at[middle] < reveals:
                low = middle + 1
            else:
                high = middle
        if low == len(self.at):
            return None
        return Omitted(len(self.at) - low, (self.first[low], self.last[low]))


def naming_of(order: Order) -> Naming:
    """When each entry gets its name: the n-th entry of a line by its n-th name, or by the line itself."""
    counts: dict[int, list[int]] = {}
    whole: dict[int, int] = {}
    for index, reveal in enumerate(order.reveals):
        if reveal.what <= LINE:
            counts.setdefault(reveal.line, []).append(index)
            if reveal.what == LINE:
                whole.setdefault(reveal.line, index)
    seen: dict[int, int] = {}
    pairs = []
    for line in order.named_lines:
        nth = seen.get(line, 0)
        seen[line] = nth + 1
        reveals = counts.get(line)
        if not reveals:
            pairs.append((len(order.reveals) + 1, line))
            continue
        shown = whole.get(line)
        named = reveals[nth] if nth < len(reveals) else reveals[-1]
        pairs.append((named if shown is None else min(named, shown), line))
    pairs.sort()
    first, last = [0] * len(pairs), [0] * len(pairs)
    low, high = 10**12, 0
    for index in range(len(pairs) - 1, -1, -1):
        low, high = min(low, pairs[index][1]), max(high, pairs[index][1])
        first[index], last[index] = low, high
    return Naming([at for at, _ in pairs], first, last)
