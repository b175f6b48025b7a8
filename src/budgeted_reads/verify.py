"""Checks of pointers (CONTRACT section 4): from a pointer, a hash and a quote to one row, with what has become of it.

One `Verifier` serves one request: what it has looked up it keeps, so ten thousand pointers to a few files cost little
more than those files.
"""

from collections.abc import Iterable

from budgeted_reads import pointer
from budgeted_reads.drift import Content, Drift, Drifts, Standing
from budgeted_reads.errors import (
    AmbiguousCommit,
    CommitUnknown,
    ForbiddenPath,
    InvalidRequest,
    NotAFile,
    NotFound,
    ReadError,
    TreeUnknown,
)
from budgeted_reads.evidence import proof, quotes
from budgeted_reads.evidence.checked import Checked
from budgeted_reads.known import Known
from budgeted_reads.outline import Range, Warned
from budgeted_reads.places import Place, Places
from budgeted_reads.pointer import Pointer
from budgeted_reads.trees import history
from budgeted_reads.trees.base import Revision, Tree

_ELSEWHERE = ("shallow", "partial", "snapshot_pruned")
"""Reasons for which a commit may be missing that is true: what else there is to say tells how to get it."""


class Verifier:
    """Checks pointers against the trees behind PLACES; NODE is the name of this node."""

    def __init__(self, places: Places, node: str, known: Known) -> None:
        self._places = places
        self._node = node
        self._standings: dict[Pointer, Standing | ReadError] = {}
        self._rehash: dict[str, history.Rehash] = {}
        self._drifts = Drifts(known)

    def check(self, text: str, sha256: str | None = None, quote: str | None = None, *, proofs: bool = False) -> Checked:
        """The row of the pointer TEXT: whether it stands, has that SHA256 and holds that QUOTE, and where it is now."""
        try:
            named = pointer.parse(text)
        except InvalidRequest as error:
            return Checked(text, "syntax_error", detail=error.detail)
        return self.check_parsed(text, named, sha256, quote, proofs=proofs)

    def check_parsed(
        self, text: str, named: Pointer, sha256: str | None = None, quote: str | None = None, *, proofs: bool = False
    ) -> Checked:
        """The same for a pointer that is parsed, or that a link stands for; TEXT is as it was written."""
        standing = self.standing(named)
        if isinstance(standing, ReadError):
            return self._refused(text, named, standing)
        place, content = standing.place, standing.content
        found = place.found
        row = Checked(text, "exists", via=place.via, commit=found.commit, blob=found.blob)
        row = row._replace(warnings=(*place.warnings, *found.warnings))
        if content is None:
            return self._folder(row, standing, named, asked=sha256 is not None or quote is not None)
        count = content.text.line_count
        if named.lines is not None and named.lines[1] > count:
            detail = f"the file has {count} lines"
            return row._replace(verification="range_out_of_bounds", line_count=count, detail=detail)
        lines = named.lines or ((1, count) if count else None)
        row = row._replace(sha256=_sha256(content, lines))
        row = _compared(row, content, lines, sha256, quote)
        if proofs:
            shown = pointer.format_pointer(self._node, place.tree.name, found.path, found.commit or "", named.lines)
            row = row._replace(proof=proof.proof(shown, row.sha256, content.text.encoding, standing.objects))
        return self._drifted(row, standing, content, lines)

    def close(self) -> None:
        """End the children of git that were started; it may be used again."""
        self._drifts.close()

    def prepare(self, named: Iterable[Pointer]) -> None:
        """Look up NAMED together, which costs less than one by one; the rows are the same without."""
        found = {
            pointer: self.standing(pointer) for pointer in dict.fromkeys(one._replace(lines=None) for one in named)
        }
        self._drifts.prepare([one for one in found.values() if not isinstance(one, ReadError)])

    def standing(self, named: Pointer) -> Standing | ReadError:
        """What NAMED stands for, whatever its lines, or why there is nothing."""
        key = named._replace(lines=None)
        if key not in self._standings:
            try:
                self._standings[key] = self._stand(key)
            except ReadError as error:
                self._standings[key] = error
        return self._standings[key]

    def moved(self, named: Pointer, row: Checked) -> tuple[Place, Drift] | None:
        """Where at HEAD the very bytes of a good ROW stand, if its pointer should name that commit instead.

        It should where they have moved or their file was renamed, and where it names a snapshot.
        """
        standing = self.standing(named)
        if not row.good or row.via or isinstance(standing, ReadError) or standing.content is None:
            return None
        count = standing.content.text.line_count
        drift = self._drifts.of(standing, standing.content, named.lines or ((1, count) if count else None), now=False)
        head = self.head(standing.place.tree)
        if drift is None or drift.state not in ("unchanged", "moved", "renamed") or head is None:
            return None
        if drift.state == "renamed" and drift.overlap is not None:
            return None
        if drift.state == "unchanged" and not standing.place.found.dirty:
            return None
        whole = named.lines is None and drift.lines == ((1, count) if count else None)
        if whole and self._drifts.count(standing.place.tree, drift.path) == count:
            drift = drift._replace(lines=None)
        return standing.place, drift

    def head(self, tree: Tree) -> str | None:
        """The commit of HEAD of TREE."""
        return self._drifts.head(tree)

    def _stand(self, named: Pointer) -> Standing:
        place = self._places.follow(named)
        found = place.found
        if found.kind == "submodule":
            raise NotAFile(f"{pointer.display(found.path)} is a submodule at that commit", "ask its own repository")
        if place.tree.name not in self._rehash:
            self._rehash[place.tree.name] = history.Rehash(place.tree)
        objects = self._rehash[place.tree.name].chain(found.path, found.commit or "", found)
        return Standing(place, None if found.kind == "folder" else self._drifts.content(found), objects)

    def _refused(self, text: str, named: Pointer, error: ReadError) -> Checked:
        """The row of a pointer that names nothing here, or nothing that can be believed."""
        row = Checked(text, error.code, detail=error.detail)
        members = error.members
        if members.get("reason") == "object_corrupt":
            return row._replace(verification="object_corrupt")
        if isinstance(error, (CommitUnknown, TreeUnknown)):
            if named.node not in (None, self._node):
                return row._replace(verification="node_unknown", detail=f"this node is {self._node}; {error.detail}")
            if named.node is not None and not self._serves(named):
                return row._replace(verification="tree_unknown")
            reason = members.get("reason")
            # What would bring the commit here belongs to the answer: the pointer may well be true.
            more = f": {error.hint}" if reason in _ELSEWHERE else ""
            return row._replace(reason=None if reason is None else str(reason), detail=f"{error.detail}{more}")
        if isinstance(error, AmbiguousCommit):
            return row._replace(candidates=tuple(members.get("candidates", ())))  # type: ignore[arg-type]
        if isinstance(error, NotAFile):
            return row
        if isinstance(error, NotFound):
            return row._replace(verification="path_missing", near=error.near)
        if isinstance(error, (ForbiddenPath, InvalidRequest)):
            return row._replace(verification="path_missing")
        return row

    def _serves(self, named: Pointer) -> bool:
        try:
            pointer.split(named, self._places.catalog.trees)
        except TreeUnknown:
            return False
        return True

    def _folder(self, row: Checked, standing: Standing, named: Pointer, *, asked: bool) -> Checked:
        """A folder is its tree id: it has no lines, no hash and no quote, and is compared with HEAD."""
        place = standing.place
        if asked or named.lines is not None:
            detail = f"{pointer.display(place.found.path)} is a folder at that commit"
            return row._replace(verification="not_a_file", detail=detail)
        head = self.head(place.tree)
        if head is None:
            return row
        try:
            there = place.tree.look(place.found.path, Revision(head, now=False), snapshot=False)
        except ReadError:
            return row._replace(drift=self._drifts.gone(standing, head))
        return row._replace(drift="unchanged" if there.blob == place.found.blob else "changed")

    def _drifted(self, row: Checked, standing: Standing, content: Content, lines: Range | None) -> Checked:
        place = standing.place
        try:
            drift = self._drifts.of(standing, content, lines, now=True)
        except ReadError as error:
            return row._replace(warnings=(*row.warnings, Warned("drift_unknown", error.line())))
        if drift is None:
            return row
        other = drift.path != place.found.path
        row = row._replace(
            drift=drift.state,
            lines=None if drift.state == "unchanged" else drift.lines,
            path=pointer.display(drift.path) if other else None,
            overlap=drift.overlap,
        )
        if drift.state not in ("moved", "renamed") or drift.overlap is not None:
            return row
        head = self.head(place.tree)
        at_head = (
            drift
            if self._drifts.is_head(place.tree, drift.path)
            else self._drifts.of(standing, content, lines, now=False)
        )
        if head is None or at_head is None or at_head.state not in ("moved", "renamed"):
            return row
        spelled = pointer.format_pointer(self._node, place.tree.name, at_head.path, head, at_head.lines)
        return row._replace(now=spelled)


def _sha256(content: Content, lines: Range | None) -> str:
    import hashlib

    return hashlib.sha256(content.lines.block(*lines) if lines else b"").hexdigest()


def _compared(row: Checked, content: Content, lines: Range | None, sha256: str | None, quote: str | None) -> Checked:
    """ROW with what its hash and its quote say: both must hold, the hash is said first."""
    row = row._replace(quote=quote)
    if sha256 is not None and sha256.lower() != row.sha256:
        return row._replace(verification="hash_mismatch")
    if quote is not None:
        match = quotes.match(quote, content.text, lines)
        if not match.matches:
            return row._replace(
                verification="quote_mismatch", found_at=match.found_at, difference=match.difference or None
            )
    return row if sha256 is None and quote is None else row._replace(verification="verified")
