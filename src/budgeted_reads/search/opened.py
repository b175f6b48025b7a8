"""A file of a page of matches, opened where something of it is shown: its lines, its entries, what reads of it cost."""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from budgeted_reads.outline import Outline, Range
from budgeted_reads.pointer import display
from budgeted_reads.search.exact import names_of
from budgeted_reads.search.scope import Scope, Source
from budgeted_reads.text import Text, decode
from budgeted_reads.tokens.kinds import kind_of
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.objects import Recent
from budgeted_reads.views.ask import Ask, Lines
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.read import reading
from budgeted_reads.views.sections import Named, named
from budgeted_reads.views.sheet import Sheet

LARGE_SECTION = 400
"""A section of more lines is not offered whole, but as a window around the match."""

WINDOW = 20
"""Lines before and after a match in such a window, and where no entry encloses it."""

LONG_LINE = 1600
"""Of a longer line a window of columns is offered."""

COLUMNS = 400
_NAME = 120


Outliner = Callable[[Text, bytes, str], Outline]
"""Makes the outline of a text, by its path and its blob."""

SHEETS = 256
"""So many texts are at hand for the next page."""


class More(NamedTuple):
    """A read that shows what stands around a match, and the least budget that returns it on the same face."""

    path: str
    view: str
    lines: Range
    tokens: int
    columns: str | None = None

    def to_dict(self) -> dict[str, object]:
        """The fields of the read, and `tokens`."""
        body = {**self._asdict(), "lines": list(self.lines)}
        return {name: value for name, value in body.items() if value is not None}


class Sheets:
    """Texts with their outlines, the last ones used. An outline depends on the bytes and the name of a file."""

    def __init__(self, outliner: Outliner) -> None:
        self._kept: Recent[Sheet] = Recent(SHEETS)
        self._outliner = outliner

    def open(self, scope: Scope, source: Source) -> Sheet:
        """The sheet of SOURCE, a text file of SCOPE."""

        def make(key: str) -> Sheet:
            raw = source.raw
            if raw is None:
                assert isinstance(scope.tree, Committed)  # noqa: S101 - only git has bytes that are not at hand
                raw = scope.tree.blob(source.blob, source.commit or "")
            text = decode(bytes(raw))
            return LazySheet(text, lambda: self._outliner(text, source.path, source.blob))

        sheet = self._kept.get(f"{source.blob} {source.path.hex()}", make)
        assert sheet is not None  # noqa: S101 - make never gives None
        return sheet


class LazySheet(Sheet):
    """A sheet whose outline is made when it is first needed: a page of hits alone never needs one."""

    def __init__(self, text: Text, make: Callable[[], Outline]) -> None:
        self.text = text
        self._make = make

    @cached_property
    def outline(self) -> Outline:  # type: ignore[override]
        """The outline of the text."""
        return self._make()


class Opened:
    """One file of a page. Of a secret file only names are to be had: no entry, no read."""

    def __init__(self, scope: Scope, source: Source, sheets: Sheets, face: Face, several: bool) -> None:
        self.scope = scope
        self.source = source
        self._sheets = sheets
        self._face = face
        self._several = several
        self._costs: dict[tuple[Range, str | None], int] = {}

    @property
    def secret(self) -> bool:
        """Whether only names of this file may be shown."""
        return self.source.secret

    @cached_property
    def sheet(self) -> Sheet:
        """Its text and outline."""
        return self._sheets.open(self.scope, self.source)

    @cached_property
    def names(self) -> dict[int, str]:
        """The names in a secret file."""
        return names_of(self.scope, self.source)

    @property
    def path(self) -> bytes:
        """Its path as a request may name it: `/tree/path` where the node has several trees."""
        own = self.source.path
        return b"/" + self.scope.tree.name.encode() + b"/" + own if self._several else own

    @property
    def label(self) -> str:
        """Its path as text prints it."""
        return display(self.path)

    def line(self, number: int) -> str:
        """Line NUMBER without its line end; of a secret file its name."""
        if self.secret:
            return self.names.get(number, "")
        line = self.sheet.text.line(number)
        return line[:-1] if line.endswith("\r") else line

    @property
    def line_count(self) -> int:
        """Number of lines."""
        return self.sheet.text.line_count

    @cached_property
    def _entries(self) -> list[Named]:
        """The entries; none for a text that is only divided into paragraphs, whose names say nothing."""
        shape = self.sheet.outline
        return [] if shape.style == "plain" else list(named(shape.entries))

    def entry(self, number: int) -> Named | None:
        """The innermost entry around line NUMBER."""
        if self.secret:
            return None
        found = None
        for one in self._entries:
            if one.entry.start > number:
                break
            if one.entry.end >= number and (found is None or len(one.path) >= len(found.path)):
                found = one
        return found

    def breadcrumb(self, number: int) -> str:
        """The enclosing entries of line NUMBER from the top down, as one text; empty where there is none."""
        one = self.entry(number)
        if one is None:
            return ""
        text = " > ".join(one.path) if one.entry.kind == "heading" else ".".join(one.path)
        text = " ".join(text.split())
        return text if len(text) <= _NAME else "…" + text[1 - _NAME :]

    def around(self, lines: Range, column: int = 0) -> More | None:
        """The read of the section around LINES, or of a window where the section or the line is large."""
        if self.secret:
            return None
        first, last = lines
        if first == last and len(self.line(first)) > LONG_LINE:
            left = max(1, column - COLUMNS // 4)
            return self._more(lines, f"{left}-{min(left + COLUMNS - 1, len(self.line(first)))}")
        one = self.entry(first)
        if one is not None and one.entry.end - one.entry.start < LARGE_SECTION and one.entry.end >= last:
            return self._more((one.entry.start, one.entry.end))
        return self._more((max(1, first - WINDOW), min(self.line_count, last + WINDOW)))

    def _more(self, lines: Range, columns: str | None = None) -> More:
        key = lines, columns
        if key not in self._costs:
            ask = Ask(view="lines", lines=Lines(*lines), columns=_columns(columns))
            self._costs[key] = reading(self.sheet, ask, self.face).asked.bound
        path = self.path.decode("utf-8", "surrogateescape")
        return More(path if path.isprintable() else self.label, "lines", lines, self._costs[key], columns)

    @cached_property
    def face(self) -> Face:
        """The face that a read of this file has: that of the page."""
        shape = self.sheet.outline
        kind = kind_of(self.sheet.text.content, shape.format, shape.style)
        return Face(self._face.counter, kind, self.heading if self._face.is_text else None)

    @cached_property
    def heading(self) -> Heading:
        """What the header of a read of this file says."""
        commit, text = self.source.commit, self.sheet.text
        notes = ["dirty"] if self.source.dirty else []
        notes += ["guessed_encoding"] if text.guessed else []
        notes += ["lossy_decoding"] if text.lossy else []
        notes += [warned.code for warned in self.sheet.outline.warnings]
        return Heading(self.path, self.scope.tree.abbreviate(commit) if commit else None, tuple(dict.fromkeys(notes)))


def _columns(columns: str | None) -> Range | None:
    if columns is None:
        return None
    first, _, last = columns.partition("-")
    return int(first), int(last)
