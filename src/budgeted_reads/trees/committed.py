"""Committed content: paths at a commit, for work trees and bare repositories alike."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from budgeted_reads.errors import CommitUnknown, ForbiddenPath, NotAFile, ReadError
from budgeted_reads.outline.entry import Warned
from budgeted_reads.trees import missing, paths
from budgeted_reads.trees.base import Child, Found, Revision
from budgeted_reads.trees.disk import MAX_COUNTED, Standing
from budgeted_reads.trees.git import Child as Git
from budgeted_reads.trees.gitdir import GitFolder
from budgeted_reads.trees.objects import Item, Objects
from budgeted_reads.trees.reach import Reach
from budgeted_reads.trees.refs import Refs
from budgeted_reads.trees.snapshots import Keeping, Snapshots
from budgeted_reads.trees.store import Piece, Store, Unkept

POINTER_BYTES = 1024
"""A git-lfs pointer is never larger."""

_LFS = b"version https://git-lfs.github.com/spec/v1\n"


class Committed:
    """What a work tree and a bare repository have in common. Safe for several threads."""

    kind = "repository"

    def __init__(self, name: str, root: str, folder: GitFolder, keeping: Keeping | None = None) -> None:
        """Without KEEPING nothing is kept beside this tree, and what was kept is not looked at."""
        self.name = name
        self.root = root
        self.folder = folder
        self.snapshots = None if keeping is None else Snapshots(root, folder.digits, keeping)
        self._reach = Reach(folder)
        self._lock = threading.Lock()
        self._objects: Objects | None = None
        self._own: Objects | None = None

    @property
    def objects(self) -> Objects:
        """The objects of this repository, through a query repository that is made at the first question."""
        with self._lock:
            if self._objects is None:
                self._objects = Objects(self.folder.objects, self.folder.digits, self._store)
            return self._objects

    @property
    def own_objects(self) -> Objects:
        """The objects as the repository itself has them: a copy that is kept beside it hides no damage in it."""
        if self._store is None or not self._store.exists:
            return self.objects
        with self._lock:
            if self._own is None:
                self._own = Objects(self.folder.objects, self.folder.digits)
            return self._own

    @property
    def refs(self) -> Refs:
        """The names of this repository."""
        return Refs(self.folder, self.objects, self._store)

    @property
    def _store(self) -> Store | None:
        return None if self.snapshots is None else self.snapshots.store

    @property
    def no_commit(self) -> str:
        """Why there is no commit at HEAD."""
        if self.folder.reftable:
            return "this git cannot read the names of the repository: git 2.45 can"
        return "the repository has no commits yet"

    def resolve(self, commit: str | None) -> Revision:
        """The revision that COMMIT names; see `base.Tree.resolve`."""
        if commit is None:
            return Revision(self.refs.head(), now=True)
        named = self.refs.resolve(commit)
        return Revision(named.commit, now=False, warnings=named.warnings)

    def by_id(self, commit: str) -> Revision:
        """The revision of the commit with that id; see `base.Tree.by_id`."""
        named = self.refs.by_id(commit)
        return Revision(named.commit, now=False, warnings=named.warnings)

    def snapshot(self, files: Mapping[bytes, bytes]) -> str | None:
        """None: without a work tree everything is committed."""
        return None

    def storable(self, files: Mapping[bytes, bytes]) -> dict[bytes, str]:
        """A reason for each of FILES: without a work tree everything is committed."""
        return dict.fromkeys(files, "there is no work tree")

    def ignored(self, path: bytes) -> bool:
        """False: without a work tree nothing is ignored."""
        return False

    def abbreviate(self, commit: str) -> str:
        """The first 12 digits of COMMIT, or as many more as tell it apart; see `base.Tree`."""
        return self.objects.abbreviate(commit)

    def has_commit(self, commit: str) -> bool:
        """Whether this repository holds the commit with that full id."""
        try:
            info = self.objects.info(commit)
        except ValueError:
            return False
        return info is not None and info.kind == "commit"

    def close(self) -> None:
        """End the children of git; the next question starts another."""
        with self._lock:
            for objects in (self._objects, self._own):
                if objects is not None:
                    objects.close()

    def entry(self, path: bytes, commit: str) -> Item | None:
        """The tree entry of PATH at COMMIT (the root tree for b""), None where nothing stands there."""
        standing, item = self.walk(path, commit)
        return None if standing.rest else item

    def at_commit(self, path: bytes, commit: str, *, keep: bool = True) -> Found:
        """What stands at PATH at COMMIT, with its committed bytes; with KEEP they are pinned where they may be lost."""
        standing, item = self.walk(path.rstrip(b"/"), commit)
        if standing.rest:
            raise self._refusal(path.rstrip(b"/"), standing, item, commit)
        missing.demands_folder(path, item.kind)
        path = standing.reached
        raw = b""
        warnings: tuple[Warned, ...] = ()
        if item.kind == "submodule":
            raw = item.id.encode()
        elif item.kind == "link":
            raw = self.blob(item.id, commit)
            warnings = self._checked_link(path, raw, commit)
        elif item.kind != "folder":
            raw = self._served(item.id, commit)
            warnings = lfs_warning(raw)
        found = Found(path, item.kind, raw, commit, item.id, warnings=warnings)
        if self.snapshots is not None and (base := self.snapshots.base(commit)) is not None:
            return found._replace(base=base[0], dirty=True)
        return self.pinned(found) if keep else found

    def pinned(self, found: Found) -> Found:
        """FOUND, whose objects are copied into the store where no remote branch or tag reaches its commit."""
        keeper, commit = self.snapshots, found.commit
        if keeper is None or commit is None or keeper.refusal(found.path, found.raw) is not None:
            return found
        if keeper.has_pin(commit, found.path):
            return found
        if not keeper.store.kept("pins", commit) and self._reach.reached(commit, self.objects):
            return found
        with suppress(Unkept):
            # A pointer without its pin is as good as the repository is.
            keeper.pin(commit, found.path, self._spine(found, commit))
        return found

    def hold(self, commit: str, files: Sequence[Found]) -> None:
        """Keep what pointers to FILES of COMMIT lead to, as looking at each of them would."""
        # A snapshot holds its files, and is used now.
        if self.snapshots is None or self.snapshots.base(commit) is not None:
            return
        if not self.snapshots.has_pin(commit, *(found.path for found in files)):
            for found in files:
                self.pinned(found)

    def _spine(self, found: Found, commit: str) -> Iterator[Piece]:
        """What dereferencing FOUND takes: its blob, the trees that lead to it, its commit."""
        wanted = [(commit, "commit")]
        parts = found.path.split(b"/") if found.path else []
        for depth in range(len(parts) + (found.kind == "folder")):
            item = self.entry(b"/".join(parts[:depth]), commit)
            if item is not None:
                wanted.append((item.id, "tree"))
        if found.kind in ("file", "link") and found.blob is not None:
            yield Piece(found.blob, "blob", found.raw)
        for id, kind in reversed(wanted):
            if (raw := self.objects.read(id, kind)) is not None:
                yield Piece(id, kind, raw)

    def children_at(self, path: bytes, commit: str) -> tuple[Child, ...]:
        """The rows of the folder at PATH at COMMIT, in byte order, with the sizes of all that stands below."""
        found = self.at_commit(path, commit, keep=False)
        if found.kind != "folder":
            raise NotAFile(f"{paths.show(path)} is a {found.kind}, not a folder", "read it as it is")
        tree = found.blob or ""
        items = self._tree(tree, commit)
        sizes: dict[bytes, list[int]] = {}
        complete = True
        for name, size in self._below(tree):
            count = sizes.setdefault(name.partition(b"/")[0], [0, 0])
            count[0] += 1
            count[1] += size
            complete = complete and size >= 0
        prefix = found.path + b"/" if found.path else b""
        return tuple(
            Child(
                prefix + name,
                item.kind,
                sizes[name][1] if complete and item.kind != "submodule" and name in sizes else None,
                sizes[name][0] if item.kind == "folder" and name in sizes else 0,
            )
            for name, item in sorted(items.items())
        )

    def blob(self, id: str, commit: str) -> bytes:
        """The bytes of the blob ID of COMMIT; `commit_unknown` where a clone left it out."""
        raw = self.objects.read(id, "blob")
        if raw is None:
            raise self._lacks(f"the file {id[:12]} of", commit)
        return raw

    def _served(self, id: str, commit: str) -> bytes:
        raw = self.objects.served(id)
        if raw is None:
            raise self._lacks(f"the file {id[:12]} of", commit)
        return raw

    def link_at(self, commit: str, path: bytes) -> bytes | None:
        """The target of the link at PATH at COMMIT, None where no link stands there."""
        item = self.entry(path, commit)
        return self.blob(item.id, commit) if item is not None and item.kind == "link" else None

    def walk(self, path: bytes, commit: str) -> tuple[Standing, Item]:
        """How far PATH leads at COMMIT, and the entry of the last thing that stands."""
        known = self.objects.commit(commit)
        if known is None:
            raise self.refs.unknown(commit)
        item = Item("folder", known.tree)
        parts = tuple(path.split(b"/")) if path else ()
        for depth, part in enumerate(parts):
            below = self._tree(item.id, commit).get(part) if item.kind == "folder" else None
            if below is None:
                return Standing(item.kind, b"/".join(parts[:depth]), parts[depth:]), item
            item = below
        return Standing(item.kind, path), item

    def _tree(self, id: str, commit: str) -> dict[bytes, Item]:
        items = self.objects.tree(id)
        if items is None:
            raise self._lacks(f"the folder {id[:12]} of", commit)
        return items

    def _lacks(self, what: str, commit: str) -> CommitUnknown:
        reason = "partial" if self.folder.promisor else "pruned"
        if self._store is not None and self._store.pruned(commit):
            reason = "snapshot_pruned"
        detail = f"{what} commit {commit[:12]} is missing or damaged here"
        return CommitUnknown(detail, "fetch it, or check the repository with `git fsck`", reason=reason)

    def _refusal(self, path: bytes, standing: Standing, item: Item, commit: str) -> ReadError:
        names = self._tree(item.id, commit) if item.kind == "folder" else ()
        where = f" at commit {commit[:12]}"
        return missing.refusal(path, standing, names, lambda place: self.link_at(commit, place), where)

    def _checked_link(self, path: bytes, target: bytes, commit: str) -> tuple[Warned, ...]:
        return checked_link(path, target, paths.leads(path, target, lambda place: self.link_at(commit, place)))

    def _below(self, tree: str) -> Iterator[tuple[bytes, int]]:
        """Path and size of the files below TREE, at most MAX_COUNTED; a size is -1 where a clone left the file out."""
        git = Git(self.objects.repository, "ls-tree", "-r", "-l", "-z", "--full-tree", tree)
        try:
            git.hang_up()
            for _ in range(MAX_COUNTED):
                head, _, name = git.line(b"\0").partition(b"\t")
                size = head.split()[-1]
                yield name, int(size) if size.isdigit() else 0 if size == b"-" else -1
        except EOFError:
            return
        finally:
            git.close(kill=True)


def checked_link(path: bytes, target: bytes, real: bytes | None) -> tuple[Warned, ...]:
    """The warning for a link that is served as its text; `forbidden_path` where it leaves the tree (REAL is None)."""
    if real is None:
        raise ForbiddenPath(f"{paths.show(path)} is a link that leaves the tree", "nothing outside the tree is served")
    where = "it leads to itself" if real == path else f"ask for {paths.show(real) or 'the root of the tree'}"
    return (Warned("symlink", f"a link to {paths.show(target)}; {where}"),)


def lfs_pointer(raw: bytes) -> tuple[str, int] | None:
    """SHA-256 and size that RAW names where it is a git-lfs pointer, else None."""
    if len(raw) > POINTER_BYTES or not raw.startswith(_LFS):
        return None
    words = dict(line.partition(b" ")[::2] for line in raw.split(b"\n"))
    oid, size = words.get(b"oid", b""), words.get(b"size", b"")
    return (oid[7:].decode("ascii", "replace"), int(size)) if oid.startswith(b"sha256:") and size.isdigit() else None


def lfs_warning(raw: bytes) -> tuple[Warned, ...]:
    """The warning for bytes that are a git-lfs pointer, none for others."""
    named = lfs_pointer(raw)
    return () if named is None else (Warned("lfs_pointer", f"a git-lfs pointer to a file of {named[1]} bytes"),)
