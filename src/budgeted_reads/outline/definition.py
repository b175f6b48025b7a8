"""The entry of a definition: its lines, its signature without marks and body, and what documents it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from budgeted_reads.outline.entry import Entry, Range
from budgeted_reads.outline.languages.table import Pick
from budgeted_reads.outline.plans import Grammar
from budgeted_reads.outline.tree import Draft, finish, shown

if TYPE_CHECKING:
    from tree_sitter import Node

_OPENERS = b" \t\r\n\f:{"
"""What stands between the words of a signature and its body."""

_made = tuple.__new__
"""Makes an entry or draft of all its fields: the usual way takes twice as long."""


class Before(NamedTuple):
    """What stands before a definition: the node at which its range starts, and the comments that document it."""

    lead: "Node | None" = None
    doc: Range | None = None


NOTHING = Before()


class Maker:
    """Makes the entries of one source."""

    def __init__(self, source: bytes, grammar: Grammar) -> None:
        self.source = source
        self.grammar = grammar
        self.at, self.row = 0, 1

    def comments_before(self, node: "Node", comments: list["Node"], last: "Node | None") -> Range | None:
        """The lines of the COMMENTS that run up to the line before NODE; one at the end of the code of LAST is none."""
        count, run_end, after = self.source.count, 0, node.start_byte
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

    def entry(self, node: "Node", pick: Pick, before: Before, children: Sequence[Draft], level: int) -> Draft:
        """The definition in NODE, and its first byte, that of what leads it included, and the byte after its last."""
        source, grammar, name, body, lead = self.source, self.grammar, pick.name, pick.body, before.lead
        if body is None and lead is None and (draft := self._line(node, pick, before, level)) is not None:
            return draft
        begin = node if lead is None else lead
        stop = pick.until or node
        start, span_end = begin.start_byte, stop.end_byte
        own = head_row = last = first = begin.start_point[0] + 1
        row, column = (self._end(stop) if grammar.open_end else stop).end_point
        end = row + 1 if column else row
        head = node.start_byte if lead is None and not grammar.unheaded else self._head(node, lead)
        words = self._signature(head, node, pick.cut or body)
        if end > first:
            if head > start:
                head_row += source.count(b"\n", start, head)
            own = head_row
            if name is not None and (body is None or name.start_byte < body.start_byte):
                own = first + source.count(b"\n", start, name.start_byte)
            last = max(own, head_row + words.count(b"\n"))
        title = self._title(pick)
        signature = " ".join(words.decode("utf-8", "replace").split())
        doc = before.doc if grammar.doc is None else self._doc(pick, before)
        inner = finish(children, last, self.columns) if children else ()
        heads, rest = (head_row, last), (last + 1, end) if last < end else None
        until = end if end > last else last
        kind, owner = pick.kind, pick.owner
        fields = (title, kind, level, first, until, own, signature, heads, rest, doc, None, inner, (), owner)
        return _made(Draft, (_made(Entry, fields), (start, span_end)))

    def _line(self, node: "Node", pick: Pick, before: Before, level: int) -> Draft | None:
        """The definition in NODE, which has no body, where it is one line and begins with its signature; else None."""
        source, grammar, start, end = self.source, self.grammar, node.start_byte, node.end_byte
        line = source.find(b"\n", start, end)
        if (
            grammar.unheaded
            or grammar.open_end
            or pick.until is not None
            or pick.cut is not None
            or 0 <= line < end - 1
        ):
            return None
        at, self.at = self.at, start
        self.row += source.count(b"\n", at, start) if at <= start else -source.count(b"\n", start, at)
        row, doc = self.row, before.doc
        words = source[start : line if line >= 0 else end].rstrip(b" \t\r\f\\").decode("utf-8", "replace")
        heads, title = (row, row), self._title(pick)
        signature = " ".join(words.split())
        fields = (title, pick.kind, level, row, row, row, signature, heads, None, doc, None, (), (), pick.owner)
        return _made(Draft, (_made(Entry, fields), (start, end)))

    def _title(self, pick: Pick) -> str:
        if pick.title is not None or pick.name is None:
            return shown(pick.title or "")
        words = self.source[pick.name.start_byte : pick.name.end_byte].decode("utf-8", "replace")
        return words if words.isidentifier() else shown(" ".join(words.split()).strip("\"'`"))

    def _doc(self, pick: Pick, before: Before) -> Range | None:
        if before.doc is not None or self.grammar.doc is None or pick.body is None:
            return before.doc
        doc = self.grammar.doc(pick.body)
        return None if doc is None else (doc.start_point.row + 1, doc.end_point.row + 1)

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
        for child in whole.children:
            pieces = child.children if child.kind_id in modifiers and child.child_count else [child]
            for piece in pieces:
                if piece.kind_id not in marks and piece.kind_id not in comments:
                    return piece.start_byte
        return node.start_byte

    def _end(self, node: "Node") -> "Node":
        """The node at which NODE ends: itself, or its last piece that is no comment where bodies have open ends."""
        mark = self.grammar.open_end
        if mark:
            line = self.source.rfind(b"\n", node.start_byte, node.end_byte) + 1
            if line and self.source[line : node.end_byte].lstrip().startswith(mark):
                while pieces := [child for child in node.children if child.type != "comment"]:
                    node = pieces[-1]
        return node

    def _signature(self, start: int, node: "Node", body: "Node | None") -> bytes:
        """The source from the definition (without decorators) to its body; where it has none, its first line."""
        if body is None:
            line = self.source.find(b"\n", start, node.end_byte)
            return self.source[start : line if line >= 0 else node.end_byte].rstrip(b" \t\r\f\\")
        words = self.source[start : body.start_byte]
        if b"#" in words or b"/" in words:
            end = body
            while (before := end.prev_sibling) is not None and before.type in self.grammar.comment_types:
                end = before
            words = self.source[start : end.start_byte]
        return words.rstrip(_OPENERS)
