"""Files in UTF-16, which git takes for binary: compared by their lines, as they are read."""

from collections.abc import Sequence

from budgeted_reads import secret
from budgeted_reads.changes.patch import ABSENT, FileChange, parse
from budgeted_reads.errors import ReadError
from budgeted_reads.text import decode
from budgeted_reads.trees.compare import Comparison, compare_texts

FILES, LARGEST = 20, 1 << 20
"""So many binary files of one comparison are looked at, and none that is larger."""


def told(changes: Sequence[FileChange], comparison: Comparison, secrets: tuple[str, ...]) -> list[FileChange]:
    """CHANGES, in which files that are UTF-16 on a side have lines and hunks; git could not apply their patch."""
    binary = [change for change in changes if change.binary and not change.halves][:FILES]
    texts: dict[bytes, tuple[bytes | None, bytes | None]] = {}
    encodings: dict[bytes, str] = {}
    for change in binary:
        if any(secret.secret_path(path, secrets) for path in (change.path, change.before)):
            continue
        sides = [_side(change, side, comparison) for side in (0, 1)]
        found = [encoding for side in sides if side is not None and (encoding := side[1]).startswith("utf-16")]
        if found and None not in sides:
            old, new = (None if side is None or side[0] is None else side[0] for side in sides)
            texts[change.path] = old, new
            encodings[change.path] = found[-1]
    if not texts:
        return list(changes)
    made = {one.path: one for one in parse(compare_texts(comparison.objects, texts))}
    return [
        _as_text(change, made[change.path], encodings[change.path]) if change.path in made else change
        for change in changes
    ]


def _side(change: FileChange, side: int, comparison: Comparison) -> tuple[bytes | None, str] | None:
    """One side in UTF-8, and the encoding that it has; None where it is no text, or too large."""
    if change.modes[side] == ABSENT:
        return None, ""
    id = change.ids[side]
    raw = comparison.raws.get(id)
    if raw is None:
        info = comparison.objects.info(id)
        if info is None or info.size > LARGEST:
            return None
        raw = comparison.objects.read(id, "blob")
    if raw is None or len(raw) > LARGEST:
        return None
    try:
        text = decode(raw)
    except ReadError:
        return None
    return None if text.lossy else (text.content.encode("utf-8", "surrogatepass"), text.encoding)


def _as_text(change: FileChange, made: FileChange, encoding: str) -> FileChange:
    return FileChange(
        change.path,
        change.old_path,
        change.letter,
        change.modes,
        change.ids,
        patch=made.patch,
        encoding=encoding,
    )
