"""`nas snapshots`: what is kept can be seen, and one command removes it all (CONTRACT section 4)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from repos import ENVIRONMENT, make_repo, write

NAS = Path(sys.executable).parent / "nas"


class Here:
    """A folder to run `nas` in, with a home of its own."""

    def __init__(self, place: Path, home: Path) -> None:
        self.place = place
        self.home = home

    def __call__(self, *arguments: str, **extra: str) -> "subprocess.CompletedProcess[str]":
        """What `nas` does with ARGUMENTS."""
        environment = {**ENVIRONMENT, "HOME": str(self.home), "PATH": os.environ["PATH"], **extra}
        return subprocess.run(
            [NAS, *arguments], cwd=self.place, env=environment, capture_output=True, check=False, timeout=60, text=True
        )

    def json(self, *arguments: str) -> dict[str, Any]:
        """The JSON that it prints."""
        found = json.loads(self(*arguments, "--json").stdout)
        assert isinstance(found, dict)
        return found


@pytest.fixture
def here(tmp_path: Path) -> Here:
    """A repository with an edit, a new and an ignored file."""
    make_repo(tmp_path / "r", [{b"a.md": b"old\n", b".gitignore": b"*.log\n", b"d/b.md": b"b\n"}])
    write(tmp_path / "r", {b"a.md": b"new\n", b"d/c.md": b"c\n", b"x.log": b"x\n"})
    (tmp_path / "home").mkdir()
    return Here(tmp_path / "r", tmp_path / "home")


def test_a_dirty_read_can_be_cited_later(here: Here) -> None:
    """The header of an edited file is a pointer that another process follows after the file has changed again."""
    header = here("read", "a.md").stdout.split("\n")[0].split()
    assert (header[0], header[-1]) == ("full", "dirty")
    pointer = header[1]
    assert pointer.startswith("a.md@")
    write(here.place, {b"a.md": b"newer\n"})
    assert here("deref", pointer + "#L1").stdout == "new\n"
    assert here("read", pointer).stdout.split("\n")[0] == " ".join(header)
    assert here("read", "x.log").stdout.startswith("full x.log ")


def test_the_list_says_what_is_kept(here: Here) -> None:
    """Snapshots and pins are listed with tree, commit, day and paths, the last used first; nothing else is."""
    assert here("snapshots", "list").stdout == ""
    here("read", "d/b.md")
    here("read", "a.md")
    rows = [line.split() for line in here("snapshots", "list").stdout.splitlines()]
    assert [(row[0], row[1], row[4:]) for row in rows] == [("snapshot", "/r", ["a.md"]), ("pin", "/r", ["d/b.md"])]
    body = here.json("snapshots", "list")
    assert [row["commit"][:12] for row in body["kept"]] == [row[2] for row in rows]
    (tree,) = body["trees"]
    assert tree["folder"].startswith(str(here.home))
    assert tree["used_bytes"] > 0


def test_one_is_taken_by_hand(here: Here) -> None:
    """`take` prints the pointer of the file as it is; what is not stored is an error with the reason."""
    taken = here.json("snapshots", "take", "--path", "d/c.md")
    assert here("deref", str(taken["pointer"])).stdout == "c\n"
    assert here("snapshots", "take", "--path", "d/c.md").stdout == f"{taken['pointer']}\n"
    refused = here("snapshots", "take", "--path", "x.log")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "git ignores it" in refused.stderr


def test_a_purge_of_a_path_leaves_the_rest(here: Here) -> None:
    """Only what kept the file or folder goes; its pointers then say `snapshot_pruned`."""
    pointers = [here("snapshots", "take", "--path", path).stdout.strip() for path in ("a.md", "d/c.md")]
    write(here.place, {b"d/c.md": None})
    assert here.json("snapshots", "purge", "--path", "d/c.md") == {"removed": 1}
    assert here("deref", pointers[0]).stdout == "new\n"
    gone = here("deref", pointers[1], "--json")
    assert gone.returncode == 3
    assert json.loads(gone.stdout)["reason"] == "snapshot_pruned"
    assert here.json("snapshots", "purge", "--path", "d") == {"removed": 0}


def test_one_command_removes_all(here: Here, tmp_path: Path) -> None:
    """After `purge` the home is as it was before the first command, whatever the trees are and where one stands."""
    write(tmp_path / "f", {b"note": b"n\n"})
    Here(tmp_path / "f", here.home)("read", "note")
    here("read", "a.md")
    assert list(here.home.rglob("*.git"))
    done = Here(tmp_path, here.home)("snapshots", "purge")
    assert done.stdout.startswith("removed 2: ")
    assert [place for place in here.home.rglob("*") if not place.is_dir()] == []
    assert not list(here.home.rglob("budgeted-reads"))
    assert here.json("snapshots", "purge") == {"removed": 0}


def test_prune_removes_what_is_old(here: Here) -> None:
    """What nobody has used for longer than `age_days` goes, what is used stays."""
    here("read", "a.md")
    here("snapshots", "take", "--path", "d/c.md")
    old, _ = sorted(here.home.rglob("refs/snapshots/*"), key=lambda place: place.stat().st_mtime)
    os.utime(old, (1e9, 1e9))
    assert here.json("snapshots", "prune") == {"removed": 1}
    assert here.json("snapshots", "prune") == {"removed": 0}
    assert [row["paths"] for row in here.json("snapshots", "list")["kept"]] == [["d/c.md"]]


def test_the_configuration_turns_them_off(here: Here, tmp_path: Path) -> None:
    """With `enabled = false`, or the tree in `off`, nothing is stored, and the list says so."""
    for setting in ("enabled = false", 'off = ["t"]'):
        config = tmp_path / "nas.toml"
        config.write_text(f'[[tree]]\nname = "t"\npath = "{here.place}"\n[snapshots]\n{setting}\n', encoding="utf-8")
        read = here("read", "a.md", "--config", str(config))
        assert "@" not in read.stdout.split("\n")[0]
        listed = here("snapshots", "list", "--config", str(config))
        assert (listed.stdout, listed.stderr) == ("", "/t: snapshots are off\n")
    assert not list(here.home.rglob("*-40.git/refs/snapshots"))


def test_a_state_folder_that_cannot_be_written_costs_the_pointer_only(here: Here, tmp_path: Path) -> None:
    """The read is answered, the body says why there is no pointer, and nothing is left behind."""
    (tmp_path / "file").write_bytes(b"")
    done = here("read", "a.md", "--json", XDG_STATE_HOME=str(tmp_path / "file"))
    body = json.loads(done.stdout)
    assert (done.returncode, body["content"], body["commit"], body["evidence"]) == (0, "new\n", None, [])
    assert "XDG_STATE_HOME" in body["snapshot"]["reason"]


@pytest.mark.parametrize("words", [["take"], ["list", "--path", "a.md"], ["prune", "--path", "a.md"], ["forget"]])
def test_what_makes_no_sense_is_refused(here: Here, words: list[str]) -> None:
    """An unknown action, and a path where none goes or is missing, are `invalid_request`."""
    done = here("snapshots", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("invalid_request: ")
