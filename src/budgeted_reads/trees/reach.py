"""Whether a commit stands on a remote branch or a tag, so that somebody else keeps it too.

The question is bounded: few names, few commits. Where that is not enough the answer is no, and the commit is pinned
although it need not be.
"""

import os
import stat
import threading

from budgeted_reads.errors import ForbiddenPath, NotFound, TimedOut, TooLarge
from budgeted_reads.trees.disk import Disk
from budgeted_reads.trees.git import Child
from budgeted_reads.trees.gitdir import GitFolder
from budgeted_reads.trees.objects import Objects, commit_date, is_hex

_FOLDERS = (b"refs/remotes", b"refs/tags")
_PREFIXES = tuple(folder + b"/" for folder in _FOLDERS)
_PACKED_BYTES = 4 << 20
_LOOSE = 500
_TIPS = 200
_COMMITS = 4000

State = tuple[tuple[str, int, int, int], ...]


class Reach:
    """The remote branches and tags of one repository. Safe for several threads."""

    def __init__(self, folder: GitFolder) -> None:
        self._common = Disk(folder.common)
        self._reftable = folder.reftable
        self._lock = threading.Lock()
        self._state: State = ()
        self._tips: set[str] = set()
        self._forget()

    def reached(self, commit: str, objects: Objects) -> bool:
        """Whether a remote branch or tag is known to reach COMMIT."""
        with self._lock:
            return not self._reftable and self._reached(commit, objects)

    def _reached(self, commit: str, objects: Objects) -> bool:
        state = self._look()
        if state != self._state:
            self._tips = self._read()
            self._forget()
            self._state = state
        if commit in self._tips or not self._tips:
            return commit in self._tips
        if commit not in self._known:
            self._known[commit] = len(self._tips) <= _TIPS and self._walk(commit, objects)
        return self._known[commit]

    def _forget(self) -> None:
        self._known: dict[str, bool] = {}
        self._newest: set[str] = set()
        self._since: int | None = None
        self._all = False

    def _look(self) -> State:
        """What changes whenever a reference does: the stamps of packed-refs and of every folder of references."""
        rows: list[tuple[str, int, int, int]] = []
        todo = [os.path.join(self._common.root, os.fsdecode(name)) for name in (b"packed-refs", *_FOLDERS)]
        while todo and len(rows) < _LOOSE:
            place = todo.pop()
            try:
                found = os.stat(place, follow_symlinks=False)
                rows.append((place, found.st_mtime_ns, found.st_size, found.st_ino))
                if stat.S_ISDIR(found.st_mode):
                    with os.scandir(place) as entries:
                        todo.extend(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
            except OSError:
                continue
        return tuple(rows)

    def _read(self) -> set[str]:
        tips = set(self._packed())
        todo = list(_FOLDERS)
        files = 0
        while todo:
            folder = todo.pop()
            try:
                rows = self._common.rows(folder)
            except (NotFound, ForbiddenPath):
                continue
            for name, kind, _ in rows:
                place = folder + b"/" + name
                if kind == "folder":
                    todo.append(place)
                elif kind == "file":
                    files += 1
                    if files > _LOOSE:
                        return tips
                    tips.add(self._loose(place))
        return {tip for tip in tips if is_hex(tip)}

    def _packed(self) -> list[str]:
        try:
            lines = self._common.read(b"packed-refs", _PACKED_BYTES).split(b"\n")
        except (NotFound, ForbiddenPath, TooLarge):
            return []
        tips: list[str] = []
        ours = False
        for line in lines:
            if line.startswith(b"^"):
                if ours:
                    tips[-1] = line[1:].decode("ascii", "replace")
                continue
            id, _, name = line.partition(b" ")
            ours = name.startswith(_PREFIXES)
            if ours:
                tips.append(id.decode("ascii", "replace"))
        return tips

    def _loose(self, place: bytes) -> str:
        try:
            return self._common.read(place, 4096).strip().decode("ascii", "replace")
        except (NotFound, ForbiddenPath, TooLarge):
            return ""

    def _walk(self, commit: str, objects: Objects) -> bool:
        """Whether COMMIT is among the newest commits that the tips reach, down to its own date."""
        date = commit_date(objects.read(commit, "commit") or b"")
        if date is None:
            return False
        if self._since is None:
            # The first is mostly a new one, and often the only one: no more is listed than it takes.
            self._list(date, objects)
        elif date < self._since and not self._all:
            self._list(0, objects)
            self._all = True
        return commit in self._newest

    def _list(self, since: int, objects: Objects) -> None:
        """Find out the newest commits that the tips reach, SINCE that time: it serves all later questions too."""
        words = ("rev-list", "--ignore-missing", "--timestamp", f"--max-count={_COMMITS}", f"--max-age={since}")
        git = Child(objects.repository, *words, "--stdin")
        try:
            git.write("".join(f"{tip}\n" for tip in sorted(self._tips)).encode())
            git.hang_up()
            rows = [row.split() for row in git.rest(_COMMITS * (objects.digits + 20)).splitlines()]
        except (OSError, TimedOut):
            rows = []
        finally:
            git.close(kill=True)
        self._newest = {row[-1].decode("ascii", "replace") for row in rows}
        self._since = since if len(rows) < _COMMITS else int(rows[-1][0]) + 1
