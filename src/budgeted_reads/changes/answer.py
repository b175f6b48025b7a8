"""The answer to a question for changes, as a value and as JSON."""

from collections.abc import Sequence
from typing import NamedTuple

from budgeted_reads.answer import merged, tokenizer_row
from budgeted_reads.changes.patch import Hunk
from budgeted_reads.evidence.make import Evidence
from budgeted_reads.limits import MAX_ROWS
from budgeted_reads.outline import Range, Warned
from budgeted_reads.pointer import format_pointer

MAX_FILES = 1000
"""At most this many rows in `files`; the rest is in the totals, and a warning says so."""


class Source(NamedTuple):
    """One side of a file: where a pointer to it leads. `commit` is None where its bytes are not committed."""

    node: str
    tree: str
    path: bytes
    commit: str | None

    def side(self, lines: Range | None) -> dict[str, object] | None:
        """LINES of this side, with their pointer where they have one; None for no lines."""
        if lines is None:
            return None
        pointer = None
        if self.commit is not None:
            pointer = format_pointer(self.node, self.tree, self.path, self.commit, lines)
        return {"lines": lines, "pointer": pointer}


class FileRow(NamedTuple):
    """One row of `files`. `view` is the level of this file, None where `content` only counts it."""

    path: str
    old_path: str | None
    status: str
    added: int
    removed: int
    binary: bool
    words: tuple[str, ...]
    view: str | None
    hunks: tuple[dict[str, object], ...]


class More(NamedTuple):
    """A request that shows more, and the least budget that returns it: of one file, or (`path` None) of the same."""

    view: str
    path: str | None
    tokens: int

    def text(self) -> str:
        """The request as text faces print it."""
        return " ".join([self.view, *([self.path] if self.path else []), f"{self.tokens}t"])

    def to_dict(self) -> dict[str, object]:
        """The JSON object."""
        return {name: value for name, value in self._asdict().items() if value is not None}


class DiffAnswer(NamedTuple):
    """What changed. On text faces `text` is the whole answer, and `tokens` counts that; else `content` is."""

    view: str
    tokens: int
    upper_bound: int
    budget_tokens: int
    tokenizer: str
    exact: bool
    content: str
    text: str
    files: tuple[FileRow, ...]
    file_total: int
    added: int
    removed: int
    unnamed: int
    old: str
    new: str | None
    snapshot: dict[str, object] | None
    evidence: tuple[Evidence, ...]
    next: tuple[More, ...]
    warnings: tuple[Warned, ...]

    @property
    def degraded(self) -> bool:
        """Whether a file is told in less detail than its patch."""
        return self.view not in ("patch", "unchanged")

    def to_dict(self) -> dict[str, object]:
        """The JSON body of CONTRACT section 7."""
        return {
            "view": self.view,
            "requested_view": "auto",
            "degraded": self.degraded,
            "tokens": self.tokens,
            "budget_tokens": self.budget_tokens,
            "tokenizer": tokenizer_row(self.tokenizer, self.exact, self.upper_bound),
            "generated": False,
            "truncated": False,
            "content": self.content,
            "evidence": [row.to_dict() for row in self.evidence],
            "files": [row._asdict() for row in self.files],
            "file_total": self.file_total,
            "added": self.added,
            "removed": self.removed,
            "omitted": {"files": self.unnamed} if self.unnamed else None,
            "next": [more.to_dict() for more in self.next],
            "from": self.old,
            "commit": self.new,
            "snapshot": self.snapshot,
            "warnings": [warned._asdict() for warned in merged(self.warnings)],
        }


def joined(hunks: Sequence[Hunk]) -> list[tuple[Range | None, Range | None]]:
    """The lines of HUNKS on both sides, at most MAX_ROWS: beyond, neighbours are one."""
    rows = [(hunk.old, hunk.new) for hunk in hunks]
    if len(rows) <= MAX_ROWS:
        return rows
    step = -(-len(rows) // MAX_ROWS)
    groups = [rows[at : at + step] for at in range(0, len(rows), step)]
    return [(_spanning([old for old, _ in group]), _spanning([new for _, new in group])) for group in groups]


def _spanning(ranges: Sequence[Range | None]) -> Range | None:
    found = [one for one in ranges if one is not None]
    return (found[0][0], found[-1][1]) if found else None
