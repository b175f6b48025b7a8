"""What the command line prints: bytes as they are, text and JSON in UTF-8, errors on stderr."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from budgeted_reads.errors import ReadError


class Unwritten(Exception):
    """Stdout does not take what is printed: the disk behind it is full, for instance."""


def print_bytes(data: bytes) -> None:
    """DATA on stdout, at once. Raises BrokenPipeError where nobody reads any more, else `Unwritten`."""
    if sys.stdout is None:
        raise Unwritten("stdout is closed")
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is still buffered would be tried once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Unwritten(error.strerror or str(error)) from None


def print_text(text: str) -> None:
    """TEXT on stdout; what UTF-8 cannot say is a question mark."""
    print_bytes(text.encode("utf-8", "replace"))


def print_json(body: object) -> None:
    """BODY as the one JSON value on stdout."""
    import json

    print_text(json.dumps(body, ensure_ascii=False) + "\n")


def print_note(text: str) -> None:
    """TEXT as a line on stderr; where that is closed or full nobody can be told, and the exit code says enough."""
    if sys.stderr is None:
        return
    with suppress(OSError):
        sys.stderr.buffer.write((text + "\n").encode("utf-8", "replace"))
        sys.stderr.buffer.flush()


def print_error(error: ReadError) -> None:
    """ERROR on stderr: its line, then the candidates there are."""
    print_note(error.line())
    candidates = error.members.get("candidates")
    if isinstance(candidates, Sequence):
        for one in candidates:
            print_note("  " + " ".join(_said(value) for value in one.values()))


def _said(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return "-".join(map(str, value))
    return str(value)
