"""C++: what C has, and classes, namespaces, templates, members defined outside of their class."""

import re
from functools import partial
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages import c
from budgeted_reads.outline.languages.branches import one_branch
from budgeted_reads.outline.languages.gaps import mended
from budgeted_reads.outline.languages.macros import blanked
from budgeted_reads.outline.languages.table import THROUGH, WRAP, Needs, Pick, Rule, Table, through, words

if TYPE_CHECKING:
    from tree_sitter import Node


def _function(node: "Node", kind: str = "function") -> list[Pick]:
    declarator = node.child_by_field_name("declarator")
    if declarator is None:
        return c.bodied(node, None)
    name, _ = c.named(declarator)
    if name is None:
        return []
    if kind == "function" and (made := c.headed(node, declarator, name)):
        return made
    body = node.child_by_field_name("body")
    cut = next((child for child in node.children if child.type == "field_initializer_list"), body)
    if name.type == "operator_cast" or declarator.type == "operator_cast":
        return [Pick(kind, declarator, body, title=words(declarator).split("(")[0].strip(), cut=cut)]
    return [c.owned(name, kind, body, "function", cut)]


def _method(node: "Node") -> list[Pick]:
    return _function(node, "method")


def _globals(node: "Node") -> list[Pick]:
    return c.variables(node, "variable", "function")


def _members(node: "Node") -> list[Pick]:
    return c.variables(node, "field", "method")


def _bodied(node: "Node") -> list[Pick]:
    return c.bodied(node, None)


def _locals(node: "Node") -> list[Pick]:
    """A type that a declaration inside of a function also defines."""
    return _globals(node) if c.bodied(node, None) else []


def _namespace(node: "Node") -> list[Pick]:
    """A namespace by its name; one without a name is only looked into."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return [Pick("", None, body, "top")]
    return [Pick("namespace", name, body, "top", title=words(name).replace("::", "."))]


def _defined(source: bytes, offsets: list[int]) -> list[int]:
    """Those of OFFSETS at which a type is defined, not only named."""
    return [at for at in offsets if _BRACE.match(source, at) is not None]


_BRACE = re.compile(rb"typedef\b|using\s+\w+\s*=|(?:struct|class|union|enum)\s[^;(){}=,]{0,200}+\{")
_BODIED = ("struct_specifier", "union_specifier", "enum_specifier", "class_specifier")
_TYPES = dict.fromkeys(_BODIED, Rule(pick=_bodied))
_BOTH = {
    **c.BRANCHES,
    **c.MACROS,
    **_TYPES,
    "template_declaration": WRAP,
    "alias_declaration": Rule("type"),
    "type_definition": Rule(pick=c.typedef),
}

_LOCAL = {
    **c.BRANCHES,
    **_TYPES,
    "declaration": Rule(pick=_locals),
    "alias_declaration": Rule("type"),
    "type_definition": Rule(pick=c.typedef),
    "template_declaration": WRAP,
    **through(
        "compound_statement if_statement else_clause for_statement for_range_loop while_statement do_statement"
        " try_statement catch_clause switch_statement case_statement labeled_statement"
    ),
}
"""Types that are defined inside of functions."""

TABLE = Table(
    contexts={
        "top": {
            **_BOTH,
            "function_definition": Rule(pick=_function),
            "declaration": Rule(pick=_globals),
            "concept_definition": Rule("concept"),
            "namespace_definition": Rule(pick=_namespace),
            "linkage_specification": THROUGH,
            "declaration_list": THROUGH,
        },
        "fields": {
            **_BOTH,
            "function_definition": Rule(pick=_method),
            "declaration": Rule(pick=_members),
            "field_declaration": Rule(pick=_members),
            "friend_declaration": Rule(inside="friend", wraps=True),
        },
        "friend": {"function_definition": Rule(pick=_function)},
        "enum": {**c.BRANCHES, **c.MACROS, "enumerator": Rule("enum_member")},
        "function": _LOCAL,
        "test": {**_LOCAL, **c.TEST},
    },
    comments=frozenset({"comment"}),
    calmed=blanked,
    mends=partial(mended, cpp=True),
    retry=one_branch,
    lenient=True,
    needs={
        "function": Needs(
            (b"struct ", b"class ", b"union ", b"enum ", b"using ", b"typedef "),
            counts=_defined,
            inner=(b"{",),
            alone=(b"using ", b"typedef "),
        )
    },
)
