"""The JSON borders of a search as types; see `contract`, which makes the rest."""

from typing import Any

from msgspec import UNSET, UnsetType

from budgeted_reads import contract, fields
from budgeted_reads.shapes import Lines, More, Part


class Match(Part, frozen=True):
    """One match, its lines without context; `pointer` is null where the bytes have none, and `reason` says why."""

    pointer: str | None
    path: str
    lines: Lines
    snippet: str
    clipped: bool
    entry: str
    blob: str | None
    sha256: str | None
    next: More | None
    score: float | UnsetType = UNSET
    same_as: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET


class Skipped(Part, frozen=True):
    """A file that was not searched, or not in full, and why."""

    path: str
    reason: str


class At(Part, frozen=True):
    """A tree that was searched, and at which commit."""

    name: str
    commit: str | None


PARTS: dict[str, Any] = {
    **{name: contract.PARTS[name] for name in ("tokenizer", "snapshot", "evidence", "warnings")},
    "matches": list[Match],
    "skipped": list[Skipped],
    "trees": list[At],
    "requested_view": str | None,
}
"""The types of the fields of an answer to a search."""

SearchRequest = contract.request_type("SearchRequest", fields.SEARCH, "query")
"""The body of a search."""

Searched = contract.answer_type("Searched", fields.SEARCHED, PARTS)
"""The answer to a search."""
