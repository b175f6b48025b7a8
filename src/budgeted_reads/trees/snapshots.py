"""What a tree keeps beside itself: the bytes it has served that are not committed, and commits that may be lost.

One `Snapshots` belongs to one tree. Whatever goes wrong here costs the pointer, never the answer: `Unkept` says why.
"""

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple, cast

from budgeted_reads import limits, secret
from budgeted_reads.errors import BinaryFile, FileChanging, TooLarge
from budgeted_reads.text import decode
from budgeted_reads.trees.base import Found
from budgeted_reads.trees.big import PIECE, Big
from budgeted_reads.trees.home import own_folder
from budgeted_reads.trees.spine import Bytes, base_of, spine
from budgeted_reads.trees.store import Piece, Store, Unkept

DAY = 86_400
_AGED = "aged"
_KNOWN = 1000

_OVERLAP = 1 << 16
"""A key is found in a piece of so many bytes more than the last: none is longer."""


class Keeping(NamedTuple):
    """How much is kept and for how long: bytes on disk, days since the last use; files by `secrets` never are."""

    quota_bytes: int = 1 << 30
    age_days: int = 90
    secrets: tuple[str, ...] = secret.DEFAULT


class Snapshots:
    """Snapshots and pins of the tree at ROOT, ids of DIGITS."""

    def __init__(self, root: str, digits: int, keeping: Keeping) -> None:
        self.keeping = keeping
        self.digits = digits
        self.why_off: str | None = None
        self._known: set[str] = set()
        self._pinned: set[tuple[str, bytes]] = set()
        folder = state_folder()
        if folder is None:
            self.why_off = "there is no state folder for snapshots: set XDG_STATE_HOME to one"
        elif os.path.commonpath((folder, root)) == root:
            self.why_off = "the state folder for snapshots lies inside this tree: set XDG_STATE_HOME to one outside"
        key = hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
        self.store = Store(os.path.join(folder or "/nonexistent", f"{key}-{digits}.git"), digits, root)

    @property
    def trouble(self) -> str | None:
        """Why nothing can be kept, None where nothing is known to be in the way."""
        return self.why_off or self.store.trouble

    def refusal(self, path: bytes, raw: bytes) -> str | None:
        """Why the bytes RAW at PATH are not kept, None where they may be."""
        if self.why_off is not None:
            return self.why_off
        if isinstance(raw, Big) and len(raw) > limits.HELD_BYTES:
            return f"it has {len(raw)} bytes, which are too many to be kept: commit the file"
        if secret.secret_path(path, self.keeping.secrets) or _holds_key(raw):
            return "a secret file is not stored, so it has no pointer"
        return None

    def refusals(self, files: Mapping[bytes, bytes]) -> dict[bytes, str]:
        """Why those of FILES that are refused are, by path."""
        found = ((path, self.refusal(path, raw)) for path, raw in files.items())
        return {path: reason for path, reason in found if reason is not None}

    def together(self, files: Mapping[bytes, bytes], left_out: Mapping[bytes, str], base: str | None) -> str | None:
        """The id of one snapshot of FILES without those LEFT_OUT; None where none is left or it cannot be kept."""
        try:
            kept = {path: Bytes("file", _still(raw)) for path, raw in files.items() if path not in left_out}
            return self.take(kept, base) if kept else None
        except (Unkept, FileChanging):
            return None

    def take(self, files: Mapping[bytes, Bytes], base: str | None) -> str:
        """The id of the snapshot that holds FILES, kept from now on; they were changed from the commit BASE.

        Raises `Unkept`. Which files may be kept is the caller's question.
        """
        pieces = spine(files, base, self.digits)
        commit = pieces[-1].id
        if commit not in self._known or not self.store.again("snapshots", commit):
            self.keep("snapshots", commit, pieces)
            if len(self._known) >= _KNOWN:
                self._known.clear()
            self._known.add(commit)
        return commit

    def keep(self, kind: str, commit: str, pieces: Iterable[Piece]) -> None:
        """Keep COMMIT with PIECES as that kind of reference; raises `Unkept` with the reason."""
        if self.why_off is not None:
            raise Unkept(self.why_off)
        quota = self.keeping.quota_bytes
        try:
            self._age()
            pieces = list(pieces)
            need = self.store.keep(kind, commit, pieces, quota)
            if 0 < need <= quota:
                from budgeted_reads.trees.retention import prune

                prune(self.store, quota - need, None)
                need = self.store.keep(kind, commit, pieces, quota)
        except OSError as error:
            if self.store.kept(kind, commit):
                # What was kept before stays kept where nothing can be written any more.
                return
            raise Unkept(f"the snapshot cannot be written: {error.strerror or type(error).__name__}") from error
        if need:
            raise Unkept(f"the snapshot takes {need} bytes, the quota is {quota}")

    def serve(
        self, found: Found, refusal: Callable[[], str | None], *, wanted: bool, digest: Callable[[bytes], str]
    ) -> Found:
        """FOUND, whose bytes are not committed, with a snapshot of them where one is WANTED and can be taken.

        REFUSAL tells why else it may not be kept; it is asked last. DIGEST gives the id of a blob.
        """
        reason = self.refusal(found.path, found.raw) or refusal()
        if reason is not None or not wanted:
            return found._replace(reason=reason)
        try:
            found = found._replace(raw=_still(found.raw))
            commit = self.take({found.path: Bytes(found.kind, found.raw)}, found.base)
        except Unkept as error:
            return found._replace(reason=str(error))
        return found._replace(commit=commit, blob=digest(found.raw), reason=None)

    def has_pin(self, commit: str, *paths: bytes) -> bool:
        """Whether what stands at PATHS at COMMIT was pinned by this process and still is."""
        return self._pinned.issuperset((commit, path) for path in paths) and self.store.again("pins", commit)

    def pin(self, commit: str, path: bytes, pieces: Iterable[Piece]) -> None:
        """Keep PIECES, which are what stands at PATH at COMMIT; raises `Unkept`."""
        self.keep("pins", commit, pieces)
        if len(self._pinned) >= _KNOWN:
            self._pinned.clear()
        self._pinned.add((commit, path))

    def base(self, commit: str) -> tuple[str | None] | None:
        """The base of the snapshot COMMIT, None in a tuple where it has none; None where COMMIT is no snapshot here."""
        if not self.store.use("snapshots", commit):
            return None
        piece = self.store.get(commit)
        return None if piece is None else (base_of(piece.raw),)

    def _age(self) -> None:
        """Once a day give up what nobody has used for long."""
        if not self.store.exists:
            return
        stamp = os.path.join(self.store.place, _AGED)
        now = time.time()
        with suppress(FileNotFoundError):
            if now - os.stat(stamp).st_mtime < DAY:
                return
        from budgeted_reads.trees.retention import kept, prune

        with open(stamp, "ab"):
            os.utime(stamp)
        since = now - self.keeping.age_days * DAY
        if any(row.used < since for row in kept(self.store)):
            prune(self.store, None, since)


def state_folder() -> str | None:
    """Where the stores of all trees are, whether it is there or not; None where this user has no place for it."""
    return own_folder("XDG_STATE_HOME", ".local/state", "budgeted-reads", "snapshots", make=False)


def _still(raw: bytes) -> bytes:
    """RAW where nobody can change it: it is named by its hash and then written, both times the same bytes.

    Raises `Unkept` where there is no room for that, `file_changing`.
    """
    try:
        return cast("bytes", raw.copy()) if isinstance(raw, Big) else raw
    except TooLarge as error:
        raise Unkept(error.detail) from error


def _holds_key(raw: bytes) -> bool:
    if isinstance(raw, Big):
        return any(_holds_key(raw[max(0, at - _OVERLAP) : at + PIECE]) for at in range(0, len(raw), PIECE))
    if b"PRIVATE KEY" not in (raw.replace(b"\0", b"") if b"\0" in raw else raw):
        return False
    try:
        return secret.secret_text(decode(raw).content)
    except BinaryFile:
        return False
