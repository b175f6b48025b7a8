"""From path, globs and commit to the files that a search looks at, each with where its bytes are."""

from collections.abc import Sequence
from typing import NamedTuple

from budgeted_reads import secret
from budgeted_reads.errors import CommitUnknown, NotAFile, ReadError
from budgeted_reads.outline import Range, Warned
from budgeted_reads.places import Place, Places
from budgeted_reads.pointer import display
from budgeted_reads.search.globs import Globs, names_place, no_file
from budgeted_reads.search.request import Query
from budgeted_reads.trees.base import Tree
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.disk import files_below
from budgeted_reads.trees.folder import Folder
from budgeted_reads.trees.listing import Changed, changed_now, files_at
from budgeted_reads.trees.objects import Recent, object_id
from budgeted_reads.trees.worktree import WorkTree

Files = tuple["Source", ...]


class Source(NamedTuple):
    """A file to look at. `blob` is the id of its bytes, committed or not; `raw` is None where git has them.

    `commit` is None where the bytes are not committed; `dirty` says that they are not those of the commit that was
    asked for. `reason` says why there is no pointer, where that is known.
    """

    path: bytes
    blob: str
    commit: str | None
    raw: bytes | None = None
    reason: str | None = None
    secret: bool = False
    dirty: bool = False


class Skipped(NamedTuple):
    """A file that was not searched, or not in full, and why."""

    path: bytes
    reason: str


class Scope(NamedTuple):
    """The files of one tree that a search looks at, below the path `below`.

    `root` is the git tree that holds `listed`, the committed ones before any glob; None where there is none. `base` is
    the commit that the rest differs from; `lines` are those of a pointer.
    """

    tree: Tree
    below: bytes
    commit: str | None
    root: str | None
    files: Files
    listed: Files = ()
    dirty: bool = False
    base: str | None = None
    skipped: tuple[Skipped, ...] = ()
    lines: Range | None = None
    warnings: tuple[Warned, ...] = ()


class Scopes:
    """Finds scopes in the trees of a node; what a commit holds is listed once."""

    def __init__(self, places: Places, secrets: Sequence[str], max_bytes: int) -> None:
        self._places = places
        self._secrets = secrets
        self._max_bytes = max_bytes
        self._listed: Recent[Files] = Recent(8)
        self._changed: dict[str, Changed] = {}

    def find(self, query: Query) -> list[Scope]:
        """The scopes that QUERY names: one tree, or every one.

        Raises `commit_unknown` where none has the commit, `not_found` where globs that name places take in no file.
        """
        scopes = self._found(query)
        if not query.globs:
            return scopes
        narrow = [_narrow(scope, Globs(query.globs)) for scope in scopes]
        # That no file has such a name is an answer; a place where nothing stands is a mistake, as it is in `path`.
        if names_place(query.globs) and not any(scope.files or scope.skipped for scope in narrow):
            raise no_file(query.globs)
        return narrow

    def _found(self, query: Query) -> list[Scope]:
        """The scopes before any glob."""
        if query.path is not None:
            return [self._scope(self._places.find(query.path, query.commit))]
        scopes = []
        unknown: ReadError | None = None
        for tree in self._places.catalog.trees.values():
            try:
                revision = tree.resolve(query.commit)
            except CommitUnknown as error:
                unknown = unknown or error
                continue
            place = Place(tree, revision, tree.look(b"", revision), warnings=revision.warnings)
            scopes.append(self._scope(place))
        if not scopes and unknown is not None:
            raise unknown
        return scopes

    def _scope(self, place: Place) -> Scope:
        found, tree = place.found, place.tree
        warnings = (*place.warnings, *found.warnings)
        if found.kind == "submodule":
            raise NotAFile(f"{display(found.path)} is a submodule", "serve its own repository as a tree to search it")
        if found.kind != "folder":
            source = self._source(found.path, self._id(tree, found.raw, found.blob), found.commit)
            source = source._replace(raw=found.raw, reason=found.reason, dirty=found.dirty)
            return Scope(
                tree,
                found.path,
                found.commit,
                None,
                (source,),
                dirty=found.dirty,
                base=found.base,
                lines=place.lines,
                warnings=warnings,
            )
        if isinstance(tree, Folder):
            return self._disk(tree, found.path, [path for path, _ in files_below(tree.disk, found.path)], place)
        assert isinstance(tree, Committed)  # noqa: S101 - there is no other kind of tree
        commit = place.revision.commit
        scope = Scope(tree, found.path, commit, None, (), base=commit, warnings=warnings)
        if commit is not None:
            # A folder that is new on disk has nothing in the commit.
            item = tree.entry(found.path, commit)
            if item is not None and item.kind == "folder":
                files = self._committed(tree, item.id, found.path, commit)
                scope = scope._replace(root=item.id, files=files, listed=files)
        if not place.revision.now or not isinstance(tree, WorkTree):
            return scope
        prefix = found.path + b"/" if found.path else b""
        differing = self._changed[tree.name] = changed_now(tree, commit, self._changed.get(tree.name))
        changed = [path for path in differing.paths if path.startswith(prefix)]
        if not changed:
            return scope
        now = self._disk(tree, found.path, changed, place)
        gone = set(changed)
        kept = tuple(source for source in scope.files if source.path not in gone)
        return now._replace(root=scope.root, commit=commit, base=commit, files=kept + now.files, listed=scope.listed)

    def _committed(self, tree: Committed, root: str, below: bytes, commit: str) -> Files:
        def listed(key: str) -> Files:
            return tuple(self._source(file.path, file.blob, commit) for file in files_at(tree, root, below))

        return self._listed.get(f"{tree.name}\0{commit}\0{below.hex()}", listed) or ()

    def _disk(self, tree: WorkTree | Folder, below: bytes, paths: Sequence[bytes], place: Place) -> Scope:
        """The files on disk at PATHS, each compared with the commit by its own bytes."""
        files, skipped, dirty = [], [], False
        for path in paths:
            try:
                # A snapshot is taken of the files that are shown, once it is known which.
                found = tree.look(path, place.revision, snapshot=False)
            except ReadError as error:
                if error.code not in ("not_found", "not_a_file"):
                    skipped.append(Skipped(path, error.code))
                continue
            if found.kind != "file" or found.path != path:
                continue
            if len(found.raw) > self._max_bytes:
                skipped.append(Skipped(path, f"too_large: {len(found.raw)} bytes"))
                continue
            dirty = dirty or found.commit is None
            source = self._source(path, self._id(tree, found.raw, found.blob), found.commit)
            files.append(source._replace(raw=found.raw, reason=found.reason, dirty=found.dirty))
        warnings = (*place.warnings, *place.found.warnings)
        return Scope(tree, below, None, None, tuple(files), dirty=dirty, skipped=tuple(skipped), warnings=warnings)

    def _source(self, path: bytes, blob: str, commit: str | None) -> Source:
        return Source(path, blob, commit, secret=secret.secret_path(path, self._secrets))

    def _id(self, tree: Tree, raw: bytes, blob: str | None) -> str:
        digits = tree.folder.digits if isinstance(tree, Committed) else 40
        return blob or object_id("blob", raw, digits)


def _narrow(scope: Scope, globs: Globs) -> Scope:
    return scope._replace(
        files=tuple(source for source in scope.files if globs.take(source.path)),
        skipped=tuple(row for row in scope.skipped if globs.take(row.path)),
    )
