"""Lua: functions and methods with the table that they belong to, assigned functions, tables of functions, variables."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Needs, Pick, Rule, Table, child, through, words

if TYPE_CHECKING:
    from tree_sitter import Node

_INNER = {"table_constructor": "table", "function_call": "called"}
"""What holds functions, and the context of what is in it."""

_TESTS = frozenset({"describe", "context", "it", "test", "insulate", "expose"})


def _owned(name: "Node", kind: str, body: "Node | None", inside: str | None = None) -> Pick:
    """`M.a` is `a` of `M`; `M:b` is a method."""
    inner = name.child_by_field_name("field") or name.child_by_field_name("method")
    if inner is None:
        return Pick(kind, name, body, inside)
    kind = "method" if name.type == "method_index_expression" else kind
    return Pick(kind, inner, body, inside, owner=words(name.child_by_field_name("table")))


def _made(kind: str, name: "Node", value: "Node") -> Pick:
    """NAME for a table or call with functions in it; its signature has the words of the first call."""
    first: Node | None = value
    cut = None if value.type == "function_call" else value
    while first is not None and first.type == "function_call":
        cut, first = first.child_by_field_name("arguments"), first.child_by_field_name("name")
        first = first.child_by_field_name("table") if first is not None else None
    return _owned(name, kind, value, _INNER[value.type])._replace(cut=cut)


def _holds(value: "Node") -> bool:
    """Whether VALUE is a table or a call with functions in it."""
    return value.type in _INNER and b"function" in (value.text or b"")


def _function(node: "Node") -> list[Pick]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    return [_owned(name, "function", body, "code")] if name is not None else []


def _assignment(node: "Node") -> list[Pick]:
    """A name for a function, for a table or call with functions in it, or alone."""
    names, values = child(node, "variable_list"), child(node, "expression_list")
    name = names.child_by_field_name("name") if names is not None else None
    value = values.child_by_field_name("value") if values is not None else None
    if name is None or value is None or name.type == "bracket_index_expression":
        return []
    if value.type == "function_definition":
        return [_owned(name, "function", value.child_by_field_name("body"), "code")]
    if _holds(value):
        return [_made("variable", name, value)]
    return [Pick("variable", name)] if name.type == "identifier" else []


def _local(node: "Node") -> list[Pick]:
    """In a function, functions and tables of them."""
    return [pick for pick in _assignment(node) if pick.kind == "function" or pick.inside == "table"]


def _field(node: "Node") -> list[Pick]:
    """A member of a table where it is a function, or a table or call that holds some."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if value is None:
        return []
    if name is None:
        return [Pick("", None, value, _INNER[value.type])] if _holds(value) else []
    if value.type == "function_definition":
        return [Pick("method", name, value.child_by_field_name("body"), "code")]
    return [_made("property", name, value)] if _holds(value) else []


def _call(node: "Node") -> list[Pick]:
    """`it("title", function() ... end)` is a test; any other call with a function is looked into."""
    arguments = node.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    made = next((one for one in given if one.type == "function_definition"), None)
    body = made.child_by_field_name("body") if made is not None else None
    if body is not None and given[0].type == "string" and words(node.child_by_field_name("name")) in _TESTS:
        return [Pick("test", given[0], body, "code")]
    return [Pick("", None, node, "called")]


def _unnamed(node: "Node") -> list[Pick]:
    return [Pick("", None, node.child_by_field_name("body"), "code")]


_COMMON = {
    "function_call": Rule(pick=_call),
    "function_declaration": Rule(pick=_function),
    "variable_declaration": Rule(inside="", wraps=True),
    "return_statement": Rule(inside="returned"),
    **through(
        "if_statement elseif_statement else_statement do_statement for_statement while_statement repeat_statement block"
    ),
}

_GIVEN = {
    "table_constructor": Rule(inside="table"),
    "function_call": Rule(pick=_call),
    "function_definition": Rule(pick=_unnamed),
}

TABLE = Table(
    contexts={
        "top": {
            **_COMMON,
            "assignment_statement": Rule(pick=_assignment),
        },
        "code": {**_COMMON, "assignment_statement": Rule(pick=_local)},
        "returned": {"expression_list": THROUGH, **_GIVEN},
        "called": {
            "arguments": Rule(inside="given"),
            "function_call": Rule(pick=_call),
            **through("method_index_expression dot_index_expression"),
        },
        "given": _GIVEN,
        "table": {"field": Rule(pick=_field)},
    },
    comments=frozenset({"comment"}),
    needs=dict.fromkeys(("code", "returned", "called", "given", "table"), Needs((b"function",))),
)
