"""What is true of every outline, whatever the format: one checker for all tests of this folder."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from budgeted_reads.outline import Entry, Outline
from budgeted_reads.text import BOM, Text

STYLES = {"code", "prose", "data", "plain"}
BLOCKS = {"paragraph", "item", "fence", "table", "quote", "html", "links", "image", "meta"}


def flat(entries: Sequence[Entry]) -> Iterator[Entry]:
    """All entries, parents before children."""
    todo = list(reversed(entries))
    while todo:
        entry = todo.pop()
        yield entry
        todo.extend(reversed(entry.children))


def check(text: Text, outline: Outline) -> None:
    """Raises AssertionError where an outline breaks a rule that the fit relies on."""
    assert outline.style in STYLES
    assert outline.format
    todo: list[tuple[Sequence[Entry], Entry | None]] = [(outline.entries, None)]
    while todo:
        entries, parent = todo.pop()
        _check_siblings(text, entries, parent)
        todo.extend((entry.children, entry) for entry in entries if entry.children)
    _check_blocks(text, outline)
    assert len(outline.warnings) == len(set(outline.warnings))


def _check_siblings(text: Text, entries: Sequence[Entry], parent: Entry | None) -> None:
    first, last = (parent.start, parent.end) if parent else (1, text.line_count)
    at = first
    for entry in entries:
        assert at <= entry.start <= entry.own <= entry.end <= last, (entry, at, last)
        assert isinstance(entry.title, str)
        assert not (text.bom and entry.title[:1] == BOM and BOM not in text.content[1:]), entry
        assert "\n" not in entry.title
        assert "\n" not in entry.signature
        assert entry.kind
        assert entry.level >= 1
        _check_parts(text, entry)
        at = entry.end
    _check_columns(entries)


def _check_parts(text: Text, entry: Entry) -> None:
    if entry.signature_lines:
        assert entry.start <= entry.signature_lines[0] <= entry.signature_lines[1] <= entry.end, entry
    if entry.body:
        assert entry.start < entry.body[0] <= entry.body[1] <= entry.end, entry
        assert not entry.signature_lines or entry.signature_lines[1] < entry.body[0], entry
    if entry.doc:
        assert 1 <= entry.doc[0] <= entry.doc[1] <= text.line_count, entry
    if entry.columns:
        assert entry.start == entry.own == entry.end, entry
        assert 1 <= entry.columns[0] <= entry.columns[1] <= len(text.line(entry.own)) + 1, entry


def _check_columns(entries: Sequence[Entry]) -> None:
    """Two siblings of one line each have a window of it."""
    for one, next_ in pairwise(entries):
        if one.start == one.end == next_.start == next_.end:
            assert one.columns, one
            assert next_.columns, next_
            assert one.columns[0] <= next_.columns[0], (one, next_)


def _check_blocks(text: Text, outline: Outline) -> None:
    at = 0
    for block in outline.blocks:
        assert block.kind in BLOCKS
        assert at < block.start <= block.end <= text.line_count, (block, at)
        assert text.line(block.start).strip(), block
        assert text.line(block.end).strip(), block
        at = block.end


def shown(entries: Sequence[Entry]) -> str:
    """Entries as indented lines `start-own-end kind title`, for tests that are data."""
    rows: list[str] = []
    todo = [(entry, 0) for entry in reversed(entries)]
    while todo:
        entry, depth = todo.pop()
        lines = f"{entry.start}-{entry.end}" + (f"@{entry.own}" if entry.own != entry.start else "")
        columns = f":{entry.columns[0]}-{entry.columns[1]}" if entry.columns else ""
        owner = f"{entry.owner}." if entry.owner else ""
        rows.append(f"{'  ' * depth}{lines}{columns} {entry.kind} {owner}{entry.title}".rstrip())
        todo.extend((child, depth + 1) for child in reversed(entry.children))
    return "\n".join(rows) + "\n"
