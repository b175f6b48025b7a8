"""Build files made of commands: CMake, and the rules of Bazel. Each command of the margin by what it makes.

Of CMake, also what a branch or loop makes: targets, tests, options, functions stand there as often as at the margin.
"""

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
_DEFINES = re.compile(r"\s*+(?:function|macro)\b", re.IGNORECASE)
_MAKES = re.compile(
    r"(?:function|macro|add_(?:library|executable|custom_target|test)|option|find_package"
    r"|fetchcontent_declare|externalproject_add)[ \t]*\(|set[ \t]*\([^#]*\sCACHE\b",
    re.IGNORECASE,
)
"""The commands that are entries in a branch, too; what others say there is hardly looked for."""

_CONTROL = re.compile(r"(?:if|else|elseif|foreach|while|block|end\w+|return|break|continue)$", re.IGNORECASE)
_ENDS = re.compile(r"\s*end(?:function|macro)\b", re.IGNORECASE)
_NOTED = re.compile(r"\s*+#\[(?P<signs>=*)\[")
_LISTED = re.compile(r"\[\s*")
_DEF = re.compile(r"def\s+(?P<name>\w+)\s*\(")
_ASSIGNED = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*=(?!=)")
_SKIPPED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*")


def outline(text: Text, form: Format) -> Outline:
    """Commands that begin at the margin, each to the line that closes its brackets, by their word and name.

    Of CMake the name is the first argument, and a function or macro goes to its end; of deeper commands those that make
    something are there, but for what stands in a function. Of Bazel it is what `name` says, also of a list of rules;
    functions and variables are entries too.
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
            elif not self.cmake and line[:1] == "[":
                number = self._listed(line, number)
            elif self.cmake and (noted := _NOTED.match(line)):
                number = self._noted(noted, number)
            elif self.cmake and line[:1] in (" ", "\t") and _CALL.match(words := line.lstrip()):
                number = self._command(words, number) if _MAKES.match(words) else self._closed(number)

    def _noted(self, noted: re.Match[str], number: int) -> int:
        """The last line of the comment in brackets that begins on line NUMBER."""
        close, line = f"]{noted['signs']}]", self.lines[number - 1][noted.end() :]
        while close not in line and number < len(self.lines):
            line = self.lines[number]
            number += 1
        return number

    def _listed(self, line: str, number: int) -> int:
        """Add the rule that a list at the margin makes again and again; returns its last line."""
        last = self._closed(number)
        words = _LISTED.sub("", line, count=1) or (self.lines[number].lstrip() if number < last else "")
        if call := _CALL.match(words):
            name = self._name(number, last)
            return self._add("rule" if name else "instruction", name or call["word"], number, last)
        return last

    def _command(self, line: str, number: int) -> int:
        """Add what begins with LINE, which is line NUMBER from its first word on; returns its last line."""
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
        if argument and argument["bare"] == "NAME" and call["word"].lower() == "add_test":
            argument = _FIRST.match(argument.string, argument.end())
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
        margin = _margin(self.lines[number - 1])
        while last <= len(self.lines):
            line = _SKIPPED.sub("", self.lines[last - 1])
            depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
            if depth <= 0:
                return last
            last += 1
            following = self.lines[last - 1] if last <= len(self.lines) else ""
            # No deeper, something new begins; of CMake, arguments may stand there too.
            words = following[_margin(following) :]
            if words[:1].isalpha() and len(following) - len(words) <= margin and (not self.cmake or _CALL.match(words)):
                break
        return number

    def _ended(self, number: int) -> int:
        """The line that ends the function or macro which begins above line NUMBER; NUMBER where none does."""
        depth, margin = 1, _margin(self.lines[number - 1])
        for last in range(number + 1, len(self.lines) + 1):
            line = self.lines[last - 1]
            if _ENDS.match(line):
                depth -= 1
                if not depth:
                    return last
            elif _DEFINES.match(line):
                if _margin(line) <= margin:
                    break
                depth += 1
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


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
