"""From headings to sections: shared by the formats of documents."""

from collections.abc import Sequence
from typing import NamedTuple

from budgeted_reads.outline.entry import Entry
from budgeted_reads.outline.tree import shown
from budgeted_reads.text import BOM, Text


class Heading(NamedTuple):
    """A heading on lines FIRST..LAST; its words stand on the lines from `own` to `words_last`.

    Its section ends on line END, where that is known, at the latest before the next heading of its level or above.
    """

    title: str
    level: int
    first: int
    last: int
    own: int
    words_last: int
    end: int = 0


def sections(headings: Sequence[Heading], text: Text) -> tuple[Entry, ...]:
    """Headings nested by level, each to the line before the next one of its level or above, else to the end."""
    open_: list[tuple[Heading, list[Entry]]] = []
    top: list[Entry] = []
    after = text.line_count + 1
    for following in [*headings, Heading("", 0, after, after, after, after)]:
        while open_ and (open_[-1][0].level >= following.level or 0 < open_[-1][0].end < following.first):
            heading, children = open_.pop()
            siblings = open_[-1][1] if open_ else top
            end = min(heading.end or after, following.first - 1)
            siblings.append(_section(heading, max(heading.last, end), children, text))
        open_.append((following, []))
    return tuple(top)


def _section(heading: Heading, end: int, children: Sequence[Entry], text: Text) -> Entry:
    words = " ".join(text.line(number) for number in range(heading.own, heading.words_last + 1))
    return Entry(
        heading.title,
        "heading",
        heading.level,
        heading.first,
        end,
        heading.own,
        signature=shown(" ".join(words.removeprefix(BOM).split())),
        signature_lines=(heading.first, heading.last),
        body=(heading.last + 1, end) if heading.last < end else None,
        children=tuple(children),
    )
