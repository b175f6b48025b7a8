"""Which lines of a text are those of the template that makes it: `{{ }}`, `{% %}`, `{# #}`, and comments of Go."""

import re
from collections.abc import Iterator, Sequence

WITHIN = 1 << 30
"""The indentation of lines that go on with a tag that began behind other words: deeper than any."""

_OPEN = re.compile(r"(?P<comment>\{\{-?[ \t\r\n]*+/\*)|\{[{%#]")
_CLOSE = {"{{": "}}", "{%": "%}", "{#": "#}"}
_COMMENT_END = re.compile(r"(?:[ \t\r\n]*+-?\}\})?+")
_FIRST, _LATER = "\0", "\1"
"""What stands for each character of a tag, in its first line and in the lines that go on with it."""


def tag_lines(lines: Sequence[str]) -> dict[int, int]:
    """The numbers of those LINES that hold nothing but tags, or go on with one, and how deep the tag is indented."""
    found: dict[int, int] = {}
    indent = 0
    for number, line in enumerate("".join(_marked("\n".join(lines))).split("\n"), 1):
        words = line.strip()
        if line.startswith(_LATER):
            found[number] = indent
        elif words:
            alone = words[0] == _FIRST
            indent = len(line) - len(line.lstrip()) if alone else WITHIN
            if alone and not words.strip(f"{_FIRST} \t\r"):
                found[number] = indent
    return found


def _marked(content: str) -> Iterator[str]:
    """The pieces of CONTENT, every character of a tag replaced by a mark."""
    at = 0
    for start, end in _tags(content):
        yield content[at:start]
        first, *later = content[start:end].split("\n")
        yield _FIRST * len(first)
        for line in later:
            yield f"\n{_LATER * len(line)}"
        at = end
    yield content[at:]


def _tags(content: str) -> Iterator[tuple[int, int]]:
    """Where the tags of CONTENT start and end; what never closes, or opens another of its sort before, is none."""
    at = 0
    closes: dict[str, int] = {}
    while opening := _OPEN.search(content, at):
        start, at = opening.start(), opening.end()
        mark = opening[0][:2]
        is_comment = mark == "{#" or opening["comment"] is not None
        closing = "*/" if opening["comment"] else _CLOSE[mark]
        # Looked for once, not from each of many marks that open.
        if closes.get(closing, 0) < at:
            found = content.find(closing, at)
            closes[closing] = found if found >= 0 else len(content)
        end = closes[closing]
        if end < len(content) and (is_comment or content.find(mark, at, end) < 0):
            at = end + 2
            if opening["comment"] and (rest := _COMMENT_END.match(content, at)):
                at = rest.end()
            yield start, at
