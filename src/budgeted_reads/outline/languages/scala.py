"""Scala: types, objects, functions, values, givens, extensions, tests; the members of `new T {...}`."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.heads import head_end
from budgeted_reads.outline.languages.table import THROUGH, Needs, Pick, Rule, Table, child, first_child, through, words
from budgeted_reads.outline.languages.unread import without

if TYPE_CHECKING:
    from tree_sitter import Node

_HINTS = re.compile(rb"(?:def|class|object|trait|new) |(?:test|suite)\(\"")
_TESTS = frozenset({"test", "it", "describe", "property", "scenario", "feature", "suite"})
_BLOCKS = ("block", "colon_argument", "case_block")
_TAGS = ("taggedAs", "ignore")
_SAYS = frozenset({"in", "should", "must", "can", "when", "that", "ignore", ">>", "!"})
"""What stands between the words of a test and its block."""

_UNREAD = (
    re.compile(  # The annotation of a constructor.
        rb"@(?<=[ \t]@)[\w.]++(?:\([^()\n]*+\))?+(?=[ \t]*+(?:(?:private|protected)(?:\[\w+\])?[ \t]*+)?\()"
    ),
    re.compile(rb"@\w++(?:\([^()\n]*+\))?+(?=[ \t]++(?:val|var|\w+[ \t]*+:))"),  # That of a parameter.
    re.compile(rb"(?P<kept>@deprecated)\([^()\n]*+\)"),
    re.compile(rb"\(\)(?<=[\w\]]\(\))(?=\()"),
)


_OPENED = re.compile(
    rb"(?P<head>\n[ \t]*+(?:(?:case|sealed|abstract|final|private|protected|implicit|package)[ \t]++)*+"
    rb"(?:class|object|trait)[ \t]++\w[^\n{}=:]*+)(?P<gap>\n[ \t]*+)\{"
)
"""A type whose brace stands on a line of its own."""


def _calmed(source: bytes) -> bytes:
    """SOURCE without annotations inside of heads, their words, and empty lists of arguments; braces behind heads.

    The grammar loses classes to them, or what is in them.
    """
    opened = _OPENED.sub(lambda found: found["head"] + b"{" + found["gap"], b"\n" + source)[1:]
    return without(opened, _UNREAD)


_COMMENTS = frozenset({"comment", "block_comment"})


def _until(node: "Node") -> "Node | None":
    """The last word of NODE: an indented block of the grammar goes on to what follows, comments included."""
    if node.start_point.row == node.end_point.row:
        return None
    last: Node | None = node
    while last is not None:
        node = last
        last = next((one for one in reversed(node.children) if one.end_byte > one.start_byte), None)
        while last is not None and last.type in _COMMENTS:
            last = last.prev_sibling
    return node


def _doc(body: "Node") -> "Node | None":
    """The comment before the definition of BODY where an indented block before it took it in."""
    node: Node | None = body
    while node is not None and not node.type.endswith("_definition"):
        node = node.parent
    if node is None:
        return None
    row, last = node.start_point.row, node.prev_named_sibling
    while last is not None and last.type not in _COMMENTS:
        last = last.named_child(last.named_child_count - 1) if last.named_child_count else None
    return last if last is not None and last.end_point.row == row - 1 else None


def _type(node: "Node") -> list[Pick]:
    """A class, object, trait or enum, by its own word."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    kind = "object" if node.type == "package_object" else node.type.split("_")[0]
    return [Pick(kind, name, body, "class", cut=head_end(node, body), until=_until(node))]


def _valued(node: "Node", kind: str, name: "Node | None", value: "Node | None") -> Pick:
    """What VALUE is: of `new T {...}` the members are found in it; else what is defined on the way to it."""
    inner = [one for one in value.named_children if one.type not in _COMMENTS] if value is not None else []
    only = inner[0] if value is not None and value.type == "indented_block" and len(inner) == 1 else value
    made = child(only, "template_body") if only is not None and only.type == "instance_expression" else None
    if made is not None:
        return Pick(kind, name, made, "class", until=_until(node))
    looked = value is not None and _HINTS.search(value.text or b"") is not None
    return Pick(kind, name, value, "code" if looked else None, until=_until(node))


def _function(node: "Node", kind: str) -> list[Pick]:
    body = node.child_by_field_name("body")
    pick = _valued(node, kind, node.child_by_field_name("name"), body)
    if pick.body is not body:
        return [pick]
    sign = next((one for one in node.children if one.type == "="), body)
    return [pick._replace(cut=head_end(node, sign))]


def _global(node: "Node") -> list[Pick]:
    return _function(node, "function")


def _method(node: "Node") -> list[Pick]:
    return _function(node, "method")


def _names(node: "Node") -> list["Node"]:
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("name")
    if pattern is None:
        return []
    while pattern.type in ("alternative_pattern", "typed_pattern") and (inner := first_child(pattern)) is not None:
        pattern = inner
    if pattern.type in ("identifier", "operator_identifier"):
        return [pattern]
    return [one for one in pattern.named_children if one.type == "identifier"]


def _values(node: "Node", kind: str) -> list[Pick]:
    names = _names(node)
    if len(names) == 1:
        pick = _valued(node, kind, names[0], node.child_by_field_name("value"))
        return [pick if pick.inside else pick._replace(body=None)]
    return [Pick(kind, name) for name in names]


def _variables(node: "Node") -> list[Pick]:
    return _values(node, "variable")


def _fields(node: "Node") -> list[Pick]:
    return _values(node, "field")


def _given(node: "Node") -> list[Pick]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    pick = _valued(node, "given", name or node.child_by_field_name("return_type"), body)
    return [pick._replace(inside="class", title=None if pick.name is not None else "given")]


def _anonymous(node: "Node") -> list[Pick]:
    """`new T {...}` is a class called `T`; without a body it is none."""
    body, name = child(node, "template_body"), first_child(node)
    name = name.child_by_field_name("base") or name if name is not None else None
    return [Pick("class", name, body, "class", until=_until(node))] if body is not None else []


def _call(node: "Node") -> list[Pick]:
    """`test("title") {...}` is a test; any other call is looked into."""
    called, body = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    given = called.child_by_field_name("arguments") if called is not None else None
    title = first_child(given) if given is not None else None
    if title is not None and title.type == "field_expression":
        title = first_child(title)
    if title is not None and title.type == "string" and body is not None:
        tests = words(called.child_by_field_name("function")) if called is not None else ""
        if tests in _TESTS and (body.type in _BLOCKS or tests == "suite"):
            return [Pick("test", title, body, "code")]
    return [Pick("", None, node, "code")]


def _infix(node: "Node") -> list[Pick]:
    """So is `"title" in {...}`, and `it should "grow" in {...}`, which is called `it should grow`."""
    left, body = node.child_by_field_name("left"), node.child_by_field_name("right")
    if body is not None and body.type == "call_expression":
        # What sets up and takes down around a test: `in withLock { lock => ...}`.
        body = body.child_by_field_name("arguments")
    if left is not None and body is not None and body.type in _BLOCKS:
        title = _said(left) if words(node.child_by_field_name("operator")) in _SAYS else ""
        if title:
            return [Pick("test", left, body, "code", title)]
    return [Pick("", None, node, "code")]


def _said(node: "Node") -> str:
    """The words of a test, tags aside; "" where none of them is a string."""
    told: list[str] = []
    stated = False
    inner: Node | None = node
    while inner is not None and inner.type == "infix_expression":
        operator = words(inner.child_by_field_name("operator"))
        right = inner.child_by_field_name("right")
        if operator not in _TAGS and right is not None:
            told[:0] = operator, words(right).strip('"')
            stated = stated or right.type == "string"
        inner = inner.child_by_field_name("left")
    if inner is not None:
        told.insert(0, words(inner).strip('"'))
        stated = stated or inner.type == "string"
    return " ".join(told) if stated else ""


_TYPES = {
    **dict.fromkeys(
        ("class_definition", "object_definition", "package_object", "trait_definition", "enum_definition"),
        Rule(pick=_type),
    ),
    "type_definition": Rule("type"),
    "given_definition": Rule(pick=_given),
}
_CALLS = {"call_expression": Rule(pick=_call), "infix_expression": Rule(pick=_infix)}
_FUNCTIONS = ("function_definition", "function_declaration")
_VALUES = ("val_definition", "var_definition", "val_declaration", "var_declaration")
_EXTENSION = {"extension_definition": THROUGH}

TABLE = Table(
    contexts={
        "top": {
            **_TYPES,
            **_EXTENSION,
            **_CALLS,
            **dict.fromkeys(_VALUES, Rule(pick=_variables)),
            **dict.fromkeys(_FUNCTIONS, Rule(pick=_global)),
            "package_clause": THROUGH,
            "template_body": THROUGH,
        },
        "class": {
            **_TYPES,
            **_EXTENSION,
            **_CALLS,
            **dict.fromkeys(_VALUES, Rule(pick=_fields)),
            **dict.fromkeys(_FUNCTIONS, Rule(pick=_method)),
            "enum_case_definitions": THROUGH,
            "simple_enum_case": Rule("enum_member"),
            "full_enum_case": Rule("enum_member"),
            "template_body": THROUGH,
        },
        "code": {
            **_TYPES,
            **_CALLS,
            **dict.fromkeys(_FUNCTIONS, Rule(pick=_global)),
            "instance_expression": Rule(pick=_anonymous),
            **through(
                "block indented_block if_expression match_expression case_block indented_cases case_clause arguments"
                " val_definition var_definition for_expression enumerators enumerator try_expression catch_clause"
                " finally_clause lambda_expression while_expression return_expression field_expression"
                " parenthesized_expression generic_function assignment_expression ascription_expression"
                " postfix_expression colon_argument"
            ),
        },
    },
    marks=frozenset({"annotation"}),
    comments=_COMMENTS,
    doc=_doc,
    calmed=_calmed,
    needs={"code": Needs((b"def", b"class", b"object", b"trait", b"enum", b"given", b"new", b"type", b'"'))},
)
