"""Commits that hold just some files: their blobs, the trees that lead to them, no parent, nobody's name, time 0.

Equal files with an equal base give an equal id, whoever makes the commit and whenever.
"""

from collections.abc import Mapping
from typing import NamedTuple

from budgeted_reads.trees.objects import Item, object_id
from budgeted_reads.trees.store import SCHEMA, Piece

_MODES = {"file": b"100644", "link": b"120000", "folder": b"40000"}
_WHO = b"Budgeted Reads <snapshot@budgeted-reads.invalid> 0 +0000"
_BASE = b"\nbase: "


class Bytes(NamedTuple):
    """What stands at a path: `kind` is file or link."""

    kind: str
    raw: bytes


def spine(files: Mapping[bytes, Bytes], base: str | None, digits: int) -> list[Piece]:
    """The objects of the commit that holds FILES, the commit last; BASE is the commit they were changed from."""
    pieces = []
    folders: dict[bytes, dict[bytes, Item]] = {b"": {}}
    for path, found in files.items():
        blob = _piece("blob", found.raw, digits)
        pieces.append(blob)
        folder, _, name = path.rpartition(b"/")
        folders.setdefault(folder, {})[name] = Item(found.kind, blob.id)
        while folder:
            folder = folder.rpartition(b"/")[0]
            folders.setdefault(folder, {})
    tree = ""
    for folder in sorted(folders, key=_depth, reverse=True):
        piece = _piece("tree", _tree(folders[folder]), digits)
        pieces.append(piece)
        tree = piece.id
        if folder:
            parent, _, name = folder.rpartition(b"/")
            folders[parent][name] = Item("folder", tree)
    return [*pieces, _piece("commit", _commit(tree, base), digits)]


def base_of(commit: bytes) -> str | None:
    """The base that the snapshot COMMIT names."""
    base = commit.partition(_BASE)[2].partition(b"\n")[0].decode("ascii", "replace")
    return None if base in ("", "none") else base


def _piece(kind: str, raw: bytes, digits: int) -> Piece:
    return Piece(object_id(kind, raw, digits), kind, raw)


def _tree(items: Mapping[bytes, Item]) -> bytes:
    rows = sorted((name + b"/" if item.kind == "folder" else name, name, item) for name, item in items.items())
    return b"".join(b"%s %s\0%s" % (_MODES[item.kind], name, bytes.fromhex(item.id)) for _, name, item in rows)


def _commit(tree: str, base: str | None) -> bytes:
    head = b"tree %s\nauthor %s\ncommitter %s\n" % (tree.encode(), _WHO, _WHO)
    return head + b"\nnas snapshot\n\nschema: %d%s%s\n" % (SCHEMA, _BASE, (base or "none").encode())


def _depth(folder: bytes) -> int:
    return folder.count(b"/") + 1 if folder else 0
