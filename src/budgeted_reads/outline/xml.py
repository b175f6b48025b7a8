"""XML to elements with their lines, from the events of expat. No entity is expanded, and nothing is fetched."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from budgeted_reads import limits
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import named
from budgeted_reads.outline.tree import Draft, Quota, Spans, shown
from budgeted_reads.text import Text

MAX_ENTITIES = 65_536
"""A document whose entities hold more code points than this, all together, is not read."""

NAMING = ("id", "name", "key", "Include", "xml:id")
"""Attributes that tell elements of one name apart, the first that is there: `bean#clock`."""

NAMING_CHILDREN = ("artifactId", "id", "name", "key")
"""Elements of text alone that tell the elements around them apart, where no attribute does: `dependency#junit`."""

HEAD_LINES = 3
"""They stand at most so many lines below the tag that opens what they name."""

NAME_LENGTH = 100
"""A longer text names nothing."""

_TAG = re.compile(rb"""[^<>"']*+(?:"[^"<]*+"[^<>"']*+|'[^'<]*+'[^<>"']*+)*+>""")
_TEXT_BLOCK = re.compile(r"[ \t\r]*+(?:\n|<!\[CDATA\[)")
_NO_WORDS = re.compile(r"[ \t\r]*+(?:\n\s*+(?:<|\Z)|</|\Z)")
_NEXT = re.compile(r"[ \t\r]*+\n\s*+<[^/]")
_REFERENCE = re.compile(r"&[^#\s&]")


class _Refused(Exception):
    """A declaration that could make a small text a large one."""


class _Element:
    """An element that is open; `in_text`: words stand before it, so that it may be markup of a text and no entry."""

    __slots__ = ("attributes", "byte", "children", "in_text", "key", "name", "names", "start")

    def __init__(self, name: str, attributes: list[str], byte: int, start: int, *, in_text: bool) -> None:
        self.name = name
        self.attributes = attributes
        self.byte = byte
        self.start = start
        self.in_text = in_text
        self.children: list[Draft] = []
        self.names: dict[str, tuple[str, Draft]] = {}
        self.key: tuple[str, int, int] | None = None


def outline(text: Text, form: Format) -> Outline:
    """The elements of TEXT, nested, but not those that are markup of a text (`<p>so <b>it</b> is</p>`).

    What is not well formed is read up to there (`syntax_errors`). Entities that hold entities are refused.
    """
    scan = _Scan(text)
    warnings: tuple[Warned, ...] = ()
    try:
        scan.run()
    except _Refused as refusal:
        return Outline((), form.name, None, "data", warnings=(Warned("no_outline", str(refusal)),))
    except (scan.error, UnicodeError) as error:
        line = text.line_at(min(scan.here(), max(len(text.content) - 1, 0))) if text.content else 0
        why = f"not well formed from line {line} on ({str(error).partition(':')[0]}): entries may be missing there"
        warnings = (Warned("syntax_errors", why),)
    return Outline(scan.finished(), form.name, None, "data", warnings=(*scan.quota.warnings(), *warnings))


class _Scan:
    def __init__(self, text: Text) -> None:
        from xml.parsers import expat

        self.error = expat.ExpatError
        self.raw = text.content.encode("utf-8", "surrogatepass")
        self.content = text.content
        self.ascii = len(self.raw) == len(text.content)
        self.spans = Spans(text)
        self.quota = Quota()
        self.root = _Element("", [], 0, 0, in_text=False)
        self.open = [self.root]
        self.at_byte = self.at_point = 0
        self.entities = self.too_deep = 0
        self.parser: Any = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._entity
        self.parser.ordered_attributes = True

    def run(self) -> None:
        self.parser.Parse(self.raw, True)

    def here(self) -> int:
        """The offset in code points at which the parser stands."""
        return self._point(max(self.at_byte, self.parser.CurrentByteIndex))

    def finished(self) -> tuple[Entry, ...]:
        """The entries; elements that never end do so where reading did."""
        end = len(self.content.rstrip())
        while len(self.open) > 1:
            self._close(end)
        return self.quota.kept(self.spans.finish(self.root.children))

    def _point(self, byte: int) -> int:
        """The offset in code points of the offset BYTE, which never goes back."""
        if self.ascii:
            return byte
        self.at_point += len(self.raw[self.at_byte : byte].decode("utf-8", "surrogatepass"))
        self.at_byte = byte
        return self.at_point

    def _start(self, name: str, attributes: list[str]) -> None:
        if len(self.open) > limits.MAX_DEPTH:
            self.too_deep += 1
            return
        byte = self.parser.CurrentByteIndex
        start = self._point(byte)
        self.open.append(_Element(name, attributes, byte, start, in_text=_in_text(self.content, start)))

    def _end(self, name: str) -> None:
        if self.too_deep:
            self.too_deep -= 1
            return
        end = self._point(self.parser.CurrentByteIndex)
        after = self.content.find(">", end) + 1 if self.content.startswith("</", end) else 0
        self._close(after)

    def _close(self, after: int) -> None:
        """Ends the innermost element before offset AFTER, or where its only tag does."""
        element = self.open.pop()
        level = len(self.open)
        head_end = self._head_end(element)
        # Behind a tag that is both, the parser stands at what follows: maybe at another end.
        span = (element.start, head_end if self.content.startswith("/>", head_end - 2) else max(after, head_end))
        if element.in_text and not _stands_alone(self.content, span, head_end, element.children):
            return
        if not self.quota.takes(level):
            return
        title, kind, around = named(_titled(element)), "element", self.open[-1]
        words = "" if element.children else self._words(head_end, span[1])
        if around.name == "dict":
            # A property list: a key and its value, which stand side by side, are one entry.
            if element.name == "key" and words:
                around.key = words, element.start, span[1]
                return
            if around.key:
                (title, start, head_end), kind, around.key = around.key, "key", None
                span = (start, span[1])
        draft = self.spans.draft(title, kind, level, span, head_end, children=element.children)
        if words and kind == "element" and element.name in NAMING_CHILDREN:
            around.names.setdefault(element.name, (words, draft))
        around.children.append(draft if element.attributes or level == 1 else _named_within(draft, element.names))

    def _words(self, start: int, end: int) -> str:
        """The text of an element without others inside, from START to before its end tag; "" where it is long."""
        close = self.content.find("<", start, min(end, start + NAME_LENGTH + 1))
        return " ".join(self.content[start:close].split()) if close > start else ""

    def _head_end(self, element: _Element) -> int:
        """The offset behind the tag that opens ELEMENT."""
        tag = _TAG.match(self.raw, element.byte + 1)
        if not tag:
            return element.start + 1
        return element.start + 1 + (len(tag[0]) if self.ascii else len(tag[0].decode("utf-8", "surrogatepass")))

    def _entity(self, name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        if value is None:
            return
        self.entities += len(value)
        if _REFERENCE.search(value) or self.entities > MAX_ENTITIES:
            raise _Refused("it declares entities made of entities, or very long ones: not read, shown as plain text")
        # With this handler set, references to entities in the text are passed to it as they stand.
        keep: Callable[[str], None] = _ignore
        self.parser.DefaultHandler = keep


def _ignore(data: str) -> None:
    pass


def _titled(element: _Element) -> str:
    """The name of an element, with the attribute that tells it apart from others of that name."""
    values = dict(zip(element.attributes[::2], element.attributes[1::2], strict=True))
    naming = next((key for key in NAMING if values.get(key)), None)
    return f"{element.name}#{values[naming]}" if naming else element.name


def _named_within(draft: Draft, names: dict[str, tuple[str, Draft]]) -> Draft:
    """DRAFT by the element in it that tells it apart, on the line of that."""
    entry = draft.entry
    for naming in NAMING_CHILDREN:
        words, child = names.get(naming, ("", draft))
        own = child.entry.own
        if words and entry.start < own <= entry.start + HEAD_LINES:
            title = named(f"{entry.title}#{words}")
            signature = shown(" ".join(f"<{naming}>{words}</{naming}>".split()))
            body = (own + 1, entry.end) if own < entry.end else None
            return draft._replace(
                entry=entry._replace(title=title, own=own, signature=signature, signature_lines=(own, own), body=body)
            )
    return draft


def _in_text(content: str, start: int) -> bool:
    """Whether words stand before the element at START, since the tag before it."""
    before = start - 1
    while before >= 0 and content[before] in " \t\r\n":
        before -= 1
    return before >= 0 and content[before] not in ">\ufeff"


def _stands_alone(content: str, span: tuple[int, int], head_end: int, children: Sequence[Draft]) -> bool:
    """Whether the element over SPAN, which stands behind a text, is no markup of it.

    It is none where elements in it begin their lines, where its words have lines of their own, or where it has one
    itself and another element follows in the next.
    """
    start, end = span
    if any(_begins_line(content, child.span[0]) for child in children):
        return True
    if not _begins_line(content, start):
        return False
    if content.find("\n", head_end, end) < 0:
        return _NEXT.match(content, end) is not None
    return _TEXT_BLOCK.match(content, head_end) is not None and _NO_WORDS.match(content, end) is not None


def _begins_line(content: str, at: int) -> bool:
    """Whether nothing but white space stands before AT in its line."""
    before = at - 1
    while before >= 0 and content[before] in " \t\r":
        before -= 1
    return before < 0 or content[before] == "\n"
