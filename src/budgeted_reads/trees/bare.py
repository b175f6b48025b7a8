"""A bare repository: everything it serves is committed, `now` is HEAD."""

from budgeted_reads.errors import NotFound
from budgeted_reads.trees.base import Child, Found, Revision
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.paths import parse, refuse_git, show


class Bare(Committed):
    """A tree without files on disk. See `base.Tree`."""

    kind = "bare"

    def look(self, path: bytes, revision: Revision) -> Found:
        """What stands at PATH; see `base.Tree.look`."""
        path = parse(path).path
        refuse_git(path)
        if revision.commit is None:
            return unborn(path)
        return self.at_commit(path, revision.commit)

    def children(self, path: bytes, revision: Revision) -> tuple[Child, ...]:
        """The rows of the folder at PATH; see `base.Tree.children`."""
        found = self.look(path, revision)
        return () if revision.commit is None else self.children_at(found.path, revision.commit)


def unborn(path: bytes) -> Found:
    """The empty root of a repository without commits; `not_found` below it."""
    if path:
        raise NotFound(f"no {show(path)}: the repository has no commits yet", "make a commit first")
    return Found(b"", "folder", b"", None, None, reason="the repository has no commits yet")
