"""Haskell: types, classes, instances, functions (signature and equations of one name together)."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Pick, Rule, Table, along, child, first_child, words

if TYPE_CHECKING:
    from tree_sitter import Node


def _function(node: "Node") -> list[Pick]:
    """One equation, or a signature; an operator is called without its parentheses."""
    name = node.child_by_field_name("name") or along(node, "infix/operator") or along(node, "infix/infix_id")
    cut = node.child_by_field_name("match") if node.type != "signature" else None
    return [Pick("function", name, None, title=words(name).strip("()` "), cut=cut)] if name is not None else []


def _instance(node: "Node") -> list[Pick]:
    name, given = node.child_by_field_name("name"), node.child_by_field_name("patterns")
    title = " ".join(filter(None, (words(name), words(given))))
    return [Pick("instance", name, node.child_by_field_name("declarations"), "class", title)]


def _field(node: "Node") -> list[Pick]:
    name = along(node, "field_name/variable")
    return [Pick("field", name)] if name is not None else []


def _constructor(node: "Node") -> list[Pick]:
    made = first_child(node)
    name = made.child_by_field_name("name") if made is not None else None
    return [Pick("enum_member", name, child(made, "fields"), "fields")] if made is not None and name is not None else []


_FUNCTION = Rule(pick=_function)
_FUNCTIONS = dict.fromkeys(("signature", "function", "bind"), _FUNCTION)

TABLE = Table(
    contexts={
        "top": {
            "declarations": THROUGH,
            **_FUNCTIONS,
            "data_type": Rule("type", body="constructors", inside="constructors"),
            "newtype": Rule("type", body="constructor", inside="constructors"),
            "type_synomym": Rule("type"),
            "type_family": Rule("type"),
            "class": Rule("class", body="declarations", inside="class"),
            "instance": Rule(pick=_instance),
        },
        "class": _FUNCTIONS,
        "constructors": {"data_constructor": Rule(pick=_constructor), "record": Rule(inside="fields")},
        "fields": {"field": Rule(pick=_field)},
    },
    comments=frozenset({"comment", "haddock"}),
    merges=True,
)
