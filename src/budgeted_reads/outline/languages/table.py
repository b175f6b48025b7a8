"""The words in which a language table is written."""

import re
from collections.abc import Callable, Mapping, Sequence
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


Picked = tuple[str, "Node | None", "Node | None", str | None, str | None, str, "Node | None", bool, "Node | None"]
"""What a Pick is made of, where it is not worth the time to make one."""


class Rule(NamedTuple):
    """What one type of node means in one context.

    With a `kind` it is a definition: `name` and `body` are the fields of its name and body, `inside` the context in
    which the children of the body are read (None: they are not looked at). Where facts do not say it, `pick` finds
    the definitions of a node. A node without the field `having` is none.

    With neither it is only looked into: `inside` is then the context of its children, "" the one it stands in;
    `wraps`: the first definition there starts where this node starts (a decorator, `export`).
    """

    kind: str = ""
    name: str = "name"
    body: str = "body"
    inside: str | None = None
    pick: Callable[["Node"], Sequence[Pick]] | None = None
    wraps: bool = False
    having: str = ""


class Needs(NamedTuple):
    """Saves time: a node in which neither one of `words` nor what looks like `shape` stands holds no definition.

    `counts` says of those that are found, offsets in order, which may be definitions. Where behind its first byte a
    node has none of the bytes `inner`, only those of its words count that are `alone`.
    """

    words: tuple[bytes, ...] = ()
    shape: "re.Pattern[bytes] | None" = None
    counts: Callable[[bytes, list[int]], list[int]] | None = None
    inner: tuple[bytes, ...] = ()
    alone: tuple[bytes, ...] = ()

    def found(self, source: bytes, start: int, end: int) -> list[int]:
        """Where they begin in SOURCE between START and END, in order."""
        words, shape, counts, inner, alone = self
        find = source.find
        # To look for a single byte costs next to nothing.
        for byte in inner:
            if find(byte, start + 1, end) >= 0:
                break
        else:
            if inner:
                words, shape = alone, None
        offsets = [one.start() for one in shape.finditer(source, start, end)] if shape is not None else []
        for word in words:
            at = find(word, start, end)
            while at >= 0:
                offsets.append(at)
                at = find(word, at + 1, end)
        if len(offsets) > 1:
            offsets.sort()
        return counts(source, offsets) if counts is not None and offsets else offsets


class Table(NamedTuple):
    """A language: context to node type to rule. Reading starts in context `top`.

    Nodes of the types `marks` (decorators, attributes) belong to the definition that they lead, not to its signature.
    `comments` are the types of comments, which document the definition that follows; `doc` finds what documents a
    definition inside its body. `open_end` begins a comment where bodies have no closing mark: comments after the last
    statement are then outside. `merges`: whether neighbours of one kind and name are one definition (equations,
    clauses), by their signatures.
    `calmed` makes a source of equal offsets that is read in place of one that the grammar does not know, or on which
    its time explodes (`unsure`: only where that has no errors); `mends` makes one of that, where spans of its bytes
    have errors, and says whether all is still in it; `retry` makes another one of that, for where it still has some
    (`lenient`: for where it is broken outside of functions): the reading with more entries is taken. `bared` makes one
    of a text whose tree hides definitions (None: it does not). `needs` are what each node of a context has in it that
    holds a definition.
    """

    contexts: Mapping[str, Mapping[str, Rule]]
    marks: frozenset[str] = frozenset()
    comments: frozenset[str] = frozenset()
    doc: Callable[["Node"], "Node | None"] | None = None
    open_end: bytes = b""
    retry: Callable[[bytes], bytes] | None = None
    lenient: bool = False
    merges: Callable[[str, str], bool] | None = None
    calmed: Callable[[bytes], bytes] | None = None
    unsure: bool = False
    bared: Callable[["Node", bytes], bytes | None] | None = None
    mends: Callable[[bytes, Sequence[tuple[int, int]]], tuple[bytes, bool]] | None = None
    needs: Mapping[str, Needs] = {}


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


def one_line(words: bytes) -> str:
    """WORDS with each run of white space as one blank."""
    line = words.decode("utf-8", "replace")
    # Most are one line as they stand: only a blank is both white and printable.
    return line if line.isprintable() and "  " not in line and line[:1] != " " else " ".join(line.split())


def words(node: "Node | None") -> str:
    """The source of NODE in one line; "" for None."""
    return one_line((node.text or b"").rstrip()) if node is not None else ""


def in_capitals(name: "Node") -> bool:
    """Whether a name is written as those of constants are."""
    return (name.text or b"").decode("utf-8", "replace").isupper()


def child(node: "Node", *types: str) -> "Node | None":
    """The first named child of NODE of one of TYPES."""
    for one in node.named_children:
        if one.type in types:
            return one
    return None


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
