"""Lines and a format to a tree of entries: one module per format, pure functions, listed in `formats`."""

from budgeted_reads.outline.entry import LEAF_KINDS, Block, Entry, Outline, Range, Warned

__all__ = ["LEAF_KINDS", "Block", "Entry", "Outline", "Range", "Warned"]
