"""C#: namespaces, types, methods, properties, events, operators, fields, local functions; any branch of `#if`."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.branches import whole_branches
from budgeted_reads.outline.languages.table import THROUGH, Pick, Rule, Table, child, through, words

if TYPE_CHECKING:
    from tree_sitter import Node


def _fields(node: "Node") -> list[Pick]:
    """The names of one declaration: `const` ones are constants."""
    made = child(node, "variable_declaration")
    if made is None:
        return []
    constant = any(words(one) == "const" for one in node.named_children if one.type == "modifier")
    kind = "event" if node.type == "event_field_declaration" else "constant" if constant else "field"
    found = (one.child_by_field_name("name") for one in made.named_children if one.type == "variable_declarator")
    return [Pick(kind, name) for name in found if name is not None]


def _property(node: "Node") -> list[Pick]:
    """A property or event ends its signature at its accessors, or at `=>`."""
    value = node.child_by_field_name("value")
    body = node.child_by_field_name("accessors")
    if body is None and value is not None and value.type == "arrow_expression_clause":
        body = value
    kind = "event" if node.type == "event_declaration" else "property"
    return [Pick(kind, node.child_by_field_name("name"), body)]


def _indexer(node: "Node") -> list[Pick]:
    return [Pick("property", None, node.child_by_field_name("accessors"), title="this")]


def _operator(node: "Node") -> list[Pick]:
    """`operator +`, `operator int`."""
    sign = node.child_by_field_name("operator") or node.child_by_field_name("type")
    return [Pick("method", sign, node.child_by_field_name("body"), title=f"operator {words(sign)}")]


def _destructor(node: "Node") -> list[Pick]:
    name = node.child_by_field_name("name")
    return [Pick("method", name, node.child_by_field_name("body"), title=f"~{words(name)}")]


_VERBATIM = re.compile(rb"(?:\$@|@\$)\"(?P<words>(?:[^\"{]|\"\"|\{(?:[^{}\"]|\"[^\"\n]*+\")*+\}|\{)*+)\"(?!\")")
"""A string with values in it that may hold doubled quotes and lines."""

_SIGNS = re.compile(rb"[\"{}]")


def _plain(found: "re.Match[bytes]") -> bytes:
    return b' @"' + _SIGNS.sub(b"_", found["words"]) + b'"'


def _mended(source: bytes, spans: Sequence[tuple[int, int]]) -> tuple[bytes, bool]:
    """SOURCE with one branch of each `#if` that holds a part of a declaration, and strings that it reads."""
    made = whole_branches(source, spans)
    return _VERBATIM.sub(_plain, made), made == source


_BRANCHES = through("preproc_if preproc_elif preproc_else")
_TYPES = {
    **_BRANCHES,
    "class_declaration": Rule("class", inside="class"),
    "struct_declaration": Rule("struct", inside="class"),
    "interface_declaration": Rule("interface", inside="class"),
    "record_declaration": Rule("record", inside="class"),
    "enum_declaration": Rule("enum", inside="enum"),
    "delegate_declaration": Rule("type"),
}
_FIELDS = Rule(pick=_fields)
_PROPERTY = Rule(pick=_property)
_METHOD = Rule("method", inside="code")
_CODE = through(
    "block if_statement for_statement foreach_statement while_statement do_statement try_statement"
    " catch_clause finally_clause using_statement lock_statement switch_statement switch_body switch_section"
    " checked_statement unsafe_statement fixed_statement"
)

TABLE = Table(
    contexts={
        "top": {
            **_TYPES,
            "using_directive": Rule("type", body="", having="name"),
            "namespace_declaration": Rule("namespace", inside="top"),
            "file_scoped_namespace_declaration": Rule("namespace"),
            "declaration_list": THROUGH,
            "global_statement": Rule(inside="code", wraps=True),
        },
        "class": {
            **_TYPES,
            "method_declaration": _METHOD,
            "constructor_declaration": _METHOD,
            "destructor_declaration": Rule(pick=_destructor),
            "operator_declaration": Rule(pick=_operator),
            "conversion_operator_declaration": Rule(pick=_operator),
            "property_declaration": _PROPERTY,
            "event_declaration": _PROPERTY,
            "indexer_declaration": Rule(pick=_indexer),
            "field_declaration": _FIELDS,
            "event_field_declaration": _FIELDS,
        },
        "enum": {**_BRANCHES, "enum_member_declaration": Rule("enum_member")},
        "code": {**_BRANCHES, **_CODE, "local_function_statement": Rule("function", inside="code")},
    },
    marks=frozenset({"attribute_list"}),
    comments=frozenset({"comment"}),
    mends=_mended,
)
