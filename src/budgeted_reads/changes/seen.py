"""What a reader has seen: the file at the other commit under the name it had there, and the lines asked for of it."""

from typing import NamedTuple

from budgeted_reads.changes.diff import Between, between
from budgeted_reads.derived import Derived
from budgeted_reads.errors import NotFound, ReadError
from budgeted_reads.large import decoded
from budgeted_reads.outline import Range
from budgeted_reads.places import Place
from budgeted_reads.reads import Settings
from budgeted_reads.request import ReadRequest
from budgeted_reads.text import Text
from budgeted_reads.trees.base import Found, Revision
from budgeted_reads.views.ask import resolve
from budgeted_reads.views.sections import Index


class Seen(NamedTuple):
    """What stood at the place at the commit that the reader has seen; `found` is None where nothing did.

    A file that was renamed since stands at its old path. `differs` is the comparison that was made to find that out.
    """

    revision: Revision
    commit: str
    found: Found | None
    differs: Between | None = None


class Read(NamedTuple):
    """One read under way, with everything that its answer needs."""

    place: Place
    request: ReadRequest
    settings: Settings
    derived: Derived
    seen: Seen
    as_text: bool

    @property
    def short(self) -> str:
        """The commit that was seen, as text prints it."""
        return self.place.tree.abbreviate(self.seen.commit)

    @property
    def old_path(self) -> bytes | None:
        """The path that the file had where it has another now."""
        old = self.seen.found
        return None if old is None or old.path == self.place.found.path else old.path


class Then(NamedTuple):
    """The lines asked for as they were: the file as text, and their range in it."""

    text: Text
    lines: Range


def look_back(place: Place, revision: Revision, settings: Settings) -> Seen:
    """What stood at PLACE at REVISION, else what git finds to have been renamed to it since."""
    commit, path = revision.commit or "", place.found.path
    found = _look(place, path, revision)
    if found is not None or place.found.kind == "folder":
        return Seen(revision, commit, found)
    differs = compared(place, revision, settings)
    renamed = next((one.old_path for one in differs.changes if one.path == path), None) if differs else None
    return Seen(revision, commit, None if renamed is None else _look(place, renamed, revision), differs)


def compared(place: Place, revision: Revision, settings: Settings) -> Between | None:
    """What differs at PLACE since REVISION; None for what cannot be compared: it is read."""
    try:
        return between(place.tree, revision, place.revision, place.found.path, settings)
    except ReadError:
        return None


def lines_then(read: Read) -> Then | None:
    """The lines asked for as they were; None where there were none, or what stood there was of another kind.

    Lines asked for by number are those of the same numbers; those of a section may stand elsewhere.
    """
    old, ask = read.seen.found, read.request.ask
    if old is None or old.kind != read.place.found.kind:
        return None
    try:
        text = decoded(old.raw)
        if ask.section is not None:
            entry = Index(read.settings.outliner(text, old.path).entries).find(ask.section).entry
            return Then(text, (entry.start, entry.end))
        return None if ask.lines is None else Then(text, resolve(ask.lines, text.line_count)[0])
    except ReadError:
        return None


def _look(place: Place, path: bytes, revision: Revision) -> Found | None:
    try:
        return place.tree.look(path, revision, snapshot=False)
    except NotFound:
        return None
