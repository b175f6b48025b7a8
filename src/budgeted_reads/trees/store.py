"""A bare repository of our own, beside a served tree, for what only we keep: snapshots and pins (CONTRACT section 4).

It is written in plain Python, so no git is started for it. Objects are loose and named by their hash; each kept commit
has a reference, `refs/snapshots/<id>` or `refs/pins/<id>`, whose time stamp is that of its last use. Writers share
the lock, whoever removes has it alone: what a reference leads to is never removed, and a writer that dies leaves
nothing but a file that the next removal takes along.
"""

import fcntl
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from typing import NamedTuple

from budgeted_reads.trees.big import Big
from budgeted_reads.trees.home import bare_files, is_ours, own_folder

SCHEMA = 1
"""The layout of the store. One of another number is neither read nor written."""

BLOCK = 4096
"""An object counts as so many bytes, or a multiple of them."""

REFS = ("snapshots", "pins")

_STORED_AS_IS = 4 << 20
_TRIES = 5


class Unkept(Exception):
    """Something cannot be kept; the text says why, to go behind `no pointer:`."""


class Piece(NamedTuple):
    """One object to be kept. `kind` is blob, tree or commit."""

    id: str
    kind: str
    raw: bytes


class Store:
    """The store at PLACE for the tree at ROOT. Nothing is made before the first piece is kept."""

    def __init__(self, place: str, digits: int, root: str) -> None:
        self.place = place
        self.digits = digits
        self.root = root
        self.objects = os.path.join(place, "objects")
        self._good = False

    @property
    def exists(self) -> bool:
        """Whether there is a store of ours that this program can read."""
        if not self._good:
            self._good = is_ours(self.place) and self._schema() == SCHEMA
        return self._good

    @property
    def trouble(self) -> str | None:
        """Why what stands at the place is left alone; None where it is a store of ours, or nothing stands there."""
        if not os.path.lexists(self.place):
            return None
        if not is_ours(self.place):
            return f"{self.place} belongs to or can be written by somebody else"
        schema = self._schema()
        return None if schema == SCHEMA else f"{self.place} has schema {schema}, this program knows {SCHEMA}"

    @property
    def used_bytes(self) -> int:
        """The bytes on disk that objects take, as far as they were counted."""
        return self.used() * BLOCK

    def get(self, id: str) -> Piece | None:
        """The object ID as it is stored, None where it is not there or no object; unchecked against its id."""
        if not self.exists:
            return None
        try:
            with open(self._object(id), "rb") as file:
                head, nul, raw = zlib.decompress(file.read()).partition(b"\0")
        except (OSError, zlib.error):
            return None
        kind, _, size = head.decode("ascii", "replace").partition(" ")
        return Piece(id, kind, raw) if nul and size == str(len(raw)) else None

    def has(self, id: str) -> bool:
        """Whether the object ID is there."""
        return self.exists and os.path.exists(self._object(id))

    def starting(self, prefix: str) -> list[str]:
        """The ids of all objects that begin with PREFIX, two digits or more."""
        try:
            names = os.listdir(os.path.join(self.objects, prefix[:2])) if self.exists else []
        except OSError:
            return []
        return sorted(prefix[:2] + name for name in names if name.startswith(prefix[2:]))

    def kept(self, kind: str, commit: str) -> bool:
        """Whether COMMIT is kept as that KIND of REFS."""
        return self.exists and os.path.exists(self._ref(kind, commit))

    def again(self, kind: str, commit: str) -> bool:
        """Note that COMMIT is used now, and nothing is removed meanwhile; False where it is not kept."""
        if not self.exists:
            return False
        try:
            with self.writing():
                return self.use(kind, commit)
        except OSError:
            return self.kept(kind, commit)

    def use(self, kind: str, commit: str) -> bool:
        """Note that COMMIT is used now; False where it is not kept."""
        if not self.exists:
            return False
        try:
            os.utime(self._ref(kind, commit))
        except FileNotFoundError:
            return False
        except OSError:
            # A store that can only be read still answers.
            return self.kept(kind, commit)
        return True

    def keep(self, kind: str, commit: str, pieces: Iterable[Piece], room: int) -> int:
        """Keep COMMIT with PIECES for good; 0, or what it takes where ROOM is less: nothing is written then.

        Raises `Unkept` where the store cannot be made or is of another version, OSError where it cannot be written.
        """
        with self.writing():
            new = [piece for piece in pieces if not self._holds(piece)]
            need = sum(_blocks(sum(map(len, _packed(piece)))) for piece in new)
            if new and (self.used() + need) * BLOCK > room:
                return need * BLOCK
            self._count(need)
            for piece in new:
                self._write(self._object(piece.id), _packed(piece))
            if not self.use(kind, commit):
                self._write(self._ref(kind, commit), (commit.encode() + b"\n",))
        return 0

    def used(self) -> int:
        """The blocks that are in use, as far as they were counted."""
        try:
            return os.stat(os.path.join(self.place, "used")).st_size
        except OSError:
            return 0

    def refs(self, kind: str) -> list[tuple[float, str]]:
        """Last use and id of every commit that is kept as that KIND."""
        found = []
        if self.exists:
            with suppress(FileNotFoundError), os.scandir(os.path.join(self.place, "refs", kind)) as rows:
                for row in rows:
                    if len(row.name) == self.digits:
                        with suppress(FileNotFoundError):
                            found.append((row.stat(follow_symlinks=False).st_mtime, row.name))
        return found

    def pruned(self, prefix: str) -> bool:
        """Whether a commit whose id begins with PREFIX was kept here once and was given up."""
        if not self.exists:
            return False
        with suppress(OSError), open(os.path.join(self.place, "pruned"), "rb") as file:
            return (b"\n" + file.read()).find(b"\n" + prefix.encode()) >= 0
        return False

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Nothing is removed meanwhile; others may write."""
        with self._locked(fcntl.LOCK_SH):
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else writes or removes meanwhile."""
        with self._locked(fcntl.LOCK_EX):
            yield

    def inventory(self) -> dict[str, int]:
        """The blocks of every object by id; what a writer that died has left is removed. Call it while `alone`."""
        found = {}
        for folder in os.scandir(self.objects):
            if not folder.is_dir(follow_symlinks=False):
                os.unlink(folder.path)
                continue
            for row in os.scandir(folder.path):
                found[folder.name + row.name] = _blocks(row.stat(follow_symlinks=False).st_size)
        return found

    def remove(self, dropped: Sequence[tuple[str, str]], blocks: Mapping[str, int], live: Set[str]) -> None:
        """Give up the commits DROPPED, (kind, id) each, and those of the objects BLOCKS that are not LIVE.

        Call it while `alone`.
        """
        with open(os.path.join(self.place, "pruned"), "ab") as file:
            file.write("".join(f"{commit}\n" for _, commit in dropped).encode())
        for kind, commit in dropped:
            os.unlink(self._ref(kind, commit))
        for id in blocks.keys() - live:
            os.unlink(self._object(id))
        with open(os.path.join(self.place, "used"), "ab") as file:
            file.truncate(sum(blocks[id] for id in live))

    def _count(self, blocks: int) -> None:
        # A byte for each block: appended bytes add up whoever writes them, and one look tells the sum.
        with open(os.path.join(self.place, "used"), "ab") as file:
            file.write(b"." * blocks)

    @contextmanager
    def _locked(self, how: int) -> Iterator[None]:
        for _ in range(_TRIES):
            self._ensure()
            try:
                fd = os.open(os.path.join(self.place, "lock"), os.O_RDWR | os.O_CLOEXEC)
            except FileNotFoundError:
                continue
            try:
                fcntl.flock(fd, how)
                # Whoever purged the store while we waited has taken the lock along.
                if self._is_lock(fd):
                    yield
                    return
            finally:
                os.close(fd)
        raise Unkept("the state folder is being removed")

    def _is_lock(self, fd: int) -> bool:
        try:
            return os.path.samestat(os.fstat(fd), os.stat(os.path.join(self.place, "lock")))
        except FileNotFoundError:
            return False

    def _ensure(self) -> None:
        if not os.path.lexists(self.place):
            self._good = False
            self._make()
        if (trouble := self.trouble) is not None:
            raise Unkept(trouble)

    def _make(self) -> None:
        folder = own_folder("XDG_STATE_HOME", ".local/state", "budgeted-reads", "snapshots")
        if folder is None or folder != os.path.dirname(self.place):
            raise Unkept("no state folder of this user can be written: set XDG_STATE_HOME to one")
        work = f"{self.place}.{os.getpid()}-{os.urandom(6).hex()}"
        files = {
            **bare_files(self.digits),
            "schema": b"%d\n" % SCHEMA,
            "tree": os.fsencode(self.root),
            "lock": b"",
        }
        try:
            for name in ("", "objects", "refs", *(f"refs/{kind}" for kind in REFS)):
                os.mkdir(os.path.join(work, name), 0o700)
            for name, content in files.items():
                with open(os.path.join(work, name), "xb") as file:
                    file.write(content)
            with suppress(OSError):
                # Another process was faster: its store is as good.
                os.rename(work, self.place)
                return
            if not os.path.isdir(self.place):
                raise Unkept(f"{self.place} cannot be made")
        finally:
            if os.path.lexists(work):
                import shutil

                shutil.rmtree(work, ignore_errors=True)

    def _schema(self) -> int:
        """The schema of what stands at the place, 0 where that says none."""
        try:
            with open(os.path.join(self.place, "schema"), "rb") as file:
                text = file.read(32).strip()
        except OSError:
            return 0
        return int(text) if text.isdigit() else 0

    def _holds(self, piece: Piece) -> bool:
        """Whether PIECE is stored, undamaged."""
        stored = self.get(piece.id)
        if stored is None or not isinstance(piece.raw, Big):
            return stored == piece
        at = 0
        for part in piece.raw.pieces():
            if not stored.raw.startswith(part, at):
                return False
            at += len(part)
        return at == len(stored.raw)

    def _write(self, path: str, data: Iterable[bytes]) -> None:
        work = os.path.join(self.objects, f"tmp_{os.getpid()}-{os.urandom(6).hex()}")
        fd = os.open(work, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with open(fd, "wb") as file:
                file.writelines(data)
            try:
                os.rename(work, path)
            except FileNotFoundError:
                with suppress(FileExistsError):
                    os.mkdir(os.path.dirname(path), 0o700)
                os.rename(work, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(work)
            raise

    def _object(self, id: str) -> str:
        return f"{self.objects}/{id[:2]}/{id[2:]}"

    def _ref(self, kind: str, commit: str) -> str:
        return f"{self.place}/refs/{kind}/{commit}"


def _packed(piece: Piece) -> Iterator[bytes]:
    # What is large is written as it is: packing it would take longer than everything else about a read.
    packer = zlib.compressobj(1 if len(piece.raw) <= _STORED_AS_IS else 0)
    yield packer.compress(f"{piece.kind} {len(piece.raw)}\0".encode())
    for part in piece.raw.pieces() if isinstance(piece.raw, Big) else (piece.raw,):
        yield packer.compress(part)
    yield packer.flush()


def _blocks(size: int) -> int:
    return -(-size // BLOCK)
