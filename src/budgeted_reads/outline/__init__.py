"""Lines and a format to a tree of entries: one module per format, pure functions, listed in `formats`."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.entry import LEAF_KINDS, Block, Entry, Outline, Range, Warned

if TYPE_CHECKING:
    from budgeted_reads.outline.registry import outline

__all__ = ["LEAF_KINDS", "Block", "Entry", "Outline", "Range", "Warned", "outline"]


def __getattr__(name: str) -> object:
    # The registry reads the table of formats, which a read of a cached outline never needs.
    if name == "outline":
        from budgeted_reads.outline.registry import outline

        return outline
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
