"""C: functions and prototypes, types with fields and enumerators, variables, macros; any branch of `#if`."""

from functools import partial
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.branches import one_branch
from budgeted_reads.outline.languages.gaps import mended
from budgeted_reads.outline.languages.macros import blanked
from budgeted_reads.outline.languages.naming import TITLED
from budgeted_reads.outline.languages.table import THROUGH, Pick, Rule, Table, first_child, through, words

if TYPE_CHECKING:
    from tree_sitter import Node

_BODIED = {
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
    "class_specifier": "class",
}
_made = tuple.__new__
"""Makes a pick of all its fields: the usual way takes twice as long."""

_MACRO = 4
"""So many capitals are the name of a macro."""

_TESTS = (b"TEST", b"BENCHMARK", b"SCENARIO")
_NESTED = ("parenthesized_declarator", "reference_declarator", "attributed_declarator", "variadic_declarator")


def named(declarator: "Node | None") -> tuple["Node | None", bool]:
    """The name inside a declarator, and whether it is that of a function (not of a pointer to one)."""
    node, function = declarator, False
    while node is not None:
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type in _NESTED:
            inner = first_child(node)
        if inner is None:
            return node, function
        if node.type == "function_declarator":
            function = not (inner.type == "parenthesized_declarator" and _points(inner))
        node = inner
    return None, False


def _points(node: "Node") -> bool:
    """Whether a parenthesized declarator holds a pointer straight to a name."""
    inner = first_child(node)
    while inner is not None and inner.type == "pointer_declarator":
        inner = inner.child_by_field_name("declarator")
        if inner is not None and inner.type != "pointer_declarator":
            return inner.child_by_field_name("declarator") is None
    return False


def owned(name: "Node", kind: str, body: "Node | None", inside: str | None = None, cut: "Node | None" = None) -> Pick:
    """The definition of NAME; of `A<T>::m` the name is `m` and the owner `A`."""
    owner, made = "", name.type
    while made == "qualified_identifier":
        scope, inner = name.child_by_field_name("scope"), name.child_by_field_name("name")
        if inner is None:
            break
        if scope is not None:
            owner += ("." if owner else "") + words(scope).split("<")[0]
        name, made = inner, inner.type
    if made in ("template_type", "template_function"):
        name = name.child_by_field_name("name") or name
    return _made(Pick, (kind, name, body, inside, None, owner, cut, False, None))


def function(node: "Node") -> list[Pick]:
    """A function with its body; one whose head is a macro by what that is given."""
    declarator = node.child_by_field_name("declarator")
    name, _ = named(declarator)
    if name is None:
        return []
    made, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    if declarator is not None and declarator.type == "parenthesized_declarator" and made is not None:
        # `START_TEST(name) {` looks like a type and a name in parentheses.
        is_test = any(mark in (made.text or b"") for mark in _TESTS)
        return [owned(name, "test" if is_test else "function", body, "test")]
    return headed(node, declarator, name) or [owned(name, "function", body)]


def headed(node: "Node", declarator: "Node | None", name: "Node") -> list[Pick]:
    """`SYSCALL_DEFINE1(close) {` is `close`; `TEST(Suite, Name) {` and `TEST_CASE("title") {` are tests."""
    if declarator is None or name.type != "identifier" or node.child_by_field_name("type") is not None:
        return []
    while (inner := declarator.child_by_field_name("declarator")) is not None and inner.type == declarator.type:
        declarator = inner
    given, word = declarator.child_by_field_name("parameters"), name.text or b""
    if given is None or len(word) < _MACRO or not word.isupper() or not given.named_child_count:
        return []
    first, body = given.named_children[0], node.child_by_field_name("body")
    if TITLED.fullmatch(first.text or b"") is not None:
        return [Pick("test", first, body, "test")]
    is_test = any(mark in word for mark in _TESTS)
    names = [words(one) for one in given.named_children[: 2 if is_test else 1]]
    return [Pick("test" if is_test else "function", first, body, "test", ".".join(names))]


def section(node: "Node") -> list[Pick]:
    """A part of a test that has a title."""
    declarator = node.child_by_field_name("declarator")
    name, _ = named(declarator)
    return headed(node, declarator, name) if name is not None else []


def variables(node: "Node", kind: str, call: str) -> list[Pick]:
    """The names of one declaration; where it also defines a type, that type."""
    made = bodied(node, None)
    declarators = node.children_by_field_name("declarator")
    if made:
        name = named(declarators[0])[0] if declarators else None
        return [made[0] if made[0].name is not None else made[0]._replace(name=name)]
    found = [named(declarator) for declarator in declarators]
    return [owned(name, call if is_function else kind, None) for name, is_function in found if name is not None]


def _globals(node: "Node") -> list[Pick]:
    return variables(node, "variable", "function")


def _fields(node: "Node") -> list[Pick]:
    return variables(node, "field", "field")


def bodied(node: "Node", name: "Node | None") -> list[Pick]:
    """The struct, union or enum that NODE is or has as its type, if it is defined there."""
    made = node if node.type in _BODIED else node.child_by_field_name("type")
    if made is None or made.type not in _BODIED:
        return []
    body = made.child_by_field_name("body")
    if body is None:
        return []
    kind = _BODIED[made.type]
    inside = "enum" if kind == "enum" else "fields"
    name = name or made.child_by_field_name("name")
    return [owned(name, kind, body, inside) if name is not None else Pick(kind, None, body, inside)]


def typedef(node: "Node") -> list[Pick]:
    """`typedef struct {...} name` is the struct called name; any other typedef is a type."""
    names = [named(declarator)[0] for declarator in node.children_by_field_name("declarator")]
    if made := bodied(node, names[0] if names else None):
        return made
    return [Pick("type", name) for name in names if name is not None]


def _bodied(node: "Node") -> list[Pick]:
    return bodied(node, None)


BRANCHES = through("preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef")
TEST = {
    "function_definition": Rule(pick=section),
    **through("compound_statement if_statement else_clause for_statement while_statement"),
}
"""What is inside of tests."""

_TYPES = dict.fromkeys(("struct_specifier", "union_specifier", "enum_specifier"), Rule(pick=_bodied))
MACROS = {
    "preproc_def": Rule("constant", body="", having="value"),
    "preproc_function_def": Rule("macro", body="", having="value"),
}
"""`#define NAME value`; a guard without a value is none."""

TABLE = Table(
    contexts={
        "top": {
            **BRANCHES,
            **_TYPES,
            **MACROS,
            "function_definition": Rule(pick=function),
            "declaration": Rule(pick=_globals),
            "type_definition": Rule(pick=typedef),
            "linkage_specification": THROUGH,
            "declaration_list": THROUGH,
        },
        "fields": {**BRANCHES, **MACROS, "field_declaration": Rule(pick=_fields)},
        "enum": {**BRANCHES, **MACROS, "enumerator": Rule("enum_member")},
        "test": TEST,
    },
    comments=frozenset({"comment"}),
    calmed=partial(blanked, cpp=False),
    mends=partial(mended, cpp=False),
    retry=one_branch,
    lenient=True,
)
