"""Objective-C: interfaces, protocols, implementations to `@end`; methods by their whole selectors; functions of C."""

import re

from budgeted_reads.outline.patterns.ends import braces, closed, line
from budgeted_reads.outline.patterns.marks import marks
from budgeted_reads.outline.patterns.rule import Language, rule

_KEYWORD = re.compile(r"(\w*+)\s*+:")
_WORD = re.compile(r"[A-Za-z_]\w*+")
_BLOCK = re.compile(r"\(\s*\^\s*(?:\w++\s++)*(?P<name>\w++)\s*\)")
_ATTRIBUTES = re.compile(r"@property\s*+(?:\([^)]*+\))?")
_MACRO = re.compile(r"[A-Z][A-Z0-9]*+_[A-Z0-9_]*+|__\w++")
_GROUP = re.compile(r"\([^()]*+\)")
_BLANKS = 20


def _flat(head: str) -> str:
    """HEAD without what stands in parentheses."""
    for _ in range(_BLANKS):
        head, found = _GROUP.subn(" ", head)
        if not found:
            break
    return head


def _selector(head: str) -> str:
    """`- (void)get:(id)a done:(id)b {` is `get:done:`."""
    words = _flat(head)[1:].partition("{")[0].partition(";")[0]
    if parts := _KEYWORD.findall(words):
        return "".join(f"{part}:" for part in parts)
    found = _WORD.search(words)
    return found[0] if found else ""


def _property(head: str) -> str:
    """The name, which stands last but for macros, or in the type of a block."""
    words = _ATTRIBUTES.sub("", head, count=1).split(";")[0]
    if found := _BLOCK.search(words):
        return found["name"]
    names: list[str] = _WORD.findall(_flat(words).partition(",")[0])
    return next((name for name in reversed(names) if not _MACRO.fullmatch(name)), "")


_END = closed(r"^@end\b")
_CONTAINERS = "interface protocol implementation"
_LED = r"(?:(?:[A-Z][A-Z0-9_]*+|__\w++)(?:\s*+\([^@]*\))?\s++)*+"
_GENERIC = r"(?:\s*+<[^>]*+>)?"
_SPECIFIER = r"[A-Za-z_][\w:]*+(?:\s*+<[^<>]*+>)?[\s*&]++"
_TYPE = rf"(?!(?:else|return|typedef|goto|case|using|namespace)\b){_SPECIFIER}(?:{_SPECIFIER})*"

OBJECTIVE_C = Language(
    marks(
        r"(?P<comment>//[^\n]*+|/\*.*?(?:\*/|\Z))|(?P<text>\"(?:[^\"\\\n]|\\.?)*+(?:\"|$))"
        r"|(?P<literal>'(?:[^'\\\n]|\\.?)*+(?:'|$)|^[ \t]*+\#(?:[^\n\\]|\\.?)*+)"
    ),
    (
        rule("interface", rf"{_LED}@interface\s++(?P<name>\w++{_GENERIC}\s*+\([^)]*+\))", _END, holds=True),
        rule("interface", rf"{_LED}@interface\s++(?P<name>\w++)", _END, holds=True),
        rule("protocol", rf"{_LED}@protocol\s++(?P<name>\w++)(?!\s*+[;,\w])", _END, holds=True),
        rule("implementation", rf"{_LED}@implementation\s++(?P<name>\w++\s*+\([^)]*+\))", _END, holds=True),
        rule("implementation", rf"{_LED}@implementation\s++(?P<name>\w++)", _END, holds=True),
        rule("property", r"(?P<name>@property)\b", braces, within=_CONTAINERS, title=_property),
        rule("method", r"(?P<name>[-+])\s*+(?:\(|[A-Za-z_]\w*+\s*+[:{;])", braces, within=_CONTAINERS, title=_selector),
        rule(
            "enum",
            r"(?:typedef\s++)?(?:NS|CF)_(?:CLOSED_|ERROR_)?(?:ENUM|OPTIONS)\s*+\([^,()]*+,\s*+(?P<name>\w++)",
            braces,
        ),
        rule("struct", r"(?:typedef\s++)?(?:struct|union)\s++(?P<name>\w++)\s*+(?:\{|$)", braces, margin=True),
        rule("enum", r"(?:typedef\s++)?enum\s++(?P<name>\w++)[^;(]*+$", braces, margin=True),
        rule("type", r"typedef\b[^;]*?\(\s*+\^\s*+(?P<name>\w++)\s*+\)", braces, margin=True),
        rule("type", r"typedef\b[^;{}]*?(?P<name>\w++)\s*+;", line, margin=True),
        rule("function", rf"{_TYPE}(?P<name>~?\w++(?:::~?\w++)*+)\s*+\((?![^()]*+\)\s*+(?:=|\())", braces, margin=True),
        rule(
            "constant",
            rf"(?:static|extern|const|\w+_EXTERN|\w+_EXPORT)\s++{_TYPE}(?P<name>\w++)\s*+(?:\[[^\]]*+\]\s*+)?[=;]",
            braces,
            margin=True,
        ),
    ),
)

LANGUAGES = {"objective-c": OBJECTIVE_C}
