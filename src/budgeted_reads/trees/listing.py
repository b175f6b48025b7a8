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
_MOST = 256 << 20
_AS_CHECKED_OUT = b"H "


class File(NamedTuple):
    """A regular file of a commit: its path within the tree, and its blob."""

    path: bytes
    blob: str


def files_at(tree: Committed, folder: str, below: bytes) -> tuple[File, ...]:
    """The regular files of the git tree FOLDER, which stands at the path BELOW; links and submodules are none."""
    outcome = run(tree.objects.repository, "ls-tree", "-r", "-z", "--full-tree", folder, limit=1 << 30)
    prefix = below + b"/" if below else b""
    files = []
    for row in outcome.out.split(b"\0"):
        head, _, path = row.partition(b"\t")
        if head.startswith(_PLAIN_FILE):
            files.append(File(prefix + path, head.rsplit(b" ", 1)[-1].decode("ascii")))
    return tuple(files)


def changed_now(tree: WorkTree, head: str | None) -> list[bytes]:
    """Paths of files on disk that may differ from the commit HEAD, new and deleted ones among them; no ignored ones."""
    if head is not None:
        found = _by_index(tree, head)
        if found is not None:
            return found
    outcome = _git(tree, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    if outcome.status == 0:
        return [path for path in outcome.out.split(b"\0") if path and not path.endswith(b"/")]
    return [path for path, _ in files_below(tree.disk, b"")]


def _by_index(tree: WorkTree, head: str) -> list[bytes] | None:
    """As `changed_now`, by the index of the served repository; None where this git cannot use it."""
    found: dict[bytes, None] = {}
    differing, listed = _children(
        tree,
        ("diff-index", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", head, "--"),
        # New files, and those that the index promises not to look at: they are looked at here.
        ("ls-files", "-z", "-v", "--cached", "--others", "--exclude-standard"),
    )
    try:
        for child, tags in ((differing, 0), (listed, 2)):
            child.hang_up()
            out = child.rest(_MOST)
            if child.close(kill=len(out) > _MOST) != 0:
                return None
            for row in out.split(b"\0"):
                path = row[tags:]
                if path and not path.endswith(b"/") and not (tags and row.startswith(_AS_CHECKED_OUT)):
                    found[path] = None
    finally:
        differing.close(kill=True)
        listed.close(kill=True)
    return list(found)[: MAX_COUNTED * 4]


def _git(tree: WorkTree, *arguments: str) -> Outcome:
    return run(tree.objects.repository, *_over(tree), *arguments, extra=_index(tree))


def _children(tree: WorkTree, *ways: tuple[str, ...]) -> list[Child]:
    """Git at work in each of WAYS over the work tree, all at once."""
    repository = tree.objects.repository
    return [Child(repository, *_over(tree), *way, extra=_index(tree)) for way in ways]


def _over(tree: WorkTree) -> tuple[str, ...]:
    exclude = os.path.join(tree.folder.common, "info", "exclude")
    return f"--work-tree={tree.root}", "-c", f"core.excludesFile={exclude}"


def _index(tree: WorkTree) -> dict[str, str]:
    return {"GIT_INDEX_FILE": os.path.join(tree.folder.own, "index")}


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
