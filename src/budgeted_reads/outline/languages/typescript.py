"""TypeScript: what JavaScript has, and interfaces, types, enums, namespaces, signatures without a body."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.javascript import CLASS, CONTEXTS, DEFAULT, FIELD, SEARCHED
from budgeted_reads.outline.languages.jsgaps import mended
from budgeted_reads.outline.languages.jsneeds import FUNCTIONS, IN_FUNCTION
from budgeted_reads.outline.languages.table import Pick, Rule, Table, child, through

if TYPE_CHECKING:
    from tree_sitter import Node


def _member(node: "Node") -> list[Pick]:
    return [Pick("enum_member", node)]


def _alias(node: "Node") -> list[Pick]:
    """A type by its name; where it is, or ends with, an object type, the members of that are inside."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if value is not None and value.type == "intersection_type" and value.named_child_count:
        value = value.named_children[-1]
    if value is not None and value.type == "object_type":
        return [Pick("type", name, value, "interface")]
    return [Pick("type", name)]


def _ambient(node: "Node") -> list[Pick]:
    """`declare global { ... }`; what else is declared starts with the word."""
    block = child(node, "statement_block")
    if block is not None:
        return [Pick("namespace", None, block, "top", title="global")]
    return [Pick("", None, node, "top", wraps=True)]


_TYPES = {
    "abstract_class_declaration": Rule("class", inside="class"),
    "interface_declaration": Rule("interface", inside="interface"),
    "type_alias_declaration": Rule(pick=_alias),
    "enum_declaration": Rule("enum", inside="enum"),
    "internal_module": Rule("namespace", inside="top"),
    "module": Rule("namespace", inside="top"),
    "function_signature": Rule("function"),
    "ambient_declaration": Rule(pick=_ambient),
}
_SIGNATURE = Rule("method")

TABLE = Table(
    contexts={
        **CONTEXTS,
        "top": {**CONTEXTS["top"], **_TYPES},
        "export": {
            **CONTEXTS["export"],
            **_TYPES,
            **dict.fromkeys(("as_expression", "satisfies_expression"), DEFAULT),
        },
        "function": {**CONTEXTS["function"], **_TYPES},
        "call": {**CONTEXTS["call"], **through("as_expression satisfies_expression non_null_expression")},
        "class": {
            **CLASS,
            "public_field_definition": FIELD,
            "abstract_method_signature": _SIGNATURE,
            "method_signature": _SIGNATURE,
        },
        "interface": {"property_signature": Rule("field"), "method_signature": _SIGNATURE},
        "enum": {
            "enum_assignment": Rule("enum_member"),
            **dict.fromkeys(("property_identifier", "string"), Rule(pick=_member)),
        },
    },
    marks=frozenset({"decorator"}),
    comments=frozenset({"comment"}),
    mends=mended,
    needs=dict.fromkeys(
        SEARCHED, IN_FUNCTION._replace(words=(*FUNCTIONS, b"interface ", b"enum ", b"type "), alone=(b"type ",))
    ),
)
