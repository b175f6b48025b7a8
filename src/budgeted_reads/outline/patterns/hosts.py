"""Nix and Erlang: attributes by their indentation, forms to the dot that ends them."""

import re

from budgeted_reads.outline.patterns.ends import closed, indented
from budgeted_reads.outline.patterns.marks import marks
from budgeted_reads.outline.patterns.rule import Language, rule

_NIX_NAME = r"(?P<name>(?:[A-Za-z_][\w'-]*+|\"[^\"]*+\"|\$\{[^{}]*+\})(?:\.(?:[\w'-]++|\"[^\"]*+\"|\$\{[^{}]*+\}))*+)"
_NIX_END = indented(r"[})\];]|''")

NIX = Language(
    marks(
        r"(?P<comment>(?<![\w'])\#[^\n]*+|/\*.*?(?:\*/|\Z))"
        r"|(?P<text>''(?:[^']|'(?!')|''(?:['$]|\\.))*+(?:''|\Z)|\"(?:[^\"\\]|\\.?)*+(?:\"|\Z))"
    ),
    (
        rule(
            "function",
            rf"{_NIX_NAME}\s*+=\s*+(?:[A-Za-z_][\w'-]*+\s*+:(?!/)|\{{[^{{}}]*+\}}\s*+(?:@\s*+\w++\s*+)?:)",
            _NIX_END,
        ),
        rule("key", rf"{_NIX_NAME}\s*+=(?!=)", _NIX_END),
    ),
)

ERLANG = Language(
    marks(
        r"(?P<comment>%[^\n]*+)|(?P<literal>\$(?:\\.|[^\s\\]))"
        r"|(?P<text>\"(?:[^\"\\]|\\.?)*+(?:\"|\Z)|'(?:[^'\\\n]|\\.?)*+(?:'|$))"
    ),
    (
        rule("module", r"-module\(\s*+(?P<name>[\w']++)", closed(r"\.$")),
        rule("record", r"-record\(\s*+(?P<name>[\w']++)", closed(r"\.$")),
        rule("macro", r"-define\(\s*+(?P<name>\w++)", closed(r"\.$")),
        rule("type", r"-(?:type|opaque)\s*+\(?\s*+(?P<name>\w++)", closed(r"\.$")),
        rule("method", r"-callback\s++(?P<name>\w++)", closed(r"\.$")),
        rule("function", r"(?P<name>[a-z]\w*+|'[^']*+')\s*+\(", closed(r"\.$"), margin=True),
    ),
    leads=re.compile(r"-spec\b.*\.$"),
)

LANGUAGES = {"nix": NIX, "erlang": ERLANG}
