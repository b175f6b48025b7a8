"""Outlines made where they can be killed: a parser written in C that crashes, hangs or eats memory costs one outline.

Such a parser runs in a child with limits on time and memory; whatever happens to the child, the answer is the text
without structure, flagged `approximate_outline`. A process with one thread forks for its first few outlines, which
starts within milliseconds; all others keep a few spawned children warm. A child sees no served folder on its module
path, and no descriptor of its parent.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from typing import NamedTuple

from budgeted_reads import limits
from budgeted_reads.cache import sealed, unsealed
from budgeted_reads.outline import Outline, Warned
from budgeted_reads.outline.plainly import fits, pack, unpack
from budgeted_reads.text import Text, decode

REGISTRY = "budgeted_reads.outline.registry:outline"
"""What makes outlines, as module and function, so that a child can find it."""

FORKS = 3
"""After so many outlines a child that stays costs less than another fork, which loads its grammar anew."""

_CHUNK = 1 << 20
_MOST_REPLY = 64 * limits.MIB
_SIZE = 8
_KILL, _CPU_IS_OVER = 9, 24
_REPLIES = 3
_INHERITED = ("HOME", "LD_LIBRARY_PATH", "SYSTEMROOT", "XDG_CACHE_HOME")
"""All that a spawned child knows of the environment: where libraries are, and where unpacked grammars are kept."""


_PROGRAM = "import sys; sys.path += sys.argv[3:]; from budgeted_reads.workers import serve; serve(*sys.argv[1:3])"

Maker = Callable[[Text, bytes], Outline]


class Bounds(NamedTuple):
    """What one outline may take. `seconds` are of CPU, and on top `per_mib` for each MiB of the text; of the clock it
    may be `patience` times as many, because the machine may be busy. `memory` is in bytes, beside what a child has.
    """

    seconds: float = limits.OUTLINE_SECONDS
    per_mib: float = limits.OUTLINE_SECONDS_PER_MIB
    patience: float = 3
    memory: int = limits.OUTLINE_MEMORY

    def cpu(self, size: int) -> float:
        """Seconds of CPU for a text of SIZE bytes."""
        return self.seconds + self.per_mib * size / limits.MIB


class Lost(Exception):
    """No outline came back; the text says why."""


class Late(Lost):
    """The time was over."""

    def __init__(self) -> None:
        super().__init__("took too long")


class Workers:
    """Makes outlines, at most MOST at a time in spawned children. Safe with threads.

    Where it `forks`, a process that has one thread does that instead for its first outlines. MAKER is
    `module:function` and takes a text and a path, as the registry's `outline` does.
    """

    def __init__(
        self, *, forks: bool = True, most: int = 0, bounds: Bounds | None = None, maker: str = REGISTRY
    ) -> None:
        self.bounds = bounds or Bounds()
        self._forks = FORKS if forks and sys.platform not in ("darwin", "win32") else 0
        self._maker = maker
        self._room = threading.BoundedSemaphore(most or min(4, os.cpu_count() or 1))
        self._lock = threading.Lock()
        self._idle: list[Worker] = []

    def outline(self, text: Text, path: bytes) -> Outline:
        """The outline of TEXT at PATH: that of the registry, or without structure where its child was lost."""
        from budgeted_reads.outline import registry

        if not registry.isolated(text, path):
            return registry.outline(text, path)
        try:
            made = unpack(unsealed(self._reply(text, path)))
            if made is None or not fits(made, text.line_count):
                raise Lost("sent nothing that can be read")
            return made
        except Lost as error:
            why = f"the parser of this format {error}: shown as plain text"
            return registry.plainly(text, path, Warned("approximate_outline", why))

    def close(self) -> None:
        """End the children that wait; those at work end with their outline. It may be used again."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()

    def _reply(self, text: Text, path: bytes) -> bytes:
        if self._forks > 0 and _alone():
            self._forks -= 1
            return forked(_find(self._maker), text, path, self.bounds)
        with self._room:
            worker = self._taken()
            if worker is not None:
                # It may have died, or been damaged, long before: that says nothing of this text.
                try:
                    return self._asked(worker, text, path)
                except Late:
                    raise
                except Lost:
                    pass
            return self._asked(Worker(self._maker, self.bounds), text, path)

    def _taken(self) -> "Worker | None":
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.owner == os.getpid():
                    return worker
        return None

    def _asked(self, worker: "Worker", text: Text, path: bytes) -> bytes:
        try:
            reply = worker.ask(text, path)
        except BaseException:
            worker.close(kill=True)
            raise
        with self._lock:
            self._idle.append(worker)
        return reply


class Worker:
    """One spawned child that makes outlines, one at a time."""

    def __init__(self, maker: str, bounds: Bounds) -> None:
        import subprocess

        self.owner = os.getpid()
        self.bounds = bounds
        folders = folders_of(("budgeted_reads", "tree_sitter", maker.partition(":")[0]))
        take, self._to = os.pipe()
        self._from, give = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _PROGRAM, maker, str(bounds.memory), *folders],
                stdin=take,
                stdout=give,
                stderr=subprocess.DEVNULL,
                cwd=os.path.abspath(os.sep),
                env={name: os.environ[name] for name in _INHERITED if name in os.environ},
                # An interrupt from the keyboard is for the parent, which then closes the pipe.
                process_group=0,
            )
        except OSError as error:
            self._hang_up()
            raise Lost(f"cannot be started ({error.strerror})") from None
        finally:
            os.close(take)
            os.close(give)

    def ask(self, text: Text, path: bytes) -> bytes:
        """The sealed outline of TEXT at PATH. Raises Lost, or `Late`; the worker has ended then."""
        cpu = self.bounds.cpu(len(text.raw))
        head = b"".join(number.to_bytes(_SIZE, "big") for number in (round(cpu * 1000), len(path), len(text.raw)))
        until = time.monotonic() + cpu * self.bounds.patience
        try:
            _send(self._to, (head + path, text.raw), until)
            return _receive(self._from, until)
        except TimeoutError:
            raise Late from None
        except OSError:
            raise _lost(self.close(kill=True)) from None

    def close(self, *, kill: bool = False) -> int:
        """End the child and wait for it; its exit status, negative for a signal."""
        self._hang_up()
        if self.owner != os.getpid():
            return 0
        if kill:
            self._process.kill()
        return self._process.wait()

    def _hang_up(self) -> None:
        ends, self._to, self._from = (self._to, self._from), -1, -1
        for end in ends:
            if end >= 0:
                os.close(end)


def forked(make: Maker, text: Text, path: bytes, bounds: Bounds) -> bytes:
    """The sealed outline of TEXT at PATH, made by MAKE in a fork of this process. Raises Lost, or `Late`."""
    cpu = bounds.cpu(len(text.raw))
    until = time.monotonic() + cpu * bounds.patience
    come, give = os.pipe()
    pid = os.fork()
    if pid == 0:
        # Nothing of the parent's may run here: no handler, no buffer that is flushed, no exit function.
        status = 1
        try:
            _silence()
            os.dup2(give, _REPLIES)
            for fd in map(int, os.listdir("/proc/self/fd")):
                if fd > _REPLIES:
                    with suppress(OSError):
                        os.close(fd)
            _limit(bounds.memory)
            _limit_cpu(cpu)
            _write(_REPLIES, _made(make, text, path))
            status = 0
        finally:
            os._exit(status)
    os.close(give)
    reply = failure = None
    try:
        reply = _receive(come, until)
    except OSError as error:
        failure = error
    finally:
        os.close(come)
        os.kill(pid, _KILL)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if reply is None:
        raise Late if isinstance(failure, TimeoutError) else _lost(status)
    return reply


def _lost(status: int) -> Lost:
    """What became of a child that ended with STATUS before it answered."""
    return Late() if status == -_CPU_IS_OVER else Lost("crashed")


def serve(maker: str, memory: str) -> None:
    """What a spawned child does: answer one text after another until nobody asks any more."""
    come, give = os.dup(0), os.dup(1)
    _silence()
    _limit(int(memory))
    make = _find(maker)
    with open(come, "rb") as questions:
        while len(head := questions.read(3 * _SIZE)) == 3 * _SIZE:
            cpu, *sizes = (int.from_bytes(head[at : at + _SIZE], "big") for at in range(0, len(head), _SIZE))
            path, raw = (questions.read(size) for size in sizes)
            _limit_cpu(cpu / 1000)
            _write(give, _made(make, decode(raw), path))


def folders_of(modules: Iterable[str]) -> list[str]:
    """The folders that hold those top-level MODULES, none of them found through the current folder."""
    from importlib.machinery import PathFinder

    here = os.getcwd()
    places = [place for place in sys.path if os.path.isabs(place) and place != here]
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = {own: None}
    for module in modules:
        spec = PathFinder.find_spec(module.partition(".")[0], places)
        if spec is not None and spec.origin is not None:
            home = os.path.dirname(os.path.abspath(spec.origin))
            found[os.path.dirname(home) if spec.submodule_search_locations else home] = None
    return list(found)


def _find(maker: str) -> Maker:
    module, _, name = maker.partition(":")
    made: Maker = getattr(import_module(module), name)
    return made


def _made(make: Maker, text: Text, path: bytes) -> bytes:
    reply = sealed(pack(make(text, path)))
    return len(reply).to_bytes(_SIZE, "big") + reply


def _silence() -> None:
    """Whatever a parser prints goes nowhere: not between the answers, not to whoever asked."""
    import faulthandler

    faulthandler.disable()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)


def _limit(memory: int) -> None:
    """No core file, and at most MEMORY bytes beside those that this process has."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError), open("/proc/self/statm", "rb") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
        _lower(resource.RLIMIT_AS, used + memory)


def _limit_cpu(seconds: float) -> None:
    """The kernel ends this process where it takes so many SECONDS more, in whole ones, even when its parent is gone."""
    if sys.platform == "win32":
        return
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource.RLIMIT_CPU, int(usage.ru_utime + usage.ru_stime + seconds) + 1)


def _lower(what: int, bound: int) -> None:
    import resource

    hard = resource.getrlimit(what)[1]
    resource.setrlimit(what, (bound if hard == resource.RLIM_INFINITY else min(bound, hard), hard))


def _alone() -> bool:
    """Whether this process has no thread but this one: a fork would take a part of the others along."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _send(fd: int, parts: Iterable[bytes], until: float) -> None:
    """Write PARTS; TimeoutError at UNTIL, BrokenPipeError where nobody reads."""
    os.set_blocking(fd, False)
    for part in parts:
        view = memoryview(part)
        while view:
            _wait(fd, until, write=True)
            with suppress(BlockingIOError):
                view = view[os.write(fd, view[:_CHUNK]) :]


def _receive(fd: int, until: float) -> bytes:
    """The one reply that comes; TimeoutError at UNTIL, OSError where it ends too early or has an impossible size."""
    reply = bytearray()
    size = _SIZE
    while len(reply) < size:
        _wait(fd, until, write=False)
        part = os.read(fd, _CHUNK)
        if not part:
            raise OSError(f"{len(reply)} bytes came of {size}")
        reply += part
        if size == _SIZE and len(reply) >= _SIZE:
            size += int.from_bytes(reply[:_SIZE], "big")
            if size > _MOST_REPLY:
                raise OSError(f"a reply of {size} bytes")
    if len(reply) > size:
        raise OSError(f"{len(reply) - size} bytes too many")
    return bytes(reply[_SIZE:])


def _wait(fd: int, until: float, *, write: bool) -> None:
    import select

    left = until - time.monotonic()
    poll = select.poll()
    poll.register(fd, select.POLLOUT if write else select.POLLIN)
    if left <= 0 or not poll.poll(left * 1000):
        raise TimeoutError
