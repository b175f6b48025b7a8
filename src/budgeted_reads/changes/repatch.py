"""The patch of a file, or of the lines asked for, to a reader who has seen them: where it costs less than the text."""

from typing import NamedTuple

from budgeted_reads.answer import Answer
from budgeted_reads.changes.answer import Source
from budgeted_reads.changes.blocks import patch_head
from budgeted_reads.changes.lines import change_of_lines
from budgeted_reads.changes.patch import FileChange, Part
from budgeted_reads.changes.seen import Read, Then, compared
from budgeted_reads.changes.shown import answer_of, face_of, file_now, header_of
from budgeted_reads.evidence.make import Evidence, make
from budgeted_reads.large import decoded
from budgeted_reads.limits import MAX_ROWS
from budgeted_reads.outline import Range
from budgeted_reads.reads import Prepared
from budgeted_reads.views.face import Printed
from budgeted_reads.views.view import Step

AROUND = 15
"""Lines around the changes are shown where the patch then costs at most this part of the whole text, in per cent."""


class Told(NamedTuple):
    """A patch as it may be given, and its cost."""

    content: str
    printed: Printed


class Patch(NamedTuple):
    """The changes asked for; `told` are the ways in which they may be given, with lines around them first."""

    change: FileChange
    told: list[Told]


def patch_of(read: Read, prepared: Prepared, lines: Range | None, then: Then | None) -> Patch | None:
    """The patch that makes of the file, or of the lines THEN, what stands there now, in LINES.

    None where it cannot be told or costs no less than showing all of it.
    """
    change = _change(read, prepared, lines, then)
    if change is None or not change.hunks:
        return None
    face = face_of(read)
    full = min(prepared.reading.full, prepared.reading.asked.bound)
    # Who has seen the file needs no lines around a change, but they help where they cost little.
    around = full * AROUND // 100
    told = []
    for parts, most in (
        ([hunk.around for hunk in change.hunks], around),
        ([part for hunk in change.hunks for part in hunk.parts], full - 1),
    ):
        content = _spelled(change, parts)
        if content is None:
            return None
        printed = face.print(content, lambda count: header_of(read, face, "patch", lines, (count, "")))
        if printed.bound <= most:
            told.append(Told(content, printed))
    return Patch(change, told) if told else None


def _change(read: Read, prepared: Prepared, lines: Range | None, then: Then | None) -> FileChange | None:
    if lines is not None:
        return None if then is None else change_of_lines(read, then, Then(prepared.kept.sheet.text, lines))
    found = read.seen.differs or compared(read.place, read.seen.revision, read.settings)
    if found is None or read.seen.found is None:
        return None
    change = next((one for one in found.changes if one.path == read.place.found.path), None)
    if change is None or change.halves:
        return None
    blobs = found.blobs(read.settings, read.derived)
    return None if blobs.closed(change) or blobs.holds_key(change) else change


def step_of(prepared: Prepared, patch: Patch) -> Step | None:
    """The least budget that gives PATCH; None where that is not sure, as the whole is estimated and hardly dearer."""
    printed = min((told.printed for told in patch.told), key=lambda printed: printed.bound)
    reading = prepared.reading
    # A budget of a quarter of what the whole may cost makes it counted.
    if not reading.all.exact and 4 * printed.bound >= reading.full:
        return None
    return Step(printed.bound, "patch", printed.tokens)


def answer_patch(read: Read, prepared: Prepared, patch: Patch, told: Told, lines: Range | None) -> Answer:
    """The answer that gives PATCH as it was TOLD; JSON points at the changed lines on both sides."""
    made = answer_of(read, "patch", lines, told.content, told.printed, file_now(read, prepared))
    if read.as_text or read.seen.found is None:
        return made
    founds = read.seen.found, read.place.found
    where = read.settings.node, read.place.tree.name
    places = [Source(*where, found.path, found.commit) for found in founds]
    texts = decoded(founds[0].raw), prepared.kept.sheet.text
    rows: list[Evidence] = []
    hunks = []
    for hunk in patch.change.hunks[:MAX_ROWS]:
        hunks.append({"old": places[0].side(hunk.old), "new": places[1].side(hunk.new)})
        for found, text, lines_there in zip(founds, texts, (hunk.old, hunk.new), strict=True):
            if lines_there is not None and found.commit and found.blob and len(rows) < MAX_ROWS:
                rows.append(make(*where, found.path, found.commit, found.blob, text, lines_there))
    since = {**(made.since or {}), "added": patch.change.added, "removed": patch.change.removed, "hunks": hunks}
    return made._replace(evidence=tuple(rows), since=since)


def _spelled(change: FileChange, parts: list[Part]) -> str | None:
    """The patch of PARTS as text; None where its bytes are no UTF-8."""
    try:
        body = b"".join(part.head().encode() + b"\n" + part.body for part in parts).decode("utf-8")
    except UnicodeDecodeError:
        return None
    return patch_head(change) + body
