"""Protocol buffers: messages with fields, enums with values, services with methods."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Pick, Rule, Table, along, typed

if TYPE_CHECKING:
    from tree_sitter import Node


def _service(node: "Node") -> list[Pick]:
    """A service has no node for its body: its signature ends at the brace."""
    brace = next((one for one in node.children if one.type == "{"), None)
    name = along(node, "service_name/identifier")
    return [Pick("service", name, node, "service", cut=brace)] if name is not None else []


_OLD = re.compile(rb"^[ \t]*+(?:syntax[ \t]*+=[ \t]*+[\"']proto2[\"']|edition[ \t]*+=)", re.MULTILINE)
_SYNTAX = re.compile(rb"(?<=[\"'])proto2(?=[\"'])")
_EDITION = re.compile(rb"^[ \t]*+edition[ \t]*+=[^;\n]*;", re.MULTILINE)
_UNKNOWN = re.compile(rb"\brequired(?=\s)|\bextensions\s[^;{}\n]*+;")
_GROUP = re.compile(rb"\b(?:optional|required|repeated)[ \t]++group[ \t]++(?=\w)")
_NUMBER = re.compile(rb"(?<=\w)[ \t]*+=[ \t]*+\d++[^\S\n]*+(?:\[[^\[\]\n{}]*\][ \t]*+)?(?=\{)")


def _calmed(source: bytes) -> bytes:
    """SOURCE in the third version of the language, the only one that the grammar knows: groups become messages."""
    if not _OLD.search(source):
        return source
    source = _SYNTAX.sub(b"proto3", source)
    source = _EDITION.sub(lambda found: b'syntax="proto3";'.ljust(len(found[0]))[: len(found[0])], source)
    source = _GROUP.sub(lambda found: b"message ".rjust(len(found[0])), source)
    source = _NUMBER.sub(lambda found: b" " * len(found[0]), source)
    return _UNKNOWN.sub(lambda found: re.sub(rb"[^\n]", b" ", found[0]), source)


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
    calmed=_calmed,
)
