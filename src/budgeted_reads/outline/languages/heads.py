"""Signatures of definitions without a body, in the languages that write them over several lines."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


def head_end(node: "Node", body: "Node | None") -> "Node | None":
    """Where the signature in NODE ends, for the `cut` of a Pick: at BODY, else at what follows if it takes more lines.

    None where neither is so: the signature is then the first line.
    """
    if body is not None:
        return body
    return node.next_sibling if node.start_point.row != node.end_point.row else None
