"""Kotlin: classes, objects, functions, properties, enum entries, objects without a name, blocks of scripts, tests."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.heads import head_end
from budgeted_reads.outline.languages.table import (
    WRAP,
    Needs,
    Pick,
    Rule,
    Table,
    along,
    child,
    first_child,
    through,
    words,
)
from budgeted_reads.outline.languages.unread import without

if TYPE_CHECKING:
    from tree_sitter import Node

_HINTS = re.compile(rb"fun |class |object|interface ")
_ACCESSORS = ("getter", "setter")
_GIVEN = (
    "delegation_specifiers/delegation_specifier/constructor_invocation/value_arguments/value_argument/lambda_literal"
)
"""The block that the class is given which another one extends: of Kotest, the tests."""

_DECLARING = ("fun", "class", "interface", "object")


def _class(node: "Node") -> list[Pick]:
    """A class, an interface, `enum class`, `annotation class`; of `fun interface`, an interface."""
    name, body = node.child_by_field_name("name"), child(node, "class_body", "enum_class_body")
    modifiers = words(child(node, "modifiers")).split()
    kind = "interface" if any(one.type == "interface" for one in node.children) else "class"
    if kind == "class" and ("enum" in modifiers or (body is not None and body.type == "enum_class_body")):
        kind = "enum"
    elif "annotation" in modifiers:
        kind = "annotation"
    if body is None and (tests := along(node, _GIVEN)) is not None:
        return [Pick(kind, name, tests, "tests")]
    return [Pick(kind, name, body, "class", cut=head_end(node, body))]


def _object(node: "Node") -> list[Pick]:
    """`object Name`; a companion without a name is called `Companion`, as the language does."""
    name = node.child_by_field_name("name")
    return [Pick("object", name, child(node, "class_body"), "class", None if name is not None else "Companion")]


def _constructor(node: "Node") -> list[Pick]:
    body = child(node, "block")
    return [Pick("method", None, body, "code", "constructor", cut=head_end(node, body))]


def _function(node: "Node", kind: str) -> list[Pick]:
    body = child(node, "function_body")
    return [Pick(kind, node.child_by_field_name("name"), body, "code", cut=head_end(node, body))]


def _global(node: "Node") -> list[Pick]:
    return _function(node, "function")


def _method(node: "Node") -> list[Pick]:
    return _function(node, "method")


def _properties(node: "Node", kind: str) -> list[Pick]:
    """The names of `val`, `var`; its signature ends at an object, accessor or a value that defines something."""
    children = iter(node.named_children)
    for declared in children:
        made = declared.type
        if made == "multi_variable_declaration":
            several = (first_child(one) for one in declared.named_children if one.type == "variable_declaration")
            return [Pick(kind, name) for name in several if name is not None]
        if made == "variable_declaration":
            break
        if made == "modifiers" and b"const" in (declared.text or b"").split():
            kind = "constant"
    else:
        return []
    name = first_child(declared)
    for after in children:
        made = after.type
        if made == "object_literal":
            return [Pick(kind, name, child(after, "class_body"), "class")]
        if made in _ACCESSORS or _HINTS.search(after.text or b"") is not None:
            return [Pick(kind, name, after, "code")]
    return [Pick(kind, name)]


def _variables(node: "Node") -> list[Pick]:
    return _properties(node, "variable")


def _fields(node: "Node") -> list[Pick]:
    return _properties(node, "field")


def _entry(node: "Node") -> list[Pick]:
    return [Pick("enum_member", child(node, "identifier"), child(node, "class_body"), "class")]


def _alias(node: "Node") -> list[Pick]:
    return [Pick("type", node.child_by_field_name("type"))]


def _anonymous(node: "Node") -> list[Pick]:
    """`object : T {...}` is a class called `T`."""
    base = child(node, "delegation_specifiers")
    name = base
    while name is not None and name.type != "user_type":
        name = first_child(name)
    return [Pick("class", name, child(node, "class_body"), "class", None if name is not None else "object")]


def _lambda(call: "Node") -> "Node | None":
    """The block that a call is given behind its parentheses."""
    return along(call, "annotated_lambda/lambda_literal")


def _mistaken(node: "Node", function: str = "function") -> list[Pick]:
    """`private fun f() {...}` behind annotations on their own lines, which is three words and a call to the grammar."""
    modifiers, word, what = node.named_children if node.named_child_count == 3 else (None, None, None)
    declares = words(word)
    if modifiers is None or what is None or declares not in _DECLARING:
        return []
    name, body = what, _lambda(what)
    while name.type == "call_expression" and (inner := first_child(name)) is not None:
        name = inner
    kind = function if declares == "fun" else declares
    if kind == "class" and modifiers.type == "identifier" and words(modifiers) in ("annotation", "enum"):
        kind = words(modifiers)
    return [Pick(kind, name, body, "code" if kind == function else "class")]


def _mistaken_member(node: "Node") -> list[Pick]:
    return _mistaken(node, "method")


def _called(call: "Node") -> tuple[str, "Node | None"]:
    """The name of what a CALL with a block calls, and the string that it is given first."""
    inner = first_child(call)
    name = first_child(inner) if inner is not None and inner.type == "call_expression" else inner
    given = along(inner, "value_arguments/value_argument/string_literal")
    return words(name), name if name is not None and name.type == "string_literal" else given


def _block(node: "Node", inside: str) -> list[Pick]:
    """A call with a block, as build scripts are made of: `tasks.register("a") {...}` is `tasks.register a`."""
    body = _lambda(node)
    if body is None:
        return [Pick("", None, node, "code")]
    name, given = _called(node)
    title = " ".join(filter(None, (name, words(given).strip('"'))))
    return [Pick("instruction", None, body, inside, title)]


def _outer_block(node: "Node") -> list[Pick]:
    return _block(node, "blocks")


def _inner_block(node: "Node") -> list[Pick]:
    return _block(node, "code")


def _test(node: "Node") -> list[Pick]:
    """A call with a title and a block; what else has a block is only looked into."""
    body, (_, given) = _lambda(node), _called(node)
    if body is None:
        return [Pick("", None, node, "code")]
    if given is None:
        return [Pick("", None, body, "tests")]
    return [Pick("test", given, body, "tests", words(given).strip('"'))]


_BY = rb"[\w>)])[ \t]+by[ \t]+[\w.]++(?=[ \t]*+\{)"
"""`: A by b {`: the grammar takes the body of the class for a lambda that `b` is called with."""

_DELEGATED = (
    re.compile(rb"(?P<kept>class[ \t][^\n{}=]{0,400}?" + _BY),
    re.compile(rb"(?P<kept>object[ \t][^\n{}=]{0,400}?" + _BY),
    re.compile(rb"(?P<kept>\)[ \t]*+:(?:(?!\b(?:va[lr]|fun)\b)[^{}=]){0,400}?" + _BY),
)
_UNREAD = (
    re.compile(rb"suspend(?=\s*+\{)"),  # The mark of a lambda.
    re.compile(rb"\?(?=::)"),
    re.compile(rb"::(?<=\s::)(?=\w)"),  # A reference at the start of a statement.
    re.compile(rb"\$\${1,8}+(?=\")"),  # What marks a string as one with dollars in it.
    re.compile(rb"context[ \t]*+\([^()]*+\)(?=[ \t]*+\n)"),
    re.compile(  # The annotation of an accessor.
        rb"@[\w.]++(?:\([^()\n]*+\))?+[ \t]*+(?://[^\n]{0,400}+)?"
        rb"(?=\s++(?:(?:private|internal|protected|inline)\s++)?+[gs]et[ \t]*+\()"
    ),
    re.compile(rb" if (?<=[\w)\]?>\"] if )[^\n{}]{0,400}?(?=[ \t]->)"),  # The condition of a branch of `when`.
)
_CONSTRUCTOR = re.compile(
    rb"(?:(?:@[\w.]++(?:\([^()\n]*+\))?|internal|private|protected|public|actual|expect)\s++){2,8}+(?=constructor\b)"
)
_IMPORT = re.compile(rb"\nimport [^\n]*+")
"""Scripts import also below their first block."""

_NAMED = re.compile(
    rb"\b(?:actual|annotation|companion|const|crossinline|data|enum|expect|external|final|infix|inline|inner|internal"
    rb"|lateinit|noinline|open|operator|out|override|private|protected|public|sealed|suspend|tailrec|vararg)"
    rb"(?=[ \t]*+(?:=(?!=)|[.:,)\]]))"
)
"""Words that are modifiers elsewhere, where they can only be names."""


_GOT = re.compile(rb"\n[ \t]*+(?:get(?=[ \t]*+(?:\{|\([ \t]*+[^)\s]))|set(?=[ \t]*+(?:\{|\([ \t]*+[\"(])))")
"""`get("/a") {...}` behind a local value: no accessor is given anything, nor a string."""


def _calmed(source: bytes) -> bytes:
    """SOURCE without what is new in the language, or rare: the grammar loses whole classes to it."""
    source = _GOT.sub(lambda found: found[0][:-1] + b"_", source)
    return without(without(source, _DELEGATED) if b" by " in source else source, _UNREAD)


def _retried(source: bytes) -> bytes:
    """The same, with what takes longer to find: modifiers of constructors, imports, names that are words elsewhere."""
    return _NAMED.sub(lambda found: found[0][:-1] + b"_", without(_calmed(source), (_CONSTRUCTOR, _IMPORT)))


_TYPES = {
    "class_declaration": Rule(pick=_class),
    "object_declaration": Rule(pick=_object),
    "companion_object": Rule(pick=_object),
    "type_alias": Rule(pick=_alias),
}
_CODE = through(
    "block function_body call_expression annotated_lambda lambda_literal value_arguments value_argument if_expression"
    " when_expression when_entry for_statement while_statement do_while_statement try_expression catch_block"
    " finally_block return_expression property_declaration assignment parenthesized_expression navigation_expression"
    " property_delegate anonymous_function binary_expression as_expression getter setter"
    " infix_expression throw_expression unary_expression labeled_expression class_body"
)

TABLE = Table(
    contexts={
        "top": {
            **_TYPES,
            "function_declaration": Rule(pick=_global),
            "property_declaration": Rule(pick=_variables),
            "call_expression": Rule(pick=_outer_block),
            "annotated_expression": WRAP,
            "infix_expression": Rule(pick=_mistaken),
        },
        "class": {
            **_TYPES,
            "function_declaration": Rule(pick=_method),
            "property_declaration": Rule(pick=_fields),
            "secondary_constructor": Rule(pick=_constructor),
            "enum_entry": Rule(pick=_entry),
            "anonymous_initializer": Rule(inside="code"),
            "annotated_expression": WRAP,
            "infix_expression": Rule(pick=_mistaken_member),
        },
        "blocks": {**_TYPES, "property_declaration": Rule(pick=_variables), "call_expression": Rule(pick=_inner_block)},
        "tests": {**_TYPES, "function_declaration": Rule(pick=_global), "call_expression": Rule(pick=_test)},
        "code": {
            **_TYPES,
            **_CODE,
            "function_declaration": Rule(pick=_global),
            "object_literal": Rule(pick=_anonymous),
        },
    },
    marks=frozenset({"annotation", "file_annotation"}),
    comments=frozenset({"line_comment", "block_comment"}),
    calmed=_calmed,
    retry=_retried,
    needs={"code": Needs((b"fun ", b"class ", b"object", b"interface ", b"typealias "))},
)
