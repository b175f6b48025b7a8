"""HTML: headings as sections, else landmarks and what has an id; one scan over the tags, with their offsets."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from budgeted_reads import limits
from budgeted_reads.outline.entry import Block, Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.sections import Heading, sections
from budgeted_reads.outline.tree import Draft, Quota, Spans, shown
from budgeted_reads.text import Text

_TAG = re.compile(
    r"<!--.*?-->|<!--.*+"
    r"|<(?P<raw>script|style|textarea|title)\b(?P<rawattrs>[^<>]*+)>(?P<rawtext>[^<]*+(?:<(?!/(?P=raw)\b)[^<]*+)*+)"
    r"|<(?P<close>/?)(?P<name>[a-zA-Z][\w:-]*+)(?P<attrs>[^<>]*+)>",
    re.DOTALL | re.IGNORECASE,
)
_ID = re.compile(r"""\bid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_BEFORE_WORDS = re.compile(r"(?:\s++|<[^<>]*+>)*+")
_ANY_TAG = re.compile(r"<[^<>]*+>")
_LANDMARKS = frozenset({"main", "nav", "header", "footer", "section", "article", "aside", "form", "table"})
_BLOCKS = {
    "p": "paragraph",
    "li": "item",
    "dd": "item",
    "pre": "fence",
    "table": "table",
    "blockquote": "quote",
    "figure": "image",
}
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)

TITLE_LENGTH = 200
"""A heading is named by at most this many of its characters."""


class _Tag(NamedTuple):
    name: str
    closes: bool
    attrs: str
    start: int
    end: int


def outline(text: Text, form: Format) -> Outline:
    """Headings of TEXT nested by level; a page without any: landmarks and elements with an id, nested as they stand."""
    tags = list(_tags(text.content))
    headings = list(_headings(text, tags))
    blocks = tuple(_blocks(text, tags, headings))
    if headings:
        return Outline(sections(headings, text), form.name, None, "prose", blocks)
    entries, quota = _elements(text, tags)
    return Outline(entries, form.name, None, "prose", blocks, quota.warnings())


def _tags(content: str) -> Iterator[_Tag]:
    for found in _TAG.finditer(content):
        if found["name"]:
            yield _Tag(found["name"].lower(), bool(found["close"]), found["attrs"], found.start(), found.end())
        elif found["raw"]:
            yield _Tag(found["raw"].lower(), False, found["rawattrs"], found.start(), found.end())


def _headings(text: Text, tags: list[_Tag]) -> Iterator[Heading]:
    opened: _Tag | None = None
    last_line = 0
    for tag in tags:
        if len(tag.name) != 2 or tag.name[0] != "h" or tag.name[1] not in "123456":
            continue
        if not tag.closes:
            opened = tag
        elif opened is not None and tag.name == opened.name:
            words = _ANY_TAG.sub(" ", text.content[opened.end : tag.start])[: 4 * TITLE_LENGTH]
            title = shown(" ".join(unescape(words).split()))[:TITLE_LENGTH]
            first, last = text.line_at(opened.start), text.line_at(tag.end - 1)
            if title and first > last_line:
                before = _BEFORE_WORDS.match(text.content, opened.end)
                own = text.line_at(before.end() if before else opened.end)
                yield Heading(title, int(tag.name[1]), first, last, own, last)
                last_line = last
            opened = None


def _blocks(text: Text, tags: list[_Tag], headings: list[Heading]) -> Iterator[Block]:
    """Outermost paragraphs, items, tables and the like that share no line with another block or a heading."""
    taken = {number for heading in headings for number in range(heading.first, heading.last + 1)}
    opened: _Tag | None = None
    depth = last_line = 0
    for tag in tags:
        if opened is None and not tag.closes and tag.name in _BLOCKS:
            opened, depth = tag, 1
        elif opened is not None and tag.name == opened.name:
            depth += -1 if tag.closes else tag.name not in ("p", "li", "dd")
            if depth <= 0:
                first, last = text.line_at(opened.start), text.line_at(tag.end - 1)
                if first > last_line and not taken.intersection(range(first, last + 1)):
                    yield Block(_BLOCKS[tag.name], first, last)
                    last_line = last
                opened = None


class _Open:
    __slots__ = ("children", "label", "tag")

    def __init__(self, tag: _Tag, label: str) -> None:
        self.tag = tag
        self.label = label
        self.children: list[Draft] = []


def _elements(text: Text, tags: list[_Tag]) -> tuple[tuple[Entry, ...], Quota]:
    spans, quota = Spans(text), Quota()
    top: list[Draft] = []
    open_: list[_Open] = []
    for tag in tags:
        if tag.closes:
            if any(one.tag.name == tag.name for one in open_[-limits.MAX_DEPTH :]):
                while open_ and _close(open_, top, spans, quota, tag.end) != tag.name:
                    pass
            continue
        found = _ID.search(tag.attrs)
        identity = (found[1] or found[2] or found[3] or "") if found else ""
        if (identity or tag.name in _LANDMARKS) and tag.name not in _VOID and len(open_) < limits.MAX_DEPTH:
            open_.append(_Open(tag, f"{tag.name}#{identity}" if identity else tag.name))
    while open_:
        _close(open_, top, spans, quota, len(text.content.rstrip()))
    return quota.kept(spans.finish(top)), quota


def _close(open_: list[_Open], top: list[Draft], spans: Spans, quota: Quota, end: int) -> str:
    """Ends the innermost open element at END, and gives the name of its tag."""
    one = open_.pop()
    siblings = open_[-1].children if open_ else top
    if quota.takes(len(open_) + 1):
        span = (one.tag.start, max(end, one.tag.end))
        draft = spans.draft(shown(one.label), "element", len(open_) + 1, span, one.tag.end, children=one.children)
        siblings.append(draft)
    return one.tag.name
