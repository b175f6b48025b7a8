"""The sections of matches in place of their lines: each a read of its own, best first, one whole before the next."""

from collections.abc import Callable, Iterator, Sequence

from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.outline import Range
from budgeted_reads.search.page import MIDDLE, Fitted, Hit, Page, Reached
from budgeted_reads.views.ask import Ask, Lines
from budgeted_reads.views.face import Face, Printed
from budgeted_reads.views.reading import Reading
from budgeted_reads.views.view import More

_TRIES = 4


class _Part(Reading):
    """A read that is a part of an answer: no line below it says what to ask next, and its header counts none."""

    def next_reads(self, view: str, shown: Sequence[int]) -> list[More]:
        """None."""
        return []


def read_sections(
    page: Page,
    view: str,
    face: Face,
    budget: int,
    lead: str,
    header: Callable[[Reached, int], str],
    tail: Callable[[Reached], str],
) -> Fitted | None:
    """As many of the sections of PAGE as fit, each in VIEW or as fine as the rest of the budget allows; None for none.

    Only the last one may be coarser than asked, so with a larger budget nothing that was shown is lost.
    """
    parts = _Parts(page, face, budget, lead, header, tail)
    for file, lines in _targets(page, view):
        if not parts.add(file, lines, view):
            break
    return parts.fitted


def _targets(page: Page, view: str) -> Iterator[tuple[int, Range | None]]:
    """The files, or the lines of the sections in them, that hold the matches, in the order of these; each once."""
    seen: set[tuple[int, Range | None]] = set()
    for hit in page.hits:
        around = None if view == "full" else page.files[hit.file].opened.around(hit.lines)
        target = hit.file, None if around is None else around.lines
        if target not in seen:
            seen.add(target)
            yield target


class _Parts:
    """The sections so far, and what they cost."""

    def __init__(
        self,
        page: Page,
        face: Face,
        budget: int,
        lead: str,
        header: Callable[[Reached, int], str],
        tail: Callable[[Reached], str],
    ) -> None:
        self.page = page
        self.face = face
        self.budget = budget
        self.header = header
        self.tail = tail
        self.content = lead
        self.covered: list[tuple[int, Range | None]] = []
        self.fitted: Fitted | None = None

    def add(self, file: int, lines: Range | None, view: str) -> bool:
        """Add a section; False where it is the last that may be added."""
        self.covered.append((file, lines))
        reached = self.reached()
        room = self.budget - self.printed(self.content, reached).bound
        for _ in range(_TRIES):
            if room <= 0:
                return False
            try:
                text, whole = self.read(file, lines, view, room)
            except BudgetTooSmall:
                return False
            printed = self.printed(self.content + text, reached)
            if printed.bound <= self.budget:
                self.content += text
                self.fitted = Fitted(self.content, reached, printed, self.tail(reached))
                return whole
            room -= printed.bound - self.budget
        return False

    def printed(self, content: str, reached: Reached) -> Printed:
        """What CONTENT costs with all that stands around it."""
        return self.face.print(content + self.tail(reached), lambda tokens: self.header(reached, tokens))

    def read(self, file: int, lines: Range | None, view: str, room: int) -> tuple[str, bool]:
        """The text of one section within ROOM, and whether that is all of what was asked."""
        opened = self.page.files[file].opened
        if opened.secret:
            return self.lines(file, lines), True
        wanted = "lines" if view == "section" else view
        near = next((hit for hit in self.page.hits if hit.file == file and _holds(lines, hit)), None)
        ask = Ask(
            view=wanted,
            budget=room,
            lines=None if lines is None else Lines(*lines),
            focus=None if near is None else f"L{near.marks[0]}",
        )
        face = Face(self.face.counter, opened.face.kind, opened.heading)
        asked = _Part(opened.sheet, ask, face)
        found = asked.answer()
        if found.view == "card":
            # A card says nothing of a match: its line does, where it fits.
            return self.lines(file, lines), asked.shows_all
        return found.header + found.content, asked.shows_all

    def lines(self, file: int, lines: Range | None) -> str:
        """The matching lines of one section."""
        hits = [hit for hit in self.page.hits if hit.file == file and _holds(lines, hit)]
        return self.page.file_line(file) + "".join(self.page.row(hit, hit.marks[0], MIDDLE)[0] for hit in hits)

    def reached(self) -> Reached:
        """The matches from the first one on that the sections hold."""
        rows = 0
        for hit in self.page.hits:
            if not any(hit.file == file and _holds(lines, hit) for file, lines in self.covered):
                break
            rows += 1
        return Reached(rows, len({file for file, _ in self.covered}), 0)


def _holds(lines: Range | None, hit: Hit) -> bool:
    return lines is None or (lines[0] <= hit.lines[0] and hit.lines[1] <= lines[1])
