"""The tree as it is now, flat: every file with its mode and the id of its bytes, which decide what is the same."""

import os
import stat
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from budgeted_reads.errors import FileChanging, ForbiddenPath, NotFound, TooLarge
from budgeted_reads.outline.entry import Warned
from budgeted_reads.trees.committed import POINTER_BYTES, lfs_pointer
from budgeted_reads.trees.disk import Disk
from budgeted_reads.trees.objects import Objects, object_id
from budgeted_reads.trees.paths import refuse_git
from budgeted_reads.trees.scratch import Leaf

MAX_BYTES = 64 << 20
"""A larger file of the disk is not compared, and a warning says so."""

SUBMODULE = "160000"


class Present(NamedTuple):
    """The files there are. `raws` holds the bytes, by id, of those that are not the committed ones."""

    leaves: dict[bytes, Leaf]
    raws: dict[str, bytes]
    warnings: tuple[Warned, ...]


def present(disk: Disk, objects: Objects, base: Mapping[bytes, Leaf], places: Iterable[bytes]) -> Present:
    """BASE with what stands on DISK at PLACES in its stead; a checkout of what BASE has is that (line ends, lfs)."""
    leaves = dict(base)
    raws: dict[str, bytes] = {}
    warnings: list[Warned] = []
    for path in places:
        old = base.get(path)
        if (old is not None and old.mode == SUBMODULE) or not _served(path):
            continue
        try:
            found = _leaf(disk, objects, path, old, raws)
        except (TooLarge, FileChanging, ForbiddenPath) as error:
            warnings.append(Warned("not_compared", error.detail))
            continue
        if found is None:
            leaves.pop(path, None)
        else:
            leaves[path] = found
    return Present(leaves, raws, tuple(warnings))


def _leaf(disk: Disk, objects: Objects, path: bytes, old: Leaf | None, raws: dict[str, bytes]) -> Leaf | None:
    standing = disk.stand(path)
    if standing.rest or standing.kind not in ("file", "link"):
        return None
    if standing.kind == "link":
        raw = disk.link(path)
        mode = "120000"
    else:
        mode = _mode(disk, path)
        try:
            raw = disk.read(path, MAX_BYTES)
        except NotFound:
            raw = None
    if raw is None:
        return None
    id = object_id("blob", raw, objects.digits)
    if old is not None and old.id != id and mode != "120000":
        id = _checkout(raw, old, objects) or id
    if old is None or old.id != id:
        raws[id] = raw
    return Leaf(mode, id)


def _mode(disk: Disk, path: bytes) -> str:
    """What git would say of the file: only the bit for running it counts, and it says nothing of its content."""
    try:
        found = os.lstat(os.path.join(os.fsencode(disk.root), path))
    except OSError:
        return "100644"
    return "100755" if stat.S_ISREG(found.st_mode) and found.st_mode & 0o100 else "100644"


def _checkout(raw: bytes, old: Leaf, objects: Objects) -> str | None:
    """The id of OLD where RAW is its checkout, by line ends or by git-lfs."""
    if b"\r\n" in raw and object_id("blob", raw.replace(b"\r\n", b"\n"), objects.digits) == old.id:
        return old.id
    info = objects.info(old.id)
    if info is None or info.size > POINTER_BYTES:
        return None
    named = lfs_pointer(objects.read(old.id, "blob") or b"")
    if named is None or named[1] != len(raw):
        return None
    import hashlib

    return old.id if hashlib.sha256(raw).hexdigest() == named[0] else None


def _served(path: bytes) -> bool:
    try:
        refuse_git(path)
    except ForbiddenPath:
        return False
    return True
