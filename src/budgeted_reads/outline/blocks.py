"""The blocks of a document that is read a line at a time: runs between blank lines, around what is fenced."""

from collections.abc import Callable, Iterator, Sequence

from budgeted_reads.outline.entry import Block


def blocks(
    lines: Sequence[str], taken: set[int], fenced: Sequence[Block], kind: Callable[[str], str]
) -> Iterator[Block]:
    """Runs of lines of LINES that are neither blank nor TAKEN (headings), and the FENCED ones, all in order.

    KIND tells the kind of a run by its first line; an `item` ends where the next one begins. A fenced block is
    trimmed of blank lines; lines of it that are taken split nothing, for a heading never stands in one.
    """
    first, number, at = 0, 0, 0
    while number < len(lines):
        number += 1
        fence = fenced[at] if at < len(fenced) and fenced[at].start == number else None
        line = lines[number - 1]
        if first and (fence or number in taken or not line.strip() or _next_item(lines[first - 1], line, kind)):
            yield Block(kind(lines[first - 1]), first, number - 1)
            first = 0
        if fence:
            yield from _trimmed(lines, fence)
            number, at = fence.end, at + 1
        elif not first and line.strip() and number not in taken:
            first = number
    if first:
        yield Block(kind(lines[first - 1]), first, len(lines))


def _next_item(opening: str, line: str, kind: Callable[[str], str]) -> bool:
    return kind(line) == "item" and kind(opening) == "item"


def _trimmed(lines: Sequence[str], block: Block) -> Iterator[Block]:
    first, last = block.start, min(block.end, len(lines))
    while first <= last and not lines[first - 1].strip():
        first += 1
    while last >= first and not lines[last - 1].strip():
        last -= 1
    if first <= last:
        yield Block(block.kind, first, last)
