"""Elixir: modules, protocols, implementations, functions and macros (clauses of one name together), types, tests."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.heads import head_end
from budgeted_reads.outline.languages.table import Pick, Rule, Table, child, first_child, words

if TYPE_CHECKING:
    from tree_sitter import Node

_MODULES = {"defmodule": "module", "defprotocol": "protocol", "defimpl": "impl"}
_FUNCTIONS = {
    **dict.fromkeys(("def", "defp", "defdelegate", "defguard", "defguardp"), "function"),
    **dict.fromkeys(("defmacro", "defmacrop"), "macro"),
}
_DOCS = frozenset({"doc", "typedoc"})
_TESTS = frozenset({"test", "describe", "property"})
_ATTRIBUTES = {"type": "type", "typep": "type", "opaque": "type", "callback": "function", "macrocallback": "macro"}


def _name(node: "Node | None") -> "Node | None":
    """The name at the left of `name(arguments) when guard :: type`."""
    while node is not None and node.type in ("binary_operator", "call"):
        node = node.child_by_field_name("left") or node.child_by_field_name("target")
    return node


def _attribute_word(node: "Node | None") -> str:
    """`doc` of `@doc ...`."""
    operand = node.child_by_field_name("operand") if node is not None and node.type == "unary_operator" else None
    return words(operand.child_by_field_name("target")) if operand is not None else ""


def _documented(node: "Node") -> "Node | None":
    """The `@doc` or `@typedoc` above NODE; specs, other attributes and comments may stand between."""
    before = node.prev_named_sibling
    while before is not None and before.type in ("unary_operator", "comment"):
        word = _attribute_word(before)
        if word in _DOCS:
            return before if not words(before).endswith(" false") else None
        before = before.prev_named_sibling if word not in _ATTRIBUTES else None
    return None


def _doc(body: "Node") -> "Node | None":
    """What documents the definition of BODY: above it, of a module inside of it."""
    if body.type == "do_block" and body.parent is not None:
        if words(body.parent.child_by_field_name("target")) in _MODULES:
            return next((one for one in body.named_children if _attribute_word(one) == "moduledoc"), None)
        return _documented(body.parent)
    around: Node | None = body
    while around is not None and around.parent is not None and around.parent.type not in ("do_block", "source"):
        around = around.parent
    return _documented(around) if around is not None else None


def _whole(node: "Node", pick: Pick) -> Pick:
    """PICK with its whole head; where it has no body, its name is taken for that if it is documented above."""
    if pick.body is not None:
        return pick
    documented = node.next_sibling is not None and _documented(node) is not None
    cut = node.next_sibling if documented else head_end(node, None)
    return pick._replace(body=pick.name if documented else None, inside=None, cut=cut)


def _call(node: "Node") -> list[Pick]:
    word, arguments, body = words(node.child_by_field_name("target")), child(node, "arguments"), child(node, "do_block")
    first = first_child(arguments) if arguments is not None else None
    if first is None:
        return []
    if word in _MODULES:
        target = words(first)
        keywords = child(arguments, "keywords") if word == "defimpl" and arguments is not None else None
        held = words(keywords).partition("for:")[2].strip()
        return [Pick(_MODULES[word], first, body, "top", f"{target} for {held}" if held else None)]
    if word in _FUNCTIONS and (name := _name(first)) is not None:
        return [_whole(node, Pick(_FUNCTIONS[word], name, body))]
    if word in _TESTS and body is not None and first.type == "string":
        return [Pick("test", first, body, "top")]
    if word in ("defstruct", "defexception"):
        return [Pick("struct", node.child_by_field_name("target"))]
    return [Pick("", None, body, "top")] if body is not None else []


def _attribute(node: "Node") -> list[Pick]:
    """`@type t :: ...`, `@callback name(...) :: ...`."""
    operand = node.child_by_field_name("operand")
    word = words(operand.child_by_field_name("target")) if operand is not None else ""
    arguments = child(operand, "arguments") if operand is not None else None
    name = _name(first_child(arguments)) if arguments is not None else None
    return [_whole(node, Pick(_ATTRIBUTES[word], name))] if word in _ATTRIBUTES and name is not None else []


_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_GIVEN = re.compile(r"\w[?!]?\((?P<given>.*)")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'")


def _clauses(before: str, after: str) -> bool:
    """Whether two signatures take equally many arguments: `get/1` and `get/2` are two functions."""
    return _arity(before) == _arity(after)


def _arity(signature: str) -> int:
    found = _GIVEN.search(_QUOTED.sub("_", signature))
    given = found["given"].lstrip() if found is not None else ")"
    depth, count = 1, 0 if given.startswith(")") else 1
    for sign in given:
        depth += _BRACKETS.get(sign, 0)
        if depth == 0:
            break
        count += sign == "," and depth == 1
    return count


TABLE = Table(
    contexts={"top": {"call": Rule(pick=_call), "unary_operator": Rule(pick=_attribute)}},
    comments=frozenset({"comment"}),
    doc=_doc,
    merges=_clauses,
)
