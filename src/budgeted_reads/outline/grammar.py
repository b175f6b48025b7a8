"""Where grammars come from: the one function in front of tree-sitter and its wheels."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Tree

_WHEELS = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "kotlin": ("tree_sitter_kotlin", "language"),
    "swift": ("tree_sitter_swift", "language"),
    "shell": ("tree_sitter_bash", "language"),
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
