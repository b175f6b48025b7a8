"""INI, .env and .properties to sections and keys, a line at a time. Of an .env file nothing of a value is kept."""

import re
import tomllib
from collections.abc import Sequence
from typing import NamedTuple

from budgeted_reads import limits
from budgeted_reads.outline import conf, toml
from budgeted_reads.outline.entry import Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, entry
from budgeted_reads.outline.tags import tag_lines
from budgeted_reads.outline.tree import Quota, repeated, shown
from budgeted_reads.text import BOM, Text

_SECTION = re.compile(
    r"\s*+(?P<opens>\[++)[ \t]*+(?P<name>[^\]\n]*+(?:\][^\]\n]++)*?)[ \t]*+(?P<closes>\]++)\s*+(?:[#;].+)?$"
)
_SECTION_LINE = re.compile(r"^[ \t]*+\[[^\]\n]++\]", re.MULTILINE)
_NESTED_LINE = re.compile(r"^[ \t]*+\[\[[^\[\]\n]++\]\]", re.MULTILINE)
_INI_KEY = re.compile(r"\s*+(?P<name>[^\s=:;#\[](?:[^=:\n]*[^\s=:])?)\s*+(?P<mark>[=:]|$)")
_EQUALS_KEY = re.compile(r"\s*+(?P<name>[^\s=:;#\[](?:(?:[^=:\n]|:(?=\S))*[^\s=:])?)\s*+(?P<mark>[=:]|$)")
"""The key of a line with `=`: a colon within a word belongs to it (`//host/:token=x`)."""
_ENV_KEY = re.compile(r"\s*+(?:export[ \t]++)?(?P<name>[A-Za-z_][\w.-]*+)[ \t]*+(?P<mark>=)[ \t]*+(?P<quote>[\"'`]?)")
_PROPERTY = re.compile(
    r"\s*+(?P<name>(?:\{\{[^{}\n]*+\}\}|\\.|[^\s=:#!\\])(?:\{\{[^{}\n]*+\}\}|\\.|[^\s=:\\])*+)(?P<mark>\s*+[=:]|\s|$)"
)
_COMMENTS = {"ini": "#;", "env": "#", "properties": "#!"}
_KEYS = {"ini": _INI_KEY, "env": _ENV_KEY, "properties": _PROPERTY}
_ESCAPED = re.compile(r"\\(.)")
_VALUELESS = re.compile(r"[\w.-]++")
_QUOTE_END = {mark: re.compile(rf"(?:[^\\{mark}]|\\.)*+{mark}") for mark in "\"'`"}
_TOML_BYTES = 1 << 16
"""A longer file is not asked whether it is TOML."""

_QUOTE_LINES = 200
"""A quoted value of an .env file that does not close within so many lines ends with its own."""


def outline(text: Text, form: Format) -> Outline:
    """Sections around their keys; keys before the first section stand at the top. Both end at their last value.

    A section in more brackets lies inside the one before in fewer. A value goes on in lines that are indented deeper
    than its key (INI), after a backslash, or up to its closing quote (.env, whose signatures are the names alone).
    """
    if form.name == "ini" and _is_toml(text):
        return toml.outline(text, form)
    lines = bare_lines(text)
    if form.name == "ini" and not _SECTION_LINE.search(text.content):
        directives = conf.Scan(lines)
        if conf.has_blocks(lines) or "=" not in text.content:
            entries = directives.run()
            return Outline(entries, form.name, None, "data", warnings=directives.quota.warnings())
    scan = _Scan(lines, form.name)
    entries = scan.run()
    # A template may say a key in each of its branches.
    repeats = (repeated(scan.repeats),) if scan.repeats and not form.repeats and not scan.tags else ()
    return Outline(entries, form.name, None, "data", warnings=(*scan.quota.warnings(), *repeats))


def _is_toml(text: Text) -> bool:
    """Whether TEXT has a header in two brackets, and is valid TOML, which they come from most of the time."""
    if len(text.raw) > _TOML_BYTES or not _NESTED_LINE.search(text.content):
        return False
    try:
        return bool(tomllib.loads(text.content.removeprefix(BOM)))
    except (ValueError, RecursionError):
        return False


class _Section(NamedTuple):
    """A section that is open, in DEPTH brackets, with what it holds so far; `names` are those of its keys."""

    title: str
    depth: int
    first: int
    entries: list[Entry]
    names: set[str]


class _Scan:
    def __init__(self, lines: Sequence[str], kind: str) -> None:
        self.lines = lines
        self.kind = kind
        self.key = _KEYS[kind]
        self.comments = _COMMENTS[kind]
        self.tags = tag_lines(lines)
        self.quota = Quota()
        self.top = _Section("", 0, 0, [], set())
        self.open = [self.top]
        self.end = 0
        self.repeats: list[tuple[str, int]] = []

    def run(self) -> tuple[Entry, ...]:
        number = 0
        while number < len(self.lines):
            number += 1
            line = self.lines[number - 1]
            start = line.lstrip()
            if not start or start[0] in self.comments or number in self.tags:
                continue
            if start[0] == "[" and self.kind == "ini" and (found := _SECTION.match(line)):
                self._open(found, number)
            elif found := self._matched(line):
                number = self._key(found, number)
        self._close(1)
        return self.quota.kept(self.top.entries)

    def _matched(self, line: str) -> "re.Match[str] | None":
        return (_EQUALS_KEY if self.kind == "ini" and "=" in line else self.key).match(line)

    def _open(self, found: "re.Match[str]", number: int) -> None:
        depth = min(len(found["opens"]), len(found["closes"]), limits.MAX_DEPTH)
        self._close(depth)
        title = shown(found["opens"][depth:] + found["name"].rstrip())
        self.open.append(_Section(title, depth, number, [], set()))
        self.end = number

    def _close(self, depth: int) -> None:
        """Close the sections in so many brackets or more: each ends at the last value in it."""
        while self.open[-1].depth >= depth:
            section = self.open.pop()
            level = len(self.open)
            if self.quota.takes(level):
                made = entry(
                    self.lines, section.title, "section", level, section.first, self.end, children=section.entries
                )
                self.open[-1].entries.append(made)

    def _key(self, found: "re.Match[str]", number: int) -> int:
        """Add the key of line NUMBER; returns the last line of its value."""
        name = found["name"]
        if not found["mark"] and not _VALUELESS.fullmatch(name):
            return number
        last = self._value_end(found, number)
        title = shown(_ESCAPED.sub(r"\1", name) if self.kind == "properties" else name)
        section, level = self.open[-1], len(self.open)
        if title in section.names:
            self.repeats.append((title, number))
        section.names.add(title)
        if self.quota.takes(level):
            signature = title if self.kind == "env" else ""
            section.entries.append(entry(self.lines, title, "key", level, number, last, signature=signature))
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
