"""From the words of a caller to a tree, a path and a revision (CONTRACT sections 3 and 4)."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from budgeted_reads import Node, pointer
from budgeted_reads.errors import ReadError
from budgeted_reads.places import Places
from budgeted_reads.trees.catalog import Catalog, open_tree
from repos import make_repo

Ids = dict[str, list[str]]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two repositories and a file that no tree holds."""
    root = tmp_path_factory.mktemp("places")
    make_repo(root / "one", [{b"a.md": b"one\n", b"two/a.md": b"inner\n", b"only": b"1\n"}])
    make_repo(root / "two", [{b"a.md": b"two\n", b"d/e": b"deep\n"}, {b"a.md": b"two again\n"}])
    (root / "outside").write_bytes(b"x\n")
    return root


@pytest.fixture
def catalog(root: Path) -> Iterator[Catalog]:
    """Both repositories as trees."""
    catalog = Catalog([open_tree("one", str(root / "one")), open_tree("two", str(root / "two"))])
    yield catalog
    catalog.close()


def code(places: Places, path: str | bytes, commit: str | None = None) -> str:
    """The code of the error that PATH gives."""
    with pytest.raises(ReadError) as caught:
        places.find(path, commit)
    return caught.value.code


def test_a_path_names_its_tree(catalog: Catalog) -> None:
    """`/tree/path` is that tree's, `/tree` its root; without a tree it is refused where there are several."""
    places = Places(catalog, local=False)
    assert places.find("/two/a.md", None).found.raw == b"two again\n"
    assert places.find(b"/one/two/a.md", None).found.raw == b"inner\n"
    assert places.find("/two", None).found.kind == "folder"
    assert code(places, "a.md") == "invalid_request"
    assert code(places, "/three/a.md") == "tree_unknown"
    assert code(places, "/two/b.md") == "not_found"


def test_only_local_faces_take_places_on_disk(catalog: Catalog, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Absolute places and those from the current folder are found in the tree that holds them; over a network not."""
    local, remote = Places(catalog, local=True), Places(catalog, local=False)
    absolute = str(root / "two" / "d" / "e")
    assert local.find(absolute, None).found.raw == b"deep\n"
    assert local.find(os.fsencode(absolute), None).tree.name == "two"
    assert code(remote, absolute) == "tree_unknown"
    monkeypatch.chdir(root / "one")
    assert local.find("a.md", None).found.raw == b"one\n"
    assert local.find("../two/a.md", None).found.raw == b"two again\n"
    assert code(remote, "a.md") == "invalid_request"
    assert code(local, "../outside") == "forbidden_path"
    assert code(local, str(root / "outside")) == "forbidden_path"


def test_a_pointer_is_looked_for_where_it_says_first(catalog: Catalog) -> None:
    """The tree of a pointer holds the commit: there is no `via`. The node does not matter: the commit decides."""
    places = Places(catalog, local=False)
    head = catalog.trees["two"].resolve(None).commit
    found = places.find(f"nas://anyone/two/d/e@{head}#L1", None)
    assert (found.found.raw, found.lines, found.via) == (b"deep\n", (1, 1), None)


def test_a_pointer_is_found_in_another_tree_and_says_so(catalog: Catalog) -> None:
    """A tree that is not known here, or that lacks the commit, is no end: `via` names the one that holds it."""
    places = Places(catalog, local=False)
    head = catalog.trees["two"].resolve(None).commit
    for tree in ("elsewhere", "deep/er", "one"):
        found = places.dereference(f"nas://home-box/{tree}/d/e@{head}")
        assert (found.found.raw, found.via) == (b"deep\n", "two")


def test_the_most_telling_failure_of_a_pointer_is_told(catalog: Catalog) -> None:
    """A commit that is nowhere is `commit_unknown`; one without that path is `not_found`, never found as the root."""
    places = Places(catalog, local=False)
    head = catalog.trees["two"].resolve(None).commit
    assert code(places, f"nas://local/two/nothing@{head}") == "not_found"
    assert code(places, f"nas://local/one/nothing@{head}") == "not_found"
    assert code(places, f"nas://local/elsewhere/nothing@{head}") == "not_found"
    assert places.find(f"nas://local/elsewhere@{head}", None).found.kind == "folder"
    assert code(places, f"nas://local/two/a.md@{'0' * 40}") == "commit_unknown"


def test_a_short_pointer_may_name_its_tree(catalog: Catalog) -> None:
    """`/tree/path@commit`, as headers have it where there are several trees."""
    places = Places(catalog, local=False)
    head = catalog.trees["two"].resolve(None).commit
    assert head is not None
    assert places.find(f"/two/a.md@{head[:12]}#L1", None).lines == (1, 1)
    assert places.find(f"/two/a.md@{head[:8]}", None).warnings[0].code == "short_commit"
    assert code(places, f"/two/a.md@{head}", "HEAD") == "invalid_request"


@pytest.mark.parametrize("name", [b"a b.md", b"100%25.md", b"two\nlines.md", b"at@sign#7.md", b"\xff\xfe.md"])
def test_a_name_as_it_is_printed_is_found(tmp_path: Path, name: bytes) -> None:
    """A path that is copied from a header, percent-encoded, leads to its file; a literal one comes first."""
    make_repo(tmp_path / "r", [{name: b"# It\n"}])
    with Node.open(tmp_path / "r") as node:
        printed = pointer.display(name)
        answer = node.read(printed)
        assert answer.content == "# It\n"
        assert [warned.code for warned in answer.warnings] == ["path_normalised"]
        assert node.read(name).content == "# It\n"
        with pytest.raises(ReadError):
            node.read("%2e%2e/" + printed)
