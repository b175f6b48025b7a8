"""What the grammar of C++ cannot read of C++ itself, and the markers of its classes and mocks."""

import re
from collections.abc import Iterator, Sequence

from budgeted_reads.outline.languages.gap import (
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
    unknown,
)
from budgeted_reads.outline.languages.unread import LETTERS

_BEGINS = (b";", b"{", b"}", b"return")


def _stated(found: Match) -> Iterator[Put]:
    """An operator that is called: nothing but a statement begins before it."""
    if before(found).endswith(_BEGINS):
        yield from name(found)


def _dependent(found: Match) -> Iterator[Put]:
    """`typename` where no type is declared."""
    if before(found).endswith((*_BEGINS, b"using", b"(")):
        yield from blank(found)


def _deleted(found: Match) -> Iterator[Put]:
    """`= delete` of a template or a friend."""
    near = before(found, 300)
    near = near[max(near.rfind(sign) for sign in (b";", b"{", b"}")) + 1 :]
    if b"template" in near or b"friend" in near:
        yield from blank(found)


def _derived(found: Match) -> Iterator[Put]:
    """An expression that has in it what the grammar may not take."""
    if any(sign in found[1] for sign in (b"{", b",", b"()", b"&)")):
        yield from unknown(found)


_OWNER = re.compile(rb"(?<![\w>:])(?:\w+(?:<[^<>;{}]*>)?::)*\w+(?:<[^<>;{}]*>)?\Z")


def _member(found: Match) -> Iterator[Put]:
    """The owner in `T A::*m`."""
    owner = behind(found, _OWNER)
    if owner is not None:
        yield owner.start(), b" " * (found.start() + 2 - owner.start())


_MARKER_BEFORE = re.compile(rb"(?<=[ \t*&])" + MARKER + rb"\s+\Z")


def _marked(found: Match) -> Iterator[Put]:
    """A marker between a type and an operator."""
    marker = behind(found, _MARKER_BEFORE)
    if marker is not None:
        yield marker.start(), LETTERS.sub(b" ", marker[0])


CPP = (
    # `void FOO_API operator=(`
    Gap(b"operator", re.compile(rb"operator(?<=\soperator)\b"), _marked),
    # `x->operator==(y)`, `operator++();`
    Gap(b"operator", re.compile(rb"operator(?<=[>.]operator)\s*(?:[^\w\s(]{1,3}|\(\)|\w+)(?=\s*\()"), name),
    Gap(b"operator", re.compile(rb"operator\s?[^\w\s(;]{1,3}(?=\()"), _stated),
    # `T A::*m`, `(x->*m)(y)`, `(x.*m)(y)`
    Gap(b"::*", re.compile(rb"::\*(?!/)"), _member),
    Gap(b"->*", re.compile(rb"->(\*)(?=[\w(])"), blank),
    Gap(b".*", re.compile(rb"\.(\*)(?=[\w(])(?<=[\w)]\.\*)"), blank),
    # `T * = nullptr` among parameters
    Gap(b"= nullptr", re.compile(rb"= nullptr(?<=[*&] = nullptr)(?=\s*[,)>])"), blank),
    # `typename A = B (&)[C]`
    Gap(b"(&)", re.compile(rb"\(&\)\[\w*\](?=\s*[,>])"), blank),
    Gap(b"= 0", re.compile(rb"= 0(?<=[*>] = 0)(?=\s*[,)>])"), blank),
    Gap(b"= delete", re.compile(rb"= delete(?=\s*;)"), _deleted),
    # `enum : unsigned {`, `enum class [[a]] b {`
    Gap(b"enum", re.compile(rb"enum(?<!\wenum)\s*(:\s*[\w:]+(?: \w+)*)(?=\s*\{)"), blank),
    Gap(b" [[", re.compile(rb" \[\[(?:(?<=enum \[\[)|(?<=class \[\[)|(?<=struct \[\[))[^\]\n]*\]\]"), blank),
    # `extern template class A<B>;`
    Gap(b"template ", re.compile(rb"template(?=[ \t]+(?:class|struct)\b[^;{}]{0,500}+;)"), blank),
    Gap(b"extern template", re.compile(rb"extern(?= template\b)"), blank),
    # `export module a;`, `export int f();`
    Gap(b"module", re.compile(rb"\n((?:export[ \t]+)?module\b[^;{}()\n]*+;)"), blank),
    Gap(b"import ", re.compile(rb"\n((?:export[ \t]+)?import[ \t][^;{}()\n]*+;)"), blank),
    Gap(b"export ", re.compile(rb"\n[ \t]*+(export)(?=[ \t]+[A-Za-z_\[{])"), blank),
    # `class A : public FOO_BASE(B) {`
    Gap(b"public ", re.compile(rb"public ([A-Z][A-Z0-9_]{3,}+\([^()\n]*+\))(?=\s*[,{])"), name),
    # `using typename A::b;`, `return typename A::b();`
    Gap(b"typename ", re.compile(rb"typename (?=[\w:]+[^\w\s:])"), _dependent),
    # `using a::b, a::c;`, `using a::b FOO_API;`, `using T::operator()...;`
    Gap(b"using ", re.compile(rb"using(?<!\wusing)\s[\w:\s]{1,200}+(,[\w:\s,]{1,2000}+)(?=;)"), blank),
    Gap(b"using ", re.compile(rb"using [\w:]++ (" + MARKER + rb")(?=;)"), blank),
    Gap(b"::operator", re.compile(rb"operator(?<=::operator)\(\)(?:\.\.\.)?(?=;)"), name),
    # `template <class A = B*>`
    Gap(b"= ", re.compile(rb"= (?:const )?[\w:]++(?:<[^<>\n]*>)?([*&]{1,2})(?=\s*[,>])"), blank),
    # `decltype(a(), b())`, `noexcept(a<B>{}(c))`
    Gap(b"decltype(", re.compile(rb"decltype\((" + GIVEN + rb"++)\)"), _derived),
    Gap(b"noexcept(", re.compile(rb"noexcept\((" + GIVEN + rb"++)\)"), _derived),
)

_BUILT = re.compile(
    (rb"\n[ \t]*+" + WORDS + rb"(?:explicit[ \t]++)?+(" + MARKER + rb"|" + NO_KEYWORD + rb"[a-z_]\w*+)")
    + rb"(?=\s+(?:(?:explicit|constexpr|inline)[ \t]+)*(?P<owner>(?:[\w:]+(?:<[^;(){}\n]*>)?::)?)"
    + rb"(?P<name>~?[A-Za-z_]\w*+)\s?\()"
)
_ENDS = re.compile(rb"(?:<[^;(){}\n]*>)?::\Z")
_CLASSES = [
    re.compile(word + rb"[ \t]++(?:" + MARKER + rb"[ \t]++)*+([A-Za-z_]\w*+)") for word in (rb"class", rb"struct")
]


def constructors(text: bytes, spans: Sequence[tuple[int, int]]) -> Iterator[Put]:
    """`FOO_INLINE A() : a(1) {` in SPANS of TEXT: words before a name that a class has, or that is also its owner's."""
    built = [found for start, end in spans for found in _BUILT.finditer(text, start, end)]
    names = {name for pattern in _CLASSES for name in pattern.findall(text)} if built else set()
    for found in built:
        name = found["name"].lstrip(b"~")
        if _ENDS.sub(b"", found["owner"]).endswith(name) if found["owner"] else name in names:
            yield from blank(found)
