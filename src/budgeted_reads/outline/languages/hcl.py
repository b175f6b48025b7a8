"""HCL and Terraform: blocks by their labels, the values of `locals`, assignments of the top level."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Pick, Rule, Table, child, first_child, typed, words

if TYPE_CHECKING:
    from tree_sitter import Node


def _block(node: "Node") -> list[Pick]:
    """`resource "a" "b"` is `a.b` of the kind resource; a block without labels is called by its word."""
    word = first_child(node)
    labels = [one for one in node.named_children[1:] if one.type in ("string_lit", "identifier")]
    title = ".".join(words(one).strip('"') for one in labels) or words(word)
    cut = child(node, "block_start")
    kind = words(word) if labels else "block"
    inside = "top" if words(word) == "locals" else "block"
    return [
        Pick(
            kind,
            labels[0] if labels else word,
            child(node, "body"),
            inside,
            title,
            cut=cut,
        )
    ]


_BLOCK = Rule(pick=_block)

TABLE = Table(
    contexts={
        "top": {"body": THROUGH, "block": _BLOCK, "attribute": typed("variable", "identifier")},
        "block": {"block": _BLOCK},
    },
    comments=frozenset({"comment"}),
)
