"""Real git repositories for tests: fixed identity and dates, so equal commits have equal ids everywhere."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "Writer",
    "GIT_AUTHOR_EMAIL": "writer@example.invalid",
    "GIT_COMMITTER_NAME": "Writer",
    "GIT_COMMITTER_EMAIL": "writer@example.invalid",
    "GIT_ALLOW_PROTOCOL": "file",
    # Nothing here has to outlive a power cut.
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.fsync",
    "GIT_CONFIG_VALUE_0": "none",
}


class Link(NamedTuple):
    """A symbolic link to be committed."""

    target: bytes


Change = Mapping[bytes, bytes | Link | None]


def git(place: Path, *arguments: str | bytes, feed: bytes = b"", **extra: str) -> str:
    """Run git in PLACE and return what it prints, without white space at the ends; a failure is an error."""
    done = subprocess.run(
        ["git", *arguments], cwd=place, env={**ENVIRONMENT, **extra}, input=feed, capture_output=True, check=False
    )
    assert done.returncode == 0, (arguments, done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def make_repo(
    place: Path, commits: Sequence[Change] = (), *, bare: bool = False, object_format: str = "sha1"
) -> list[str]:
    """Make a repository at PLACE with one commit for each of COMMITS, and return their ids.

    A commit maps paths to bytes, to a Link, or to None for a path to delete. BARE leaves only the git folder.
    """
    place.mkdir(parents=True, exist_ok=True)
    git(place, "init", "-q", "-b", "main", f"--object-format={object_format}", ".")
    for key, value in (("core.autocrlf", "false"), ("gc.auto", "0"), ("commit.gpgsign", "false")):
        git(place, "config", key, value)
    ids = [commit(place, change, number) for number, change in enumerate(commits, 1)]
    if bare:
        git(place, "config", "core.bare", "true")
        for entry in list(place.iterdir()):
            if entry.name != ".git":
                subprocess.run(["rm", "-rf", "--", entry], check=True)
        for entry in list((place / ".git").iterdir()):
            entry.rename(place / entry.name)
        (place / ".git").rmdir()
    return ids


def commit(place: Path, change: Change, number: int = 1) -> str:
    """Write CHANGE into the work tree at PLACE, commit it as the NUMBER-th of its day, and return the id."""
    write(place, change)
    git(place, "add", "-A", "-f")
    date = f"2024-01-01T00:{number // 60:02}:{number % 60:02}+0000"
    git(place, "commit", "-q", "--allow-empty", "-m", f"commit {number}", GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)
    return git(place, "rev-parse", "HEAD")


def write(place: Path, change: Change) -> None:
    """Write CHANGE into the folder PLACE."""
    for path, content in change.items():
        where = os.path.join(os.fsencode(place), path)
        if content is None:
            os.remove(where)
            continue
        os.makedirs(os.path.dirname(where), exist_ok=True)
        if isinstance(content, Link):
            os.symlink(content.target, where)
        else:
            with open(where, "wb") as file:
                file.write(content)
