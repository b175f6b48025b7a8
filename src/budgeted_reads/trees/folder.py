"""A plain folder: everything comes from the disk as it is now, and its only commits are our snapshots."""

from collections.abc import Mapping

from budgeted_reads.errors import CommitUnknown, NotAFile, NotFound
from budgeted_reads.trees import missing, paths
from budgeted_reads.trees.base import Child, Found, Revision
from budgeted_reads.trees.committed import Committed, checked_link, lfs_warning
from budgeted_reads.trees.disk import Disk, files_below
from budgeted_reads.trees.gitdir import GitFolder
from budgeted_reads.trees.objects import is_hex, object_id
from budgeted_reads.trees.snapshots import Keeping, Snapshots

_DIGITS = 40

REASON = "a plain folder has no commits, so nothing in it has a pointer"


class Folder:
    """A tree without a repository. See `base.Tree`."""

    kind = "folder"

    def __init__(self, name: str, root: str, keeping: Keeping | None = None) -> None:
        """Without KEEPING nothing is kept beside this tree, and what was kept is not looked at."""
        self.name = name
        self.root = root
        self.disk = Disk(root)
        self.snapshots = None if keeping is None else Snapshots(root, _DIGITS, keeping)
        self._kept: Committed | None = None
        if self.snapshots is not None:
            # The snapshots are a bare repository, and are read as one.
            place = self.snapshots.store.place
            self._kept = Committed(name, root, GitFolder(place, place, _DIGITS, False, False), keeping)

    def resolve(self, commit: str | None) -> Revision:
        """The folder as it is now; the only commits are its snapshots."""
        return Revision(None, now=True) if commit is None else self.by_id(commit)

    def by_id(self, commit: str) -> Revision:
        """The revision of a snapshot; `commit_unknown` for any other commit: a plain folder has none."""
        if self._kept is not None and is_hex(commit.lower()) and self.has_any:
            try:
                return self._kept.by_id(commit)
            except CommitUnknown as error:
                if error.members["reason"] == "snapshot_pruned":
                    raise
        shown = paths.show(commit.encode("utf-8", "surrogatepass"))
        raise CommitUnknown(
            f"no commit {shown}: {self.name} is a plain folder", "leave out the commit", reason="not_a_repository"
        )

    @property
    def kept(self) -> Committed | None:
        """The snapshots of this folder, as a repository; None where nothing is kept."""
        return self._kept

    @property
    def has_any(self) -> bool:
        """Whether anything of this folder was ever kept."""
        return self.snapshots is not None and self.snapshots.store.exists

    def look(self, path: bytes, revision: Revision, *, snapshot: bool = True) -> Found:
        """What stands at PATH; see `base.Tree.look`."""
        path = paths.parse(path).path
        paths.refuse_git(path)
        if self._kept is not None and revision.commit is not None and not revision.now:
            return self._kept.at_commit(path, revision.commit)
        found = self._now(path)
        if self.snapshots is None or not found.dirty:
            return found
        return self.snapshots.serve(found, lambda: None, wanted=snapshot, digest=_blob_id)

    def snapshot(self, files: Mapping[bytes, bytes]) -> str | None:
        """The id of one snapshot of FILES; see `base.Tree.snapshot`."""
        return None if self.snapshots is None else self.snapshots.together(files, self.storable(files), None)

    def storable(self, files: Mapping[bytes, bytes]) -> dict[bytes, str]:
        """Why those of FILES that may not be kept may not; see `base.Tree.storable`."""
        return dict.fromkeys(files, REASON) if self.snapshots is None else self.snapshots.refusals(files)

    def _now(self, path: bytes) -> Found:
        standing = self.disk.stand(path.rstrip(b"/"))
        if standing.rest:
            names = [name for name, _, _ in self.disk.rows(standing.reached)] if standing.kind == "folder" else []
            raise missing.refusal(path.rstrip(b"/"), standing, names, self.disk.link)
        missing.demands_folder(path, standing.kind)
        path = standing.reached
        if standing.kind == "folder":
            return Found(path, "folder", b"", None, None, reason=REASON)
        if standing.kind == "link":
            target = self.disk.link(path)
            if target is None:
                raise NotFound(f"{paths.show(path)} is not there any more", "ask again, or list its folder")
            warnings = checked_link(path, target, paths.leads(path, target, self.disk.link))
            return Found(path, "link", target, None, None, dirty=True, reason=REASON, warnings=warnings)
        raw = self.disk.served(path)
        return Found(path, "file", raw, None, None, dirty=True, reason=REASON, warnings=lfs_warning(raw))

    def children(self, path: bytes, revision: Revision) -> tuple[Child, ...]:
        """The rows of the folder at PATH; see `base.Tree.children`."""
        if self._kept is not None and revision.commit is not None and not revision.now:
            return self._kept.children_at(paths.parse(path).path, revision.commit)
        found = self.look(path, revision, snapshot=False)
        if found.kind != "folder":
            raise NotAFile(f"{paths.show(found.path)} is a {found.kind}, not a folder", "read it as it is")
        rows = []
        for name, kind, size in self.disk.rows(found.path):
            place = found.path + b"/" + name if found.path else name
            if name.lower() == b".git" or kind == "other":
                continue
            files = 0
            if kind == "folder":
                sizes = [below for _, below in files_below(self.disk, place)]
                files, size = len(sizes), sum(sizes)
            rows.append(Child(place, kind, size, files))
        return tuple(rows)

    def ignored(self, path: bytes) -> bool:
        """False: a plain folder has no ignore rules."""
        return False

    def abbreviate(self, commit: str) -> str:
        """The first 12 digits of COMMIT, or as many more as tell it apart; see `base.Tree`."""
        return commit if self._kept is None else self._kept.abbreviate(commit)

    def has_commit(self, commit: str) -> bool:
        """Whether that is a snapshot of this folder."""
        return self.has_any and self._kept is not None and self._kept.has_commit(commit)

    def close(self) -> None:
        """End the git child that short ids were looked up with, if any."""
        if self._kept is not None:
            self._kept.close()


def _blob_id(raw: bytes) -> str:
    return object_id("blob", raw, _DIGITS)
