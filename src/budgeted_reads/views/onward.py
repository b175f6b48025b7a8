"""What to ask next: requests that show more with their cost, and the ladder of views by budget."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from budgeted_reads.errors import ReadError
from budgeted_reads.outline import Range
from budgeted_reads.views import sections
from budgeted_reads.views.accounts import ranges
from budgeted_reads.views.ask import Lines
from budgeted_reads.views.code import LONG_LINE, line_size
from budgeted_reads.views.view import More, Step

if TYPE_CHECKING:
    from budgeted_reads.views.reading import Reading

MOST = 3
"""At most this many requests are offered."""

TITLE_BYTES = 80
"""A section with a longer title is offered by its lines."""


def next_reads(reading: "Reading", view: str, shown: Sequence[int]) -> list[More]:
    """Up to three requests that show more than VIEW, each with the least budget that returns it on this face.

    The largest fold that the budget would open comes first, the whole last; where a ceiling was asked for and the
    whole is no dearer than the budget, it comes first.
    """
    whole = _whole(reading)
    within = not reading.may_show_all and whole.tokens <= reading.ask.budget
    found = [whole] if within else []
    if view == "card":
        found += _first_names(reading)
    else:
        found += _folded(reading, shown, MOST - 1)
    return found if within else [*found, whole]


def _whole(reading: "Reading") -> More:
    """The request for all that was asked for. A section that shares its line is a window: its lines are asked for."""
    section = reading.ask.section
    if section is not None and reading.source.index.find(section).entry.columns is not None:
        return More("lines", reading.cost_of_lines(reading.lines), lines=reading.lines)
    if isinstance(section, str):
        return More(reading.fine, reading.cost_of_all, section)
    return More(reading.fine, reading.cost_of_all, lines=reading.range)


def _folded(reading: "Reading", shown: Sequence[int], most: int) -> list[More]:
    """The entries that hold the largest folds: as a section where the name is plain and its own, else by lines."""
    first, last = reading.lines
    if reading.text.large:
        # A fold of such a text is far dearer than the budget, and to find that out takes long.
        return []
    seen = set(shown)
    runs = ranges([number for number in range(first, last + 1) if number not in seen])
    runs = [run for run in runs if any(reading.text.line(number).strip() for number in range(run[0], run[1] + 1))]
    found: list[More] = []
    for run in sorted(runs, key=lambda run: (run[0] - run[1], run[0])):
        one = _window(reading, run[0]) if run[0] == run[1] and _is_long(reading, run[0]) else _offer(reading, run)
        if one is not None and one not in found and one.tokens <= max(reading.ask.budget, 1):
            found.append(one)
        if len(found) == most:
            break
    return found


def _is_long(reading: "Reading", number: int) -> bool:
    """Whether that line alone is over the budget: it can only be read in windows."""
    return (
        line_size(reading.text.line(number)) > LONG_LINE
        and reading.cost_of_lines((number, number)) > reading.ask.budget
    )


def _window(reading: "Reading", number: int) -> More | None:
    """As many columns of that line as the budget holds: its first ones, or those at the focus."""
    from budgeted_reads.views.focus import column
    from budgeted_reads.views.windows import Window

    first = 1 if reading.ask.focus is None else column(reading.text.line(number), reading.ask.focus)
    ask = reading.plain("lines")._replace(lines=Lines(number, number))
    offers = Window(reading.source, ask, reading.other, (first, first)).following(first)
    return offers[0] if offers else None


def _offer(reading: "Reading", run: Range) -> More | None:
    around = [one for one in reading.named if one.entry.start <= run[0] and run[1] <= one.entry.end]
    inner = sections.innermost(around, run[0])
    whole = (1, reading.text.line_count)
    if inner is None or (inner.entry.start, inner.entry.end) in (whole, reading.range):
        return More("lines", reading.cost_of_lines(run), lines=run) if run not in (whole, reading.range) else None
    entry = inner.entry
    if _callable(reading, inner):
        return More("section", reading.cost_of_section(inner.name), inner.name)
    lines = entry.start, entry.end
    return More("lines", reading.cost_of_lines(lines), lines=lines)


def _callable(reading: "Reading", named: sections.Named) -> bool:
    """Whether the name of NAMED finds it and nothing else, and is short and plain enough to be asked for."""
    name = named.name
    if len(name.encode("utf-8", "surrogatepass")) > TITLE_BYTES or not name.isprintable() or '"' in name:
        return False
    if not name.strip() or named.entry.kind in ("paragraph", "line", "block"):
        return False
    if named.entry.columns:  # its section is a window, the fold is its whole line
        return False
    try:
        return reading.source.index.find(name).entry == named.entry
    except ReadError:
        return False


def _first_names(reading: "Reading") -> list[More]:
    """The outline, at the least budget that names anything, unless the whole costs no more."""
    if reading.range is not None:
        return []
    steps = ladder(reading.again("outline"))
    named = [step for step in steps if step.view != "card" and step.min_budget < reading.most_of_all]
    return [More(step.view, step.min_budget) for step in named[:1]]


def ladder(reading: "Reading") -> tuple[Step, ...]:
    """Every step at which the view changes as the budget grows, with the least budget that gives it."""
    steps: list[Step] = []
    best = reading.asked.bound if reading.may_show_all else 10**12
    if reading.instead is not None:
        best = reading.instead.min_budget
    # From the largest prefix down: one is an answer at some budget only if every larger one costs more.
    reached = []
    for stop in reversed(reading.stops(10**12)):
        printed = reading.price(stop)
        if printed.bound < best:
            best = printed.bound
            reached.append(Step(printed.bound, reading.label(stop), printed.tokens))
    for draft in reading.cards() if reading.ask.on_overflow == "degrade" else ():
        printed = reading.print(draft, draft.content)
        if printed.bound < best:
            best = printed.bound
            reached.append(Step(printed.bound, "card", printed.tokens))
    for step in reversed(reached):
        if not steps or steps[-1].view != step.view:
            steps.append(step)
    if reading.instead is not None:
        steps.append(reading.instead)
    elif reading.may_show_all:
        whole = reading.asked
        # An empty file costs nothing, but no budget is less than one.
        steps.append(Step(max(1, whole.bound), reading.fine, whole.tokens))
    return tuple(steps)
