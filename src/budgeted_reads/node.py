"""The facade: one node, its trees, and what can be asked of them."""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from budgeted_reads import __version__, fields, limits, secret, tokens
from budgeted_reads.answer import Answer, Dereferenced
from budgeted_reads.derived import Derived
from budgeted_reads.errors import InvalidRequest, NotAFile
from budgeted_reads.evidence.make import dereference
from budgeted_reads.given import Defaults
from budgeted_reads.outline import Outline, Range, Warned
from budgeted_reads.places import Place, Places
from budgeted_reads.pointer import display, node_name
from budgeted_reads.reads import Settings, answer_file
from budgeted_reads.request import ReadRequest, read_request
from budgeted_reads.trees.catalog import Catalog, here, open_tree
from budgeted_reads.trees.query import cache_folder
from budgeted_reads.trees.snapshots import Keeping
from budgeted_reads.trees.worktree import WorkTree
from budgeted_reads.views.ask import Lines

if TYPE_CHECKING:
    from budgeted_reads.changes.answer import DiffAnswer
    from budgeted_reads.checking import TextCheck
    from budgeted_reads.config import Config
    from budgeted_reads.evidence.checked import Verification
    from budgeted_reads.known import Known
    from budgeted_reads.search.answer import Searched
    from budgeted_reads.search.find import Searcher
    from budgeted_reads.text import Text
    from budgeted_reads.verify import Verifier
    from budgeted_reads.workers import Workers

CONTRACT = 1
"""The version of the read contract that this program keeps."""


class Node:
    """One running installation: reads files of its trees within a budget, and follows pointers back to their bytes.

    A node holds child processes of git from its first read on; close it, or use it in a `with` block. It may be used
    by several threads.
    """

    def __init__(
        self,
        catalog: Catalog,
        *,
        name: str = "local",
        defaults: Defaults | None = None,
        secrets: tuple[str, ...] = secret.DEFAULT,
        max_file_bytes: int = limits.MAX_FILE_BYTES,
        local: bool = True,
    ) -> None:
        self.name = node_name(name)
        self.catalog = catalog
        self.defaults = defaults or Defaults()
        self._settings = Settings(self.name, len(catalog.trees) > 1, secrets, max_file_bytes, outliner=self._outline)
        self._lock = threading.Lock()
        self._workers: Workers | None = None
        self._places = Places(catalog, local=local)
        self._derived = Derived(cache_folder("derived"))

    @classmethod
    def open(
        cls,
        place: str | os.PathLike[str] = ".",
        *,
        tree: str | None = None,
        name: str = "local",
        snapshots: bool = True,
    ) -> Self:
        """A node with one tree: the folder or repository PLACE, named TREE, else after its folder.

        Without TREE the repository around PLACE is taken. With SNAPSHOTS, served bytes that are not committed are kept
        in the user's state folder, so that they have pointers. Raises `invalid_request` where PLACE is no folder.
        """
        where = os.fspath(place)
        keeping = Keeping() if snapshots else None
        return cls(Catalog([here(where, keeping) if tree is None else open_tree(tree, where, keeping)]), name=name)

    @classmethod
    def configured(
        cls, config: "Config", *, place: str | os.PathLike[str] = ".", local: bool = True, public: bool = False
    ) -> Self:
        """The node that CONFIG describes; where it names no tree, the repository or folder around PLACE is the one.

        A PUBLIC node, one that binds more than a loopback address, keeps no snapshots unless CONFIG says so.

        `local` nodes also take places on disk as paths. Raises `invalid_request` where a tree is no folder, or where
        the configuration lies inside a tree that it serves.
        """
        from budgeted_reads.config import check_outside

        patterns = secret.DEFAULT if config.secrets.patterns is None else config.secrets.patterns
        secrets = (*patterns, *config.secrets.extra)
        said = config.snapshots
        on = not public if said.enabled is None else said.enabled
        keeping = Keeping(said.quota_bytes, said.age_days, secrets) if on else None
        trees = [
            open_tree(tree.name, tree.path, None if tree.name in said.off else keeping) for tree in config.trees
        ] or [here(os.fspath(place), keeping)]
        if config.source is not None:
            check_outside(config.source, [tree.root for tree in trees])
        return cls(
            Catalog(trees),
            name=config.node,
            defaults=Defaults(*config.defaults),
            secrets=secrets,
            max_file_bytes=config.limits.max_file_bytes,
            local=local,
        )

    def close(self) -> None:
        """End the children and remove the temporary folders of this node; it may be used again."""
        self.catalog.close()
        self._derived.close()
        with self._lock:
            if self._workers is not None:
                self._workers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(self, path: str | bytes, **fields: object) -> Answer:
        """The best view of PATH that fits: `content` costs at most `budget_tokens`, by the tokenizer that is named.

        FIELDS are those of CONTRACT section 3: view, budget_tokens, tokenizer, commit, lines, columns, section, depth,
        focus, number_lines, on_overflow, include. Raises the errors of `budgeted_reads.errors`; nothing is ever cut
        in silence.
        """
        return self.ask({**fields, "path": path})

    def read_text(self, path: str | bytes, **fields: object) -> str:
        """The same as text: one header line, then the rows; the whole text costs at most `budget_tokens`."""
        return self.ask({**fields, "path": path}, text=True).text

    def ask(self, fields: Mapping[str, object], *, text: bool = False) -> Answer:
        """The answer to a read whose FIELDS come from outside, as a JSON body or (TEXT) for a text face."""
        request = read_request(fields, self.defaults)
        if request.paths is not None or request.glob is not None:
            from budgeted_reads.many import Reader

            return Reader(self._places, self._settings, self._derived, request, as_text=text).answer()
        place = self._places.find(request.path, request.commit)
        request = _with_lines(request, place.lines)
        if place.found.kind == "submodule":
            raise NotAFile(
                f"{display(place.found.path)} is a submodule at commit {place.found.raw.decode()}",
                "serve its own repository as a tree to read it",
            )
        if request.since is not None:
            from budgeted_reads.changes.since import answer_since

            return answer_since(place, request, self._settings, self._derived, as_text=text)
        if place.found.kind == "folder":
            return self._folder(place, request, text)
        answer = answer_file(place, request, self._settings, self._derived, as_text=text)
        return self._proved(answer, place) if "proof" in request.ask.include else answer

    def dereference(self, pointer: str, *, sha256: str | None = None) -> Dereferenced:
        """The exact bytes that POINTER names, as text where they are text, else in base64, with their hash.

        With SHA256, `verification` says whether the bytes have that hash. Raises `commit_unknown`, `not_found`,
        `range_out_of_bounds`, `invalid_request` (with the place of the mistake in the pointer).
        """
        place = self._places.dereference(pointer)
        if place.found.kind in ("folder", "submodule"):
            raise NotAFile(f"{display(place.found.path)} is a {place.found.kind} at that commit", "read it instead")
        content = dereference(place.found.raw, place.found.commit or "", place.found.blob or "", place.lines)
        warnings = (*place.warnings, *place.found.warnings)
        if place.lines is not None and content.lines != place.lines and content.lines is not None:
            first, last = content.lines
            detail = f"lines {first}-{last} are there: the pointer goes on to {place.lines[1]}"
            warnings = (*warnings, Warned("clamped_range", detail))
        same = None if sha256 is None else "verified" if sha256.lower() == content.sha256 else "hash_mismatch"
        return Dereferenced(content, same, place.via, warnings)

    def diff(self, old: str, new: str | None = None, **fields: object) -> "DiffAnswer":
        """What changed from the commit OLD to NEW, the tree as it is now where that is None (CONTRACT section 7).

        FIELDS are path, budget_tokens, tokenizer. `content` costs at most `budget_tokens`: patches of what is small,
        less detail of the rest, and every changed file is accounted for.
        """
        return self.changes({**fields, "from": old, "to": new})

    def changes(self, fields: Mapping[str, object], *, text: bool = False) -> "DiffAnswer":
        """The answer to a question for changes whose FIELDS come from outside, as for `ask`."""
        from budgeted_reads.changes import diff
        from budgeted_reads.changes.ask import diff_request

        request = diff_request(fields, self.defaults)
        tree, path, warnings = self._places.locate(request.path)
        old, new = tree.resolve(request.old), tree.resolve(request.new)
        found = diff.between(tree, old, new, path, self._settings)
        found = found._replace(warnings=(*warnings, *old.warnings, *new.warnings, *found.warnings))
        return diff.answer(found, request, self._settings, self._derived, as_text=text)

    def verify(
        self, pointers: Sequence[object] | None = None, *, text: str | None = None, **fields: object
    ) -> "Verification":
        """A row for each of POINTERS, `{pointer, sha256, quote}`, or for each pointer of TEXT with its quote there.

        `verification` says what the pointer is at its commit, with every object on the way hashed anew; `drift` what
        has become of its lines in the tree as it is now. `include=["proof"]` adds the objects. A pointer that is wrong
        is a row, never an error. Raises `invalid_request`, `too_large`.
        """
        from budgeted_reads.checking import check_pointers, verify_request

        request = verify_request({**fields, "pointers": pointers, "text": text})
        if request.text is not None:
            return self.check_text(request.text).rows(proofs=request.proofs)
        return check_pointers(self._verifier(), request.pointers, proofs=request.proofs)

    def verify_text(self, text: object, **fields: object) -> str:
        """The check of every pointer of TEXT as text: totals, then a line each, the bad ones first, within the budget.

        FIELDS are budget_tokens and tokenizer. Raises `budget_too_small`, `invalid_request`, `too_large`.
        """
        from budgeted_reads.views.verdicts import tell

        for name in fields.keys() - {"budget_tokens", "tokenizer"}:
            raise InvalidRequest(f"unknown field {name[:60]!r}", "the fields are text, budget_tokens")
        request = read_request({**fields, "path": "."}, self.defaults)
        found = self.verify(text=text)  # type: ignore[arg-type]
        return tell(found.lines(), found.totals(), request.ask.budget, tokens.counter(request.tokenizer)).text

    def check_text(self, text: str) -> "TextCheck":
        """The pointers of TEXT: their rows, and the text with those written anew that have moved."""
        from budgeted_reads.checking import TextCheck

        return TextCheck(self._verifier(), self.catalog.trees, text)

    def _proved(self, answer: Answer, place: Place) -> Answer:
        """ANSWER with the objects that prove its evidence, where it has some."""
        from budgeted_reads.evidence.proof import proof
        from budgeted_reads.trees.history import Rehash

        if not answer.evidence or answer.commit is None:
            return answer
        row, encoding = answer.evidence[0], answer.file.encoding or ""
        objects = Rehash(place.tree).chain(place.found.path, answer.commit)
        return answer._replace(proof=proof(row.pointer, row.sha256, encoding, objects))

    def _verifier(self) -> "Verifier":
        from budgeted_reads.verify import Verifier

        return Verifier(self._places, self.name, self._known)

    @cached_property
    def _known(self) -> "Known":
        from budgeted_reads.known import Known

        return Known()

    def search(self, query: str, **fields: object) -> "Searched":
        """The lines that match QUERY, as snippets with pointers: `content` costs at most `budget_tokens`.

        FIELDS are those of CONTRACT section 6: mode, path, globs, commit, ignore_case, context, budget_tokens,
        tokenizer, limit, cursor, view. Totals are true, or `at_least`. Raises `invalid_pattern` with the reason.
        """
        return self.find({**fields, "query": query})

    def find(self, fields: Mapping[str, object], *, text: bool = False) -> "Searched":
        """The answer to a search whose FIELDS come from outside, as a JSON body or (TEXT) for a text face."""
        return self._searcher.search(fields, as_text=text)

    def index(self, path: str | None, told: Callable[[str, int, int], None]) -> list[tuple[str, int, bool]]:
        """Make ranked searches of PATH, or of every tree, ready: tree, files, whether all are indexed, for each.

        TOLD hears of a tree how many of how many new files are done.
        """
        return self._searcher.index(path, told)

    def _outline(self, text: "Text", path: bytes) -> Outline:
        # Not a cached property: of two that threads made at once, the children of one would never end.
        with self._lock:
            if self._workers is None:
                from budgeted_reads.workers import Workers

                self._workers = Workers()
            workers = self._workers
        return workers.outline(text, path)

    @cached_property
    def _searcher(self) -> "Searcher":
        from budgeted_reads.search.find import Searcher

        return Searcher(self._places, self._settings, self.defaults, self._derived)

    def trees(self) -> list[dict[str, object]]:
        """The trees of this node: `name`, `kind` (worktree, bare, folder) and `head`, a commit id or None."""
        return [
            {"name": tree.name, "kind": tree.kind, "head": tree.resolve(None).commit}
            for tree in self.catalog.trees.values()
        ]

    def capabilities(self) -> dict[str, object]:
        """What this node can do: versions, trees, views, tokenizers, budgets and limits (CONTRACT section 3)."""
        return {
            "program": __version__,
            "contract": CONTRACT,
            "node": self.name,
            "trees": self.trees(),
            "views": list(fields.VIEWS),
            "fields": [field.name for field in fields.READ],
            "tokenizers": [{"name": name, "exact": tokens.counter(name).exact} for name in tokens.NAMES],
            "default_budget_tokens": self.defaults.budget,
            "max_budget_tokens": self.defaults.max_budget,
            "default_tokenizer": self.defaults.tokenizer,
            "limits": {
                "max_file_bytes": self._settings.max_file_bytes,
                "exact_count_bytes": limits.EXACT_BYTES,
                "outline_bytes": limits.OUTLINE_BYTES,
                "long_line_bytes": limits.LONG_LINE_BYTES,
                "path_bytes": limits.MAX_PATH_BYTES,
            },
        }

    def _folder(self, place: Place, request: ReadRequest, as_text: bool) -> Answer:
        from budgeted_reads.folders import answer_folder

        children = place.tree.children(place.found.path, place.revision)
        commits = {
            child.path: place.tree.look(child.path, place.revision, snapshot=False).raw.decode()
            for child in children
            if child.kind == "submodule"
        }
        left = _left_out(place, len(children))
        if left:
            detail = f"{left} names are left out: git ignores them, or no file that can be read is below them"
            place = place._replace(warnings=(*place.warnings, Warned("names_left_out", detail)))
        answer = answer_folder(place, children, commits, request, self._settings, as_text=as_text)
        ask = request.ask
        if answer.view != "folder" or answer.shape.omitted or ask.lines is not None or ask.on_overflow != "degrade":
            return answer
        from budgeted_reads.many import Reader

        return Reader(self._places, self._settings, self._derived, request, as_text=as_text).into(place, answer)


def _with_lines(request: ReadRequest, lines: Range | None) -> ReadRequest:
    """REQUEST with the lines of the pointer that was its path."""
    if lines is None:
        return request
    ask = request.ask
    if ask.lines is not None or ask.section is not None:
        raise InvalidRequest("the pointer names its lines itself", "leave lines and section out, or its fragment")
    view = "lines" if ask.view in ("auto", "full") else ask.view
    return request._replace(ask=ask._replace(lines=Lines(*lines), view=view))


def _left_out(place: Place, listed: int) -> int:
    """How many names of the folder on disk are not among those LISTED."""
    if not place.revision.now or not isinstance(place.tree, WorkTree):
        return 0
    names = [name for name, _, _ in place.tree.disk.rows(place.found.path)]
    return len(names) - listed - sum(name.lower() == b".git" for name in names)
