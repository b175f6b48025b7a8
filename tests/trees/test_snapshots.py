"""Bytes that are not committed have pointers that last, and nothing of the user's is ever written."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from budgeted_reads.errors import CommitUnknown, FileChanging
from budgeted_reads.trees import retention
from budgeted_reads.trees.base import Found, Revision, Tree
from budgeted_reads.trees.catalog import open_tree
from budgeted_reads.trees.snapshots import Keeping
from budgeted_reads.trees.store import Store
from repos import ENVIRONMENT, Link, commit, git, make_repo, write


def opened(place: Path, keeping: Keeping | None = Keeping()) -> Tree:  # noqa: B008 - an immutable value
    """The tree at PLACE, with snapshots."""
    return open_tree("t", str(place), keeping)


def now(tree: Tree, path: bytes, *, snapshot: bool = True) -> Found:
    """What stands at PATH on disk."""
    return tree.look(path, tree.resolve(None), snapshot=snapshot)


def store_of(tree: Tree) -> Store:
    """The store beside TREE."""
    assert tree.snapshots is not None
    return tree.snapshots.store


def show(place: str | Path, found: Found) -> bytes:
    """The bytes of FOUND by plain git, in the repository at PLACE."""
    named = (found.commit or "").encode() + b":" + found.path
    words = [b"git", b"--git-dir=" + os.fsencode(place), b"show", named]
    return subprocess.run(words, env=ENVIRONMENT, capture_output=True, check=True).stdout


def contents(place: Path) -> dict[str, tuple[int, int, bytes]]:
    """All that stands below PLACE, by path: mode, time stamp and bytes."""
    found = {}
    for folder, names, files in os.walk(place):
        for name in (*names, *files):
            path = os.path.join(folder, name)
            state = os.lstat(path)
            raw = Path(path).read_bytes() if os.path.isfile(path) and not os.path.islink(path) else b""
            found[path] = (state.st_mode, state.st_mtime_ns, raw)
    return found


@pytest.fixture(params=["sha1", "sha256", "folder"])
def dirty(request: pytest.FixtureRequest, tmp_path: Path, own_state: Path) -> Iterator[Tree]:
    """A tree with an edited file, a new one, odd names and a link; a repository of either kind, or a plain folder."""
    place = tmp_path / "r"
    if request.param != "folder":
        make_repo(place, [{b"d/edit.md": b"old\n", b"clean": b"c\n"}], object_format=request.param)
    write(place, {
        b"d/edit.md": b"new\n", b"new": b"", b"d/\xff \n#@": b"\x00\xff\r\n", b"link": Link(b"d/edit.md"),
        b"a.md@0123456#L1": b"pointer\n", b"--output=x": b"option\n", b":(top)x": b"magic\n",
    })  # fmt: skip
    tree = opened(place)
    yield tree
    tree.close()


NAMES = (b"d/edit.md", b"new", b"d/\xff \n#@", b"link", b"a.md@0123456#L1", b"--output=x", b":(top)x")


@pytest.mark.parametrize("path", NAMES)
def test_what_was_served_can_be_had_again(dirty: Tree, path: bytes) -> None:
    """A snapshot gives the served bytes, their kind and its base, by us and by git, after the file is gone."""
    found = now(dirty, path)
    assert found.commit is not None
    assert (found.dirty, found.base, found.reason) == (True, dirty.resolve(None).commit, None)
    assert found.raw == show(store_of(dirty).place, found)
    os.unlink(os.path.join(os.fsencode(dirty.root), path))
    assert dirty.has_commit(found.commit)
    for revision in (dirty.by_id(found.commit), dirty.resolve(found.commit), dirty.by_id(found.commit[:12])):
        again = dirty.look(path, revision)
        assert again._replace(warnings=()) == found._replace(warnings=())
    assert dirty.abbreviate(found.commit) == found.commit[:12]
    assert [row.path for row in dirty.children(b"", dirty.by_id(found.commit))] == [path.split(b"/")[0]]


def test_equal_bytes_have_equal_ids(dirty: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process with another state folder gives the same id; a same-size edit in the same moment another one."""
    first = now(dirty, b"d/edit.md")
    place = Path(dirty.root, "d", "edit.md")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    other = opened(Path(dirty.root))
    assert now(other, b"d/edit.md") == first
    stamp = place.stat()
    place.write_bytes(b"NEW\n")
    os.utime(place, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert now(other, b"d/edit.md").commit != first.commit
    other.close()


def test_nothing_of_the_users_is_written(dirty: Tree) -> None:
    """Whatever is asked, every byte, mode and time stamp of the repository and the work tree stays."""
    before = contents(Path(dirty.root))
    revision = dirty.resolve(None)
    for path in NAMES:
        found = dirty.look(path, revision)
        assert found.commit is not None
        dirty.look(path, dirty.by_id(found.commit))
    dirty.children(b"", revision)
    dirty.snapshot(dict.fromkeys(NAMES, b"x"))
    if revision.commit is not None:
        dirty.look(b"clean", revision)
        dirty.look(b"", dirty.resolve("HEAD"))
    retention.purge_path(store_of(dirty), b"new")
    retention.prune(store_of(dirty), 0, None)
    assert contents(Path(dirty.root)) == before


def test_several_files_share_one_snapshot(dirty: Tree) -> None:
    """`snapshot` gives one id for all files, each of them in it; what is not wanted alone is not kept alone."""
    files = {path: now(dirty, path, snapshot=False) for path in NAMES if path != b"link"}
    assert all(found.commit is None and found.dirty and found.reason is None for found in files.values())
    assert not store_of(dirty).exists
    id = dirty.snapshot({path: found.raw for path, found in files.items()})
    assert id is not None
    assert [commit for _, commit in store_of(dirty).refs("snapshots")] == [id]
    for path, found in files.items():
        assert (
            dirty.look(path, dirty.by_id(id)).raw == found.raw == show(store_of(dirty).place, found._replace(commit=id))
        )
    assert dirty.snapshot({}) is None


def test_what_is_not_stored_has_a_reason(tmp_path: Path, own_state: Path) -> None:
    """Ignored and secret files, by name or by content, are served without a pointer, alone and among others."""
    key = b"-----BEGIN PRIVATE KEY-----\n" + b"A" * 64 + b"\n-----END PRIVATE KEY-----\n"
    make_repo(tmp_path / "r", [{b".gitignore": b"*.log\n", b".env": b"A=1\n"}])
    files = {
        b"x.log": b"l\n", b".env": b"A=2\n", b"d/id_rsa": b"k\n", b"text": key, b"wide": key.decode().encode("utf-16"),
        b"my.private": b"p\n",
    }  # fmt: skip
    write(tmp_path / "r", {**files, b"open": b"o\n"})
    tree = opened(tmp_path / "r", Keeping(secrets=("*.private", ".env", "id_rsa")))
    for snapshot in (True, False):
        for path, raw in files.items():
            found = now(tree, path, snapshot=snapshot)
            assert (found.commit, found.blob, found.raw) == (None, None, raw)
            assert found.reason == (
                "git ignores it, so it is not stored" if path == b"x.log" else tree.storable(files)[path]
            )
    assert not store_of(tree).exists
    assert tree.storable({**files, b"open": b"o\n"}).keys() == files.keys()
    assert tree.snapshot(files) is None
    id = tree.snapshot({**files, b"open": b"o\n"})
    assert id is not None
    assert [path for path, _ in retention.files(store_of(tree), id)] == [b"open"]
    assert tree.look(b".env", tree.resolve("HEAD")).commit
    assert b".env" not in dict(retention.files(store_of(tree), str(tree.resolve("HEAD").commit)))
    tree.close()


def test_many_ignored_files_are_told_apart(tmp_path: Path, own_state: Path) -> None:
    """However many files there are and however long their names, each gets its own answer."""
    make_repo(tmp_path / "r", [{b".gitignore": b"*.log\n!kept*\n"}])
    files = {b"%s/%s%d.log" % (b"d" * 200, b"kept" if n % 3 == 0 else b"x", n): b"" for n in range(600)}
    write(tmp_path / "r", {b":(top)x.log": b""})
    tree = opened(tmp_path / "r")
    left_out = tree.storable({**files, b":(top)x.log": b""})
    assert left_out.keys() == {path for path in files if b"kept" not in path} | {b":(top)x.log"}
    tree.close()


@pytest.mark.parametrize("kind", ["repository", "folder"])
def test_snapshots_can_be_off(tmp_path: Path, own_state: Path, kind: str) -> None:
    """Without them nothing is written, nothing that was kept is answered, and every reason stays."""
    if kind == "repository":
        make_repo(tmp_path / "r", [{b"f": b"old\n"}])
    write(tmp_path / "r", {b"f": b"new\n"})
    tree = opened(tmp_path / "r")
    id = now(tree, b"f").commit
    tree.close()
    off = opened(tmp_path / "r", None)
    found = now(off, b"f")
    assert (found.commit, found.dirty) == (None, True)
    assert found.reason
    assert id is not None
    assert not off.has_commit(id)
    assert off.snapshot({b"f": b"new\n"}) is None
    assert off.storable({b"f": b"new\n"}).keys() == {b"f"}
    with pytest.raises(CommitUnknown):
        off.by_id(id)
    off.close()


def test_a_torn_read_is_never_kept(own_state: Path) -> None:
    """A file that is another at each read is `file_changing`, and there is no snapshot of it."""
    tree = opened(Path("/proc/self"))
    with pytest.raises(FileChanging):
        now(tree, b"status")
    assert not store_of(tree).exists


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_an_amended_commit_can_still_be_read(tmp_path: Path, own_state: Path, object_format: str) -> None:
    """What a pointer was given to survives amend, expired reflogs and gc; what was never asked for does not."""
    place = tmp_path / "r"
    first, id = make_repo(place, [{b"x": b"x"}, {b"d/e/f": b"one\n", b"g": b"g\n"}], object_format=object_format)
    tree = opened(place)
    found = tree.look(b"d/e/f", tree.by_id(id))
    folder = tree.look(b"d", tree.by_id(id))
    now(tree, b"x")
    (place / "d" / "e" / "f").write_bytes(b"two\n")
    edited = now(tree, b"d/e/f")
    (place / "g").write_bytes(b"other\n")
    git(place, "add", "-A")
    git(place, "commit", "-q", "--amend", "-m", "other")
    git(place, "reflog", "expire", "--expire=now", "--all")
    git(place, "gc", "-q", "--prune=now")
    assert subprocess.run(["git", "cat-file", "-e", id], cwd=place, capture_output=True, check=False).returncode != 0
    tree.close()
    for one in (tree, opened(place)):
        assert one.look(b"d/e/f", one.by_id(id)) == found
        assert one.look(b"d", one.by_id(id[:12])) == folder
        assert one.look(b"d/e/f", one.resolve(edited.commit)) == edited
        with pytest.raises(CommitUnknown):
            one.look(b"g", one.by_id(id))
        one.close()
    assert show(store_of(tree).place, found) == b"one\n"
    assert first != id


def test_what_others_keep_is_not_pinned(tmp_path: Path, own_state: Path) -> None:
    """A commit on a remote branch or a tag is not copied, near or behind its tip; one that is ahead of them is."""
    ids = make_repo(tmp_path / "origin", [{b"f": b"%d\n" % n} for n in range(5)])
    git(tmp_path / "origin", "tag", "-a", "-m", "m", "v1", ids[1])
    git(tmp_path, "clone", "-q", str(tmp_path / "origin"), "r")
    git(tmp_path / "r", "config", "user.name", "x")
    ahead = commit(tmp_path / "r", {b"f": b"ahead\n"}, 9)
    tree = opened(tmp_path / "r")
    for id in ids:
        tree.look(b"f", tree.by_id(id))
    assert not store_of(tree).exists
    for _ in range(2):
        tree.look(b"f", tree.by_id(ahead))
        assert [id for _, id in store_of(tree).refs("pins")] == [ahead]
    git(tmp_path / "r", "update-ref", "-d", "refs/remotes/origin/main")
    git(tmp_path / "r", "update-ref", "-d", "refs/remotes/origin/HEAD")
    git(tmp_path / "r", "pack-refs", "--all")
    for id in ids:
        tree.look(b"f", tree.by_id(id))
    assert {id for _, id in store_of(tree).refs("pins")} == {ahead, *ids[2:]}
    tree.close()


def test_where_names_tell_too_little_commits_are_pinned(tmp_path: Path, own_state: Path) -> None:
    """With far too many tags, or names only a newer git can read, the pin is made though it need not be."""
    ids = make_repo(tmp_path / "r", [{b"f": b"1\n"}, {b"f": b"2\n"}])
    tags = "".join(f"{n:040x} refs/tags/t{n}\n" for n in range(300)) + f"{ids[1]} refs/tags/u\n"
    (tmp_path / "r" / ".git" / "packed-refs").write_text(tags, encoding="utf-8")
    tree = opened(tmp_path / "r")
    for id in ids:
        tree.look(b"f", tree.by_id(id))
    assert [id for _, id in store_of(tree).refs("pins")] == [ids[0]]
    tree.close()
    git(tmp_path / "r", "config", "extensions.refstorage", "reftable")
    tree = opened(tmp_path / "r")
    tree.look(b"f", tree.by_id(ids[1]))
    assert {id for _, id in store_of(tree).refs("pins")} == set(ids)
    tree.close()


def test_a_pruned_snapshot_says_so(tmp_path: Path, own_state: Path) -> None:
    """What was given up is `commit_unknown` with the reason `snapshot_pruned`, by its full and by its short id."""
    write(tmp_path / "f", {b"a": b"1"})
    make_repo(tmp_path / "r", [{b"a": b"0"}])
    write(tmp_path / "r", {b"a": b"1"})
    for name in "fr":
        tree = opened(tmp_path / name)
        id = now(tree, b"a").commit
        assert id is not None
        assert [row.commit for row in retention.prune(store_of(tree), None, time.time() + 60)] == [id]
        for text in (id, id[:12]):
            with pytest.raises(CommitUnknown) as caught:
                tree.by_id(text)
            assert caught.value.members["reason"] == "snapshot_pruned"
        with pytest.raises(CommitUnknown) as caught:
            tree.look(b"a", Revision(id, now=False))
        assert caught.value.members["reason"] == "snapshot_pruned"
        assert now(tree, b"a").commit == id
        tree.close()


def test_a_purge_shows_at_once(tmp_path: Path, own_state: Path) -> None:
    """A running tree answers nothing from what was purged, cached or not, and takes the next snapshot as before."""
    make_repo(tmp_path / "r", [{b"d/a": b"0"}])
    write(tmp_path / "r", {b"d/a": b"1"})
    tree = opened(tmp_path / "r")
    id = now(tree, b"d/a").commit
    assert id is not None
    tree.children(b"d", tree.by_id(id))
    assert retention.purge_all(os.path.dirname(store_of(tree).place)) == 1
    assert not tree.has_commit(id)
    with pytest.raises(CommitUnknown):
        tree.children(b"d", Revision(id, now=False))
    assert now(tree, b"d/a").commit == id
    tree.close()


def test_a_folder_that_becomes_a_repository_keeps_its_pointers(tmp_path: Path, own_state: Path) -> None:
    """Snapshots of a plain folder are still read after `git init`, and after the repository is gone again."""
    write(tmp_path / "r", {b"a": b"1"})
    tree = opened(tmp_path / "r")
    id = now(tree, b"a").commit
    assert id is not None
    make_repo(tmp_path / "r", [{b"a": b"2"}])
    later = opened(tmp_path / "r")
    assert (later.kind, later.look(b"a", later.by_id(id)).raw) == ("worktree", b"1")
    pinned = now(later, b"a").commit
    assert pinned is not None
    subprocess.run(["rm", "-rf", tmp_path / "r" / ".git"], check=True)
    again = opened(tmp_path / "r")
    assert again.look(b"a", again.by_id(pinned)).raw == b"2"
    for one in (tree, later, again):
        one.close()


@given(st.lists(st.tuples(st.sampled_from([b"a", b"d/b", b"new"]), st.binary(max_size=30)), min_size=1, max_size=6))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_state_ever_served_stays(
    tmp_path_factory: pytest.TempPathFactory, own_state: Path, edits: list[tuple[bytes, bytes]]
) -> None:
    """Whatever edits, commits and amends come after, each pointer gives the bytes that were served with it."""
    place = tmp_path_factory.mktemp("r")
    make_repo(place, [{b"a": b"a\n", b"d/b": b"b\n"}])
    tree = opened(place)
    served = []
    for number, (path, raw) in enumerate(edits):
        write(place, {path: raw})
        served.append((path, raw, now(tree, path).commit))
        if number % 3 == 2:
            git(place, "add", "-A")
            git(place, "commit", "-q", "--amend", "-m", str(number))
            served.append((path, raw, now(tree, path).commit))
    git(place, "reflog", "expire", "--expire=now", "--all")
    git(place, "gc", "-q", "--prune=now")
    for path, raw, id in served:
        assert id is not None
        assert tree.look(path, tree.by_id(id)).raw == raw
    tree.close()
