"""What a tree is to the rest of the product: names and commits in, bytes and ids out."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from budgeted_reads.outline.entry import Warned

if TYPE_CHECKING:
    from budgeted_reads.trees.snapshots import Snapshots


class Revision(NamedTuple):
    """What a request reads: a commit, or (`now`) the tree as it is on disk, whose `commit` is then that of HEAD.

    `commit` is a full id, or None where there is no commit at all (a plain folder, a repository without commits).
    """

    commit: str | None
    now: bool
    warnings: tuple[Warned, ...] = ()


class Found(NamedTuple):
    """What stands at a path. `kind` is file, folder, link or submodule.

    `commit` and `blob` name the object whose bytes are served: a commit of the repository, or, where `dirty`, a
    snapshot that was changed from the commit `base`. Both are None where there is neither, and `reason` then says why
    there is no pointer (None where a snapshot could be taken and was not wanted). A link's `raw` is its target, a
    submodule's its commit id. For a folder `blob` is the git tree id and `raw` is empty.
    """

    path: bytes
    kind: str
    raw: bytes
    commit: str | None
    blob: str | None
    base: str | None = None
    dirty: bool = False
    reason: str | None = None
    warnings: tuple[Warned, ...] = ()


class Child(NamedTuple):
    """One row of a folder: `path` within the tree, `kind` as in Found, `size` in bytes (None where unknown)."""

    path: bytes
    kind: str
    size: int | None
    files: int = 0


class Tree(Protocol):
    """A named root that a node serves: a git work tree, a bare repository, or a plain folder."""

    name: str
    kind: str
    root: str
    snapshots: "Snapshots | None"

    def resolve(self, commit: str | None) -> Revision:
        """The revision that COMMIT names: None (as it is now), a full id, 7+ hex, HEAD, a branch or a tag.

        Raises `commit_unknown`, `ambiguous_commit`, or `invalid_request` for operators and options.
        """
        ...

    def by_id(self, commit: str) -> Revision:
        """The revision of the commit with that full id, or whose id alone begins so (7+ hex); never through a name.

        Raises `commit_unknown`, `ambiguous_commit`. This is how pointers name commits.
        """
        ...

    def look(self, path: bytes, revision: Revision, *, snapshot: bool = True) -> Found:
        """What stands at PATH (no leading slash; b"" is the root; a slash at the end asks for a folder).

        Whoever asks means to give a pointer: bytes that are not committed are kept in a snapshot, and a commit that
        may be lost is pinned. Without SNAPSHOT nothing is kept; `snapshot` then keeps several files at once.

        Raises `not_found` with near names, `not_a_file` where a folder was asked for, `forbidden_path`,
        `invalid_request`, `file_changing`, `too_large`.
        """
        ...

    def snapshot(self, files: Mapping[bytes, bytes]) -> str | None:
        """The id of the one snapshot of FILES, bytes served by path that are not committed, or None.

        Those that `storable` refuses are left out. It is as durable as that of a single file.
        """
        ...

    def storable(self, files: Mapping[bytes, bytes]) -> dict[bytes, str]:
        """Why those of FILES that are in no snapshot are not, by path; files that may be kept are not there."""
        ...

    def children(self, path: bytes, revision: Revision) -> tuple[Child, ...]:
        """The rows of the folder at PATH, in byte order of their names."""
        ...

    def ignored(self, path: bytes) -> bool:
        """Whether git's ignore rules leave the file at PATH out; False where there is no work tree."""
        ...

    def abbreviate(self, commit: str) -> str:
        """The first 12 digits of the full id COMMIT, or as many more as no other object of this tree shares."""
        ...

    def has_commit(self, commit: str) -> bool:
        """Whether this tree holds the commit with that full id."""
        ...

    def close(self) -> None:
        """End the children and remove the temporary folders of this tree; it may be used again."""
        ...
