"""Checks of requests and of whole texts: what is asked, which pointers a text has, and the text with them renewed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from budgeted_reads import limits, pointer
from budgeted_reads.errors import InvalidRequest, ReadError, TooLarge
from budgeted_reads.evidence.checked import Checked, Verification
from budgeted_reads.evidence.citations import Citation, find
from budgeted_reads.evidence.links import parse_link, remote_name
from budgeted_reads.pointer import Pointer
from budgeted_reads.trees import history
from budgeted_reads.trees.base import Tree
from budgeted_reads.verify import Verifier

_MEMBERS = ("pointer", "sha256", "quote")


class Wanted(NamedTuple):
    """One pointer to check, with the hash and the quote that it must have, where there are."""

    pointer: str
    sha256: str | None = None
    quote: str | None = None


class Request(NamedTuple):
    """What to check: POINTERS, or every pointer of TEXT; with PROOFS each row has its objects."""

    pointers: tuple[Wanted, ...]
    text: str | None
    proofs: bool


class Renewal(NamedTuple):
    """A pointer of a text at START..END that should be written as NEW."""

    start: int
    end: int
    new: str


def verify_request(given: Mapping[str, object]) -> Request:
    """The request that GIVEN describes; `invalid_request` names the field that is wrong. A null is not given."""
    values = {name: value for name, value in given.items() if value is not None}
    for name in values:
        if name not in ("pointers", "text", "include", "sha256", "quote"):
            raise InvalidRequest(f"unknown field {name[:60]!r}", "the fields are pointers, text, include")
    pointers = tuple(_wanted(values.get("pointers", ())))
    if ("text" in values) == ("pointers" in values):
        raise InvalidRequest("either pointers or text has to be given", 'give pointers: [{"pointer": "..."}], or text')
    alone = {name: values[name] for name in ("sha256", "quote") if name in values}
    if alone:
        if len(pointers) != 1:
            raise InvalidRequest(f"{' and '.join(alone)} go with one pointer", "give each pointer its own")
        (pointers,) = (tuple(_wanted([{"pointer": pointers[0].pointer, **alone}])),)
    include = values.get("include", ())
    if isinstance(include, str) or not isinstance(include, Sequence) or any(word != "proof" for word in include):
        raise InvalidRequest(f"include cannot be {include!r}"[:90], "include takes proof")
    return Request(pointers, _text("text", values["text"], 0) if "text" in values else None, "proof" in include)


def _wanted(given: object) -> Iterator[Wanted]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise InvalidRequest("pointers has to be an array", 'give [{"pointer": "path@commit#L12"}]')
    if len(given) > limits.MAX_POINTERS:
        raise TooLarge(f"there are {len(given)} pointers, the limit is {limits.MAX_POINTERS}", "check them in parts")
    for one in given:
        if isinstance(one, str):
            yield Wanted(one)
            continue
        if not isinstance(one, Mapping) or not set(one) <= set(_MEMBERS) or not isinstance(one.get("pointer"), str):
            raise InvalidRequest("a pointer is an object {pointer, sha256, quote}", "give at least pointer")
        sha256, quote = one.get("sha256"), one.get("quote")
        yield Wanted(
            one["pointer"],
            None if sha256 is None else _text("sha256", sha256, 1),
            None if quote is None else _text("quote", quote, 1),
        )


def _text(name: str, value: object, least: int) -> str:
    if not isinstance(value, str) or len(value.strip()) < least:
        raise InvalidRequest(f"{name} cannot be {ascii(value)[:60]}", f"{name} takes a string")
    return value


def check_pointers(verifier: Verifier, wanted: Sequence[Wanted], *, proofs: bool = False) -> Verification:
    """A row for each of WANTED, in their order."""
    try:
        verifier.prepare(named for one in wanted if (named := _parsed(one.pointer)) is not None)
        return Verification(tuple(verifier.check(*one, proofs=proofs) for one in wanted))
    finally:
        verifier.close()


class Reading(NamedTuple):
    """A citation of a text as a pointer: `named` is None where it is spelled wrong."""

    citation: Citation
    written: str
    named: Pointer | None


class TextCheck:
    """Every pointer of TEXT, checked: its rows, and the text with those renewed that should name another commit."""

    def __init__(self, verifier: Verifier, trees: Mapping[str, Tree], text: str) -> None:
        self._verifier = verifier
        self._trees = trees
        self._text = text
        self._remotes: dict[str, str] | None = None
        self._readings = list(self._read())
        if len(self._readings) > limits.MAX_POINTERS:
            count = len(self._readings)
            raise TooLarge(f"the text has {count} pointers, the limit is {limits.MAX_POINTERS}", "check it in parts")

    def rows(self, *, proofs: bool = False) -> Verification:
        """A row for each pointer, in the order of the text, with its line and quote; of two, the one that differs."""
        try:
            self._verifier.prepare(reading.named for reading in self._readings if reading.named is not None)
            return Verification(tuple(self._row(reading, proofs=proofs) for reading in self._readings))
        finally:
            self._verifier.close()

    def renewed(self, rows: Sequence[Checked]) -> str:
        """The text with each pointer of ROWS that has moved, or names a snapshot, written for the commit of HEAD.

        Links stay: only their host knows which commits it has. Every other character stays, and doing it again
        changes nothing.
        """
        parts, at = [], 0
        for reading, row in zip(self._readings, rows, strict=True):
            new = self._new(reading, row)
            if new is not None:
                start = reading.citation.end - len(reading.written)
                parts += [self._text[at:start], new]
                at = reading.citation.end
        return "".join([*parts, self._text[at:]])

    def _read(self) -> Iterator[Reading]:
        for citation in find(self._text):
            if citation.kind == "link":
                reading = self._link(citation)
            elif citation.kind == "pointer":
                reading = Reading(citation, citation.written, _parsed(citation.written))
            else:
                reading = self._short(citation)
            if reading is not None:
                yield reading

    def _link(self, citation: Citation) -> Reading | None:
        """A link counts where it leads to a remote of a tree that is served here."""
        link = parse_link(citation.written)
        if link is None:
            return None
        if self._remotes is None:
            pairs = ((remote_name(url), name) for name, tree in self._trees.items() for url in history.remotes(tree))
            self._remotes = {remote: name for remote, name in pairs if remote}
        name = self._remotes.get(link.remote)
        if name is None:
            return None
        rest = b"/" + name.encode() + b"/" + link.path
        return Reading(citation, citation.written, Pointer(None, rest, link.commit, link.lines))

    def _short(self, citation: Citation) -> Reading | None:
        """The reading of a short form that stands in a tree, else its likeliest; none where only a tree could tell."""
        readings = [(one, _parsed(one)) for one in (citation.written, *citation.others)]
        for written, named in readings:
            if named is not None and not isinstance(self._verifier.standing(named), ReadError):
                return Reading(citation, written, named)
        return None if citation.tentative else Reading(citation, *readings[0])

    def _row(self, reading: Reading, *, proofs: bool) -> Checked:
        citation, written, named = reading
        if named is None:
            row = self._verifier.check(written)
        else:
            rows = (self._compared(reading, named, quote, proofs=proofs) for quote in citation.quotes or (None,))
            row = next(rows)
            while row.good and (other := next(rows, None)):
                row = row if other.good and row.verification == "verified" else other
        return row._replace(line=citation.line)

    def _compared(self, reading: Reading, named: Pointer, quote: str | None, *, proofs: bool) -> Checked:
        """The row of one quote; a name that is not in the lines says what they are about, and quotes nothing."""
        row = self._verifier.check_parsed(reading.written, named, None, quote, proofs=proofs)
        if quote is None or quote != reading.citation.name or row.verification != "quote_mismatch":
            return row
        return self._verifier.check_parsed(reading.written, named, proofs=proofs)

    def _new(self, reading: Reading, row: Checked) -> str | None:
        citation, written, named = reading
        moved = None if named is None or citation.kind == "link" else self._verifier.moved(named, row)
        if named is None or moved is None:
            return None
        place, drift = moved
        head = self._verifier.head(place.tree) or ""
        if citation.kind == "pointer":
            new = pointer.format_pointer(named.node or "", place.tree.name, drift.path, head, drift.lines)
        else:
            path = b"/" + place.tree.name.encode() + b"/" + drift.path if named.rest[:1] == b"/" else drift.path
            new = pointer.short(
                path, head if len(named.commit) == len(head) else place.tree.abbreviate(head), drift.lines
            )
        return None if new == written else new


def _parsed(text: str) -> Pointer | None:
    try:
        return pointer.parse(text)
    except InvalidRequest:
        return None
