"""Markdown to headings and blocks, by the block rules of CommonMark (and tables); inline rules see only headings."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from budgeted_reads.outline.entry import Block, Outline, Range
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.mdblocks import Mark, inline, marks
from budgeted_reads.outline.sections import Heading, sections
from budgeted_reads.text import BOM, Text

if TYPE_CHECKING:
    from markdown_it.token import Token

_LONG_TITLE = 2000
"""A heading longer than this keeps its inline markup: the inline rules are not linear."""

_LONE_CR = re.compile(r"\r(?!\n)")
_MARKUP = re.compile(r"[*_`\[\]<>\\&~!]")
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

    Headings inside quotes and lists open no section. Front matter (`---` or `+++`) is one block of kind `meta`.
    """
    page = text.content.removeprefix(BOM)
    if "\r" in page:
        page = _LONE_CR.sub(" ", page)
    lines = page.split("\n")
    if not lines[-1]:
        lines.pop()
    meta = _front_matter(lines)
    if meta:
        page = "\n".join([""] * meta + lines[meta:])
    env: dict[str, Any] = {}
    tokens = marks(page if page.endswith("\n") else page + "\n", env)
    covered = [(token.map[0] + 1, token.map[1]) for token in tokens if token.map and token.level == 0]
    blocks = ([Block("meta", 1, meta)] if meta else []) + list(_blocks(tokens, lines))
    blocks += [Block("links", first, last) for first, last in _outside(lines, meta, covered)]
    entries = sections(list(_headings(tokens, env)), text)
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


def _headings(tokens: Sequence[Mark], env: dict[str, Any]) -> Iterator[Heading]:
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            words = tokens[index + 1].content
            first, last = token.map[0] + 1, token.map[1]
            words_last = max(first, last - 1) if token.markup in ("=", "-") else last
            yield Heading(plain_title(words, env), int(token.tag[1]), first, last, first, words_last)


def plain_title(words: str, env: dict[str, Any]) -> str:
    """WORDS without inline markup, as a reader says them; white space is folded."""
    if _MARKUP.search(words) and len(words) <= _LONG_TITLE:
        words = _spoken(inline(words, env))
    return " ".join(words.split())


def _spoken(tokens: Sequence["Token"]) -> str:
    said = []
    for token in tokens:
        if token.type == "image":
            said.append(_spoken(token.children or ()))
        elif token.type in ("text", "code_inline", "text_special"):
            said.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            said.append(" ")
    return "".join(said)


def _blocks(tokens: Sequence[Mark], lines: Sequence[str]) -> Iterator[Block]:
    for index, token in enumerate(tokens):
        level = 1 if token.type == "list_item_open" else 0
        if token.level != level or token.map is None or token.type not in _KINDS:
            continue
        kind = _KINDS[token.type]
        if kind in ("paragraph", "item"):
            kind = _kind_by_words(kind, _words(tokens, index))
        first, last = token.map[0], min(token.map[1], len(lines))
        while first < last and not lines[first].strip():
            first += 1
        while last > first and not lines[last - 1].strip():
            last -= 1
        if first < last:
            yield Block(kind, first + 1, last)


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


def _outside(lines: Sequence[str], meta: int, covered: Sequence[Range]) -> Iterator[Range]:
    """Runs of lines that no token covers: in a parsed document these are definitions of links."""
    at = meta + 1
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
