"""GraphQL: types with fields, inputs, enums, unions, scalars, directives, the schema; operations and fragments."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import Pick, Rule, Table, along, child, first_child, through, typed, words
from budgeted_reads.outline.languages.unread import without

if TYPE_CHECKING:
    from tree_sitter import Node

_UNREAD = (re.compile(rb"extend\s++schema(?:\s+@\w++\s*+(?:\((?:[^()\"]|\"[^\"\n]*+\")*+\))?+)++(?!\s*+\{)"),)


def _calmed(source: bytes) -> bytes:
    """SOURCE without the directives that extend a schema by nothing else, which the grammar does not know."""
    return without(source, _UNREAD)


def _after(node: "Node") -> "Node | None":
    """What follows NODE, which may be the last piece of what holds it."""
    last: Node | None = node
    while last is not None and last.next_sibling is None:
        last = last.parent
    return last.next_sibling if last is not None else None


def _described(kind: str, name: str) -> Rule:
    """A definition without a body. What describes it is looked for beside its body: its name is taken for that."""

    def pick(node: "Node") -> list[Pick]:
        found, first = along(node, name), first_child(node)
        if found is None or first is None:
            return []
        if first.type != "description" and node.start_point.row == node.end_point.row:
            return [Pick(kind, found)]
        after = _after(node)
        return [Pick(kind, found, found if first.type == "description" and after is not None else None, cut=after)]

    return Rule(pick=pick)


def _doc(body: "Node") -> "Node | None":
    """The text that describes a definition, which stands inside of it."""
    around = body.parent
    return child(around, "description") if around is not None else None


def _operation(node: "Node") -> list[Pick]:
    """A query, mutation or subscription; one without a name is called by its word."""
    name, body = child(node, "name"), child(node, "selection_set")
    kind = words(child(node, "operation_type")) or "query"
    return [Pick(kind, name, body, None, None if name is not None else kind)]


def _schema(node: "Node") -> list[Pick]:
    brace = next((one for one in node.children if one.type == "{"), None)
    return [Pick("schema", None, node, "roots", "schema", cut=brace)]


_FIELDS = ("fields_definition", "fields")
_INPUTS = ("input_fields_definition", "fields")
_SHAPES = {
    "object_type": ("type", *_FIELDS),
    "interface_type": ("interface", *_FIELDS),
    "input_object_type": ("input", *_INPUTS),
    "enum_type": ("enum", "enum_values_definition", "values"),
}
_NAMES = {"union_type": "union", "scalar_type": "scalar"}
_MADE = ("definition", "extension")

TABLE = Table(
    contexts={
        "top": {
            **through(
                "document definition type_system_definition type_definition type_system_extension type_extension"
                " executable_definition"
            ),
            **{
                f"{name}_{made}": typed(kind, "name", body, inside)
                for name, (kind, body, inside) in _SHAPES.items()
                for made in _MADE
            },
            **{f"{name}_{made}": _described(kind, "name") for name, kind in _NAMES.items() for made in _MADE},
            **{f"schema_{made}": Rule(pick=_schema) for made in _MADE},
            "directive_definition": _described("directive", "name"),
            "operation_definition": Rule(pick=_operation),
            "fragment_definition": typed("fragment", "fragment_name/name", "selection_set"),
        },
        "fields": dict.fromkeys(("field_definition", "input_value_definition"), _described("field", "name")),
        "values": {"enum_value_definition": _described("enum_member", "enum_value/name")},
        "roots": {"root_operation_type_definition": typed("field", "operation_type")},
    },
    marks=frozenset({"description"}),
    comments=frozenset({"comment"}),
    doc=_doc,
    calmed=_calmed,
)
