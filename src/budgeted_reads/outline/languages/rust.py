"""Rust: functions, types with fields and variants, traits, impls named by their type, modules, macros."""

import re
from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Needs, Pick, Rule, Table, child, through, words

if TYPE_CHECKING:
    from tree_sitter import Node


def _impl(node: "Node") -> list[Pick]:
    """`impl T` is called `T`, `impl Trait for T` is `Trait for T`, both without parameters."""
    made, trait = node.child_by_field_name("type"), node.child_by_field_name("trait")
    if made is None:
        return []
    title = f"{_base(trait)} for {_base(made)}" if trait is not None else _base(made)
    return [Pick("impl", made, node.child_by_field_name("body"), "members", title)]


def _fields(node: "Node", kind: str) -> list[Pick]:
    """Named fields are the body; those of a tuple are part of the signature."""
    body = node.child_by_field_name("body")
    if body is not None and body.type != "field_declaration_list":
        body = None
    return [Pick(kind, node.child_by_field_name("name"), body, "fields")]


def _struct(node: "Node") -> list[Pick]:
    return _fields(node, "struct")


def _variant(node: "Node") -> list[Pick]:
    return _fields(node, "enum_member")


def _base(node: "Node") -> str:
    while node.type == "reference_type" and (inner := node.child_by_field_name("type")) is not None:
        node = inner
    if node.type == "generic_type":
        return words(node.child_by_field_name("type"))
    return words(node)


_FUNCTION = Rule("function", inside="body")
_METHOD = Rule("method", inside="body")
_ITEMS = {
    "function_item": _FUNCTION,
    "function_signature_item": Rule("function"),
    "struct_item": Rule(pick=_struct),
    "union_item": Rule("union", inside="fields"),
    "enum_item": Rule("enum", inside="variants"),
    "trait_item": Rule("trait", inside="members"),
    "impl_item": Rule(pick=_impl),
    "mod_item": Rule("module", inside="top"),
    "const_item": Rule("constant"),
    "static_item": Rule("variable"),
    "type_item": Rule("type"),
    "macro_definition": Rule("macro"),
    "foreign_mod_item": Rule(inside=""),
    "declaration_list": THROUGH,
}
_CODE = through(
    "block expression_statement if_expression else_clause match_expression match_block match_arm for_expression"
    " while_expression loop_expression unsafe_block async_block let_declaration call_expression arguments"
    " closure_expression await_expression try_expression"
)

_HOLDERS = ("mod_item", "impl_item", "trait_item", "foreign_mod_item", "expression_statement")
_ITEM = re.compile(rb"\b(?:fn|struct|enum|union|trait|impl|mod|type)\s")


_HIDING = re.compile(
    rb"!\s*+\{\s*+(?:#|/|pub\b|fn\b|struct\b|enum\b|union\b|trait\b|impl\b|mod\b|type\b|const\b|async\b|unsafe\b|use\b|\w++!)"
)
"""The beginning of a macro that may hold items."""


_FIRST_ITEM = re.compile(
    rb"\s*+(?:(?:#!?\[(?:[^\[\]]|\[[^\[\]]*+\])*+\]|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)\s*+)*+"
    rb"(?:(?:pub|fn|struct|enum|union|trait|impl|mod|type|const|static|async|unsafe|use|extern)\b|macro_rules!|[\w:]++!\s*+\{)"
)
"""What begins a macro that holds items, attributes and comments aside."""


def _bared(root: "Node", source: bytes) -> bytes | None:
    """SOURCE without the `name! {` and `}` of item macros that hold items; None where there is none.

    What stands in the braces of a macro is only tokens to the grammar: `cfg_rt! { pub fn spawn() {} }` is read as if
    its condition were true.
    """
    if _HIDING.search(source) is None:
        return None
    bare, todo, found = bytearray(source), [root], False
    while todo:
        for node in todo.pop().named_children:
            if node.type == "macro_invocation":
                tree = child(node, "token_tree")
                if tree is not None and source[tree.start_byte] == 0x7B and _holds_items(source, tree):
                    found = True
                    for start, end in ((node.start_byte, tree.start_byte + 1), (tree.end_byte - 1, tree.end_byte)):
                        bare[start:end] = bytes(10 if byte == 10 else 32 for byte in source[start:end])
            elif node.type in _HOLDERS:
                todo.append(node.child_by_field_name("body") or node)
    return bytes(bare) if found else None


def _holds_items(source: bytes, tree: "Node") -> bool:
    start, end = tree.start_byte + 1, tree.end_byte
    return _FIRST_ITEM.match(source, start, end) is not None and _ITEM.search(source, start, end) is not None


_BLOCK = re.compile(
    rb"\n([ \t]*+)(?:((?!proptest!|quote|parse_quote)(?:\w++::)*+\w++![ \t]*+\{)"
    rb"|(?:pub(?:\([a-z ]+\))?[ \t]++|unsafe[ \t]++)*+(?:impl|mod|trait)\b[^\n;{]*+\{)[ \t]*+(?=\n)"
)
"""A macro, or a block of items, that opens at the end of its line."""


def _unwrapped(source: bytes) -> bytes:
    """As `_bared`, by the lines alone: what opens in one ends with the brace at its own indentation."""
    text = b"\n" + source
    bare: bytearray | None = None
    within: list[tuple[bytes, int]] = []
    after = 0
    for found in _BLOCK.finditer(text) if b"! {" in source or b"!{" in source else ():
        indent = found[1]
        while within and within[-1][1] < found.start():
            within.pop()
        if found.start() < after or indent != (within[-1][0] + b"    " if within else b""):
            continue
        end = text.find(b"\n" + indent + b"}", found.end())
        if end < 0:
            break
        if found[2] is not None:
            if _FIRST_ITEM.match(text, found.end(), end) is None or _ITEM.search(text, found.end(), end) is None:
                after = end
                continue
            bare = bytearray(source) if bare is None else bare
            first, last = found.start(2) - 1, end + len(indent)
            bare[first : found.end(2) - 1] = b" " * (found.end(2) - 1 - first)
            bare[last : last + 1] = b" "
        within.append((indent, end))
    return source if bare is None else bytes(bare)


TABLE = Table(
    contexts={
        "top": _ITEMS,
        "body": {**{key: rule for key, rule in _ITEMS.items() if not key.startswith(("const_", "static_"))}, **_CODE},
        "members": {
            "function_item": _METHOD,
            "function_signature_item": Rule("method"),
            "const_item": Rule("constant"),
            "type_item": Rule("type"),
            "associated_type": Rule("type"),
        },
        "fields": {"field_declaration": Rule("field")},
        "variants": {"enum_variant": Rule(pick=_variant)},
    },
    marks=frozenset({"attribute_item"}),
    comments=frozenset({"line_comment", "block_comment"}),
    calmed=_unwrapped,
    unsure=True,
    bared=_bared,
    needs={
        "body": Needs(
            words=(
                *(b"fn ", b"struct ", b"enum ", b"union ", b"trait ", b"impl ", b"impl<", b"mod ", b"type "),
                *(b"extern ", b"macro_rules"),
            ),
            inner=(b"{",),
            alone=(b"struct ", b"mod ", b"type ", b"extern ", b"macro_rules"),
        )
    },
)
