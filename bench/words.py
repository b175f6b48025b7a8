"""Declarations by their words and their layout: the truth for languages whose parsers are not at hand.

A formatted source says most of what it defines in words at the start of its lines, and where a definition ends by the
closing brace below its first letter. That is read here with patterns, without a grammar, so that it can disagree with
one. What layout does not say (a last line without a brace of its own) is left open.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Words(NamedTuple):
    """How one language declares.

    `skipped` are comments and strings. What `always` finds counts wherever it stands, in the group `name`; what
    `member` finds counts on the top level and below a line of `types`, in another group only there; `inner` below a
    line of `lists`.
    """

    skipped: str
    always: str
    member: str = ""
    types: str = ""
    inner: str = ""
    lists: str = ""


_SLASHES = r"//[^\n]*|/\*.*?\*/"
_QUOTED = r'|"(?:\\.|[^"\\\n])*"'
_THRICE = r'|#*"""(?:.|\n)*?"""'
_COMPONENT = Words(
    r"(?:\A|^</script>).*?(?:^<script\b[^>]*>|\Z)|" + _SLASHES + r"|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'" + _QUOTED,
    r"^\t?(?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:async[ \t]+)?"
    r"(?:function\*?|class|interface|enum|type(?=[ \t]+[A-Z]))[ \t]+(?P<name>[A-Za-z_$][\w$]*)"
    r"|^\t?(?:export[ \t]+)?(?:const|let|var)[ \t]+(?P<variable>[A-Za-z_$][\w$]*)",
)
_ID = r"[A-Za-z_]\w*"

LANGUAGES = {
    "vue": _COMPONENT,
    "svelte": _COMPONENT,
    "kotlin": Words(
        _SLASHES + _THRICE + _QUOTED,
        r"(?<![\w.`:])(?:class|interface|object|typealias|fun(?![ \t]+interface)(?:[ \t]+<[^\n(]*?>)?)[ \t]+"
        rf"(?:{_ID}[\w.]*(?:<[^\n(]*?>)?\??\.)?(?P<name>{_ID}|`[^`\n]+`)(?=[\s(<:{{])",
        r"^[ \t]*(?:(?!val\b|var\b)[\w@.]+(?:\([^()\n]*\))?[ \t]+)*"
        rf"(?:va[lr][ \t]+(?:<[^\n(]*?>[ \t]*)?(?:{_ID}[\w.]*(?:<[^\n(:=]*>)?\??\.)?"
        rf"(?P<name>{_ID})(?=[ \t]*(?:[:=\n]|by\b))"
        r"|(?P<constructor>(?<=[ \t])constructor)(?=\())",
        r"^[ \t]*(?:@[\w.]+(?:\([^()\n]*\))?[ \t]+|(?!fun\b|va[lr]\b)\w+[ \t]+)*(?:class|interface|object)\b",
        r"^[ \t]+(?P<name>[A-Z]\w*)(?=[ \t]*(?:[,;({]|$))",
        r"\benum class\b",
    ),
    "swift": Words(
        _SLASHES + _THRICE + _QUOTED,
        r"(?<![\w.`])(?<!import )(?:func|struct|enum|protocol|extension|actor|typealias|associatedtype|macro"
        rf"|class(?!\s+(?:func|var|let|subscript)\b))[ \t]+(?P<name>{_ID}(?:\.\w+)*)",
        r"^[ \t]*(?:(?!let\b|var\b|init\b|guard\b|if\b|while\b)[\w@.]+(?:\([^()\n]*\))?[ \t]+)*"
        rf"(?:(?:let|var)[ \t]+`?(?P<name>{_ID})|(?P<init>init)(?=[?!]?[ \t]*[(<])"
        r"|(?P<subscript>subscript)(?=[ \t]*[(<])|(?P<deinit>deinit)(?=[ \t]*\{))",
        r"\b(?:class|struct|enum|protocol|extension|actor)[ \t]+[A-Z]",
        rf"^[ \t]+(?:indirect[ \t]+)?case[ \t]+`?(?P<name>{_ID})",
        r"\benum\b",
    ),
    "scala": Words(
        _SLASHES + _THRICE + _QUOTED,
        r"^[ \t]*(?:@\w+(?:\([^()\n]*\))?[ \t]+|(?:override|final|implicit|private|protected|sealed|abstract|inline"
        r"|case|lazy|transparent|open|opaque|infix)(?:\[\w+\])?[ \t]+)*"
        rf"(?:def|class|object|trait|enum|package object)[ \t]+(?P<name>{_ID})",
        r"^[ \t]*(?:@\w+(?:\([^()\n]*\))?[ \t]+|(?:override|final|implicit|private|protected|lazy|opaque|inline)"
        rf"(?:\[\w+\])?[ \t]+)*(?:va[lr]|type|given)[ \t]+(?P<name>{_ID})(?=[ \t]*(?:[:=\[\n]|<:|>:|$))",
        r"\b(?:class|object|trait|enum)[ \t]",
    ),
    "dart": Words(
        _SLASHES + r"|r?\'\'\'.*?\'\'\'|r?\"\"\".*?\"\"\"|\'(?:\\.|[^\'\\\n])*\'" + _QUOTED,
        r"^(?:(?:abstract|base|final|sealed|interface|mixin)[ \t]+)*(?:class|mixin|enum|extension(?: type)?(?: const)?"
        rf"|typedef)[ \t]+(?!on\b)(?P<name>{_ID})(?=[ \t]*(?:[<{{(=]|\b(?:with|extends|implements|on)\b))",
        r"^(?:  )?(?!(?:return|await|throw|if|for|while|switch|assert|super|catch|else|new|case|extension)\b)"
        rf"(?:(?:[\w.<>?,\[\]]+|\([\w.<>?, ]+\)\??)[ \t]+)*?(?!Function\b)(?P<name>\b{_ID}(?:\.\w+)?)"
        r"(?:<(?:[^<>()\n]|<[^<>()\n]*>)*>)?(?=\()"
        rf"|^(?:  )?(?:[\w.<>?,]+[ \t]+)*get[ \t]+(?P<getter>{_ID})(?=[ \t]*(?:=>|\{{|async|;|\n))",
        r"\b(?:class|mixin|enum|extension)[ \t]",
    ),
    "haskell": Words(
        r"--[^\n]*|\{-.*?-\}" + _QUOTED,
        r"^(?:data|newtype|type|class)[ \t]+(?:family[ \t]+|instance[ \t]+)?(?:[^=\n]*=>[ \t]*)?(?P<name>[A-Z]\w*)"
        r"|^(?P<function>[a-z_][\w']*)(?:[ \t]*,[ \t]*[a-z_][\w']*)*\s*::"
        r"|^instance[ \t]+(?:[^=\n]*=>[ \t]*)?(?P<instance>[A-Z][^\n]*?)[ \t]+where",
        r"^[ \t]+(?P<method>[a-z_][\w']*)(?:[ \t]*,[ \t]*[a-z_][\w']*)*[ \t]*::",
        r"^class\b",
        r"^[ \t]+[|=][ \t]+(?P<constructor>[A-Z]\w*)(?=[ \t\n{])|^[ \t]+[{,][ \t]*(?P<field>[a-z_][\w']*)[ \t]*::",
        r"^(?:data|newtype)\b",
    ),
    "zig": Words(
        r"//[^\n]*|\\\\[^\n]*" + _QUOTED,
        rf"^[ \t]*(?:(?:pub|export|inline|noinline|extern)[ \t]+)*fn[ \t]+(?P<name>{_ID})",
        rf"^[ \t]*(?:(?:pub|export|threadlocal)[ \t]+)*(?:const|var)[ \t]+(?P<name>{_ID})(?![^\n]*@import)"
        rf"|^[ \t]+(?P<field>{_ID})(?=:[ \t])",
        r"\b(?:struct|union|enum|opaque)\b[^{]*\{$",
        rf"^[ \t]+(?P<member>{_ID})(?=[ \t]*(?:,|=[ \t][^\n]*,))",
        r"\benum\b[^{]*\{$",
    ),
    "hcl": Words(
        r"#[^\n]*|//[^\n]*|/\*.*?\*/|<<-?(?P<here>\w+)\n.*?^[ \t]*(?P=here)$",
        r"^(?:resource|data|variable|output|module|provider)[ \t]+\"(?P<name>[^\"]+)\"(?=[ \t]*\{)"
        r"|^(?:resource|data)[ \t]+(?P<pair>\"[^\"]+\"[ \t]+\"[^\"]+\")",
        rf"^  (?P<local>{_ID})[ \t]*=(?!=)",
        r"^locals\b",
    ),
    "lua": Words(
        r"--\[(?P<level>=*)\[.*?\](?P=level)\]|--[^\n]*|(?<!\[)\[\[.*?\]\]|'(?:\\.|[^'\\\n])*'" + _QUOTED,
        rf"\bfunction[ \t]+(?:\w+[.:])*(?P<name>{_ID})(?=[ \t]*\()"
        rf"|(?<![\w.\]])(?:\w+\.)*(?P<assigned>{_ID})[ \t]*=[ \t]*function\b",
    ),
    "protobuf": Words(
        r"//[^\n]*|/\*.*?\*/" + _QUOTED,
        rf"^[ \t]*(?:message|enum|service|rpc|(?:optional|repeated|required)[ \t]+group)[ \t]+(?P<name>{_ID})",
        rf"^[ \t]+(?:(?:optional|repeated|required)[ \t]+)?(?:map[ \t]*<[^>\n]*>|[\w.]+)\s+"
        rf"(?P<field>{_ID})(?=\s*=\s*\d)",
        r"\b(?:message|oneof|extend|group)\b",
        rf"^[ \t]+(?P<value>{_ID})(?=\s*=\s*-?\d)",
        r"\benum\b",
    ),
    "graphql": Words(
        r"#[^\n]*" + _THRICE + _QUOTED,
        rf"^(?:extend[ \t]+)?(?:type|interface|input|enum|union|scalar|directive)[ \t]+@?(?P<name>{_ID})"
        rf"|^(?:query|mutation|subscription|fragment)[ \t]+(?P<operation>{_ID})",
        rf"^  (?P<field>{_ID})(?=[(:])",
        r"^(?:extend[ \t]+)?(?:type|interface|input)\b",
        rf"^  (?P<value>{_ID})(?=[ \t]*(?:@|$))",
        r"^(?:extend[ \t]+)?enum\b",
    ),
}


def declared(language: str, text: str) -> Iterator[tuple[str, int, int]]:
    """Name, line and last line (0: unknown) of each declaration in TEXT."""
    facts = LANGUAGES[language]
    text = re.sub(facts.skipped, lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.DOTALL | re.MULTILINE)
    rows = text.split("\n")
    for pattern, around in ((facts.always, None), (facts.member, facts.types), (facts.inner, facts.lists)):
        for found in re.finditer(pattern, text, re.MULTILINE) if pattern else ():
            group = next(name for name, words in found.groupdict().items() if words is not None)
            at = text.count("\n", 0, found.start(group))
            if around is None or _stands(rows, at, around, top=group == "name" and pattern != facts.inner):
                name = ".".join(re.findall(r'"([^"]+)"', found[group])) if group == "pair" else found[group]
                yield name.strip("`"), at + 1, _end(rows, at)


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


def _stands(rows: list[str], at: int, around: str, *, top: bool) -> bool:
    """Whether row AT is on the top level (if TOP), or the row that it is indented below is one of AROUND."""
    indent = _indent(rows[at])
    opened = False
    if not indent:
        return top
    for row in reversed(rows[:at]):
        if row.strip() and _indent(row) < indent:
            opened = opened or row.rstrip().endswith("{")
            if not row.lstrip().startswith((")", "#", ">", ":", "where")):
                return opened and re.search(around, row) is not None
            indent = _indent(row) + 1
    return False


def _end(rows: list[str], at: int) -> int:
    """The last line of what begins at row AT: a brace alone below its first letter. 0 where layout does not say it."""
    indent, row = _indent(rows[at]), rows[at].rstrip()
    while row.endswith(("{", "(")):
        closing = " " * indent + ("}" if row.endswith("{") else ")")
        at = next((n for n in range(at + 1, len(rows)) if rows[n].strip() and _indent(rows[n]) <= indent), at)
        if not rows[at].expandtabs(1).startswith(closing):
            return 0
        row = rows[at].rstrip()
        if row.strip() in ("}", "};"):
            return at + 1
    return 0
