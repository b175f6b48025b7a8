"""A plain folder: everything comes from the disk as it is now, nothing has a commit."""

from budgeted_reads.errors import CommitUnknown, NotAFile, NotFound
from budgeted_reads.trees import missing, paths
from budgeted_reads.trees.base import Child, Found, Revision
from budgeted_reads.trees.committed import checked_link, lfs_warning
from budgeted_reads.trees.disk import Disk, files_below

REASON = "a plain folder has no commits, so nothing in it has a pointer"


class Folder:
    """A tree without a repository. See `base.Tree`."""

    kind = "folder"

    def __init__(self, name: str, root: str) -> None:
        self.name = name
        self.root = root
        self.disk = Disk(root)

    def resolve(self, commit: str | None) -> Revision:
        """The folder as it is now; `commit_unknown` for any commit."""
        return Revision(None, now=True) if commit is None else self.by_id(commit)

    def by_id(self, commit: str) -> Revision:
        """Raises `commit_unknown`: a plain folder has no commits."""
        shown = paths.show(commit.encode("utf-8", "surrogatepass"))
        raise CommitUnknown(
            f"no commit {shown}: {self.name} is a plain folder", "leave out the commit", reason="not_a_repository"
        )

    def look(self, path: bytes, revision: Revision) -> Found:
        """What stands at PATH; see `base.Tree.look`."""
        path = paths.parse(path).path
        paths.refuse_git(path)
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
        raw = self.disk.read(path)
        return Found(path, "file", raw, None, None, dirty=True, reason=REASON, warnings=lfs_warning(raw))

    def children(self, path: bytes, revision: Revision) -> tuple[Child, ...]:
        """The rows of the folder at PATH; see `base.Tree.children`."""
        found = self.look(path, revision)
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
        """COMMIT as it is: a plain folder has none to confuse it with."""
        return commit

    def has_commit(self, commit: str) -> bool:
        """False: a plain folder holds no commit."""
        return False

    def close(self) -> None:
        """Nothing to end."""
