"""Dart: types, functions, constructors, accessors, fields, enum values, tests. A body follows its signature."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.heads import head_end
from budgeted_reads.outline.languages.table import (
    Pick,
    Rule,
    Table,
    along,
    child,
    first_child,
    through,
    typed,
    words,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_SIGNATURES = (
    "function_signature",
    "getter_signature",
    "setter_signature",
    "constructor_signature",
    "factory_constructor_signature",
    "constant_constructor_signature",
    "redirecting_factory_constructor_signature",
    "operator_signature",
)
_TESTS = frozenset({"test", "testWidgets", "testGoldens", "group", "blocTest"})
_LISTS = ("static_final_declaration_list", "initialized_identifier_list", "identifier_list")
_BEFORE = (
    *("final_builtin", "const_builtin", "inferred_type", "type_identifier", "type_arguments", "nullable_type"),
    *("function_type", "record_type", "void_type"),
)
"""What stands before the names of variables, beside them on the top level."""


def _signed(node: "Node", kind: str) -> list[Pick]:
    """A signature, and the body that follows it; a constructor is called by all its parts: `Boat.named`."""
    made = node if node.type in _SIGNATURES else child(node, *_SIGNATURES)
    if made is None:
        return []
    body = node.next_named_sibling
    body = body if body is not None and body.type == "function_body" else None
    title, name = None, made.child_by_field_name("name")
    if "constructor" in made.type:
        names = [one for one in made.named_children if one.type == "identifier"]
        title, name = ".".join(words(one) for one in names), names[0] if names else None
    elif made.type == "operator_signature":
        name = next((one for one in made.named_children if "operator" in one.type), made)
        title = f"operator {words(name)}"
    inside = "code" if body is not None else None
    return [Pick(kind, name, body, inside, title, cut=head_end(node, body), until=body)] if name is not None else []


def _function(node: "Node") -> list[Pick]:
    return _signed(node, "function")


def _method(node: "Node") -> list[Pick]:
    return _signed(node, "method")


def _local(node: "Node") -> list[Pick]:
    """A function in a function."""
    made = child(node, "lambda_expression")
    body = made.child_by_field_name("body") if made is not None else None
    signature = made.child_by_field_name("parameters") if made is not None else None
    name = signature.child_by_field_name("name") if signature is not None else None
    return [Pick("function", name, body, "code")] if name is not None else []


def _names(names: "Node") -> list["Node"]:
    found = [one if one.type == "identifier" else first_child(one) for one in names.named_children]
    return [name for name in found if name is not None]


def _member(node: "Node") -> list[Pick]:
    """A declaration in a type: the names of fields, or a signature without a body."""
    names = child(node, *_LISTS)
    if names is not None:
        return [Pick("field", name) for name in _names(names)]
    alone = child(node, "identifier")  # `external int a;`
    return [Pick("field", alone)] if alone is not None else _signed(node, "method")


def _variables(node: "Node") -> list[Pick]:
    """The names behind the first of the words before them: a variable of the top level has no node of its own."""
    before, last = node.prev_named_sibling, node.next_named_sibling
    if before is not None and before.type in _BEFORE:
        return []
    while last is not None and last.type in _BEFORE:
        last = last.next_named_sibling
    if last is None or last.type not in _LISTS:
        return []
    return [Pick("variable", name, cut=_sign(last), until=last) for name in _names(last)]


def _sign(names: "Node") -> "Node | None":
    """Where the signature of variables ends: behind their values, before them if these take several lines."""
    if names.start_point.row == names.end_point.row:
        return names.next_sibling
    first = first_child(names)
    return first.children[1] if first is not None and first.child_count > 1 else None


def _class(node: "Node") -> list[Pick]:
    """A class; `class A = B with C` has no body."""
    name = node.child_by_field_name("name") or along(node, "mixin_application_class/identifier")
    body = node.child_by_field_name("body")
    return [Pick("class", name, body, "type", cut=head_end(node, body))] if name is not None else []


def _extension(node: "Node") -> list[Pick]:
    """Without a name it is called by the type that it extends."""
    name = node.child_by_field_name("name") or node.child_by_field_name("class")
    return [Pick("extension", name, node.child_by_field_name("body"), "type")]


def _alias(node: "Node") -> list[Pick]:
    """`typedef Name = ...`, or in the old form `typedef int Name(...)`."""
    names = [one for one in node.named_children if one.type == "type_identifier"]
    old = child(node, "formal_parameter_list") is not None
    return [Pick("type", names[-1 if old else 0])] if names else []


def _call(node: "Node") -> list[Pick]:
    """`test("title", () {...})` is a test, with those in its function."""
    given = along(node, "selector/argument_part/arguments")
    called = first_child(node)
    if given is None or words(called) not in _TESTS:
        return []
    title = along(given, "argument/string_literal")
    made = [one for given_one in given.named_children if (one := along(given_one, "function_expression")) is not None]
    body = made[-1].child_by_field_name("body") if made else None
    return [Pick("test", title, body, "code")] if title is not None and body is not None else []


_METHOD = Rule(pick=_method)

TABLE = Table(
    contexts={
        "top": {
            "class_definition": Rule(pick=_class),
            "enum_declaration": Rule("enum", inside="type"),
            "mixin_declaration": typed("mixin", "identifier", "class_body", "type"),
            "extension_declaration": Rule(pick=_extension),
            "extension_type_declaration": Rule("extension", inside="type"),
            "type_alias": Rule(pick=_alias),
            **dict.fromkeys(_SIGNATURES[:3], Rule(pick=_function)),
            **dict.fromkeys(_BEFORE, Rule(pick=_variables)),
        },
        "type": {"method_signature": _METHOD, "declaration": Rule(pick=_member), "enum_constant": Rule("enum_member")},
        "code": {
            "local_function_declaration": Rule(pick=_local),
            "expression_statement": Rule(pick=_call),
            **through(
                "block function_expression_body if_statement for_statement while_statement do_statement try_statement"
                " catch_clause finally_clause switch_statement switch_block switch_statement_case"
            ),
        },
    },
    marks=frozenset({"annotation"}),
    comments=frozenset({"comment", "documentation_comment"}),
)
