"""What the answers have in common that only `since` gives: their header, their cost, and what they tell of the file."""

from budgeted_reads import tokens
from budgeted_reads.answer import Answer, File
from budgeted_reads.changes.noted import since_row
from budgeted_reads.changes.seen import Read
from budgeted_reads.errors import ReadError
from budgeted_reads.outline import Range
from budgeted_reads.reads import Prepared, file_of, heading_of, prepare, spelled
from budgeted_reads.views.face import Face, Heading, Printed, label
from budgeted_reads.views.view import View


def face_of(read: Read) -> Face:
    """The face that the answer is printed on."""
    heading = heading_of(read.place, read.settings, read.place.warnings) if read.as_text else None
    return Face(tokens.counter(read.request.tokenizer), "unknown", heading)


def header_of(read: Read, face: Face, view: str, lines: Range | None, counts: tuple[int, str]) -> str:
    """`unchanged docs/a.md@0123456789ab 21t since 89abcdef0123`, from tokens and what is SAID besides."""
    heading: Heading | None = face.heading
    if heading is None:
        return ""
    count, said = counts
    words = [] if face.counter.exact else [f"~{face.counter.name}"]
    return " ".join([view, label(heading, lines), f"{count}t", f"since {read.short}{said}", *words, *heading.notes])


def answer_of(read: Read, view: str, lines: Range | None, content: str, printed: Printed, file: File) -> Answer:
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
        file=file,
        since=since_row(read, "unchanged" if view == "unchanged" else "changed"),
    )


def file_now(read: Read, prepared: Prepared | None) -> File:
    """What is known of the file, as any read tells it; of what is no text, or in a text face, only what costs nothing.

    To say that a file is unchanged nothing of it is decoded, so without PREPARED it is where JSON has to tell of it.
    """
    if read.as_text:
        return unknown_file(read)
    try:
        if prepared is not None:
            return file_of(prepared)
        ask = read.request.ask._replace(focus=None)
        whole = read.request._replace(ask=ask)
        prepared = prepare(read.place, whole, read.settings, read.derived, as_text=False)
        file = file_of(prepared)
    except ReadError:
        return unknown_file(read)
    read.derived.save(prepared.kept, prepared.counter)
    return file


def unknown_file(read: Read) -> File:
    """The file by its path and size; a folder by its path alone."""
    found = read.place.found
    kind, size = ("folder", None) if found.kind == "folder" else (None, len(found.raw))
    return File(spelled(found.path), kind, None, None, size, None, False, None, None, None)
