"""The query repository: ours alone, made once, whatever the environment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.trees import query
from repos import git, make_repo
from rights import without_room


def made(place: Path, digits: int = 40) -> Path:
    """The query repository of the repository at PLACE."""
    return Path(query.query_repository(str(place / ".git" / "objects"), digits))


def test_git_reads_the_objects_through_it(tmp_path: Path, own_cache: Path) -> None:
    """Git finds the objects of the served repository in it, and no reference."""
    ids = make_repo(tmp_path / "r", [{b"a": b"x"}])
    place = made(tmp_path / "r")
    assert own_cache in place.parents
    assert git(place, "cat-file", "-t", ids[0]) == "commit"
    assert git(place, "for-each-ref") == ""


def test_it_is_private(tmp_path: Path) -> None:
    """Nobody else may look into it."""
    make_repo(tmp_path / "r", [{b"a": b"x"}])
    place = made(tmp_path / "r")
    assert [folder.stat().st_mode & 0o777 for folder in (place, place.parent, place.parent.parent)] == [0o700] * 3


def test_it_is_one_for_each_object_folder_and_format(tmp_path: Path) -> None:
    """The same folder, through a link too, has one query repository; another folder has another."""
    make_repo(tmp_path / "r", [{b"a": b"x"}])
    make_repo(tmp_path / "s", [{b"a": b"x"}])
    (tmp_path / "link").symlink_to(tmp_path / "r")
    assert made(tmp_path / "r") == made(tmp_path / "r") == made(tmp_path / "link")
    assert len({made(tmp_path / "r"), made(tmp_path / "s"), made(tmp_path / "r", 64)}) == 3


@pytest.mark.parametrize("name", ['quote"d', "new\nline", "#hash", "back\\slash", "ünï", " blank "])
def test_odd_folder_names_are_read(tmp_path: Path, name: str) -> None:
    """The name of the served folder may be anything that a folder may be called."""
    ids = make_repo(tmp_path / name, [{b"a": b"x"}])
    assert git(made(tmp_path / name), "cat-file", "-t", ids[0]) == "commit"


@given(st.binary(min_size=1, max_size=30))
def test_quoted_names_hold_no_line_end(path: bytes) -> None:
    """A quoted name is one line of printable ASCII."""
    assert all(32 <= byte < 127 for byte in query._quoted(path))


def test_a_damaged_one_is_replaced(tmp_path: Path) -> None:
    """A query repository that somebody has changed, or a file in its place, is made anew."""
    ids = make_repo(tmp_path / "r", [{b"a": b"x"}])
    place = made(tmp_path / "r")
    (place / "config").write_text("[core]\n\tfsmonitor = /bin/evil\n", encoding="utf-8")
    assert "evil" not in (made(tmp_path / "r") / "config").read_text(encoding="utf-8")
    place.rename(tmp_path / "moved")
    place.write_text("in the way", encoding="utf-8")
    assert git(made(tmp_path / "r"), "cat-file", "-t", ids[0]) == "commit"
    assert [entry.name for entry in place.parent.iterdir()] == [place.name]


def test_several_processes_make_it_at_once(tmp_path: Path) -> None:
    """Processes that start together all get the one query repository, and leave nothing beside it."""
    make_repo(tmp_path / "r", [{b"a": b"x"}])
    objects = str(tmp_path / "r" / ".git" / "objects")
    code = "import sys; from budgeted_reads.trees.query import *; print(query_repository(sys.argv[1], 40))"
    running = [
        subprocess.Popen([sys.executable, "-c", code, objects], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    places = {process.communicate()[0].strip() for process in running}
    assert places == {str(made(tmp_path / "r"))}
    assert len(list(made(tmp_path / "r").parent.iterdir())) == 1


@pytest.mark.parametrize("home", ["", "relative", "/nonexistent", None])
def test_without_a_home_it_is_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str | None) -> None:
    """Where there is no home of ours, a folder is used that is removed at exit."""
    ids = make_repo(tmp_path / "r", [{b"a": b"x"}])
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environment = {key: value for key, value in os.environ.items() if key not in ("HOME", "XDG_CACHE_HOME")}
    environment |= {"TMPDIR": str(scratch)} | ({} if home is None else {"HOME": home})
    code = (
        "import sys; from budgeted_reads.trees.objects import Objects; objects = Objects(sys.argv[1], 40)\n"
        "print(objects.repository, objects.info(sys.argv[2]).kind); objects.close()"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, str(tmp_path / "r" / ".git" / "objects"), ids[0]],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    place, kind = done.stdout.split()
    assert kind == "commit"
    assert scratch in Path(place).parents
    assert list(scratch.iterdir()) == []


def test_a_cache_that_others_may_write_is_not_used(tmp_path: Path, own_cache: Path) -> None:
    """A cache folder of ours that others can write to is left alone."""
    own_cache.mkdir()
    (own_cache / "budgeted-reads").mkdir()
    (own_cache / "budgeted-reads").chmod(0o777)
    assert query.cache_folder() is None


def test_a_cache_folder_behind_a_link_inside_is_not_used(tmp_path: Path, own_cache: Path) -> None:
    """A link where our own folder should be is not followed."""
    own_cache.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (own_cache / "budgeted-reads").symlink_to(tmp_path / "elsewhere")
    assert query.cache_folder() is None


def test_a_disk_without_any_room_is_said(tmp_path: Path) -> None:
    """Where not even the query repository can be written, the error says so and what to do."""
    make_repo(tmp_path / "r", [{b"a.md": b"# A\n"}])
    with pytest.raises(AssertionError, match=r"no folder can be written .* make room"):
        without_room("read", "a.md", place=tmp_path / "r", most=0)
