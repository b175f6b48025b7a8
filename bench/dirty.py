"""What snapshots and pins cost: reads of a running node, each with and without them.

    python bench/dirty.py                medians of warm reads, in turn, and their ratio
    python bench/dirty.py --runs 500

The files are equal in size. State and cache lie in a temporary folder. Figures are ratios of things run in turn, so a
busy machine slows all of them.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from budgeted_reads import Node

TEXT = b"".join(b"line %d of a file that somebody is working on\n" % number for number in range(400))
GIT = ["git", "-c", "user.name=x", "-c", "user.email=x@example.invalid"]


def git(place: Path, *arguments: str) -> None:
    """Run git in PLACE."""
    subprocess.run([*GIT, *arguments], cwd=place, check=True, capture_output=True)


def milliseconds(call: Callable[[], object]) -> float:
    """The time of one CALL."""
    before = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - before)


KINDS = {
    "clean, a tag reaches it": ("clean.md", "v1"),
    "clean, on a commit of one's own": ("clean.md", None),
    "edited, the same bytes again": ("edited.md", None),
    "edited, other bytes each time": ("changing.md", None),
    "untracked": ("untracked.md", None),
}


def prepare(place: Path) -> None:
    """Make a repository at PLACE with a file of each of KINDS."""
    git(place, "init", "-q")
    for name in ("clean", "edited", "changing"):
        (place / f"{name}.md").write_bytes(TEXT)
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "one")
    git(place, "tag", "v1")
    git(place, "commit", "-q", "--allow-empty", "-m", "two")
    for name in ("edited", "untracked"):
        (place / f"{name}.md").write_bytes(TEXT + b"one more\n")


def measure(place: Path, runs: int) -> dict[str, tuple[float, float]]:
    """The median of each kind of read, with snapshots and without them, run in turn."""
    times: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in KINDS}
    with Node.open(place, tree="t") as on, Node.open(place, tree="t", snapshots=False) as off:
        for number in range(-10, runs):
            for name, (path, commit) in KINDS.items():
                pairs = list(zip((on, off), times[name], strict=True))
                # Each goes first as often as the other: who comes second finds the processor warm.
                for node, taken in pairs[:: 1 if number % 2 else -1]:
                    # What is derived from bytes is kept too: only bytes that nobody has read cost their outline.
                    (place / "changing.md").write_bytes(TEXT + b"%d %d\n" % (number, node is on))
                    spent = milliseconds(partial(node.read_text, path, commit=commit))
                    if number >= 0:
                        taken.append(spent)
    return {name: (statistics.median(one), statistics.median(other)) for name, (one, other) in times.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        for name in ("STATE", "CACHE"):
            os.environ[f"XDG_{name}_HOME"] = str(Path(folder) / name.lower())
        place = Path(folder) / "tree"
        place.mkdir()
        prepare(place)
        medians = measure(place, runs)
    print(f"{'':34} {'with snapshots':>14} {'without':>9} ratio")
    for name, (one, other) in medians.items():
        print(f"{name:34} {one:11.2f} ms {other:6.2f} ms {one / other:5.2f}")


if __name__ == "__main__":
    main()
