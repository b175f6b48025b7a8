"""Names of commits: what git says for plain names, and nothing for anything else."""

import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads.errors import AmbiguousCommit, CommitUnknown, InvalidRequest
from budgeted_reads.trees.base import Revision
from budgeted_reads.trees.catalog import open_tree
from budgeted_reads.trees.gitdir import work_tree_git
from budgeted_reads.trees.objects import Objects
from budgeted_reads.trees.refs import _FORBIDDEN, Refs
from repos import ENVIRONMENT, commit, git, make_repo

TWO = [{b"a": b"1"}, {b"a": b"2"}]


def resolved(place: Path, text: str | None) -> Revision:
    """What TEXT names in the repository at PLACE."""
    tree = open_tree("t", str(place))
    try:
        return tree.resolve(text)
    finally:
        tree.close()


@settings(max_examples=40, deadline=None)
@given(st.text(st.sampled_from("ab/.@{}~^:?*[\\ -\x7f\tlock"), min_size=1, max_size=8))
def test_no_name_is_taken_that_git_forbids(name: str) -> None:
    """A name that passes is one that `git check-ref-format` takes below refs/heads."""
    if not _FORBIDDEN.search(name):
        done = subprocess.run(["git", "check-ref-format", f"refs/heads/{name}"], env=ENVIRONMENT, check=False)
        assert done.returncode == 0


@pytest.mark.parametrize("packed", [False, True])
def test_names_are_what_git_says(tmp_path: Path, packed: bool) -> None:
    """HEAD, branches, tags light and annotated, remote branches and whole names give the ids of `git rev-parse`."""
    ids = make_repo(tmp_path / "r", TWO)
    for arguments in (
        ("branch", "topic/one", ids[0]),
        ("tag", "light", ids[0]),
        ("tag", "-a", "-m", "m", "heavy", ids[0]),
        ("tag", "-a", "-m", "m", "heavier", "heavy"),
        ("update-ref", "refs/remotes/origin/main", ids[0]),
    ):
        git(tmp_path / "r", *arguments)
    if packed:
        git(tmp_path / "r", "pack-refs", "--all")
    for name in ("HEAD", "main", "topic/one", "light", "heavy", "heavier", "origin/main", "refs/tags/heavy"):
        assert resolved(tmp_path / "r", name).commit == git(tmp_path / "r", "rev-parse", f"{name}^{{commit}}")
    assert resolved(tmp_path / "r", None) == Revision(ids[1], now=True)
    assert resolved(tmp_path / "r", ids[0]) == Revision(ids[0], now=False)
    assert resolved(tmp_path / "r", ids[0].upper()).commit == ids[0]


def test_a_detached_and_an_unborn_head(tmp_path: Path) -> None:
    """A detached HEAD is its commit; without commits there is none."""
    ids = make_repo(tmp_path / "r", TWO)
    git(tmp_path / "r", "checkout", "-q", ids[0])
    assert resolved(tmp_path / "r", None).commit == ids[0]
    make_repo(tmp_path / "e")
    assert resolved(tmp_path / "e", None) == Revision(None, now=True)
    with pytest.raises(CommitUnknown):
        resolved(tmp_path / "e", "HEAD")


@pytest.mark.parametrize(
    "text",
    ["", "-n", "--output=x", "HEAD~1", "main^", "HEAD^{/x}", "@", "@{u}", "main@{0}", ":a", "HEAD:a", "a..b", "a b",
     "a\nb", "a\0b", "..", "refs/heads/../../config", "a\\b", "a*", "main.lock", "/main", "main/", ".x"],
)  # fmt: skip
def test_operators_and_options_are_invalid(tmp_path: Path, text: str) -> None:
    """Operators, options and what git forbids in names are `invalid_request`."""
    make_repo(tmp_path / "r", TWO[:1])
    with pytest.raises(InvalidRequest):
        resolved(tmp_path / "r", text)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=12))
def test_any_text_gives_a_typed_error(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """No text brings anything but a commit or a typed error."""
    place = tmp_path_factory.getbasetemp() / "any-text"
    if not place.exists():
        make_repo(place, TWO[:1])
    with suppress(InvalidRequest, CommitUnknown):
        resolved(place, text)


def test_short_ids_find_commits_only(tmp_path: Path) -> None:
    """7 to 11 digits find a commit with the warning `short_commit`, 12 without; fewer, and other objects, nothing."""
    ids = make_repo(tmp_path / "r", TWO)
    assert [warned.code for warned in resolved(tmp_path / "r", ids[0][:7]).warnings] == ["short_commit"]
    assert resolved(tmp_path / "r", ids[0][:12]) == Revision(ids[0], now=False)
    blob = git(tmp_path / "r", "rev-parse", "HEAD:a")
    for text in (ids[0][:6], blob[:12], "0" * 12):
        with pytest.raises(CommitUnknown):
            resolved(tmp_path / "r", text)


def test_ids_of_other_objects_say_what_they_are(tmp_path: Path) -> None:
    """The full id of a blob or a tag is `commit_unknown`; the hint for a tag names its commit."""
    ids = make_repo(tmp_path / "r", TWO[:1])
    git(tmp_path / "r", "tag", "-a", "-m", "m", "heavy")
    for name, reason in (("HEAD:a", "is_blob"), ("refs/tags/heavy", "is_tag")):
        with pytest.raises(CommitUnknown) as caught:
            resolved(tmp_path / "r", git(tmp_path / "r", "rev-parse", name))
        assert caught.value.members["reason"] == reason
    assert ids[0] in caught.value.hint


def test_a_branch_named_like_a_short_id_is_ambiguous(tmp_path: Path) -> None:
    """A name that is a branch and a short id of another commit names neither; the same commit is no clash."""
    ids = make_repo(tmp_path / "r", TWO)
    git(tmp_path / "r", "branch", ids[0][:8], ids[1])
    git(tmp_path / "r", "branch", ids[1][:8], ids[1])
    with pytest.raises(AmbiguousCommit) as caught:
        resolved(tmp_path / "r", ids[0][:8])
    assert caught.value.members["candidates"] == [{"commit": ids[1]}, {"commit": ids[0]}]
    assert resolved(tmp_path / "r", ids[1][:8]) == Revision(ids[1], now=False)
    assert resolved(tmp_path / "r", f"refs/heads/{ids[0][:8]}").commit == ids[1]


def test_ids_of_pointers_never_go_through_names(tmp_path: Path) -> None:
    """`by_id` finds commits by id alone, whatever branches are called; a name is `commit_unknown`."""
    ids = make_repo(tmp_path / "r", TWO)
    git(tmp_path / "r", "branch", ids[0][:8], ids[1])
    git(tmp_path / "r", "branch", "deadbeef", ids[1])
    tree = open_tree("t", str(tmp_path / "r"))
    assert tree.by_id(ids[0][:8]).commit == ids[0]
    assert tree.by_id(ids[0]) == Revision(ids[0], now=False)
    for text in ("main", "deadbeef", "HEAD", "", "-n", ids[0] + "0"):
        with pytest.raises(CommitUnknown):
            tree.by_id(text)
    tree.close()


def test_a_branch_and_a_tag_of_one_name_are_ambiguous(tmp_path: Path) -> None:
    """A branch and a tag of one name on different commits are `ambiguous_commit`."""
    ids = make_repo(tmp_path / "r", TWO)
    git(tmp_path / "r", "branch", "v1", ids[0])
    git(tmp_path / "r", "tag", "v1", ids[1])
    with pytest.raises(AmbiguousCommit):
        resolved(tmp_path / "r", "v1")


def test_strange_reference_files_are_no_references(tmp_path: Path) -> None:
    """A link, a folder, text, a loop, and a file far too large where a reference should be name nothing."""
    ids = make_repo(tmp_path / "r", TWO[:1])
    heads = tmp_path / "r" / ".git" / "refs" / "heads"
    (tmp_path / "outside").write_text(ids[0] + "\n", encoding="utf-8")
    (heads / "link").symlink_to(tmp_path / "outside")
    (heads / "folder").mkdir()
    (heads / "text").write_text("no id\n", encoding="utf-8")
    (heads / "loop").write_text("ref: refs/heads/loop\n", encoding="utf-8")
    (heads / "out").write_text("ref: ../../../outside\n", encoding="utf-8")
    (heads / "large").write_text(ids[0] + "\n" * 10_000, encoding="utf-8")
    for name in ("link", "folder", "text", "loop", "out", "large"):
        with pytest.raises(CommitUnknown):
            resolved(tmp_path / "r", name)


def test_a_name_that_is_no_commit_says_so(tmp_path: Path) -> None:
    """A tag of a tree is `commit_unknown` that says what it names."""
    make_repo(tmp_path / "r", TWO[:1])
    git(tmp_path / "r", "tag", "root", "HEAD^{tree}")
    with pytest.raises(CommitUnknown, match="names a tree"):
        resolved(tmp_path / "r", "root")


def test_a_shallow_clone_says_so(tmp_path: Path) -> None:
    """A commit that a shallow clone left out has the reason `shallow`."""
    ids = make_repo(tmp_path / "r", TWO)
    git(tmp_path, "clone", "-q", "--depth", "1", (tmp_path / "r").as_uri(), "s")
    with pytest.raises(CommitUnknown) as caught:
        resolved(tmp_path / "s", ids[0])
    assert caught.value.members["reason"] == "shallow"
    assert resolved(tmp_path / "s", None).commit == ids[1]


def test_replace_refs_are_never_in_play(tmp_path: Path) -> None:
    """A replaced commit is served as it is."""
    ids = make_repo(tmp_path / "r", TWO)
    git(tmp_path / "r", "replace", ids[0], ids[1])
    tree = open_tree("t", str(tmp_path / "r"))
    assert tree.look(b"a", tree.resolve(ids[0])).raw == b"1"
    tree.close()


def test_a_reftable_repository_serves_full_ids(tmp_path: Path) -> None:
    """Where this git cannot read the names, they are a clear error, and full ids and the disk are still served."""
    ids = make_repo(tmp_path / "r", TWO)
    (tmp_path / "r" / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n", encoding="utf-8")
    with (tmp_path / "r" / ".git" / "config").open("a", encoding="utf-8") as config:
        config.write("[extensions]\n\trefStorage = reftable\n")
    git(tmp_path / "r", "config", "core.repositoryformatversion", "1")
    with pytest.raises(CommitUnknown) as caught:
        resolved(tmp_path / "r", "main")
    assert caught.value.members["reason"] == "reftable"
    tree = open_tree("t", str(tmp_path / "r"))
    assert tree.look(b"a", tree.resolve(ids[0])).raw == b"1"
    found = tree.look(b"a", tree.resolve(None))
    assert found.raw == b"2"
    assert found.reason is not None
    assert "names" in found.reason
    tree.close()


def test_names_that_only_git_can_read_are_asked_of_git(tmp_path: Path) -> None:
    """Marked as reftable, a repository that the installed git can read gives the same commits."""
    ids = make_repo(tmp_path / "r", TWO)
    git(tmp_path / "r", "tag", "v1", ids[0])
    folder = work_tree_git(str(tmp_path / "r"))
    assert folder is not None
    objects = Objects(folder.objects, 40)
    refs = Refs(folder._replace(reftable=True), objects)
    assert refs.head() == ids[1]
    assert refs.resolve("v1").commit == ids[0]
    with pytest.raises(CommitUnknown):
        refs.resolve("v2")
    objects.close()


def test_a_linked_work_tree_shares_names_but_not_head(tmp_path: Path) -> None:
    """In a linked work tree HEAD is its own, branches are common."""
    ids = make_repo(tmp_path / "r", TWO)
    git(tmp_path / "r", "worktree", "add", "-q", "--detach", str(tmp_path / "w"), ids[0])
    assert resolved(tmp_path / "w", None).commit == ids[0]
    assert resolved(tmp_path / "w", "main").commit == ids[1]
    commit(tmp_path / "w", {b"b": b"3"})
    assert resolved(tmp_path / "r", None).commit == ids[1]
