"""Answers about what is not committed: cited, counted and repeated like any other (CONTRACT sections 3 and 4)."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads.errors import BudgetTooSmall, CommitUnknown
from budgeted_reads.node import Node
from budgeted_reads.tokens import counter
from repos import commit, make_repo, write

COUNTER = counter("o200k_base")
TEXT = b"# Harbour\n\nCall first.\n\n" + b"".join(b"## Pier %d\n\nBerths: %d.\n\n" % (n, n * 7) for n in range(40))


@pytest.fixture(scope="module", params=["repository", "folder"])
def node(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """A tree with a file that is not committed."""
    place = tmp_path_factory.mktemp("dirty")
    if request.param == "repository":
        make_repo(place, [{b"a.md": b"old\n"}])
    write(place, {b"a.md": TEXT})
    with Node.open(place, tree="t") as node:
        yield node


@given(budget=st.integers(1, 900), view=st.sampled_from(["auto", "full", "outline", "card", "lines"]))
@settings(max_examples=60, deadline=None)
def test_a_dirty_answer_holds_its_budget(node: Node, budget: int, view: str) -> None:
    """With its longer header no text costs more than its budget; equal requests have equal bytes."""
    fields = {"view": view, "budget_tokens": budget} | ({"lines": "3-40"} if view == "lines" else {})
    try:
        text = node.read_text("a.md", **fields)
    except BudgetTooSmall as error:
        assert error.minimum_tokens > budget
        return
    assert COUNTER.units(text) <= budget
    assert node.read_text("a.md", **fields) == text


def test_a_dirty_answer_can_be_cited(node: Node) -> None:
    """Evidence, ids and header name the snapshot; the pointer gives the bytes back, also as a read of its own."""
    answer = node.read("a.md", lines="3-7")
    body = answer.to_dict()
    base = node.catalog.trees["t"].resolve(None).commit
    assert body["snapshot"] == {"base": base, "dirty": True}
    (row,) = answer.evidence
    again = node.dereference(row.pointer, sha256=row.sha256)
    assert (again.content.content, again.verification) == (answer.content, "verified")
    assert again.content.commit == body["commit"] != base
    header = node.read_text("a.md", lines="3-7").split("\n")[0].split()
    assert header[1] == f"a.md@{str(body['commit'])[:12]}#L3-L7"
    assert header[-1] == "dirty"
    for pointer in (row.pointer, header[1]):
        read = node.read(pointer)
        assert (read.content, read.commit, read.snapshot) == (answer.content, body["commit"], body["snapshot"])


def test_a_commit_of_the_same_bytes_is_cited_instead(tmp_path: Path) -> None:
    """Once the edit is committed its own commit is the pointer; the old pointer goes on."""
    make_repo(tmp_path, [{b"a.md": b"old\n"}])
    write(tmp_path, {b"a.md": b"new\n"})
    with Node.open(tmp_path, tree="t") as node:
        old = node.read("a.md")
        id = commit(tmp_path, {}, 2)
        new = node.read("a.md")
        assert (new.commit, new.blob, new.snapshot) == (id, old.blob, None)
        assert node.dereference(old.evidence[0].pointer).content.content == "new\n"


def test_a_snapshot_of_one_tree_is_found_via_it(tmp_path: Path) -> None:
    """A pointer whose tree is unknown here is followed to the tree that keeps its snapshot; other ids stay unknown."""
    write(tmp_path / "f", {b"note": b"n\n"})
    with Node.open(tmp_path / "f", tree="here") as node:
        pointer = node.read("note").evidence[0].pointer
        assert node.dereference(pointer.replace("/here/", "/there/")).via == "here"
        with pytest.raises(CommitUnknown):
            node.dereference(f"nas://local/here/note@{'0' * 40}")


def test_threads_share_the_store(tmp_path: Path) -> None:
    """Eight threads that read the same edits at once all get the same pointers, and each can be followed."""
    make_repo(tmp_path, [{b"f%d" % n: b"old" for n in range(12)}])
    write(tmp_path, {b"f%d" % n: b"new %d\n" % n for n in range(12)})
    found: list[list[str]] = []
    with Node.open(tmp_path, tree="t") as node:

        def read() -> None:
            found.append([node.read(f"f{n}").evidence[0].pointer for n in range(12)])

        threads = [threading.Thread(target=read) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 8
        assert all(row == found[0] for row in found)
        assert [node.dereference(pointer).raw for pointer in found[0]] == [b"new %d\n" % n for n in range(12)]
