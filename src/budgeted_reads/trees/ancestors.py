"""Which commits HEAD descends from: its history is walked once for many questions, no further than they go."""

from budgeted_reads.errors import TimedOut
from budgeted_reads.trees.git import Child, run
from budgeted_reads.trees.objects import Objects, commit_date

SKEW = 7 * 86_400
"""Clocks differ: a commit is looked for among those up to so many seconds older."""

MOST = 200_000
"""So many commits are remembered; beyond them each question is asked of git by itself."""


class Ancestors:
    """The commits from HEAD down, newest first, read from one git as they are needed; to be closed. For one thread."""

    def __init__(self, objects: Objects, head: str) -> None:
        self._objects = objects
        self._head = head
        self._seen = {head}
        self._oldest = 0
        self._child: Child | None = None
        self._ended = False

    def related(self, commit: str) -> bool | None:
        """Whether COMMIT and HEAD have a common ancestor; None where the history is not all here to tell."""
        if self._reaches(commit):
            return True
        place = self._objects.repository
        try:
            if run(place, "merge-base", commit, self._head).status == 0:
                return True
            # None is found where a parent is missing too, as in a shallow clone: only a whole history tells.
            whole = run(place, "rev-list", "--quiet", "--end-of-options", commit, self._head).status == 0
            return False if whole else None
        except TimedOut:
            return None

    def close(self) -> None:
        """End the walk."""
        self._ended = True
        if self._child is not None:
            self._child.close(kill=True)
            self._child = None

    def _reaches(self, commit: str) -> bool:
        """Whether the walk meets COMMIT before it is past its date, or over."""
        until = (commit_date(self._objects.read(commit, "commit") or b"") or 0) - SKEW
        while commit not in self._seen and not self._ended and (self._child is None or self._oldest >= until):
            self._walk()
        return commit in self._seen

    def _walk(self) -> None:
        """Some commits more."""
        try:
            if self._child is None:
                words = ("rev-list", "--timestamp", "--end-of-options", self._head)
                self._child = Child(self._objects.repository, *words)
            rows = self._child.lines()
        except (EOFError, TimedOut):
            self.close()
            return
        self._seen.update(row[row.find(b" ") + 1 :].decode("ascii", "replace") for row in rows)
        self._oldest = int(rows[-1].partition(b" ")[0])
        if len(self._seen) >= MOST:
            self.close()
