"""The two sides of changed files: their texts and outlines, each made once, where it is needed."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from budgeted_reads import secret
from budgeted_reads.changes.blocks import Sides
from budgeted_reads.changes.entries import Sheet
from budgeted_reads.changes.patch import ABSENT, FileChange
from budgeted_reads.derived import Derived
from budgeted_reads.errors import ReadError
from budgeted_reads.large import searched
from budgeted_reads.outline import Outline
from budgeted_reads.text import Text, decode
from budgeted_reads.trees.objects import Objects

OUTLINE_BYTES = 1 << 20
"""The entries of a larger file are not compared."""

KEPT = 64
"""So many texts are kept."""


def _is_secret(name: bytes, patterns: tuple[str, ...]) -> bool:
    """Whether a file of that NAME is secret; most names are told in one look."""
    if name.isascii() and _any_of(patterns).fullmatch(name) is None:
        return False
    return secret.secret_path(name, patterns)


@cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[bytes]:
    """What one of PATTERNS may match, whatever others take back."""
    taken = [pattern for pattern in patterns if not pattern.startswith("!")]
    wild = [re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".") for pattern in taken]
    return re.compile("|".join(wild or ["(?!)"]).encode("utf-8", "surrogateescape"), re.IGNORECASE | re.DOTALL)


_KEY_DATA = re.compile(rb"^[-+ ][A-Za-z0-9+/=]{40,}\r?$", re.MULTILINE)


class Blobs:
    """Reads the sides of changes: `raws` by id first, then OBJECTS. SECRETS are the patterns of secret files."""

    def __init__(
        self,
        objects: Objects,
        raws: Mapping[str, bytes],
        secrets: tuple[str, ...],
        outliner: Callable[[Text, bytes], Outline],
        derived: Derived,
    ) -> None:
        self._objects = objects
        self._raws = raws
        self._secrets = secrets
        self._outliner = outliner
        self._derived = derived
        self._texts: dict[str, Text | None] = {}
        self._closed: dict[bytes, bool] = {}

    @property
    def sides(self) -> Sides:
        """What blocks ask of these files."""
        return Sides(self.sheet, self.size, self.closed, self.holds_key)

    def size(self, id: str) -> int | None:
        """The bytes of the object ID."""
        if id in self._raws:
            return len(self._raws[id])
        info = self._objects.info(id)
        return info.size if info is not None else None

    def text(self, change: FileChange, side: int) -> Text | None:
        """The old (0) or new (1) side of CHANGE; None where it is absent or no text."""
        id = change.ids[side]
        if change.modes[side] not in ("100644", "100755"):
            return None
        if id not in self._texts:
            if len(self._texts) >= KEPT:
                self._texts.pop(next(iter(self._texts)))
            try:
                raw = self._raws.get(id) or self._objects.read(id, "blob")
                self._texts[id] = None if raw is None else decode(raw)
            except ReadError:
                self._texts[id] = None
        return self._texts[id]

    def sheet(self, change: FileChange, side: int) -> Sheet | None:
        """The same with its outline; None also where it is larger than OUTLINE_BYTES."""
        if change.modes[side] == ABSENT:
            return None
        text = self.text(change, side)
        if text is None or len(text.raw) > OUTLINE_BYTES:
            return None
        path = change.path if side else change.before
        kept = self._derived.kept(change.ids[side], path, lambda: text, lambda text: self._outliner(text, path))
        return Sheet(text, kept.sheet.outline)

    def closed(self, change: FileChange) -> bool:
        """Whether CHANGE is of a secret file by the name of either side."""
        found = self._closed.get(change.path)
        if found is None:
            names = {path.rpartition(b"/")[2] for path in (change.path, change.before)}
            found = any(_is_secret(name, self._secrets) for name in names)
            self._closed[change.path] = found
        return found

    def holds_key(self, change: FileChange) -> bool:
        """Whether a private key is in either side of CHANGE, and what looks like a part of one among the lines."""
        return shows_key(change.patch, (self.text(change, side) for side in (0, 1)))


def shows_key(patch: bytes, texts: Iterable[Text | None]) -> bool:
    """Whether lines of PATCH look like a part of a private key, and one is in one of TEXTS."""
    if not _KEY_DATA.search(patch):
        return False
    return any(text is not None and any(map(secret.secret_text, searched(text))) for text in texts)
