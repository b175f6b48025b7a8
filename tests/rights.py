"""Commands of users who may do less: without the rights of root, without room on the disk."""

import ctypes
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

_SECUREBITS, _NOROOT = 28, 1
_MAIN = "import sys; from budgeted_reads.cli.main import main; sys.exit(main())"


def unprivileged(*arguments: str, place: Path) -> str:
    """What `nas` prints in PLACE where the permissions of files hold, also for root."""
    return _run(arguments, place, _obey)


def without_room(*arguments: str, place: Path, most: int) -> str:
    """The same where no file can grow beyond MOST bytes, as on a disk that is full."""
    return _run(arguments, place, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))


def _run(arguments: tuple[str, ...], place: Path, before: Callable[[], None]) -> str:
    command = [sys.executable, "-c", _MAIN, *arguments]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False, preexec_fn=before)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _obey() -> None:
    if os.geteuid() == 0:
        # With this a program that root starts has no right that others do not have.
        assert ctypes.CDLL(None, use_errno=True).prctl(_SECUREBITS, _NOROOT, 0, 0, 0) == 0
