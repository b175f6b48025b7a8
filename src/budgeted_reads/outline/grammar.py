"""Where grammars come from: the one function in front of tree-sitter and its wheels."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Tree

_WHEELS = {
    "python": ("tree_sitter_python", "language"),
}
"""Language to module and function of its wheel."""


@cache
def language(name: str) -> "Language":
    """The grammar of that language; loads no other. Raises LookupError where it is not installed."""
    from tree_sitter import Language

    if name not in _WHEELS:
        raise LookupError(f"no grammar for {name}")
    module, function = _WHEELS[name]
    return Language(getattr(import_module(module), function)())


def parse(name: str, source: bytes) -> "Tree":
    """The syntax tree of SOURCE, UTF-8; rows end at LF only, columns are bytes."""
    from tree_sitter import Parser

    return Parser(language(name)).parse(source)
