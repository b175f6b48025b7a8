"""TSX: TypeScript with elements."""

from budgeted_reads.outline.languages.typescript import TABLE

__all__ = ["TABLE"]
