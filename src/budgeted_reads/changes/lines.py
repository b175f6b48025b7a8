"""The patch that turns the lines asked for, as they were, into those lines as they are."""

from budgeted_reads import secret
from budgeted_reads.changes.blobs import shows_key
from budgeted_reads.changes.patch import FileChange, moved, parse
from budgeted_reads.changes.seen import Read, Then
from budgeted_reads.errors import ReadError
from budgeted_reads.text import Text
from budgeted_reads.trees.compare import compare_texts
from budgeted_reads.trees.history import committed

LARGEST = 8 << 20
"""Lines of more bytes are not compared: they are read."""

_MODES = ("100644", "100644")


def change_of_lines(read: Read, then: Then, now: Then) -> FileChange | None:
    """What differs between the lines THEN and NOW, which differ, numbered as in their files.

    None where a patch cannot say it, or must not: of what is no file or too large, of a secret file, of a private key.
    """
    old, new, holder = read.seen.found, read.place.found, committed(read.place.tree)
    if old is None or holder is None or not old.kind == new.kind == "file":
        return None
    if any(secret.secret_path(path, read.settings.secrets) for path in (old.path, new.path)):
        return None
    sides = _sides(then, now)
    if max(map(len, sides)) > LARGEST:
        return None
    try:
        (made,) = parse(compare_texts(holder.objects, {new.path: sides}))
    except (ReadError, ValueError):
        return None
    patch = moved(made.patch, then.lines[0] - 1, now.lines[0] - 1)
    if shows_key(patch, (then.text, now.text)):
        return None
    ids = old.blob or "", new.blob or ""
    letter = "M" if read.old_path is None else "R"
    return FileChange(new.path, read.old_path, letter, _MODES, ids, patch=patch, encoding=_utf16(then.text, now.text))


def _sides(then: Then, now: Then) -> tuple[bytes, bytes]:
    """Both as bytes that git can compare by their lines: UTF-16 as what it says."""
    if _utf16(then.text, now.text) is None:
        return then.text.bytes_of(*then.lines), now.text.bytes_of(*now.lines)
    old, new = (side.text.slice(*side.lines).encode("utf-8", "surrogatepass") for side in (then, now))
    return old, new


def _utf16(*texts: Text) -> str | None:
    """The encoding of the last of TEXTS that is UTF-16."""
    return next((text.encoding for text in reversed(texts) if text.encoding.startswith("utf-16")), None)
