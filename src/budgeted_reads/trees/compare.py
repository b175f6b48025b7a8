"""Two revisions of a tree, compared by git in the query repository: what differs, as one patch with its raw list.

Only full ids reach git, no configuration of a served repository is in play, and time and output are limited. What is
not committed is compared from a scratch store that is gone afterwards.
"""

import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from budgeted_reads import secret
from budgeted_reads.errors import CommitUnknown, InvalidRequest, TimedOut
from budgeted_reads.outline.entry import Warned
from budgeted_reads.trees.base import Revision, Tree
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.disk import Disk
from budgeted_reads.trees.folder import Folder
from budgeted_reads.trees.git import Child, Outcome, run
from budgeted_reads.trees.listing import changed_now
from budgeted_reads.trees.objects import Objects
from budgeted_reads.trees.present import Present, present
from budgeted_reads.trees.scratch import Leaf, Scratch
from budgeted_reads.trees.worktree import WorkTree

RENAME_SECONDS = 15
"""Renames are looked for so long; then the comparison is made without them, and says so."""

SECONDS = 60
"""A comparison that takes longer is `timeout`."""

PATCH_BYTES = 64 << 20
"""Of a larger patch only the counts of each file are taken, and the answer says so."""

RENAME_LIMIT = 1000
"""Renames with edits are looked for among at most the square of this many pairs, as git does."""

FLAGS = (
    "diff-tree",
    "-r",
    "--raw",
    "--no-abbrev",
    "--histogram",
    "--no-rename-empty",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--ignore-submodules=none",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--indent-heuristic",
)
_RENAMES = ("-M", f"-l{RENAME_LIMIT}")

Leaves = Mapping[bytes, Leaf]


class Comparison(NamedTuple):
    """What git says. `out` is the list of raw lines, an empty line, and the patch; with `counts` it is `--numstat`.

    `commit` is that of the whole new side, None where it is not committed; `commits` gives the commit that holds a path
    of the new side with that id, or None. `objects` has the blobs of both sides but for `raws`.
    """

    out: bytes
    counts: bytes | None
    objects: Objects
    raws: Mapping[str, bytes]
    commit: str | None
    commits: Callable[[bytes, str], str | None]
    warnings: tuple[Warned, ...] = ()


class Sides(NamedTuple):
    """Both sides as trees that git can compare at `path`, and the environment in which it finds them."""

    repository: str
    old: str
    new: str
    path: bytes = b""
    extra: dict[str, str] | None = None


def compare(tree: Tree, old: Revision, new: Revision, path: bytes, *, secrets: tuple[str, ...]) -> Comparison:
    """What differs between OLD and NEW at PATH (b"" is the root) or below it; SECRETS are patterns of secret files.

    A snapshot holds some paths only, and nothing is said of others. Raises `timeout`, `commit_unknown` where objects
    are missing, `invalid_request` where there is nothing to compare.
    """
    kept = tree.kept if isinstance(tree, Folder) else tree
    if not isinstance(kept, Committed) or old.commit is None or (new.commit is None and not new.now):
        raise InvalidRequest(f"{tree.name} has no commits to compare", "make a commit or take a snapshot first")
    is_snapshot = _is_snapshot(kept, old.commit)
    if new.now and isinstance(tree, (WorkTree, Folder)):
        return _with_now(tree, kept, old.commit, new.commit, path, secrets, is_snapshot=is_snapshot)
    if new.commit is None:
        raise InvalidRequest(f"{tree.name} has no commits to compare", "make a commit first")
    if is_snapshot != _is_snapshot(kept, new.commit):
        return _with_snapshot(kept, old.commit, new.commit, path, is_snapshot=is_snapshot)
    commit, objects = new.commit, kept.objects
    sides = Sides(objects.repository, _root(kept, old.commit), _root(kept, commit), path)
    out, counts, warnings = _ask(sides)
    return Comparison(out, counts, objects, {}, commit, lambda path, id: commit, warnings)


def _is_snapshot(tree: Committed, commit: str) -> bool:
    return tree.snapshots is not None and tree.snapshots.base(commit) is not None


def _root(tree: Committed, commit: str) -> str:
    known = tree.objects.commit(commit)
    if known is None:
        raise tree.refs.unknown(commit)
    return known.tree


def _with_snapshot(tree: Committed, old: str, new: str, path: bytes, *, is_snapshot: bool) -> Comparison:
    """The same where one side is a snapshot: the other is cut down to its paths."""
    objects = tree.objects
    before, after = listing(objects, _root(tree, old), path), listing(objects, _root(tree, new), path)
    only = before if is_snapshot else after
    before, after = _within(before, only), _within(after, only)
    with Scratch(objects.digits) as scratch:
        out, counts, warnings = _ask(_cut(objects, scratch, before, after))
    return Comparison(out, counts, objects, {}, new, lambda path, id: new, (*warnings, _only(len(only))))


def _within(leaves: Leaves, only: Leaves) -> dict[bytes, Leaf]:
    return {path: leaf for path, leaf in leaves.items() if path in only}


def _only(count: int) -> Warned:
    return Warned("snapshot_only", f"only the {count} paths of the snapshot are compared")


def _with_now(
    tree: WorkTree | Folder,
    kept: Committed,
    commit: str,
    head: str | None,
    path: bytes,
    secrets: tuple[str, ...],
    *,
    is_snapshot: bool,
) -> Comparison:
    """The same where the new side is the disk."""
    objects = kept.objects
    old = listing(objects, _root(kept, commit), path)
    base = listing(objects, _root(kept, head), path) if head is not None else {}
    if is_snapshot:
        now = present(tree.disk, objects, _within(base, old), old)
        warnings = (_only(len(old)), *now.warnings)
    else:
        now = present(tree.disk, objects, base, _places(tree, tree.disk, head, path))
        warnings = now.warnings
    held = _holder(tree, base, head, now)
    with Scratch(objects.digits) as scratch:
        before, after = dict(old), now.leaves
        differing = [place for place in {**old, **after} if old.get(place) != after.get(place)]
        for place in differing:
            leaf = after.get(place)
            if leaf is None or leaf.id not in now.raws:
                continue
            if not secret.secret_path(place, secrets):
                scratch.blob(now.raws[leaf.id])
                continue
            # No byte of a secret file is stored, not even for a moment: it is compared line by masked line.
            after[place] = Leaf(leaf.mode, scratch.blob(masked(now.raws[leaf.id])))
            if place in old:
                raw = objects.read(old[place].id, "blob") or b""
                before[place] = Leaf(old[place].mode, scratch.blob(masked(raw)))
        out, counts, more = _ask(_cut(objects, scratch, before, after))
        clean = head if base == after and not is_snapshot else None
        return Comparison(out, counts, objects, dict(scratch.raws), clean, held, (*warnings, *more))


def _places(tree: WorkTree | Folder, disk: Disk, head: str | None, path: bytes) -> list[bytes]:
    """Where the disk may differ from what is committed, at PATH or below it."""
    if isinstance(tree, Folder):
        return []
    if path and disk.stand(path).kind != "folder":
        return [path]
    places = changed_now(tree, head).paths
    return [place for place in places if not path or place == path or place.startswith(path + b"/")]


def _holder(
    tree: WorkTree | Folder, base: Leaves, head: str | None, now: Present
) -> Callable[[bytes, str], str | None]:
    """What gives the commit that holds a file of the disk: HEAD, or a snapshot that is taken at the first question."""
    dirty = {
        path: now.raws[leaf.id] for path, leaf in now.leaves.items() if leaf.id in now.raws and leaf.mode != "120000"
    }

    @cache
    def snapshot() -> tuple[str | None, frozenset[bytes]]:
        refused = tree.storable(dirty)
        return tree.snapshot(dirty), frozenset(refused)

    def held(path: bytes, id: str) -> str | None:
        leaf = base.get(path)
        if leaf is not None and leaf.id == id:
            return head
        if path not in dirty:
            return None
        commit, refused = snapshot()
        return None if path in refused else commit

    return held


def _cut(objects: Objects, scratch: Scratch, old: Leaves, new: Leaves) -> Sides:
    """Both sides cut down to what differs, which is all that git needs to see."""
    places = [place for place in {**old, **new} if old.get(place) != new.get(place)]
    trees = [scratch.tree({place: side[place] for place in places if place in side}) for side in (old, new)]
    return Sides(objects.repository, trees[0], trees[1], extra=scratch.environment)


def compare_texts(objects: Objects, texts: Mapping[bytes, tuple[bytes | None, bytes | None]]) -> bytes:
    """The raw list and patch of TEXTS, the old and new bytes by path, None for a side that is absent."""
    with Scratch(objects.digits) as scratch:
        trees = []
        for side in (0, 1):
            raws = {path: pair[side] for path, pair in texts.items()}
            leaves = {path: Leaf("100644", scratch.blob(raw)) for path, raw in raws.items() if raw is not None}
            trees.append(scratch.tree(leaves))
        sides = Sides(objects.repository, trees[0], trees[1], extra=scratch.environment)
        return _checked(_diff(sides, SECONDS, "--no-renames", "-p"))


def masked(raw: bytes) -> bytes:
    """RAW with a hash in place of each line: equal lines stay equal, and nothing of them can be read."""
    import hashlib

    rows = raw.split(b"\n")
    hashed = [hashlib.blake2b(row, key=_mask(), digest_size=16).hexdigest().encode() if row else b"" for row in rows]
    return b"\n".join(hashed)


@cache
def _mask() -> bytes:
    import os

    return os.urandom(32)


def listing(objects: Objects, tree: str, path: bytes = b"") -> dict[bytes, Leaf]:
    """Every file of the tree with that id, at PATH or below it, by its whole path."""
    place = ("--", path.decode("utf-8", "surrogateescape")) if path else ()
    outcome = run(objects.repository, "--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", tree, *place)
    if outcome.status != 0:
        raise _missing()
    leaves = {}
    for row in outcome.out.split(b"\0"):
        head, tab, name = row.partition(b"\t")
        if tab:
            mode, _, id = head.split(b" ")
            leaves[name] = Leaf(mode.decode(), id.decode())
    return leaves


def _ask(sides: Sides) -> tuple[bytes, bytes | None, tuple[Warned, ...]]:
    """The raw list and patch, or, where that is too large, the list and the counts alone."""
    renames: tuple[str, ...] = _RENAMES
    warnings: tuple[Warned, ...] = ()
    try:
        found = _diff(sides, RENAME_SECONDS, *renames, "-p")
    except TimedOut:
        detail = f"renames were looked for {RENAME_SECONDS} seconds: they show as two files"
        renames, warnings = ("--no-renames",), (Warned("renames_given_up", detail),)
        found = _diff(sides, SECONDS, *renames, "-p")
    if len(found.out) <= PATCH_BYTES:
        return _checked(found), None, warnings
    raw, counts = split_counts(_checked(_diff(sides, SECONDS, *renames, "--numstat", "-z")))
    warned = Warned("patch_too_large", f"the patch has more than {PATCH_BYTES >> 20} MiB: files are counted only")
    return raw, counts, (*warnings, warned)


def split_counts(out: bytes) -> tuple[bytes, bytes]:
    """The raw list, one line each as without -z, and the counts that follow it."""
    fields = out.split(b"\0")
    rows = []
    at = 0
    while at < len(fields) and fields[at].startswith(b":"):
        taken = 3 if fields[at].split(b" ")[-1][:1] in b"RC" else 2
        rows.append(fields[at] + b"\t" + b"\t".join(map(quoted, fields[at + 1 : at + taken])))
        at += taken
    return b"\n".join(rows) + b"\n\n", b"\0".join(fields[at:])


def quoted(path: bytes) -> bytes:
    """PATH as git writes it in a list of lines: in quotes where it holds control characters, quotes or backslashes."""
    if not any(byte < 32 or byte in b'"\\\x7f' for byte in path):
        return path
    return b'"' + b"".join(bytes([b]) if 32 <= b < 127 and b not in b'"\\' else b"\\%03o" % b for b in path) + b'"'


def _checked(outcome: Outcome) -> bytes:
    if outcome.status != 0:
        raise _missing()
    return outcome.out


def _missing() -> CommitUnknown:
    return CommitUnknown(
        "objects of one of the commits are missing or damaged here",
        "fetch them, or check the repository with `git fsck`",
        reason="missing_objects",
    )


def _diff(sides: Sides, seconds: int, *more: str) -> Outcome:
    # Literal, so that no path is read as a pattern; the ids are our own, so none is read as an option.
    place = ("--", sides.path.decode("utf-8", "surrogateescape")) if sides.path else ("--",)
    arguments = ("--literal-pathspecs", *FLAGS, *more, "--end-of-options", sides.old, sides.new, *place)
    child = Child(sides.repository, *arguments, extra=sides.extra)
    try:
        child.hang_up()
        out = child.rest(PATCH_BYTES, time.monotonic() + seconds)
        large = len(out) > PATCH_BYTES
        status = child.close(kill=large)
        return Outcome(0 if large else status, out)
    finally:
        child.close(kill=True)
