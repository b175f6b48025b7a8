"""C++: what C has, and classes, namespaces, templates, members defined outside of their class."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages import c
from budgeted_reads.outline.languages.macros import blanked, one_branch
from budgeted_reads.outline.languages.table import THROUGH, WRAP, Pick, Rule, Table, words

if TYPE_CHECKING:
    from tree_sitter import Node


def _function(node: "Node") -> list[Pick]:
    declarator = node.child_by_field_name("declarator")
    made = c.bodied(node, None)
    if made and declarator is None:
        return made
    name, _ = c.named(declarator)
    if name is None:
        return []
    body = node.child_by_field_name("body")
    cut = next((child for child in node.children if child.type == "field_initializer_list"), body)
    if name.type == "operator_cast" or (declarator is not None and declarator.type == "operator_cast"):
        made_name = declarator if declarator is not None else name
        return [Pick("function", made_name, body, title=words(made_name).split("(")[0].strip(), cut=cut)]
    return [c.owned(name, "function", body)._replace(cut=cut)]


def _method(node: "Node") -> list[Pick]:
    return [pick._replace(kind="method") if pick.kind == "function" else pick for pick in _function(node)]


def _globals(node: "Node") -> list[Pick]:
    return c.variables(node, "variable", "function")


def _members(node: "Node") -> list[Pick]:
    return c.variables(node, "field", "method")


def _bodied(node: "Node") -> list[Pick]:
    return c.bodied(node, None)


def _namespace(node: "Node") -> list[Pick]:
    """A namespace by its name; one without a name is only looked into."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return [Pick("", None, body, "top")]
    return [Pick("namespace", name, body, "top", title=words(name).replace("::", "."))]


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
    },
    comments=frozenset({"comment"}),
    calmed=blanked,
    retry=one_branch,
    lenient=True,
)
