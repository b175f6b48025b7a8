"""The trees of a node by name, and the way from a text of a request to one of them.

A tree name is one or more segments of ASCII letters, digits, `.`, `_` and `-`, with `/` between them: it stands in
pointers as it is, without any escape. Segments of dots only and `.git` are no names, and no name is a path prefix of
another, so the longest name that a path starts with is the only one.
"""

import os
import re
from collections.abc import Iterable

from budgeted_reads.errors import ForbiddenPath, InvalidRequest, TreeUnknown
from budgeted_reads.trees.base import Tree
from budgeted_reads.trees.gitdir import bare_git, is_git_folder, work_tree_git
from budgeted_reads.trees.paths import encode, show
from budgeted_reads.trees.snapshots import Keeping
from budgeted_reads.trees.worktree import WorkTree

_NAME = re.compile(r"[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*")
_LONGEST = 200


class Catalog:
    """The trees that a node serves, in the order in which they were named."""

    def __init__(self, trees: Iterable[Tree]) -> None:
        """Raises `invalid_request` where a name is not one, is there twice, or is a path prefix of another."""
        self.trees: dict[str, Tree] = {}
        for tree in trees:
            check_name(tree.name, self.trees)
            self.trees[tree.name] = tree

    def split(self, path: str) -> tuple[Tree, str]:
        """The tree of `/tree/path` and the path within it; without a leading slash, a path within the only tree.

        Raises `tree_unknown` with the names there are.
        """
        if not path.startswith("/"):
            if len(self.trees) == 1:
                return next(iter(self.trees.values())), path
            raise InvalidRequest(f"{_clip(path) or 'no path'} names no tree", f"write /tree/path, {self._names()}")
        whole = path[1:]
        for name, tree in self.trees.items():
            if whole == name or whole.startswith(name + "/"):
                return tree, whole[len(name) + 1 :]
        raise TreeUnknown(f"no tree is served at {_clip(path)}", f"write /tree/path, {self._names()}")

    def locate(self, place: str, cwd: str | None = None) -> tuple[Tree, str]:
        """The tree that holds PLACE on disk, absolute or relative to CWD (the current folder), and the path within it.

        A place without `..` counts as it is written, so a link on it is seen as a link; else, or where that lies
        outside, its folder counts with its links resolved. Raises `forbidden_path` outside every tree.
        """
        if "\0" in place:
            raise InvalidRequest("the path holds a NUL byte", "no file has such a name: remove it")
        encode(place)
        whole = os.path.join(cwd or os.getcwd(), place)
        if ".." not in whole.split("/"):
            found = self._within(os.path.normpath(whole))
            if found is not None:
                return found
        folder, last = os.path.split(whole.rstrip("/"))
        if last in ("..", ".", ""):
            folder, last = whole, ""
        found = self._within(os.path.join(os.path.realpath(folder), last).rstrip("/") or "/")
        if found is None:
            raise ForbiddenPath(
                f"{_clip(place)} is outside every served tree",
                f"ask for a place in a served tree, or a path that begins {self._names()}",
            )
        return found

    def close(self) -> None:
        """Close every tree."""
        for tree in self.trees.values():
            tree.close()

    def _within(self, place: str) -> tuple[Tree, str] | None:
        best: tuple[Tree, str] | None = None
        for tree in self.trees.values():
            root = tree.root.rstrip("/")
            # A tree may stand inside another: the innermost one holds the place.
            if (place == root or place.startswith(root + "/")) and (best is None or len(root) > len(best[0].root)):
                best = tree, place[len(root) + 1 :]
        return best

    def _names(self) -> str:
        return "with one of " + ", ".join(f"/{name}" for name in list(self.trees)[:10]) if self.trees else "but none is"


def open_tree(name: str, path: str, keeping: Keeping | None = None) -> Tree:
    """The tree at PATH, by what stands there: a work tree, a bare repository, or a plain folder.

    Snapshots are taken as KEEPING says, none without it. Raises `invalid_request` where PATH is no folder,
    `forbidden_path` where its git folder is not its own.
    """
    root = os.path.realpath(path)
    if not os.path.isdir(root):
        raise InvalidRequest(f"the tree {name} is not a folder: {_clip(path)}", "name a folder that exists")
    if (folder := work_tree_git(root)) is not None:
        return WorkTree(name, root, folder, keeping)
    if (folder := bare_git(root)) is not None:
        from budgeted_reads.trees.bare import Bare

        return Bare(name, root, folder, keeping)
    from budgeted_reads.trees.folder import Folder

    return Folder(name, root, keeping)


def here(cwd: str, keeping: Keeping | None = None) -> Tree:
    """The repository that CWD stands in, else the folder CWD itself, named after its folder without `.git`."""
    root = os.path.realpath(cwd)
    place = root
    while True:
        if os.path.lexists(os.path.join(place, ".git")) or is_git_folder(place):
            tree = open_tree(_name_of(place), place, keeping)
            if tree.kind != "folder":
                return tree
        above = os.path.dirname(place)
        if above == place:
            return open_tree(_name_of(root), root, keeping)
        place = above


def check_name(name: str, others: Iterable[str] = ()) -> None:
    """Raise `invalid_request` where NAME is no tree name, or goes with none of the OTHERS."""
    parts = name.split("/")
    if not _NAME.fullmatch(name) or len(name) > _LONGEST or any(not p.strip(".") or p.lower() == ".git" for p in parts):
        raise InvalidRequest(
            f"{_clip(name)} is no tree name", "use letters, digits, `.`, `_`, `-`, with `/` between segments"
        )
    for other in others:
        if name == other:
            raise InvalidRequest(f"two trees are named {name}", "give each tree a name of its own")
        if name.startswith(other + "/") or other.startswith(name + "/"):
            raise InvalidRequest(
                f"the tree names {other} and {name} are nested", "rename one: no name may be a path prefix of another"
            )


def _name_of(place: str) -> str:
    name = os.path.basename(place)
    if name.lower() == ".git":
        name = os.path.basename(os.path.dirname(place))
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", name.removesuffix(".git"))[:_LONGEST].strip("-")
    return name if name.strip(".") and name.lower() != ".git" else "tree"


def _clip(text: str) -> str:
    return show(text.encode("utf-8", "surrogatepass"))
