"""The headings of a page of Markdown: its own, those written in HTML, and those in lists and quotes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from budgeted_reads.outline import mdhtml
from budgeted_reads.outline.mdblocks import Mark
from budgeted_reads.outline.mdtitles import title
from budgeted_reads.outline.sections import Heading

CONTAINERS = frozenset({"list_item_open", "blockquote_open"})
"""The blocks that hold others."""

_LOOKED_AT = CONTAINERS | {"heading_open", "html_block", "paragraph_open"}
_UNDERLINES = frozenset({"=", "-"})


class _Open(NamedTuple):
    """A heading whose section goes on, in so many containers, to line END at the latest (0: to that of the page)."""

    rank: int
    level: int
    depth: int
    end: int


def headings(tokens: Sequence[Mark], env: dict[str, Any]) -> Iterator[Heading]:
    """The headings of a page in order; of those that share a line the first.

    One in a list item or a quote ends with that, is of a level below the heading around it, and ends none outside. An
    underline in there makes none: it is meant as a rule, or as an item that is still empty.
    """
    inside: list[Mark] = []
    open_: list[_Open] = []
    last = 0
    for index, token in enumerate(tokens):
        kind = token.type
        if kind not in _LOOKED_AT or (kind == "paragraph_open" and not tokens[index + 1].content.startswith("<")):
            continue
        while inside and token.level <= inside[-1].level:
            inside.pop()
        if kind in CONTAINERS:
            inside.append(token)
        elif not (inside and token.markup in _UNDERLINES):
            found: Iterable[Heading] = mdhtml.headings(tokens, index, env)
            if kind == "heading_open":
                found = [_written(token, tokens[index + 1].content, env)]
            for heading in found:
                if heading.first > last:
                    last = heading.last
                    yield _placed(heading, inside, open_)


def _written(token: Mark, words: str, env: dict[str, Any]) -> Heading:
    """The heading that TOKEN opens, of the level that it has there."""
    first, last = (token.map[0] + 1, token.map[1]) if token.map else (1, 1)
    words_last = max(first, last - 1) if token.markup in _UNDERLINES else last
    return Heading(title(words, env), int(token.tag[1]), first, last, first, words_last)


def _placed(heading: Heading, inside: Sequence[Mark], open_: list[_Open]) -> Heading:
    """HEADING with its level and where it ends, from what it is INSIDE of and what is OPEN_, to which it is put."""
    while open_ and 0 < open_[-1].end < heading.first:
        open_.pop()
    while open_ and open_[-1].depth == len(inside) and open_[-1].rank >= heading.level:
        open_.pop()
    level = max(heading.level, open_[-1].level + 1) if open_ else heading.level
    around = inside[-1].map if inside else None
    end = max(heading.last, around[1]) if around else 0
    open_.append(_Open(heading.level, level, len(inside), end))
    return heading._replace(level=level, end=end)
