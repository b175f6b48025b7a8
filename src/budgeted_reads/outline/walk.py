"""One walk over a syntax tree, led by the table of its language.

It keeps its own stack, so depth costs no recursion, and goes only where the table says that definitions can be.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from budgeted_reads import limits
from budgeted_reads.outline.definition import NOTHING, Before, Maker
from budgeted_reads.outline.entry import Entry
from budgeted_reads.outline.languages.table import Needs, Pick, Picked
from budgeted_reads.outline.plans import Grammar, Plan, Plans
from budgeted_reads.outline.tree import Made

if TYPE_CHECKING:
    from tree_sitter import Node

_Frame = tuple["Node", Picked, Before, list[Made]]
"""A definition whose inside is being read, and the definitions before it."""

_Step = tuple["Node", Plan, Before]

_NO_WORDS = [0]
_made = tuple.__new__
"""Makes a value of all its fields: the usual way takes three times as long."""


class Walk(Maker):
    """One pass over one tree."""

    def __init__(self, source: bytes, grammar: Grammar, calmed: bytes) -> None:
        super().__init__(source, grammar, calmed)
        self.contexts, self.leading = grammar.contexts, grammar.leading
        self.level = 1
        self.frames: list[_Frame] = []
        self.siblings: list[Made] = []
        self.steps: list[_Step | None] = []
        self.region: tuple[int, int, Needs | None, list[int]] = (0, 0, None, [])

    def run(self, root: "Node") -> tuple[Entry, ...]:
        """The entries of the whole tree."""
        steps = self.steps
        self._look(root, self.grammar.contexts["top"], NOTHING)
        while steps:
            step = steps.pop()
            if step is None:
                self._close()
                continue
            node, plan, before = step
            if plan.pick is not None:
                self._picked(node, plan, before)
            elif plan.kind:
                field = node.child_by_field_id
                name = field(plan.name)
                if name is None or (plan.having and field(plan.having) is None):
                    continue
                if plan.is_leaf:
                    if name.end_byte > name.start_byte and self.level <= limits.MAX_DEPTH:
                        self.siblings.append(self.leaf(node, name, plan.kind, before, self.level))
                elif name.end_byte > name.start_byte:
                    body = field(plan.body) if plan.body else None
                    pick = (plan.kind, name, body, None, None, "", None, False, None)
                    self._define(node, pick, before, plan.inside)
            elif plan.inside is not None:
                self._through(node, plan.inside, self._wrapped(node, before) if plan.wraps else before)
        return self.finished(self.siblings, 0)

    def _through(self, node: "Node", inside: Plans, before: Before) -> None:
        """As `_look`; quicker for a NODE with one child, which has what its children need."""
        if node.named_child_count != 1:
            self._look(node, inside, before)
            return
        child = node.named_child(0)
        if child is not None and (plan := inside.get(child.kind_id)) is not None:
            self.steps.append((child, plan, before))

    def _wrapped(self, node: "Node", before: Before) -> Before:
        """What stands before the first definition in NODE, which begins with it."""
        return before if before.lead is not None else _made(Before, (node, before.doc))

    def _picked(self, node: "Node", plan: Plan, before: Before) -> None:
        picks = plan.pick(node) if plan.pick is not None else ()
        if len(picks) > 1:
            self._several(node, picks, before)
            return
        for pick in picks:
            name = pick.inside
            inside = self.contexts[name] if name else None if name is None else plan.inside
            if pick.kind:
                self._define(node, pick, before, inside)
            elif pick.body is not None and inside is not None:
                self._look(pick.body, inside, self._wrapped(node, before) if pick.wraps else before)

    def _define(self, node: "Node", pick: Picked, before: Before, inside: Plans | None) -> None:
        """Adds the definition in NODE; where its body may hold others, after those."""
        if self.level > limits.MAX_DEPTH:
            return
        if inside is not None and pick[2] is not None and (found := self._found(pick[2], inside, NOTHING)):
            self.frames.append((node, pick, before, self.siblings))
            self.siblings = []
            self.level += 1
            self.steps.append(None)
            self.steps.extend(found)
        else:
            self.siblings.append(self.entry(node, pick, before, (), self.level))

    def _close(self) -> None:
        """Adds the definition whose inside was read."""
        children = self.siblings
        node, pick, before, self.siblings = self.frames.pop()
        self.level -= 1
        self.siblings.append(self.entry(node, pick, before, children, self.level))

    def _look(self, node: "Node", inside: Plans, before: Before) -> None:
        """Puts the definitions that are children of NODE on the stack, what stands before NODE with the first."""
        self.steps.extend(self._found(node, inside, before))

    def _found(self, node: "Node", inside: Plans, before: Before) -> list["_Step"]:
        """The children of NODE in which definitions can be, the last one first, with what stands before them."""
        found: list[_Step] = []
        words = self._words(node, inside.needs) if inside.needs is not None else _NO_WORDS
        if not words:
            return found
        leading, plan_of = self.leading, inside.get
        children = node.named_children
        for at, child in enumerate(children):
            plan = plan_of(child.kind_id)
            if plan is None:
                continue
            outer, before = before, NOTHING
            if words is _NO_WORDS or self._holds(words, child):
                own = self._before(children, at) if at and children[at - 1].kind_id in leading else NOTHING
                if outer is not NOTHING:
                    own = _made(Before, (outer.lead or own.lead, outer.doc or own.doc))
                found.append((child, plan, own))
        found.reverse()
        return found

    def _words(self, node: "Node", needs: Needs) -> list[int]:
        """Where what definitions need begins, in NODE and what is around it; nothing where NODE has none."""
        start, end = node.start_byte, node.end_byte
        first, last, known, found = self.region
        if start < first or end > last or known is not needs:
            found = needs.found(self.source, start, end)
            self.region = (start, end, needs, found)
        elif not self._holds(found, node):
            return []
        return found

    @staticmethod
    def _holds(words: list[int], node: "Node") -> bool:
        """Whether one of WORDS, offsets in order, is in NODE."""
        at = bisect_left(words, node.start_byte)
        return at < len(words) and words[at] < node.end_byte

    def _before(self, children: list["Node"], at: int) -> Before:
        """The marks and comments that stand directly before the child AT."""
        leading, marks = self.leading, self.grammar.marks
        first = at - 1
        while first and children[first - 1].kind_id in leading:
            first -= 1
        lead, comments = None, children[first:at]
        if marks and not marks.isdisjoint([one.kind_id for one in comments]):
            lead = next(one for one in comments if one.kind_id in marks)
            comments = [one for one in comments if one.kind_id not in marks]
        doc = None
        if comments:
            doc = self.comments_before(lead or children[at], comments, children[first - 1] if first else None)
        return _made(Before, (lead, doc)) if lead is not None or doc is not None else NOTHING

    def _several(self, node: "Node", picks: Sequence[Pick], before: Before) -> None:
        """Names that share one node: each has its own line, the last one also the lines that remain."""
        if self.level > limits.MAX_DEPTH:
            return
        for at, pick in enumerate(picks):
            entry, _ = self.entry(node, pick, before, (), self.level)
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
            self.siblings.append((entry, (name.start_byte, name.end_byte)))
