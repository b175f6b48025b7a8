"""Julia: modules, functions of either form, macros, types with fields, constants, tests."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Pick, Rule, Table, child, first_child, through, words

if TYPE_CHECKING:
    from tree_sitter import Node

_TESTS = frozenset({"@testset", "@testitem"})
_BLOCKS = ("compound_statement", "for_statement", "let_statement")
_AROUND = (
    "quote_expression",
    "parenthesized_expression",
    "signature",
    "where_expression",
    "typed_expression",
    "type_head",
    "binary_expression",
    "parametrized_type_expression",
)


def _name(node: "Node | None") -> tuple["Node | None", bool]:
    """The name inside a signature or type head, and whether it is called.

    `Base.show(io)` is `show`, `(a::T)(x)` is `T`.
    """
    called = False
    while node is not None:
        if node.type == "call_expression":
            called, node = True, first_child(node)
        elif node.type == "field_expression":
            node = node.named_child(node.named_child_count - 1)
        elif node.type in _AROUND:
            inner = first_child(node)
            functor = node.type == "parenthesized_expression" and inner is not None and inner.type == "typed_expression"
            node = inner.named_child(inner.named_child_count - 1) if functor and inner is not None else inner
        else:
            return node, called
    return None, called


def _function(node: "Node") -> list[Pick]:
    signature = child(node, "signature")
    name, _ = _name(signature)
    kind = "macro" if node.type == "macro_definition" else "function"
    cut = signature.next_sibling if signature is not None else None
    return [Pick(kind, name, child(node, "block"), "code", cut=cut)] if name is not None else []


def _assignment(node: "Node") -> list[Pick]:
    """`name(arguments) = value` is a function; `name = value` a variable, after `const` a constant."""
    name, called = _name(first_child(node))
    if name is None or name.type not in ("identifier", "operator"):
        return []
    constant = node.parent is not None and node.parent.type == "const_statement"
    long = called and node.start_point.row != node.end_point.row
    sign = child(node, "operator") if long else None
    return [Pick("function" if called else "constant" if constant else "variable", name, cut=sign)]


def _local(node: "Node") -> list[Pick]:
    return [pick for pick in _assignment(node) if pick.kind == "function"]


def _macro(node: "Node") -> list[Pick]:
    """`@testset "title" begin` is a test, `@enum Name ...` a type; any other call of a macro is looked into."""
    word, given = words(child(node, "macro_identifier")), child(node, "macro_argument_list")
    if given is None:
        return []
    title, body = child(given, "string_literal"), child(given, *_BLOCKS)
    if word in _TESTS and title is not None and body is not None:
        return [Pick("test", title, body, "code")]
    if word == "@enum":
        return [Pick("enum", _name(first_child(given))[0])]
    return [Pick("", None, given, "")]


def _call(node: "Node") -> list[Pick]:
    """`f(...) do ... end`."""
    return [Pick("", None, child(node, "do_clause"), "code")]


def _type(node: "Node") -> list[Pick]:
    head = child(node, "type_head")
    name, _ = _name(head)
    kind = "struct" if node.type == "struct_definition" else "type"
    cut = head.next_sibling if head is not None else None
    return [Pick(kind, name, child(node, "block"), "fields", cut=cut)] if name is not None else []


def _field(node: "Node") -> list[Pick]:
    """`a`, `a::T`, `a::T = 1`; `T(a) = new(a)` is a function."""
    called = _local(node) if node.type == "assignment" else []
    name = first_child(node) if node.type == "assignment" else node
    name = first_child(name) if name is not None and name.type == "typed_expression" else name
    return called or ([Pick("field", name)] if name is not None and name.type == "identifier" else [])


def _module(node: "Node") -> list[Pick]:
    return [Pick("module", node.child_by_field_name("name"), child(node, "block"), "top")]


_FUNCTIONS = dict.fromkeys(("function_definition", "macro_definition"), Rule(pick=_function))
_MACRO = {"macrocall_expression": Rule(inside="", pick=_macro)}
_MEMBERS = through("macrocall_expression macro_argument_list const_statement")
_THROUGH = through("if_statement elseif_clause else_clause block")
_INSIDE = (*_BLOCKS, "while_statement", "try_statement", "catch_clause")
"""What has its own variables, or is run many times: only functions are defined there for others."""

_TYPES = dict.fromkeys(("struct_definition", "abstract_definition", "primitive_definition"), Rule(pick=_type))

TABLE = Table(
    contexts={
        "top": {
            **_FUNCTIONS,
            **_TYPES,
            **_MACRO,
            "call_expression": Rule(pick=_call),
            "module_definition": Rule(pick=_module),
            "assignment": Rule(pick=_assignment),
            "const_statement": Rule(inside="", wraps=True),
            **_THROUGH,
            **dict.fromkeys(_INSIDE, Rule(inside="code")),
        },
        "code": {
            **_FUNCTIONS,
            **_TYPES,
            **_MACRO,
            "call_expression": Rule(pick=_call),
            "assignment": Rule(pick=_local),
            **_THROUGH,
            **dict.fromkeys(_INSIDE, THROUGH),
        },
        "fields": {
            **_FUNCTIONS,
            **_MEMBERS,
            **dict.fromkeys(("assignment", "typed_expression", "identifier"), Rule(pick=_field)),
        },
    },
    comments=frozenset({"line_comment", "block_comment", "string_literal"}),
)
