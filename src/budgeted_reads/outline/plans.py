"""Language tables, compiled to the numbers of their grammar: a name in a table that the grammar lacks is an error."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from budgeted_reads.outline.grammar import language
from budgeted_reads.outline.languages.table import THROUGH, Needs, Rule, Table

if TYPE_CHECKING:
    from tree_sitter import Node

ERROR = 65535
"""The id of a node over text that the grammar could not read: looked into, for what can be read there."""


_BODILESS = frozenset({"field", "enum_member", "constant", "variable"})
"""Kinds of which no grammar has a body, where nothing stands inside: it is not looked for."""


class Plan:
    """A rule, its fields as their numbers, and the plans for what is inside it; a leaf is a name and nothing else."""

    __slots__ = ("body", "having", "inside", "is_leaf", "kind", "name", "pick", "wraps")

    def __init__(self, rule: Rule, inside: "Plans | None", field: Callable[[str], int]) -> None:
        self.kind, name, body, _, self.pick, self.wraps, having = rule
        self.name, self.having = field(name), field(having)
        self.body = 0 if inside is None and self.kind in _BODILESS else field(body)
        self.inside = inside
        self.is_leaf = bool(self.kind) and self.pick is None and not (self.body or self.having or inside)


class Plans(dict[int, Plan]):
    """The plans of one context by the ids of node types; `needs` is what stands in each node that they find."""

    needs: Needs | None = None


class Grammar(NamedTuple):
    """The table of a language by the ids of node types. `leading`: what stands before definitions.

    A definition that begins with one of `unheaded` has its signature after it.
    """

    contexts: dict[str, Plans]
    marks: frozenset[int]
    comments: frozenset[int]
    comment_types: frozenset[str]
    modifiers: frozenset[int]
    leading: frozenset[int]
    unheaded: frozenset[int]
    doc: "Callable[[Node], Node | None] | None"
    open_end: bytes
    retry: Callable[[bytes], bytes] | None
    lenient: bool
    merges: Callable[[str, str], bool] | None
    calmed: Callable[[bytes], bytes] | None
    unsure: bool
    bared: "Callable[[Node, bytes], bytes | None] | None"
    mends: Callable[[bytes, Sequence[tuple[int, int]]], tuple[bytes, bool]] | None


@cache
def table(name: str) -> Table:
    """The table of that language."""
    found: Table = import_module(f"budgeted_reads.outline.languages.{name}").TABLE
    return found


@cache
def plans(name: str) -> Grammar:
    """The rules of that language, linked context to context. Raises KeyError for a type that the grammar lacks."""
    facts = table(name)
    grammar = language(name)
    ids: dict[str, list[int]] = {"modifiers": []}

    def field(name: str) -> int:
        return (grammar.field_id_for_name(name) or 0) if name else 0

    for kind_id in range(grammar.node_kind_count):
        if grammar.node_kind_is_named(kind_id):
            ids.setdefault(grammar.node_kind_for_id(kind_id) or "", []).append(kind_id)
    linked = {context: Plans() for context in facts.contexts}
    for context, rules in facts.contexts.items():
        own = linked[context]
        own.needs = facts.needs.get(context)
        own[ERROR] = Plan(THROUGH, own, field)
        for kind, rule in rules.items():
            inside = None if rule.inside is None else linked[rule.inside or context]
            own.update((kind_id, Plan(rule, inside, field)) for kind_id in ids[kind])
    comments = frozenset(kind_id for kind in facts.comments for kind_id in ids[kind])
    marks = frozenset(kind_id for kind in facts.marks for kind_id in ids[kind])
    modifiers = frozenset(ids["modifiers"])
    return Grammar(
        contexts=linked,
        marks=marks,
        comments=comments,
        comment_types=facts.comments or frozenset({"comment"}),
        modifiers=modifiers,
        leading=comments | marks if comments else frozenset(),
        unheaded=marks | modifiers | comments if marks and comments else frozenset(),
        doc=facts.doc,
        open_end=facts.open_end,
        retry=facts.retry,
        lenient=facts.lenient,
        merges=facts.merges,
        calmed=facts.calmed,
        unsure=facts.unsure,
        bared=facts.bared,
        mends=facts.mends,
    )
