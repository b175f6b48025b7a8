"""Lua: functions and methods with the table that they belong to, assigned functions, tables of functions, variables."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Needs, Pick, Rule, Table, child, through, words

if TYPE_CHECKING:
    from tree_sitter import Node

_TESTS = frozenset({"describe", "context", "it", "test", "insulate", "expose"})


def _owned(name: "Node", kind: str, body: "Node | None", inside: str | None = None) -> Pick:
    """`M.a` is `a` of `M`; `M:b` is a method."""
    inner = name.child_by_field_name("field") or name.child_by_field_name("method")
    if inner is None:
        return Pick(kind, name, body, inside)
    kind = "method" if name.type == "method_index_expression" else kind
    return Pick(kind, inner, body, inside, owner=words(name.child_by_field_name("table")))


def _function(node: "Node") -> list[Pick]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    return [_owned(name, "function", body, "code")] if name is not None else []


def _assignment(node: "Node") -> list[Pick]:
    names, values = child(node, "variable_list"), child(node, "expression_list")
    name = names.child_by_field_name("name") if names is not None else None
    value = values.child_by_field_name("value") if values is not None else None
    if name is None or value is None or name.type == "bracket_index_expression":
        return []
    if value.type == "function_definition":
        return [_owned(name, "function", value.child_by_field_name("body"), "code")]
    if value.type == "table_constructor" and b"function" in (value.text or b""):
        return [_owned(name, "variable", value, "table")]
    return [Pick("variable", name)] if name.type == "identifier" else []


def _local(node: "Node") -> list[Pick]:
    return [pick for pick in _assignment(node) if pick.kind == "function"]


def _field(node: "Node") -> list[Pick]:
    """A member of a table where it is a function, or a table that holds some."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or value is None:
        return []
    if value.type == "function_definition":
        return [Pick("method", name, value.child_by_field_name("body"), "code")]
    if value.type == "table_constructor" and b"function" in (value.text or b""):
        return [Pick("property", name, value, "table")]
    return []


def _call(node: "Node") -> list[Pick]:
    """`it("title", function() ... end)` is a test; any other call with a function is looked into."""
    arguments = node.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    made = next((one for one in given if one.type == "function_definition"), None)
    body = made.child_by_field_name("body") if made is not None else None
    if made is None or body is None:
        return []
    if words(node.child_by_field_name("name")) in _TESTS and given[0].type == "string":
        return [Pick("test", given[0], body, "code")]
    return [Pick("", None, body, "code")]


_COMMON = {
    "function_call": Rule(pick=_call),
    "function_declaration": Rule(pick=_function),
    "variable_declaration": Rule(inside="", wraps=True),
    "return_statement": Rule(inside="returned"),
    **through(
        "if_statement elseif_statement else_statement do_statement for_statement while_statement repeat_statement block"
    ),
}

TABLE = Table(
    contexts={
        "top": {
            **_COMMON,
            "assignment_statement": Rule(pick=_assignment),
        },
        "code": {**_COMMON, "assignment_statement": Rule(pick=_local)},
        "returned": {"expression_list": THROUGH, "table_constructor": Rule(inside="table")},
        "table": {"field": Rule(pick=_field)},
    },
    comments=frozenset({"comment"}),
    needs={"code": Needs((b"function",))},
)
