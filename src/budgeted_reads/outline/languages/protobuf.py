"""Protocol buffers: messages with fields, enums with values, services with methods."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Pick, Rule, Table, along, typed

if TYPE_CHECKING:
    from tree_sitter import Node


def _service(node: "Node") -> list[Pick]:
    """A service has no node for its body: its signature ends at the brace."""
    brace = next((one for one in node.children if one.type == "{"), None)
    name = along(node, "service_name/identifier")
    return [Pick("service", name, node, "service", cut=brace)] if name is not None else []


_TYPES = {
    "message": typed("message", "message_name/identifier", "message_body", "message"),
    "enum": typed("enum", "enum_name/identifier", "enum_body", "enum"),
}

TABLE = Table(
    contexts={
        "top": {**_TYPES, "service": Rule(pick=_service)},
        "message": {
            **_TYPES,
            "field": typed("field", "identifier"),
            "map_field": typed("field", "identifier"),
            "oneof": THROUGH,
            "oneof_field": typed("field", "identifier"),
        },
        "enum": {"enum_field": typed("enum_member", "identifier")},
        "service": {"rpc": typed("method", "rpc_name/identifier")},
    },
    comments=frozenset({"comment"}),
)
