"""Whether a second git engine would pay: a server's requests with our git child, beside the same objects by pygit2.

    python -m venv engines && engines/bin/pip install -q -r requirements.txt pygit2
    engines/bin/pip install -q --no-deps -e .
    engines/bin/python bench/engines.py [REPOSITORY]        this repository, 300 files of its history

pygit2 is no part of this project, so it goes into an environment of its own; where it is missing nothing is measured.
Objects are read from commit to blob, each hashed anew, by either. Requests are a warm node's, in process and over HTTP
on one connection: `git` is the time in which a child of git was started, written to or waited for. How much faster a
request would be with pygit2 supposes that all of this time shrinks as that of the objects does.
"""

# ruff: noqa: E402
import sys

# This folder holds a file named like a module of the standard library, which must not be found in its place.
sys.path[:1] = []

import argparse
import json
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from budgeted_reads.node import Node
from budgeted_reads.pointer import format_pointer
from budgeted_reads.trees.git import Child
from budgeted_reads.trees.objects import Objects, object_id, parse_commit, parse_tree

ROUNDS = 5
SERVE = (
    "import argparse, sys; from budgeted_reads.cli import serve;"
    "serve.run({'port': 0}, argparse.Namespace(config=sys.argv[1]))"
)
OUTER = ("__init__", "write", "line", "lines", "take", "rest", "close")
"""The methods of a child in which time is git's; none of them calls another of them on the way of a request."""

Read = Callable[[str, str], bytes]
Cite = tuple[str, bytes]
"""A commit and the path of a text file there."""


def sample(place: Path, count: int, chance: random.Random) -> list[Cite]:
    """COUNT text files of the history."""

    def git(*arguments: str | bytes) -> bytes:
        return subprocess.run(["git", "-C", place, *arguments], capture_output=True, check=True).stdout

    commits = git("rev-list", "HEAD").decode().split()
    found: list[Cite] = []
    while len(found) < count:
        commit = chance.choice(commits)
        rows = git("ls-tree", "-r", "-z", commit).split(b"\0")
        paths = [row.partition(b"\t")[2] for row in rows if row.startswith(b"100")]
        for path in chance.sample(paths, min(12, len(paths))):
            if (raw := git("cat-file", "blob", commit.encode() + b":" + path)) and b"\0" not in raw[:8000]:
                found.append((commit, path))
    return found[:count]


def chain(read: Read, commit: str, path: bytes) -> bytes:
    """The bytes at PATH at COMMIT: commit, trees and blob by READ, each hashed anew."""

    def checked(id: str, kind: str) -> bytes:
        raw = read(id, kind)
        if object_id(kind, raw, len(commit)) != id:
            raise ValueError(id)
        return raw

    raw = checked(commit, "commit")
    *folders, name = path.split(b"/")
    items = parse_tree(checked(parse_commit(raw, len(commit)).tree, "tree"), len(commit) // 2)
    for folder in folders:
        items = parse_tree(checked(items[folder].id, "tree"), len(commit) // 2)
    return checked(items[name].id, "blob")


class Clock:
    """Adds up the time spent in children of git."""

    def __init__(self) -> None:
        self.seconds = 0.0
        for name in OUTER:
            setattr(Child, name, self._timed(getattr(Child, name)))

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            start = time.perf_counter()
            try:
                return method(*arguments, **named)
            finally:
                self.seconds += time.perf_counter() - start

        return timed


def milliseconds(
    work: Callable[[Cite], object], cites: Sequence[Cite], clock: Clock | None = None
) -> tuple[float, float]:
    """The time of WORK for one of CITES, and what of it was git's by CLOCK: those of the median of some rounds."""
    rounds = []
    for _ in range(ROUNDS):
        git, start = clock.seconds if clock else 0.0, time.perf_counter()
        for cite in cites:
            work(cite)
        taken = time.perf_counter() - start
        rounds.append((taken / len(cites) * 1000, (clock.seconds - git if clock else 0.0) / len(cites) * 1000))
    return sorted(rounds)[ROUNDS // 2]


def measure(place: Path, count: int, chance: random.Random, pygit2: Any) -> None:
    """Print what objects and requests cost in the bare repository at PLACE."""
    cites = sample(place, count, chance)
    objects, other = Objects(str(place / "objects"), 40), pygit2.Repository(str(place))

    def ours(id: str, kind: str) -> bytes:
        return objects.read(id, kind) or b""

    def theirs(id: str, kind: str) -> bytes:
        return bytes(other.read(id)[1])

    if any(chain(ours, commit, path) != chain(theirs, commit, path) for commit, path in cites):
        raise SystemExit("the engines differ")
    mine, its = (milliseconds(lambda c, read=read: chain(read, c[0], c[1]), cites)[0] for read in (ours, theirs))  # type: ignore[misc]
    objects.close()
    print(f"{len(cites)} files; commit to blob, hashed: ours {mine:.3f} ms, pygit2 {its:.3f} ms, {mine / its:.2f} x")
    pointers = {cite: format_pointer("local", place.name, cite[1], cite[0], (1, 1)) for cite in cites}
    bodies: dict[str, Callable[[Cite], dict[str, Any]]] = {
        "files/read": lambda cite: {"path": f"/{place.name}/{os.fsdecode(cite[1])}", "commit": cite[0]},
        "pointers/dereference": lambda cite: {"pointer": pointers[cite]},
        "pointers/verify": lambda cite: {"pointers": [{"pointer": pointers[cite]}]},
    }
    with Node.open(place, tree=place.name, snapshots=False) as node:
        calls = (node.ask, lambda fields: node.dereference(**fields), lambda fields: node.verify(**fields))
        clock = Clock()
        for (name, body), call, over in zip(bodies.items(), calls, over_http(place, bodies, cites), strict=True):
            milliseconds(lambda cite, body=body, call=call: call(body(cite)), cites)  # type: ignore[misc]
            alone, git = milliseconds(lambda cite, body=body, call=call: call(body(cite)), cites, clock)  # type: ignore[misc]
            saved = git - git * its / mine
            print(
                f"{name:>20}: git {git:.2f} ms; in process {alone:.2f} ms, {alone / (alone - saved):.2f} x with pygit2;"
                f" over HTTP {over:.2f} ms, {over / (over - saved):.2f} x"
            )


def over_http(place: Path, bodies: dict[str, Callable[[Cite], dict[str, Any]]], cites: Sequence[Cite]) -> list[float]:
    """Milliseconds of each kind of request to a server of PLACE in a process of its own, once it has seen them all."""
    config = place.parent / "config.toml"
    config.write_text("[snapshots]\nenabled = false\n", encoding="utf-8")
    words = [sys.executable, "-P", "-c", SERVE, str(config)]
    with subprocess.Popen(words, cwd=place, stderr=subprocess.PIPE) as server:
        try:
            assert server.stderr is not None
            url = urlsplit(next(w for w in server.stderr.readline().decode().split() if w.startswith("http")))
            connection = HTTPConnection(str(url.hostname), int(url.port or 0), timeout=30)

            def post(name: str, fields: dict[str, Any]) -> None:
                connection.request("POST", f"/v1/{name}", json.dumps(fields), {"Content-Type": "application/json"})
                got = connection.getresponse()
                got.read()
                assert got.status == 200, (name, fields, got.status)

            times = []
            for name, body in bodies.items():
                for _ in range(2):
                    took, _ = milliseconds(lambda cite, name=name, body=body: post(name, body(cite)), cites)  # type: ignore[misc]
                times.append(took)
            connection.close()
            return times
        finally:
            server.terminate()


def main(arguments: list[str]) -> int:
    """Print the figures; 0 also where pygit2 is missing, which is said."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("repository", nargs="?", default=str(Path(__file__).resolve().parent.parent))
    parser.add_argument("--files", type=int, default=300)
    asked = parser.parse_args(arguments)
    try:
        import pygit2
    except ImportError:
        print("skipped: pygit2 is not installed; the first lines of this file say how to get it")
        return 0
    with tempfile.TemporaryDirectory() as work:
        place = Path(work) / "bare"
        subprocess.run(["git", "clone", "-q", "--bare", asked.repository, str(place)], check=True)
        measure(place, asked.files, random.Random(1), pygit2)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
