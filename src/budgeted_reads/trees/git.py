"""Running git: an environment built from nothing, no shell, and nothing of a served folder on any search path.

`os.posix_spawn` and bare pipes stand in for `subprocess`, whose import costs more than the git command itself.
Every command runs in a repository of our own (`query.py`), so no configuration of a served one is ever read.
"""

import fcntl
import os
import re
import select
import time
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from budgeted_reads.errors import Internal, TimedOut

QUIET_SECONDS = 60
"""A git that says nothing for so long is ended, and the request is `timeout`."""

_CHUNK = 1 << 20
_KILL = 9

HARDENED = (
    "--no-pager",
    "--no-optional-locks",
    "--no-replace-objects",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.untrackedCache=false",
    "-c",
    "core.attributesFile=/dev/null",
    "-c",
    "core.quotePath=false",
)


class Outcome(NamedTuple):
    """What a finished command left: its exit status (negative for a signal) and its standard output."""

    status: int
    out: bytes


@cache
def executable() -> str:
    """The absolute path of git, from the absolute folders of PATH only: a relative one may be a served folder."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        place = os.path.join(folder, "git")
        if os.path.isabs(folder) and os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    raise Internal("git is not installed, or not in PATH", "install git 2.36 or newer")


def environment() -> dict[str, str]:
    """The whole environment of a git command; nothing is inherited but the folder that git itself stands in."""
    return {
        "PATH": os.pathsep.join((os.path.dirname(executable()), "/usr/bin", "/bin")),
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "GIT_ASKPASS": "/bin/false",
    }


class Child:
    """One running git with a pipe to it and a pipe from it. Not safe for several threads at once."""

    __slots__ = ("_buffer", "_from", "_to", "owner", "pid")

    def __init__(self, repository: str, *arguments: str, extra: dict[str, str] | None = None) -> None:
        """Start git in REPOSITORY, one of our own. Raises `internal` where git is missing or cannot start."""
        self._buffer = bytearray()
        self._to = self._from = -1
        self.pid = 0
        self.owner = os.getpid()
        argv = [executable(), "-C", repository, f"--git-dir={repository}", *HARDENED, *arguments]
        take, self._to = _pipe()
        self._from, give = _pipe()
        try:
            self.pid = os.posix_spawn(
                argv[0],
                argv,
                {**environment(), **(extra or {})},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, take, 0),
                    (os.POSIX_SPAWN_DUP2, give, 1),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
            )
        except OSError as error:
            self.close()
            raise Internal(f"git cannot be started: {error.strerror}", "check the installed git") from error
        finally:
            os.close(take)
            os.close(give)

    def write(self, data: bytes) -> None:
        """Send all of DATA; OSError where the child has gone."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._to, view) :]

    def line(self, end: bytes = b"\n") -> bytes:
        """What comes before the next END; EOFError where the child has gone."""
        while (at := self._buffer.find(end)) < 0:
            self._more()
        line = bytes(self._buffer[:at])
        del self._buffer[: at + 1]
        return line

    def lines(self) -> list[bytes]:
        """The whole lines that have come, one at least; EOFError where the child has gone."""
        while (at := self._buffer.rfind(b"\n")) < 0:
            self._more()
        lines = bytes(self._buffer[:at]).split(b"\n")
        del self._buffer[: at + 1]
        return lines

    def take(self, size: int) -> bytes:
        """The next SIZE bytes; EOFError where the child has gone."""
        while len(self._buffer) < size:
            self._more()
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def pieces(self, size: int) -> Iterator[bytes]:
        """The next SIZE bytes as they come; EOFError where the child has gone."""
        while size > 0:
            if not self._buffer:
                self._more()
            piece = bytes(self._buffer[:size])
            del self._buffer[:size]
            size -= len(piece)
            yield piece

    def rest(self, limit: int, until: float | None = None) -> bytes:
        """All that is still to come, at most about LIMIT bytes; `timeout` where UNTIL (monotonic) passes."""
        try:
            while len(self._buffer) <= limit:
                self._more(until)
        except EOFError:
            pass
        data, self._buffer = bytes(self._buffer), bytearray()
        return data

    def partial(self) -> bytes:
        """What has come and was not taken yet."""
        return bytes(self._buffer)

    def _more(self, until: float | None = None) -> None:
        poll = select.poll()
        poll.register(self._from, select.POLLIN | select.POLLHUP)
        patience = QUIET_SECONDS if until is None else until - time.monotonic()
        # What is there too late does not count: whether a limit is met is no matter of luck.
        if patience <= 0 or not poll.poll(patience * 1000):
            if until is not None:
                raise TimedOut("git was still at work when its time was over", "ask for less, or again")
            self.close(kill=True)
            raise TimedOut("git has not answered for a minute", "ask again, or check the disk of the repository")
        chunk = os.read(self._from, _CHUNK)
        if not chunk:
            raise EOFError
        self._buffer += chunk

    def hang_up(self) -> None:
        """Close the pipe to the child: it has nothing more to read."""
        if self._to >= 0:
            os.close(self._to)
            self._to = -1

    def close(self, *, kill: bool = False) -> int:
        """End the child and wait for it: no zombie and no open pipe stays. The exit status, negative for a signal."""
        self.hang_up()
        if self._from >= 0:
            os.close(self._from)
            self._from = -1
        pid, self.pid = self.pid, 0
        # After a fork the child belongs to the other process, which reaps it.
        if not pid or self.owner != os.getpid():
            return 0
        try:
            if kill:
                os.kill(pid, _KILL)
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        except (ChildProcessError, ProcessLookupError):
            return 0

    def __del__(self) -> None:
        self.close()


def run(
    repository: str, *arguments: str, extra: dict[str, str] | None = None, limit: int = 256 << 20, feed: bytes = b""
) -> Outcome:
    """Run one git command in REPOSITORY, one of our own, to its end, or to about LIMIT bytes of output.

    FEED goes to its standard input, and must fit into a pipe (64 kB) where the command answers before it has read all.
    """
    child = Child(repository, *arguments, extra=extra)
    try:
        if feed:
            child.write(feed)
        child.hang_up()
        out = child.rest(limit)
        return Outcome(child.close(kill=len(out) > limit), out)
    finally:
        child.close(kill=True)


def version() -> tuple[int, ...]:
    """The version of the git on PATH; `internal` where there is none."""
    out = run("/", "version").out.decode("utf-8", "replace")
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", out)
    return tuple(int(part) for part in found.groups() if part) if found else ()


def _pipe() -> tuple[int, int]:
    """A pipe whose ends stand above the standard streams, which a caller may have closed."""
    ends = []
    for end in os.pipe():
        if end > 2:
            ends.append(end)
        else:
            ends.append(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 3))
            os.close(end)
    return ends[0], ends[1]
