"""JavaScript, and what TypeScript adds: declarations, assigned functions, object members, tests."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, WRAP, Pick, Rule, Table, first_child, through, words

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_TESTS = frozenset(
    {"describe", "it", "test", "suite", "context", "specify", "beforeEach", "afterEach", "before", "after"}
)
_WRAPPED = frozenset({"parenthesized_expression", "as_expression", "satisfies_expression", "unary_expression"})
_EXPORTS = ("exports", "module.exports")
_HAS_FUNCTION = (b"=>", b"function", b"(")


def _value(node: "Node", kind: str, name: "Node | None", *, title: str | None = None, owner: str = "") -> Pick | None:
    """What a name is bound to where that is a function, class or object; None for other values."""
    while node.type in _WRAPPED and (inner := first_child(node)) is not None:
        node = inner
    if node.type in _FUNCTIONS:
        return Pick(kind, name, node.child_by_field_name("body"), "function", title, owner)
    if node.type == "class":
        return Pick("class", name, node.child_by_field_name("body"), "class", title, owner)
    if node.type == "object":
        return Pick("variable", name, node, "object", title, owner)
    if node.type == "call_expression" and (found := _callback(node)):
        return Pick("variable", name, *found, title, owner)
    if node.type == "array" and any(map(_name_of, node.named_children)):
        return Pick("variable", name, node, "array", title, owner)
    return None


def _name_of(function: "Node") -> "Node | None":
    """The name that a function has of its own where it stands as a value."""
    return function.child_by_field_name("name") if function.type in _FUNCTIONS else None


def _named(function: "Node") -> list[Pick]:
    """A function among the values of a list, where it has a name."""
    name = _name_of(function)
    return [Pick("function", name, function.child_by_field_name("body"), "function")] if name is not None else []


def _callback(call: "Node") -> tuple["Node", str] | None:
    """The body of the function that is called, or of the first that a call is given, else an object with functions."""
    called = call.child_by_field_name("function")
    if called is not None and called.type == "parenthesized_expression":
        called = first_child(called)
    if called is not None and called.type in _FUNCTIONS and (body := called.child_by_field_name("body")) is not None:
        return body, "function"
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    for one in given:
        if one.type in _FUNCTIONS and (body := one.child_by_field_name("body")) is not None:
            return body, "function"
    for one in given:
        if one.type == "object" and any(hint in (one.text or b"") for hint in _HAS_FUNCTION):
            return one, "object"
    return None


def _declarator(node: "Node", *, local: bool = False) -> list[Pick]:
    """`name = value`, `{ a, b } = value`; LOCAL ones only where the value is a function or class."""
    name = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if name is None:
        return []
    if name.type in ("object_pattern", "array_pattern"):
        return [] if local else [Pick("variable", one) for one in _pattern_names(name)]
    pick = _value(value, "function", name) if value is not None else None
    if pick is not None and not (local and pick.kind == "variable"):
        return [pick]
    if local:
        return [pick._replace(kind="")] if pick is not None and pick.inside == "function" else []
    return [Pick("constant" if words(name).isupper() else "variable", name)]


def _local(node: "Node") -> list[Pick]:
    return _declarator(node, local=True)


def _pattern_names(pattern: "Node") -> list["Node"]:
    found = []
    for child in pattern.named_children:
        if child.type == "pair_pattern":
            child = child.child_by_field_name("value") or child
        if child.type in ("shorthand_property_identifier_pattern", "identifier"):
            found.append(child)
    return found


def _statement(node: "Node") -> list[Pick]:
    """Assigned functions (`a.b = function`), tests (`it("...", ...)`), and what wraps a whole file."""
    node = first_child(node) or node
    while node.type in ("parenthesized_expression", "unary_expression", "await_expression"):
        inner = first_child(node)
        if inner is None:
            return []
        node = inner
    if node.type == "assignment_expression":
        return _assignment(node)
    if node.type == "call_expression":
        return _call(node)
    if node.type in _FUNCTIONS:
        return [Pick("", None, node.child_by_field_name("body"), "function")]
    if node.type == "internal_module":
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
    if left.type == "identifier":
        pick = _value(right, "function", left)
        return [pick] if pick is not None and pick.kind != "variable" else []
    name = left.child_by_field_name("property")
    owner = words(left.child_by_field_name("object"))
    if left.type != "member_expression" or name is None:
        return []
    if owner == "module" and words(name) == "exports":
        pick = _value(right, "function", None, title="exports")
        return [pick] if pick is not None else []
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


def _call(node: "Node") -> list[Pick]:
    """`describe("title", () => {...})` is a test; a call of a function, or with functions, is looked into."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return []
    while function.type in ("parenthesized_expression", "member_expression") and function.named_child_count:
        if function.type == "member_expression" and words(function.child_by_field_name("property")) not in (
            "call",
            "apply",
            "only",
            "skip",
            "todo",
        ):
            break
        function = function.named_children[0]
    if function.type in _FUNCTIONS:
        return [Pick("", None, function.child_by_field_name("body"), "top")]
    found = _callback(node)
    if found is None:
        return []
    body, inside = found
    made = body.parent
    if inside == "function" and words(function).split("(")[0].split(".")[0] in _TESTS:
        title = first_child(arguments)
        named = title is not None and title.type in ("string", "template_string")
        name = words(title).strip("\"'`") if named else words(function)
        return [Pick("test", title if named else function, body, inside, name)]
    own = _name_of(made) if made is not None else None
    return [Pick("function", own, body, inside)] if own is not None else [Pick("", None, body, inside)]


def _default(node: "Node") -> list[Pick]:
    """What `export default` gives without a name."""
    pick = _value(node, "function", None, title="default")
    if pick is None:
        return []
    made = pick.body.parent if pick.body is not None and node.type == "call_expression" else None
    own = _name_of(made) if made is not None else None
    return [pick if own is None else Pick("function", own, pick.body, pick.inside)]


def _pair(node: "Node") -> list[Pick]:
    """A member of an object where it is a function, or an object that may hold some."""
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if key is None or value is None:
        return []
    pick = _value(value, "method", key, title=words(key).strip("\"'"))
    if pick is None or (pick.kind == "variable" and not any(hint in (value.text or b"") for hint in _HAS_FUNCTION)):
        return []
    return [pick._replace(kind="property") if pick.kind == "variable" else pick]


def _field(node: "Node") -> list[Pick]:
    name = node.child_by_field_name("name") or node.child_by_field_name("property")
    value = node.child_by_field_name("value")
    if name is None:
        return []
    pick = _value(value, "method", name) if value is not None else None
    return [pick] if pick is not None and pick.inside == "function" else [Pick("field", name)]


_SHAPE = re.compile(
    rb"function|=>|\bclass\b|[{,]\s*(?:(?:async|get|set)\s+|\*\s*)*+(?!if\b|for\b|while\b|switch\b|with\b|catch\b)"
    rb"[\w$\[\]\"'.]+\s*\([^;]*?\)\s*\{"
)
"""A function, or a member of an object that is one: `{ name(...) {`."""

_FUNCTION = Rule("function", inside="function", shape=_SHAPE)
_METHOD = Rule("method", inside="function", shape=_SHAPE)
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
    "export_statement": Rule(inside="export", wraps=True),
    "variable_declarator": Rule(pick=_declarator),
}
DEFAULT = Rule(pick=_default)
_EXPORTED = dict.fromkeys((*_FUNCTIONS, "class", "object", "call_expression", "parenthesized_expression"), DEFAULT)
CLASS = {"method_definition": _METHOD, "class_static_block": THROUGH}
CONTEXTS = {
    "top": TOP,
    "export": {**TOP, **_EXPORTED},
    "class": {**CLASS, "field_definition": Rule(pick=_field)},
    "object": {"method_definition": _METHOD, "pair": Rule(pick=_pair)},
    "array": dict.fromkeys(("function_expression", "generator_function"), Rule(pick=_named)),
    "function": {**_DECLARED, "variable_declarator": Rule(pick=_local)},
}
FIELD = Rule(pick=_field)

TABLE = Table(contexts=CONTEXTS, marks=frozenset({"decorator"}), comments=frozenset({"comment"}))
