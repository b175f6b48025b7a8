"""Zig: functions, types that a constant is bound to, their fields, constants, variables, tests."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import Pick, Rule, Table, child, words

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = {
    "struct_declaration": "struct",
    "enum_declaration": "enum",
    "union_declaration": "union",
    "opaque_declaration": "struct",
    "error_set_declaration": "enum",
}


def _variable(node: "Node") -> list[Pick]:
    """A type by the name of its constant; imports are none."""
    name, made = child(node, "identifier"), child(node, *_TYPES)
    if name is None:
        return []
    if made is not None:
        brace = next((one for one in made.children if one.type == "{"), None)
        inside = "members" if made.type == "enum_declaration" else "type"
        return [Pick(_TYPES[made.type], name, made, inside, cut=brace)]
    value = child(node, "builtin_function")
    if value is not None and words(value).startswith("@import"):
        return []
    return [Pick("constant" if any(one.type == "const" for one in node.children) else "variable", name)]


def _test(node: "Node") -> list[Pick]:
    name = child(node, "string", "identifier")
    return [Pick("test", name, child(node, "block"), None, None if name is not None else "test")]


_COMMON = {"variable_declaration": Rule(pick=_variable), "test_declaration": Rule(pick=_test)}
_TYPE = {**_COMMON, "function_declaration": Rule("method")}

TABLE = Table(
    contexts={
        "top": {**_COMMON, "function_declaration": Rule("function"), "container_field": Rule("field")},
        "type": {**_TYPE, "container_field": Rule("field")},
        "members": {**_TYPE, "container_field": Rule("enum_member")},
    },
    comments=frozenset({"comment"}),
)
