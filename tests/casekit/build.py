"""The repositories of the cases: deterministic, without any git configuration of the machine."""

import os
import shutil
import subprocess
from pathlib import Path

from casekit.cases import Request, commits

GIT_ENV = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "case",
    "GIT_AUTHOR_EMAIL": "case@example.invalid",
    "GIT_COMMITTER_NAME": "case",
    "GIT_COMMITTER_EMAIL": "case@example.invalid",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00+0000",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00+0000",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
}
"""An environment in which equal files make equal commits on every machine."""


def git(repository: Path, *arguments: str) -> bytes:
    """The output of one git command in REPOSITORY."""
    return subprocess.run(
        ["git", "-C", str(repository), *arguments], env={**os.environ, **GIT_ENV}, check=True, capture_output=True
    ).stdout


def commit_all(repository: Path, message: str = "one") -> None:
    """Make REPOSITORY, an existing folder, a git repository with one commit of all its files, byte for byte."""
    git(repository, "init", "-q", "-b", "main")
    git(repository, "config", "core.autocrlf", "false")
    git(repository, "add", "-A", "--force", ".")
    git(repository, "commit", "-q", "-m", message)


class Workshop:
    """Makes the repository of each case once, as WHERE/<id>/<id>, so that its tree is named after the case."""

    def __init__(self, where: Path) -> None:
        self._where = where
        self._made: dict[str, Path] = {}

    def repository(self, request: Request) -> Path:
        """The repository of the case of REQUEST."""
        if request.case not in self._made:
            self._made[request.case] = self._make(request)
        return self._made[request.case]

    def _make(self, request: Request) -> Path:
        place = self._where / request.case / request.case
        place.parent.mkdir()
        script = request.folder / "setup.sh"
        if not script.exists():
            shutil.copytree(request.folder / "input", place)
            commit_all(place)
            return place
        run = subprocess.run(
            ["bash", str(script), str(place)], cwd=place.parent, check=True, capture_output=True, encoding="utf-8"
        )
        printed = dict(line.split(" ", 1) for line in run.stdout.splitlines())
        assert printed == commits(request), f"{request.case}: its set-up made other objects than case.json names"
        return place
