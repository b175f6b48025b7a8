"""Haskell: types, classes, instances, patterns, functions (signature and equations of one name together)."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.heads import head_end
from budgeted_reads.outline.languages.table import THROUGH, WRAP, Pick, Rule, Table, along, child, first_child, words

if TYPE_CHECKING:
    from tree_sitter import Node


def _function(node: "Node") -> list[Pick]:
    """One equation, or a signature; an operator is called without its parentheses."""
    name = node.child_by_field_name("name") or along(node, "infix/operator") or along(node, "infix/infix_id")
    cut = node.child_by_field_name("match") if node.type != "signature" else head_end(node, None)
    return [Pick("function", name, None, title=words(name).strip("()` "), cut=cut)] if name is not None else []


def _instance(node: "Node") -> list[Pick]:
    name, given = node.child_by_field_name("name"), node.child_by_field_name("patterns")
    title = " ".join(filter(None, (words(name), words(given))))
    return [Pick("instance", name, node.child_by_field_name("declarations"), "class", title)]


def _field(node: "Node") -> list[Pick]:
    names = [first_child(one) for one in node.named_children if one.type == "field_name"]
    return [Pick("field", name) for name in names if name is not None]


def _constructor(node: "Node") -> list[Pick]:
    made = first_child(node)
    name = (made.child_by_field_name("name") or made.child_by_field_name("operator")) if made is not None else None
    if made is None or name is None:
        return []
    return [Pick("enum_member", name, child(made, "fields"), "fields", words(name).strip("`"))]


def _typed_constructors(node: "Node") -> list[Pick]:
    """`A, B :: Int -> T`, as they stand below `data T where`."""
    names = child(node, "binding_list") or node
    fields = along(node, "record/fields")
    picks = [Pick("enum_member", one, fields, "fields") for one in names.named_children if one.type == "constructor"]
    return picks if len(picks) == 1 else [pick._replace(body=None) for pick in picks]


def _data(node: "Node") -> list[Pick]:
    body = node.child_by_field_name("constructors") or node.child_by_field_name("constructor")
    sign = next((one for one in node.children if one.type == "="), body)
    return [Pick("type", node.child_by_field_name("name"), body, "constructors", cut=sign)]


def _pattern(node: "Node") -> list[Pick]:
    """A pattern synonym; its signature and its equation are one definition."""
    made = child(node, "signature", "equation")
    name = made.child_by_field_name("synonym") if made is not None else None
    while name is not None and name.type in ("apply", "infix"):
        name = name.child_by_field_name("function") or name.child_by_field_name("operator")
    return [Pick("pattern", name)] if name is not None else []


def _foreign(node: "Node") -> list[Pick]:
    made = child(node, "signature")
    return [pick._replace(cut=None) for pick in _function(made)] if made is not None else []


_FUNCTION = Rule(pick=_function)
_FUNCTIONS = dict.fromkeys(("signature", "function", "bind"), _FUNCTION)
_DATA = dict.fromkeys(("data_type", "newtype"), Rule(pick=_data))
_FAMILIES = dict.fromkeys(("type_family", "data_family"), Rule("type"))


def _equations(before: str, after: str) -> bool:
    """All equations of a name are one function."""
    return True


TABLE = Table(
    contexts={
        "top": {
            "declarations": THROUGH,
            **_FUNCTIONS,
            **_DATA,
            **_FAMILIES,
            "data_instance": WRAP,
            "type_synomym": Rule("type"),
            "type_instance": Rule(pick=_instance),
            "pattern_synonym": Rule(pick=_pattern),
            "foreign_import": Rule(pick=_foreign),
            "class": Rule("class", body="declarations", inside="class"),
            "instance": Rule(pick=_instance),
            "deriving_instance": Rule(pick=_instance),
        },
        "class": {**_FUNCTIONS, **_FAMILIES},
        "constructors": {
            "data_constructor": Rule(pick=_constructor),
            "gadt_constructor": Rule(pick=_typed_constructors),
            "record": Rule(inside="fields"),
        },
        "fields": {"field": Rule(pick=_field)},
    },
    comments=frozenset({"comment", "haddock"}),
    merges=_equations,
)
