"""Code to definitions: one walk over a syntax tree, led by the table of its language.

The walk keeps its own stack, so depth costs no recursion, and goes only where the table says that definitions can be.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Union

from budgeted_reads import limits
from budgeted_reads.outline.entry import Entry, Outline, Range, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.grammar import language, parse
from budgeted_reads.outline.languages.table import THROUGH, Rule, Table
from budgeted_reads.outline.tree import Draft, finish
from budgeted_reads.text import Text

if TYPE_CHECKING:
    from tree_sitter import Node

_ERROR = 65535
"""The id of a node over text that the grammar could not read: looked into, for what can be read there."""

_OPENERS = b" \t\r\n\f:{"
"""What stands between the words of a signature and its body."""


class _Plan(NamedTuple):
    """A rule, and the plans for what is inside it."""

    rule: Rule
    inside: "dict[int, _Plan] | None"


_Plans = dict[int, _Plan]
_Step = Union["tuple[Node, _Plan, int | None]", None]


def outline(text: Text, form: Format) -> Outline:
    """The definitions of TEXT in source order, nested; with `syntax_errors`, those that could be read."""
    source = text.raw if text.encoding == "utf-8" else text.content.encode("utf-8", "surrogatepass")
    root = parse(form.name, source).root_node
    entries = _Walk(source, table(form.name)).run(root, plans(form.name))
    warnings: tuple[Warned, ...] = ()
    if root.has_error:
        warnings = (Warned("syntax_errors", "parts of the file cannot be parsed: entries may be missing there"),)
    return Outline(entries, form.name, form.language, "code", warnings=warnings)


@cache
def table(name: str) -> Table:
    """The table of that language."""
    found: Table = import_module(f"budgeted_reads.outline.languages.{name}").TABLE
    return found


@cache
def plans(name: str) -> _Plans:
    """The rules of the outermost context of that language by the ids of its grammar, linked to those inside."""
    contexts = table(name).contexts
    grammar = language(name)
    ids: dict[str, list[int]] = {}
    for kind_id in range(grammar.node_kind_count):
        if grammar.node_kind_is_named(kind_id):
            ids.setdefault(grammar.node_kind_for_id(kind_id) or "", []).append(kind_id)
    linked: dict[str, _Plans] = {context: {} for context in contexts}
    for context, rules in contexts.items():
        own = linked[context]
        own[_ERROR] = _Plan(THROUGH, own)
        for kind, rule in rules.items():
            inside = None if rule.inside is None else linked[rule.inside or context]
            own.update((kind_id, _Plan(rule, inside)) for kind_id in ids[kind])
    return linked["top"]


class _Frame:
    """A definition whose inside is being read."""

    __slots__ = ("body", "children", "name", "node", "rule", "start")

    def __init__(self, node: "Node", name: "Node", rule: Rule, start: int) -> None:
        self.node = node
        self.name = name
        self.rule = rule
        self.start = start
        self.body: Node | None = node.child_by_field_name(rule.body)
        self.children: list[Draft] = []


class _Walk:
    """One pass over one tree."""

    def __init__(self, source: bytes, facts: Table) -> None:
        self.source = source
        self.facts = facts
        self.frames: list[_Frame] = []
        self.top: list[Draft] = []

    def run(self, root: "Node", plans: _Plans) -> tuple[Entry, ...]:
        """The entries of the whole tree."""
        steps: list[_Step] = [(root, _Plan(THROUGH, plans), None)]
        while steps:
            step = steps.pop()
            if step is None:
                self._close(self.frames.pop())
                continue
            node, (rule, inside), start = step
            if not rule.kind:
                self._look(node, inside, node.start_byte if rule.wraps and start is None else start, steps)
                continue
            names = self._names(node, rule)
            if len(names) == 1 and inside is not None and len(self.frames) < limits.MAX_DEPTH:
                frame = _Frame(node, names[0], rule, node.start_byte if start is None else start)
                self.frames.append(frame)
                steps.append(None)
                if not rule.hints or self._hinted(node, rule.hints):
                    self._look(frame.body, inside, None, steps)
            else:
                self._leaves(node, names, rule, start)
        return finish(self.top, 0, self._columns)

    def _look(self, node: "Node | None", inside: _Plans | None, start: int | None, steps: list[_Step]) -> None:
        if node is None or inside is None:
            return
        found = [(child, plan) for child in node.named_children if (plan := inside.get(child.kind_id))]
        for at in range(len(found) - 1, -1, -1):
            child, plan = found[at]
            steps.append((child, plan, None if at else start))

    def _hinted(self, node: "Node", hints: tuple[bytes, ...]) -> bool:
        start, end = node.start_byte + 1, node.end_byte
        return any(self.source.find(hint, start, end) >= 0 for hint in hints)

    def _names(self, node: "Node", rule: Rule) -> "list[Node]":
        if callable(rule.name):
            return [name for name in rule.name(node) if name.end_byte > name.start_byte]
        name = node.child_by_field_name(rule.name)
        return [name] if name is not None and name.end_byte > name.start_byte else []

    def _leaves(self, node: "Node", names: "list[Node]", rule: Rule, start: int | None) -> None:
        """Entries without children; of several names on one node the last one has the lines that remain."""
        if len(self.frames) >= limits.MAX_DEPTH:
            return
        first = node.start_byte if start is None else start
        if len(names) == 1:
            self._add(self._entry(_Frame(node, names[0], rule, first)), (first, node.end_byte))
            return
        for at, name in enumerate(names):
            entry = self._entry(_Frame(node, name, rule, first))
            end = entry.end if at == len(names) - 1 else entry.own
            entry = entry._replace(
                start=entry.own,
                end=end,
                signature=entry.signature if entry.own == entry.start else entry.title,
                signature_lines=(entry.own, entry.own),
                body=(entry.own + 1, end) if entry.own < end else None,
            )
            self._add(entry, (name.start_byte, name.end_byte))

    def _close(self, frame: _Frame) -> None:
        self._add(self._entry(frame), (frame.start, frame.node.end_byte))

    def _add(self, entry: Entry, span: tuple[int, int]) -> None:
        siblings = self.frames[-1].children if self.frames else self.top
        siblings.append(Draft(entry, span))

    def _columns(self, span: tuple[int, int]) -> Range:
        line = self.source.rfind(b"\n", 0, span[0]) + 1
        before = len(self.source[line : span[0]].decode("utf-8", "replace"))
        return before + 1, before + len(self.source[span[0] : span[1]].decode("utf-8", "replace"))

    def _entry(self, frame: _Frame) -> Entry:
        node, name, body = frame.node, frame.name, frame.body
        title = self.source[name.start_byte : name.end_byte].decode("utf-8", "replace")
        first = node.start_point.row + 1
        end_row, end_column = self._end(node).end_point
        end = max(first, end_row + (1 if end_column else 0))
        words = self._signature(node, body)
        own = name.start_point.row + 1
        last = max(own, first + words.count(b"\n"))
        doc = self.facts.doc(node, body)
        return Entry(
            title,
            frame.rule.kind if isinstance(frame.rule.kind, str) else frame.rule.kind(title),
            len(self.frames) + 1,
            first if frame.start == node.start_byte else first - self.source.count(b"\n", frame.start, node.start_byte),
            end,
            own,
            " ".join(words.decode("utf-8", "replace").split()),
            (first, last),
            (last + 1, end) if last < end else None,
            None if doc is None else (doc[0].start_point.row + 1, doc[1].end_point.row + 1),
            None,
            finish(frame.children, last, self._columns) if frame.children else (),
        )

    def _end(self, node: "Node") -> "Node":
        """The node at which NODE ends: itself, or its last piece that is no comment where bodies have open ends."""
        mark = self.facts.open_end
        if mark:
            line = self.source.rfind(b"\n", node.start_byte, node.end_byte) + 1
            if line and self.source[line : node.end_byte].lstrip().startswith(mark):
                while pieces := [child for child in node.children if child.type != "comment"]:
                    node = pieces[-1]
        return node

    def _signature(self, node: "Node", body: "Node | None") -> bytes:
        """The source from the definition (without decorators) to its body; where it has none, its first line."""
        start = node.start_byte
        if body is None:
            line = self.source.find(b"\n", start, node.end_byte)
            return self.source[start : line if line >= 0 else node.end_byte].rstrip()
        words = self.source[start : body.start_byte]
        if b"#" in words or b"/" in words:
            end = body
            while (before := end.prev_sibling) is not None and before.type == "comment":
                end = before
            words = self.source[start : end.start_byte]
        return words.rstrip(_OPENERS)
