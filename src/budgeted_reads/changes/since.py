"""A read by somebody who has seen the file at a commit: `unchanged`, or the patch, or the read with a note.

It speaks of the file, or of the lines asked for, between two commits; never of what the reader may have kept.
"""

from budgeted_reads.answer import Answer
from budgeted_reads.changes import diff
from budgeted_reads.changes.ask import DiffRequest
from budgeted_reads.changes.noted import prepare_read, read_noted
from budgeted_reads.changes.repatch import answer_patch, patch_of, step_of
from budgeted_reads.changes.seen import Read, Then, lines_then, look_back
from budgeted_reads.changes.shown import answer_of, face_of, file_now, header_of, unknown_file
from budgeted_reads.derived import Derived
from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.outline import Range
from budgeted_reads.places import Place
from budgeted_reads.pointer import display
from budgeted_reads.reads import Prepared, Settings
from budgeted_reads.request import ReadRequest
from budgeted_reads.trees.base import Found
from budgeted_reads.views.face import Printed


def answer_since(place: Place, request: ReadRequest, settings: Settings, derived: Derived, *, as_text: bool) -> Answer:
    """The answer for the file, link or folder at PLACE to a reader who has seen it at `request.since`.

    Raises what a read raises, and `commit_unknown`, `ambiguous_commit`.
    """
    revision = place.tree.resolve(request.since)
    place = place._replace(warnings=(*place.warnings, *revision.warnings))
    read = Read(place, request, settings, derived, look_back(place, revision, settings), as_text)
    if place.found.kind == "folder":
        return _folder(read)
    if _same_file(place.found, read.seen.found) and request.ask.lines is None and request.ask.section is None:
        return _unchanged(read, None, None, "")
    prepared = prepare_read(read)
    lines = prepared.reading.range
    then = None if lines is None else lines_then(read)
    if lines is not None and then is not None and (said := _same_lines(prepared, then, lines)) is not None:
        return _unchanged(read, prepared, lines, said)
    patch = patch_of(read, prepared, lines, then)
    if patch is None:
        return read_noted(read, prepared, lines)
    told = next((told for told in patch.told if told.printed.bound <= request.ask.budget), None)
    if told is None:
        return read_noted(read, prepared, lines, step_of(prepared, patch))
    return answer_patch(read, prepared, patch, told, lines)


def _same_file(new: Found, old: Found | None) -> bool:
    return old is not None and old.kind == new.kind and old.raw == new.raw


# Unchanged


def _same_lines(prepared: Prepared, then: Then, lines: Range) -> str | None:
    """What is said where LINES are the same bytes as THEN, None where they are not."""
    if then.text.bytes_of(*then.lines) != prepared.kept.sheet.text.bytes_of(*lines):
        return None
    return "" if then.lines == lines else f", {then.lines[0]}-{then.lines[1]} is now {lines[0]}-{lines[1]}"


def _unchanged(read: Read, prepared: Prepared | None, lines: Range | None, said: str) -> Answer:
    """The answer that nothing asked for has changed; in text, what is SAID of its place stands in the header."""
    face = face_of(read)
    old = read.old_path
    short = said if old is None else f", renamed{said}"
    whole = said if old is None else f", renamed from {display(old)}{said}"
    content = "" if read.as_text else f"unchanged{short}\n"
    for header in (
        lambda count: header_of(read, face, "unchanged", lines, (count, whole)),
        lambda count: f"unchanged {count}t{short}" if read.as_text else "",
    ):
        printed = face.print(content, header)
        if printed.bound <= read.request.ask.budget:
            return answer_of(read, "unchanged", lines, content, printed, file_now(read, prepared))
    raise BudgetTooSmall(
        f"{read.request.ask.budget} tokens are too few: to say that nothing changed costs {printed.bound}",
        f"ask with budget_tokens {printed.bound} or more",
        minimum_tokens=printed.bound,
    )


# Folders


def _folder(read: Read) -> Answer:
    """What changed in the folder."""
    place, request = read.place, read.request
    found = diff.between(place.tree, read.seen.revision, place.revision, place.found.path, read.settings)
    found = found._replace(warnings=(*place.warnings, *found.warnings))
    asked = DiffRequest(
        request.since or "", request.commit, None, request.ask.budget, request.tokenizer, request.warnings
    )
    told = diff.answer(found, asked, read.settings, read.derived, as_text=read.as_text)
    printed = Printed(told.text.partition("\n")[0] + "\n" if read.as_text else "", told.tokens, told.upper_bound)
    made = answer_of(read, told.view, None, told.content, printed, unknown_file(read))
    names = ("file_total", "added", "removed", "files", "omitted", "next")
    since = {**(made.since or {}), **{name: told.to_dict()[name] for name in names}}
    return made._replace(
        text=told.text, degraded=told.degraded, evidence=told.evidence, since=since, warnings=told.warnings
    )
