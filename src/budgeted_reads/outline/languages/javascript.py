"""JavaScript, and what TypeScript adds: declarations, assigned functions, object members, tests."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.jsgaps import mended
from budgeted_reads.outline.languages.table import (
    THROUGH,
    WRAP,
    Needs,
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

_made = tuple.__new__
"""Makes a pick of all its fields: the usual way takes twice as long."""

_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_TESTS = rb"(?:describe|it|test|suite|context|specify|beforeEach|afterEach|before|after)"
_TEST = re.compile(rb"\s*" + _TESTS + rb"(?:\s*[.(]|\s*\Z)")
_AROUND = frozenset({"parenthesized_expression", "unary_expression", "await_expression"})
_HOLDERS = frozenset({"parenthesized_expression", "member_expression"})
_WRAPPED = frozenset({"parenthesized_expression", "as_expression", "satisfies_expression", "unary_expression"})
_EXPORTS = ("exports", "module.exports")
_PARENTHESIS = 0x28


def _value(node: "Node", kind: str, name: "Node | None", *, title: str | None = None, owner: str = "") -> Pick | None:
    """What a name is bound to where that is a function, class or object; None for other values."""
    made = node.type
    while made in _WRAPPED and (inner := first_child(node)) is not None:
        node, made = inner, inner.type
    if made == "call_expression":
        found = _callback(node.child_by_field_name("function"), _given(node))
        return Pick("variable", name, found[1], found[2], title, owner) if found is not None else None
    if made in _FUNCTIONS:
        return Pick(kind, name, node.child_by_field_name("body"), "function", title, owner)
    if made == "object":
        return Pick("variable", name, node, "object", title, owner)
    if made == "class":
        return Pick("class", name, node.child_by_field_name("body"), "class", title, owner)
    if made == "array" and any(map(_name_of, node.named_children)):
        return Pick("variable", name, node, "array", title, owner)
    return None


def _may_hold(value: "Node") -> bool:
    """Whether a function may stand in VALUE."""
    text = value.text or b""
    return _PARENTHESIS in text or b"=>" in text


def _name_of(function: "Node") -> "Node | None":
    """The name that a function has of its own where it stands as a value."""
    return function.child_by_field_name("name") if function.type in _FUNCTIONS else None


def _named(function: "Node") -> list[Pick]:
    """A function among the values of a list, where it has a name."""
    name = _name_of(function)
    return [Pick("function", name, function.child_by_field_name("body"), "function")] if name is not None else []


def _given(call: "Node") -> list["Node"]:
    """What a call is given."""
    arguments = call.child_by_field_name("arguments")
    return arguments.named_children if arguments is not None else []


def _callback(called: "Node | None", given: list["Node"]) -> tuple["Node", "Node", str] | None:
    """The function that is called, or the first that a call is given, and its body; else an object with functions."""
    kind = called.type if called is not None else ""
    if called is not None and kind == "parenthesized_expression":
        called = first_child(called)
        kind = called.type if called is not None else ""
    if called is not None and kind in _FUNCTIONS and (body := called.child_by_field_name("body")) is not None:
        return called, body, "function"
    holder = None
    for one in given:
        made = one.type
        if made in _FUNCTIONS and (body := one.child_by_field_name("body")) is not None:
            return one, body, "function"
        if holder is None and made == "object" and _may_hold(one):
            holder = one
    return (holder, holder, "object") if holder is not None else None


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
    return [Pick("constant" if in_capitals(name) else "variable", name)]


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
    kind = node.type
    while kind in _AROUND:
        inner = first_child(node)
        if inner is None:
            return []
        node, kind = inner, inner.type
    if kind == "call_expression":
        return _call(node)
    if kind == "assignment_expression":
        return _assignment(node)
    if kind in _FUNCTIONS:
        return [Pick("", None, node.child_by_field_name("body"), "function")]
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
    function = node.child_by_field_name("function")
    if function is None:
        return []
    called = _called(function)
    if called.type in _FUNCTIONS:
        return [Pick("", None, called.child_by_field_name("body"), "top")]
    given = _given(node)
    found = _callback(function, given)
    if found is None:
        return []
    made, body, inside = found
    if inside == "function" and given and _TEST.match(function.text or b"") is not None:
        title = given[0]
        named = title.type in ("string", "template_string")
        name = None if named else words(function)
        return [_made(Pick, ("test", title if named else function, body, inside, name, "", None, False, None))]
    own = _name_of(made)
    return [Pick("function", own, body, inside)] if own is not None else [Pick("", None, body, inside)]


def _called(function: "Node") -> "Node":
    """What is called in the end: of `(function () {...}).call` the function."""
    while (kind := function.type) in _HOLDERS:
        inner = first_child(function)
        if inner is None or (kind == "member_expression" and not _calls(function, inner)):
            break
        function = inner
    return function


def _calls(member: "Node", owner: "Node") -> bool:
    """Whether a member of OWNER is `f.call` or `f.apply`, where OWNER may be a function."""
    if owner.type not in _HOLDERS and owner.type not in _FUNCTIONS:
        return False
    return words(member.child_by_field_name("property")) in ("call", "apply")


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
    if pick is None or (pick.kind == "variable" and not _may_hold(value)):
        return []
    return [pick._replace(kind="property") if pick.kind == "variable" else pick]


def _field(node: "Node") -> list[Pick]:
    name = node.child_by_field_name("name") or node.child_by_field_name("property")
    value = node.child_by_field_name("value")
    if name is None:
        return []
    pick = _value(value, "method", name) if value is not None else None
    return [pick] if pick is not None and pick.inside == "function" else [Pick("field", name)]


_CONTROL = re.compile(rb"[ \t}]*(?:else\s+)?(?:if|for|while|switch|catch|with)\b")
_NAMED = re.compile(rb"function\s*\*?\s*[\w$]")
_TESTING = re.compile(rb"[\s})\];]*(?:await\s+)?" + _TESTS + rb"\b")
_NEAR = 300
_GIVEN = re.compile(rb"(?!" + _TESTING.pattern + rb")(?=[^=:]*+\Z)[^=:]*?[\w$](?<!async)\(")
"""The beginning of a line, up to a function that a call is given: not what it is assigned to, nor a test."""


def _counted(source: bytes, offsets: list[int]) -> list[int]:
    """Those of OFFSETS that may be definitions: no block of `if (...) {`, no function that a call is given.

    Those have no name, and what is defined in them is found by its own words; the call of a test counts.
    """
    counted = []
    find, named, given, line_end, heads = source.find, _NAMED.match, _GIVEN.match, -1, False
    line = 0
    for at in offsets:
        if at > line_end:
            line = source.rfind(b"\n", max(0, at - _NEAR), at) + 1
            line_end = find(b"\n", at)
            line_end = line_end if line_end >= 0 else len(source)
            heads = False
        sign = source[at]
        if not line:
            counts = True
        elif sign == 0x29:
            counts = not heads and _CONTROL.match(source, line) is None
        elif sign == 0x3D or (sign == 0x66 and named(source, at) is None):
            # `=>`, or `function` without a name.
            heads = heads or sign == 0x66
            counts = given(source, line, at) is None
        else:
            heads = heads or sign == 0x66
            counts = True
        if counts:
            counted.append(at)
    return counted


FUNCTIONS = (b"function", b"=>", b"class")
NEEDS = {
    "function": Needs(
        (*FUNCTIONS, b"exports"), re.compile(rb"\)\s*\{"), _counted, inner=(b"{", b">"), alone=(b"exports",)
    )
}
"""A function, or a member of an object that is one: `name(...) {`."""

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

TABLE = Table(
    contexts=CONTEXTS,
    marks=frozenset({"decorator"}),
    comments=frozenset({"comment"}),
    mends=mended,
    needs=NEEDS,
)
