"""Where grammars come from: the one function in front of tree-sitter, its wheels and the extra `grammars`."""

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from budgeted_reads.outline.entry import Unread

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

_EXTRA = {
    "scala": "scala",
    "lua": "lua",
    "dart": "dart",
    "elixir": "elixir",
    "haskell": "haskell",
    "zig": "zig",
    "r": "r",
    "julia": "julia",
    "hcl": "hcl",
    "protobuf": "proto",
    "graphql": "graphql",
}
"""Language to the name of its grammar in the extra."""


EXTRA = "budgeted-reads[grammars]"
"""What to install for them."""


class NoGrammar(Unread):
    """A language whose grammar is not installed; its words say what to install."""


@cache
def language(name: str) -> "Language":
    """The grammar of that language; loads no other. Raises NoGrammar where it is not installed."""
    from tree_sitter import Language

    if name in _EXTRA:
        from budgeted_reads.outline import grammars

        try:
            return grammars.load(_EXTRA[name])
        except (LookupError, OSError) as error:
            raise NoGrammar(f"{name} files need the extra {EXTRA} ({error})") from error
    module, function = _WHEELS[name]
    return Language(getattr(import_module(module), function)())


def parse(name: str, source: bytes) -> "Tree":
    """The syntax tree of SOURCE, UTF-8; rows end at LF only, columns are bytes."""
    from tree_sitter import Parser

    return Parser(language(name)).parse(source)


_MOST_CHANGES = 200
"""After more changes than these a source is read as a whole: each is a way down the tree."""

_CHANGED = re.compile(rb"[^\x00]+(?:\x00{1,16}[^\x00]+)*+", re.DOTALL)


def parse_again(name: str, tree: "Tree", before: bytes, after: bytes) -> "Tree":
    """The syntax tree of AFTER, as long as BEFORE, of which TREE is that: what stays as it was is not read again."""
    from tree_sitter import Parser, Point

    size = len(after)
    different = (int.from_bytes(before, "big") ^ int.from_bytes(after, "big")).to_bytes(size, "big")
    spans = [found.span() for found in _CHANGED.finditer(different)]
    if len(spans) > _MOST_CHANGES:
        return parse(name, after)
    old = tree.copy()
    row = at = 0
    for start, end in spans:
        points = []
        for offset in (start, end):
            row, at = row + after.count(b"\n", at, offset), offset
            points.append(Point(row, offset - after.rfind(b"\n", 0, offset) - 1))
        old.edit(start, end, end, points[0], points[1], points[1])
    return Parser(language(name)).parse(after, old)
