"""HTML: headings as sections, else landmarks and what has an id; one scan over the tags, with their offsets."""

from collections.abc import Iterator, Sequence

from budgeted_reads import limits
from budgeted_reads.outline.entry import Block, Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.htmlheadings import Heading, headings, sections
from budgeted_reads.outline.htmltags import VOID, Tag, attribute, tags
from budgeted_reads.outline.tree import Draft, Quota, Spans, shown
from budgeted_reads.text import Text

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


def outline(text: Text, form: Format) -> Outline:
    """Headings of TEXT nested by level; a page without any: landmarks and elements with an id, nested as they stand."""
    found = tags(text.content)
    spans, quota = Spans(text), Quota()
    titled = list(headings(text.content, found))
    blocks = tuple(_blocks(text, found, titled))
    entries = sections(titled, spans, quota) if titled else _elements(found, spans, quota)
    return Outline(entries, form.name, None, "prose", blocks, quota.warnings())


def _blocks(text: Text, found: Sequence[Tag], titled: Sequence[Heading]) -> Iterator[Block]:
    """Outermost paragraphs, items, tables and the like that share no line with another block or a heading."""
    taken: set[int] = set()
    for heading in titled:
        taken.update(range(text.line_at(heading.start), text.line_at(heading.end - 1) + 1))
    opened: Tag | None = None
    depth = last_line = 0
    for tag in found:
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

    def __init__(self, tag: Tag, label: str) -> None:
        self.tag = tag
        self.label = label
        self.children: list[Draft] = []


def _elements(found: Sequence[Tag], spans: Spans, quota: Quota) -> tuple[Entry, ...]:
    top: list[Draft] = []
    open_: list[_Open] = []
    for tag in found:
        if tag.closes:
            if any(one.tag.name == tag.name for one in open_[-limits.MAX_DEPTH :]):
                while open_ and _close(open_, top, spans, quota, tag.end) != tag.name:
                    pass
            continue
        identity = attribute(tag, "id")
        if (identity or tag.name in _LANDMARKS) and tag.name not in VOID and len(open_) < limits.MAX_DEPTH:
            open_.append(_Open(tag, f"{tag.name}#{identity}" if identity else tag.name))
    while open_:
        _close(open_, top, spans, quota, len(spans.content.rstrip()))
    return quota.kept(spans.finish(top))


def _close(open_: list[_Open], top: list[Draft], spans: Spans, quota: Quota, end: int) -> str:
    """Ends the innermost open element at END, and gives the name of its tag."""
    one = open_.pop()
    siblings = open_[-1].children if open_ else top
    if quota.takes(len(open_) + 1):
        span = (one.tag.start, max(end, one.tag.end))
        draft = spans.draft(shown(one.label), "element", len(open_) + 1, span, one.tag.end, children=one.children)
        siblings.append(draft)
    return one.tag.name
