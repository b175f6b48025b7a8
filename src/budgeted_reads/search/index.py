"""The index of a repository: terms of its entries by blob, in the user's cache. Deleting it loses nothing.

A blob is written once, whatever commits and paths it is in; a new commit costs its new blobs. What is written is
acknowledged in a list beside the index, after the commit that made it lasting: a writer that is ended at any moment
leaves blobs that are written again, never blobs that are missing. There is one writer; others read on meanwhile.
"""

import hashlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from budgeted_reads.search.chunks import Chunks
from budgeted_reads.search.engine import Busy, Damaged, Document, Store, Writer
from budgeted_reads.search.words import Question, terms

VERSION = 4
"""Part of the folder's name: an index that was made otherwise is never read."""

COMMIT_SECONDS = 5.0
COMMIT_DOCUMENTS = 20_000
PATIENCE = 1.0
"""Work is made lasting after so long, or so much."""

_LIST = "blobs"
_IN_PART = " in_part"
_DECLARED = " declared"


class Work(NamedTuple):
    """One blob to be written: its path, and what makes its chunks, called when its turn comes."""

    blob: str
    path: bytes
    chunks: Callable[[], Chunks]


class Place(NamedTuple):
    """Where a hit stands: the lines of a chunk of a blob, the line that stands for them, and what `Chunk` says."""

    blob: str
    first: int
    last: int
    own: int
    declared: bool = False


class Listed(NamedTuple):
    """The blobs that an index has, and those of them that were too long to be written to their end."""

    known: frozenset[str]
    in_part: frozenset[str]


_NONE = Listed(frozenset(), frozenset())


class Index:
    """The index in FOLDER, or in memory where there is none. Safe for several threads and processes."""

    def __init__(self, folder: str | None) -> None:
        self.folder = folder
        self._store: Store | None = None
        self._memory: Listed = _NONE
        self._lock = threading.Lock()
        self._read: tuple[int, Listed] = (-1, _NONE)

    def known(self) -> frozenset[str]:
        """The blobs that are written and lasting."""
        return self.listed().known

    def listed(self) -> Listed:
        """The same, and which of them are there in part only; the same object as long as nothing is written."""
        if self.folder is None:
            return self._memory
        try:
            with open(os.path.join(self.folder, _LIST), "rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size != self._read[0]:
                    # A line that was cut off in the middle is none.
                    lines = file.read().split(b"\n")[:-1]
                    self._read = size, _listed(line.decode("ascii", "replace") for line in lines)
                return self._read[1]
        except OSError:
            return _NONE

    def write(self, work: Iterator[Work], until: float, told: Callable[[int], None] | None = None) -> bool:
        """Write WORK, each blob once, until UNTIL (monotonic); False where something is left or somebody else writes.

        TOLD hears how many blobs are lasting by now. A damaged index is made anew; a full disk leaves it as it was.
        """
        with self._lock:
            try:
                writer = self._writer(until)
                return self._write(writer, work, until, told)
            except Damaged:
                self._rebuild()
                return False
            except (Busy, OSError):
                return False

    def _writer(self, until: float) -> Writer:
        """The one writer, waited for a while: another search needs it for moments, an indexer for long."""
        last = min(until, time.monotonic() + PATIENCE)
        while True:
            try:
                return self.store().writer()
            except Busy:
                if time.monotonic() > last:
                    raise
                time.sleep(PATIENCE / 20)

    def _write(self, writer: Writer, work: Iterator[Work], until: float, told: Callable[[int], None] | None) -> bool:
        try:
            # Another process may have written since.
            known = set(self.known())
            pending: list[str] = []
            documents, committed, done = 0, time.monotonic(), 0
            complete = True
            for one in work:
                if one.blob in known:
                    continue
                if time.monotonic() > until:
                    complete = False
                    break
                parts = one.chunks()
                made = list(_documents(one, parts))
                writer.forget([one.blob])
                writer.add(made)
                known.add(one.blob)
                pending.append(one.blob if parts.whole else one.blob + _IN_PART)
                documents += len(made)
                if documents > COMMIT_DOCUMENTS or time.monotonic() - committed > COMMIT_SECONDS:
                    done += self._acknowledge(writer.commit, pending)
                    documents, committed, pending = 0, time.monotonic(), []
                    if told is not None:
                        told(done)
            done += self._acknowledge(writer.commit, pending)
            if told is not None:
                told(done)
        except Exception:
            writer.close()
            raise
        # An interrupt, which is no such error, waits for nothing: what is lasting stays, the rest is written again.
        writer.close()
        return complete

    def _acknowledge(self, commit: Callable[[], None], lines: Sequence[str]) -> int:
        if not lines:
            return 0
        commit()
        if self.folder is None:
            more = _listed(lines)
            self._memory = Listed(self._memory.known | more.known, self._memory.in_part | more.in_part)
            return len(lines)
        with open(os.path.join(self.folder, _LIST), "ab") as file:
            # Behind a line that was cut off, the next one would be lost with it.
            if file.tell() and not _ends_in_lf(os.path.join(self.folder, _LIST)):
                file.write(b"\n")
            file.write("".join(f"{line}\n" for line in lines).encode("ascii"))
            file.flush()
            os.fsync(file.fileno())
        return len(lines)

    def search(self, question: Question, limit: int) -> list[tuple[float, Place]]:
        """Score and place of the LIMIT best chunks for QUESTION; none, and a new beginning, where it is damaged."""
        try:
            rows = self.store().search(question, limit)
        except Damaged:
            with self._lock:
                self._rebuild()
            return []
        return [(score, _place(at)) for score, at in rows]

    def store(self) -> Store:
        """The open index; raises `Damaged`, `OSError`."""
        if self._store is None:
            if self.folder is not None:
                os.makedirs(os.path.join(self.folder, "terms"), 0o700, exist_ok=True)
            self._store = Store(None if self.folder is None else os.path.join(self.folder, "terms"))
        return self._store

    def _rebuild(self) -> None:
        """Move what is damaged aside and begin anew; a folder that cannot be moved leaves an index in memory."""
        self._store = None
        self._memory = _NONE
        self._read = (-1, _NONE)
        if self.folder is None:
            return
        aside = f"{self.folder}.{os.getpid()}-{os.urandom(4).hex()}"
        try:
            os.rename(self.folder, aside)
        except FileNotFoundError:
            return
        except OSError:
            self.folder = None
            return
        shutil.rmtree(aside, ignore_errors=True)


def _listed(lines: Iterable[str]) -> Listed:
    rows = list(lines)
    in_part = frozenset(row.removesuffix(_IN_PART) for row in rows if row.endswith(_IN_PART))
    return Listed(in_part.union(row for row in rows if not row.endswith(_IN_PART)), in_part)


def folder_of(cache: str | None, root: str) -> str | None:
    """The folder for the index of what stands at ROOT, below the folder CACHE; that need not exist yet."""
    if cache is None:
        return None
    key = hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:32]
    return os.path.join(cache, f"{key}-{VERSION}")


def _documents(work: Work, parts: Chunks) -> Iterable[Document]:
    path = " ".join(terms(work.path.decode("utf-8", "replace").replace("/", " ")))
    for chunk in parts.rows:
        at = f"{work.blob} {chunk.first} {chunk.last} {chunk.own}{_DECLARED if chunk.declared else ''}"
        yield Document(work.blob, at, chunk.body, chunk.name, chunk.symbol, path)


def _place(at: str) -> Place:
    blob, first, last, own = at.removesuffix(_DECLARED).split(" ")
    return Place(blob, int(first), int(last), int(own), at.endswith(_DECLARED))


def _ends_in_lf(place: str) -> bool:
    with open(place, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
