"""The texts of files as search looks at them: UTF-8 whatever their encoding, a kind for those that are not plain.

Most files are plain: UTF-8 that git can search as it stands. Which are not is found once for each commit, by one pass
of git over its bytes, and each of those is looked at once.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from budgeted_reads import secret
from budgeted_reads.errors import BinaryFile, FileChanging, TimedOut
from budgeted_reads.pointer import display
from budgeted_reads.search.scope import Scope, Source
from budgeted_reads.text import decode
from budgeted_reads.trees.big import Big
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.git import Child
from budgeted_reads.trees.listing import contents
from budgeted_reads.trees.objects import object_id

LARGEST = 64 << 20
"""A larger file is not searched, and is named so."""

KEPT_BYTES = 96 << 20
"""So much text is kept in memory for the next search."""

HELD_BYTES = KEPT_BYTES // 3
"""The texts of a tree of so many bytes are held from the second search on: git would unpack all of them each time."""

FEW = 32
"""So few files are read at once, without asking git for candidates."""

SURVEYS = 64
"""So many git trees are remembered as looked at, and as held."""

_TOO_LARGE = "too large"

PLAIN, UTF8, DECODED, SECRET, BINARY, UNREAD, CHANGING = range(7)
"""Plain ASCII; UTF-8 beyond it; another encoding; a private key in it; no text; too large or damaged; written to."""

REASONS = {
    SECRET: "secret_file: only its names are searched",
    BINARY: "binary_file",
    UNREAD: f"too_large: more than {LARGEST} bytes, or damaged here",
    CHANGING: "file_changing: somebody writes to it",
}

# What is not plain: a byte that is no ASCII, or the label of a private key.
_NOT_PLAIN = r"[^\x01-\x7F]|PRIVATE KEY"
_KEY = b"PRIVATE KEY"


class Loaded(NamedTuple):
    """A text in UTF-8, and its kind; empty where there is no text."""

    kind: int
    buffer: bytes


class Texts:
    """What is known of blobs, and some of their texts. Safe for several threads: what is lost is found again."""

    def __init__(self) -> None:
        self._kinds: dict[str, int] = {}
        self._surveyed: OrderedDict[str, None] = OrderedDict()
        self._held: OrderedDict[str, str] = OrderedDict()
        self._kept: OrderedDict[str, Loaded] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    @property
    def told_apart(self) -> int:
        """How many blobs are known to be of another kind than PLAIN; as long as it is the same, every kind is."""
        return len(self._kinds)

    def kind(self, source: Source) -> int:
        """The kind of SOURCE, which is PLAIN unless a survey found another."""
        return SECRET if source.secret else self._kinds.get(source.blob, PLAIN)

    def survey(self, scope: Scope, until: float) -> bool:
        """Find the kinds of the files of SCOPE that git has; False where UNTIL passed before all were looked at."""
        tree, root = scope.tree, scope.root
        if root is None or root in self._surveyed or not isinstance(tree, Committed):
            return True
        ids = {source.path: source.blob for source in scope.listed}
        rows = _not_plain(tree, root, until)
        if rows is None:
            unlike = set(ids.values())
        else:
            below = scope.below + b"/" if scope.below else b""
            unlike = {ids[path] for row in rows if (path := below + row) in ids}
        unknown = [id for id in sorted(unlike) if id not in self._kinds]
        for id, raw in contents(tree, unknown, LARGEST):
            self._keep(id, look(raw))
            if time.monotonic() > until:
                return False
        with self._lock:
            self._surveyed[root] = None
            while len(self._surveyed) > SURVEYS:
                self._surveyed.popitem(last=False)
        return True

    def at_hand(self, scope: Scope, sources: Sequence[Source], until: float) -> bool:
        """Whether the texts of SOURCES, files of SCOPE that git has, are in memory, but for a few."""
        self._hold(scope, until)
        with self._lock:
            return sum(source.blob not in self._kept for source in sources) <= FEW

    def _hold(self, scope: Scope, until: float) -> None:
        """Bring the texts of SCOPE into memory, at the second search of it; once for each git tree, if it is small.

        Where they have not stayed there, because others took their place, no later search tries again.
        """
        folder, root = f"{scope.tree.name}\0{scope.below.hex()}", scope.root or ""
        with self._lock:
            before = self._held.pop(folder, None)
            self._held[folder] = "" if before is None else before if before == _TOO_LARGE else root
            while len(self._held) > SURVEYS:
                self._held.popitem(last=False)
        if before in (None, _TOO_LARGE, root):
            return
        held = 0
        plain = [source for source in scope.listed if self.kind(source) in (PLAIN, UTF8)]
        for _, loaded in self.load(scope, plain):
            held += len(loaded.buffer)
            if held > HELD_BYTES:
                self._held[folder] = _TOO_LARGE
            if held > HELD_BYTES or time.monotonic() > until:
                return

    def load(self, scope: Scope, sources: Sequence[Source]) -> Iterator[tuple[Source, Loaded]]:
        """Each of SOURCES, files of SCOPE, with its text; those in memory first. Equal files are read once."""
        missing: dict[str, list[Source]] = {}
        for source in sources:
            kept = self._take(source.blob)
            if kept is None and source.raw is not None:
                try:
                    kept = look(held(source) if len(source.raw) <= LARGEST else None)
                    self._keep(source.blob, kept)
                except FileChanging:
                    # One file that is written to is no reason to search none.
                    kept = Loaded(CHANGING, b"")
            if kept is not None:
                yield source, kept
            else:
                missing.setdefault(source.blob, []).append(source)
        if missing and isinstance(scope.tree, Committed):
            for id, raw in contents(scope.tree, list(missing), LARGEST):
                loaded = look(raw)
                self._keep(id, loaded)
                for source in missing[id]:
                    yield source, loaded

    def _take(self, blob: str) -> Loaded | None:
        with self._lock:
            kept = self._kept.get(blob)
            if kept is not None:
                self._kept.move_to_end(blob)
            return kept

    def _keep(self, blob: str, loaded: Loaded) -> None:
        with self._lock:
            if loaded.kind != PLAIN:
                self._kinds[blob] = loaded.kind
            if blob in self._kept or len(loaded.buffer) > KEPT_BYTES // 8:
                return
            self._kept[blob] = loaded
            self._bytes += len(loaded.buffer)
            while self._bytes > KEPT_BYTES:
                self._bytes -= len(self._kept.popitem(last=False)[1].buffer)


def held(source: Source) -> bytes:
    """The bytes of SOURCE, a file of the disk, as they were when it was found, whatever was appended since.

    Raises `file_changing`.
    """
    raw = bytes(source.raw[:]) if source.raw is not None else b""
    if isinstance(source.raw, Big) and object_id("blob", raw, len(source.blob)) != source.blob:
        raise FileChanging(f"{display(source.path)} changed while it was read", "ask again when nothing writes to it")
    return raw


def look(raw: bytes | None) -> Loaded:
    """RAW as search looks at it; None is what could not be read."""
    if raw is None:
        return Loaded(UNREAD, b"")
    if raw.isascii() and b"\0" not in raw and _KEY not in raw:
        return Loaded(PLAIN, raw)
    try:
        text = decode(raw)
    except BinaryFile:
        return Loaded(BINARY, b"")
    if "PRIVATE KEY" in text.content and secret.secret_text(text.content):
        return Loaded(SECRET, b"")
    if text.encoding == "utf-8" and not text.lossy:
        return Loaded(PLAIN if raw.isascii() else UTF8, raw)
    return Loaded(DECODED, text.content.encode("utf-8", "surrogatepass"))


def _not_plain(tree: Committed, root: str, until: float) -> list[bytes] | None:
    """Paths below the git tree ROOT of files that are not plain; None where this git cannot tell."""
    child = Child(tree.objects.repository, "grep", "-a", "-l", "-z", "--no-color", "-P", "-e", _NOT_PLAIN, root)
    try:
        child.hang_up()
        out = child.rest(1 << 28, until)
        status = child.close()
    except TimedOut:
        return None
    finally:
        child.close(kill=True)
    if status not in (0, 1):
        return None
    skip = len(root) + 1
    return [row[skip:] for row in out.split(b"\0") if row]
