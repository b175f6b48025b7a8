"""The one git engine: objects by hex id, read by a long-lived `git cat-file` in our own query repository.

Only hex ids ever reach the child, so no text of a caller is parsed as a revision. Trees and commits are parsed here.
"""

import os
import threading
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar, cast

from budgeted_reads import limits
from budgeted_reads.errors import Internal, TooLarge
from budgeted_reads.trees.big import feed, spooled
from budgeted_reads.trees.git import Child
from budgeted_reads.trees.query import query_repository
from budgeted_reads.trees.store import Store

_KINDS = {0o040000: "folder", 0o120000: "link", 0o160000: "submodule"}

Value = TypeVar("Value")


class Info(NamedTuple):
    """What git knows of an object: `kind` is commit, tree, blob or tag; `size` in bytes."""

    kind: str
    size: int


class Item(NamedTuple):
    """One entry of a git tree. `kind` is file, folder, link or submodule."""

    kind: str
    id: str


class Commit(NamedTuple):
    """What a commit object says of its place in history."""

    tree: str
    parents: tuple[str, ...]


class Recent(Generic[Value]):
    """The most recently used values by id: SIZE of them, or of what WEIGH says of each together.

    Objects never change, so none is ever stale. Safe with threads: what two of them make at once is made twice.
    """

    __slots__ = ("_left", "_lock", "_values", "_weigh")

    def __init__(self, size: int, weigh: Callable[[Value], int] = lambda _: 1) -> None:
        self._left = size
        self._weigh = weigh
        self._values: dict[str, Value] = {}
        self._lock = threading.Lock()

    def __contains__(self, id: str) -> bool:
        """Whether there is a value of ID."""
        return id in self._values

    def get(self, id: str, make: Callable[[str], Value | None]) -> Value | None:
        """The value of ID, made where it is not kept; None is not kept."""
        with self._lock:
            value = self._values.pop(id, None)
            if value is not None:
                self._values[id] = value
                return value
        value = make(id)
        if value is not None:
            with self._lock:
                if (other := self._values.pop(id, None)) is not None:
                    self._left += self._weigh(other)
                self._values[id] = value
                self._left -= self._weigh(value)
                while self._left < 0 and len(self._values) > 1:
                    self._left += self._weigh(self._values.pop(next(iter(self._values))))
        return value


MEASURED = 50_000
"""So many objects are remembered to have been read, and so to be small enough."""

ENTRIES = 200_000
"""So many entries of trees are remembered, and never fewer than those of one tree."""

SHORT = 12
"""The least number of digits of an abbreviated id."""


class Objects:
    """Objects of one repository, and of the store beside it, by full hex id. Safe for several threads.

    There is one child, started at the first question that the store cannot answer.
    """

    def __init__(self, folder: str, digits: int, store: Store | None = None) -> None:
        """FOLDER is the object folder of a repository; DIGITS is 40 or 64."""
        self._folder = folder
        self._store = store
        self.digits = digits
        self._child: Child | None = None
        self._blind = False
        self._lock = threading.RLock()
        self._trees: Recent[dict[bytes, Item]] = Recent(ENTRIES, lambda items: len(items) + 1)
        self._commits: Recent[Commit] = Recent(4096)
        self._measured: Recent[bool] = Recent(MEASURED)

    @property
    def repository(self) -> str:
        """The query repository to run git in; made again where somebody has cleared the cache."""
        return query_repository(self._folder, self.digits, self._store.objects if self._store else None)

    def info(self, id: str) -> Info | None:
        """Kind and size of the object ID, None where it is not there."""
        self._check(id)
        if self._store is not None and (piece := self._store.get(id)) is not None:
            return Info(piece.kind, len(piece.raw))
        with self._lock:
            return self._ask(id, "info")[0]

    def read(self, id: str, kind: str) -> bytes | None:
        """The content of the object ID, None where it is not there or not of that KIND.

        The content is hashed, because git hands out tampered bytes in silence: `internal` where it is not that of ID.
        Raises `too_large`.
        """
        self._check(id)
        if (raw := self._kept(id, kind)) is not None:
            return raw
        return self._fetched(id, kind, Child.take)

    def served(self, id: str) -> bytes | None:
        """The blob ID as `read` has it, one above `limits.BIG_BYTES` as a `Big`, never held.

        Raises `too_large`, also where there is no room for it on the disk.
        """
        self._check(id)
        if (raw := self._kept(id, "blob")) is not None:
            return cast("bytes", spooled((raw,))) if len(raw) > limits.BIG_BYTES else raw
        return self._fetched(id, "blob", _held_or_spooled)

    def tree(self, id: str) -> dict[bytes, Item] | None:
        """The entries of the tree ID by name, in git's order; None where it is not there."""
        # What the store has is never remembered: it may be purged at any time, and then it is gone.
        if (raw := self._kept(id, "tree")) is not None:
            return parse_tree(raw, self.digits // 2)
        with self._lock:
            return self._trees.get(id, self._read_tree)

    def entries(self, id: str, raw: bytes) -> dict[bytes, Item]:
        """The entries of the tree RAW, which whoever asks has found to be that of ID."""
        with self._lock:
            return self._trees.get(id, lambda _: parse_tree(raw, self.digits // 2)) or {}

    def commit(self, id: str) -> Commit | None:
        """The commit ID, None where it is not there or not a commit."""
        if (raw := self._kept(id, "commit")) is not None:
            return parse_commit(raw, self.digits)
        with self._lock:
            return self._commits.get(id, self._read_commit)

    def abbreviate(self, id: str) -> str:
        """The first 12 digits of ID, or as many more as no other object shares."""
        kept = self._store.starting(id[:SHORT]) if self._store is not None else []
        for length in range(SHORT, self.digits, 4):
            others = [other for other in kept if other != id and other.startswith(id[:length])]
            if not others and self._is_alone(id, length, kept=id in kept):
                return id[:length]
        return id

    def close(self) -> None:
        """End the child; the next question starts another."""
        with self._lock:
            if self._child is not None:
                self._child.close()
                self._child = None

    def _kept(self, id: str, kind: str) -> bytes | None:
        """The content of the object ID where the store has it undamaged."""
        piece = self._store.get(id) if self._store is not None else None
        if piece is None or piece.kind != kind or object_id(kind, piece.raw, self.digits) != id:
            return None
        return piece.raw

    def _is_alone(self, id: str, length: int, *, kept: bool) -> bool:
        """Whether the first LENGTH digits of ID name no other object of the repository; KEPT: the store has ID."""
        if kept and self._store is not None and self._folder == self._store.objects:
            return True
        with self._lock:
            said = self._ask(id, "info", length)[1]
        return said == id.encode() or (kept and said == b"missing")

    def _fetched(self, id: str, kind: str, take: Callable[[Child, int], bytes]) -> bytes | None:
        with self._lock:
            # Git unpacks what it is asked for before it says how large it is, so what is new is only measured first.
            if id not in self._measured:
                info = self._ask(id, "info")[0]
                if info is None or info.kind != kind:
                    return None
                _check_size(id, info)
            found, raw = self._ask(id, "contents", take=take)
            if found is None or found.kind != kind:
                return None
            self._measured.get(id, lambda _: True)
        if object_id(kind, raw, self.digits) != id:
            raise _damaged(f"the {kind} {id[:12]} of the repository has other bytes than its id says")
        return raw

    def _check(self, id: str) -> None:
        if len(id) != self.digits or not is_hex(id):
            raise ValueError(f"not a full object id: {id!r}")

    def _read_tree(self, id: str) -> dict[bytes, Item] | None:
        raw = self.read(id, "tree")
        return None if raw is None else parse_tree(raw, self.digits // 2)

    def _read_commit(self, id: str) -> Commit | None:
        raw = self.read(id, "commit")
        return None if raw is None else parse_commit(raw, self.digits)

    def _ask(
        self, id: str, verb: str, length: int | None = None, take: Callable[[Child, int], bytes] | None = None
    ) -> tuple[Info | None, bytes]:
        self._check(id)
        for _ in range(2):
            try:
                return self._answer(f"{verb} {id[:length]}\n".encode(), take)
            except (EOFError, OSError):
                self.close()
            except BaseException:
                # An answer was left half read: the next question must not meet the rest of it.
                if self._child is not None:
                    self._child.close(kill=True)
                    self._child = None
                raise
        raise _damaged(f"git cannot read the object {id[:12]}")

    def _answer(self, question: bytes, take: Callable[[Child, int], bytes] | None) -> tuple[Info | None, bytes]:
        """What the child says: the content by TAKE, else the whole id; of no object, `missing` or `ambiguous`."""
        child = self._child
        if self._blind and self._store is not None and self._store.exists:
            # Git looks for borrowed folders once: a child from before the store would search for each of its objects.
            self.close()
            child = None
        if child is None or child.owner != os.getpid():
            self._blind = self._store is not None and not self._store.exists
            child = self._child = Child(self.repository, "cat-file", "--batch-command")
        child.write(question)
        words = child.line().split(b" ")
        if len(words) != 3:
            return None, words[-1]
        info = Info(words[1].decode(), int(words[2]))
        if take is None:
            return info, words[0]
        _check_size(words[0].decode(), info)
        content = take(child, info.size)
        child.take(1)
        return info, content


def parse_tree(raw: bytes, width: int) -> dict[bytes, Item]:
    """The entries of a raw tree object, ids of WIDTH bytes; `internal` where it is malformed."""
    items: dict[bytes, Item] = {}
    at = 0
    try:
        while at < len(raw):
            space = raw.index(b" ", at)
            nul = raw.index(b"\0", space)
            id = raw[nul + 1 : nul + 1 + width]
            if len(id) != width:
                raise ValueError
            items[raw[space + 1 : nul]] = Item(_KINDS.get(int(raw[at:space], 8) & 0o170000, "file"), id.hex())
            at = nul + 1 + width
    except ValueError:
        raise _damaged("a tree of the repository is malformed") from None
    return items


def parse_commit(raw: bytes, digits: int) -> Commit:
    """Tree and parents of a raw commit object, ids of DIGITS; `internal` where it is malformed."""
    tree, parents = "", []
    for line in raw.split(b"\n\n", 1)[0].split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == b"tree" and not tree:
            tree = value.decode("ascii", "replace")
        elif key == b"parent":
            parents.append(value.decode("ascii", "replace"))
    if not all(len(id) == digits and is_hex(id) for id in (tree, *parents)):
        raise _damaged("a commit of the repository is malformed")
    return Commit(tree, tuple(parents))


def commit_date(raw: bytes) -> int | None:
    """When the raw commit object was made, in seconds; None where it does not say."""
    date = raw.partition(b"\ncommitter ")[2].partition(b"\n")[0].rpartition(b"> ")[2].partition(b" ")[0]
    return int(date) if date.isdigit() else None


def object_id(kind: str, raw: bytes, digits: int) -> str:
    """The id that git gives to RAW as an object of that KIND, by SHA-1 (40 DIGITS) or SHA-256 (64)."""
    import hashlib

    digest = hashlib.sha256() if digits == 64 else hashlib.sha1(usedforsecurity=False)
    digest.update(f"{kind} {len(raw)}\0".encode())
    return feed(digest, raw).hexdigest()


def is_hex(text: str) -> bool:
    """Whether TEXT is made of lower-case hex digits only, at least one."""
    return bool(text) and not text.strip("0123456789abcdef")


def _held_or_spooled(child: Child, size: int) -> bytes:
    return child.take(size) if size <= limits.BIG_BYTES else cast("bytes", spooled(child.pieces(size)))


def _check_size(id: str, info: Info) -> None:
    if info.size > limits.MAX_FILE_BYTES:
        raise TooLarge(
            f"the {info.kind} {id[:12]} has {info.size} bytes, the limit is {limits.MAX_FILE_BYTES}",
            "read its bytes with git",
        )


def _damaged(what: str) -> Internal:
    return Internal(what, "check it with `git fsck`; git 2.36 or newer is needed", reason="object_corrupt")
