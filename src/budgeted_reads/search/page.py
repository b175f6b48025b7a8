"""A page of matches within a budget: each match grows from a count to a file, to its line, to a snippet, best first.

There is one order in which a page grows, whatever the budget; the answer is the longest part of it that fits. What is
printed starts with a digit (a row of a file) or with `#` (ours), so no line of a file can pose as anything else, and
the costs of lines add up exactly.

    # <path> <matching lines>          a file (of several trees, the first of each: <path>@<hex12>); `= <path>` where
                                       it is equal to another
    ## <entry> <lines> <tokens>t       the entry around the matches that follow, and what reading it costs; of a huge
                                       one `<window> of <lines>`, with the cost of that window
    13: text                           a matching line, clipped around the match
    13-20: text                        of a ranked search, an entry that answers: its line, and its extent
    12 text                            a line of its context
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.outline import Range
from budgeted_reads.pointer import short
from budgeted_reads.search.opened import Opened
from budgeted_reads.views.face import Face, Printed

FIRST, LINES = 5, 2
"""So many of the best matches show their line before another file is named, then so many for each file that is."""

NARROW, MIDDLE, WIDE = 60, 160, 400
"""Clipped to so many code points: the best match at the least; a match; a match with its context."""

SLACK = 64

Key = tuple[int, int, int]
Piece = tuple[Key, str]


class Hit(NamedTuple):
    """One match: LINES of the file number FILE. `marks` are lines that match within; the first stands for them all.

    Where LINES are an `entry` from its own line on, that one is printed with their last.
    """

    file: int
    lines: Range
    marks: tuple[int, ...]
    score: float | None = None
    entry: bool = False


class FileRow(NamedTuple):
    """One file with matches: how many, the number of the file that it is equal to, if any, the commit to print."""

    opened: Opened
    matching: int
    same_as: int | None = None
    commit: str | None = None


class Reached(NamedTuple):
    """How far an answer got: matches with a line, files named, matches with a snippet."""

    rows: int = 0
    named: int = 0
    snippets: int = 0


class Fitted(NamedTuple):
    """What fits: the content, how far it got, its header and cost, the line below it."""

    content: str
    reached: Reached
    printed: Printed
    tail: str


class Page:
    """The matches of one page, in order; FILES are all files from the first of them on, equal ones behind theirs."""

    def __init__(
        self, hits: Sequence[Hit], files: Sequence[FileRow], span: Callable[[str], Range | None], context: int
    ) -> None:
        self.hits = hits
        self.files = files
        self._span = span
        self._context = context
        self._bounds: dict[int, list[tuple[int, str, Hit]]] = {}

    # What is printed

    def file_line(self, number: int) -> str:
        """The line that names file NUMBER."""
        row = self.files[number]
        source = row.opened.source
        words = [f"# {short(row.opened.path, row.commit) if row.commit else row.opened.label} {row.matching}"]
        if row.same_as is not None:
            words.append(f"= {self.files[row.same_as].opened.label}")
        if source.secret:
            words.append("secret_file")
        elif source.dirty:
            words.append("dirty")
        return " ".join(words) + "\n"

    def row(self, hit: Hit, number: int, width: int) -> tuple[str, bool]:
        """Line NUMBER of HIT as a row, and whether it is clipped to WIDTH around what matches."""
        line = self.files[hit.file].opened.line(number)
        marked = number in hit.marks
        shown, clipped = clip(line, self._span(line) if marked else None, width)
        extent = hit.entry and hit.lines[0] == number < hit.lines[1]
        label = f"{number}-{hit.lines[1]}" if extent else str(number)
        return f"{label}{':' if marked else ''} {shown}\n" if shown else f"{label}{':' if marked else ''}\n", clipped

    def shown_rows(self, hit: Hit, level: int) -> list[tuple[int, str, bool]]:
        """The rows of HIT at LEVEL, 1 its line alone, 2 its snippet: number, text, whether it is clipped."""
        width = WIDE if level > 1 else MIDDLE
        numbers = self.snippet_lines(hit) if level > 1 else [hit.marks[0]]
        return [(number, *self.row(hit, number, width)) for number in numbers]

    def snippet_lines(self, hit: Hit) -> list[int]:
        """The numbers of the lines of the snippet of HIT: what matches and its context, within one entry."""
        opened = self.files[hit.file].opened
        if opened.secret:
            return list(hit.marks)
        low, high = self._room(hit)
        numbers = set(hit.marks)
        if hit.lines[0] == hit.lines[1]:
            numbers.update(range(max(low, hit.lines[0] - self._context), min(high, hit.lines[1] + self._context) + 1))
        # Blank lines at the ends say nothing.
        ordered = sorted(numbers)
        while ordered and ordered[0] not in hit.marks and not opened.line(ordered[0]).strip():
            ordered.pop(0)
        while ordered and ordered[-1] not in hit.marks and not opened.line(ordered[-1]).strip():
            ordered.pop()
        return ordered

    def group(self, hit: Hit) -> tuple[int, str, Hit]:
        """The first line that belongs to the group of HIT, the name of the entry around it, and its first match."""
        return next(group for group in reversed(self._groups(hit.file)) if group[2].lines[0] <= hit.lines[0])

    def _room(self, hit: Hit) -> Range:
        """The lines that the context of HIT may take: those of its group."""
        groups = self._groups(hit.file)
        low = high = 1
        for number, (start, _, first) in enumerate(groups):
            if first.lines[0] <= hit.lines[0]:
                low = start
                high = groups[number + 1][0] - 1 if number + 1 < len(groups) else self.files[hit.file].opened.line_count
        return low, high

    def _groups(self, file: int) -> list[tuple[int, str, Hit]]:
        """Runs of matches in FILE that one entry encloses: where the lines of each begin, its name, its first match.

        Entries of one name are several.
        """
        if file not in self._bounds:
            opened = self.files[file].opened
            groups: list[tuple[int, str, Hit]] = []
            before, end = None, 0
            for hit in sorted((hit for hit in self.hits if hit.file == file), key=lambda hit: hit.lines):
                entry = opened.entry(hit.lines)
                name = opened.breadcrumb(hit.lines)
                if not groups:
                    groups.append((min(entry.entry.start, *hit.marks) if entry else 1, name, hit))
                elif entry is not before:
                    if entry is not None and entry.entry.start > end:
                        low = max(end + 1, min(entry.entry.start, *hit.marks))
                    elif before is not None and end <= before.entry.end < hit.lines[0]:
                        low = before.entry.end + 1
                    else:
                        low = hit.lines[0]
                    groups.append((low, name, hit))
                # An entry may hold those of other matches: what it shows itself ends before them.
                before, end = entry, max(hit.marks)
            self._bounds[file] = groups
        return self._bounds[file]

    # The order

    def steps(self, view: str | None) -> Iterator[tuple[list[Piece], Reached]]:
        """The steps in which the page grows, under the ceiling VIEW: what each adds or makes longer, and how far."""
        if view == "count":
            return
        reached = Reached()
        named: set[int] = set()

        def name(number: int) -> list[Piece]:
            if number in named:
                return []
            named.add(number)
            return [((number, 0, 0), self.file_line(number))]

        others = iter(range(len(self.files)))
        for rank, hit in enumerate(self.hits if view != "files" else ()):
            pieces = name(hit.file)
            reached = Reached(rank + 1, len(named))
            if rank == 0:
                yield [*pieces, self._line(hit, NARROW)], reached
                pieces = []
            yield [*pieces, self._line(hit, MIDDLE)], reached
            if rank >= FIRST and (rank - FIRST) % LINES == LINES - 1:
                pieces = next(filter(None, map(name, others)), [])
                reached = reached._replace(named=len(named))
                yield pieces, reached
        for pieces in filter(None, map(name, others)):
            reached = reached._replace(named=len(named))
            yield pieces, reached
        if view in ("files", "hits"):
            return
        for rank, hit in enumerate(self.hits):
            reached = reached._replace(snippets=rank + 1)
            yield self._snippet(hit), reached

    def _line(self, hit: Hit, width: int) -> Piece:
        number = hit.marks[0]
        return (hit.file, number, 1), self.row(hit, number, width)[0]

    def _snippet(self, hit: Hit) -> list[Piece]:
        opened = self.files[hit.file].opened
        pieces: list[Piece] = [((hit.file, number, 1), text) for number, text, _ in self.shown_rows(hit, 2)]
        if opened.secret:
            return pieces
        low, name, first = self.group(hit)
        more = opened.around(first.lines)
        if name and more is not None:
            pieces.append(((hit.file, low, 0), " ".join(["##", name, *filter(None, [more.label()])]) + "\n"))
        return pieces


def fit(
    page: Page,
    view: str | None,
    face: Face,
    budget: int,
    lead: str,
    header: Callable[[Reached, int], str],
    tail: Callable[[Reached], str],
) -> Fitted:
    """The longest part of the order of PAGE that fits; `budget_too_small` where not even LEAD does.

    LEAD stands first in the content; HEADER is the line above it and TAIL the line below, for an answer that got as
    far as it is told.
    """
    units = face.counter.units
    texts: dict[Key, str] = {}
    costs: dict[Key, int] = {}
    steps: list[list[Piece]] = [[]]
    sums = [units(lead)]
    states = [Reached()]
    for pieces, reached in page.steps(view):
        total = sums[-1]
        added = []
        for key, text in pieces:
            # A line that another match shows as its own is not shown again as context.
            if key in texts and (":" in texts[key].partition(" ")[0]) and ":" not in text.partition(" ")[0]:
                continue
            cost = units(text)
            total += cost - costs.get(key, 0)
            texts[key], costs[key] = text, cost
            added.append((key, text))
        steps.append(added)
        sums.append(total)
        states.append(reached)
        if total > budget + SLACK:
            break

    def priced(number: int, below: str) -> Printed:
        return face.print(sums[number] + (units(below) if below else 0), lambda tokens: header(states[number], tokens))

    for number in range(len(steps) - 1, -1, -1):
        if sums[number] > budget:
            continue
        below = tail(states[number])
        printed = priced(number, below)
        if printed.bound > budget and number == 0:
            below = ""
            printed = priced(number, below)
        if printed.bound <= budget:
            kept = {key: text for pieces in steps[: number + 1] for key, text in pieces}
            content = lead + "".join(kept[key] for key in sorted(kept))
            return Fitted(content, states[number], printed, below)
    least = priced(0, "").bound
    raise BudgetTooSmall(
        f"{budget} tokens are too few: the count of matches costs {least}",
        f"ask with budget_tokens {least} or more",
        minimum_tokens=least,
    )


def clip(line: str, span: Range | None, width: int) -> tuple[str, bool]:
    """LINE, cut to WIDTH code points around SPAN (from, to) where it is longer, with a mark where it was cut."""
    if len(line) <= width:
        return line, False
    first, last = span or (0, 0)
    start = max(0, min(first - max(0, width - (last - first)) // 2, len(line) - width))
    if first < start or last - first >= width:
        start = first
    end = min(len(line), start + width)
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else ""), True
