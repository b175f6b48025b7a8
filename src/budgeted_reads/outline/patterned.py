"""Languages without a grammar whose definitions begin in a way that a line shows: Lisps, OCaml, Objective-C, Perl.

Comments, strings and literals are blanked, the rules of the language say what begins on a line, and its indentation or
brackets where that ends. It is a guess, and says so.
"""

import re

from budgeted_reads import limits
from budgeted_reads.outline import lines
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.patterns import LANGUAGES
from budgeted_reads.outline.patterns.ends import INSIDE, WITH, Open, Row
from budgeted_reads.outline.patterns.marks import masked
from budgeted_reads.outline.patterns.rule import Language, Rule
from budgeted_reads.outline.tree import Quota
from budgeted_reads.text import Text

LOOKED = 400
"""Of a line, so many signs are matched."""

HEAD = 40
"""A title is made of so many lines."""

_TAB = 4
_OPENS, _CLOSES = re.compile(r"[(\[{]"), re.compile(r"[)\]}]")
_WARNED = Warned("approximate_outline", "no grammar for this language: entries are found by patterns of its lines")


def outline(text: Text, form: Format) -> Outline:
    """What begins as definitions do in that language, to its end, flagged `approximate_outline`."""
    language = LANGUAGES[form.name]
    source = lines.bare_lines(text)
    scan = _Scan(language, source, masked("\n".join(source), language.marks).split("\n"))
    entries = scan.quota.kept(scan.run())
    warnings = (_WARNED, *scan.quota.warnings()) if entries else ()
    return Outline(entries, form.name, form.language, "code", warnings=warnings)


class _Scan:
    """One pass over the lines that hold code; `open` holds the definitions around the current one."""

    def __init__(self, language: Language, source: list[str], code: list[str]) -> None:
        self.language = language
        self.source = source
        self.code = code
        self.quota = Quota()
        self.top: list[Entry] = []
        self.open: list[Open] = []
        self.depth = self.last = self.lead = 0
        self.kind = "definition"

    def run(self) -> list[Entry]:
        for number, line in enumerate(self.code, 1):
            if words := line.strip():
                self._read(number, line, words)
                self.last = number
        while self.open:
            self._close(self.last)
        return self.top

    def _read(self, number: int, line: str, words: str) -> None:
        blank = line[: len(line) - len(line.lstrip())]
        indent = len(blank.expandtabs(_TAB))
        if words[0] == "(" and not indent:
            self.depth = 0
        before = self.depth
        self.depth += len(_OPENS.findall(words)) - len(_CLOSES.findall(words))
        row = Row(number, indent, words, self.depth)
        looks = not self.open or self.open[-1].rule.holds or indent <= self.open[-1].indent
        found = self._found(row) if looks else None
        ended = self._end(row, found[0] if found else None)
        if not ended and self.language.leads.match(words):
            self.lead = self.lead or number
            found = None
        elif not found or ended or not self._fits(found[0]):
            self.lead = 0
        if found and not ended and self._fits(found[0]):
            self._begin(row, *found, len(blank), before)

    def _found(self, row: Row) -> tuple[Rule, re.Match[str]] | None:
        for rule in self.language.rules:
            if (not rule.margin or not row.indent) and (match := rule.pattern.match(row.words, 0, LOOKED)):
                return rule, match
        return None

    def _fits(self, rule: Rule) -> bool:
        """Whether a definition by RULE can stand where the scan is."""
        if not self.open:
            return not rule.within
        around = self.open[-1]
        return (
            around.rule.holds and (not rule.within or around.kind in rule.within) and len(self.open) < limits.MAX_DEPTH
        )

    def _end(self, row: Row, found: Rule | None) -> bool:
        """End what ROW ends; whether it belongs to that."""
        at = len(self.open)
        while at:
            at -= 1
            said = self.open[at].rule.end(self.open[at], row, found)
            if said != INSIDE:
                while len(self.open) > at + 1:
                    self._close(self.last)
                self._close(row.number if said == WITH else self.last)
            if said == WITH:
                return True
        return False

    def _begin(self, row: Row, rule: Rule, match: re.Match[str], before: int, depth: int) -> None:
        start, end = match.span("name")
        title = self.source[row.number - 1][before + start : before + end]
        first = self.lead or row.number
        self.lead = 0
        kind = rule.kind or self.kind
        self.open.append(Open(rule, title, kind, row.indent, first, row.number, row.number, depth))
        if rule.end(self.open[-1], row, None) == WITH:
            self._close(row.number)

    def _close(self, last: int) -> None:
        one = self.open.pop()
        self.kind = one.kind
        siblings = self.open[-1].children if self.open else self.top
        title = _bare(one.title)
        if one.rule.title:
            title = one.rule.title(" ".join(self.code[one.own - 1 : min(one.head, one.own + HEAD)]))
        level = len(self.open) + 1
        if not title or not self.quota.takes(level):
            return
        last = max(last, one.own)
        made = lines.entry(
            self.source,
            lines.named(title),
            one.kind,
            level,
            one.first,
            last,
            own=one.own,
            head=min(one.head, last),
            children=one.children,
        )
        siblings.append(made._replace(doc=self._doc(one.first)))

    def _doc(self, first: int) -> tuple[int, int] | None:
        """The comments directly above line FIRST."""
        at = first
        while at > 1 and self.source[at - 2].strip() and not self.code[at - 2].strip():
            at -= 1
        return (at, first - 1) if at < first else None


def _bare(name: str) -> str:
    """NAME without quotes or braces around it."""
    bare = name.strip("\"'` ")
    return bare[1:-1] if bare[:1] == "{" and bare[-1:] == "}" else bare
