"""What keeps the pointers of an answer good: a snapshot of the files on disk that it shows, pins of its commits."""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from budgeted_reads.errors import ReadError
from budgeted_reads.search.opened import Opened
from budgeted_reads.trees.base import Found, Tree
from budgeted_reads.trees.committed import Committed

Key = tuple[str, bytes]


class Kept(NamedTuple):
    """The commits of files that were not committed, by tree and path; the reasons of those that are not kept."""

    commits: dict[Key, str]
    reasons: dict[Key, str]


def key_of(opened: Opened) -> Key:
    """The tree and path of OPENED."""
    return opened.scope.tree.name, opened.source.path


def keep(shown: Sequence[Opened]) -> Kept:
    """Keep what the files SHOWN have pointers to; one snapshot for each tree."""
    kept = Kept({}, {})
    dirty: dict[str, tuple[Tree, dict[bytes, bytes]]] = {}
    committed: dict[tuple[str, str], tuple[Committed, list[Found]]] = {}
    for opened in shown:
        source, tree = opened.source, opened.scope.tree
        if source.secret:
            continue
        if source.commit is None and source.raw is not None:
            dirty.setdefault(tree.name, (tree, {}))[1][source.path] = source.raw
        elif source.commit is not None and not source.dirty and isinstance(tree, Committed):
            raw = opened.sheet.text.raw
            looked = Found(source.path, "file", raw, source.commit, source.blob)
            committed.setdefault((tree.name, source.commit), (tree, []))[1].append(looked)
    for (_, held), (repository, found) in committed.items():
        with suppress(ReadError):
            repository.hold(held, found)
    for name, (tree, files) in dirty.items():
        reasons = tree.storable(files)
        commit = tree.snapshot(files)
        for path in files:
            if path in reasons:
                kept.reasons[name, path] = reasons[path]
            elif commit is not None:
                kept.commits[name, path] = commit
            else:
                kept.reasons[name, path] = "the snapshot could not be written"
    return kept
