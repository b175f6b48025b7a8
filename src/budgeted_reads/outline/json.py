"""JSON to keys with their lines: one pass over tokens with their offsets, and a stack of our own.

Comments, trailing commas, single quotes and bare keys are read too (JSONC, JSON5); anything else out of place is
skipped, and said.
"""

import itertools
import json
import re
from typing import NamedTuple

from budgeted_reads import limits
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.tree import Draft, Quota, Spans, repeated, shown
from budgeted_reads.text import BOM, Text

_STRING = r""""[^"\\\n]*+(?:\\.[^"\\\n]*+)*+" | '[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"""
_WORD = r"""[^\s{}\[\]:,"'/\#]++"""
_TOKEN = re.compile(
    rf"""(?P<key>(?P<name>{_STRING} | {_WORD})\s*+:)
    | (?P<mark>[{{}}\[\]:,])
    | (?P<value>{_STRING} | {_WORD})
    | (?P<comment>//[^\n]*+ | \#[^\n]*+ | /\*.*?\*/)
    | (?P<other>["'][^\n]*+ | /\*.*+ | \S)""",
    re.DOTALL | re.VERBOSE,
)


IDENTIFYING = ("name", "title", "id", "key", "label", "slug", "path", "file", "url", "uri", "type", "kind")
"""Members that tell the objects of an array apart, in lower case, the most telling first."""

HEAD_LINES = 3
"""An object of an array is named by a member at most so many lines below its opening mark."""


class _Key(NamedTuple):
    title: str
    start: int


class _Frame:
    """An object or array that is open, and the entry that its end will complete; `level` is that of its keys."""

    __slots__ = ("drafts", "head_end", "index", "is_object", "key", "level", "names", "start", "title")

    def __init__(self, is_object: bool, title: str | None, start: int, head_end: int, level: int) -> None:
        self.is_object = is_object
        self.title = title
        self.start = start
        self.head_end = head_end
        self.level = level
        self.drafts: list[Draft] = []
        self.key: _Key | None = None
        self.index = 0
        self.names: set[str] = set()


def outline(text: Text, form: Format) -> Outline:
    """The keys of TEXT, nested; of an array those elements that are objects or arrays, by their index from 0.

    An object of an array stands on the line of what identifies it, where its own has nothing but its opening mark.
    """
    scan = _Scan(text, records=form.name == "jsonl")
    entries = scan.run()
    return Outline(entries, form.name, None, "data", warnings=scan.warnings())


class _Scan:
    def __init__(self, text: Text, *, records: bool) -> None:
        self.text = text
        self.spans = Spans(text)
        self.quota = Quota()
        self.root = _Frame(False, None, 0, 0, 1)
        self.records = records
        self.frames = [self.root]
        self.too_deep = 0
        self.error_at: int | None = None
        self.repeats: list[tuple[str, int]] = []

    def run(self) -> tuple[Entry, ...]:
        content = self.text.content
        for found in _TOKEN.finditer(content, len(BOM) if content.startswith(BOM) else 0):
            kind = found.lastgroup
            if kind == "mark":
                self._mark(found[0], found.start())
            elif kind == "key":
                self._key(found["name"], found.start())
            elif kind == "value":
                self._value(found.start(), found.end())
            elif kind == "other":
                self._wrong(found.start())
        end = len(content.rstrip())
        if len(self.frames) > 1 or self.too_deep:
            self._wrong(end)
        while len(self.frames) > 1:
            self._close(end)
        return self.quota.kept(self.spans.finish(self.root.drafts))

    def warnings(self) -> tuple[Warned, ...]:
        found = list(self.quota.warnings())
        if self.error_at is not None:
            line = self.text.line_at(min(self.error_at, max(len(self.text.content) - 1, 0)))
            found.append(Warned("syntax_errors", f"not valid from line {line} on: entries may be missing there"))
        if self.repeats:
            found.append(repeated(self.repeats))
        return tuple(found)

    def _wrong(self, offset: int) -> None:
        if self.error_at is None:
            self.error_at = offset

    def _key(self, name: str, at: int) -> None:
        if self.too_deep:
            return
        frame = self.frames[-1]
        if not frame.is_object or frame.key is not None:
            self._wrong(at)
        if frame.is_object:
            frame.key = _Key(_title(name), at)
            # By what the keys mean, not by how their titles are shown: different keys may show alike.
            meant = _meant(name)
            if meant in frame.names:
                self.repeats.append((frame.key.title, self.text.line_at(at)))
            frame.names.add(meant)

    def _value(self, start: int, end: int) -> None:
        frame = self.frames[-1]
        if self.too_deep or not frame.is_object:
            return
        if frame.key is None:
            self._wrong(start)
        else:
            self._add(frame, frame.key.title, (frame.key.start, end), end, [])
            frame.key = None

    def _mark(self, mark: str, at: int) -> None:
        frame = self.frames[-1]
        if mark in "{[":
            self._open(mark == "{", at)
        elif self.too_deep:
            self.too_deep -= mark in "}]"
        elif mark in "}]":
            if frame is self.root or frame.is_object != (mark == "}"):
                self._wrong(at)
            else:
                self._close(at + 1)
        else:
            if mark == ":" or frame is self.root or frame.key is not None:
                self._wrong(at)
            frame.key = None
            frame.index += 1

    def _open(self, is_object: bool, at: int) -> None:
        frame = self.frames[-1]
        if len(self.frames) > limits.MAX_DEPTH or self.too_deep:
            self.too_deep += 1
            return
        title, start = self._name(frame, at)
        frame.key = None
        self.frames.append(_Frame(is_object, title, start, at + 1, frame.level + (title is not None)))

    def _name(self, frame: _Frame, at: int) -> tuple[str | None, int]:
        """The title of the value at AT within FRAME (None: it is no entry), and where its entry starts."""
        if frame.key is not None:
            return frame.key.title, frame.key.start
        if frame is self.root and self.records:
            frame.index += 1
            return str(frame.index - 1), at
        if frame is self.root or frame.is_object:
            return None, at
        return str(frame.index), at

    def _close(self, end: int) -> None:
        frame = self.frames.pop()
        if frame.key is not None:
            self._wrong(frame.key.start)
        parent = self.frames[-1]
        if frame.title is None:
            parent.drafts.extend(frame.drafts)
        else:
            self._add(parent, frame.title, (frame.start, end), frame.head_end, frame.drafts)

    def _add(self, frame: _Frame, title: str, span: tuple[int, int], head_end: int, children: list[Draft]) -> None:
        if self.quota.takes(frame.level):
            kind = "key" if frame.is_object else "item"
            draft = self.spans.draft(title, kind, frame.level, span, head_end, children=children)
            if kind == "item" and not any(map(str.isalpha, self.text.line(draft.entry.start))):
                draft = draft._replace(entry=_identified(draft.entry))
            frame.drafts.append(draft)


def _identified(item: Entry) -> Entry:
    """ITEM on the line of the member that identifies it, if one stands near its opening mark."""
    near = itertools.takewhile(lambda child: child.start <= item.start + HEAD_LINES, item.children)
    telling = [child for child in near if child.title.lower() in IDENTIFYING and not _holds(child)]
    if not telling:
        return item
    best = min(telling, key=lambda child: IDENTIFYING.index(child.title.lower()))
    body = (best.own + 1, item.end) if best.own < item.end else None
    return item._replace(own=best.own, signature=best.signature, signature_lines=(best.own, best.own), body=body)


def _holds(entry: Entry) -> bool:
    """Whether ENTRY is more than a value on one line."""
    return bool(entry.children) or entry.start < entry.end or entry.signature.endswith(("{", "["))


def _title(token: str) -> str:
    """The key as it is meant, or, where that cannot stand on a line, as it is written."""
    meant = _meant(token)
    return meant if shown(meant) == meant else shown(_inner(token))


def _meant(token: str) -> str:
    """The key that the token stands for; itself where it is broken."""
    inner = _inner(token)
    if "\\" not in inner:
        return inner
    try:
        return str(json.loads(f'"{inner}"'))
    except ValueError:
        return inner


def _inner(token: str) -> str:
    return token[1:-1] if token[0] in "\"'" else token
