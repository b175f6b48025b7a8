"""From a folder to an answer: its rows, fitted, with their evidence. What a tree found comes in as values."""

from budgeted_reads import tokens
from budgeted_reads.answer import Answer, File
from budgeted_reads.evidence.make import Evidence, make_folder
from budgeted_reads.places import Place
from budgeted_reads.pointer import display
from budgeted_reads.reads import Settings, composed, heading_of, spelled
from budgeted_reads.request import ReadRequest
from budgeted_reads.trees.base import Child
from budgeted_reads.views.face import Face
from budgeted_reads.views.folder import Listed, read_folder


def answer_folder(
    place: Place,
    children: tuple[Child, ...],
    commits: dict[bytes, str],
    request: ReadRequest,
    settings: Settings,
    *,
    as_text: bool,
) -> Answer:
    """The answer for the folder at PLACE with its CHILDREN; COMMITS are those of submodules."""
    found = place.found
    name = display(found.path)
    counter = tokens.counter(request.tokenizer)
    warnings = (*place.warnings, *found.warnings, *request.warnings)
    heading = heading_of(place, settings, warnings)
    face = Face(counter, "unknown", heading if as_text else None)
    rows = [
        Listed(child.path, child.kind, child.size or 0, child.files, commits.get(child.path, "")) for child in children
    ]
    view = read_folder(rows, request.ask, face, name)
    evidence: tuple[Evidence, ...] = ()
    if found.commit is not None and found.blob is not None:
        evidence = (make_folder(settings.node, place.tree.name, found.path, found.commit, found.blob),)
    listing = None
    if "entries" in request.ask.include:
        listing = tuple({"path": spelled(row.path), "kind": row.kind, "tokens": row.tokens} for row in rows)
    size, estimate = sum(row.size for row in rows), sum(row.tokens for row in rows)
    file = File(spelled(found.path), "folder", None, len(rows), size, estimate, False, None, False, "none")
    return composed(place, request, view, counter, (*warnings, *view.warnings))._replace(
        evidence=evidence, file=file, listing=listing
    )
