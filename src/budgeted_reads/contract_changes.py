"""The JSON borders of a question for changes as types; see `contract`, which makes the rest."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from budgeted_reads import contract, fields
from budgeted_reads.shapes import Lines, Part


class Side(Part, frozen=True):
    """Lines of one side of a hunk, and their pointer where that side is committed."""

    lines: Lines
    pointer: str | None


class Hunk(Part, frozen=True):
    """Lines that differ, from the first to the last, on both sides; null where one side has none."""

    old: Side | None
    new: Side | None


class ChangedFile(Part, frozen=True):
    """A file that differs. `view` is how `content` tells it, null where it is only counted there."""

    path: str
    old_path: str | None
    status: Literal["added", "modified", "deleted", "renamed", "submodule"]
    added: int
    removed: int
    binary: bool
    words: list[str]
    view: str | None
    hunks: list[Hunk]


class MoreChanges(Part, frozen=True):
    """A request that shows more: of one file, or (without `path`) the same with another budget."""

    view: str
    tokens: int
    path: str | UnsetType = UNSET


PARTS: dict[str, Any] = {
    **{name: contract.PARTS[name] for name in ("tokenizer", "snapshot", "evidence", "warnings", "omitted")},
    "files": list[ChangedFile],
    "next": list[MoreChanges],
}
"""The types of the fields of an answer about changes."""

DiffRequest = contract.request_type("DiffRequest", fields.DIFF, "from")
"""The body of a question for changes."""

Changes = contract.answer_type("Changes", fields.CHANGES, PARTS)
"""What changed."""
