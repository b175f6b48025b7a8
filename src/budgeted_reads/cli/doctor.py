"""`nas doctor`: whether this installation can do its work here, one line a check, and what to do where it cannot."""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

from budgeted_reads import __version__
from budgeted_reads.cli.output import print_json, print_text
from budgeted_reads.errors import ReadError

OK, FAILED = 0, 1

OLDEST_GIT = (2, 36)
"""The first git that answers `cat-file --batch-command`."""


class Check(NamedTuple):
    """One check: `state` is ok, note (it works, with less) or fail."""

    name: str
    state: str
    detail: str


def doctor(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Print the checks; exit code 1 where one of them failed."""
    checks = list(_checks(parsed))
    if parsed.json:
        print_json({"checks": [check._asdict() for check in checks]})
    else:
        print_text("".join(f"{check.state:4} {check.name}: {check.detail}\n" for check in checks))
    return FAILED if any(check.state == "fail" for check in checks) else OK


def _checks(parsed: argparse.Namespace) -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check("program", "ok", f"budgeted-reads {__version__} on Python {version}")
    yield _tried("git", _git)
    yield _tried("configuration", lambda: _configuration(parsed))
    yield _tried("trees", lambda: _trees(parsed))
    yield _tried("cache", _cache)
    yield _tried("snapshots", lambda: _snapshots(parsed))
    yield _tried("tokenizers", _tokenizers)
    yield _tried("grammars", _grammars)


def _tried(name: str, check: Callable[[], tuple[str, str]]) -> Check:
    try:
        state, detail = check()
    except ReadError as error:
        return Check(name, "fail", error.line())
    except Exception as error:
        return Check(name, "fail", f"{type(error).__name__}: {error}")
    return Check(name, state, detail)


def _git() -> tuple[str, str]:
    from budgeted_reads.trees.git import version

    found = version()
    told = "git " + ".".join(map(str, found))
    return ("ok", told) if found >= OLDEST_GIT else ("fail", f"{told} is too old: install 2.36 or newer")


def _configuration(parsed: argparse.Namespace) -> tuple[str, str]:
    from budgeted_reads.config import load

    config = load(parsed.config)
    return "ok", config.source or "none: the repository or folder one stands in is the one tree"


def _trees(parsed: argparse.Namespace) -> tuple[str, str]:
    from budgeted_reads.cli.commands import open_node

    with open_node(parsed) as node:
        rows = node.trees()
    return "ok", ", ".join(f"/{row['name']} ({row['kind']})" for row in rows)


def _cache() -> tuple[str, str]:
    from budgeted_reads.trees.query import cache_folder

    folder = cache_folder()
    if folder is not None:
        return "ok", folder
    return "note", "a temporary folder for each run: the user's cache folder cannot be written"


def _snapshots(parsed: argparse.Namespace) -> tuple[str, str]:
    from budgeted_reads.cli.commands import open_node
    from budgeted_reads.trees.home import own_folder

    # Made here where it is not there, as the first read would.
    folder = own_folder("XDG_STATE_HOME", ".local/state", "budgeted-reads", "snapshots")
    if folder is None:
        return "note", "no state folder of this user can be written: set XDG_STATE_HOME to one"
    with open_node(parsed) as node:
        trees = list(node.catalog.trees.values())
    off = [f"/{tree.name}: {tree.snapshots.trouble if tree.snapshots else 'off'}" for tree in trees]
    off = [row for row in off if not row.endswith(": None")]
    return ("note", "; ".join(off)) if off else ("ok", folder)


def _tokenizers() -> tuple[str, str]:
    from budgeted_reads import tokens

    counts = [f"{name} {tokens.counter(name).units('one line of text')}" for name in (tokens.DEFAULT, "cl100k_base")]
    return "ok", ", ".join(counts)


def _grammars() -> tuple[str, str]:
    from budgeted_reads.outline.registry import outline
    from budgeted_reads.text import decode

    shape = outline(decode(b"def a():\n    pass\n"), b"a.py")
    return ("ok", "code is outlined") if shape.entries else ("fail", "code is not outlined: reinstall budgeted-reads")
