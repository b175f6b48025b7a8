"""Two revisions of a tree, compared by git in the query repository: what differs, as one patch with its raw list.

Only full ids reach git, no configuration of a served repository is in play, and time and output are limited. What is
not committed is compared from a scratch store that is gone afterwards.
"""

import select
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

from budgeted_reads import secret
from budgeted_reads.errors import CommitUnknown, InvalidRequest, TimedOut
from budgeted_reads.outline.entry import Warned
from budgeted_reads.trees.base import Revision, Tree
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.git import Child, Outcome, run
from budgeted_reads.trees.objects import Objects
from budgeted_reads.trees.present import Watch, below, parse_listing, visible
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


class Comparison(NamedTuple):
    """What git says. `out` is the list of raw lines, an empty line, and the patch; with `counts` it is `--numstat`.

    `commits` gives the commit that holds a path of the new side with that id, None where it is not committed; `raws`
    are bytes that no object of the tree has.
    """

    out: bytes
    counts: bytes | None
    raws: Mapping[str, bytes]
    commits: Callable[[bytes, str], str | None]
    warnings: tuple[Warned, ...] = ()


class Compared(NamedTuple):
    """Both sides as trees that git can compare."""

    repository: str
    old: str
    new: str
    path: bytes
    extra: dict[str, str] | None = None


def compare(tree: Tree, old: Revision, new: Revision, path: bytes, *, secrets: tuple[str, ...]) -> Comparison:
    """What differs between OLD and NEW at PATH (b"" is the root) or below it; SECRETS are patterns of secret files.

    Raises `timeout`, `commit_unknown` where objects are missing, `invalid_request` where there is nothing to compare.
    """
    if not isinstance(tree, Committed) or old.commit is None:
        raise InvalidRequest(f"{tree.name} has no commits to compare", "name a commit or a snapshot")
    objects = tree.objects
    before = _root(tree, objects, old.commit)
    if isinstance(tree, WorkTree) and new.now:
        return _with_now(tree, objects, before, new.commit, path, secrets)
    if new.commit is None:
        raise InvalidRequest(f"{tree.name} has no commits to compare", "make a commit first")
    commit = new.commit
    sides = Compared(objects.repository, before, _root(tree, objects, commit), path)
    out, counts, warnings = _ask(sides)
    return Comparison(out, counts, {}, lambda path, id: commit, warnings)


def _root(tree: Committed, objects: Objects, commit: str) -> str:
    known = objects.commit(commit)
    if known is None:
        raise tree.refs.unknown(commit)
    return known.tree


def _with_now(
    tree: WorkTree, objects: Objects, before: str, head: str | None, path: bytes, secrets: tuple[str, ...]
) -> Comparison:
    """The same where the new side is the disk. Both sides are cut down to what differs, which is all that git needs."""
    old = listing(objects, before, path)
    base = listing(objects, _root(tree, objects, head), path) if head else {}
    present = watch(tree).look(filter(visible, tree.visible(path)), base, objects)
    now = below(present.leaves, path)
    places = [place for place in {**old, **now} if old.get(place) != now.get(place)]

    def commits(place: bytes, id: str) -> str | None:
        leaf = base.get(place)
        return head if leaf is not None and leaf.id == id else None

    with Scratch(objects.digits) as scratch:
        for place in places:
            leaf = now.get(place)
            if leaf is None or leaf.id not in present.raws:
                continue
            if secret.secret_path(place, secrets):
                # No byte of a secret file is stored, not even for a moment: it is compared line by masked line.
                before_raw = objects.read(old[place].id, "blob") if place in old else None
                now[place] = Leaf(leaf.mode, scratch.blob(masked(present.raws[leaf.id])))
                if before_raw is not None:
                    old[place] = Leaf(old[place].mode, scratch.blob(masked(before_raw)))
            else:
                scratch.blob(present.raws[leaf.id])
        sides = Compared(
            objects.repository,
            scratch.tree({place: old[place] for place in places if place in old}),
            scratch.tree({place: now[place] for place in places if place in now}),
            b"",
            scratch.environment,
        )
        out, counts, warnings = _ask(sides)
        return Comparison(out, counts, dict(scratch.raws), commits, (*present.warnings, *warnings))


def masked(raw: bytes) -> bytes:
    """RAW with a hash in place of each line: equal lines stay equal, and nothing of them can be read."""
    import hashlib

    key = _mask_key()
    rows = raw.split(b"\n")
    hashed = [hashlib.blake2b(row, key=key, digest_size=16).hexdigest().encode() if row else b"" for row in rows]
    return b"\n".join(hashed)


_KEY: list[bytes] = []


def _mask_key() -> bytes:
    if not _KEY:
        import os

        _KEY.append(os.urandom(32))
    return _KEY[0]


_WATCHES: WeakKeyDictionary[WorkTree, Watch] = WeakKeyDictionary()


def watch(tree: WorkTree) -> Watch:
    """What is known of the files of TREE, kept as long as the tree is."""
    found = _WATCHES.get(tree)
    if found is None:
        found = _WATCHES[tree] = Watch(tree.disk, tree.folder.digits)
    return found


def listing(objects: Objects, tree: str, path: bytes = b"") -> dict[bytes, Leaf]:
    """Every file of the tree with that id, at PATH or below it, by its whole path."""
    outcome = run(objects.repository, "ls-tree", "-r", "-z", "--full-tree", tree)
    if outcome.status != 0:
        raise _missing()
    return below(parse_listing(outcome.out), path)


def _ask(sides: Compared) -> tuple[bytes, bytes | None, tuple[Warned, ...]]:
    """The raw list and patch, or, where that is too large, the list and the counts alone."""
    try:
        found = _diff(sides, RENAME_SECONDS, *_RENAMES, "-p")
        renames, warnings = _RENAMES, tuple[Warned, ...]()
    except TimedOut:
        warned = Warned("renames_given_up", f"renames were looked for {RENAME_SECONDS} seconds: they show as two files")
        renames, warnings = ("--no-renames",), (warned,)
        found = _diff(sides, SECONDS, *renames, "-p")
    if len(found.out) <= PATCH_BYTES:
        return _checked(found), None, warnings
    counted = _checked(_diff(sides, SECONDS, *renames, "--numstat", "-z"))
    raw, counts = split_counts(counted)
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
    return b"\n".join(rows) + b"\n", b"\0".join(fields[at:])


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


def _diff(sides: Compared, seconds: int, *more: str) -> Outcome:
    # Git takes options before the ids only; literal, so that no path is read as a pattern.
    place = ("--", sides.path.decode("utf-8", "surrogateescape")) if sides.path else ("--",)
    arguments = ("--literal-pathspecs", *FLAGS, *more, "--end-of-options", sides.old, sides.new, *place)
    child = _Timed(sides.repository, *arguments, extra=sides.extra)
    try:
        child.until = time.monotonic() + seconds
        child.hang_up()
        out = child.rest(PATCH_BYTES)
        large = len(out) > PATCH_BYTES
        status = child.close(kill=large)
        return Outcome(0 if large else status, out)
    finally:
        child.close(kill=True)


class _Timed(Child):
    """A git that has until a given time to say all that it has to say."""

    __slots__ = ("until",)
    until: float

    def _more(self) -> None:
        poll = select.poll()
        poll.register(self._from, select.POLLIN | select.POLLHUP)
        left = self.until - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            self.close(kill=True)
            raise TimedOut("git took too long to compare", "compare fewer files: name a path, or nearer commits")
        super()._more()
