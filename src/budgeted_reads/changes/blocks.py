"""One changed file at one level of detail, as text: its row, its entries, its hunks, its patch.

The patch is what `git apply` takes, with no more around it than that needs. Blocks never start with white space or a
slash, so what they cost adds up.
"""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from budgeted_reads import pointer
from budgeted_reads.changes.entries import EntryChange, Sheet, entry_changes, named_entries
from budgeted_reads.changes.patch import ABSENT, SUBMODULE, FileChange, Hunk, Part
from budgeted_reads.changes.words import Size, generated, only, words
from budgeted_reads.errors import BinaryFile
from budgeted_reads.outline import Range
from budgeted_reads.text import decode
from budgeted_reads.views.sections import Named, innermost, named

FILES, ENTRIES, HUNKS, CLOSE, PATCH = range(5)
"""Levels of detail of one file. CLOSE is a patch without lines around the changes, PATCH has three."""

LEVEL_NAMES = ("files", "entries", "hunks", "patch", "patch")

LETTERS = {"added": "A", "deleted": "D", "modified": "M", "renamed": "R", "submodule": "S"}

LATER = 8
"""What nobody reads for its own sake (locks, bundles, white space) opens as late as if it were so many times larger."""

_PLAIN = re.compile(rb"[A-Za-z0-9_./+=,~-]+")
_ESCAPED = re.compile(rb'[\x00-\x1f"\\\x7f]')


class Sides(NamedTuple):
    """What blocks need to know beside the changes. `sheet` gives the old (0) or new (1) side of a file with its
    outline, None where that side is absent, no text or over a limit; `size` an object's bytes; `closed` whether a file
    is secret by its name, `holds_key` by its content: of neither is any content shown."""

    sheet: Callable[[FileChange, int], Sheet | None]
    size: Size
    closed: Callable[[FileChange], bool]
    holds_key: Callable[[FileChange], bool]


class Block:
    """One file, and its text at each level; each is made once, where it is asked for."""

    def __init__(self, change: FileChange, sides: Sides) -> None:
        self.change = change
        self.sides = sides
        self._texts: dict[int, str] = {}
        self._entries: list[EntryChange] | None = None
        self.lossy = False
        self.hidden = sides.closed(change)

    @cached_property
    def finest(self) -> int:
        """The finest level that there is: a row where lines say nothing, or must not be shown."""
        change = self.change
        if SUBMODULE in change.modes or self.hidden or change.binary or change.by_other_lines:
            return FILES
        if change.patch or any(half.patch for half in change.halves):
            return PATCH
        bare = change.letter in "ADR" or change.modes[0] != change.modes[1]
        return PATCH if bare and not (change.added or change.removed) else FILES

    def steps(self) -> list[tuple[int, int]]:
        """The levels above FILES that are worth a step, each with its size: what decides when it opens."""
        if self.finest == FILES:
            return []
        change = self.change
        whole = max(1, len(change.patch) + sum(len(half.patch) for half in change.halves))
        weight = LATER if generated(change.path) or only(change) else 2 if change.path.startswith(b".") else 1
        hunks = change.hunk_count
        found = []
        close = change.added + change.removed
        told = 36 * max(hunks, close // 12)
        if told < whole // 3 and not change.halves:
            found = [(ENTRIES, told), (HUNKS, told + 24 * hunks)]
        lines = change.patch.count(b"\n") or 1
        if close < lines // 2:
            found.append((CLOSE, whole * close // lines + 24 * hunks))
        sizes = [size * weight for _, size in found] + [whole * weight]
        levels = [level for level, _ in found] + [PATCH]
        # A finer level never opens before a coarser one.
        return [(level, max(sizes[: at + 1])) for at, level in enumerate(levels)]

    def text(self, level: int) -> str:
        """The file at LEVEL."""
        made = self._texts.get(level)
        if made is None:
            made = self._texts[level] = self._make(level)
        return made

    def _make(self, level: int) -> str:
        if level == FILES:
            return row(self.change, self.sides.size, closed=self.hidden)
        if self.sides.holds_key(self.change):
            self.hidden = True
            return row(self.change, self.sides.size, closed=True)
        if level == ENTRIES:
            rows = [f"  {change.row()}\n" for change in self.entries]
            return self.text(FILES) + "".join(rows) + self._elsewhere()
        if level == HUNKS:
            return self.text(FILES) + "".join(self._headed())
        said = words(self.change, self.sides.size)
        body = self._patch(level)
        return self.text(FILES) + body if said or not body else body

    @property
    def entries(self) -> list[EntryChange]:
        """The entries that differ."""
        if self._entries is None:
            self._entries = entry_changes(self.sides.sheet(self.change, 0), self.sides.sheet(self.change, 1))
        return self._entries

    def _elsewhere(self) -> str:
        """How many changed lines no entry of the list has."""
        new = [change.new for change in self.entries if change.new]
        old = [change.old for change in self.entries if change.old]
        count = 0
        for hunk in self.change.hunks:
            for part in hunk.parts:
                ranges, (first, lines) = (new, part.new) if part.new[1] else (old, part.old)
                if not any(a <= first and first + lines - 1 <= b for a, b in ranges):
                    count += part.old[1] + part.new[1]
        return f"  {count} lines outside of entries\n" if count else ""

    def _headed(self) -> Iterator[str]:
        """`@@ -12,3 +12,4 @@ changed Dock.moor body 10-40`: the lines on both sides, and the entries that differ there.

        Where none does, the one that the lines lie in.
        """
        left = list(self.entries)
        for hunk in self.change.hunks:
            here = [change for change in left if _meets(change.new, hunk.new) or _meets(change.old, hunk.old)]
            left = [change for change in left if change not in here]
            said = "; ".join(change.row() for change in here) or self._around(hunk)
            old, new = _counted(hunk.old, hunk.around.old[0]), _counted(hunk.new, hunk.around.new[0])
            yield Part(old, new, b"").head() + (f" {said}" if said else "") + "\n"
        yield from (f"  {change.row()}\n" for change in left)

    def _around(self, hunk: Hunk) -> str | None:
        lines, side = (hunk.new, 1) if hunk.new else (hunk.old, 0)
        sheet = self.sides.sheet(self.change, side)
        if sheet is None or lines is None:
            return None
        everything: list[Named] = list(named(named_entries(sheet)))
        holding = [one for one in everything if one.entry.start <= lines[0] and lines[1] <= one.entry.end]
        found = innermost(holding, lines[0]) or innermost(everything, lines[0])
        return found.name if found else None

    def _patch(self, level: int) -> str:
        change = self.change
        if change.halves:
            return "".join(self._one(half, level) for half in change.halves)
        return self._one(change, level)

    def _one(self, change: FileChange, level: int) -> str:
        head = patch_head(change)
        if not change.patch:
            return head
        if level == PATCH:
            parts = [hunk.around for hunk in change.hunks]
        else:
            parts = [part for hunk in change.hunks for part in hunk.parts]
        text = self._decoded(b"".join(part.head().encode() + b"\n" + part.body for part in parts))
        return head + text

    def _decoded(self, body: bytes) -> str:
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError:
            pass
        try:
            text = decode(body)
        except BinaryFile:
            self.lossy = True
            return body.decode("utf-8", "replace")
        self.lossy = self.lossy or text.lossy or text.guessed
        return text.content


def row(change: FileChange, size: Size, *, closed: bool = False) -> str:
    """The file on one line: `M src/dock.py +3 -2`, and in words what lines do not say."""
    name = pointer.display(change.path)
    if change.old_path is not None:
        name = f"{pointer.display(change.old_path)} -> {name}"
    parts = [LETTERS[change.status], name]
    if change.status != "submodule" and not change.binary:
        parts.append(f"+{change.added} -{change.removed}")
    parts += words(change, size) if not closed else ["secret_file"]
    return " ".join(parts) + "\n"


def patch_head(change: FileChange) -> str:
    """The lines above the first hunk: the two that every patch has, git's own where they do not say it all."""
    old, new = change.modes
    before, after = _name(b"a/", change.before), _name(b"b/", change.path)
    lines = [
        f"--- {'/dev/null' if old == ABSENT else before}",
        f"+++ {'/dev/null' if new == ABSENT else after}",
    ]
    simple = all(_PLAIN.fullmatch(path) for path in (change.before, change.path))
    plain = {"100644", ABSENT} >= {old, new} or old == new == "100755"
    if simple and plain and change.patch and change.old_path is None:
        return "\n".join(lines) + "\n"
    told = [f"diff --git {_name(b'a/', change.before)} {after}".replace("\t", "")]
    if old == ABSENT:
        told.append(f"new file mode {new}")
    elif new == ABSENT:
        told.append(f"deleted file mode {old}")
    elif old != new:
        told += [f"old mode {old}", f"new mode {new}"]
    if change.old_path is not None:
        told += [f"rename from {_name(b'', change.old_path)}", f"rename to {_name(b'', change.path)}"]
        told = [line.rstrip("\t") for line in told]
    if old == new and old != "100644":
        told.append(f"index {change.ids[0][:7]}..{change.ids[1][:7]} {old}")
    # A header without hunks ends at a line that is none of git's: else the next file is taken for a part of it.
    return "\n".join(told + (lines if change.patch else [""])) + "\n"


def _name(prefix: bytes, path: bytes) -> str:
    """PATH as a patch has it: in quotes where it holds what would end it, with a tab behind it where it has spaces."""
    whole = prefix + path
    text = whole.decode("utf-8", "surrogateescape")
    if _ESCAPED.search(whole) or not text.isprintable():
        return '"' + "".join(_octal(byte) for byte in whole) + '"'
    return text + "\t" if b" " in whole else text


def _octal(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}"


def _meets(one: Range | None, other: Range | None) -> bool:
    return one is not None and other is not None and one[0] <= other[1] and other[0] <= one[1]


def _counted(lines: tuple[int, int] | None, around: int) -> tuple[int, int]:
    if lines is None:
        return around, 0
    return lines[0], lines[1] - lines[0] + 1
