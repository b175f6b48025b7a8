"""HTML: headings as sections, else landmarks and what has an id; one scan over the tags, with their offsets."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from budgeted_reads import limits
from budgeted_reads.outline.entry import Block, Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.htmlheadings import Heading, headings, sections
from budgeted_reads.outline.htmltags import COMMENT, VOID, Tag, alone, attribute, tags
from budgeted_reads.outline.tree import Draft, Quota, Spans, shown
from budgeted_reads.text import Text

_LANDMARKS = frozenset({"main", "nav", "header", "footer", "section", "article", "aside", "form", "table"})
_CHILDLESS = VOID | {COMMENT}
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


class _Open(NamedTuple):
    """An element that is open; without a label it is no entry, and what is in it is its parent's."""

    tag: Tag
    label: str
    level: int
    inside: list[Draft]


def _elements(found: Sequence[Tag], spans: Spans, quota: Quota) -> tuple[Entry, ...]:
    labels = {at: label for at, tag in enumerate(found) if not tag.closes and (label := _label(tag))}
    if not labels:
        return ()
    page = _Open(Tag("", False, "", 0, 0), "", 0, [])
    open_ = [page]
    counts: Counter[str] = Counter()
    for at, tag in enumerate(found):
        if tag.name in _CHILDLESS:
            continue
        if not tag.closes:
            around = open_[-1]
            if at in labels and around.level < limits.MAX_DEPTH:
                open_.append(_Open(tag, labels[at], around.level + 1, []))
            else:
                open_.append(_Open(tag, "", around.level, around.inside))
            counts[tag.name] += 1
        if counts[tag.name] and (tag.closes or alone(tag)):
            while (ended := _close(open_, spans, quota, tag.end)) != tag.name:
                counts[ended] -= 1
            counts[tag.name] -= 1
    while len(open_) > 1:
        _close(open_, spans, quota, len(spans.content.rstrip()))
    return quota.kept(spans.finish(page.inside))


def _label(tag: Tag) -> str:
    """What an entry for the element of TAG is called; "" where it is none."""
    identity = attribute(tag, "id")
    if identity and tag.name not in _CHILDLESS:
        return shown(f"{tag.name}#{identity}")
    return tag.name if tag.name in _LANDMARKS else ""


def _close(open_: list[_Open], spans: Spans, quota: Quota, end: int) -> str:
    """Ends the innermost open element at END, and gives the name of its tag."""
    tag, label, level, inside = open_.pop()
    if label and quota.takes(level):
        span = (tag.start, max(end, tag.end))
        open_[-1].inside.append(spans.draft(label, "element", level, span, tag.end, children=inside))
    return tag.name
