"""OCaml and F#: definitions by their words, to the next line that is no deeper."""

import re

from budgeted_reads.outline.patterns.ends import following, indented, line, rest
from budgeted_reads.outline.patterns.marks import marks
from budgeted_reads.outline.patterns.rule import Language, rule

_NESTED = r"(?P<open>\(\*(?!\)))|(?P<close>\*\))"
_STRING = r"\"(?:[^\"\\]|\\.?)*+(?:\"|\Z)"
_CHARACTER = r"(?<![\w'])'(?:[^'\\\n]|\\(?:[xuo]\w++|\d++|.))'"

_OCAML = indented(r"(?:end|with|then|else|in|done|do)\b|[|})\];>]|->|and\s*(?=\()")
_BOUND = r"(?P<name>[a-z_][\w']*+|\(\s*[^\w\s()]++\s*\))"
_LET = r"(?!.*\bin$)let(?:%\w++)?\s++(?:rec\s++|nonrec\s++)?+"

OCAML = Language(
    marks(
        rf"(?P<nest>\(\*(?!\)))|(?P<text>{_STRING}|\{{(?P<sign>[a-z_]*+)\|.*?(?:\|(?P=sign)\}}|\Z))"
        rf"|(?P<literal>{_CHARACTER})",
        _NESTED,
    ),
    (
        rule("module", r"module\s++type\s++(?:of\s++)?(?P<name>\w++)", _OCAML, holds=True),
        rule("module", r"module\s++(?:rec\s++)?(?P<name>[A-Z]\w*+)", _OCAML, holds=True),
        rule(
            "class", r"class\s++(?:type\s++|virtual\s++)*+(?:\[[^\]]*+\]\s*+)?(?P<name>[a-z_]\w*+)", _OCAML, holds=True
        ),
        rule("type", r"type\s++(?:nonrec\s++)?(?:[-+!]?'\w++\s++|\([^)]*+\)\s*+|[-+]?_\s++)?(?P<name>[\w.]++)", _OCAML),
        rule("exception", r"exception\s++(?P<name>\w++)", _OCAML),
        rule("function", rf"external\s++{_BOUND}", _OCAML),
        rule("function", rf"val\s++(?:mutable\s++|virtual\s++)*+{_BOUND}\s*+(?::(?:.*->|\s*+[?~]|$)|$)", _OCAML),
        rule("constant", rf"val\s++(?:mutable\s++|virtual\s++)*+{_BOUND}", _OCAML),
        rule("method", rf"method[!]?\s++(?:private\s++|virtual\s++)*+{_BOUND}", _OCAML, within="class"),
        rule("block", rf"(?P<name>{_LET}\(\))\s*+=", _OCAML),
        rule("function", rf"{_LET}{_BOUND}(?=\s++[^=:,\s])", _OCAML),
        rule("function", rf"{_LET}{_BOUND}\s*+(?::[^=]*+)?=\s*+(?:fun|function)\b", _OCAML),
        rule("function", rf"{_LET}{_BOUND}\s*+:.*->[^=]*+=", _OCAML),
        rule("constant", rf"{_LET}{_BOUND}(?=\s*+(?:[=:]|$))", _OCAML),
        rule("", r"and\s++(?:[-+!]?'\w++\s++|\([^)]*+\)\s*+)?(?P<name>[a-z_][\w']*+)", _OCAML),
    ),
)

_FSHARP = indented(r"(?:end|with|then|else|in|done|do)\b|[|})\];>]|->")
_ACCESS = r"(?:private\s++|internal\s++|public\s++|inline\s++|mutable\s++|rec\s++)*+"
_WORD = r"(?P<name>``[^`]*+``|[A-Za-z_][\w']*+|\(\s*[^\w\s()][^()]*+\))"
_LED = r"(?:\[<(?:[^>]|>(?!\]))*+>\]\s*+)*+"
_F_LET = rf"(?!.*\bin$){_LED}(?:static\s++)?let\s++{_ACCESS}"
_MEMBER = (
    rf"{_LED}(?:static\s++)?(?:abstract|default|override|member)\s++(?:member\s++|val\s++)?{_ACCESS}"
    r"(?:\w++\.(?=[\w`(]))?"
)

FSHARP = Language(
    marks(
        rf"(?P<nest>\(\*(?!\)))|(?P<comment>//[^\n]*+|^[ \t]*+\#(?!\()[^\n]*+)|(?P<stays>``[^`\n]*+``)"
        rf"|(?P<text>\"\"\".*?(?:\"\"\"|\Z)|@\"(?:[^\"]|\"\")*+(?:\"|\Z)|{_STRING})|(?P<literal>{_CHARACTER})",
        _NESTED,
    ),
    (
        rule("namespace", r"namespace\s++(?:rec\s++|global\b)*+(?P<name>[\w.`]*+)", following, holds=True, margin=True),
        rule("module", rf"{_LED}module\s++{_ACCESS}(?P<name>[\w.`]++)\s*+=", _FSHARP, holds=True),
        rule("module", rf"{_LED}module\s++{_ACCESS}(?P<name>[\w.`]++)$", rest, holds=True, margin=True),
        rule(
            "type",
            rf"{_LED}(?:type|and)\s++{_LED}{_ACCESS}(?P<name>(?!get\b|set\b)[A-Z`][\w.`]*+)",
            _FSHARP,
            holds=True,
        ),
        rule("exception", r"exception\s++(?P<name>\w++)", line),
        rule("method", rf"{_MEMBER}{_WORD}", _FSHARP, within="type interface"),
        rule("constructor", rf"{_LED}{_ACCESS}(?P<name>new)\s*+\(", _FSHARP, within="type"),
        rule("interface", r"interface\s++(?P<name>[\w.]++)", _FSHARP, holds=True, within="type"),
        rule("test", rf"{_F_LET}(?P<name>``[^`]*+``)\s*+\(\)", _FSHARP),
        rule("function", rf"{_F_LET}{_WORD}(?=\s*+(?:<[^=]*+>)?\s*+[^=:,\s<])", _FSHARP),
        rule("function", rf"{_F_LET}{_WORD}\s*+(?::[^=]*+)?=\s*+(?:fun|function)\b", _FSHARP),
        rule("constant", rf"{_F_LET}{_WORD}(?=\s*+(?:[=:]|$))", _FSHARP),
        rule("function", rf"val\s++{_ACCESS}{_WORD}\s*+:.*->", _FSHARP),
        rule("constant", rf"val\s++{_ACCESS}{_WORD}\s*+:", _FSHARP),
        rule("function", rf"and\s++{_ACCESS}{_WORD}\s", _FSHARP),
        rule("target", r"Target\.create\w*+\s++(?P<name>\"[^\"]*+\")", _FSHARP, margin=True),
    ),
    leads=re.compile(r"\[<.*>\]$"),
)

LANGUAGES = {"ocaml": OCAML, "fsharp": FSHARP}
