"""A served repository may be an enemy's: nothing that it configures or holds is ever run."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from budgeted_reads import limits
from budgeted_reads.errors import NotFound
from budgeted_reads.trees.catalog import open_tree
from budgeted_reads.trees.git import environment
from repos import ENVIRONMENT, git, make_repo

LOOK = """
import sys
from budgeted_reads.errors import ReadError
from budgeted_reads.trees import catalog
from budgeted_reads.trees.catalog import Catalog, here, open_tree
from budgeted_reads.trees.snapshots import Keeping
tree = here(".", Keeping())
head = tree.resolve("HEAD")
for revision in (tree.resolve(None), head, tree.resolve(head.commit[:8]), tree.resolve("v1")):
    for path in (b"a.txt", b"new.txt", b"json.py", b"git", b"gone", b"d", b"nested/x"):
        try:
            tree.look(path, revision)
        except ReadError:
            pass
    for path in (b"", b"d"):
        tree.children(path, revision)
tree.ignored(b"new.txt")
assert tree.snapshot({b"a.txt": b"x", b"new.txt": b"y"})
tree.close()
"""

HOSTILE = ("argparse.py", "json.py", "subprocess.py", "hashlib.py", "difflib.py", "tempfile.py", "unicodedata.py")


@pytest.fixture
def enemy(tmp_path: Path) -> Path:
    """A repository in which everything that git or Python could run leaves a file in the folder `marks` beside it."""
    place, marks = tmp_path / "enemy", tmp_path / "marks"
    marks.mkdir()

    def script(name: str) -> str:
        path = tmp_path / "tools" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch {marks}/{name}\ncat\n", encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    python = {name.encode(): f"open({str(marks / name)!r}, 'w').close()\n".encode() for name in HOSTILE}
    attributes = b"* filter=evil diff=evil merge=evil\n"
    files = {b"a.txt": b"one\n", b"gone": b"x", b"d/b.txt": b"two\n", b".gitattributes": attributes, **python}
    make_repo(place, [{**files, b"git": f"#!/bin/sh\ntouch {marks}/git\n".encode()}])
    (place / "git").chmod(0o755)
    git(place, "tag", "-a", "-m", "m", "v1")
    make_repo(place / "nested", [{b"x": b"1"}])
    for where in (place, place / "nested"):
        for key in (
            "core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "core.gitProxy",
            "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.external", "diff.evil.textconv",
            "diff.evil.command", "credential.helper", "alias.cat-file", "alias.ls-files", "pager.cat-file",
            "pager.ls-files", "uploadpack.packObjectsHook", "gpg.program", "remote.origin.uploadpack",
        ):  # fmt: skip
            command = script(key)
            git(where, "config", key, f"!{command}" if key.startswith("alias") else command)
        git(where, "config", "filter.evil.required", "true")
        git(where, "config", "remote.origin.url", f"ext::{script('remote')}")
        git(where, "config", "remote.origin.promisor", "true")
        hooks = where / ".git" / "hooks"
        hooks.mkdir(exist_ok=True)
        for hook in (
            "post-index-change",
            "reference-transaction",
            "fsmonitor-watchman",
            "post-checkout",
            "pre-auto-gc",
        ):
            (hooks / hook).write_text(f"#!/bin/sh\ntouch {marks}/{hook}\n", encoding="utf-8")
            (hooks / hook).chmod(0o755)
    (place / "a.txt").write_bytes(b"two\n")
    (place / "gone").unlink()
    (place / "new.txt").write_bytes(b"new\r\n")
    os.utime(place / "d" / "b.txt", (1, 1))
    assert list(marks.iterdir()) == []
    return place


def test_nothing_of_a_served_repository_is_run(enemy: Path, tmp_path: Path) -> None:
    """With the enemy's folder as current folder and on PATH, reading, listing and naming runs nothing of it."""
    environment = {
        **os.environ,
        "PATH": f":.:../enemy:{os.environ['PATH']}",
        "PYTHONSAFEPATH": "1",
        "GIT_DIR": str(enemy / ".git"),
        "GIT_EXTERNAL_DIFF": str(enemy / "git"),
        "GIT_SSH_COMMAND": str(enemy / "git"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(enemy / "git"),
        "GIT_TRACE": str(tmp_path / "marks" / "trace"),
    }
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LOOK],
        cwd=enemy,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list((tmp_path / "marks").iterdir()) == []


def test_a_tree_that_nobody_closes_makes_no_noise(enemy: Path) -> None:
    """A process that ends without closing its trees leaves no message and no running child."""
    code = "from budgeted_reads.trees.catalog import here\ntree = here('.')\nprint(tree.resolve('HEAD').commit)"
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", code],
        cwd=enemy, env={**os.environ, "PYTHONSAFEPATH": "1"}, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr, len(done.stdout.strip())) == (0, "", 40)


def test_without_git_the_error_says_so(enemy: Path, tmp_path: Path) -> None:
    """Where PATH has no git the error is `internal`, and says what to install."""
    code = "from budgeted_reads.trees.catalog import here\nhere('.').resolve('main')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=enemy, env={**os.environ, "PYTHONSAFEPATH": "1", "PATH": f".:{tmp_path}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "git is not installed" in done.stderr.splitlines()[-1]
    assert list((tmp_path / "marks").iterdir()) == []


def test_the_trap_is_set(enemy: Path, tmp_path: Path) -> None:
    """Plain git does run the enemy's commands, so the tests here would notice."""
    subprocess.run(["git", "status"], cwd=enemy, env=ENVIRONMENT, capture_output=True, check=False)
    assert list((tmp_path / "marks").iterdir()) != []


def test_looking_changes_nothing(enemy: Path) -> None:
    """Reading and listing leave every file of the repository as it was, index and references included."""

    def state() -> dict[str, tuple[int, int]]:
        return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_size) for path in enemy.rglob("*")}

    before = state()
    tree = open_tree("t", str(enemy))
    for commit in (None, "HEAD", "v1"):
        revision = tree.resolve(commit)
        tree.look(b"a.txt", revision)
        tree.children(b"", revision)
    tree.close()
    assert state() == before


def test_a_link_that_no_disk_holds_is_text(tmp_path: Path) -> None:
    """Only an object of git can be a link of megabytes; it leads nowhere, and telling so takes no time."""
    place = tmp_path / "tree"
    make_repo(place, [{b"a": b"a\n"}])
    target = b"a/" * (limits.BIG_BYTES // 2 + 1)
    id = git(place, "hash-object", "-w", "--stdin", feed=target)
    git(place, "update-index", "--add", "--cacheinfo", f"120000,{id},link")
    git(place, "commit", "-qm", "link")
    with closing(open_tree("tree", str(place))) as tree:
        head = tree.resolve("HEAD")
        found = tree.look(b"link", head)
        assert (found.kind, found.raw, [one.code for one in found.warnings]) == ("link", target, ["symlink"])
        with pytest.raises(NotFound):
            tree.look(b"link/x", head)


def test_git_inherits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a GIT_ variable nor any other of the caller's reaches git."""
    for key in ("GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "LD_PRELOAD", "SECRET"):
        monkeypatch.setenv(key, "/evil")
    assert "/evil" not in environment().values()
