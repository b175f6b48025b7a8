"""INI, .env and .properties to sections and keys, a line at a time. Of an .env file nothing of a value is kept."""

import re
from collections.abc import Sequence

from budgeted_reads.outline import conf
from budgeted_reads.outline.entry import Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, entry
from budgeted_reads.outline.tree import Quota, repeated, shown
from budgeted_reads.text import Text

_SECTION = re.compile(r"\s*+\[[ \t]*+(?P<name>[^\]\n]*+(?:\][^\]\n]++)*?)[ \t]*+\]\s*+(?:[#;].*+)?$")
_SECTION_LINE = re.compile(r"^[ \t]*+\[[^\]\n]++\]", re.MULTILINE)
_INI_KEY = re.compile(r"\s*+(?P<name>[^\s=:;#\[](?:[^=:\n]*[^\s=:])?)\s*+(?P<mark>[=:]|$)")
_ENV_KEY = re.compile(r"\s*+(?:export[ \t]++)?(?P<name>[A-Za-z_][\w.-]*+)[ \t]*+(?P<mark>=)[ \t]*+(?P<quote>[\"'`]?)")
_PROPERTY = re.compile(r"\s*+(?P<name>(?:\\.|[^\s=:#!\\])(?:\\.|[^\s=:\\])*+)(?P<mark>\s*+[=:]|\s|$)")
_COMMENTS = {"ini": "#;", "env": "#", "properties": "#!"}
_KEYS = {"ini": _INI_KEY, "env": _ENV_KEY, "properties": _PROPERTY}
_ESCAPED = re.compile(r"\\(.)")
_VALUELESS = re.compile(r"[\w.-]++")
_QUOTE_END = {mark: re.compile(rf"(?:[^\\{mark}]|\\.)*+{mark}") for mark in "\"'`"}
_QUOTE_LINES = 200
"""A quoted value of an .env file that does not close within so many lines ends with its own."""


def outline(text: Text, form: Format) -> Outline:
    """Sections around their keys; keys before the first section stand at the top. Both end at their last value.

    A value goes on in lines that are indented deeper than its key (INI), after a backslash, or up to its closing
    quote (.env, whose signatures are the names alone).
    """
    lines = bare_lines(text)
    if form.name == "ini" and not _SECTION_LINE.search(text.content):
        directives = conf.Scan(lines)
        if conf.has_blocks(lines) or "=" not in text.content:
            entries = directives.run()
            return Outline(entries, form.name, None, "data", warnings=directives.quota.warnings())
    scan = _Scan(lines, form.name)
    entries = scan.run()
    repeats = (repeated(scan.repeats),) if scan.repeats else ()
    return Outline(entries, form.name, None, "data", warnings=(*scan.quota.warnings(), *repeats))


class _Scan:
    def __init__(self, lines: Sequence[str], kind: str) -> None:
        self.lines = lines
        self.kind = kind
        self.key = _KEYS[kind]
        self.comments = _COMMENTS[kind]
        self.quota = Quota()
        self.top: list[Entry] = []
        self.keys = self.top
        self.names: set[str] = set()
        self.section: tuple[str, int] | None = None
        self.end = 0
        self.repeats: list[tuple[str, int]] = []

    def run(self) -> tuple[Entry, ...]:
        number = 0
        while number < len(self.lines):
            number += 1
            line = self.lines[number - 1]
            start = line.lstrip()
            if not start or start[0] in self.comments:
                continue
            if start[0] == "[" and self.kind == "ini" and (found := _SECTION.match(line)):
                self._open(shown(found["name"].rstrip()), number)
            elif found := self.key.match(line):
                number = self._key(found, number)
        self._close()
        return self.quota.kept(self.top)

    def _open(self, title: str, number: int) -> None:
        self._close()
        self.section = (title, number)
        self.keys, self.names, self.end = [], set(), number

    def _close(self) -> None:
        if self.section and self.quota.takes(1):
            title, first = self.section
            self.top.append(entry(self.lines, title, "section", 1, first, self.end, children=self.keys))

    def _key(self, found: "re.Match[str]", number: int) -> int:
        """Add the key of line NUMBER; returns the last line of its value."""
        name = found["name"]
        if not found["mark"] and not _VALUELESS.fullmatch(name):
            return number
        last = self._value_end(found, number)
        title = shown(_ESCAPED.sub(r"\1", name) if self.kind == "properties" else name)
        if title in self.names:
            self.repeats.append((title, number))
        self.names.add(title)
        level = 2 if self.section else 1
        if self.quota.takes(level):
            signature = title if self.kind == "env" else ""
            self.keys.append(entry(self.lines, title, "key", level, number, last, signature=signature))
        self.end = last
        return last

    def _value_end(self, found: "re.Match[str]", number: int) -> int:
        if self.kind == "env":
            return self._quote_end(found, number)
        last = number
        while last < len(self.lines) and _goes_on(self.lines[last - 1]):
            last += 1
        if self.kind == "ini":
            last = self._indented(len(found[0]) - len(found[0].lstrip()), last)
        return last

    def _quote_end(self, found: "re.Match[str]", number: int) -> int:
        if not found["quote"]:
            return number
        closing = _QUOTE_END[found["quote"]]
        if closing.match(found.string, found.end()):
            return number
        for last in range(number + 1, min(number + _QUOTE_LINES, len(self.lines)) + 1):
            if closing.match(self.lines[last - 1]):
                return last
        return number

    def _indented(self, indent: int, last: int) -> int:
        """The last line after LAST that is indented deeper than INDENT; comments and blank lines may stand between."""
        end = last
        while last < len(self.lines):
            line = self.lines[last]
            start = line.lstrip()
            if start and start[0] not in self.comments:
                if len(line) - len(start) <= indent:
                    break
                end = last + 1
            last += 1
        return end


def _goes_on(line: str) -> bool:
    """Whether LINE ends in an odd number of backslashes."""
    return line.endswith("\\") and (len(line) - len(line.rstrip("\\"))) % 2 == 1
