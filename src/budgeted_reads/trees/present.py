"""The tree as it is now, flat: every file with its mode and the id that its bytes have.

Bytes decide what is the same, as in a read: neither the index nor a filter is asked. A file whose state on disk has
not changed since it was last hashed is not read again.
"""

import os
import stat
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from budgeted_reads.errors import FileChanging, ForbiddenPath, NotFound, TooLarge
from budgeted_reads.outline.entry import Warned
from budgeted_reads.trees import paths
from budgeted_reads.trees.committed import POINTER_BYTES, lfs_pointer
from budgeted_reads.trees.disk import Disk
from budgeted_reads.trees.objects import Objects, object_id
from budgeted_reads.trees.scratch import Leaf

MAX_BYTES = 64 << 20
"""A larger file of the disk is not compared, and a warning says so."""

SETTLED_NS = 2_000_000_000
"""A file that changed less than this before it was hashed may change again within the same time stamp."""

_State = tuple[int, int, int, int, int, int]


class Present(NamedTuple):
    """The files there are. `raws` holds the bytes of those that are not the committed ones, as far as they were read."""

    leaves: dict[bytes, Leaf]
    raws: dict[str, bytes]
    warnings: tuple[Warned, ...]


class Watch:
    """Hashes the files of one folder of the disk, and remembers what it has hashed."""

    def __init__(self, disk: Disk, digits: int) -> None:
        self._disk = disk
        self._digits = digits
        self._known: dict[bytes, tuple[_State, str]] = {}

    def look(self, places: Iterable[bytes], base: Mapping[bytes, Leaf], objects: Objects | None) -> Present:
        """What stands at PLACES; where it is the checkout of what BASE has there, it is that (line ends, git-lfs)."""
        leaves: dict[bytes, Leaf] = {}
        raws: dict[str, bytes] = {}
        warnings: list[Warned] = []
        for path in places:
            old = base.get(path)
            if old is not None and old.mode == "160000":
                leaves[path] = old
                continue
            try:
                found = self._leaf(path, old, objects, raws)
            except (TooLarge, FileChanging, ForbiddenPath) as error:
                warnings.append(Warned("not_compared", error.detail))
                found = old
            if found is not None:
                leaves[path] = found
        return Present(leaves, raws, tuple(warnings))

    def _leaf(self, path: bytes, old: Leaf | None, objects: Objects | None, raws: dict[str, bytes]) -> Leaf | None:
        try:
            there = os.lstat(os.path.join(os.fsencode(self._disk.root), path))
        except OSError:
            return None
        if stat.S_ISLNK(there.st_mode):
            target = self._disk.link(path)
            return None if target is None else self._kept("120000", target, raws)
        if not stat.S_ISREG(there.st_mode):
            return None
        mode = "100755" if there.st_mode & 0o100 else "100644"
        state = (there.st_dev, there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns, there.st_mode)
        known = self._known.get(path)
        if known is not None and known[0] == state and old is not None and known[1] == old.id:
            return Leaf(mode, known[1])
        try:
            raw = self._disk.read(path, MAX_BYTES)
        except NotFound:
            return None
        id = object_id("blob", raw, self._digits)
        if old is not None and old.id != id and (same := self._checkout(raw, old, objects)):
            id = same
        if old is None or old.id != id:
            raws[id] = raw
        elif time.time_ns() - there.st_ctime_ns > SETTLED_NS:
            self._known[path] = (state, id)
        return Leaf(mode, id)

    def _kept(self, mode: str, raw: bytes, raws: dict[str, bytes]) -> Leaf:
        id = object_id("blob", raw, self._digits)
        raws[id] = raw
        return Leaf(mode, id)

    def _checkout(self, raw: bytes, old: Leaf, objects: Objects | None) -> str | None:
        """The id of OLD where RAW is its checkout, by line ends or by git-lfs."""
        if b"\r\n" in raw and object_id("blob", raw.replace(b"\r\n", b"\n"), self._digits) == old.id:
            return old.id
        info = objects.info(old.id) if objects is not None else None
        if objects is None or info is None or info.size > POINTER_BYTES:
            return None
        named = lfs_pointer(objects.read(old.id, "blob") or b"")
        if named is None or named[1] != len(raw):
            return None
        import hashlib

        return old.id if hashlib.sha256(raw).hexdigest() == named[0] else None


def below(leaves: Mapping[bytes, Leaf], path: bytes) -> dict[bytes, Leaf]:
    """Those of LEAVES at PATH or below it; all for the root."""
    if not path:
        return dict(leaves)
    return {place: leaf for place, leaf in leaves.items() if place == path or place.startswith(path + b"/")}


def parse_listing(out: bytes) -> dict[bytes, Leaf]:
    """The files of `git ls-tree -r -z`, by path."""
    leaves = {}
    for row in out.split(b"\0"):
        head, tab, path = row.partition(b"\t")
        if tab:
            mode, _, id = head.split(b" ")
            leaves[path] = Leaf(mode.decode(), id.decode())
    return leaves


def visible(path: bytes) -> bool:
    """Whether PATH is ever served: nothing inside of git's own folder is."""
    try:
        paths.refuse_git(path)
    except ForbiddenPath:
        return False
    return True
