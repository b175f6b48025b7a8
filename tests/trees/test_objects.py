"""The git engine: objects by id, whatever happens to its child."""

import os
import threading
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads import limits
from budgeted_reads.errors import Internal, TooLarge
from budgeted_reads.trees.objects import Objects, Recent, object_id, parse_commit, parse_tree
from repos import git, make_repo


def engine(place: Path, digits: int = 40) -> Objects:
    """An engine over the repository at PLACE."""
    return Objects(str(place / ".git" / "objects"), digits)


@pytest.mark.parametrize(("object_format", "digits"), [("sha1", 40), ("sha256", 64)])
def test_objects_are_what_git_says(tmp_path: Path, object_format: str, digits: int) -> None:
    """Kind, size, bytes, tree entries and parents equal git's own, in both object formats."""
    ids = make_repo(tmp_path / "r", [{b"a\nb": b"one\n"}, {b"d/\xff": b""}], object_format=object_format)
    objects = engine(tmp_path / "r", digits)
    commit = objects.commit(ids[1])
    assert commit is not None
    assert commit.parents == (ids[0],)
    tree = objects.tree(commit.tree)
    assert tree is not None
    assert {name: item.kind for name, item in tree.items()} == {b"a\nb": "file", b"d": "folder"}
    assert objects.read(tree[b"a\nb"].id, "blob") == b"one\n"
    assert objects.info(tree[b"a\nb"].id) == ("blob", 4)
    assert object_id("blob", b"one\n", digits) == tree[b"a\nb"].id
    objects.close()


def test_what_is_not_there_is_none(tmp_path: Path) -> None:
    """A missing id and an id of another kind are None; text that is no full id never reaches git."""
    ids = make_repo(tmp_path / "r", [{b"a": b"x"}])
    objects = engine(tmp_path / "r")
    assert objects.info("0" * 40) is None
    assert objects.read("0" * 40, "blob") is None
    assert objects.read(ids[0], "blob") is None
    for text in ("HEAD", ids[0][:12], ids[0].upper(), f"{ids[0]}\n", ids[0][:-1] + "\n"):
        with pytest.raises(ValueError, match="not a full object id"):
            objects.info(text)
    objects.close()


def test_a_dead_child_is_replaced(tmp_path: Path) -> None:
    """A child that was killed costs nothing: the question is asked again of a new one."""
    ids = make_repo(tmp_path / "r", [{b"a": b"x"}])
    objects = engine(tmp_path / "r")
    for _ in range(3):
        assert objects.info(ids[0]) is not None
        child = objects._child
        assert child is not None
        os.kill(child.pid, 9)
    assert objects.commit(ids[0]) is not None
    objects.close()


def test_closing_leaves_no_child_and_no_pipe(tmp_path: Path) -> None:
    """After `close` the child has been waited for and its pipes are shut; the engine can be used again."""
    ids = make_repo(tmp_path / "r", [{b"a": b"x"}])
    objects = engine(tmp_path / "r")
    before = len(os.listdir("/dev/fd"))
    for _ in range(2):
        assert objects.info(ids[0]) is not None
        child = objects._child
        assert child is not None
        pid = child.pid
        objects.close()
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, 0)
    assert len(os.listdir("/dev/fd")) == before


def test_a_cleared_cache_loses_nothing(tmp_path: Path, own_cache: Path) -> None:
    """With the query repository deleted under a running engine, the next child finds a new one."""
    ids = make_repo(tmp_path / "r", [{b"a": b"x"}])
    objects = engine(tmp_path / "r")
    assert objects.info(ids[0]) is not None
    own_cache.rename(tmp_path / "gone")
    objects.close()
    assert objects.info(ids[0]) is not None
    objects.close()


def test_threads_get_their_own_answers(tmp_path: Path) -> None:
    """Four threads on one engine each read the bytes they asked for."""
    files = {f"f{n}".encode(): b"%d\n" % n * (n + 1) for n in range(40)}
    ids = make_repo(tmp_path / "r", [files])
    objects = engine(tmp_path / "r")
    commit = objects.commit(ids[0])
    assert commit is not None
    tree = objects.tree(commit.tree)
    assert tree is not None
    wrong: list[bytes] = []

    def hammer() -> None:
        for _ in range(5):
            wrong.extend(name for name, item in tree.items() if objects.read(item.id, "blob") != files[name])

    threads = [threading.Thread(target=hammer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    objects.close()


def test_a_forked_process_starts_its_own_child(tmp_path: Path) -> None:
    """A forked process and its parent do not share a pipe."""
    ids = make_repo(tmp_path / "r", [{b"a": b"x"}])
    objects = engine(tmp_path / "r")
    assert objects.info(ids[0]) is not None
    pid = os.fork()
    if pid == 0:
        os._exit(0 if objects.info(ids[0]) is not None else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert objects.info(ids[0]) is not None
    objects.close()


def test_large_objects_are_refused_before_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An object over the limit is `too_large`, and the engine goes on."""
    make_repo(tmp_path / "r", [{b"a": b"12345", b"b": b"1"}])
    objects = engine(tmp_path / "r")
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 4)
    with pytest.raises(TooLarge):
        objects.read(git(tmp_path / "r", "rev-parse", "HEAD:a"), "blob")
    assert objects.read(git(tmp_path / "r", "rev-parse", "HEAD:b"), "blob") == b"1"
    objects.close()


def test_a_damaged_object_is_said(tmp_path: Path) -> None:
    """An object cut short is `internal` with the reason `object_corrupt`, and the engine goes on."""
    ids = make_repo(tmp_path / "r", [{b"a": bytes(range(256)) * 40}])
    blob = git(tmp_path / "r", "rev-parse", "HEAD:a")
    loose = tmp_path / "r" / ".git" / "objects" / blob[:2] / blob[2:]
    loose.chmod(0o644)
    loose.write_bytes(loose.read_bytes()[:100])
    objects = engine(tmp_path / "r")
    with pytest.raises(Internal) as caught:
        objects.read(blob, "blob")
    assert caught.value.members["reason"] == "object_corrupt"
    assert objects.info(ids[0]) is not None
    objects.close()


def test_tampered_bytes_are_not_believed(tmp_path: Path) -> None:
    """A well-formed object with other bytes than its id says, which git itself hands out, is `object_corrupt`."""
    make_repo(tmp_path / "r", [{b"a": b"true\n"}])
    blob = git(tmp_path / "r", "rev-parse", "HEAD:a")
    loose = tmp_path / "r" / ".git" / "objects" / blob[:2] / blob[2:]
    loose.chmod(0o644)
    loose.write_bytes(zlib.compress(b"blob 5\0fake\n"))
    assert git(tmp_path / "r", "cat-file", "blob", blob) == "fake"
    objects = engine(tmp_path / "r")
    with pytest.raises(Internal) as caught:
        objects.read(blob, "blob")
    assert caught.value.members["reason"] == "object_corrupt"
    objects.close()


@given(st.binary(max_size=60))
def test_malformed_trees_and_commits_are_internal_errors(raw: bytes) -> None:
    """Any bytes are a tree or a commit, or `internal`: no other error."""
    for parse in (lambda: parse_tree(raw, 20), lambda: parse_commit(raw, 40)):
        with suppress(Internal):
            parse()


@given(st.lists(st.integers(0, 9), max_size=60))
def test_the_cache_is_small_and_right(keys: list[int]) -> None:
    """The cache gives each key its own value and keeps no more than its size."""
    recent: Recent[str] = Recent(3)
    for key in keys:
        assert recent.get(str(key), lambda id: f"<{id}>") == f"<{key}>"
        assert len(recent._values) <= 3
