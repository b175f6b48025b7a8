"""The order for prose: headings, a lead of each paragraph in turns over the sections, then the lines in the same turns.

In turns, because the heart of a page is the beginning of each of its sections, not the shortest of its lines.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from budgeted_reads.outline import Block, Entry, Outline
from budgeted_reads.text import Text
from budgeted_reads.views.code import LONG_LINE
from budgeted_reads.views.placed import flatten
from budgeted_reads.views.rows import ALL, EXTENT, FOLDED, LEAD, LINE, NAME, NAME_BYTES, OUTLINE, Reveal, clip_name
from budgeted_reads.views.sentences import ends, lead_end

LEADING = frozenset({"paragraph", "item", "quote"})
"""Kinds of blocks that have a lead; the others are code, tables, pictures and lists of links."""

NEARLY_WHOLE = 24
"""A lead that leaves fewer bytes of its line than this is the line itself."""

WHOLE_FENCE = 1600
"""A block of code of at most this many bytes opens whole; a longer one opens last, line by line."""

SHORT_SECTION = 3
"""Sections of at most this many lines of text belong to the `folded` ceiling."""

LEAD_LINES = 3
"""A first sentence that runs over lines is followed over at most this many."""

FEW_ENTRIES = 60
"""More paragraphs than this are named in an even sample, fewer in their order."""


MARKUP_BYTES = 40
"""A heading whose line costs at most this many bytes more than its title is shown at once."""


class Section(NamedTuple):
    """The blocks between one heading and the next, in order."""

    blocks: tuple[Block, ...]
    short: bool


def reveals(text: Text, outline: Outline) -> list[Reveal]:
    """The reveals of TEXT in order; some may add nothing."""
    page = _Page(text)
    if text.large:
        return list(page.told([outline.entries[index] for index in sample(len(outline.entries))]))
    if outline.style == "plain":
        return [*page.plain(outline.entries), *page.leftovers()]
    return [*page.headings(outline.entries), *page.sections(outline), *page.leftovers()]


class _Page:
    def __init__(self, text: Text) -> None:
        self.lines = text.lines()

    def size(self, number: int) -> int:
        return len(self.lines[number - 1].encode("utf-8", "surrogatepass"))

    # Documents with headings

    def headings(self, entries: Sequence[Entry]) -> Iterator[Reveal]:
        """Breadth first; the own line is the name, unless it is too long; extents from the start."""
        placed = sorted(flatten(entries), key=lambda one: one.depth)
        for entry, *_ in placed:
            title = clip_name(entry.title)
            most = min(NAME_BYTES, len(title.encode("utf-8", "surrogatepass")) + MARKUP_BYTES)
            # Tags and addresses may be most of a line, and wait until all headings are told.
            if self.size(entry.own) <= most and self.lines[entry.own - 1].strip():
                yield Reveal(entry.own, LINE)
            else:
                yield Reveal(entry.own, NAME, title or "#")
            if entry.end > entry.own:
                yield Reveal(entry.own, EXTENT, entry.end, OUTLINE, True)
        for entry, *_ in placed:
            first, last = entry.signature_lines or (entry.own, entry.own)
            for number in range(first, last + 1):
                if any(map(str.isalnum, self.lines[number - 1])) and self.size(number) <= LONG_LINE:
                    yield Reveal(number, LINE)

    def sections(self, outline: Outline) -> Iterator[Reveal]:
        sections = self._sections(outline)
        leads = [[block for block in section.blocks if self.has_lead(block)] for section in sections]
        for turn, row in enumerate(zip_longest(*leads)):
            # The cheapest lead of a turn first: the more sections have their heart, the better.
            told = [list(self.lead(block, OUTLINE if turn == 0 else FOLDED)) for block in row if block is not None]
            for lead in sorted(told, key=self._weight):
                yield from lead
        for row in zip_longest(*(section.blocks for section in sections)):
            for block, section in zip(row, sections, strict=True):
                if block is not None:
                    yield from self.block(block, FOLDED if section.short else ALL)

    def _sections(self, outline: Outline) -> list[Section]:
        starts = [0, *sorted({entry.own for entry, *_ in flatten(outline.entries)})]
        found: list[list[Block]] = [[] for _ in starts]
        at = 0
        for block in outline.blocks:
            while at + 1 < len(starts) and starts[at + 1] <= block.start:
                at += 1
            found[at].append(block)
        return [
            Section(tuple(blocks), sum(block.end - block.start + 1 for block in blocks) <= SHORT_SECTION)
            for blocks in found
            if blocks
        ]

    def has_lead(self, block: Block) -> bool:
        return block.kind in LEADING and not _only_links(self.lines[block.start - 1])

    def _weight(self, lead: Sequence[Reveal]) -> int:
        return sum(int(reveal.value) if reveal.what == LEAD else self.size(reveal.line) for reveal in lead)

    def lead(self, block: Block, tier: int) -> Iterator[Reveal]:
        """The first sentence of BLOCK: part of its first line, or whole lines where it runs over them."""
        number = block.start
        if block.end > block.start and len(ends(self.lines[number - 1].rstrip())) == 1:
            yield from self._sentence_over_lines(block, tier)
            return
        line = self.lines[number - 1]
        at = lead_end(line)
        if self._nearly_whole(line, at):
            if self.size(number) <= LONG_LINE:
                yield Reveal(number, LINE, 0, tier)
        else:
            yield Reveal(number, LEAD, at, tier)

    def _sentence_over_lines(self, block: Block, tier: int) -> Iterator[Reveal]:
        for index, number in enumerate(range(block.start, min(block.end, block.start + LEAD_LINES - 1) + 1)):
            line = self.lines[number - 1].rstrip()
            if self.size(number) > LONG_LINE:
                return
            yield Reveal(number, LINE, 0, tier, index > 0)
            if line.endswith((".", "!", "?", "。", ":")) or len(ends(line)) > 1:
                return

    def block(self, block: Block, tier: int) -> Iterator[Reveal]:
        """All lines of BLOCK: a long one sentence by sentence, code whole."""
        numbers = range(block.start, block.end + 1)
        if block.kind == "fence":
            whole = sum(self.size(number) + 1 for number in numbers) <= WHOLE_FENCE
            if whole:
                for number in numbers:
                    yield Reveal(number, LINE, 0, tier, number > block.start)
            return
        for number in numbers:
            line = self.lines[number - 1]
            if not line.strip():
                continue
            if block.kind in LEADING:
                for at in ends(line):
                    if not self._nearly_whole(line, at):
                        yield Reveal(number, LEAD, at, tier)
            if self.size(number) <= LONG_LINE:
                yield Reveal(number, LINE, 0, tier)

    def _nearly_whole(self, line: str, at: int) -> bool:
        return len(line[at:].rstrip().encode("utf-8", "surrogatepass")) < NEARLY_WHOLE

    # Texts without structure

    def plain(self, entries: Sequence[Entry]) -> Iterator[Reveal]:
        titled = [entry for entry in entries if "title" in entry.flags]
        if titled:
            yield from self._titled(entries)
        elif entries and entries[0].kind != "paragraph":
            yield from self._sampled(entries)
        else:
            yield from self._paragraphs(entries)

    def _titled(self, entries: Sequence[Entry]) -> Iterator[Reveal]:
        """Likely titles first; what follows each is its section, told in turns as in a document with headings."""
        sections: list[list[Block]] = [[]]
        for entry in entries:
            if "title" in entry.flags:
                yield from self.name(entry, line_as_name=True)
                sections.append([])
            else:
                sections[-1].append(Block("paragraph", entry.own, entry.end))
        yield from self._in_turns([blocks for blocks in sections if blocks])

    def _in_turns(self, sections: Sequence[Sequence[Block]]) -> Iterator[Reveal]:
        turns = [block for row in zip_longest(*sections) for block in row if block is not None]
        for block in turns:
            yield from self.lead(block, OUTLINE)
        for block in turns:
            if block.end > block.start:
                yield Reveal(block.start, EXTENT, block.end)
        for block in turns:
            yield from self.block(block, ALL)

    def _paragraphs(self, entries: Sequence[Entry]) -> Iterator[Reveal]:
        few = len(entries) <= FEW_ENTRIES
        turns = list(entries) if few else [entries[index] for index in sample(len(entries))]
        for entry in turns:
            yield from self.name(entry, line_as_name=False)
        yield from self._in_turns([[Block("paragraph", entry.own, entry.end) for entry in turns]])

    def _sampled(self, entries: Sequence[Entry]) -> Iterator[Reveal]:
        """Whole lines, evenly over the text at every budget; an explicit outline has their first words."""
        turns = [entries[index] for index in sample(len(entries))]
        yield from self.told(turns)
        for entry in turns:
            for number in range(entry.start, entry.end + 1):
                if self.size(number) <= LONG_LINE and self.lines[number - 1].strip():
                    yield Reveal(number, LINE, 0, ALL)

    def told(self, turns: Sequence[Entry]) -> Iterator[Reveal]:
        """The first lines of TURNS, the names of those whose line is too long, and where all of them end."""
        for entry in turns:
            if self.size(entry.own) <= LONG_LINE and self.lines[entry.own - 1].strip():
                yield from self.name(entry, line_as_name=False)
                yield Reveal(entry.own, LINE, 0, FOLDED, True)
        for entry in turns:
            yield from self.name(entry, line_as_name=False)
        for entry in turns:
            if entry.end > entry.own:
                yield Reveal(entry.own, EXTENT, entry.end)

    def name(self, entry: Entry, *, line_as_name: bool) -> Iterator[Reveal]:
        """The first words of ENTRY; its line itself where that is hardly longer."""
        line = self.lines[entry.own - 1]
        words = clip_name(entry.title)
        if (line_as_name and self.size(entry.own) <= NAME_BYTES) or len(line.strip()) <= len(words):
            yield Reveal(entry.own, LINE)
        else:
            yield Reveal(entry.own, NAME, words or "…")

    def leftovers(self) -> Iterator[Reveal]:
        """Whatever has no row yet: text, then blank lines, then long lines, shortest first."""
        sizes = [(self.size(number), number) for number in range(1, len(self.lines) + 1)]
        for size, number in sizes:
            if size <= LONG_LINE and self.lines[number - 1].strip():
                yield Reveal(number, LINE, 0, ALL)
        for _, number in sizes:
            if not self.lines[number - 1].strip():
                yield Reveal(number, LINE, 0, ALL)
        for size, number in sorted(sizes):
            if size > LONG_LINE:
                yield from (Reveal(number, LEAD, at, ALL) for at in self._long_leads(number))
                yield Reveal(number, LINE, 0, ALL)

    def _long_leads(self, number: int) -> Iterator[int]:
        line = self.lines[number - 1]
        return (at for at in ends(line) if not self._nearly_whole(line, at))


_LINK = re.compile(r"!?\[[^\]]*\](\([^)]*\)|\[[^\]]*\])|<https?://[^>]*>|https?://\S+")


def _only_links(line: str) -> bool:
    """Whether LINE holds links, pictures or badges and next to nothing else."""
    rest, links = _LINK.subn("", line)
    return bool(links) and sum(map(str.isalnum, rest)) < 10


def sample(count: int) -> list[int]:
    """0..COUNT-1 so that every prefix is spread evenly: the bit-reversed order."""
    bits = max(1, (count - 1).bit_length())
    order = (int(f"{index:0{bits}b}"[::-1], 2) for index in range(1 << bits))
    return [index for index in order if index < count]
