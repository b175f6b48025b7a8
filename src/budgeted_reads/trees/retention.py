"""Giving up what is kept: by age, by room, by path, or all of it."""

import os
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from typing import NamedTuple

from budgeted_reads.trees.objects import Item, parse_commit, parse_tree
from budgeted_reads.trees.store import BLOCK, REFS, Store


class Kept(NamedTuple):
    """One kept commit: `kind` is snapshots or pins, `used` the time of its last use in seconds since 1970."""

    kind: str
    commit: str
    used: float


def kept(store: Store) -> list[Kept]:
    """All that is kept, the last used first."""
    rows = [Kept(kind, commit, used) for kind in REFS for used, commit in store.refs(kind)]
    return sorted(rows, key=lambda row: (-row.used, row.kind, row.commit))


def prune(store: Store, room: int | None, since: float | None) -> list[Kept]:
    """Give up what was not used SINCE that time, and of the rest the longest unused until it fits in ROOM bytes.

    Where room is short a fifth more is made, so that not every new snapshot prunes. Returns what was given up.
    """
    most = None if room is None else room - room // 5
    total = 0

    def goes(row: Kept, size: int) -> bool:
        nonlocal total
        if (since is not None and row.used < since) or (most is not None and total + size > most):
            return True
        total += size
        return False

    return _drop(store, goes)


def purge_path(store: Store, path: bytes) -> list[Kept]:
    """Give up every commit that keeps bytes at PATH, or below it."""
    return _drop(store, lambda row, _: any(_within(place, path) for place, _ in files(store, row.commit)))


def purge_all(folder: str) -> int:
    """Remove everything below FOLDER, that of all stores; the number of commits that were kept."""
    import shutil

    count = 0
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        place = os.path.join(folder, name)
        store = Store(place, 64 if name.endswith("-64.git") else 40, "")
        if store.exists:
            with store.alone():
                count += len(kept(store))
                os.rename(place, place + ".old")
            place += ".old"
        if os.path.isdir(place) and not os.path.islink(place):
            shutil.rmtree(place)
        else:
            os.unlink(place)
    for empty in (folder, os.path.dirname(folder)):
        with suppress(OSError):
            os.rmdir(empty)
    return count


def files(store: Store, commit: str) -> Iterator[tuple[bytes, str]]:
    """Path and blob of every file whose bytes the store keeps for COMMIT."""
    for path, item in _walk(store, commit):
        if item.kind in ("file", "link") and store.has(item.id):
            yield path, item.id


def _drop(store: Store, goes: Callable[[Kept, int], bool]) -> list[Kept]:
    """Give up every commit that GOES, told with the bytes that it takes beside those that stay."""
    if not store.exists:
        return []
    with store.alone():
        blocks = store.inventory()
        live: set[str] = set()
        dropped = []
        for row in kept(store):
            ids = (row.commit, *(item.id for _, item in _walk(store, row.commit, live)))
            mine = {id for id in ids if id in blocks and id not in live}
            if goes(row, sum(blocks[id] for id in mine) * BLOCK):
                dropped.append(row)
            else:
                live |= mine
        store.remove([(row.kind, row.commit) for row in dropped], blocks, live)
        return dropped


def _walk(store: Store, commit: str, known: Container[str] = ()) -> Iterator[tuple[bytes, Item]]:
    """The root tree of COMMIT and every entry below it, as far as the store has the trees; not into KNOWN ones."""
    piece = store.get(commit)
    if piece is None or piece.kind != "commit":
        return
    todo = [(b"", Item("folder", parse_commit(piece.raw, store.digits).tree))]
    while todo:
        path, item = todo.pop()
        yield path, item
        if item.kind != "folder" or item.id in known:
            continue
        if (tree := store.get(item.id)) is not None and tree.kind == "tree":
            below = parse_tree(tree.raw, store.digits // 2)
            todo.extend((path + b"/" + name if path else name, one) for name, one in below.items())


def _within(place: bytes, path: bytes) -> bool:
    return not path or place == path or place.startswith(path + b"/")
