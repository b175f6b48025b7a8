"""The hunks of many pairs of committed blobs from one run of git: as two flat trees, a pair under each name."""

import re
from collections.abc import Iterable, Mapping

from budgeted_reads.errors import Internal, TimedOut
from budgeted_reads.evidence.locate import Hunk, parse_hunks
from budgeted_reads.trees.git import run
from budgeted_reads.trees.objects import Objects
from budgeted_reads.trees.scratch import Leaf, Scratch

MOST_PAIRS = 1000
"""So many pairs are compared in one run: what git prints of them is held at once."""

OPTIONS = ("--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--text", "--indent-heuristic")

_OUTPUT_BYTES = 256 << 20
_FILE = re.compile(rb"^diff --git a/(\d{8}) b/", re.MULTILINE)

Pair = tuple[str, str]
"""The ids of an old and a new blob."""


def blob_hunks(objects: Objects, pairs: Iterable[Pair]) -> Mapping[Pair, tuple[Hunk, ...]]:
    """The hunks of `git diff -U0` of each of PAIRS of different blobs; a pair that could not be had is left out."""
    found: dict[Pair, tuple[Hunk, ...]] = {}
    todo = list(dict.fromkeys(pairs))
    for at in range(0, len(todo), MOST_PAIRS):
        try:
            found |= _compared(objects, todo[at : at + MOST_PAIRS])
        except (OSError, TimedOut, Internal):
            continue
    return found


def _compared(objects: Objects, pairs: list[Pair]) -> dict[Pair, tuple[Hunk, ...]]:
    with Scratch(objects.digits) as scratch:
        # One mode for all, so that git sees files with other content and never another kind of file.
        sides = ({b"%08d" % n: Leaf("100644", pair[side]) for n, pair in enumerate(pairs)} for side in (0, 1))
        trees = [scratch.tree(side) for side in sides]
        words = ("diff-tree", "-p", "-U0", "--diff-algorithm=myers", *OPTIONS, "--end-of-options", *trees, "--")
        outcome = run(objects.repository, *words, extra=scratch.environment, limit=_OUTPUT_BYTES)
    if outcome.status != 0:
        return {}
    # Every line of content has a sign before it: what looks like a header is one.
    parts = _FILE.split(outcome.out)
    return {pairs[int(name)]: parse_hunks(patch) for name, patch in zip(parts[1::2], parts[2::2], strict=True)}
