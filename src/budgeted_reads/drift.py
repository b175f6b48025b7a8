"""What has become of cited lines (CONTRACT section 4): where they are in the tree as it is now, or at its HEAD.

One `Drifts` serves one request: HEAD and files are looked at once in it and never kept beyond it. What follows from
objects alone is `Known` to the node.
"""

from collections.abc import Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from typing import NamedTuple

from budgeted_reads.errors import ForbiddenPath, NotAFile, NotFound, ReadError
from budgeted_reads.evidence import proof
from budgeted_reads.evidence.locate import Hunk, Lines, Located, locate
from budgeted_reads.known import ROW, Known
from budgeted_reads.outline import Range
from budgeted_reads.places import Place
from budgeted_reads.text import Text
from budgeted_reads.trees import history
from budgeted_reads.trees.ancestors import Ancestors
from budgeted_reads.trees.base import Found, Revision, Tree
from budgeted_reads.trees.hunks import line_hunks
from budgeted_reads.trees.pairs import Pair

MANY_COMMITS = 3
"""Of files that left their paths in so many commits it is asked first which are like anything at HEAD."""

_HUNK_BYTES = 200
_PATH_BYTES = 250

Key = tuple[str, str] | tuple[int, int]
"""Two files: the ids of their blobs, else the identities of their lines, which live as long as the request."""


class Content(NamedTuple):
    """A file as text and as lines."""

    found: Found
    text: Text
    lines: Lines


class Standing(NamedTuple):
    """What a pointer names, with the objects that lead to it: all of them have been hashed."""

    place: Place
    content: Content | None
    objects: tuple[proof.Stored, ...]


class Drift(NamedTuple):
    """Where lines are in another state of the tree: a `state` of the contract, the path and lines there."""

    state: str
    path: bytes
    lines: Range | None = None
    overlap: float | None = None


class Drifts:
    """Where lines of commits are now; what it finds out about objects goes into KNOWN. To be closed."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._heads: dict[str, Revision] = {}
        self._files: dict[tuple[str, bytes, bool], Content | Found | ReadError] = {}
        self._hunks: dict[Key, tuple[Hunk, ...] | None] = {}
        self._located: dict[tuple[Key, Range], Located] = {}
        self._ancestors: dict[tuple[str, str], Ancestors | None] = {}
        self._failed: set[tuple[str, ...]] = set()

    def close(self) -> None:
        """End the children of git that were started; it may be used again."""
        for ancestors in self._ancestors.values():
            if ancestors is not None:
                ancestors.close()
        self._ancestors.clear()

    def content(self, found: Found) -> Content:
        """FOUND, a file or a link, as text and as lines."""
        return Content(found, *self._known.decoded(found.blob, found.raw))

    def head(self, tree: Tree) -> str | None:
        """The commit of HEAD of TREE, the same all the time."""
        return self._revision(tree).commit

    def prepare(self, standings: Sequence[Standing]) -> None:
        """Ask git together what the drift of STANDINGS would ask of it one by one; the answers are the same without."""
        files = [(one.place.tree, one, one.content) for one in standings if one.content is not None]
        for tree in {tree.name: tree for tree, _, _ in files}.values():
            here = [(standing, content) for other, standing, content in files if other.name == tree.name]
            with suppress(ReadError):
                self._prepare_gone(tree, here)
                self._prepare_changed(tree, here)

    def _prepare_gone(self, tree: Tree, files: Sequence[tuple[Standing, Content]]) -> None:
        """Find out which of FILES that have left their paths are like nothing at HEAD, and where the others went."""
        head = self.head(tree)
        if head is None:
            return
        gone: list[tuple[str, str]] = []
        for standing, content in files:
            blob, commit = content.found.blob, standing.place.found.commit
            with suppress(ReadError):
                if blob and commit and self._look(tree, content.found.path, now=True) is None:
                    gone.append((blob, commit))
        if not gone:
            return
        blobs = self._blobs(tree, head)
        gone = [(blob, commit) for blob, commit in gone if blob not in blobs]
        # For few commits it costs less to ask git for the renames of each.
        new = {blob for blob, _ in gone if self._known.get(("alike", blob, head)) is None}
        if len({commit for blob, commit in gone if blob in new}) >= MANY_COMMITS:
            alike = history.alike(tree, list(new), list(blobs))
            if alike is not None:
                for blob in new:
                    self._known.put(("alike", blob, head), blob in alike)
        commits = {commit for blob, commit in gone if self._known.get(("alike", blob, head)) is not False}
        wanted = [commit for commit in sorted(commits) if self._known.get(("renames", commit, head)) is None]
        for commit, found in zip(wanted, history.renames(tree, wanted, head), strict=True):
            self._remember(("renames", commit, head), found)

    def _prepare_changed(self, tree: Tree, files: Sequence[tuple[Standing, Content]]) -> None:
        """Find out what has changed in FILES."""
        pairs = []
        for standing, content in files:
            with suppress(ReadError):
                there = next(self._places(standing, content, now=True), None)
                pair = None if there is None else _pair(content, there)
                if pair is not None and not self._have(pair):
                    pairs.append(pair)
        for pair, hunks in history.hunks(tree, pairs).items():
            self._keep(pair, hunks)

    def of(self, standing: Standing, content: Content, lines: Range | None, *, now: bool) -> Drift | None:
        """Where LINES of CONTENT are NOW, else at HEAD; None where there is nothing to compare with."""
        tree, path = standing.place.tree, content.found.path
        head = self.head(tree)
        if not now and head is None:
            return None
        for there in self._places(standing, content, now=now):
            drift = self._within(content, there, lines)
            if there.found.path == path or drift.state == "changed":
                return self._ended(drift, standing, head)
            if drift.state in ("unchanged", "moved"):
                return drift._replace(state="renamed")
        return self._ended(Drift("deleted", path), standing, head)

    def gone(self, standing: Standing, head: str | None) -> str:
        """`deleted`, or `unrelated_history` where the commit has nothing in common with HEAD."""
        commit = standing.place.found.commit
        if head is None or commit is None or standing.place.found.dirty or commit == head:
            return "deleted"
        if self._known.get(("related", commit, head)):
            return "deleted"
        tree = standing.place.tree
        if (tree.name, head) not in self._ancestors:
            self._ancestors[tree.name, head] = history.ancestors(tree, head)
        ancestors = self._ancestors[tree.name, head]
        related = None if ancestors is None else ancestors.related(commit)
        if related:
            # Nothing else is remembered: with more of its history a clone may tell otherwise.
            self._known.put(("related", commit, head), related)
        return "unrelated_history" if related is False else "deleted"

    def is_head(self, tree: Tree, path: bytes) -> bool:
        """Whether the file at PATH is now as it is at HEAD."""
        there = self._look(tree, path, now=True)
        return there is not None and not there.found.dirty and there.found.commit == self.head(tree)

    def count(self, tree: Tree, path: bytes) -> int | None:
        """How many lines the file at PATH has at HEAD; None where there is none."""
        there = self._look(tree, path, now=False)
        return None if there is None else there.text.line_count

    def _revision(self, tree: Tree) -> Revision:
        if tree.name not in self._heads:
            self._heads[tree.name] = tree.resolve(None)
        return self._heads[tree.name]

    def _ended(self, drift: Drift, standing: Standing, head: str | None) -> Drift:
        return drift._replace(state=self.gone(standing, head)) if drift.state == "deleted" else drift

    def _places(self, standing: Standing, content: Content, *, now: bool) -> Iterator[Content]:
        """The file as it is NOW, else at HEAD: at its own path, else wherever it may have gone."""
        tree, path = standing.place.tree, content.found.path
        there = self._look(tree, path, now=now)
        if there is not None:
            yield there
            return
        for other in self._elsewhere(standing, content, self.head(tree)):
            if (there := self._look(tree, other, now=now)) is not None:
                yield there

    def _within(self, old: Content, new: Content, lines: Range | None) -> Drift:
        path = new.found.path
        if old.text.raw == new.text.raw:
            return Drift("unchanged", path, lines)
        if lines is None:
            return Drift("changed", path, (1, len(new.lines)) if len(new.lines) else None, 0.0)
        found = self._where(old, new, lines)
        return Drift(found.state, path, found.lines, found.overlap)

    def _where(self, old: Content, new: Content, lines: Range) -> Located:
        ids = _ids(old, new)
        key: Key = ids or (id(old.lines), id(new.lines))
        if (key, lines) in self._located:
            return self._located[key, lines]
        found = None if ids is None else self._known.get(("located", *ids, lines))
        if found is None:
            if not self._have(key):
                self._keep(key, line_hunks(old.lines, new.lines))
            found = locate(old.lines, new.lines, lines, self._hunks[key])
            # Without hunks another time may tell more.
            if ids is not None and self._hunks[key] is not None:
                self._known.put(("located", *ids, lines), found)
        self._located[key, lines] = found
        return found

    def _have(self, key: Key) -> bool:
        """Whether the hunks of KEY are at hand; those that the node knows are taken over."""
        if key not in self._hunks and (known := self._known.get(("hunks", *key))) is not None:
            self._hunks[key] = known
        return key in self._hunks

    def _keep(self, key: Key, hunks: tuple[Hunk, ...] | None) -> None:
        self._hunks[key] = hunks
        if hunks is not None and isinstance(key[0], str):
            self._known.put(("hunks", *key), hunks, ROW + _HUNK_BYTES * len(hunks))

    def _elsewhere(self, standing: Standing, content: Content, head: str | None) -> Sequence[bytes]:
        """Paths at HEAD where the file may be that has left its own: of the same blob first, then as git finds it."""
        tree, commit, blob = standing.place.tree, content.found.commit, content.found.blob
        if head is None or commit is None or blob is None:
            return ()
        same = [path for path in self._blobs(tree, head).get(blob, ()) if path != content.found.path]
        if same:
            return (history.nearest(content.found.path, same),)
        renamed = self._renamed(tree, content, commit, head)
        return () if renamed is None else (renamed,)

    def _look(self, tree: Tree, path: bytes, *, now: bool) -> Content | None:
        """The file at PATH as it is NOW, else at HEAD; None where there is none."""
        key = tree.name, path, now
        if key not in self._files:
            try:
                # Nobody is given a pointer to what stands there now, so nothing of it is kept.
                revision = self._revision(tree) if now else Revision(self.head(tree), now=False)
                if not history.stands(tree, path, revision):
                    self._files[key] = NotFound("nothing stands there")
                    return None
                found = tree.look(path, revision, snapshot=False)
                self._files[key] = found if found.kind in ("folder", "submodule") else self.content(found)
            except (NotFound, NotAFile, ForbiddenPath) as error:
                self._files[key] = error
        known = self._files[key]
        return known if isinstance(known, Content) else None

    def _renamed(self, tree: Tree, content: Content, commit: str, head: str) -> bytes | None:
        if self._known.get(("alike", content.found.blob, head)) is False:
            return None
        key = ("renames", commit, head)
        found: Mapping[bytes, bytes] | None = self._known.get(key)
        if found is None and key not in self._failed:
            (found,) = history.renames(tree, [commit], head)
            self._remember(key, found)
        return None if found is None else found.get(content.found.path)

    def _blobs(self, tree: Tree, head: str) -> Mapping[str, list[bytes]]:
        """The paths of every blob of HEAD."""
        key = ("blobs", head)
        found: Mapping[str, list[bytes]] | None = self._known.get(key)
        if found is None and key not in self._failed:
            found = history.places(tree, head)
            self._remember(key, found)
        return found or {}

    def _remember(self, key: tuple[str, ...], found: Sized | None) -> None:
        if found is None:
            self._failed.add(key)
        else:
            self._known.put(key, found, ROW + _PATH_BYTES * len(found))


def _ids(old: Content, new: Content) -> Pair | None:
    """The ids of both blobs, None where one is in no object."""
    one, other = old.found.blob, new.found.blob
    return None if one is None or other is None else (one, other)


def _pair(old: Content, new: Content) -> Pair | None:
    """The ids of both blobs where git counts their lines as we do, and they differ."""
    if old.text.raw == new.text.raw or any(one.text.encoding.startswith("utf-16") for one in (old, new)):
        return None
    return _ids(old, new)
