"""Makefiles to rules, variables and macros, a line at a time. No function is called, nothing is expanded."""

import re
from collections.abc import Sequence

from budgeted_reads.outline.entry import Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, entry, named
from budgeted_reads.outline.tree import Quota
from budgeted_reads.text import Text

_VARIABLE = re.compile(
    r" *(?:(?:export|override|private|unexport) +)*(?P<name>(?:\$[({][^(){}]*[)}]|[^\s:=#$?+!])+) *(?:[?+!]|:{1,3})?="
)
_TARGETS = re.compile(
    r"(?P<names>(?:\$\((?:[^()]++|\([^()]*+\))*+\)|\$\{[^{}]*+\}|\$[^({]|[^:=#$])++)(?:&:|::?)(?!=)(?P<rest>.*)"
)
_OWN_VARIABLE = re.compile(r"\s*(?:(?:export|override|private) +)*[\w.-]+\s*(?:[?+!]|:{1,3})?=")
_MACRO = re.compile(r" *(?:override +)?define +(?P<name>\S+)")
_MACRO_END = re.compile(r" *endef\b")
_SPECIAL = re.compile(r"\.[A-Z_]+$")
_CONDITION = re.compile(r" *(?:ifeq|ifneq|ifdef|ifndef|else|endif)\b")
_OTHER = re.compile(r" *(?:-?include|sinclude|vpath|export|unexport|undefine)(?: |$)|\s+#")


def outline(text: Text, form: Format) -> Outline:
    """Rules with their recipes, variables and `define`d macros of TEXT in their order; comments right above are docs.

    A rule is named by its targets; special ones (`.PHONY`) and variables of one target are no entries.
    """
    scan = _Scan(bare_lines(text))
    scan.run()
    entries = scan.quota.kept(scan.entries)
    return Outline(entries, form.name, form.language, "code", warnings=scan.quota.warnings())


class _Scan:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.quota = Quota()
        self.entries: list[Entry] = []
        self.comment = 0
        self.macros = _macro_ends(lines)

    def run(self) -> None:
        number = 0
        while number < len(self.lines):
            number += 1
            line = self.lines[number - 1]
            if line.startswith("#"):
                self.comment = self.comment or number
                continue
            last = self._statement(number, line) if line.strip() and not line.startswith("\t") else number
            number, self.comment = max(number, last), 0

    def _statement(self, number: int, line: str) -> int:
        """The entry of what begins on line NUMBER, if it is any; returns its last line."""
        if found := _MACRO.match(line):
            return self._add(found["name"], "macro", number, self.macros.get(number, number), number)
        head = self._head_end(number)
        if found := _VARIABLE.match(line):
            return self._add(found["name"], "variable", number, head, head)
        found = _TARGETS.match(line)
        if not found or _CONDITION.match(line) or _OTHER.match(line) or _OWN_VARIABLE.match(found["rest"]):
            return head
        last = self._recipe_end(head)
        names = found["names"].strip(" \t&")
        if not names or _SPECIAL.match(names):
            return last
        return self._add(names, "target", number, last, head)

    def _add(self, title: str, kind: str, first: int, last: int, head: int) -> int:
        if self.quota.takes(1):
            made = entry(self.lines, named(title), kind, 1, first, last, head=head)
            self.entries.append(made._replace(doc=(self.comment, first - 1) if self.comment else None))
        return last

    def _head_end(self, number: int) -> int:
        while number < len(self.lines) and self.lines[number - 1].endswith("\\"):
            number += 1
        return number

    def _recipe_end(self, number: int) -> int:
        """The last line of the recipe below line NUMBER; conditions, comments and blank lines may stand within it."""
        end = number
        while number < len(self.lines):
            line = self.lines[number]
            if line.startswith("\t"):
                end = number = self._head_end(number + 1)
                continue
            if line.strip() and not line.startswith("#") and not _CONDITION.match(line):
                break
            number += 1
        return end


def _macro_ends(lines: Sequence[str]) -> dict[int, int]:
    """The line of each `define` that has its `endef`, and that of the `endef`; they may stand inside each other."""
    open_: list[int] = []
    ends: dict[int, int] = {}
    for number, line in enumerate(lines, 1):
        if _MACRO.match(line):
            open_.append(number)
        elif open_ and _MACRO_END.match(line):
            ends[open_.pop()] = number
    return ends
