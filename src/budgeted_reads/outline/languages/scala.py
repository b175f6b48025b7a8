"""Scala: classes, objects, traits, enums, functions, values, types, givens and extensions."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Needs, Pick, Rule, Table, through

if TYPE_CHECKING:
    from tree_sitter import Node


def _names(node: "Node") -> list["Node"]:
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("name")
    if pattern is None:
        return []
    return (
        [pattern]
        if pattern.type == "identifier"
        else [one for one in pattern.named_children if one.type == "identifier"]
    )


def _values(node: "Node", kind: str) -> list[Pick]:
    names = _names(node)
    value = node.child_by_field_name("value")
    if len(names) == 1 and value is not None and value.type in ("block", "instance_expression"):
        return [Pick(kind, names[0], value, "code")]
    return [Pick(kind, name) for name in names]


def _variables(node: "Node") -> list[Pick]:
    return _values(node, "variable")


def _fields(node: "Node") -> list[Pick]:
    return _values(node, "field")


def _given(node: "Node") -> list[Pick]:
    name = node.child_by_field_name("name")
    return [Pick("given", name, node.child_by_field_name("body"), "class", None if name is not None else "given")]


_TYPES = {
    "class_definition": Rule("class", inside="class"),
    "object_definition": Rule("object", inside="class"),
    "package_object": Rule("object", inside="class"),
    "trait_definition": Rule("trait", inside="class"),
    "enum_definition": Rule("enum", inside="class"),
    "type_definition": Rule("type"),
    "given_definition": Rule(pick=_given),
}
_VALUES = ("val_definition", "var_definition", "val_declaration", "var_declaration")
_EXTENSION = {"extension_definition": THROUGH}

TABLE = Table(
    contexts={
        "top": {
            **_TYPES,
            **_EXTENSION,
            **dict.fromkeys(_VALUES, Rule(pick=_variables)),
            "function_definition": Rule("function", inside="code"),
            "function_declaration": Rule("function"),
            "package_clause": THROUGH,
            "template_body": THROUGH,
        },
        "class": {
            **_TYPES,
            **_EXTENSION,
            **dict.fromkeys(_VALUES, Rule(pick=_fields)),
            "function_definition": Rule("method", inside="code"),
            "function_declaration": Rule("method"),
            "enum_case_definitions": THROUGH,
            "simple_enum_case": Rule("enum_member"),
            "full_enum_case": Rule("enum_member"),
            "template_body": THROUGH,
        },
        "code": {
            **_TYPES,
            "function_definition": Rule("function", inside="code"),
            **through("block indented_block if_expression match_expression case_block case_clause"),
        },
    },
    marks=frozenset({"annotation"}),
    comments=frozenset({"comment", "block_comment"}),
    needs={"code": Needs((b"def ", b"class ", b"object ", b"trait ", b"enum ", b"type ", b"given "))},
)
