"""Zig: functions, types by the constant, function or field that has them, their fields, constants, tests."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.heads import head_end
from budgeted_reads.outline.languages.table import Needs, Pick, Rule, Table, child, through, words

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = {
    "struct_declaration": ("struct", "type"),
    "enum_declaration": ("enum", "members"),
    "union_declaration": ("union", "type"),
    "opaque_declaration": ("struct", "type"),
    "error_set_declaration": ("enum", "errors"),
}
"""Kind and context of what makes a type."""

_CHOICES = ("if_expression", "switch_expression")
_AROUND = (
    *("nullable_type", "pointer_type", "slice_type", "array_type"),
    *("call_expression", "arguments", "field_expression"),
)
"""What may stand around a type that is made in place: `List(struct {...})`."""

_NEEDS = re.compile(rb"\b(?:struct|enum|union|opaque|error)\b")


def _inner(node: "Node | None") -> "Node | None":
    """The type that is made in NODE, at any depth of what may stand around it."""
    while node is not None and node.type in _AROUND:
        around = (one for one in reversed(node.named_children) if one.type in _AROUND)
        node = child(node, *_TYPES) or next(around, None)
    return node if node is not None and node.type in _TYPES else None


def _made(node: "Node", name: "Node", kind: str = "") -> Pick:
    """NAME for the type that NODE makes."""
    own, inside = _TYPES[node.type]
    brace = next((one for one in node.children if one.type == "{"), None)
    return Pick(kind or own, name, node, inside, cut=brace)


def _variable(node: "Node") -> list[Pick]:
    """A type by the name of its constant, also one of several to choose from; imports are none."""
    name, made = child(node, "identifier"), child(node, *_TYPES)
    if name is None:
        return []
    if made is not None:
        return [_made(made, name)]
    value = child(node, "builtin_function", *_CHOICES)
    if value is not None and words(value).startswith("@import"):
        return []
    kind = "constant" if any(one.type == "const" for one in node.children) else "variable"
    if (inner := _inner(child(node, *_AROUND))) is not None:
        return [_made(inner, name, kind)]
    if value is not None and value.type in _CHOICES and _NEEDS.search(value.text or b""):
        return [Pick(kind, name, value, "code")]
    return [Pick(kind, name)]


def _local(node: "Node") -> list[Pick]:
    """In a function, only types."""
    return [pick for pick in _variable(node) if pick.body is not None]


def _field(node: "Node", kind: str) -> list[Pick]:
    """A field, around the fields of its type where that is made in place."""
    name, made = node.child_by_field_name("name"), _inner(node.child_by_field_name("type"))
    if name is None or name.end_byte == name.start_byte or (kind == "field" and name.type != "identifier"):
        return []  # What the grammar misses in an empty struct, or a type of a tuple.
    return [_made(made, name, kind) if made is not None else Pick(kind, name)]


def _typed(node: "Node") -> list[Pick]:
    return _field(node, "field")


def _member(node: "Node") -> list[Pick]:
    return _field(node, "enum_member")


def _error(node: "Node") -> list[Pick]:
    return [Pick("enum_member", node)]


def _looked(body: "Node | None") -> str | None:
    return "code" if body is not None and _NEEDS.search(body.text or b"") else None


def _function(node: "Node", kind: str) -> list[Pick]:
    """A function, around the members of the type that it makes."""
    body = node.child_by_field_name("body")
    return [Pick(kind, node.child_by_field_name("name"), body, _looked(body), cut=head_end(node, body))]


def _global(node: "Node") -> list[Pick]:
    return _function(node, "function")


def _method(node: "Node") -> list[Pick]:
    return _function(node, "method")


def _test(node: "Node") -> list[Pick]:
    name, body = child(node, "string", "identifier"), child(node, "block")
    return [Pick("test", name, body, _looked(body), None if name is not None else "test")]


_COMMON = {"variable_declaration": Rule(pick=_variable), "test_declaration": Rule(pick=_test)}
_TYPE = {**_COMMON, "function_declaration": Rule(pick=_method)}

TABLE = Table(
    contexts={
        "top": {**_COMMON, "function_declaration": Rule(pick=_global), "container_field": Rule(pick=_typed)},
        "type": {**_TYPE, "container_field": Rule(pick=_typed)},
        "members": {**_TYPE, "container_field": Rule(pick=_member)},
        "errors": {"identifier": Rule(pick=_error)},
        "code": {
            "variable_declaration": Rule(pick=_local),
            **{name: Rule(inside=inside) for name, (_, inside) in _TYPES.items() if inside != "errors"},
            **through(
                "block block_expression expression_statement return_expression if_statement if_expression else_clause"
                " for_statement while_statement switch_expression switch_case labeled_statement labeled_type_expression"
                " comptime_statement comptime_expression break_expression call_expression arguments field_expression"
                " try_expression catch_expression assignment_expression"
            ),
        },
    },
    comments=frozenset({"comment"}),
    needs={"code": Needs((b"struct", b"enum", b"union", b"opaque", b"error"))},
)
