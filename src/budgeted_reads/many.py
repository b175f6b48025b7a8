"""Several files under one budget: which they are, in which order, and the answer for them (CONTRACT section 3)."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import chain

from budgeted_reads import tokens
from budgeted_reads.answer import Answer, FilesOmitted
from budgeted_reads.derived import Derived
from budgeted_reads.errors import BinaryFile, FileChanging, ForbiddenPath, NotAFile, NotFound, ReadError, TooLarge
from budgeted_reads.limits import MAX_ROWS, MIB
from budgeted_reads.outline import Warned
from budgeted_reads.places import Place, Places
from budgeted_reads.pointer import display
from budgeted_reads.reads import Prepared, Settings, answered, prepare
from budgeted_reads.request import ReadRequest
from budgeted_reads.search.globs import Globs, no_file
from budgeted_reads.search.ranks import DOCUMENT, GENERATED, SOURCE, TEST, rank
from budgeted_reads.trees.base import Revision, Tree
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.disk import files_below
from budgeted_reads.trees.folder import Folder
from budgeted_reads.trees.listing import changed_now, files_at
from budgeted_reads.trees.worktree import WorkTree
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.folder import estimate
from budgeted_reads.views.many import Sum, Unread, read_many
from budgeted_reads.views.reading import Reading
from budgeted_reads.views.view import View

LARGE_PART = MIB
"""Larger files are not outlined below their folder: they would hold up all the others, and can be read alone."""

TINY = 64
"""Files of fewer bytes hold next to nothing."""

_TOKENS = re.compile(r" \d+/(?=~?\d+t )")
"""What a header prints as the tokens of its text; a path has no space."""

NAMED = 5
"""Of files that cannot be read so many are named, the rest is counted."""

MOST_FILES = 10_000
"""A glob may take in more files; only this many, the most important, are looked at, and the rest is counted."""

MOST_LOOKED_AT, LOOKED_AT_BYTES = 300, 4 * MIB
"""Up to so many sources of so many bytes are looked at to tell what others import."""

_IMPORT = re.compile(
    rb"^[ \t]*(?:import|from|use|pub use|require|#[ \t]*include|const [^\n]*require)\b[^\n]*", re.MULTILINE
)
_WORD = re.compile(rb"\w+")
_READ_FIRST = re.compile(rb"readme(\..*)?|agents\.md|claude\.md", re.IGNORECASE)
_MANIFEST = re.compile(
    rb"pyproject\.toml|setup\.(py|cfg)|package\.json|cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|gemfile"
    rb"|composer\.json|cmakelists\.txt|makefile|dockerfile|.*\.csproj",
    re.IGNORECASE,
)
_LEGAL = re.compile(rb"(licen[cs]e|copying|notice|authors|changelog|\.git(ignore|attributes))", re.IGNORECASE)
_ENTRANCE = re.compile(rb"(main|index|app|cli|server|__init__|__main__|lib|mod)\.\w+", re.IGNORECASE)


def importance(path: bytes, below: bytes = b"", size: int = TINY, importers: int = 0) -> tuple[int, int, int, bytes]:
    """The order of files where a caller gives none, among those below the folder BELOW; the least comes first.

    What is to be read first and the manifests of that folder, then sources from their entrances on, what most others
    import before the rest; then documents, tests, what was generated, and what holds next to nothing.
    """
    name = path.rpartition(b"/")[2]
    depth = path.removeprefix(below + b"/").count(b"/")
    kind = rank(path)
    if size < TINY:
        group = 8
    elif depth == 0 and _READ_FIRST.fullmatch(name):
        group = 0
    elif depth == 0 and _MANIFEST.fullmatch(name):
        group = 1
    elif _LEGAL.match(name):
        group = 7
    elif kind == SOURCE:
        group = 2 if _ENTRANCE.fullmatch(name) else 3
    else:
        group = {DOCUMENT: 4, TEST: 5, GENERATED: 6}[kind]
    return group, -importers, depth, path


def importers(sources: Mapping[bytes, bytes]) -> dict[bytes, int]:
    """How many of SOURCES, contents by path, name each of them in a line that imports: by the stem of its name."""
    words = [set(_WORD.findall(b" ".join(_IMPORT.findall(raw)))) for raw in sources.values()]
    counts = Counter(chain.from_iterable(words))
    return {path: counts[path.rpartition(b"/")[2].partition(b".")[0]] for path in sources}


def every_file(tree: Tree, revision: Revision, below: bytes = b"") -> list[bytes]:
    """The paths of all files of TREE below a folder, without what git ignores."""
    if isinstance(tree, Folder):
        return [path for path, _ in files_below(tree.disk, below)]
    if not isinstance(tree, Committed):
        return []
    prefix = below + b"/" if below else b""
    paths: dict[bytes, None] = {}
    if revision.commit is not None:
        # A folder that is new on disk has nothing in the commit.
        root = tree.entry(below, revision.commit)
        if root is not None and root.kind == "folder":
            paths.update(dict.fromkeys(file.path for file in files_at(tree, root.id, below)))
    if revision.now and isinstance(tree, WorkTree):
        paths.update(
            dict.fromkeys(path for path in changed_now(tree, revision.commit).paths if path.startswith(prefix))
        )
    return list(paths)


class Reader:
    """Reads several files of one node for one request."""

    def __init__(
        self, places: Places, settings: Settings, derived: Derived, request: ReadRequest, *, as_text: bool
    ) -> None:
        self.places = places
        self.settings = settings
        self.derived = derived
        self.request = request
        self.as_text = as_text
        self.face = Face(tokens.counter(request.tokenizer), "unknown", Heading(b"", None) if as_text else None)
        self.opened: dict[int, Prepared] = {}
        self.unreadable: dict[int, bytes] = {}
        self.warnings: list[Warned] = list(request.warnings)

    def answer(self) -> Answer:
        """The answer for `paths` or `glob`: every file is shown, or counted among those that are not."""
        files = self._named() if self.request.paths is not None else self._globbed()
        summed = read_many(files, self.request.ask.budget, self.face, partial(self._header, files))
        return self.answered(files, summed)

    def into(self, place: Place, folder: Answer) -> Answer:
        """The answer FOLDER for the folder at PLACE, with what its budget leaves spent on the files below it.

        All of its rows are there already; the outlines of the files follow, the most important first, each below a
        header of its own on every face, so that `content` tells which rows are whose.
        """
        head, _, rows = folder.text.partition("\n") if self.as_text else ("", "", folder.content)
        face, self.as_text = self.face, True
        paths = every_file(place.tree, place.revision, place.found.path)
        files = self._files([(place.tree, place.revision, path) for path in paths], place.found.path, LARGE_PART)

        def header(count: int, left: int, closed: Collection[int]) -> str:
            return " ".join((_TOKENS.sub(f" {count}/", head, count=1), *self._shut(closed)))

        summed = read_many(files, self.request.ask.budget, face, header, face.counter.units(rows), cards=False)
        parts = self.parts(summed)
        content = rows + "".join(part.text for part in parts)
        evidence = (*folder.evidence, *(row for part in parts for row in part.evidence))
        return folder._replace(
            warnings=(*folder.warnings, *self._unread()),
            tokens=summed.tokens,
            upper_bound=summed.bound,
            content=content,
            text=summed.header + content if face.is_text else "",
            evidence=evidence[:MAX_ROWS],
        )

    def _named(self) -> list[Unread]:
        files = []
        for number, path in enumerate(self.request.paths or ()):
            place = self.places.find(path, self.request.commit)
            if place.found.kind not in ("file", "link"):
                raise NotAFile(f"{display(place.found.path)} is a {place.found.kind}", "name files, or use glob")
            files.append(
                Unread(
                    place.found.path,
                    len(place.found.raw),
                    partial(self._open, number, place.found.path, partial(_same, place)),
                )
            )
        return files

    def _globbed(self) -> list[Unread]:
        globs = Globs(self.request.glob or ())
        found = []
        for tree in self.places.catalog.trees.values():
            revision = tree.resolve(self.request.commit)
            found += [(tree, revision, path) for path in every_file(tree, revision) if globs.take(path)]
        if not found:
            raise no_file(self.request.glob or ())
        return self._files(found)

    def _files(
        self, found: Sequence[tuple[Tree, Revision, bytes]], below: bytes = b"", most_bytes: int | None = None
    ) -> list[Unread]:
        """What was FOUND below a folder, most important first; beyond MOST_FILES it is only counted.

        A file of more than MOST_BYTES is not opened: it would hold up all the others, and can be read by itself.
        """
        sizes = {(tree.name, path): _size(tree, at, path) for tree, at, path in found}
        counts = self._importers(found, sizes)
        sized = []
        for tree, at, path in found:
            size = sizes[tree.name, path]
            sized.append((importance(path, below, size, counts.get(path, 0)), size, tree, at))
        files = []
        for number, ((*_, path), size, tree, revision) in enumerate(sorted(sized, key=lambda one: one[0])):
            opener = partial(self._open, number, path, partial(_place, tree, revision, path))
            shown = number < MOST_FILES and (most_bytes is None or size <= most_bytes)
            files.append(Unread(path, size, opener if shown else _nothing))
        return files

    def _importers(
        self, found: Sequence[tuple[Tree, Revision, bytes]], sizes: Mapping[tuple[str, bytes], int]
    ) -> dict[bytes, int]:
        """What the sources among FOUND import, where they are few enough to look at all of them."""
        sources = [
            one for one in found if rank(one[2]) == SOURCE and not _ENTRANCE.fullmatch(one[2].rpartition(b"/")[2])
        ]
        if len(sources) > MOST_LOOKED_AT or sum(sizes[tree.name, path] for tree, _, path in sources) > LOOKED_AT_BYTES:
            return {}
        contents = {}
        for tree, revision, path in sources:
            try:
                contents[path] = bytes(tree.look(path, revision, snapshot=False).raw)
            except ReadError:
                continue
        return importers(contents)

    def _open(self, number: int, path: bytes, find: Callable[[], Place]) -> Reading | None:
        try:
            place = find()
            if place.found.kind not in ("file", "link"):
                return None
            # No `next` below a part: the budget of a part is not the caller's to spend on it.
            ask = self.request.ask._replace(budget=1 if self.as_text else self.request.ask.budget)
            request = self.request._replace(ask=ask, warnings=())
            self.opened[number] = prepare(place, request, self.settings, self.derived, as_text=self.as_text)
        except ForbiddenPath:
            self.unreadable[number] = path
            return None
        except (BinaryFile, FileChanging, TooLarge, NotFound) as error:
            self.warnings.append(Warned(error.code, error.detail))
            return None
        return self.opened[number].reading

    def _shut(self, closed: Collection[int]) -> list[str]:
        """What a header says of those of CLOSED that cannot be read."""
        count = len(self.unreadable.keys() & closed)
        return [f"{count} unreadable"] if count else []

    def _unread(self) -> list[Warned]:
        """The warning that names the files that cannot be read, where there are any."""
        paths = [display(path) for path in self.unreadable.values()]
        if not paths:
            return []
        more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
        return [Warned("unreadable", f"{len(paths)} files cannot be read: {', '.join(paths[:NAMED])}{more}")]

    def _header(self, files: Sequence[Unread], count: int, left: int, closed: Collection[int]) -> str:
        words = [f"many {count}t {len(files)} files"]
        if left:
            words.append(f"+{left} not shown")
        if textless := len(closed) - len(self.unreadable.keys() & closed):
            words.append(f"{textless} without text")
        words += self._shut(closed)
        if not self.face.counter.exact:
            words.append(f"~{self.face.counter.name}")
        return " ".join(words)

    def answered(self, files: Sequence[Unread], summed: Sum) -> Answer:
        """The answer that SUMMED is."""
        parts = self.parts(summed)
        ask = self.request.ask
        return Answer(
            view="many",
            requested_view=ask.view,
            degraded=bool(summed.left) or any(part.degraded for part in parts),
            tokens=summed.tokens,
            upper_bound=summed.bound,
            budget_tokens=ask.budget,
            tokenizer=self.face.counter.name,
            exact=self.face.counter.exact,
            truncated=False,
            content="",
            text=summed.header + "".join(part.text for part in parts),
            shape=View("many", ask.view, False, "", summed.header, summed.tokens, summed.bound, 0, None),
            commit=None,
            blob=None,
            snapshot=None,
            warnings=(*self.warnings, *self._unread()),
            evidence=tuple(row for part in parts for row in part.evidence)[:MAX_ROWS],
            parts=parts,
            files_omitted=FilesOmitted(
                len(summed.left), sum(estimate(files[at].path, files[at].size) for at in summed.left)
            ),
        )

    def parts(self, summed: Sum) -> tuple[Answer, ...]:
        """The answers of the files that SUMMED shows, in their order; what was counted on the way is kept."""
        answers = []
        for shown in summed.parts:
            prepared = self.opened[shown.place]
            answers.append(answered(prepared, self.request, self.settings, shown.view))
        for prepared in self.opened.values():
            self.derived.save(prepared.kept, prepared.counter)
        return tuple(answers)


def _same(place: Place) -> Place:
    return place


def _nothing() -> None:
    return None


def _place(tree: Tree, revision: Revision, path: bytes) -> Place:
    return Place(tree, revision, tree.look(path, revision))


def _size(tree: Tree, revision: Revision, path: bytes) -> int:
    """The bytes of the file at PATH, as far as they can be told without reading it; else 0."""
    if revision.now and isinstance(tree, (WorkTree, Folder)):
        try:
            return tree.disk.stand(path).size
        except ForbiddenPath:
            return 0
    if isinstance(tree, Committed) and revision.commit is not None:
        info = tree.objects.info(tree.walk(path, revision.commit)[1].id)
        return info.size if info is not None else 0
    return 0
