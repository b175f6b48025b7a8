"""From a request to an answer: which revisions, what differs between them, and what of it fits."""

from typing import NamedTuple

from budgeted_reads import pointer, tokens
from budgeted_reads.changes.answer import MAX_FILES, DiffAnswer, FileRow, More, Source, joined
from budgeted_reads.changes.ask import DiffRequest
from budgeted_reads.changes.blobs import Blobs
from budgeted_reads.changes.blocks import FILES, HUNKS, LEVEL_NAMES, PATCH, Block
from budgeted_reads.changes.fit import Plan
from budgeted_reads.changes.patch import FileChange, parse
from budgeted_reads.changes.utf16 import told
from budgeted_reads.changes.within import Shown, Within
from budgeted_reads.changes.words import words
from budgeted_reads.derived import Derived
from budgeted_reads.errors import NotFound
from budgeted_reads.evidence.make import Evidence, make
from budgeted_reads.limits import MAX_ROWS
from budgeted_reads.outline import Range, Warned
from budgeted_reads.reads import Settings, spelled
from budgeted_reads.trees.base import Revision, Tree
from budgeted_reads.trees.compare import RENAME_LIMIT, Comparison, compare
from budgeted_reads.views.face import Face, Heading

OFFERED = 3
"""At most this many patches are offered to ask for next."""

NAMED = 2000
"""Of at most so many files it is told what naming them all costs."""

MAX_HUNKS = 500
"""Where there are more hunks, only those of files that are shown by their hunks are listed."""

OFFERED_BYTES = 200_000
"""A larger patch is not offered: no reader wants it, and its price takes time to find."""


class Between(NamedTuple):
    """Two revisions of one tree, and what differs between them at `path` or below."""

    tree: Tree
    old: str
    new: Revision
    path: bytes
    changes: list[FileChange]
    comparison: Comparison
    warnings: tuple[Warned, ...] = ()

    @property
    def commit(self) -> str | None:
        """The commit of the new side, None where it is not committed."""
        return self.comparison.commit

    def blobs(self, settings: Settings, derived: Derived) -> Blobs:
        """The texts of both sides."""
        kept = self.comparison
        return Blobs(kept.objects, kept.raws, settings.secrets, settings.outliner, derived)


def between(tree: Tree, old: Revision, new: Revision, path: bytes, settings: Settings) -> Between:
    """What differs between OLD and NEW at PATH or below it; b"" is the whole tree.

    Raises `not_found` where PATH stands on neither side, and what `compare` does.
    """
    path = path.rstrip(b"/")
    comparison = compare(tree, old, new, path, secrets=settings.secrets)
    changes = parse(comparison.out, comparison.counts)
    if path and any(change.letter in "AD" for change in changes):
        # What comes or goes may be a rename from or to another place.
        comparison = compare(tree, old, new, b"", secrets=settings.secrets)
        changes = [change for change in parse(comparison.out, comparison.counts) if _concerns(change, path)]
    changes = told(changes, comparison, settings.secrets)
    if path and not changes:
        _demand(tree, old, new, path)
    return Between(tree, old.commit or "", new, path, changes, comparison, (*comparison.warnings, *_given_up(changes)))


def _concerns(change: FileChange, path: bytes) -> bool:
    return any(place == path or place.startswith(path + b"/") for place in (change.path, change.before))


def _demand(tree: Tree, old: Revision, new: Revision, path: bytes) -> None:
    """Raise `not_found` where PATH stands on neither side."""
    try:
        tree.look(path, new)
    except NotFound as error:
        try:
            tree.look(path, old)
        except NotFound:
            raise error from None


def _given_up(changes: list[FileChange]) -> tuple[Warned, ...]:
    """The warning that git left out the search for edited renames: the pairs that are left are more than its limit."""
    come = sum(change.letter == "A" for change in changes)
    gone = sum(change.letter == "D" for change in changes)
    if come * gone <= RENAME_LIMIT**2:
        return ()
    detail = f"{gone} files went and {come} came: only renames without an edit were looked for"
    return (Warned("renames_given_up", detail),)


def answer(found: Between, request: DiffRequest, settings: Settings, derived: Derived, *, as_text: bool) -> DiffAnswer:
    """The answer to REQUEST about what was FOUND, as a JSON body or (AS_TEXT) for a text face.

    Raises `budget_too_small` with the least budget that would be answered.
    """
    counter = tokens.counter(request.tokenizer)
    warnings = [*found.warnings, *request.warnings]
    blobs = found.blobs(settings, derived)
    heading = _heading(found, settings, warnings) if as_text else None
    face = Face(counter, "unknown", heading)
    plan = Plan(found.changes, blobs.sides, counter.units)
    short = found.tree.abbreviate(found.old) if as_text else ""
    compared = not any(warned.code == "not_compared" for warned in warnings)
    within = Within(plan, face, short, compared=compared)
    shown, stop = within.best(request.budget)
    offers = _offers(found, plan, shown, settings, within, blobs)
    if shown.drawn.unnamed and len(plan.blocks) <= NAMED:
        offers = (More("files", None, within.named), *offers)[:OFFERED]
    if as_text:
        for count in range(len(offers), 0, -1):
            tail = "next: " + " | ".join(offer.text() for offer in offers[:count]) + "\n"
            more = within.show(stop, tail=tail)
            if more.printed.bound <= request.budget:
                shown, offers = more, offers[:count]
                break
        else:
            offers = ()
    if any(block.lossy for block in plan.blocks):
        warnings.append(Warned("lossy_decoding", "bytes that are no UTF-8 are shown in another encoding, or as U+FFFD"))
    if any(block.hidden for block in plan.blocks):
        warnings.append(Warned("secret_file", "of secret files only the counts of lines are shown"))
    evidence: tuple[Evidence, ...] = ()
    files: tuple[FileRow, ...] = ()
    if not as_text:
        files = _files(found, plan, shown, settings, blobs)
        evidence, merged = _evidence(found, plan, shown, settings, blobs)
        if merged or len(files) < len(found.changes):
            warnings.append(Warned("rows_merged", f"{len(found.changes)} files differ: rows are left out or merged"))
    drawn = shown.drawn
    return DiffAnswer(
        view=drawn.view,
        tokens=shown.printed.tokens,
        upper_bound=shown.printed.bound,
        budget_tokens=request.budget,
        tokenizer=counter.name,
        exact=counter.exact,
        content=shown.content,
        text=shown.text,
        files=files,
        file_total=len(found.changes),
        added=plan.added,
        removed=plan.removed,
        unnamed=len(found.changes) - len(drawn.levels),
        old=found.old,
        new=found.commit,
        snapshot=_snapshot(found),
        evidence=evidence,
        next=offers,
        warnings=tuple(warnings),
    )


def _snapshot(found: Between) -> dict[str, object] | None:
    if found.commit is not None:
        return None
    return {"base": found.new.commit, "dirty": True, "reason": "the new side is the tree as it is now"}


def _heading(found: Between, settings: Settings, warnings: list[Warned]) -> Heading:
    path = found.path
    name = found.tree.name.encode()
    if settings.several and path:
        path = b"/" + name + b"/" + path
    elif not path:
        path = b"/" + name if settings.several else name
    words = [] if found.commit is not None else ["dirty"]
    notes = (*words, *dict.fromkeys(warned.code for warned in warnings))
    commit = None if found.commit is None else found.tree.abbreviate(found.commit)
    return Heading(path, commit, notes)


def _offers(
    found: Between, plan: Plan, shown: Shown, settings: Settings, within: Within, blobs: Blobs
) -> tuple[More, ...]:
    """The patches of files that are shown in less detail, the smallest first, each with its price on this face."""
    waiting = [
        (len(block.change.patch), index)
        for index, block in enumerate(plan.blocks)
        if shown.drawn.levels.get(index, FILES) < PATCH == block.finest
    ]
    offers = []
    for size, index in sorted(waiting)[:OFFERED]:
        if size > OFFERED_BYTES:
            break
        change = plan.blocks[index].change
        alone = found._replace(path=change.path, changes=[change])
        face = within.face
        heading = None if face.heading is None else _heading(alone, settings, list(found.warnings))
        sides = Plan([change], blobs.sides, face.counter.units)
        price = Within(sides, Face(face.counter, face.kind, heading), within.since).whole
        offers.append(
            More("patch", pointer.display(change.path) if within.face.is_text else spelled(change.path), price)
        )
    return tuple(offers)


def _files(found: Between, plan: Plan, shown: Shown, settings: Settings, blobs: Blobs) -> tuple[FileRow, ...]:
    rows = []
    everywhere = sum(change.hunk_count for change in found.changes) <= MAX_HUNKS
    for index, change in enumerate(found.changes[:MAX_FILES]):
        old, new = sources(found, change, settings)
        level = shown.drawn.levels.get(index)
        pairs = joined(change.hunks) if everywhere or (level is not None and level >= HUNKS) else []
        rows.append(
            FileRow(
                path=spelled(change.path),
                old_path=None if change.old_path is None else spelled(change.old_path),
                status=change.status,
                added=change.added,
                removed=change.removed,
                binary=change.binary,
                words=("secret_file",) if plan.blocks[index].hidden else tuple(words(change, blobs.size)),
                view=None if level is None else LEVEL_NAMES[level],
                hunks=tuple({"old": old.side(a), "new": new.side(b)} for a, b in pairs),
            )
        )
    return tuple(rows)


def sources(found: Between, change: FileChange, settings: Settings) -> tuple[Source, Source]:
    """Where pointers to the old and to the new side of CHANGE lead."""
    commit = found.comparison.commits(change.path, change.ids[1])
    return (
        Source(settings.node, found.tree.name, change.before, found.old),
        Source(settings.node, found.tree.name, change.path, commit),
    )


def _evidence(
    found: Between, plan: Plan, shown: Shown, settings: Settings, blobs: Blobs
) -> tuple[tuple[Evidence, ...], bool]:
    """Pointer and hash of the lines on both sides of each hunk that is shown, and whether rows were left out."""
    rows: list[Evidence] = []
    for index, level in sorted(shown.drawn.levels.items()):
        block: Block = plan.blocks[index]
        if level < HUNKS:
            continue
        for side, source in enumerate(sources(found, block.change, settings)):
            text = blobs.text(block.change, side)
            if text is None or source.commit is None:
                continue
            for pair in joined(block.change.hunks):
                lines: Range | None = pair[side]
                if lines is None:
                    continue
                if len(rows) == MAX_ROWS:
                    return tuple(rows), True
                id = block.change.ids[side]
                rows.append(make(source.node, source.tree, source.path, source.commit, id, text, lines))
    return tuple(rows), False
