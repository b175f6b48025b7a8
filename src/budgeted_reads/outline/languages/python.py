"""Python: classes, functions, methods, fields of class bodies, module variables, type aliases."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, WRAP, Rule, Table, first_child

if TYPE_CHECKING:
    from tree_sitter import Node


def _targets(statement: "Node") -> Iterator["Node"]:
    """The names that an expression statement binds: `a = 1`, `a: int`, `a = b = 1`, `a, b = 1, 2`; no attribute."""
    bound = first_child(statement)
    while bound is not None and bound.type == "assignment":
        left = bound.child_by_field_name("left")
        if left is not None and left.type == "identifier":
            yield left
        elif left is not None and left.type in ("pattern_list", "tuple_pattern", "list_pattern"):
            yield from (child for child in left.named_children if child.type == "identifier")
        bound = bound.child_by_field_name("right")


def _alias(statement: "Node") -> Iterator["Node"]:
    """The name of `type X[T] = ...`."""
    named = statement.child_by_field_name("left")
    while named is not None and named.type in ("type", "generic_type"):
        named = first_child(named)
    if named is not None:
        yield named


def _variable(name: str) -> str:
    return "constant" if name.isupper() else "variable"


def _docstring(_node: "Node", body: "Node | None") -> "tuple[Node, Node] | None":
    first = first_child(body) if body is not None else None
    while first is not None and first.type == "comment":
        first = first.next_named_sibling
    if first is None or first.type != "expression_statement":
        return None
    only = first_child(first)
    return (only, only) if only is not None and only.type in ("string", "concatenated_string") else None


_CLASS = Rule("class", inside="class")
_BRANCHES = dict.fromkeys(
    (
        "if_statement",
        "elif_clause",
        "else_clause",
        "try_statement",
        "except_clause",
        "finally_clause",
        "with_statement",
        "for_statement",
        "while_statement",
        "match_statement",
        "case_clause",
        "block",
    ),
    THROUGH,
)
_COMMON: Mapping[str, Rule] = {**_BRANCHES, "decorated_definition": WRAP, "class_definition": _CLASS}
_HINTS = (b"def", b"class")
_FUNCTION = Rule("function", inside="function", hints=_HINTS)

TABLE = Table(
    contexts={
        "top": {
            **_COMMON,
            "module": THROUGH,
            "function_definition": _FUNCTION,
            "expression_statement": Rule(_variable, _targets),
            "type_alias_statement": Rule("type", _alias),
        },
        "class": {
            **_COMMON,
            "function_definition": Rule("method", inside="function", hints=_HINTS),
            "expression_statement": Rule("field", _targets),
            "type_alias_statement": Rule("type", _alias),
        },
        "function": {**_COMMON, "function_definition": _FUNCTION},
    },
    doc=_docstring,
    open_end=b"#",
)
