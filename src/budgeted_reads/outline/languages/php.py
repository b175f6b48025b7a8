"""PHP: namespaces, types, functions, methods, fields, constants, functions and classes without a name of their own."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import Needs, Pick, Rule, Table, child, first_child, through, words

if TYPE_CHECKING:
    from tree_sitter import Node

_SHAPE = re.compile(rb"\bfunction\s++&?\s*+\w|\b(?:class|trait|interface)\s*[\w({#]")
"""A named function, or a class, not `T::class`."""
_FUNCTIONS = frozenset({"anonymous_function", "arrow_function"})
_STRINGS = frozenset({"string", "encapsed_string"})
_TESTS = frozenset({"it", "test", "describe", "arch"})


def _constants(node: "Node") -> list[Pick]:
    found = (first_child(one) for one in node.named_children if one.type == "const_element")
    return [Pick("constant", name) for name in found if name is not None]


def _fields(node: "Node") -> list[Pick]:
    """`$name` is the field name."""
    found = (one.child_by_field_name("name") for one in node.named_children if one.type == "property_element")
    return [Pick("field", first_child(name) or name) for name in found if name is not None]


def _statement(node: "Node") -> list[Pick]:
    """`$name = function ...`, `define("NAME", ...)`, tests; others are looked into."""
    if tests := _test(node):
        return tests
    made = first_child(node)
    if made is not None and made.type == "assignment_expression":
        name, value = made.child_by_field_name("left"), made.child_by_field_name("right")
        if value is not None and value.type in _FUNCTIONS and name is not None and name.type == "variable_name":
            return [Pick("function", first_child(name), value.child_by_field_name("body"), "code")]
    if made is not None and words(made.child_by_field_name("function")) == "define":
        arguments = made.child_by_field_name("arguments")
        name = first_child(arguments) if arguments is not None else None
        return [Pick("constant", name)] if name is not None and name.end_byte - name.start_byte < 100 else []
    return _searched(node)


def _test(node: "Node") -> list[Pick]:
    """`it("title", function () {...})`, also where more is said of it: `it(...)->with(...)`."""
    call = first_child(node)
    while call is not None and call.type == "member_call_expression":
        call = call.child_by_field_name("object")
    if (
        call is None
        or call.type != "function_call_expression"
        or words(call.child_by_field_name("function")) not in _TESTS
    ):
        return []
    arguments = call.child_by_field_name("arguments")
    given = [first_child(one) for one in arguments.named_children] if arguments is not None else []
    title = given[0] if given else None
    if title is None or title.type not in _STRINGS:
        return []
    for one in given[1:]:
        if one is not None and one.type in _FUNCTIONS:
            return [Pick("test", title, one.child_by_field_name("body"), "code")]
    return []


def _inner_statement(node: "Node") -> list[Pick]:
    return _test(node) or [Pick("", None, node, "code")]


def _searched(node: "Node") -> list[Pick]:
    """A statement is looked into where something may be defined there: tables of data can be long."""
    return [Pick("", None, node, "code")] if _SHAPE.search(node.text or b"") else []


def _anonymous(node: "Node") -> list[Pick]:
    """`new class extends T {...}` is a class called `T`; of any other, its arguments are looked into."""
    made = child(node, "anonymous_class")
    if made is None:
        arguments = child(node, "arguments")
        return [Pick("", None, arguments, "code")] if arguments is not None else []
    base = child(made, "base_clause") or child(made, "class_interface_clause")
    name = first_child(base) if base is not None else None
    title = None if name is not None else "class"
    return [Pick("class", name, made.child_by_field_name("body"), "class", title)]


_TYPES = {
    "class_declaration": Rule("class", inside="class"),
    "interface_declaration": Rule("interface", inside="class"),
    "trait_declaration": Rule("trait", inside="class"),
    "enum_declaration": Rule("enum", inside="class"),
}
_FUNCTION = Rule("function", inside="code")
_CODE = {
    **_TYPES,
    "function_definition": _FUNCTION,
    "object_creation_expression": Rule(pick=_anonymous),
    **through(
        "compound_statement colon_block if_statement else_clause else_if_clause while_statement for_statement"
        " foreach_statement do_statement switch_statement switch_block case_statement default_statement try_statement"
        " catch_clause finally_clause return_statement assignment_expression arguments argument anonymous_function"
        " arrow_function member_call_expression scoped_call_expression function_call_expression"
        " parenthesized_expression conditional_expression binary_expression array_creation_expression"
        " array_element_initializer match_expression match_block match_conditional_expression throw_expression"
    ),
}

TABLE = Table(
    contexts={
        "top": {
            **_CODE,
            "namespace_definition": Rule("namespace", inside="top"),
            "const_declaration": Rule(pick=_constants),
            "expression_statement": Rule(pick=_statement),
            "return_statement": Rule(pick=_searched),
        },
        "class": {
            "method_declaration": Rule("method", inside="code"),
            "property_declaration": Rule(pick=_fields),
            "const_declaration": Rule(pick=_constants),
            "enum_case": Rule("enum_member"),
        },
        "code": {**_CODE, "expression_statement": Rule(pick=_inner_statement)},
    },
    marks=frozenset({"attribute_list"}),
    comments=frozenset({"comment"}),
    needs={
        "code": Needs(
            (b"function ", b"it(", b"test(", b"class ", b"class(", b"class{", b"trait ", b"interface ", b"enum "),
            inner=(b"{",),
            alone=(b"it(", b"test("),
        )
    },
)
