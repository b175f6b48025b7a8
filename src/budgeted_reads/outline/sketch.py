"""Code in a language without a grammar: blocks by their indentation, as a reader skims them. It is a guess.

A block is a line and the deeper lines below it, with the line that closes it. It is an entry where its first line looks
like a definition; what looks like prose has none.
"""

import re
from typing import NamedTuple

from budgeted_reads import limits
from budgeted_reads.outline import lines
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.patterns.marks import marks, masked
from budgeted_reads.text import Text

LOOK = 2000
"""Only so many lines are looked at to tell code from prose."""

_LINE = 400
_TAB = 4
_CODE = re.compile(r"[{};,()\[\]=]$|^(?:[})\]#%;]|//|--|/\*|end\b)|:$|\w\(")
_COMMENT = re.compile(r"(?://|#|--|;|%|/?\*|\(\*|<!--)")
_MARKS = marks(
    r"(?P<comment>^=(?:pod|head\d|begin|over|item|for|encoding)\b.*?(?:^=cut\b[^\n]*+|\Z)"
    r"|^[ \t]*+<\#(?!\w).*?(?:\#>|\Z)"
    r"|(?<!\S)/\*.*?(?:\*/|\Z)|^[ \t]*+\(\*.*?(?:\*\)|\Z)|(?<=[\s;{}()])(?://|\#\s|;;|--\s)[^\n]*+)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\[^\n])*+\"|(?<![\w\\$&])'(?:[^'\\\n]|\\[^\n])*+')"
    r"|(?P<stays>\"[^\n]*+|(?<![\w\\$&])'[^\n]*+)"
)
"""What most languages say in comments and strings; a quote that is not closed on its line is none."""

_CLOSER = re.compile(r"(?:[})\]]|end|fi|done|esac)", re.IGNORECASE)
_CONTROL = re.compile(
    r"(?:[})\]]\s*)?(?:if|else|elif|elsif|elseif|for|foreach|while|until|unless|switch|case|when|try|catch|except|finally"
    r"|do|with|return|loop|repeat|match|begin|then|default|let)\b",
    re.IGNORECASE,
)
_KINDS = "class|struct|interface|module|namespace|trait|enum|object|protocol|type|record|union|package|contract|library"
_FUNCTIONS = "function|func|fn|fun|def|defn|defp|defmacrop?|sub|proc|procedure|method|macro|task|subroutine"
_MODIFIERS = (
    "public|private|protected|internal|export|exported|static|pub|async|shared|friend|abstract|final|override|open"
    "|virtual|inline|extern|external|const|constexpr|partial|sealed|readonly|data|local|global|default|declare|unsafe"
    "|pure|elemental|recursive|impure|automatic|typedef|generic|implicit|lazy|my|our|let|var|val|cpdef|integer|real"
    "|logical|character|double precision|annotation|companion|value"
)
_LED = rf"(?:(?:(?:{_MODIFIERS})|[@\[][^\s\])]*+[\])]?|[\w.$]++\s*+(?:::|:=|=|:))\s++)*+\(?"
"""What may lead the word of a definition; any other word makes it prose."""

_NAMED = re.compile(
    rf"{_LED}(?P<word>{_KINDS}|{_FUNCTIONS})\s+(?P<name>[A-Za-z_$][\w$.!?-]*+(?:(?:::?|/)[\w$.!?-]++)*+)"
    r"(?=\s*+(?:$|[({<\[:=;,\"']|->)|\s++(?:extends|implements|inherits|is|as|of|where|returns|with|begin|do|for|uses|on)\b"
    r"|.*(?:[{=:]|->|\b(?:do|is|begin))$)",
    re.IGNORECASE,
)
_STRONG = re.compile(
    rf"(?:(?:{_MODIFIERS})\s+)*(?:{_KINDS}|{_FUNCTIONS})\s+[A-Za-z_$][\w$.:!?-]*\s*(?:[({{<\[:=]|$)", re.IGNORECASE
)
_BARE = re.compile(r"(?![0-9A-F]{8})(?P<name>[A-Za-z_][\w.-]*+)\s*+[:=]*+\s*+\{$")
_HEAD = re.compile(r"[\w\s*&<>\[\],.:@$~-]+")
_NAME = re.compile(r"[*&]*+(?P<name>[A-Za-z_$~][\w$.:~-]*+)")
_TITLED = re.compile(
    r"@?[A-Za-z_$][\w$.:~-]*+\s*+\(?\s*+(?:(?P<quote>[\"'])(?P<title>[^\"']+)(?P=quote)[^;]*$|\{(?P<braced>[^{}]+)\}\s*\{$)"
)


class _Line(NamedTuple):
    """The words of a line without comments and what strings say, none of a comment; `at`: where they begin."""

    number: int
    indent: int
    words: str
    at: int


def outline(text: Text, form: Format) -> Outline:
    """What looks like definitions, nested by indentation, flagged `approximate_outline`; of prose, nothing."""
    all_lines = lines.bare_lines(text)
    code = masked("\n".join(all_lines), _MARKS).split("\n")
    rows = [_row(number, line, code[number - 1]) for number, line in enumerate(all_lines, 1) if line.strip()]
    entries: list[Entry] = _Sketch(all_lines, rows).run() if _is_code(rows[:LOOK]) else []
    warned = Warned("approximate_outline", "no grammar for this type of file: entries are guessed from its indentation")
    return Outline(tuple(entries), form.name, form.language, "code", warnings=(warned,))


def _row(number: int, line: str, code: str) -> _Line:
    blank = line[: len(line) - len(line.lstrip())]
    words = code.lstrip()
    return _Line(number, len(blank.expandtabs(_TAB)), words.rstrip(), len(code) - len(words))


def _is_code(rows: list[_Line]) -> bool:
    """Whether most lines have the marks of code, or one in ten begins as definitions do; and some are deeper."""
    marked = sum(not row.words or bool(_CODE.search(row.words)) for row in rows)
    strong = sum(bool(_STRONG.match(row.words)) for row in rows)
    return (marked * 2 > len(rows) > 1 or strong * 10 >= len(rows) > 1) and any(row.indent for row in rows)


class _Sketch:
    """One pass over the lines that are not blank; `open` holds the blocks around the current one."""

    def __init__(self, all_lines: list[str], rows: list[_Line]) -> None:
        self.lines = all_lines
        self.rows = rows
        self.top: list[Entry] = []
        self.open: list[tuple[_Line, str, str, list[Entry]]] = []

    def run(self) -> list[Entry]:
        last = 0
        for at, row in enumerate(self.rows):
            while self.open and row.indent <= self.open[-1][0].indent:
                closes = row.indent == self.open[-1][0].indent and bool(_CLOSER.match(row.words))
                opens = row.words == "{" and last == self.open[-1][0].number
                if opens:
                    break
                self._close(row.number if closes else last)
                if closes:
                    break
            if self._opens(at) and len(self.open) < limits.MAX_DEPTH and (found := self._named(at)):
                self.open.append((row, *found, []))
            last = row.number
        while self.open:
            self._close(last)
        return self.top

    def _opens(self, at: int) -> bool:
        """Whether a deeper line, or a brace, follows row AT."""
        row, after = self.rows[at], self.rows[at + 1 : at + 3]
        if not after or not row.words or _COMMENT.match(row.words) or _CONTROL.match(row.words):
            return False
        braced = after[0].words == "{" and after[0].indent == row.indent and len(after) > 1
        return after[1 if braced else 0].indent > row.indent

    def _named(self, at: int) -> tuple[str, str] | None:
        """Kind and name of what row AT seems to define; of a long one, only its beginning is looked at."""
        row = self.rows[at]
        words, ends = row.words[:_LINE], row.words.endswith((";", ",", "."))
        if not ends and (found := _TITLED.match(words)):
            start, end = found.span("title" if found["title"] else "braced")
            return "block", self.lines[row.number - 1][row.at + start : row.at + end]
        if found := _NAMED.match(words):
            word = found["word"].lower()
            return (word if re.fullmatch(_KINDS, word) else "function"), found["name"].rstrip(":")
        braced = self.rows[at + 1].words == "{"
        return None if ends else _called(words, braced=braced)

    def _close(self, last: int) -> None:
        row, kind, name, children = self.open.pop()
        siblings = self.open[-1][3] if self.open else self.top
        entry = lines.entry(
            self.lines,
            lines.named(name),
            kind,
            len(self.open) + 1,
            row.number,
            max(last, row.number),
            children=children,
        )
        siblings.append(entry)


def _called(words: str, *, braced: bool) -> tuple[str, str] | None:
    """Kind and name of a block that WORDS lead, with the brace in them, or BRACED: below."""
    if found := _BARE.match(words):
        return "block", found["name"]
    head, sign, _ = words.partition("(")
    if not sign or not (braced or words.endswith(("{", ":", "=>", "->", " do"))) or words.count("(") > words.count(")"):
        return None
    found = _NAME.fullmatch(head.split()[-1]) if _HEAD.fullmatch(head) else None
    return ("function", found["name"]) if found else None
