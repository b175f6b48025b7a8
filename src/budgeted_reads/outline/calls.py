"""Build files made of commands: CMake, and the rules of Bazel. Each command of the margin by what it makes."""

import re
from collections.abc import Sequence

from budgeted_reads.outline.entry import Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, entry, named
from budgeted_reads.outline.tree import Quota
from budgeted_reads.text import Text

NAMED_LINES = 12
"""The name of a rule is looked for in so many lines of it."""

_CALL = re.compile(r"(?P<word>[A-Za-z_][\w.]*+)[ \t]*\((?P<rest>.*)")
_NAME = re.compile(r"(?<![\w.])name\s*=\s*[\"'](?P<name>[^\"']+)[\"']")
_FIRST = re.compile(r"\s*(?:\"(?P<quoted>[^\"]*)\"|(?P<bare>[^\s()\"#]+))")
_DEFINES = re.compile(r"(?:function|macro)\b", re.IGNORECASE)
_CONTROL = re.compile(r"(?:if|else|elseif|foreach|while|block|end\w+|return|break|continue)$", re.IGNORECASE)
_ENDS = re.compile(r"\s*end(?:function|macro)\b", re.IGNORECASE)
_DEF = re.compile(r"def\s+(?P<name>\w+)\s*\(")
_ASSIGNED = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*=(?!=)")
_SKIPPED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*")


def outline(text: Text, form: Format) -> Outline:
    """Commands that begin at the margin, each to the line that closes its brackets, by their word and name.

    Of CMake the name is the first argument, and a function or macro goes to its end; of Bazel it is what `name` says,
    and functions and variables are entries too.
    """
    scan = _Scan(bare_lines(text), cmake=form.name == "cmake")
    scan.run()
    entries = scan.quota.kept(scan.top)
    return Outline(entries, form.name, form.language, "code", warnings=scan.quota.warnings())


class _Scan:
    def __init__(self, lines: Sequence[str], *, cmake: bool) -> None:
        self.lines = lines
        self.cmake = cmake
        self.quota = Quota()
        self.top: list[Entry] = []

    def run(self) -> None:
        number = 0
        while number < len(self.lines):
            number += 1
            line = self.lines[number - 1]
            if line[:1].isalpha() or line[:1] == "_":
                number = self._command(line, number)

    def _command(self, line: str, number: int) -> int:
        """Add what begins on line NUMBER; returns its last line."""
        if not self.cmake and (found := _DEF.match(line)):
            return self._add("function", found["name"], number, self._indented(number), number)
        if not self.cmake and (found := _ASSIGNED.match(line)):
            return self._add("variable", found["name"], number, self._closed(number))
        call = _CALL.match(line)
        if call is None:
            return number
        last = self._closed(number)
        if self.cmake and _CONTROL.match(call["word"]):
            return last
        if not self.cmake:
            name = self._name(number, last)
            return self._add("rule" if name else "instruction", name or call["word"], number, last)
        argument = _FIRST.match(call["rest"]) or (_FIRST.match(self.lines[number]) if number < last else None)
        name = argument["quoted"] or argument["bare"] or "" if argument else ""
        if name and _DEFINES.fullmatch(call["word"]):
            return self._add(call["word"].lower(), name, number, self._ended(last), number)
        return self._add("instruction", f"{call['word']} {name}", number, last)

    def _add(self, kind: str, title: str, first: int, last: int, head: int = 0) -> int:
        if self.quota.takes(1):
            self.top.append(entry(self.lines, named(title), kind, 1, first, last, head=head))
        return last

    def _name(self, first: int, last: int) -> str:
        for line in self.lines[first - 1 : min(last, first + NAMED_LINES)]:
            if found := _NAME.search(line[:400]):
                return found["name"]
        return ""

    def _closed(self, number: int) -> int:
        """The line on which the brackets that open on line NUMBER are closed; that line where they never are."""
        depth, last = 0, number
        while last <= len(self.lines):
            line = _SKIPPED.sub("", self.lines[last - 1])
            depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
            if depth <= 0:
                return last
            last += 1
            following = self.lines[last - 1] if last <= len(self.lines) else ""
            # At the margin something new begins; of CMake, arguments may stand there too.
            if following[:1].isalpha() and (not self.cmake or _CALL.match(following)):
                break
        return number

    def _ended(self, number: int) -> int:
        """The line that ends the function or macro which begins above line NUMBER; NUMBER where none does."""
        for last in range(number + 1, len(self.lines) + 1):
            line = self.lines[last - 1]
            if _ENDS.match(line):
                return last
            if _DEFINES.match(line):
                break
        return number

    def _indented(self, number: int) -> int:
        """The last of the lines below line NUMBER that are indented or close its brackets."""
        end = number
        for last in range(number + 1, len(self.lines) + 1):
            line = self.lines[last - 1]
            if line.strip():
                if line[0] not in " \t)#":
                    break
                end = last if line[0] != "#" else end
        return end
