"""The words in which a language table is written."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

Names = Callable[["Node"], Iterable["Node"]]


class Rule(NamedTuple):
    """What one type of node means in one context.

    A rule with a `kind` makes an entry (a function may choose the kind by name). `name` is the field that holds the
    name, or a function that gives the nodes of several names (each becomes an entry of its own). `body` is the field
    at which the signature ends. `inside` is the context in which the children of the body are read; None: they are
    not looked at. `hints` saves time: without one of these words in the source of the node (after its first byte) its
    body holds no definition. `wraps`: no entry, but the first definition inside starts where this node starts (a
    decorator, `export`).

    A rule without a kind is only looked into: `inside` is then the context of its children, "" the one it stands in.
    """

    kind: str | Callable[[str], str] = ""
    name: str | Names = "name"
    body: str = "body"
    inside: str | None = None
    wraps: bool = False
    hints: tuple[bytes, ...] = ()


class Table(NamedTuple):
    """A language: context to node type to rule. Reading starts in context `top`.

    `doc` gives the first and last node of what documents a definition with that body, or None. `open_end`: a body has
    no closing mark, so comments after its last statement do not belong to it.
    """

    contexts: Mapping[str, Mapping[str, Rule]]
    doc: Callable[["Node", "Node | None"], "tuple[Node, Node] | None"]
    open_end: bytes = b""


THROUGH = Rule(inside="")
"""Look inside, in the same context."""

WRAP = Rule(inside="", wraps=True)
"""Look inside; the definition there starts here."""


def first_child(node: "Node") -> "Node | None":
    """The first named child of NODE."""
    return node.named_child(0) if node.named_child_count else None
