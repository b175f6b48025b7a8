"""Configuration of directives and blocks, as web servers and daemons have it: `name value`, `x { }`, `<X> </X>`."""

import re
from collections.abc import Sequence

from budgeted_reads import limits
from budgeted_reads.outline.entry import Entry
from budgeted_reads.outline.lines import entry, named
from budgeted_reads.outline.tree import Quota

_DIRECTIVE = re.compile(r"(?P<name>[A-Za-z_@][\w.:!@/-]*+)(?:\s++\S|;$)")
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z]\w*+)(?P<rest>[^<>]*+)>$")
_BLOCK = re.compile(r"(?P<name>[^{}#;\s][^{}#;]*+)\{$")


def has_blocks(lines: Sequence[str]) -> bool:
    """Whether a line of LINES opens a block: then marks such as `=` within are no keys of INI."""
    return any(
        (line.endswith("{") and _BLOCK.match(line.strip())) or (line.endswith(">") and _TAG.match(line.strip()))
        for line in map(str.rstrip, lines)
    )


class _Open:
    __slots__ = ("children", "start", "tag", "title")

    def __init__(self, title: str, tag: str, start: int) -> None:
        self.title = title
        self.tag = tag
        self.start = start
        self.children: list[Entry] = []


class Scan:
    """Blocks around their directives, each a name and its lines; a block that never closes goes to the end."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.quota = Quota()
        self.top = _Open("", "", 0)
        self.open = [self.top]
        self.too_deep = 0
        self.semicolons = sum(line.endswith(";") for line in map(str.rstrip, lines)) * 2 > len(lines) // 2

    def run(self) -> tuple[Entry, ...]:
        number = 0
        while number < len(self.lines):
            number += 1
            line = self.lines[number - 1].strip()
            if not line or line[0] in "#;":
                continue
            if line[0] == "}":
                self._close("", number)
            elif line[0] == "<" and (tag := _TAG.match(line)):
                if tag["close"]:
                    self._close(tag["name"], number)
                else:
                    self._begin(tag["name"] + tag["rest"], tag["name"], number)
            elif line[-1] == "{" and (block := _BLOCK.match(line)):
                self._begin(block["name"].rstrip(" \t=:"), "", number)
            elif found := _DIRECTIVE.match(line):
                number = self._directive(found["name"], number)
        while len(self.open) > 1:
            self._end(len(self.lines))
        return self.quota.kept(self.top.children)

    def _begin(self, title: str, tag: str, number: int) -> None:
        if len(self.open) > limits.MAX_DEPTH:
            self.too_deep += 1
        else:
            self.open.append(_Open(named(title), tag.lower(), number))

    def _close(self, tag: str, number: int) -> None:
        """Ends the innermost block where it is one of that TAG ("": of braces); else the mark means nothing."""
        if self.too_deep:
            self.too_deep -= 1
        elif len(self.open) > 1 and self.open[-1].tag == tag.lower():
            self._end(number)

    def _end(self, number: int) -> None:
        block = self.open.pop()
        level = len(self.open)
        if self.quota.takes(level):
            made = entry(self.lines, block.title, "section", level, block.start, number, children=block.children)
            self.open[-1].children.append(made)

    def _directive(self, name: str, number: int) -> int:
        """Add the directive of line NUMBER; returns its last line: a backslash, or no semicolon, lets it go on."""
        last = number
        while last < len(self.lines) and self._goes_on(self.lines[last - 1].rstrip(), self.lines[last].strip()):
            last += 1
        level = len(self.open)
        if not self.too_deep and self.quota.takes(level):
            self.open[-1].children.append(entry(self.lines, name, "key", level, number, last))
        return last

    def _goes_on(self, line: str, following: str) -> bool:
        if line.endswith("\\"):
            return True
        return self.semicolons and bool(following) and line[-1:] not in ";{}" and following[0] not in "#}<"
