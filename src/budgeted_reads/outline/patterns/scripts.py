"""Languages of scripts: PowerShell, Perl, bats, Tcl. What they define ends with the brace below its beginning."""

from budgeted_reads.outline.patterns.ends import braces, following, indented, line
from budgeted_reads.outline.patterns.marks import marks
from budgeted_reads.outline.patterns.rule import Language, rule

_CLOSED = indented(r"[})\]]")
_QUOTED = r"\"[^\"]*+\"|'[^']*+'"
_POSH_TYPE = r"(?:\[[\w., ]++(?:\[[\w., ]*+\])*+\]\s*+)"

POWERSHELL = Language(
    marks(
        r"(?P<comment><\#.*?(?:\#>|\Z)|(?<![^\s;(){}|,=])\#[^\n]*+)|(?P<escape>`.)"
        r"|(?P<text>@\"[ \t]*+\n.*?(?:\n\"@|\Z)|@'[ \t]*+\n.*?(?:\n'@|\Z)"
        r"|\"(?:[^\"`]|`.?)*+(?:\"|\Z)|'[^']*+(?:'|\Z))"
    ),
    (
        rule(
            "function",
            r"(?:function|filter|workflow|configuration)\s++(?:(?:global|script|local|private):)?(?P<name>[\w:.?!-]++)"
            r"\s*+(?:[({]|$)",
            braces,
            folds=True,
        ),
        rule("class", r"class\s++(?P<name>\w++)\s*+(?:[:{]|$)", braces, holds=True, folds=True),
        rule("enum", r"enum\s++(?P<name>\w++)\s*+(?::\s*+\w++\s*+)?(?:\{|$)", braces, folds=True),
        rule(
            "method",
            rf"(?:static\s++|hidden\s++)*+{_POSH_TYPE}?(?P<name>\w++)\s*+\(",
            braces,
            within="class",
            folds=True,
        ),
        rule(
            "property",
            rf"(?:static\s++|hidden\s++)*+{_POSH_TYPE}*+\$(?P<name>\w++)",
            line,
            within="class",
            folds=True,
        ),
        rule(
            "test",
            rf"(?:Describe|Context)\s++(?:-Name\s++)?(?P<name>{_QUOTED}|[\w-]++)",
            braces,
            holds=True,
            folds=True,
        ),
        rule("test", rf"It\s++(?:-Name\s++)?(?P<name>{_QUOTED})", braces, folds=True),
    ),
)

_PERL_NAME = r"(?P<name>[A-Za-z_][\w:']*+)"

PERL = Language(
    marks(
        r"(?P<pod>^=[A-Za-z].*?(?:^=cut\b[^\n]*+|\Z)|^__(?:END|DATA)__$.*+)|(?P<comment>(?<!\S)\#[^\n]*+)|(?P<escape>\\.)"
        r"|(?P<here><<~?+(?P<sign>[\"']?+)(?P<tag>[A-Za-z_]\w*+)(?P=sign))"
        r"|(?P<text>(?<!\$)\"(?:[^\"\\\n]|\\.?)*+(?:\"|$)|(?<![\w$&])'(?:[^'\\\n]|\\.?)*+(?:'|$))"
    ),
    (
        rule("package", rf"package\s++{_PERL_NAME}(?:\s++v?[\d._]++)?\s*+;", following, holds=True),
        rule("package", rf"(?:package|class|role)\s++{_PERL_NAME}(?:\s++v?[\d._]++)?[^;]*+$", braces, holds=True),
        rule("function", rf"(?:my\s++|our\s++)?sub\s++{_PERL_NAME}(?!\s*+(?:\([^)]*+\)\s*+)?;)", braces),
        rule("method", rf"(?:method|fun|func)\s++{_PERL_NAME}\s*+(?:\([^;]*+)?(?:\{{|$)", braces),
        rule("test", rf"subtest\s*+\(?\s*+(?P<name>{_QUOTED}|\w++)\s*+(?:=>|,)", braces),
        rule("constant", r"use\s++constant\s++(?P<name>[A-Z_]\w*+)\s*+(?:=>|,)", _CLOSED),
        rule("property", rf"has\s*+\(?\s*+(?P<name>{_QUOTED}|\w++)\s*+(?:=>|,|;)", _CLOSED, margin=True),
        rule("variable", r"our\s++(?P<name>[$@%]\w++)", _CLOSED, margin=True),
    ),
)

BATS = Language(
    marks(
        r"(?P<comment>(?<!\S)\#[^\n]*+)|(?P<escape>\\.)"
        r"|(?P<here><<-?[ \t]*+(?P<sign>[\"']?+)(?P<tag>[A-Za-z_]\w*+)(?P=sign))"
        r"|(?P<text>\$'(?:[^'\\]|\\.?)*+(?:'|\Z)|'[^']*+(?:'|\Z)|\"(?:[^\"\\]|\\.?)*+(?:\"|\Z))"
    ),
    (
        rule("test", rf"@test\s++(?P<name>{_QUOTED}|[^\s\"'].*?)\s*+\{{", braces),
        rule("function", r"function\s++(?P<name>[^\s(){}\"'`$]++)\s*+(?:\(\s*+\))?\s*+(?:[{(]|$)", braces),
        rule("function", r"(?P<name>[A-Za-z_][\w:.-]*+)\s*+\(\s*+\)\s*+(?:[{(]|$)", braces),
    ),
)

_TCL_WORD = r"(?P<name>\{(?:[^{}]|\{[^{}]*+\})*+\}|\"[^\"]*+\"|[^\s{}\"\[\];]++)"

TCL = Language(
    marks(r"(?P<comment>^[ \t]*+\#[^\n]*+)|(?P<escape>\\.)"),
    (
        rule("function", rf"proc\s++{_TCL_WORD}\s", braces),
        rule("namespace", r"namespace\s++eval\s++(?P<name>[\w:]++)", braces, holds=True),
        rule("class", r"(?:oo::class\s++create|itcl::class|snit::type)\s++(?P<name>[\w:]++)", braces, holds=True),
        rule("method", rf"(?:public\s++|private\s++|protected\s++)?method\s++{_TCL_WORD}", braces, within="class"),
        rule("test", rf"test\s++{_TCL_WORD}\s*+(?=.*\{{$)", braces, holds=True),
        rule("block", rf"(?:start_server|start_cluster|tags)\s++{_TCL_WORD}\s*+(?=.*\{{$)", braces, holds=True),
    ),
)

LANGUAGES = {"powershell": POWERSHELL, "perl": PERL, "bats": BATS, "tcl": TCL}
