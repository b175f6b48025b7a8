"""Dart: types, functions, methods, constructors, accessors, fields, enum values. A body follows its signature."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Pick, Rule, Table, child, first_child, typed, words

if TYPE_CHECKING:
    from tree_sitter import Node

_SIGNATURES = (
    "function_signature",
    "getter_signature",
    "setter_signature",
    "constructor_signature",
    "factory_constructor_signature",
    "constant_constructor_signature",
    "redirecting_factory_constructor_signature",
    "operator_signature",
)


def _signed(node: "Node", kind: str) -> list[Pick]:
    """A signature, and the body that follows it; a constructor is called by all its parts: `Boat.named`."""
    made = node if node.type in _SIGNATURES else child(node, *_SIGNATURES)
    if made is None:
        return []
    body = node.next_named_sibling
    body = body if body is not None and body.type == "function_body" else None
    if "constructor" in made.type:
        names = [one for one in made.named_children if one.type == "identifier"]
        title = ".".join(words(one) for one in names)
        return [Pick(kind, names[0], body, None, title, until=body)] if names else []
    if made.type == "operator_signature":
        sign = next((one for one in made.named_children if "operator" in one.type), made)
        return [Pick(kind, sign, body, None, f"operator {words(sign)}", until=body)]
    return [Pick(kind, made.child_by_field_name("name"), body, None, until=body)]


def _function(node: "Node") -> list[Pick]:
    return _signed(node, "function")


def _method(node: "Node") -> list[Pick]:
    return _signed(node, "method")


def _member(node: "Node") -> list[Pick]:
    """A declaration in a type: the names of fields, or a signature without a body."""
    names = child(node, "static_final_declaration_list", "initialized_identifier_list", "identifier_list")
    if names is None:
        return _signed(node, "method")
    found = [one if one.type == "identifier" else first_child(one) for one in names.named_children]
    return [Pick("field", name) for name in found if name is not None]


_METHOD = Rule(pick=_method)

TABLE = Table(
    contexts={
        "top": {
            "class_definition": Rule("class", inside="type"),
            "enum_declaration": Rule("enum", inside="type"),
            "mixin_declaration": typed("mixin", "identifier", "class_body", "type"),
            "extension_declaration": Rule("extension", inside="type"),
            "type_alias": typed("type", "type_identifier"),
            **dict.fromkeys(_SIGNATURES[:3], Rule(pick=_function)),
            "static_final_declaration_list": THROUGH,
            "static_final_declaration": typed("variable", "identifier"),
            "initialized_identifier_list": THROUGH,
            "initialized_identifier": typed("variable", "identifier"),
        },
        "type": {"method_signature": _METHOD, "declaration": Rule(pick=_member), "enum_constant": Rule("enum_member")},
    },
    marks=frozenset({"annotation"}),
    comments=frozenset({"comment", "documentation_comment"}),
)
