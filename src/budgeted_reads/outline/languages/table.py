"""The words in which a language table is written."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node


class Pick(NamedTuple):
    """One definition found in a node: `name` is the node of its name, `title` what it is called where that differs.

    Its signature ends at `body`, whose children are read in context `inside` (None: it holds no definitions; "": the
    context that its rule names). `owner` is the type that it belongs to where it stands outside of it. `cut` is where
    the signature ends, if not at `body`; `until` the node with which the definition ends, if not with its own.
    Without a `kind` it is no entry: `body` is only looked into; `wraps` as in Rule.
    """

    kind: str
    name: "Node | None" = None
    body: "Node | None" = None
    inside: str | None = None
    title: str | None = None
    owner: str = ""
    cut: "Node | None" = None
    wraps: bool = False
    until: "Node | None" = None


class Rule(NamedTuple):
    """What one type of node means in one context.

    With a `kind` it is a definition: `name` and `body` are the fields of its name and body, `inside` the context in
    which the children of the body are read (None: they are not looked at). Where facts do not say it, `pick` finds
    the definitions of a node. `hints` saves time: without one of these words in the source of the node, after its
    first byte, its body holds no definition; `shape` is the same as a pattern, looked for where `hints` are found.

    With neither it is only looked into: `inside` is then the context of its children, "" the one it stands in;
    `wraps`: the first definition there starts where this node starts (a decorator, `export`).
    """

    kind: str = ""
    name: str = "name"
    body: str = "body"
    inside: str | None = None
    pick: Callable[["Node"], Iterable[Pick]] | None = None
    hints: tuple[bytes, ...] = ()
    wraps: bool = False
    shape: "re.Pattern[bytes] | None" = None


class Table(NamedTuple):
    """A language: context to node type to rule. Reading starts in context `top`.

    Nodes of the types `marks` (decorators, attributes) belong to the definition that they lead, not to its signature.
    `comments` are the types of comments, which document the definition that follows; `doc` finds what documents a
    definition inside its body. `open_end` begins a comment where bodies have no closing mark: comments after the last
    statement are then outside. `merges`: neighbours of one kind and name are one definition (equations, clauses).
    `retry` makes a second source of equal offsets for a text with syntax errors, `bared` for one whose tree hides
    definitions (None: it does not); the reading with more entries is taken. `calmed` makes one before the first
    reading, of texts that the grammar does not know, or on which its time explodes. `needs` saves time: in that context
    a node without one of these words holds no definition.
    """

    contexts: Mapping[str, Mapping[str, Rule]]
    marks: frozenset[str] = frozenset()
    comments: frozenset[str] = frozenset()
    doc: Callable[["Node"], "Node | None"] | None = None
    open_end: bytes = b""
    retry: Callable[[bytes], bytes] | None = None
    merges: bool = False
    calmed: Callable[[bytes], bytes] | None = None
    bared: Callable[["Node", bytes], bytes | None] | None = None
    needs: Mapping[str, "re.Pattern[bytes]"] = {}


THROUGH = Rule(inside="")
"""Look inside, in the same context."""

WRAP = Rule(inside="", wraps=True)
"""Look inside; the first definition there starts here."""


def through(types: str) -> dict[str, Rule]:
    """Rules that look into each of TYPES, separated by spaces."""
    return dict.fromkeys(types.split(), THROUGH)


def first_child(node: "Node") -> "Node | None":
    """The first named child of NODE."""
    return node.named_child(0) if node.named_child_count else None


def words(node: "Node | None") -> str:
    """The source of NODE in one line; "" for None."""
    return " ".join((node.text or b"").decode("utf-8", "replace").split()) if node is not None else ""


def child(node: "Node", *types: str) -> "Node | None":
    """The first named child of NODE of one of TYPES."""
    return next((one for one in node.named_children if one.type in types), None)


def along(node: "Node | None", path: str) -> "Node | None":
    """The node that PATH leads to, types of children separated by `/`: the first of each."""
    for step in path.split("/"):
        if node is None:
            return None
        node = child(node, step)
    return node


def typed(kind: str, name: str, body: str = "", inside: str | None = None) -> Rule:
    """A definition of a grammar without fields: its name at the end of the path NAME, its body a child of type BODY."""

    def pick(node: "Node") -> list[Pick]:
        found = along(node, name)
        return [Pick(kind, found, child(node, body) if body else None, inside)] if found is not None else []

    return Rule(pick=pick)
