"""The branches of `#if` in C, C++ and C#: of those that no grammar can read together, only the longest is kept.

The head of a class, or of a block, may stand in two of them, and is closed once.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from budgeted_reads.outline.languages.unread import LETTERS

_CONDITION = re.compile(
    rb"\n[ \t]*+#[ \t]*+(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b([^\n\\]*+(?:\\\r?\n[^\n\\]*+|\\)*+)"
)
_QUOTED = re.compile(
    rb"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.){1,4}+'|//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/"
    rb"|\n[ \t]*+#(?:[^\n\\]|\\\r?\n|\\.)*+"
)
"""What has no braces of its own: strings, comments, directives."""


class _Branch(NamedTuple):
    """From its first byte to the one after its last; `dead` after `#if 0`; `line` is where its directive stands."""

    start: int
    end: int
    dead: bool
    line: int


def one_branch(source: bytes) -> bytes:
    """SOURCE with the lines of `#if ... #endif` as spaces, and of all branches between them but the longest.

    Of equals the first is kept, of `#if 0` what follows. Every other byte stays where it is.
    """
    return _reduced(source, None)


def whole_branches(source: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    """As `one_branch`, where one that is in SPANS of bytes is no whole by itself."""
    return _reduced(source, spans)


def _reduced(source: bytes, spans: Sequence[tuple[int, int]] | None) -> bytes:
    every = spans is None
    text = b"\n" + source
    bare = bytearray(text)
    groups: list[list[_Branch]] = []
    for found in _CONDITION.finditer(text):
        word, dead = found[1], found[2].strip() == b"0"
        if word.startswith(b"if"):
            groups.append([])
        elif groups and groups[-1]:
            groups[-1][-1] = groups[-1][-1]._replace(end=found.start())
        if word != b"endif":
            if groups:
                groups[-1].append(_Branch(found.end(), len(text), dead, found.start()))
            elif every:
                _blank(bare, found.start(), found.end())
        elif groups:
            _reduce(bare, groups.pop(), found.span(), spans)
        elif every:
            _blank(bare, *found.span())
    while every and groups:
        _reduce(bare, groups.pop(), (0, 0), None)
    return bytes(bare[1:])


def _reduce(
    bare: bytearray, branches: list[_Branch], end: tuple[int, int], spans: Sequence[tuple[int, int]] | None
) -> None:
    """Blanks the directives of BRANCHES, of which END is the last, and all but the longest.

    With SPANS, not where all of them are whole, or none is there.
    """
    if spans is not None:
        first = bisect_right(spans, (branches[0].line, 0)) - 1
        if not any(start <= end[1] and stop >= branches[0].line for start, stop in spans[max(0, first) : first + 2]):
            return
        bodied = bare[end[1] : end[1] + 200].lstrip().startswith(b"{")
        pieces = [bare[branch.start : branch.end] for branch in branches]
        if all(map(_plainly_whole, pieces)):
            return
        in_list = _in_list(bare[max(0, branches[0].line - _NEAR) : branches[0].line])
        if not any(_open(piece, bodied, in_list) for piece in pieces):
            return
    longest = max(branches, key=lambda branch: (not branch.dead) * (branch.end - branch.start + 1))
    _blank(bare, *end)
    for branch in branches:
        _blank(bare, branch.line, branch.start)
        if branch is not longest or branch.dead:
            _blank(bare, branch.start, branch.end)


_CONTINUES = (b"{", b";", b",", b"&&", b"||", b"?", b"=", b".", b"->", b")")
_WHOLE = (b";", b"}", b"{", b":")
_GOES_ON = (b"&&", b"||", b"?", b"=", b"+", b"|", b"&", b"<<", b"(", b"return")
_NEAR = 2000
_MOST = 20_000
"""What has so many bytes is a page between the guards of a header."""

_LAST = re.compile(rb"[;{}](?=[^;{}]*\Z)")


def _in_list(before: bytearray) -> bool:
    """Whether parameters, arguments or those of a template have begun, and are not ended."""
    code = _QUOTED.sub(_plain, before)
    last = _LAST.search(code)
    code = code[last.end() :] if last is not None else code
    return code.count(b"(") > code.count(b")") or (b"template" in code and code.count(b"<") > code.count(b">"))


def _plainly_whole(branch: bytearray) -> bool:
    """Whether a branch is a page, one directive, or statements that close all brackets, those of strings included."""
    code = branch.strip()
    if len(code) > _MOST or (code.startswith(b"#") and code.find(b"\n") < 0):
        return True
    return code.endswith((b";", b"}")) and not code.startswith((*_CONTINUES, b":")) and not _uneven(code)


def _open(branch: bytearray, bodied: bool, in_list: bool) -> bool:
    """Whether a branch is no whole by itself: brackets that are not closed, a part of an expression or a list, a head.

    BODIED says that a body follows what comes after all branches, IN_LIST that they are in parentheses.
    """
    code = _QUOTED.sub(_plain, branch).strip()
    if _uneven(code):
        return True
    if code.startswith(b":"):
        return not code.startswith(b"::")
    part = code[-1:].isalpha() or (bodied and code and not code.endswith(_WHOLE))
    return bool(part) or (in_list and code.endswith(b",")) or code.startswith(_CONTINUES) or code.endswith(_GOES_ON)


def _plain(found: re.Match[bytes]) -> bytes:
    return b'""' if found[0][:1] in (b'"', b"'") else b""


def _uneven(code: bytes | bytearray) -> bool:
    return code.count(b"{") != code.count(b"}") or code.count(b"(") != code.count(b")")


def _blank(bare: bytearray, start: int, end: int) -> None:
    bare[start:end] = LETTERS.sub(b" ", bare[start:end])
