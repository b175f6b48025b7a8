"""The facade: one node, its trees, and what can be asked of them."""

import os
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from budgeted_reads import tokens
from budgeted_reads.answer import Answer, Dereferenced, File
from budgeted_reads.errors import BinaryFile, InvalidRequest, NotAFile
from budgeted_reads.evidence.make import Evidence, dereference, make
from budgeted_reads.limits import EXACT_BYTES
from budgeted_reads.outline import Outline, Range, Warned
from budgeted_reads.outline.registry import outline
from budgeted_reads.places import Place, Places
from budgeted_reads.pointer import display, node_name
from budgeted_reads.request import Defaults, ReadRequest, read_request
from budgeted_reads.text import Text, decode
from budgeted_reads.tokens.kinds import kind_of
from budgeted_reads.trees.catalog import Catalog, here, open_tree
from budgeted_reads.views.ask import Lines
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.read import reading


class Node:
    """One running installation: reads files of its trees within a budget, and follows pointers back to their bytes.

    A node holds child processes of git from its first read on; close it, or use it in a `with` block.

        >>> with Node.open("/srv/notes") as node:                                      # doctest: +SKIP
        ...     print(node.read("renewal.md", budget_tokens=400).content)
    """

    def __init__(
        self, catalog: Catalog, *, name: str = "local", defaults: Defaults | None = None, local: bool = True
    ) -> None:
        self.name = node_name(name)
        self.catalog = catalog
        self.defaults = defaults or Defaults()
        self._places = Places(catalog, local=local)

    @classmethod
    def open(cls, place: str | os.PathLike[str] = ".", *, tree: str | None = None, name: str = "local") -> Self:
        """A node with one tree: the folder or repository PLACE, named TREE, else after its folder.

        Without TREE the repository around PLACE is taken. Raises `invalid_request` where PLACE is no folder.
        """
        where = os.fspath(place)
        return cls(Catalog([here(where) if tree is None else open_tree(tree, where)]), name=name)

    def close(self) -> None:
        """End the children and remove the temporary folders of this node."""
        self.catalog.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(self, path: str | bytes, **fields: object) -> Answer:
        """The best view of PATH that fits: `content` costs at most `budget_tokens`, by the tokenizer that is named.

        FIELDS are those of CONTRACT section 3: view, budget_tokens, tokenizer, commit, lines, section, number_lines,
        include. Raises the errors of `budgeted_reads.errors`; nothing is ever cut in silence.
        """
        return self.ask({**fields, "path": path})

    def read_text(self, path: str | bytes, **fields: object) -> str:
        """The same as text: one header line, then the rows; the whole text costs at most `budget_tokens`."""
        return self.ask({**fields, "path": path}, text=True).text

    def ask(self, fields: Mapping[str, object], *, text: bool = False) -> Answer:
        """The answer to a read whose FIELDS come from outside, as a JSON body or (TEXT) for a text face."""
        request = read_request(fields, self.defaults)
        place = self._places.find(request.path, request.commit)
        request = _with_lines(request, place.lines)
        if place.found.kind in ("folder", "submodule"):
            raise NotAFile(f"{display(place.found.path)} is a {place.found.kind}, not a file", "name a file in it")
        return self._answer(place, request, text)

    def dereference(self, pointer: str, *, sha256: str | None = None) -> Dereferenced:
        """The exact bytes that POINTER names, as text where they are text, else in base64, with their hash.

        With SHA256, `verification` says whether the bytes have that hash. Raises `commit_unknown`, `not_found`,
        `range_out_of_bounds`, `invalid_request` (with the place of the mistake in the pointer).
        """
        place = self._places.dereference(pointer)
        if place.found.kind in ("folder", "submodule"):
            raise NotAFile(f"{display(place.found.path)} is a {place.found.kind} at that commit", "name a file in it")
        content = dereference(place.found.raw, place.found.commit or "", place.found.blob or "", place.lines)
        same = None if sha256 is None else "verified" if sha256.lower() == content.sha256 else "hash_mismatch"
        return Dereferenced(content, same, place.via, (*place.warnings, *place.found.warnings))

    def trees(self) -> list[dict[str, object]]:
        """The trees of this node: name, kind (worktree, bare, folder) and the commit of HEAD, or None."""
        rows: list[dict[str, object]] = []
        for tree in self.catalog.trees.values():
            head = tree.resolve(None).commit
            rows.append({"name": tree.name, "kind": tree.kind, "head": head})
        return rows

    def _answer(self, place: Place, request: ReadRequest, as_text: bool) -> Answer:
        found, ask = place.found, request.ask
        text = self._decode(place)
        shape = outline(text, found.path)
        counter = tokens.counter(request.tokenizer)
        kind = kind_of(text.content, shape.format, shape.style)
        warnings = (*place.warnings, *found.warnings, *_decoding(text), *shape.warnings, *request.warnings)
        heading = Heading(self._label(place), found.commit and found.commit[:12], _notes(place, warnings))
        face = Face(counter, kind, heading if as_text else None)
        under_way = reading(text, shape, ask, face)
        view = under_way.answer()
        evidence: tuple[Evidence, ...] = ()
        if found.commit is not None and found.blob is not None:
            evidence = (
                make(self.name, place.tree.name, found.path, found.commit, found.blob, text, view.shown or view.lines),
            )
        entries = shape.entries if "entries" in ask.include else None
        return Answer(
            view=view.view,
            requested_view=view.requested,
            degraded=view.degraded,
            tokens=view.tokens,
            upper_bound=view.bound,
            budget_tokens=ask.budget,
            tokenizer=counter.name,
            exact=counter.exact,
            truncated=view.truncated,
            content=view.content,
            text=view.text if as_text else "",
            evidence=evidence,
            shape=view,
            file=_file(found.path, text, shape, face),
            commit=found.commit,
            blob=found.blob,
            snapshot=None if found.commit else {"base": found.base, "dirty": found.dirty, "reason": found.reason},
            entries=entries,
            entry_tokens={} if entries is None else {lines: under_way.cost_of_lines(lines) for lines in _ranges(shape)},
            warnings=(*warnings, *view.warnings),
        )

    def _decode(self, place: Place) -> Text:
        try:
            return decode(place.found.raw)
        except BinaryFile as error:
            path = display(place.found.path)
            raise BinaryFile(f"{path}: {error.detail}", error.hint, **{**error.members, "path": path}) from None

    def _label(self, place: Place) -> bytes:
        if len(self.catalog.trees) == 1:
            return place.found.path
        return b"/" + place.tree.name.encode() + b"/" + place.found.path


def _with_lines(request: ReadRequest, lines: Range | None) -> ReadRequest:
    """REQUEST with the lines of the pointer that was its path."""
    if lines is None:
        return request
    ask = request.ask
    if ask.lines is not None or ask.section is not None:
        raise InvalidRequest("the pointer names its lines itself", "leave lines and section out, or its fragment")
    view = "lines" if ask.view in ("auto", "full") else ask.view
    return request._replace(ask=ask._replace(lines=Lines(*lines), view=view))


def _decoding(text: Text) -> list[Warned]:
    warnings = []
    if text.guessed:
        warnings.append(Warned("guessed_encoding", f"read as {text.encoding}"))
    if text.lossy:
        warnings.append(Warned("lossy_decoding", "bytes that are no text are shown as U+FFFD"))
    return warnings


def _notes(place: Place, warnings: tuple[Warned, ...]) -> tuple[str, ...]:
    words = ["dirty"] if place.found.dirty else []
    return (*words, *dict.fromkeys(warned.code for warned in warnings))


def _ranges(shape: Outline) -> list[Range]:
    ranges, stack = [], list(shape.entries)
    while stack:
        entry = stack.pop()
        ranges.append((entry.start, entry.end))
        stack.extend(entry.children)
    return list(dict.fromkeys(ranges))


def _file(path: bytes, text: Text, shape: Outline, face: Face) -> File:
    exact = len(text.raw) <= EXACT_BYTES
    units = 0 if face.is_text else face.counter.units(text.content)
    return File(
        path=display(path),
        format=shape.format,
        language=shape.language,
        line_count=text.line_count,
        bytes=len(text.raw),
        tokens=face.tokens(units),
        tokens_exact=exact,
        encoding=text.encoding,
        bom=text.bom,
        line_ending=text.line_ending,
        facts=shape.facts,
    )
