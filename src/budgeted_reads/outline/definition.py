"""The entry of a definition: its lines, its signature without marks and body, and what documents it."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from budgeted_reads.outline.entry import Entry, Range
from budgeted_reads.outline.languages.table import Pick, Picked, one_line
from budgeted_reads.outline.plans import Grammar
from budgeted_reads.outline.tree import Made, finish, shown

if TYPE_CHECKING:
    from tree_sitter import Node

_OPENERS = b" \t\r\n\f:{"
"""What stands between the words of a signature and its body."""

_IS_WORD = tuple(chr(byte).isalnum() or byte in b"_$" or byte > 127 for byte in range(256))
"""Whether a byte begins a word: marks and comments begin with signs."""


_TRAILING = b" \t\r\n\f\\"
_QUOTES = "\"'`"
_LF, _HASH, _SLASH = b"\n#/"
"""To look for a byte by its number takes a sixth of the time."""

_BLANK = re.compile(rb"\n[ \t\r]*\n")

_DECLARED = frozenset(
    {"function", "method", "constructor", "class", "struct", "interface", "record", "object", "trait"}
)
_CLOSERS = (b"}", b"end")
_MOST_LINES = 40
"""A declaration of more lines has a signature up to its name."""

_made = tuple.__new__
"""Makes an entry or draft of all its fields: the usual way takes twice as long."""


class Before(NamedTuple):
    """What stands before a definition: the node at which its range starts, and the comments that document it."""

    lead: "Node | None" = None
    doc: Range | None = None


NOTHING = Before()


def _plain(title: str) -> str:
    """TITLE, which is no mere name, on one line and without the quotes around it."""
    title = " ".join(title.split())
    quoted = len(title) > 1 and title[0] in _QUOTES and title[0] == title[-1]
    return shown(title[1:-1] if quoted else title)


class Maker:
    """Makes the entries of one source; CALMED is what was read of it, where some of its words may be blanked."""

    def __init__(self, source: bytes, grammar: Grammar, calmed: bytes) -> None:
        self.source = source
        self.grammar = grammar
        self.calmed = calmed if calmed is not source else None
        self.unheaded, self.open_end, self.doc = grammar.unheaded, grammar.open_end, grammar.doc
        self.at, self.row = 0, 1

    def comments_before(self, node: "Node", comments: list["Node"], last: "Node | None") -> Range | None:
        """The lines of the COMMENTS that run up to the line before NODE; one at the end of the code of LAST is none."""
        count, run_end, after = self.source.count, 0, node.start_byte
        begin = comments[0].start_byte
        if (
            (last is None or count(b"\n", last.end_byte, begin))
            and count(b"\n", begin, after) == len(comments)
            and _BLANK.search(self.source, begin, after) is None
        ):
            # As many lines as comments, and none is blank.
            row = comments[0].start_point[0] + 1
            return row, row + len(comments) - 1
        first: Node | None = None
        for comment in reversed(comments):
            start, end = comment.start_byte, comment.end_byte
            if self.source[end - 1 : end] == b"\n" and end - 1 > start:
                end -= 1
            if count(b"\n", end, after) > 1 or (last is not None and not count(b"\n", last.end_byte, start)):
                break
            first, after = comment, start
            run_end = run_end or end
        if first is None:
            return None
        row = first.start_point[0] + 1
        return row, row + count(b"\n", after, run_end)

    def columns(self, span: tuple[int, int]) -> Range:
        """The code points of a line that SPAN takes, which begins in it."""
        line = self.source.rfind(b"\n", 0, span[0]) + 1
        before = len(self.source[line : span[0]].decode("utf-8", "replace"))
        return before + 1, before + max(1, len(self.source[span[0] : span[1]].decode("utf-8", "replace")))

    def entry(self, node: "Node", pick: Picked, before: Before, children: Sequence[Made], level: int) -> Made:
        """The definition in NODE, and its first byte, that of what leads it included, and the byte after its last."""
        kind, name, body, _, title, owner, cut, _, until = pick
        lead, doc = before
        source, stop = self.source, until or node
        start = head = node.start_byte
        after = stop.end_byte
        if title is None and name is not None:
            title = source[name.start_byte : name.end_byte].decode("utf-8", "replace")
            if not title.isidentifier():
                title = _plain(title)
        else:
            title = shown(title or "")
        if lead is not None:
            start = head = lead.start_byte
            if not _IS_WORD[source[start]] or lead.kind_id in self.grammar.marks:
                head = self._head(node, lead)
        elif self.unheaded and not _IS_WORD[source[start]]:
            head = self._head(node, None)
        if self.calmed is not None and start and source[start - 1] != _LF:
            marked = self._marked(start, self.calmed)
            start, head = marked, marked if head == start else head
        if body is None and cut is None and start == head:
            line = source.find(b"\n", start, after)
            if line < 0 or line == after - 1:
                return self._line(title, kind, level, doc, owner, (start, after))
        heading = self._heading(head, node, cut or body, name, kind)
        own = top = last = first = (lead or node).start_point[0] + 1
        row, column = (self._end(stop) if self.open_end else stop).end_point
        end = row + 1 if column else row
        if end > first and (head != start or body is None or _LF in heading):
            top += source.count(b"\n", start, head)
            own = top
            if name is not None and (body is None or name.start_byte < body.start_byte):
                own = first + source.count(b"\n", start, name.start_byte)
            last = max(own, top + heading.count(b"\n"))
        if doc is None and body is not None and self.doc is not None and (found := self.doc(body)) is not None:
            doc = (found.start_point[0] + 1, found.end_point[0] + 1)
        inner = self.finished(children, last) if children else ()
        words_in = one_line(heading)
        heads = (top, last)
        end, rest = (end, (last + 1, end)) if last < end else (last, None)
        fields = (title, kind, level, first, end, own, words_in, heads, rest, doc, None, inner, (), owner)
        return _made(Entry, fields), (start, after)

    def leaf(self, node: "Node", name: "Node", kind: str, before: Before, level: int) -> Made:
        """As `entry`, of a NODE of that KIND which has a NAME and no body; quicker where it is words on one line."""
        source, start, after = self.source, node.start_byte, node.end_byte
        line = source.find(b"\n", start, after)
        if (
            before.lead is not None
            or (line >= 0 and line != after - 1)
            or (self.unheaded and not _IS_WORD[source[start]])
            or (self.calmed is not None and source[source.rfind(b"\n", 0, start) + 1 : start].strip())
        ):
            return self.entry(node, Pick(kind, name), before, (), level)
        title = source[name.start_byte : name.end_byte].decode("utf-8", "replace")
        if not title.isidentifier():
            title = _plain(title)
        return self._line(title, kind, level, before.doc, "", (start, after))

    def _line(self, title: str, kind: str, level: int, doc: Range | None, owner: str, span: Range) -> Made:
        """The definition over SPAN, which is one line, has no body and begins with its signature."""
        at, start = self.at, span[0]
        self.row += self.source.count(b"\n", at, start) if at <= start else -self.source.count(b"\n", start, at)
        self.at, row = start, self.row
        signature = one_line(self.source[start : span[1]].rstrip(_TRAILING))
        fields = (title, kind, level, row, row, row, signature, (row, row), None, doc, None, (), (), owner)
        return _made(Entry, fields), span

    def finished(self, drafts: Sequence[Made], shared: int) -> tuple[Entry, ...]:
        """The entries of DRAFTS; SHARED is the last line that they share with what they stand in."""
        merges = self.grammar.merges
        return finish(_merged(drafts, merges) if merges is not None else drafts, shared, self.columns)

    def _head(self, node: "Node", lead: "Node | None") -> int:
        """The byte at which the signature starts: after the marks that lead the definition."""
        marks, modifiers, comments = self.grammar.marks, self.grammar.modifiers, self.grammar.comments
        if lead is None:
            child = node.child(0) if node.child_count else None
            if child is not None and child.kind_id in modifiers and child.child_count:
                child = child.child(0)
            if child is None or child.kind_id not in self.grammar.unheaded:
                return node.start_byte
        whole = node if lead is None or lead.kind_id in marks else lead
        while whole is not node and (inner := whole.named_children[-1:]) and inner[0].kind_id == whole.kind_id:
            whole = inner[0]
        for child in whole.children:
            pieces = child.children if child.kind_id in modifiers and child.child_count else [child]
            for piece in pieces:
                if piece.kind_id not in marks and piece.kind_id not in comments:
                    return piece.start_byte
        return node.start_byte

    def _marked(self, at: int, calmed: bytes) -> int:
        """Where the words begin that were blanked before AT in its line; AT where there are none, or others as well."""
        line = self.source.rfind(b"\n", 0, at) + 1
        before = self.source[line:at]
        return at - len(before.lstrip()) if not calmed[line:at].strip() and before.strip() else at

    def _end(self, node: "Node") -> "Node":
        """The node at which NODE ends: itself, or its last piece that is no comment where bodies have open ends."""
        mark = self.grammar.open_end
        if mark:
            line = self.source.rfind(b"\n", node.start_byte, node.end_byte) + 1
            if line and self.source[line : node.end_byte].lstrip().startswith(mark):
                while pieces := [child for child in node.children if child.type != "comment"]:
                    node = pieces[-1]
        return node

    def _heading(self, start: int, node: "Node", body: "Node | None", name: "Node | None", kind: str) -> bytes:
        """The source from the definition (without decorators) to its body; where it has none, see `_bodiless`."""
        if body is None:
            return self._bodiless(start, node, name, kind)
        words = self.source[start : body.start_byte]
        if _HASH in words or _SLASH in words:
            end = body
            while (before := end.prev_sibling) is not None and before.type in self.grammar.comment_types:
                end = before
            words = self.source[start : end.start_byte]
        return words.rstrip(_OPENERS)

    def _bodiless(self, start: int, node: "Node", name: "Node | None", kind: str) -> bytes:
        """All of a function that is only declared, else the lines from START to that of the NAME."""
        words = self.source[start : node.end_byte]
        if kind in _DECLARED and words.count(b"\n") < _MOST_LINES and not words.endswith(_CLOSERS):
            return words.rstrip(_OPENERS)
        past = max(0, name.end_byte - start) if name is not None else 0
        line = words.find(b"\n", past)
        return words[: line if line >= 0 else len(words)].rstrip(_TRAILING)


def _merged(drafts: Sequence[Made], merges: Callable[[str, str], bool]) -> list[Made]:
    """DRAFTS with neighbours of one kind and name as one definition, where it MERGES their signatures."""
    merged: list[Made] = []
    for entry, span in drafts:
        last, (start, _) = merged[-1] if merged else (None, span)
        alike = last is not None and (last.title, last.kind) == (entry.title, entry.kind)
        if last is not None and alike and last.signature_lines and merges(last.signature, entry.signature):
            head = last.signature_lines[1]
            joined = last._replace(end=entry.end, body=(head + 1, entry.end) if head < entry.end else None)
            merged[-1] = joined, (start, span[1])
        else:
            merged.append((entry, span))
    return merged
