"""What a check of pointers asks of a tree beside its files: whole chains of objects, where a file went, who is related.

Every id that reaches git is a full one, in the query repository, with limits on output and time.
"""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress

from budgeted_reads.errors import CommitUnknown, TimedOut
from budgeted_reads.evidence.locate import Hunk
from budgeted_reads.evidence.proof import Stored
from budgeted_reads.trees.alike import alike as alike_blobs
from budgeted_reads.trees.ancestors import Ancestors
from budgeted_reads.trees.base import Found, Revision, Tree
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.folder import Folder
from budgeted_reads.trees.git import Child, run
from budgeted_reads.trees.gitdir import remotes as remotes_of
from budgeted_reads.trees.objects import Item, parse_commit, parse_tree
from budgeted_reads.trees.pairs import Pair, blob_hunks
from budgeted_reads.trees.paths import show
from budgeted_reads.trees.worktree import WorkTree

RENAME_PAIRS = 1000
"""Renames with edits are looked for among at most the square of so many pairs."""

AT_ONCE = 4
"""So many gits look for renames at the same time, where there are as many processors."""

_OUTPUT_BYTES = 256 << 20
_FED = 300


class Rehash:
    """Reads whole chains of objects of TREE for one request, each object hashed anew in it.

    What is read comes from the repository itself first, so that a copy that is kept beside it hides no damage in it.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._holder = committed(tree)
        self._seen: dict[str, Stored] = {}

    def chain(self, path: bytes, commit: str, read: Found | None = None) -> tuple[Stored, ...]:
        """The objects from COMMIT to what stands at PATH: the commit, a tree for each folder on the way, the last one.

        READ is what this request has read there, if it has: no file is read twice. Raises `internal`, reason
        `object_corrupt`, where one is not what its id says; `commit_unknown` where one is missing.
        """
        found = [self._read(commit, "commit")]
        found.append(self._read(parse_commit(found[0].raw, len(commit)).tree, "tree"))
        for part in path.split(b"/") if path else ():
            item = self._below(found[-1]).get(part)
            if item is None or item.kind == "submodule":
                raise CommitUnknown(f"{show(path)} is not in that commit", "name another path", reason="path_missing")
            if read is not None and item.id == read.blob and item.kind != "folder" and not self._beside(item.id):
                found.append(Stored("blob", item.id, read.raw))
            else:
                found.append(self._read(item.id, "tree" if item.kind == "folder" else "blob"))
        return tuple(found)

    def _beside(self, id: str) -> bool:
        """Whether a copy of the object ID is kept beside the repository, which may be what was read."""
        return self._holder is None or (self._holder.snapshots is not None and self._holder.snapshots.store.has(id))

    def _below(self, tree: Stored) -> dict[bytes, Item]:
        if self._holder is None:
            return parse_tree(tree.raw, len(tree.id) // 2)
        return self._holder.objects.entries(tree.id, tree.raw)

    def _read(self, id: str, kind: str) -> Stored:
        if id in self._seen:
            return self._seen[id]
        if self._holder is None:
            raise CommitUnknown(f"{self._tree.name} holds no commit", "ask another tree", reason="not_a_repository")
        raw = self._holder.own_objects.read(id, kind)
        raw = self._holder.objects.read(id, kind) if raw is None else raw
        if raw is None:
            raise CommitUnknown(f"the {kind} {id[:12]} is missing here", "check it with `git fsck`", reason="pruned")
        found = Stored(kind, id, raw)
        if kind != "blob":
            self._seen[id] = found
        return found


def renames(tree: Tree, commits: Sequence[str], head: str) -> list[Mapping[bytes, bytes] | None]:
    """Old and new paths of files that were renamed, edited or not, between each of COMMITS and HEAD, as git finds them.

    None for a commit of which git could not tell.
    """
    holder = committed(tree)
    if holder is None:
        return [None] * len(commits)
    found: dict[str, Mapping[bytes, bytes]] = {}
    known = [holder.objects.commit(commit) for commit in (*commits, head)]
    roots = ["" if one is None else one.tree for one in known]
    wanted = [root for root in dict.fromkeys(roots[:-1]) if root and roots[-1]]
    for at in range(0, len(wanted), _FED):
        part = wanted[at : at + _FED]
        many = min(len(part), AT_ONCE, os.cpu_count() or 1)
        found |= _renames_at_once(holder.objects.repository, [part[n::many] for n in range(many)], roots[-1])
    return [found.get(root) for root in roots[:-1]]


def _renames_at_once(repository: str, groups: list[list[str]], head: str) -> dict[str, Mapping[bytes, bytes]]:
    """The renames of each tree in GROUPS, each of which has a git of its own."""
    found: dict[str, Mapping[bytes, bytes]] = {}
    options = ("-r", "-z", "-M", f"-l{RENAME_PAIRS}", "--no-ext-diff", "--no-textconv", "--diff-filter=R")
    children: list[Child] = []
    try:
        for group in groups:
            children.append(Child(repository, "diff-tree", "--stdin", *options, "--name-status"))
            children[-1].write("".join(f"{root} {head}\n" for root in group).encode())
            children[-1].hang_up()
        for child in children:
            with suppress(TimedOut):
                out = child.rest(_OUTPUT_BYTES)
                if child.close(kill=len(out) > _OUTPUT_BYTES) == 0:
                    found |= _renames_of(out)
    except OSError:
        # A child that has gone tells nothing; what the others have told counts.
        pass
    finally:
        for child in children:
            child.close(kill=True)
    return found


def _renames_of(out: bytes) -> dict[str, Mapping[bytes, bytes]]:
    """The renames of each old tree in OUT: two ids in a line for each pair, then three fields for each of its files."""
    found: dict[str, Mapping[bytes, bytes]] = {}
    here: dict[bytes, bytes] = {}
    fields = out.split(b"\0")
    for at in range(0, len(fields), 3):
        # What stands before the first field of a file, or at the end, are lines of pairs: the last is that of the file.
        for line in fields[at].split(b"\n")[:-1]:
            here = {}
            found[line.partition(b" ")[0].decode("ascii")] = here
        if at + 2 < len(fields):
            here[fields[at + 1]] = fields[at + 2]
    return found


def stands(tree: Tree, path: bytes, revision: Revision) -> bool:
    """Whether anything stands at PATH; `look` would say so too, and takes its time to find names that are like it."""
    if revision.now and isinstance(tree, (WorkTree, Folder)):
        return not tree.disk.stand(path).rest
    holder = committed(tree)
    return holder is not None and revision.commit is not None and holder.entry(path, revision.commit) is not None


def alike(tree: Tree, blobs: Collection[str], others: Collection[str]) -> set[str] | None:
    """Those of BLOBS of TREE that git would take for one of OTHERS, renamed; None where it could not tell."""
    holder = committed(tree)
    return None if holder is None else alike_blobs(holder.objects, blobs, others)


def places(tree: Tree, commit: str) -> Mapping[str, list[bytes]] | None:
    """The paths of every blob of COMMIT, by its id; None where git could not tell."""
    holder = committed(tree)
    if holder is None:
        return None
    words = ("ls-tree", "-r", "-z", "--full-tree", commit)
    outcome = run(holder.objects.repository, *words, limit=_OUTPUT_BYTES)
    if outcome.status != 0:
        return None
    found: dict[str, list[bytes]] = {}
    for row in outcome.out.split(b"\0"):
        head, tab, path = row.partition(b"\t")
        kind, _, id = head.partition(b" ")[2].partition(b" ")
        if tab and kind == b"blob":
            found.setdefault(id.decode("ascii"), []).append(path)
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
