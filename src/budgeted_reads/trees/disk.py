"""Reading a folder of the disk without ever leaving it, whatever happens to its links meanwhile.

Every part of a path is opened relative to the folder before it and never through a link (O_NOFOLLOW), so a link that
is swapped in between the look and the read leads nowhere.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, cast

from budgeted_reads import limits
from budgeted_reads.errors import FileChanging, ForbiddenPath, NotFound, TooLarge
from budgeted_reads.trees.big import Big
from budgeted_reads.trees.paths import show

MAX_COUNTED = 100_000
"""The files below a folder are counted up to here, then counting stops."""

_TRIES = 3
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# A folder need not be readable to be passed through.
_PASS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Standing(NamedTuple):
    """How far a path leads: what stands at `reached`, its longest part that exists, and the parts after it.

    `kind` is file, folder, link, submodule or other (a socket, a device). The whole path exists where `rest` is empty.
    """

    kind: str
    reached: bytes
    rest: tuple[bytes, ...] = ()
    size: int = 0


class Disk:
    """One folder of the disk, by paths relative to it (bytes, `/` between parts, b"" is the folder itself)."""

    def __init__(self, root: str) -> None:
        self.root = root

    def stand(self, path: bytes) -> Standing:
        """How far PATH leads without following a link."""
        parts = tuple(path.split(b"/")) if path else ()
        if not parts:
            return Standing("folder", b"")
        reached = 0
        found = None
        try:
            with _Steps(self.root) as steps:
                for part in parts:
                    found = os.lstat(part, dir_fd=steps.fd)
                    reached += 1
                    if reached == len(parts) or not stat.S_ISDIR(found.st_mode):
                        break
                    steps.into(part)
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG):
                raise _unreadable(path, error) from error
        where = b"/".join(parts[:reached])
        if found is None or reached == 0:
            return Standing("folder", b"", parts)
        return Standing(_kind(found.st_mode), where, parts[reached:], found.st_size)

    def read(self, path: bytes, limit: int = limits.MAX_FILE_BYTES) -> bytes:
        """The bytes of the regular file at PATH, from one moment.

        Raises `not_found`, `forbidden_path` (unreadable, no regular file), `too_large`, and `file_changing` where the
        file was another after each of three reads.
        """
        return self._read(path, limit, limit)

    def served(self, path: bytes) -> bytes:
        """The same to be served; above `limits.BIG_BYTES` a `Big`, which has to be `settled` in the end."""
        return self._read(path, limits.MAX_FILE_BYTES, limits.BIG_BYTES)

    def _read(self, path: bytes, limit: int, held: int) -> bytes:
        with self._parent(path) as (fd, name):
            for _ in range(_TRIES):
                if (raw := _read_once(fd, name, path, limit, held)) is not None:
                    return raw
        raise FileChanging(f"{show(path)} changed each time it was read", "ask again when nothing writes to it")

    def link(self, path: bytes) -> bytes | None:
        """The target of the link at PATH; None where no link stands there."""
        try:
            with self._parent(path) as (fd, name):
                return os.readlink(name, dir_fd=fd)
        except (OSError, NotFound, ForbiddenPath):
            return None

    def rows(self, path: bytes) -> list[tuple[bytes, str, int]]:
        """Name, kind and size of all that stands in the folder at PATH, in byte order."""
        try:
            with _Steps(self.root) as steps:
                for part in path.split(b"/") if path else ():
                    steps.into(part)
                fd = os.open(b".", _FOLDER, dir_fd=steps.fd)
            try:
                names = sorted(os.fsencode(name) for name in os.listdir(fd))
                rows = []
                for name in names:
                    try:
                        found = os.lstat(name, dir_fd=fd)
                    except FileNotFoundError:
                        continue
                    rows.append((name, _kind(found.st_mode), found.st_size))
                return rows
            finally:
                os.close(fd)
        except FileNotFoundError:
            raise NotFound(f"{show(path)} is not there any more", "list its parent folder") from None
        except OSError as error:
            raise _unreadable(path, error) from error

    @contextmanager
    def _parent(self, path: bytes) -> Iterator[tuple[int, bytes]]:
        """A descriptor of the folder that holds PATH, and the last part of PATH."""
        *folders, name = path.split(b"/")
        try:
            with _Steps(self.root) as steps:
                for part in folders:
                    steps.into(part)
                yield steps.fd, name
        except OSError as error:
            if isinstance(error, ForbiddenPath):
                raise
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG):
                raise NotFound(f"{show(path)} is not there any more", "ask again, or list its folder") from None
            raise _unreadable(path, error) from error


def files_below(disk: Disk, folder: bytes) -> list[tuple[bytes, int]]:
    """Path and size of the files and links below FOLDER, at most MAX_COUNTED, without git's own folders.

    A folder that cannot be read counts nothing.
    """
    found: list[tuple[bytes, int]] = []
    todo = [folder]
    while todo and len(found) < MAX_COUNTED:
        here = todo.pop()
        try:
            rows = disk.rows(here)
        except (ForbiddenPath, NotFound):
            continue
        for name, kind, size in rows:
            path = here + b"/" + name if here else name
            if name.lower() == b".git" or kind == "other":
                continue
            if kind == "folder":
                todo.append(path)
            else:
                found.append((path, size))
    return found[:MAX_COUNTED]


class _Steps:
    """A walk down from a root, one folder at a time, holding one descriptor."""

    __slots__ = ("fd",)

    def __init__(self, root: str) -> None:
        # The root itself may be reached through links: whoever runs the node has named it.
        self.fd = os.open(root, _PASS & ~os.O_NOFOLLOW)

    def into(self, part: bytes) -> None:
        below = os.open(part, _PASS, dir_fd=self.fd)
        os.close(self.fd)
        self.fd = below

    def __enter__(self) -> "_Steps":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)


def _read_once(parent: int, name: bytes, path: bytes, limit: int, held: int) -> bytes | None:
    fd = os.open(name, _FILE, dir_fd=parent)
    try:
        before = os.fstat(fd)
        if not stat.S_ISREG(before.st_mode):
            raise ForbiddenPath(f"{show(path)} is no regular file", "ask for a file")
        if before.st_size > limit:
            raise TooLarge(f"{show(path)} has {before.st_size} bytes, the limit is {limit}", "read its bytes directly")
        if before.st_size > held:
            return cast("bytes", Big(os.dup(fd)))
        parts: list[bytes] = []
        left = before.st_size + 1
        while left > 0 and (part := os.read(fd, min(left, 1 << 24))):
            parts.append(part)
            left -= len(part)
        after = os.fstat(fd)
        return b"".join(parts) if left == 1 and _state(before) == _state(after) else None
    finally:
        os.close(fd)


def _state(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _kind(mode: int) -> str:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "other"


def _unreadable(path: bytes, error: OSError) -> ForbiddenPath:
    what = error.strerror or type(error).__name__
    return ForbiddenPath(
        f"{show(path) or 'the root of the tree'} cannot be read: {what}", "check its permissions for this user"
    )
