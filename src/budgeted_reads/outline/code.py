"""Code to definitions: one walk over a syntax tree, led by the table of its language.

The walk keeps its own stack, so depth costs no recursion, and goes only where the table says that definitions can be.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from budgeted_reads import limits
from budgeted_reads.outline.definition import NOTHING, Before, Maker
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.grammar import parse, parse_again
from budgeted_reads.outline.languages.table import Pick, Rule
from budgeted_reads.outline.plans import Grammar, Plan, Plans, plans
from budgeted_reads.outline.tree import Draft, finish
from budgeted_reads.text import Text

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

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


class _Frame:
    """A definition whose inside is being read."""

    __slots__ = ("before", "children", "node", "pick")

    def __init__(self, node: "Node", pick: Pick, before: Before) -> None:
        self.node = node
        self.pick = pick
        self.before = before
        self.children: list[Draft] = []


_Step = tuple["Node", Plan, Before] | None


class _Walk(Maker):
    """One pass over one tree."""

    def __init__(self, source: bytes, grammar: Grammar) -> None:
        super().__init__(source, grammar)
        self.frames: list[_Frame] = []
        self.top: list[Draft] = []
        self.steps: list[_Step] = []
        self.region: tuple[int, int, re.Pattern[bytes] | None, list[int]] = (0, 0, None, [])

    def run(self, root: "Node") -> tuple[Entry, ...]:
        """The entries of the whole tree."""
        self._look(root, self.grammar.contexts["top"], NOTHING)
        while self.steps:
            step = self.steps.pop()
            if step is None:
                frame = self.frames.pop()
                self._add(frame.node, frame.pick, frame.before, frame.children)
            else:
                self._visit(*step)
        return finish(self.top, 0, self.columns)

    def _visit(self, node: "Node", plan: Plan, before: Before) -> None:
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

    def _wrapped(self, node: "Node", before: Before) -> Before:
        """What stands before the first definition in NODE, which begins with it."""
        return before if before.lead is not None else Before(node, before.doc)

    def _picked(self, node: "Node", plan: Plan, picks: list[Pick], before: Before) -> None:
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

    def _define(self, node: "Node", pick: Pick, before: Before, inside: Plans | None) -> None:
        if len(self.frames) >= limits.MAX_DEPTH:
            return
        if inside is None or pick.body is None:
            self._add(node, pick, before, ())
            return
        self.frames.append(_Frame(node, pick, before))
        self.steps.append(None)
        self._look(pick.body, inside, NOTHING)

    def _look(self, node: "Node", inside: Plans | None, before: Before) -> None:
        """Puts the definitions that are children of NODE on the stack, what stands before NODE with the first."""
        if inside is None:
            return
        words = self._words(node, inside) if inside.needs is not None else None
        if words is not None and not words:
            return
        if self.grammar.leading:
            found = self._led(node, inside)
        else:
            found = [(child, plan, NOTHING) for child in node.named_children if (plan := inside.get(child.kind_id))]
        if found and before is not NOTHING:
            child, plan, own = found[0]
            found[0] = (child, plan, Before(before.lead or own.lead, before.doc or own.doc))
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

    def _led(self, node: "Node", inside: Plans) -> list[tuple["Node", Plan, Before]]:
        """Children with the marks and comments that stand directly before them."""
        found: list[tuple[Node, Plan, Before]] = []
        lead: Node | None = None
        comments: list[Node] = []
        last: Node | None = None
        all_comments, all_marks, plan_of = self.grammar.comments, self.grammar.marks, inside.get
        for child in node.named_children:
            kind = child.kind_id
            plan = plan_of(kind)
            if plan is not None:
                before = NOTHING
                if comments or lead is not None:
                    doc = self.comments_before(lead or child, comments, last) if comments else None
                    before = Before(lead, doc) if lead is not None or doc is not None else NOTHING
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

    def _hinted(self, node: "Node", rule: Rule) -> bool:
        start, end = node.start_byte + 1, node.end_byte
        for hint in rule.hints:
            if self.source.find(hint, start, end) >= 0:
                break
        else:
            if rule.hints:
                return False
        return rule.shape is None or rule.shape.search(self.source, start, end) is not None

    def _several(self, node: "Node", picks: list[Pick], before: Before) -> None:
        """Names that share one node: each has its own line, the last one also the lines that remain."""
        if len(self.frames) >= limits.MAX_DEPTH:
            return
        for at, pick in enumerate(picks):
            entry, _ = self.entry(node, pick, before, (), len(self.frames) + 1)
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

    def _add(self, node: "Node", pick: Pick, before: Before, children: Sequence[Draft]) -> None:
        siblings = self.frames[-1].children if self.frames else self.top
        draft = self.entry(node, pick, before, children, len(self.frames) + 1)
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
