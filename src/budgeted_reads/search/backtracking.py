"""Where google-re2 is not installed: patterns by the standard library, in a child that is ended when its time is over.

Python's engine goes back and tries again, on some patterns for years, and nothing can stop it from within. What it
has and RE2 has not (look-around, back references, possessive repeats) is refused all the same.
"""

import json
import re
import select
import sys
import time
import weakref
from typing import Any

from budgeted_reads.errors import TimedOut
from budgeted_reads.search.pattern import AROUND, broken

SECONDS = 2.5
"""All that one pattern may take in one search."""

# The child is handed its program as text and imports nothing but the standard library.
_PROGRAM = """
import json, re, sys
take, give = sys.stdin.buffer, sys.stdout.buffer
query, flags = json.loads(take.readline())
search = re.compile(query, flags).search
while head := take.readline():
    what, size = head.split()
    text = take.read(int(size)).decode("utf-8", "surrogatepass")
    if what == b"lines":
        lines = (text[:-1] if text.endswith("\\n") else text).split("\\n") if text else []
        told = [n for n, line in enumerate(lines, 1) if search(line[:-1] if line.endswith("\\r") else line)]
    else:
        found = search(text[:-1] if text.endswith("\\r") else text)
        told = found and [len(text[:at].encode("utf-8", "surrogatepass")) for at in found.span()]
    give.write(json.dumps(told).encode() + b"\\n")
    give.flush()
"""


class Backtracking:
    """See `pattern.Matcher`. Raises `timeout` where the pattern has had its time."""

    def __init__(self, query: str, *, literal: bool, ignore_case: bool) -> None:
        flags = (re.IGNORECASE if ignore_case else 0) | (0 if literal or not query.isascii() else re.ASCII)
        if not literal and AROUND.search(query):
            raise broken(query, "the pattern is beyond RE2")
        spelled = re.escape(query) if literal else query
        try:
            re.compile(spelled, flags)
        except (re.error, RecursionError, OverflowError) as error:
            raise broken(query, str(error)) from None
        self._told = json.dumps([spelled, int(flags)]).encode() + b"\n"
        self._process: Any = None
        self._left = SECONDS

    def search(self, line: bytes) -> tuple[int, int] | None:
        """See `Matcher`."""
        found = self._ask(b"span", line)
        return (found[0], found[1]) if found else None

    def lines(self, buffer: bytes) -> list[int]:
        """See `Matcher`."""
        return self._ask(b"lines", buffer) or []

    def _ask(self, what: bytes, text: bytes) -> list[int] | None:
        process = self._process or self._start()
        start = time.monotonic()
        process.stdin.write(b"%s %d\n" % (what, len(text)))
        process.stdin.write(text)
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], max(0.0, self._left))
        if not ready:
            self.close()
            raise TimedOut(
                f"the pattern took longer than {SECONDS} seconds",
                "make it plainer, search fewer files, or install google-re2, which takes no such time",
            )
        told: list[int] | None = json.loads(process.stdout.readline())
        self._left -= time.monotonic() - start
        return told

    def _start(self) -> Any:
        import subprocess

        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _PROGRAM], stdin=pipe, stdout=pipe, cwd="/", env={}
        )
        self._end = weakref.finalize(self, _end, self._process)
        self._process.stdin.write(self._told)
        return self._process

    def close(self) -> None:
        """End the child; the next question starts another."""
        if self._process is not None:
            self._process = None
            self._end()


def _end(process: Any) -> None:
    process.kill()
    process.communicate()
