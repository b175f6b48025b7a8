"""Markdown to headings and blocks, by the block rules of CommonMark (and tables); inline rules see only headings."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from budgeted_reads.outline import mdx
from budgeted_reads.outline.entry import Block, Outline, Range
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.mdblocks import Mark, marks
from budgeted_reads.outline.mdheadings import CONTAINERS, headings
from budgeted_reads.outline.sections import Heading, sections
from budgeted_reads.text import BOM, Text

_LONE_CR = re.compile(r"\r(?!\n)")
_KEY = re.compile(r"\s*(?:[\w.\"'-]+\s*[:=]|[#\[{-])")
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])")
_LINK = re.compile(r"\[[^\[\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])|<?https?://[^\s<>]+>?")
_BETWEEN = re.compile(r"[\s|•·,;/–—*_-]+|&nbsp;|<br */?>")
_KINDS = {
    "paragraph_open": "paragraph",
    "list_item_open": "item",
    "fence": "fence",
    "code_block": "fence",
    "table_open": "table",
    "blockquote_open": "quote",
    "html_block": "html",
}


def outline(text: Text, form: Format) -> Outline:
    """Headings of TEXT as sections that end before the next heading of their level or above; all else as blocks.

    A heading in a list item or a quote ends with that at the latest, and one in HTML counts as any other. Front matter
    (`---` or `+++`) is one block of kind `meta`. In MDX, what is no Markdown is `html`.
    """
    page = text.content.removeprefix(BOM)
    if "\r" in page:
        page = _LONE_CR.sub(" ", page)
    lines = page.split("\n")
    if not lines[-1]:
        lines.pop()
    meta = _front_matter(lines)
    written = [""] * meta + lines[meta:]
    read = mdx.bare(written) if form.name == "mdx" else written
    env: dict[str, Any] = {}
    tokens = marks("\n".join(read) + "\n", env, mdx=form.name == "mdx")
    titled = list(headings(tokens, env))
    blocks = [Block("meta", 1, meta)] if meta else []
    blocks += _between(list(_blocks(tokens, read, titled)), read, titled)
    covered = [(token.map[0] + 1, token.map[1]) for token in tokens if token.map and token.level == 0]
    blocks += [Block("links", first, last) for first, last in _outside(read, covered)]
    if read is not written:
        gone = ["" if left.strip() else line for line, left in zip(written, read, strict=True)]
        taken = sorted((block.start, block.end) for block in blocks)
        blocks += [Block("html", first, last) for first, last in _outside(gone, taken)]
    entries = sections(titled, text)
    return Outline(entries, form.name, None, "prose", tuple(sorted(blocks, key=lambda block: block.start)))


def _front_matter(lines: Sequence[str]) -> int:
    """How many lines the front matter takes: 0 where the first line opens none, or nothing like keys follows it."""
    mark = lines[0].rstrip() if lines else ""
    if mark not in ("---", "+++"):
        return 0
    for number, line in enumerate(lines[1:], 2):
        line = line.rstrip()
        if line == mark or (mark == "---" and line == "..."):
            return number if number == 2 or _KEY.match(lines[1]) else 0
    return 0


def _blocks(tokens: Sequence[Mark], lines: Sequence[str], titled: Sequence[Heading]) -> Iterator[Block]:
    """The outermost blocks; a list item or a quote that holds a heading is none, but what is in it."""
    firsts = [heading.first for heading in titled]
    passed: int | None = None
    for index, token in enumerate(tokens):
        if passed is not None:
            passed = passed if token.level > passed else None
            continue
        if token.map is None or token.type not in _KINDS:
            continue
        if token.type in CONTAINERS and bisect_left(firsts, token.map[0] + 1) < bisect_left(firsts, token.map[1] + 1):
            continue
        if token.type.endswith("_open"):
            passed = token.level
        kind = _KINDS[token.type]
        if kind in ("paragraph", "item"):
            kind = _kind_by_words(kind, _words(tokens, index))
        yield from _trimmed(kind, token.map[0] + 1, min(token.map[1], len(lines)), lines)


def _between(blocks: Sequence[Block], lines: Sequence[str], titled: Sequence[Heading]) -> Iterator[Block]:
    """BLOCKS without the lines of headings, which are in some where they are written in HTML."""
    lasts = [heading.last for heading in titled]
    for kind, first, last in blocks:
        at = bisect_left(lasts, first)
        if at == len(titled) or titled[at].first > last:
            yield Block(kind, first, last)
            continue
        while at < len(titled) and titled[at].first <= last:
            yield from _trimmed(kind, first, titled[at].first - 1, lines)
            first, at = titled[at].last + 1, at + 1
        yield from _trimmed(kind, first, last, lines)


def _trimmed(kind: str, first: int, last: int, lines: Sequence[str]) -> Iterator[Block]:
    """The block on lines FIRST..LAST without blank lines around it, if it has others."""
    while first <= last and not lines[first - 1].strip():
        first += 1
    while last >= first and not lines[last - 1].strip():
        last -= 1
    if first <= last:
        yield Block(kind, first, last)


def _words(tokens: Sequence[Mark], index: int) -> list[str] | None:
    """The words of the paragraph or item opened at INDEX; None where it also holds code, a table or a quote."""
    words = []
    level = tokens[index].level
    for at in range(index + 1, len(tokens)):
        token = tokens[at]
        if token.level == level:
            break
        if token.type == "inline":
            words.append(token.content)
        elif token.type in _KINDS and _KINDS[token.type] not in ("paragraph", "item"):
            return None
    return words


def _kind_by_words(kind: str, words: list[str] | None) -> str:
    if not words:
        return kind
    if words[0][:1].isalnum() and not words[0].startswith("http"):
        return kind
    whole = "\n".join(words)
    bare = _IMAGE.sub("", whole)
    images = bare != whole
    unlinked = _LINK.sub("", bare)
    if not _BETWEEN.sub("", bare):
        return ("links" if len(_IMAGE.findall(whole)) > 1 else "image") if images else kind
    return "links" if unlinked != bare and not _BETWEEN.sub("", unlinked) else kind


def _outside(lines: Sequence[str], covered: Sequence[Range]) -> Iterator[Range]:
    """Runs of lines that nothing covers: in a parsed document these are definitions of links."""
    at = 1
    for first, last in [*covered, (len(lines) + 1, len(lines) + 1)]:
        yield from _runs(lines, at, first - 1)
        at = max(at, last + 1)


def _runs(lines: Sequence[str], first: int, last: int) -> Iterator[Range]:
    start = 0
    for number in range(first, last + 1):
        if lines[number - 1].strip():
            start = start or number
        elif start:
            yield start, number - 1
            start = 0
    if start:
        yield start, last
