"""Makers of outlines that go wrong in every way, for children to run: the name of the text says how."""

import os
import signal

from budgeted_reads.outline import Entry, Outline
from budgeted_reads.outline.registry import outline as good
from budgeted_reads.text import Text


def by_name(text: Text, path: bytes) -> Outline:
    """What the function of this module does that PATH is named after; else the right outline."""
    act = _ACTS.get(path.rpartition(b"/")[2].removesuffix(b".py"))
    return good(text, path) if act is None else act(text, path)


def _abort(_text: Text, _path: bytes) -> Outline:
    os.abort()


def _spin(_text: Text, _path: bytes) -> Outline:
    while True:
        pass


def _wait(_text: Text, path: bytes) -> Outline:
    """Tell our process id through the pipe that stands in the folder of PATH, then do nothing for ever."""
    with open(os.path.join(os.path.dirname(path), b"pipe"), "wb") as pipe:
        pipe.write(b"%d" % os.getpid())
    while True:
        signal.pause()


def _eat(_text: Text, path: bytes) -> Outline:
    return good(Text(b"", "x" * (1 << 40), "utf-8"), path)


def _babble(text: Text, path: bytes) -> Outline:
    for fd in range(64):
        try:
            os.write(fd, b"\0" * 7 + b"\xff" + b"nonsense" * 40)
        except OSError:
            continue
    return good(text, path)


def _lie(text: Text, path: bytes) -> Outline:
    made = good(text, path)
    return made._replace(entries=(Entry("far", "function", 1, 1, text.line_count + 1, 1),))


def _nothing(_text: Text, _path: bytes) -> Outline:
    return None  # type: ignore[return-value]


_ACTS = {
    b"abort": _abort,
    b"spin": _spin,
    b"wait": _wait,
    b"eat": _eat,
    b"babble": _babble,
    b"lie": _lie,
    b"nothing": _nothing,
}
