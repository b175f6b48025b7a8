"""Every file of a tree at once, for search: what a commit holds, what the disk has beside it, contents in bulk.

What the disk has is only proposed here, from the index of the served repository: whether a file really differs is told
by its own bytes (`Tree.look`), so an index that lies can hide an edit but never make wrong bytes pass for committed.
"""

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.disk import MAX_COUNTED, files_below
from budgeted_reads.trees.git import Child, Outcome, run
from budgeted_reads.trees.objects import object_id
from budgeted_reads.trees.worktree import WorkTree

_AT_ONCE = 400
_PART = 1 << 24
_PLAIN_FILE = b"100"
_SUBMODULE = b"160000"
_NEW, _AS_CHECKED_OUT = b"? ", b"H"


class File(NamedTuple):
    """A regular file of a commit: its path within the tree, and its blob."""

    path: bytes
    blob: str


def files_at(tree: Committed, folder: str, below: bytes) -> tuple[File, ...]:
    """The regular files of the git tree FOLDER, which stands at the path BELOW; links and submodules are none."""
    prefix = below + b"/" if below else b""
    files = []
    for row in _items(tree, folder):
        head, _, path = row.partition(b"\t")
        if head.startswith(_PLAIN_FILE):
            files.append(File(prefix + path, head.rsplit(b" ", 1)[-1].decode("ascii")))
    return tuple(files)


def _items(tree: Committed, folder: str) -> list[bytes]:
    """The rows of `git ls-tree` for all that is not a folder: mode, kind and id, a tab, the path."""
    outcome = run(tree.objects.repository, "ls-tree", "-r", "-z", "--full-tree", folder, limit=1 << 30)
    return outcome.out.split(b"\0")[:-1]


class Changed(NamedTuple):
    """Paths of files on disk that may differ from the commit `head`, new and deleted ones among them; no ignored ones.

    `said` is what git told of the disk: as long as it says the same, so are the paths.
    """

    head: str | None
    said: bytes
    paths: tuple[bytes, ...]


def changed_now(tree: WorkTree, head: str | None, before: Changed | None = None) -> Changed:
    """What may differ on disk from the commit HEAD now; BEFORE is what did when it was last asked."""
    known = None if head is None else tree.objects.commit(head)
    if head is not None and known is not None:
        # One process tells of the index and of the disk beside it.
        rows = _git(tree, "ls-files", "-z", "-v", "-s", "-c", "-m", "-d", "-o", "--exclude-standard")
        if rows.status == 0:
            if before is not None and before.head == head and before.said == rows.out:
                return before
            return Changed(head, rows.out, _differing(rows.out, _items(tree, known.tree)))
    outcome = _git(tree, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    if outcome.status == 0:
        return Changed(head, b"", tuple(path for path in outcome.out.split(b"\0") if path and not path.endswith(b"/")))
    return Changed(head, b"", tuple(path for path, _ in files_below(tree.disk, b"")))


def _differing(said: bytes, items: Sequence[bytes]) -> tuple[bytes, ...]:
    """The paths in the rows of `git ls-files` that are not as those of `git ls-tree`, or not sure to be as checked out.

    Whatever else than a file or a link stands there makes no difference.
    """
    left = {}
    for item in items:
        head, _, path = item.partition(b"\t")
        mode, _, id = head.split(b" ")
        if mode != _SUBMODULE:
            left[path] = [mode, id]
    found: dict[bytes, None] = {}
    for row in said.split(b"\0")[:-1]:
        head, tab, path = row.partition(b"\t")
        words = head.split(b" ")
        if row.startswith(_NEW):
            if not row.endswith(b"/"):
                found[row.removeprefix(_NEW)] = None
        elif tab and words[1] != _SUBMODULE:
            # Any tag but that of a file as checked out: changed, deleted, or one that git was told not to look at.
            same = words[0] == _AS_CHECKED_OUT and words[3] == b"0"
            if left.pop(path, None) != words[1:3] or not same:
                found[path] = None
    # What is left of the commit is not in the index.
    return tuple({**found, **dict.fromkeys(left)})[: MAX_COUNTED * 4]


def _git(tree: WorkTree, *arguments: str) -> Outcome:
    return run(
        tree.objects.repository,
        f"--work-tree={tree.root}",
        "-c",
        f"core.excludesFile={os.path.join(tree.folder.common, 'info', 'exclude')}",
        *arguments,
        extra={"GIT_INDEX_FILE": os.path.join(tree.folder.own, "index")},
    )


def contents(tree: Committed, blobs: Sequence[str], limit: int) -> Iterator[tuple[str, bytes | None]]:
    """Each of BLOBS with its bytes, in order: None where it is missing, damaged, or of more than LIMIT bytes."""
    child = Child(tree.objects.repository, "cat-file", "--batch")
    try:
        for at in range(0, len(blobs), _AT_ONCE):
            some = blobs[at : at + _AT_ONCE]
            child.write("".join(f"{id}\n" for id in some).encode("ascii"))
            for id in some:
                yield id, _next(child, id, tree.folder.digits, limit)
    finally:
        child.close(kill=True)


def _next(child: Child, id: str, digits: int, limit: int) -> bytes | None:
    words = child.line().split(b" ")
    if len(words) != 3:
        return None
    left = int(words[2])
    parts = []
    while left > 0:
        part = child.take(min(left, _PART))
        left -= len(part)
        if int(words[2]) <= limit:
            parts.append(part)
    child.take(1)
    raw = b"".join(parts)
    return raw if words[1] == b"blob" and object_id("blob", raw, digits) == id else None
