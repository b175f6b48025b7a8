"""Repositories as they are found, with snapshots on: nothing fetched, nothing run, clean files stay clean."""

import os
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from budgeted_reads.errors import CommitUnknown, NotFound
from budgeted_reads.trees import retention
from budgeted_reads.trees.base import Tree
from budgeted_reads.trees.catalog import open_tree
from budgeted_reads.trees.snapshots import Keeping
from budgeted_reads.trees.store import Store
from repos import ENVIRONMENT, Link, commit, git, make_repo, write

pytestmark = pytest.mark.usefixtures("own_state")


def opened(place: Path) -> Tree:
    """The tree at PLACE, with snapshots."""
    return open_tree("t", str(place), Keeping())


def store_of(tree: Tree) -> Store:
    """The store beside TREE."""
    assert tree.snapshots is not None
    return tree.snapshots.store


def kept(tree: Tree) -> list[str]:
    """The commits that are kept beside TREE."""
    return [row.commit for row in retention.kept(store_of(tree))]


def trapped(place: Path, mark: Path) -> None:
    """Make whoever fetches into the repository at PLACE leave a file at MARK."""
    git(place, "config", "remote.origin.url", f"ext::sh -c touch% {mark}")
    git(place, "config", "protocol.ext.allow", "always")


def test_a_partial_clone_asks_no_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was left out is a clear error; the remote, dead by now, is never asked, whatever the environment says."""
    ids = make_repo(tmp_path / "r", [{b"d/a": b"1"}, {b"d/a": b"2"}])
    git(tmp_path / "r", "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", (tmp_path / "r").as_uri(), "p")
    trapped(tmp_path / "p", tmp_path / "mark")
    for name in ("GIT_TRACE", "GIT_TRACE2", "GIT_TRACE_PACKET"):
        monkeypatch.setenv(name, str(tmp_path / "trace"))
    monkeypatch.setenv("GIT_NO_LAZY_FETCH", "0")
    tree = opened(tmp_path / "p")
    with pytest.raises(CommitUnknown) as caught:
        tree.look(b"d/a", tree.by_id(ids[0]))
    assert caught.value.members["reason"] == "partial"
    assert "fetch" in caught.value.hint
    for revision in (tree.by_id(ids[0]), tree.resolve(None)):
        assert [row.path for row in tree.children(b"d", revision)] == [b"d/a"]
    (tmp_path / "p" / "d" / "a").write_bytes(b"3")
    assert tree.look(b"d/a", tree.resolve(None)).dirty
    assert not (tmp_path / "mark").exists()
    assert not (tmp_path / "trace").exists()
    tree.close()
    words = ["git", "-c", "remote.origin.promisor=true", "show", f"{ids[0]}:d/a"]
    subprocess.run(
        words, cwd=tmp_path / "p", env=ENVIRONMENT | {"GIT_ALLOW_PROTOCOL": "ext"}, capture_output=True, check=False
    )
    assert (tmp_path / "mark").exists(), "the trap was not set"


def test_a_shallow_clone_is_pinned_as_far_as_it_goes(tmp_path: Path) -> None:
    """A commit without its parents is pinned like any other, and what the clone lacks has the reason `shallow`."""
    ids = make_repo(tmp_path / "r", [{b"a": b"1"}, {b"a": b"2"}])
    git(tmp_path, "clone", "-q", "--depth", "1", (tmp_path / "r").as_uri(), "s")
    tree = opened(tmp_path / "s")
    assert tree.look(b"a", tree.resolve(None)).commit == ids[1]
    assert kept(tree) == []
    git(tmp_path / "s", "remote", "remove", "origin")
    tree.look(b"a", tree.resolve(None))
    assert kept(tree) == [ids[1]]
    mine = commit(tmp_path / "s", {b"a": b"3"})
    tree.look(b"a", tree.resolve(None))
    assert set(kept(tree)) == {ids[1], mine}
    with pytest.raises(CommitUnknown) as caught:
        tree.by_id(ids[0])
    assert caught.value.members["reason"] == "shallow"
    tree.close()


def test_borrowed_objects_are_read_and_pinned(tmp_path: Path) -> None:
    """Objects that a clone borrows are served; once pinned they outlive the lender."""
    ids = make_repo(tmp_path / "r", [{b"d/a": b"1"}, {b"d/a": b"2"}])
    git(tmp_path, "clone", "-q", "--shared", "--no-tags", str(tmp_path / "r"), "s")
    git(tmp_path / "s", "remote", "remove", "origin")
    tree = opened(tmp_path / "s")
    found = tree.look(b"d/a", tree.by_id(ids[0]))
    assert found.raw == b"1"
    tree.close()
    subprocess.run(["rm", "-rf", tmp_path / "r"], check=True)
    assert tree.look(b"d/a", tree.by_id(ids[0])) == found
    with pytest.raises(CommitUnknown):
        tree.by_id(ids[1])
    tree.close()


def test_each_work_tree_has_its_own_snapshots(tmp_path: Path) -> None:
    """Linked work trees keep their edits apart, and both answer with the commits they share."""
    ids = make_repo(tmp_path / "r", [{b"a": b"1"}])
    git(tmp_path / "r", "worktree", "add", "-q", "--detach", str(tmp_path / "w"))
    trees = [opened(tmp_path / name) for name in "rw"]
    write(tmp_path / "r", {b"a": b"r"})
    write(tmp_path / "w", {b"a": b"w"})
    found = [tree.look(b"a", tree.resolve(None)) for tree in trees]
    assert [one.raw for one in found] == [b"r", b"w"]
    assert [one.base for one in found] == ids * 2
    for number, tree in enumerate(trees):
        own, other = found[number].commit, found[1 - number].commit
        assert own is not None
        assert other is not None
        assert tree.has_commit(own)
        assert not tree.has_commit(other)
        assert tree.look(b"a", tree.by_id(ids[0])).raw == b"1"
        tree.close()


def test_a_submodule_is_another_tree(tmp_path: Path) -> None:
    """No file inside a submodule is kept; the submodule itself is its commit, pinned with the trees that lead to it."""
    sub = make_repo(tmp_path / "s", [{b"x": b"1"}])
    make_repo(tmp_path / "r", [{b"a": b"1"}])
    git(tmp_path / "r", "-c", "protocol.file.allow=always", "submodule", "-q", "add", str(tmp_path / "s"), "d/sub")
    id = commit(tmp_path / "r", {}, 2)
    write(tmp_path / "r", {b"d/sub/x": b"edit"})
    tree = opened(tmp_path / "r")
    with pytest.raises(NotFound):
        tree.look(b"d/sub/x", tree.resolve(None))
    for revision in (tree.resolve(None), tree.by_id(id)):
        found = tree.look(b"d/sub", revision)
        assert (found.kind, found.raw, found.commit) == ("submodule", sub[0].encode(), id)
    assert list(retention.files(store_of(tree), id)) == []
    tree.close()


def test_a_clean_checkout_takes_no_snapshot(tmp_path: Path) -> None:
    """CRLF line ends and large files of git-lfs are the committed file: its commit is cited, nothing is stored."""
    large = b"\x00" * 3000
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n"
    pointer %= (sha256(large).hexdigest().encode(), len(large))
    ids = make_repo(tmp_path / "r", [{b"eol": b"a\nb\n", b"large": pointer, b"l": Link(b"eol")}])
    git(tmp_path / "r", "tag", "v1")
    write(tmp_path / "r", {b"eol": b"a\r\nb\r\n", b"large": large})
    tree = opened(tmp_path / "r")
    for path in (b"eol", b"large", b"l"):
        found = tree.look(path, tree.resolve(None))
        assert (found.commit, found.dirty) == (ids[0], False)
    assert not store_of(tree).exists
    (tmp_path / "r" / "large").write_bytes(large + b"\x01")
    found = tree.look(b"large", tree.resolve(None))
    assert found.dirty
    assert found.commit is not None
    assert tree.look(b"large", tree.by_id(found.commit)).raw == large + b"\x01"
    tree.close()


def test_a_replaced_object_is_pinned_as_it_is(tmp_path: Path) -> None:
    """Replace references change neither what is served nor what is kept."""
    ids = make_repo(tmp_path / "r", [{b"a": b"1"}, {b"a": b"2"}])
    git(tmp_path / "r", "replace", ids[0], ids[1])
    blobs = [git(tmp_path / "r", "--no-replace-objects", "rev-parse", f"{id}:a") for id in ids]
    git(tmp_path / "r", "replace", "-f", *blobs)
    tree = opened(tmp_path / "r")
    assert tree.look(b"a", tree.by_id(ids[0])).raw == b"1"
    assert dict(retention.files(store_of(tree), ids[0])) == {b"a": blobs[0]}
    tree.close()


def test_a_repository_of_somebody_else_has_snapshots_of_ours(tmp_path: Path) -> None:
    """Who owns a repository makes no difference: snapshots of it are ours, in our folder."""
    ids = make_repo(tmp_path / "r", [{b"a": b"1"}])
    if os.geteuid() == 0:
        for entry in (tmp_path / "r", *(tmp_path / "r").rglob("*")):
            os.lchown(entry, 12345, 12345)
    (tmp_path / "r" / "a").write_bytes(b"2")
    tree = opened(tmp_path / "r")
    found = tree.look(b"a", tree.resolve(None))
    assert (found.base, found.dirty) == (ids[0], True)
    assert os.stat(store_of(tree).place).st_uid == os.geteuid()
    tree.close()


@pytest.mark.parametrize(
    "name", [b"a@0123456", b"#L1", b"x\ny", b"\xff", b"\xc3\xa9", b"e\xcc\x81", b"-n", b"*?[a]", b"\\"]
)
def test_names_are_bytes(tmp_path: Path, name: bytes) -> None:
    """A name that looks like a pointer, an option or a pattern, or is no text, is that one file, committed or not."""
    files = {name: b"1", b"a": b"other", b"n": b"other"}
    ids = make_repo(tmp_path / "r", [files])
    tree = opened(tmp_path / "r")
    assert tree.look(name, tree.resolve(None)).commit == ids[0]
    write(tmp_path / "r", {name: b"2", name + b"+": b"3"})
    for path, raw in ((name, b"2"), (name + b"+", b"3")):
        found = tree.look(path, tree.resolve(None))
        assert found.commit is not None
        assert tree.look(path, tree.by_id(found.commit)).raw == raw
        assert [one for one, _ in retention.files(store_of(tree), found.commit)] == [path]
    assert tree.look(name, tree.by_id(ids[0])).raw == b"1"
    tree.close()
