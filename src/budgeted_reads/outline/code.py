"""Code to definitions: one walk over a syntax tree, led by the table of its language.

The walk keeps its own stack, so depth costs no recursion, and goes only where the table says that definitions can be.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from budgeted_reads import limits
from budgeted_reads.outline.entry import Entry, Outline, Range, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.grammar import parse, parse_again
from budgeted_reads.outline.languages.table import Pick, Rule
from budgeted_reads.outline.plans import Grammar, Plan, Plans, plans
from budgeted_reads.outline.tree import Draft, finish, shown
from budgeted_reads.text import Text

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_OPENERS = b" \t\r\n\f:{"
"""What stands between the words of a signature and its body."""

_BARED = 3
"""Definitions hidden so many levels deep, macros in macros, are found."""


def outline(text: Text, form: Format) -> Outline:
    """The definitions of TEXT in source order, nested; with `syntax_errors`, those that could be read."""
    source = text.raw if text.encoding == "utf-8" else text.content.encode("utf-8", "surrogatepass")
    grammar = plans(form.name)
    first = grammar.calmed(source) if grammar.calmed else source
    tree = parse(form.name, first)
    entries, has_error = _Walk(source, grammar).run(tree.root_node), tree.root_node.has_error
    for other in _others(form.name, grammar, tree, first):
        entries = max(entries, _Walk(source, grammar).run(other), key=_size)
    warnings: tuple[Warned, ...] = ()
    if has_error:
        warnings = (Warned("syntax_errors", "parts of the file cannot be parsed: entries may be missing there"),)
    return Outline(entries, form.name, form.language, "code", warnings=warnings)


def _others(name: str, grammar: Grammar, tree: "Tree", source: bytes) -> Iterator["Node"]:
    """More trees of SOURCE, of equal offsets: without macros that confuse the grammar, with what macros hide."""
    root = tree.root_node
    if root.has_error and grammar.retry is not None and (again := grammar.retry(source)) != source:
        yield parse_again(name, tree, source, again).root_node
    for _ in range(_BARED if grammar.bared is not None else 0):
        bare = grammar.bared(tree.root_node, source) if grammar.bared is not None else None
        if bare is None:
            return
        source, tree = bare, parse_again(name, tree, source, bare)
        yield tree.root_node


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


_Step = tuple["Node", Plan, _Before] | None

_made = tuple.__new__
"""Makes an entry or draft of all its fields: the usual way takes twice as long."""


class _Walk:
    """One pass over one tree."""

    def __init__(self, source: bytes, grammar: Grammar) -> None:
        self.source = source
        self.grammar = grammar
        self.frames: list[_Frame] = []
        self.top: list[Draft] = []
        self.steps: list[_Step] = []
        self.at, self.row = 0, 1
        self.region: tuple[int, int, re.Pattern[bytes] | None, list[int]] = (0, 0, None, [])

    def run(self, root: "Node") -> tuple[Entry, ...]:
        """The entries of the whole tree."""
        self._look(root, self.grammar.contexts["top"], _NOTHING)
        while self.steps:
            step = self.steps.pop()
            if step is None:
                frame = self.frames.pop()
                self._add(frame.node, frame.pick, frame.before, frame.children)
            else:
                self._visit(*step)
        return finish(self.top, 0, self._columns)

    def _visit(self, node: "Node", plan: Plan, before: _Before) -> None:
        rule = plan.rule
        if rule.pick is not None:
            self._picked(node, plan, list(rule.pick(node)), before)
        elif not rule.kind:
            self._look(node, plan.inside, self._wrapped(node, before) if rule.wraps else before)
        else:
            name = node.child_by_field_name(rule.name)
            if name is not None and name.end_byte > name.start_byte:
                inside = plan.inside if plan.inside is not None and self._hinted(node, rule) else None
                self._define(node, Pick(rule.kind, name, node.child_by_field_name(rule.body)), before, inside)

    def _wrapped(self, node: "Node", before: _Before) -> _Before:
        """What stands before the first definition in NODE, which begins with it."""
        return before if before.lead is not None else _Before(node, before.doc)

    def _picked(self, node: "Node", plan: Plan, picks: list[Pick], before: _Before) -> None:
        if len(picks) > 1:
            self._several(node, picks, before)
            return
        for pick in picks:
            if pick.body is None:
                if pick.kind:
                    self._define(node, pick, before, None)
                continue
            inside = self.grammar.contexts[pick.inside] if pick.inside else None if pick.inside is None else plan.inside
            if pick.kind:
                self._define(node, pick, before, inside)
            else:
                self._look(pick.body, inside, self._wrapped(node, before) if pick.wraps else before)

    def _define(self, node: "Node", pick: Pick, before: _Before, inside: Plans | None) -> None:
        if len(self.frames) >= limits.MAX_DEPTH:
            return
        if inside is None or pick.body is None:
            self._add(node, pick, before, ())
            return
        self.frames.append(_Frame(node, pick, before))
        self.steps.append(None)
        self._look(pick.body, inside, _NOTHING)

    def _look(self, node: "Node", inside: Plans | None, before: _Before) -> None:
        """Puts the definitions that are children of NODE on the stack, what stands before NODE with the first."""
        if inside is None:
            return
        words = self._words(node, inside) if inside.needs is not None else None
        if words is not None and not words:
            return
        if self.grammar.leading:
            found = self._led(node, inside)
        else:
            found = [(child, plan, _NOTHING) for child in node.named_children if (plan := inside.get(child.kind_id))]
        if found and before is not _NOTHING:
            child, plan, own = found[0]
            found[0] = (child, plan, _Before(before.lead or own.lead, before.doc or own.doc))
        if words is not None:
            found = [step for step in found if self._holds(words, step[0])]
        found.reverse()
        self.steps.extend(found)

    def _words(self, node: "Node", inside: Plans) -> list[int]:
        """Where the words begin that the definitions of that context need, in NODE and what is around it."""
        start, end = node.start_byte, node.end_byte
        first, last, pattern, found = self.region
        if start < first or end > last or pattern is not inside.needs:
            pattern = inside.needs
            found = [one.start() for one in pattern.finditer(self.source, start, end)] if pattern is not None else []
            self.region = (start, end, pattern, found)
        return found

    @staticmethod
    def _holds(words: list[int], node: "Node") -> bool:
        """Whether one of WORDS, offsets in order, is in NODE."""
        at = bisect_left(words, node.start_byte)
        return at < len(words) and words[at] < node.end_byte

    def _led(self, node: "Node", inside: Plans) -> list[tuple["Node", Plan, _Before]]:
        """Children with the marks and comments that stand directly before them."""
        found: list[tuple[Node, Plan, _Before]] = []
        lead: Node | None = None
        comments: list[Node] = []
        last: Node | None = None
        all_comments, all_marks, plan_of = self.grammar.comments, self.grammar.marks, inside.get
        for child in node.named_children:
            kind = child.kind_id
            plan = plan_of(kind)
            if plan is not None:
                before = _NOTHING
                if comments or lead is not None:
                    doc = self._run_before(lead or child, comments, last) if comments else None
                    before = _Before(lead, doc) if lead is not None or doc is not None else _NOTHING
                    lead, comments = None, []
                found.append((child, plan, before))
                last = child
            elif kind in all_comments:
                comments.append(child)
            elif kind in all_marks:
                lead = lead or child
            else:
                if comments or lead is not None:
                    lead, comments = None, []
                last = child
        return found

    def _run_before(self, node: "Node", comments: list["Node"], last: "Node | None") -> Range | None:
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
            entry, _ = self._entry(node, pick, before, ())
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

    def _add(self, node: "Node", pick: Pick, before: _Before, children: Sequence[Draft]) -> None:
        siblings = self.frames[-1].children if self.frames else self.top
        draft = self._entry(node, pick, before, children)
        if not self.grammar.merges:
            siblings.append(draft)
            return
        entry = draft.entry
        last = siblings[-1].entry if siblings else None
        if last is not None and (last.title, last.kind) == (entry.title, entry.kind) and last.signature_lines:
            head = last.signature_lines[1]
            joined = last._replace(end=entry.end, body=(head + 1, entry.end) if head < entry.end else None)
            siblings[-1] = Draft(joined, (siblings[-1].span[0], draft.span[1]))
        else:
            siblings.append(draft)

    def _columns(self, span: tuple[int, int]) -> Range:
        line = self.source.rfind(b"\n", 0, span[0]) + 1
        before = len(self.source[line : span[0]].decode("utf-8", "replace"))
        return before + 1, before + max(1, len(self.source[span[0] : span[1]].decode("utf-8", "replace")))

    def _entry(self, node: "Node", pick: Pick, before: _Before, children: Sequence[Draft]) -> Draft:
        """The definition in NODE, and its first byte, that of what leads it included, and the byte after its last."""
        source, grammar, name, body, lead = self.source, self.grammar, pick.name, pick.body, before.lead
        if body is None and lead is None and pick.cut is None and (draft := self._line(node, pick, before)) is not None:
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
        level = len(self.frames) + 1
        title = self._title(pick)
        signature = " ".join(words.decode("utf-8", "replace").split())
        doc = before.doc if grammar.doc is None else self._doc(pick, before)
        inner = finish(children, last, self._columns) if children else ()
        heads, rest = (head_row, last), (last + 1, end) if last < end else None
        until = end if end > last else last
        kind, owner = pick.kind, pick.owner
        fields = (title, kind, level, first, until, own, signature, heads, rest, doc, None, inner, (), owner)
        return _made(Draft, (_made(Entry, fields), (start, span_end)))

    def _line(self, node: "Node", pick: Pick, before: _Before) -> Draft | None:
        """The definition in NODE, which has no body, where it is one line and begins with its signature; else None."""
        source, grammar, start, end = self.source, self.grammar, node.start_byte, node.end_byte
        line = source.find(b"\n", start, end)
        if grammar.unheaded or grammar.open_end or pick.until is not None or 0 <= line < end - 1:
            return None
        at, self.at = self.at, start
        self.row += source.count(b"\n", at, start) if at <= start else -source.count(b"\n", start, at)
        row, doc = self.row, before.doc
        words = source[start : line if line >= 0 else end].rstrip(b" \t\r\f\\").decode("utf-8", "replace")
        heads, level, title = (row, row), len(self.frames) + 1, self._title(pick)
        signature = " ".join(words.split())
        fields = (title, pick.kind, level, row, row, row, signature, heads, None, doc, None, (), (), pick.owner)
        return _made(Draft, (_made(Entry, fields), (start, end)))

    def _title(self, pick: Pick) -> str:
        if pick.title is not None or pick.name is None:
            return shown(pick.title or "")
        words = self.source[pick.name.start_byte : pick.name.end_byte].decode("utf-8", "replace")
        return words if words.isidentifier() else shown(" ".join(words.split()).strip("\"'`"))

    def _doc(self, pick: Pick, before: _Before) -> Range | None:
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
