"""The bytes of a large file, read a piece at a time: what stands in for `bytes` above `limits.BIG_BYTES`.

It knows a length, slices, `startswith` and pieces. Whoever needs all of it says `bytes(...)`; whoever forgets that gets
a TypeError, never the wrong bytes.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from budgeted_reads.errors import FileChanging, TooLarge

PIECE = 1 << 20


class _Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...


Digest = TypeVar("Digest", bound=_Digest)


class Big:
    """The first SIZE bytes of the open file FD, which is ours to close. Safe with threads."""

    __slots__ = ("_fd", "_size", "_state")

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._state = self._now()
        self._size = os.fstat(fd).st_size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        first, last, _ = part.indices(self._size)
        raw = os.pread(self._fd, max(0, last - first), first)
        while len(raw) < last - first:
            more = os.pread(self._fd, last - first - len(raw), first + len(raw))
            if not more:
                raise _changing()
            raw += more
        return raw

    def __bytes__(self) -> bytes:
        """All bytes, of one moment; `file_changing` where they are not."""
        raw = self[:]
        self.settled()
        return raw

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Big) or len(other) != len(self):
            return False
        return all(mine == theirs for mine, theirs in zip(self.pieces(), other.pieces(), strict=True))

    __hash__ = None  # type: ignore[assignment]

    def startswith(self, prefix: bytes, at: int = 0) -> bool:
        """Whether PREFIX stands at offset AT."""
        return self[at : at + len(prefix)] == prefix

    def pieces(self) -> Iterator[bytes]:
        """All bytes, PIECE at a time."""
        for at in range(0, self._size, PIECE):
            yield self[at : at + PIECE]

    def copy(self) -> "Big":
        """The same bytes where nobody can change them; `file_changing` where somebody did meanwhile."""
        copied = spooled(self.pieces())
        self.settled()
        return copied

    def settled(self) -> None:
        """Raises `file_changing` where the file is not as it was at first."""
        if self._state != self._now():
            raise _changing()

    def _now(self) -> tuple[int, ...]:
        found = os.fstat(self._fd)
        return found.st_size, found.st_mtime_ns, found.st_ctime_ns

    def __del__(self) -> None:
        os.close(self._fd)


def spooled(pieces: Iterable[bytes]) -> Big:
    """PIECES, one after the other, in a file without a name that is gone with the value; `too_large` without room."""
    import tempfile

    try:
        with tempfile.TemporaryFile(prefix="budgeted-reads-") as file:
            file.writelines(pieces)
            file.flush()
            return Big(os.dup(file.fileno()))
    except OSError as error:
        raise TooLarge(
            f"there is no room for a large file beside this process: {error.strerror}",
            "make room in the temporary folder, or name another with TMPDIR",
        ) from error


def feed(digest: Digest, raw: bytes | Big) -> Digest:
    """DIGEST after RAW."""
    for piece in raw.pieces() if isinstance(raw, Big) else (raw,):
        digest.update(piece)
    return digest


def _changing() -> FileChanging:
    return FileChanging("the file changed while it was read", "ask again when nothing writes to it")
