"""Patterns of JavaScript: `{ a, b: [c] } = value` binds a and c."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

PATTERNS = frozenset({"object_pattern", "array_pattern", "rest_pattern"})
_DEFAULTS = {"pair_pattern": "value", "assignment_pattern": "left", "object_assignment_pattern": "left"}
"""What a part of a pattern binds is in that field of it."""


def names_in(pattern: "Node") -> list["Node"]:
    """The names that a pattern binds, in order: not the keys that they are taken from."""
    found, todo = [], [pattern]
    while todo:
        node = todo.pop()
        kind = node.type
        if kind in PATTERNS:
            todo.extend(reversed(node.named_children))
        elif kind in _DEFAULTS:
            inner = node.child_by_field_name(_DEFAULTS[kind])
            todo.extend([inner] if inner is not None else [])
        elif kind in ("shorthand_property_identifier_pattern", "identifier"):
            found.append(node)
    return found
