"""Macros of C and C++ that name what they make: tests with titles, mocks, functions that are exported."""

import re
from collections.abc import Iterator

from budgeted_reads.outline.languages.gap import BUILT_IN, CAPITAL, GIVEN, Match, Put
from budgeted_reads.outline.languages.unread import LETTERS

TITLED = re.compile(rb"_+")
"""What stands for the title of a test."""

TITLE = re.compile(
    rb"\n[ \t]*+[A-Z][A-Z0-9_]*+[ \t]*+\(\s*+\"(?P<title>(?:[^\"\\\n]|\\.)++)\"" + GIVEN + rb"*+\)(?=\s*+\{)"
)


def titled(found: Match) -> Iterator[Put]:
    """`TEST_CASE("title", ...)` as a function that is given a type of low lines where the title stands."""
    start, end = found.span("title")
    yield start - 1, b" " + b"_" * (end - start)
    yield end, LETTERS.sub(b" ", found.string[end : found.end() - 1])


_FUNCTION = re.compile(
    rb"[A-Z_][A-Z0-9_]*+\((?:[^(),;{}]++,)*?\s*+\(?(?P<type>[^(),;{}]++|(?<=\()[^();{}]++)\)?\s*+,\s*+(?P<name>\*?[A-Za-z_]\w*+)"
    rb"\s*+,\s*+(?P<given>\(" + GIVEN + rb"*+\))(?:\s*+,(?:\s*+\(" + GIVEN + rb"*+\)|[^(){};]*+))?+\s*+\)(?=;)"
)
_TYPED = re.compile(
    (CAPITAL + rb"\((?:(?:[^(){};\"]|\"[^\"\n]*\"){0,400}?,)?\s*+(?:(?:const|unsigned|signed|long|short)\s+)*")
    + (rb"(?:" + BUILT_IN + rb"[ *]*[,)]|[\w:<>]+[ *]*[*&]\s*[,)])")
)
_WHOLE = re.compile(CAPITAL + rb"\(" + GIVEN + rb"*+\);")


def declared(found: Match) -> Iterator[Put]:
    """`MOCK_METHOD(void, f, (int), (override))` as `void f(int)`; nothing for others that are given types or words."""
    text, at = found.string, found.end()
    if (function := _FUNCTION.match(text, at)) is not None:
        for kept in ("type", "name", "given"):
            start, end = function.span(kept)
            yield at, LETTERS.sub(b" ", text[at:start])
            at = end
        yield at, LETTERS.sub(b" ", text[at : function.end()])
    elif (whole := _WHOLE.match(text, at)) is not None and (b'"' in whole[0] or _TYPED.match(text, at) is not None):
        yield at, LETTERS.sub(b" ", whole[0])
