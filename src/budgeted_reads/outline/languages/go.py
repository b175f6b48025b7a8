"""Go: functions, methods with the type that they belong to, types with fields, constants, variables."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Pick, Rule, Table, first_child, words

if TYPE_CHECKING:
    from tree_sitter import Node


def _declaration(node: "Node") -> list[Pick]:
    """`type T ...` starts at its keyword; each of several in parentheses starts at its name."""
    grouped = any(child.type in ("(", "var_spec_list") for child in node.children)
    return [Pick("", None, node, "top", wraps=not grouped)]


def _type(node: "Node") -> list[Pick]:
    name, made = node.child_by_field_name("name"), node.child_by_field_name("type")
    if made is None:
        return [Pick("type", name)]
    if made.type == "struct_type":
        return [Pick("struct", name, first_child(made), "struct")]
    if made.type == "interface_type":
        brace = next((child for child in made.children if child.type == "{"), None)
        return [Pick("interface", name, made, "interface", cut=brace)]
    return [Pick("type", name)]


def _values(node: "Node", kind: str) -> list[Pick]:
    names = node.children_by_field_name("name")
    value = node.child_by_field_name("value")
    only = first_child(value) if value is not None and value.named_child_count == 1 else None
    if len(names) == 1 and only is not None and only.type == "func_literal":
        return [Pick("function", names[0], only.child_by_field_name("body"))]
    return [Pick(kind, name) for name in names]


def _constants(node: "Node") -> list[Pick]:
    return _values(node, "constant")


def _variables(node: "Node") -> list[Pick]:
    return _values(node, "variable")


def _method(node: "Node") -> list[Pick]:
    receiver = node.child_by_field_name("receiver")
    parameter = first_child(receiver) if receiver is not None else None
    owner = words(parameter.child_by_field_name("type")) if parameter is not None else ""
    owner = owner.strip("*() ").split("[")[0]
    return [Pick("method", node.child_by_field_name("name"), node.child_by_field_name("body"), owner=owner)]


def _fields(node: "Node") -> list[Pick]:
    """The fields of one line; an embedded type is a field of its name."""
    names = node.children_by_field_name("name")
    if names:
        return [Pick("field", name) for name in names]
    made = node.child_by_field_name("type")
    return [Pick("field", made, title=words(made).split("[")[0].split(".")[-1])]


_DECLARATION = Rule(pick=_declaration)

TABLE = Table(
    contexts={
        "top": {
            "function_declaration": Rule("function"),
            "method_declaration": Rule(pick=_method),
            "type_declaration": _DECLARATION,
            "const_declaration": _DECLARATION,
            "var_declaration": _DECLARATION,
            "var_spec_list": THROUGH,
            "type_spec": Rule(pick=_type),
            "type_alias": Rule("type"),
            "const_spec": Rule(pick=_constants),
            "var_spec": Rule(pick=_variables),
        },
        "struct": {"field_declaration": Rule(pick=_fields)},
        "interface": {"method_elem": Rule("method")},
    },
    comments=frozenset({"comment"}),
)
