"""Ruby: modules, classes, methods, constants, attributes, and what calls define: aliases, tasks, tests."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import Pick, Rule, Table, first_child, through, words

if TYPE_CHECKING:
    from tree_sitter import Node

_ATTRIBUTES = frozenset(
    {"attr", "attr_reader", "attr_writer", "attr_accessor", "cattr_accessor", "mattr_accessor", "class_attribute"}
)
_METHODS = frozenset({"define_method", "define_singleton_method", "alias_method", "def_delegator"})
_TESTS = frozenset(
    {
        "describe",
        "context",
        "feature",
        "it",
        "specify",
        "scenario",
        "test",
        "should",
        "setup",
        "teardown",
        "before",
        "after",
    }
)
_BLOCKS = {"task": "task", "namespace": "namespace", "file": "task"}
_CLASSES = frozenset({"Struct", "Class", "Module", "Data"})


def _typed(node: "Node") -> list[Pick]:
    """A class or module; one without a body ends at its name."""
    name = node.child_by_field_name("name")
    return [Pick(node.type, name, node.child_by_field_name("body"), "class", words(name).replace("::", "."))]


def _singleton(node: "Node") -> list[Pick]:
    """`class << self` is only looked into."""
    body = node.child_by_field_name("body")
    return [Pick("", None, body, "class")] if body is not None else []


def _method(node: "Node") -> list[Pick]:
    """`def name`, `def self.name`, `def Type.name`; one on the top level is a function."""
    name, holder = node.child_by_field_name("name"), node.child_by_field_name("object")
    body = node.child_by_field_name("body")
    owner = words(holder) if holder is not None and holder.type == "constant" else ""
    kind = "method" if holder is not None or _is_member(node) else "function"
    return [Pick(kind, name, body, "code" if body is not None and b"def" in (body.text or b"") else None, owner=owner)]


def _is_member(node: "Node") -> bool:
    above = node.parent
    while above is not None and above.type not in ("class", "module", "singleton_class", "do_block", "block", "method"):
        above = above.parent
    return above is not None and above.type != "method"


def _constant(node: "Node") -> list[Pick]:
    """`NAME = value`, `A, B = 1, 2`; `Name = Struct.new(...) do` is a class; a block that is given is looked into."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return []
    if left.type == "left_assignment_list":
        return [Pick("constant", one) for one in left.named_children if one.type == "constant"]
    called = right if right is not None and right.type == "call" else None
    block = called.child_by_field_name("block") if called is not None else None
    body = block.child_by_field_name("body") if block is not None else None
    if left.type not in ("constant", "scope_resolution"):
        return [Pick("", None, body, "class")] if body is not None and b"def" in (body.text or b"") else []
    if called is not None and words(called.child_by_field_name("receiver")) in _CLASSES:
        return [Pick("class", left, body, "class")]
    return [Pick("constant", left, body, "class")]


def _call(node: "Node") -> list[Pick]:
    called, arguments = node.child_by_field_name("method"), node.child_by_field_name("arguments")
    name, block = words(called), node.child_by_field_name("block")
    given = arguments.named_children if arguments is not None else []
    body = block.child_by_field_name("body") if block is not None else None
    first = given[0] if given else None
    is_named = first is not None and first.type in ("simple_symbol", "string", "constant", "scope_resolution", "pair")
    if name in _ATTRIBUTES:
        return [_named("field", one) for one in given if one.type in ("simple_symbol", "string")]
    if first is not None and is_named and name in _METHODS:
        return [_named("method", first, body, "code")]
    if block is not None and name in _TESTS:
        title = " ".join(words(one).strip("\"'") for one in given[:1]) or name
        return [Pick("test", first or called, body, "class", title)]
    if first is not None and is_named and block is not None and name in _BLOCKS:
        return [_named(_BLOCKS[name], first_child(first) or first if first.type == "pair" else first, body, "class")]
    if body is not None:
        return [Pick("", None, body, "")]
    # `private def name` and the like: the method begins with the word before it.
    return [Pick("", None, arguments, "", wraps=True)] if first is not None and first.type in _DEFINED else []


def _named(kind: str, name: "Node", body: "Node | None" = None, inside: str | None = None) -> Pick:
    return Pick(kind, name, body, inside, title=words(name).strip("\"':"))


def _alias(node: "Node") -> list[Pick]:
    name = node.child_by_field_name("name")
    return [Pick("method", name, title=words(name).lstrip(":"))]


_DEFINED = frozenset({"method", "singleton_method", "call"})
_COMMON = {
    "class": Rule(pick=_typed),
    "module": Rule(pick=_typed),
    "singleton_class": Rule(pick=_singleton),
    "method": Rule(pick=_method),
    "singleton_method": Rule(pick=_method),
    "call": Rule(pick=_call, inside=""),
    **through(
        "body_statement begin block_body if unless then else elsif if_modifier unless_modifier rescue ensure case when"
        " parenthesized_statements begin_block while until for do"
    ),
}
_ALL = {**_COMMON, "assignment": Rule(pick=_constant), "alias": Rule(pick=_alias)}

TABLE = Table(contexts={"top": _ALL, "class": _ALL, "code": _COMMON}, comments=frozenset({"comment"}))
