"""What a second read costs, whether changes keep their promises, and how fast they are, on the history of a repository.

    python bench/changes.py REPOSITORY                      all three, 200 commit pairs and 200 steps
    python bench/changes.py REPOSITORY --only reads         also: promises, speed

promises  applies the patch view of each pair to the old tree (`git apply`), compares the counts with those of
          `git diff --histogram -M --numstat`, and asks again at six budgets on both faces
reads     after each commit, the text of each changed file that was there before: with `since` beside reading it again
speed     ratios to git in the same run, on a warm node: one file, and commits 100 apart

The repository is only read; nothing is written but an index in a temporary folder.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from budgeted_reads import Node
from budgeted_reads.errors import BudgetTooSmall, ReadError
from budgeted_reads.tokens import counter

BUDGETS = (50, 100, 200, 400, 1000, 4000)
LEVELS = {None: 0, "files": 1, "entries": 2, "hunks": 3, "patch": 4}
STEPS_APART = (1, 1, 2, 3, 5, 10, 20, 50)
SEED, LARGE = 20261130, 1_000_000
ROUNDS, APART, SMALL = 5, 100, 30
UNITS = counter("o200k_base").units


class Repository:
    """The repository that is measured, through git as anybody would run it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.log = self.git("log", "--first-parent", "--format=%H", "-n", "2000").decode().split()

    def git(self, *arguments: str, feed: bytes | None = None, index: str = "") -> bytes:
        """What git prints; a failure is an error."""
        env = {**os.environ, **({"GIT_INDEX_FILE": index} if index else {})}
        argv = ["git", "-C", str(self.place), *arguments]
        return subprocess.run(argv, input=feed, env=env, check=True, capture_output=True).stdout

    def pairs(self, count: int) -> list[tuple[str, str]]:
        """Pairs of commits, old and new, some of them backwards, drawn with a fixed seed."""
        draw = random.Random(SEED)
        found: list[tuple[str, str]] = []
        while len(found) < count:
            apart = draw.choice(STEPS_APART)
            at = draw.randrange(max(1, len(self.log) - apart))
            pair = self.log[min(at + apart, len(self.log) - 1)], self.log[at]
            found.append(pair if draw.random() > 0.1 else (pair[1], pair[0]))
        return found


class Promises(NamedTuple):
    """What was broken, of how many answers; a patch of bytes that are no UTF-8 is text only for a reader."""

    answers: int = 0
    not_utf8: int = 0
    not_applied: int = 0
    other_counts: int = 0
    over_budget: int = 0
    less_for_more: int = 0


def promises(node: Node, repository: Repository, count: int) -> Promises:
    """Every promise of CONTRACT section 7 that can be counted, over COUNT pairs."""
    found = Promises()
    with tempfile.TemporaryDirectory() as folder:
        for old, new in repository.pairs(count):
            whole = node.diff(old, new, budget_tokens=LARGE)
            lossy = any(warned.code == "lossy_decoding" for warned in whole.warnings)
            found = found._replace(
                not_utf8=found.not_utf8 + lossy,
                not_applied=found.not_applied
                + (not lossy and not applies(repository, whole, old, new, f"{folder}/index")),
                other_counts=found.other_counts + (counts_of(whole) != numstat(repository, old, new)),
            )
            before: dict[str, int] = {}
            for budget in BUDGETS:
                for text in (False, True):
                    asked = {"from": old, "to": new, "budget_tokens": budget}
                    try:
                        answer = node.changes(asked, text=text)
                    except BudgetTooSmall:
                        continue
                    cost = UNITS(answer.text if text else answer.content)
                    levels = before if text else {row.path: LEVELS[row.view] for row in answer.files}
                    less = any(level < before.get(path, 0) for path, level in levels.items())
                    same = (answer.file_total, answer.added, answer.removed) == totals_of(whole)
                    before = levels
                    found = found._replace(
                        answers=found.answers + 1,
                        other_counts=found.other_counts + (not same),
                        over_budget=found.over_budget + (cost > budget or cost != answer.tokens),
                        less_for_more=found.less_for_more + less,
                    )
    return found


def applies(repository: Repository, answer: object, old: str, new: str, index: str) -> bool:
    """Whether the patch view, given to git, makes the new tree of the old one: of text files that are not secret."""
    body = answer.to_dict()  # type: ignore[attr-defined]
    apart = {path for row in body["files"] if is_apart(row) for path in names(row)}
    repository.git("read-tree", old, index=index)
    if body["view"] != "unchanged":
        patch = body["content"].encode()
        try:
            repository.git("apply", "--allow-empty", "--cached", "--whitespace=nowarn", "-", feed=patch, index=index)
        except subprocess.CalledProcessError:
            return False
    tree = repository.git("write-tree", index=index).decode().strip()
    differing = repository.git("diff-tree", "-r", "-z", "--name-only", tree, new).decode().split("\0")
    return not set(filter(None, differing)) - apart


def is_apart(row: dict[str, Any]) -> bool:
    """Whether a row of `files` has no lines to apply: a binary, a submodule, a secret file."""
    return row["binary"] or row["status"] == "submodule" or "secret_file" in row["words"]


def names(row: dict[str, object]) -> set[object]:
    """Both paths of a row of `files`."""
    return {row["path"], row["old_path"] or row["path"]}


def totals_of(answer: object) -> tuple[int, int, int]:
    """Files and lines of an answer."""
    return answer.file_total, answer.added, answer.removed  # type: ignore[attr-defined]


def counts_of(answer: object) -> dict[str, tuple[int, int]]:
    """Lines added and removed by path."""
    return {row.path: (row.added, row.removed) for row in answer.files}  # type: ignore[attr-defined]


def numstat(repository: Repository, old: str, new: str) -> dict[str, tuple[int, int]]:
    """The same as git counts them; empty files are not paired."""
    out = repository.git("diff", "--histogram", "-M", "--no-rename-empty", "--numstat", "-z", old, new)
    fields = iter(out.decode("utf-8", "surrogateescape").split("\0"))
    found = {}
    for field in filter(None, fields):
        added, removed, path = field.split("\t", 2)
        if not path:
            next(fields)
            path = next(fields)
        found[path] = (0, 0) if added == "-" else (int(added), int(removed))
    return found


def reads(node: Node, repository: Repository, steps: int) -> tuple[list[float], dict[str, int], tuple[int, int]]:
    """The cost of each read with `since` as a share of reading again, how often each view came, and the sums."""
    shares, views, sums = [], dict[str, int](), [0, 0]
    for new, old in list(zip(repository.log, repository.log[1:], strict=False))[:steps]:
        changed = repository.git("diff", "--diff-filter=M", "--name-only", "-z", old, new).decode().split("\0")
        for path in filter(None, changed):
            try:
                whole = node.read_text(path, commit=new, view="full", budget_tokens=LARGE)
                answer = node.ask({"path": path, "commit": new, "since": old, "budget_tokens": LARGE}, text=True)
            except ReadError:
                continue
            shares.append(answer.tokens / UNITS(whole))
            views[answer.view] = views.get(answer.view, 0) + 1
            sums[0] += answer.tokens
            sums[1] += UNITS(whole)
    return shares, views, (sums[0], sums[1])


def speed(node: Node, repository: Repository) -> tuple[float, float, float]:
    """Ratios of the sums of times, one file SMALL commits apart and all APART; then how many files differ there."""
    log = repository.log
    pairs = [(log[min(at + APART, len(log) - 1)], log[at]) for at in range(0, 20, 2)]
    differing = statistics.median(node.diff(*pair).file_total for pair in pairs)
    ours = theirs = 0.0
    for _ in range(ROUNDS):
        for old, new in pairs:
            ours += timed(lambda old=old, new=new: node.diff(old, new))
            theirs += timed(lambda old=old, new=new: repository.git("diff-tree", "-r", "-M", "--numstat", old, new))
    tree = ours / theirs
    ours = theirs = 0.0
    for old, new in [(log[min(at + SMALL, len(log) - 1)], log[at]) for at in range(0, 20, 2)]:
        paths = repository.git("diff", "--diff-filter=M", "--name-only", old, new).decode().splitlines()[:5]
        for path in paths:
            node.diff(old, new, path=path)
            for _ in range(ROUNDS):
                ours += timed(lambda old=old, new=new, path=path: node.diff(old, new, path=path))
                theirs += timed(
                    lambda old=old, new=new, path=path: repository.git(
                        "diff", "--histogram", "-M", old, new, "--", path
                    )
                )
    return ours / theirs, tree, differing


def timed(run: object) -> float:
    """Seconds that RUN takes."""
    start = time.perf_counter()
    run()  # type: ignore[operator]
    return time.perf_counter() - start


def main() -> int:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--only", choices=("promises", "reads", "speed"))
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--steps", type=int, default=200)
    options = parser.parse_args()
    repository = Repository(options.repository.resolve())
    with Node.open(repository.place, tree="bench", snapshots=False) as node:
        if options.only in (None, "promises"):
            found = promises(node, repository, options.pairs)
            print(f"promises  {options.pairs} pairs: " + ", ".join(f"{n} {v}" for n, v in found._asdict().items()))
        if options.only in (None, "reads"):
            shares, views, (ours, again) = reads(node, repository, options.steps)
            told = ", ".join(f"{view} {count}" for view, count in sorted(views.items()))
            print(f"reads     {len(shares)} re-reads over {options.steps} steps: {told}")
            print(f"          median {statistics.median(shares):.1%} of reading again, all together {ours / again:.1%}")
        if options.only in (None, "speed"):
            one, tree, differing = speed(node, repository)
            print(
                f"speed     one file {one:.2f} x git diff; {APART} commits apart ({differing:.0f} files) {tree:.2f} x "
            )
            print("          git diff-tree -r -M --numstat")
    return 0


if __name__ == "__main__":
    sys.exit(main())
