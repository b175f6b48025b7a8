"""Every changed file at some level of detail, within a budget (CONTRACT section 7).

There is one fixed order of steps, from the totals alone to every patch whole. First folders open into what they hold,
the smallest first, until every file has its row; then files open, the smallest patch first. The answer is the largest
number of steps that fits, so more budget never shows less, and each file is accounted for at each of them.
"""

import heapq
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from budgeted_reads import pointer
from budgeted_reads.changes.blocks import ENTRIES, FILES, HUNKS, LEVEL_NAMES, Block, Sides
from budgeted_reads.changes.patch import FileChange

OUTLINED = 64
"""The entries of at most so many files are compared in one answer: the first ones to open."""

SLACK = 48
"""How many units beyond the budget steps are counted, so that a later, cheaper stop is never missed."""

VIEWS = ("patch", "hunks", "entries", "files", "folders", "count")
"""The views of changes, from fine to coarse."""


class Folder:
    """Changed files by folder: `files` are indexes, `folders` those below. One that only holds one other is skipped."""

    def __init__(self, path: bytes) -> None:
        self.path = path
        self.files: list[int] = []
        self.folders: list[Folder] = []
        self.count = 0
        self.added = 0
        self.removed = 0

    @property
    def row(self) -> str:
        """The folder on one line: `src/ 12 files +30 -4`."""
        return f"{pointer.display(self.path)}/ {totals(self.count, self.added, self.removed)}\n"


class Step(NamedTuple):
    """One step: a folder that opens, or the file with that number that goes to `level`."""

    folder: Folder | None = None
    file: int = -1
    level: int = FILES


class Stop(NamedTuple):
    """Where an answer may end: after how many steps, and what its rows cost in units."""

    steps: int
    units: int


class Drawn(NamedTuple):
    """What stands after some steps: the view, the rows, and the level of each file that has a row."""

    view: str
    content: str
    levels: dict[int, int]

    @property
    def unnamed(self) -> bool:
        """Whether files are only counted."""
        return self.view in ("folders", "count")


class Plan:
    """The order of steps for CHANGES, and what its prefixes come to."""

    def __init__(self, changes: Sequence[FileChange], sides: Sides, units: Callable[[str], int]) -> None:
        self.blocks = [Block(change, sides) for change in changes]
        self.added = sum(change.added for change in changes)
        self.removed = sum(change.removed for change in changes)
        self._units = units
        self._costs: dict[tuple[int, int], int] = {}
        self._steps = self._order()
        self.steps: list[Step] = []
        self.complete = False
        self.stops = [Stop(0, 0)]
        self._total = 0
        self._levels: dict[int, int] = {}

    @property
    def totals(self) -> str:
        """`3 files +12 -4`."""
        return totals(len(self.blocks), self.added, self.removed)

    @cached_property
    def root(self) -> Folder:
        """All changed files by folder."""
        root = Folder(b"")
        known = {b"": root}
        for index, block in enumerate(self.blocks):
            folder = self._folder(known, block.change.path.rpartition(b"/")[0])
            folder.files.append(index)
        self._sum(root)
        return root

    def _folder(self, known: dict[bytes, Folder], path: bytes) -> Folder:
        todo = []
        while path not in known:
            todo.append(path)
            path = path.rpartition(b"/")[0]
        for below in reversed(todo):
            known[below] = Folder(below)
            known[path].folders.append(known[below])
            path = below
        return known[path]

    def _sum(self, root: Folder) -> None:
        order, stack = [], [root]
        while stack:
            folder = stack.pop()
            order.append(folder)
            stack.extend(folder.folders)
        for folder in reversed(order):
            folder.folders = [_only(below) for below in folder.folders]
            changes = [self.blocks[index].change for index in folder.files]
            folder.count = len(changes) + sum(below.count for below in folder.folders)
            folder.added = sum(c.added for c in changes) + sum(below.added for below in folder.folders)
            folder.removed = sum(c.removed for c in changes) + sum(below.removed for below in folder.folders)

    def _order(self) -> Iterator[Step]:
        waiting: list[tuple[int, bytes, Folder]] = [(0, b"", self.root)]
        while waiting:
            _, _, folder = heapq.heappop(waiting)
            yield Step(folder)
            for below in folder.folders:
                heapq.heappush(waiting, (len(below.files) + len(below.folders), below.path, below))
        steps = [(size, index, level) for index, block in enumerate(self.blocks) for level, size in block.steps()]
        steps.sort()
        outlined: set[int] = set()
        for _, index, level in steps:
            if level in (ENTRIES, HUNKS) and index not in outlined:
                if len(outlined) == OUTLINED:
                    continue
                outlined.add(index)
            yield Step(file=index, level=level)

    @cached_property
    def folders(self) -> int:
        """How many steps open folders; after them every file has its row."""
        count, stack = 0, [self.root]
        while stack:
            count += 1
            stack.extend(stack.pop().folders)
        return count

    def extend(self, limit: int) -> None:
        """Count steps until they cost more than LIMIT by SLACK, or all are counted."""
        while not self.complete and self._total <= limit + SLACK:
            self._step()

    def open_folders(self) -> None:
        """Count steps until every file has its row."""
        while not self.complete and len(self.steps) < self.folders:
            self._step()

    def _step(self) -> None:
        step = next(self._steps, None)
        if step is None:
            self.complete = True
            return
        self.steps.append(step)
        self._total += self._change(step)
        # A step that gives units back is joined to the ones before it, so that costs never fall.
        while len(self.stops) > 1 and self.stops[-1].units > self._total:
            self.stops.pop()
        self.stops.append(Stop(len(self.steps), self._total))

    def _change(self, step: Step) -> int:
        """What STEP adds to the cost."""
        folder = step.folder
        if folder is None:
            before = self._levels[step.file]
            self._levels[step.file] = step.level
            return self._cost(step.file, step.level) - self._cost(step.file, before)
        for index in folder.files:
            self._levels[index] = FILES
        cost = -self._units(folder.row) if folder.path else 0
        cost += sum(self._units(below.row) for below in folder.folders)
        return cost + sum(self._cost(index, FILES) for index in folder.files)

    def _cost(self, index: int, level: int) -> int:
        cost = self._costs.get((index, level))
        if cost is None:
            cost = self._costs[index, level] = self._units(self.blocks[index].text(level))
        return cost

    def drawn(self, count: int) -> Drawn:
        """What the first COUNT steps give; with none, the totals alone."""
        if count == 0:
            return Drawn("count", "", {})
        rows: list[tuple[bytes, str]] = []
        levels: dict[int, int] = {}
        closed: dict[bytes, Folder] = {}
        for step in self.steps[:count]:
            if step.folder is None:
                levels[step.file] = step.level
                continue
            closed.pop(step.folder.path, None)
            closed.update({below.path: below for below in step.folder.folders})
            levels.update(dict.fromkeys(step.folder.files, FILES))
        rows += [(folder.path + b"/", folder.row) for folder in closed.values()]
        rows += [(self.blocks[index].change.path, self.blocks[index].text(level)) for index, level in levels.items()]
        rows.sort(key=lambda row: row[0])
        if closed:
            view = "folders"
        else:
            coarsest = max((self._rank(index, level) for index, level in levels.items()), default=0)
            view = VIEWS[coarsest]
        return Drawn(view, "".join(text for _, text in rows), levels)

    def _rank(self, index: int, level: int) -> int:
        if level >= self.blocks[index].finest:
            return 0
        return VIEWS.index(LEVEL_NAMES[level])


def _only(folder: Folder) -> Folder:
    while not folder.files and len(folder.folders) == 1:
        folder = folder.folders[0]
    return folder


def totals(files: int, added: int, removed: int) -> str:
    """`3 files +12 -4`."""
    return f"{files} file{'' if files == 1 else 's'} +{added} -{removed}"
