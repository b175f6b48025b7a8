"""GraphQL: types with fields, inputs, enums, unions, scalars, directives; queries, mutations and fragments by name."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import Pick, Rule, Table, along, child, through, typed, words

if TYPE_CHECKING:
    from tree_sitter import Node


def _operation(node: "Node") -> list[Pick]:
    name = child(node, "name")
    kind = words(child(node, "operation_type")) or "query"
    return [Pick(kind, name, child(node, "selection_set"), None)] if name is not None else []


def _value(node: "Node") -> list[Pick]:
    name = along(node, "enum_value/name")
    return [Pick("enum_member", name)] if name is not None else []


_FIELDS = ("fields_definition", "fields")
_INPUTS = ("input_fields_definition", "fields")
_SHAPES = {
    "object_type": ("type", *_FIELDS),
    "interface_type": ("interface", *_FIELDS),
    "input_object_type": ("input", *_INPUTS),
    "enum_type": ("enum", "enum_values_definition", "values"),
}

TABLE = Table(
    contexts={
        "top": {
            **through(
                "document definition type_system_definition type_definition type_system_extension type_extension"
                " executable_definition"
            ),
            **{
                f"{name}_definition": typed(kind, "name", body, inside)
                for name, (kind, body, inside) in _SHAPES.items()
            },
            **{
                f"{name}_extension": typed(kind, "name", body, inside) for name, (kind, body, inside) in _SHAPES.items()
            },
            "union_type_definition": typed("union", "name"),
            "scalar_type_definition": typed("scalar", "name"),
            "directive_definition": typed("directive", "name"),
            "operation_definition": Rule(pick=_operation),
            "fragment_definition": typed("fragment", "fragment_name/name", "selection_set"),
        },
        "fields": {"field_definition": typed("field", "name"), "input_value_definition": typed("field", "name")},
        "values": {"enum_value_definition": Rule(pick=_value)},
    },
    marks=frozenset({"description"}),
    comments=frozenset({"comment"}),
)
