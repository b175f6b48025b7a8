"""Python: classes, functions, methods, fields of class bodies, module variables, type aliases."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import WRAP, Needs, Pick, Rule, Table, first_child, in_capitals, through

if TYPE_CHECKING:
    from tree_sitter import Node


def _bound(statement: "Node") -> Iterator["Node"]:
    """The names that an expression statement binds: `a = 1`, `a: int`, `a = b = 1`, `a, b = 1, 2`; no attribute."""
    bound = first_child(statement)
    while bound is not None and bound.type == "assignment":
        left = bound.child_by_field_name("left")
        if left is not None and left.type == "identifier":
            yield left
        elif left is not None and left.type in ("pattern_list", "tuple_pattern", "list_pattern"):
            yield from (child for child in left.named_children if child.type == "identifier")
        bound = bound.child_by_field_name("right")


def _variables(statement: "Node") -> list[Pick]:
    return [Pick("constant" if in_capitals(name) else "variable", name) for name in _bound(statement)]


def _fields(statement: "Node") -> list[Pick]:
    return [Pick("field", name) for name in _bound(statement)]


def _alias(statement: "Node") -> list[Pick]:
    """`type X[T] = ...`."""
    named = statement.child_by_field_name("left")
    while named is not None and named.type in ("type", "generic_type"):
        named = first_child(named)
    return [Pick("type", named)] if named is not None else []


def _docstring(body: "Node") -> "Node | None":
    first = first_child(body)
    while first is not None and first.type == "comment":
        first = first.next_named_sibling
    if first is None or first.type != "expression_statement":
        return None
    only = first_child(first)
    return only if only is not None and only.type in ("string", "concatenated_string") else None


_FUNCTION = Rule("function", inside="function")
_COMMON = {
    **through(
        "block if_statement elif_clause else_clause try_statement except_clause finally_clause with_statement"
        " for_statement while_statement match_statement case_clause"
    ),
    "decorated_definition": WRAP,
    "class_definition": Rule("class", inside="class"),
}

TABLE = Table(
    contexts={
        "top": {
            **_COMMON,
            "function_definition": _FUNCTION,
            "expression_statement": Rule(pick=_variables),
            "type_alias_statement": Rule(pick=_alias),
        },
        "class": {
            **_COMMON,
            "function_definition": Rule("method", inside="function"),
            "expression_statement": Rule(pick=_fields),
            "type_alias_statement": Rule(pick=_alias),
        },
        "function": {**_COMMON, "function_definition": _FUNCTION},
    },
    marks=frozenset({"decorator"}),
    doc=_docstring,
    open_end=b"#",
    needs={"function": Needs((b"def ", b"def\t", b"class ", b"class\t"))},
)
