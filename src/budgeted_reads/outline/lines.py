"""Entries made of whole lines, for the formats that are read a line at a time."""

from collections.abc import Sequence

from budgeted_reads.outline.entry import Entry
from budgeted_reads.outline.tree import SIGNATURE_LENGTH, shown
from budgeted_reads.text import BOM, Text

TITLE_LENGTH = 200
"""A title that is made of the words of a line ends after so many code points."""


def bare_lines(text: Text) -> list[str]:
    """The lines of TEXT without their ends, CR and BOM, for scans: code points stand in their columns but for a BOM."""
    lines = text.content.removeprefix(BOM).replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def entry(
    lines: Sequence[str],
    title: str,
    kind: str,
    level: int,
    first: int,
    last: int,
    *,
    own: int = 0,
    head: int = 0,
    signature: str = "",
    children: Sequence[Entry] = (),
    flags: tuple[str, ...] = (),
) -> Entry:
    """The entry of lines FIRST..LAST, named on line OWN (the first unless given), its head ending on line HEAD.

    The signature is the words of the head, or the title alone where they are longer than `SIGNATURE_LENGTH`.
    """
    own = own or first
    head = max(head, own)
    if not signature:
        if sum(map(len, lines[own - 1 : head])) <= SIGNATURE_LENGTH:
            signature = " ".join(" ".join(lines[own - 1 : head]).split())
        else:
            signature = title
    body = (head + 1, last) if head < last else None
    return Entry(title, kind, level, first, last, own, signature, (own, head), body, None, None, tuple(children), flags)


def named(words: str) -> str:
    """WORDS as a title: on one line, white space folded, at most TITLE_LENGTH code points, marked where cut."""
    folded = shown(" ".join(words[: TITLE_LENGTH * 2].split()))
    return folded if len(folded) <= TITLE_LENGTH else folded[: TITLE_LENGTH - 1].rstrip() + "…"
