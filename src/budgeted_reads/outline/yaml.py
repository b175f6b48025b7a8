"""YAML to keys with their lines, from parser events: nothing is loaded, so no alias or tag is ever expanded.

Offsets come from the index of a mark, never from its line: the parser also ends lines at CR, NEL and U+2028.
"""

from typing import Any

from budgeted_reads import limits
from budgeted_reads.outline import yamlguess, yamlrows
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.tree import SIGNATURE_LENGTH, Draft, Quota, Spans, finish, repeated, shown
from budgeted_reads.text import BOM, Text

_entry = tuple.__new__
"""Makes an entry of all its fields: the usual way takes three times as long, and a large file has 20,000 of them."""

_CHILDREN = Entry._fields.index("children")

_COMPLEX_TITLE = 60
"""A key that is itself a list or a mapping is named by at most this much of its source."""


class _Frame:
    """A mapping, list or document that is open; `level` is that of its keys, `end` where its content ends so far.

    `key` is the key that waits for its value, at `key_start` to `key_end`. `mixed`: two of its entries share a line.
    `is_tag`: its last key is a mapping, and both open at once, as `{{ x }}` of a template does.
    """

    __slots__ = (
        "end",
        "entries",
        "index",
        "is_key",
        "is_mapping",
        "is_tag",
        "key",
        "key_end",
        "key_start",
        "level",
        "mixed",
        "names",
        "spans",
        "start",
        "title",
    )

    def __init__(self, *, is_mapping: bool, is_key: bool, title: str | None, start: int, level: int) -> None:
        self.is_mapping = is_mapping
        self.is_key = is_key
        self.title = title
        self.start = start
        self.end = start
        self.level = level
        self.entries: list[Entry] = []
        self.spans: list[tuple[int, int]] = []
        self.mixed = self.is_tag = False
        self.key: str | None = None
        self.key_start = self.key_end = 0
        self.index = 0
        self.names: set[str] = set()

    def add(self, entry: Entry, span: tuple[int, int]) -> None:
        """Take in one more entry, which stands on SPAN."""
        if self.entries and self.entries[-1].end == entry.start:
            self.mixed = True
        self.entries.append(entry)
        self.spans.append(span)

    def drafts(self) -> list[Draft]:
        """Its entries with the spans on which they stand."""
        return list(map(Draft, self.entries, self.spans))


def outline(text: Text, form: Format) -> Outline:
    """The keys of all documents of TEXT; elements of lists that hold something are entries by their index from 0.

    A file that is no YAML (a template) is read by indentation, with `approximate_outline`.
    """
    from yaml import YAMLError

    try:
        if (made := _by_rows(text, form)) is not None:
            return made
        scan = _Scan(text)
        entries = scan.run()
    except (YAMLError, ValueError) as error:
        return yamlguess.by_indentation(text, form, getattr(error, "problem_mark", None))
    facts = (("documents", scan.documents),) if scan.documents > 1 else ()
    return Outline(entries, form.name, None, "data", warnings=scan.warnings(), facts=facts)


def _by_rows(text: Text, form: Format) -> Outline | None:
    """The outline of a text of simple rows; None for any other. Raises YAMLError for what is no YAML."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", None)
    if loader is None or text.content.startswith(BOM):
        return None
    made = yamlrows.entries(text.content, loader(text.content).raw_parse())
    if made is None:
        return None
    entries, documents = made
    facts = (("documents", documents),) if documents > 1 else ()
    return Outline(entries, form.name, None, "data", facts=facts)


class _Scan:
    """One pass over the events of a text.

    Most events are keys and values on one line, so their way through `run` is short: everything else has its method.
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        self.content = text.content
        # The parser drops one mark at its start and does not count it.
        self.skipped = len(text.content) - len(text.content.lstrip(BOM))
        self.spans = Spans(text)
        self.quota = Quota()
        self.root = _Frame(is_mapping=False, is_key=False, title=None, start=0, level=1)
        self.frames = [self.root]
        self.documents = 0
        self.repeats: list[tuple[str, int]] = []

    def run(self) -> tuple[Entry, ...]:
        import yaml

        handlers = {
            yaml.AliasEvent: self._alias,
            yaml.MappingStartEvent: self._open_mapping,
            yaml.SequenceStartEvent: self._open_list,
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
            yaml.DocumentStartEvent: self._document,
        }
        scalar, skipped, frames = yaml.ScalarEvent, self.skipped, self.frames
        next_event = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(self.content[skipped:]).get_event
        while (event := next_event()) is not None:
            kind = type(event)
            if kind is scalar:
                frame = frames[-1]
                start, end = event.start_mark.index + skipped, event.end_mark.index + skipped
                if frame.is_mapping and frame.key is None:
                    value = event.value
                    frame.key = value if value.isprintable() else shown(value)
                    frame.key_start, frame.key_end = start, end
                    frame.end = max(frame.end, end)
                elif frame.key is None:
                    frame.index += 1
                    frame.end = self._bare_end(start, end)
                else:
                    self._value(frame, start, end)
            elif handler := handlers.get(kind):
                handler(event)
        return self.quota.kept(self.spans.finish(self.root.drafts()))

    def warnings(self) -> tuple[Warned, ...]:
        return (*self.quota.warnings(), *([repeated(self.repeats)] if self.repeats else ()))

    def _document(self, _event: Any) -> None:
        self.documents += 1
        self.root.index = 0

    def _bare_end(self, start: int, end: int) -> int:
        """END without the white space before it, not before START."""
        while end > start and self.content[end - 1].isspace():
            end -= 1
        return end

    def _span(self, event: Any) -> tuple[int, int]:
        start = event.start_mark.index + self.skipped
        return start, self._bare_end(start, event.end_mark.index + self.skipped)

    def _alias(self, event: Any) -> None:
        frame = self.frames[-1]
        start, end = self._span(event)
        if frame.is_mapping and frame.key is None:
            frame.key, frame.key_start, frame.key_end = shown(f"*{event.anchor}"), start, end
        elif frame.key is None:
            frame.index += 1
        else:
            self._value(frame, start, end)
        frame.end = max(frame.end, end)

    def _value(self, frame: _Frame, start: int, end: int) -> None:
        """The entry for the key that waits in FRAME, whose value stands at START to END."""
        content, key_start = self.content, frame.key_start
        if end == start:
            end = frame.key_end + 1
        elif content[end - 1].isspace():
            end = self._bare_end(start, end)
        frame.end = max(frame.end, end)
        title = frame.key or ""
        length = end - key_start
        if length > SIGNATURE_LENGTH or "\n" in (words := content[key_start:end]) or end > len(content):
            self._add(frame, (key_start, end), None)
            return
        if title in frame.names:
            self.repeats.append((title, self.text.line_at(key_start)))
        frame.names.add(title)
        frame.key = None
        level = frame.level
        if level <= limits.MAX_DEPTH and self.quota.takes(level):
            line = self.spans.line_at(key_start)
            signature = " ".join(words.split())
            heads = (line, line)
            entry = _entry(
                Entry, (title, "key", level, line, line, line, signature, heads, None, None, None, (), (), "")
            )
            frame.add(entry, (key_start, end))

    def _open_mapping(self, event: Any) -> None:
        self._open(event, is_mapping=True)

    def _open_list(self, event: Any) -> None:
        self._open(event, is_mapping=False)

    def _open(self, event: Any, *, is_mapping: bool) -> None:
        frame = self.frames[-1]
        start = event.start_mark.index + self.skipped
        title = None
        if frame.key is not None:
            title, start = frame.key, frame.key_start
        elif frame is not self.root and not frame.is_mapping:
            title = str(frame.index)
        is_key = frame.is_mapping and frame.key is None
        level = frame.level + (title is not None)
        self.frames.append(_Frame(is_mapping=is_mapping, is_key=is_key, title=title, start=start, level=level))

    def _close(self, event: Any) -> None:
        frame = self.frames.pop()
        parent = self.frames[-1]
        start, end = self._span(event)
        frame.end = max(frame.end, end if end > start else 0)
        if frame.is_tag and len(frame.entries) == 1:
            # A value that a template makes: nothing in it is a key.
            frame.entries.clear()
            frame.spans.clear()
        if frame.is_key:
            source = " ".join(self.content[frame.start : frame.end][:_COMPLEX_TITLE].split())
            parent.key, parent.key_start, parent.key_end = shown(source), frame.start, frame.end
            parent.is_tag = frame.is_mapping and self.content.startswith("{{", frame.start - 1)
        elif frame.title is None:
            for entry, span in zip(frame.entries, frame.spans, strict=True):
                parent.add(entry, span)
        else:
            self._add(parent, (frame.start, frame.end), frame)
        parent.end = max(parent.end, frame.end)

    def _add(self, frame: _Frame, span: tuple[int, int], inside: _Frame | None) -> None:
        """The entry for the pending key, or the next element, of FRAME, which holds what is INSIDE."""
        if frame.key is not None:
            title, head, kind = frame.key, frame.key_end, "key"
            if title in frame.names:
                self.repeats.append((title, self.text.line_at(span[0])))
            frame.names.add(title)
            frame.key = None
        else:
            title, head, kind = str(frame.index), span[0], "item"
            frame.index += 1
        if frame.level <= limits.MAX_DEPTH and self.quota.takes(frame.level):
            head_end = max(head, min(span[1], self.spans.line_end(head)))
            entry = self.spans.draft(title, kind, frame.level, span, head_end).entry
            if inside is not None and inside.entries:
                shared = (entry.signature_lines or (0, 0))[1]
                shares = inside.mixed or inside.entries[0].start <= shared
                children = finish(inside.drafts(), shared, self.spans.columns) if shares else tuple(inside.entries)
                entry = _entry(Entry, (*entry[:_CHILDREN], children, *entry[_CHILDREN + 1 :]))
            frame.add(entry, span)
