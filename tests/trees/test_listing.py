"""What may differ on disk from a commit, by the index and the disk beside it."""

from pathlib import Path

from budgeted_reads.trees.catalog import open_tree
from budgeted_reads.trees.listing import changed_now
from budgeted_reads.trees.worktree import WorkTree
from repos import Change, Link, git, make_repo, write

FILES: Change = {
    b".gitignore": b"*.log\n",
    **{name: name for name in (b"same", b"edited", b"gone", b"staged", b"mode", b"unstaged", b"a b/deep", b"hidden")},
    b"link": Link(b"same"),
    b"skipped": b"skipped",
}


def tree_at(place: Path) -> WorkTree:
    """The work tree at PLACE."""
    tree = open_tree("tree", str(place), None)
    assert isinstance(tree, WorkTree)
    return tree


def test_every_way_to_differ_is_found_and_nothing_else(tmp_path: Path) -> None:
    """Edited, deleted, staged, new, turned into a link, of another mode, or not looked at by git; no ignored ones."""
    (head,) = make_repo(tmp_path / "tree", [FILES])
    tree = tree_at(tmp_path / "tree")
    assert changed_now(tree, head).paths == ()
    write(
        tmp_path / "tree",
        {b"edited": b"other", b"gone": None, b"new": b"n", b"x.log": b"x", b"staged": b"s", b"link": None},
    )
    git(tmp_path / "tree", "add", "staged")
    (tmp_path / "tree/link").symlink_to("edited")
    git(tmp_path / "tree", "add", "link")
    (tmp_path / "tree/mode").chmod(0o755)
    git(tmp_path / "tree", "update-index", "--assume-unchanged", "hidden")
    git(tmp_path / "tree", "update-index", "--skip-worktree", "skipped")
    git(tmp_path / "tree", "rm", "-q", "--cached", "unstaged")
    found = changed_now(tree, head)
    expected = {b"edited", b"gone", b"new", b"staged", b"link", b"mode", b"hidden", b"skipped", b"unstaged"}
    assert set(found.paths) == expected
    tree.close()


def test_what_differs_is_told_apart_anew_only_where_git_says_something_else(tmp_path: Path) -> None:
    """The same answer is given again, and never for another state of the disk, of the index, or another commit."""
    first, second = make_repo(tmp_path / "tree", [FILES, {b"same": b"more"}])
    tree = tree_at(tmp_path / "tree")
    clean = changed_now(tree, second)
    assert changed_now(tree, second, clean) is clean
    assert changed_now(tree, first, clean).paths == (b"same",)
    write(tmp_path / "tree", {b"new": b"n"})
    dirty = changed_now(tree, second, clean)
    assert dirty.paths == (b"new",)
    write(tmp_path / "tree", {b"new": None})
    assert changed_now(tree, second, dirty).paths == ()
    tree.close()
