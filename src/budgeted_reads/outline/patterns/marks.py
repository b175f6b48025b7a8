"""Code without what is no code: comments, strings and literals become spaces, each line keeps its length."""

import re
from bisect import bisect_right
from typing import NamedTuple

_SHOWN = re.compile(r"[^\n]")
_WORD_LINE = re.compile(r"^[ \t]*+(?P<tag>\w++)[ \t]*+$", re.MULTILINE)


class Marks(NamedTuple):
    """`pattern` finds what is no code, by its groups.

    `text`: a string, whose first and last sign stay. `nest`: a comment that `nested` opens and closes, as often as
    each. `here`: what begins a here-document, which ends with the line that says its `tag` and nothing else. `stays`:
    code that looks like a mark. All else goes.
    """

    pattern: re.Pattern[str]
    nested: re.Pattern[str] | None = None


def marks(pattern: str, nested: str = "") -> Marks:
    """The marks of these words; `.` is any sign, `^` and `$` are ends of lines; `open` and `close` are `nested`."""
    return Marks(re.compile(pattern, re.DOTALL | re.MULTILINE), re.compile(nested, re.DOTALL) if nested else None)


def masked(content: str, marks: Marks) -> str:
    """CONTENT with spaces for what MARKS say is no code; equal in length, its lines where they were."""
    pieces: list[str] = []
    tags = _Tags(content)
    copied = at = 0
    while found := marks.pattern.search(content, at):
        kind, start, end = found.lastgroup, *found.span()
        at = max(end, start + 1)
        if kind == "stays":
            continue
        if kind == "here":
            start, end = tags.document(found["tag"], end)
            if start == end or start < copied:
                continue
            # The line of the word goes on with code, and its marks are looked at, too.
            pieces.append(_masked_line(content[copied:start], at - copied, marks))
            pieces.append(_blank(content[start:end]))
            copied = at = end
            continue
        if kind == "nest" and marks.nested:
            end = at = _closed(content, end, marks.nested)
        pieces.append(content[copied:start])
        said = content[start:end]
        if kind == "text" and len(said) > 1:
            pieces.extend((said[0], _blank(said[1:-1]), said[-1]))
        else:
            pieces.append(_blank(said))
        copied = end
    pieces.append(content[copied:])
    return "".join(pieces)


def _blank(said: str) -> str:
    return _SHOWN.sub(" ", said)


def _masked_line(said: str, after: int, marks: Marks) -> str:
    """SAID, its end from AFTER on without strings that are closed there."""

    def bare(found: re.Match[str]) -> str:
        return _blank(found[0]) if found.lastgroup != "stays" and "\n" not in found[0] else found[0]

    return said[:after] + marks.pattern.sub(bare, said[after:])


def _closed(content: str, at: int, nested: re.Pattern[str]) -> int:
    """Where the comment ends that is open at AT; the end of CONTENT where it never does."""
    depth = 1
    while depth and (found := nested.search(content, at)):
        depth += 1 if found.lastgroup == "open" else -1
        at = found.end()
    return at if not depth else len(content)


class _Tags:
    """The lines that hold one word only, found once, so that a thousand unclosed here-documents cost no more."""

    def __init__(self, content: str) -> None:
        self.content = content
        self.ends: dict[str, list[tuple[int, int]]] | None = None

    def document(self, tag: str, after: int) -> tuple[int, int]:
        """First offset of the lines below AFTER, and the end of the line that is TAG; equal where there is none."""
        if self.ends is None:
            self.ends = {}
            for found in _WORD_LINE.finditer(self.content):
                self.ends.setdefault(found["tag"], []).append(found.span())
        ends = self.ends.get(tag, [])
        start = self.content.find("\n", after) if ends else -1
        place = bisect_right(ends, (start, len(self.content)))
        return (start, ends[place][1]) if start >= 0 and place < len(ends) else (after, after)
