"""Which blobs are like one of others, by git's own measure for renames: one run tells it of many at once.

All that is like nothing at HEAD was renamed to nothing at HEAD, so git need not look for renames from its commit.
"""

from collections.abc import Collection

from budgeted_reads.errors import Internal, TimedOut
from budgeted_reads.trees.git import run
from budgeted_reads.trees.objects import Objects
from budgeted_reads.trees.scratch import Leaf, Scratch

PAIRS = 4_000_000
"""More pairs of blobs are not compared."""

# Every other blob may be copied any number of times, so each blob is told from which it comes, whoever else does.
_OPTIONS = ("-z", "--name-status", "-C", "--find-copies-harder", "-l0", "--diff-filter=CR", "--rename-empty")
_OUTPUT_BYTES = 64 << 20


def alike(objects: Objects, blobs: Collection[str], others: Collection[str]) -> set[str] | None:
    """Those of BLOBS, none of which is in OTHERS, that share half of their content or more with one of OTHERS.

    None where that cannot be told.
    """
    if len(blobs) * len(others) > PAIRS:
        return None
    new = dict(zip((b"new%08d" % n for n in range(len(blobs))), blobs, strict=True))
    old = dict(zip((b"old%08d" % n for n in range(len(others))), others, strict=True))
    try:
        with Scratch(objects.digits) as scratch:
            trees = [scratch.tree({n: Leaf("100644", id) for n, id in side.items()}) for side in (old, {**old, **new})]
            words = ("diff-tree", *_OPTIONS, "--no-ext-diff", "--no-textconv", "--end-of-options", *trees, "--")
            outcome = run(objects.repository, *words, extra=scratch.environment, limit=_OUTPUT_BYTES)
    except (OSError, TimedOut, Internal):
        return None
    return {new[name] for name in outcome.out.split(b"\0")[2::3]} if outcome.status == 0 else None
