"""The trees of a node: which tree a text means, and what is a tree at all."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.errors import ForbiddenPath, InvalidRequest, TreeUnknown
from budgeted_reads.trees.catalog import Catalog, check_name, here, open_tree
from budgeted_reads.trees.folder import Folder
from repos import git, make_repo, write

segments = st.text(st.sampled_from("ab.-_"), min_size=1, max_size=3).filter(lambda text: text.strip("."))


@given(st.lists(st.lists(segments, min_size=1, max_size=3).map("/".join), max_size=4), st.text("ab/.", max_size=6))
def test_a_path_belongs_to_one_tree_at_most(names: list[str], rest: str) -> None:
    """With names that are taken, `/name/rest` always splits into that name and that rest."""
    taken: list[str] = []
    for name in names:
        try:
            check_name(name, taken)
        except InvalidRequest:
            continue
        taken.append(name)
    catalog = Catalog(Folder(name, f"/{name}") for name in taken)
    for name in taken:
        tree, found = catalog.split(f"/{name}/{rest}")
        assert (tree.name, found) == (name, rest)
        assert catalog.split(f"/{name}")[1] == ""


@pytest.mark.parametrize(
    "name", ["", "/", "a/", "/a", "a//b", ".", "a/..", "a b", "ä", "a@b", "a%20", ".git", "a\n", "x" * 201]
)
def test_what_is_no_name_is_invalid(name: str) -> None:
    """A name that would need an escape in a pointer, or is no clean path, is `invalid_request`."""
    with pytest.raises(InvalidRequest):
        check_name(name)


@pytest.mark.parametrize("names", [("a", "a"), ("a", "a/b"), ("a/b", "a"), ("a/b/c", "a/b")])
def test_names_do_not_repeat_or_nest(names: tuple[str, str]) -> None:
    """Equal names, and a name that is a path prefix of another, are `invalid_request`; `a` and `ab` are not."""
    with pytest.raises(InvalidRequest):
        Catalog(Folder(name, "/") for name in names)
    Catalog([Folder("a", "/"), Folder("ab", "/"), Folder("b/a", "/")])


def test_an_unknown_tree_names_those_there_are() -> None:
    """A path in no tree is `tree_unknown` with the names; a path without a slash needs the only tree."""
    catalog = Catalog([Folder("docs", "/d"), Folder("code", "/c")])
    with pytest.raises(TreeUnknown) as caught:
        catalog.split("/doc/x")
    assert "/docs" in caught.value.hint
    with pytest.raises(InvalidRequest):
        catalog.split("x")
    assert Catalog([Folder("docs", "/d")]).split("x/y")[1] == "x/y"
    with pytest.raises(TreeUnknown):
        Catalog([]).split("/x")


def test_a_tree_is_what_stands_there(tmp_path: Path) -> None:
    """A work tree, a linked work tree, a bare repository and a folder are told apart; anything else is invalid."""
    make_repo(tmp_path / "r", [{b"a": b"1"}])
    make_repo(tmp_path / "b", [{b"a": b"1"}], bare=True)
    git(tmp_path / "r", "worktree", "add", "-q", str(tmp_path / "w"))
    write(tmp_path / "f", {b"x": b""})
    kinds = [open_tree("t", str(tmp_path / name)).kind for name in "rwbf"]
    assert kinds == ["worktree", "worktree", "bare", "folder"]
    for name in ("none", "f/x"):
        with pytest.raises(InvalidRequest):
            open_tree("t", str(tmp_path / name))


def test_here_is_the_repository_one_stands_in(tmp_path: Path) -> None:
    """From any folder of a repository `here` is that repository, named after its folder; else the folder itself."""
    make_repo(tmp_path / "my repo.git", [{b"d/e/f": b"1"}])
    tree = here(str(tmp_path / "my repo.git" / "d" / "e"))
    assert (tree.name, tree.kind, tree.root) == ("my-repo", "worktree", str(tmp_path / "my repo.git"))
    make_repo(tmp_path / "b.git", [{b"a": b"1"}], bare=True)
    assert here(str(tmp_path / "b.git")).name == "b"
    (tmp_path / "…").mkdir()
    plain = here(str(tmp_path / "…"))
    assert (plain.name, plain.kind) == ("tree", "folder")


def test_places_on_disk_are_found_in_their_tree(tmp_path: Path) -> None:
    """A place, absolute or relative, with `..` or through a link to the root, is a path in the innermost tree."""
    make_repo(tmp_path / "r", [{b"d/f": b"1"}])
    make_repo(tmp_path / "r" / "inner", [{b"g": b"2"}])
    (tmp_path / "link").symlink_to(tmp_path / "r" / "d")
    (tmp_path / "r" / "to").symlink_to("d")
    catalog = Catalog([open_tree("r", str(tmp_path / "r")), open_tree("i", str(tmp_path / "r" / "inner"))])
    root = str(tmp_path / "r")
    for place, cwd, expected in (
        (f"{root}/d/f", None, ("r", "d/f")),
        ("f", f"{root}/d", ("r", "d/f")),
        ("../d/f", f"{root}/d", ("r", "d/f")),
        ("..", f"{root}/d", ("r", "")),
        (".", root, ("r", "")),
        ("f", str(tmp_path / "link"), ("r", "d/f")),
        ("to/f", root, ("r", "to/f")),
        ("inner/g", root, ("i", "g")),
        ("none/../d", root, ("r", "d")),
        ("new", root, ("r", "new")),
    ):
        tree, rest = catalog.locate(place, cwd)
        assert (tree.name, rest) == expected, place


@pytest.mark.parametrize("place", ["/etc/hostname", "../r-secret/s", "..", "d/../../x", "/"])
def test_places_outside_are_forbidden(tmp_path: Path, place: str) -> None:
    """A place outside every tree, a sibling of like name too, is `forbidden_path`."""
    make_repo(tmp_path / "r", [{b"d/f": b"1"}])
    write(tmp_path / "r-secret", {b"s": b""})
    catalog = Catalog([open_tree("r", str(tmp_path / "r"))])
    with pytest.raises(ForbiddenPath):
        catalog.locate(place, str(tmp_path / "r"))
    with pytest.raises(InvalidRequest):
        catalog.locate("a\0b", str(tmp_path / "r"))


def test_a_git_folder_outside_must_name_the_tree(tmp_path: Path) -> None:
    """A `.git` file, a link or a common folder that leads to the repository of somebody else is `forbidden_path`."""
    make_repo(tmp_path / "victim", [{b"secret": b"s"}])
    git(tmp_path / "victim", "worktree", "add", "-q", str(tmp_path / "real"))
    private = tmp_path / "victim" / ".git"
    for name, target in (("one", private), ("two", private / "worktrees" / "real")):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".git").write_text(f"gitdir: {target}\n", encoding="utf-8")
    (tmp_path / "three").mkdir()
    (tmp_path / "three" / ".git").symlink_to(private)
    make_repo(tmp_path / "four", [{b"a": b"1"}])
    (tmp_path / "four" / ".git" / "commondir").write_text(f"{private}\n", encoding="utf-8")
    (tmp_path / "five").mkdir()
    (tmp_path / "five" / ".git").write_text("gitdir: nowhere\n", encoding="utf-8")
    for name in ("one", "two", "three", "four", "five"):
        with pytest.raises(ForbiddenPath):
            open_tree("t", str(tmp_path / name))
    assert open_tree("t", str(tmp_path / "real")).kind == "worktree"


def test_closing_the_catalog_closes_its_trees(tmp_path: Path) -> None:
    """After `close` no child of any tree runs."""
    make_repo(tmp_path / "r", [{b"a": b"1"}])
    tree = open_tree("r", str(tmp_path / "r"))
    catalog = Catalog([tree])
    before = len(os.listdir("/dev/fd"))
    tree.look(b"a", tree.resolve("HEAD"))
    catalog.close()
    assert len(os.listdir("/dev/fd")) == before
