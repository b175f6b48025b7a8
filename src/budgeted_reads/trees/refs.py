"""Names of commits: HEAD, branches, tags and ids, read in pure Python; no text of a caller is ever parsed by git.

An id is looked up among commit objects only and a name among references only, so neither can pose as the other.
"""

import os
import re
from typing import NamedTuple

from budgeted_reads.errors import AmbiguousCommit, CommitUnknown, ForbiddenPath, InvalidRequest, NotFound, TooLarge
from budgeted_reads.outline.entry import Warned
from budgeted_reads.trees.disk import Disk
from budgeted_reads.trees.git import run
from budgeted_reads.trees.gitdir import GitFolder
from budgeted_reads.trees.objects import Objects, is_hex
from budgeted_reads.trees.paths import encode, show
from budgeted_reads.trees.store import Store

_REF_BYTES = 4096
_PACKED_BYTES = 256 << 20
_DEPTH = 10
_CANDIDATES = 20
SHORTEST = 7
"""An id with fewer digits is not looked up."""
SHORT = 12
"""An id with fewer digits is found, with the warning `short_commit`."""

_FORBIDDEN = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|^/|/$|\.$|^-|^@$|(^|/)\.|\.lock(/|$)|^$")


class Named(NamedTuple):
    """The commit that a text names, with warnings about the way it was named."""

    commit: str
    warnings: tuple[Warned, ...] = ()


class Refs:
    """The names of one repository."""

    def __init__(self, folder: GitFolder, objects: Objects, store: Store | None = None) -> None:
        self._store = store
        self._folder = folder
        self._objects = objects
        self._own = Disk(folder.own)
        self._common = Disk(folder.common)

    def head(self) -> str | None:
        """The commit of HEAD, None where there is none yet."""
        id = self._lookup("HEAD")
        return self.peel(id) if id else None

    def resolve(self, text: str) -> Named:
        """The commit that TEXT names: a full id, 7+ hex, HEAD, a branch or a tag.

        Raises `invalid_request` for operators and options, `commit_unknown`, `ambiguous_commit`.
        """
        if len(text) == self._objects.digits and is_hex(text.lower()):
            return Named(self._full(text.lower()))
        if _FORBIDDEN.search(text):
            raise InvalidRequest(
                f"{_clip(text)} is no commit",
                "give an id, HEAD, a branch or a tag; operators (~ ^ : @{) and options are not taken",
            )
        encode(text)
        named = self._by_name(text)
        found = self._by_id(text.lower()) if is_hex(text.lower()) and len(text) >= SHORTEST else []
        return self._only(text, [*named, *found], short=not named)

    def by_id(self, text: str) -> Named:
        """The commit whose id is TEXT, or alone begins so (7+ hex): never through a name.

        Raises `commit_unknown`, `ambiguous_commit`.
        """
        id = text.lower()
        if len(id) == self._objects.digits and is_hex(id):
            return Named(self._full(id))
        found = self._by_id(id) if is_hex(id) and len(id) >= SHORTEST else []
        return self._only(text, found, short=True)

    def _only(self, text: str, commits: list[str], *, short: bool) -> Named:
        commits = list(dict.fromkeys(commits))
        if not commits:
            raise self.unknown(text)
        if len(commits) > 1:
            raise AmbiguousCommit(
                f"{_clip(text)} names {len(commits)} commits",
                "give one of the candidates, or a whole name such as refs/heads/main",
                candidates=[{"commit": commit} for commit in commits[:_CANDIDATES]],
            )
        if not short or len(text) >= SHORT:
            return Named(commits[0])
        detail = f"{text} is {commits[0]}: ids below {SHORT} digits become ambiguous as a repository grows"
        return Named(commits[0], (Warned("short_commit", detail),))

    def unknown(self, text: str) -> CommitUnknown:
        """The error for a commit that is not here, with the reason as far as the repository tells it."""
        reason, hint = "not_found", "give a full id, HEAD, a branch or a tag of this tree"
        if self._folder.reftable and not is_hex(text):
            reason, hint = (
                "reftable",
                "this git cannot read the repository's names: give a full id, or install git 2.45",
            )
        elif is_hex(text.lower()):
            if len(text) < SHORTEST:
                hint = f"an id needs at least {SHORTEST} digits"
            elif self._store is not None and self._store.pruned(text.lower()):
                reason, hint = "snapshot_pruned", "it was a snapshot, given up by age, quota or a purge: read anew"
            elif os.path.exists(os.path.join(self._folder.common, "shallow")):
                reason, hint = "shallow", "the clone is shallow: `git fetch --unshallow` would bring its history"
            elif self._folder.promisor:
                reason, hint = "partial", "the clone is partial and nothing is fetched here: fetch the commit first"
        return CommitUnknown(f"no commit {_clip(text)} in this tree", hint, reason=reason)

    def peel(self, id: str) -> str | None:
        """The commit that ID, a commit or an annotated tag, stands for; None where there is none."""
        for _ in range(_DEPTH):
            info = self._objects.info(id)
            if info is None or info.kind not in ("commit", "tag"):
                return None
            if info.kind == "commit":
                return id
            raw = self._objects.read(id, "tag") or b""
            id = raw.partition(b"\n")[0].removeprefix(b"object ").decode("ascii", "replace")
            if len(id) != self._objects.digits or not is_hex(id):
                return None
        return None

    def _full(self, id: str) -> str:
        info = self._objects.info(id)
        if info is not None and info.kind == "commit":
            return id
        if info is None:
            raise self.unknown(id)
        commit = self.peel(id)
        hint = f"the tag stands for {commit}" if commit else "give the id of a commit"
        raise CommitUnknown(f"{id[:SHORT]} is a {info.kind}, not a commit", hint, reason=f"is_{info.kind}")

    def _by_id(self, prefix: str) -> list[str]:
        if len(prefix) >= self._objects.digits:
            return []
        ids = run(self._objects.repository, "rev-parse", f"--disambiguate={prefix}").out.decode("ascii").split()
        found = ((id, self._objects.info(id)) for id in ids if id.startswith(prefix))
        return sorted(id for id, info in found if info is not None and info.kind == "commit")

    def _by_name(self, name: str) -> list[str]:
        if name == "HEAD" or name.startswith("refs/"):
            places = [name]
        else:
            places = [f"refs/{kind}/{name}" for kind in ("heads", "tags", "remotes")]
        ids = [id for place in places if (id := self._lookup(place))]
        commits = [commit for id in ids if (commit := self.peel(id))]
        if ids and not commits:
            info = self._objects.info(ids[0])
            what = f"a {info.kind}" if info else "an object that is not here"
            raise CommitUnknown(f"{_clip(name)} names {what}, not a commit", "give another name", reason="no_commit")
        return commits

    def _lookup(self, ref: str) -> str | None:
        """The id that the reference REF holds, through symbolic references; None where there is none."""
        if self._folder.reftable:
            return self._ask_git(ref)
        for _ in range(_DEPTH):
            text = self._loose(ref)
            if text is None:
                return self._packed(ref)
            if not text.startswith("ref:"):
                return text if len(text) == self._objects.digits and is_hex(text) else None
            ref = text[4:].strip()
            if not ref.startswith("refs/") or _FORBIDDEN.search(ref):
                return None
        return None

    def _loose(self, ref: str) -> str | None:
        place = self._common if ref.startswith("refs/") else self._own
        try:
            return (
                place.read(ref.encode("utf-8", "surrogateescape"), _REF_BYTES)
                .decode("utf-8", "surrogateescape")
                .strip()
            )
        except (NotFound, ForbiddenPath, TooLarge):
            return None

    def _packed(self, ref: str) -> str | None:
        try:
            packed = self._common.read(b"packed-refs", _PACKED_BYTES)
        except (NotFound, ForbiddenPath):
            return None
        digits = self._objects.digits
        at = packed.find(b" " + ref.encode("utf-8", "surrogateescape") + b"\n")
        if at < digits or (at > digits and packed[at - digits - 1 : at - digits] != b"\n"):
            return None
        id = packed[at - digits : at].decode("ascii", "replace")
        return id if is_hex(id) else None

    def _ask_git(self, ref: str) -> str | None:
        """The reference REF of a repository whose names only a newer git can read; hardened, and never an option."""
        arguments = ("rev-parse", "--verify", "--quiet", "--end-of-options", ref)
        outcome = run(self._objects.repository, f"--git-dir={self._folder.own}", *arguments)
        id = outcome.out.decode("ascii", "replace").strip()
        return id if outcome.status == 0 and len(id) == self._objects.digits and is_hex(id) else None


def _clip(text: str) -> str:
    return show(text.encode("utf-8", "surrogatepass"))
