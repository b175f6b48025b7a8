"""TOML to tables and keys with their lines, by a scan of our own: no library gives positions."""

import json
import re

from budgeted_reads import limits
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.tree import Draft, Quota, Spans, repeated, shown
from budgeted_reads.text import BOM, Text

_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_NAME = rf"{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+"
_HEADER = re.compile(
    rf"[ \t]*+(?P<marks>\[\[?)[ \t]*+(?P<name>{_NAME})[ \t]*+\]\]?[ \t\r]*+(?:#[^\n]*+)?$", re.MULTILINE
)
_KEY = re.compile(rf"[ \t]*+(?P<name>{_NAME})[ \t]*+=[ \t]*+")
_SKIP = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_VALUE = re.compile(
    r'''(?P<text>"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')'''
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<comment>\#[^\n]*+)|(?P<end>\n)|(?P<other>[^\n\"'\[\]{}\#]++|.)",
    re.DOTALL,
)
_PARTS = re.compile(_PART)


class _Table:
    """A table that is open: `path` from the top, to find what lies inside it; `names` of what it holds so far."""

    __slots__ = ("drafts", "end", "head_end", "names", "path", "start", "title")

    def __init__(self, path: tuple[str, ...], title: str, start: int, head_end: int) -> None:
        self.path = path
        self.title = title
        self.start = start
        self.head_end = head_end
        self.end = head_end
        self.drafts: list[Draft] = []
        self.names: set[tuple[str, ...]] = set()


def outline(text: Text, form: Format) -> Outline:
    """Tables as entries around their keys; `[a.b]` after `[a]` lies inside it. Elements of `[[a]]` are `a.0`, `a.1`.

    A dotted key is one entry. A table ends at its last key.
    """
    scan = _Scan(text)
    entries = scan.run()
    return Outline(entries, form.name, None, "data", warnings=scan.warnings())


class _Scan:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.spans = Spans(text)
        self.quota = Quota()
        self.root = _Table((), "", 0, 0)
        self.open = [self.root]
        self.seen: dict[tuple[str, ...], int] = {}
        self.repeats: list[tuple[str, int]] = []
        self.wrong: int | None = None
        self.unclosed = False

    def run(self) -> tuple[Entry, ...]:
        content = self.text.content
        at = len(BOM) if content.startswith(BOM) else 0
        while True:
            at = _end(_SKIP.match(content, at), at)
            if at >= len(content):
                break
            if header := _HEADER.match(content, at):
                self._header(header)
                at = header.end()
            elif key := _KEY.match(content, at):
                at = self._key(key, content)
            else:
                self._error(at)
                line_end = content.find("\n", at)
                at = line_end if line_end >= 0 else len(content)
        while len(self.open) > 1:
            self._close()
        return self.quota.kept(self.spans.finish(self.root.drafts))

    def warnings(self) -> tuple[Warned, ...]:
        found = list(self.quota.warnings())
        if self.wrong is not None:
            line = self.text.line_at(self.wrong)
            found.append(Warned("syntax_errors", f"not valid from line {line} on: entries may be missing there"))
        if self.repeats:
            found.append(repeated(self.repeats))
        return tuple(found)

    def _error(self, at: int) -> None:
        if self.wrong is None:
            self.wrong = at

    def _header(self, found: "re.Match[str]") -> None:
        path = tuple(_plain(part) for part in _PARTS.findall(found["name"]))
        while len(self.open) > 1 and path[: len(self.open[-1].path)] != self.open[-1].path:
            self._close()
        if found["marks"] == "[[":
            while len(self.open) > 1 and self.open[-1].path == path:
                self._close()
            number = self.seen[path] = self.seen.get(path, -1) + 1
            last = [f"{path[-1]}.{number}"]
        else:
            last = [path[-1]]
            if len(self.open) > 1 and self.open[-1].path == path:
                self._close()
            self._repeated(path, found.start("name"))
        title = ".".join([*path[len(self.open[-1].path) : -1], *last])
        self.open.append(_Table(path, title, found.start("marks"), self._line_end(found.end())))

    def _repeated(self, path: tuple[str, ...], at: int) -> None:
        names = self.open[-1].names
        if path in names:
            self.repeats.append((".".join(path), self.text.line_at(at)))
        names.add(path)

    def _line_end(self, end: int) -> int:
        while end > 0 and self.text.content[end - 1] in " \t\r":
            end -= 1
        return end

    def _close(self) -> None:
        table = self.open.pop()
        parent = self.open[-1]
        level = len(self.open)
        if level <= limits.MAX_DEPTH and self.quota.takes(level):
            span = (table.start, table.end)
            parent.drafts.append(
                self.spans.draft(table.title, "table", level, span, table.head_end, children=table.drafts)
            )
        parent.end = max(parent.end, table.end)

    def _key(self, found: "re.Match[str]", content: str) -> int:
        end, after = _value_end(content, found.end(), to_header=self.unclosed)
        if after is None:
            self._error(found.start("name"))
            self.unclosed = True
            end, after = _value_end(content, found.end(), to_header=True)
            after = end if after is None else after
        table, level = self.open[-1], len(self.open)
        path = tuple(_plain(part) for part in _PARTS.findall(found["name"]))
        self._repeated((*table.path, *path), found.start("name"))
        start = found.start("name")
        if level <= limits.MAX_DEPTH and self.quota.takes(level):
            line_end = content.find("\n", start, end)
            head_end = line_end if line_end >= 0 else end
            table.drafts.append(self.spans.draft(".".join(path), "key", level, (start, end), head_end))
        table.end = max(table.end, end)
        return after


def _value_end(content: str, at: int, *, to_header: bool) -> tuple[int, int | None]:
    """Where the value at AT ends, and where reading goes on: None where it never ends.

    TO_HEADER stops at what looks like the header of a table: in a file with an open bracket, not before, for an
    element of an array can look so too.
    """
    depth, end = 0, at
    for found in _VALUE.finditer(content, at):
        kind = found.lastgroup
        if kind == "end" and depth == 0:
            return end, found.end()
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        if kind in ("text", "open", "close") or (kind == "other" and not found[0].isspace()):
            end = found.start() + len(found[0].rstrip())
        elif to_header and kind == "end" and _HEADER.match(content, found.end()):
            return end, None
    return end, len(content) if depth == 0 else None


def _end(found: "re.Match[str] | None", at: int) -> int:
    return found.end() if found else at


def _plain(part: str) -> str:
    """A part of a dotted name without its quotes."""
    if part[0] == '"' and "\\" in part:
        try:
            meant = str(json.loads(part))
        except ValueError:
            return shown(part[1:-1])
        return meant if shown(meant) == meant else part[1:-1]
    return shown(part[1:-1] if part[0] in "\"'" else part)
