"""A read by somebody who has seen the file at a commit: `unchanged`, or the patch, or the read with a note.

It speaks of the file, or of the lines asked for, between two commits; never of what the reader may have kept.
"""

from collections.abc import Callable
from typing import NamedTuple

from budgeted_reads import tokens
from budgeted_reads.answer import Answer, File
from budgeted_reads.changes import diff
from budgeted_reads.changes.ask import DiffRequest
from budgeted_reads.changes.blocks import patch_head
from budgeted_reads.changes.diff import Between, between, sources
from budgeted_reads.changes.noted import Read, Seen, prepare_read, read_noted
from budgeted_reads.changes.patch import FileChange, Hunk, Part
from budgeted_reads.derived import Derived
from budgeted_reads.errors import BudgetTooSmall, NotFound, ReadError
from budgeted_reads.evidence.make import Evidence, make
from budgeted_reads.large import decoded
from budgeted_reads.limits import MAX_ROWS
from budgeted_reads.outline import Range
from budgeted_reads.places import Place
from budgeted_reads.reads import Prepared, Settings, heading_of, spelled
from budgeted_reads.request import ReadRequest
from budgeted_reads.text import Text
from budgeted_reads.trees.base import Found, Revision
from budgeted_reads.views.ask import resolve
from budgeted_reads.views.face import Face, Heading, Printed, label
from budgeted_reads.views.sections import Index
from budgeted_reads.views.view import Step, View

AROUND = 15
"""Lines around the changes are shown where the patch then costs at most this part of the whole text, in per cent."""


def answer_since(place: Place, request: ReadRequest, settings: Settings, derived: Derived, *, as_text: bool) -> Answer:
    """The answer for the file, link or folder at PLACE to a reader who has seen it at `request.since`.

    Raises what a read raises, and `commit_unknown`, `ambiguous_commit`.
    """
    revision = place.tree.resolve(request.since)
    place = place._replace(warnings=(*place.warnings, *revision.warnings))
    seen = Seen(revision, revision.commit or "", _look(place, revision))
    read = Read(place, request, settings, derived, seen, as_text)
    if place.found.kind == "folder":
        return _folder(read)
    if _same_file(place.found, seen.found) and request.ask.lines is None and request.ask.section is None:
        return _unchanged(read, None, "")
    prepared = prepare_read(read)
    lines = prepared.reading.range
    if lines is not None and (said := _same_lines(read, prepared, lines)) is not None:
        return _unchanged(read, lines, said)
    patch = _patch(read, prepared, lines)
    if patch is None:
        return read_noted(read, prepared, lines)
    given = next((told for told in patch.told if told.printed.bound <= request.ask.budget), None)
    return _given(read, patch, given, lines) if given else read_noted(read, prepared, lines, _step(prepared, patch))


def _look(place: Place, revision: Revision) -> Found | None:
    try:
        return place.tree.look(place.found.path, revision, snapshot=False)
    except NotFound:
        return None


def _same_file(new: Found, old: Found | None) -> bool:
    return old is not None and old.kind == new.kind and old.raw == new.raw


# Unchanged


def _same_lines(read: Read, prepared: Prepared, lines: Range) -> str | None:
    """What is said where the LINES asked for are the same bytes at the other commit, None where they are not.

    Lines asked for by number are those of the same numbers; those of a section may stand elsewhere.
    """
    old = read.seen.found
    if old is None or old.kind != read.place.found.kind:
        return None
    try:
        text = decoded(old.raw)
        was = _range_in(read, text)
    except ReadError:
        return None
    if was is None or text.bytes_of(*was) != prepared.kept.sheet.text.bytes_of(*lines):
        return None
    return "" if was == lines else f", {was[0]}-{was[1]} is now {lines[0]}-{lines[1]}"


def _range_in(read: Read, text: Text) -> Range | None:
    """The lines asked for in the old TEXT; None where it does not have them all."""
    ask = read.request.ask
    if ask.section is not None:
        entry = Index(read.settings.outliner(text, read.place.found.path).entries).find(ask.section).entry
        return entry.start, entry.end
    if ask.lines is None:
        return None
    return resolve(ask.lines, text.line_count)[0]


def _unchanged(read: Read, lines: Range | None, said: str) -> Answer:
    """The answer that nothing asked for has changed; in text, what is said stands in the header."""
    face = _face(read)

    def header(path: bool) -> Callable[[int], str]:
        return lambda count: _header(read, face, "unchanged", lines, (count, said), path=path)

    content = "" if read.as_text else f"unchanged{said}\n"
    for path in (True, False):
        printed = face.print(content, header(path))
        if printed.bound <= read.request.ask.budget:
            break
    else:
        raise BudgetTooSmall(
            f"{read.request.ask.budget} tokens are too few: to say that nothing changed costs {printed.bound}",
            f"ask with budget_tokens {printed.bound} or more",
            minimum_tokens=printed.bound,
        )
    return _answer(read, "unchanged", lines, content, printed)


def _face(read: Read) -> Face:
    heading = heading_of(read.place, read.settings, read.place.warnings) if read.as_text else None
    return Face(tokens.counter(read.request.tokenizer), "unknown", heading)


def _header(
    read: Read, face: Face, view: str, lines: Range | None, counts: tuple[int, str], *, path: bool = True
) -> str:
    """`unchanged docs/a.md@0123456789ab 21t since 89abcdef0123`; without PATH only the view and the tokens."""
    heading: Heading | None = face.heading
    if heading is None:
        return ""
    count, said = counts
    if not path:
        return f"{view} {count}t{said}"
    words = [] if face.counter.exact else [f"~{face.counter.name}"]
    return " ".join([view, label(heading, lines), f"{count}t", f"since {read.short}{said}", *words, *heading.notes])


def _answer(read: Read, view: str, lines: Range | None, content: str, printed: Printed) -> Answer:
    """An answer of a VIEW that only `since` gives."""
    found, request, counter = read.place.found, read.request, tokens.counter(read.request.tokenizer)
    shape = View(
        view=view,
        requested=request.ask.view,
        degraded=False,
        content=content,
        header=printed.header,
        tokens=printed.tokens,
        bound=printed.bound,
        full=printed.bound,
        lines=lines,
    )
    return Answer(
        view=view,
        requested_view=request.ask.view,
        degraded=False,
        tokens=printed.tokens,
        upper_bound=printed.bound,
        budget_tokens=request.ask.budget,
        tokenizer=counter.name,
        exact=counter.exact,
        truncated=False,
        content=content,
        text=shape.text,
        shape=shape,
        commit=found.commit,
        blob=found.blob,
        snapshot={"base": found.base, "dirty": True} if found.dirty else None,
        warnings=(*read.place.warnings, *found.warnings, *request.warnings),
        file=File(spelled(found.path), found.kind, None, 0, len(found.raw), 0, False, None, False, "none"),
        since={"commit": read.seen.commit, "status": "unchanged" if view == "unchanged" else "changed"},
    )


# The patch


class Told(NamedTuple):
    """A patch as it may be given, and its cost."""

    content: str
    printed: Printed


class Patch(NamedTuple):
    """The changes asked for; `told` are the ways in which they may be given, with lines around them first."""

    between: Between
    change: FileChange
    hunks: list[Hunk]
    told: list[Told]


def _patch(read: Read, prepared: Prepared, lines: Range | None) -> Patch | None:
    """The changes to the file, or to the LINES asked for, where they cost less than showing all of it."""
    found = _between(read)
    if found is None:
        return None
    change = next((one for one in found.changes if one.path == read.place.found.path), None)
    if change is None or not change.hunks or change.halves or change.letter == "A":
        return None
    blobs = found.blobs(read.settings, read.derived)
    if blobs.closed(change) or blobs.holds_key(change):
        return None
    hunks = _touching(change, lines)
    if not hunks:
        return None
    face = _face(read)
    full = min(prepared.reading.full, prepared.reading.asked.bound)
    # Who has seen the file needs no lines around a change, but they help where they cost little.
    around = full * AROUND // 100
    told = []
    for parts, most in (
        ([hunk.around for hunk in hunks], around),
        ([part for hunk in hunks for part in hunk.parts if _touches(part, lines)], full - 1),
    ):
        content = _spelled_patch(change, parts)
        if content is None:
            return None
        printed = face.print(content, lambda count: _header(read, face, "patch", lines, (count, "")))
        if printed.bound <= most:
            told.append(Told(content, printed))
    return Patch(found, change, hunks, told) if told else None


def _given(read: Read, patch: Patch, told: Told, lines: Range | None) -> Answer:
    made = _answer(read, "patch", lines, told.content, told.printed)
    return _with_evidence(read, made, patch.between, patch.change, patch.hunks)


def _step(prepared: Prepared, patch: Patch) -> Step | None:
    """The least budget that gives PATCH; None where that is not sure, as the whole is estimated and hardly dearer."""
    printed = min((told.printed for told in patch.told), key=lambda printed: printed.bound)
    reading = prepared.reading
    # A budget of a quarter of what the whole may cost makes it counted.
    if not reading.all.exact and 4 * printed.bound >= reading.full:
        return None
    return Step(printed.bound, "patch", printed.tokens)


def _between(read: Read) -> Between | None:
    try:
        return between(read.place.tree, read.seen.revision, read.place.revision, read.place.found.path, read.settings)
    except ReadError:
        return None  # what cannot be compared is read


def _touching(change: FileChange, lines: Range | None) -> list[Hunk]:
    """The hunks that have to do with LINES, by their numbers on either side."""
    if lines is None:
        return list(change.hunks)
    return [hunk for hunk in change.hunks if any(_touches(part, lines) for part in hunk.parts)]


def _touches(part: Part, lines: Range | None) -> bool:
    if lines is None:
        return True
    for first, count in (part.old, part.new):
        # Where a side has no line, it is the place between two.
        if first <= lines[1] and max(first, first + count - 1) >= lines[0] - (not count):
            return True
    return False


def _spelled_patch(change: FileChange, parts: list[Part]) -> str | None:
    """The patch of PARTS as text; None where its bytes are no UTF-8."""
    try:
        body = b"".join(part.head().encode() + b"\n" + part.body for part in parts).decode("utf-8")
    except UnicodeDecodeError:
        return None
    return patch_head(change) + body


def _with_evidence(read: Read, answer: Answer, found: Between, change: FileChange, hunks: list[Hunk]) -> Answer:
    if read.as_text:
        return answer
    blobs = found.blobs(read.settings, read.derived)
    rows: list[Evidence] = []
    told = []
    places = sources(found, change, read.settings)
    for hunk in hunks[:MAX_ROWS]:
        told.append({"old": places[0].side(hunk.old), "new": places[1].side(hunk.new)})
        for side, (source, lines) in enumerate(zip(places, (hunk.old, hunk.new), strict=True)):
            text = blobs.text(change, side)
            if lines is not None and text is not None and source.commit is not None and len(rows) < MAX_ROWS:
                id = change.ids[side]
                rows.append(make(source.node, source.tree, source.path, source.commit, id, text, lines))
    counts = {"added": change.added, "removed": change.removed, "hunks": told}
    since = {**(answer.since or {}), **counts}
    return answer._replace(evidence=tuple(rows), since=since)


# Folders


def _folder(read: Read) -> Answer:
    """What changed in the folder."""
    place, request = read.place, read.request
    found = between(place.tree, read.seen.revision, place.revision, place.found.path, read.settings)
    found = found._replace(warnings=(*place.warnings, *found.warnings))
    asked = DiffRequest(
        request.since or "", request.commit, None, request.ask.budget, request.tokenizer, request.warnings
    )
    told = diff.answer(found, asked, read.settings, read.derived, as_text=read.as_text)
    printed = Printed(told.text.partition("\n")[0] + "\n" if read.as_text else "", told.tokens, told.upper_bound)
    made = _answer(read, told.view, None, told.content, printed)
    since = {
        "commit": read.seen.commit,
        "status": "unchanged" if told.view == "unchanged" else "changed",
        **{name: told.to_dict()[name] for name in ("file_total", "added", "removed", "files", "omitted", "next")},
    }
    return made._replace(
        text=told.text, degraded=told.degraded, evidence=told.evidence, since=since, warnings=told.warnings
    )
