"""The read of what has changed since a commit: as it is without `since`, with a note of what changed beside it."""

from budgeted_reads import tokens
from budgeted_reads.answer import Answer
from budgeted_reads.changes.entries import Sheet
from budgeted_reads.changes.note import note_of
from budgeted_reads.changes.seen import Read
from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.outline import Range
from budgeted_reads.reads import Prepared, answered, prepare, spelled
from budgeted_reads.views.face import Face
from budgeted_reads.views.view import Step


def since_row(read: Read, status: str) -> dict[str, object]:
    """The `since` of an answer, as far as every answer has it."""
    old = {} if read.old_path is None else {"old_path": spelled(read.old_path)}
    return {"commit": read.seen.commit, "status": status, **old}


def prepare_read(read: Read, notes: tuple[str, ...] = (), instead: Step | None = None) -> Prepared:
    """The read itself, with NOTES in the header of a text face, and with what a larger budget gives INSTEAD."""
    prepared = prepare(read.place, read.request, read.settings, read.derived, as_text=read.as_text)
    reading = prepared.reading
    face, heading = reading.face, reading.face.heading
    if heading is not None and notes:
        # Not the heading of the face itself: what the next reads cost is told of reads without `since`.
        reading.face = Face(face.counter, face.kind, heading._replace(notes=(*heading.notes, *notes)))
    reading.instead = instead
    return prepared


def read_noted(read: Read, prepared: Prepared, lines: Range | None, patch: Step | None = None) -> Answer:
    """What the request gives without `since`, with one note inside the budget that names the entries that changed.

    PATCH is the answer that a larger budget gives: its cost is told, in text beside the note, in JSON as what is next.
    """
    sheet = prepared.kept.sheet
    # Of a secret file, names are all that is shown, and none of them is told here.
    new = Sheet(sheet.text, sheet.outline) if prepared.shape is sheet.outline else None
    note = note_of(read.short, read.seen.found, new, lines, read.settings.outliner, read.old_path)
    try:
        answer, told = (_text if read.as_text else _json)(read, note, patch)
    except BudgetTooSmall:
        answer, told = _read(read, patch), False
    since = since_row(read, "added" if read.seen.found is None else "changed")
    return answer._replace(since={**since, "note": note} if told else since)


def _text(read: Read, note: str, patch: Step | None) -> tuple[Answer, bool]:
    """The read with the NOTE in its header, and whether the note is there: the barest card has none."""
    price = () if patch is None else (f"{patch.view} {patch.min_budget}t",)
    answer = _read(read, patch, (*price, note))
    return answer, note in answer.shape.header


def _json(read: Read, note: str, patch: Step | None) -> tuple[Answer, bool]:
    """The read whose budget pays for the NOTE; below that it is the least one, so that more never shows less."""
    counter = tokens.counter(read.request.tokenizer)
    cost = counter.bound(counter.units(note), "unknown")
    budget = read.request.ask.budget
    left = budget - cost
    try:
        answer = _read(_with_budget(read, max(1, left)), patch)
        told = answer.upper_bound <= left
    except BudgetTooSmall as error:
        floor = int(str(error.members["minimum_tokens"]))
        if floor > budget:
            raise
        answer, told = _read(_with_budget(read, floor), patch), False
    if answer.shape.ladder is not None:
        answer = answer._replace(shape=answer.shape._replace(ladder=_paid(answer.shape.ladder, cost)))
    return answer._replace(budget_tokens=budget), told


def _with_budget(read: Read, budget: int) -> Read:
    return read._replace(request=read.request._replace(ask=read.request.ask._replace(budget=budget)))


def _paid(ladder: tuple[Step, ...], cost: int) -> tuple[Step, ...]:
    """LADDER where a note of that COST is paid for from the second step on; a patch has no note."""
    least, *others = ladder
    last = others.pop() if others and others[-1].view == "patch" else None
    paid = [step._replace(min_budget=step.min_budget + cost) for step in others]
    if last is None:
        return (least, *paid)
    return (least, *(step for step in paid if step.min_budget < last.min_budget), last)


def _read(read: Read, patch: Step | None, notes: tuple[str, ...] = ()) -> Answer:
    """The read itself."""
    prepared = prepare_read(read, notes, patch)
    made = answered(prepared, read.request, read.settings, prepared.reading.answer())
    read.derived.save(prepared.kept, prepared.counter)
    return made
