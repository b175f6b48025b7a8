"""C and C++ before the preprocessor: what the grammar cannot know of, blanked before the text is read.

Macros that stand where the grammar expects none: only words in capitals, only where they look like markers: alone on a
line (`FMT_BEGIN_NAMESPACE`), before the type of a declaration (`LUA_API int f(...)`), between `class` and its name
(`class FMT_API writer {`), behind the name of a namespace, between the head of a function and its body
(`void lock() LOCKS(this) {`).
"""

import re
from collections.abc import Iterator

from budgeted_reads.outline.languages.annotations import annotated, remarks
from budgeted_reads.outline.languages.unread import LETTERS

_NESTED = rb"(?:[^()\n]|\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*+\))*+\))*+\))*+"
_MACRO = rb"_{0,2}[A-Z][A-Z0-9_]{3,}+(?:[ \t]?+\(" + _NESTED + rb"\))?+"
_RUN = rb"(" + _MACRO + rb"(?:[ \t]++" + _MACRO + rb")*)"
_OVER_LINES = rb"(_{0,2}[A-Z][A-Z0-9_]{3,}+\((?=[^()\n]*+\n)(?:[^(){};\"]|\"[^\"\n]*+\"|\([^(){};]*+\)){0,300}+\))"
_ALONE = rb"[ \t\r]*+(?://[^\n]*+|/\*[^*\n]*+\*/[ \t\r]*+)?+(?=\n[ \t\r\n]*+(?:[A-Za-z_#/~\[}]|::|\Z)|\Z)"
"""Nothing follows in its line but a comment."""

_DECLARES = (
    rb"[ \t]++(?=~|unsigned[ \t]++[A-Za-z_]\w*+\(|(?:(?:const|volatile|struct|unsigned)[ \t]++)*+[A-Za-z_][\w:]*+"
    rb"(?:<[^\n;(){}]*>)?+"
    rb"(?:[ \t*&]+(?:[A-Za-z_~](?![A-Z0-9_]*\s*[;,=\[])|\(\w+\)[ \t]*\()|[ \t*&]*\r?\n[ \t]*(?:[a-z_~]|\w++\()))"
)
"""A type and a name follow, also on the next line; not the name and a second macro: `ULONG size PACKED;`."""

_TEMPLATE = rb"(?:template[ \t]*<[^\n]*>[ \t]++)?+"
_WORDS = rb"(?:(?:inline|static|extern|constexpr|virtual|explicit|friend|\"C(?:\+\+)?\"|\[\[[^\]\n]*\]\])[ \t]++)*+"
_ATTRIBUTES = rb"(?:\[\[[^\]\n]*\]\][ \t\r\n]++)?+"
_NAMED = rb"[ \t\r\n]+" + _ATTRIBUTES + rb"(?!final\b)[A-Za-z_][\w:]*+(?:<[^\n;(){}]*>)?+[ \t\r\n]*+(?:final\b|[:{])"
_LINE = re.compile(
    rb"\n[ \t]*+(?:"
    + (_RUN + rb"(?:" + _ALONE + rb"|" + _DECLARES + rb")|" + _OVER_LINES + _ALONE + rb"|(?=[a-z\[])")
    + (_TEMPLATE + _WORDS + rb"(?:" + _RUN + _DECLARES)
    + (rb"|(?:typedef[ \t]++|enum[ \t]++)?+(?:class|struct|union|enum)[ \t]++" + _ATTRIBUTES + rb"(?:" + _RUN)
    + (rb"|([a-z]\w*+))(?=" + _NAMED + rb")")
    + (rb"|namespace[ \t]++[\w:]++[ \t]++" + _RUN + rb"(?=[ \t\r\n]*+\{)")
    + rb"|(?:else[ \t]++)?+if[ \t]++([A-Z_][A-Z0-9_]{3,}+)[ \t]*+(?=\()))"
)
_AFTER = re.compile(
    rb"\)[ \t]*+\n?[ \t]*+(?:const[ \t]++|noexcept[ \t]++)*+" + _RUN + rb"(?=[ \t\r\n]*+(?:[{;]|:(?!:)))"
)

_HEADED = re.compile(
    rb"\n[A-Z][A-Z0-9_]{3,}+\(\s*+\w++(?:,\s*+[A-Za-z_]\w*+(?=\s*+[,)]))?+(,(?:[^(){};]|\([^(){};]*+\))*+)\)(?=\s*+\{)"
)
"""`SYSCALL_DEFINE1(close, unsigned int, fd) {`: what it is given are no parameters, after a name or two."""

_GOES_ON = b",=|&+-*?(<\\"
"""Signs at the end of a line after which a word in capitals is no marker: an enumerator, an argument, an operand."""

_CALLED = re.compile(rb"\s*+\*?\s*+(?=\w*[a-z])[A-Za-z_]\w*+\s*+\(")
_STATED = re.compile(rb"[\",]|\(\s*\d")
"""What is given is no type: `DEPRECATED("so")` before a name that is called."""

_PASSED = re.compile(
    rb"//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*\*/|\n[ \t]*+#[^\n]*|\n[ \t]*+" + _MACRO + rb"[ \t\r]*+(?=\n|\Z)"
)
"""What may stand between the end of a statement and a marker: comments, directives, markers."""
_CLASS_HEAD = re.compile(rb"\b(?:class|struct)\s[^;{}]*\{\Z")
_CLOSED = re.compile(rb"(?:\s*+(?:/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/|//[^\n]*+))*+\s*+\}")
_HEAD = re.compile(rb"(?:[\w)>~\]]|operator\s*\S{1,3})\s*\Z")
_CAST = re.compile(rb"\b(?:return|case|sizeof)\s*\Z")
_NEAR = 400
"""So many bytes before a macro the parameters that it follows begin."""


def blanked(source: bytes, *, cpp: bool = True) -> bytes:
    """SOURCE with such macros as spaces: every other byte stays where it is; SOURCE itself where there are none."""
    # A line is found by the LF before it, five times faster than by its start: the first one is given one.
    text = b"\n" + source
    bare: bytearray | None = None
    for start, end in _markers(text, cpp):
        bare = bytearray(source) if bare is None else bare
        bare[start - 1 : end - 1] = LETTERS.sub(b" ", text[start:end])
    return source if bare is None else bytes(bare)


def _markers(text: bytes, cpp: bool) -> Iterator[tuple[int, int]]:
    for found in _LINE.finditer(text):
        before = text[max(0, found.start() - 2) : found.start()].rstrip(b"\r")[-1:]
        if before and before in _GOES_ON:
            continue
        start, end = found.span(found.lastindex or 0)
        if text[end - 1] != 0x29 and _CLOSED.match(text, end) is not None and not _ended(text, start):
            continue
        if _CALLED.match(text, end) is None or _STATED.search(text, start, end) is not None:
            yield start, end
        elif text[end - 1] == 0x29:
            # `API(const char *)` before a name that is called has the type in it.
            yield start, text.index(b"(", start) + 1
            yield end - 1, end
    yield from (one.span(1) for one in _HEADED.finditer(text))
    yield from annotated(text, cpp=cpp)
    yield from remarks(text)
    yield from (one.span(1) for one in _AFTER.finditer(text) if _heads(text, one.start()))


def _ended(text: bytes, at: int) -> bool:
    """Whether a statement, a block or the head of a class ends before AT, comments and directives aside."""
    before = _PASSED.sub(b"", text[max(0, at - _NEAR) : at]).rstrip()
    return before.endswith((b";", b"}", b":")) or _CLASS_HEAD.search(before) is not None


def _heads(text: bytes, close: int) -> bool:
    """Whether the parenthesis that ends at CLOSE looks like parameters, not like a cast."""
    opened = text.rfind(b"(", max(0, close - _NEAR), close)
    before = text[max(0, opened - 40) : max(0, opened)]
    return opened > 0 and _HEAD.search(before) is not None and _CAST.search(before) is None
