"""A work tree: the bytes on disk as they are now, told apart from what is committed by their own hash.

Neither the index nor a filter of the repository decides what is clean: bytes that hash to the blob of HEAD are that
blob, and nothing else is.
"""

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from budgeted_reads.errors import ForbiddenPath, NotAFile, NotFound, ReadError
from budgeted_reads.outline.entry import Warned
from budgeted_reads.trees import missing, paths
from budgeted_reads.trees.base import Child, Found, Revision
from budgeted_reads.trees.big import Big, feed
from budgeted_reads.trees.committed import POINTER_BYTES, Committed, checked_link, lfs_pointer, lfs_warning
from budgeted_reads.trees.disk import MAX_COUNTED, Disk, Standing, files_below
from budgeted_reads.trees.git import Outcome, run
from budgeted_reads.trees.gitdir import GitFolder
from budgeted_reads.trees.objects import Item, object_id
from budgeted_reads.trees.snapshots import Keeping

IGNORED = "git ignores it, so it is not stored"
OFF = "snapshots are off for this tree"

_FEED = 30_000

FOLDER_REASON = "a folder of the work tree has no commit of its own: name a commit to get one"


class _Served(NamedTuple):
    raw: bytes
    warnings: tuple[Warned, ...] = ()


class WorkTree(Committed):
    """A repository with files on disk. See `base.Tree`."""

    kind = "worktree"

    def __init__(self, name: str, root: str, folder: GitFolder, keeping: Keeping | None = None) -> None:
        super().__init__(name, root, folder, keeping)
        self.disk = Disk(root)

    def look(self, path: bytes, revision: Revision, *, snapshot: bool = True) -> Found:
        """What stands at PATH; see `base.Tree.look`."""
        path = paths.parse(path).path
        paths.refuse_git(path)
        if revision.commit is not None and not revision.now:
            return self.at_commit(path, revision.commit, keep=snapshot)
        found = self._now(path, revision.commit)
        if found.commit is not None:
            return self.pinned(found) if snapshot else found
        if self.snapshots is None or not found.dirty:
            return found
        return self.snapshots.serve(found, lambda: self._ignored_reason(found), wanted=snapshot, digest=self._blob_id)

    def snapshot(self, files: Mapping[bytes, bytes]) -> str | None:
        """The id of one snapshot of FILES; see `base.Tree.snapshot`."""
        left_out = self.storable(files)
        return None if self.snapshots is None else self.snapshots.together(files, left_out, self.refs.head())

    def storable(self, files: Mapping[bytes, bytes]) -> dict[bytes, str]:
        """Why those of FILES that may not be kept may not; see `base.Tree.storable`."""
        if self.snapshots is None:
            return dict.fromkeys(files, OFF)
        reasons = self.snapshots.refusals(files)
        head = self.refs.head()
        new = [path for path in files if path not in reasons and self._at_head(path, head)[0] is None]
        return {**reasons, **dict.fromkeys(self._ignored_of(new), IGNORED)}

    def children(self, path: bytes, revision: Revision) -> tuple[Child, ...]:
        """The rows of the folder at PATH, without what git ignores; see `base.Tree.children`."""
        found = self.look(path, revision, snapshot=False)
        if revision.commit is not None and not revision.now:
            return self.children_at(found.path, revision.commit)
        if found.kind != "folder":
            raise NotAFile(f"{paths.show(found.path)} is a {found.kind}, not a folder", "read it as it is")
        return self._children_now(found.path, revision.commit)

    def ignored(self, path: bytes) -> bool:
        """Whether git's ignore rules leave PATH out; never for what is in the index."""
        # `./` keeps a name that starts with `:(` from being read as pathspec magic; this command knows no globs.
        return self._git("check-ignore", "-q", "--", "./" + os.fsdecode(path)).status == 0

    def _ignored_reason(self, found: Found) -> str | None:
        """Why FOUND, which differs from what is committed, may not be kept."""
        return IGNORED if self._at_head(found.path, found.base)[0] is None and self.ignored(found.path) else None

    def _ignored_of(self, files: Sequence[bytes]) -> list[bytes]:
        """Those of FILES that git ignores."""
        found: list[bytes] = []
        feed = b""
        for path in (*files, b""):
            if feed and (not path or len(feed) + len(path) > _FEED):
                # No more than fits into a pipe: nobody reads the answer while the question is written.
                out = self._git("check-ignore", "-z", "--stdin", feed=feed).out
                found += [place.removeprefix(b"./") for place in out.split(b"\0")[:-1]]
                feed = b""
            feed += b"./" + path + b"\0"
        return found

    def _blob_id(self, raw: bytes) -> str:
        return object_id("blob", raw, self.folder.digits)

    def _now(self, path: bytes, head: str | None) -> Found:
        standing = self.disk.stand(path.rstrip(b"/"))
        item, outer = self._at_head(path.rstrip(b"/"), head)
        if outer is not None:
            raise missing.refusal(path, outer, (), self.disk.link)
        if standing.rest:
            raise self._absent(path.rstrip(b"/"), standing, item, head)
        if item is not None and item.kind == "submodule":
            return Found(standing.reached, "submodule", item.id.encode(), head, item.id)
        kind = standing.kind
        missing.demands_folder(path, kind)
        path = standing.reached
        if kind == "folder":
            return Found(path, "folder", b"", None, None, base=head, reason=FOLDER_REASON)
        if kind == "link":
            target = self.disk.link(path)
            if target is None:
                raise NotFound(f"{paths.show(path)} is not there any more", "ask again, or list its folder")
            warnings = checked_link(path, target, paths.leads(path, target, self.disk.link))
            return self._compared(path, "link", _Served(target, warnings), item, head)
        return self._compared(path, "file", _Served(self.disk.served(path)), item, head)

    def _at_head(self, path: bytes, head: str | None) -> tuple[Item | None, Standing | None]:
        """The entry of PATH at HEAD, and the submodule that PATH is inside of, if any."""
        if head is None:
            return None, None
        standing, item = self.walk(path, head)
        if standing.rest and standing.kind == "submodule":
            return None, standing
        return (None if standing.rest else item), None

    def _compared(self, path: bytes, kind: str, disk: _Served, item: Item | None, head: str | None) -> Found:
        """The committed object where DISK is the same file, else the bytes of the disk as dirty."""
        if item is not None and head is not None and item.kind in ("file", "link"):
            # Where links cannot be made, git writes the target into a file: the bytes are still the committed ones.
            if object_id("blob", disk.raw, self.folder.digits) == item.id:
                return self._clean(path, item, disk, head)
            if kind == "file" == item.kind and (served := self._same(disk.raw, item, head)) is not None:
                return self._clean(path, item, served, head)
        warnings = disk.warnings or lfs_warning(disk.raw)
        reason = self._reason(path, item, head) if self.snapshots is None else None
        return Found(path, kind, disk.raw, None, None, base=head, dirty=True, reason=reason, warnings=warnings)

    def _clean(self, path: bytes, item: Item, served: _Served, head: str) -> Found:
        warnings = served.warnings
        if item.kind == "link" and not warnings:
            warnings = checked_link(path, served.raw, paths.leads(path, served.raw, self.disk.link))
        return Found(path, item.kind, served.raw, head, item.id, warnings=warnings or lfs_warning(served.raw))

    def _same(self, raw: bytes, item: Item, head: str) -> _Served | None:
        """The committed bytes where RAW is their checkout, by line ends or by git-lfs; no filter runs to tell."""
        if not isinstance(raw, Big) and b"\r\n" in raw:
            text = raw.replace(b"\r\n", b"\n")
            if object_id("blob", text, self.folder.digits) == item.id:
                detail = "the work tree has CRLF line ends; the committed bytes are served"
                return _Served(text, (Warned("worktree_eol", detail),))
        info = self.objects.info(item.id)
        if info is None or info.size > POINTER_BYTES:
            return None
        pointer = self.blob(item.id, head)
        named = lfs_pointer(pointer)
        if named is None or named[1] != len(raw):
            return None
        import hashlib

        if feed(hashlib.sha256(), raw).hexdigest() != named[0]:
            return None
        detail = f"git-lfs holds this file of {len(raw)} bytes; the committed pointer is served"
        return _Served(pointer, (Warned("lfs_pointer", detail),))

    def _reason(self, path: bytes, item: Item | None, head: str | None) -> str:
        if head is None:
            return self.no_commit
        if item is not None:
            return f"it differs from commit {head[:12]}: the edit is not committed"
        if self.ignored(path):
            return IGNORED
        return f"it is not in commit {head[:12]}: the new file is not committed"

    def _absent(self, path: bytes, standing: Standing, item: Item | None, head: str | None) -> ReadError:
        if item is not None and head is not None:
            return NotFound(
                f"{paths.show(path)} is deleted in the work tree",
                f"commit {head[:12]} still has it: ask for it with that commit",
                base=head,
            )
        names: list[bytes] = []
        if standing.kind == "folder":
            names = [name for name, _, _ in self.disk.rows(standing.reached)]
        return missing.refusal(path, standing, names, self.disk.link)

    def _children_now(self, folder: bytes, head: str | None) -> tuple[Child, ...]:
        prefix = folder + b"/" if folder else b""
        sizes: dict[bytes, list[int]] = {}
        listed: dict[bytes, dict[bytes, int]] = {}
        for path in self.visible(folder + b"/" if folder else b""):
            name, _, below = path.removeprefix(prefix).partition(b"/")
            count = sizes.setdefault(name, [0, 0])
            if not below:
                continue
            parent, _, last = path.rpartition(b"/")
            if parent not in listed:
                listed[parent] = self._sizes(parent)
            if last in listed[parent]:
                count[0] += 1
                count[1] += listed[parent][last]
        rows = []
        for name, kind, size in self.disk.rows(folder):
            if name not in sizes or kind == "other":
                continue
            item, _ = self._at_head(prefix + name, head) if kind == "folder" else (None, None)
            if item is not None and item.kind == "submodule":
                rows.append(Child(prefix + name, "submodule", None))
            elif kind == "folder":
                rows.append(Child(prefix + name, kind, sizes[name][1], sizes[name][0]))
            else:
                rows.append(Child(prefix + name, kind, size))
        return tuple(rows)

    def _sizes(self, folder: bytes) -> dict[bytes, int]:
        """The sizes of the files and links right in FOLDER, by name; none where it is gone or cannot be read."""
        try:
            return {name: size for name, kind, size in self.disk.rows(folder) if kind in ("file", "link")}
        except (NotFound, ForbiddenPath):
            return {}

    def visible(self, path: bytes) -> list[bytes]:
        """Paths at PATH or below it (b"" is the root) that git tracks or would offer to add, at most MAX_COUNTED."""
        place = ("--", os.fsdecode(path)) if path else ()
        outcome = self._git(
            "--literal-pathspecs",
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--deduplicate",
            *place,
        )
        if outcome.status != 0:
            return [place for place, _ in files_below(self.disk, path.rstrip(b"/"))]
        return [path for path in outcome.out.split(b"\0")[:MAX_COUNTED] if path]

    def _git(self, *arguments: str, feed: bytes = b"") -> Outcome:
        """Run git over the work tree, with the index of the served repository but with our own configuration."""
        return run(
            self.objects.repository,
            f"--work-tree={self.root}",
            "-c",
            f"core.excludesFile={os.path.join(self.folder.common, 'info', 'exclude')}",
            *arguments,
            extra={"GIT_INDEX_FILE": os.path.join(self.folder.own, "index")},
            feed=feed,
        )
