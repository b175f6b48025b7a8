"""`nas search` prints what was found; `nas index` makes ranked searches ready beforehand."""

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from budgeted_reads.cli.commands import open_node
from budgeted_reads.cli.output import print_json, print_text

OK, NO_MATCH, INCOMPLETE, INTERRUPTED = 0, 1, 2, 130


@contextmanager
def _ending_at_once() -> Iterator[None]:
    """Ctrl-C within ends the process there and then: an index is good however its writer ends, and nothing is printed
    yet, so there is nothing to wait for."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        # Somebody else hears it, or nobody is meant to.
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def search(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Print the matches; the exit code is 1 where there is none."""
    with open_node(parsed) as node:
        with _ending_at_once():
            found = node.find(fields, text=not parsed.json)
        if parsed.json:
            print_json(found.to_dict())
        else:
            print_text(found.text)
    return OK if found.totals.matches else NO_MATCH


def index(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Index every tree, or the one place that was given, with a line on stderr that tells how far it is."""
    path = fields.get("path")

    def told(tree: str, done: int, total: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r/{tree} {done}/{total} new files")
            sys.stderr.flush()

    with open_node(parsed) as node, _ending_at_once():
        rows = node.index(None if path is None else str(path), told)
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    if parsed.json:
        print_json({"trees": [{"name": name, "files": files, "complete": ready} for name, files, ready in rows]})
    else:
        told_rows = (f"/{name} {files} files{'' if ready else ' not all indexed'}\n" for name, files, ready in rows)
        print_text("".join(told_rows))
    return OK if all(ready for _, _, ready in rows) else INCOMPLETE
