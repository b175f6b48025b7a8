"""The headings of HTML, by their tags: the words that a reader takes them for, and the sections that they open."""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import NamedTuple

from budgeted_reads.outline.entry import Entry
from budgeted_reads.outline.htmltags import Tag, attribute
from budgeted_reads.outline.tree import Draft, Quota, Spans, shown

TITLE_LENGTH = 200
"""A heading is named by at most this many of its characters."""

_LEVELS = {f"h{level}": level for level in range(1, 7)}
_ROLE_LEVEL = 2
"""The level of an element whose role is that of a heading and that says none (WAI-ARIA)."""

_BREAKS = frozenset(
    {"br", "hr", "p", "div", "section", "header", "footer", "hgroup", "ul", "ol", "li", "dl", "dt", "dd"}
    | {"table", "tr", "th", "td", "pre", "blockquote"}
)
"""Tags that part words; all others stand within them: `<b>v</b>ector`."""

_ASIDES = frozenset({"a", "button", "svg"})
_MARKS = re.compile(r"\A[^<>]*+>|<[^<>]*+>|\{[{%#][^{}]*+\}\}?")
_INVISIBLE = {0xAD: None, 0x200B: None}
"""Where a word may be broken."""


class Heading(NamedTuple):
    """A heading from START to before END, both offsets; WORDS is where its words begin."""

    title: str
    level: int
    start: int
    words: int
    end: int


def headings(content: str, tags: Sequence[Tag]) -> Iterator[Heading]:
    """`h1` to `h6` and what has their role, but for those without words; any tag that ends one of them ends another."""
    opened, level, depth, first = None, 0, 0, 0
    for index, tag in enumerate(tags):
        if not tag.closes:
            if (tag.name in _LEVELS or "heading" in tag.attrs) and (found := _level(tag)):
                opened, level, depth, first = tag, found, 1, index + 1
            elif opened is not None and tag.name == opened.name:
                depth += 1
        elif opened is not None and (tag.name == opened.name or (tag.name in _LEVELS and opened.name in _LEVELS)):
            depth -= 1
            if not depth:
                title, words = _spoken(content, tags[first:index], opened.end, tag.start)
                if title:
                    yield Heading(title, level, opened.start, words, tag.end)
                opened = None


def _level(tag: Tag) -> int:
    """The level of the heading that TAG opens, 0 where it opens none."""
    level = _LEVELS.get(tag.name, 0)
    if level or attribute(tag, "role") != "heading":
        return level
    said = attribute(tag, "aria-level")
    return int(said) if said in ("1", "2", "3", "4", "5", "6") else _ROLE_LEVEL


def _spoken(content: str, tags: Sequence[Tag], start: int, end: int) -> tuple[str, int]:
    """The words between START and END, and the offset at which they begin.

    Links without a letter (`¶`), buttons, and words for pictures count only where there are no others.
    """
    said: list[tuple[int, str]] = []
    asides: list[tuple[int, str]] = []
    within, mark, at = "", 0, start
    for tag in tags:
        said.append((at, content[at : tag.start]))
        at = tag.end
        if tag.name in _BREAKS:
            said.append((tag.start, " "))
        elif tag.name == "img":
            asides.append((tag.start, attribute(tag, "alt")))
        elif tag.name in _ASIDES and not tag.closes and not within:
            within, mark = tag.name, len(said)
        elif tag.closes and tag.name == within:
            if within != "a" or not _tells(said[mark:]):
                asides += said[mark:]
                del said[mark:]
            within = ""
    said.append((at, content[at:end]))
    if not _tells(said):
        said = sorted(said + asides)
    begins = next((offset + len(words) - len(words.lstrip()) for offset, words in said if words.strip()), start)
    words = " ".join(unescape("".join(words for _, words in said)).translate(_INVISIBLE).split())
    return shown(words[:TITLE_LENGTH]), begins


def _tells(pieces: Sequence[tuple[int, str]]) -> bool:
    """Whether a letter or a digit is in PIECES."""
    return any(any(map(str.isalnum, unescape(words))) for _, words in pieces)


def sections(found: Sequence[Heading], spans: Spans, quota: Quota) -> tuple[Entry, ...]:
    """Headings nested by level, each to where the next one of its level or above begins, else to the end.

    Lines are whole: a section shares the line on which the next begins only where its own words stand on that.
    """
    top: list[Draft] = []
    open_: list[tuple[Heading, list[Draft]]] = []
    length, at = len(spans.content), 0
    for following in [*found, Heading("", 0, length, length, length)]:
        end = _before(spans, at, following.start)
        while open_ and open_[-1][0].level >= following.level:
            heading, children = open_.pop()
            if quota.takes(heading.level):
                (open_[-1][1] if open_ else top).append(_section(heading, end, children, spans))
        open_.append((following, []))
        at = following.end
    return quota.kept(spans.finish(top))


def _before(spans: Spans, at: int, start: int) -> int:
    """The offset behind what stands before the heading at START, where the one before that ends at AT."""
    line = spans.starts[spans.line_at(start) - 1] if start < len(spans.content) else start
    if at > line or any(map(str.isalnum, _MARKS.sub("", spans.content[line:start]))):
        return start
    return line


def _section(heading: Heading, end: int, children: list[Draft], spans: Spans) -> Draft:
    start = heading.start
    if end <= spans.starts[spans.line_at(start)]:
        # On one line: the LF behind it is no column.
        end = min(end, spans.line_end(start))
    draft = spans.draft(heading.title, "heading", heading.level, (start, end), heading.end, children=children)
    own, signature = spans.line_at(heading.words), shown(draft.entry.signature)
    return draft._replace(entry=draft.entry._replace(own=own, signature=signature))
