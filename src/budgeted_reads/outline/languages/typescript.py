"""TypeScript: what JavaScript has, and interfaces, types, enums, namespaces, signatures without a body."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.javascript import CLASS, CONTEXTS, DEFAULT, FIELD
from budgeted_reads.outline.languages.table import WRAP, Pick, Rule, Table

if TYPE_CHECKING:
    from tree_sitter import Node


def _member(node: "Node") -> list[Pick]:
    return [Pick("enum_member", node)]


_TYPES = {
    "abstract_class_declaration": Rule("class", inside="class"),
    "interface_declaration": Rule("interface", inside="interface"),
    "type_alias_declaration": Rule("type"),
    "enum_declaration": Rule("enum", inside="enum"),
    "internal_module": Rule("namespace", inside="top"),
    "module": Rule("namespace", inside="top"),
    "function_signature": Rule("function"),
    "ambient_declaration": WRAP,
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
        "class": {
            **CLASS,
            "public_field_definition": FIELD,
            "abstract_method_signature": _SIGNATURE,
            "method_signature": _SIGNATURE,
        },
        "interface": {"property_signature": Rule("field"), "method_signature": _SIGNATURE},
        "enum": {"enum_assignment": Rule("enum_member"), "property_identifier": Rule(pick=_member)},
    },
    marks=frozenset({"decorator"}),
    comments=frozenset({"comment"}),
)
