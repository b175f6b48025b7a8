"""Outlines as plain tuples and back: what a cache stores, and what a child process sends."""

from typing import Any

from budgeted_reads.outline.entry import Block, Entry, Outline, Range, Warned

_CHILDREN = Entry._fields.index("children")


def pack(outline: Outline) -> tuple[Any, ...]:
    """OUTLINE as tuples, texts and numbers only; its entries stand in one row, parents first, with how many children.

    So its depth costs no recursion, neither here nor where it is stored.
    """
    rows = []
    todo = list(reversed(outline.entries))
    while todo:
        entry = todo.pop()
        rows.append((*entry[:_CHILDREN], len(entry.children), *entry[_CHILDREN + 1 :]))
        todo.extend(reversed(entry.children))
    blocks = tuple(map(tuple, outline.blocks))
    return tuple(rows), *outline[1:4], blocks, tuple(map(tuple, outline.warnings)), _bare(outline.facts)


def unpack(packed: Any) -> Outline | None:
    """The outline that was PACKED; None where it is anything else."""
    try:
        rows, name, language, style, blocks, warnings, facts = packed
        entries: list[Entry] = []
        # From the end on, all that belongs to an entry was made just before it, its first child last.
        for row in reversed(rows):
            children = tuple(entries.pop() for _ in range(row[_CHILDREN]))
            entries.append(Entry._make((*row[:_CHILDREN], children, *row[_CHILDREN + 1 :])))
        return Outline(
            tuple(reversed(entries)),
            name,
            language,
            style,
            tuple(map(Block._make, blocks)),
            tuple(map(Warned._make, warnings)),
            facts,
        )
    except (TypeError, ValueError, IndexError):
        return None


def fits(outline: Outline, line_count: int) -> bool:
    """Whether every range of OUTLINE lies in a text of LINE_COUNT lines, and in that of its parent."""
    todo: list[tuple[Entry, Range]] = [(entry, (1, line_count)) for entry in outline.entries]
    while todo:
        entry, (first, last) = todo.pop()
        if not first <= entry.start <= entry.own <= entry.end <= last:
            return False
        todo.extend((child, (entry.start, entry.end)) for child in entry.children)
    return all(1 <= block.start <= block.end <= line_count for block in outline.blocks)


def _bare(value: Any) -> Any:
    """VALUE with plain tuples in place of named ones."""
    return tuple(map(_bare, value)) if isinstance(value, tuple) else value
