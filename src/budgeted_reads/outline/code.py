"""Code to definitions: a text, or what its grammar can read of it, is walked, and what could not be read is said."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.grammar import parse, parse_again
from budgeted_reads.outline.plans import Grammar, plans
from budgeted_reads.outline.walk import Walk
from budgeted_reads.text import Text

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_STRAY = "compound_statement"
"""Outside of a function a block is a class or namespace that was not understood."""

_BRACES = ("{", "}")
_CLOSING = ("}", "#endif")
_VALUES = ("initializer_list", "field_initializer_list")
_ERRORS = 0.2
_NEAR = 2000
_SWALLOWS = 4000
"""A body of so many bytes may have others in it, where something in it is not closed."""


_AGAIN = 3
"""What is hidden so many levels deep, macros in macros, errors behind errors, is found."""


def outline(text: Text, form: Format) -> Outline:
    """The definitions of TEXT in source order, nested; with `syntax_errors`, those that could be read."""
    source = text.raw if text.encoding == "utf-8" else text.content.encode("utf-8", "surrogatepass")
    grammar = plans(form.name)
    first = grammar.calmed(source) if grammar.calmed is not None else source
    tree = parse(form.name, first)
    if grammar.unsure and first is not source and tree.root_node.has_error:
        first, tree = source, parse(form.name, source)
    first, tree, whole = _mended(form.name, grammar, tree, first)
    has_error = tree.root_node.has_error or not whole
    if grammar.bared is not None:
        first, tree = _unhidden(form.name, grammar.bared, tree, first)
    calmed = first if grammar.lenient else source
    entries = Walk(source, grammar, calmed).run(tree.root_node)
    harm = _harm(grammar, tree.root_node, len(source)) if grammar.retry is not None else 0
    if grammar.retry is not None and harm and (again := grammar.retry(first)) != first:
        root = parse_again(form.name, tree, first, again).root_node
        left = _harm(grammar, root, len(source))
        # A lenient retry leaves parts of the text out: it has to read more of the rest.
        if left < harm or not grammar.lenient:
            found = Walk(source, grammar, calmed).run(root)
            if _size(found) * (1 - left) >= _size(entries) * (1 - harm):
                entries, has_error = found, grammar.lenient or root.has_error
    warnings: tuple[Warned, ...] = ()
    if has_error:
        warnings = (Warned("syntax_errors", "parts of the file cannot be parsed: entries may be missing there"),)
    return Outline(entries, form.name, form.language, "code", warnings=warnings)


def _unhidden(
    name: str, bared: Callable[["Node", bytes], bytes | None], tree: "Tree", source: bytes
) -> tuple[bytes, "Tree"]:
    """SOURCE, of which TREE is that, without the macros that hide definitions, and its tree."""
    for _ in range(_AGAIN):
        bare = bared(tree.root_node, source)
        if bare is None:
            break
        source, tree = bare, parse_again(name, tree, source, bare)
    return source, tree


def _mended(name: str, grammar: Grammar, tree: "Tree", source: bytes) -> tuple[bytes, "Tree", bool]:
    """SOURCE, of which TREE is that, in words that the grammar knows, its tree, and whether all of it is in that."""
    if grammar.mends is None or not tree.root_node.has_error:
        return source, tree, True
    size, all_there = len(source), True
    harm = _harm(grammar, tree.root_node, size)
    for _ in range(_AGAIN):
        if not tree.root_node.has_error or not (spans := _unread(tree.root_node)):
            break
        mended, whole = grammar.mends(source, spans)
        if mended == source:
            break
        other = parse_again(name, tree, source, mended)
        left = _harm(grammar, other.root_node, size)
        if left > harm:
            break
        source, tree, all_there, harm = mended, other, all_there and whole, left
    return source, tree, all_there


def _unread(root: "Node") -> list[tuple[int, int]]:
    """The bytes around what could not be read, in order: not of what is in the bodies of functions, or lists of values.

    Each span is a node of at most `_NEAR` bytes, where there is one, and the ones beside it; all where something is not
    closed, which may have begun anywhere.
    """
    todo: list[tuple[Node, bool]] = [(root, False)]
    spans = []
    while todo:
        node, in_body = todo.pop()
        children = node.children
        for at, child in enumerate(children):
            kind = child.type
            if child.is_missing and kind in _CLOSING:
                return [(root.start_byte, root.end_byte)]
            bodied = in_body or kind in _VALUES or (kind == _STRAY and node.type == "function_definition")
            if bodied and not in_body and child.end_byte - child.start_byte < _SWALLOWS:
                continue
            if child.has_error and not child.is_error and (bodied or child.end_byte - child.start_byte > _NEAR):
                todo.append((child, bodied))
            elif (child.has_error or child.is_missing or kind == _STRAY) and not bodied:
                first, last = children[max(0, at - 1)], children[min(len(children) - 1, at + 1)]
                spans.append((first.start_byte, last.end_byte))
    spans.sort()
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1] + _NEAR:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined


def _harm(grammar: Grammar, root: "Node", size: int) -> float:
    """How much less than one an entry of ROOT, of a source of SIZE, counts for its errors: it may be in a wrong place.

    A lenient GRAMMAR is harmed outside of functions alone: by braces that could not be read as what they are, and by
    pieces of over a fiftieth of the source.
    """
    if not root.has_error or not grammar.lenient:
        return _ERRORS if root.has_error else 0
    todo, lost, braces = [root], 0, False
    while todo:
        for node in todo.pop().children:
            if node.is_error or node.type == _STRAY:
                piece = node.end_byte - node.start_byte
                lost += piece if piece * 50 > size else 0
                braces = braces or any(one.type in _BRACES for one in node.children)
            elif node.has_error and node.type != "function_definition":
                todo.append(node)
    return lost / size / 2 + _ERRORS * braces


def _size(entries: tuple[Entry, ...]) -> int:
    """How many entries there are, children included."""
    count, todo = 0, list(entries)
    while todo:
        entry = todo.pop()
        count += 1
        todo.extend(entry.children)
    return count
