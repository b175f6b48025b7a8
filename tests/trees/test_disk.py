"""The disk: bytes from one moment, never from outside."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.errors import FileChanging, ForbiddenPath, NotFound, TooLarge
from budgeted_reads.trees.disk import Disk, Standing


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a file, a folder, links of all kinds and a socket."""
    root = tmp_path / "root"
    (root / "d" / "e").mkdir(parents=True)
    (root / "d" / "a").write_bytes(b"inside\n")
    (tmp_path / "secret").write_bytes(b"outside\n")
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "up").symlink_to("..")
    (root / "in").symlink_to("d")
    (root / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "socket"))
    return root


def test_a_path_stands_as_far_as_it_exists(place: Path) -> None:
    """`stand` tells the longest part that exists, what it is, and what comes after; links are not followed."""
    disk = Disk(str(place))
    assert disk.stand(b"") == Standing("folder", b"")
    assert disk.stand(b"d/a") == Standing("file", b"d/a", (), 7)
    assert disk.stand(b"d/x/y")[:3] == ("folder", b"d", (b"x", b"y"))
    assert disk.stand(b"x")[:3] == ("folder", b"", (b"x",))
    assert disk.stand(b"d/a/b")[:3] == ("file", b"d/a", (b"b",))
    assert disk.stand(b"in/a")[:3] == ("link", b"in", (b"a",))
    assert disk.stand(b"up/secret")[:3] == ("link", b"up", (b"secret",))
    assert disk.stand(b"socket").kind == "other"
    assert disk.stand(b"y" * 300)[:3] == ("folder", b"", (b"y" * 300,))


@pytest.mark.parametrize("path", [b"out", b"up/secret", b"in/a", b"loop", b"in/../d/a", b"x", b"d/a/b"])
def test_nothing_is_read_through_a_link(place: Path, path: bytes) -> None:
    """Reading through a link, or what is not there, is an error, never bytes."""
    with pytest.raises((NotFound, ForbiddenPath)):
        Disk(str(place)).read(path)


@given(st.lists(st.sampled_from([b"d", b"e", b"a", b"in", b"up", b"out", b"loop", b"root", b"secret"]), max_size=4))
def test_no_path_leads_outside(tmp_path_factory: pytest.TempPathFactory, parts: list[bytes]) -> None:
    """Whatever a path is made of, what is read is the one file inside."""
    base = tmp_path_factory.getbasetemp() / "outside"
    if not base.exists():
        (base / "root" / "d").mkdir(parents=True)
        (base / "root" / "d" / "a").write_bytes(b"inside\n")
        (base / "secret").write_bytes(b"outside\n")
        for name, target in (("out", "../secret"), ("up", ".."), ("in", "d"), ("d/e", "../..")):
            (base / "root" / name).symlink_to(target)
    disk = Disk(str(base / "root"))
    path = b"/".join(parts)
    if path == b"d/a":
        assert disk.read(path) == b"inside\n"
    else:
        with pytest.raises((NotFound, ForbiddenPath)):
            disk.read(path or b"d")


def test_only_regular_files_are_read(place: Path) -> None:
    """A folder, a socket and a pipe are `forbidden_path` or `not_found`, and a pipe does not block."""
    os.mkfifo(place / "pipe")
    for path in (b"d", b"socket", b"pipe"):
        with pytest.raises(ForbiddenPath):
            Disk(str(place)).read(path)


def test_a_file_over_the_limit_is_too_large(place: Path) -> None:
    """A file of more bytes than the limit is `too_large`, one of as many is read."""
    disk = Disk(str(place))
    assert disk.read(b"d/a", 7) == b"inside\n"
    with pytest.raises(TooLarge):
        disk.read(b"d/a", 6)


def test_a_file_that_never_stands_still_is_said() -> None:
    """A file whose size and content disagree at every read, as in /proc, is `file_changing`."""
    with pytest.raises(FileChanging):
        Disk(f"/proc/{os.getpid()}").read(b"status")


def test_links_are_read_as_text(place: Path) -> None:
    """`link` gives the target of a link, None for anything else."""
    disk = Disk(str(place))
    assert disk.link(b"in") == b"d"
    assert disk.link(b"loop") == b"loop"
    assert [disk.link(path) for path in (b"d", b"d/a", b"x", b"in/a", b"")] == [None] * 5


def test_a_folder_lists_what_is_in_it(place: Path) -> None:
    """`rows` are in byte order, by their own kind."""
    disk = Disk(str(place))
    kinds = {name: kind for name, kind, _ in disk.rows(b"")}
    assert kinds == {b"d": "folder", b"in": "link", b"loop": "link", b"out": "link", b"socket": "other", b"up": "link"}
    assert [row[0] for row in disk.rows(b"")] == sorted(kinds)
    for path in (b"in", b"up", b"x", b"d/a"):
        with pytest.raises((NotFound, ForbiddenPath)):
            disk.rows(path)


def test_no_descriptor_stays_open(place: Path) -> None:
    """Whatever happens, every descriptor is closed."""
    disk = Disk(str(place))
    before = len(os.listdir("/dev/fd"))
    for path in (b"d/a", b"in/a", b"x/y", b"d", b"socket"):
        disk.stand(path)
        disk.link(path)
        for act in (disk.read, disk.rows):
            try:
                act(path)
            except (NotFound, ForbiddenPath):
                continue
    assert len(os.listdir("/dev/fd")) == before
