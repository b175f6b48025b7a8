"""What git printed, as values: files that differ, their hunks, and the lines on both sides.

In a patch every line of content has a mark before it, so a line that starts with `diff --git` or `@@` is git's own,
whatever the files hold; paths come from the raw list, where odd ones are quoted.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from budgeted_reads.outline import Range

_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@[^\n]*\n", re.MULTILINE)
_FILE = b"\ndiff --git "
_ESCAPE = re.compile(rb'\\([abfnrtv"\\]|[0-3][0-7]{2})')
_CONTROLS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}

_MARKS = (b"\xff\xfe", b"\xfe\xff")
_MARKED = re.compile(rb"^[-+ ](\xff\xfe|\xfe\xff)", re.MULTILINE)

ABSENT = "000000"
LINK, SUBMODULE = "120000", "160000"

STATUS = {"A": "added", "D": "deleted", "M": "modified", "R": "renamed", "C": "added", "T": "modified"}


class Part(NamedTuple):
    """Lines that differ with what git prints around them. `old` and `new` are first line and number of lines; where
    there are none, the first is the one after which they would stand. `body` is the lines with their marks."""

    old: tuple[int, int]
    new: tuple[int, int]
    body: bytes

    def head(self) -> str:
        """The line that git puts above the lines: `@@ -1,3 +1,4 @@`."""
        return f"@@ -{_span(self.old)} +{_span(self.new)} @@"


class Hunk(NamedTuple):
    """Changes that stand close together. `old` and `new` run from the first line that differs to the last, None where
    that side has none; `around` is the hunk as git prints it, with three lines around, `parts` without any."""

    old: Range | None
    new: Range | None
    around: Part
    parts: tuple[Part, ...]


class FileChange:
    """One file that differs. `added` and `removed` count lines; `patch` is its hunks as git printed them, empty where
    it has none or they were not asked for. `halves` is, for a file that became something else, what went and what came.
    `encoding` is there for text that git takes for binary.
    """

    def __init__(
        self,
        path: bytes,
        old_path: bytes | None,
        letter: str,
        modes: tuple[str, str],
        ids: tuple[str, str],
        *,
        patch: bytes = b"",
        binary: bool = False,
        counts: tuple[int, int] | None = None,
        halves: tuple["FileChange", ...] = (),
        encoding: str | None = None,
    ) -> None:
        self.path = path
        self.old_path = old_path
        self.letter = letter
        self.modes = modes
        self.ids = ids
        self.patch = patch
        self.binary = binary
        self.halves = halves
        self.encoding = encoding
        if counts is None:
            counts = patch.count(b"\n+"), patch.count(b"\n-")
        self.added, self.removed = counts

    @property
    def status(self) -> str:
        """The word of the contract: added, modified, deleted, renamed or submodule."""
        return "submodule" if SUBMODULE in self.modes else STATUS[self.letter]

    @property
    def before(self) -> bytes:
        """The path on the old side."""
        return self.old_path or self.path

    @cached_property
    def by_other_lines(self) -> bool:
        """Whether it may be UTF-16, whose lines are not those that git counts: then nothing is said by lines."""
        return (
            self.encoding is None
            and any(mark in self.patch for mark in _MARKS)
            and _MARKED.search(self.patch) is not None
        )

    @cached_property
    def hunk_count(self) -> int:
        """How many hunks there are."""
        return self.patch.count(b"\n@@ -") + 1 if self.patch else sum(half.hunk_count for half in self.halves)

    @cached_property
    def hunks(self) -> tuple[Hunk, ...]:
        """The hunks in line order."""
        if self.by_other_lines:
            return ()
        if self.halves:
            return tuple(hunk for half in self.halves for hunk in half.hunks)
        return tuple(map(_hunk, _parts(self.patch)))


def parse(out: bytes, counts: bytes | None = None) -> list[FileChange]:
    """The files of a raw list and the patch behind it; with COUNTS, the numbers of `--numstat -z` in its place."""
    raw, _, patch = out.partition(b"\n\n") if not out.startswith(b"\n") else (b"", b"", b"")
    rows = [_row(line) for line in raw.split(b"\n") if line.startswith(b":")]
    if counts is not None:
        return list(_counted(rows, counts))
    chunks = iter([patch[a:b] for a, b in pairwise([*_starts(patch), len(patch)])])
    return [_with_patch(row, chunks) for row in rows]


def moved(patch: bytes, old: int, new: int) -> bytes:
    """The hunks of PATCH so many lines further down: OLD on the old side, NEW on the new one."""

    def head(found: re.Match[bytes]) -> bytes:
        sides = (int(found[1]) + old, int(found[2] or 1)), (int(found[3]) + new, int(found[4] or 1))
        return Part(*sides, b"").head().encode() + b"\n"

    return _HUNK.sub(head, patch)


def _starts(patch: bytes) -> Iterator[int]:
    """Where each file of PATCH begins."""
    at = 0 if patch.startswith(_FILE[1:]) else patch.find(_FILE) + 1
    while at or patch.startswith(_FILE[1:]):
        yield at
        at = patch.find(_FILE, at) + 1
        if not at:
            return


class _Row(NamedTuple):
    path: bytes
    old_path: bytes | None
    letter: str
    modes: tuple[str, str]
    ids: tuple[str, str]

    @property
    def splits(self) -> bool:
        """Whether git prints it as one file that goes and one that comes."""
        return ABSENT not in self.modes and self.modes[0][:2] != self.modes[1][:2]


def _row(line: bytes) -> _Row:
    head, *names = line.split(b"\t")
    old_mode, new_mode, old_id, new_id, status = head[1:].decode("ascii").split(" ")
    paths = [unquoted(name) for name in names]
    old_path = paths[0] if len(paths) == 2 else None
    return _Row(paths[-1], old_path, status[0], (old_mode, new_mode), (old_id, new_id))


def _with_patch(row: _Row, chunks: Iterator[bytes]) -> FileChange:
    if not row.splits:
        body, binary = _body(next(chunks, b""))
        return FileChange(*row, patch=body, binary=binary)
    halves = []
    for letter, side in (("D", 0), ("A", 1)):
        body, binary = _body(next(chunks, b""))
        modes = (row.modes[0], ABSENT) if side == 0 else (ABSENT, row.modes[1])
        halves.append(FileChange(row.path, None, letter, modes, row.ids, patch=body, binary=binary))
    counts = sum(half.added for half in halves), sum(half.removed for half in halves)
    return FileChange(*row, binary=any(half.binary for half in halves), counts=counts, halves=tuple(halves))


def _body(chunk: bytes) -> tuple[bytes, bool]:
    """The hunks of one file, and whether git says that it is binary."""
    first = chunk.find(b"\n@@ -")
    if first >= 0:
        return chunk[first + 1 :], False
    return b"", b"\nBinary files " in chunk


def _counted(rows: Sequence[_Row], counts: bytes) -> Iterator[FileChange]:
    fields = iter(counts.split(b"\0"))
    for row in rows:
        added, removed, name = next(fields, b"0\t0\t").split(b"\t", 2)
        if not name:  # a rename: both paths follow
            next(fields, None)
            next(fields, None)
        binary = added == b"-"
        yield FileChange(*row, binary=binary, counts=(0, 0) if binary else (int(added), int(removed)))


def _parts(patch: bytes) -> Iterator[Part]:
    heads = list(_HUNK.finditer(patch))
    for at, head in enumerate(heads):
        end = heads[at + 1].start() if at + 1 < len(heads) else len(patch)
        old, new = (int(head[1]), int(head[2] or 1)), (int(head[3]), int(head[4] or 1))
        yield Part(old, new, patch[head.end() : end])


def _hunk(around: Part) -> Hunk:
    parts: list[Part] = []
    old, new = _first(around.old), _first(around.new)
    taken: list[bytes] = []
    counts = [0, 0]
    for line in [*around.body.split(b"\n")[:-1], b" "]:
        mark = line[:1]
        if mark == b"\\":
            if taken:
                taken.append(line)
            continue
        if mark not in (b"-", b"+"):
            if taken:
                body = b"\n".join(taken) + b"\n"
                parts.append(Part(_given(old - counts[0], counts[0]), _given(new - counts[1], counts[1]), body))
                taken, counts = [], [0, 0]
            old, new = old + 1, new + 1
            continue
        taken.append(line)
        if mark == b"-":
            old, counts[0] = old + 1, counts[0] + 1
        else:
            new, counts[1] = new + 1, counts[1] + 1
    return Hunk(_tight([part.old for part in parts]), _tight([part.new for part in parts]), around, tuple(parts))


def _tight(spans: list[tuple[int, int]]) -> Range | None:
    """From the first line of SPANS to the last; None where they have none."""
    lines = [(first, first + count - 1) for first, count in spans if count]
    return (lines[0][0], lines[-1][1]) if lines else None


def _first(span: tuple[int, int]) -> int:
    """The number of the first line of a side, the next one where it has none."""
    return span[0] if span[1] else span[0] + 1


def _given(first: int, count: int) -> tuple[int, int]:
    return (first, count) if count else (first - 1, 0)


def _span(span: tuple[int, int]) -> str:
    return str(span[0]) if span[1] == 1 else f"{span[0]},{span[1]}"


def unquoted(path: bytes) -> bytes:
    """The path that git printed as PATH, in quotes or without."""
    if not path.startswith(b'"'):
        return path
    return _ESCAPE.sub(lambda found: _byte(found[1]), path[1:-1])


def _byte(escaped: bytes) -> bytes:
    if len(escaped) == 3:
        return bytes([int(escaped, 8)])
    return _CONTROLS.get(escaped, escaped)
