"""Calls of JavaScript: tests, routes, what wraps a file, and the functions and objects that calls are given."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.jsneeds import HOOKS, TESTS
from budgeted_reads.outline.languages.table import Pick, first_child, words

if TYPE_CHECKING:
    from tree_sitter import Node

made = tuple.__new__
"""Makes a pick of all its fields: the usual way takes twice as long."""

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
CALLS = frozenset({"call_expression", "new_expression"})
_STRINGS = frozenset({"string", "template_string"})
_AROUND = frozenset({"parenthesized_expression", "await_expression"})
_HOLDERS = frozenset({"parenthesized_expression", "member_expression"})
_HOLDING = FUNCTIONS | CALLS | _AROUND | {"object", "array", "class", "as_expression", "satisfies_expression"}
"""What may have functions in it, of all that a call is given."""

_MEMBERS = rb"(?:\s*\.\s*[\w$]++)*+"
_TEST = re.compile(TESTS + _MEMBERS + rb"\Z|" + HOOKS + rb"(?:\.(?:only|skip|each))?\Z")
_TITLED = re.compile(
    (rb"(?:[xf]" + TESTS + rb"|[\w$]++\s*\.\s*" + TESTS + rb"|QUnit\.(?:module|skip|todo|only))") + _MEMBERS + rb"\Z"
)
"""What makes a test where its first argument is a string: `t.test("title", ...)`."""

_METHODS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "all", "use", "route"})
_HANDLERS = FUNCTIONS | {"identifier", "member_expression", "call_expression", "array"}
"""What answers a request, or gives what does."""

_LONG = 80
"""The words that call a test take fewer bytes."""

_NEAR = 2000
"""The links of a chain before one are searched for functions where they are shorter, else looked into."""

_DEEP = 4
"""So many calls in calls are looked into for the function that a value is made of: `memo(forwardRef(...))`."""

_PARENTHESIS = 0x28
_METHOD = re.compile(rb"\)\s*+\{")


def may_hold(value: "Node") -> bool:
    """Whether a function may stand in VALUE, or a call."""
    text = value.text or b""
    return _PARENTHESIS in text or b"=>" in text


def _has_functions(value: "Node") -> bool:
    text = value.text or b""
    return b"=>" in text or b"function" in text or _METHOD.search(text) is not None


def has_members(value: "Node") -> bool:
    """Whether a member of an object is a function or class, or an object that may hold some."""
    for one in value.named_children:
        kind = one.type
        if kind == "method_definition":
            return True
        held = one.child_by_field_name("value") if kind == "pair" else None
        if held is not None:
            kind = held.type
            if kind in FUNCTIONS or kind == "class" or (kind == "object" and _has_functions(held)):
                return True
    return False


def own_name(function: "Node") -> "Node | None":
    """The name that a function has of its own where it stands as a value."""
    return function.child_by_field_name("name") if function.type in FUNCTIONS else None


def given_function(function: "Node") -> list[Pick]:
    """A function that is no value of a name: by its own, else it is only looked into."""
    name, body = own_name(function), function.child_by_field_name("body")
    kind = "function" if name is not None else ""
    return [made(Pick, (kind, name, body, "function", None, "", None, False, None))]


def given_class(node: "Node") -> list[Pick]:
    """A class that is no value of a name: by its own, else it is only looked into."""
    name = node.child_by_field_name("name")
    return [Pick("class" if name is not None else "", name, node.child_by_field_name("body"), "class")]


def factory(function: "Node") -> list[Pick]:
    """A function that holds a whole file, or that its wrapper is given."""
    return [Pick("", None, function.child_by_field_name("body"), "top")]


def _callee(call: "Node") -> "Node | None":
    return call.child_by_field_name("function") or call.child_by_field_name("constructor")


def _given(call: "Node") -> list["Node"]:
    """What a call is given."""
    arguments = call.child_by_field_name("arguments")
    return arguments.named_children if arguments is not None else []


def call(node: "Node") -> list[Pick]:
    """`describe("title", () => {...})` is a test; a call of a function, or with functions, is looked into."""
    callee = _callee(node)
    if callee is None:
        return []
    given = _given(node)
    kinds = [one.type for one in given]
    held = [at for at, kind in enumerate(kinds) if kind in _HOLDING]
    link, kind = callee, callee.type
    if kind != "identifier":
        link, kind = _root(callee)
    if kind in FUNCTIONS and (called := _called(callee)).type in FUNCTIONS:
        return [Pick("", None, node, "wrapper")] if held else factory(called)
    for at in held:
        if kinds[at] in FUNCTIONS:
            if _is_test(callee, kinds[0]):
                return _test(callee, given[0], given[at], kinds[0])
            break
    if kind in CALLS and (link.end_byte - link.start_byte > _NEAR or _has_functions(link)):
        return [Pick("", None, node, "call")]
    if len(held) != 1:
        return [Pick("", None, node.child_by_field_name("arguments"), "call")] if held else []
    one, kind = given[held[0]], kinds[held[0]]
    if kind in FUNCTIONS:
        return given_function(one)
    if kind == "object":
        return [Pick("", None, one, "object")] if may_hold(one) else []
    return [Pick("", None, one.parent, "call")]


def _is_test(callee: "Node", kind: str) -> bool:
    """Whether CALLEE makes tests of a function, given something of KIND before it."""
    if callee.type == "call_expression":
        # `it.each([...])("title", ...)`
        callee = callee.child_by_field_name("function") or callee
    if callee.end_byte - callee.start_byte > _LONG:
        return False
    text = callee.text or b""
    return _TEST.match(text) is not None or (kind in _STRINGS and _TITLED.match(text) is not None)


def _test(callee: "Node", title: "Node", function: "Node", kind: str) -> list[Pick]:
    """A test by its title, else by the words that call it."""
    body = function.child_by_field_name("body")
    if kind in _STRINGS:
        return [made(Pick, ("test", title, body, "function", None, "", None, False, None))]
    return [Pick("test", callee, body, "function", words(callee))]


def route(node: "Node") -> list[Pick]:
    """`app.get("/path", ...)` by its method and path, where a function, or what may be one, is given last."""
    callee, given = _callee(node), _given(node)
    if callee is None or callee.type != "member_expression" or len(given) < 2 or given[-1].type not in _HANDLERS:
        return []
    owner, method = callee.child_by_field_name("object"), words(callee.child_by_field_name("property"))
    path = words(given[0])[1:-1] if given[0].type in _STRINGS else ""
    if method not in _METHODS or not path.startswith("/") or owner is None or owner.type != "identifier":
        return []
    body = given[-1].child_by_field_name("body")
    return [Pick("route", given[0], body, "function" if body is not None else None, f"{method} {path}")]


def _called(callee: "Node") -> "Node":
    """What is called in the end: of `(function () {...}).call` the function."""
    while (kind := callee.type) in _HOLDERS:
        inner = first_child(callee)
        if inner is None or (kind == "member_expression" and not _calls(callee, inner)):
            break
        callee = inner
    return callee


def _calls(member: "Node", owner: "Node") -> bool:
    """Whether a member of OWNER is `f.call` or `f.apply`, where OWNER may be a function."""
    if owner.type not in _HOLDERS and owner.type not in FUNCTIONS:
        return False
    return words(member.child_by_field_name("property")) in ("call", "apply")


def _root(callee: "Node") -> tuple["Node", str]:
    """What CALLEE begins with, and its type: of `a(...).b.c` the call of `a`, which is the link before in a chain."""
    kind = callee.type
    while kind in _HOLDERS or kind == "await_expression":
        inner = first_child(callee)
        if inner is None:
            break
        callee, kind = inner, inner.type
    return callee, kind


def made_of(node: "Node") -> tuple["Node", str, "Node"] | None:
    """What of a call that is a value holds definitions, how that is read, and where the words before it end.

    One function that is called, or that one of a chain of calls is given; one object with functions; else all of it.
    """
    for _ in range(_DEEP):
        found: list[tuple[Node, str]] = []  # The last one in the source comes first.
        inner = None
        link: Node | None = node
        while link is not None and (callee := _callee(link)) is not None:
            here = []
            root, kind = _root(callee)
            if kind in FUNCTIONS and (body := _called(callee).child_by_field_name("body")) is not None:
                here.append((body, "function"))
            before = root if kind in CALLS else None
            for one in _given(link):
                kind = one.type
                if kind in FUNCTIONS and (body := one.child_by_field_name("body")) is not None:
                    here.append((body, "function"))
                elif kind == "object" and may_hold(one):
                    here.append((one, "object"))
                elif kind in CALLS and inner is None and link is node:
                    inner = one
            found.extend(reversed(here))
            link = before
        if found:
            body, inside = found[-1]
            return (body, inside, body) if len(found) == 1 else (node, "call", body)
        if inner is None:
            break
        node = inner
    return None
