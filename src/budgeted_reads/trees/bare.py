"""A bare repository: everything it serves is committed, `now` is HEAD."""

from budgeted_reads.errors import NotFound
from budgeted_reads.trees.base import Child, Found, Revision
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.paths import parse, refuse_git, show


class Bare(Committed):
    """A tree without files on disk. See `base.Tree`."""

    kind = "bare"

    def look(self, path: bytes, revision: Revision, *, snapshot: bool = True) -> Found:
        """What stands at PATH; see `base.Tree.look`."""
        path = parse(path).path
        refuse_git(path)
        if revision.commit is None:
            if path:
                raise NotFound(f"no {show(path)}: {self.no_commit}", "name a commit by its full id, or make one first")
            return Found(b"", "folder", b"", None, None, reason=self.no_commit)
        return self.at_commit(path, revision.commit, keep=snapshot)

    def children(self, path: bytes, revision: Revision) -> tuple[Child, ...]:
        """The rows of the folder at PATH; see `base.Tree.children`."""
        found = self.look(path, revision, snapshot=False)
        return () if revision.commit is None else self.children_at(found.path, revision.commit)
