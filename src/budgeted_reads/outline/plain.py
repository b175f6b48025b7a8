"""Text without structure: paragraphs, else lines, else blocks of equal size, each named by its first words."""

import re
from collections.abc import Container

from budgeted_reads import limits
from budgeted_reads.outline.entry import Entry, Outline, Range
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.headlines import width, with_titles
from budgeted_reads.outline.pages import frames
from budgeted_reads.text import BOM, Text

TITLE_WIDTH = 40
"""First words of a paragraph take at most this many columns; a wide (CJK) character takes two."""

HEADS = 3
"""A block of a text that cannot be held is named by one of so many lines."""

_LOOK = 400
"""First words are looked for in this many code points."""

_BREAKS = "。，、；：！？．）」』】》"
_WORD = re.compile(r"\S+")
_WORDS = re.compile(r"[^\W_]")


def outline(text: Text, form: Format) -> Outline:
    """TEXT as a flat list of paragraphs; without blank lines, of lines; over `limits.MAX_ENTRIES`, of equal blocks.

    Headers and footers of pages are in no paragraph.
    """
    lines = text.lines()
    runs = _paragraphs(lines, frames(lines) if "\f" in text.content else ())
    kind = "paragraph"
    if len(runs) == 1:
        runs, kind = [(number, number) for number in range(runs[0][0], runs[0][1] + 1)], "line"
    if len(runs) > limits.MAX_ENTRIES:
        runs, kind = _blocks(len(lines)), "block"
    entries = with_titles(lines, [_entry(lines, kind, first, last) for first, last in runs])
    return Outline(tuple(entries), form.name, form.language, "plain")


def divided(text: Text, form: Format) -> Outline:
    """A text that cannot be held as blocks of equal numbers of lines, by their first lines; few lines stand alone."""
    lines, count = text.lines(), text.line_count
    few = count <= limits.MAX_ENTRIES
    runs = [(number, number) for number in range(1, count + 1)] if few else _blocks(count)
    entries = []
    for first, last in runs:
        heads = [lines[number - 1] for number in range(first, min(last, first + HEADS - 1) + 1)]
        made = _entry(heads, "line" if few else "block", 1, len(heads))
        body = (first + 1, last) if first < last else None
        entries.append(made._replace(start=first, own=first, end=last, signature_lines=(first, first), body=body))
    return Outline(tuple(entries), form.name, form.language, "plain")


def has_line_over(text: Text, limit: int) -> bool:
    """Whether a line of TEXT has more than LIMIT code points, its LF included."""
    content, at = text.content, 0
    # From one line end to the last that comes within the limit: most lines are never looked at.
    while len(content) - at > limit:
        end = content.rfind("\n", at, at + limit)
        if end < 0:
            return True
        at = end + 1
    return False


def first_words(line: str) -> str:
    """The first words of LINE, whole where they can be, in at most TITLE_WIDTH columns; white space is folded."""
    words: list[str] = []
    room = TITLE_WIDTH
    for found in _WORD.finditer(line):
        word = found[0]
        if width(word) > room:
            return (
                " ".join(words)
                if words and room < TITLE_WIDTH // 2
                else " ".join([*words, _clipped(word, room)]).strip()
            )
        words.append(word)
        room -= width(word) + 1
    return " ".join(words)


def _clipped(word: str, room: int) -> str:
    """As much of a long WORD as fits, up to its last inner stop where it has one in the second half."""
    fits = 0
    for char in word:
        room -= width(char)
        if room < 0:
            break
        fits += 1
    piece = word[:fits]
    stop = max(map(piece.rfind, _BREAKS))
    return piece[: stop + 1] if stop >= fits // 2 else piece


def _paragraphs(lines: list[str], skipped: Container[int]) -> list[Range]:
    """The runs of LINES that are neither blank nor SKIPPED."""
    runs: list[Range] = []
    first = 0
    for number, line in enumerate(lines, 1):
        if not line or line.isspace() or number in skipped:
            if first:
                runs.append((first, number - 1))
            first = 0
        elif not first:
            first = number
    if first:
        runs.append((first, len(lines)))
    return runs


def _blocks(line_count: int) -> list[Range]:
    size = -(-line_count // limits.MAX_ENTRIES)
    return [(first, min(first + size - 1, line_count)) for first in range(1, line_count + 1, size)]


def _entry(lines: list[str], kind: str, first: int, last: int) -> Entry:
    # A rule, the mark of front matter or of a fence says nothing: the first line with words does.
    own = next((number for number in range(first, last + 1) if _WORDS.search(lines[number - 1], 0, _LOOK)), first)
    named = lines[own - 1]
    title = first_words(named.removeprefix(BOM)[:_LOOK])
    body = (own + 1, last) if own < last else None
    return Entry(title, kind, 1, first, last, own, title, (own, own), body)
