"""What a search costs beside the tools that it stands on, in one run, at HEAD of a repository.

    python bench/search.py REPOSITORY          exact against `git grep`, at the commit and in the tree as it is now,
                                               ranked against `rg` or grep; and a cold command
    python bench/search.py REPOSITORY --index [--shares 50 5 1]
                                               rate, size and memory of indexing, and what a question takes then, for
                                               every 50th file, every 5th and all of them

A warm node, in process, against whole processes of git on the same patterns in turn; figures are ratios of medians, so
a busy machine slows both sides. `rg` is run on the work tree where it is installed, else `git grep` there; a repository
without a work tree is checked out to a temporary folder for that.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from budgeted_reads.node import Node
from budgeted_reads.search.index import Index
from budgeted_reads.search.request import search_request
from budgeted_reads.search.words import of_question

PATTERNS = (
    ("literal", "def test_", "-F"),
    ("literal", "ValueError", "-F"),
    ("literal", "zzz_not_there", "-F"),
    ("regex", r"class \w+\(.*Error", "-P"),
    ("regex", r"import (os|sys)$", "-P"),
    ("regex", r"[0-9]{4}-[0-9]{2}", "-P"),
)
QUESTIONS = ("where is parse defined", "read a file in parts", "convert a value to text", "error handling of requests")


def medians(ours: Callable[[], object], theirs: Callable[[], object], times: int) -> tuple[float, float]:
    """The medians of TIMES runs of both, in turn, in milliseconds."""
    spent: tuple[list[float], list[float]] = ([], [])
    for _ in range(times):
        for run, kept in zip((ours, theirs), spent, strict=True):
            kept.append(once(run))
    return statistics.median(spent[0]), statistics.median(spent[1])


def once(run: Callable[[], object]) -> float:
    """One run, in milliseconds."""
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1000


def process(*words: str, cwd: Path) -> Callable[[], object]:
    """A run of a command whose output nobody reads."""
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "GIT_CONFIG_GLOBAL": os.devnull}
    env |= {name: os.environ[name] for name in ("HOME", "PYTHONPATH") if name in os.environ}
    return lambda: subprocess.run(words, cwd=cwd, env=env, capture_output=True, check=False)


def exact(repository: Path, times: int) -> None:
    """Two lines for each pattern: ours, `git grep` at the commit and on the work tree, and their ratio."""
    bare = not (repository / ".git").exists()
    with Node.open(repository) as node:
        for mode, query, kind in PATTERNS:
            for commit in ("HEAD",) if bare else ("HEAD", None):
                asked: dict[str, Any] = {"query": query, "mode": mode, "commit": commit}
                # What is held is held from the second search on.
                found = [node.find(asked, text=True) for _ in range(2)][-1]
                where = (commit,) if commit else ("--untracked",)
                grep = process("git", "grep", "-n", "-I", kind, "-e", query, *where, cwd=repository)
                ours, git = medians(lambda asked=asked: node.find(asked, text=True), grep, times)  # type: ignore[misc]
                counted = f"{mode:8} {query:24} {found.totals.matches:7} lines {commit or 'now':5}"
                print(f"{counted} {ours:8.1f} ms {git:8.1f} ms  x{ours / git:.2f}")


def cold(repository: Path, times: int) -> None:
    """A line for the whole command, its process and all, beside `git grep` on the work tree."""
    query = PATTERNS[0][1]
    program = "import sys; from budgeted_reads.cli.main import main; sys.exit(main())"
    command = process(sys.executable, "-c", program, "search", query, cwd=repository)
    ours, git = medians(command, process("git", "grep", "-n", "-I", "-F", "-e", query, cwd=repository), times)
    print(f"a cold command {query:24} {ours:8.1f} ms {git:8.1f} ms")


def ranked(repository: Path, times: int) -> None:
    """A line for each question: ours, a grep of its words in the work tree, and their ratio."""
    with tempfile.TemporaryDirectory() as folder, Node.open(repository) as node:
        archive = subprocess.run(["git", "-C", repository, "archive", "HEAD"], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        rg = shutil.which("rg")
        while node.find({"query": "warm", "mode": "ranked", "commit": "HEAD"}).warnings:
            pass
        for question in QUESTIONS:
            words = "|".join(question.split())
            tool = [rg, "-n", "-e", words, "."] if rg else ["grep", "-rnE", "-e", words, "."]
            for where, more in (("at the commit", {"commit": "HEAD"}), ("as it is now", {})):
                asked = {"query": question, "mode": "ranked", **more}
                first = once(lambda asked=asked: node.find(asked, text=True))  # type: ignore[misc]
                search = process(*tool, cwd=Path(folder))
                ours, theirs = medians(lambda asked=asked: node.find(asked, text=True), search, times)  # type: ignore[misc]
                name = Path(tool[0]).name
                print(
                    f"ranked   {question:28} {where:13} {ours:6.1f} ms (first {first:.1f}),"
                    f" {name} {theirs:6.1f} ms  x{ours / theirs:.3f}"
                )


def index(repository: Path, shares: list[int]) -> None:
    """Rate and size of indexing parts of the tree, the memory at most, and the median of the questions."""
    with Node.open(repository) as node:
        searcher = node._searcher
        (scope,) = searcher.scopes.find(search_request({"query": "x", "commit": "HEAD"}, node.defaults))
        indexes = searcher._indexes()
        searcher.texts.survey(scope, time.monotonic() + 1e6)
        for share in shares:
            part = scope._replace(files=scope.files[::share])
            with tempfile.TemporaryDirectory() as folder:
                one = Index(folder)
                indexes._open[indexes._root(scope)] = one
                start = time.perf_counter()
                done = indexes.update(part, searcher.texts, time.monotonic() + 1e6)
                seconds = time.perf_counter() - start
                size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
                text = sum(len(loaded.buffer) for _, loaded in searcher.texts.load(part, done.searched))
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                question = statistics.median(asked(one) for _ in range(5))
                rate = f"{text / 1e6:7.1f} MB of text in {len(done.searched)} files: {text / 1e6 / seconds:5.1f} MB/s"
                rest = f"{memory:.0f} MiB, a question {question:.1f} ms, complete {done.complete}"
                print(f"{rate}, index {size / text:.2f} of it, {rest}")


def asked(index: Index) -> float:
    """The mean of the questions put to the index alone, in milliseconds."""
    return once(lambda: [index.search(of_question(question), 400) for question in QUESTIONS]) / len(QUESTIONS)


def main() -> int:
    """Run one measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--index", action="store_true")
    parser.add_argument("--shares", type=int, nargs="+", default=[10, 2, 1])
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    if given.index:
        index(given.repository, given.shares)
    else:
        exact(given.repository, given.runs)
        cold(given.repository, given.runs)
        ranked(given.repository, given.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
