"""Several files in one budget: one fixed order over all of them, so that more budget only ever adds (CONTRACT 3).

First each file gets its card, the most important first; then all of them grow in turns, from rung to rung of a ladder
of budgets, by the same steps that each would take alone.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.views.face import Face, Printed
from budgeted_reads.views.fit import Stop
from budgeted_reads.views.reading import Draft, Reading
from budgeted_reads.views.rows import Reveal
from budgeted_reads.views.view import View

FIRST_RUNG = 60
"""The budget that each file may take on the first rung; every further rung doubles it."""

RUNGS = 16

SLACK = 64
"""How far over the budget steps are tried, since a later one may cost less."""


class Unread(NamedTuple):
    """A file that may be shown: its path, its size in bytes, and what opens it.

    Opening gives None where the file holds no text that can be shown.
    """

    path: bytes
    size: int
    open: Callable[[], Reading | None]


class Shown(NamedTuple):
    """A file of an answer, by its place among those that were asked for, and its view."""

    place: int
    view: View


class Sum(NamedTuple):
    """What an answer for several files comes to. `left` are the places of files that are not shown."""

    header: str
    tokens: int
    bound: int
    parts: tuple[Shown, ...]
    left: tuple[int, ...]
    closed: tuple[int, ...]


Heading = Callable[[int, int, Collection[int]], str]
"""Makes the header from the tokens to print, how many files are left out, and those that hold no text."""


def read_many(
    files: Sequence[Unread], budget: int, face: Face, header: Heading, rows: int = 0, *, cards: bool = True
) -> Sum:
    """The answer for FILES, most important first, below a header and ROWS units of what stands above them.

    Without CARDS, for files that are named above, one is shown only with something of its text. Raises
    `budget_too_small` where not even the header fits.
    """
    return _Many(files, budget, face, header, rows, cards).answer()


class _State(NamedTuple):
    """How one file is shown at a step, and the units of that."""

    draft: Draft
    printed: Printed
    reveals: Sequence[Reveal] | None
    units: int


class _Open:
    """A file under way: the states that it goes through, in order."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._next = 1
        self._done = False

    def card(self) -> _State:
        """The first state: a header, or what the JSON body has for it."""
        draft = self.reading.cards()[0]
        return self._state(draft, draft.content, ())

    def until(self, budget: int) -> Iterator[_State]:
        """The states that the file takes on until it would cost more than BUDGET alone."""
        reading = self.reading
        if self._done:
            return
        if reading.may_show_all and reading.full <= budget:
            self._done = True
            draft = Draft(reading.fine, reading.all.content)
            yield _State(draft, reading.whole, None, self._units(reading.whole, draft.content))
            return
        while True:
            reading.ruler.extend(budget)
            stop = reading.ruler.stops[self._next] if self._next < len(reading.ruler.stops) else None
            if stop is None or not reading.ends_at(stop) or reading.price(stop).bound > budget:
                return
            self._next += 1
            yield self._at(stop)

    def _at(self, stop: Stop) -> _State:
        draft = self.reading.draft(stop)._replace(units=stop.units)
        reveals = self.reading.order.reveals[: stop.reveals]
        return self._state(draft, stop.units, reveals)

    def _state(self, draft: Draft, rows: int | str, reveals: Sequence[Reveal]) -> _State:
        printed = self.reading.print(draft, rows)
        return _State(draft, printed, reveals, self._units(printed, rows))

    def _units(self, printed: Printed, rows: int | str) -> int:
        face = self.reading.face
        below = rows if isinstance(rows, int) else face.counter.units(rows)
        return below + (face.header_units(printed.header) if printed.header else 0)

    def view(self, state: _State) -> View:
        """The view of STATE, with its rows."""
        draft = state.draft
        if state.reveals:
            draft = draft._replace(content=self.reading.ruler.render(Stop(len(state.reveals), 0, 0)))
        return self.reading.view(draft, state.printed, state.reveals)


class _Many:
    def __init__(
        self, files: Sequence[Unread], budget: int, face: Face, header: Heading, rows: int, cards: bool
    ) -> None:
        self.files = files
        self.budget = budget
        self.face = face
        self.header = header
        self.rows = rows
        self.cards = cards
        self.open: dict[int, _Open] = {}
        self.closed: dict[int, None] = {}

    def steps(self) -> Iterator[tuple[int, _State]]:
        """One order over all files: cards, then rung after rung."""
        if self.cards:
            for place, file in self._opened():
                yield place, file.card()
        for rung in range(RUNGS):
            budget = FIRST_RUNG << (rung + (not self.cards))
            for place, file in self._opened():
                for state in file.until(budget):
                    yield place, state

    def _opened(self) -> Iterator[tuple[int, _Open]]:
        """The files in order, each opened when its turn comes first."""
        for place, file in enumerate(self.files):
            if place not in self.open and place not in self.closed:
                reading = file.open()
                if reading is None:
                    self.closed[place] = None
                else:
                    self.open[place] = _Open(reading)
            if place in self.open:
                yield place, self.open[place]

    def price(self, units: int, shown: int, closed: Collection[int]) -> Printed:
        """The header above UNITS of so many files SHOWN, and what both cost."""
        left = len(self.files) - shown - len(closed)
        return self.face.print(self.rows + units, lambda tokens: self.header(tokens, left, closed))

    def answer(self) -> Sum:
        """The longest run of steps that fits."""
        states: dict[int, _State] = {}
        taken: list[tuple[int, _State]] = []
        units, best, printed = 0, 0, self.price(0, 0, ())
        closed: tuple[int, ...] = ()
        if printed.bound > self.budget:
            raise BudgetTooSmall(
                f"{self.budget} tokens are too few: the header costs {printed.bound}",
                f"ask with budget_tokens {printed.bound} or more",
                minimum_tokens=printed.bound,
            )
        for index, state in self.steps():
            units += state.units - (states[index].units if index in states else 0)
            states[index] = state
            taken.append((index, state))
            if self.face.bound(self.rows + units) > self.budget + SLACK:
                break
            found = self.price(units, len(states), self.closed)
            if found.bound <= self.budget:
                best, printed, closed = len(taken), found, tuple(self.closed)
        if best == len(taken) and len(self.closed) > len(closed):
            # Files that turned out to hold nothing after the last step.
            found = self.price(units, len(states), self.closed)
            if found.bound <= self.budget:
                printed, closed = found, tuple(self.closed)
        final = dict(taken[:best])
        parts = tuple(Shown(index, self.open[index].view(state)) for index, state in sorted(final.items()))
        known = final.keys() | set(closed)
        left = tuple(index for index in range(len(self.files)) if index not in known)
        return Sum(printed.header, printed.tokens, printed.bound, parts, left, closed)
