"""The note on a read whose text has changed: which entries of it did, in a few words."""

from collections.abc import Callable

from budgeted_reads.changes.entries import EntryChange, Sheet, entry_changes
from budgeted_reads.errors import BinaryFile
from budgeted_reads.limits import OUTLINE_BYTES
from budgeted_reads.outline import Outline, Range
from budgeted_reads.pointer import display
from budgeted_reads.text import Text, decode
from budgeted_reads.trees.base import Found

NAMED = 6
"""A note names at most so many entries; the rest is counted."""

NAME = 60
"""A longer name is clipped in a note."""


def note_of(
    since: str,
    old: Found | None,
    new: Sheet | None,
    lines: Range | None,
    outliner: Callable[[Text, bytes], Outline],
    old_path: bytes | None = None,
) -> str:
    """`changed since 0123456789ab: Dock.moor signature, Dock.leave added, +2 more`, of LINES where they are given.

    OLD is what stood there at SINCE, at OLD_PATH where it was renamed; without NEW no entry is named.
    """
    if old is None:
        return f"new since {since}"
    names = [] if new is None else [_told(change) for change in _changes(old, new, lines, outliner)]
    told = names[:NAMED] + ([f"+{len(names) - NAMED} more"] if len(names) > NAMED else [])
    since += "" if old_path is None else f", renamed from {display(old_path)}"
    return f"changed since {since}" + (f": {', '.join(told)}" if told else "")


def _changes(
    old: Found, new: Sheet, lines: Range | None, outliner: Callable[[Text, bytes], Outline]
) -> list[EntryChange]:
    # What is larger is divided into paragraphs, which have no names.
    if old.kind != "file" or max(len(old.raw), len(new.text.raw)) > OUTLINE_BYTES:
        return []
    try:
        text = decode(old.raw)
    except BinaryFile:
        return []
    found = entry_changes(Sheet(text, outliner(text, old.path)), new)
    if lines is None:
        return found
    return [one for one in found if one.new and one.new[0] <= lines[1] and lines[0] <= one.new[1]]


def _told(change: EntryChange) -> str:
    """The name, and what is new about it where it is more than other lines."""
    what = change.of or ("" if change.what == "changed" else change.what)
    return f"{_clipped(change.name)} {what}".rstrip()


def _clipped(name: str) -> str:
    shown = name if name.isprintable() else display(name.encode("utf-8", "surrogatepass"))
    return shown if len(shown) <= NAME else shown[: NAME - 1] + "…"
