"""Swift: types, extensions, protocols, functions, initialisers, properties, cases, aliases; any branch of `#if`."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.heads import head_end
from budgeted_reads.outline.languages.table import Needs, Pick, Rule, Table, along, child, first_child, through, words
from budgeted_reads.outline.languages.unread import LETTERS, without

if TYPE_CHECKING:
    from tree_sitter import Node

_HINTS = re.compile(rb"(?:func|class|struct|enum|extension|actor|protocol)")
_TITLED = re.compile(rb"\b[fx]?(?:describe|context|it)\(\"")
_TESTS = re.compile(rb"[fx]?(?:describe|context|it)")

_COMMENTS = re.compile(rb'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*|\*/')
_UNREAD = (
    re.compile(rb"#(?:warning|error)\([^\n]*+"),
    re.compile(rb"try(?<= in try)(?=[ \t])"),
    re.compile(rb"(?P<kept>associatedtype[ \t][^\n=]{0,400}+=[^\n=]{0,400}?)[ \t]where[ \t][^\n]*+"),
    re.compile(
        rb"#(?<=[ \t\n]#)else(?:if)?\b[^\n]{0,400}+\n[^\n]{0,400}\{[ \t]*+(?=\n[ \t]*+#endif)"
    ),  # A second head of one body.
    re.compile(rb"#(?:(?<=[ \t\n]#)|(?<=\A#))(?:if|elseif|else|endif)\b[^\n]*+"),  # Around cases; every branch is read.
    re.compile(rb"(?P<kept>catch[ \t][^\n{]{0,400}?)[ \t]where[ \t][^\n{]*+"),
)
_MOST_OPEN = 32
"""The grammar's time grows with the third power of the comments that are open at the end."""


def _calmed(source: bytes) -> bytes:
    """SOURCE without what the grammar loses whole types to.

    It is blank from a comment on that never ends where many are open inside it, as they never are in real code.
    """
    source = without(source, _UNREAD)
    opened: list[int] = []
    for found in _COMMENTS.finditer(source):
        if found[0] == b"/*":
            opened.append(found.start())
        elif found[0] == b"*/" and opened:
            opened.pop()
    return source if len(opened) <= _MOST_OPEN else source[: opened[0]] + b" " * (len(source) - opened[0])


_LONG_STRING = re.compile(rb'"""[ \t]*\n(?:[^"]|"(?!""))*+"""')


def _mended(source: bytes, _: Sequence[tuple[int, int]]) -> tuple[bytes, bool]:
    """SOURCE without what its strings over several lines say: the grammar trips over quotes in interpolations."""
    return _LONG_STRING.sub(_unsaid, source), True


def _unsaid(found: "re.Match[bytes]") -> bytes:
    return found[0][:3] + LETTERS.sub(b" ", found[0][3:-3]) + found[0][-3:]


def _type(node: "Node") -> list[Pick]:
    """A class, struct, enum, actor or extension, by its own word; an extension has the name of its type."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    kind = words(node.child_by_field_name("declaration_kind")) or "class"
    if kind == "extension" and name is not None:
        return [Pick(kind, name, body, "type", title=words(name).split("<")[0])]
    return [Pick(kind, name, body, "type")]


def _function(node: "Node", kind: str) -> list[Pick]:
    """A function, whose body is looked into where one of the words that define stands there."""
    body = node.child_by_field_name("body")
    text = (body.text or b"") if body is not None else b""
    inside = "tests" if _TITLED.search(text) is not None else "code" if _HINTS.search(text) is not None else None
    name, cut = node.child_by_field_name("name"), head_end(node, body)
    return [Pick(kind, name, body, inside, cut=cut)]


def _global(node: "Node") -> list[Pick]:
    return _function(node, "function")


def _method(node: "Node") -> list[Pick]:
    return _function(node, "method")


def _special(node: "Node") -> list[Pick]:
    """`init`, `deinit`, `subscript` are called so."""
    body = node.child_by_field_name("body") or child(node, "computed_property")
    title = node.type.split("_")[0]
    looked = body is not None and _HINTS.search(body.text or b"") is not None
    name = node.child_by_field_name("name") if title == "init" else None
    return [Pick("method", name, body, "code" if looked else None, title, cut=head_end(node, body))]


def _properties(node: "Node", kind: str) -> list[Pick]:
    """The names of `let` and `var`; of a pattern, all of its names."""
    names: list[Node] = []
    for pattern in node.children_by_field_name("name"):
        bound = pattern.child_by_field_name("bound_identifier")
        inner = [first_child(one) for one in pattern.named_children if one.type == "pattern"]
        names.extend(name for name in ([bound] if bound is not None else inner) if name is not None)
    body = node.child_by_field_name("computed_value")
    cut = body or child(node, "willset_didset_block", "protocol_property_requirements")
    if len(names) == 1:
        looked = body is not None and _HINTS.search(body.text or b"") is not None
        return [Pick(kind, names[0], cut, "code" if looked else None)]
    return [Pick(kind, name) for name in names]


def _variables(node: "Node") -> list[Pick]:
    return _properties(node, "variable")


def _fields(node: "Node") -> list[Pick]:
    return _properties(node, "field")


def _cases(node: "Node") -> list[Pick]:
    return [Pick("enum_member", name) for name in node.children_by_field_name("name")]


def _operator(node: "Node") -> list[Pick]:
    name = child(node, "custom_operator") or node
    return [Pick("operator", name)]


def _macro(node: "Node") -> list[Pick]:
    return [Pick("macro", child(node, "simple_identifier"))]


def _precedence(node: "Node") -> list[Pick]:
    """`precedencegroup Name {...}`, of the operators that name it."""
    return [Pick("operator", first_child(node), child(node, "precedence_group_attributes"))]


_TYPES = {
    "class_declaration": Rule(pick=_type),
    "protocol_declaration": Rule("protocol", inside="type"),
    "typealias_declaration": Rule("type"),
    "macro_declaration": Rule(pick=_macro),
    "precedence_group_declaration": Rule(pick=_precedence),
}
_SPECIAL = Rule(pick=_special)
_METHOD = Rule(pick=_method)


def _call(node: "Node") -> list[Pick]:
    """`it("title") {...}` is a test; any other call is looked into."""
    called = node.named_child(0)
    if called is not None and _TESTS.fullmatch(called.text or b"") is not None:
        given = child(node, "call_suffix")
        title = along(given, "value_arguments/value_argument/line_string_literal")
        body = child(given, "lambda_literal") if given is not None else None
        if title is not None and body is not None:
            return [Pick("test", title, body, "tests")]
    return [Pick("", None, node, "tests")]


_CODE = {
    **_TYPES,
    "function_declaration": Rule(pick=_global),
    **through(
        "statements if_statement guard_statement for_statement while_statement repeat_while_statement"
        " do_statement switch_statement switch_entry catch_block else computed_getter computed_setter"
        " function_body call_expression call_suffix lambda_literal control_transfer_statement"
        " value_arguments value_argument try_expression await_expression assignment property_declaration"
        " macro_invocation navigation_expression tuple_expression nil_coalescing_expression ternary_expression"
    ),
}

_WORDS = (b"func", b"class", b"struct", b"enum", b"extension", b"actor", b"protocol", b"typealias", b"macro")

TABLE = Table(
    contexts={
        "top": {
            **_TYPES,
            "function_declaration": Rule(pick=_global),
            "property_declaration": Rule(pick=_variables),
            "operator_declaration": Rule(pick=_operator),
        },
        "type": {
            **_TYPES,
            "function_declaration": _METHOD,
            "protocol_function_declaration": _METHOD,
            "init_declaration": _SPECIAL,
            "deinit_declaration": _SPECIAL,
            "subscript_declaration": _SPECIAL,
            "property_declaration": Rule(pick=_fields),
            "protocol_property_declaration": Rule(pick=_fields),
            "associatedtype_declaration": Rule("type"),
            "enum_entry": Rule(pick=_cases),
        },
        "code": _CODE,
        "tests": {**_CODE, "call_expression": Rule(pick=_call)},
    },
    marks=frozenset({"attribute"}),
    comments=frozenset({"comment", "multiline_comment"}),
    calmed=_calmed,
    mends=_mended,
    needs={"code": Needs(_WORDS)},
)
