"""What a check of pointers costs, and how right drift is, on a real history.

    python bench/evidence.py [REPOSITORY]            this repository, 600 pointers
    python bench/evidence.py REPOSITORY --pointers 2000

Pointers to random ranges of random files at random commits are checked in one request, by a node that is warm but has
not seen them, and again by the same node. Before, between and after runs one `git show` for each of a sample of them;
the ratio is to the median. Of ranges that `git diff -U0` between the commit and HEAD leaves alone, drift must name
the same lines; of all that it calls unchanged or moved, the bytes must be the same. Last, ten thousand pointers in one
text.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

from budgeted_reads.evidence.checked import Checked
from budgeted_reads.evidence.locate import mapped, parse_hunks
from budgeted_reads.node import Node
from budgeted_reads.pointer import format_pointer

SHOWN = 60
MANY = 10_000


def git(place: Path, *arguments: str) -> bytes:
    """What git prints."""
    return subprocess.run(["git", "-C", str(place), *arguments], capture_output=True, check=True).stdout


def is_at_head(place: Path, name: str) -> bool:
    """Whether HEAD has the path NAME."""
    words = ["git", "-C", str(place), "cat-file", "-e", f"HEAD:{name}"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def sample(place: Path, count: int, chance: random.Random) -> list[tuple[str, bytes, tuple[int, int]]]:
    """COUNT ranges, as commit, path and lines, of text files of the history."""
    commits = git(place, "rev-list", "HEAD").decode().split()
    found: list[tuple[str, bytes, tuple[int, int]]] = []
    while len(found) < count:
        commit = chance.choice(commits)
        rows = git(place, "ls-tree", "-r", "-z", commit).split(b"\0")
        paths = [row.partition(b"\t")[2] for row in rows if row.startswith(b"100")]
        for path in chance.sample(paths, min(12, len(paths))):
            raw = git(place, "cat-file", "-p", f"{commit}:{path.decode('utf-8', 'surrogateescape')}")
            size = raw.count(b"\n")
            if size and b"\0" not in raw[:8000] and len(found) < count:
                first = chance.randrange(1, size + 1)
                found.append((commit, path, (first, min(size, first + chance.randrange(8)))))
    return found


def main(arguments: list[str]) -> int:
    """Print the tables; 1 where a range that git left alone is mapped wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("repository", nargs="?", default=str(Path(__file__).resolve().parent.parent))
    parser.add_argument("--pointers", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as work:
        place = Path(work) / "bare"
        subprocess.run(["git", "clone", "-q", "--bare", asked.repository, str(place)], check=True)
        return measure(place, asked.pointers, random.Random(asked.seed))


def shown(place: Path, ranges: list[tuple[str, bytes, tuple[int, int]]]) -> float:
    """Milliseconds of one `git show`, of those of RANGES."""
    start = time.perf_counter()
    for commit, path, _ in ranges:
        git(place, "show", f"{commit}:{path.decode('utf-8', 'surrogateescape')}")
    return (time.perf_counter() - start) / len(ranges) * 1000


def timed(node: Node, pointers: list[str]) -> tuple[float, tuple[Checked, ...]]:
    """Milliseconds for each of POINTERS in one request, and its rows."""
    start = time.perf_counter()
    rows = node.verify(pointers).results
    return (time.perf_counter() - start) / len(rows) * 1000, rows


def measure(place: Path, count: int, chance: random.Random) -> int:
    """The same for the bare repository at PLACE."""
    ranges = sample(place, count, chance)
    with Node.open(place, tree="r", snapshots=False) as node:
        pointers = [format_pointer("local", "r", path, commit, lines) for commit, path, lines in ranges]
        node.verify(pointers[:1])
        shows = [shown(place, ranges[:SHOWN])]
        first, rows = timed(node, pointers)
        shows.append(shown(place, ranges[:SHOWN]))
        again = median(timed(node, pointers)[0] for _ in range(3))
        shows.append(shown(place, ranges[:SHOWN]))
        show = median(shows)
        commits = len({commit for commit, _, _ in ranges})
        print(f"{len(rows)} pointers to {commits} commits; one `git show`: {show:.2f} ms")
        print(f"first, by a warm node: {first:.2f} ms each, ratio {first / show:.2f}")
        print(f"again, by the same node: {again:.2f} ms each, ratio {again / show:.2f}")
        print(
            "drift: " + ", ".join(f"{state} {count}" for state, count in Counter(r.drift for r in rows).most_common())
        )
        alone, right, wrong_bytes = 0, 0, 0
        for (commit, path, lines), row in zip(ranges, rows, strict=True):
            name = path.decode("utf-8", "surrogateescape")
            old = git(place, "cat-file", "-p", f"{commit}:{name}").split(b"\n")
            if row.drift in ("unchanged", "moved"):
                where = row.lines or lines
                new = git(place, "cat-file", "-p", f"HEAD:{name}").split(b"\n")
                wrong_bytes += new[where[0] - 1 : where[1]] != old[lines[0] - 1 : lines[1]]
            if not is_at_head(place, name):
                continue
            to = mapped(parse_hunks(git(place, "diff", "-U0", "--no-renames", commit, "HEAD", "--", name)), lines)
            if to is not None:
                alone += 1
                right += (row.lines or lines) == to and row.drift == ("unchanged" if to == lines else "moved")
        print(
            f"ranges that git left alone: {alone}, mapped right: {right}; same or moved with other bytes: {wrong_bytes}"
        )
        text = "\n".join(f"- {pointers[n % len(pointers)]}" for n in range(MANY))
        start = time.perf_counter()
        found = node.verify(text=text).results
        print(f"{len(found)} pointers in one text, by the same node: {time.perf_counter() - start:.2f} s")
    with Node.open(place, tree="r", snapshots=False) as node:
        start = time.perf_counter()
        node.verify(text=text)
        print(f"{len(found)} pointers in one text, by a new node: {time.perf_counter() - start:.2f} s")
    return 0 if alone == right and not wrong_bytes else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
