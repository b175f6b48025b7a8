"""From the words of a caller to a tree, a path and a revision: paths, places on disk, pointers (CONTRACT 3, 4)."""

import os
from typing import NamedTuple

from budgeted_reads import pointer
from budgeted_reads.errors import CommitUnknown, InvalidRequest, NotFound, ReadError, TreeUnknown
from budgeted_reads.outline import Range, Warned
from budgeted_reads.trees import paths
from budgeted_reads.trees.base import Found, Revision, Tree
from budgeted_reads.trees.catalog import Catalog


class Place(NamedTuple):
    """What a request names: what stands there, in which tree, the lines of a pointer, and the tree it was found via."""

    tree: Tree
    revision: Revision
    found: Found
    lines: Range | None = None
    via: str | None = None
    warnings: tuple[Warned, ...] = ()


class Places:
    """Finds places in the trees of a node. `local` faces also take places on disk, relative to the current folder."""

    def __init__(self, catalog: Catalog, *, local: bool) -> None:
        self.catalog = catalog
        self.local = local

    def find(self, path: str | bytes, commit: str | None) -> Place:
        """What PATH names: `/tree/path`, a place on disk, a path within the only tree, or a pointer.

        A literal file wins over a short pointer of the same spelling. Raises what `Tree.look` does, and `tree_unknown`.
        """
        text = os.fsdecode(path) if isinstance(path, bytes) else path
        if text[:6].lower() == "nas://":
            return self._alone(text, commit)
        try:
            return self._as_spelled(text, commit)
        except (NotFound, TreeUnknown) as missing:
            if pointer.looks_like_pointer(text):
                return self._alone(text, commit)
            if "%" not in text:
                raise
            return self._as_printed(text, commit, missing)

    def _as_spelled(self, text: str, commit: str | None) -> Place:
        tree, rest = self._literal(text)
        parsed = paths.parse(rest)
        revision = tree.resolve(commit)
        warnings = (*revision.warnings, *parsed.warnings)
        return Place(tree, revision, tree.look(parsed.path, revision), warnings=warnings)

    def _as_printed(self, text: str, commit: str | None, missing: ReadError) -> Place:
        """What stands at TEXT as headers print names, white space and signs as %20 and the like; else MISSING."""
        try:
            place = self._as_spelled(os.fsdecode(pointer.path_of(text)), commit)
        except (NotFound, InvalidRequest):
            raise missing from None
        read_as = Warned("path_normalised", f"read as {paths.show(place.found.path)}")
        return place._replace(warnings=(*place.warnings, read_as))

    def locate(self, path: str | bytes | None) -> tuple[Tree, bytes, tuple[Warned, ...]]:
        """The tree and the path within it that PATH names, whether anything stands there or not; None is the only tree.

        Raises `tree_unknown`, `forbidden_path`, and `invalid_request` where no tree is named and there are several.
        """
        text = "" if path is None else os.fsdecode(path) if isinstance(path, bytes) else path
        tree, rest = self._literal(text)
        parsed = paths.parse(rest)
        paths.refuse_git(parsed.path)
        return tree, parsed.path, parsed.warnings

    def dereference(self, text: str) -> Place:
        """What the pointer TEXT names; the commit decides, node and tree say where to look first.

        Raises `commit_unknown` where no served tree holds the commit, and what `Tree.look` does.
        """
        return self.follow(pointer.parse(text))

    def follow(self, named: pointer.Pointer) -> Place:
        """As `dereference`, for a pointer that is parsed."""
        first: ReadError | None = None
        for tree, path, via in self._candidates(named):
            try:
                revision = tree.by_id(named.commit)
                found = tree.look(path, revision)
            except (NotFound, InvalidRequest) as error:
                # The most telling failure is that of a tree which has the commit: the path is what is wrong.
                if first is None or (isinstance(first, CommitUnknown) and not isinstance(error, CommitUnknown)):
                    first = error
                continue
            return Place(tree, revision, found, named.lines, via, revision.warnings)
        raise first or TreeUnknown(f"no tree here can hold {pointer.display(named.rest)}", "see which trees there are")

    def _alone(self, text: str, commit: str | None) -> Place:
        if commit is not None:
            raise InvalidRequest("a pointer names its commit itself", "leave commit out")
        return self.dereference(text)

    def _literal(self, text: str) -> tuple[Tree, str]:
        if text.startswith("/"):
            try:
                return self.catalog.split(text)
            except TreeUnknown:
                if not self.local:
                    raise
            return self.catalog.locate(text)
        if self.local and text and "\0" not in text and _on_disk(text):
            try:
                return self.catalog.locate(text)
            except ReadError:
                # A path within the tree may spell like a place outside: the tree decides.
                if ".." in text.split("/"):
                    raise
        return self.catalog.split(text)

    def _candidates(self, named: pointer.Pointer) -> list[tuple[Tree, bytes, str | None]]:
        """Where the bytes may be: the tree that the pointer names, then every other one, which is then told (`via`)."""
        trees = self.catalog.trees
        try:
            name, path = pointer.split(named, trees)
        except TreeUnknown:
            name, path = None, b""
        if named.node is None and name is None:
            return [(tree, path, None) for tree in trees.values()]
        if name is not None:
            others = [tree for tree in trees.values() if tree.name != name]
            return [(trees[name], path, None), *((tree, path, tree.name) for tree in others)]
        # Any number of segments may be the unknown tree's name; all of them are it only where there is but one, else
        # every path that is missing would be found as the root.
        rests = [rest for rest in pointer.candidates(named) if rest or b"/" not in named.rest]
        return [(tree, rest, tree.name) for tree in trees.values() for rest in rests]


def _on_disk(text: str) -> bool:
    try:
        return os.path.lexists(text)
    except (OSError, ValueError):
        return False
