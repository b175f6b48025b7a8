"""From a place to an answer: decode, outline, fit, evidence. What a tree found comes in as bytes: no git, no disk."""

from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

from budgeted_reads import secret
from budgeted_reads.answer import Answer, File
from budgeted_reads.derived import Derived, Kept
from budgeted_reads.errors import BinaryFile, InvalidRequest, TooLarge
from budgeted_reads.evidence.make import Evidence, make
from budgeted_reads.large import LargeText, decoded, searched
from budgeted_reads.limits import EXACT_BYTES, MAX_FILE_BYTES
from budgeted_reads.outline import Entry, Outline, Range, Warned
from budgeted_reads.places import Place
from budgeted_reads.pointer import display
from budgeted_reads.request import ReadRequest
from budgeted_reads.text import Text
from budgeted_reads.tokens import Counter
from budgeted_reads.tokens.remember import Remembered
from budgeted_reads.trees.base import Found
from budgeted_reads.trees.big import Big, feed
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.names import Names, names_outline
from budgeted_reads.views.read import reading
from budgeted_reads.views.reading import Reading
from budgeted_reads.views.sheet import Sheet
from budgeted_reads.views.view import View
from budgeted_reads.views.whole import units_of


def outline(text: Text, path: bytes) -> Outline:
    """The outline of TEXT at PATH, made in this process."""
    # The registry reads the table of formats, which a read of a cached outline never needs.
    from budgeted_reads.outline import registry

    return registry.outline(text, path)


class Settings(NamedTuple):
    """What an answer takes from its node: name, whether it serves several trees, limits, and what makes outlines."""

    node: str
    several: bool = False
    secrets: tuple[str, ...] = secret.DEFAULT
    max_file_bytes: int = MAX_FILE_BYTES
    outliner: Callable[[Text, bytes], Outline] = outline


class Prepared(NamedTuple):
    """A file that is ready to be read within any budget, and what its answer will need."""

    place: Place
    reading: Reading
    kept: Kept
    counter: Remembered
    shape: Outline
    warnings: tuple[Warned, ...]


def answer_file(place: Place, request: ReadRequest, settings: Settings, derived: Derived, *, as_text: bool) -> Answer:
    """The answer for the file or link at PLACE, as a JSON body or (AS_TEXT) for a text face.

    Raises `binary_file`, `too_large`, and what the view raises.
    """
    if request.ask.view == "folder":
        raise InvalidRequest(f"{display(place.found.path)} is a {place.found.kind}, not a folder", "use view auto")
    prepared = prepare(place, request, settings, derived, as_text=as_text)
    answer = answered(prepared, request, settings, prepared.reading.answer())
    if isinstance(place.found.raw, Big) and place.found.commit is not None:
        place.found.raw.settled()
    derived.save(prepared.kept, prepared.counter)
    return answer


def prepare(place: Place, request: ReadRequest, settings: Settings, derived: Derived, *, as_text: bool) -> Prepared:
    """The file at PLACE, decoded and outlined. Raises `binary_file`, `too_large` and the errors of ranges."""
    found, ask = place.found, request.ask
    if len(found.raw) > settings.max_file_bytes:
        raise TooLarge(
            f"{display(found.path)} has {len(found.raw)} bytes, the limit is {settings.max_file_bytes}",
            "read its bytes with git",
        )
    blob = found.blob or _hash(found.raw)
    # What a link holds is a path, whatever its own name says.
    path = found.path if found.kind == "file" else b""
    kept = derived.kept(blob, path, partial(_decode, place), lambda text: settings.outliner(text, path))
    sheet, text = kept.sheet, kept.sheet.text
    names = _names(sheet, found.path, settings) if ask.view == "auto" else None
    shape = (names or sheet).outline
    counter = derived.counter(kept, request.tokenizer)
    warnings = (*place.warnings, *found.warnings, *_decoding(text), *shape.warnings, *request.warnings)
    face = Face(counter, _kind(counter, sheet), heading_of(place, settings, warnings) if as_text else None)
    under_way = Names(names, sheet, ask, face) if names else reading(sheet, ask, face)
    return Prepared(place, under_way, kept, counter, shape, warnings)


def answered(prepared: Prepared, request: ReadRequest, settings: Settings, view: View) -> Answer:
    """The answer that shows VIEW of a file that was prepared."""
    place, under_way, kept, counter, shape, warnings = prepared
    found, text = place.found, kept.sheet.text
    evidence: tuple[Evidence, ...] = ()
    if found.commit is not None and found.blob is not None:
        where = settings.node, place.tree.name, found.path
        evidence = (make(*where, found.commit, found.blob, text, view.shown or view.lines),)
    entries = shape.entries if "entries" in request.ask.include else None
    return composed(place, request, view, counter, (*warnings, *view.warnings))._replace(
        evidence=evidence,
        file=file_of(prepared),
        entries=entries,
        entry_tokens={} if entries is None else {lines: under_way.cost_of_lines(lines) for lines in _ranges(entries)},
    )


def file_of(prepared: Prepared) -> File:
    """What is known of the file that was prepared."""
    return _file(prepared.place.found.path, prepared.kept.sheet.text, prepared.shape, prepared.reading.face)


def composed(place: Place, request: ReadRequest, view: View, counter: Counter, warnings: tuple[Warned, ...]) -> Answer:
    """The answer that shows VIEW of what stands at PLACE, without evidence and without what is told of the file."""
    found = place.found
    return Answer(
        view=view.view,
        requested_view=view.requested,
        degraded=view.degraded,
        tokens=view.tokens,
        upper_bound=view.bound,
        budget_tokens=request.ask.budget,
        tokenizer=counter.name,
        exact=counter.exact,
        truncated=view.truncated,
        content=view.content,
        text=view.text,
        shape=view,
        commit=found.commit,
        blob=found.blob,
        snapshot=_snapshot(found),
        warnings=warnings,
    )


def _snapshot(found: Found) -> dict[str, object] | None:
    """What is said of bytes that are not committed; why they have no pointer only where they have none."""
    if found.commit is None:
        return {"base": found.base, "dirty": found.dirty, "reason": found.reason}
    return {"base": found.base, "dirty": True} if found.dirty else None


def _names(sheet: Sheet, path: bytes, settings: Settings) -> Sheet | None:
    """The names of a secret file, None where the file is none."""
    text = sheet.text
    if not secret.secret_path(path, settings.secrets) and not any(map(secret.secret_text, searched(text))):
        return None
    if text.large:
        return Sheet(text, names_outline((), sheet.outline))
    from budgeted_reads.secretnames import public_rows

    return Sheet(text, names_outline(public_rows(text, path), sheet.outline))


def _hash(raw: bytes) -> str:
    """A name for bytes that have no blob: none that git could give."""
    return "raw:" + feed(blake2b(digest_size=20), raw).hexdigest()


def _kind(counter: Counter, sheet: Sheet) -> str:
    """The kind of text, which only bounds of estimates depend on."""
    if counter.exact:
        return "unknown"
    from budgeted_reads.tokens.kinds import kind_of

    text = sheet.text
    content = "".join(text.sample) if isinstance(text, LargeText) else text.content
    return kind_of(content, sheet.outline.format, sheet.outline.style)


def _decode(place: Place) -> Text:
    try:
        return decoded(place.found.raw)
    except BinaryFile as error:
        path = display(place.found.path)
        raise BinaryFile(f"{path}: {error.detail}", error.hint, **{**error.members, "path": path}) from None


def heading_of(place: Place, settings: Settings, warnings: tuple[Warned, ...]) -> Heading:
    """What the header of a text face says of PLACE, with the codes of WARNINGS."""
    found = place.found
    path = found.path
    if settings.several:
        path = b"/" + place.tree.name.encode() + b"/" + path
    words = ["dirty"] if found.dirty else []
    notes = (*words, *dict.fromkeys(warned.code for warned in warnings))
    return Heading(path, place.tree.abbreviate(found.commit) if found.commit else None, notes)


def _decoding(text: Text) -> list[Warned]:
    warnings = []
    if text.guessed:
        warnings.append(Warned("guessed_encoding", f"read as {text.encoding}"))
    if text.lossy:
        warnings.append(Warned("lossy_decoding", "bytes that are no text are shown as U+FFFD"))
    return warnings


def _ranges(entries: tuple[Entry, ...]) -> list[Range]:
    ranges, stack = [], list(entries)
    while stack:
        entry = stack.pop()
        ranges.append((entry.start, entry.end))
        stack.extend(entry.children)
    return list(dict.fromkeys(ranges))


def spelled(path: bytes) -> str:
    """PATH as JSON has it: itself where it is UTF-8, else percent-encoded as in a pointer."""
    try:
        return path.decode("utf-8")
    except UnicodeDecodeError:
        return display(path)


def _file(path: bytes, text: Text, shape: Outline, face: Face) -> File:
    exact = len(text.raw) <= EXACT_BYTES
    return File(
        path=spelled(path),
        format=shape.format,
        language=shape.language,
        line_count=text.line_count,
        bytes=len(text.raw),
        # A text face does not print it, and counting a file once more is most of the cost of a read.
        tokens=0 if face.is_text else face.tokens(units_of(text, face.counter.units)),
        tokens_exact=exact,
        encoding=text.encoding,
        bom=text.bom,
        line_ending=text.line_ending,
        facts=shape.facts,
    )
