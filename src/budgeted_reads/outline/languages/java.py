"""Java: types, methods, fields, enum constants, and the classes without a name inside methods."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Needs, Pick, Rule, Table, child, in_capitals, through

if TYPE_CHECKING:
    from tree_sitter import Node

_HINTS = re.compile(rb"\b(?:new|class|record|interface|enum)\b")
_BRACE = 0x7B
"""A type has one, and to look for a byte by its number costs next to nothing."""


def _fields(node: "Node") -> list[Pick]:
    """The names of one declaration; `T name = new T() {...}` holds the members of that class."""
    declared = node.children_by_field_name("declarator")
    named = [(one, name) for one in declared if (name := one.child_by_field_name("name")) is not None]
    picks = [Pick("constant" if in_capitals(name) else "field", name) for _, name in named]
    value = named[0][0].child_by_field_name("value") if len(named) == 1 else None
    if value is None or _BRACE not in (text := value.text or b"") or _HINTS.search(text) is None:
        return picks
    if value.type == "object_creation_expression" and (body := child(value, "class_body")) is not None:
        return [picks[0]._replace(body=body, inside="class")]
    return [picks[0]._replace(body=named[0][0], inside="code", cut=value)]


def _anonymous(node: "Node") -> list[Pick]:
    """`new T() {...}` is a class called `T`; without a body, only its arguments are looked into."""
    body = child(node, "class_body")
    if body is None:
        arguments = node.child_by_field_name("arguments")
        return [Pick("", None, arguments, "code")] if arguments is not None else []
    return [Pick("class", node.child_by_field_name("type"), body, "class")]


_TYPES = {
    "class_declaration": Rule("class", inside="class"),
    "interface_declaration": Rule("interface", inside="class"),
    "enum_declaration": Rule("enum", inside="class"),
    "record_declaration": Rule("record", inside="class"),
    "annotation_type_declaration": Rule("annotation", inside="class"),
}
_CODE = through(
    "block local_variable_declaration variable_declarator expression_statement return_statement method_invocation"
    " argument_list lambda_expression parenthesized_expression assignment_expression cast_expression"
    " ternary_expression if_statement for_statement enhanced_for_statement while_statement do_statement try_statement"
    " try_with_resources_statement catch_clause finally_clause synchronized_statement switch_expression switch_block"
    " switch_block_statement_group switch_rule labeled_statement throw_statement array_initializer"
    " array_creation_expression field_access binary_expression constructor_body explicit_constructor_invocation"
)
_METHOD = Rule("method", inside="code")

TABLE = Table(
    contexts={
        "top": _TYPES,
        "class": {
            **_TYPES,
            "method_declaration": _METHOD,
            "constructor_declaration": _METHOD,
            "compact_constructor_declaration": _METHOD,
            "field_declaration": Rule(pick=_fields),
            "constant_declaration": Rule(pick=_fields),
            "annotation_type_element_declaration": Rule("method"),
            "enum_constant": Rule("enum_member", inside="class"),
            "enum_body_declarations": THROUGH,
        },
        "code": {**_TYPES, **_CODE, "object_creation_expression": Rule(pick=_anonymous)},
    },
    marks=frozenset({"annotation", "marker_annotation"}),
    comments=frozenset({"line_comment", "block_comment"}),
    # A local type, or `new T(...) {`.
    needs={
        "code": Needs(
            (b"class ", b"record ", b"interface ", b"enum "),
            re.compile(rb"new\b(?=[^;{}]{0,2000}\)\s*\{)"),
            inner=(b"{",),
        )
    },
)
