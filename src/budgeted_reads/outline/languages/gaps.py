"""C and C++ that their grammars cannot read, put into words that they can, where definitions may hide behind errors.

What is put in place is as long as what was there, each line in its place: blanks, or names of low lines. Titles and
signatures are still those of the source itself.
"""

import re
from collections.abc import Iterator, Sequence

from budgeted_reads.outline.languages.branches import whole_branches
from budgeted_reads.outline.languages.cppgaps import CPP, constructors
from budgeted_reads.outline.languages.gap import (
    ARGUMENTS,
    BUILT_IN,
    CAPITAL,
    GIVEN,
    MARKER,
    NO_KEYWORD,
    WORDS,
    Gap,
    Match,
    Put,
    before,
    behind,
    blank,
    name,
    one_name,
    unknown,
)
from budgeted_reads.outline.languages.naming import TITLE, declared, titled
from budgeted_reads.outline.languages.unread import LETTERS

_BEGINS = (b";", b"{", b"}", b")", b"else", b"*/", b":")
_BEFORE_IF = re.compile(rb"(?<=[\s;{})])[A-Z_]*\Z")
_BEFORE_EACH = re.compile(rb"(?<=[\s;{})])\w*for_?\Z", re.IGNORECASE)
_EACH = rb"\w*+[ \t]*\((?P<given>" + GIVEN + rb"++)\)(?=\s*+[^;\s])"


def _condition(found: Match) -> Iterator[Put]:
    """`for_each(a, b)` as `if (_)`: what it is given may be types."""
    head = behind(found, _BEFORE_EACH)
    if head is not None and before(head).endswith(_BEGINS):
        at, (start, end) = head.start(), found.span("given")
        yield at, b"if".ljust(start - 1 - at)
        yield start, one_name(found.string[start:end])


def _if(found: Match) -> Iterator[Put]:
    """A condition under a name in capitals, as one."""
    head = behind(found, _BEFORE_IF)
    if head is not None and found.string[head.start() - 1 : head.start()] != b"#":
        yield head.start(), b"if".ljust(found.start("given") - 1 - head.start())


_REMARK = re.compile(rb",(\s*)/\*[^*]*\Z")


def _last(found: Match) -> Iterator[Put]:
    """The comma before a comment that ends what is given."""
    comma = behind(found, _REMARK)
    if comma is not None:
        yield comma.start(), b" "


_WORD = NO_KEYWORD + rb"(?P<%b>[A-Za-z_]\w*+(?:::\w++)*+(?:<[^\n;(){}]*>)?+)"
_TWO_WORDS = re.compile(
    (rb"\n[ \t]*+" + WORDS + _WORD % b"first" + rb"(?P<stars>[ \t*&]++)")
    + rb"(?:(?:const|volatile|struct|union|enum|unsigned|signed|long|short|static|inline|extern|constexpr)[ \t]+)*"
    + (_WORD % b"second" + rb"[ \t*&]*[ \t*&\n][ \t*&]*(?P<name>" + NO_KEYWORD)
    + rb"~?[A-Za-z_]\w*+(?:::\w++)*+)[ \t]*(?P<after>[(;=,\[]|[A-Z_]++\(\()"
)
_IN_CAPITALS = re.compile(rb"_?[A-Z][A-Z0-9_]{3,}")
_TYPES = frozenset((b"int", b"char", b"void", b"bool", b"float", b"double", b"size_t", b"auto"))


def _marked(found: Match) -> Iterator[Put]:
    """Of two words before a name, the one that is no type: the second only where the name is that of a function."""
    first, second, marker = found["first"], found["second"], _IN_CAPITALS.fullmatch
    pointer = b"*" in found["stars"]
    odd = found["name"].isupper() and (not first.isupper() or not second.isupper())
    if odd or found["name"].startswith(b"__attribute"):
        # `CARD32 length B32;`, `int f PROTO((int a));`: nothing before the name is.
        return
    if second in _TYPES and not pointer:
        gone = "first" if first not in _TYPES else ""
    elif pointer or first in _TYPES or (marker(second) and not marker(first)):
        gone = "second" if found["after"].endswith(b"(") else ""
    else:
        gone = "first"
    if gone:
        yield found.start(gone), b" " * len(found[gone])


def _pointer(found: Match) -> Iterator[Put]:
    """A macro that has the star of a pointer in it."""
    yield found.start(1), b"*".ljust(len(found[1]))


_MACRO_BEFORE = re.compile(rb"(?<=[\w*][ \t])[A-Z_][A-Z0-9_]*\Z")


def _prototype(found: Match) -> Iterator[Put]:
    """`f PROTO((int a))` as `f (int a)`."""
    macro = behind(found, _MACRO_BEFORE)
    if macro is not None:
        yield macro.start(), b" " * (found.start() + 1 - macro.start())
        yield found.end("given"), b" "


_FORMAT_BEFORE = re.compile(rb"(?<=[\s)])\w*(?:printf|nonnull|attribute|format|alloc_size|sentinel)\w*[ \t]*\Z")


def _numbered(found: Match) -> Iterator[Put]:
    """What says by numbers which parameters are formats, or not null."""
    macro = behind(found, _FORMAT_BEFORE)
    if macro is not None:
        yield macro.start(), b" " * (found.end() - macro.start())


def _unit(found: Match) -> Iterator[Put]:
    yield found.start() - 1, b"  "


def _in_directive(found: Match) -> bool:
    line = found.string.rfind(b"\n", 0, found.start()) + 1
    return found.string[line : found.start()].lstrip().startswith(b"#")


def _attribute(found: Match) -> Iterator[Put]:
    """What is no definition of a macro."""
    if not _in_directive(found):
        yield from blank(found)


def _conditional(found: Match) -> Iterator[Put]:
    """The condition of a directive, where it begins its line."""
    if not found.string[found.string.rfind(b"\n", 0, found.start()) : found.start()].strip():
        yield from unknown(found)


_MAKER = re.compile(
    rb"\n[ \t]*+(?:#[ \t]*+(?:define[ \t]+\w+\(|undef\b|include\b)(?:[^\n]*\\\n)*+[^\n]*"
    rb"|[A-Z][A-Z0-9_]{3,}\([^()\n]*\)(?:,(?=[ \t]*\n)|(?=[ \t]*(?:/|\n))))"
)


def _listed(found: Match) -> Iterator[Put]:
    """What makes enumerators in an enumeration."""
    for line in _MAKER.finditer(found.string, *found.span()):
        yield line.start(), LETTERS.sub(b" ", line[0])


_TYPE = NO_KEYWORD + rb"[A-Za-z_][\w:]*+(?:<[^\n;(){}]*>)?+[ \t*&]++"
_VARIABLE = rb"(?!" + BUILT_IN + rb"|operator\b)[a-z]\w*+(?:\[[^\]\n]*\])?[ \t]++"
_NO_TYPE_BEFORE = b"".join(
    rb"(?<!" + word + rb" )" for word in (b"struct", b"union", b"enum", b"class", b"const", b"return", b"typename")
)
_ODD = rb"(?:::|[\"?]|\(<)"
"""What no condition of a directive has for the grammars."""

_BOTH = (
    # a name in angles, or a type, among what is given
    Gap(b"__has_include", re.compile(rb"__has_include(?:_next)?[ \t]*\((<[^>\n]{0,300}>)"), blank),
    Gap(b"container_of(", re.compile(rb"container_of\([^(),;]*+(,\s*struct\s\w+\s*,\s*[\w.]+)\)"), blank),
    Gap(b"offsetof(", re.compile(rb"offsetof\(\s*[\w\s]++,\s*\w++([.\[][^(),;]*+)\)"), blank),
    # `"%" PRIu64 " bytes"`
    Gap(b'" ', re.compile(rb'" ([A-Z][A-Za-z0-9_]{3,}+)(?=\s*[,)"])'), blank),
    # `128 KB`
    Gap(b"B", re.compile(rb"B(?<=\d [KMG]B)\b"), _unit),
    Gap(b"__attribute__", re.compile(rb"__attribute__\s*\(\(" + GIVEN + rb"*+\)\)"), _attribute),
    # `int *_Nullable x`, `int *absl_nonnull x`
    Gap(b"_N", re.compile(rb"_N(?<=[ *&]_N)(?:ullable|onnull|ull_unspecified)\b"), blank),
    Gap(b"absl_n", re.compile(rb"absl_n(?:ullable|onnull|ullability_unknown)\b"), blank),
    # `for_each(&a, b) {`
    Gap(b"each", re.compile(rb"each" + _EACH), _condition),
    Gap(b"EACH", re.compile(rb"EACH" + _EACH), _condition),
    # `TEST_CASE("title", "[tags]") {`
    Gap(b'"', TITLE, titled),
    # `void FOO_API f(`, `foo_inline void f(`, `foo_atomic int x;`
    Gap(b" ", _TWO_WORDS, _marked),
    # `f(int x FOO_UNUSED)`
    Gap(b" ", re.compile(rb" (?<=[a-z0-9_] )" + _NO_TYPE_BEFORE + rb"(" + MARKER + rb")(?=\s*+[,)])"), blank),
    # `int x FOO_UNUSED = 1;`, `} x FOO_UNUSED;`
    Gap(
        b"_",
        re.compile(
            (rb"\n[ \t]*+(?:\}[ \t]++|" + WORDS + _TYPE + rb")" + _VARIABLE)
            + (rb"([A-Z_][A-Z0-9_]{2,}+(?:" + ARGUMENTS + rb")?+)(?=\s*[;={])")
        ),
        blank,
    ),
    # `DECLARE_ALL(, a)`, `DECLARE_ALL(a, )`
    Gap(b"(,", re.compile(rb"\((,)"), blank),
    Gap(b", )", re.compile(rb"(,) \)"), blank),
    Gap(b"*/", re.compile(rb"\*/(?=\s*\))"), _last),
    # `static LIST_HEAD(a, b) c;`
    Gap(
        b") ",
        re.compile(
            rb"\n[ \t]*+" + WORDS + rb"([A-Z][A-Z0-9_]{2,}+\([^()\n]*+\))(?=[ \t*]+\w+[ \t]*[;=\[,])",
        ),
        name,
    ),
    # `int f PROTO((int a));`, `int f(char *a, ...) foo_printf(1, 2);`
    Gap(b"((", re.compile(rb"\((?P<given>\(" + GIVEN + rb"*+\))\)(?=\s*+;)"), _prototype),
    Gap(b"(", re.compile(rb"\(\(?[\d, ]++\)?\)"), _numbered),
    # `typedef a *FOO_RESTRICT b;`
    Gap(
        b"typedef ",
        re.compile(
            rb"typedef (?:(?:const|volatile|struct|union|enum|unsigned|signed|long|short)[ \t]+)*+\w++[ \t*]++("
            + (CAPITAL + rb")(?=[ \t]+\w++[ \t]*;)")
        ),
        blank,
    ),
    # `typedef int (FOO_API *f)(int)`
    Gap(
        b"*",
        re.compile(rb"\((?:(?<=[\w>*]\()|(?<=[\w>*] \())(" + CAPITAL + rb")[ \t]*\*+[ \t]*\w*+\)[ \t]*\("),
        blank,
    ),
    # `typedef int (FOO_APIP f)(int)`
    Gap(b" (", re.compile(rb" \((" + CAPITAL + rb")[ \t]+\w++\)[ \t]*\("), _pointer),
    # `TRY_ALL {`, `FOO_PRIVATE:`
    Gap(b"{", re.compile(rb"\n[ \t]*+(?:\}[ \t]*+)?(" + CAPITAL + rb")(?=\s*\{)"), blank),
    Gap(b":\n", re.compile(rb"\n[ \t]*+(" + CAPITAL + rb":)(?=\n)"), blank),
    # `MOCK_METHOD(void, f, (int), (override));`, `DECLARE_ALL(int, a);`
    Gap(b");", re.compile(rb"\n[ \t]*+(?=" + CAPITAL + rb"\()"), declared),
    Gap(b"{ ", re.compile(rb"\{ (?=" + CAPITAL + rb"\()"), declared),
    Gap(b"typedef ", re.compile(rb"typedef (?=" + CAPITAL + rb"\()"), declared),
    # `FOO_IF_CONSTEXPR (a == b) {`
    Gap(b"IF", re.compile(rb"IF[A-Z_]*+[ \t]*\((?P<given>" + GIVEN + rb"++)\)(?=\s*+\{)"), _if),
    # `#if A(b::c)`, `#if A || \` and `__has_include("b")` below
    Gap(
        b"#",
        re.compile(
            (rb"#[ \t]*+(?:el)?if[ \t]++(?=[^\n]*(?:" + _ODD + rb"|\\\n[^\n]*" + _ODD + rb"))")
            + rb"((?:[^\n\\/]|/(?!\*)|\\\r?\n|\\.)++)"
        ),
        _conditional,
    ),
    # `#define X(a) a,` and `#include "list"` among enumerators and values
    Gap(b"= {", re.compile(rb"= \{(?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+\}"), _listed),
    Gap(b"enum ", re.compile(rb"enum(?<!\wenum)\s[^;{}()]{0,200}+\{[^{}]*+\}"), _listed),
)

_CPP = (*CPP, *_BOTH)
_C = (
    *_BOTH,
    # `f(foo_const void *a)`, `(foo_const a *)b`
    Gap(
        b"*)",
        re.compile(rb"\(" + NO_KEYWORD + rb"(?!" + BUILT_IN + rb")([A-Za-z_]\w*+)(?=[ \t]+[A-Za-z_]\w*+[ \t]*\*+\))"),
        blank,
    ),
    Gap(
        b"(", re.compile(rb"[(,]\s*+" + NO_KEYWORD + rb"([A-Za-z_]\w*+)(?=[ \t]+(?:const )?(?:void|char|int)\b)"), blank
    ),
)


_AFTER = 200
"""So many bytes behind a span are looked at: what follows a word says what it is."""


def mended(source: bytes, spans: Sequence[tuple[int, int]], *, cpp: bool) -> tuple[bytes, bool]:
    """SOURCE, of which SPANS could not be read, in words that its grammar knows; whether all branches are in it."""
    whole = whole_branches(source, spans)
    # A line is found by the LF before it: the first one is given one.
    text = b"\n" + whole
    bare = bytearray(text)
    lines = [(text.rfind(b"\n", 0, start + 1), min(len(text), end + _AFTER)) for start, end in spans]
    for gap in _CPP if cpp else _C:
        for start, end in lines:
            if text.find(gap.word, start, end) >= 0:
                for found in gap.pattern.finditer(text, start, end):
                    for at, put in gap.put(found):
                        bare[at : at + len(put)] = put
    if cpp:
        for at, put in constructors(text, lines):
            bare[at : at + len(put)] = put
    return bytes(bare[1:]), whole == source
