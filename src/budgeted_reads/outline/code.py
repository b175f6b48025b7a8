"""Code to definitions: one walk over a syntax tree, led by the table of its language.

The walk keeps its own stack, so depth costs no recursion, and goes only where the table says that definitions can be.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from budgeted_reads import limits
from budgeted_reads.outline.entry import Entry, Outline, Range, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.grammar import parse
from budgeted_reads.outline.languages.table import Pick, Rule
from budgeted_reads.outline.plans import Grammar, Plan, Plans, plans
from budgeted_reads.outline.tree import Draft, finish, shown
from budgeted_reads.text import Text

if TYPE_CHECKING:
    from tree_sitter import Node

_OPENERS = b" \t\r\n\f:{"
"""What stands between the words of a signature and its body."""

_BARED = 3
"""Definitions hidden so many levels deep, macros in macros, are found."""


def outline(text: Text, form: Format) -> Outline:
    """The definitions of TEXT in source order, nested; with `syntax_errors`, those that could be read."""
    source = text.raw if text.encoding == "utf-8" else text.content.encode("utf-8", "surrogatepass")
    grammar = plans(form.name)
    first = grammar.calmed(source) if grammar.calmed else source
    root = parse(form.name, first).root_node
    entries, has_error = _Walk(source, grammar).run(root), root.has_error
    for other in _others(form.name, grammar, root, first):
        entries = max(entries, _Walk(source, grammar).run(other), key=_size)
    warnings: tuple[Warned, ...] = ()
    if has_error:
        warnings = (Warned("syntax_errors", "parts of the file cannot be parsed: entries may be missing there"),)
    return Outline(entries, form.name, form.language, "code", warnings=warnings)


def _others(name: str, grammar: Grammar, root: "Node", source: bytes) -> Iterator["Node"]:
    """More trees of SOURCE, of equal offsets: without macros that confuse the grammar, with what macros hide."""
    if root.has_error and grammar.retry is not None and (again := grammar.retry(source)) != source:
        yield parse(name, again).root_node
    for _ in range(_BARED if grammar.bared is not None else 0):
        bare = grammar.bared(root, source) if grammar.bared is not None else None
        if bare is None:
            return
        source, root = bare, parse(name, bare).root_node
        yield root


def _size(entries: tuple[Entry, ...]) -> int:
    """How many entries there are, children included."""
    count, todo = 0, list(entries)
    while todo:
        entry = todo.pop()
        count += 1
        todo.extend(entry.children)
    return count


class _Before(NamedTuple):
    """What stands before a definition: the node at which its range starts, and the comments that document it."""

    lead: "Node | None" = None
    doc: Range | None = None


_NOTHING = _Before()


class _Frame:
    """A definition whose inside is being read."""

    __slots__ = ("before", "children", "node", "pick")

    def __init__(self, node: "Node", pick: Pick, before: _Before) -> None:
        self.node = node
        self.pick = pick
        self.before = before
        self.children: list[Draft] = []

    @property
    def span(self) -> tuple[int, int]:
        """First byte, that of a decorator before it included, and the byte after the last."""
        return (self.before.lead or self.node).start_byte, (self.pick.until or self.node).end_byte


_Step = tuple["Node", Plan, _Before] | None


class _Walk:
    """One pass over one tree."""

    def __init__(self, source: bytes, grammar: Grammar) -> None:
        self.source = source
        self.grammar = grammar
        self.frames: list[_Frame] = []
        self.top: list[Draft] = []
        self.steps: list[_Step] = []

    def run(self, root: "Node") -> tuple[Entry, ...]:
        """The entries of the whole tree."""
        self._look(root, self.grammar.contexts["top"], _NOTHING)
        while self.steps:
            step = self.steps.pop()
            if step is None:
                self._add(self.frames.pop())
            else:
                self._visit(*step)
        return finish(self.top, 0, self._columns)

    def _visit(self, node: "Node", plan: Plan, before: _Before) -> None:
        rule = plan.rule
        if rule.pick is not None:
            self._picked(node, plan, list(rule.pick(node)), before)
        elif not rule.kind:
            wrapped = before._replace(lead=node) if rule.wraps and before.lead is None else before
            self._look(node, plan.inside, wrapped)
        else:
            name = node.child_by_field_name(rule.name)
            if name is not None and name.end_byte > name.start_byte:
                pick = Pick(rule.kind, name, node.child_by_field_name(rule.body))
                inside = plan.inside if self._hinted(node, rule) else None
                self._define(_Frame(node, pick, before), inside)

    def _picked(self, node: "Node", plan: Plan, picks: list[Pick], before: _Before) -> None:
        if len(picks) > 1:
            self._several(node, picks, before)
            return
        for pick in picks:
            inside = self.grammar.contexts[pick.inside] if pick.inside else None if pick.inside is None else plan.inside
            if pick.kind:
                self._define(_Frame(node, pick, before), inside)
            elif pick.body is not None:
                wrapped = before._replace(lead=node) if pick.wraps and before.lead is None else before
                self._look(pick.body, inside, wrapped)

    def _define(self, frame: _Frame, inside: Plans | None) -> None:
        if len(self.frames) >= limits.MAX_DEPTH:
            return
        if inside is None or frame.pick.body is None:
            self._add(frame)
            return
        self.frames.append(frame)
        self.steps.append(None)
        self._look(frame.pick.body, inside, _NOTHING)

    def _look(self, node: "Node", inside: Plans | None, before: _Before) -> None:
        """Puts the definitions that are children of NODE on the stack, what stands before NODE with the first."""
        if inside is None:
            return
        if self.grammar.leading:
            found = self._led(node, inside)
        else:
            found = [(child, plan, _NOTHING) for child in node.named_children if (plan := inside.get(child.kind_id))]
        if found and before is not _NOTHING:
            child, plan, own = found[0]
            found[0] = (child, plan, _Before(before.lead or own.lead, before.doc or own.doc))
        found.reverse()
        self.steps.extend(found)

    def _led(self, node: "Node", inside: Plans) -> list[tuple["Node", Plan, _Before]]:
        """Children with the marks and comments that stand directly before them."""
        found: list[tuple[Node, Plan, _Before]] = []
        lead: Node | None = None
        comments: Range | None = None
        last: Node | None = None
        all_comments, all_marks = self.grammar.comments, self.grammar.marks
        for child in node.named_children:
            kind = child.kind_id
            plan = inside.get(kind)
            if plan is not None:
                if comments is not None and (lead or child).start_point.row > comments[1]:
                    comments = None
                found.append((child, plan, _Before(lead, comments) if lead or comments else _NOTHING))
                lead = comments = None
                last = child
            elif kind in all_comments:
                comments = self._run_on(comments, child, last)
            elif kind in all_marks:
                lead = lead or child
            else:
                lead = comments = None
                last = child
        return found

    def _run_on(self, comments: Range | None, comment: "Node", before: "Node | None") -> Range | None:
        """COMMENTS (lines, the last one is also the row after it) with one more; None for one at the end of code."""
        first = comment.start_point.row
        if before is not None and first == before.end_point.row:
            return None
        row, column = comment.end_point
        last = max(first + 1, row + (1 if column else 0))
        return (comments[0], last) if comments and first - comments[1] <= 0 else (first + 1, last)

    def _hinted(self, node: "Node", rule: Rule) -> bool:
        start, end = node.start_byte + 1, node.end_byte
        if rule.shape is not None:
            return rule.shape.search(self.source, start, end) is not None
        for hint in rule.hints:
            if self.source.find(hint, start, end) >= 0:
                return True
        return not rule.hints

    def _several(self, node: "Node", picks: list[Pick], before: _Before) -> None:
        """Names that share one node: each has its own line, the last one also the lines that remain."""
        if len(self.frames) >= limits.MAX_DEPTH:
            return
        for at, pick in enumerate(picks):
            entry = self._entry(_Frame(node, pick, before))
            end = entry.end if at == len(picks) - 1 else entry.own
            start = entry.start if at == 0 else entry.own
            entry = entry._replace(
                start=start,
                end=end,
                signature=entry.signature if entry.own == entry.start else entry.title,
                signature_lines=(entry.own, entry.own),
                body=(entry.own + 1, end) if entry.own < end else None,
            )
            name = pick.name or node
            self._siblings().append(Draft(entry, (name.start_byte, name.end_byte)))

    def _siblings(self) -> list[Draft]:
        return self.frames[-1].children if self.frames else self.top

    def _add(self, frame: _Frame) -> None:
        entry, siblings = self._entry(frame), self._siblings()
        last = siblings[-1].entry if siblings and self.grammar.merges else None
        if last is not None and (last.title, last.kind) == (entry.title, entry.kind) and last.signature_lines:
            head = last.signature_lines[1]
            joined = last._replace(end=entry.end, body=(head + 1, entry.end) if head < entry.end else None)
            siblings[-1] = Draft(joined, (siblings[-1].span[0], frame.span[1]))
        else:
            siblings.append(Draft(entry, frame.span))

    def _columns(self, span: tuple[int, int]) -> Range:
        line = self.source.rfind(b"\n", 0, span[0]) + 1
        before = len(self.source[line : span[0]].decode("utf-8", "replace"))
        return before + 1, before + max(1, len(self.source[span[0] : span[1]].decode("utf-8", "replace")))

    def _entry(self, frame: _Frame) -> Entry:
        node, pick, lead = frame.node, frame.pick, frame.before.lead
        begin, name, body = lead or node, pick.name, pick.body
        first = begin.start_point[0] + 1
        end_row, end_column = self._end(pick.until or node).end_point
        end = end_row + 1 if end_column else end_row
        head = self._head(node, lead)
        words = self._signature(head, node, pick.cut or body)
        own = head_row = last = first
        if end > first:
            head_row += self.source.count(b"\n", begin.start_byte, head)
            own = head_row
            if name is not None and (body is None or name.start_byte < body.start_byte):
                own = name.start_point[0] + 1
            last = max(own, head_row + words.count(b"\n"))
        return Entry(
            self._title(pick),
            pick.kind,
            len(self.frames) + 1,
            first,
            end if end > last else last,
            own,
            " ".join(words.decode("utf-8", "replace").split()),
            (head_row, last),
            (last + 1, end) if last < end else None,
            frame.before.doc if self.grammar.doc is None else self._doc(frame),
            None,
            finish(frame.children, last, self._columns) if frame.children else (),
            (),
            pick.owner,
        )

    def _title(self, pick: Pick) -> str:
        if pick.title is not None or pick.name is None:
            return shown(pick.title or "")
        words = self.source[pick.name.start_byte : pick.name.end_byte].decode("utf-8", "replace")
        return words if words.isidentifier() else shown(" ".join(words.split()).strip("\"'`"))

    def _doc(self, frame: _Frame) -> Range | None:
        if frame.before.doc is not None or self.grammar.doc is None or frame.pick.body is None:
            return frame.before.doc
        doc = self.grammar.doc(frame.pick.body)
        return None if doc is None else (doc.start_point.row + 1, doc.end_point.row + 1)

    def _head(self, node: "Node", lead: "Node | None") -> int:
        """The byte at which the signature starts: after the marks that lead the definition."""
        if lead is None and not (self.grammar.marks and self.grammar.leading):
            return node.start_byte
        marks, modifiers = self.grammar.marks, self.grammar.modifiers
        whole = node if lead is None or lead.kind_id in marks else lead
        for child in whole.children:
            pieces = child.children if child.kind_id in modifiers and child.child_count else [child]
            for piece in pieces:
                if piece.kind_id not in marks and piece.kind_id not in self.grammar.comments:
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
