"""Work trees: what is on disk now, told apart from what is committed by its own hash."""

import hashlib
import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads import Node
from budgeted_reads.errors import CommitUnknown, FileChanging, ForbiddenPath, NotAFile, NotFound, ReadError, TooLarge
from budgeted_reads.trees.base import Child, Found, Tree
from budgeted_reads.trees.catalog import open_tree
from repos import Link, commit, git, make_repo, write

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n"


def look(place: Path, path: bytes, commit: str | None = None) -> Found:
    """What stands at PATH in the tree at PLACE."""
    tree = open_tree("t", str(place))
    try:
        return tree.look(path, tree.resolve(commit))
    finally:
        tree.close()


def children(place: Path, path: bytes = b"", commit: str | None = None) -> tuple[Child, ...]:
    """The rows of the folder at PATH in the tree at PLACE."""
    tree = open_tree("t", str(place))
    try:
        return tree.children(path, tree.resolve(commit))
    finally:
        tree.close()


def codes(found: Found) -> list[str]:
    """The codes of the warnings of FOUND."""
    return [warned.code for warned in found.warnings]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.binary(max_size=8), min_size=2, max_size=2))
def test_the_bytes_on_disk_are_served_or_those_of_head(
    tmp_path_factory: pytest.TempPathFactory, contents: list[bytes]
) -> None:
    """With a commit the bytes are git's; else the disk's, and clean exactly if they are git's or their CRLF form."""
    place = tmp_path_factory.getbasetemp() / "two"
    old, new = contents
    if not place.exists():
        make_repo(place)
    head = commit(place, {b"f": old})
    write(place, {b"f": new})
    found = look(place, b"f")
    if new == old:
        assert (found.raw, found.commit, found.dirty, codes(found)) == (old, head, False, [])
        assert found.blob == git(place, "rev-parse", "HEAD:f")
    elif new.replace(b"\r\n", b"\n") == old:
        assert (found.raw, found.commit, found.dirty, codes(found)) == (old, head, False, ["worktree_eol"])
    else:
        assert (found.raw, found.commit, found.blob, found.base, found.dirty) == (new, None, None, head, True)
        assert found.reason
    assert look(place, b"f", head).raw == old


def test_an_edit_of_equal_size_and_time_is_seen(tmp_path: Path) -> None:
    """An edit that keeps size and time stamp is dirty: bytes decide, not what the index remembers."""
    make_repo(tmp_path / "r", [{b"f": b"one\n"}])
    before = (tmp_path / "r" / "f").stat()
    (tmp_path / "r" / "f").write_bytes(b"two\n")
    os.utime(tmp_path / "r" / "f", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert look(tmp_path / "r", b"f").dirty


def test_the_executable_bit_makes_no_difference(tmp_path: Path) -> None:
    """A file of other mode and equal bytes is clean."""
    make_repo(tmp_path / "r", [{b"f": b"one\n"}])
    (tmp_path / "r" / "f").chmod(0o755)
    assert not look(tmp_path / "r", b"f").dirty


def test_every_reason_is_one_sentence_of_its_own(tmp_path: Path) -> None:
    """An edit, a new file, an ignored file and a repository without commits have different reasons."""
    make_repo(tmp_path / "r", [{b"f": b"one\n", b".gitignore": b"*.log\n"}])
    write(tmp_path / "r", {b"f": b"edit\n", b"new": b"n\n", b"x.log": b"l\n"})
    make_repo(tmp_path / "e")
    write(tmp_path / "e", {b"f": b"first\n"})
    found = [look(tmp_path / "r", path) for path in (b"f", b"new", b"x.log")] + [look(tmp_path / "e", b"f")]
    assert all(one.dirty and one.commit is None and one.reason for one in found)
    assert len({one.reason for one in found}) == 4


def test_a_staged_file_is_not_committed(tmp_path: Path) -> None:
    """A file that is only in the index is dirty, and not called ignored."""
    make_repo(tmp_path / "r", [{b".gitignore": b"*.log\n"}])
    write(tmp_path / "r", {b"x.log": b"l\n"})
    git(tmp_path / "r", "add", "-f", "x.log")
    reason = look(tmp_path / "r", b"x.log").reason
    assert reason is not None
    assert "not committed" in reason


def test_a_large_file_of_git_lfs_is_its_pointer(tmp_path: Path) -> None:
    """A file that the committed git-lfs pointer names is clean: the pointer is served; another file is dirty."""
    big = b"\0big" * 1000
    pointer = LFS % (hashlib.sha256(big).hexdigest().encode(), len(big))
    ids = make_repo(tmp_path / "r", [{b"f": pointer}])
    assert codes(look(tmp_path / "r", b"f")) == ["lfs_pointer"]
    write(tmp_path / "r", {b"f": big})
    found = look(tmp_path / "r", b"f")
    assert (found.raw, found.commit, found.dirty, codes(found)) == (pointer, ids[0], False, ["lfs_pointer"])
    write(tmp_path / "r", {b"f": big[:-1] + b"!"})
    assert look(tmp_path / "r", b"f").dirty
    assert codes(look(tmp_path / "r", b"f", ids[0])) == ["lfs_pointer"]


def test_a_deleted_file_says_which_commit_has_it(tmp_path: Path) -> None:
    """A path that is gone from the disk is `not_found` that names the commit that still has it."""
    ids = make_repo(tmp_path / "r", [{b"d/f": b"one\n"}])
    (tmp_path / "r" / "d" / "f").unlink()
    with pytest.raises(NotFound, match="deleted") as caught:
        look(tmp_path / "r", b"d/f")
    assert ids[0][:12] in caught.value.hint
    assert look(tmp_path / "r", b"d/f", "HEAD").raw == b"one\n"


@pytest.mark.parametrize("revision", [None, "HEAD"])
def test_near_names_are_offered_never_matched(tmp_path: Path, revision: str | None) -> None:
    """Another case, another Unicode form and a typing error are `not_found` with the real name first."""
    nfc = unicodedata.normalize("NFC", "café.md")
    make_repo(tmp_path / "r", [{b"README.md": b"r", nfc.encode(): b"c", b"docs/guide.md": b"g"}])
    for asked, near in (
        ("readme.md", "README.md"),
        (unicodedata.normalize("NFD", nfc), nfc),
        ("docs/giude.md", "docs/guide.md"),
        ("doc/guide.md", "docs/guide.md"),
    ):
        with pytest.raises(NotFound) as caught:
            look(tmp_path / "r", asked.encode(), revision)
        assert caught.value.near[0] == near


@pytest.mark.parametrize("revision", [None, "HEAD"])
def test_paths_lead_nowhere_else(tmp_path: Path, revision: str | None) -> None:
    """Below a file, with a slash after a file, up, into git's folder: each its own typed error."""
    make_repo(tmp_path / "r", [{b"f": b"one\n", b"d/g": b"two\n"}])
    for path, error in (
        (b"f/x", NotFound),
        (b"f/", NotAFile),
        (b"d/../f", ForbiddenPath),
        (b".git/HEAD", ForbiddenPath),
        (b".GIT", ForbiddenPath),
        (b"d/.git/x", ForbiddenPath),
        (b"nothing", NotFound),
    ):
        with pytest.raises(error):
            look(tmp_path / "r", path, revision)
    assert look(tmp_path / "r", b"d/", revision).kind == "folder"


@pytest.mark.parametrize("revision", [None, "HEAD"])
def test_links_are_text_inside_and_forbidden_outside(tmp_path: Path, revision: str | None) -> None:
    """A link inside is its text with the warning `symlink`; one that leaves is `forbidden_path`; none is followed."""
    links = {b"in": b"d/f", b"dir": b"d", b"loop": b"loop", b"broken": b"d/none", b"d/back": b"../d/f"}
    out = {b"abs": b"/etc/hostname", b"up": b"../..", b"d/far": b"../../x", b"chain": b"up/x"}
    make_repo(tmp_path / "r", [{b"d/f": b"one\n", **{path: Link(to) for path, to in {**links, **out}.items()}}])
    for path, target in links.items():
        found = look(tmp_path / "r", path, revision)
        assert (found.kind, found.raw, codes(found), found.dirty) == ("link", target, ["symlink"], False)
        assert found.commit is not None
    for path in (*out, b"up/etc/hostname", b"chain/x"):
        with pytest.raises(ForbiddenPath):
            look(tmp_path / "r", path, revision)
    with pytest.raises(NotFound) as caught:
        look(tmp_path / "r", b"dir/f", revision)
    assert caught.value.hint == "ask for d/f"
    with pytest.raises(NotFound):
        look(tmp_path / "r", b"loop/f", revision)


def test_a_link_into_gits_folder_shows_nothing(tmp_path: Path) -> None:
    """A path through a link into `.git` is `forbidden_path`."""
    make_repo(tmp_path / "r", [{b"l": Link(b".git")}])
    for revision in (None, "HEAD"):
        with pytest.raises(ForbiddenPath):
            look(tmp_path / "r", b"l/config", revision)


def test_a_changed_link_is_dirty(tmp_path: Path) -> None:
    """A link with another target than at HEAD, or in place of a file, is served as dirty text."""
    make_repo(tmp_path / "r", [{b"a": b"a", b"b": b"b", b"l": Link(b"a")}])
    for path in ("l", "b"):
        (tmp_path / "r" / path).unlink()
        (tmp_path / "r" / path).symlink_to("a/../c")
        found = look(tmp_path / "r", path.encode())
        assert (found.kind, found.raw, found.dirty, found.commit) == ("link", b"a/../c", True, None)


def test_a_link_checked_out_as_a_file_is_the_committed_link(tmp_path: Path) -> None:
    """Where links cannot be made git writes a file with the target: that is the committed link."""
    make_repo(tmp_path / "r", [{b"a": b"a", b"l": Link(b"a")}])
    (tmp_path / "r" / "l").unlink()
    (tmp_path / "r" / "l").write_bytes(b"a")
    found = look(tmp_path / "r", b"l")
    assert (found.kind, found.raw, found.dirty, codes(found)) == ("link", b"a", False, ["symlink"])


def test_a_submodule_is_its_commit(tmp_path: Path) -> None:
    """A submodule is its commit id; what is inside it belongs to another tree, which can be served by itself."""
    inner = make_repo(tmp_path / "inner", [{b"f": b"in\n"}])
    make_repo(tmp_path / "r", [{b"f": b"out\n"}])
    git(tmp_path / "r", "submodule", "--quiet", "add", str(tmp_path / "inner"), "sub")
    commit(tmp_path / "r", {})
    for revision in (None, "HEAD"):
        assert look(tmp_path / "r", b"sub", revision)[:3] == (b"sub", "submodule", inner[0].encode())
        assert [row.kind for row in children(tmp_path / "r", b"", revision) if row.path == b"sub"] == ["submodule"]
        with pytest.raises(NotFound, match="submodule"):
            look(tmp_path / "r", b"sub/f", revision)
    assert look(tmp_path / "r" / "sub", b"f").commit == inner[0]


def test_folders_list_their_children(tmp_path: Path) -> None:
    """At a commit and now, folders count the files below them and their bytes, in byte order of the names."""
    make_repo(
        tmp_path / "r", [{b"b": b"12", b"a/x": b"1", b"a/y/z": b"123", b"a-": b"", b"\xff": b"1", b"l": Link(b"b")}]
    )
    rows = (
        Child(b"a", "folder", 4, 2),
        Child(b"a-", "file", 0),
        Child(b"b", "file", 2),
        Child(b"l", "link", 1),
        Child(b"\xff", "file", 1),
    )
    assert children(tmp_path / "r", b"", "HEAD") == rows
    assert children(tmp_path / "r") == rows
    assert children(tmp_path / "r", b"a", "HEAD") == children(tmp_path / "r", b"a/")
    assert look(tmp_path / "r", b"a", "HEAD").blob == git(tmp_path / "r", "rev-parse", "HEAD:a")
    for revision in (None, "HEAD"):
        with pytest.raises(NotAFile):
            children(tmp_path / "r", b"b", revision)


def test_children_now_leave_out_what_git_ignores(tmp_path: Path) -> None:
    """Ignored files and git's own folder are left out; untracked files, and tracked ones that a rule names, are not."""
    rules = {b".gitignore": b"*.log\nbuild/\n", b"d/.gitignore": b"only\n"}
    make_repo(tmp_path / "r", [{**rules, b"kept.log": b"k", b"d/f": b"f"}])
    (tmp_path / "r" / ".git" / "info" / "exclude").write_text("private\n", encoding="utf-8")
    write(
        tmp_path / "r",
        {
            b"x.log": b"",
            b"build/o": b"",
            b"d/only": b"",
            b"d/new": b"n",
            b"private": b"",
            b"[a]*": b"",
            b":(top).log": b"",
        },
    )
    assert [row.path for row in children(tmp_path / "r")] == [b".gitignore", b"[a]*", b"d", b"kept.log"]
    assert [row.path for row in children(tmp_path / "r", b"d")] == [b"d/.gitignore", b"d/f", b"d/new"]
    tree = open_tree("t", str(tmp_path / "r"))
    names = [b"x.log", b"build/o", b"d/only", b"private", b"kept.log", b"d/new", b"[a]*", b"none"]
    names.insert(0, b":(top).log")
    assert [tree.ignored(name) for name in names] == [True] * 5 + [False] * 4
    tree.close()


def test_children_now_are_those_on_disk(tmp_path: Path) -> None:
    """A file deleted from the disk is no row, though the index has it; nothing is changed by looking."""
    make_repo(tmp_path / "r", [{b"a": b"1", b"b": b"2"}])
    (tmp_path / "r" / "a").unlink()
    index = (tmp_path / "r" / ".git" / "index").read_bytes()
    assert [row.path for row in children(tmp_path / "r")] == [b"b"]
    assert (tmp_path / "r" / ".git" / "index").read_bytes() == index


def test_a_damaged_index_hides_nothing(tmp_path: Path) -> None:
    """Where git cannot read the index, all that is on disk is listed."""
    make_repo(tmp_path / "r", [{b"a": b"1", b"d/b": b"2"}])
    (tmp_path / "r" / ".git" / "index").write_bytes(b"no index")
    assert children(tmp_path / "r") == (Child(b"a", "file", 1), Child(b"d", "folder", 1, 1))


def test_a_partial_clone_fetches_nothing(tmp_path: Path) -> None:
    """What a partial clone left out is `commit_unknown` with the reason `partial`; its folders are still listed."""
    ids = make_repo(tmp_path / "r", [{b"a": b"1"}, {b"a": b"2"}])
    git(tmp_path / "r", "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", (tmp_path / "r").as_uri(), "p")
    before = sorted((tmp_path / "p" / ".git" / "objects").rglob("*"))
    with pytest.raises(CommitUnknown) as caught:
        look(tmp_path / "p", b"a", ids[0])
    assert caught.value.members["reason"] == "partial"
    assert [row.path for row in children(tmp_path / "p", b"", ids[0])] == [b"a"]
    assert sorted((tmp_path / "p" / ".git" / "objects").rglob("*")) == before


def test_an_unreadable_place_is_forbidden(tmp_path: Path) -> None:
    """What is no regular file is `forbidden_path`, and no row."""
    make_repo(tmp_path / "r", [{b"a": b"1"}])
    os.mkfifo(tmp_path / "r" / "pipe")
    with pytest.raises(ForbiddenPath):
        look(tmp_path / "r", b"pipe")
    assert [row.path for row in children(tmp_path / "r")] == [b"a"]


def test_a_repository_of_another_owner_is_read(tmp_path: Path) -> None:
    """Objects of a repository that belongs to somebody else are read: nothing of it is trusted or run."""
    ids = make_repo(tmp_path / "r", [{b"a": b"1"}])
    if os.geteuid() == 0:
        for entry in (tmp_path / "r", *(tmp_path / "r").rglob("*")):
            os.lchown(entry, 12345, 12345)
    assert look(tmp_path / "r", b"a").commit == ids[0]
    assert [row.path for row in children(tmp_path / "r")] == [b"a"]


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=40))
def test_any_path_is_answered_or_refused(tmp_path_factory: pytest.TempPathFactory, path: bytes) -> None:
    """No path brings anything but an answer or a typed error."""
    place = tmp_path_factory.getbasetemp() / "any-path"
    if not place.exists():
        make_repo(place, [{b"a": b"1", b"d/e": b"2", b"l": Link(b"d")}])
    for revision in (None, "HEAD"):
        try:
            found = look(place, path, revision)
        except ReadError as error:
            assert not isinstance(error, FileChanging | TooLarge)
        else:
            assert found.path in (b"", b"a", b"d", b"d/e", b"l")


def test_the_tree_can_be_used_after_it_was_closed(tmp_path: Path) -> None:
    """`close` ends the child; the next question is answered all the same."""
    ids = make_repo(tmp_path / "r", [{b"a": b"1"}])
    tree: Tree = open_tree("t", str(tmp_path / "r"))
    for _ in range(2):
        assert tree.has_commit(ids[0])
        assert not tree.has_commit("0" * 40)
        assert not tree.has_commit("main")
        tree.close()


def test_folders_that_no_commit_has_are_read(tmp_path: Path) -> None:
    """A new folder, an empty one and an ignored one are folders; a link with the name of a program is no program."""
    make_repo(tmp_path / "r", [{b"a": b"1", b".gitignore": b"build/\n", b"l.py": Link(b"a")}])
    for name in ("new", "empty", "build"):
        (tmp_path / "r" / name).mkdir()
    (tmp_path / "r" / "new" / "q").write_bytes(b"z\n")
    (tmp_path / "r" / "build" / "o").write_bytes(b"o\n")
    with Node.open(tmp_path / "r") as node:
        assert "q " in node.read_text("new")
        assert node.read("empty").view == "folder"
        assert [warned.code for warned in node.read("build").warnings] == ["names_left_out"]
        assert [warned.code for warned in node.read("l.py").warnings] == ["symlink"]
