"""What a check of pointers asks of a tree beside its files: whole chains of objects, where a file went, who is related.

Every id that reaches git is a full one, in the query repository, with limits on output and time.
"""

import os
from collections.abc import Iterable, Mapping

from budgeted_reads.errors import CommitUnknown, TimedOut
from budgeted_reads.evidence.locate import Hunk
from budgeted_reads.evidence.proof import Stored
from budgeted_reads.trees.ancestors import Ancestors
from budgeted_reads.trees.base import Tree
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.folder import Folder
from budgeted_reads.trees.git import run
from budgeted_reads.trees.gitdir import remotes as remotes_of
from budgeted_reads.trees.objects import Item, Objects, parse_commit, parse_tree
from budgeted_reads.trees.pairs import Pair, blob_hunks
from budgeted_reads.trees.paths import show

RENAME_PAIRS = 1000
"""Renames with edits are looked for among at most the square of so many pairs."""

_OUTPUT_BYTES = 256 << 20


class Rehash:
    """Reads whole chains of objects of TREE for one request, each object hashed anew in it; to be closed after it.

    What is read comes from the repository itself first, so that a copy that is kept beside it hides no damage in it.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._holder = committed(tree)
        folder = None if self._holder is None else self._holder.folder
        self._own = None if folder is None else Objects(folder.objects, folder.digits)
        self._seen: dict[str, Stored] = {}
        self._entries: dict[str, dict[bytes, Item]] = {}

    def chain(self, path: bytes, commit: str) -> tuple[Stored, ...]:
        """The objects from COMMIT to what stands at PATH: the commit, a tree for each folder on the way, the last one.

        Raises `internal`, reason `object_corrupt`, where one is not what its id says; `commit_unknown` where one is
        missing.
        """
        found = [self._read(commit, "commit")]
        found.append(self._read(parse_commit(found[0].raw, len(commit)).tree, "tree"))
        for part in path.split(b"/") if path else ():
            item = self._below(found[-1]).get(part)
            if item is None or item.kind == "submodule":
                raise CommitUnknown(f"{show(path)} is not in that commit", "name another path", reason="path_missing")
            found.append(self._read(item.id, "tree" if item.kind == "folder" else "blob"))
        return tuple(found)

    def close(self) -> None:
        """End the child that was started; it may be used again."""
        if self._own is not None:
            self._own.close()

    def _below(self, tree: Stored) -> dict[bytes, Item]:
        if tree.id not in self._entries:
            self._entries[tree.id] = parse_tree(tree.raw, len(tree.id) // 2)
        return self._entries[tree.id]

    def _read(self, id: str, kind: str) -> Stored:
        if id in self._seen:
            return self._seen[id]
        if self._own is None or self._holder is None:
            raise CommitUnknown(f"{self._tree.name} holds no commit", "ask another tree", reason="not_a_repository")
        raw = self._own.read(id, kind)
        raw = self._holder.objects.read(id, kind) if raw is None else raw
        if raw is None:
            raise CommitUnknown(f"the {kind} {id[:12]} is missing here", "check it with `git fsck`", reason="pruned")
        found = Stored(kind, id, raw)
        if kind != "blob":
            self._seen[id] = found
        return found


def renames(tree: Tree, commit: str, head: str) -> Mapping[bytes, bytes]:
    """Old and new paths of the files that were renamed between COMMIT and HEAD, edited or not, as git finds them."""
    holder = committed(tree)
    if holder is None:
        return {}
    options = ("-r", "-z", "-M", f"-l{RENAME_PAIRS}", "--no-ext-diff", "--no-textconv", "--diff-filter=R")
    words = ("diff-tree", *options, "--name-status", "--end-of-options", commit, head, "--")
    try:
        found = run(holder.objects.repository, *words, limit=_OUTPUT_BYTES)
    except TimedOut:
        return {}
    names = found.out.split(b"\0")
    return {names[at + 1]: names[at + 2] for at in range(0, len(names) - 2, 3)} if found.status == 0 else {}


def places(tree: Tree, commit: str) -> Mapping[str, list[bytes]]:
    """The paths of every blob of COMMIT, by its id."""
    holder = committed(tree)
    if holder is None:
        return {}
    words = ("ls-tree", "-r", "-z", "--full-tree", commit)
    found: dict[str, list[bytes]] = {}
    for row in run(holder.objects.repository, *words, limit=_OUTPUT_BYTES).out.split(b"\0"):
        head, tab, path = row.partition(b"\t")
        if tab:
            found.setdefault(head.rsplit(b" ", 1)[-1].decode("ascii"), []).append(path)
    return found


def ancestors(tree: Tree, head: str) -> Ancestors | None:
    """The commits that HEAD of TREE descends from; None where nothing holds commits. To be closed."""
    holder = committed(tree)
    return None if holder is None else Ancestors(holder.objects, head)


def hunks(tree: Tree, pairs: Iterable[Pair]) -> Mapping[Pair, tuple[Hunk, ...]]:
    """What git says has changed between the blobs of each of PAIRS of TREE; those that cannot be had are left out."""
    holder = committed(tree)
    return {} if holder is None else blob_hunks(holder.objects, pairs)


def remotes(tree: Tree) -> tuple[str, ...]:
    """The addresses of the remotes of TREE, read as data from its configuration; none of them is ever asked."""
    return remotes_of(tree.folder) if isinstance(tree, Committed) else ()


def committed(tree: Tree) -> Committed | None:
    """What holds the commits of TREE, None where nothing does."""
    return tree if isinstance(tree, Committed) else tree.kept if isinstance(tree, Folder) else None


def nearest(path: bytes, paths: list[bytes]) -> bytes:
    """Of PATHS the one most like PATH: of the same name, then in the deepest common folder, then the first."""
    name = os.path.basename(path)
    return min(paths, key=lambda one: (os.path.basename(one) != name, -_shared(path, one), one))


def _shared(one: bytes, other: bytes) -> int:
    """How many folders two paths have in common from the root on."""
    pairs = zip(one.split(b"/")[:-1], other.split(b"/")[:-1], strict=False)
    return next((depth for depth, (a, b) in enumerate(pairs) if a != b), one.count(b"/"))
