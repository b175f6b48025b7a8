"""Bare repositories and plain folders."""

from pathlib import Path

import pytest

from budgeted_reads.errors import CommitUnknown, ForbiddenPath, NotAFile, NotFound
from budgeted_reads.trees.base import Child
from budgeted_reads.trees.catalog import open_tree
from repos import Link, make_repo, write


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_a_bare_repository_serves_head_as_now(tmp_path: Path, object_format: str) -> None:
    """Without a commit a bare repository serves HEAD, committed, in both object formats."""
    ids = make_repo(
        tmp_path / "b.git", [{b"a": b"1"}, {b"a": b"2", b"d/e": b"3"}], bare=True, object_format=object_format
    )
    tree = open_tree("t", str(tmp_path / "b.git"))
    now = tree.resolve(None)
    found = tree.look(b"a", now)
    assert (tree.kind, found.raw, found.commit, found.dirty) == ("bare", b"2", ids[1], False)
    assert tree.look(b"a", tree.resolve(ids[0])).raw == b"1"
    assert tree.children(b"", now) == (Child(b"a", "file", 1), Child(b"d", "folder", 1, 1))
    assert tree.look(b"", now).commit == ids[1]
    with pytest.raises(NotFound):
        tree.look(b"HEAD", now)
    tree.close()


def test_a_bare_repository_without_commits_is_empty(tmp_path: Path) -> None:
    """Without commits its root is an empty folder with a reason, and every path `not_found`."""
    make_repo(tmp_path / "b.git", bare=True)
    tree = open_tree("t", str(tmp_path / "b.git"))
    now = tree.resolve(None)
    assert tree.children(b"", now) == ()
    assert tree.look(b"", now).reason
    with pytest.raises(NotFound):
        tree.look(b"a", now)
    tree.close()


def test_a_plain_folder_serves_the_disk(tmp_path: Path) -> None:
    """A plain folder serves the bytes on disk, without a commit and with the reason."""
    write(tmp_path / "f", {b"a": b"1", b"d/e": b"23", b"d/\xff": b"", b"l": Link(b"a"), b"out": Link(b"/etc")})
    tree = open_tree("t", str(tmp_path / "f"))
    now = tree.resolve(None)
    found = tree.look(b"a", now)
    assert (tree.kind, found.raw, found.commit, found.blob, found.base, found.dirty) == (
        "folder",
        b"1",
        None,
        None,
        None,
        True,
    )
    assert found.reason
    assert tree.look(b"l", now).raw == b"a"
    assert tree.children(b"", now) == (
        Child(b"a", "file", 1), Child(b"d", "folder", 2, 2), Child(b"l", "link", 1), Child(b"out", "link", 4),
    )  # fmt: skip
    for path, error in (
        (b"out", ForbiddenPath),
        (b"out/x", ForbiddenPath),
        (b"l/x", NotFound),
        (b"A", NotFound),
        (b"a/", NotAFile),
    ):
        with pytest.raises(error):
            tree.look(path, now)
    with pytest.raises(NotAFile):
        tree.children(b"a", now)
    assert not tree.has_commit("0" * 40)
    tree.close()


def test_a_plain_folder_knows_no_commit(tmp_path: Path) -> None:
    """Naming a commit in a plain folder is `commit_unknown`, and git's folder in one below it is not served."""
    make_repo(tmp_path / "f" / "r", [{b"a": b"1"}])
    tree = open_tree("t", str(tmp_path / "f"))
    with pytest.raises(CommitUnknown):
        tree.resolve("HEAD")
    with pytest.raises(ForbiddenPath):
        tree.look(b"r/.git/config", tree.resolve(None))
    assert tree.children(b"r", tree.resolve(None)) == (Child(b"r/a", "file", 1),)
    tree.close()
