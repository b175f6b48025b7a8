"""JavaScript, and what TypeScript adds: declarations, assigned functions, object members, tests."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.jscalls import (
    CALLS,
    FUNCTIONS,
    call,
    factory,
    given_class,
    given_function,
    has_members,
    made,
    made_of,
    may_hold,
    own_name,
    route,
)
from budgeted_reads.outline.languages.jsgaps import mended
from budgeted_reads.outline.languages.jsneeds import IN_FUNCTION
from budgeted_reads.outline.languages.jspatterns import PATTERNS, names_in
from budgeted_reads.outline.languages.table import (
    THROUGH,
    WRAP,
    Pick,
    Rule,
    Table,
    first_child,
    in_capitals,
    through,
    words,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_CASTS = frozenset({"as_expression", "satisfies_expression"})
_AROUND = _CASTS | {"parenthesized_expression", "unary_expression", "await_expression"}
_WRAPPED = _CASTS | {"parenthesized_expression", "unary_expression", "assignment_expression"}
_EXPORTS = ("exports", "module.exports")


def _value(node: "Node", kind: str, name: "Node | None", *, title: str | None = None, owner: str = "") -> Pick | None:
    """What a name is bound to where that is a function, class or object; None for other values."""
    is_a = node.type
    while is_a in _WRAPPED:
        inner = node.child_by_field_name("right") if is_a == "assignment_expression" else first_child(node)
        if inner is None:
            break
        node, is_a = inner, inner.type
    if is_a in FUNCTIONS:
        return made(Pick, (kind, name, node.child_by_field_name("body"), "function", title, owner, None, False, None))
    if is_a in CALLS:
        found = made_of(node)
        return Pick("variable", name, found[0], found[1], title, owner, found[2]) if found is not None else None
    if is_a == "object":
        return made(Pick, ("variable", name, node, "object", title, owner, None, False, None))
    if is_a == "class":
        return Pick("class", name, node.child_by_field_name("body"), "class", title, owner)
    return _list(node, kind, Pick("variable", name, node, "array", title, owner)) if is_a == "array" else None


def _list(node: "Node", kind: str, pick: Pick) -> Pick | None:
    """PICK where a list has functions with names; of `["$a", function ($a) {...}]` the function, which is given $a."""
    values = node.named_children
    if len(values) > 1 and values[-1].type in FUNCTIONS and all(one.type == "string" for one in values[:-1]):
        return pick._replace(kind=kind, body=values[-1].child_by_field_name("body"), inside="function")
    return pick if any(map(own_name, values)) else None


def _unnamed(node: "Node", title: str) -> list[Pick]:
    """A value without a name: by that of its function or class, else as TITLE."""
    pick = _value(node, "function", None, title=title)
    if pick is None:
        return []
    holder = pick.body.parent if pick.body is not None and pick.inside in ("function", "class") else None
    name = holder.child_by_field_name("name") if holder is not None else None
    kind = "class" if pick.inside == "class" else "function"
    return [pick if name is None else Pick(kind, name, pick.body, pick.inside)]


def _named(function: "Node") -> list[Pick]:
    """A function among the values of a list, where it has a name."""
    return given_function(function) if own_name(function) is not None else []


def _declarator(node: "Node") -> list[Pick]:
    """`name = value`, `{ a, b } = value`."""
    name = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if name is None:
        return []
    if name.type in PATTERNS:
        return [Pick("variable", one) for one in names_in(name)]
    pick = _value(value, "function", name) if value is not None else None
    if pick is not None:
        return [pick]
    kind = "constant" if in_capitals(name) else "variable"
    return [made(Pick, (kind, name, None, None, None, "", None, False, None))]


def _local(node: "Node") -> list[Pick]:
    """As `_declarator`, where the value is a function, class or object with some."""
    name = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if name is None or value is None or name.type in PATTERNS:
        return []
    return _held(_value(value, "function", name))


def _held(pick: Pick | None) -> list[Pick]:
    """A function, class or object with some; of another value, what its functions define.

    What a call is given are most often options: they count where its name is that of a class (`A = B.extend({...})`).
    """
    if pick is None:
        return []
    if pick.kind != "variable":
        return [pick]
    if pick.inside == "object":
        options = pick.cut is not None and not (pick.name is not None and (pick.name.text or b"")[:1].isupper())
        holds = pick.body is not None and not options and has_members(pick.body)
        return [pick._replace(inside="members")] if holds else []
    return [Pick("", None, pick.body, pick.inside)] if pick.inside != "array" else []


def _outermost(node: "Node") -> list[Pick]:
    """As `_statement`, and what a server answers: `app.get("/path", ...)`."""
    inner = first_child(node)
    return (route(inner) if inner is not None and inner.type == "call_expression" else None) or _statement(node)


def _statement(node: "Node") -> list[Pick]:
    """Assigned functions (`a.b = function`), tests (`it("...", ...)`), what is returned, what wraps a whole file."""
    node = first_child(node) or node
    kind = node.type
    while kind in _AROUND:
        inner = first_child(node)
        if inner is None:
            return []
        node, kind = inner, inner.type
    if kind in CALLS:
        return call(node)
    if kind == "assignment_expression":
        return _assignment(node)
    if kind in FUNCTIONS:
        return given_function(node)
    if kind == "object":
        return [Pick("", None, node, "members")]
    if kind == "class":
        return given_class(node)
    if kind == "internal_module":
        return [Pick("namespace", node.child_by_field_name("name"), node.child_by_field_name("body"), "top")]
    return []


def _assignment(node: "Node") -> list[Pick]:
    """`a.b = function`, `exports.a = value`; of `a = b = value`, the first name, or all that are exported."""
    lefts: list[Node] = []
    right: Node | None = node
    while right is not None and right.type == "assignment_expression":
        left, right = right.child_by_field_name("left"), right.child_by_field_name("right")
        if left is not None:
            lefts.append(left)
    if not lefts or right is None:
        return []
    left = lefts[0]
    if words(left) in _EXPORTS:
        return _unnamed(right, "exports")
    if left.type != "member_expression":
        return _held(_value(right, "function", left))
    name = left.child_by_field_name("property")
    owner = words(left.child_by_field_name("object"))
    if name is None:
        return []
    is_method = owner.endswith(".prototype") or owner == "this"
    owner = owner.removesuffix(".prototype")
    exported = owner in _EXPORTS
    owner = "" if exported or owner == "this" or not owner.isidentifier() else owner
    pick = _value(right, "method" if is_method else "function", name, owner=owner)
    if pick is not None:
        return [pick]
    return [Pick("variable", one) for one in map(_exported, lefts) if one is not None] if exported else []


def _exported(left: "Node") -> "Node | None":
    """`name` of `exports.name`."""
    holder = left.child_by_field_name("object") if left.type == "member_expression" else None
    return left.child_by_field_name("property") if words(holder) in _EXPORTS else None


def _default(node: "Node") -> list[Pick]:
    """What `export default` gives without a name."""
    return _unnamed(node, "default")


def _pair(node: "Node") -> list[Pick]:
    """A member of an object where it is a function, or an object that may hold some."""
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if key is None or value is None:
        return []
    pick = _value(value, "method", key)
    if pick is None or (pick.kind == "variable" and not may_hold(value)):
        return []
    return [pick._replace(kind="property") if pick.kind == "variable" else pick]


def _member(node: "Node") -> list[Pick]:
    """As `_pair`, of an object that has no name of its own or is local: of a call, only what its functions define."""
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if key is None or value is None:
        return []
    found = _held(_value(value, "method", key))
    return [pick._replace(kind="property") if pick.kind == "variable" else pick for pick in found]


def _field(node: "Node") -> list[Pick]:
    name = node.child_by_field_name("name") or node.child_by_field_name("property")
    value = node.child_by_field_name("value")
    if name is None:
        return []
    pick = _value(value, "method", name) if value is not None else None
    if pick is None:
        return [Pick("field", name)]
    if pick.inside == "object" and pick.body is not None and has_members(pick.body):
        return [pick._replace(kind="field", inside="members")]
    return [pick] if pick.inside == "function" else [Pick("field", name)]


_FUNCTION = Rule("function", inside="function")
_METHOD = Rule("method", inside="function")
_DECLARED = {
    "class_declaration": Rule("class", inside="class"),
    "function_declaration": _FUNCTION,
    "generator_function_declaration": _FUNCTION,
    "lexical_declaration": WRAP,
    "variable_declaration": WRAP,
    "expression_statement": Rule(pick=_statement),
    "return_statement": Rule(pick=_statement),
    **through(
        "statement_block if_statement else_clause for_statement for_in_statement while_statement do_statement"
        " try_statement catch_clause finally_clause switch_statement switch_body switch_case switch_default"
        " labeled_statement"
    ),
}
TOP = {
    **_DECLARED,
    "expression_statement": Rule(pick=_outermost),
    "export_statement": Rule(inside="export", wraps=True),
    "variable_declarator": Rule(pick=_declarator),
}
DEFAULT = Rule(pick=_default)
_EXPORTED = dict.fromkeys((*FUNCTIONS, *CALLS, "class", "object", "parenthesized_expression"), DEFAULT)
_CALLS = {
    **dict.fromkeys(CALLS, Rule(pick=call)),
    **through("arguments member_expression parenthesized_expression array"),
}
_MEMBERS = Rule(inside="members")
CLASS = {"method_definition": _METHOD, "class_static_block": THROUGH}
CONTEXTS = {
    "top": TOP,
    "export": {**TOP, **_EXPORTED},
    "class": {**CLASS, "field_definition": Rule(pick=_field)},
    "object": {"method_definition": _METHOD, "pair": Rule(pick=_pair)},
    "members": {"method_definition": _METHOD, "pair": Rule(pick=_member)},
    "array": dict.fromkeys(("function_expression", "generator_function"), Rule(pick=_named)),
    "call": {
        **_CALLS,
        **dict.fromkeys(FUNCTIONS, Rule(pick=given_function)),
        "await_expression": THROUGH,
        "object": _MEMBERS,
        "class": Rule(pick=given_class),
    },
    "wrapper": {**_CALLS, **dict.fromkeys(FUNCTIONS, Rule(pick=factory)), "object": _MEMBERS},
    "function": {
        **_DECLARED,
        "variable_declarator": Rule(pick=_local),
        # Of `(a) => ({...})`, `(a) => class {...}` and `(a) => b(...)` the body is that.
        "object": _MEMBERS,
        "class_body": Rule(inside="class"),
        "arguments": Rule(inside="call"),
    },
}
FIELD = Rule(pick=_field)
SEARCHED = ("function", "call")
"""Contexts of code in which most has no definitions."""

TABLE = Table(
    contexts=CONTEXTS,
    marks=frozenset({"decorator"}),
    comments=frozenset({"comment"}),
    mends=mended,
    needs=dict.fromkeys(SEARCHED, IN_FUNCTION),
)
