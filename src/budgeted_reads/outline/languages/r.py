"""R: functions and variables by what they are assigned to; classes, generics, methods and tests by their calls."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Needs, Pick, Rule, Table, through, words

if TYPE_CHECKING:
    from tree_sitter import Node

_MAKES = {
    **dict.fromkeys(("setClass", "setRefClass", "R6Class"), "class"),
    **dict.fromkeys(("setGeneric", "setMethod", "setValidity"), "function"),
    **dict.fromkeys(("test_that", "describe", "it"), "test"),
}


def _bound(node: "Node", *, local: bool) -> list[Pick]:
    """`name <- value`; LOCAL ones only where the value is a function."""
    name, value = node.child_by_field_name("lhs"), node.child_by_field_name("rhs")
    sign = words(node.child_by_field_name("operator"))
    if name is None or value is None or sign not in ("<-", "=", "<<-") or name.type not in ("identifier", "string"):
        return []
    if value.type == "function_definition":
        return [Pick("function", name, value.child_by_field_name("body"), "code")]
    called = words(value.child_by_field_name("function")).rpartition("::")[2] if value.type == "call" else ""
    if _MAKES.get(called) == "class":
        return [Pick("class", name, value.child_by_field_name("arguments"), "members")]
    return [] if local else [Pick("variable", name)]


def _global(node: "Node") -> list[Pick]:
    return _bound(node, local=False)


def _local(node: "Node") -> list[Pick]:
    return _bound(node, local=True)


def _call(node: "Node") -> list[Pick]:
    """`setMethod("area", ...)`, `test_that("...", {...})`."""
    kind = _MAKES.get(words(node.child_by_field_name("function")).rpartition("::")[2], "")
    arguments = node.child_by_field_name("arguments")
    first = arguments.child_by_field_name("argument") if arguments is not None else None
    name = first.child_by_field_name("value") if first is not None else None
    if not kind or arguments is None or name is None or name.type != "string":
        return []
    if kind == "class":
        return [Pick(kind, name, arguments, "members")]
    last = arguments.named_child(arguments.named_child_count - 1) if kind == "test" else None
    body = last.child_by_field_name("value") if last is not None else None
    return [Pick(kind, name, body if body is not None and body.type == "braced_expression" else None, "code")]


def _member(node: "Node") -> list[Pick]:
    """`name = function(...)` in a list of members; other lists are looked into."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is not None and value is not None and value.type == "function_definition":
        return [Pick("method", name, value.child_by_field_name("body"), "code")]
    return [Pick("", None, value, "members")] if value is not None and value.type == "call" else []


_WORDS = (b"function", b"\\(", b"Class", b"set", b"test_that", b"describe", b"it(")

TABLE = Table(
    contexts={
        "top": {"binary_operator": Rule(pick=_global), "call": Rule(pick=_call), "if_statement": Rule(inside="code")},
        "code": {
            "binary_operator": Rule(pick=_local),
            "call": Rule(pick=_call),
            **through("braced_expression if_statement"),
        },
        "members": {"argument": Rule(pick=_member), "arguments": THROUGH},
    },
    comments=frozenset({"comment"}),
    needs={"code": Needs(_WORDS)},
)
