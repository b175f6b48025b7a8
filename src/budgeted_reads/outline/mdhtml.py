"""Headings that a page of Markdown has in HTML: in blocks of it, or alone in a paragraph."""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Any

from budgeted_reads.outline.lines import named
from budgeted_reads.outline.mdblocks import Mark
from budgeted_reads.outline.mdtitles import spoken
from budgeted_reads.outline.sections import Heading

_MOST_PARTS = 20
"""A heading that is open for more blocks than this is none."""

_OPENS = re.compile(r"<h[1-6][\s>]", re.IGNORECASE)
_TAG = re.compile(
    r"<!--(?:.*?-->|.*+)|<(?P<raw>script|style|textarea|pre)\b[^<>]*+>.*?(?:</(?P=raw)|\Z)"
    r"|<(?P<close>/?)h(?P<rank>[1-6])(?:\s[^<>]*+)?+>",
    re.DOTALL | re.IGNORECASE,
)
_TAGS = re.compile(r"(?:\s++|<[^<>]*+>)*+")
_ANY_TAG = re.compile(r"<!--(?:.*?-->|.*+)|<[^<>]*+>", re.DOTALL)
_WITHIN = re.compile(
    r"</?(?:a|abbr|b|bdi|big|code|del|em|font|i|ins|kbd|mark|s|samp|small|span|strong|sub|sup|tt|u|var)(?:\s[^<>]*+)?+>",
    re.IGNORECASE,
)
"""A tag that may stand within a word."""

_PERMALINK = re.compile(r"<a\s[^<>]*+>[^\w\s<>]{1,3}</a>\s*+\Z", re.IGNORECASE)
"""A link to the heading itself, with a sign instead of words."""

_ALT = re.compile(r"<img\s(?:[^<>]*?\s)??alt\s*+=\s*+(?:\"(?P<alt>[^\"<>]*+)\"|'(?P<other>[^'<>]*+)')", re.IGNORECASE)

Pair = tuple[re.Match[str], re.Match[str] | None]


def headings(tokens: Sequence[Mark], index: int, env: dict[str, Any]) -> Iterator[Heading]:
    """The headings that open in token INDEX, a block of HTML or a paragraph, which has one where it holds no more.

    The title is the text between the tags, else what is said for its pictures; one without either is none.
    """
    token = tokens[index]
    markdown = token.type != "html_block"
    content = tokens[index + 1].content if markdown else token.content
    if token.map is None or not _OPENS.search(content):
        return
    pairs = _pairs(content)
    if markdown and not (len(pairs) == 1 and _is_alone(content, *pairs[0])):
        return
    at, line = 0, token.map[0] + 1
    for opening, closing in pairs:
        if closing is None:
            content = _continued(tokens, index, content)
            again, closing = _pairs(content, opening.start())[0]
            if closing is None or again.start() != opening.start():
                return
            markdown = True
        inner = opening.end(), closing.start()
        if title := _title(content[slice(*inner)], env, markdown=markdown):
            first = line + content.count("\n", at, opening.start())
            own = first + content.count("\n", opening.start(), _named_at(content, *inner))
            at, line = closing.end(), first + content.count("\n", opening.start(), closing.end())
            yield Heading(title, int(opening["rank"]), first, line, own, line)


def _pairs(content: str, at: int = 0) -> list[Pair]:
    """Tags of headings with the end tags of their rank; the last may have none."""
    found: list[Pair] = []
    opening: re.Match[str] | None = None
    for tag in _TAG.finditer(content, at):
        if tag["rank"] and not tag["close"]:
            opening = tag
        elif opening and tag["rank"] == opening["rank"]:
            found.append((opening, tag))
            opening = None
    return [*found, (opening, None)] if opening else found


def _is_alone(content: str, opening: re.Match[str], closing: re.Match[str] | None) -> bool:
    """Whether nothing but tags stands around the heading."""
    before = _TAGS.fullmatch(content, 0, opening.start())
    return bool(before and (closing is None or _TAGS.fullmatch(content, closing.end())))


def _continued(tokens: Sequence[Mark], index: int, content: str) -> str:
    """CONTENT of token INDEX with the blocks and paragraphs that follow on it, each on its own lines."""
    level, start = tokens[index].level, (tokens[index].map or [0])[0]
    parts = [content]
    lines = content.count("\n")
    for at in range(index + 1, len(tokens)):
        token = tokens[at]
        if token.level > level or token.type == "paragraph_close":
            continue
        if token.level < level or token.type not in ("html_block", "paragraph_open") or len(parts) > _MOST_PARTS:
            break
        words = token.content if token.type == "html_block" else tokens[at + 1].content
        gap = (token.map or [0])[0] - start - lines
        parts += ["\n" * gap, words]
        lines += gap + words.count("\n")
    return "".join(parts)


def _title(words: str, env: dict[str, Any], *, markdown: bool) -> str:
    said = _ANY_TAG.sub(" ", _WITHIN.sub("", _PERMALINK.sub("", words)))
    said = spoken(said, env) if markdown else " ".join(unescape(said).split())
    if not said:
        pictures = (found["alt"] or found["other"] or "" for found in _ALT.finditer(words))
        said = " ".join(unescape(" ".join(pictures)).split())
    return named(said)


def _named_at(content: str, start: int, end: int) -> int:
    """The offset of the first words between START and END, of the first picture that says something where none are."""
    tags = _TAGS.match(content, start, end)
    at = tags.end() if tags else start
    if at < end:
        return at
    picture = _ALT.search(content, start, end)
    return picture.start() if picture else start
